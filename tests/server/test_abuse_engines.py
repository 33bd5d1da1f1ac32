"""Attacks on the engines of a server, from one address: another person's AI plays all the same, and in time.

The engine of these tests takes a fifth of a second for a move, and for an analysis as long as it is let. So somebody's
AI keeps its clock only if nobody's questions are ahead of it by the dozen.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from boyi.server.client import RoomClient
from boyi.server.engines.pool import Engines
from boyi.server.protocol.messages import HandOver, Hint, Move, OfferTakeback, Ready, Resign, SetAi, Sit, Start
from tests.server.serving import FIRST_MOVE, Place, serving

BUSY = [*FIRST_MOVE[:-1], "busy"]
SLOW = [*FIRST_MOVE[:-1], "slow"]
CLOCK = {"main_ms": 6_000}
"""Of the AI that others' attacks must not slow down: thirty moves' worth of the engine's time."""


async def against_ai(place: Place, name: str, **wanted: Any) -> RoomClient:
    """A person's game of Othello against the AI, in which the person is to move."""
    token = await place.person(name)
    client = place.client(await place.room(token, **wanted), token)
    await client.__aenter__()
    for kind, fields in ((Sit, {"seat": 0}), (Ready, {}), (SetAi, {"seat": 1, "level": 1}), (Start, {})):
        await client.request(kind, **fields)
    await client.until(lambda: client.turn is not None)
    return client


async def play(client: RoomClient, moves: int) -> None:
    """Moves of a person and of the AI against them, which must be chosen by an engine and made in time."""
    for _ in range(moves):
        await client.until(lambda: client.turn is not None or is_over(client))
        assert not is_over(client), client.state.game.result  # type: ignore[union-attr]
        turn = client.turn
        await client.request(Move, move=turn.moves[0].text)  # type: ignore[union-attr]
        await client.until(lambda turn=turn: client.turn not in (turn, None) or is_over(client))  # type: ignore[misc]
    game = client.state.game  # type: ignore[union-attr]
    assert game is not None and game.result is None, "the AI has kept its clock"
    assert not any(ply.fallback for ply in game.plies), "and an engine chose its moves"


def is_over(client: RoomClient) -> bool:
    return client.state is not None and client.state.phase != "playing"


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):   # for ever, if it does not come true
        while not true():
            await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def posting(place: Place, path: str, body: object) -> AsyncIterator[asyncio.StreamReader]:
    """A request over HTTP that can be given up; not by `call`, whose threads the server shares."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(place.address.rpartition(":")[2]))
    data = json.dumps(body).encode()
    writer.write(f"POST {path} HTTP/1.1\r\nHost: {place.address.removeprefix('http://')}\r\n"
                 f"Content-Length: {len(data)}\r\n\r\n".encode() + data)
    try:
        yield reader
    finally:
        writer.close()


async def status(reader: asyncio.StreamReader) -> int:
    return int((await reader.readline()).split()[1])


def test_handing_over_again_and_again_asks_one_question(tmp_path: Path) -> None:
    """239 questions of one socket were waiting, and others' AI lost on time."""
    async def run() -> None:
        async with serving(tmp_path, engine_command=BUSY) as place:
            ada = await against_ai(place, "ada", clock=CLOCK)
            mallory = await against_ai(place, "mallory")
            engines: Engines = place.server.rooms().engines
            waiting = []
            for _ in range(80):
                await mallory.request(HandOver, level=1)
                waiting.append(engines.waiting["game"])
            assert max(waiting) <= 1
            await play(ada, 4)
            for client in (ada, mallory):
                await client.__aexit__()
    asyncio.run(run())


@pytest.mark.parametrize("analyses", [pytest.param(8, marks=pytest.mark.slow), 80])
def test_analyses_without_a_token_do_not_delay_games(analyses: int, tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, engine_command=BUSY) as place, contextlib.AsyncExitStack() as stack:
            ada = await against_ai(place, "ada", clock=CLOCK)
            await play(ada, 1)   # the engine has started
            readers = [await stack.enter_async_context(posting(place, "/api/analysis", {"game": "othello",
                                                                                        "nodes": 100}))
                       for _ in range(analyses)]
            engines: Engines = place.server.rooms().engines
            await until(lambda: sum(engines.waiting.values()) == 4)   # and one is being answered
            refused = [await status(reader) for reader in readers[5:]]
            assert set(refused) == {429}
            await play(ada, 4)
            hint = await ada.request(Hint)
            assert hint.text
            await ada.__aexit__()
    asyncio.run(run())


def test_an_analysis_that_nobody_waits_for_is_withdrawn(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, engine_command=BUSY) as place:
            engines: Engines = place.server.rooms().engines
            async with posting(place, "/api/analysis", {"game": "othello"}):
                await until(lambda: any(desk.waiting is not None for desk in engines._desks))
            await until(lambda: engines.withdrawn["analysis"] == 1)
            await until(lambda: all(desk.waiting is None for desk in engines._desks))
            assert engines.replaced == 0
    asyncio.run(run())


def test_many_rooms_of_one_person_have_one_share(tmp_path: Path) -> None:
    """Twelve rooms in which the AI never stops: another person's AI and hints come in their turn."""
    async def run() -> None:
        async with serving(tmp_path, engine_command=BUSY) as place:
            ada = await against_ai(place, "ada", clock=CLOCK)
            token = await place.person("mallory")
            rooms = []
            for _ in range(12):
                client = place.client(await place.room(token), token)
                rooms.append(await client.__aenter__())
                for seat in range(2):
                    await client.request(SetAi, seat=seat, level=1)
                await client.request(Start)
            engines: Engines = place.server.rooms().engines
            await until(lambda: engines.waiting["game"] >= 10)
            await play(ada, 5)
            hint = await ada.request(Hint)
            assert hint.text in [move.text for move in ada.turn.moves]  # type: ignore[union-attr]
            assert engines.waiting["game"] >= 10, "they have never stopped"
            assert engines.fallbacks == 0
            for client in (ada, *rooms):
                await client.__aexit__()
    asyncio.run(run())


def test_the_ai_moves_before_its_flag_whatever_happens(tmp_path: Path) -> None:
    """No engine ever answers: all that they have is a legal move, and that is played in time."""
    async def run() -> None:
        async with serving(tmp_path, engine_command=[*FIRST_MOVE[:-1], "hang"]) as place:
            ada = await against_ai(place, "ada", clock={"main_ms": 1_000, "increment_ms": 1_000})
            await ada.request(Move, move=ada.turn.moves[0].text)  # type: ignore[union-attr]
            await ada.until(lambda: len(ada.state.game.plies) == 2 or is_over(ada))  # type: ignore[union-attr]
            assert not is_over(ada)
            ply = ada.state.game.plies[1]  # type: ignore[union-attr]
            assert ply.fallback and ply.spent_ms < 1_000
            await ada.__aexit__()
    asyncio.run(run())


def test_what_a_room_no_longer_asks_is_withdrawn(tmp_path: Path) -> None:
    """By a take-back, by the end of the game, by a hint's turn that is over and by a page that is closed."""
    async def run() -> None:
        async with serving(tmp_path, engine_command=SLOW, engine_seconds=3600) as place:
            engines: Engines = place.server.rooms().engines
            ada = await against_ai(place, "ada")

            async def withdrawn(kind: Any, number: int) -> None:
                await until(lambda: engines.withdrawn[kind] == number and sum(engines.waiting.values()) == 0
                            and all(desk.waiting is None for desk in engines._desks))

            async def thinking() -> None:
                await until(lambda: any(desk.waiting is not None for desk in engines._desks))

            await ada.request(Move, move=ada.turn.moves[0].text)  # type: ignore[union-attr]
            await thinking()
            await ada.request(OfferTakeback)   # the AI agrees at once
            await withdrawn("game", 1)
            await ada.until(lambda: ada.turn is not None)
            hint = asyncio.create_task(ada.request(Hint))
            await thinking()
            await ada.request(Move, move=ada.turn.moves[0].text)  # type: ignore[union-attr]
            await asyncio.wait({hint})
            assert getattr(hint.exception(), "code", "") == "stale"
            await until(lambda: engines.withdrawn["hint"] == 1)
            await thinking()   # about the AI's move
            await ada.request(Resign)
            await withdrawn("game", 2)
            await ada.__aexit__()

            bob = await against_ai(place, "bob")
            hint = asyncio.create_task(bob.request(Hint))
            await thinking()
            await bob.__aexit__()   # the page is closed
            await withdrawn("hint", 2)
            hint.cancel()
            assert engines.replaced == 0, "nobody was killed for it"
    asyncio.run(run())
