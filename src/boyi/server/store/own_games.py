"""The games of a person: those that are over, and those that are being played.

What a game says of each of its players stands in the row of the player, so that a page of somebody's games is a walk
along one index, however many games others have played.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

from boyi.server.protocol.bodies import RoomSummary
from boyi.server.store.database import Database
from boyi.server.store.rows import read_rows
from boyi.server.store.tables import finished, players, rooms, running

WON, DRAWN, LOST = 2, 1, 0
"""Half points."""

RESULTS = {"won": WON, "drawn": DRAWN, "lost": LOST}


def half_points(places: Sequence[int], seat: int) -> int:
    """How a player came out: the best have won, unless all share the first place.

    >>> [half_points([1, 2], 0), half_points([1, 1], 1), half_points([1, 3, 1], 1), half_points([1, 3, 1], 2)]
    [2, 1, 0, 2]
    """
    if not 0 <= seat < len(places) or set(places) == {1}:
        return DRAWN
    return WON if places[seat] == 1 else LOST


def note_running(connection: sa.Connection, room: str, persons: Sequence[str | None]) -> None:
    """Who plays in a room now, by seat; nobody when no game is being played."""
    connection.execute(sa.delete(running).where(running.c.room == room))
    rows = [{"room": room, "seat": seat, "person": person} for seat, person in enumerate(persons)
            if person is not None]
    if rows:
        connection.execute(sa.insert(running), rows)


@dataclass(frozen=True)
class Wanted:
    """Which games of somebody's."""

    game: str = ""
    result: Literal["", "won", "drawn", "lost"] = ""
    opponent: Literal["", "people", "computer"] = ""
    public: bool = False
    """Only those that anyone may find."""


@dataclass(frozen=True)
class PlayedGame:
    """A game that is over, as one of its players sees it."""

    room: str
    number: int
    seat: int
    game: str
    ended: int
    """In milliseconds since 1970."""

    half_points: int
    rated: bool
    public: bool
    names: list[str]
    places: list[int]
    date: str
    record: str = ""
    """Empty where it was not asked for."""


@dataclass(frozen=True)
class RunningRoom:
    """A room in which a game is being played."""

    seat: int
    summary: RoomSummary


Place = tuple[int, str, int]
"""Where a list goes on: when the last game of it ended, its room and its number."""


class OwnGames:
    """Everyone's games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, persons: Collection[str], wanted: Wanted, limit: int, *, after: Place | None = None,
                 records: bool = True) -> list[PlayedGame]:
        """Games that one of these persons played, the latest first."""
        columns = [players.c.room, players.c.number, players.c.seat, players.c.game, players.c.ended,
                   players.c.half_points, finished.c.rated, finished.c.public, finished.c.names, finished.c.places,
                   finished.c.date, *([finished.c.record] if records else [])]
        query = _among(sa.select(*columns), persons, wanted)
        if after is not None:
            place = sa.tuple_(players.c.ended, players.c.room, players.c.number)
            query = query.where(place < sa.tuple_(*map(sa.literal, after)))
        rows = await self._database.read(query.order_by(
            players.c.ended.desc(), players.c.room.desc(), players.c.number.desc()).limit(limit))
        return read_rows(rows, lambda row: msgspec.convert(
            dict(zip(PlayedGame.__dataclass_fields__, row, strict=False)), PlayedGame), "a game of a person")

    async def count(self, persons: Collection[str], wanted: Wanted) -> int:
        """How many there are."""
        rows = await self._database.read(_among(sa.select(sa.func.count()), persons, wanted))
        return int(rows[0][0])

    async def games(self, persons: Collection[str]) -> list[str]:
        """Which games these persons have played."""
        rows = await self._database.read(
            sa.select(players.c.game).where(players.c.person.in_(persons), players.c.game != "").distinct())
        return sorted(str(name) for (name,) in rows)

    async def running(self, persons: Collection[str], limit: int) -> list[RunningRoom]:
        """Rooms in which one of these persons is playing, the latest move first."""
        rows = await self._database.read(
            sa.select(running.c.seat, rooms.c.summary).join(rooms, rooms.c.id == running.c.room)
            .where(running.c.person.in_(persons), rooms.c.phase == "playing")
            .order_by(rooms.c.updated.desc()).limit(limit))
        return read_rows(rows, lambda row: RunningRoom(row.seat, msgspec.json.decode(row.summary, type=RoomSummary)),
                         "a running game")


def _among(query: sa.Select[Any], persons: Collection[str], wanted: Wanted) -> sa.Select[Any]:
    query = query.select_from(players.join(finished, sa.and_(
        finished.c.room == players.c.room, finished.c.number == players.c.number))).where(
        players.c.person.in_(persons))
    if wanted.game:
        query = query.where(players.c.game == wanted.game)
    if wanted.result:
        query = query.where(players.c.half_points == RESULTS[wanted.result])
    if wanted.opponent:
        query = query.where(players.c.computer if wanted.opponent == "computer" else ~players.c.computer)
    if wanted.public:
        query = query.where(finished.c.public)
    return query
