"""Work that takes long, in threads of its own.

The event loop is shared by everyone, so what takes more than a few milliseconds does not run on it. And threads that
read the database must not wait for a game that is replayed: so these are others, and few.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

THREADS = 2
"""More would only share the interpreter, and take turns with the loop more often."""

Given = ParamSpec("Given")
Done = TypeVar("Done")

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="boyi-work")


async def in_thread(work: Callable[Given, Done], *arguments: Given.args, **rest: Given.kwargs) -> Done:
    """What a function returns that takes long."""
    return await asyncio.get_running_loop().run_in_executor(_threads, functools.partial(work, *arguments, **rest))
