"""Where things are in the repository."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
LAB = ROOT / "docs" / "lab"
"""The reports of experiments that are committed."""

FAKE_ENGINE = ROOT / "tests" / "agents" / "fake_engine.py"
"""A program that speaks the protocols of engines, well or badly, as its arguments say."""
