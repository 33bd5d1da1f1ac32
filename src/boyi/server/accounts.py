"""Who is who: nicknames, accounts and tokens.

A token is known by its hash. What the database said of it is remembered for `KNOWN_SECONDS`, so a token that was ended
elsewhere, by another server or by `boyi admin`, is good here for that much longer, and its sockets stay open as long.
One that was ended here is ended at once.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import Any, Protocol

from boyi.core.errors import TextError
from boyi.server import passwords
from boyi.server.lookalikes import folded, skeleton
from boyi.server.protocol.bodies import Session, SessionInfo
from boyi.server.protocol.refusals import Refusal
from boyi.server.store import DELETED, Person, StorageError, Store, Token
from boyi.server.store.database import now_ms
from boyi.server.store.people import DAY_MS, LONGEST_KEY

log = logging.getLogger("boyi.accounts")

KNOWN_TOKENS = 10_000
KNOWN_SECONDS = 30.0
"""How many tokens are remembered, and how long without asking the database."""

EXPIRY_SECONDS = 6 * 3600.0
"""How often tokens that have expired are removed."""

ID_LETTERS = 16
"""Of the hash of a token: by these its owner tells it from their others."""

RESERVED = ("level:", "net:", "evaluator:", DELETED)
"""What the names of the AI and of deleted accounts begin with."""


class Listener(Protocol):
    """A connection that is open by the right of a token."""

    def dismiss(self, code: str) -> None:
        """Say why, and end the connection."""
        ...


class Accounts:
    """The persons of a database."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._known: OrderedDict[str, tuple[Person, float]] = OrderedDict()
        """By the hash of a token: whose it is, and when the database was asked."""

        self._asked_from = -math.inf
        """What the database said up to this time is not believed any more."""

        self._ended: OrderedDict[str, None] = OrderedDict()
        """Hashes of tokens that were ended here: a look at the database that began before may still find them."""

        self._listeners: dict[str, set[Listener]] = {}
        """By the hash of a token: the connections that it opened."""

    # ------------------------------------------------------------------ tokens

    async def identify(self, token: str) -> Person:
        """Whose token it is."""
        hashed = passwords.hash_token(token)
        person, asked = self._known.get(hashed, (None, 0.0))
        now = self._clock()
        if person is None or asked <= self._asked_from or asked < now - KNOWN_SECONDS:
            try:
                found = await self._store.people.find_token(hashed)
            except StorageError as error:
                raise Refusal("storage") from error
            if found is None or hashed in self._ended:
                self._known.pop(hashed, None)
                raise Refusal("token")
            person, stored = found
            await self._note_use(stored)
            self._known[hashed] = person, now
            _shorten(self._known)
        return person

    def remembered(self, token: str) -> Person | None:
        """Whose token it was when it was last used, as far as that is known without asking the database."""
        return self._known.get(passwords.hash_token(token), (None, 0.0))[0]

    async def _note_use(self, token: Token) -> None:
        """Once a day is enough to know when it expires."""
        if now_ms() - token.used > DAY_MS:
            try:
                await self._store.people.use_token(token.hash)
            except StorageError as error:
                log.warning("the use of a token could not be noted: %s", type(error).__name__)

    def attach(self, token: str, listener: Listener) -> None:
        """A connection was opened by a token: it is closed when the token ends."""
        self._listeners.setdefault(passwords.hash_token(token), set()).add(listener)

    def detach(self, token: str, listener: Listener) -> None:
        """The connection is closed."""
        hashed = passwords.hash_token(token)
        listeners = self._listeners.get(hashed, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(hashed, None)

    async def watch(self) -> None:
        """Look for tokens that were ended elsewhere, and remove those that have expired; for ever."""
        expiry = self._clock()
        while True:
            try:
                if self._clock() >= expiry:
                    await self._store.people.remove_expired()
                    expiry = self._clock() + EXPIRY_SECONDS
                await self.look_again()
            except StorageError as error:
                log.error("tokens could not be looked up: %s", type(error).__name__)
            await asyncio.sleep(KNOWN_SECONDS)

    async def look_again(self) -> None:
        """Some tokens may have been ended elsewhere: all are looked up again, and their connections are closed."""
        self._asked_from = self._clock()
        connected = set(self._listeners)
        self._end(connected - await self._store.people.existing_tokens(connected))

    def _end(self, hashes: Collection[str]) -> None:
        """Tokens are not valid any more, which is on disk: nobody is to be here by one of them."""
        for hashed in hashes:
            self._known.pop(hashed, None)
            self._ended[hashed] = None
            for listener in list(self._listeners.get(hashed, ())):
                listener.dismiss("token")
        _shorten(self._ended)

    # ------------------------------------------------------------------ coming

    async def new_session(self, name: str, device: str = "") -> Session:
        """A nickname for a person without an account; none that looks like the name of an account."""
        return await self._add(Person(passwords.new_identity(), clean_name(name), False), device)

    async def register(self, name: str, password: str, device: str = "") -> Session:
        """A new account."""
        name = clean_name(name)
        return await self._add(Person(passwords.new_identity(), name, True, await passwords.hash(password)), device)

    async def _add(self, person: Person, device: str) -> Session:
        token = passwords.new_token()
        await self._store.people.add(person, passwords.hash_token(token), device)
        return Session(person.id, person.name, person.account, token)

    async def log_in(self, name: str, password: str, device: str = "") -> Session:
        """A new token for the owner of an account."""
        person = await self._prove(await self._store.people.find_account(clean_name(name)), password)
        stored = await passwords.hash(password) if passwords.is_outdated(person.password) else person.password
        token = passwords.new_token()
        self._end(await self._store.people.log_in(person.id, passwords.hash_token(token), device, stored))
        return Session(person.id, person.name, True, token)

    async def _prove(self, person: Person | None, password: str) -> Person:
        """The account, if the password is its own. After too many wrong ones the next has to wait, the owner's too."""
        if person is not None:
            waiting_ms = await self._store.people.charge_try(person.id)
            if waiting_ms:
                raise Refusal("locked_out", retry_after=waiting_ms / 1000)
        # How long the answer takes must not tell whether there is such an account.
        stored = person.password if person is not None and person.account else passwords.no_password()
        if not await passwords.check(password, stored) or person is None:
            raise Refusal("login")
        return person

    # ------------------------------------------------------------------ being here

    async def sessions(self, token: str) -> list[SessionInfo]:
        """All sessions of a token's owner, the latest used first."""
        person, own = await self.identify(token), passwords.hash_token(token)
        return [SessionInfo(one.hash[:ID_LETTERS], one.created, one.used, one.device, one.hash == own)
                for one in await self._store.people.tokens_of(person.id)]

    async def end_session(self, token: str, session: str | None = None) -> None:
        """End this session, or another one of its owner's."""
        person = await self.identify(token)
        wanted = passwords.hash_token(token)[:ID_LETTERS] if session is None else session
        hashes = [one.hash for one in await self._store.people.tokens_of(person.id)
                  if one.hash[:ID_LETTERS] == wanted]
        if not hashes:
            raise Refusal("no_session")
        await self._store.people.remove_tokens(hashes)
        self._end(hashes)

    async def end_others(self, token: str) -> None:
        """End all other sessions of a token's owner."""
        person, own = await self.identify(token), passwords.hash_token(token)
        others = [one.hash for one in await self._store.people.tokens_of(person.id) if one.hash != own]
        await self._store.people.remove_tokens(others)
        self._end(others)

    async def change_password(self, token: str, old: str, new: str) -> None:
        """Another password for an account; all its other sessions are ended."""
        person = await self._prove(await self._account(token), old)
        hashed = await passwords.hash(new)
        self._end(await self._store.people.change_password(person.id, hashed, but=passwords.hash_token(token)))

    async def delete(self, token: str, password: str) -> Person:
        """Delete an account; all its sessions are ended. Who it was."""
        person = await self._prove(await self._account(token), password)
        self._end(await self._store.people.delete(person.id))
        return person

    async def _account(self, token: str) -> Person:
        """The account that a token belongs to."""
        person = await self._store.people.find((await self.identify(token)).id)
        if person is None or not person.account:
            raise Refusal("no_account")
        return person


def clean_name(name: str) -> str:
    """A name as people may see it: one line, nothing that turns the text around it.

    >>> clean_name("  Ada \\u202e Lovelace ")
    'Ada Lovelace'
    """
    kept = "".join(character for character in unicodedata.normalize("NFC", name)
                   if unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
                   and not "\u202a" <= character <= "\u202e" and not "\u2066" <= character <= "\u2069")
    kept = " ".join(kept.split())
    if not skeleton(kept):
        raise TextError("a name needs something to see")
    if len(folded(kept)) > LONGEST_KEY:
        raise TextError(f"a name has at most {LONGEST_KEY} letters, ligatures written out")
    if folded(kept).startswith(RESERVED):
        raise TextError(f"a name does not begin with {' or '.join(RESERVED)}")
    return kept


def _shorten(known: OrderedDict[str, Any]) -> None:
    while len(known) > KNOWN_TOKENS:
        known.popitem(last=False)
