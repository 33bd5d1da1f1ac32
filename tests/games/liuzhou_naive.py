"""A second rule engine for Liuzhou qi: slow, plain, written from the rules text to be read against it.

Stones are a dictionary from (row, column) to a character, `b w` and marked `B W`.
Nothing is shared with `boyi.games.liuzhou`, neither code nor ways to compute things.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

POINTS = [(row, column) for row in range(6) for column in range(6)]

SQUARES = [{(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)}
           for row in range(5) for column in range(5)]
LINES = ([{(row, column) for column in range(6)} for row in range(6)]
         + [{(row, column) for row in range(6)} for column in range(6)])


def name(point: tuple[int, int]) -> str:
    row, column = point
    return "abcdef"[column] + "123456"[row]


def place_of(name: str) -> tuple[int, int]:
    return "123456".index(name[1]), "abcdef".index(name[0])


def opponent(side: str) -> str:
    return "w" if side == "b" else "b"


@dataclass(frozen=True)
class Rules:
    threshold: int
    shapes: str
    action_limit: int = 144
    quiet_limit: int = 36


DOCUMENT = Rules(threshold=1, shapes="sum")
REFERENCE = Rules(threshold=4, shapes="maximum")


@dataclass(frozen=True)
class Game:
    """A game at one moment. `result` is None, "b", "w" or "draw"."""

    rules: Rules
    stones: dict[tuple[int, int], str] = field(default_factory=dict)
    side: str = "b"
    phase: str = "place"
    pending: int = 0
    actions: int = 0
    quiet: int = 0
    result: str | None = None


def empty_points(game: Game) -> list[tuple[int, int]]:
    return [point for point in POINTS if point not in game.stones]


def unmarked(game: Game, side: str) -> set[tuple[int, int]]:
    return {point for point, stone in game.stones.items() if stone == side}


def stone_count(game: Game, side: str) -> int:
    return sum(stone.lower() == side for stone in game.stones.values())


def earned(game: Game, point: tuple[int, int]) -> int:
    """What the stone that has just arrived on `point` earns."""
    own = unmarked(game, game.stones[point])
    squares = [square for square in SQUARES if point in square and square <= own]
    lines = [line for line in LINES if point in line and line <= own]
    if game.rules.shapes == "sum":
        return len(squares) + 2 * len(lines)
    if lines:
        return 2
    if squares:
        return 1
    return 0


def ordinary_points(game: Game) -> set[tuple[int, int]]:
    """The opponent's unmarked stones outside every shape."""
    theirs = unmarked(game, opponent(game.side))
    shapes = [shape for shape in SQUARES + LINES if shape <= theirs]
    return {point for point in theirs if not any(point in shape for shape in shapes)}


def target_points(game: Game) -> set[tuple[int, int]]:
    """The opponent's stones that may be marked, captured or removed."""
    return ordinary_points(game) or unmarked(game, opponent(game.side))


def steps(game: Game) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    found = []
    for row, column in unmarked(game, game.side):
        for end in [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]:
            if end in POINTS and end not in game.stones:
                found.append(((row, column), end))
    return found


def legal_actions(game: Game) -> list[str]:
    if game.result is not None:
        return []
    if game.phase == "place":
        return [name(point) for point in empty_points(game)]
    if game.phase == "mark":
        return ["!" + name(point) for point in target_points(game)]
    if game.phase == "clear":
        return ["clear"]
    if game.phase == "move" and steps(game):
        return [name(start) + "-" + name(end) for start, end in steps(game)]
    return ["x" + name(point) for point in target_points(game)]   # capture, forced, counter, or unable to move


def play(game: Game, action: str) -> Game:
    """The game after an action, which must be legal."""
    stones = dict(game.stones)
    stones_before = len(stones)
    game = replace(game, stones=stones, actions=game.actions + 1)

    # 1. The action itself.
    arrived = None
    if game.phase == "place":
        arrived = place_of(action)
        stones[arrived] = game.side
    elif game.phase == "mark":
        point = place_of(action[1:])
        stones[point] = stones[point].upper()
        game = replace(game, pending=game.pending - 1)
    elif game.phase == "clear":
        for point in POINTS:
            if stones[point] in ("B", "W"):
                del stones[point]
    elif action[0] == "x":
        del stones[place_of(action[1:])]
        if game.phase == "capture":
            game = replace(game, pending=game.pending - 1)
    else:
        start, arrived = place_of(action[:2]), place_of(action[3:])
        stones[arrived] = stones.pop(start)
    fell = len(stones) < stones_before

    # 2. The quiet count, which starts with clear.
    if game.phase not in ("place", "mark"):
        game = replace(game, quiet=0 if fell else game.quiet + 1)

    # 3. REMOVAL is over at once; then, and from then on: has a side too few stones? Black is tested first.
    if game.phase == "clear":
        game = replace(game, phase="move" if fell else "forced")
        removal_done = True
    else:
        removal_done = False
    if game.phase not in ("place", "mark"):
        for side in ("b", "w"):
            if stone_count(game, side) < game.rules.threshold:
                return replace(game, result=opponent(side))

    # 4. Who acts next, and how?
    other = opponent(game.side)
    gain = earned(game, arrived) if arrived else 0
    if game.phase in ("place", "mark"):
        if game.phase == "place":
            game = replace(game, pending=gain)
        if not unmarked(game, other):
            game = replace(game, pending=0)
        if game.pending:
            game = replace(game, phase="mark")
        elif not empty_points(game):
            game = replace(game, phase="clear", side="w")
        elif stone_count(game, other) == 18:   # placed all (in a composed position): this side goes on alone
            game = replace(game, phase="place")
        else:
            game = replace(game, phase="place", side=other)
    elif removal_done:
        pass   # White cleared and goes on: moving, or removing a black stone
    elif game.phase == "forced":
        game = replace(game, phase="forced" if game.side == "w" else "move", side=other)
    elif game.phase == "move" and action[0] == "x":
        game = replace(game, phase="counter", side=other)
    elif game.phase == "move" and gain:
        game = replace(game, phase="capture", pending=gain)
    elif game.pending == 0:   # a plain move, the last capture, a counter-removal
        game = replace(game, phase="move", side=other)

    # 5. The limits.
    if game.actions == game.rules.action_limit or game.quiet == game.rules.quiet_limit:
        game = replace(game, result="draw")
    return game


def text(game: Game) -> str:
    """The position in the text form of the rules."""
    rows = []
    for row in range(6):
        written, empty = "", 0
        for column in range(6):
            if (row, column) in game.stones:
                written += (str(empty) if empty else "") + game.stones[row, column]
                empty = 0
            else:
                empty += 1
        rows.append(written + (str(empty) if empty else ""))
    return f"{'/'.join(rows)} {game.side} {game.phase} {game.pending} {game.actions} {game.quiet}"
