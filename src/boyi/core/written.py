"""Moves as they are written: a decision and what chance then added to it make one text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boyi.core.errors import BoyiError, RecordError
from boyi.core.position import CHANCE, Position

__all__ = ["play_written", "written_moves"]


def written_moves(position: Position, moves: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Play `moves` on `position` and say how they are written: a decision and what chance
    then added make one text. Yields each text with the number of moves it stands for."""
    at = 0
    while at < len(moves):
        text, end = position.format_moves(moves[at:at + 1]), at + 1
        position.play(moves[at])
        while end < len(moves) and position.turn == CHANCE and not position.is_forfeit(moves[end]):
            position.play(moves[end])
            end += 1
        if end > at + 1:   # how many there are is known when they have been played
            for _ in range(at, end):
                position.undo()
            text = position.format_moves(moves[at:end])
            for move in moves[at:end]:
                position.play(move)
        yield text, end - at
        at = end


def play_written(position: Position, text: str, number: int) -> None:
    """Play a move in the game's own writing; a wrong one is reported with its number."""
    try:
        # Not `position.play(text)`: another notation could give a mistyped move a meaning.
        for move in position.parse_moves(text):
            position.play(move)
    except BoyiError as error:
        raise RecordError(f"move {number}: {error}", move_number=number, move_text=text, position=position) from error
