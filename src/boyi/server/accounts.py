"""Who is who: nicknames, accounts and tokens."""

from __future__ import annotations

import asyncio
import time
import unicodedata
from collections import OrderedDict

from boyi.core.errors import TextError
from boyi.server import passwords
from boyi.server.protocol.bodies import Session
from boyi.server.protocol.refusals import Refusal
from boyi.server.store import Person, StorageError, Store

KNOWN_TOKENS = 10_000
KNOWN_SECONDS = 60.0
"""How many tokens are cached, and how long on a shared database: a token may have been ended at another server."""

_NO_PASSWORD = "scrypt$" + "00" * 16 + "$" + "00" * 32


class Accounts:
    """The persons of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[str, tuple[Person, float]] = OrderedDict()
        """By the hash of a token: whose it is, and until when that is known."""

    async def identify(self, token: str) -> Person:
        """Whose token it is."""
        hashed = passwords.hash_token(token)
        person, until = self._known.get(hashed, (None, 0.0))
        now = time.monotonic()
        if person is None or (self._store.is_shared and until < now):
            self._known.pop(hashed, None)
            try:
                person = await self._store.people.find_token(hashed)
            except StorageError as error:
                raise Refusal("storage") from error
            if person is None:
                raise Refusal("token")
            self._known[hashed] = person, now + KNOWN_SECONDS
            while len(self._known) > KNOWN_TOKENS:
                self._known.popitem(last=False)
        return person

    def remembered(self, token: str) -> Person | None:
        """Whose token it is, as far as that is known without asking the database."""
        person, until = self._known.get(passwords.hash_token(token), (None, 0.0))
        return None if self._store.is_shared and until < time.monotonic() else person

    async def log_out(self, token: str) -> None:
        """The token is not valid any more; other servers may take it for another minute."""
        hashed = passwords.hash_token(token)
        await self._store.people.remove_token(hashed)
        self._known.pop(hashed, None)

    async def new_session(self, name: str) -> Session:
        """A nickname for a person without an account."""
        return await self._add(Person(passwords.new_identity(), clean_name(name), False))

    async def register(self, name: str, password: str) -> Session:
        """A new account."""
        name = clean_name(name)
        hashed = await asyncio.to_thread(passwords.hash_password, password)
        return await self._add(Person(passwords.new_identity(), name, True, hashed))

    async def _add(self, person: Person) -> Session:
        token = passwords.new_token()
        await self._store.people.add(person, passwords.hash_token(token))
        return Session(person.id, person.name, person.account, token)

    async def log_in(self, name: str, password: str) -> Session:
        """A new token for the owner of an account."""
        person = await self._store.people.find_account(clean_name(name))
        # How long the answer takes must not tell whether there is such an account.
        stored = person.password if person is not None else _NO_PASSWORD
        if not await asyncio.to_thread(passwords.check_password, password, stored) or person is None:
            raise Refusal("login")
        token = passwords.new_token()
        await self._store.people.add_token(person.id, passwords.hash_token(token))
        return Session(person.id, person.name, True, token)


def clean_name(name: str) -> str:
    """A name as people may see it: one line, nothing that turns the text around it.

    >>> clean_name("  Ada \\u202e Lovelace ")
    'Ada Lovelace'
    """
    kept = "".join(character for character in unicodedata.normalize("NFC", name)
                   if unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
                   and not "\u202a" <= character <= "\u202e" and not "\u2066" <= character <= "\u2069")
    kept = " ".join(kept.split())
    if not kept:
        raise TextError("a name needs something to see")
    return kept
