"""What may be known of a room.

The server and every client hold the same `RoomState` and change it by the same `reducer.apply`, so that a client
that has seen every event knows what a newcomer is told. There is nothing secret in it: the server's own copy is a
spectator's.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from boyi.core.board import Stone
from boyi.core.words import Words
from boyi.server.protocol.parts import Settings, Standing

Phase = Literal["waiting", "playing", "finished", "closed"]


class PersonState(Struct):
    """A person in the room."""

    person: str
    name: str
    account: bool = False
    agent: str = ""
    ready: bool = False
    away_until: int | None = None
    """Disconnected: until when there is time to come back; None for a person who is connected."""


class SeatState(Struct):
    """A seat. The AI plays it exactly when there is a level."""

    person: str | None = None
    level: int | None = None
    epoch: int = 0
    seconds: int | None = None
    opponent: str = ""
    """See `AiSeated`."""


class PlyState(Struct, gc=False):
    """A move of the game."""

    seat: int | None
    text: str
    level: int | None = None
    forced: bool = False
    fallback: bool = False
    spent_ms: int = 0


class Result(Struct):
    """How a game ended."""

    places: list[int]
    reason: str
    words: Words
    rated: bool


class GameState(Struct):
    """The game that is played, or the last one."""

    number: int
    names: list[str]
    date: str
    rated: bool
    commitment: str
    start: str
    stones: list[Stone]
    standing: Standing
    began: int
    """When the present turn began, on the room's clock."""

    turn_seq: int
    """Which event began it; a move must have seen it."""

    plies: list[PlyState] = field(default_factory=list)
    clocks_ms: list[int] | None = None
    """What each had left when the present turn began."""

    left: list[int] = field(default_factory=list)
    """Seats whose players gave up while the others play on."""

    flagged: list[int] = field(default_factory=list)
    """Seats whose time was up, and which the AI plays to the end."""

    assisted: list[int] = field(default_factory=list)
    """Seats that the AI played for a while."""

    draw: list[int] = field(default_factory=list)
    """Seats that offer a draw."""

    takeback: list[int] = field(default_factory=list)
    """Who asks to take moves back, then those who agreed."""

    rematch: list[int] = field(default_factory=list)
    result: Result | None = None
    seed: str = ""
    forfeit: Result | None = None
    """The rated result, of a game that goes on unrated because the AI plays for one who lost it by that."""


class Line(Struct):
    """A line of chat."""

    at: int
    person: str
    name: str
    text: str


class RoomState(Struct):
    """All that a viewer may know of a room."""

    room: str
    seq: int = 0
    at: int = 0
    """When the last event happened, on the room's clock."""

    settings: Settings | None = None
    date: str = ""
    phase: Phase = "waiting"
    host: str | None = None
    persons: list[PersonState] = field(default_factory=list)
    seats: list[SeatState] = field(default_factory=list)
    game: GameState | None = None
    chat: list[Line] = field(default_factory=list)
    muted: list[str] = field(default_factory=list)
    """Persons who cannot chat, also when they come again."""

    def person(self, identity: str | None) -> PersonState | None:
        return next((one for one in self.persons if one.person == identity), None)

    def seat_of(self, identity: str | None) -> int | None:
        if identity is None:
            return None
        return next((number for number, seat in enumerate(self.seats) if seat.person == identity), None)
