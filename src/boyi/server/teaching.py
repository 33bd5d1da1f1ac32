"""What teaches a game, for clients that know no rules: pictures of the rules, an introduction and lessons, as data.

Everything is worked out here: where the stones stand, which moves are legal, what each move that is asked for does
to the board. A client shows it, and compares what is touched with what is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from boyi.core.board import Stone
from boyi.core.errors import UnknownNameError
from boyi.core.game import Game
from boyi.core.words import Words
from boyi.games import all_games
from boyi.kit.illustration import read_illustrations
from boyi.kit.introduction import Introduction, Step, read_headings, read_introduction, read_lesson
from boyi.server.protocol.messages import LegalMove, PlayedMove
from boyi.server.protocol.parts import OptionValue
from boyi.server.protocol.positions import describe_legal_moves, describe_stones, sort_stones


class PictureInfo(Struct, frozen=True):
    """A picture in the rules: what stands on the board, the way of a move, and points that are pointed out."""

    options: dict[str, OptionValue]
    stones: list[Stone]
    path: list[str]
    marks: list[str]


class TaskInfo(Struct, frozen=True):
    """A move that is asked for, and what then happens: itself, and what others answer."""

    text: str
    played: list[PlayedMove]


class StepInfo(Struct, frozen=True):
    """Something said, and perhaps something to do: one of `tasks` among all legal `moves`, or touch one of `touch`."""

    words: Words
    done: Words | None
    """Said when it is done."""

    stones: list[Stone]
    moves: list[LegalMove]
    tasks: list[TaskInfo]
    touch: list[str]
    marks: list[str]


class LessonInfo(Struct, frozen=True):
    """What a list of lessons tells of one."""

    name: str
    title: Words
    about: Words
    steps: int


class IntroductionInfo(Struct, frozen=True):
    """Two minutes with a game, or a lesson, step by step."""

    game: str
    title: Words
    """Of the game, or of the lesson."""

    options: dict[str, OptionValue]
    seat: int
    """Which player the reader is."""

    steps: list[StepInfo]


def introduction(game: Game) -> IntroductionInfo:
    """The introduction to a game; refused where there is none."""
    found = read_introduction(game)
    if found is None:
        having = [name for name, one in all_games().items() if read_introduction(one) is not None]
        raise UnknownNameError.among("game with an introduction", game.name, having)
    return _describe(game, game.title, found)


def lesson(game: Game, name: str) -> IntroductionInfo:
    """A lesson of a game; refused where there is none of that name."""
    found = read_lesson(game, name)
    return _describe(game, found.heading.title, found.introduction)


def lessons(game: Game) -> list[LessonInfo]:
    """The lessons of a game, in their order."""
    return [LessonInfo(one.name, one.title, one.about, one.steps) for one in read_headings(game)]


def pictures(game: Game) -> dict[str, PictureInfo]:
    """The pictures of a game's rules, by name."""
    return {name: PictureInfo(_options(one.options), describe_stones(one.position), list(one.path), list(one.marks))
            for name, one in read_illustrations(game).items()}


def _describe(game: Game, title: Words, found: Introduction) -> IntroductionInfo:
    return IntroductionInfo(game.name, title, _options(found.options), found.seat,
                            [_step(step) for step in found.steps])


def _step(step: Step) -> StepInfo:
    return StepInfo(
        step.words, step.done, sort_stones(step.stones),
        describe_legal_moves(step.position) if step.tasks else [],   # they matter only where one of them is asked for
        [TaskInfo(task.text, [PlayedMove(one.player, one.text, list(one.path), list(one.changes))
                              for one in task.played]) for task in step.tasks],
        sorted(step.touch), list(step.marks))


def _options(options: Mapping[str, object]) -> dict[str, OptionValue]:
    return {name: value for name, value in options.items() if isinstance(value, OptionValue)}
