"""Newcomers share the event loop with those who play.

When a server dies, thousands of its clients come to another one in the same moment. To shake hands with one of them
takes a millisecond, to tell it a whole room another, and the event loop does in one round all that is ready: those who
play would wait for seconds. So newcomers are served for some milliseconds, and then others have nearly as long as that
round of the loop took. Those who have nearly arrived come before those who have just connected.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

SLICE_SECONDS = 0.004
"""How long newcomers are served in one round of the event loop. A move takes about five to its ack."""

OTHERS_SHARE = 0.6
"""The time that others have after a round with newcomers, as a part of what that round took. Much more, and the last of
thousands would give up before their turn comes (a page waits for 20 s) and begin again."""

ARRIVING_AT_ONCE = 2
"""How many arrive in one round; together they take about as long as a slice."""

LONGEST_PAUSE_SECONDS = 0.1
"""Newcomers have their turn all the same when rounds are long for other reasons."""


class Turnstile:
    """A way in for a few at a time.

    >>> async def come(turnstile: Turnstile, came: list[str], name: str) -> None:
    ...     await turnstile.pass_through()
    ...     came.append(name)
    >>> async def main() -> list[str]:
    ...     turnstile, came = Turnstile(), []
    ...     for name in ("ada", "bob"):
    ...         turnstile.call(lambda name=name: came.append(f"{name} connects"))
    ...     await asyncio.gather(come(turnstile, came, "cyd"), come(turnstile, came, "dee"))
    ...     return came
    >>> came = asyncio.run(main())
    >>> came.index("ada connects") < came.index("bob connects"), came.index("cyd") < came.index("dee")
    (True, True)
    """

    def __init__(self, slice_seconds: float = SLICE_SECONDS) -> None:
        self._slice_seconds = slice_seconds
        self._arriving: deque[asyncio.Future[None]] = deque()
        self._connecting: deque[Callable[[], object]] = deque()
        self._is_turning = False

    async def pass_through(self) -> None:
        """Wait for one's turn to arrive."""
        turn = asyncio.get_running_loop().create_future()
        self._arriving.append(turn)
        self._start()
        await turn

    def call(self, connect: Callable[[], object]) -> None:
        """Call something that a new connection needs, when it is its turn."""
        self._connecting.append(connect)
        self._start()

    def _start(self) -> None:
        if not self._is_turning:
            self._is_turning = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        loop = asyncio.get_running_loop()
        began, arrived = loop.time(), 0
        while self._arriving and arrived < ARRIVING_AT_ONCE:
            turn = self._arriving.popleft()
            if not turn.done():   # else its client has gone
                turn.set_result(None)
                arrived += 1
        while self._connecting and not arrived and loop.time() - began < self._slice_seconds:
            self._connecting.popleft()()
        loop.call_soon(self._rest, began)   # after what they do in the next round

    def _rest(self, began: float) -> None:
        """A round with newcomers is over."""
        loop = asyncio.get_running_loop()
        self._is_turning = bool(self._arriving or self._connecting)
        if self._is_turning:
            loop.call_later(min(OTHERS_SHARE * (loop.time() - began), LONGEST_PAUSE_SECONDS), self._turn)
