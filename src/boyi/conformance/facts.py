"""The game's record and its board."""

from __future__ import annotations

import pickle
import re

from boyi.conformance.case import Case
from boyi.conformance.expect import ensure, same, standing
from boyi.conformance.property import asked_of_rules
from boyi.core.board import Board
from boyi.core.errors import shorten
from boyi.core.game import load
from boyi.core.position import OVER
from boyi.core.words import Words

__all__ = ["said", "the_board_fits_the_game", "the_game_starts", "the_record_is_complete"]

MOST_PLAYERS = 6


def said(words: object, what: str) -> None:
    """Ensure that something is said in both languages."""
    ensure(isinstance(words, Words), f"{what} is {shorten(words)} and not Words in two languages")
    ensure(isinstance(words, Words) and all(isinstance(text, str) and text for text in (words.en, words.zh)),
           f"{what} is not said in both languages: {shorten(words)}")


@asked_of_rules()
def the_game_starts(case: Case) -> None:
    """A game can be begun, and there is a move."""
    position = case.start()
    ensure(position.turn != OVER, "the game is over before it begins")
    ensure(position.moves(), "nobody has a move")


@asked_of_rules()
def the_record_is_complete(case: Case) -> None:
    """The game's record is complete, in both languages, and its positions are found by it."""
    game, position = case.game, case.start()
    ensure(load(game.module) is game, f"module={game.module!r} does not export this record as GAME: say __name__")
    ensure(pickle.loads(pickle.dumps(game)) is game, "the record does not travel to another process")
    ensure(re.fullmatch(r"[a-z][a-z0-9_]*", game.name), f"the name {game.name!r} is not of small letters, digits and _")
    said(game.title, "the title")
    said(game.unit, "the unit of values")
    for option in game.options:
        for words in (option.help, option.title, *option.titles, *option.meanings):
            if words is not None:
                said(words, f"the words of option {option.name}")
    ensure(position.game is game, "a position belongs to another record")
    same(dict(position.options), dict(game.resolve(dict(case.options))), "the options of a position")
    same(position.ply, 0, "ply at the start")
    same(position.history(), [], "history at the start")
    same(position.start_text, position.to_text(), "start_text at the start")


@asked_of_rules()
def the_board_fits_the_game(case: Case) -> None:
    """Points, glyphs, seats and symmetries of the board are complete and agree with each other."""
    position = case.start()
    board, players = position.board, position.players
    ensure(1 <= players <= MOST_PLAYERS, f"{players} players, not 1 to {MOST_PLAYERS}")
    for name in ("seat_names", "seat_colours", "rotations"):
        ensure(len(getattr(board, name)) == players, f"{len(getattr(board, name))} {name} for {players} players")
    for words in board.seat_names:
        said(words, "the name of a seat")
    ensure(len(board.index) == len(board.points), "two points have the same name")
    ensure(len({(point.x, point.y) for point in board.points}) == len(board.points), "two points are in the same place")
    for code, glyph in board.glyphs.items():
        ensure(code == glyph.code and len(code) == 1, f"glyph {code!r} has the code {glyph.code!r}, not one character")
        said(glyph.name, f"the name of glyph {code}")
        ensure(glyph.seat is None or glyph.seat in range(players), f"glyph {code} is of seat {glyph.seat}")
    _symmetries_keep_the_start(board, standing(position.stones()))


def _symmetries_keep_the_start(board: Board, stones: dict[str, str]) -> None:
    everything = list(range(len(board.points)))
    for number, image in enumerate(board.symmetries):
        ensure(sorted(image) == everything, f"symmetry {number} is not a permutation of the points")
        ensure(list(image) != everything, f"symmetry {number} changes nothing: the identity is not worth listing")
        moved = {board.points[image[board.index[point]]].name: glyph for point, glyph in stones.items()}
        same(moved, stones, f"the start seen by symmetry {number}")
    ensure(len({tuple(image) for image in board.symmetries}) == len(board.symmetries), "a symmetry is listed twice")
