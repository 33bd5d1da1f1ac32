"""Finished games: played here, or uploaded."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import sqlalchemy as sa

from boyi.server.protocol.bodies import FinishedSummary, OwnRecord
from boyi.server.protocol.parts import OptionValue
from boyi.server.rooms.conduct import Encounter
from boyi.server.store.columns import check_text
from boyi.server.store.database import Database, now_ms
from boyi.server.store.encounters import add_encounters, encounter_rows
from boyi.server.store.own_games import half_points
from boyi.server.store.rows import read_rows
from boyi.server.store.tables import finished, players
from boyi.server.store.writer import Writer


@dataclass(frozen=True)
class FinishedGame:
    """A game that is over, as it is kept for looking up and rating."""

    room: str
    number: int
    game: str
    public: bool
    rated: bool
    names: list[str]
    places: list[int]
    date: str
    record: str
    persons: Sequence[str | None] = ()
    """Who played, by seat; None for the AI. Empty for an upload."""

    is_played_on: bool = False
    """Its rated result is kept already: it was played on without being rated, and only the record is new."""

    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """Every rule option."""

    encounters: Sequence[Encounter] = ()
    """Of people with levels."""


def add_games(connection: sa.Connection, games: Sequence[FinishedGame], uploader: str | None = None) -> None:
    for game in games:
        for name in game.names:
            check_text(name)   # it goes into JSON, which would keep anything
        key = {"room": game.room, "number": game.number}
        if game.is_played_on:
            connection.execute(sa.update(finished).filter_by(**key).values(record=game.record))
            continue
        ended = now_ms()
        connection.execute(sa.insert(finished).values(
            **key, game=game.game, public=game.public, rated=game.rated, names=game.names, places=game.places,
            date=game.date, record=game.record, ended=ended, uploader=uploader,
            counted=not game.public or uploader is not None))   # those are not for the explorer
        played = [{**key, "seat": seat, "person": person, "game": game.game, "ended": ended,
                   "half_points": half_points(game.places, seat), "computer": None in game.persons}
                  for seat, person in enumerate(game.persons) if person is not None]
        if played:
            connection.execute(sa.insert(players), played)
        if uploader is None:
            add_encounters(connection, game.room, game.number, encounter_rows(
                game.room, game.number, game.game, game.options, len(game.names), ended, game.encounters))


def rename_player(connection: sa.Connection, person: str, name: str) -> None:
    """In all games that a person played they have another name from now on."""
    rows = connection.execute(
        sa.select(finished.c.room, finished.c.number, finished.c.names, finished.c.record, players.c.seat)
        .join(players, sa.and_(players.c.room == finished.c.room, players.c.number == finished.c.number))
        .where(players.c.person == person)).all()
    for room, number, names, record, seat in rows:
        header = re.compile(rf'^\[Player\.{seat + 1} ".*"\]$', re.MULTILINE)
        connection.execute(sa.update(finished).where(finished.c.room == room, finished.c.number == number).values(
            names=[name if one == seat else old for one, old in enumerate(names)],
            record=header.sub(f'[Player.{seat + 1} "{name}"]', record, count=1)))


class Games:
    """All games that are over."""

    def __init__(self, database: Database, writer: Writer[Any]) -> None:
        self._database = database
        self._writer = writer

    async def find_record(self, room: str, number: int) -> tuple[str, bool] | None:
        """A record, and whether it was uploaded, so that there is no room to it."""
        rows = await self._database.read(sa.select(finished.c.record, finished.c.uploader).where(
            finished.c.room == room, finished.c.number == number))
        return (str(rows[0][0]), rows[0][1] is not None) if rows else None

    async def summary(self, room: str, number: int) -> tuple[FinishedSummary, bool] | None:
        """A game that is over, as it is listed, and whether anyone may find it in a list."""
        names = FinishedSummary.__struct_fields__
        rows = await self._database.read(sa.select(*(finished.c[name] for name in names), finished.c.public).where(
            finished.c.room == room, finished.c.number == number))
        found = read_rows(rows, lambda row: (msgspec.convert(
            dict(zip(names, row[:-1], strict=True)), FinishedSummary), bool(row[-1])), "a finished game")
        return found[0] if found else None

    async def names(self, room: str, number: int) -> list[str]:
        """Who played a game that is over, by seat; nobody if it is not there any more."""
        rows = await self._database.read(sa.select(finished.c.names).where(
            finished.c.room == room, finished.c.number == number))
        return [str(name) for name in rows[0][0]] if rows else []

    async def has_played(self, room: str, number: int, person: str) -> bool:
        """Was a person one of the players of a game that is over?"""
        return bool(await self._database.read(sa.select(players.c.seat).where(
            players.c.room == room, players.c.number == number, players.c.person == person)))

    async def of_person(self, person: str) -> list[OwnRecord]:
        """The games that a person has played, the earliest first."""
        return await self._own(sa.exists().where(players.c.room == finished.c.room, players.c.person == person,
                                                 players.c.number == finished.c.number))

    async def uploads_of(self, person: str) -> list[OwnRecord]:
        """The games that a person has uploaded, the earliest first."""
        return await self._own(finished.c.uploader == person)

    async def _own(self, which: sa.ColumnElement[bool]) -> list[OwnRecord]:
        columns = [finished.c[name] for name in OwnRecord.__struct_fields__]
        rows = await self._database.read(sa.select(*columns).where(which).order_by(finished.c.ended))
        return [OwnRecord(*row) for row in rows]

    async def add_uploads(self, person: str, games: Sequence[FinishedGame], most: int) -> bool:
        """Keep records that a person uploaded, unless they then had more than `most`."""
        def work(connection: sa.Connection) -> bool:
            kept = connection.execute(sa.select(sa.func.count()).where(finished.c.uploader == person)).scalar_one()
            if kept + len(games) > most:
                return False
            add_games(connection, games, person)
            return True

        return await self._writer.write(work)

    async def latest(self, game: str | None = None, limit: int = 100, *,
                     uploaded: bool = False) -> list[FinishedSummary]:
        """Public games that are over, the latest first: those that were played here, or those that were uploaded."""
        names = FinishedSummary.__struct_fields__
        query = sa.select(*(finished.c[name] for name in names)).where(
            finished.c.public, finished.c.uploader.is_not(None) if uploaded else finished.c.uploader.is_(None))
        if game is not None:
            query = query.where(finished.c.game == game)
        rows = await self._database.read(query.order_by(finished.c.ended.desc()).limit(limit))
        return read_rows(rows, lambda row: msgspec.convert(dict(zip(names, row, strict=True)), FinishedSummary),
                         "a finished game")

    async def count_rated(self, game: str) -> int:
        rows = await self._database.read(sa.select(sa.func.count()).where(finished.c.game == game, finished.c.rated))
        return int(rows[0][0])

    async def rated(self, game: str) -> list[tuple[list[str], list[int]]]:
        """Who played the rated games of a kind, and who came in which place."""
        rows = await self._database.read(sa.select(finished.c.names, finished.c.places).where(
            finished.c.game == game, finished.c.rated).order_by(finished.c.ended))
        return read_rows(rows, lambda row: msgspec.convert(tuple(row), tuple[list[str], list[int]]), "a rated game")
