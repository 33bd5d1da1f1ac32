"""Attacks from one address: the attacker is refused or cut, what the server keeps has an end, and others play on.

Games go on meanwhile: between people at other addresses, and between regulars at the attacker's own. In the suite each
attack runs while they make a few moves. `BOYI_SOAK=1` runs it for a minute against a server in a process of its own,
with the usual settings, and asks how long the moves took.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import re
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from boyi.server import budgets
from boyi.server.budgets import REGULAR_SECONDS, SOCKETS, WAITING
from boyi.server.wire import FRAGMENTS, RECEIVE_BYTES, Http
from boyi.server.wire import Socket as ServerSocket
from tests.scale import SOAK
from tests.server.attacks import ATTACKS, Attack, Socket, Target
from tests.server.serving import Served, serving_in_thread
from tools.serving import ServerProcess

MOVES = 12
"""That each game goes on for in the suite."""

GAMES = 10 if SOAK else 1
"""At other addresses than the attacker's."""

SOAK_SECONDS = 60.0
MOVE_SECONDS = 0.5
P99_SECONDS = 0.1
SOAK_BYTES = 50_000_000
"""Under soak: how long an attack runs, how often a move is made, what 99 % of them take at most, and how much the
server's memory may grow."""


@dataclass
class Game:
    """Two people who play on and on."""

    target: Target
    game: str = "chinese_checkers"
    tokens: list[str] = field(default_factory=list)
    sockets: list[Socket] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """From each move to its `ack`."""

    moves: int = 0
    """Made so far: whose turn it is."""

    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    async def begin(self) -> None:
        self.tokens = [(await self.target.ask("POST", "/api/session", {"name": name}))[1]["token"]
                       for name in ("ada", "bob")]
        self.target.room = (await self.target.ask("POST", "/api/rooms", {"game": self.game}, self.tokens[0]))[1]["room"]
        await self.come()
        await self.request(1, type="join")
        for seat in range(2):
            await self.request(seat, type="sit", seat=seat)
            await self.request(seat, type="ready")
        await self.request(0, type="start")

    async def come(self) -> None:
        self.sockets = [await self.target.open(token) for token in self.tokens]

    def go(self) -> None:
        for socket in self.sockets:
            socket.close()

    async def request(self, who: int, **request: Any) -> None:
        socket = self.sockets[who]
        socket.say({"id": next(self._numbers), "seen": 0, **request})
        answer = await socket.hear("ack", "nack", "goodbye")
        assert answer["type"] == "ack", answer

    async def move(self, generator: random.Random) -> None:
        """Whoever is to move plays anything."""
        seat, self.moves = self.moves % 2, self.moves + 1
        turn = self.sockets[seat].turn or await self.sockets[seat].hear("turn")
        self.sockets[seat].turn = None
        began = time.perf_counter()
        await self.request(seat, type="move", move=generator.choice(turn["moves"])["text"], seen=turn["seq"])
        self.seconds.append(time.perf_counter() - began)

    async def play(self, generator: random.Random, seconds: float) -> None:
        """Some moves, or under soak as many as there is time for."""
        until = time.monotonic() + seconds
        for _ in range(MOVES) if not SOAK else itertools.count():
            await self.move(generator)
            if SOAK:
                await asyncio.sleep(MOVE_SECONDS * generator.uniform(0.5, 1.5))
                if time.monotonic() > until:
                    return


@contextlib.asynccontextmanager
async def playing(port: int, source: str, game: str = "chinese_checkers") -> AsyncIterator[Game]:
    found = Game(Target(port, source, ""), game)
    try:
        await found.begin()
        yield found
    finally:
        found.go()


@dataclass
class Victim:
    """A server that is attacked."""

    port: int
    served: Served | None = None
    process: ServerProcess | None = None

    def check_memory(self, attacker: str) -> None:
        """What the server keeps for an attacker has an end."""
        if self.served is None:
            return

        async def count() -> tuple[list[int], int, int]:
            assert self.served is not None and self.served.place.host is not None
            host = self.served.place.host
            kept = []
            for connection in host.server_state.connections:
                if isinstance(connection, ServerSocket):
                    assert len(connection.frames) <= FRAGMENTS
                    kept.append(len(connection._unread) + sum(map(len, connection.frames)))
                elif isinstance(connection, Http):
                    kept.append(len(connection._unread) + len(connection.conn.trailing_data[0]))
            payer = budgets.Payer(attacker)
            return kept, len(host.doors.waiting), sum(
                host.doors.budgets.most(quota, payer) for quota in (WAITING, SOCKETS))

        kept, waiting, most = self.served.run(count())
        assert len(kept) <= most + 50 and waiting <= most and max(kept, default=0) <= 4 * RECEIVE_BYTES

    def memory(self) -> int:
        """Bytes of a server in a process of its own."""
        if self.process is None:
            return 0
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return 1024 * int(re.findall(r"VmRSS:\s+(\d+)", status)[0])


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    folder = tmp_path_factory.mktemp("victim")
    if SOAK:
        with ServerProcess(folder, "--engines", "0", core=0) as process:
            yield Victim(process.port, process=process)
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budgets, "REGULAR_SECONDS", 0.0)   # else a regular would have to play for two minutes
        with serving_in_thread(folder) as served:
            yield Victim(int(served.place.address.rpartition(":")[2]), served=served)


@pytest.fixture(scope="module")
def regulars(victim: Victim) -> dict[str, Game]:
    """Two people at the address of each attacker, who have played for a while before anything happens."""
    async def make() -> dict[str, Game]:
        games = [Game(Target(victim.port, f"127.0.1.{number}", "")) for number in range(1, len(ATTACKS) + 1)]
        await asyncio.gather(*(game.begin() for game in games))
        await asyncio.gather(*(game.play(random.Random(0), REGULAR_SECONDS + 5) for game in games))
        for game in games:
            game.go()
        return {game.target.source: game for game in games}
    return asyncio.run(make())


@pytest.mark.parametrize(("number", "attack"), list(enumerate(ATTACKS, 1)), ids=[attack.name for attack in ATTACKS])
def test_nobody_else_notices(number: int, attack: Attack, victim: Victim, regulars: dict[str, Game]) -> None:
    generator = random.Random(number)
    attacker = f"127.0.1.{number}"

    async def run() -> list[float]:
        async with contextlib.AsyncExitStack() as stack:
            games = [await stack.enter_async_context(playing(victim.port, f"127.0.{number + 1}.{game + 1}"))
                     for game in range(GAMES)]
            attacked = await stack.enter_async_context(playing(victim.port, f"127.0.{number + 1}.99", "jieqi"))
            with contextlib.suppress(TimeoutError):   # a game of any moves may be over before
                for _ in range(60 if SOAK else 4):
                    async with asyncio.timeout(5 if SOAK else 60):
                        await attacked.move(generator)
                    await asyncio.sleep(0.2 if SOAK else 0.0)
            known = regulars[attacker]
            stack.callback(known.go)
            await known.come()
            everyone = [*games, known]
            for game in everyone:
                game.seconds.clear()
            memory = victim.memory()
            target = Target(victim.port, attacker, attacked.target.room)
            attacking = asyncio.ensure_future(attack.work(target))
            try:
                await asyncio.gather(*(game.play(generator, SOAK_SECONDS) for game in everyone))
                async with asyncio.timeout(30):   # it may be that everyone was quicker than the attacker
                    while not target.met.total():
                        await asyncio.sleep(0.01)
                        assert not attacking.done() or not attacking.result()
                await asyncio.to_thread(victim.check_memory, attacker)
                assert victim.memory() - memory < SOAK_BYTES
                # Someone else is let in, too.
                stranger = Target(victim.port, f"127.0.{number + 1}.100", attacked.target.room)
                assert (await stranger.ask("GET", "/api/health"))[0] == 200
                (await stranger.open()).close()
            finally:
                target.over.set()
                await attacking
            assert target.met["refused"] + target.met["cut"] > 0, target.met
            return sorted(itertools.chain(*(game.seconds for game in everyone)))

    seconds = asyncio.run(run())
    if SOAK:
        p99 = seconds[int(0.99 * len(seconds))]
        print(f"{attack.name}: {len(seconds)} moves, median {1000 * seconds[len(seconds) // 2]:.1f} ms, "
              f"99 % {1000 * p99:.1f} ms, longest {1000 * seconds[-1]:.1f} ms")
        assert p99 < P99_SECONDS
