"""Names that look alike, waits after wrong passwords, sessions that end, who played which game, and reports."""

import json
from collections.abc import Iterator
from itertools import chain, count
from typing import Any

import sqlalchemy as sa
from alembic import op

from boyi.server.lookalikes import skeleton
from boyi.server.store.database import now_ms

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("person", sa.Column("skeleton", sa.String(200)))
    op.add_column("person", sa.Column("tries", sa.Integer, nullable=False, server_default="0"))
    op.add_column("person", sa.Column("locked_until", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("person", sa.Column("deleted", sa.BigInteger))
    op.add_column("token", sa.Column("used", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("token", sa.Column("device", sa.String(60), nullable=False, server_default=""))
    op.create_index("token_by_person", "token", ["person"])
    op.create_table(
        "player",
        sa.Column("room", sa.String(40), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String(40), nullable=False),
    )
    op.create_index("player_by_person", "player", ["person"])
    op.create_table(
        "report",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("reporter", sa.String(40), nullable=False),
        sa.Column("room", sa.String(40), nullable=False),
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("why", sa.String(20), nullable=False),
        sa.Column("text", sa.String(300), nullable=False),
        sa.Column("chat", sa.JSON, nullable=False),
        sa.Column("settled", sa.BigInteger),
    )
    op.create_index("report_by_reporter", "report", ["reporter", "created"])
    connection = op.get_bind()
    # What was not written down before counts from now: nobody is logged out by an upgrade.
    connection.execute(sa.text("UPDATE token SET used = :now"), {"now": now_ms()})
    _add_skeletons(connection)
    _add_players(connection)
    op.create_index("person_by_skeleton", "person", ["skeleton"], unique=True)


def _add_skeletons(connection: sa.Connection) -> None:
    """Accounts whose names look alike keep their names; the skeletons of later ones are told apart by a number."""
    taken: set[str] = set()
    accounts = connection.execute(sa.text(
        "SELECT id, name FROM person WHERE account IS NOT NULL ORDER BY created, id")).all()
    for identity, name in accounts:
        plain = skeleton(name)[:180]
        own = next(one for one in chain([plain], _numbered(plain)) if one not in taken)
        taken.add(own)
        connection.execute(sa.text("UPDATE person SET skeleton = :own WHERE id = :id"), {"own": own, "id": identity})


def _numbered(plain: str) -> Iterator[str]:
    # No skeleton has this character: it is none that can be seen.
    return (f"{plain}\x1f{number}" for number in count(2))


def _add_players(connection: sa.Connection) -> None:
    """Who played the games that are over, as their rooms' events tell."""
    finished = connection.execute(sa.text("SELECT room, number FROM finished WHERE uploader IS NULL")).all()
    numbers: dict[str, set[int]] = {}
    for room, number in finished:
        numbers.setdefault(room, set()).add(number)
    for room, wanted in numbers.items():
        rows = []
        for (data,) in connection.execute(sa.text("SELECT data FROM event WHERE room = :room"), {"room": room}):
            try:
                body: dict[str, Any] = json.loads(bytes(data))["body"]
            except (ValueError, LookupError):   # a row that cannot be read harms only its own room
                continue
            if body["kind"] == "started" and body["number"] in wanted:
                rows += [{"room": room, "number": body["number"], "seat": seat, "person": player["person"]}
                         for seat, player in enumerate(body["players"]) if player["person"] is not None]
        if rows:
            connection.execute(sa.text("INSERT INTO player (room, number, seat, person) "
                                       "VALUES (:room, :number, :seat, :person)"), rows)
