"""Requests and responses over HTTP: people, rooms and records; `OVER_HTTP` has those of all subjects."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from boyi.core.board import Change, Stone
from boyi.core.words import Words
from boyi.server.protocol.own_games import OVER_HTTP as ABOUT_OWN_GAMES
from boyi.server.protocol.parts import ClockRule, Level, Name, NewPassword, OptionValue, Password
from boyi.server.protocol.puzzles import OVER_HTTP as ABOUT_PUZZLES
from boyi.server.protocol.puzzles import PuzzleRating
from boyi.server.protocol.study import OVER_HTTP as ABOUT_STUDY


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
    puzzles: dict[str, PuzzleRating]
    """How you do at puzzles, by game."""


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
    turn: int | None = None
    """The seat that is to act; None when no game is played."""


class OwnRoom(Struct, frozen=True):
    """A room in which you have a seat."""

    room: RoomSummary
    seat: int


class LiveGame(Struct, frozen=True):
    """A public game that is being played, as a spectator sees it."""

    room: RoomSummary
    options: dict[str, OptionValue]
    number: int
    """Which game of the room."""

    stones: list[Stone]
    path: list[str]
    changes: list[Change]
    """What the last move touched, and what it changed on the board; empty before the first."""


class SeekOpponent(Struct, frozen=True, forbid_unknown_fields=True):
    """A wish to play with whoever wants the same. It holds while the request is waited for."""

    game: Annotated[str, Meta(max_length=60)]
    clock: ClockRule | None = None
    rated: bool = False
    """Needs an account."""

    seconds: Annotated[float, Meta(ge=1, le=25)] = 25.0
    """How long to wait for an answer. If nobody came, ask again."""


class FoundOpponent(Struct, frozen=True):
    """The answer to `SeekOpponent`."""

    room: str
    """Where you sit already; the game begins when all have connected. Empty if nobody came."""


class SoughtGame(Struct, frozen=True):
    """A game that somebody looks for an opponent for."""

    game: str
    clock: ClockRule | None
    rated: bool
    waiting: int
    """How many people do."""


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


class ImportProblem(Struct, frozen=True):
    """What could not be read of something that a person pasted."""

    words: Words
    number: int | None
    """The first move that failed, counted from 1; None if it is not about a move."""

    text: str
    """How that move is written."""

    until: ReadRecord | None
    """The game up to there."""


class ImportedGames(Struct, frozen=True):
    """The games, or the position, in a text or a file: of whatever game they are."""

    records: list[ReadRecord]
    problem: ImportProblem | None


OVER_HTTP: tuple[type[Struct], ...] = (
    NewSession, Credentials, Session, Who, SessionInfo, PasswordChange, Deletion, OwnChat, OwnReport, OwnRecord,
    OwnData, NewReport, NewRoom, RoomSummary, OwnRoom, LiveGame, SeekOpponent, FoundOpponent, SoughtGame,
    FinishedSummary, ReadRecord, ImportProblem, ImportedGames, *ABOUT_OWN_GAMES, *ABOUT_STUDY, *ABOUT_PUZZLES)
