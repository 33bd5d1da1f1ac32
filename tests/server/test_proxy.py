"""A network between clients and server that drops, doubles, delays and reorders frames, and breaks; a server that dies.

Hypothesis plays the network. Each frame that arrives is also given to `Model`: tic-tac-toe with chat, done strictly one
after the other, in a few lines that share nothing with the server. The server must answer as the model does, and when
everyone has come back all must know the same.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from boyi.server.budgets import Budgets
from boyi.server.config import Config
from boyi.server.connection import Connection
from boyi.server.engines.pool import Engines
from boyi.server.hosted import Hosted
from boyi.server.lobby import Lobby
from boyi.server.protocol import messages, reducer
from boyi.server.protocol.bodies import NewRoom
from boyi.server.protocol.messages import Request
from boyi.server.protocol.state import RoomState
from boyi.server.rooms import Identity, telling
from boyi.server.store import Store
from tests.scale import scaled
from tests.server.databases import postgres
from tests.server.serving import AMPLE

CELLS = [f"{column}{row}" for row in (1, 2, 3) for column in "abc"]
LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


@dataclass
class Model:
    """A game of two persons, done in order: what is answered to each frame, and what has happened."""

    seq: int
    turn_seq: int
    cells: list[int | None] = field(default_factory=lambda: [None] * 9)
    said: list[str] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    over: bool = False
    here: list[bool] = field(default_factory=lambda: [True, True])
    last: list[int] = field(default_factory=lambda: [0, 0])
    done: list[dict[int, int]] = field(default_factory=lambda: [{}, {}])

    def answer(self, seat: int, frame: dict[str, Any]) -> tuple[str, int]:
        """`ack` and the number of the event, or the code of the refusal and 0."""
        number = frame["id"]
        if number in self.done[seat]:
            return "ack", self.done[seat][number]
        if number <= self.last[seat]:
            return "late", 0
        if frame["seen"] > self.seq:
            return "stale", 0
        if frame["type"] == "chat":
            self.said.append(frame["text"])
            self.seq += 1
        else:
            cell = CELLS.index(frame["move"])
            if self.over:
                return "game_over", 0
            if len(self.moves) % 2 != seat:
                return "not_your_turn", 0
            if frame["seen"] < self.turn_seq:
                return "stale", 0
            if self.cells[cell] is not None:
                return "illegal_move", 0
            self.cells[cell] = seat
            self.moves.append(frame["move"])
            self.seq += 1
            self.turn_seq = self.seq
            own = {at for at, owner in enumerate(self.cells) if owner == seat}
            if any(line <= own for line in LINES) or None not in self.cells:
                self.over = True
                self.seq += 1
        self.last[seat] = number
        self.done[seat][number] = self.seq
        return "ack", self.seq

    def presence(self, seat: int, here: bool) -> None:
        if self.here[seat] != here:
            self.here[seat] = here
            self.seq += 1


class Wire:
    """The server's end of a connection, in memory."""

    def __init__(self, lobby: Lobby) -> None:
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent: list[str] = []
        self.news = asyncio.Event()
        self.task = asyncio.get_running_loop().create_task(Connection(lobby, self.incoming.get, self._send).run())

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.sent.append(message["text"])
            self.news.set()

    def put(self, frame: dict[str, Any]) -> None:
        self.incoming.put_nowait({"type": "websocket.receive", "text": json.dumps(frame)})

    async def until(self, heard: int, *kinds: str) -> list[dict[str, Any]]:
        """The first `heard` messages of some kinds, when they have come."""
        async with asyncio.timeout(60):
            while True:
                found = [message for message in map(json.loads, self.sent) if message["type"] in kinds]
                if len(found) >= heard:
                    return found[:heard]
                self.news.clear()
                await self.news.wait()

    async def end(self) -> None:
        self.incoming.put_nowait({"type": "websocket.disconnect", "code": 1006})
        await self.task


@dataclass
class Client:
    """One of the players: what they know, what is on its way from them and to them."""

    token: str
    wire: Wire | None = None
    known: RoomState | None = None
    number: int = 0
    sending: list[dict[str, Any]] = field(default_factory=list)
    answered: int = 0
    """How many answers of the present connection were compared."""

    taken: int = 0
    """How many of its frames have left the server's end."""

    hearing: list[str] = field(default_factory=list)

    def hear(self, text: str) -> None:
        """What every client does with a message: events count only in their order."""
        message = messages.decode_from_server(text)
        if isinstance(message, messages.Room):
            if self.known is None or message.state.seq >= self.known.seq:
                self.known = message.state
        elif (isinstance(message, messages.EventMessage) and self.known is not None
              and message.seq == self.known.seq + 1):
            reducer.apply(self.known, message.seq, message.at, message.body)


class Network(RuleBasedStateMachine):
    """The rules are what can go wrong between a client and the server."""

    store: Store
    names = itertools.count()

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.loop.run_until_complete(self._begin())

    def _lobby(self) -> Lobby:
        lobby = Lobby(Config(database=self.store.url), self.store, Engines(0), Budgets(AMPLE))
        lobby.peers.own_name = f"server {next(self.names)}"
        return lobby

    async def _begin(self) -> None:
        self.lobby = self._lobby()
        sessions = [await self.lobby.accounts.new_session(name) for name in ("ada", "bob")]
        identities = [Identity(one.person, one.name, False, "setup") for one in sessions]
        self.hosted: Hosted = await self.lobby.create(NewRoom("tic_tac_toe"), identities[0])
        self.room = self.hosted.identity
        numbers = itertools.count(1)

        async def do(who: int, kind: type[Request], **fields: Any) -> None:
            command: Any = kind(id=next(numbers), seen=0, **fields)
            await self.hosted.perform(command, identities[who])

        await do(1, messages.Join)
        for seat in range(2):
            await do(seat, messages.Sit, seat=seat)
            await do(seat, messages.Ready)
        await do(0, messages.Start)
        # The creator of the room was away until they connected, Bob has been taken for present.
        self.model = Model(self.hosted.room.seq, self.hosted.room.seq, here=[
            person.away_until is None for person in self.hosted.room.state.persons])
        self.clients = [Client(session.token) for session in sessions]
        for seat in range(2):
            await self._connect(seat)

    async def _connect(self, seat: int) -> None:
        client = self.clients[seat]
        client.wire, client.answered, client.taken = Wire(self.lobby), 0, 0
        client.wire.put({"type": "hello", "room": self.room, "token": client.token, "client": "one",
                         "seen": None if client.known is None else client.known.seq})
        await client.wire.until(1, "ping")   # all has been said
        self.model.presence(seat, True)

    async def _disconnect(self, seat: int) -> None:
        client = self.clients[seat]
        if client.wire is not None:
            await client.wire.end()
            await asyncio.gather(*self.lobby.tasks.running)   # the absence is written down
            client.wire, client.hearing = None, []
            self.model.presence(seat, False)

    # ------------------------------------------------------------------ what clients do

    @rule(seat=st.integers(0, 1), cell=st.sampled_from(CELLS), eager=st.booleans())
    def say_move(self, seat: int, cell: str, eager: bool) -> None:
        """A move; an eager client says that it has seen what has not happened yet."""
        self._say(seat, {"type": "move", "move": cell}, eager)

    @rule(seat=st.integers(0, 1))
    def say_something(self, seat: int) -> None:
        self._say(seat, {"type": "chat", "text": f"word {self.clients[seat].number}"}, False)

    def _say(self, seat: int, frame: dict[str, Any], eager: bool) -> None:
        client = self.clients[seat]
        client.number += 1
        seen = 0 if client.known is None else client.known.seq
        client.sending.append({**frame, "id": client.number, "seen": seen + (3 if eager else 0)})

    # ------------------------------------------------------------------ what the network does to requests

    @precondition(lambda self: any(client.sending for client in self.clients))
    @rule(data=st.data(), keep=st.booleans())
    def deliver(self, data: st.DataObject, keep: bool) -> None:
        """Some of the frames arrive, in any order; if they are kept, they will arrive again."""
        seat = data.draw(st.sampled_from([seat for seat in range(2) if self.clients[seat].sending]))
        client = self.clients[seat]
        order = data.draw(st.lists(st.integers(0, len(client.sending) - 1), min_size=1, max_size=4, unique=True))
        frames = [client.sending[at] for at in order]
        if not keep:
            client.sending = [frame for frame in client.sending if frame not in frames]
        if client.wire is not None:
            self.loop.run_until_complete(self._deliver(seat, client.wire, frames))

    async def _deliver(self, seat: int, wire: Wire, frames: list[dict[str, Any]]) -> None:
        client = self.clients[seat]
        for frame in frames:
            wire.put(frame)
        client.answered += len(frames)
        answers = (await wire.until(client.answered, "ack", "nack"))[-len(frames):]
        for frame, answer in zip(frames, answers, strict=True):
            assert answer["id"] == frame["id"]
            told = ("ack", answer["seq"]) if answer["type"] == "ack" else (answer["code"], 0)
            assert told == self.model.answer(seat, frame), (frame, answer)
        for _ in range(10):   # the other one is told, too
            await asyncio.sleep(0)

    @precondition(lambda self: any(client.sending for client in self.clients))
    @rule(data=st.data())
    def drop(self, data: st.DataObject) -> None:
        client = data.draw(st.sampled_from([client for client in self.clients if client.sending]))
        client.sending.pop(data.draw(st.integers(0, len(client.sending) - 1)))

    # ------------------------------------------------------------------ what the network does to what is told

    @rule(seat=st.integers(0, 1), places=st.lists(st.integers(0, 20), max_size=6), gone=st.integers(0, 20))
    def hear(self, seat: int, places: list[int], gone: int) -> None:
        """Some of what the server sent arrives, in any order, some of it twice, some never."""
        client = self.clients[seat]
        if client.wire is None:
            return
        client.hearing += client.wire.sent[client.taken:]
        client.taken = len(client.wire.sent)
        for at in places:
            if at < len(client.hearing):
                client.hear(client.hearing[at])
        client.hearing = client.hearing[gone:]

    @rule(seat=st.integers(0, 1))
    def hear_all(self, seat: int) -> None:
        client = self.clients[seat]
        if client.wire is not None:
            for text in client.hearing + client.wire.sent[client.taken:]:
                client.hear(text)
            client.hearing, client.taken = [], len(client.wire.sent)

    # ------------------------------------------------------------------ what breaks

    @rule(seat=st.integers(0, 1))
    def reconnect(self, seat: int) -> None:
        self.loop.run_until_complete(self._disconnect(seat))
        self.loop.run_until_complete(self._connect(seat))

    @rule(seat=st.integers(0, 1))
    def break_off(self, seat: int) -> None:
        self.loop.run_until_complete(self._disconnect(seat))

    @rule()
    def kill_the_server(self) -> None:
        """What was in its memory is gone; another one takes the room up, and nobody is connected."""
        async def work() -> None:
            for client in self.clients:
                if client.wire is not None:
                    client.wire.task.cancel()
                    await asyncio.gather(client.wire.task, return_exceptions=True)
                    client.wire, client.hearing = None, []
            for task in list(self.lobby.tasks.running):
                task.cancel()
            await asyncio.gather(*self.lobby.tasks.running, return_exceptions=True)
            if self.store.is_shared:   # as if its lease had run out
                await self.store.leases.release_all(self.lobby.peers.own_name)
            before, self.lobby = self.lobby, self._lobby()
            before.stopping = True
            self.hosted = await self.lobby.find(self.room)
            await self.hosted.note_absences()
            for seat in range(2):
                self.model.presence(seat, False)
            for seat in range(2):
                await self._connect(seat)
        self.loop.run_until_complete(work())

    # ------------------------------------------------------------------ what is always true

    @invariant()
    def the_room_is_the_model(self) -> None:
        room = self.hosted.room
        assert room.seq == self.model.seq
        assert room.state.game is not None
        assert [ply.text for ply in room.state.game.plies] == self.model.moves
        assert [line.text for line in room.state.chat] == self.model.said[-reducer.CHAT_LINES:]
        assert (room.state.phase == "finished") == self.model.over

    def teardown(self) -> None:
        async def work() -> None:
            """In the end everyone comes back, and knows what is on disk."""
            for seat in range(2):
                await self._disconnect(seat)
                await self._connect(seat)
            for client in self.clients:
                assert client.wire is not None
                await client.wire.until(1, "ping")
                for text in client.wire.sent:
                    client.hear(text)
                client.taken = len(client.wire.sent)
            stored = await self.store.rooms.load(self.room)
            assert [event.seq for event in stored] == list(range(1, self.model.seq + 1))
            for seat, client in enumerate(self.clients):
                assert client.known is not None
                async with asyncio.timeout(60):   # Bob's coming back is told to Ada when she is there already
                    while client.known.seq < self.model.seq:
                        await asyncio.sleep(0.001)
                        for text in client.wire.sent[client.taken:]:  # type: ignore[union-attr]
                            client.hear(text)
                assert msgspec.to_builtins(client.known) == msgspec.to_builtins(telling.view(self.hosted.room, seat))
                causes = [event.cause.id for event in stored if event.cause is not None and event.cause.client == "one"
                          and event.cause.person == self.hosted.room.state.seats[seat].person]
                assert causes == sorted(causes)
                assert set(causes) == set(self.model.done[seat])
            for client in self.clients:
                assert client.wire is not None
                await client.wire.end()
            for task in list(self.lobby.tasks.running):
                task.cancel()
            await asyncio.gather(*self.lobby.tasks.running, return_exceptions=True)
        try:
            self.loop.run_until_complete(work())
        finally:
            self.loop.close()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "sqlite":
        opened = Store(f"sqlite:///{tmp_path}/boyi.sqlite")

        @sa.event.listens_for(opened.database.engine, "connect")
        def hurry(made: Any, _record: Any) -> None:
            made.execute("PRAGMA synchronous=OFF")   # no power cut is tested here

        opened.open()
        yield opened
        opened.close()
    else:
        with postgres() as address:
            opened = Store(address)
            opened.open()
            yield opened
            opened.close()


def test_a_bad_network_changes_nothing_twice_or_out_of_order(store: Store) -> None:
    run_state_machine_as_test(
        type("Network", (Network,), {"store": store}),
        settings=settings(max_examples=scaled(100), stateful_step_count=40, deadline=None,
                          suppress_health_check=list(HealthCheck)))
