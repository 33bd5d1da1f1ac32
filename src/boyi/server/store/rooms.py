"""Events of rooms.

Every write names the epoch of the room that it was made in: a server that has lost a room without knowing it writes
nothing more (`FencedError`; see `leases`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from boyi.server.protocol.bodies import RoomSummary
from boyi.server.protocol.events import Event, decode_event, encode_event, kind_of
from boyi.server.store import tables
from boyi.server.store.database import Database, now_ms
from boyi.server.store.errors import FencedError
from boyi.server.store.games import FinishedGame, add_games
from boyi.server.store.leases import KEPT
from boyi.server.store.own_games import note_running
from boyi.server.store.rows import read_rows
from boyi.server.store.writer import Writer

CLEARED = "cleared"
"""The phase of a closed room whose events were removed."""


@dataclass(frozen=True)
class Append:
    """New events of a room."""

    event_rows: list[dict[str, Any]]
    room_row: dict[str, Any]
    is_new: bool
    games: Sequence[FinishedGame]
    playing: Sequence[str | None] | None = None
    """Who plays from now on, by seat; None if that is as it was."""


# Made once: to put a statement together takes longer than to run it.
_TOUCH_ROOM = sa.update(tables.rooms).where(tables.rooms.c.id == sa.bindparam("its_id"),
                                            tables.rooms.c.epoch == sa.bindparam("its_epoch"))
_ADD_EVENT = sa.insert(tables.events)


def append_all(connection: sa.Connection, appends: Sequence[Append]) -> None:
    """Write the events of many rooms; no room is among them twice, since it waits for its own."""
    for append in appends:
        if append.is_new:
            connection.execute(sa.insert(tables.rooms).values(lease_until=KEPT, **append.room_row))
    touched = [append.room_row for append in appends if not append.is_new]
    if touched and connection.execute(_TOUCH_ROOM, touched).rowcount != len(touched):
        raise FencedError("another server owns the room now")
    connection.execute(_ADD_EVENT, [row for append in appends for row in append.event_rows])
    for append in appends:
        if append.games:
            add_games(connection, append.games)
        if append.playing is not None:
            note_running(connection, append.event_rows[0]["room"], append.playing)


class Rooms:
    """All rooms and their events."""

    def __init__(self, database: Database, writer: Writer[Append]) -> None:
        self._database = database
        self._writer = writer

    async def append(self, room: str, epoch: int, new: Sequence[Event], summary: RoomSummary, public: bool,
                     games: Sequence[FinishedGame] = (), owner: str = "",
                     playing: Sequence[str | None] | None = None) -> None:
        """Put events on disk, in one piece; when this returns they are there. The first ones make the room.

        `playing` says who plays from now on, by seat, where that has changed.
        """
        is_new = new[0].seq == 1
        row = {"phase": summary.phase, "updated": now_ms(), "summary": msgspec.json.encode(summary)}
        row |= ({"id": room, "game": summary.game, "public": public, "epoch": epoch, "owner": owner} if is_new
                else {"its_id": room, "its_epoch": epoch})
        await self._writer.write_batched(Append(
            [{"room": room, "seq": event.seq, "data": encode_event(event)} for event in new], row, is_new, games,
            playing))

    async def load(self, room: str) -> list[Event]:
        """All events of a room, in order."""
        events = tables.events
        query = sa.select(events.c.data).where(events.c.room == room).order_by(events.c.seq)
        return [decode_event(data) for (data,) in await self._database.read(query)]

    async def load_all(self, rooms: Sequence[str]) -> dict[str, list[bytes]]:
        """The events of many rooms, in order and not decoded."""
        events = tables.events
        query = sa.select(events.c.room, events.c.data).where(events.c.room.in_(rooms)).order_by(events.c.room,
                                                                                                 events.c.seq)
        found: dict[str, list[bytes]] = {room: [] for room in rooms}
        for room, data in await self._database.read(query):
            found[room].append(data)
        return found

    async def clear_closed(self, before_ms: int, most: int) -> int:
        """Remove the events of rooms that were closed before a time; of how many, at most `most` at once.

        What is left of them is their row: which game it was, and whether it was locked.
        """
        rooms, events = tables.rooms, tables.events

        def work(connection: sa.Connection) -> int:
            found = connection.execute(sa.select(rooms.c.id).where(
                rooms.c.phase == "closed", rooms.c.updated < before_ms).limit(most)).scalars().all()
            if found:
                connection.execute(sa.delete(events).where(events.c.room.in_(found)))
                connection.execute(sa.delete(tables.hints).where(tables.hints.c.room.in_(found)))
                connection.execute(sa.update(rooms).where(rooms.c.id.in_(found)).values(
                    phase=CLEARED, epoch=rooms.c.epoch + 1))   # a server that has it open writes nothing more
            return len(found)

        return await self._writer.write(work)

    async def summary(self, room: str) -> RoomSummary | None:
        """A room as the lobby listed it last, also when its events were removed."""
        rows = await self._database.read(sa.select(tables.rooms.c.summary).where(tables.rooms.c.id == room))
        return msgspec.json.decode(rows[0][0], type=RoomSummary) if rows else None

    async def load_only(self, room: str, *kinds: type[Struct]) -> list[Event]:
        """The events of a room that are of these kinds, in order; the others are not even decoded."""
        events = tables.events
        marks = [f'"kind":"{kind_of(kind)}"'.encode() for kind in kinds]   # a text has its quotes escaped
        rows = await self._database.read(
            sa.select(events.c.data).where(events.c.room == room).order_by(events.c.seq))
        return [decode_event(data) for (data,) in rows if any(mark in data for mark in marks)]

    async def public(self, limit: int = 200) -> list[RoomSummary]:
        """Public rooms, the latest first."""
        rooms = tables.rooms
        query = (sa.select(rooms.c.summary).where(rooms.c.public, rooms.c.phase.in_(("waiting", "playing")))
                 .order_by(rooms.c.updated.desc()).limit(limit))
        return read_rows(await self._database.read(query),
                         lambda row: msgspec.json.decode(row.summary, type=RoomSummary), "a room")
