"""Tokens and passwords: what the server keeps of them is of no use to a thief.

A password is hashed by scrypt, at the cost that OWASP recommends. That takes long on purpose, so it has a thread of its
own, which nothing else waits for: not the event loop, nor reading from the database. A password that comes when too
many wait already is refused at once.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from boyi.server.protocol.refusals import Refusal

TOKEN_BYTES = 24

THREADS = 1
"""One: a second would take the last core of a small machine from the event loop."""

MOST_WAITING = 30
"""Passwords that may wait for the thread: about ten seconds' worth."""

FULL_SECONDS = 10.0
"""When one who was refused may come back."""

MOST_KNOWN = 10_000
"""Passwords that are known again."""

T = TypeVar("T")


@dataclass(frozen=True)
class Cost:
    """How much work a try is."""

    log_n: int
    r: int
    p: int

    @property
    def memory_bytes(self) -> int:
        """What scrypt needs, and as much again for OpenSSL's own count."""
        return 2 * 128 * self.r * ((1 << self.log_n) + self.p)


COST = Cost(15, 8, 3)
"""32 MB and a third of a second: OWASP's password storage cheat sheet (2024), N=2^15, r=8, p=3."""

FIRST_COST = Cost(14, 8, 1)
"""Of version 0.1.0, whose hashes do not name it."""


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_identity() -> str:
    """An identifier of a person or a room, which is new and cannot be guessed."""
    return secrets.token_urlsafe(9)


def is_identity(text: str) -> bool:
    """May it be an identifier of a person or a room?"""
    return re.fullmatch(r"[\w-]{1,40}", text, re.ASCII) is not None


def hash_token(token: str) -> str:
    """What is stored of a token. It is random enough to need no salt."""
    return hashlib.sha256(b"boyi token" + token.encode("utf-8", "surrogatepass")).hexdigest()


# ---------------------------------------------------------------------- passwords

async def hash(password: str) -> str:  # noqa: A001  (of this module: passwords.hash)
    """What is stored of a password."""
    return await _run(lambda: _hash(password))


async def check(password: str, stored: str) -> bool:
    """Is it the one?"""
    return await _run(lambda: _check(password, stored))


def no_password() -> str:
    """The hash of no password, which takes as long to check as any."""
    return _stored(bytes(16), bytes(32))


def is_outdated(stored: str) -> bool:
    """Was it hashed at another cost than today's? Then it is to be hashed again when its password is known.

    >>> is_outdated("scrypt$00$00"), is_outdated(no_password())
    (True, False)
    """
    return stored.split("$")[:2] != no_password().split("$")[:2]


class Known:
    """A password that was right before is known again without the work; kept in memory only, and not as itself."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._right: dict[str, bytes] = {}
        """By what is stored of a password: a keyed digest of it."""

    def is_right(self, password: str, stored: str) -> bool:
        return hmac.compare_digest(self._right.get(stored, b""), self._digest(password))

    def remember(self, password: str, stored: str) -> None:
        self._right[stored] = self._digest(password)
        while len(self._right) > MOST_KNOWN:
            del self._right[next(iter(self._right))]

    def _digest(self, password: str) -> bytes:
        return hashlib.blake2b(password.encode("utf-8", "surrogatepass"), key=self._key).digest()


# ---------------------------------------------------------------------- in the thread

_pool = ThreadPoolExecutor(THREADS, "boyi-passwords")
_waiting = 0


async def _run(work: Callable[[], T]) -> T:
    global _waiting
    if _waiting >= MOST_WAITING:
        raise Refusal("flood", "too many passwords are being checked", retry_after=FULL_SECONDS)
    _waiting += 1
    try:
        return await asyncio.get_running_loop().run_in_executor(_pool, work)
    finally:
        _waiting -= 1


def _hash(password: str) -> str:
    salt = secrets.token_bytes(16)
    return _stored(salt, _scrypt(password, salt, COST))


def _stored(salt: bytes, digest: bytes) -> str:
    return f"scrypt${COST.log_n},{COST.r},{COST.p}${salt.hex()}${digest.hex()}"


def _check(password: str, stored: str) -> bool:
    """
    >>> _check("secret", _hash("secret")), _check("Secret", _hash("secret")), _check("", "")
    (True, False, False)
    """
    kind, *costs, salt, digest = stored.split("$") if stored.count("$") in (2, 3) else ("", "", "")
    if kind != "scrypt":
        return False
    cost = Cost(*map(int, costs[0].split(","))) if costs else FIRST_COST
    return hmac.compare_digest(_scrypt(password, bytes.fromhex(salt), cost).hex(), digest)


def _scrypt(password: str, salt: bytes, cost: Cost) -> bytes:
    return hashlib.scrypt(password.encode("utf-8", "surrogatepass"), salt=salt, n=2**cost.log_n, r=cost.r, p=cost.p,
                          maxmem=cost.memory_bytes, dklen=32)
