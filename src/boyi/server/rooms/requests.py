"""Which requests were carried out already, so that a repeated one is acknowledged again and not done twice.

What is remembered is bounded: the last requests of a person's last clients, of the people who asked last. What is
forgotten leaves a floor behind, the last event that it caused. A request that was carried out had not seen the events
that it caused; so one that comes from a client that is not remembered, and has seen less than the floor, may have been
carried out before and is refused as `late`. A client that is really new has just been told the whole room and is above
the floor.

Requests are remembered by their events, so after a restart the same ones are.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from boyi.server.protocol.events import Cause
from boyi.server.protocol.refusals import Refusal

REMEMBERED = 32
"""How many of a client's last requests can be repeated and are acknowledged again."""

MOST_CLIENTS = 8
"""Of one person, whose requests are remembered."""

MOST_PEOPLE = 256
"""Of one room: four times as many as can be in it."""


@dataclass
class _Client:
    """What a client has been acknowledged."""

    last: int = 0
    done: OrderedDict[int, int] = field(default_factory=OrderedDict)
    """From an id to the last event that it caused."""

    seq: int = 0
    """The last event that any of its requests caused."""


@dataclass
class _Person:
    """The clients of a person, the last one to ask at the end."""

    floor: int
    """The last event that was caused by a client of theirs that is forgotten."""

    clients: OrderedDict[str, _Client] = field(default_factory=OrderedDict)

    @property
    def last_seq(self) -> int:
        return max(self.floor, *(client.seq for client in self.clients.values()))


@dataclass
class Requests:
    """The last requests of every client."""

    _people: OrderedDict[str, _Person] = field(default_factory=OrderedDict)
    """The last one to ask at the end."""

    _floor: int = 0
    """The last event that was caused by a person who is forgotten."""

    def find(self, person: str, client: str, number: int, seen: int) -> int | None:
        """The last event that a request caused; None if it is new. One that may have been done already, or that comes
        after a later one, is refused."""
        known = self._people.get(person)
        found = known.clients.get(client) if known is not None else None
        if found is None:
            if seen < (self._floor if known is None else known.floor):
                raise Refusal("late", "this client has been silent for too long to tell whether it was done already")
            return None
        if number > found.last:
            return None
        if number not in found.done:
            raise Refusal("late")
        return found.done[number]

    def remember(self, cause: Cause, seq: int) -> None:
        """A request caused an event."""
        # 1. The request, of a client, of a person.
        person = self._people.get(cause.person)
        if person is None:
            person = self._people[cause.person] = _Person(self._floor)
        client = person.clients.get(cause.client)
        if client is None:
            client = person.clients[cause.client] = _Client()
        client.last, client.seq = cause.id, seq
        client.done[cause.id] = seq
        # 2. Those who asked before are forgotten first.
        self._people.move_to_end(cause.person)
        person.clients.move_to_end(cause.client)
        if len(client.done) > REMEMBERED:
            client.done.popitem(last=False)
        if len(person.clients) > MOST_CLIENTS:
            person.floor = max(person.floor, person.clients.popitem(last=False)[1].seq)
        if len(self._people) > MOST_PEOPLE:
            self._floor = max(self._floor, self._people.popitem(last=False)[1].last_seq)
