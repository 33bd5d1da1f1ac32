"""Game reviews."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "review",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("room", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("effort", sa.String(40), nullable=False),
        sa.Column("looks", sa.LargeBinary, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
    )
    op.create_index("review_by_digest", "review", ["digest"], unique=True)
