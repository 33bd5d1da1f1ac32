"""Files that are written whole or not at all, and lines of JSON that may not be whole yet."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boyi.core.errors import BoyiError, shorten


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically: a reader finds the old one or the new one, also after a power cut."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise BoyiError(f"cannot write {shorten(str(path))}: {error.strerror or error}") from error


def read_objects(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines; what is no object, or only half of one, is left out."""
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict):
                yield found
