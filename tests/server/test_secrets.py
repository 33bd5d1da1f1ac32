"""What one may not know does not change what one is told: two games, the same to look at, with different secrets.

In both games the same moves are made and the same pieces turned up; they differ in what Red took covered, which only
Red is shown. So everything that leaves the server for Black or for a spectator must be the same, byte for byte.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from boyi.core.position import CHANCE
from boyi.games import find_game
from boyi.games.jieqi.draws import DRAWS
from boyi.server.api import ROUTES
from boyi.server.client import ServerError, call
from boyi.server.engines.questions import ask_move
from boyi.server.protocol import messages
from boyi.server.protocol.messages import Join, Move, Ready, Sit, Start
from boyi.server.rooms import Room, telling
from tests.scale import scaled
from tests.server import Table
from tests.server.serving import serving

Script = list[tuple[str, list[list[int]]]]
"""Moves, and what chance brings after each in the one game and in the other."""


def two_games(seed: int, plies: int) -> Script:
    """A game with two pasts that differ somewhere."""
    for attempt in itertools.count():
        script, hidden = try_two_games(random.Random(f"{seed} {attempt}"), plies)
        if hidden:
            return script
    raise AssertionError("some game comes to a difference")


def try_two_games(generator: random.Random, plies: int) -> tuple[Script, int]:
    """A game with two pasts, and in how many things they differ. Red likes to take what is covered."""
    positions: list[Any] = [find_game("jieqi").start() for _ in range(2)]
    script: Script = []
    hidden = 0
    for _ in range(plies):
        seat = positions[0].turn
        covered = {stone.point for stone in positions[0].stones() if stone.glyph == "x"}
        legal = positions[0].moves()
        greedy = [move for move in legal if seat == 0 and positions[0].path(move)[-1] in covered]
        move = generator.choice(greedy or legal)
        text = positions[0].format_move(move)
        trials = [position.copy() for position in positions]
        brought: list[list[int]] = [[], []]
        for trial in trials:
            trial.play(move)
        while trials[0].turn == CHANCE:
            pools = [sorted(one for one, _ in trial.odds()) for trial in trials]
            if trials[0].awaited == "x" and seat == 0:          # what Red took: only Red is shown
                picks = [generator.choice(pool) for pool in pools]
            else:                                               # turned up for everyone to see
                both = [one for one in pools[0] if one in pools[1]]
                if not both:
                    break
                picks = [generator.choice(both)] * 2
            for trial, pick, so_far in zip(trials, picks, brought, strict=True):
                trial.play(pick)
                so_far.append(pick)
        if trials[0].turn < 0 or trials[1].turn < 0:
            break   # over, when everyone may know; or the pools have become too different
        positions = trials
        script.append((text, brought))
        hidden += brought[0] != brought[1]
    return script, hidden


def everything_told(room: Room, viewer: int | None) -> list[Any]:
    """What a viewer, or an engine in their seat, can ask a room for."""
    return [messages.encode(messages.Room(telling.view(room, viewer))), telling.record(room, viewer).to_text(),
            *(str(telling.last_move(room, seat, viewer)) for seat in (0, 1)), str(telling.turn(room, viewer)),
            msgspec.json.encode(ask_move(room.views.observe(viewer), "level:1", None, 0.0))]


@pytest.mark.parametrize("seed", range(max(1, scaled(30))))
def test_a_room_tells_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [Table("jieqi", check=False).seat("ada", "bob") for _ in range(2)]
    drawn: list[int] = []
    monkeypatch.setattr(DRAWS, "draw_move", lambda position, seed: drawn.pop(0))
    for ply, (move, brought) in enumerate(two_games(seed, 60)):
        for table, picks in zip(tables, brought, strict=True):
            drawn[:] = picks
            table.play(move)
        for viewer in (None, 1):
            assert tables[0].told[viewer] == tables[1].told[viewer]
            if ply % 10 == 9:
                assert everything_told(tables[0].room, viewer) == everything_told(tables[1].room, viewer)
    assert everything_told(tables[0].room, 1) == everything_told(tables[1].room, 1)
    assert tables[0].told[0] != tables[1].told[0]


UNEVEN = ("boyi_commit", "boyi_writes", "boyi_move_seconds", "boyi_loop_lag", "boyi_unsent", "process_")
"""Metrics that differ from run to run: how long something took, and which writes went to the disk together."""


async def everything_that_leaves(folder: Path, script: Script, which: int, monkeypatch: pytest.MonkeyPatch,
                                 ) -> dict[str, list[str]]:
    """Play one of the games on a server; all that Red, Black, a spectator and strangers at any route are sent."""
    numbers = itertools.count(1)
    monkeypatch.setattr("boyi.server.passwords.new_identity", lambda: f"identity-{next(numbers)}")
    monkeypatch.setattr("boyi.server.passwords.new_token", lambda: f"token-{next(numbers)}")
    monkeypatch.setattr("boyi.server.store.people.now_ms", lambda: 1)
    monkeypatch.setattr("boyi.server.fair_clock.monotonic_ms", lambda: 0)
    monkeypatch.setattr("boyi.server.hosted.secrets.token_bytes", bytes)
    drawn: list[int] = []
    monkeypatch.setattr(DRAWS, "draw_move", lambda position, seed: drawn.pop(0))
    heard: dict[str, list[str]] = {"red": [], "black": [], "spectator": [], "routes": []}
    async with serving(folder) as place:
        red, black = await place.person("ada"), await place.person("bob")
        room = await place.room(red, "jieqi")
        tokens = {"red": red, "black": black, "spectator": ""}

        def listen(name: str) -> Any:
            def hear(message: Any) -> None:
                if not isinstance(message, messages.Ping):
                    heard[name].append(messages.encode(message))
            return hear

        clients = {name: place.client(room, token, on_message=listen(name)) for name, token in tokens.items()}
        for name, client in clients.items():
            client.client = name
            await client.__aenter__()
        await clients["black"].request(Join)
        for seat, name in enumerate(("red", "black")):
            await clients[name].request(Sit, seat=seat)
            await clients[name].request(Ready)
        await clients["red"].request(Start)
        for ply, (move, brought) in enumerate(script):
            client = clients[("red", "black")[ply % 2]]
            await client.until(lambda client=client: client.turn is not None)  # type: ignore[misc]
            drawn[:] = brought[which]
            await client.request(Move, move=move)
        last = clients["red"].state.seq  # type: ignore[union-attr]
        for client in clients.values():
            await client.until(lambda client=client: client.state.seq == last)  # type: ignore[misc]
        for api in ROUTES:
            if api.method == "GET":
                path = api.path.replace("{room}", room).replace("{game}", "jieqi").replace("{number}", "1")
                if api.path == "/api/puzzles/{game}":
                    path += "?day=1"   # any other is drawn by chance
                for token in ("", black):
                    try:
                        answer = str(await call(place.address, "GET", path, token=token))
                    except ServerError as error:
                        answer = str(error)
                    heard["routes"] += [line for line in answer.splitlines() if not line.startswith(UNEVEN)]
        told = {name: list(texts) for name, texts in heard.items()}   # before they go: who goes first is chance
        for client in clients.values():
            await client.__aexit__()
    return told


def test_a_server_sends_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                 caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    script = two_games(1, 30)
    games, logs = [], []
    for which in (0, 1):
        folder = tmp_path / str(which)
        folder.mkdir()
        games.append(asyncio.run(everything_that_leaves(folder, script, which, monkeypatch)))
        logs.append([record.getMessage() for record in caplog.records if record.name.startswith("boyi")])
        caplog.clear()
    for viewer in ("black", "spectator", "routes"):
        assert games[0][viewer] == games[1][viewer], viewer
    assert len(games[0]["spectator"]) > len(script)
    assert games[0]["red"] != games[1]["red"]
    assert logs[0] == logs[1]
