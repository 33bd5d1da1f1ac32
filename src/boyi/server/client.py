"""A client of rooms, for the terminal, for programs and for tests.

A `RoomClient` keeps a room's state up to date by the events it is told, answers pings, and connects again when the
connection breaks, with what it has seen; requests that were not acknowledged are then sent again under the
same number, so they are done once.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec
import websockets.asyncio.client
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from boyi.core.errors import BoyiError, TextError
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.games import find_game
from boyi.server.protocol import messages, reducer
from boyi.server.protocol.messages import encode
from boyi.server.protocol.state import RoomState

MOST_BYTES = 2**24
LONGEST_DELAY_SECONDS = 10.0
FINAL = ("token", "no_room", "password", "locked_out", "protocol", "closed", "shut_out")
"""Refusals of hello that trying again would not change."""


class ServerError(BoyiError):
    """The server cannot be reached, or said no."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class Refused(ServerError):  # noqa: N818  (an answer, not an error)
    """A request was refused."""

    def __init__(self, answer: messages.Nack) -> None:
        super().__init__(f"{answer.words.en}{': ' + answer.detail if answer.detail else ''}", answer.code)
        self.words = answer.words


def split_address(address: str) -> tuple[str, str]:
    """The server and the room of a room's address.

    >>> split_address("http://localhost:8000/room/AbC"), split_address("https://example.org/boyi/room/AbC")
    (('http://localhost:8000', 'AbC'), ('https://example.org/boyi', 'AbC'))
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    place, _, room = parts.path.rstrip("/").rpartition("/")
    if parts.scheme not in ("http", "https") or not parts.netloc or not room:
        raise TextError(f"{address[:100]!r} is not the address of a room: http://HOST:PORT/room/NAME")
    return f"{parts.scheme}://{parts.netloc}{place.removesuffix('/room')}", room


async def call(server: str, method: str, path: str, body: object = None, token: str = "", *,
               headers: Mapping[str, str] | None = None, seconds: float = 30.0) -> Any:
    """A request over HTTP: the JSON, or else the text, that comes back; a `ServerError` for a refusal.

    A server that does not answer within this number of seconds is not waited for.
    """
    def work() -> Any:
        request = urllib.request.Request(
            server.rstrip("/") + path, method=method, data=None if body is None else msgspec.json.encode(body),
            headers={"Content-Type": "application/json", **(headers or {}),
                     **({"Authorization": f"Bearer {token}"} if token else {})})
        try:
            with urllib.request.urlopen(request, timeout=seconds) as response:
                text = response.read().decode()
                return json.loads(text) if "json" in response.headers.get("Content-Type", "") else text
        except urllib.error.HTTPError as error:
            try:
                answer = json.loads(error.read())
                raise ServerError(f"{answer['words']['en']}{': ' + answer['detail'] if answer['detail'] else ''}",
                                  answer["code"]) from error
            except (ValueError, KeyError, TypeError):
                raise ServerError(f"the server answered {error.code}") from error
        except (OSError, ValueError) as error:
            raise ServerError(f"no server answers at {server}: {error}") from error

    return await asyncio.to_thread(work)


class RoomClient:
    """A client at a room's socket."""

    def __init__(self, server: str, room: str, token: str = "", *, password: str = "",
                 on_message: Callable[[Any], None] | None = None) -> None:
        self.url = server.replace("http", "ws", 1).rstrip("/") + "/ws"
        self.room = room
        self.token = token
        self.password = password
        self.client = secrets.token_hex(8)
        self.state: RoomState | None = None
        self.turn: messages.Turn | None = None
        self.person: str | None = None
        self.ended: BoyiError | None = None
        """Why the connection has ended for good."""

        self.on_message = on_message
        self._next = 1
        self._requests: dict[int, tuple[messages.Request, asyncio.Future[Any]]] = {}
        self._socket: websockets.asyncio.client.ClientConnection | None = None
        self._news = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> RoomClient:
        self._task = asyncio.create_task(self._listen())
        await self.until(lambda: self.state is not None)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()

    # ------------------------------------------------------------------ what is known

    @property
    def seat(self) -> int | None:
        return None if self.state is None else self.state.seat_of(self.person)

    @property
    def game(self) -> Game:
        if self.state is None or self.state.settings is None:
            raise ServerError("nothing is known of the room yet")
        return find_game(self.state.settings.game)

    def position(self) -> Position:
        """The present game as this client may know it."""
        if self.state is None or self.state.settings is None or self.state.game is None:
            raise ServerError("no game has begun")
        position = self.game.parse(self.state.game.start, **self.state.settings.options)
        for ply in self.state.game.plies:
            for move in position.parse_moves(ply.text):
                position.play(move)
        return position

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something has become true; raises why the connection has ended, if it has."""
        async with self._news:
            await self._news.wait_for(lambda: true() or self.ended is not None)
        if not true() and self.ended is not None:
            raise self.ended

    # ------------------------------------------------------------------ asking

    async def request(self, kind: type[messages.Request], **fields: Any) -> Any:
        """Ask for something: the `ack` or `display`, or `Refused`."""
        if self.ended is not None:
            raise self.ended
        number, self._next = self._next, self._next + 1
        message = kind(id=number, seen=0 if self.state is None else self.state.seq, **fields)
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._requests[number] = message, future
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):   # sent again after the next hello
                await self._socket.send(encode(message))
        try:
            return await future
        finally:
            self._requests.pop(number, None)

    # ------------------------------------------------------------------ listening

    async def _listen(self) -> None:
        try:
            await self._run()
        except Exception as error:
            # Nobody waits for ever; what `on_message` raised in words is told to those who wait.
            await self._end(error if isinstance(error, BoyiError) else
                            ServerError(f"this client has failed: {error!r}"))
            raise

    async def _run(self) -> None:
        delay = 0.1
        while self.ended is None:
            try:
                async with websockets.asyncio.client.connect(
                        self.url, compression=None, max_size=MOST_BYTES, open_timeout=10, proxy=None) as socket:
                    await socket.send(encode(messages.Hello(
                        self.room, self.token, self.password, self.client,
                        None if self.state is None else self.state.seq)))
                    welcomed = False
                    async for text in socket:
                        message = messages.decode_from_server(text)
                        if isinstance(message, messages.Welcome) and not welcomed:
                            welcomed, delay = True, 0.1
                            self._socket = socket
                            await self._handle(message)
                            for request, _ in list(self._requests.values()):
                                await socket.send(encode(request))
                        else:
                            await self._handle(message)
            except (OSError, ConnectionClosed, InvalidHandshake, InvalidMessage, TimeoutError) as error:
                # A server that answers and ends the connection again may be waiting for a room to become free.
                longest = LONGEST_DELAY_SECONDS - 0.1 if isinstance(error, ConnectionClosed) else 3
                if self.state is None and delay > longest:
                    await self._end(ServerError(f"no server answers at {self.url}: {error}"))
            finally:
                self._socket = None
            if self.ended is None:
                await asyncio.sleep(delay * random.uniform(0.5, 1.5))
                delay = min(LONGEST_DELAY_SECONDS, delay * 2)

    async def _end(self, error: BoyiError) -> None:
        async with self._news:
            self.ended = error
            for _, future in self._requests.values():
                if not future.done():
                    future.set_exception(error)
            self._news.notify_all()

    async def _handle(self, message: Any) -> None:
        match message:
            case messages.Ping(number):
                if self._socket is not None:
                    await self._socket.send(encode(messages.Pong(number)))
                return
            case messages.Welcome():
                self.person = message.person
            case messages.Room(told):
                self.state = told
                self._see_turn()
            case messages.EventMessage(seq, at, body):
                if self.state is None or seq != self.state.seq + 1:
                    return   # seen already
                reducer.apply(self.state, seq, at, body)
                self._see_turn()
            case messages.Turn():
                self.turn = message
            case messages.Ack(id=number) | messages.Display(id=number) | messages.HintGiven(id=number):
                self._settle(number, message)
            case messages.Nack(id=number):
                if number is not None:
                    self._settle(number, Refused(message))
                elif message.code in FINAL:
                    await self._end(Refused(message))
        if self.on_message is not None:
            self.on_message(message)
        async with self._news:
            self._news.notify_all()

    def _see_turn(self) -> None:
        """Forget a turn that is over."""
        game = None if self.state is None else self.state.game
        if self.turn is not None and (game is None or game.turn_seq != self.turn.seq or game.result is not None
                                      or self.state is None or self.state.seats[self.turn.seat].level is not None):
            self.turn = None

    def _settle(self, number: int, answer: Any) -> None:
        _, future = self._requests.get(number, (None, None))
        if future is not None and not future.done():
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)
