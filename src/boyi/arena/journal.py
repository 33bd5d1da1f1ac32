"""The file that long work is kept in: JSON, one object a line, only ever added to.

The first line says whose it is, down to every setting that must agree for the work to go on; each other line is
something done. Of a process that was killed the file may hold half a line at its end, which is dropped.
"""

from __future__ import annotations

import errno
import json
import os
import uuid
from collections.abc import Container, Mapping
from io import BufferedRandom
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any

from boyi.agents.spelling import respell
from boyi.core.errors import BoyiError, OptionError, RecordError, explain, shorten

__all__ = ["JournalFile", "read_seed"]

FORMAT_VERSION = 1
SYNC_SECONDS = 1.0
OWN = ("boyi", "version", "id")
"""What the first line says besides settings."""


class JournalFile:
    """`entries` are what the file held when it was opened, `add` adds one. Only one process has it open at a time."""

    def __init__(self, path: Path, kind: str, settings: Mapping[str, Any], free: Container[str] = (), *,
                 option: str = "--journal") -> None:
        """Open the journal of this work, or begin it. Settings that are `free` may be others than before; `option` is
        how another file is named on the command line."""
        self.path = path
        self._option = option
        self._synced = monotonic()
        self.id = uuid.uuid4().hex
        """Tells this work from all other."""

        self.entries: list[dict[str, Any]] = []
        """The second line of the file and all after it."""

        try:
            path.touch()
            self._file: BufferedRandom = path.open("r+b")
        except (OSError, ValueError) as error:
            raise BoyiError(f"cannot write {shorten(str(path))}: {explain(error)}") from error
        try:
            _lock(self._file, path, option)
            self._continue(kind, json.loads(json.dumps(settings)), free)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> JournalFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let others have it."""
        with self._file:
            self._sync()

    def _continue(self, kind: str, settings: Mapping[str, Any], free: Container[str]) -> None:
        content = self._file.read()
        whole = content.rfind(b"\n") + 1
        header, self.entries = _read_lines(content[:whole], self.path, kind)
        if header is None:
            if whole:
                raise RecordError(f"{shorten(str(self.path))} is not the journal of a {kind}; name a new file")
            self._file.truncate(0)
            self._file.seek(0)
            self._write({"boyi": kind, "version": FORMAT_VERSION, "id": self.id, **settings})
            self._sync()
            return
        for name in {**settings, **header}:
            if name not in OWN and name not in free and not _agree(header.get(name), settings.get(name)):
                raise OptionError(f"{shorten(str(self.path))} is the journal of another {kind}: its {name} is "
                                  f"{shorten(header.get(name))}, here it is {shorten(settings.get(name))}. Name a new "
                                  f"{self._option}, or say the same.")
        self.id = str(header.get("id"))
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
            raise BoyiError(f"cannot write {shorten(str(self.path))}: {explain(error)}") from error

    def _sync(self) -> None:
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            if error.errno != errno.EINVAL:   # a file system that cannot do it: then nobody can do more
                raise BoyiError(f"cannot write {shorten(str(self.path))}: {explain(error)}") from error
        self._synced = monotonic()


def _agree(before: Any, now: Any) -> bool:
    """Are these the same? An agent may be spelled as it was in 0.1.0. Not so the contestants of a tournament, a list:
    the seeds of their games are made from their names."""
    if isinstance(before, str) and isinstance(now, str):
        return respell(before) == respell(now)
    return bool(before == now)


def read_seed(path: Path, kind: str) -> int | None:
    """The setting `seed` of a journal; None where there is no journal yet."""
    try:
        with path.open("rb") as file:
            first = file.readline()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BoyiError(f"cannot read {shorten(str(path))}: {explain(error)}") from error
    header, _ = _read_lines(first, path, kind) if first.endswith(b"\n") else (None, [])
    seed = header.get("seed") if header is not None else None
    return seed if isinstance(seed, int) else None


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


def _lock(file: BufferedRandom, path: Path, option: str) -> None:
    """Keep a second process away, where the system can; the lock ends with the process, however that ends."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BoyiError(f"{shorten(str(path))} is being written by another process; wait for it, or name a new "
                        f"{option}") from None
