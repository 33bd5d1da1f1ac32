"""Why a move is good, in a word, found by rule: it wins, takes, saves, checks or threatens.

What counts is what the contract says of any game: proven ends, what a move takes and wins by exchanges on its square
(`exchange_now`), checks, and what could be taken after a pass (`play_null`). Where a game says nothing of these, there
is no reason.

>>> import boyi
>>> position = boyi.start("xiangqi")
>>> for move in ("h2e2", "a9a8"):
...     position.play(move)
>>> find_reason(position, position.parse_move("e2e6")).words.en
'takes the black soldier'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from boyi.core.position import Position
from boyi.core.words import Words

Kind = Literal["wins", "takes", "saves", "checks", "threatens"]

LEAST = 50
"""What is worth a word, in hundredths of the smallest piece; a guess."""

WINS = Words("wins in {plies} plies", "{plies} 步内取胜")
WINS_NOW = Words("wins at once", "立即取胜")
TAKES = Words("takes {piece}", "吃{piece}")
TAKES_SOMETHING = Words("takes", "吃子")
SAVES = Words("saves {piece}", "保住{piece}")
SAVES_SOMETHING = Words("saves what was threatened", "解除威胁")
CHECKS = Words("gives check", "将军")
THREATENS = Words("threatens {piece}", "威胁{piece}")
THREATENS_SOMETHING = Words("threatens to take", "威胁吃子")


@dataclass(frozen=True)
class Reason:
    """Why a move is good."""

    kind: Kind
    words: Words


def find_reason(position: Position, move: int, wins_in: int | None = None) -> Reason | None:
    """The first reason that there is for a legal move; `wins_in` are the plies to a proven end (`Line.wins_in`)."""
    if wins_in is not None and wins_in > 0:
        words = WINS_NOW if wins_in == 1 else Words(WINS.en.format(plies=wins_in), WINS.zh.format(plies=wins_in))
        return Reason("wins", words)
    if position.taken_now(move) > 0 and position.exchange_now(move) >= 0:
        return Reason("takes", _about(position, move, TAKES, TAKES_SOMETHING))
    after = position.copy()
    after.play(move)
    if after.turn < 0 or after.turn == position.turn:   # chance acts, the game is over, or the turn goes on
        return None
    threat, danger = _after_pass(position)
    if threat is not None and danger >= LEAST and _best_capture(after)[1] <= danger - LEAST:
        return Reason("saves", _about(threat[0], threat[1], SAVES, SAVES_SOMETHING))
    if position.gives_check(move):
        return Reason("checks", CHECKS)
    threatened, gain = _after_pass(after)
    if threatened is not None and gain >= LEAST and gain >= _best_capture(position)[1] + LEAST:
        return Reason("threatens", _about(threatened[0], threatened[1], THREATENS, THREATENS_SOMETHING))
    return None


def _best_capture(position: Position) -> tuple[int | None, int]:
    """The capture that wins most by exchanges, and what it wins; None and 0 if none wins anything."""
    best, most = None, 0
    for move in position.captures_now() if position.turn >= 0 else ():
        if position.taken_now(move) > 0 and (gain := position.exchange_now(move)) > most:
            best, most = move, gain
    return best, most


def _after_pass(position: Position) -> tuple[tuple[Position, int] | None, int]:
    """The capture that wins most if the player to act passed, with the position in which it is made."""
    passed = position.copy()
    if not passed.play_null():
        return None, 0
    move, gain = _best_capture(passed)
    return (None, 0) if move is None else ((passed, move), gain)


def _about(position: Position, move: int, words: Words, without: Words) -> Words:
    """Words about what a move takes, by its name if it is one piece."""
    taken = [change.glyph for change in position.changes(move) if change.kind == "captured"]
    if len(taken) != 1:
        return without
    name = position.board.glyphs[taken[0]].name
    return Words(words.en.format(piece=f"the {name.en}"), words.zh.format(piece=name.zh))
