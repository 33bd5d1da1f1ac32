"""Requests and responses over HTTP."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from boyi.core.board import Change, Stone
from boyi.core.words import Words
from boyi.server.protocol.messages import LegalMove, PlayedMove
from boyi.server.protocol.parts import ClockRule, Level, MoveText, Name, NewPassword, OptionValue, Password, Standing


class NewSession(Struct, frozen=True, forbid_unknown_fields=True):
    """A nickname."""

    name: Name


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """An account."""

    name: Name
    password: NewPassword


class Session(Struct, frozen=True):
    """A new session. The token is told once; the server keeps a hash of it."""

    person: str
    name: str
    account: bool
    token: str


class Who(Struct, frozen=True):
    """Whose token it is."""

    person: str
    name: str
    account: bool
    """With an account: rated games are open to them."""


class SessionInfo(Struct, frozen=True):
    """A session of yours."""

    id: str
    created: int
    """When it began, in milliseconds since 1970."""

    used: int
    """When it was last used, to the day."""

    device: str
    """What its client said it is, as "Firefox 131, Linux"; empty if it said nothing."""

    current: bool
    """It is the one that asks."""


class PasswordChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Another password for one's account. All other sessions are ended."""

    old: Password
    new: NewPassword


class Deletion(Struct, frozen=True, forbid_unknown_fields=True):
    """The end of one's account: it must be meant, so it needs the password."""

    password: Password


class OwnChat(Struct, frozen=True):
    """Something you said in a room."""

    room: str
    at: int
    """On the room's clock, in milliseconds."""

    text: str


class OwnReport(Struct, frozen=True):
    """A report that you made."""

    room: str
    created: int
    """When, in milliseconds since 1970."""

    name: str
    """Whom you reported."""

    why: str
    text: str


class OwnRecord(Struct, frozen=True):
    """A game that you played or uploaded."""

    room: str
    number: int
    game: str
    rated: bool
    names: list[str]
    places: list[int]
    date: str
    record: str


class OwnData(Struct, frozen=True):
    """What the server keeps of you, but for hashes of your password and tokens, and who came and went in rooms."""

    person: str
    name: str
    account: bool
    created: int
    """When you first came, in milliseconds since 1970."""

    sessions: list[SessionInfo]
    games: list[OwnRecord]
    uploads: list[OwnRecord]
    chat: list[OwnChat]
    """In the rooms of these games."""

    reports: list[OwnReport]


class NewReport(Struct, frozen=True, forbid_unknown_fields=True):
    """A report about someone in a room, to the operator of the server."""

    room: Annotated[str, Meta(min_length=1, max_length=40)]
    person: Annotated[str, Meta(min_length=1, max_length=40)]
    why: Literal["abuse", "cheating", "name", "spam", "other"]
    text: Annotated[str, Meta(max_length=300)] = ""
    """More, in one's own words."""


class NewRoom(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a new room."""

    game: Annotated[str, Meta(max_length=60)]
    options: dict[str, OptionValue] = {}
    clock: ClockRule | None = None
    rated: bool = False
    public: bool = True
    password: Password = ""
    """Of at least six characters; empty for a room that is open to all."""

    ai_on_disconnect: bool = False
    ai_on_flag: bool = False
    ai_level: Level = 5
    agent: Annotated[str, Meta(max_length=60)] = ""
    """A program that creates a room, and so is in it, says here what it is."""


class RoomSummary(Struct, frozen=True):
    """A room as the lobby lists it."""

    room: str
    game: str
    phase: str
    players: int
    taken: int
    """Seats taken by a person or the AI."""

    names: list[str]
    rated: bool
    locked: bool
    clock: ClockRule | None
    moves: int


class FinishedSummary(Struct, frozen=True):
    """A game that is over, as it is listed."""

    room: str
    number: int
    """Which game of the room."""

    game: str
    rated: bool
    names: list[str]
    places: list[int]
    """Per seat, 1 for the best; equal ones share a place."""

    date: str


class RatingRow(Struct, frozen=True):
    """A player's rating at a game, by their rated games."""

    name: str
    elo: int
    error: int
    """Half the 95 % interval."""

    games: int


class ReadRecord(Struct, frozen=True):
    """A game that was read from a file, replayed and found right."""

    game: str
    options: dict[str, OptionValue]
    start: str
    """The position text it begins with; empty for the start of the game."""

    players: list[str]
    result: list[int] | None
    """Places by seat; None if it is not known."""

    reason: str
    moves: list[str]
    """In the game's own writing."""

    final: str
    kept: str = ""
    """Where it is kept: `GET /api/records/` and this; empty if it was not to be kept."""


class AskGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A game up to some position: what every question about a position begins with."""

    game: Annotated[str, Meta(max_length=60)]
    options: dict[str, OptionValue] = {}
    start: Annotated[str, Meta(max_length=2000)] = ""
    """A position text; empty for the start of the game."""

    moves: Annotated[list[MoveText], Meta(max_length=4000)] = []
    """In any notation of the game. A decision and what chance then adds are one text."""


class AskAnalysis(AskGame, frozen=True):
    """How good are the best moves of a position? Not for a game that is being played here."""

    lines: Annotated[int, Meta(ge=1, le=5)] = 1
    """How many of the best moves."""

    nodes: Annotated[int, Meta(ge=100, le=500_000)] = 50_000
    """How much to search."""


class ArrangedStones(Struct, frozen=True, forbid_unknown_fields=True):
    """A position set up by hand."""

    stones: Annotated[list[Stone], Meta(max_length=500)]
    fields: dict[str, Annotated[str, Meta(max_length=100)]] = {}
    """What else there is to say, as `ShownPosition.fields` names it; what is not said stays as at the start."""


class AskPosition(AskGame, frozen=True):
    """What stands where in a position of any game, and what may be played? It is not kept anywhere."""

    arranged: ArrangedStones | None = None
    """The start as stones, instead of a text."""

    known: Annotated[int, Meta(ge=0)] = 0
    """How many of the moves are known already; only those after them are described."""


class FieldChoice(Struct, frozen=True):
    """One of the values of a field."""

    value: str
    words: Words


class FieldInfo(Struct, frozen=True):
    """Something about a position that its stones do not show, and how it stands."""

    name: str
    title: Words
    choices: list[FieldChoice]
    """None for a field that is written freely."""

    value: str


class ChanceResult(Struct, frozen=True):
    """What may come where chance is to act."""

    text: str
    """The last move with this added, to be put in its place; where nothing was moved yet, a move of its own."""

    changes: list[Change]
    odds: float
    told: Words
    """What it is announced as: "Red rolls 4"."""


class ShownPosition(Struct, frozen=True):
    """A position: as its text tells, and so without any secret."""

    options: dict[str, OptionValue]
    """All of them; a text may have decided some."""

    start: str
    start_stones: list[Stone]
    plies: list[PlayedMove]
    """The moves, from `known` on."""

    stones: list[Stone]
    standing: Standing
    moves: list[LegalMove]
    chance: list[ChanceResult]
    """Where chance is to act, all that may come."""

    places: list[int] | None
    """Of a game that is over: per seat, 1 for the best."""

    reason: Words | None
    fields: list[FieldInfo] | None
    """For setting it up by hand; None for a game whose positions are only written."""


class AskRecord(AskGame, frozen=True):
    """A game to be written as a file."""

    players: Annotated[list[Annotated[str, Meta(max_length=100)]], Meta(max_length=16)] = []
    result: Annotated[list[int], Meta(max_length=16)] | None = None
    """Places by seat, of a game that ended off the board."""

    reason: Annotated[str, Meta(max_length=100)] = ""
    format: Annotated[str, Meta(max_length=60)] = "boyi"
    notation: Annotated[str, Meta(max_length=60)] = ""
    """How to write moves; empty for the format's usual way."""


class AnalysedLine(Struct, frozen=True):
    """A move, what is expected to follow, and what it is worth to the player to act."""

    moves: list[str]
    paths: list[list[str]]
    value: float
    """In the game's own unit."""

    odds: float
    """Of winning, from 0 to 1."""

    wins_in: int | None = None
    """Plies to a proven win (positive) or loss (negative)."""


class Analysis(Struct, frozen=True):
    """The best moves of a position, the best first."""

    lines: list[AnalysedLine]
    turn: int
    """Who is to act, and so whose chances they are."""

    depth: int
    nodes: int


OVER_HTTP: tuple[type[Struct], ...] = (
    NewSession, Credentials, Session, Who, SessionInfo, PasswordChange, Deletion, OwnData, OwnRecord, OwnChat,
    OwnReport, NewReport, NewRoom, RoomSummary, FinishedSummary, RatingRow, AskAnalysis, Analysis, AnalysedLine,
    ReadRecord, AskPosition, ArrangedStones, ShownPosition, FieldInfo, FieldChoice, ChanceResult, AskRecord)
