"""What events, states and messages are made of."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from boyi.core.board import Covered, Stone
from boyi.core.level import MOST
from boyi.core.token import Token
from boyi.core.words import Words

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Level = Annotated[int, Meta(ge=1, le=MOST)]
OpponentName = Annotated[str, Meta(max_length=60)]
SeatNumber = Annotated[int, Meta(ge=0, le=63)]
MoveText = Annotated[str, Meta(min_length=1, max_length=1000)]
Password = Annotated[str, Meta(max_length=200)]
NewPassword = Annotated[str, Meta(min_length=8, max_length=200)]
OptionValue = bool | int | str
MoveSeconds = Literal[1, 3, 10]
"""What the highest level, or an opponent by name, may be given for a move."""


class ClockRule(Struct, frozen=True):
    """How much time each player has."""

    main_ms: Annotated[int, Meta(ge=1_000, le=86_400_000)]
    """For the whole game."""

    increment_ms: Annotated[int, Meta(ge=0, le=600_000)] = 0
    """Added whenever a turn is passed on."""


class Settings(Struct, frozen=True):
    """The settings of a room, fixed when it is created."""

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
    """The AI plays on for a player whose time is up; else that player loses."""

    ai_level: Level = 5
    """Which level takes over in those cases."""


class Player(Struct, frozen=True, gc=False, omit_defaults=True):
    """Who holds a seat when a game begins."""

    name: str
    person: str | None
    level: int | None
    seconds: int | None = None
    opponent: str = ""


class Standing(Struct, frozen=True, gc=False):
    """How a game stands, as the viewer knows it."""

    turn: int | None
    """Who is to act; None when the game is over."""

    position: str
    task: Words | None = None
    """What the player to act has to do, in games with several kinds of actions."""

    checked: bool = False
    pools: list[Covered] | None = None
    """In games with covered pieces: what they may be. The odds of each are its share of its owner's pool."""

    tokens: list[Token] | None = None
    """What lies beside the board, in games that have anything there: dice, scores."""


class Truth(Struct, frozen=True, gc=False):
    """A game that had secrets, with everything that was hidden."""

    start: str
    moves: list[str]
    position: str
    stones: list[Stone]
    tokens: list[Token] | None = None
