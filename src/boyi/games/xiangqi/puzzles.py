"""What xiangqi knows about its puzzles: mates, double attacks, and endings put together by chance."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from boyi.core.position import Position
from boyi.core.puzzles import PuzzleFacts, SolvedLine
from boyi.core.setup import write_rows
from boyi.core.words import Words
from boyi.games.xiangqi.board import board
from boyi.games.xiangqi.fen import MOST, square_name

MATES: Mapping[int, str] = {1: "mate_in_1", 2: "mate_in_2", 3: "mate_in_3"}
MATED_BY: Mapping[str, str] = {"R": "chariot_mates", "N": "horse_mates", "C": "cannon_mates", "P": "soldier_mates"}

THEMES: Mapping[str, Words] = {
    "mate_in_1": Words("mate in 1", "一步杀"),
    "mate_in_2": Words("mate in 2", "两步杀"),
    "mate_in_3": Words("mate in 3", "三步杀"),
    "long_mate": Words("mate in 4 or more", "四步以上杀"),
    "chariot_mates": Words("chariot mates", "车杀"),
    "horse_mates": Words("horse mates", "马杀"),
    "cannon_mates": Words("cannon mates", "炮杀"),
    "soldier_mates": Words("soldier mates", "兵杀"),
    "double_attack": Words("double attack", "捉双"),
    "ending": Words("ending", "残局"),
}
"""By name."""

ATTACKERS = "RNC"
FEW_ATTACKERS = 4
"""Of both sides together: with no more chariots, horses and cannons it is an ending."""

WORTH = 150
"""A threat is to win at least this much by an exchange, in hundredths of a soldier."""


def find_themes(line: SolvedLine) -> Iterator[str]:
    """The themes of a line."""
    position = line.position
    letters = [stone.glyph.upper() for stone in position.stones()]
    if sum(letters.count(letter) for letter in ATTACKERS) <= FEW_ATTACKERS:
        yield "ending"
    if line.wins_in is not None:
        yield MATES.get((line.wins_in + 1) // 2, "long_mate")
    if _is_double_attack(position, line.moves[0]):
        yield "double_attack"
    last = position.copy()
    for move in line.moves[:-1]:
        last.play(move)
    origin = last.path(line.moves[-1])[0]
    mover = next(stone.glyph.upper() for stone in last.stones() if stone.point == origin)
    last.play(line.moves[-1])
    if last.outcome() is not None and mover in MATED_BY:
        yield MATED_BY[mover]


def _is_double_attack(position: Position, move: int) -> bool:
    """Does the piece that moved threaten two things at once, where the king is one of them in check?"""
    target = position.path(move)[-1]
    after = position.copy()
    after.play(move)
    if after.turn < 0:
        return False
    checked = after.checked
    if not after.play_null():     # in check there is no null move: look at the captures alone
        return False
    threats = [capture for capture in after.captures_now()
               if after.path(capture)[0] == target and after.exchange_now(capture) >= WORTH]
    return len(threats) + checked >= 2


# ---------------------------------------------------------------------- composed endings

MOST_OWN, MOST_OTHER = 4, 5
"""Attackers of the side to move, and of the other, which must be strong enough that nothing but the solution wins."""


def compose(generator: random.Random) -> str:
    """A few attackers near the enemy king against a side that has enough to win itself, Red to move."""
    stones: dict[str, str] = {}

    def put(letter: str, ranks: range, files: range = range(9)) -> None:
        square = square_name(9 * generator.choice(ranks) + generator.choice(files))
        stones.setdefault(square, letter)

    put("k", range(7, 10), range(3, 6))
    put("K", range(3), range(3, 6))
    for letter in generator.sample([*"RRNNCC", *"PPP"], generator.randint(2, MOST_OWN)):
        put(letter, range(4 if letter != "P" else 5, 10))
    for letter in "abAB":
        for _ in range(generator.randint(0, MOST[letter.upper()])):
            _put_guard(generator, stones, letter)
    for letter in generator.sample([*"rrnncc", *"ppp"], generator.randint(2, MOST_OTHER)):
        put(letter, range(6) if letter != "p" else range(5))
    return f"{write_rows(board(), stones)} w - - 0 1"


def _put_guard(generator: random.Random, stones: dict[str, str], letter: str) -> None:
    """An advisor or an elephant on one of its points."""
    home = 0 if letter.isupper() else 9
    points = ([(0, 3), (0, 5), (1, 4), (2, 3), (2, 5)] if letter in "Aa" else
              [(0, 2), (0, 6), (2, 0), (2, 4), (2, 8), (4, 2), (4, 6)])
    rank, file = generator.choice(points)
    stones.setdefault(square_name(9 * abs(home - rank) + file), letter)


PUZZLES = PuzzleFacts(themes=THEMES, find_themes=find_themes, compose=compose)
