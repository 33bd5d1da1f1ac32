"""Who is banned, and what administrators did."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "ban",
        sa.Column("target", sa.String(80), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger),
    )
    op.create_table(
        "action",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("what", sa.String(20), nullable=False),
        sa.Column("target", sa.String(80), nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
    )
    op.create_index("room_by_update", "room", ["phase", "updated"])
