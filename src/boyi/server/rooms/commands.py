"""What a room can be asked, and what it answers.

People ask by `protocol.messages.Command`; here is what the server itself asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from boyi.core.position import Position
from boyi.server.protocol.events import Event, Moved, Resigned, StoredBody
from boyi.server.protocol.parts import Settings


@dataclass(frozen=True)
class Identity:
    """Who asks."""

    person: str
    name: str
    account: bool = False
    client: str = ""
    """Which of the person's clients; request numbers count per client."""


@dataclass(frozen=True)
class Moment:
    """What the outside world adds to a command."""

    now_ms: int
    """On the room's clock (`room_clock`): when the command arrived. It may have waited since, and events with it."""

    lag_ms: int = 0
    """The network lag, as the server measured it."""

    entropy: bytes = b""
    """32 fresh random bytes: the seed, should a game begin."""

    date: str = ""
    """Today, ISO 8601."""

    connected: frozenset[str] = frozenset()
    """The persons who are connected when the command is carried out."""

    stalled_ms: int = 0
    """For how long the server stood still since that was last written down."""


# ---------------------------------------------------------------------- commands of the server itself

@dataclass(frozen=True)
class Create:
    """Create the room; the first command of all."""

    settings: Settings
    password: str = ""
    """Hashed."""


@dataclass(frozen=True)
class EngineMove:
    """What the AI chose. It counts only in the epoch and the turn that the AI was asked in."""

    seat: int
    epoch: int
    turn_seq: int
    move: int
    fallback: bool = False


@dataclass(frozen=True)
class EngineAnswer:
    """What the AI answers to a draw that it was offered, by the event with the last offer."""

    seat: int
    offer_seq: int
    why: Literal["", "early", "plays_on"]
    """Why it declines; empty if it agrees."""


@dataclass(frozen=True)
class Presence:
    """A person's first connection came, or the last one went: look which (`Moment.connected`)."""

    person: str


@dataclass(frozen=True)
class Tick:
    """Time has passed."""


@dataclass(frozen=True)
class Pause:
    """The server stops."""


@dataclass(frozen=True)
class Shut:
    """An administrator closes the room; a game that is being played ends without a result."""


Internal = Create | EngineMove | EngineAnswer | Presence | Tick | Pause | Shut


# ---------------------------------------------------------------------- answers

@dataclass(frozen=True)
class Written:
    """A body with a move, as text, beside the same move as numbers: nothing has to be read again."""

    body: Moved | Resigned
    moves: tuple[int, ...]


Step = StoredBody | Written
"""One event of a decision, before it has a number and a time."""


@dataclass(frozen=True)
class Decision:
    """What a command comes to."""

    events: tuple[Event, ...]
    """To be stored and applied; none for a request that was done before."""

    seq: int
    """The last event that the request caused."""

    moves: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """By the number of an event: its move as numbers of the position, the decision first."""


@dataclass(frozen=True)
class EngineRequest:
    """The AI is to act."""

    seat: int
    epoch: int
    turn_seq: int
    level: int
    observation: Position
    """What its seat may know, and no more."""

    remaining_ms: int | None
    """On its clock, when it is asked; None without a clock."""

    increment_ms: int
    seconds: int | None = None
    """For a move without a clock, where the level is the highest."""

    opponent: str = ""
    """Who plays in place of the level, by name."""

    @property
    def key(self) -> tuple[int, int, int]:
        """What tells this request from all others of the room."""
        return self.seat, self.epoch, self.turn_seq
