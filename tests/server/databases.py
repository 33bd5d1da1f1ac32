"""A PostgreSQL server for tests: Debian's, in a temporary folder, reached by a socket there.

It takes seconds to set one up, so there is one for all tests of a process; each test gets a database of its own.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib.util
import itertools
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
import sqlalchemy as sa

_numbers = itertools.count(1)


def program(name: str) -> str | None:
    found = shutil.which(name)
    if found is None:
        candidates = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
        found = str(candidates[-1]) if candidates else None
    return found


@contextlib.contextmanager
def postgres(*, durable: bool = False) -> Iterator[str]:
    """The address of a fresh database; if it is durable it survives also a power cut, which takes longer."""
    initdb, server = program("initdb"), program("postgres")
    if initdb is None or server is None:
        pytest.skip("PostgreSQL not found; Debian, Ubuntu: apt-get install postgresql")
    if importlib.util.find_spec("psycopg") is None:
        pytest.skip("psycopg not found; pip install 'boyi[postgres]'")
    host = quote(str(_running(initdb, server, durable)), safe="")
    name = f"boyi_{next(_numbers)}"
    master = sa.create_engine(f"postgresql+psycopg://boyi@/postgres?host={host}", isolation_level="AUTOCOMMIT")
    with master.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    try:
        yield f"postgresql://boyi@/{name}?host={host}"
    finally:
        with master.connect() as connection:
            connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))
        master.dispose()


@functools.cache
def _running(initdb: str, server: str, durable: bool) -> Path:
    """The folder with the socket of a server that runs until this process ends."""
    # As root it does not start; Debian's package brings a user for it.
    become = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    folder = Path(tempfile.mkdtemp(prefix="boyi-pg-", dir="/tmp"))   # a socket's path must be short
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if become:
        shutil.chown(folder, "postgres")
    data = folder / "data"
    subprocess.run([*become, initdb, "-D", str(data), "-U", "boyi", "-A", "trust", "-E", "UTF8", "--no-sync"],
                   check=True, capture_output=True, cwd=folder)
    process = subprocess.Popen(
        [*become, server, "-D", str(data), "-k", str(folder), "-c", "listen_addresses=",
         "-c", f"fsync={'on' if durable else 'off'}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=folder)
    assert process.stderr is not None
    for line in process.stderr:
        if "ready to accept connections" in line:
            break
    else:
        raise RuntimeError("PostgreSQL did not start")

    def stop() -> None:
        # The child of runuser is the one to stop: its number is the first line of a file.
        os.kill(int((data / "postmaster.pid").read_text().splitlines()[0]), 2)
        process.wait()

    atexit.register(stop)   # before the folder goes: last in, first out
    # What it says later must not fill the pipe, or it would wait for a reader for ever.
    threading.Thread(target=process.stderr.read, daemon=True).start()
    return folder
