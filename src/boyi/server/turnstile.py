"""Lets those who come in a few at a time, in each round of the event loop.

When a server dies, thousands of its clients find their rooms at another one in the same moment. To tell one of them a
whole room takes a millisecond or two, and the event loop does in one round all that is ready: those who play would
wait for seconds.
"""

from __future__ import annotations

import asyncio
from collections import deque

AT_ONCE = 4
"""How many pass in one round: together they take less than ten milliseconds."""


class Turnstile:
    """A way in for a few at a time, in the order of coming.

    >>> async def come(turnstile: Turnstile, came: list[str], name: str) -> None:
    ...     await turnstile.pass_through()
    ...     came.append(name)
    >>> async def play(came: list[str]) -> None:
    ...     for _ in range(5):
    ...         await asyncio.sleep(0)
    ...         came.append("a move")
    >>> async def main() -> list[str]:
    ...     turnstile, came = Turnstile(1), []
    ...     await asyncio.gather(*(come(turnstile, came, name) for name in ("ada", "bob", "cyd")), play(came))
    ...     return came
    >>> came = asyncio.run(main())
    >>> came.index("ada") < came.index("bob") < came.index("cyd"), came.index("a move") < came.index("bob")
    (True, True)
    """

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._is_turning = False

    async def pass_through(self) -> None:
        """Wait for one's turn."""
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        self._waiting.append(turn)
        if not self._is_turning:
            self._is_turning = True
            loop.call_soon(self._turn)
        await turn

    def _turn(self) -> None:
        passed = 0
        while self._waiting and passed < self._at_once:
            turn = self._waiting.popleft()
            if not turn.done():   # else its client has gone
                turn.set_result(None)
                passed += 1
        self._is_turning = bool(self._waiting)
        if self._is_turning:
            asyncio.get_running_loop().call_soon(self._turn)
