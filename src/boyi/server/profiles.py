"""What anyone may know of the owner of an account: results, ratings, openings, puzzles. Private games do not count."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from boyi.arena.rating import ELO
from boyi.core.errors import BoyiError
from boyi.core.record import Record
from boyi.games import find_game, listed_games
from boyi.server.protocol.own_games import FavouriteOpening, OpponentScore, Profile, ProfileGame, RatingPoint, RatingRow
from boyi.server.protocol.refusals import Refusal
from boyi.server.ratings import Ratings
from boyi.server.store import DELETED, Store
from boyi.server.store.own_games import DRAWN, LOST, WON, PlayedGame, Wanted
from boyi.server.work import in_thread
from boyi.study.openings import Opening, name_of

MOST_GAMES = 1000
"""Of a profile, the latest ones."""

MOST_OPENED = 60
"""Games whose openings are looked at, the latest ones of each kind."""

OPENING_MOVES = 24
"""An opening has its name after so many written moves, or none."""

MOST_OPPONENTS = 12
MOST_OPENINGS = 3
"""That are listed; openings of each game."""

MOST_POINTS = 60
"""Of a rating curve."""

PRIOR = 800 / ELO
"""How far ratings spread before anyone has played, as in `arena.rating`."""

KEPT_SECONDS = 30.0
MOST_KEPT = 200
"""For how long a profile is told as it was, and how many are remembered."""


class Profiles:
    """The profiles of a server."""

    def __init__(self, store: Store, ratings: Ratings) -> None:
        self._store = store
        self._ratings = ratings
        self._kept: OrderedDict[str, tuple[float, Profile]] = OrderedDict()

    async def find(self, name: str) -> Profile:
        """The profile of an account, by its name as typed."""
        person = await self._store.people.find_account(name)
        if person is None:
            raise Refusal("no_person")
        now = asyncio.get_running_loop().time()
        made, profile = self._kept.get(person.id, (-math.inf, None))
        if profile is None or made < now - KEPT_SECONDS:
            games = await self._store.own_games.of([person.id], Wanted(public=True), MOST_GAMES, records=False)
            profile = Profile(
                person.name, person.created, [await self._game(person.name, one, games) for one in _kinds(games)],
                opponents(games), await self._openings(person.id, games), await self._store.puzzles.ratings(person.id))
            self._kept[person.id] = now, profile
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return profile

    async def _game(self, name: str, game: str, games: Sequence[PlayedGame]) -> ProfileGame:
        played = [one for one in games if one.game == game]
        table = await self._ratings.of(game) if any(one.rated for one in played) else []
        rank = next((number for number, row in enumerate(table, 1) if row.name == name), None)
        own = None if rank is None else table[rank - 1]
        return ProfileGame(game, *_score(played), own, rank, [] if own is None else curve(own, table, played))

    async def _openings(self, person: str, games: Sequence[PlayedGame]) -> list[FavouriteOpening]:
        found: list[FavouriteOpening] = []
        for game in _kinds(games):
            scores: dict[Opening, list[PlayedGame]] = {}
            for one in await self._store.own_games.of([person], Wanted(game=game, public=True), MOST_OPENED):
                opening = await in_thread(_opening, one.record)
                if opening is not None:
                    scores.setdefault(opening, []).append(one)
            often = sorted(scores.items(), key=lambda pair: (-len(pair[1]), pair[0].name.en))[:MOST_OPENINGS]
            found += [FavouriteOpening(game, opening.name, opening.code, *_score(played)) for opening, played in often]
        return found


@lru_cache(maxsize=4096)
def _opening(text: str) -> Opening | None:
    with contextlib.suppress(BoyiError):
        record = Record.parse(text, find_game)
        if record.start is None:
            named = name_of(replace(record, entries=record.entries[:OPENING_MOVES]))
            return None if named is None else named.opening
    return None


def _kinds(games: Iterable[PlayedGame]) -> list[str]:
    """The games that were played, in the order of the games' list."""
    names = {one.game for one in games}
    listed = [game.name for game in listed_games()]
    return [name for name in listed if name in names] + sorted(names.difference(listed))


def _score(games: Iterable[PlayedGame]) -> tuple[int, int, int]:
    count = Counter(one.half_points for one in games)
    return count[WON], count[DRAWN], count[LOST]


def opponents(games: Iterable[PlayedGame]) -> list[OpponentScore]:
    """How somebody came out against each of those met: who was ahead of whom."""
    met: dict[str, Counter[int]] = {}
    for one in games:
        if len(one.places) != len(one.names):
            continue
        for seat, name in enumerate(one.names):
            if seat != one.seat and not name.startswith(DELETED):
                own, other = one.places[one.seat], one.places[seat]
                met.setdefault(name, Counter())[WON if own < other else DRAWN if own == other else LOST] += 1
    often = sorted(met.items(), key=lambda pair: (-pair[1].total(), pair[0]))[:MOST_OPPONENTS]
    return [OpponentScore(name, count[WON], count[DRAWN], count[LOST]) for name, count in often]


# ---------------------------------------------------------------------- ratings over time

def curve(own: RatingRow, table: Sequence[RatingRow], games: Sequence[PlayedGame]) -> list[RatingPoint]:
    """How a rating came about: what it would be after each rated game, against opponents as they are rated now.

    That is the rating table's own model with all but one strength held fixed, so the last point is nearly the rating in
    the table; all points are moved by the little that is left. `games` come as they are listed, the latest first.
    """
    elo = {row.name: row.elo for row in table}
    points: list[tuple[int, float]] = []
    met: list[tuple[float, float]] = []
    rating = 0.0
    for one in reversed([game for game in games if game.rated and len(game.places) == len(game.names)]):
        for seat, name in enumerate(one.names):
            if seat != one.seat and name in elo and name != own.name:
                place, other = one.places[one.seat], one.places[seat]
                met.append((elo[name] / ELO, 1.0 if place < other else 0.5 if place == other else 0.0))
        if met:
            rating = _peak(met, rating)
            points.append((one.ended, ELO * rating))
    if not points:
        return []
    shift = own.elo - points[-1][1]
    step = math.ceil(len(points) / MOST_POINTS)
    kept = points[(len(points) - 1) % step::step]   # the last one is among them
    return [RatingPoint(at, round(value + shift)) for at, value in kept]


def _peak(met: Sequence[tuple[float, float]], guess: float) -> float:
    """The strength that explains these scores best, by Newton's method."""
    for _ in range(8):
        slope, curvature = -guess / PRIOR ** 2, 1 / PRIOR ** 2
        for other, score in met:
            expected = 1 / (1 + math.exp(min(50.0, max(-50.0, other - guess))))
            slope += score - expected
            curvature += expected * (1 - expected)
        change = slope / curvature
        guess += max(-2.0, min(2.0, change))
        if abs(change) < 1e-3:
            break
    return guess
