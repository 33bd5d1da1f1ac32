"""What a connection leaves behind when it ends: nothing that only the garbage collector finds.

Thousands of clients come and go in one moment when a server dies. What they leave in cycles is collected all at once,
and meanwhile everyone waits.
"""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from benchmarks.sockets import Player, Watcher
from tests.server.serving import AMPLE, Place, serving

CONNECTIONS = 20


def is_ours(kind: type) -> bool:
    """Is it of the server, or of what it makes per connection? (asyncio's transports refer to themselves; those of
    uvloop, which serves, do not.)"""
    return kind.__module__.split(".")[0] in ("boyi", "websockets", "uvicorn", "h11", "_asyncio")


async def watch(place: Place, room: str, _token: str) -> None:
    watcher = Watcher(place.address, room)
    await watcher.connect(place.address, "127.0.0.1")
    await watcher.welcomed()
    watcher.abort()
    await watcher.lost


async def play(place: Place, room: str, token: str) -> None:
    player = Player(place.address, room, token)
    await player.connect(place.address, "127.0.0.1")
    await player.welcomed()
    await player.ask("join")
    player.abort()
    await player.lost


async def look_for_no_room(place: Place, _room: str, _token: str) -> None:
    watcher = Watcher(place.address, "nowhere")
    await watcher.connect(place.address, "127.0.0.1")
    await watcher.lost


@pytest.mark.parametrize("visit", [watch, play, look_for_no_room])
def test_a_connection_that_ended_leaves_no_cycles(
        visit: Callable[[Place, str, str], Coroutine[Any, Any, None]], tmp_path: Path) -> None:
    async def scene() -> Counter[str]:
        async with serving(tmp_path, budget_factor=AMPLE) as place:
            token = await place.person("ada")
            room = await place.room(token)

            async def visits(number: int) -> None:
                for _ in range(number):
                    await visit(place, room, token)
                await asyncio.sleep(0.3)   # until the server has noticed

            await visits(3)
            gc.collect()
            gc.disable()
            gc.set_debug(gc.DEBUG_SAVEALL)
            try:
                await visits(CONNECTIONS)
                gc.collect()
                return Counter(kind.__qualname__ for kind in map(type, gc.garbage) if is_ours(kind))
            finally:
                gc.set_debug(0)
                gc.garbage.clear()
                gc.enable()

    assert not asyncio.run(asyncio.wait_for(scene(), 60))
