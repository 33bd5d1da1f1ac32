"""A move that was made, shown once more: point by point on a terminal, as one picture with its path elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from boyi.core.board import Stone
from boyi.core.position import CHANCE, Position
from boyi.core.words import Words


@dataclass(frozen=True)
class LastMove:
    """The last move of a player, as far as it may be known."""

    before: Position
    after: Position
    """With what chance added to the move."""

    move: int

    @property
    def seat(self) -> int:
        return self.before.turn

    @property
    def path(self) -> Sequence[str]:
        return self.before.path(self.move)

    def frames(self) -> Iterator[tuple[Position, Sequence[Stone] | None, Sequence[str]]]:
        """Pictures of the move: a position, stones instead of its own, the path so far.

        A stone that goes a way is shown at every point of it; whatever else the move does is done in the last picture.
        """
        path = list(self.path)
        stones = {stone.point: stone.glyph for stone in self.before.stones()}
        if len(path) > 1 and path[0] in stones:
            glyph = stones.pop(path[0])
            for count in range(1, len(path)):
                moving = stones | {path[count - 1]: glyph}
                yield self.before, [Stone(point, code) for point, code in moving.items()], path[:count]
        else:
            yield self.before, None, []
        yield self.after, None, path


def find_last(position: Position, seat: int | None = None) -> LastMove | None:
    """The last move that a player of this seat made, or anyone; None if there is none."""
    before = position.copy()
    while before.ply:
        move = before.undo()
        if before.turn == CHANCE or before.is_forfeit(move) or seat not in (None, before.turn):
            continue
        after = before.copy()
        after.play(move)
        for result in position.history()[after.ply:]:
            if after.turn != CHANCE:
                break
            after.play(result)
        return LastMove(before, after, move)
    return None


def find_seat(text: str, names: Sequence[Words]) -> int | None:
    """The seat that a person means: by its number from 1, its name, or how that begins, in either language.

    >>> find_seat("w", [Words("Black", "黑方"), Words("White", "白方")])
    1
    """
    wanted = text.strip().lower()
    if wanted.isascii() and wanted.isdigit():
        return int(wanted) - 1 if len(wanted) < 3 and 1 <= int(wanted) <= len(names) else None
    exact = [seat for seat, name in enumerate(names) if wanted in (name.en.lower(), name.zh)]
    begun = [seat for seat, name in enumerate(names)
             if wanted and (name.en.lower().startswith(wanted) or name.zh.startswith(wanted))]
    found = exact or begun
    return found[0] if len(found) == 1 else None
