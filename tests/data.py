"""Where the shared test data lies: `BOYI_DATA`, or `../shared/data` beside the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("BOYI_DATA") or Path(__file__).parents[2] / "shared" / "data")


def data_path(name: str) -> Path:
    """A file or folder of the shared data; the test is skipped where it is missing."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} not found; set BOYI_DATA to the folder that holds it")
    return path
