"""A server whose time is scripted: whole connections, rooms and clocks run in an event loop that never waits.

The loop jumps from timer to timer. `ScriptedLoop.stall` lets time pass in which nothing runs, as when a process is
frozen; the store takes as long as it is told to, or fails.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import selectors
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from boyi.server.config import Config
from boyi.server.connection import Connection
from boyi.server.engines.pool import Engines
from boyi.server.fair_clock import FairClock
from boyi.server.hosted import Hosted
from boyi.server.lobby import Lobby
from boyi.server.protocol.events import Event, encode_event
from boyi.server.protocol.messages import Join, Ready, Sit, Start
from boyi.server.protocol.parts import ClockRule
from boyi.server.rooms import Create, Identity, Room
from boyi.server.store import Person, StorageError
from tests.server import settings_for

ROOM = "room"
_clients = itertools.count(1)


class ScriptedLoop(asyncio.SelectorEventLoop):
    """An event loop with a time of its own, in whole milliseconds."""

    def __init__(self) -> None:
        self.ms = 0
        super().__init__(_Jump(self))

    def time(self) -> float:
        return self.ms / 1000

    def stall(self, ms: int) -> None:
        """Time passes, and nothing runs."""
        self.ms += ms

    def run_in_executor(self, executor: Any, func: Callable[..., Any],  # type: ignore[override]
                        *args: Any) -> asyncio.Future[Any]:
        """What runs in a thread takes no time here."""
        done: asyncio.Future[Any] = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:  # noqa: BLE001  (whoever waits is told)
            done.set_exception(error)
        return done

    def later(self, ms: int, act: Callable[[], object]) -> None:
        self.call_later(ms / 1000, act)


class _Jump(selectors.SelectSelector):
    """Waits by letting the loop's time go on."""

    def __init__(self, loop: ScriptedLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Any:
        assert timeout is not None, "nothing is going to happen any more"
        self._loop.ms += math.ceil(timeout * 1000 - 1e-6)
        return super().select(0)


def run(scene: Callable[[ScriptedLoop], Coroutine[Any, Any, None]]) -> None:
    """Play a scene in a scripted loop."""
    loop = ScriptedLoop()
    try:
        loop.run_until_complete(scene(loop))
    finally:
        while tasks := asyncio.all_tasks(loop):   # one that ends may begin another
            for task in tasks:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.close()


@dataclass
class Disk:
    """A store of one room that takes its time."""

    commit_ms: Callable[[], int] = lambda: 3
    is_full: bool = False
    events: list[Event] = field(default_factory=list)
    is_shared: bool = False

    @property
    def rooms(self) -> Disk:
        return self

    @property
    def leases(self) -> Disk:
        return self

    async def acquire_all(self, wanted: Sequence[str], owner: str) -> tuple[dict[str, int], dict[str, str]]:
        return dict.fromkeys(wanted, 2), {}

    async def append(self, room: str, epoch: int, new: Sequence[Event], *_: Any) -> None:
        await asyncio.sleep(self.commit_ms() / 1000)
        if self.is_full:
            raise StorageError("database or disk is full")
        self.events += new

    async def load(self, room: str) -> list[Event]:
        return list(self.events)

    async def load_all(self, rooms: Sequence[str]) -> dict[str, list[bytes]]:
        return {room: [encode_event(event) for event in self.events] for room in rooms}


async def identify(token: str) -> Person:
    """Everyone's token is their name."""
    return Person(token, token.title(), False)


def new_lobby(loop: ScriptedLoop, disk: Any) -> Lobby:
    lobby = Lobby(Config(engine_pause=0.0), disk, Engines(0))
    lobby.accounts.identify = identify  # type: ignore[method-assign]
    lobby.clock = FairClock(lambda: loop.ms)
    lobby.clock.start()
    return lobby


@dataclass
class House:
    """A server with one room, where a game of othello is played with a clock."""

    loop: ScriptedLoop
    disk: Disk
    lobby: Lobby
    hosted: Hosted
    players: list[Player] = field(default_factory=list)

    @classmethod
    async def open(cls, loop: ScriptedLoop, main_ms: int, *, lags_ms: Sequence[int] = (0, 0), **rest: Any) -> House:
        disk = Disk()
        lobby = new_lobby(loop, disk)
        hosted = Hosted(lobby, Room(ROOM), 1)
        lobby._rooms[ROOM] = hosted
        await hosted.perform(Create(settings_for("othello", clock=ClockRule(main_ms), **rest)))
        house = cls(loop, disk, lobby, hosted)
        for seat, name in enumerate(("ada", "bob")):
            who = Identity(name, name.title(), False, "setup")
            await hosted.perform(Join(1, 0), who)
            await hosted.perform(Sit(2, 0, seat), who)
            await hosted.perform(Ready(3, 0), who)
            house.players.append(Player(house, name, lags_ms[seat]))
        await asyncio.sleep(0.5)
        await hosted.perform(Start(4, 0), Identity("ada", "Ada", False, "setup"))
        return house

    def restart(self) -> None:
        """Another server takes over; nobody is connected to it yet."""
        for player in self.players:
            player.task.cancel()
        self.lobby.stopping = True
        self.lobby = new_lobby(self.loop, self.disk)

    async def until(self, true: Callable[[], bool]) -> None:
        """Let time go on until something has become true; half an hour is enough for anything."""
        limit_ms = self.loop.ms + 1_800_000
        while not true():
            assert self.loop.ms < limit_ms, "it never happens"
            await asyncio.sleep(0.01)

    @property
    def clocks_ms(self) -> list[int]:
        game = self.hosted.room.state.game
        assert game is not None and game.clocks_ms is not None
        return game.clocks_ms

    @property
    def plies(self) -> int:
        game = self.hosted.room.state.game
        return 0 if game is None else len(game.plies)

    def bodies(self, kind: type) -> list[Any]:
        """What of some kind has been written down."""
        return [event.body for event in self.disk.events if isinstance(event.body, kind)]


class Player:
    """A client at the other end of a wire, which takes half of the lag in each direction."""

    def __init__(self, house: House, name: str, lag_ms: int = 0) -> None:
        self.name = name
        self.lag_ms = lag_ms
        self.seen = 0
        self.turn: dict[str, Any] | None = None
        """What they were told last that they may do."""

        self.told_ms = 0
        """When the server told them."""

        self.answers: deque[dict[str, Any]] = deque()
        self.on_turn: Callable[[], None] | None = None
        self._house = house
        self._number = 0
        self._incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.task = house.loop.create_task(Connection(house.lobby, self._incoming.get, self._hear).run())
        self.say({"type": "hello", "room": ROOM, "token": name, "client": str(next(_clients))})

    def say(self, frame: dict[str, Any]) -> None:
        """Send a frame; it has travelled already."""
        self._incoming.put_nowait({"type": "websocket.receive", "text": json.dumps(frame)})

    def ask(self, kind: str, **fields: Any) -> None:
        self._number += 1
        self.say({"type": kind, "id": self._number, "seen": self.seen, **fields})

    def leave(self) -> None:
        self._incoming.put_nowait({"type": "websocket.disconnect", "code": 1006})

    async def _hear(self, message: Any) -> None:
        if message["type"] != "websocket.send":
            return
        heard = json.loads(message["text"])
        match heard["type"]:
            case "ping":
                self._house.loop.later(self.lag_ms, lambda: self.say({"type": "pong", "number": heard["number"]}))
            case "room":
                self.seen = heard["state"]["seq"]
            case "event":
                self.seen = heard["seq"]
            case "turn":
                self.turn, self.told_ms = heard, self._house.loop.ms
                if self.on_turn is not None:
                    self.on_turn()
            case "ack" | "nack":
                self.answers.append(heard)
