"""Everyone's own games: how each came out, and which are being played."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from boyi.server.store.own_games import half_points

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    for column in (sa.Column("game", sa.String(60), nullable=False, server_default=""),
                   sa.Column("ended", sa.BigInteger, nullable=False, server_default="0"),
                   sa.Column("half_points", sa.Integer, nullable=False, server_default="0"),
                   sa.Column("computer", sa.Boolean, nullable=False, server_default=sa.false())):
        op.add_column("player", column)
    op.drop_index("player_by_person", "player")
    op.create_index("player_by_person", "player", ["person", "ended"])
    op.create_table(
        "running",
        sa.Column("room", sa.String(40), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String(40), nullable=False),
    )
    op.create_index("running_by_person", "running", ["person"])
    connection = op.get_bind()
    _add_results(connection)
    _add_running(connection)


def _add_results(connection: sa.Connection) -> None:
    """What the games that are over say of each of their players."""
    seats: dict[tuple[str, int], list[int]] = {}
    for room, number, seat in connection.execute(sa.text("SELECT room, number, seat FROM player")):
        seats.setdefault((room, number), []).append(seat)
    update = sa.text("UPDATE player SET game = :game, ended = :ended, half_points = :half_points, "
                     "computer = :computer WHERE room = :room AND number = :number AND seat = :seat").bindparams(
        sa.bindparam("computer", type_=sa.Boolean))
    for room, number, game, places, ended in connection.execute(sa.text(
            "SELECT room, number, game, places, ended FROM finished WHERE uploader IS NULL")).all():
        found = seats.get((room, number), [])
        given = json.loads(places) if isinstance(places, str) else list(places)
        rows = [{"game": game, "ended": ended, "half_points": half_points(given, seat),
                 "computer": len(found) < len(given), "room": room, "number": number, "seat": seat} for seat in found]
        if rows:
            connection.execute(update, rows)


def _add_running(connection: sa.Connection) -> None:
    """Who plays in the rooms where a game is being played, as their events tell."""
    for (room,) in connection.execute(sa.text("SELECT id FROM room WHERE phase = 'playing'")).all():
        players: list[Any] = []
        for (data,) in connection.execute(
                sa.text("SELECT data FROM event WHERE room = :room ORDER BY seq"), {"room": room}):
            try:
                body: dict[str, Any] = json.loads(bytes(data))["body"]
            except (ValueError, LookupError):   # a row that cannot be read harms only its own room
                continue
            if body["kind"] == "started":
                players = body["players"]
        rows = [{"room": room, "seat": seat, "person": player["person"]} for seat, player in enumerate(players)
                if player["person"] is not None]
        if rows:
            connection.execute(sa.text("INSERT INTO running (room, seat, person) VALUES (:room, :seat, :person)"),
                               rows)
