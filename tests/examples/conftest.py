"""The games of `examples/games`, found as a user finds them: by `BOYI_GAMES`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator

import pytest

from boyi.games import all_games
from tests.places import ROOT

FOLDER = ROOT / "examples" / "games"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))


@pytest.fixture(scope="package", autouse=True)
def examples() -> Iterator[None]:
    """Have them found in this process, and afterwards not any more."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOYI_GAMES", str(FOLDER))
        patch.setattr(sys, "path", list(sys.path))
        all_games.cache_clear()
        yield
    all_games.cache_clear()
    for name in NAMES:
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
