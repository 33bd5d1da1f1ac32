"""`boyi serve` in a process of its own, for measurements, screenshots and tests."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


class ServerProcess:
    """A server that listens once this is made. Use it with `with`, or call `end`."""

    def __init__(self, folder: Path | str, *options: str, database: str = "", port: int = 0, core: int | None = None,
                 settings: Mapping[str, str] | None = None) -> None:
        """Serve from a folder, by default on a SQLite file in it.

        `options` are those of `boyi serve`, `settings` go by the environment (`{"ENGINE_PAUSE": "0"}`), and the process
        is pinned to a `core` if one is named.
        """
        pinned = [] if core is None else ["taskset", "-c", str(core)]
        self._process = subprocess.Popen(
            [*pinned, sys.executable, "-m", "boyi", "serve", "--host", "127.0.0.1", "--port", str(port), "--database",
             database or f"sqlite:///{folder}/boyi.sqlite", *options],
            cwd=folder, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "BOYI_LANGUAGE": "en",
                 **{f"BOYI_SERVER_{name}": value for name, value in (settings or {}).items()}})
        line = self._process.stdout.readline() if self._process.stdout is not None else ""
        found = re.search(r"http://\S+", line)
        if found is None:
            self.end()
            raise RuntimeError(f"the server did not start: {line!r}")
        self.address = found[0].rstrip("/")
        """As `http://127.0.0.1:8000`."""

    def __enter__(self) -> ServerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Send a signal, and wait until the process has ended; may be called twice."""
        self._process.send_signal(number)
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
