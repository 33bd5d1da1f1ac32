"""A client in a room of another server: what it says is passed on, and what it is told."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from boyi.server.outbox import GONE
from boyi.server.peers import address_of

CONNECT_SECONDS = 5


async def forward(owner: str, hello: str, headers: Mapping[str, str], receive: Callable[[], Awaitable[str | None]],
                  send: Callable[[str], None]) -> bool:
    """Pass messages on between a client and the server that owns its room, until either of them goes.

    Says whether that server could be reached.

    `receive` gives the client's next message, or None when there is to be no more.
    """
    url = address_of(owner).replace("http", "ws", 1) + "/ws"
    is_reached = False
    try:
        async with connect(url, compression=None, max_size=None, open_timeout=CONNECT_SECONDS, proxy=None,
                           additional_headers=headers) as far:
            is_reached = True
            await far.send(hello)

            async def pass_on() -> None:
                with contextlib.suppress(*GONE, ConnectionClosed):
                    while (text := await receive()) is not None:
                        await far.send(text)
                await far.close()

            passing = asyncio.create_task(pass_on())
            try:
                async for text in far:
                    send(text if isinstance(text, str) else text.decode())
            finally:
                passing.cancel()
    except InvalidHandshake:
        is_reached = True   # it does not want this client
    except (OSError, ConnectionClosed, TimeoutError):
        pass   # it has died; another will own the room soon, perhaps this one
    return is_reached
