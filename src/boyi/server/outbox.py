"""What a client is still to be sent, in a bounded queue.

Most clients read as fast as they are told: then a message is written at once, and the queue is empty. A reader that is
too slow is cut off, to come back and go on from what it has seen: the queue never grows beyond `MOST_BYTES`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from starlette.types import Send

from boyi.server.protocol.messages import encode, goodbye

MOST_MESSAGES = 512
MOST_BYTES = 1_000_000

GOODBYE_SECONDS = 5.0
"""How long a client has to read why it is cut off."""

CLOSE_CODES = {"stopping": 1012, "resync": 4000, "flood": 4001, "token": 4002, "no_room": 4004, "password": 4003,
               "protocol": 4005, "shut_out": 4006, "unreadable": 1003}

GONE = RuntimeError, OSError
"""What sending to a client raises that has gone, and hearing from it."""


class Outbox:
    """The sending side of a connection."""

    def __init__(self, send: Send, write_now: Callable[[str], bool] | None = None) -> None:
        """`write_now` writes a message unless it would have to wait, and says whether it did."""
        self._outgoing = send
        self._write_now = write_now
        self._is_sending = False
        """Is a message taken from the queue and not written yet?"""

        self.waiting: deque[str] = deque()
        self.ending: str | None = None
        """The code of why the connection is being ended."""

        self._bytes = 0
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None

    def start(self) -> asyncio.Task[None]:
        """Begin to send."""
        self._writer = asyncio.create_task(self._write())
        return self._writer

    def send(self, text: str) -> None:
        """Write or queue a message; never waits."""
        if self.ending is not None:
            return
        if self._write_now is not None and not self.waiting and not self._is_sending and self._write_now(text):
            return
        self.waiting.append(text)
        self._bytes += len(text)
        if len(self.waiting) > MOST_MESSAGES or self._bytes > MOST_BYTES:
            self.dismiss("resync")
        self._wake.set()

    def dismiss(self, code: str) -> None:
        """Say why, and end the connection."""
        if self.ending is None:
            if code == "resync":
                self.waiting.clear()
                self._bytes = 0
            self.waiting.append(encode(goodbye(code)))
            self.ending = code
            self._wake.set()
            if self._writer is not None:   # a client that does not even read why has had its time
                asyncio.get_running_loop().call_later(GOODBYE_SECONDS, self._writer.cancel)

    async def _write(self) -> None:
        """Send what waits, until it is time to go."""
        try:
            while True:
                while self.waiting:
                    text = self.waiting.popleft()
                    self._bytes -= len(text)
                    self._is_sending = True
                    await self._outgoing({"type": "websocket.send", "text": text})
                    self._is_sending = False
                if self.ending is not None:
                    await self.close(CLOSE_CODES.get(self.ending, 4000))
                    return
                self._wake.clear()
                await self._wake.wait()
        except GONE:
            pass
        finally:
            self._writer = None   # what ends this task refers to it

    async def close(self, code: int = 1000) -> None:
        await self._outgoing({"type": "websocket.close", "code": code})
