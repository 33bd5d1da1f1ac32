"""Lets those who come in one by one, one in each round of the event loop.

When a server dies, thousands of its clients find their rooms at another one in the same moment. To tell one of them a
whole room takes a millisecond or two, and the event loop does in one round all that is ready: those who play would
wait for seconds.
"""

from __future__ import annotations

import asyncio


class Turnstile:
    """A way in for one at a time.

    >>> async def come(turnstile: Turnstile, came: list[str], name: str) -> None:
    ...     await turnstile.pass_through()
    ...     came.append(name)
    >>> async def play(came: list[str]) -> None:
    ...     for _ in range(5):
    ...         await asyncio.sleep(0)
    ...         came.append("a move")
    >>> async def main() -> list[str]:
    ...     turnstile, came = Turnstile(), []
    ...     await asyncio.gather(*(come(turnstile, came, name) for name in ("ada", "bob", "cyd")), play(came))
    ...     return came
    >>> came = asyncio.run(main())
    >>> came.index("ada") < came.index("bob") < came.index("cyd"), came.index("a move") < came.index("bob")
    (True, True)
    """

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def pass_through(self) -> None:
        """Wait for one's turn, in the order of coming."""
        async with self._lock:
            await asyncio.sleep(0)
