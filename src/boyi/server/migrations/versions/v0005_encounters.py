"""People against levels: how the games came out, and who asked for a hint in one that is not over."""

import logging

import sqlalchemy as sa
from alembic import op

from boyi.server.protocol.events import Created, Ended, Started, decode_event
from boyi.server.rooms.conduct import Conduct
from boyi.server.store.encounters import encounter_rows
from boyi.server.store.tables import encounters

revision = "0005"
down_revision = "0004"

log = logging.getLogger("boyi.store")


def upgrade() -> None:
    op.create_table(
        "encounter",
        sa.Column("room", sa.String(40), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("other", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("level", sa.Integer, nullable=False),
        sa.Column("half_points", sa.Integer, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "hint",
        sa.Column("room", sa.String(40), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    )
    _add_encounters(op.get_bind())


def _add_encounters(connection: sa.Connection) -> None:
    """Those of the games that are over, as far as the events of their rooms are still there."""
    rows = connection.execute(sa.text("SELECT room, number, ended FROM finished WHERE uploader IS NULL")).all()
    ended: dict[str, dict[int, int]] = {}
    for room, number, at in rows:
        ended.setdefault(room, {})[number] = at
    for room, games in ended.items():
        data = connection.execute(sa.text("SELECT data FROM event WHERE room = :room ORDER BY seq"), {"room": room})
        try:
            found = _find(room, games, [bytes(one) for (one,) in data])
        except (ValueError, LookupError) as error:   # a row that cannot be read harms only its own room
            log.warning("the games of a room were not counted: %s", type(error).__name__)
            continue
        if found:
            connection.execute(sa.insert(encounters), found)


def _find(room: str, games: dict[int, int], stored: list[bytes]) -> list[dict[str, object]]:
    conduct, found, number = Conduct(), list[dict[str, object]](), 0
    settings = None
    for data in stored:
        body = decode_event(data).body
        conduct.follow(body)
        match body:
            case Created():
                settings = body.settings
            case Started():
                number = body.number
            case Ended() if settings is not None and number in games:
                found += encounter_rows(room, number, settings.game, settings.options, settings.players, games[number],
                                        conduct.encounters(body))
            case _:
                pass
    return found
