"""Themes that lines have in every game; those that only one game knows stand in its folder (`Game.puzzles`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from boyi.core.errors import UnknownNameError
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.puzzles import SolvedLine
from boyi.core.words import Words

__all__ = ["COMMON", "check_theme", "find_themes", "themes_of"]

COMMON: Mapping[str, Words] = {
    "winning": Words("winning move", "制胜"),
    "only_move": Words("only move", "唯一着"),
    "one_move": Words("one move", "一步"),
    "two_moves": Words("two moves", "两步"),
    "long": Words("three moves or more", "三步以上"),
    "material": Words("wins material", "得子"),
    "quiet": Words("quiet move", "静着"),
    "sacrifice": Words("sacrifice", "弃子"),
}
"""By name."""

SAFE = 0.65
"""Who has better odds than this after the only move has won more than safety."""

WON, NOT_WON = 0.75, 0.6
WORTH = 150
"""What an exchange wins at least to be counted, or loses, in hundredths of the smallest piece."""

LONG = 3


def themes_of(game: Game) -> dict[str, Words]:
    """All themes that puzzles of a game may have, its own first."""
    own = {} if game.puzzles is None else dict(game.puzzles.themes)
    return own | {name: title for name, title in COMMON.items() if name not in own}


def check_theme(game: Game, name: str) -> str:
    """The name of a theme of the game, or an error that says which there are."""
    known = themes_of(game)
    if name not in known:
        raise UnknownNameError.among(f"theme of {game.name}", name, known)
    return name


def find_themes(line: SolvedLine) -> tuple[str, ...]:
    """The themes of a line, in the order in which they are listed."""
    game = line.position.game
    found = set(_common(line))
    if game.puzzles is not None:
        found |= set(game.puzzles.find_themes(line))
    return tuple(name for name in themes_of(game) if name in found)


def _common(line: SolvedLine) -> Iterator[str]:
    if line.odds >= WON and line.others <= NOT_WON:
        yield "winning"
    if line.odds <= SAFE:
        yield "only_move"
    own = list(_own_moves(line))
    yield "one_move" if len(own) == 1 else "long" if len(own) >= LONG else "two_moves"
    first = line.position
    if first.captures_now() and line.moves[0] not in first.captures_now() and not first.gives_check(line.moves[0]):
        yield "quiet"
    if any(position.exchange_now(move) >= WORTH for position, move in own):
        yield "material"
    if not all(position.exchange_reaches_now(move, 1 - WORTH) for position, move in own):
        yield "sacrifice"


def _own_moves(line: SolvedLine) -> Iterator[tuple[Position, int]]:
    """The solver's moves, each with the position in which it is made, which is played on afterwards."""
    board = line.position.copy()
    for move in line.moves:
        if board.turn == line.position.turn:
            yield board.copy(), move
        board.play(move)
