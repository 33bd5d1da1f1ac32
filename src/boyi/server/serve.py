"""Running a server: uvicorn, with its own way to accept connections, and goodbyes before it closes.

Uvicorn accepts all waiting connections at once: when 500 clients come back in the same moment, those who play wait for
half a second. Here a few connections are accepted in each round of the event loop. And a client that sends without
waiting for answers is read in small pieces: the receive buffer is small.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import socket
import struct
import sys
from collections.abc import Callable

import uvicorn

from boyi.core.errors import OptionError
from boyi.server.app import Server
from boyi.server.budgets import CONNECTIONS, Payer, payer_address
from boyi.server.config import Config
from boyi.server.engines.cluster import Cluster
from boyi.server.protocol.messages import FRAME_BYTES
from boyi.server.protocol.refusals import Refusal
from boyi.server.wire import HEAD_BYTES, RECEIVE_BYTES, Doors, Http, Waiting

log = logging.getLogger("boyi.serve")

GRACEFUL_SECONDS = 10
FULL_SECONDS = 0.5
"""When to try again if the system gives no more sockets."""

ACCEPTED_AT_ONCE = 4
"""How many connections are accepted in one round of the event loop."""

SWITCH_SECONDS = 0.001
"""The interpreter's thread switch interval: the writing thread has little to do, but must do it soon."""

THRESHOLDS = 1_000, 5, 1_000_000
"""Of the cyclic garbage collector, which takes up to two microseconds for each object that it looks at, while everyone
waits: for all objects of thousands of rooms that is seconds. There is hardly any such garbage (`test_cycles`). So what
has lived for a while is looked at by the clock only, and not whenever there is a quarter more of it, as there is when
the clients of another server come. And new objects are looked at in small portions, of some thousands at the most: a
larger portion costs as much per object, but all of it at once (100,000 took 100 to 300 ms)."""

COLLECT_SECONDS = 3600.0
"""How often all objects are looked at for garbage; the clocks of games stand still meanwhile (`fair_clock`)."""


class Host(uvicorn.Server):
    """Accepts connections one by one, and says goodbye to every room while the sockets are still open."""

    def __init__(self, server: Server, started: Callable[[str], None]) -> None:
        super().__init__(uvicorn.Config(
            server, http=Http, ws="websockets-sansio", h11_max_incomplete_event_size=HEAD_BYTES,
            ws_max_size=FRAME_BYTES, ws_per_message_deflate=False,
            ws_ping_interval=None,   # connections have pings of their own, which also measure
            proxy_headers=False, lifespan="on", log_config=None, log_level="warning", access_log=False,
            server_header=False, date_header=False, timeout_graceful_shutdown=GRACEFUL_SECONDS, timeout_keep_alive=15))
        self._server = server
        self.doors = Doors(server.budgets, server.proxies, Waiting(server.budgets), server.turnstile)
        self._started = started
        self._tasks: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])   # uvicorn itself listens to none
        if self.started and sockets:
            self._tasks = [asyncio.create_task(self._accept(listening)) for listening in sockets]
            self._tasks.append(asyncio.create_task(_collect()))
            config = self._server.config
            self._started((config.public_address or address_of(sockets[0]) + config.base_path).rstrip("/") + "/")

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        listening.setblocking(False)
        while True:
            try:
                connecting = [self._welcome(*await loop.sock_accept(listening))]
                with contextlib.suppress(OSError):   # there is no other; what is wrong is said next time
                    while len(connecting) < ACCEPTED_AT_ONCE:
                        connecting.append(self._welcome(*listening.accept()))
                await asyncio.gather(*connecting)   # which takes a round of the loop
            except ConnectionError:
                continue   # it did not wait
            except OSError as error:
                log.warning("no connection can be accepted: %s", error.strerror)
                await asyncio.sleep(FULL_SECONDS)

    async def _welcome(self, accepted: socket.socket, peer: tuple[str, int]) -> None:
        if self._is_welcome(peer[0]):
            accepted.setblocking(False)
            with contextlib.suppress(ConnectionError):   # it did not wait
                await asyncio.get_running_loop().connect_accepted_socket(self._protocol, accepted)
        else:
            # Reset: it costs nobody a byte. And the next is not accepted before others have had their turn.
            accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            accepted.close()
            await asyncio.sleep(0)

    def _is_welcome(self, peer: str) -> bool:
        """Has the peer connected too often of late?"""
        if self.doors.proxies.limits_its_clients(peer):
            return True
        try:
            self.doors.budgets.charge(CONNECTIONS, Payer(payer_address(peer)))
        except Refusal:
            return False
        return True

    def _protocol(self) -> asyncio.Protocol:
        return Http(self.doors, self.config, self.server_state, self.lifespan.state)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.stop()
        await super().shutdown(sockets)


async def _collect() -> None:
    while True:
        await asyncio.sleep(COLLECT_SECONDS)
        gc.collect()


def address_of(listening: socket.socket) -> str:
    """Where a listening socket can be reached, from as far as it listens."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = own_address()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def own_address() -> str:
    """This machine's address on the network it would use to reach others; nothing is sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))   # reserved for documentation: no machine has it
        return str(probe.getsockname()[0])
    return "127.0.0.1"


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, or an error that says why not."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        # Named in full: asyncio sends small messages at once only on what says that it is TCP.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # Accepted sockets inherit it: one whose other end reads nothing is given up after a while.
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 30_000)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)   # accepted sockets inherit this too
        listening.bind((host, port))
        listening.listen(4096)
    except OSError as error:
        raise OptionError(f"cannot listen on {host}, port {port}: {error.strerror}; "
                          "choose another with --port, or 0 for any") from error
    return listening


def serve(config: Config, started: Callable[[str], None]) -> None:
    """Serve until a signal says stop; `started` is told the address."""
    run_host(config, [], started)


def run_host(config: Config, sockets: list[socket.socket], started: Callable[[str], None]) -> None:
    """Serve on sockets that listen already, or on a new one by the settings."""
    # What is wrong with a cluster or the database is said before anything else. And Ray must have taken the signals
    # before uvicorn does.
    server = Server(config, cluster=Cluster(config.cluster) if config.cluster else None)
    server.store.migrate()
    sockets = sockets or [listen(config.host, config.port)]
    server.address = config.address or address_of(sockets[0])
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(*THRESHOLDS)

    def begin(address: str) -> None:
        gc.freeze()   # what is there now stays: the collector need not traverse it again and again
        started(address)

    Host(server, begin).run(sockets=sockets)
