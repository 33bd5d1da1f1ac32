"""The schema; `migrations` has one module for each of its versions."""

from __future__ import annotations

import sqlalchemy as sa

from boyi.server.store.columns import LongText, Text

metadata = sa.MetaData()
rooms = sa.Table(
    "room", metadata,
    sa.Column("id", Text(40), primary_key=True),
    sa.Column("game", Text(60), nullable=False),
    sa.Column("phase", Text(20), nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("summary", sa.LargeBinary, nullable=False),
    sa.Column("updated", sa.BigInteger, nullable=False),
    sa.Column("epoch", sa.BigInteger, nullable=False),
    sa.Column("owner", Text(80), nullable=False),
    sa.Column("lease_until", sa.BigInteger, nullable=False),
    sa.Index("room_by_phase", "phase", "public", "updated"),
    sa.Index("room_by_update", "phase", "updated"),
)
events = sa.Table(
    "event", metadata,
    sa.Column("room", Text(40), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
)
persons = sa.Table(
    "person", metadata,
    sa.Column("id", Text(40), primary_key=True),
    sa.Column("name", Text(60), nullable=False),
    sa.Column("account", Text(60), unique=True),
    sa.Column("password", Text(200), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("skeleton", Text(200)),
    sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
    sa.Column("locked_until", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("deleted", sa.BigInteger),
    sa.Index("person_by_skeleton", "skeleton", unique=True),
)
tokens = sa.Table(
    "token", metadata,
    sa.Column("hash", Text(64), primary_key=True),
    sa.Column("person", Text(40), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("used", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("device", Text(60), nullable=False, server_default=""),
    sa.Index("token_by_person", "person"),
)
finished = sa.Table(
    "finished", metadata,
    sa.Column("room", Text(40), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", Text(60), nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("names", sa.JSON, nullable=False),
    sa.Column("places", sa.JSON, nullable=False),
    sa.Column("date", Text(30), nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False),
    sa.Column("record", LongText, nullable=False),
    sa.Column("uploader", Text(40)),
    sa.Column("counted", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("finished_by_game", "game", "rated", "ended"),
    sa.Index("finished_by_count", "counted", "ended"),
)
played_moves = sa.Table(
    "played_move", metadata,
    sa.Column("position", Text(16), primary_key=True),
    sa.Column("move", Text(80), primary_key=True),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("wins", sa.Integer, nullable=False),
    sa.Column("draws", sa.Integer, nullable=False),
    sa.Column("losses", sa.Integer, nullable=False),
)
players = sa.Table(
    "player", metadata,
    sa.Column("room", Text(40), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("person", Text(40), nullable=False),
    # Of the game, once more: a person's games are listed without looking at anyone else's.
    sa.Column("game", Text(60), nullable=False, server_default=""),
    sa.Column("ended", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("half_points", sa.Integer, nullable=False, server_default="0"),
    sa.Column("computer", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("player_by_person", "person", "ended"),
)
running = sa.Table(
    "running", metadata,
    sa.Column("room", Text(40), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("person", Text(40), nullable=False),
    sa.Index("running_by_person", "person"),
)
encounters = sa.Table(
    "encounter", metadata,
    sa.Column("room", Text(40), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("other", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", Text(60), nullable=False),
    sa.Column("options", LongText, nullable=False),
    sa.Column("players", sa.Integer, nullable=False),
    sa.Column("level", sa.Integer, nullable=False),
    sa.Column("half_points", sa.Integer, nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False),
)
hints = sa.Table(
    "hint", metadata,
    sa.Column("room", Text(40), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
)
puzzle_ratings = sa.Table(
    "puzzle_rating", metadata,
    sa.Column("person", Text(40), primary_key=True),
    sa.Column("game", Text(60), primary_key=True),
    sa.Column("rating", sa.Integer, nullable=False),
    sa.Column("tried", sa.Integer, nullable=False),
    sa.Column("solved", sa.Integer, nullable=False),
)
puzzle_attempts = sa.Table(
    "puzzle_attempt", metadata,
    sa.Column("person", Text(40), primary_key=True),
    sa.Column("game", Text(60), primary_key=True),
    sa.Column("puzzle", Text(20), primary_key=True),
    sa.Column("solved", sa.Boolean, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)
reviews = sa.Table(
    "review", metadata,
    sa.Column("id", Text(40), primary_key=True),
    sa.Column("digest", Text(64), nullable=False),
    sa.Column("room", Text(40), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("record", LongText, nullable=False),
    sa.Column("effort", Text(40), nullable=False),
    sa.Column("looks", sa.LargeBinary, nullable=False),
    sa.Column("done", sa.Integer, nullable=False),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("updated", sa.BigInteger, nullable=False),
    sa.Index("review_by_digest", "digest", unique=True),
)
reports = sa.Table(
    "report", metadata,
    sa.Column("id", Text(40), primary_key=True),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("reporter", Text(40), nullable=False),
    sa.Column("room", Text(40), nullable=False),
    sa.Column("person", Text(40), nullable=False),
    sa.Column("name", Text(60), nullable=False),
    sa.Column("why", Text(20), nullable=False),
    sa.Column("text", Text(300), nullable=False),
    sa.Column("chat", sa.JSON, nullable=False),
    sa.Column("settled", sa.BigInteger),
    sa.Index("report_by_reporter", "reporter", "created"),
)
servers = sa.Table(
    "server", metadata,
    sa.Column("name", Text(80), primary_key=True),
    sa.Column("seen", sa.BigInteger, nullable=False),
)
bans = sa.Table(
    "ban", metadata,
    sa.Column("target", Text(80), primary_key=True),
    sa.Column("name", Text(60), nullable=False),
    sa.Column("reason", Text(200), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("until", sa.BigInteger),
)
actions = sa.Table(
    "action", metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("what", Text(20), nullable=False),
    sa.Column("target", Text(80), nullable=False),
    sa.Column("done", sa.Boolean, nullable=False),
)
