"""What happens in a room.

An `Event` is a body with a number (`seq`, from 1 without gaps) and a time (`at`, in milliseconds on the
room's own clock). Events are all that is stored: replaying them gives the room.

Most bodies are for everybody's eyes and go out as they are: `PUBLIC`. The others exist twice, as they
are stored and, with a name ending in `View`, as one viewer may see them. What is in neither list cannot
leave the server.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Level = Annotated[int, Meta(ge=1, le=10)]
SeatNumber = Annotated[int, Meta(ge=0, le=63)]
Milliseconds = Annotated[int, Meta(ge=0, le=2**53)]
OptionValue = bool | int | str


class Text(Struct, frozen=True, gc=False):
    """The same thing said in both languages."""

    en: str
    zh: str


class ClockRule(Struct, frozen=True):
    """How much time each player has."""

    main_ms: Annotated[int, Meta(ge=1_000, le=86_400_000)]
    """For the whole game."""

    increment_ms: Annotated[int, Meta(ge=0, le=600_000)] = 0
    """Added whenever a turn is passed on."""


class Settings(Struct, frozen=True):
    """What was agreed when the room was made."""

    game: str
    options: dict[str, OptionValue]
    """Every rule option, also those left at their defaults."""

    players: int
    clock: ClockRule | None = None
    rated: bool = False
    public: bool = True
    """Listed in the lobby; else found by its link only."""

    locked: bool = False
    """Joining needs a password."""

    ai_on_disconnect: bool = False
    """A player who stays away too long is replaced by the AI; else the others may claim the game."""

    ai_on_flag: bool = False
    """The AI plays on for a player whose time is up; else he loses."""

    ai_level: Level = 5
    """Which level takes over in those cases."""


def snake(name: str) -> str:
    """
    >>> snake("TakenBackView")
    'taken_back'
    """
    name = name.removesuffix("View")
    return "".join(("_" + letter.lower()) if letter.isupper() else letter for letter in name).lstrip("_")


class Stone(Struct, frozen=True, gc=False):
    """A stone on a point."""

    point: str
    glyph: str


class Truth(Struct, frozen=True, gc=False):
    """A game that had secrets, with everything that was hidden."""

    start: str
    moves: list[str]
    position: str
    stones: list[Stone]


class Body(Struct, frozen=True, tag_field="kind", tag=snake, gc=False):
    """Something that happened."""


# ---------------------------------------------------------------------- for everybody's eyes

class Joined(Body, frozen=True):
    """Somebody came in."""

    person: str
    name: str
    account: bool = False
    """The name is that of an account, and nobody else's."""

    agent: str = ""
    """For a program: what it says it is."""


class Left(Body, frozen=True):
    """Somebody is no longer here."""

    person: str
    why: Literal["left", "kicked", "away"] = "left"


class HostChanged(Body, frozen=True):
    """Somebody else now decides about the room."""

    person: str


class Sat(Body, frozen=True):
    """A person took a seat."""

    person: str
    seat: int


class Stood(Body, frozen=True):
    """A person gave a seat free."""

    person: str
    seat: int


class AiSeated(Body, frozen=True):
    """The AI was put into an empty seat, or taken out of it (no level)."""

    seat: int
    level: int | None


class Readied(Body, frozen=True):
    """A person is ready to begin, or no longer."""

    person: str
    ready: bool


class Handed(Body, frozen=True):
    """A seat changed hands: to the AI of a level, or back to its person (no level)."""

    seat: int
    level: int | None
    epoch: int
    """How often the seat has changed hands; an answer of the AI from an earlier epoch is void."""

    why: Literal["asked", "disconnected", "flag"] = "asked"


class DrawOffered(Body, frozen=True):
    """A player offers a draw, or agrees to one."""

    seat: int


class DrawDeclined(Body, frozen=True):
    """A player will not have a draw."""

    seat: int


class TakebackOffered(Body, frozen=True):
    """A player wishes to take moves back, or (a second seat) agrees to it."""

    seat: int


class TakebackDeclined(Body, frozen=True):
    """A player will not have moves taken back."""

    seat: int


class RematchOffered(Body, frozen=True):
    """A player would like another game."""

    seat: int


class Away(Body, frozen=True):
    """A person's connection is gone."""

    person: str
    until: int
    """When (on the room's clock) patience ends."""


class Back(Body, frozen=True):
    """A person is connected again."""

    person: str


class Said(Body, frozen=True):
    """Chat."""

    person: str
    text: str


class Paused(Body, frozen=True):
    """The server stops; the clocks go on from here when it is back."""


class Closed(Body, frozen=True):
    """The room is no more."""

    why: Literal["closed", "empty"]


class Ended(Body, frozen=True):
    """The game is over."""

    places: list[int]
    """Per seat, 1 for the best; equal ones share a place."""

    reason: str
    words: Text
    rated: bool
    seed: str = ""
    """In hexadecimal, what all draws came from; empty in games without chance."""

    truth: Truth | None = None
    """Where the game had secrets: all of it."""


# ---------------------------------------------------------------------- as stored, with secrets

class Created(Body, frozen=True):
    """The room was made."""

    settings: Settings
    date: str
    password: str = ""
    """Hashed. Stays here."""


class Player(Struct, frozen=True, gc=False):
    """Who holds a seat when a game begins."""

    name: str
    person: str | None
    level: int | None


class Started(Body, frozen=True):
    """A game began."""

    number: int
    """Which game of this room, from 1."""

    players: list[Player]
    date: str
    rated: bool
    commitment: str = ""
    seed: str = ""
    """Stays here until the game is over."""


class Moved(Body, frozen=True):
    """A move was made."""

    seat: int | None
    """None for what chance brings before anybody moves."""

    text: str
    """In the referee's writing, with everything that chance added."""

    plies: int
    """How many moves of the position that are: the decision and what chance added."""

    level: int | None = None
    """The AI that chose it; None for a person."""

    forced: bool = False
    """There was nothing to choose; the room played it."""

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
    """Who wanted it, and is to act again."""

    moves: int


class Resigned(Body, frozen=True):
    """A player gave up."""

    seat: int
    why: Literal["resignation", "time", "abandoned"] = "resignation"
    text: str = ""
    """Where the others play on: the move by which the rules know it."""


# ---------------------------------------------------------------------- as one viewer may see it

class Change(Struct, frozen=True, omit_defaults=True, gc=False):
    """One thing that a move does to the board (see `boyi.core.board.Change`)."""

    kind: str
    point: str
    glyph: str
    to: str | None = None


class Covered(Struct, frozen=True, gc=False):
    """So many of what is covered may be this, as far as the viewer knows."""

    seat: int
    """Whose it is."""

    glyph: str
    count: int


class Standing(Struct, frozen=True, gc=False):
    """How a game stands, as the viewer knows it."""

    turn: int | None
    """Who is to act; None when the game is over."""

    position: str
    task: Text | None = None
    """What he has to do, in games with several kinds of actions."""

    checked: bool = False
    pools: list[Covered] | None = None
    """In games with covered pieces: what they may be. The odds of each are its share of its owner's pool."""


class CreatedView(Body, frozen=True):
    """The room was made."""

    settings: Settings
    date: str


class StartedView(Body, frozen=True):
    """A game began."""

    number: int
    players: list[Player]
    date: str
    rated: bool
    commitment: str
    """Fixes the seed that all draws come from; empty in games without chance."""

    start: str
    stones: list[Stone]
    standing: Standing
    clocks_ms: list[int] | None


class MovedView(Body, frozen=True):
    """A move was made."""

    seat: int | None
    text: str
    path: list[str]
    changes: list[Change]
    standing: Standing
    level: int | None
    forced: bool
    fallback: bool
    spent_ms: int
    credit_ms: int
    clocks_ms: list[int] | None


class TakenBackView(Body, frozen=True):
    """Moves were taken back."""

    seat: int
    moves: int
    stones: list[Stone]
    standing: Standing


class ResignedView(Body, frozen=True):
    """A player gave up."""

    seat: int
    why: str
    text: str
    standing: Standing


PUBLIC = (Joined, Left, HostChanged, Sat, Stood, AiSeated, Readied, Handed, DrawOffered, DrawDeclined, TakebackOffered,
          TakebackDeclined, RematchOffered, Away, Back, Said, Paused, Closed, Ended)
"""What goes out as it is stored."""

PublicBody = (
    Joined | Left | HostChanged | Sat | Stood | AiSeated | Readied | Handed | DrawOffered | DrawDeclined
    | TakebackOffered | TakebackDeclined | RematchOffered | Away | Back | Said | Paused | Closed | Ended
    | CreatedView | StartedView | MovedView | TakenBackView | ResignedView)
StoredBody = (
    Joined | Left | HostChanged | Sat | Stood | AiSeated | Readied | Handed | DrawOffered | DrawDeclined
    | TakebackOffered | TakebackDeclined | RematchOffered | Away | Back | Said | Paused | Closed | Ended
    | Created | Started | Moved | TakenBack | Resigned)


class Cause(Struct, frozen=True, gc=False):
    """Which request of whom an event answers: what makes a repeated request harmless."""

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
