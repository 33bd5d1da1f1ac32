"""Game reviews: the game, and what was found about it so far."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa

from boyi.server.store.database import Database, now_ms
from boyi.server.store.tables import reviews
from boyi.server.store.writer import Writer
from boyi.study.review.look import Look


@dataclass(frozen=True)
class StoredReview:
    """A review, finished or under way."""

    id: str
    digest: str
    """Of the game and where it was played: a game is reviewed once."""

    room: str
    """Where it was played, or kept; empty for a game that was only sent."""

    number: int
    """Which game of the room."""

    record: str
    """Of a game in a room without names: those are found with the game."""

    effort: str
    """What each search is given, as it is shown."""

    looks: tuple[Look, ...]
    total: int
    """How many looks there will be."""

    updated: int = 0
    """When something was last found, in milliseconds."""

    @property
    def is_finished(self) -> bool:
        return len(self.looks) == self.total


class Reviews:
    """All reviews."""

    def __init__(self, database: Database, writer: Writer[Any]) -> None:
        self._database = database
        self._writer = writer

    async def add(self, review: StoredReview) -> str:
        """Keep a new review; the identifier of the one that there is of the same game, if there is one."""
        def work(connection: sa.Connection) -> str:
            known = connection.execute(sa.select(reviews.c.id).where(reviews.c.digest == review.digest)).scalar()
            if known is not None:
                return str(known)
            connection.execute(sa.insert(reviews).values(
                id=review.id, digest=review.digest, room=review.room, number=review.number, record=review.record,
                effort=review.effort, looks=_pack(review.looks), done=len(review.looks), total=review.total,
                created=now_ms(), updated=now_ms()))
            return review.id

        return await self._writer.write(work)

    async def find(self, identity: str) -> StoredReview | None:
        rows = await self._database.read(sa.select(reviews).where(reviews.c.id == identity))
        if not rows:
            return None
        row = rows[0]
        return StoredReview(row.id, row.digest, row.room, row.number, row.record, row.effort, _unpack(row.looks),
                            row.total, row.updated)

    async def save(self, identity: str, looks: Sequence[Look]) -> None:
        """Keep what was found so far."""
        packed = _pack(looks)
        await self._writer.write(lambda connection: connection.execute(
            sa.update(reviews).where(reviews.c.id == identity).values(
                looks=packed, done=len(looks), updated=now_ms())) and None)

    async def claim(self, identity: str, before: int) -> bool:
        """Go on with a review at which nobody has been since then; False if it is being worked on, or finished."""
        return bool(await self._writer.write(lambda connection: connection.execute(
            sa.update(reviews).where(reviews.c.id == identity, reviews.c.updated <= before,
                                     reviews.c.done < reviews.c.total).values(updated=now_ms())).rowcount))


def _pack(looks: Sequence[Look]) -> bytes:
    return zlib.compress(msgspec.json.encode([look.to_json() for look in looks]))


def _unpack(data: bytes) -> tuple[Look, ...]:
    return tuple(map(Look.from_json, msgspec.json.decode(zlib.decompress(data))))
