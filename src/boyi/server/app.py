"""The server as an ASGI application: HTTP and WebSocket.

Everything that can be asked over HTTP is in `api.ROUTES`. A client proves who it is by a token in the `Authorization`
header, never by a cookie: so no foreign page can act in a person's name.
"""

from __future__ import annotations

import contextlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from boyi.core.errors import BoyiError, UnknownNameError
from boyi.server import page
from boyi.server.api import ROUTES
from boyi.server.api.route import MOST_BODY, Api, Json, refuse
from boyi.server.client import ServerError, call
from boyi.server.config import Config
from boyi.server.connection import Connection
from boyi.server.engines.cluster import Cluster
from boyi.server.engines.pool import Engines
from boyi.server.limits import Buckets, Payer
from boyi.server.lobby import Lobby
from boyi.server.peers import CLIENT_HEADER, SERVER_HEADER, address_of
from boyi.server.protocol.refusals import REFUSALS, Refusal
from boyi.server.ratings import Ratings
from boyi.server.results import Results
from boyi.server.store import FencedError, HeldError, Person, StorageError, Store, TakenError

log = logging.getLogger("boyi.http")

REQUESTS, REQUESTS_PER_SECOND = 200, 20.0
CREATIONS, CREATIONS_PER_SECOND = 20, 0.5
"""Requests of one address: of any kind, and those that make something or try a password."""

SEARCH_NODES, SEARCH_NODES_PER_SECOND = 3_000_000, 50_000.0
"""What is searched for one address when it asks for analyses: a whole game quickly, or a few positions thoroughly."""

PENALTIES = {"flood": 100.0, "unreadable": 20.0}
"""What a connection that had to be cut costs its address, in requests: else a client that floods would come again at
once."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
                               "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
                               "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Sent to browsers with every answer: this server's pages may do nothing with what is elsewhere."""

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
        self._engine_command = engine_command
        self._cluster = cluster
        self.lobby: Lobby | None = None
        self.address = config.address
        """Where other servers find this one; known when it listens."""

        self._requests = Buckets(REQUESTS, REQUESTS_PER_SECOND)
        self._creations = Buckets(CREATIONS, CREATIONS_PER_SECOND)
        self._search_nodes = Buckets(SEARCH_NODES, SEARCH_NODES_PER_SECOND)
        self._connections: Counter[str] = Counter()
        self._origins = frozenset(config.origins.split())
        self.requests: Counter[tuple[str, int]] = Counter()
        """For the metrics: by path and status."""

        routes = [Route(api.path, self._endpoint(api), methods=[api.method]) for api in ROUTES]
        self.app = Starlette(
            routes=[*routes, *page.routes()], lifespan=self._lifespan,
            exception_handlers={HTTPException: self._http_error, Exception: self._broken})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI application. WebSockets do not go through Starlette: they are many."""
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_RAW_HEADERS]
            await send(message)

        await self.app(scope, receive, send_guarded if scope["type"] == "http" else send)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        self.store.open()
        self.lobby = Lobby(self.config, self.store, Engines(
            self.config.engines, self.config.engine_seconds, self._engine_command, self._cluster))
        await self.lobby.start(self.address)
        try:
            yield
        finally:
            await self.stop()

    async def stop(self) -> None:
        """Save everything and say so to all; may be called twice."""
        if self.lobby is not None and not self.lobby.stopping:
            await self.lobby.stop()
            self.store.close()

    def rooms(self) -> Lobby:
        if self.lobby is None:
            raise Refusal("stopping")
        return self.lobby

    # ------------------------------------------------------------------ HTTP, for the routes

    async def body(self, request: Request, most: int) -> bytes:
        """The body of a request."""
        data = bytearray()
        async for piece in request.stream():
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
        return await self.rooms().accounts.identify(self.token(request))

    async def payer(self, request: Request) -> Payer:
        """Who pays for a request."""
        address = await self._address_of(request)
        with contextlib.suppress(Refusal):
            person = await self.who(request)
            return Payer(address, "" if person is None else person.id)
        return Payer(address)

    async def charge_search(self, request: Request, nodes: int) -> None:
        """An address that has searched too much of late waits."""
        if not self._search_nodes.take(await self._address_of(request), nodes):
            raise Refusal("flood")

    # ------------------------------------------------------------------ HTTP, around the routes

    def _endpoint(self, api: Api) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            try:
                address = await self._address_of(request)
                if not self._requests.take(address) or (api.makes and not self._creations.take(address)):
                    raise Refusal("flood")
                response = await api.handler(self, request)
            except Refusal as refusal:
                response = refuse(refusal.code, refusal.detail)
            except TakenError:
                response = refuse("name_taken")
            except HeldError as held:
                response = await self._forward(held.owner, request, address)
            except FencedError:
                response = refuse("resync", status=409)
            except StorageError:
                log.exception("storage")
                response = refuse("storage")
            except UnknownNameError as error:
                response = refuse("unreadable", str(error), 404 if request.method == "GET" else 400)
            except BoyiError as error:
                response = refuse("unreadable", str(error))
            except ClientDisconnect:
                response = Response(status_code=400)
            self.requests[api.path, response.status_code] += 1
            return response
        return endpoint

    async def _http_error(self, _request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return refuse("unreadable", "there is nothing here" if status == 404 else "not this way", status)

    async def _broken(self, _request: Request, error: Exception) -> Response:
        log.error("a request failed", exc_info=error)
        return refuse("internal", status=500)

    async def _address_of(self, request: Request) -> str:
        return await self._address(request.headers, request.client.host if request.client else "")

    async def _address(self, headers: Headers, peer: str) -> str:
        """The address whose limits count: the client's, also if another server asks for it."""
        name = headers.get(SERVER_HEADER)
        if name is not None and self.lobby is not None and await self.lobby.peers.is_server(name[:80]):
            return headers.get(CLIENT_HEADER, peer)[:60]
        return peer

    async def _forward(self, owner: str, request: Request, address: str) -> Response:
        """Ask the server that owns the room."""
        token = self.token(request) if "authorization" in request.headers else ""
        try:
            answer = await call(address_of(owner), "GET", request.url.path, token=token,
                                headers=self.rooms().peers.credentials(address))
        except ServerError as error:
            code = error.code if error.code in REFUSALS else "storage"
            return refuse(code, "the room is on another server")
        return PlainTextResponse(answer) if isinstance(answer, str) else Json(answer)

    # ------------------------------------------------------------------ WebSocket

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        await receive()   # that it wants to connect
        address = await self._address(headers, (scope.get("client") or ("",))[0])
        if (scope["path"] != "/ws" or not self._is_own_page(headers) or not self._requests.take(address)
                or self._connections[address] >= self.config.connections_per_address
                or self.lobby is None or self.lobby.stopping):
            await send({"type": "websocket.close", "code": 1008})   # before it is accepted: 403
            return
        self._connections[address] += 1
        try:
            await send({"type": "websocket.accept"})
            ended = await Connection(self.lobby, receive, send, address).run()
            self._requests.owe(address, PENALTIES.get(ended, 0.0))
        except OSError:
            pass   # gone before it was accepted
        finally:
            self._connections[address] -= 1
            if not self._connections[address]:
                del self._connections[address]

    def _is_own_page(self, headers: Headers) -> bool:
        """Does the page that connects come from here? Programs, which are no pages, have no Origin."""
        origin = headers.get("origin")
        if origin is None or origin in self._origins:
            return True
        return urlsplit(origin).netloc == headers.get("host")
