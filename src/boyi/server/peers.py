"""Other servers of the same database."""

from __future__ import annotations

import contextlib
import logging
import time

from boyi.server import passwords
from boyi.server.client import ServerError, call
from boyi.server.likeness import Likeness
from boyi.server.protocol.refusals import Refusal
from boyi.server.store import LEASE_MS, StorageError, Store

log = logging.getLogger("boyi.peers")

SERVER_HEADER, CLIENT_HEADER = "X-Boyi-Server", "X-Boyi-Client"

PLAYED_PATH = "/api/played"
ANSWER_SECONDS = 2.0
"""How long another server is waited for."""

SILENT_SECONDS = 10.0
"""How long a server that could not be reached is taken to be dead; its leases end sooner."""

KNOWN_SECONDS = 60.0
"""How long a server is known without asking the database."""


class Peers:
    """How servers of a database know each other: by names that only the database tells."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.own_name = ""
        """What this server is called in leases: its address, and what tells it from an earlier one there."""

        self._known: dict[str, float] = {}
        """Other servers, and until when they are known."""

        self._silent: dict[str, float] = {}
        """Servers that did not answer, and until when they are taken to be dead."""

    def introduce(self, address: str) -> None:
        """This server is reached at an address."""
        self.own_name = f"{address}#{passwords.new_identity()}"

    def credentials(self, client: str) -> dict[str, str]:
        """Headers that tell another server that this is one too, and for whom it asks."""
        return {SERVER_HEADER: self.own_name, CLIENT_HEADER: client}

    def note_silence(self, name: str) -> None:
        """A server could not be reached."""
        self._silent = {other: self._silent[other] for other in self.silent}
        self._silent[name] = time.monotonic() + SILENT_SECONDS

    @property
    def silent(self) -> list[str]:
        """The servers that could not be reached of late."""
        return [name for name, until in self._silent.items() if until > time.monotonic()]

    def is_silent(self, name: str) -> bool:
        """Is a server dead, as far as is known? Its rooms are free when its leases have ended."""
        is_predecessor = name != self.own_name and address_of(name) == address_of(self.own_name)
        return is_predecessor or self._silent.get(name, 0.0) > time.monotonic()

    def knows(self, name: str) -> bool:
        """Is it the name of another server, as far as that is known without asking the database?"""
        return self._known.get(name, 0.0) > time.monotonic()

    async def is_server(self, name: str) -> bool:
        """Is it the name of another server of this database?"""
        if self.knows(name):
            return True
        now = time.monotonic()
        self._known.pop(name, None)
        with contextlib.suppress(StorageError):
            if self._store.is_shared and await self._store.leases.is_server(name):
                self._known[name] = now + KNOWN_SECONDS
        return name in self._known

    async def is_played(self, name: str, keys: list[Likeness], client: str) -> bool:
        """Is one of these positions being played at another server? For a client who wants it analysed.

        A server that does not answer may own the game: then a `Refusal` asks the client to come back.
        """
        try:
            return bool(await call(address_of(name), "POST", PLAYED_PATH, keys, headers=self.credentials(client),
                                   seconds=ANSWER_SECONDS))
        except ServerError as error:
            log.warning("another server does not say what is played there: %s", error)
            raise Refusal("flood", "it is not known yet whether this is being played", retry_after=LEASE_MS / 1000) \
                from error


def address_of(name: str) -> str:
    """Where a server of that name is reached.

    >>> address_of("http://10.0.0.7:8000#x1y2")
    'http://10.0.0.7:8000'
    """
    return name.partition("#")[0]
