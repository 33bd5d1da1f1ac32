"""`make test` runs the rules twice: on the release build, and on one that checks every step. Is each what it says?"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import boyi.core.position
import boyi.games.othello.position
import boyi.search.perft

MODULES = [boyi.core.position, boyi.search.perft, boyi.games.othello.position]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_build_is_the_one_asked_for(module: object) -> None:
    compiled = Path(str(getattr(module, "__file__", ""))).read_bytes()
    if b"GNU C" not in compiled and os.environ.get("BOYI_CHECKED"):
        pytest.skip("only gcc writes its options into what it compiles")
    # gcc notes its options in the debugging information, which the release build does not have.
    assert (b"-fsanitize=undefined" in compiled) == bool(os.environ.get("BOYI_CHECKED"))
