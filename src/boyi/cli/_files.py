"""Text, data and games that a command reads and writes as files."""

from __future__ import annotations

from pathlib import Path

from boyi.core.errors import BoyiError, explain, shorten
from boyi.core.formats import Source, find_source
from boyi.games import all_games

__all__ = ["read_file", "read_games", "write_file"]


def read_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BoyiError(f"cannot read {shorten(str(path))}: {explain(error)}") from error


def read_games(path: Path) -> Source:
    """The games of a file, in any format that Boyi knows; none of them is read yet."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise BoyiError(f"cannot read {shorten(str(path))}: {explain(error)}") from error
    return find_source(data, path.name, list(all_games().values()))


def write_file(path: Path, content: str | bytes) -> None:
    try:
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    except (OSError, ValueError) as error:
        raise BoyiError(f"cannot write {shorten(str(path))}: {explain(error)}") from error
