"""Openings: positions that games of a match begin with, from a file or of random moves."""

from __future__ import annotations

import random

from boyi.core.draws import sample_chance
from boyi.core.errors import BoyiError, OptionError, TextError, shorten
from boyi.core.game import Game, Options
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.record import Record
from boyi.core.record_grammar import split_records

__all__ = ["OPENING_PLIES", "distinct_openings", "draw_opening", "read_openings"]

OPENING_PLIES = 8
"""Moves of a game that serves as an opening."""

ATTEMPTS = 1_000
"""How often an opening is drawn that must not have ended the game."""

DRAWS = 20
"""How often openings are drawn for each distinct one that is wanted, before there are taken to be no more."""


def draw_opening(start: Position, plies: int, seed: int, number: int) -> Position:
    """A position after this number of random moves; a seed and a number decide which."""
    for attempt in range(ATTEMPTS):
        position = start.copy()
        generator = random.Random(f"{seed} opening {number} {attempt}")
        for _ in range(plies):
            if position.turn != OVER:
                position.play(sample_chance(position, generator) if position.turn == CHANCE else
                              generator.choice(position.moves()))
        while position.turn == CHANCE:
            position.play(sample_chance(position, generator))
        if position.turn != OVER:
            return position
    raise OptionError(f"{plies} random moves end the game; begin with fewer")


def distinct_openings(start: Position, plies: int, count: int, seed: int) -> tuple[Position, ...]:
    """The first `count` openings of random moves that are different positions; fewer where there are no more.

    >>> import boyi
    >>> len(distinct_openings(boyi.start("othello"), 1, 10, 0))
    4
    """
    found: dict[str, Position] = {}
    for number in range(DRAWS * count):
        if len(found) == count:
            break
        position = draw_opening(start, plies, seed, number)
        found.setdefault(position.to_text(), position)
    return tuple(found.values())


def read_openings(text: str, start: Position, plies: int = OPENING_PLIES) -> tuple[Position, ...]:
    """Openings, one a line: a position text, `moves m1 m2 …`, or both; `#` begins a comment.

    Or games as `boyi` records them, each cut off after `plies` written moves; those that
    reach a position that another one has, or end sooner, are left out.

    >>> import boyi
    >>> [opening.ply for opening in read_openings("moves f5 d6\\nmoves f5 f6 # diagonal", boyi.start("othello"))]
    [2, 2]
    """
    if text.lstrip("\ufeff \r\n").startswith("[Boyi "):
        return _cut_records(text, start, plies)
    openings = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        at = words.index("moves") if "moves" in words else len(words)
        try:
            position = (start.game.parse(" ".join(words[:at]), **start.options) if at else start.copy())
            for move in words[at + 1:]:
                position.play(move)
            if position.turn == OVER:
                raise TextError("the game is over there")
        except BoyiError as error:
            raise TextError(f"opening in line {number}: {error}") from error
        openings.append(position)
    if not openings:
        raise TextError(f"there is no opening in {shorten(text)}")
    return tuple(openings)


def _cut_records(text: str, start: Position, plies: int) -> tuple[Position, ...]:
    def find_game(name: str) -> Game:
        if name != start.game.name:
            raise TextError(f"it is a game of {shorten(name)}, and openings of {start.game.name} are wanted")
        return start.game

    openings: dict[str, Position] = {}
    for number, piece in enumerate(split_records(text), 1):
        try:
            record = Record.parse(piece, find_game)
            if dict(record.options) != dict(start.options):
                raise TextError(f"its rules are {_rules(record.options)}, here they are {_rules(start.options)}")
            if len(record.entries) < plies:
                continue
            position = record.replay(plies)
        except BoyiError as error:
            raise TextError(f"opening in record {number}: {error}") from error
        if position.turn != OVER:
            openings.setdefault(position.to_text(), position)
    if not openings:
        raise TextError(f"no game of these records goes on after {plies} moves")
    return tuple(openings.values())


def _rules(options: Options) -> str:
    return ", ".join(f"{name}={value}" for name, value in options.items()) or "without options"
