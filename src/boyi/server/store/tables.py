"""The schema; `migrations` has one module for each of its versions."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()
rooms = sa.Table(
    "room", metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("game", sa.String(60), nullable=False),
    sa.Column("phase", sa.String(20), nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("summary", sa.LargeBinary, nullable=False),
    sa.Column("updated", sa.BigInteger, nullable=False),
    sa.Column("epoch", sa.BigInteger, nullable=False),
    sa.Column("owner", sa.String(80), nullable=False),
    sa.Column("lease_until", sa.BigInteger, nullable=False),
    sa.Index("room_by_phase", "phase", "public", "updated"),
)
events = sa.Table(
    "event", metadata,
    sa.Column("room", sa.String(40), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
)
persons = sa.Table(
    "person", metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("account", sa.String(60), unique=True),
    sa.Column("password", sa.String(200), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("skeleton", sa.String(200)),
    sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
    sa.Column("locked_until", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("deleted", sa.BigInteger),
    sa.Index("person_by_skeleton", "skeleton", unique=True),
)
tokens = sa.Table(
    "token", metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("person", sa.String(40), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("used", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("device", sa.String(60), nullable=False, server_default=""),
    sa.Index("token_by_person", "person"),
)
finished = sa.Table(
    "finished", metadata,
    sa.Column("room", sa.String(40), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", sa.String(60), nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("names", sa.JSON, nullable=False),
    sa.Column("places", sa.JSON, nullable=False),
    sa.Column("date", sa.String(30), nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False),
    sa.Column("record", sa.Text, nullable=False),
    sa.Column("uploader", sa.String(40)),
    sa.Index("finished_by_game", "game", "rated", "ended"),
)
players = sa.Table(
    "player", metadata,
    sa.Column("room", sa.String(40), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("person", sa.String(40), nullable=False),
    sa.Index("player_by_person", "person"),
)
reports = sa.Table(
    "report", metadata,
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
    sa.Index("report_by_reporter", "reporter", "created"),
)
servers = sa.Table(
    "server", metadata,
    sa.Column("name", sa.String(80), primary_key=True),
    sa.Column("seen", sa.BigInteger, nullable=False),
)
