"""Live analysis over its socket, by real engines: it deepens, remembers, is refused, and ends."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import websockets.asyncio.client
import websockets.exceptions

from boyi.server.budgets import LIVE, Payer
from boyi.server.client import call
from boyi.server.engines.process import ProcessWorker
from boyi.server.live import MOST_FAILURES
from boyi.server.protocol.messages import Move
from tests.server.playing import leave, seated
from tests.server.serving import Place, Raw, serving

ENGINE = [sys.executable, "-m", "boyi.server.engines.worker"]


@contextlib.asynccontextmanager
async def watching(place: Place) -> AsyncIterator[Raw]:
    url = place.address.replace("http", "ws") + "/ws/analysis"
    async with websockets.asyncio.client.connect(url, compression=None, max_queue=None, proxy=None) as socket:
        yield Raw(socket)


async def ask(raw: Raw, number: int, **asked: Any) -> None:
    await raw.say({"type": "analyse", "id": number, **asked})


async def hear(raw: Raw, number: int) -> Any:
    """The next that is said about a question."""
    while (told := await raw.hear())["id"] != number:
        pass
    return told


async def deepen(raw: Raw, number: int, depth: int) -> Any:
    """What is said when it has come so deep."""
    while True:
        told = await hear(raw, number)
        assert told["type"] == "update", told
        if told["analysis"]["depth"] >= depth:
            return told["analysis"]


def test_it_deepens_until_another_position_is_asked_about_and_remembers(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path, engine_command=ENGINE) as place, watching(place) as raw:
            await ask(raw, 1, game="xiangqi", lines=3)
            first = (await hear(raw, 1))["analysis"]
            later = await deepen(raw, 1, first["depth"] + 3)
            assert later["nodes"] > first["nodes"] and later["speed"] > 0 and later["seconds"] > 0
            assert later["turn"] == 0 and len(later["lines"]) == 3 and not later["ended"]
            odds = [line["odds"] for line in later["lines"]]
            assert odds == sorted(odds, reverse=True) and abs(later["lines"][0]["value"]) < 3, "in pawns"
            assert later["lines"][0]["paths"][0] == [later["lines"][0]["moves"][0][:2],
                                                     later["lines"][0]["moves"][0][2:]]
            await ask(raw, 2, game="xiangqi", moves=["h2e2"], lines=1)
            other = await deepen(raw, 2, 4)
            assert other["turn"] == 1 and len(other["lines"]) == 1
            # Back: what is known is there at once, and never less.
            await ask(raw, 3, game="xiangqi", lines=2)
            back = (await hear(raw, 3))["analysis"]
            assert back["depth"] >= later["depth"] and len(back["lines"]) == 2
            for _ in range(2):
                again = (await hear(raw, 3))["analysis"]
                assert again["depth"] >= back["depth"]
            # Stopped, nothing more comes, and the search is given up.
            await raw.say({"type": "stop"})
            await ask(raw, 4, game="xiangqi", moves=["nonsense"])
            assert (await hear(raw, 4))["code"] == "no_position"
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(1):
                    await raw.hear()
            assert place.server.rooms().engines.streams == 1
            await raw.socket.close()
            while place.server.rooms().engines.streams:
                await asyncio.sleep(0.01)
    asyncio.run(work())


def test_a_game_is_said_in_parts(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path, engine_command=ENGINE) as place, watching(place) as raw:
            await ask(raw, 1, game="xiangqi", moves=["h2e2", "h9g7"], notation="chinese")
            told = (await hear(raw, 1))["analysis"]
            assert told["turn"] == 0 and len(told["lines"][0]["written"]) == len(told["lines"][0]["moves"])
            assert {"平", "进", "退"}.intersection(told["lines"][0]["written"][0])
            await ask(raw, 9, game="xiangqi", notation="klingon")
            assert (await hear(raw, 9))["code"] == "no_position"
            await ask(raw, 1, game="xiangqi", moves=["h2e2", "h9g7"])
            assert (await hear(raw, 1))["analysis"]["lines"][0]["written"] == []
            await ask(raw, 2, game="xiangqi", kept=1, moves=["b9c7", "h0g2"])
            assert (await hear(raw, 2))["analysis"]["turn"] == 1
            for wrong in ({"game": "xiangqi", "kept": 5}, {"game": "jieqi", "kept": 1}):
                await ask(raw, 3, **wrong)
                assert (await hear(raw, 3))["code"] == "unreadable"
    asyncio.run(work())


def test_threats_and_what_may_be_revealed(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path, engine_command=ENGINE) as place, watching(place) as raw:
            # A rook attacks an unguarded one: passing would lose it.
            attacked = "3k5/9/9/9/9/9/r3R4/9/9/4K4 w - - 0 1"
            await ask(raw, 1, game="xiangqi", start=attacked, threat=True)
            threat = await deepen(raw, 1, 2)
            assert threat["turn"] == 1 and threat["lines"][0]["moves"][0] == "a3e3"
            checked = "4k4/9/9/9/9/9/4r4/9/9/4K4 w - - 0 1"
            await ask(raw, 2, game="xiangqi", start=checked, threat=True)
            assert (await hear(raw, 2))["code"] == "not_allowed", "in check nobody can pass"
            await ask(raw, 3, game="jieqi", moves=[])
            line = (await deepen(raw, 3, 1))["lines"][0]
            reveals = line["reveals"]
            assert sum(one["odds"] for one in reveals) == pytest.approx(1, abs=0.01)
            assert reveals[0]["glyph"] == "P" and "soldier" in reveals[0]["told"]["en"]
    asyncio.run(work())


def test_what_is_being_played_is_not_analysed_nor_gone_on_with(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path, engine_command=ENGINE, budget_factor=100) as place:
            (ada,) = await seated(place, "othello", {}, 1)   # against the AI
            for _ in range(5):
                await ada.until(lambda: ada.turn is not None)
                turn = ada.turn
                assert turn is not None
                await ada.request(Move, move=turn.moves[0].text)
                await ada.until(lambda turn=turn: ada.turn not in (turn, None))  # type: ignore[misc]
            assert ada.state is not None and ada.state.game is not None and ada.turn is not None
            moves, text = [ply.text for ply in ada.state.game.plies], ada.turn.moves[0].text
            async with watching(place) as raw:
                await ask(raw, 1, game="othello", moves=moves)
                assert (await hear(raw, 1))["code"] == "playing"
                # A position that they come to later.
                asked = {"game": "othello", "moves": [*moves, text]}
                after = await call(place.address, "POST", "/api/positions", asked)
                await ask(raw, 2, game="othello", start=after["standing"]["position"])
                await deepen(raw, 2, 2)
                await ada.request(Move, move=text)
                while (told := await hear(raw, 2))["type"] == "update":
                    pass
                assert told["code"] == "playing"
            await leave([ada])
    asyncio.run(work())


def test_a_budget_that_is_used_up_is_said_and_it_goes_on_later(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path, engine_command=ENGINE) as place, watching(place) as raw:
            budgets = place.server.budgets
            await ask(raw, 1, game="othello")
            await hear(raw, 1)
            budgets.owe(LIVE, Payer("127.0.0.1"), LIVE.size + 1)
            while (told := await hear(raw, 1))["type"] == "update":
                pass
            assert told["type"] == "exhausted" and told["retry_after_ms"] >= 10_000 and told["words"]["zh"]
            await ask(raw, 2, game="othello")
            assert (await hear(raw, 2))["type"] == "update", "what is known is told"
            assert (await hear(raw, 2))["type"] == "exhausted"
            budgets.owe(LIVE, Payer("127.0.0.1"), -20)
            await ask(raw, 3, game="othello")
            for _ in range(2):
                assert (await hear(raw, 3))["type"] == "update"
    asyncio.run(work())


def test_tabs_of_one_address_share_a_turn_and_accounts_have_their_own(tmp_path: Path) -> None:
    async def work() -> None:
        async with (serving(tmp_path, engine_command=ENGINE, budget_factor=10) as place, watching(place) as one,
                    watching(place) as two, watching(place) as three):
            await two.say({"type": "hello", "token": await place.person("Guest")})
            await three.say({"type": "hello", "token": await place.person("Ada", "a long password")})
            for raw in (one, two, three):
                await ask(raw, 1, game="othello")
                await hear(raw, 1)
            engines = place.server.rooms().engines
            shares = [stream.asker.payer for stream in engines._streams.values()]
            assert shares[0] == shares[1] == "127.0.0.1" and shares[2] not in ("", "127.0.0.1")
    asyncio.run(work())


@pytest.mark.parametrize("said", ["nonsense", '{"type":"analyse","game":"othello","lines":9}',
                                  '{"type":"hello","token":"x"}', '{"type":"join","id":1,"seen":0}'])
def test_what_cannot_be_read_ends_the_connection_in_words(tmp_path: Path, said: str) -> None:
    async def work() -> None:
        async with serving(tmp_path) as place, watching(place) as raw:
            await raw.say(said)
            assert (await raw.hear())["code"] in ("unreadable", "token")
            assert (await raw.hear())["type"] == "goodbye"
            with pytest.raises(websockets.exceptions.ConnectionClosed):
                await raw.hear()
    asyncio.run(work())


def test_a_worker_is_started_before_anything_is_asked(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path, engine_command=ENGINE) as place, watching(place), watching(place):
            worker = place.server.rooms().engines._desks[0].worker
            assert isinstance(worker, ProcessWorker)
            while worker._process is None:
                await asyncio.sleep(0.01)
            before = worker._process
            await worker.start()
            assert worker._process is before
    asyncio.run(work())


def test_it_goes_on_when_its_engine_dies(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path, engine_command=ENGINE) as place, watching(place) as raw:
            await ask(raw, 1, game="othello")
            reached = (await deepen(raw, 1, 3))["depth"]
            worker = place.server.rooms().engines._desks[0].worker
            assert isinstance(worker, ProcessWorker) and worker._process is not None
            worker._process.kill()
            await deepen(raw, 1, reached + 1)
            assert place.server.rooms().engines.replaced == 1

    asyncio.run(work())


def test_it_ends_when_every_engine_fails(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path, engine_command=["false"]) as place, watching(place) as raw:
            await ask(raw, 1, game="othello")
            assert (await hear(raw, 1))["code"] == "internal"
            assert place.server.rooms().engines.replaced == MOST_FAILURES

    asyncio.run(work())


def test_a_server_without_engines_says_so(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path, engines=0) as place, watching(place) as raw:
            await ask(raw, 1, game="othello")
            assert (await hear(raw, 1))["code"] == "not_allowed"
    asyncio.run(work())
