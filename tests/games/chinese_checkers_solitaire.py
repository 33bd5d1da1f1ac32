"""How fast can ten pieces cross an empty star? A beam search, written on the naive board's geometry."""

from __future__ import annotations

from tests.games.chinese_checkers_naive import CORNERS, DIRECTIONS, PLACE, STEPS, walk

HOLES = list(PLACE)
NUMBER = {hole: i for i, hole in enumerate(HOLES)}
BIT = [1 << i for i in range(len(HOLES))]

# Per hole: bits of its neighbours, and per direction the bits hopped over and landed on.
NEAR = [[BIT[NUMBER[near]] for direction in DIRECTIONS if (near := walk(hole, direction)) is not None]
        for hole in HOLES]
HOPS = [[(BIT[NUMBER[over]], BIT[NUMBER[end]]) for direction in DIRECTIONS
         if (over := walk(hole, direction)) is not None and (end := walk(hole, direction, 2)) is not None]
        for hole in HOLES]
# From A to D; a little convex, so that nobody is left behind, and drawn to the middle.
WORTH = [10 * STEPS["D"][hole] + STEPS["D"][hole] ** 2 // 4 + abs(PLACE[hole][0]) // 2 for hole in HOLES]

Move = tuple[str, str]


def board(holes: str) -> int:
    return sum(BIT[NUMBER[hole]] for hole in holes.split())


def moves(pieces: int) -> list[tuple[int, int]]:
    """All moves, as bits of the start and of the end."""
    found = []
    left = pieces
    while left:
        start = left & -left
        left ^= start
        hole = start.bit_length() - 1
        found += [(start, near) for near in NEAR[hole] if not pieces & near]
        others = pieces ^ start
        seen, waiting = start, [hole]
        while waiting:
            for over, end in HOPS[waiting.pop()]:
                if others & over and not (others | seen) & end:
                    seen |= end
                    found.append((start, end))
                    waiting.append(end.bit_length() - 1)
    return found


def cross(width: int, most: int = 60) -> list[Move]:
    """A short transfer from A to D: per move keep the `width` boards with the least way to go."""
    first, goal = board(CORNERS["A"]), board(CORNERS["D"])
    worth = dict(zip(BIT, WORTH, strict=True))
    beam = {first: sum(WORTH[NUMBER[hole]] for hole in CORNERS["A"].split())}
    parents: list[dict[int, tuple[int, int, int]]] = []
    while len(parents) < most:
        origin: dict[int, tuple[int, int, int]] = {}
        values: dict[int, int] = {}
        for pieces, value in beam.items():
            for start, end in moves(pieces):
                child = pieces ^ start ^ end
                if child not in values:
                    values[child] = value - worth[start] + worth[end]
                    origin[child] = (pieces, start, end)
        parents.append(origin)
        if goal in values:
            line = []
            pieces = goal
            for level in reversed(parents):
                pieces, start, end = level[pieces]
                line.append((HOLES[start.bit_length() - 1], HOLES[end.bit_length() - 1]))
            return line[::-1]
        best = sorted(values, key=lambda pieces: (values[pieces], pieces))[:width]
        beam = {pieces: values[pieces] for pieces in best}
        parents[-1] = {pieces: origin[pieces] for pieces in best}
    raise AssertionError(f"no way across in {most} moves with a beam of {width}")
