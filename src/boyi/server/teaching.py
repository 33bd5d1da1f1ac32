"""What teaches a game, for clients that know no rules: the pictures of its rules and its introduction, as data.

Everything is worked out here: where the stones stand, which moves are legal, what each move that is asked for does
to the board. A client shows it, and compares what is touched with what is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from boyi.core import board
from boyi.core.errors import UnknownNameError
from boyi.core.game import Game
from boyi.core.words import Words
from boyi.games import all_games
from boyi.kit.illustration import read_illustrations
from boyi.kit.introduction import Played, Step, read_introduction
from boyi.server.events import Change, OptionValue, Stone, Text
from boyi.server.messages import LegalMove, PlayedMove


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

    words: Text
    done: Text | None
    """Said when it is done."""

    stones: list[Stone]
    moves: list[LegalMove]
    tasks: list[TaskInfo]
    touch: list[str]
    marks: list[str]


class IntroductionInfo(Struct, frozen=True):
    """Two minutes with a game, step by step."""

    game: str
    title: Text
    options: dict[str, OptionValue]
    seat: int
    """Whose place the reader takes."""

    steps: list[StepInfo]


def introduction(game: Game) -> IntroductionInfo:
    """The introduction to a game; refused where there is none."""
    found = read_introduction(game)
    if found is None:
        having = [name for name, one in all_games().items() if read_introduction(one) is not None]
        raise UnknownNameError.among("game with an introduction", game.name, having)
    return IntroductionInfo(game.name, _text(game.title), _options(found.options), found.seat,
                            [_step(step) for step in found.steps])


def pictures(game: Game) -> dict[str, PictureInfo]:
    """The pictures of a game's rules, by name."""
    return {name: PictureInfo(_options(one.options), _stones(one.position.stones()), list(one.path), list(one.marks))
            for name, one in read_illustrations(game).items()}


def _step(step: Step) -> StepInfo:
    position = step.position
    # Legal moves only matter where one of them is asked for.
    legal = [LegalMove(position.format_move(move), list(position.path(move))) for move in position.moves()] \
        if step.tasks else []
    return StepInfo(_text(step.words), None if step.done is None else _text(step.done), _stones(step.stones), legal,
                    [TaskInfo(task.text, [_played(one) for one in task.played]) for task in step.tasks],
                    sorted(step.touch), list(step.marks))


def _played(played: Played) -> PlayedMove:
    return PlayedMove(played.player, played.text, list(played.path),
                      [Change(change.kind, change.point, change.glyph, change.to) for change in played.changes])


def _options(options: Mapping[str, object]) -> dict[str, OptionValue]:
    return {name: value for name, value in options.items() if isinstance(value, OptionValue)}


def _stones(stones: Iterable[board.Stone]) -> list[Stone]:
    """In the order of their points, as everywhere on the wire."""
    return [Stone(stone.point, stone.glyph) for stone in sorted(stones, key=lambda stone: stone.point)]


def _text(words: Words) -> Text:
    return Text(words.en, words.zh)
