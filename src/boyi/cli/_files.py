"""Text and data files that a command reads and writes."""

from __future__ import annotations

from pathlib import Path

from boyi.core.errors import BoyiError, explain, shorten

__all__ = ["read_file", "write_file"]


def read_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BoyiError(f"cannot read {shorten(str(path))}: {explain(error)}") from error


def write_file(path: Path, content: str | bytes) -> None:
    try:
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    except (OSError, ValueError) as error:
        raise BoyiError(f"cannot write {shorten(str(path))}: {explain(error)}") from error
