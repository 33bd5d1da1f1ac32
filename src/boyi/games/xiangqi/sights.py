"""The rows of a first layer that nets of xiangqi and jieqi have in common: pieces on squares, then counts per side."""

from __future__ import annotations

from collections.abc import Sequence

SQUARES, FILES, RANKS = 90, 9, 10


def rows_of_seat(seat: int, kinds: int, counts: Sequence[int], colour: int) -> list[list[int | None]]:
    """Per place and code, the row of the first layer: sides and squares as the player of that seat sees them.

    Kinds of pieces are 1 to `kinds`, those of Black `colour` higher. `counts` is how far each thing is counted.
    """
    table: list[list[int | None]] = []
    for square in range(SQUARES):
        seen = square if seat == 0 else FILES * (RANKS - 1 - square // FILES) + square % FILES
        codes: list[int | None] = [None] * (colour + kinds + 1)
        for kind in range(1, kinds + 1):
            for side in range(2):
                codes[kind + colour * side] = ((side != seat) * kinds + kind - 1) * SQUARES + seen
        table.append(codes)
    for side in range(2):
        row = 2 * kinds * SQUARES + (side != seat) * sum(counts)
        for most in counts:
            table.append([None, *range(row, row + most)])
            row += most
    return table


def number_of_rows(kinds: int, counts: Sequence[int]) -> int:
    return 2 * kinds * SQUARES + 2 * sum(counts)


def mirror(counts: Sequence[int]) -> tuple[int, ...]:
    """Places of the mirror image."""
    return (*(FILES * (square // FILES) + FILES - 1 - square % FILES for square in range(SQUARES)),
            *range(SQUARES, SQUARES + 2 * len(counts)))
