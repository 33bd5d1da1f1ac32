"""What pip must install, as pyproject.toml says, one requirement a line: `python tools/needs.py build|run|EXTRA ...`"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

SETTINGS = Path(__file__).parents[1] / "pyproject.toml"


def needs(kinds: list[str]) -> list[str]:
    """`build` is what compiles Boyi, `run` what it cannot do without; the others are extras."""
    settings = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))
    lists: dict[str, list[str]] = {
        "build": [*settings["build-system"]["requires"], "ninja>=1.11"],
        "run": settings["project"]["dependencies"],
        **settings["project"]["optional-dependencies"],
    }
    return [need for kind in kinds for need in lists[kind]]


if __name__ == "__main__":
    print(*needs(sys.argv[1:]), sep="\n")
