"""A position as text, for a terminal.

Points become places on a grid of columns. Boards of crossings get their lines,
four columns and two rows apart; boards of cells and the hexagonal star are
drawn close together, with a dot for an empty point, and so are boards without lines. East Asian characters are
two columns wide, and everything is placed by columns, never by characters.
What lies beside the board (dice, scores) is written below it, a line per owner.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from operator import itemgetter

from boyi.core.board import Board, Glyph, Point, Stone
from boyi.core.position import Position
from boyi.core.words import Language
from boyi.kit.picture.view import View, inscription, look

UP, RIGHT, DOWN, LEFT, FALLING, RISING = 1, 2, 4, 8, 16, 32
"""Ways in which lines leave a place of the grid."""

CROSSINGS = {
    UP | DOWN: "│", LEFT | RIGHT: "─", DOWN | RIGHT: "┌", DOWN | LEFT: "┐", UP | RIGHT: "└", UP | LEFT: "┘",
    UP | DOWN | RIGHT: "├", UP | DOWN | LEFT: "┤", DOWN | LEFT | RIGHT: "┬", UP | LEFT | RIGHT: "┴",
    UP | DOWN | LEFT | RIGHT: "┼", FALLING: "╲", RISING: "╱", FALLING | RISING: "╳",
}
ASCII_CROSSINGS = {UP | DOWN: "|", LEFT | RIGHT: "-", FALLING: "\\", RISING: "/", FALLING | RISING: "X"}

DICE = {str(number): face for number, face in enumerate("⚀⚁⚂⚃⚄⚅", 1)}

BOLD, FAINT, REVERSED, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[7m", "\x1b[0m"


def draw(position: Position, *, seat: int = 0, pieces: str = "characters", last_move: Sequence[str] | None = None,
         targets: Iterable[str] = (), ascii_only: bool = False, colour: bool = False,
         coordinates: bool = True, language: Language = "en", stones: Iterable[Stone] | None = None) -> str:
    """Draw `position` as lines of text, without a line break at the end.

    The last stone moved stands in [ ], a point it came from or passed and each of
    the `targets` in ( ). `colour` adds ANSI codes; whether the reader is a terminal
    that wants them (NO_COLOR) is the caller's to know. `stones` stand on the board instead of the position's own.
    """
    view = look(position, seat=seat, pieces="letters" if ascii_only else pieces, last_move=last_move, targets=targets,
                stones=stones)
    board = _Grid(view, ascii_only=ascii_only, pieces=pieces, colour=colour, coordinates=coordinates).text()
    return "\n".join([board, *token_lines(position, ascii_only=ascii_only, language=language)])


def token_lines(position: Position, *, ascii_only: bool = False, language: Language = "en") -> list[str]:
    """What lies beside the board: nobody's tokens on a line, then each player's on one."""
    names = position.board.seat_names
    lines: dict[int | None, list[str]] = {seat: [] for seat in (None, *range(len(names)))}
    for token in position.tokens():
        value = token.value
        if token.kind == "die":
            value = f"{DICE[value]} {value}" if value in DICE and not ascii_only else f"[{value}]"
        lines[token.seat].append(f"{token.label.say('en' if ascii_only else language)} {value}")
    written = [("" if seat is None else f"{names[seat].say('en' if ascii_only else language)}: ") + "   ".join(tokens)
               for seat, tokens in lines.items() if tokens]
    return ["".join(character if character.isprintable() else "?" for character in line) for line in written]


def width(text: str) -> int:
    """How many columns a terminal gives to `text`.

    >>> width("a將")
    3
    """
    return sum(0 if unicodedata.combining(character)
               else 2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


class _Grid:
    """Columns and rows in the making: a mapping from (row, column) to what is written there."""

    def __init__(self, view: View, *, ascii_only: bool, pieces: str, colour: bool, coordinates: bool) -> None:
        self.view = view
        self.board = view.board
        self.ascii_only = ascii_only
        self.pieces = "letters" if ascii_only else pieces
        self.colour = colour
        self.labels = [label for label in self.board.labels if coordinates or label.kind == "words"]
        self.written: dict[tuple[int, int], tuple[str, str]] = {}
        """From a row and a column to a piece of text that begins there, and its ANSI codes."""

        self.left = min(point.x for point in self.board.points)
        self.top = min(point.y for point in self.board.points)
        self.row_step = _smallest_step(point.y for point in self.board.points)
        self.staggered = any(0.25 < (point.x - self.left) % 1 < 0.75 for point in self.board.points)
        self.ruled = bool(self.board.lines) and not self.board.cells and not self.staggered
        self.columns = 4 if self.ruled else 2 if self.staggered else 3
        """Columns from a point to its right neighbour."""

        self.rows = 2 if self.ruled else 1

    def text(self) -> str:
        self.last_row = max(self.place(point.x, point.y)[0] for point in self.board.points)
        self.last_column = max(self.place(point.x, point.y)[1] for point in self.board.points)
        if self.ruled:
            self.rule_lines()
        self.write_labels()
        self.write_points()
        return self.lines()

    def place(self, x: float, y: float) -> tuple[int, int]:
        return round((y - self.top) / self.row_step * self.rows), round((x - self.left) * self.columns)

    def write(self, row: int, column: int, text: str, codes: str) -> None:
        """Put `text` there, over whatever was in the columns it takes; what a terminal would obey becomes a `?`."""
        text = "".join(character if character.isprintable() else "?" for character in text)
        for covered in range(1, width(text)):
            self.written.pop((row, column + covered), None)
        self.written[row, column] = (text, codes)

    # ------------------------------------------------------------------ the board

    def rule_lines(self) -> None:
        """Walk along every line, note which ways it leaves each place, then choose the characters."""
        ways: dict[tuple[int, int], int] = {}
        for (x0, y0), (x1, y1) in self.board.lines:
            (row, column), (last_row, last_column) = self.place(x0, y0), self.place(x1, y1)
            down, across = _sign(last_row - row), _sign(last_column - column)
            forth, back = _ways(down, across)
            # A diagonal crosses two rows on four columns: one step on each row, between the points.
            stride = across * (1 if not down else self.columns // self.rows)
            while (row, column) != (last_row, last_column):
                ways[row, column] = ways.get((row, column), 0) | forth
                row, column = row + down, column + stride
                ways[row, column] = ways.get((row, column), 0) | back
        points = {self.place(point.x, point.y) for point in self.board.points}
        for place, way in ways.items():
            # Where a point is, the diagonals give way to the crossing.
            straight = way & (UP | RIGHT | DOWN | LEFT)
            shown = straight if place in points and straight else way
            table = ASCII_CROSSINGS if self.ascii_only else CROSSINGS
            self.write(*place, table.get(shown, "+"), FAINT)

    def write_labels(self) -> None:
        """Labels go to the row and column nearest to them, those outside the board just beyond its edge."""
        for label in self.labels:
            text = label.text
            if self.ascii_only and not text.isascii():
                continue
            row, column = self.place(label.x, label.y)
            row = max(-1, min(row, self.last_row + 1))
            if label.kind == "words":
                column -= width(text) // 2
            elif column < 0 and not self.staggered:
                # Room for a bracket between the label and the first stone, and after the last.
                column = min(column, -1 - width(text))
            elif column > self.last_column and not self.staggered:
                column = max(column, self.last_column + 4)
            for character in text:
                self.write(row, column, character, FAINT)
                column += width(character)

    # ------------------------------------------------------------------ the points

    def write_points(self) -> None:
        stones = {point.name: glyph for point, glyph in self.view.stones}
        for point in self.board.points:
            glyph = stones.get(point.name)
            row, column = self.place(point.x, point.y)
            if glyph is not None:
                self.write(row, column, self.symbol(glyph), self.codes(glyph))
            elif not self.ruled or (row, column) not in self.written:    # no line leads there
                self.write(row, column, "." if self.ascii_only else "·", FAINT)
        for point in self.view.targets:
            self.bracket(point, "()")
        for point in self.view.last_move[:-1]:
            self.bracket(point, "()")
        for point in self.view.last_move[-1:]:
            self.bracket(point, "[]")

    def symbol(self, glyph: Glyph) -> str:
        """What stands for a stone in the text."""
        if self.ascii_only:
            return glyph.code if glyph.code.isascii() else "?"
        written = inscription(glyph, self.pieces)
        if written and self.pieces != "letters":
            return written
        if glyph.style == "covered" and self.pieces != "letters":
            # As wide as the characters around it; capital and small tell the sides apart.
            return chr(ord(glyph.code) + 0xFEE0) if "!" <= glyph.code <= "~" else glyph.code
        if glyph.letter or glyph.style == "covered" or glyph.seat is None or len(self.board.seat_names) > 2:
            return glyph.code
        disc = "●○"[_is_lighter(self.board, glyph.seat)]
        return disc + "×" if glyph.style == "marked" else disc

    def codes(self, glyph: Glyph) -> str:
        """The ANSI colour of a stone's owner; stones that are black or white keep the terminal's own."""
        if glyph.seat is None:
            return BOLD
        red, green, blue = _channels(self.board.seat_colours[glyph.seat])
        if max(red, green, blue) - min(red, green, blue) < 40:
            return BOLD
        # The cube of 6 x 6 x 6 colours: more terminals know it than know all 16 million.
        return f"{BOLD}\x1b[38;5;{16 + 36 * _sixth(red) + 6 * _sixth(green) + _sixth(blue)}m"

    def bracket(self, point: Point, signs: str) -> None:
        row, column = self.place(point.x, point.y)
        symbol = self.written.get((row, column), ("", ""))[0]
        for at, sign in ((column - 1, signs[0]), (column + max(1, width(symbol)), signs[1])):
            # Neighbours on a narrow board share the column between them.
            before = self.written.get((row, at), ("", ""))[0]
            self.write(row, at, "|" if before in tuple("()[]") and before != sign else sign, REVERSED)

    # ------------------------------------------------------------------ putting it together

    def lines(self) -> str:
        """All rows, each filled up with blanks to the same width."""
        first = min(column for _, column in self.written)
        last = max(column + width(text) for (_, column), (text, _) in self.written.items())
        rows = []
        for row in range(min(row for row, _ in self.written), max(row for row, _ in self.written) + 1):
            parts: list[tuple[str, str]] = []
            column = first
            while column < last:
                text, codes = self.written.get((row, column), (" ", ""))
                parts.append((codes if self.colour else "", text))
                column += width(text)
            # Neighbours in the same colour share one pair of codes.
            rows.append("".join(f"{codes}{run}{PLAIN}" if codes else run
                                for codes, group in groupby(parts, key=itemgetter(0))
                                for run in ["".join(text for _, text in group)]))
        return "\n".join(rows)


def _smallest_step(values: Iterable[float]) -> float:
    ordered = sorted(set(values))
    return min((after - before for before, after in pairwise(ordered) if after - before > 0.05), default=1.0)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _ways(down: int, across: int) -> tuple[int, int]:
    """How a line going that way leaves a place, and how it reaches the next."""
    if not down:
        return (RIGHT, LEFT) if across > 0 else (LEFT, RIGHT)
    if not across:
        return (DOWN, UP) if down > 0 else (UP, DOWN)
    return (FALLING, FALLING) if down == across else (RISING, RISING)


def _channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of `#rrggbb`; a colour written in another way counts as grey."""
    try:
        red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    except ValueError:
        return 128, 128, 128
    return red, green, blue


def _sixth(channel: int) -> int:
    """The nearest of the six steps 0, 95, 135, 175, 215, 255."""
    return 0 if channel < 48 else 1 if channel < 115 else (channel - 35) // 40


def _is_lighter(board: Board, seat: int) -> bool:
    """Of two players' colours: is this one the lighter?"""
    shades = [sum(_channels(colour)) for colour in board.seat_colours]
    return shades[seat] > shades[1 - seat] or (shades[seat] == shades[1 - seat] and seat == 1)
