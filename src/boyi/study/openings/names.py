"""The names of openings.

A game brings them as `openings.toml` in its folder: one table per opening, with

    moves       from the start of the game, in any notation that the game reads
    en, zh      what it is called
    code        its number in a classification, if it has one (xiangqi: ECCO)

An opening is recognised by the position that its moves lead to: in whatever order they were played, and on every image
of the board that the game counts as the same (xiangqi: the mirror image, Othello: all eight).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from boyi.core.errors import BoyiError, TextError
from boyi.core.game import Game, load
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.core.words import Words
from boyi.kit.folder import read_table, read_words, refuse_unknown
from boyi.study.openings.walk import walk

__all__ = ["FILE", "Named", "Opening", "begin_openings", "find_opening", "name_of", "read_openings"]

FILE = "openings.toml"


@dataclass(frozen=True)
class Opening:
    """An opening that has a name."""

    name: Words
    code: str
    """Its number in a classification; empty without one."""

    moves: tuple[str, ...]
    """The moves by which the game's folder tells it, as `Position.format_move` writes them."""


@dataclass(frozen=True)
class Named:
    """The opening of a game."""

    opening: Opening
    ply: int
    """After how many written moves of the game its position stood on the board, the last time."""


def read_openings(game: Game) -> Mapping[int, Opening]:
    """The openings of a game by the `symmetric_fingerprint` of their positions; none where it brings no names.

    They are read once.
    """
    return _read_openings(game.module)


@cache
def _read_openings(module: str) -> Mapping[int, Opening]:
    game = load(module)
    table = read_table(game, FILE)
    refuse_unknown(table, ("openings",), f"{FILE} of {game.name}")
    start = game.start()
    played: dict[str, tuple[int, str]] = {}   # by a line up to a move: the move and its text, which many lines share
    openings: dict[int, Opening] = {}
    for number, entry in enumerate(table.get("openings", ()), 1):
        try:
            position, opening = _read_opening(start, entry, played)
            key = position.symmetric_fingerprint
            if key in openings:
                raise TextError(f"{opening.name} has the same position as {openings[key].name}")
        except BoyiError as error:
            raise TextError(f"{FILE} of {game.name}, opening {number}: {error}") from error
        openings[key] = opening
    return openings


def _read_opening(start: Position, entry: Mapping[str, Any],
                  played: dict[str, tuple[int, str]]) -> tuple[Position, Opening]:
    refuse_unknown(entry, ("moves", "en", "zh", "code"), "the opening")
    name = read_words(entry, "the opening")
    words = entry.get("moves", "").split()
    if not words:
        raise TextError(f"{name} has no moves")
    position, texts, line = start.copy(), [], ""
    for word in words:
        line = f"{line} {word}"
        if line not in played:
            (move,) = position.game.read_move(position, word)
            played[line] = move, position.format_move(move)
        move, text = played[line]
        position.play(move)
        texts.append(text)
    return position, Opening(name, entry.get("code", ""), tuple(texts))


def begin_openings(start: Position) -> list[Position]:
    """Games that begin with the openings of a game, under the rules of `start`, in the order of the file."""
    begun = []
    for opening in read_openings(start.game).values():
        position = start.copy()
        for move in opening.moves:
            position.play(move)
        begun.append(start.game.parse(position.to_text(), **start.options))
    return begun


def find_opening(position: Position) -> Opening | None:
    """The opening whose position this is."""
    return read_openings(position.game).get(position.symmetric_fingerprint)


def name_of(played: Position | Record) -> Named | None:
    """The opening of a game, as far as it was played: the last of its positions that has a name."""
    openings = read_openings(played.game)
    if not openings:
        return None
    found = None
    for ply, position in enumerate(walk(played)):
        if opening := openings.get(position.symmetric_fingerprint):
            found = Named(opening, ply)
    return found
