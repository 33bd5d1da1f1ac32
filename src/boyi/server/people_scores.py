"""How people do against the levels, by the finished games of a server; counted again only when there are new ones."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from msgspec import Struct

from boyi.arena.score import interval
from boyi.core.words import Words
from boyi.games import all_games, listed_games
from boyi.server.store import Store
from boyi.server.store.encounters import Tally


class PeopleScore(Struct, frozen=True):
    """How people came out against a level, in one game under the same rules."""

    game: str
    title: Words
    players: int
    rules: str
    """Rule options that are not the default, as `rules=axf quiet_limit=120`; how many play is told apart."""

    level: int
    games: int
    people: int
    """How many different persons played them."""

    ahead: int
    equal: int
    behind: int
    """How often a person came out ahead of a seat of the level; with two players that is won, drawn, lost."""

    score: float
    """Of the people, from 0 to 1; coming out equal is half."""

    low: float
    high: float
    """The 95 % interval."""


def score_all(tallies: Iterable[Tally]) -> list[PeopleScore]:
    """In the order of the games' list, the lowest level first."""
    order = {game.name: place for place, game in enumerate(listed_games())}
    return sorted(map(_score, tallies),
                  key=lambda one: (order.get(one.game, len(order)), one.game, one.players, one.rules, one.level))


def _score(tally: Tally) -> PeopleScore:
    game = all_games().get(tally.game)
    defaults = {} if game is None else {option.name: option.default for option in game.options}
    rules = " ".join(f"{name}={_plain(value)}" for name, value in tally.options.items()
                     if name != "players" and defaults.get(name) != value)
    pairs = tally.ahead + tally.equal + tally.behind
    score = (tally.ahead + tally.equal / 2) / pairs
    # Two seats of a level in one game are not two games: the interval is that of as many results as there are games.
    low, high = interval(score, tally.games)
    return PeopleScore(tally.game, Words(tally.game, tally.game) if game is None else game.title, tally.players, rules,
                       tally.level, tally.games, tally.people, tally.ahead, tally.equal, tally.behind,
                       round(score, 4), round(low, 4), round(high, 4))


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class PeopleScores:
    """The scores against all levels, as of the last request."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: tuple[tuple[int, int], list[PeopleScore]] | None = None
        self._lock = asyncio.Lock()

    async def all(self) -> list[PeopleScore]:
        async with self._lock:   # requests that come meanwhile wait for the same answer
            version = await self._store.encounters.version()
            if self._known is None or self._known[0] != version:
                self._known = version, score_all(await self._store.encounters.tallies())
            return self._known[1]
