"""What a server is told over the network names levels; agents that would run code are refused at every door."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

import boyi
from boyi.core.record import Record
from boyi.server.client import RoomClient, ServerError, call
from boyi.server.engines.questions import ask_move
from boyi.server.engines.worker import Answering
from boyi.server.protocol.messages import Join, Ready, Sit
from boyi.server.results import Results
from tests.agents.trap import Trap, set_trap
from tests.server.serving import Served


@pytest.fixture
def trap(tmp_path: Path) -> Iterator[Trap]:
    with set_trap(tmp_path) as trap:
        yield trap
        assert not trap.sprung


def test_the_engines_process_plays_levels_only(trap: Trap) -> None:
    for spec in trap.specs:
        reply = Answering().answer(ask_move(boyi.start("othello"), spec, None, 0.0))
        assert "would run code on this machine" in reply.error
        assert not reply.move
    assert Answering().answer(ask_move(boyi.start("tic_tac_toe"), "level:1", None, 0.0)).move


def test_sockets(served: Served, trap: Trap) -> None:
    async def run() -> None:
        place = served.place
        token = await place.person("ada")
        room = await place.room(token, "tic_tac_toe")
        async with place.client(room, token) as client:
            await client.request(Sit, seat=0)
            await client.request(Ready)
            async with place.raw(room, token) as raw:
                await raw.hear("room")
                for number, spec in enumerate(trap.specs):
                    for message in ({"type": "set_ai", "seat": 1, "level": spec}, {"type": "hand_over", "level": spec},
                                    {"type": "move", "move": spec}):
                        await raw.say({"id": number, "seen": 0} | message)
                        assert (await raw.hear("nack", "ack"))["type"] == "nack"
            assert client.state is not None
            assert [seat.level for seat in client.state.seats] == [None, None]
    served.run(run())


def test_what_an_agent_calls_itself_is_a_label(served: Served, trap: Trap) -> None:
    async def run() -> None:
        place = served.place
        room = await place.room(await place.person("ada"), "tic_tac_toe")
        for number, spec in enumerate(trap.specs):
            if len(spec) > 60:
                continue
            async with place.client(room, await place.person(f"bob {number}")) as client:
                await client.request(Join, agent=spec)
                await client.until(partial(_is_called, client, spec))
    served.run(run())


def _is_called(client: RoomClient, label: str) -> bool:
    person = None if client.state is None else client.state.person(client.person)
    return person is not None and person.agent == label


def test_bodies(served: Served, trap: Trap) -> None:
    async def run() -> None:
        place = served.place
        token = await place.person("ada")
        for spec in trap.specs:
            bodies: list[tuple[str, Any]] = [
                ("/api/rooms", {"game": spec}), ("/api/rooms", {"game": "othello", "ai_level": spec}),
                ("/api/rooms", {"game": "othello", "seats": [spec]}),
                ("/api/rooms", {"game": "othello", "options": {"agent": spec}}),
                ("/api/analysis", {"game": "othello", "agent": spec}),
                ("/api/analysis", {"game": "othello", "search": spec}), ("/api/analysis", {"game": spec}),
                ("/api/analysis", {"game": "othello", "nodes": spec}),
                ("/api/positions", {"game": "othello", "start": spec}),
                ("/api/positions", {"game": "othello", "moves": [spec]}), ("/api/positions", {"game": spec})]
            for path, body in bodies:
                with pytest.raises(ServerError) as refusal:
                    await call(place.address, "POST", path, body, token)
                assert refusal.value.code not in ("internal", ""), (path, body)
            # A program that creates a room says what it is called; that is a name, and nothing is made of it.
            await call(place.address, "POST", "/api/rooms", {"game": "othello", "agent": spec[:60]}, token)
            record = Record.from_position(boyi.start("othello"), players=[spec, spec], event=spec).to_text()
            (game,) = await call(place.address, "POST", "/api/records", msgspec.Raw(record.encode()))
            assert game["players"] == [spec, spec]
    served.run(run())


def test_results_that_are_shown(trap: Trap, tmp_path: Path) -> None:
    for number, spec in enumerate(trap.specs):
        (tmp_path / f"{number}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in (
            {"boyi": "tournament", "version": 1, "id": spec, "game": "othello", "contestants": [spec, "random"]},
            {"meeting": [0, 1], "number": 0, "contestants": [0, 1], "places": [1, 2], "record": spec})))
    results = Results(str(tmp_path))
    shown = [results.show(one.path) for one in results.list()]
    assert {row[0] for info in shown if info is not None for row in info.tables[0].rows} == {*trap.specs, "random"}
