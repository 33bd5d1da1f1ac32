"""What there is to play, for clients that know no game.

A client offers whatever games and options there are, so a new game needs no new client.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boyi.agents.opponents import find_opponents
from boyi.core import formats
from boyi.core.errors import BoyiError
from boyi.core.game import Game, Option
from boyi.core.level import DIFFICULTIES
from boyi.core.words import Words
from boyi.games import listed_games
from boyi.kit.folder import read_text
from boyi.kit.introduction import FILE as INTRODUCTION
from boyi.kit.ladder import find_ladder
from boyi.server.notation import NotationInfo, family, notations, usual
from boyi.server.teaching import LessonInfo, lessons

MOST_SEATS = 6
"""The widest game that is looked for when a game's seat counts are listed."""


class FormatInfo(Struct, frozen=True):
    """A way to keep games in files."""

    name: str
    title: Words
    suffix: str
    """What the names of its files end with."""

    writes: bool
    """Some are only read."""

    notations: list[str]
    """How it can write moves, the usual way first."""


class LevelInfo(Struct, frozen=True):
    """A level of the AI."""

    title: Words
    """What a player of this strength is called."""

    meaning: Words | None
    """What to expect of it, if that was measured."""

    rating: int | None
    """Where random moves have 0; None if it was not measured."""


class LadderInfo(Struct, frozen=True):
    """The levels of a game with some numbers of players, from 1 up; the highest takes the seconds that it is given."""

    players: list[int]
    levels: list[LevelInfo]
    difficulties: list[DifficultyInfo]
    """Levels that have a name, the weakest first."""

    opponents: list[OpponentInfo]
    """Who plays besides the levels."""


class DifficultyInfo(Struct, frozen=True):
    """A level by its name, for those who do not want to choose among numbers."""

    name: str
    title: Words
    level: int


class OpponentInfo(Struct, frozen=True):
    """A network or an evaluator that can be played against."""

    name: str
    title: Words


class GameInfo(Struct, frozen=True):
    """A game that rooms can be created for."""

    name: str
    title: Words
    players: list[int]
    """How many can play."""

    options: list[Option]
    notations: list[NotationInfo]
    """Ways to write its moves, its own first."""

    notation_family: str
    """Under which name a reader's choice among them is kept; games of one family share it."""

    usual_notation: Words
    """By language, the one of readers who have chosen none."""

    formats: list[FormatInfo]
    """Ways to keep its games in files, our own first."""

    has_chance: bool
    unit: Words
    """What values are counted in: pawns, discs, steps."""

    ladders: list[LadderInfo]
    """The levels of the AI, by how many play."""

    introduction: bool
    """Whether it has one, under /api/games/{game}/introduction."""

    lessons: list[LessonInfo]
    """Each under /api/games/{game}/lessons/{name}."""


def games() -> list[GameInfo]:
    """Every game there is."""
    return [describe(game) for game in listed_games()]


def describe(game: Game) -> GameInfo:
    """The facts about a game."""
    players = _players(game)
    return GameInfo(game.name, game.title, players, list(game.options), notations(game), family(game),
                    usual(game), _formats(game),
                    game.has_chance, game.unit, _ladders(game, players), bool(read_text(game, INTRODUCTION)),
                    lessons(game))


def _ladders(game: Game, players: Sequence[int]) -> list[LadderInfo]:
    """For two players, and for all other numbers of them."""
    found = []
    for counts in ([2], [count for count in players if count != 2]):
        if not set(counts) & set(players):
            continue
        start = game.start(**({} if game.start().players == counts[0] else {"players": counts[0]}))
        ladder = find_ladder(game, counts[0])
        found.append(LadderInfo(
            counts, [LevelInfo(ladder.title(number), ladder.meaning(number),
                               None if level.rating is None else round(level.rating))
                     for number, level in enumerate(ladder.levels, 1)],
            [DifficultyInfo(one.name, one.title, one.level(len(ladder))) for one in DIFFICULTIES],
            [OpponentInfo(one.name, one.title) for one in find_opponents(start)]))
    return found


def _formats(game: Game) -> list[FormatInfo]:
    return [FormatInfo(formats.OWN, Words("Boyi", "博弈"), ".boyi", True, ["own"]),
            *(FormatInfo(name, one.title, one.suffixes[0], one.write is not None, list(one.notations))
              for name, one in game.formats.items())]


def _players(game: Game) -> list[int]:
    """How many can play: an option of that name says it, else the game itself."""
    if not any(option.name == "players" for option in game.options):
        return [game.start().players]
    counts = []
    for count in range(1, MOST_SEATS + 1):
        try:
            counts.append(game.start(players=count).players)
        except BoyiError:
            continue
    return counts
