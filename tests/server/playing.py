"""Games that clients play through a server: who sits where, and moves."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from boyi.server.client import Refused, RoomClient
from boyi.server.protocol.messages import (
    HandOver,
    Join,
    Move,
    Ready,
    Resume,
    SetAi,
    Sit,
    Start,
)
from tests.server.serving import Place

SIX = ("ada", "bob", "cyd", "dan", "eve", "fay")

KINDS: list[tuple[str, dict[str, Any]]] = [
    ("tic_tac_toe", {}), ("othello", {}), ("xiangqi", {"quiet_limit": 20}), ("jieqi", {"quiet_limit": 20}),
    ("liuzhou", {}), *(("chinese_checkers", {"players": players, "turn_limit": 8}) for players in range(2, 7))]

SHORT = [(game, options | ({"quiet_limit": 4} if "quiet_limit" in options else {})
                 | ({"turn_limit": 4} if "turn_limit" in options else {})) for game, options in KINDS]


async def seated(place: Place, game: str, options: dict[str, Any], persons: int, *, accounts: bool = False,
                 **wanted: Any) -> list[RoomClient]:
    """Clients in the first seats, the AI in the others, and a game that has begun."""
    # The name of an account is nobody else's: on a server that tests share, others could not be called so any more.
    tokens = [await place.person(f"{name} of the club" if accounts else name, "password" if accounts else "")
              for name in SIX[:persons]]
    room = await place.room(tokens[0], game, options=options, **wanted)
    clients = [place.client(room, token) for token in tokens]
    for seat, client in enumerate(clients):
        await client.__aenter__()
        if seat:
            await client.request(Join)
        await client.request(Sit, seat=seat)
        await client.request(Ready)
    assert clients[0].state is not None
    for seat in range(persons, len(clients[0].state.seats)):
        await clients[0].request(SetAi, seat=seat, level=1)
    await clients[0].request(Start)
    return clients


async def leave(clients: list[RoomClient]) -> None:
    for client in clients:
        await client.__aexit__()


async def play(client: RoomClient, generator: random.Random, *, hands_over: bool = False) -> None:
    """Play anything whenever it is one's turn, until the game is over."""
    while True:
        await client.until(lambda: client.turn is not None or finished(client))
        if finished(client) or client.turn is None:
            return
        if hands_over and generator.random() < 0.1:
            await client.request(HandOver, level=1)
            await asyncio.sleep(0)
            try:
                await client.request(Resume)
            except Refused as refusal:
                assert refusal.code in ("game_over", "not_handed_over")
            continue
        turn = client.turn
        try:
            await client.request(Move, move=generator.choice(turn.moves).text)
        except Refused as refusal:
            assert refusal.code in ("not_your_turn", "stale", "game_over"), refusal
        await client.until(lambda turn=turn: client.turn is not turn)  # type: ignore[misc]


def finished(client: RoomClient) -> bool:
    return client.state is not None and client.state.phase == "finished"
