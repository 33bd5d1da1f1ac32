"""Lets those who come in a few at a time, in each round of the event loop.

When a server dies, thousands of its clients come to another one in the same moment. To shake hands with one of them
takes a millisecond, to tell it a whole room another, and the event loop does in one round all that is ready: those who
play would wait for seconds.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable


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

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        """How many pass in one round."""

        self._waiting: deque[Callable[[], object]] = deque()
        self._is_turning = False

    async def pass_through(self) -> None:
        """Wait for one's turn."""
        turn = asyncio.get_running_loop().create_future()
        self.call(lambda: turn.done() or turn.set_result(None))   # done: its client has gone
        await turn

    def call(self, work: Callable[[], object]) -> None:
        """Call something when it is its turn."""
        self._waiting.append(work)
        if not self._is_turning:
            self._is_turning = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        for _ in range(min(self._at_once, len(self._waiting))):
            self._waiting.popleft()()
        self._is_turning = bool(self._waiting)
        if self._is_turning:
            asyncio.get_running_loop().call_soon(self._turn)
