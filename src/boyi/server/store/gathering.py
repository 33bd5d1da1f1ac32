"""Asks the database for many things at once: what is wanted while one query runs goes with the next.

When a server dies, thousands of its clients come to another one in the same moment. Asked for one by one, what each of
them needs would cost a query and a thread's time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Generic, TypeVar

from boyi.server.store.errors import StorageError

K = TypeVar("K")
V = TypeVar("V")


class Gathering(Generic[K, V]):
    """Finds values by key, in portions.

    >>> queries = []
    >>> async def fetch(keys: Sequence[str]) -> dict[str, int]:
    ...     queries.append(list(keys))
    ...     return {key: len(key) for key in keys if key}
    >>> async def main() -> list[int | None]:
    ...     lengths = Gathering(fetch, most=2)
    ...     return await asyncio.gather(*map(lengths.find, ["one", "", "three", "one"]))
    >>> asyncio.run(main()), queries
    ([3, None, 5, 3], [['one', ''], ['three']])
    """

    def __init__(self, fetch: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]], most: int) -> None:
        self._fetch = fetch
        self._most = most
        self._wanted: dict[K, asyncio.Future[V | StorageError | None]] = {}
        """What no query has been begun for."""

        self._asking: asyncio.Task[None] | None = None

    async def find(self, key: K) -> V | None:
        """The value of a key, as a query finds it that begins now or later; None if there is none."""
        if key not in self._wanted:
            self._wanted[key] = asyncio.get_running_loop().create_future()
        if self._asking is None or self._asking.done():
            self._asking = asyncio.get_running_loop().create_task(self._ask())
        found = await asyncio.shield(self._wanted[key])
        if isinstance(found, StorageError):
            raise StorageError(*found.args)   # anew: one that many wait for would collect the traces of all of them
        return found

    async def _ask(self) -> None:
        while self._wanted:
            keys = list(self._wanted)[:self._most]
            waiting = {key: self._wanted.pop(key) for key in keys}
            try:
                found: Mapping[K, V] = await self._fetch(keys)
            except StorageError as error:
                for future in waiting.values():
                    future.set_result(error)
            else:
                for key, future in waiting.items():
                    future.set_result(found.get(key))
