"""HTTP and WebSocket: the doors of a server.

Everything a person may ask for over HTTP is in `ROUTES`, from which `/api/openapi.json` is written too. Whoever asks
proves who he is by a token in the `Authorization` header, never by a cookie: so no foreign page can act in
somebody's name.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import unicodedata
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from boyi.core import formats
from boyi.core.errors import BoyiError, IllegalMoveError, OptionError, RecordError, TextError, UnknownNameError
from boyi.core.record import Record
from boyi.games import all_games, find_game
from boyi.kit.folder import read_text
from boyi.server import catalogue, messages, notation, page, passwords, positions, teaching
from boyi.server.client import ServerError, call
from boyi.server.cluster import Cluster
from boyi.server.config import Config
from boyi.server.connection import Connection
from boyi.server.engines import Engines
from boyi.server.limits import Buckets
from boyi.server.lobby import CLIENT_HEADER, SERVER_HEADER, Lobby
from boyi.server.messages import (
    Analysis,
    AskAnalysis,
    AskPosition,
    AskRecord,
    Credentials,
    FinishedSummary,
    NewRoom,
    NewSession,
    RatingRow,
    ReadRecord,
    RoomSummary,
    Session,
    ShownPosition,
    Who,
)
from boyi.server.ratings import Ratings
from boyi.server.results import ResultInfo, Results, ResultSummary
from boyi.server.room import Identity, Refusal
from boyi.server.store import FencedError, FinishedGame, HeldError, Person, StorageError, Store, TakenError

log = logging.getLogger("boyi.http")

MOST_BODY = 8192
MOST_GAME = 65_536
MOST_FILE = 262_144
"""Bytes of a request; of one that holds the moves of a game; of one that is a file of games."""

MOST_RECORDS = 50
MOST_UPLOADS = 1000
"""Games of one file, and of one person that are kept."""


ASKING, ASKING_PER_SECOND = 200, 20.0
MAKING, MAKING_PER_SECOND = 20, 0.5
"""Requests of one address: of any kind, and those that make something or try a password."""

SEARCHING, SEARCHING_PER_SECOND = 3_000_000, 50_000.0
"""Positions that are searched for one address when it asks for analyses: a whole game quickly, or a few thoroughly."""

DEBTS = {"flood": 100.0, "unreadable": 20.0}
"""What a connection costs its address besides that had to be cut: else whoever floods would come again at once."""

STATUS = {"no_room": 404, "token": 401, "password": 403, "login": 403, "name_taken": 409, "flood": 429, "storage": 503,
          "stopping": 503, "full": 503,
          "unreadable": 400, "not_playing": 409, "playing": 409, "game_over": 409, "internal": 500, "spectator": 401}

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
                               "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
                               "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""What is said to browsers with every answer: this server's pages may do nothing with what is elsewhere."""

_GUARDS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

T = TypeVar("T")


class _Json(Response):
    """Any value that msgspec can write."""

    media_type = "application/json"

    def __init__(self, value: Any, status: int = 200) -> None:
        super().__init__(msgspec.json.encode(value), status)


@dataclass(frozen=True)
class Api:
    """A route, with what is to be said about it."""

    method: str
    path: str
    says: str
    handler: Callable[[Server, Request], Awaitable[Response]]
    takes: type | None = None
    gives: type | None = None
    makes: bool = False
    """Limited more strictly: it makes something, or tries a password."""


class Server:
    """The application: a lobby with its doors."""

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

        self._asking = Buckets(ASKING, ASKING_PER_SECOND)
        self._making = Buckets(MAKING, MAKING_PER_SECOND)
        self._searching = Buckets(SEARCHING, SEARCHING_PER_SECOND)
        self._connections: Counter[str] = Counter()
        self._origins = frozenset(config.origins.split())
        self.requests: Counter[tuple[str, int]] = Counter()
        routes = [Route(api.path, self._endpoint(api), methods=[api.method]) for api in ROUTES]
        self.app = Starlette(
            routes=[*routes, *page.routes()], lifespan=self._lifespan,
            exception_handlers={HTTPException: self._http_error, Exception: self._broken})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The server as an ASGI application. Sockets are its own business, with nothing in between: they are many."""
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_GUARDS]
            await send(message)

        await self.app(scope, receive, guarded if scope["type"] == "http" else send)

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

    # ------------------------------------------------------------------ requests

    def _endpoint(self, api: Api) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            try:
                address = await self._address_of(request)
                if not self._asking.take(address) or (api.makes and not self._making.take(address)):
                    raise Refusal("flood")
                response = await api.handler(self, request)
            except Refusal as refusal:
                response = _refuse(refusal.code, refusal.detail)
            except TakenError:
                response = _refuse("name_taken")
            except HeldError as held:
                response = await self._elsewhere(held.owner, request, address)
            except FencedError:
                response = _refuse("resync", status=409)
            except StorageError:
                log.exception("storage")
                response = _refuse("storage")
            except UnknownNameError as error:
                response = _refuse("unreadable", str(error), 404 if request.method == "GET" else 400)
            except BoyiError as error:
                response = _refuse("unreadable", str(error))
            except ClientDisconnect:
                response = Response(status_code=400)
            self.requests[api.path, response.status_code] += 1
            return response
        return endpoint

    async def _http_error(self, _request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return _refuse("unreadable", "there is nothing here" if status == 404 else "not this way", status)

    async def _broken(self, _request: Request, error: Exception) -> Response:
        log.error("a request failed", exc_info=error)
        return _refuse("internal", status=500)

    async def _address_of(self, request: Request) -> str:
        return await self._address(request.headers, request.client.host if request.client else "")

    async def _address(self, headers: Headers, peer: str) -> str:
        """Whose limits count: those of whoever asks, also if another server asks for him."""
        name = headers.get(SERVER_HEADER)
        if name is not None and self.lobby is not None and await self.lobby.is_server(name[:80]):
            return headers.get(CLIENT_HEADER, peer)[:60]
        return peer

    async def _elsewhere(self, owner: str, request: Request, address: str) -> Response:
        """Ask the server that owns the room."""
        token = _token(request) if "authorization" in request.headers else ""
        try:
            answer = await call(owner.partition("#")[0], "GET", request.url.path, token=token,
                                headers=self.rooms().credentials(address))
        except ServerError as error:
            code = error.code if error.code in messages.REFUSALS else "storage"
            return _refuse(code, "the room is on another server")
        return PlainTextResponse(answer) if isinstance(answer, str) else _Json(answer)

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

    async def who(self, request: Request) -> Person | None:
        """Who asks, if he says so."""
        if not request.headers.get("authorization", "").strip():
            return None
        return await self.rooms().identify(_token(request))

    async def charge_search(self, request: Request, nodes: int) -> None:
        """Whoever has searched too much of late waits."""
        if not self._searching.take(await self._address_of(request), nodes):
            raise Refusal("flood")

    # ------------------------------------------------------------------ sockets

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        await receive()   # that it wants to connect
        address = await self._address(headers, (scope.get("client") or ("",))[0])
        if (scope["path"] != "/ws" or not self._is_welcome(headers) or not self._asking.take(address)
                or self._connections[address] >= self.config.connections_per_address
                or self.lobby is None or self.lobby.stopping):
            await send({"type": "websocket.close", "code": 1008})   # before it is accepted: 403
            return
        self._connections[address] += 1
        try:
            await send({"type": "websocket.accept"})
            ended = await Connection(self.lobby, receive, send, address).run()
            self._asking.owe(address, DEBTS.get(ended, 0.0))
        except OSError:
            pass   # gone before it was accepted
        finally:
            self._connections[address] -= 1
            if not self._connections[address]:
                del self._connections[address]

    def _is_welcome(self, headers: Headers) -> bool:
        """Does the page that connects come from here? Programs, which are no pages, have no Origin."""
        origin = headers.get("origin")
        if origin is None or origin in self._origins:
            return True
        return urlsplit(origin).netloc == headers.get("host")


def _token(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").strip().partition(" ")
    if scheme.lower() != "bearer" or not token or len(token) > 200:
        raise Refusal("token")
    return token


def _refuse(code: str, detail: str = "", status: int | None = None) -> Response:
    words = messages.REFUSALS[code]
    return _Json({"code": code, "words": {"en": words.en, "zh": words.zh}, "detail": detail},
                 STATUS.get(code, 400) if status is None else status)


def clean_name(name: str) -> str:
    """A name as people may see it: one line, nothing that turns the text around it.

    >>> clean_name("  Ada \\u202e Lovelace ")
    'Ada Lovelace'
    """
    kept = "".join(character for character in unicodedata.normalize("NFC", name)
                   if unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
                   and not "\u202a" <= character <= "\u202e" and not "\u2066" <= character <= "\u2069")
    kept = " ".join(kept.split())
    if not kept:
        raise TextError("a name needs something to see")
    return kept


# ---------------------------------------------------------------------- what can be asked

async def _session(server: Server, request: Request) -> Response:
    wish = await server.read(request, NewSession)
    return _Json(await server.rooms().new_session(clean_name(wish.name)), 201)


async def _whose(server: Server, request: Request) -> Response:
    person = await server.who(request)
    if person is None:
        raise Refusal("token")
    return _Json(Who(person.id, person.name, person.account))


async def _log_out(server: Server, request: Request) -> Response:
    await _whose(server, request)   # only who has it may end it
    await server.rooms().log_out(_token(request))
    return Response(status_code=204)


async def _register(server: Server, request: Request) -> Response:
    wish = await server.read(request, Credentials)
    return _Json(await server.rooms().register(clean_name(wish.name), wish.password), 201)


async def _login(server: Server, request: Request) -> Response:
    wish = await server.read(request, Credentials)
    return _Json(await server.rooms().login(clean_name(wish.name), wish.password))


async def _list_rooms(server: Server, request: Request) -> Response:
    return _Json(await server.store.lobby())


async def _create_room(server: Server, request: Request) -> Response:
    person = await server.who(request)
    if person is None:
        raise Refusal("spectator")
    wish = await server.read(request, NewRoom)
    hosted = await server.rooms().create(wish, Identity(person.id, person.name, person.account))
    return _Json(hosted.summary(), 201)


async def _show_room(server: Server, request: Request) -> Response:
    person = await server.who(request)
    hosted = await server.rooms().find(request.path_params["room"])
    await server.rooms().admit(hosted, None if person is None else person.id)
    return _Json(hosted.summary())


async def _room_record(server: Server, request: Request) -> Response:
    person = await server.who(request)
    hosted = await server.rooms().find(request.path_params["room"])
    await server.rooms().admit(hosted, None if person is None else person.id)
    return PlainTextResponse(await hosted.record(None if person is None else person.id))


async def _list_records(server: Server, request: Request) -> Response:
    rows = await server.store.finished_games(
        request.query_params.get("game"), uploaded=request.query_params.get("uploaded", "") not in ("", "0", "false"))
    return _Json([FinishedSummary(**row) for row in rows])


async def _record(server: Server, request: Request) -> Response:
    room, number = request.path_params["room"], request.path_params["number"]
    is_number = number.isascii() and number.isdigit() and len(number) < 8
    found = await server.store.find_record(room, int(number)) if is_number else None
    if found is None:
        raise Refusal("no_room")
    text, is_upload = found
    if not is_upload:
        person = await server.who(request)
        await server.rooms().admit(await server.rooms().find(room), None if person is None else person.id)
    return PlainTextResponse(text)


async def _read_records(server: Server, request: Request) -> Response:
    keep = request.query_params.get("keep", "") not in ("", "0", "false")
    person = await server.who(request)
    if keep and person is None:
        raise Refusal("spectator")
    data = await server.body(request, MOST_FILE)
    try:
        records = await asyncio.to_thread(read_file, data, request.query_params.get("name", ""))
    except RecordError as error:
        raise Refusal("no_record", str(error)) from error
    place = ""
    if keep and person is not None:
        place = passwords.new_identity()
        games = [FinishedGame(place, number, record.game.name, True, False, list(record.players),
                              list(record.result or ()), record.date, record.to_text())
                 for number, (record, _) in enumerate(records, 1)]
        if not await server.store.add_uploads(person.id, games, MOST_UPLOADS):
            raise Refusal("full", f"at most {MOST_UPLOADS} records of one person are kept")
    return _Json([ReadRecord(
        record.game.name, dict(record.options), record.start or "", list(record.players),
        None if record.result is None else list(record.result), record.reason,
        [entry.text for entry in record.entries], final, f"{place}/{number}" if place else "")
        for number, (record, final) in enumerate(records, 1)], 201 if keep else 200)


def read_file(data: bytes, name: str) -> list[tuple[Record, str]]:
    """The games of a file, in any format that Boyi knows; each is replayed, to the position that it ends in."""
    source = formats.find_source(data, name[:200], list(all_games().values()))
    if len(source) > MOST_RECORDS:
        raise Refusal("unreadable", f"the file holds {len(source)} games; at most {MOST_RECORDS} are read")
    return [(record, record.replay().to_text()) for record in source.read()]


async def _write_record(server: Server, request: Request) -> Response:
    wish = await server.read(request, AskRecord, MOST_GAME)
    return Response(await asyncio.to_thread(positions.write_record, wish), media_type="application/octet-stream")


async def _position(server: Server, request: Request) -> Response:
    wish = await server.read(request, AskPosition, MOST_GAME)
    try:
        shown = msgspec.json.encode(await asyncio.to_thread(positions.show, wish))
    except IllegalMoveError as error:
        raise Refusal("illegal_move", str(error)) from error
    except OptionError:
        raise
    except TextError as error:
        raise Refusal("no_position", str(error)) from error
    return page.packable(shown, None, "application/json", request.headers.get("accept-encoding", ""))


async def _ratings(server: Server, request: Request) -> Response:
    game = find_game(request.query_params.get("game", ""))
    return _Json(await server.ratings.of(game.name))


async def _analysis(server: Server, request: Request) -> Response:
    wish = await server.read(request, AskAnalysis, MOST_GAME)
    await server.charge_search(request, wish.nodes)
    return _Json(await server.rooms().analyse(wish))


async def _games(server: Server, request: Request) -> Response:
    return _Json(catalogue.games())


async def _game(server: Server, request: Request) -> Response:
    game = find_game(request.path_params["game"])
    start = game.position(game, game.resolve(dict(request.query_params)))
    return _Json({
        "game": catalogue.describe(game), "chosen": dict(start.options), "seats": start.players,
        "start": start.to_text(), "board": catalogue.board(game.name, start.options),
        "rules": read_text(game, "rules.md"), "pictures": teaching.pictures(game)})


async def _board(server: Server, request: Request) -> Response:
    board = msgspec.json.encode(catalogue.board(request.path_params["game"], dict(request.query_params)))
    return page.packable(board, None, "application/json", request.headers.get("accept-encoding", ""))


async def _introduction(server: Server, request: Request) -> Response:
    introduction = msgspec.json.encode(teaching.introduction(find_game(request.path_params["game"])))
    return page.packable(introduction, None, "application/json", request.headers.get("accept-encoding", ""))


async def _notation(server: Server, request: Request) -> Response:
    return _Json(await asyncio.to_thread(notation.write, await server.read(request, notation.AskNotation, MOST_GAME)))


async def _list_results(server: Server, request: Request) -> Response:
    return _Json(await asyncio.to_thread(server.results.list))


async def _result(server: Server, request: Request) -> Response:
    result = await asyncio.to_thread(server.results.show, request.path_params["path"])
    if result is None:
        raise HTTPException(404)
    return page.packable(msgspec.json.encode(result), None, "application/json",
                         request.headers.get("accept-encoding", ""))


async def _result_picture(server: Server, request: Request) -> Response:
    found = await asyncio.to_thread(server.results.picture, request.path_params["path"])
    if found is None:
        raise HTTPException(404)
    data, kind = found
    # Drawn by whoever put it there: in a page it is only an image, and alone it may do nothing either.
    return Response(data, media_type=kind, headers={"Content-Security-Policy": "sandbox",
                                                             "Cache-Control": "no-cache"})


async def _health(server: Server, request: Request) -> Response:
    lobby = server.rooms()
    if lobby.stopping:
        raise Refusal("stopping")
    await server.store.lobby(1)   # the database answers
    return _Json({"status": "ok", "rooms": lobby.rooms, "connections": lobby.listeners})


async def _metrics(server: Server, request: Request) -> Response:
    lobby = server.rooms()
    rows = [
        ("boyi_rooms", "gauge", "rooms in memory", {"": lobby.rooms}),
        ("boyi_connections", "gauge", "connected clients", {"": lobby.listeners}),
        ("boyi_events_total", "counter", "events committed", {"": lobby.committed}),
        ("boyi_commits_total", "counter", "transactions", {"": server.store.groups}),
        ("boyi_commit_failures_total", "counter", "writes that failed", {"": lobby.failed_commits}),
        ("boyi_engine_moves_total", "counter", "moves of the AI", {"": lobby.engines.answered}),
        ("boyi_engine_waiting", "gauge", "questions that wait for an engine", {"": lobby.engines.waiting}),
        ("boyi_engines_replaced_total", "counter", "engines that had to be replaced", {"": lobby.engines.replaced}),
        ("boyi_requests_total", "counter", "HTTP requests", {
            f'{{path="{path}",status="{code}"}}': count for (path, code), count in sorted(server.requests.items())}),
    ]
    lines = []
    for name, kind, says, values in rows:
        lines += [f"# HELP {name} {says}", f"# TYPE {name} {kind}"]
        lines += [f"{name}{labels} {value}" for labels, value in values.items()]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


async def _schema(server: Server, request: Request) -> Response:
    return _Json(messages.schema())


async def _openapi(server: Server, request: Request) -> Response:
    return _Json(openapi())


ROUTES = (
    Api("GET", "/api/health", "whether the server and its database answer", _health),
    Api("GET", "/metrics", "figures for Prometheus", _metrics),
    Api("GET", "/api/schema", "the messages of the WebSocket protocol, as a JSON schema", _schema),
    Api("GET", "/api/openapi.json", "this list, as OpenAPI", _openapi),
    Api("GET", "/api/games", "the games, with their options", _games),
    Api("GET", "/api/games/{game}", "a game with its board; options as query parameters", _game),
    Api("GET", "/api/games/{game}/board", "a game's board alone; options as query parameters", _board, None,
        catalogue.BoardInfo),
    Api("GET", "/api/games/{game}/introduction", "two minutes with a game, step by step", _introduction, None,
        teaching.IntroductionInfo),
    Api("POST", "/api/notation", "the moves of a game in another notation", _notation, notation.AskNotation),
    Api("GET", "/api/results", "what was measured: tournaments, the lab, training; the latest first",
        _list_results, None, ResultSummary),
    Api("GET", "/api/results/{path:path}", "a result, as tables and curves", _result, None, ResultInfo),
    Api("GET", "/api/result-pictures/{path:path}", "a picture that belongs to a result", _result_picture),
    Api("POST", "/api/session", "be somebody, by a nickname", _session, NewSession, Session, makes=True),
    Api("GET", "/api/session", "whose token it is", _whose, None, Who),
    Api("DELETE", "/api/session", "log out: the token is nobody's any more", _log_out),
    Api("POST", "/api/accounts", "make an account", _register, Credentials, Session, makes=True),
    Api("POST", "/api/login", "be the owner of an account", _login, Credentials, Session, makes=True),
    Api("GET", "/api/rooms", "public rooms, the latest first", _list_rooms, None, RoomSummary),
    Api("POST", "/api/rooms", "make a room; needs a token", _create_room, NewRoom, RoomSummary, makes=True),
    Api("GET", "/api/rooms/{room}", "a room", _show_room, None, RoomSummary),
    Api("GET", "/api/rooms/{room}/record", "its present game as a record, as far as you may know it", _room_record),
    Api("GET", "/api/records", "public games that are over, the latest first; with ?uploaded=1 those that were brought",
        _list_records, None, FinishedSummary),
    Api("POST", "/api/records", "the games of a file in any format that Boyi knows, replayed; with ?keep=1 and a token "
        "they are kept", _read_records, None, ReadRecord, makes=True),
    Api("POST", "/api/records/written", "a game as a file, in any format that can be written; nothing is kept",
        _write_record, AskRecord),
    Api("POST", "/api/positions", "a position of any game, given by text, stones or moves: what may be done in it",
        _position, AskPosition, ShownPosition),
    Api("GET", "/api/records/{room}/{number}", "a game that is over, as a record", _record),
    Api("POST", "/api/analysis", "what the best moves of a position are worth; not of a game that is going on",
        _analysis, AskAnalysis, Analysis),
    Api("GET", "/api/ratings", "ratings of a game's players, by their rated games", _ratings, None, RatingRow),
)


def openapi() -> dict[str, Any]:
    """All routes, as OpenAPI 3.1."""
    kinds = [kind for api in ROUTES for kind in (api.takes, api.gives) if kind is not None]
    _, components = msgspec.json.schema_components(dict.fromkeys(kinds), ref_template="#/components/schemas/{name}")
    paths: dict[str, dict[str, Any]] = {}
    for api in ROUTES:
        about: dict[str, Any] = {"summary": api.says, "responses": {"200": {"description": "as asked"}}}
        names = [part[1:-1] for part in api.path.split("/") if part.startswith("{")]
        if names:
            about["parameters"] = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                                   for name in names]
        if api.takes is not None:
            reference = {"$ref": f"#/components/schemas/{api.takes.__name__}"}
            about["requestBody"] = {"required": True, "content": {"application/json": {"schema": reference}}}
        if api.gives is not None:
            reference = {"$ref": f"#/components/schemas/{api.gives.__name__}"}
            about["responses"]["200"]["content"] = {"application/json": {"schema": reference}}
        paths.setdefault(api.path, {})[api.method.lower()] = about
    return {"openapi": "3.1.0", "info": {"title": "Boyi", "version": str(messages.PROTOCOL)}, "paths": paths,
            "components": {"schemas": components,
                           "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}}}

