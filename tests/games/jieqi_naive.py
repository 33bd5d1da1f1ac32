"""A second engine for jieqi, written from the rules text: slow, plain, obviously right.

It shares nothing with the compiled one. The board is a dict from (file, rank) to a piece; a move
is legal when trying it leaves the own king safe; a verdict on a repetition is given only where
counting checks decides it (`verdict` is then a pair of scores), else it says `UNDECIDED`.

One `NaiveJieqi` is the knowledge of one viewer: "w", "b", "-" (the referee) or "s" (a spectator).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

FILES = "abcdefghi"
LETTERS = "RACPNB"   # in the order of the pools in a position text
INITIAL = {"R": 2, "A": 2, "C": 2, "P": 5, "N": 2, "B": 2}
UNDECIDED = "undecided"

Point = tuple[int, int]


class Piece(NamedTuple):
    side: str
    """"w" or "b"."""

    letter: str | None
    """What it is, as a capital letter; None while it is covered."""


def standing_letter(side: str, point: Point) -> str | None:
    """Which piece of `side` has its starting point here."""
    file, rank = point
    if side == "b":
        rank = 9 - rank
    if rank == 0:
        return "RNBAKABNR"[file]
    if rank == 2 and file in (1, 7):
        return "C"
    if rank == 3 and file % 2 == 0:
        return "P"
    return None


def name(point: Point) -> str:
    return f"{FILES[point[0]]}{point[1]}"


def point_of(text: str) -> Point:
    return FILES.index(text[0]), int(text[1])


def other(side: str) -> str:
    return "b" if side == "w" else "w"


def letter_of(side: str, letter: str) -> str:
    """A letter in the case of its side."""
    return letter if side == "w" else letter.lower()


def on_board(point: Point) -> bool:
    return 0 <= point[0] <= 8 and 0 <= point[1] <= 9


def in_palace(side: str, point: Point) -> bool:
    return 3 <= point[0] <= 5 and (point[1] <= 2 if side == "w" else point[1] >= 7)


def on_own_half(side: str, point: Point) -> bool:
    return point[1] <= 4 if side == "w" else point[1] >= 5


class NaiveJieqi:
    def __init__(self, viewer: str = "-", captures: str = "captor", quiet_limit: int = 80,
                 rules: str = "checks") -> None:
        self.viewer = viewer
        self.captures = captures
        self.quiet_limit = quiet_limit
        self.rules = rules
        self.board: dict[Point, Piece] = {}
        for side in "wb":
            for file in range(9):
                for rank in range(10):
                    letter = standing_letter(side, (file, rank))
                    if letter:
                        self.board[file, rank] = Piece(side, "K" if letter == "K" else None)
        self.pools = {side: dict(INITIAL) for side in "wb"}
        self.side = "w"
        self.quiet = 0
        self.number = 1
        self.awaited: list[tuple[str, str]] = []
        """What chance still has to tell: ("mover" or "victim", whose piece)."""
        self.landed: Point = 0, 0
        """Where the last move went."""
        self.seen: list[tuple[object, bool]] = [(self.snapshot(), False)]
        """Every position at a player's turn, and whether the move that led to it gave check."""

    # ---------------------------------------------------------------- how pieces walk

    def targets(self, point: Point) -> list[Point]:
        """Where the piece on `point` may go if nobody minded his king."""
        piece = self.board[point]
        file, rank = point
        forward = 1 if piece.side == "w" else -1
        letter = piece.letter or standing_letter(piece.side, point)
        found: list[Point] = []
        if letter == "K":
            found = [p for p in self.beside(point) if in_palace(piece.side, p)]
        elif letter == "A":
            found = [(file + df, rank + dr) for df in (-1, 1) for dr in (-1, 1)]
            if piece.letter is None:
                found = [p for p in found if in_palace(piece.side, p)]
        elif letter == "B":
            for df in (-1, 1):
                for dr in (-1, 1):
                    eye = (file + df, rank + dr)
                    if eye not in self.board:
                        found.append((file + 2 * df, rank + 2 * dr))
            if piece.letter is None:
                found = [p for p in found if on_own_half(piece.side, p)]
        elif letter == "N":
            for df, dr in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                leg = (file + df, rank + dr)
                if leg not in self.board:
                    for turn in (-1, 1):
                        found.append((file + 2 * df + turn * dr, rank + 2 * dr + turn * df))
        elif letter == "R":
            for line in self.lines(point):
                for p in line:
                    found.append(p)
                    if p in self.board:
                        break
        elif letter == "C":
            for line in self.lines(point):
                standing = [p for p in line if p in self.board]
                found += line[:line.index(standing[0])] if standing else line
                found += standing[1:2]
        elif letter == "P":
            found = [(file, rank + forward)]
            if not on_own_half(piece.side, point):
                found += [(file - 1, rank), (file + 1, rank)]
        return [p for p in found
                if on_board(p) and (p not in self.board or self.board[p].side != piece.side)]

    @staticmethod
    def beside(point: Point) -> list[Point]:
        return [(point[0] + df, point[1] + dr) for df, dr in ((1, 0), (-1, 0), (0, 1), (0, -1))]

    @staticmethod
    def lines(point: Point) -> list[list[Point]]:
        """The four straight lines away from a point, nearest first."""
        return [[p for k in range(1, 10) if on_board(p := (point[0] + k * df, point[1] + k * dr))]
                for df, dr in ((1, 0), (-1, 0), (0, 1), (0, -1))]

    def king(self, side: str) -> Point:
        king = Piece(side, "K")
        ranks = (0, 1, 2) if side == "w" else (7, 8, 9)
        return next((file, rank) for file in (3, 4, 5) for rank in ranks if self.board.get((file, rank)) == king)

    def in_check(self, side: str) -> bool:
        """Could the king of `side` be taken, by a piece or by the other king along an open file?"""
        king, their_king = self.king(side), self.king(other(side))
        if king[0] == their_king[0]:
            low, high = sorted((king[1], their_king[1]))
            if not any((king[0], rank) in self.board for rank in range(low + 1, high)):
                return True
        # Only rooks and cannons on the king's lines and pieces near him can take him at all.
        return any(king in self.targets(p) for p, piece in self.board.items()
                   if piece.side != side and (p[0] == king[0] or p[1] == king[1]
                                              or (abs(p[0] - king[0]) <= 2 and abs(p[1] - king[1]) <= 2)))

    # ---------------------------------------------------------------- moves

    def walking_moves(self) -> list[str]:
        """The moves that leave the own king safe, limits and repetitions aside."""
        moves = []
        for origin, piece in list(self.board.items()):
            if piece.side == self.side:
                for target in self.targets(origin):
                    taken = self.board.get(target)
                    self.board[target] = self.board.pop(origin)
                    if not self.in_check(self.side):
                        moves.append(name(origin) + name(target))
                    self.board[origin] = self.board.pop(target)
                    if taken:
                        self.board[target] = taken
        return sorted(moves)

    def moves(self) -> list[str]:
        """What may be played now: moves, or at a chance turn the letters that may come."""
        if self.awaited:
            return sorted(self.odds())
        walking = self.walking_moves()
        return [] if self.verdict(walking) else walking

    def odds(self) -> dict[str, Fraction]:
        side = self.awaited[0][1]
        total = sum(self.pools[side].values())
        return {letter_of(side, letter): Fraction(count, total)
                for letter, count in self.pools[side].items() if count}

    def learns(self, captor: str) -> bool:
        """Does this viewer see what `captor` has taken covered?"""
        if self.viewer == "-" or self.captures == "both":
            return True
        return self.captures == "captor" and self.viewer == captor

    def play(self, text: str) -> None:
        if self.awaited:
            self.tell(text)
            return
        origin, target = point_of(text[:2]), point_of(text[2:])
        mover, victim = self.board.pop(origin), self.board.get(target)
        self.board[target] = mover
        self.landed = target
        if mover.letter is None:
            self.awaited.append(("mover", self.side))
        if victim and victim.letter is None and self.learns(self.side):
            self.awaited.append(("victim", other(self.side)))
        self.quiet = 0 if victim or mover.letter is None else self.quiet + 1
        if not self.awaited:
            self.hand_over()

    def tell(self, letter: str) -> None:
        who, side = self.awaited.pop(0)
        self.pools[side][letter.upper()] -= 1
        if who == "mover":
            self.board[self.landed] = Piece(side, letter.upper())
        if not self.awaited:
            self.hand_over()

    def hand_over(self) -> None:
        self.number += self.side == "b"
        self.side = other(self.side)
        self.seen.append((self.snapshot(), self.in_check(self.side)))

    def snapshot(self) -> object:
        return self.side, frozenset(self.board.items())

    # ---------------------------------------------------------------- the end

    def verdict(self, walking: list[str]) -> tuple[int, int] | str | None:
        """Scores of red and black, UNDECIDED where only a judge of chases can tell, or None: play on.

        `walking` are the `walking_moves()` of this very position.
        """
        if self.awaited:
            return None
        if not walking:
            return (-1, 1) if self.side == "w" else (1, -1)
        repeated = self.repetition()
        if repeated is not None:
            return repeated
        return (0, 0) if self.quiet_limit and self.quiet >= self.quiet_limit else None

    def repetition(self) -> tuple[int, int] | str | None:
        now = self.seen[-1][0]
        times = [i for i, (position, _) in enumerate(self.seen) if position == now]
        if len(times) < 3:
            return None
        if self.rules == "simple":
            return 0, 0
        # The moves since the previous occurrence; the one that led to the present position is the
        # other side's, and they alternate.
        cycle = [check for _, check in self.seen[times[-2] + 1:]]
        theirs, ours = all(cycle[::-2]), all(cycle[-2::-2])
        if theirs != ours:
            return (1, -1) if (self.side == "w") == theirs else (-1, 1)
        return (0, 0) if theirs or self.rules == "checks" else UNDECIDED

    # ---------------------------------------------------------------- text

    def to_text(self) -> str:
        rows = []
        for rank in range(9, -1, -1):
            row = ""
            for file in range(9):
                piece = self.board.get((file, rank))
                row += letter_of(piece.side, piece.letter or "X") if piece else "."
            for gap in range(9, 0, -1):
                row = row.replace("." * gap, str(gap))
            rows.append(row)
        side = self.side
        if self.awaited:
            side += "?" + name(self.landed) + "".join(letter_of(whose, "X") for _, whose in self.awaited)
        pools = "".join(f"{letter_of(s, letter)}{self.pools[s][letter]}" for s in "wb" for letter in LETTERS)
        return f"{'/'.join(rows)} {side} {pools} {self.quiet} {self.number} {self.viewer}"

    def counts(self) -> dict[str, Counter[str]]:
        """Per side how many pieces of each letter (X for covered) are on the board."""
        return {side: Counter(piece.letter or "X" for piece in self.board.values() if piece.side == side)
                for side in "wb"}
