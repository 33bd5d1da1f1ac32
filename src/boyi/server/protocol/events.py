"""What happens in a room, as it is stored.

An `Event` is a body with a number (`seq`, from 1 without gaps) and a time (`at`, in milliseconds on the
room's own clock). Events are all that is stored: replaying them gives the room.

Most bodies are public and are sent as they are: `Public`. The others are sent as their counterpart in `views`. A body
that is in neither list cannot leave the server.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from boyi.core.words import Words
from boyi.server.protocol.parts import Player, Settings, Truth


def snake(name: str) -> str:
    """
    >>> snake("TakenBackView")
    'taken_back'
    """
    name = name.removesuffix("View")
    return "".join(("_" + letter.lower()) if letter.isupper() else letter for letter in name).lstrip("_")


class Body(Struct, frozen=True, tag_field="kind", tag=snake, gc=False):
    """Something that happened."""


# ---------------------------------------------------------------------- public

class Joined(Body, frozen=True):
    """A person joined the room."""

    person: str
    name: str
    account: bool = False
    """The name is that of an account, and nobody else's."""

    agent: str = ""
    """For a program: what it says it is."""


class Left(Body, frozen=True):
    """A person is no longer in the room."""

    person: str
    why: Literal["left", "kicked", "away"] = "left"


class HostChanged(Body, frozen=True):
    """Another person is the host now."""

    person: str


class Sat(Body, frozen=True):
    """A person took a seat."""

    person: str
    seat: int


class Stood(Body, frozen=True):
    """A person gave up a seat."""

    person: str
    seat: int


class AiSeated(Body, frozen=True, omit_defaults=True):
    """The AI was put into an empty seat, or taken out of it (no level)."""

    seat: int
    level: int | None
    seconds: int | None = None
    """For a move of the highest level or of an opponent by name."""

    opponent: str = ""
    """Who plays in place of the level, by name."""


class Readied(Body, frozen=True):
    """A person is ready to begin, or no longer."""

    person: str
    ready: bool


class Handed(Body, frozen=True, omit_defaults=True):
    """A seat changed hands: to the AI of a level, or back to its person (no level)."""

    seat: int
    level: int | None
    epoch: int
    """How often the seat has changed hands; an answer of the AI from an earlier epoch is void."""

    why: Literal["asked", "disconnected", "flag"]
    seconds: int | None = None
    opponent: str = ""
    """As in `AiSeated`."""


class Forfeited(Body, frozen=True):
    """A player lost a rated game because the AI plays their seat from now on; the game goes on unrated."""

    seat: int
    places: list[int]
    """The rated result. Per seat, 1 for the best."""

    reason: Literal["handed_over", "abandoned", "time"]
    words: Words


class DrawOffered(Body, frozen=True):
    """A player offers a draw, or agrees to one."""

    seat: int


class DrawDeclined(Body, frozen=True):
    """A player declines a draw."""

    seat: int
    why: Literal["", "early", "plays_on"] = ""
    """Why the AI does: nothing has settled down yet, or it wants to play on. People say it themselves."""


class TakebackOffered(Body, frozen=True):
    """A player asks to take moves back, or (a second seat) agrees to it."""

    seat: int


class TakebackDeclined(Body, frozen=True):
    """A player declines a take-back."""

    seat: int


class RematchOffered(Body, frozen=True):
    """A player offers a rematch."""

    seat: int


class Away(Body, frozen=True):
    """A person's connection is gone."""

    person: str
    until: int
    """When (on the room's clock) the time to come back is over."""


class Back(Body, frozen=True):
    """A person is connected again."""

    person: str


class Said(Body, frozen=True):
    """Chat."""

    person: str
    text: str


class Muted(Body, frozen=True):
    """The host muted a person: they cannot chat; or they can again."""

    person: str
    muted: bool


class Paused(Body, frozen=True):
    """The server stops; the clocks go on from here when it is back."""


class Stalled(Body, frozen=True):
    """The server stood still while a clock ran; that time was charged to nobody."""

    ms: int
    """For how long since the last event, in milliseconds; what is shorter than 100 is not told."""


class Closed(Body, frozen=True):
    """The room is closed."""

    why: Literal["closed", "empty"]


class Ended(Body, frozen=True):
    """The game is over."""

    places: list[int]
    """Per seat, 1 for the best; equal ones share a place."""

    reason: str
    words: Words
    rated: bool
    seed: str = ""
    """In hexadecimal, what all draws came from; empty in games without chance."""

    truth: Truth | None = None
    """Where the game had secrets: all of it."""


# ---------------------------------------------------------------------- as stored, with secrets

class Created(Body, frozen=True):
    """The room was created."""

    settings: Settings
    date: str
    password: str = ""
    """Hashed; never sent."""


class Started(Body, frozen=True):
    """A game began."""

    number: int
    """Which game of this room, from 1."""

    players: list[Player]
    date: str
    rated: bool
    commitment: str = ""
    seed: str = ""
    """Secret until the game is over."""


class Moved(Body, frozen=True):
    """A move was made."""

    seat: int | None
    """None for what chance brings before the first move."""

    text: str
    """In the referee's writing, with everything that chance added."""

    plies: int
    """How many moves of the position that are: the decision and what chance added."""

    level: int | None = None
    """The AI that chose it; None for a person."""

    forced: bool = False
    """The only legal move; the room played it."""

    fallback: bool = False
    """The AI did not answer in time; the room played a legal move for it."""

    spent_ms: int = 0
    """What it cost on the clock."""

    credit_ms: int = 0
    """What the network took and was not counted."""

    clocks_ms: list[int] | None = None
    """What each player has left after it."""


class TakenBack(Body, frozen=True):
    """Moves were taken back."""

    seat: int
    """Who asked for it, and is to act again."""

    moves: int


class Resigned(Body, frozen=True):
    """A player resigned, or lost on time or by leaving."""

    seat: int
    why: Literal["resignation", "time", "abandoned"] = "resignation"
    text: str = ""
    """Where the others play on: the forfeit, a move of the rules."""


Public = (
    Joined | Left | HostChanged | Sat | Stood | AiSeated | Readied | Handed | Forfeited | DrawOffered
    | DrawDeclined | TakebackOffered | TakebackDeclined | RematchOffered | Away | Back | Said | Muted | Paused
    | Stalled | Closed | Ended)
"""What is sent as it is stored."""

StoredBody = Public | Created | Started | Moved | TakenBack | Resigned


class Cause(Struct, frozen=True, gc=False):
    """Which request of which client an event answers: it makes a repeated request harmless."""

    person: str
    client: str
    id: int


class Event(Struct, frozen=True, gc=False):
    """Something that happened, with its place and time."""

    seq: int
    at: int
    body: StoredBody
    cause: Cause | None = None


_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def encode_event(event: Event) -> bytes:
    return _encoder.encode(event)


def decode_event(data: bytes) -> Event:
    return _decoder.decode(data)


def kind_of(body: Any) -> str:
    """The name of a body's kind, as it is written."""
    return str(body.__struct_config__.tag)
