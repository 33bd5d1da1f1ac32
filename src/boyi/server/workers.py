"""Several server processes behind one listening address: `boyi serve --workers N`, on PostgreSQL.

The parent listens and serves nothing itself. Each worker inherits the listening socket, and whichever is free accepts
the next connection; none is lost when one of them dies or is replaced. A worker also listens at an address of its own,
where the others reach the rooms that it owns: as between servers on different machines, a client whose room is another
worker's is served by way of the one that it came to. That costs a second socket and about as much work again for its
messages.

    SIGTERM, SIGINT   stop: every worker saves its rooms and says goodbye
    SIGHUP            replace the workers one after the other; rooms go over to those that run, clocks stand still
    a worker dies     another one is started, after a pause if it did not live long

Settings go to a worker by its standard input, since arguments can be seen by everyone on the machine. When that input
ends the parent has died, and the worker stops.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict, replace
from urllib.parse import urlsplit

import msgspec
import sqlalchemy as sa

from boyi.core.errors import OptionError
from boyi.server.config import Config
from boyi.server.logs import set_up_logs
from boyi.server.serve import address_of, listen, run_host
from boyi.server.store import Store

log = logging.getLogger("boyi.workers")

SHORT_LIFE_SECONDS = 5.0
"""A worker that dies sooner is followed by another only after this long: it would die again."""

PROGRAM = "from boyi.server.workers import main; main()"


class Brief(msgspec.Struct, frozen=True):
    """What a worker is told."""

    config: dict[str, object]
    number: int
    """From 0."""

    listening: int
    """The descriptor of the shared listening socket."""


def check(config: Config) -> None:
    """Can there be several workers?"""
    if sa.make_url(config.database).get_backend_name() == "sqlite":
        raise OptionError("several workers need PostgreSQL, for they share the rooms: --database "
                          "postgresql://USER@HOST/NAME; with SQLite there is one")
    if not hasattr(socket, "AF_UNIX") or sys.platform == "win32":
        raise OptionError("several workers need a system where processes inherit sockets: Linux or macOS")


def own_address(config: Config, number: int) -> tuple[str, int]:
    """Where a worker listens for the others: at any port of this machine, or counted up from `address`.

    >>> own_address(Config(address="http://10.0.0.7:8100"), 2)
    ('10.0.0.7', 8102)
    """
    if not config.address:
        return "127.0.0.1", 0
    parts = urlsplit(config.address)
    if not parts.hostname or not parts.port:
        raise OptionError(f"with several workers address is as http://10.0.0.7:8100, with a port, from which they "
                          f"count up; not {config.address[:80]!r}")
    return parts.hostname, parts.port + number


class Worker:
    """A worker process, as its parent knows it."""

    def __init__(self, config: Config, number: int, listening: socket.socket) -> None:
        self.number = number
        self._config = config
        self._listening = listening
        self._process: asyncio.subprocess.Process | None = None
        self.is_ready = asyncio.Event()
        self.starts = 0

    async def start(self) -> None:
        """Start the process; `is_ready` when it serves."""
        self.is_ready.clear()
        self.starts += 1
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            pass_fds=[self._listening.fileno()], start_new_session=True)   # Ctrl-C is the parent's to pass on
        if self._process.stdin is None:
            raise AssertionError("its standard input is a pipe")
        brief = Brief(asdict(self._config), self.number, self._listening.fileno())
        self._process.stdin.write(msgspec.json.encode(brief) + b"\n")

    async def run(self) -> int:
        """Until it ends: its exit code."""
        if self._process is None or self._process.stdout is None:
            raise AssertionError("it has been started")
        while await self._process.stdout.readline():
            self.is_ready.set()
        return await self._process.wait()

    def stop(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGTERM)

    @property
    def process_id(self) -> int | None:
        return None if self._process is None else self._process.pid


class Parent:
    """Keeps a number of workers running."""

    def __init__(self, config: Config, listening: socket.socket, started: Callable[[str], None]) -> None:
        self._listening = listening
        self._started = started
        self.workers = [Worker(config, number, listening) for number in range(config.workers)]
        self._stopping = asyncio.Event()
        self._replacing: asyncio.Task[None] | None = None

    async def run(self) -> int:
        """Until a signal says stop: 0, or 1 if no worker could be started."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop)
        loop.add_signal_handler(signal.SIGHUP, self._replace_all)
        keeping = [asyncio.create_task(self._keep(worker)) for worker in self.workers]
        telling = asyncio.create_task(self._tell())
        failed = any(await asyncio.gather(*keeping))
        telling.cancel()
        return 1 if failed else 0

    async def _tell(self) -> None:
        for worker in self.workers:
            await worker.is_ready.wait()
        self._started(address_of(self._listening) + "/")

    async def _keep(self, worker: Worker) -> bool:
        """Run a worker, and another one when it ends; True if even the first one could not be started."""
        loop = asyncio.get_running_loop()
        while not self._stopping.is_set():
            began = loop.time()
            await worker.start()
            if self._stopping.is_set():   # the signal came in between
                worker.stop()
            code = await worker.run()
            if self._stopping.is_set():
                break
            if worker.starts == 1 and not worker.is_ready.is_set():
                self._stop()
                return True   # it has said why
            log.warning("worker %d has ended with code %d; another one is started", worker.number, code)
            if code and loop.time() - began < SHORT_LIFE_SECONDS:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(SHORT_LIFE_SECONDS):
                        await self._stopping.wait()
        return False

    def _stop(self) -> None:
        self._stopping.set()
        for worker in self.workers:
            worker.stop()

    def _replace_all(self) -> None:
        if self._replacing is None or self._replacing.done():
            self._replacing = asyncio.get_running_loop().create_task(self._replace())

    async def _replace(self) -> None:
        """Stop a worker, wait for the one that follows it, and go on with the next."""
        for worker in self.workers:
            await worker.is_ready.wait()
            starts = worker.starts
            worker.stop()
            while worker.starts == starts and not self._stopping.is_set():
                await asyncio.sleep(0.05)
            await worker.is_ready.wait()


def serve_workers(config: Config, started: Callable[[str], None]) -> None:
    """Serve by several processes until a signal says stop; `started` is told the address when all of them serve."""
    check(config)
    store = Store(config.database)
    store.migrate()   # once, and what is wrong with the database is said before anything else
    store.close()
    listening = listen(config.host, config.port)

    async def run() -> int:
        return await Parent(config, listening, started).run()

    code = asyncio.run(run())
    if code:
        sys.exit(code)


def main() -> None:
    """A worker: it is told what to do by its standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    brief = msgspec.json.decode(sys.stdin.buffer.readline(), type=Brief)
    config = msgspec.convert(brief.config, Config)
    set_up_logs(config.log_format)
    shared = socket.socket(fileno=brief.listening)
    own = listen(*own_address(config, brief.number))

    def stop_with_parent() -> None:
        sys.stdin.buffer.read()
        signal.raise_signal(signal.SIGTERM)

    threading.Thread(target=stop_with_parent, daemon=True).start()
    run_host(replace(config, address=address_of(own)), [shared, own], lambda _: print("ready", flush=True))
