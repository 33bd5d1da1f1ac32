"""Test data: small facts in `tests/data`, game collections outside the repository.

The collections are looked for in `BOYI_DATA`, or `../shared/data` beside the repository.
"""

from __future__ import annotations

import json
import lzma
import os
from pathlib import Path

import pytest

FACTS = Path(__file__).parent / "data"
"""Committed with the tests; `README.md` there names the sources."""

COLLECTIONS = Path(os.environ.get("BOYI_DATA") or Path(__file__).parents[2] / "shared" / "data")


def packed(*lines: object) -> bytes:
    """Lines of text or JSON, packed by xz as books and tables are."""
    return lzma.compress("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines).encode())


def collection(name: str) -> Path:
    """A file or folder of game collections; the test is skipped where it is missing."""
    path = COLLECTIONS / name
    if not path.exists():
        pytest.skip(f"{name} not found; set BOYI_DATA to the folder that holds it")
    return path
