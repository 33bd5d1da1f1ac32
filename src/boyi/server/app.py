"""The server as an ASGI application: HTTP and WebSocket.

Everything that can be asked over HTTP is in `api.ROUTES`. A client proves who it is by a token in the `Authorization`
header, never by a cookie: so no foreign page can act in a person's name.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from boyi.core.errors import BoyiError, UnknownNameError
from boyi.server import catalogue, page
from boyi.server.api import ROUTES, pages
from boyi.server.api.route import MOST_BODY, MOST_FILE, Api, Json, refuse
from boyi.server.budgets import BODIES, LOOP, REQUESTS, SEARCH, SOCKETS, WAITING, Budgets, Payer, payer_address
from boyi.server.client import ServerError, call
from boyi.server.config import Config
from boyi.server.connection import Connection
from boyi.server.engines.cluster import Cluster
from boyi.server.engines.pool import Engines
from boyi.server.finished import Pictures
from boyi.server.kept import Kept
from boyi.server.live import LiveConnection
from boyi.server.lobby import Lobby
from boyi.server.logs import facts
from boyi.server.metering import Meter
from boyi.server.peers import CLIENT_HEADER, SERVER_HEADER, address_of
from boyi.server.people_scores import PeopleScores
from boyi.server.profiles import Profiles
from boyi.server.protocol.bodies import LiveGame
from boyi.server.protocol.refusals import REFUSALS, Refusal
from boyi.server.proxies import FORWARDING_HEADERS, Proxies, Source, is_within, read_networks
from boyi.server.ratings import Ratings
from boyi.server.results import Results
from boyi.server.store import FencedError, HeldError, Person, StorageError, Store, TakenError, UnstorableError
from boyi.server.turnstile import Turnstile
from boyi.server.wire import LINE
from boyi.server.work import in_thread

log = logging.getLogger("boyi.http")

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
                               "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
                               "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Sent to browsers with every answer: this server's pages may do nothing with what is elsewhere."""

LINGER_BYTES, LINGER_SECONDS = 4 * MOST_FILE, 2.0
"""The longest body that is read although it is too long, and for how long."""

MOST_LIVE_GAMES, LIVE_GAMES_SECONDS = 6, 1.0
"""Games that are shown to a lobby, and how long they are not looked for again."""

SOCKETS_OF: dict[str, type[Connection] | type[LiveConnection]] = {"/ws": Connection, "/ws/analysis": LiveConnection}
"""What is at the other end of a WebSocket, by its path."""

_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

T = TypeVar("T")


class Server:
    """A lobby, and how it is reached."""

    def __init__(self, config: Config, *, engine_command: list[str] | None = None,
                 cluster: Cluster | None = None) -> None:
        self.config = config
        self.store = Store(config.database)
        self.results = Results(config.results)
        self.ratings = Ratings(self.store)
        self.people_scores = PeopleScores(self.store)
        self.profiles = Profiles(self.store, self.ratings)
        self.pictures = Pictures()
        self._engine_command = engine_command
        self._cluster = cluster
        self.lobby: Lobby | None = None
        self.address = config.address
        """Where other servers find this one; known when it listens."""

        self.budgets = Budgets(config.budget_factor, dict.fromkeys((SOCKETS, WAITING), config.connections_per_address))
        self.turnstile = Turnstile()
        self.proxies = Proxies(config.trusted_proxies, config.hosts, config.public_address, config.address)
        self.kept = Kept()
        self._metrics_networks = read_networks(config.metrics_from)
        self._origins = frozenset(config.origins.split())
        self._live_games: list[LiveGame] = []
        self._live_until = 0.0
        self.requests: Counter[tuple[str, int]] = Counter()
        """For the metrics: by path and status."""

        self.app = Starlette(
            routes=[Route(api.path, self._endpoint(api), methods=[api.method]) for api in (*ROUTES, pages.ROUTE)],
            lifespan=self._lifespan, exception_handlers={HTTPException: self._http_error, Exception: self._broken})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI application. WebSockets do not go through Starlette: they are many."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["path"].startswith(f"{self.config.base_path}/"):   # a proxy may have removed it already
            scope["path"] = scope["path"].removeprefix(self.config.base_path)
        source = self.proxies.source((scope.get("client") or ("",))[0], scope["headers"])
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send, source)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower() for name, _ in message.get("headers", [])}
                message["headers"] = [*message.get("headers", []),
                                      *(one for one in _RAW_HEADERS if one[0] not in own)]
            await send(message)

        if not self.proxies.has_host(source.host):
            answer = refuse(Refusal("host", f"not {source.host[:100]!r}"), 421)
            await answer(scope, receive, send_guarded)
        elif (wrong := _wrong_body(Headers(scope=scope))) is not None:
            await self._refuse_body(wrong, Headers(scope=scope), receive, send_guarded, source)
        else:
            scope["client"] = source.address, 0
            scope["boyi.source"] = source
            await self.app(scope, receive, send_guarded)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        self.store.open()
        await in_thread(self._warm)
        self.lobby = Lobby(self.config, self.store, Engines(
            self.config.engines, self.config.engine_seconds, self._engine_command, self._cluster, self.budgets,
            self.config.engine_threads), self.budgets, self.turnstile)
        await self.lobby.start(self.address)
        try:
            yield
        finally:
            await self.stop()

    def _warm(self) -> None:
        """Do what takes long the first time, before anyone waits for it."""
        catalogue.games()
        page.warm(base_path=self.config.base_path)

    async def stop(self) -> None:
        """Save everything and say so to all; may be called twice."""
        if self.lobby is not None and not self.lobby.stopping:
            await self.lobby.stop()
            self.store.close()

    def rooms(self) -> Lobby:
        if self.lobby is None:
            raise Refusal("stopping")
        return self.lobby

    def live_games(self) -> list[LiveGame]:
        """Games to watch, looked for again after a moment: many lobbies ask."""
        now = time.monotonic()
        if now >= self._live_until:
            self._live_games, self._live_until = self.rooms().live_games(MOST_LIVE_GAMES), now + LIVE_GAMES_SECONDS
        return self._live_games

    # ------------------------------------------------------------------ HTTP, for the routes

    async def body(self, request: Request, most: int) -> bytes:
        """The body of a request."""
        if int(request.headers.get("content-length", "0")) > most:   # none of it needs to be read
            raise Refusal("unreadable", f"such a request has at most {most} bytes")
        payer = await self.payer(request)
        data = bytearray()
        async for piece in request.stream():
            self.budgets.charge(BODIES, payer, len(piece))
            data += piece
            if len(data) > most:
                raise Refusal("unreadable", f"such a request has at most {most} bytes")
        return bytes(data)

    async def read(self, request: Request, kind: type[T], most: int = MOST_BODY) -> T:
        """What a request says, as JSON."""
        data = await self.body(request, most)
        try:
            return msgspec.json.decode(data, type=kind)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise Refusal("unreadable", str(error)[:200]) from error

    def token(self, request: Request) -> str:
        """The token of a request."""
        scheme, _, token = request.headers.get("authorization", "").strip().partition(" ")
        if scheme.lower() != "bearer" or not token or len(token) > 200:
            raise Refusal("token")
        return token

    async def who(self, request: Request) -> Person | None:
        """Who asks; None for a client that does not say."""
        if not request.headers.get("authorization", "").strip():
            return None
        person = await self.rooms().accounts.identify(self.token(request))
        self.rooms().bans.check((await self.payer(request)).address, person.id)
        return person

    async def payer(self, request: Request) -> Payer:
        """Who pays for a request. Of tokens only those count that were used lately: a look-up would cost more."""
        address = await self._address(request.headers, request.client.host if request.client else "")
        if self.lobby is None or "authorization" not in request.headers:
            return Payer(address)
        with contextlib.suppress(Refusal):
            person = self.lobby.accounts.remembered(self.token(request))
            return Payer(address, "" if person is None else person.id)
        return Payer(address)

    async def charge_search(self, request: Request, nodes: int) -> None:
        """Those who have searched too much of late wait."""
        self.budgets.charge(SEARCH, await self.payer(request), nodes)

    async def may_read_metrics(self, request: Request) -> bool:
        """Does the request come from where metrics may be read?

        One that a proxy has passed on which is not trusted comes from anywhere, though its peer is this machine.
        """
        if not self.config.trusted_proxies and FORWARDING_HEADERS.intersection(request.headers):
            return False
        return is_within(request.client.host if request.client else "", self._metrics_networks)

    # ------------------------------------------------------------------ HTTP, around the routes

    def _endpoint(self, api: Api) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            payer, meter = Payer(""), Meter()
            try:
                payer = await self.payer(request)
                self.budgets.charge(LOOP, payer, 0)
                self.budgets.charge(api.budget, payer, api.cost)
                if self.lobby is not None and not api.is_open:
                    self.lobby.bans.check(payer.address)
                response = await meter.run(self._answer(api, request, payer))
            except Refusal as refusal:
                if self.lobby is not None:
                    self.lobby.refusals[refusal.code] += 1
                response = refuse(refusal)
            self.budgets.owe(LOOP, payer, meter.seconds)
            self.requests[api.path, response.status_code] += 1
            if response.status_code >= 500:
                log.warning("a request failed", extra=facts(
                    method=api.method, path=api.path, status=response.status_code, address=payer.address))
            return response
        return endpoint

    async def _answer(self, api: Api, request: Request, payer: Payer) -> Response:
        try:
            return await api.handler(self, request)
        except TakenError:
            return refuse(Refusal("name_taken"))
        except HeldError as held:
            return await self._forward(held.owner, request, payer.address)
        except FencedError:
            return refuse(Refusal("resync"), 409)
        except UnstorableError as error:
            return refuse(Refusal("unreadable", str(error)))
        except StorageError:
            log.exception("storage")
            return refuse(Refusal("storage"))
        except UnknownNameError as error:
            return refuse(Refusal("unreadable", str(error)), 404 if request.method == "GET" else 400)
        except Refusal:
            raise
        except BoyiError as error:
            return refuse(Refusal("unreadable", str(error)))
        except ClientDisconnect:
            return Response(status_code=400)

    async def _refuse_body(self, wrong: Response, headers: Headers, receive: Receive, send: Send,
                           source: Source) -> None:
        """Answer a request whose body is not wanted, and read on for a moment before the connection is closed.

        A client that is still sending would find the connection broken and never hear why.
        """
        await send({"type": "http.response.start", "status": wrong.status_code, "headers": wrong.raw_headers})
        length = headers.get("content-length", "")
        await send({"type": "http.response.body", "body": wrong.body, "more_body": True})
        with contextlib.suppress(Refusal, TimeoutError):
            if length.isdecimal() and int(length) <= LINGER_BYTES:
                self.budgets.charge(BODIES, Payer(payer_address(source.address)), int(length))
                async with asyncio.timeout(LINGER_SECONDS):
                    while (await receive()).get("more_body"):
                        pass
        await send({"type": "http.response.body", "body": b""})

    async def _http_error(self, _request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return refuse(Refusal("unreadable", "there is nothing here" if status == 404 else "not this way"), status)

    async def _broken(self, _request: Request, error: Exception) -> Response:
        log.error("a request failed", exc_info=error)
        return refuse(Refusal("internal"), 500)

    async def _address(self, headers: Headers, client: str) -> str:
        """The address that pays: the client's, also if another server asks for it."""
        name = headers.get(SERVER_HEADER, "")[:80]
        if name and self.lobby is not None and not self.lobby.peers.knows(name):
            self.budgets.charge(REQUESTS, Payer(payer_address(client)))   # the database has to be asked
        if name and self.lobby is not None and await self.lobby.peers.is_server(name):
            self.proxies.note_server(client)
            client = headers.get(CLIENT_HEADER, client)
        return payer_address(client)

    async def _forward(self, owner: str, request: Request, address: str) -> Response:
        """Ask the server that owns the room."""
        token = self.token(request) if "authorization" in request.headers else ""
        try:
            answer = await call(address_of(owner), "GET", request.url.path, token=token,
                                headers=self.rooms().peers.credentials(address))
        except ServerError as error:
            code = error.code if error.code in REFUSALS else "storage"
            return refuse(Refusal(code, "the room is on another server"))
        return PlainTextResponse(answer) if isinstance(answer, str) else Json(answer)

    # ------------------------------------------------------------------ WebSocket

    async def _websocket(self, scope: Scope, receive: Receive, send: Send, source: Source) -> None:
        headers = Headers(scope=scope)
        await receive()   # that it wants to connect
        origin = headers.get("origin")
        # Programs, which are no pages, have no Origin.
        is_own_page = origin is None or origin in self._origins or self.proxies.is_own_page(origin, source)
        try:
            if scope["path"] not in SOCKETS_OF or not self.proxies.has_host(source.host) or not is_own_page:
                raise Refusal("unreadable", "no WebSocket is opened this way")
            lobby = self.rooms()
            if lobby.stopping:
                raise Refusal("stopping")
            payer = Payer(await self._address(headers, source.address))
            self.budgets.charge(REQUESTS, payer)
        except Refusal as refusal:
            answer = refuse(refusal, 403 if refusal.code == "unreadable" else None)
            await send({"type": "websocket.http.response.start", "status": answer.status_code,
                        "headers": answer.raw_headers})
            await send({"type": "websocket.http.response.body", "body": answer.body})
            return
        with contextlib.suppress(OSError):   # gone before it was accepted
            await send({"type": "websocket.accept"})
            connection = SOCKETS_OF[scope["path"]](lobby, receive, send, payer.address, scope["extensions"].get(LINE))
            self.budgets.penalise(connection.payer, await connection.run())


def _wrong_body(headers: Headers) -> Response | None:
    """The answer to a request whose body is not even begun to be read.

    A body in chunks may be thousands of chunks, and one that nobody reads may be endless.
    """
    length = headers.get("content-length", "0")
    if "transfer-encoding" in headers:
        answer = refuse(Refusal("unreadable", "a body has its Content-Length before it"), 411)
    elif not length.isdecimal() or int(length) > MOST_FILE:
        answer = refuse(Refusal("unreadable", f"a request has at most {MOST_FILE} bytes"), 413)
    else:
        return None
    answer.headers["Connection"] = "close"
    return answer
