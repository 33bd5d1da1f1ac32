"""A server that the tests of a module share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from boyi.server import app
from tests.server.serving import Served, serving_in_thread


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With the usual settings, but without limits: one address makes all the rooms of a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "REQUESTS", 10**9)
        patch.setattr(app, "CREATIONS", 10**9)
        with serving_in_thread(tmp_path_factory.mktemp("served")) as shared:
            yield shared
