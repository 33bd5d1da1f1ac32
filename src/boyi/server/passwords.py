"""Tokens and passwords: what the server keeps of them is of no use to a thief."""

from __future__ import annotations

import hashlib
import hmac
import secrets

TOKEN_BYTES = 24
SCRYPT = {"n": 2**14, "r": 8, "p": 1}
"""16 MB and about 50 ms a try."""


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_identity() -> str:
    """An identifier of a person or a room, which is new and cannot be guessed."""
    return secrets.token_urlsafe(9)


def hash_token(token: str) -> str:
    """What is stored of a token. It is random enough to need no salt."""
    return hashlib.sha256(b"boyi token" + token.encode("utf-8", "surrogatepass")).hexdigest()


def hash_password(password: str) -> str:
    """What is stored of a password. Slow: not for the event loop."""
    salt = secrets.token_bytes(16)
    return f"scrypt${salt.hex()}${_scrypt(password, salt).hex()}"


def check_password(password: str, stored: str) -> bool:
    """Is it the one? Slow: not for the event loop.

    >>> check_password("secret", hash_password("secret")), check_password("Secret", hash_password("secret"))
    (True, False)
    """
    kind, salt, digest = stored.split("$") if stored.count("$") == 2 else ("", "", "")
    return kind == "scrypt" and hmac.compare_digest(_scrypt(password, bytes.fromhex(salt)).hex(), digest)


def _scrypt(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode("utf-8", "surrogatepass"), salt=salt, **SCRYPT, dklen=32)
