"""Clients of a server that speak plain JSON, as docs/protocol.md says.

Nothing of Boyi is imported here: the same client talks to version 0.1.0 and to the present one.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tools.serving import ServerProcess

TIMEOUT_SECONDS = 60.0
FLOOD_SECONDS = 2.0
"""How long to wait before a request is repeated that the server refused for being one too many."""


class RefusedError(Exception):
    """The server said no; the text is its code."""


class Server(ServerProcess):
    """`boyi serve` on the database of a folder, and its HTTP interface."""

    def __init__(self, folder: Path, *, engines: int = 0, pause: float = 0.0, results: Path | None = None,
                 budget_factor: int | None = None) -> None:
        """The AI of a server without engines plays any legal move. Version 0.1.0 knows no `budget_factor`."""
        super().__init__(folder, "--engines", str(engines), settings={
            "ENGINE_PAUSE": str(pause), **({} if results is None else {"RESULTS": str(results)}),
            **({} if budget_factor is None else {"BUDGET_FACTOR": str(budget_factor)})})

    def __enter__(self) -> Server:
        return self

    def call(self, method: str, path: str, body: object = None, token: str = "") -> Any:
        """A request over HTTP: the JSON, or else the text, that comes back."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        while True:
            request = urllib.request.Request(self.address + path, method=method, data=data, headers=headers)
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                    text = response.read().decode()
                    return json.loads(text) if "json" in response.headers.get("Content-Type", "") else text
            except urllib.error.HTTPError as error:
                with error:
                    answer = json.loads(error.read())
                if answer["code"] != "flood":
                    raise RefusedError(answer["code"]) from error
            time.sleep(FLOOD_SECONDS)


class Client:
    """Someone in a room, or a spectator (no token)."""

    _numbers = itertools.count(1)

    def __init__(self, server: Server, room: str, token: str = "", password: str = "", client: str = "") -> None:
        self.client = client or f"client {next(self._numbers)}"
        """What this copy of a client calls itself; the numbers of requests count per client."""

        self._open = contextlib.ExitStack()
        self._socket: ClientConnection = self._open.enter_context(connect(
            server.address.replace("http", "ws", 1) + "/ws", compression=None, max_size=2**24, max_queue=None,
            proxy=None))
        self.heard: list[dict[str, Any]] = []
        """All messages but pings, in order."""

        self.turn: dict[str, Any] | None = None
        """The last `turn` that no move of this client has answered."""

        self.seq = 0
        self.done: tuple[dict[str, Any], dict[str, Any]] | None = None
        """The last request that changed the room, and its acknowledgement."""

        self.seat: int | None = None
        self.standing: dict[str, Any] | None = None
        """How the game stands, as far as this client has heard."""

        self._say({"type": "hello", "room": room, "token": token, "password": password, "client": self.client})
        welcome = self.hear("welcome", "nack")
        if welcome["type"] == "nack":
            self.close()
            raise RefusedError(welcome["code"])
        self._person, self.seat = welcome["person"], welcome["seat"]
        self.state: dict[str, Any] = self.hear("room")["state"]
        """The room as it was when this client came in."""

        self.seq = self.state["seq"]
        self.standing = self.state["game"] and self.state["game"]["standing"]

    def close(self) -> None:
        self._open.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _say(self, message: Mapping[str, Any]) -> None:
        self._socket.send(json.dumps(message))

    def hear(self, *kinds: str, seconds: float = TIMEOUT_SECONDS) -> dict[str, Any]:
        """The next message of one of these types."""
        deadline = time.monotonic() + seconds
        while True:
            message: dict[str, Any] = json.loads(self._socket.recv(timeout=max(0.0, deadline - time.monotonic())))
            if message["type"] == "ping":
                self._say({"type": "pong", "number": message["number"]})
                continue
            self.heard.append(message)
            if message["type"] == "turn":
                self.turn = message
            elif message["type"] == "event":
                self._follow(message["seq"], message["body"])
            if not kinds or message["type"] in kinds:
                return message

    def _follow(self, seq: int, body: Mapping[str, Any]) -> None:
        self.seq = seq
        if "standing" in body:
            self.standing, self.turn = body["standing"], None   # a new `turn` comes behind it
        if body["kind"] == "sat" and body["person"] == self._person:
            self.seat = body["seat"]
        elif body["kind"] == "started":
            persons = [player["person"] for player in body["players"]]
            self.seat = persons.index(self._person) if self._person in persons else None
        elif body["kind"] == "ended":
            self.standing = None

    def until(self, true: Callable[[], bool]) -> None:
        """Listen until something has become true."""
        while not true():
            self.hear()

    def events(self, kind: str = "") -> list[dict[str, Any]]:
        """The bodies of the events that were heard."""
        return [message["body"] for message in self.heard
                if message["type"] == "event" and kind in ("", message["body"]["kind"])]

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request, and wait for its answer."""
        while True:
            request = {"type": kind, "id": next(self._numbers), "seen": self.seq, **fields}
            answer = self.repeat(request)
            if answer["type"] == "ack":
                self.done = request, answer
            if answer["type"] != "nack":
                return answer
            if answer["code"] != "flood":
                raise RefusedError(f"{answer['code']}: {answer['detail']}")
            time.sleep(FLOOD_SECONDS)

    def repeat(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request as it is: what the server answers."""
        self._say(request)
        while True:
            answer = self.hear("ack", "nack", "display", "history", "hint")
            if answer["id"] == request["id"]:
                return answer

    def move(self, choose: Callable[[list[dict[str, Any]]], dict[str, Any]]) -> str:
        """Wait for one's turn and play one of the moves."""
        self.until(lambda: self.turn is not None)
        assert self.turn is not None
        chosen: str = choose(self.turn["moves"])["text"]
        self.turn = None
        self.ask("move", move=chosen)
        return chosen
