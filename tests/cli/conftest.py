"""What tests of the command line share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory is a folder of the test's own: commands write there."""
    monkeypatch.chdir(tmp_path)
