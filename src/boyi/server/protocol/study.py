"""Requests and responses of the analysis board: positions, analyses, openings."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from boyi.core.board import Change, Stone
from boyi.core.words import Words
from boyi.server.protocol.messages import LegalMove, PlayedMove
from boyi.server.protocol.parts import MoveText, OptionValue, Standing


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


class Reveal(Struct, frozen=True):
    """What chance may bring at the end of a line."""

    told: Words
    """In words: "Red rolls 4"."""

    glyph: str
    """The stone that it brings to the board; empty for none."""

    odds: float


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

    written: list[str] = []
    """The moves in the notation that was asked for; empty if none was."""

    reveals: list[Reveal] = []
    """Where the line ends because chance acts: what may come, the likeliest first."""


class Analysis(Struct, frozen=True):
    """The best moves of a position, the best first."""

    lines: list[AnalysedLine]
    turn: int
    """Who is to act, and so whose chances they are."""

    depth: int
    nodes: int


class NamedOpening(Struct, frozen=True):
    """An opening that has a name."""

    name: Words
    code: str
    """Its number in a classification; empty without one."""

    ply: int
    """After how many moves of the game its position stood on the board."""


class MoveCounts(Struct, frozen=True):
    """How often a move was played, and how it went for the player who made it."""

    games: int
    wins: int
    draws: int
    losses: int
    value: float | None
    """The mean of what was thought of it, for the player who moves, in the game's smallest unit; null without any."""


class ExploredMove(Struct, frozen=True):
    """A move that was played in a position, or that leads to an opening with a name."""

    name: str
    """What it is called in counts of games, on every image of the board."""

    moves: list[str]
    """The legal moves it stands for: more than one where they are images of each other."""

    sources: dict[str, MoveCounts]
    """`book` for the book that comes with the game, `games` for the games that were played here."""

    opening: NamedOpening | None


class AskExplorer(AskGame, frozen=True):
    """What was played in a position, and what is it called? Not for a game that is being played here."""

    notation: Annotated[str, Meta(max_length=60)] = ""
    """How to write the moves for people; empty for the game's own way."""


class WrittenMove(Struct, frozen=True):
    """A legal move: as the game writes it, and in the notation that was asked for."""

    text: str
    written: str


class ExploredPosition(Struct, frozen=True):
    """What is known of a position."""

    key: str
    """What it is called in counts of games; empty where nobody is to act."""

    opening: NamedOpening | None
    """Of the game up to here."""

    moves: list[ExploredMove]
    """The most played one first."""

    names: dict[str, WrittenMove]
    """All legal moves by their names; of images of each other, one."""


class OwnGames(Struct, frozen=True):
    """What was played in the games of a file, for a client to look up: nothing is kept."""

    games: int
    wrong: int
    """Games that were left out: their records are wrong."""

    positions: dict[str, dict[str, tuple[int, int, int, int]]]
    """By the key of a position and the name of a move: games, wins, draws, losses of the player who moved."""


OVER_HTTP: tuple[type[Struct], ...] = (
    AskGame, AskAnalysis, ArrangedStones, AskPosition, FieldChoice, FieldInfo, ChanceResult, ShownPosition,
    AskRecord, Reveal, AnalysedLine, Analysis, NamedOpening, MoveCounts, ExploredMove, AskExplorer, WrittenMove,
    ExploredPosition, OwnGames)
