"""Who is connected to a room, and what they are sent.

Players are told at once, a crowd of spectators in portions, so that nobody else has to wait for it. What happened
lately is kept ready for clients that come back.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from boyi.server.protocol.messages import Turn, encode
from boyi.server.rooms import Identity

RECENT = 32
"""How many events are kept ready; a client that missed more is told the whole room."""

PORTION = 50
"""How many spectators are told before others have their turn."""

Told = dict[int | None, str]
"""An event as each viewer is told it, encoded; viewers that are not in it are told what spectators (None) are."""


class Listener(Protocol):
    """A connected client."""

    identity: Identity | None
    address: str
    """Where it comes from."""

    @property
    def unsent(self) -> int:
        """How many messages wait until it reads."""
        ...

    @property
    def unheard_ms(self) -> int | None:
        """When the oldest request arrived that is not carried out yet, on the server's fair clock."""
        ...

    def send(self, text: str) -> None:
        """Queue a message; never waits."""
        ...

    def dismiss(self, code: str) -> None:
        """Say why, and end the connection."""
        ...


class Audience:
    """The listeners of a room."""

    def __init__(self, viewer_of: Callable[[str], int | None]) -> None:
        self._viewer_of = viewer_of
        """Which seat a person has."""

        self.listeners: dict[Listener, None] = {}
        self.connected: frozenset[str] = frozenset()
        """The persons among them."""

        self._recent: deque[tuple[int, Told]] = deque(maxlen=RECENT)
        self._waiting: deque[tuple[list[Listener], list[str]]] = deque()
        """Spectators who are still to be told, and what."""

    def __len__(self) -> int:
        return len(self.listeners)

    def viewer(self, listener: Listener) -> int | None:
        """By which seat's view a listener sees the game; None for a spectator's."""
        return self._viewer_of(listener.identity.person) if listener.identity else None

    def add(self, listener: Listener) -> None:
        self.listeners[listener] = None
        if listener.identity is not None:
            self.connected |= {listener.identity.person}

    def remove(self, listener: Listener) -> None:
        self.listeners.pop(listener, None)
        if listener.identity is not None:
            self.connected = frozenset(one.identity.person for one in self.listeners if one.identity is not None)

    def unheard_ms(self, person: str | None) -> int | None:
        """When the oldest request of a person arrived that is not carried out yet, on the server's fair clock."""
        arrived = [one.unheard_ms for one in self.listeners
                   if one.identity is not None and one.identity.person == person]
        return min((at for at in arrived if at is not None), default=None)

    def dismiss_all(self, code: str) -> None:
        for listener in list(self.listeners):
            listener.dismiss(code)

    def tell(self, told: Sequence[tuple[int, Told]], turn: Turn | None) -> None:
        """Tell everyone what happened, and the player to act that it is their turn."""
        self._recent += told
        turn_text = "" if turn is None else encode(turn)
        crowd = []
        for listener in list(self.listeners):
            if listener.identity is None:
                crowd.append(listener)
                continue
            viewer = self.viewer(listener)
            for _, views in told:
                listener.send(views.get(viewer, views[None]))
            if turn is not None and viewer == turn.seat:
                listener.send(turn_text)
        if crowd:
            is_telling = bool(self._waiting)
            self._waiting.append((crowd, [views[None] for _, views in told]))
            if not is_telling:
                self._tell_portion()

    def _tell_portion(self) -> None:
        """Tell a portion of the spectators; the next one when others have had their turn."""
        crowd, texts = self._waiting[0]
        for listener in crowd[:PORTION]:
            for text in texts:
                listener.send(text)
        del crowd[:PORTION]
        if not crowd:
            self._waiting.popleft()
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._tell_portion)

    def missed(self, viewer: int | None, seen: int | None, last: int) -> list[str] | None:
        """The events up to `last` that a viewer has not seen; None if that is more than is kept."""
        if seen is None or seen > last:
            return None
        texts = [views.get(viewer, views[None]) for seq, views in self._recent if seq > seen]
        return texts if len(texts) == last - seen else None
