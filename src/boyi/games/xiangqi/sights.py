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


PALACE_FILES, PALACE_RANKS = (3, 4, 5), 3
KING_VIEWS = len(PALACE_FILES) * PALACE_RANKS
KING_BUCKETS = 2 * PALACE_RANKS
"""Where the own king stands, on the left or in the middle; the right is the mirror image of the left."""


def rows_by_king(kinds: int, counts: Sequence[int], colour: int) -> list[list[list[list[int | None]]]]:
    """Per view (`king_view`), seat, place and code, the row of the first layer.

    Pieces have rows of their own for every bucket of the own king, mirrored where it stands on the right; counts are
    the same wherever it stands.
    """
    pieces = 2 * kinds * SQUARES
    reflected = mirror(counts)
    views = []
    for view in range(KING_VIEWS):
        rank, file = divmod(view, len(PALACE_FILES))
        bucket = 2 * rank + (file == 1)
        seats = []
        for seat in range(2):
            plain = rows_of_seat(seat, kinds, counts, colour)
            seen = [plain[reflected[place] if file == 2 else place] for place in range(len(plain))]
            seats.append([[None if row is None else row + (bucket if row < pieces else KING_BUCKETS - 1) * pieces
                           for row in codes] for codes in seen])
        views.append(seats)
    return views


def number_of_rows_by_king(kinds: int, counts: Sequence[int]) -> int:
    return number_of_rows(kinds, counts) + (KING_BUCKETS - 1) * 2 * kinds * SQUARES


def alike_by_king(kinds: int, counts: Sequence[int]) -> tuple[int, ...]:
    """Per row of `rows_by_king`, the row that it would be wherever the king stands."""
    pieces = 2 * kinds * SQUARES
    return tuple(row % pieces if row < KING_BUCKETS * pieces else row - (KING_BUCKETS - 1) * pieces
                 for row in range(number_of_rows_by_king(kinds, counts)))


def mirrored_king_views() -> tuple[int, ...]:
    """The view that each view becomes in the mirror image."""
    return tuple(view - view % 3 + 2 - view % 3 for view in range(KING_VIEWS))


def number_of_rows(kinds: int, counts: Sequence[int]) -> int:
    return 2 * kinds * SQUARES + 2 * sum(counts)


def mirror(counts: Sequence[int]) -> tuple[int, ...]:
    """Places of the mirror image."""
    return (*(FILES * (square // FILES) + FILES - 1 - square % FILES for square in range(SQUARES)),
            *range(SQUARES, SQUARES + 2 * len(counts)))
