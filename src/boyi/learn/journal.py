"""A file that long work is kept in: JSON, one object a line, only ever added to.

The first line says whose it is, down to every setting that must agree for the work to go on; each other line is
something done. Of a process that was killed the file may hold half a line at its end, which is dropped.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from io import BufferedRandom
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any

from boyi.core.errors import BoyiError, OptionError, RecordError, shorten

__all__ = ["Journal", "read_header"]

FORMAT_VERSION = 1
SYNC_SECONDS = 1.0


class Journal:
    """`entries` are what the file holds, `add` adds one. Only one process has it open at a time."""

    def __init__(self, path: Path, kind: str, settings: Mapping[str, Any]) -> None:
        """Open the journal of this work, or begin it."""
        self._path = path
        self._synced = monotonic()
        self.entries: list[dict[str, Any]] = []
        try:
            path.touch()
            self._file: BufferedRandom = path.open("r+b")
        except (OSError, ValueError) as error:
            raise BoyiError(f"cannot write {shorten(str(path))}: {_problem(error)}") from error
        try:
            _lock(self._file, path)
            self._continue(kind, json.loads(json.dumps(settings)))
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        with self._file:
            self._sync()

    def _continue(self, kind: str, settings: Mapping[str, Any]) -> None:
        content = self._file.read()
        whole = content.rfind(b"\n") + 1
        header, self.entries = _read_lines(content[:whole], self._path, kind)
        if header is None:
            if whole:
                raise RecordError(f"{shorten(str(self._path))} is not the journal of a {kind}; name a new file")
            self._file.truncate(0)
            self._file.seek(0)
            self._write({"boyi": kind, "version": FORMAT_VERSION, **settings})
            self._sync()
            return
        for name, value in settings.items():
            if header.get(name) != value:
                raise OptionError(f"{shorten(str(self._path))} is the journal of another {kind}: its {name} is "
                                  f"{shorten(header.get(name))}, here it is {shorten(value)}. Name a new --journal, "
                                  f"or say the same.")
        self._file.truncate(whole)   # half a line that a killed process left
        self._file.seek(whole)

    def add(self, entry: Mapping[str, Any]) -> None:
        """Keep something done; from now on a kill cannot lose it, and after a second a power cut cannot."""
        self._write(entry)
        if monotonic() - self._synced > SYNC_SECONDS:
            self._sync()

    def _write(self, entry: Mapping[str, Any]) -> None:
        try:
            self._file.write(json.dumps(entry, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
            self._file.flush()
        except OSError as error:
            raise BoyiError(f"cannot write {shorten(str(self._path))}: {_problem(error)}") from error

    def _sync(self) -> None:
        with contextlib.suppress(OSError):   # a pipe or a strange file system: then this is all that can be done
            os.fsync(self._file.fileno())
        self._synced = monotonic()


def read_header(path: Path, kind: str) -> dict[str, Any] | None:
    """The first line of a journal, if there is one."""
    try:
        with path.open("rb") as file:
            header, _ = _read_lines(file.readline(), path, kind)
    except OSError:
        return None
    return header


def _read_lines(content: bytes, path: Path, kind: str) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """The settings and the entries in whole lines; no settings where the first line has none."""
    facts: list[dict[str, Any]] = []
    for number, line in enumerate(content.splitlines(), 1):
        try:
            fact = json.loads(line.decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError):
            fact = None
        if number == 1:
            if not isinstance(fact, dict) or fact.get("boyi") != kind:
                return None, []
            if fact.get("version") != FORMAT_VERSION:
                raise RecordError(f"{shorten(str(path))} is a journal of version {shorten(fact.get('version'))}, "
                                  f"and this Boyi reads version {FORMAT_VERSION}")
        elif not isinstance(fact, dict):
            raise RecordError(f"line {number} of {shorten(str(path))} cannot be read: {shorten(line)}")
        facts.append(fact)
    return (facts[0], facts[1:]) if facts else (None, [])


def _lock(file: BufferedRandom, path: Path) -> None:
    """Keep a second process away, where the system can; the lock ends with the process, however that ends."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BoyiError(f"{shorten(str(path))} is being written by another process; wait for it, or name a new "
                        f"--journal") from None


def _problem(error: OSError | ValueError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
