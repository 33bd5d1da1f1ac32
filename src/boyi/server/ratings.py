"""Ratings of players, by the rated games of a server; computed again only when there are new ones."""

from __future__ import annotations

import asyncio

from boyi.arena.rating import Finish, rate
from boyi.server.protocol.own_games import RatingRow
from boyi.server.store import DELETED, Store
from boyi.server.work import in_thread


class Ratings:
    """The ratings of every game, as of the last request."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, tuple[tuple[int, int], list[RatingRow]]] = {}
        """By game: of how many rated games, when how many accounts had been deleted, and the table."""

        self._lock = asyncio.Lock()

    async def of(self, game: str) -> list[RatingRow]:
        """The table of a game, the strongest first."""
        async with self._lock:   # requests that come meanwhile wait for the same answer
            version = await self._store.games.count_rated(game), await self._store.people.count_deleted()
            if game not in self._known or self._known[game][0] != version:
                games = await self._store.games.rated(game)
                self._known[game] = version, await in_thread(_rate, games)
            return self._known[game][1]


def _rate(games: list[tuple[list[str], list[int]]]) -> list[RatingRow]:
    finishes = [Finish(tuple(names), tuple(places)) for names, places in games if len(set(names)) > 1]
    if not finishes:
        return []
    # The games of those who have gone still count for the others.
    return [RatingRow(row.name, round(row.elo.value), round(row.elo.error), row.games)
            for row in rate(finishes).rows if not row.name.startswith(DELETED)]
