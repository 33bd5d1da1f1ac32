"""What tests of the server share: a server for a module, and an empty database of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from boyi.server import passwords
from boyi.server.store import Store
from tests.server.databases import postgres
from tests.server.serving import AMPLE, Served, serving_in_thread


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Hashing takes no time that a test would notice."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "COST", passwords.Cost(4, 8, 1))
        yield


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With the usual settings, but ample budgets: one address makes all the rooms of a module."""
    with serving_in_thread(tmp_path_factory.mktemp("served"), budget_factor=AMPLE) as shared:
        yield shared


@pytest.fixture(scope="module")
def postgres_address() -> Iterator[str]:
    with postgres() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/boyi.sqlite"
    found: str = request.getfixturevalue("postgres_address")
    engine = Store(found).database.engine
    with engine.begin() as connection:
        connection.execute(sa.text("DROP SCHEMA public CASCADE"))
        connection.execute(sa.text("CREATE SCHEMA public"))
    engine.dispose()
    return found


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    opened = Store(address)
    opened.open()
    yield opened
    opened.close()
