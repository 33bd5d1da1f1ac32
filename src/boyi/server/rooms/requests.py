"""Which requests were carried out already, so that a repeated one is acknowledged again and not done twice."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from boyi.server.protocol.events import Cause
from boyi.server.protocol.refusals import Refusal

MOST_CLIENTS = 8
"""Of one person, whose requests are remembered."""

REMEMBERED = 32
"""How many of a client's last requests can be repeated and are acknowledged again."""


@dataclass
class _Client:
    """What a client has been acknowledged."""

    last: int = 0
    done: OrderedDict[int, int] = field(default_factory=OrderedDict)
    """From an id to the last event that it caused."""


@dataclass
class Requests:
    """The last requests of every client, by person and client."""

    _clients: OrderedDict[tuple[str, str], _Client] = field(default_factory=OrderedDict)

    def find(self, person: str, client: str, number: int) -> int | None:
        """The last event that a request caused; None if it is new. One that comes after a later one is refused."""
        known = self._clients.get((person, client))
        if known is None or number > known.last:
            return None
        if number not in known.done:
            raise Refusal("late")
        return known.done[number]

    def remember(self, cause: Cause, seq: int) -> None:
        """A request caused an event."""
        key = cause.person, cause.client
        client = self._clients.setdefault(key, _Client())
        client.last = cause.id
        client.done[cause.id] = seq
        while len(client.done) > REMEMBERED:
            client.done.popitem(last=False)
        self._clients.move_to_end(key)
        own = [other for other in self._clients if other[0] == cause.person]
        if len(own) > MOST_CLIENTS:
            del self._clients[own[0]]
