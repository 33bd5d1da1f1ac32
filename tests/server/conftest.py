"""A server that the tests of a module share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from boyi.server import passwords
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
