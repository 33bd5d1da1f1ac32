"""Which servers there are, and records that people brought."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("finished", sa.Column("uploader", sa.String(40)))
    op.create_table(
        "server",
        sa.Column("name", sa.String(80), primary_key=True),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
