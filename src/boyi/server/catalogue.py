"""What there is to play, for clients that know no game.

A client offers whatever games and options there are, so a new game needs no new client.
"""

from __future__ import annotations

from msgspec import Struct

from boyi.core import formats
from boyi.core.errors import BoyiError
from boyi.core.game import Game, Option
from boyi.core.level import DIFFICULTIES, Difficulty
from boyi.core.words import Words
from boyi.games import listed_games
from boyi.kit.folder import read_text
from boyi.kit.introduction import FILE as INTRODUCTION
from boyi.server.notation import NotationInfo, notations

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


class GameInfo(Struct, frozen=True):
    """A game that rooms can be created for."""

    name: str
    title: Words
    players: list[int]
    """How many can play."""

    options: list[Option]
    notations: list[NotationInfo]
    """Ways to write its moves, its own first."""

    formats: list[FormatInfo]
    """Ways to keep its games in files, our own first."""

    has_chance: bool
    levels: int
    """How many levels the AI has."""

    difficulties: list[Difficulty]
    """Levels that have a name, the weakest first."""

    introduction: bool
    """Whether it has one, under /api/games/{game}/introduction."""


def games() -> list[GameInfo]:
    """Every game there is."""
    return [describe(game) for game in listed_games()]


def describe(game: Game) -> GameInfo:
    """The facts about a game."""
    return GameInfo(game.name, game.title, _players(game), list(game.options), notations(game), _formats(game),
                    game.has_chance, len(game.levels), list(DIFFICULTIES), bool(read_text(game, INTRODUCTION)))


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
