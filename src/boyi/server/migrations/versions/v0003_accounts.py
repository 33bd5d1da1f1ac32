"""A place for what the helper `accounts` writes; dropped when that is merged."""

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    pass
