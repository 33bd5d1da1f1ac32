"""Requests and responses about games that were played and who played them: one's own games, profiles, ratings."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from boyi.core.board import Stone
from boyi.core.words import Words
from boyi.server.protocol.parts import OptionValue
from boyi.server.protocol.puzzles import PuzzleRating


class FinishedInfo(Struct, frozen=True):
    """A game that is over, with all that a page about it shows."""

    room: str
    number: int
    game: str
    options: dict[str, OptionValue]
    start: str
    """The position text it begins with; empty for the start of the game."""

    moves: list[str]
    """In the game's own writing."""

    stones: list[Stone]
    """Where it ended."""

    path: list[str]
    """Of the last move."""

    rated: bool
    names: list[str]
    places: list[int]
    """Per seat, 1 for the best; equal ones share a place."""

    reason: Words | None
    """Why it ended; null where nobody wrote that down."""

    date: str
    open: bool
    """Anyone may see it; else only those who played it, and who knows the room's password."""


class AskMyGames(Struct, frozen=True, forbid_unknown_fields=True):
    """The games that one has played, by all the tokens that one has had: a nickname is a person of its own."""

    tokens: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=16)]
    """Those that are not valid any more are passed over."""

    game: Annotated[str, Meta(max_length=60)] = ""
    """Only this game; empty for all of them."""

    result: Literal["", "won", "drawn", "lost"] = ""
    opponent: Literal["", "people", "computer"] = ""
    """Only games among people, or with the computer in a seat."""

    after: tuple[int, Annotated[str, Meta(max_length=40)], int] | None = None
    """Go on after this place, as `MyGames.next` said."""


class AskMyFile(AskMyGames, frozen=True):
    """The games that one has played, as one file; the latest 1,000 of them."""

    format: Annotated[str, Meta(max_length=60)] = "boyi"
    """One that the games can be written in: `boyi` takes games of all kinds."""


class MyGame(Struct, frozen=True):
    """A game that one has played."""

    room: str
    number: int
    game: str
    options: dict[str, OptionValue]
    """Every rule option; none for a game whose record cannot be read any more."""

    seat: int
    """One's own."""

    result: Literal["won", "drawn", "lost"]
    rated: bool
    names: list[str]
    places: list[int]
    reason: Words | None
    ended: int
    """In milliseconds since 1970."""

    moves: int
    stones: list[Stone]
    """Where it ended."""

    path: list[str]
    """Of the last move."""


class RunningGame(Struct, frozen=True):
    """A game that one is playing."""

    room: str
    game: str
    seat: int
    names: list[str]
    moves: int
    rated: bool
    options: dict[str, OptionValue] | None
    stones: list[Stone] | None
    """As one sees it; null while nobody is in the room."""

    my_turn: bool | None


class MyGames(Struct, frozen=True):
    """The games that one has played, the latest first."""

    running: list[RunningGame]
    """Only on the first page."""

    games: list[MyGame]
    total: int
    """Of all pages."""

    kinds: list[str]
    """Which games one has played at all."""

    next: tuple[int, str, int] | None
    """Where the next page begins; null if there is none."""


class RatingRow(Struct, frozen=True):
    """A player's rating at a game, by their rated games."""

    name: str
    elo: int
    error: int
    """Half the 95 % interval."""

    games: int


class RatingPoint(Struct, frozen=True):
    """A rating as it was."""

    at: int
    """When, in milliseconds since 1970."""

    elo: int


class ProfileGame(Struct, frozen=True):
    """How a player does at a game."""

    game: str
    won: int
    drawn: int
    lost: int
    rating: RatingRow | None
    rank: int | None
    """Among all who are rated, 1 for the strongest."""

    curve: list[RatingPoint]
    """How the rating came about, the earliest first."""


class OpponentScore(Struct, frozen=True):
    """How a player came out against another, or against a level."""

    name: str
    won: int
    drawn: int
    lost: int


class FavouriteOpening(Struct, frozen=True):
    """An opening that a player often plays, with either side."""

    game: str
    name: Words
    code: str
    won: int
    drawn: int
    lost: int


class Profile(Struct, frozen=True):
    """What anyone may know of the owner of an account, by the latest 1,000 games that were not private."""

    name: str
    since: int
    """When the account was made, in milliseconds since 1970."""

    games: list[ProfileGame]
    opponents: list[OpponentScore]
    """Those that were met most often."""

    openings: list[FavouriteOpening]
    puzzles: dict[str, PuzzleRating]


OVER_HTTP: tuple[type[Struct], ...] = (
    FinishedInfo, AskMyGames, AskMyFile, MyGame, RunningGame, MyGames, RatingRow, RatingPoint, ProfileGame,
    OpponentScore, FavouriteOpening, Profile)
