"""The students' search once more, as the C++ of their report reads.

It borrows the rules (which moves there are, who has arrived, when a game is over) and nothing of our search. What the
report does not show, or leaves to the order of its arrays, is as our search says it does:

- pieces are taken from the rearmost on, of equal ones the lower hole first; targets in the order of the rules;
- of a piece's hops only those remain that bring it nearest to the apex of its goal (its `search` is not shown);
- distances are steps, as its text says, and `backwards` compares steps to the apex;
- a game that is over is a leaf without a bonus: their game went on;
- a root move without leaves has no average (theirs is 0 / 0).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from boyi.core.position import OVER
from boyi.games.chinese_checkers.board import NAMES
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from tests.games.chinese_checkers_naive import CORNERS, OPPOSITE, STEPS, steps_from

Board = tuple[int, ...]
"""Per player: the holes of the pieces, as bits."""

PASS = 1 << 14
AWAY = [[steps_from(one)[other] for other in NAMES] for one in NAMES]
APEX = {seat: [STEPS[OPPOSITE[seat]][hole] for hole in NAMES] for seat in "ABCDEF"}
"""Per seat and hole: the steps to the apex of the goal."""

LAYERS = {seat: [[NAMES.index(hole) for hole in CORNERS[OPPOSITE[seat]].split() if STEPS[OPPOSITE[seat]][hole] == layer]
                 for layer in range(4)] for seat in "ABCDEF"}


@cache
def corner_distance(seat: str, own: int, hole: int) -> int:
    """`AI_corner_dis`: the steps from a hole to the nearest that is open in the first layer that is not full."""
    for layer in LAYERS[seat]:
        nearest, full = 1_000, True
        for goal in layer:
            if own >> goal & 1:
                if goal == hole:
                    return 0
            else:
                full = False
                nearest = min(nearest, AWAY[hole][goal])
        if not full:
            return nearest
    raise AssertionError("a piece is outside while all layers are full")


@cache
def distance(seat: str, own: int) -> int:
    return sum(corner_distance(seat, own, hole) for hole in range(len(NAMES)) if own >> hole & 1)


class ReportSearch:
    """A decision of the report's AI."""

    def __init__(self, position: ChineseCheckersPosition, depth: int, *, own_weight: float = 3,
                 extra_score: float = 100, select_limit: int = 3, farthest: bool = True) -> None:
        self.position: ChineseCheckersPosition = position.copy()
        self.limit = depth - 1
        self.own_weight, self.extra_score = own_weight, extra_score
        self.select_limit, self.farthest = select_limit, farthest
        self.player = position.turn
        self.judged = {*position.finished, *position.left}
        self.board = board_of(self.position)
        self.repeated: set[Board] = {self.board}

    def history(self) -> set[Board]:
        """`hash_history`: the boards that the player has decided on, and made."""
        game, found = self.position.copy(), {self.board}
        while game.ply:
            after = board_of(game)
            game.undo()
            if game.turn == self.player:
                found |= {board_of(game), after}
        return found

    def choose(self) -> list[tuple[int, list[float]]]:
        """`AI_choose`: the moves it decides between, in order, and the values of the leaves below each."""
        history = self.history()
        legal = self.position.moves()
        new = [move for move in legal if self.board_after(move) not in history] or legal
        chosen, backups = self.select(new)
        if not chosen:
            # With nothing to fall back on either there is one move only, to pass.
            chosen = [max(backups, key=lambda move: self.assess(self.board_after(move), 0, 0))] if backups else legal
        found = []
        for move in chosen:
            leaves: list[float] = []
            self.follow(move, 1, leaves)
            found.append((move, leaves))
        return found

    def follow(self, move: int, step: int, leaves: list[float]) -> None:
        before = self.board
        self.board = self.board_after(move)
        self.position.play(move)
        self.search(step, leaves)
        self.position.undo()
        self.board = before

    def search(self, step: int, leaves: list[float]) -> None:
        """`AI_dfs`."""
        if self.board in self.repeated:
            return
        self.repeated.add(self.board)
        if self.player in self.position.finished or step > self.limit or self.position.turn == OVER:
            won = self.player in self.position.finished
            leaves.append(self.assess(self.board, step if won else self.limit + 1, self.limit))
            return
        for move in self.select(self.position.moves())[0]:
            self.follow(move, step + 1, leaves)

    def assess(self, board: Board, step: int, limit: int) -> float:
        """`AI_assess`."""
        value: float = 0
        for player, seat in enumerate(self.position.seats):
            if player not in self.judged:
                way = distance(seat, board[player])
                value += -self.own_weight * way if player == self.player else way
        if step <= limit:
            value += self.extra_score * (limit - step + 1)
        return value

    def select(self, moves: list[int]) -> tuple[list[int], list[int]]:
        """The moves of the player to act that are looked at, and those to fall back on."""
        player = self.position.turn
        seat = self.position.seats[player]
        apex, own = APEX[seat], self.board[player]
        chosen: list[int] = []
        backups: list[int] = []
        selected: set[int] = set()
        targets: dict[int, list[int]] = {}
        for move in moves:
            if move < PASS:
                targets.setdefault(move >> 7, []).append(move & 127)
        for piece in sorted(targets, key=lambda hole: (-apex[hole], hole)):
            slots: list[int] = []
            for target in self.reachable(piece, targets[piece], apex):
                if apex[target] > apex[piece] or target in selected:
                    backups.append(piece << 7 | target)
                elif len(slots) < self.select_limit:
                    slots.append(target)
                else:
                    distances = [corner_distance(seat, own, slot) for slot in slots]
                    if corner_distance(seat, own, target) < max(distances):
                        slots[distances.index(max(distances))] = target
            selected.update(slots)
            chosen += [piece << 7 | target for target in slots]
        return chosen, backups

    def reachable(self, piece: int, targets: list[int], apex: list[int]) -> Iterator[int]:
        """`search`: the steps of a piece and where its hops end."""
        nearest = min((apex[target] for target in targets if AWAY[piece][target] > 1), default=0)
        for target in targets:
            if not self.farthest or AWAY[piece][target] == 1 or apex[target] == nearest:
                yield target

    def board_after(self, move: int) -> Board:
        if move >= PASS:
            return self.board
        player = self.position.turn
        own = self.board[player] ^ (1 << (move >> 7)) ^ (1 << (move & 127))
        return (*self.board[:player], own, *self.board[player + 1:])


def board_of(position: ChineseCheckersPosition) -> Board:
    own = dict.fromkeys(position.seats, 0)
    for stone in position.stones():
        own[stone.glyph] |= 1 << NAMES.index(stone.point)
    return tuple(own.values())
