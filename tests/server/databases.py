"""A PostgreSQL server for tests: Debian's, in a temporary folder, reached by a socket there."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest


def _program(name: str) -> str | None:
    found = shutil.which(name)
    if found is None:
        candidates = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
        found = str(candidates[-1]) if candidates else None
    return found


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """The address of a fresh database."""
    initdb, server = _program("initdb"), _program("postgres")
    if initdb is None or server is None:
        pytest.skip("PostgreSQL not found; Debian, Ubuntu: apt-get install postgresql")
    if importlib.util.find_spec("psycopg") is None:
        pytest.skip("psycopg not found; pip install 'boyi[postgres]'")
    # As root it does not start; Debian's package brings a user for it.
    become = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    folder = Path(tempfile.mkdtemp(prefix="boyi-pg-", dir="/tmp"))   # a socket's path must be short
    try:
        if become:
            shutil.chown(folder, "postgres")
        data = folder / "data"
        subprocess.run([*become, initdb, "-D", str(data), "-U", "boyi", "-A", "trust", "-E", "UTF8", "--no-sync"],
                       check=True, capture_output=True, cwd=folder)
        process = subprocess.Popen(
            [*become, server, "-D", str(data), "-k", str(folder), "-c", "listen_addresses=", "-c", "fsync=off"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=folder)
        assert process.stderr is not None
        try:
            for line in process.stderr:
                if "ready to accept connections" in line:
                    break
            else:
                raise RuntimeError("PostgreSQL did not start")
            yield f"postgresql://boyi@/postgres?host={quote(str(folder), safe='')}"
        finally:
            # The child of runuser is the one to stop: its number is the first line of a file.
            number = int((data / "postmaster.pid").read_text().splitlines()[0])
            os.kill(number, 2)
            process.stderr.close()
            process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
