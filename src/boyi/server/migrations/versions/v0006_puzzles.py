"""Which puzzles people with accounts have tried, and how they are rated."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "puzzle_rating",
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("game", sa.String(60), primary_key=True),
        sa.Column("rating", sa.Integer, nullable=False),
        sa.Column("tried", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
    )
    op.create_table(
        "puzzle_attempt",
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("game", sa.String(60), primary_key=True),
        sa.Column("puzzle", sa.String(20), primary_key=True),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
