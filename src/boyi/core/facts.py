"""Whether the record of a game holds together: what is asked of a game from outside before it is offered.

A record is written by hand, and nothing in Python keeps a `name` from being a number. What lists, catalogues and rooms
read of every game is tried here once, so that a broken one is left out and not met by everybody:
the fields, the start and the board. What it plays like is for the conformance tests to ask.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from boyi.core.board import Board
from boyi.core.dialect import Dialect
from boyi.core.draws import Draws
from boyi.core.errors import BoyiError, BrokenGameError, shorten
from boyi.core.formats import RecordFormat
from boyi.core.game import Game, NotationGuide, Option
from boyi.core.level import MOST, Level
from boyi.core.loose import Writing
from boyi.core.position import Position
from boyi.core.puzzles import PuzzleFacts
from boyi.core.setup import Setup
from boyi.core.words import Words

__all__ = ["FIELDS", "MOST_PLAYERS", "check_facts"]

MOST_PLAYERS = 6
"""As many as the compiled side has room for (`MAX_PLAYERS` in `core/types.pxd`)."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,59}")


def _words(value: object) -> bool:
    return isinstance(value, Words) and isinstance(value.en, str) and isinstance(value.zh, str)


def _tuple_of(kind: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, tuple) and all(isinstance(part, kind) for part in value)


def _by_name(holds: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: (isinstance(value, Mapping) and all(isinstance(name, str) for name in value)
                          and all(holds(part) for part in value.values()))


def _ladder(value: object) -> bool:
    return _tuple_of(Level)(value) and isinstance(value, tuple) and len(value) <= MOST


def _text_or_none(value: object) -> bool:
    return value is None or isinstance(value, str)


def _callable_or_none(value: object) -> bool:
    return value is None or callable(value)


def _number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


FIELDS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "name": (lambda value: type(value) is str and NAME.fullmatch(value) is not None,
             "a letter and then letters, digits, _ or -"),
    "title": (_words, "Words in English and Chinese"),
    "position": (callable, "a class of positions"),
    "board": (callable, "a function of the options"),
    "module": (lambda value: isinstance(value, str), "the name of a module"),
    "rules_version": (_number, "a whole number"),
    "has_chance": (lambda value: isinstance(value, bool), "True or False"),
    "finished_is_leaf": (lambda value: isinstance(value, bool), "True or False"),
    "draws": (lambda value: value is None or isinstance(value, Draws), "a Draws"),
    "options": (_tuple_of(Option), "a tuple of Option"),
    "presets": (_by_name(_by_name(_by_name(lambda value: isinstance(value, bool | int | str)))),
                "defaults by option, value and name"),
    "evaluators": (_by_name(callable), "functions that make evaluators, by name"),
    "unit": (_words, "Words in English and Chinese"),
    "strongest": (_text_or_none, "the name of an evaluator"),
    "strongest_for_more": (_text_or_none, "the name of an evaluator"),
    "encoder": (_callable_or_none, "a function of the options"),
    "notations": (_by_name(lambda value: hasattr(value, "format") and hasattr(value, "parse")),
                  "by name, objects that format and parse"),
    "notation_guide": (lambda value: value is None or isinstance(value, NotationGuide), "a NotationGuide"),
    "writings": (_tuple_of(Writing), "a tuple of Writing"),
    "formats": (_by_name(lambda value: isinstance(value, RecordFormat)), "a RecordFormat each, by name"),
    "tally": (_callable_or_none, "a function of a position"),
    "setup": (lambda value: value is None or isinstance(value, Setup), "a Setup"),
    "levels": (_ladder, f"a tuple of Level, {MOST} at most"),
    "levels_for_more": (_ladder, f"a tuple of Level, {MOST} at most"),
    "protocols": (_by_name(lambda value: isinstance(value, Dialect)), "a Dialect each, by protocol"),
    "quiet_plies_field": (lambda value: value is None or _number(value), "the number of a word"),
    "owns_text": (callable, "a function of a text"),
    "order": (_number, "a whole number"),
    "listed": (lambda value: isinstance(value, bool), "True or False"),
    "moves_without_points": (lambda value: isinstance(value, int) and value > 0, "a number from 1"),
    "search": (_text_or_none, "the name of a search"),
    "search_for_more": (_text_or_none, "the name of a search"),
    "finisher": (_callable_or_none, "a function of a number of threads that makes a Finisher"),
    "finishes": (lambda value: isinstance(value, bool), "True or False"),
    "template": (lambda value: isinstance(value, str), "the name of a file"),
    "puzzles": (lambda value: value is None or isinstance(value, PuzzleFacts), "PuzzleFacts"),
    "learning": (_text_or_none, "the name of a module"),
}
"""What each field holds, and the words for it."""


def check_facts(game: object) -> Game:
    """The record, if it holds together; else a `BrokenGameError`, or whatever the game itself raises."""
    if not isinstance(game, Game):
        raise BrokenGameError(f"GAME is {shorten(game)} and not a boyi.core.game.Game")
    for name, (holds, takes) in FIELDS.items():
        if not holds(getattr(game, name)):
            raise BrokenGameError(f"its {name} is {shorten(getattr(game, name))} and not {takes}")
    for option in game.options:
        if not isinstance(option.name, str) or not _words(option.help):
            raise BrokenGameError(f"its option {shorten(option.name)} needs a name and Words that explain it")
        if option.title is not None and not _words(option.title):
            raise BrokenGameError(f"the title of its option {shorten(option.name)} is not Words")
        for words in (option.titles, option.meanings):
            if words and (len(words) != len(option.choices) or not all(map(_words, words))):
                raise BrokenGameError(f"its option {shorten(option.name)} has other words than choices")
    for option_name in game.presets:
        if option_name not in {option.name for option in game.options}:
            raise BrokenGameError(f"its presets are of an option {shorten(option_name)} that it does not have")
    for start in _starts(game):
        _check_start(game, start)
    return game


def _starts(game: Game) -> Iterator[Position]:
    """The usual start, and that of every number of players which the game offers."""
    yield game.start()
    for players in range(1, MOST_PLAYERS + 1) if any(option.name == "players" for option in game.options) else ():
        try:
            yield game.start(players=players)
        except BoyiError:
            continue


def _check_start(game: Game, start: Position) -> None:
    if not isinstance(start, Position):
        raise BrokenGameError(f"its position makes {shorten(start)} and not a Position")
    if not 1 <= start.players <= MOST_PLAYERS:
        raise BrokenGameError(f"it is for {start.players} players; 1 to {MOST_PLAYERS} can play")
    written = [start.to_text(), *map(start.format_move, start.moves()[:1])]
    for text in written:
        if not isinstance(text, str):
            raise BrokenGameError(f"its start, or a move there, is written as {shorten(text)}, which is no text")
    board = game.board(start.options)
    if not isinstance(board, Board):
        raise BrokenGameError(f"its board is {shorten(board)} and not a Board")
    for name, what in (("seat_names", board.seat_names), ("seat_colours", board.seat_colours)):
        if not isinstance(what, tuple) or len(what) < start.players:
            raise BrokenGameError(f"its board has {shorten(what)} for the {name} of {start.players} players")
