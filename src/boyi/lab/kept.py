"""What an unfinished experiment has measured, kept so that an interrupted run goes on: NAME.rows.jsonl.

Each line is a step that is done: what it was called, a key of all that it depends on, and its numbers. A line with
another key, of another scale or seed or of an experiment that was changed, is passed over. The file is there only
as long as the report is not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from boyi.arena.journal import JournalFile

KIND = "lab"
ENDING = ".rows.jsonl"


class KeptRows:
    """Finished steps of one experiment, in a file that begins with the first of them."""

    def __init__(self, path: Path, about: Sequence[object], *, resume: bool) -> None:
        """`about` is what all steps depend on. Without `resume` what an earlier run left is forgotten."""
        self._path = path
        self._about = list(about)
        self._file: JournalFile | None = None
        self._known: dict[str, dict[str, Any]] = {}
        if not resume:
            path.unlink(missing_ok=True)
        elif path.exists():
            self._known = {str(entry.get("key")): entry for entry in self._open().entries}

    def _open(self) -> JournalFile:
        if self._file is None:
            self._file = JournalFile(self._path, KIND, {}, option="--out")
        return self._file

    def find(self, what: str, facts: Sequence[object]) -> tuple[dict[str, Any], float] | None:
        """The numbers of a step and the CPU seconds they took, if it is done."""
        entry = self._known.get(self._key(what, facts))
        return None if entry is None else (dict(entry["row"]), float(entry["cpu_seconds"]))

    def add(self, what: str, facts: Sequence[object], row: Mapping[str, Any], cpu_seconds: float) -> None:
        """Keep the numbers of a step."""
        self._open().add({"step": what, "key": self._key(what, facts), "cpu_seconds": round(cpu_seconds, 3),
                          "row": dict(row)})

    def close(self) -> None:
        """Let others have the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def remove(self) -> None:
        """The report is written."""
        self.close()
        self._path.unlink(missing_ok=True)

    def _key(self, what: str, facts: Sequence[object]) -> str:
        return hashlib.sha256(json.dumps([*self._about, what, *facts], sort_keys=True).encode()).hexdigest()[:16]
