"""What was played in positions. Games that are over are counted by the server that runs next, some at a time."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "played_move",
        sa.Column("position", sa.String(16), primary_key=True),
        sa.Column("move", sa.String(80), primary_key=True),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("losses", sa.Integer, nullable=False),
    )
    op.add_column("finished", sa.Column("counted", sa.Boolean, nullable=False, server_default=sa.false()))
    # Private games and uploads are never counted.
    op.execute(sa.text("UPDATE finished SET counted = :yes WHERE uploader IS NOT NULL OR NOT public").bindparams(
        sa.bindparam("yes", True, sa.Boolean)))
    op.create_index("finished_by_count", "finished", ["counted", "ended"])
