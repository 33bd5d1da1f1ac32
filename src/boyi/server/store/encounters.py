"""People against levels: how the games came out that both played to the end (`rooms.conduct`). Nobody is named.

A row is written with the game that it is of, in the same transaction. Who asked for a hint in a game is noted until the
game is over; their encounters are not kept then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa

from boyi.server.protocol.parts import OptionValue
from boyi.server.rooms.conduct import Encounter
from boyi.server.store.database import Database
from boyi.server.store.rows import read_rows
from boyi.server.store.tables import encounters, hints, players
from boyi.server.store.writer import Writer


@dataclass(frozen=True)
class Tally:
    """How people came out against a level, in one game under the same rules."""

    game: str
    options: dict[str, OptionValue]
    """Every rule option."""

    players: int
    level: int
    games: int
    people: int
    """How many different ones."""

    ahead: int
    equal: int
    behind: int
    """Pairs of a person and a seat of the level, by who came out ahead; with two players that is won, drawn, lost."""


def write_options(options: Mapping[str, OptionValue]) -> str:
    """Rule options as they are kept: the same text for the same rules."""
    return msgspec.json.encode(dict(sorted(options.items()))).decode()


def encounter_rows(room: str, number: int, game: str, options: Mapping[str, OptionValue], seats: int, ended: int,
                   found: Sequence[Encounter]) -> list[dict[str, Any]]:
    """The rows of a game's encounters."""
    facts = {"room": room, "number": number, "game": game, "options": write_options(options), "players": seats,
             "ended": ended}
    return [facts | {"seat": one.seat, "other": one.other, "level": one.level, "half_points": one.half_points}
            for one in found]


def add_encounters(connection: sa.Connection, room: str, number: int, rows: Sequence[Mapping[str, Any]]) -> None:
    """Keep the encounters of a game that is over, but not of those who asked for a hint in it."""
    its_hints = sa.and_(hints.c.room == room, hints.c.number == number)
    hinted = set(connection.execute(sa.select(hints.c.seat).where(its_hints)).scalars())
    kept = [row for row in rows if row["seat"] not in hinted]
    if hinted:
        connection.execute(sa.delete(hints).where(its_hints))
    if kept:
        connection.execute(sa.insert(encounters), kept)


class Encounters:
    """All encounters of people with levels."""

    def __init__(self, database: Database, writer: Writer[Any]) -> None:
        self._database = database
        self._writer = writer

    async def note_hint(self, room: str, number: int, seat: int) -> None:
        """A person was told what the AI would play."""
        key = {"room": room, "number": number, "seat": seat}

        def work(connection: sa.Connection) -> None:
            if connection.execute(sa.select(hints.c.seat).filter_by(**key)).first() is None:
                connection.execute(sa.insert(hints).values(**key))

        await self._writer.write(work)

    async def version(self) -> tuple[int, int]:
        """Something that is another when there are new encounters."""
        latest = sa.func.coalesce(sa.func.max(encounters.c.ended), 0)
        rows = await self._database.read(sa.select(sa.func.count(), latest))
        return int(rows[0][0]), int(rows[0][1])

    async def tallies(self, since_ms: int = 0) -> list[Tally]:
        """How people came out against each level, of the games that ended since."""
        its_rules = (encounters.c.game, encounters.c.options, encounters.c.players, encounters.c.level)

        def count(half_points: int) -> sa.ColumnElement[int]:
            return sa.func.sum(sa.case((encounters.c.half_points == half_points, 1), else_=0))

        one_game = encounters.c.room + "/" + sa.cast(encounters.c.number, sa.String)
        played = sa.and_(players.c.room == encounters.c.room, players.c.number == encounters.c.number,
                         players.c.seat == encounters.c.seat)
        rows = await self._database.read(
            sa.select(*its_rules, sa.func.count(one_game.distinct()), sa.func.count(players.c.person.distinct()),
                      count(2), count(1), count(0))
            .select_from(encounters.outerjoin(players, played)).where(encounters.c.ended >= since_ms)
            .group_by(*its_rules).order_by(*its_rules))
        return read_rows(rows, _read, "a tally of people against a level")


def _read(row: Any) -> Tally:
    game, options, *numbers = row
    return Tally(game, msgspec.json.decode(options, type=dict[str, OptionValue]), *map(int, numbers))
