"""Chinese checkers once more: slow, plain, and written from the rules' text alone, to check the fast one by.

It shares no code, no numbering and no geometry with `boyi.games.chinese_checkers`: holes are names, the board is
a dictionary, a hop is looked for by walking, distances are counted by spreading out from the apex.
"""

from __future__ import annotations

from collections import Counter

ROWS = dict(zip("abcdefghijklmnopq", (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1), strict=True))

# Where each hole is: rows are 1 apart, holes of a row 2 apart, so that neighbours are (±2, 0) or (±1, ±1) away.
PLACE = {f"{row}{number}": (2 * number - length - 1, ord(row) - ord("a"))
         for row, length in ROWS.items() for number in range(1, length + 1)}
HOLE = {place: name for name, place in PLACE.items()}
DIRECTIONS = ((2, 0), (-2, 0), (1, 1), (-1, 1), (1, -1), (-1, -1))

CORNERS = {
    "A": "n1 n2 n3 n4 o1 o2 o3 p1 p2 q1",
    "B": "m1 m2 m3 m4 l1 l2 l3 k1 k2 j1",
    "C": "e1 e2 e3 e4 f1 f2 f3 g1 g2 h1",
    "D": "a1 b1 b2 c1 c2 c3 d1 d2 d3 d4",
    "E": "e10 e11 e12 e13 f10 f11 f12 g10 g11 h10",
    "F": "m10 m11 m12 m13 l10 l11 l12 k10 k11 j10",
}
NEXT_ROW = {"A": "m5 m6 m7 m8 m9", "D": "e5 e6 e7 e8 e9"}
APEX = {"A": "q1", "B": "m1", "C": "e1", "D": "a1", "E": "e13", "F": "m13"}
OPPOSITE = {"A": "D", "B": "E", "C": "F", "D": "A", "E": "B", "F": "C"}
SEATS = {2: "AD", 3: "ACE", 4: "ABDE", 5: "ABCDE", 6: "ABCDEF"}

Move = tuple[str, str]
PASS: Move = ("pass", "pass")


def walk(hole: str, direction: tuple[int, int], steps: int = 1) -> str | None:
    """The hole so many steps away, if there is one."""
    x, y = PLACE[hole]
    return HOLE.get((x + steps * direction[0], y + steps * direction[1]))


def steps_from(apex: str) -> dict[str, int]:
    """How many steps every hole is away from one, on the board."""
    away = {apex: 0}
    edge = [apex]
    while edge:
        hole = edge.pop(0)
        for direction in DIRECTIONS:
            near = walk(hole, direction)
            if near is not None and near not in away:
                away[near] = away[hole] + 1
                edge.append(near)
    return away


STEPS = {corner: steps_from(apex) for corner, apex in APEX.items()}


class NaiveGame:
    """A game with its whole history."""

    def __init__(self, players: int = 2, pieces: int = 10, *, stay_home: bool = False, long_hops: bool = False,
                 strict: bool = False, turn_limit: int = 300) -> None:
        self.seats = SEATS[players]
        self.pieces = pieces
        self.stay_home = stay_home
        self.long_hops = long_hops
        self.strict = strict
        self.turn_limit = turn_limit
        self.board = {hole: seat for seat in self.seats for hole in self.camp(seat)}
        self.to_act = self.seats[0]
        self.finished: list[str] = []
        self.gone: list[str] = []
        self.turn = 1
        self.seen: Counter[object] = Counter()
        self.remember()

    def camp(self, corner: str) -> set[str]:
        holes = CORNERS[corner].split()
        return set(holes + NEXT_ROW[corner].split()) if self.pieces == 15 else set(holes)

    def goal(self, seat: str) -> set[str]:
        return self.camp(OPPOSITE[seat])

    def position(self) -> object:
        return frozenset(self.board.items()), self.to_act, tuple(self.finished), tuple(self.gone)

    def remember(self) -> None:
        self.seen[self.position()] += 1

    def playing(self) -> list[str]:
        return [seat for seat in self.seats if seat not in self.finished and seat not in self.gone]

    # ------------------------------------------------------------------ moves

    def landings(self, hole: str, pieces: set[str]) -> list[str]:
        """Where one hop leads from `hole`, when pieces stand on `pieces`."""
        found = []
        for direction in DIRECTIONS:
            for away in range(1, 9 if self.long_hops else 2):
                over, end = walk(hole, direction, away), walk(hole, direction, 2 * away)
                if over not in pieces or end is None or end in pieces:
                    continue
                between = [walk(hole, direction, step) for step in range(1, 2 * away) if step != away]
                if not any(each in pieces for each in between):
                    found.append(end)
        return found

    def ends(self, start: str) -> set[str]:
        """Where the piece on `start` may go."""
        others = set(self.board) - {start}
        steps = {near for direction in DIRECTIONS if (near := walk(start, direction)) and near not in others}
        reached = {start}
        waiting = [start]
        while waiting:
            for end in self.landings(waiting.pop(), others):
                if end not in reached:
                    reached.add(end)
                    waiting.append(end)
        ends = (steps | reached) - {start}
        goal = self.goal(self.board[start])
        return ends & goal if self.stay_home and start in goal else ends

    def moves(self) -> set[Move]:
        if self.ending() is not None:
            return set()
        found = {(start, end) for start, seat in self.board.items() if seat == self.to_act for end in self.ends(start)}
        return found or {PASS}

    # ------------------------------------------------------------------ what a move does

    def has_reached(self, seat: str) -> bool:
        inside = [self.board.get(hole) for hole in self.goal(seat)]
        if self.strict:
            return all(piece == seat for piece in inside)
        return None not in inside and seat in inside

    def play(self, move: Move) -> None:
        if move != PASS:
            self.board[move[1]] = self.board.pop(move[0])
            self.finished += [seat for seat in self.playing() if self.has_reached(seat)]
        self.next_player()
        self.remember()

    def resign(self, seat: str) -> None:
        self.gone.append(seat)
        if seat == self.to_act:
            self.next_player()
        self.remember()

    def next_player(self) -> None:
        while True:
            if self.to_act == self.seats[-1]:
                self.turn += 1
            self.to_act = self.seats[(self.seats.index(self.to_act) + 1) % len(self.seats)]
            if self.to_act in self.playing():
                return

    # ------------------------------------------------------------------ the end

    def ending(self) -> str | None:
        if len(self.playing()) == 1:
            return "finished" if self.finished else "resignation"
        if self.seen[self.position()] >= 3:
            return "repetition"
        if self.turn > self.turn_limit:
            return "turn_limit"
        return None

    def distance(self, seat: str) -> int:
        return sum(STEPS[OPPOSITE[seat]][hole] for hole, piece in self.board.items() if piece == seat)

    def places(self) -> list[int]:
        """Per seat his place, as the game stands."""
        groups = [[seat] for seat in self.finished]
        for distance in sorted({self.distance(seat) for seat in self.playing()}):
            groups.append([seat for seat in self.playing() if self.distance(seat) == distance])
        groups += [[seat] for seat in reversed(self.gone)]
        places: dict[str, int] = {}
        for group in groups:
            place = len(places) + 1
            places.update(dict.fromkeys(group, place))
        return [places[seat] for seat in self.seats]

    def text(self) -> str:
        """The position as the rules' text wants it written, with who has left as a last field of ours."""
        rows = []
        for row, length in ROWS.items():
            written, empty = "", 0
            for number in range(1, length + 1):
                piece = self.board.get(f"{row}{number}")
                if piece is None:
                    empty += 1
                    continue
                written += (str(empty) if empty else "") + piece
                empty = 0
            rows.append(written + (str(empty) if empty else ""))
        fields = ["/".join(rows), self.to_act, self.seats, "".join(self.finished) or "-", str(self.turn)]
        return " ".join(fields + (["".join(self.gone)] if self.gone else []))
