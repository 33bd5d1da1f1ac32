"""Liuzhou qi: what an arbiter would rule, case by case, and what the parsers refuse."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field

import pytest

from boyi import OVER, IllegalMoveError, OptionError, TextError, find_game, playout
from boyi.core.board import Change
from boyi.games.liuzhou.position import LiuzhouPosition

GAME = find_game("liuzhou")

DOCUMENT: dict[str, object] = {"rules": "document"}
REFERENCE: dict[str, object] = {"rules": "reference"}
CHECKERED = "bwbwbw/wbwbwb/bwbwbw/wbwbwb/bwbwbw/wbwbwb"   # a full board without a shape


@dataclass(frozen=True)
class Case:
    """One decision of the rules: play the moves from a position, then see."""

    rule: str
    start: str
    moves: str = ""
    then: str | None = None
    """What follows the board in the text of the last position: side, phase, pending, actions, quiet."""

    board: str | None = None
    legal: str | None = None
    """All legal actions."""

    includes: str = ""
    excludes: str = ""
    result: str | None = None
    """`b`, `w` or `draw`, and the reason; None while the game goes on."""

    options: dict[str, object] = field(default_factory=dict)


CASES = [
    # ---- placement
    Case("Black places first, on any point", "6/6/6/6/6/6 b place 0 0 0", "d3",
         "w place 0 1 0", board="6/6/3b2/6/6/6", excludes="d3"),
    Case("a square earns one mark, made by the same player",
         "bb4/b5/6/6/6/www3 b place 0 6 0", "b2", "b mark 1 7 0", legal="!a6 !b6 !c6"),
    Case("after the mark the opponent places", "bb4/b5/6/6/6/www3 b place 0 6 0", "b2 !b6",
         "w place 0 8 0", board="bb4/bb4/6/6/6/wWw3"),
    Case("a whole row earns two marks, at the edge too",
         "bbbbb1/6/w5/1w4/2w3/w1w3 b place 0 10 0", "f1", "b mark 2 11 0"),
    Case("a whole column earns two marks", "w4b/1w3b/w4b/1w3b/w4b/6 b place 0 10 0", "f6", "b mark 2 11 0"),
    Case("five in a row earn nothing", "bbbb2/6/w5/1w4/2w3/w5 b place 0 8 0", "e1", "w place 0 9 0"),
    Case("a diagonal earns nothing",
         "b4w/1b3w/2b3/3b1w/4b1/w1w3 b place 0 10 0", "f6", "w place 0 11 0"),
    Case("a square across the edge is none", "5b/b4b/6/6/6/www3 b place 0 6 0", "a3", "w place 0 7 0"),
    Case("a shape must contain the stone just placed",
         "bb4/bb4/6/6/6/wWw1w1 b place 0 9 0", "f1", "w place 0 10 0"),
    Case("a marked stone breaks a square", "bB4/b5/6/6/6/www3 b place 0 7 0", "b2", "w place 0 8 0"),
    Case("a marked stone breaks a line and is not skipped over",
         "bbBbb1/6/w5/1w4/2w3/w1w3 b place 0 11 0", "f1", "w place 0 12 0"),
    Case("two squares by one stone: sum", "b1b3/bbb3/6/6/6/wwwww1 b place 0 10 0", "b1", "b mark 2 11 0"),
    Case("two squares by one stone: maximum", "b1b3/bbb3/6/6/6/wwwww1 b place 0 10 0", "b1", "b mark 1 11 0",
         options=REFERENCE),
    Case("a line and a square by one stone: sum", "bbbb1b/4bb/6/w5/1w4/wwwww1 b place 0 14 0", "e1", "b mark 3 15 0"),
    Case("a line and a square by one stone: maximum", "bbbb1b/4bb/6/w5/1w4/wwwww1 b place 0 14 0", "e1",
         "b mark 2 15 0", options=REFERENCE),
    Case("two lines by one stone: sum", "1bbbbb/b5/b1www1/b1www1/b1ww2/b1ww2 b place 0 20 0", "a1", "b mark 4 21 0"),
    Case("two lines by one stone: maximum", "1bbbbb/b5/b1www1/b1www1/b1ww2/b1ww2 b place 0 20 0", "a1",
         "b mark 2 21 0", options=REFERENCE),
    Case("all that one stone can complete: sum",
         "wwb1ww/wbbb2/bb1bbb/wbbbww/wwb1ww/1wb2w b place 0 28 0", "c3", "b mark 8 29 0"),
    Case("all that one stone can complete: maximum",
         "wwb1ww/wbbb2/bb1bbb/wbbbww/wwb1ww/1wb2w b place 0 28 0", "c3", "b mark 2 29 0", options=REFERENCE),
    Case("a marked stone blocks its point", "bb4/bb4/6/6/6/wWw3 w place 0 8 0", excludes="b6"),

    # ---- marks
    Case("only stones outside every shape may be marked",
         "bb4/b2b1b/b5/6/ww4/wwww2 b place 0 12 0", "b2", "b mark 1 13 0", legal="!c6 !d6"),
    Case("if all stand in shapes, any may be marked", "bb4/b5/5b/6/ww4/ww4 b place 0 6 0", "b2",
         "b mark 1 7 0", legal="!a5 !b5 !a6 !b6"),
    Case("marking one stone of a square makes its mates ordinary",
         "bbbbb1/6/6/6/ww2W1/ww4 b place 0 8 0", "f1 !a5", "b mark 1 10 0", legal="!b5 !a6 !b6"),
    Case("a line protects like a square", "bb4/b5/3bb1/b5/6/wwwwww b place 0 12 0",
         "b2", "b mark 1 13 0", legal="!a6 !b6 !c6 !d6 !e6 !f6"),
    Case("a marked stone protects nobody and is not marked twice", "bb4/b2b2/6/6/wW4/ww4 b place 0 8 0", "b2",
         "b mark 1 9 0", legal="!a5 !a6 !b6"),
    Case("one's own stones are no targets, marked or not",
         "bb4/b2B2/6/6/6/wwww2 b place 0 8 0", "b2", "b mark 1 9 0", legal="!a6 !b6 !c6 !d6"),
    Case("a mark without a target lapses", "bb4/b5/6/6/6/WWW3 b place 0 9 0", "b2", "w place 0 10 0"),
    Case("a second mark without a target lapses", "bbbbb1/6/6/6/WWWW2/w5 b place 0 14 0", "f1 !a6",
         "w place 0 16 0"),
    Case("White may mark on the full board; then comes clear",
         "bwbwbw/wbwbwb/bwbwbw/wbwbwb/bwbwbw/wbwbwb w mark 1 37 0", "!a1", "w clear 0 38 0", legal="clear"),
    Case("too few stones do not lose before clear",
         "BB4/BB4/6/WW4/WW4/6 b place 0 16 0", "f6", "w place 0 17 0", options=REFERENCE),

    Case("in a composed position who has placed all 18 stones waits for the other",
         "1w1wbw/wbwbwb/bwbwbw/wbwbwb/bwbwbw/wbwbwb b place 0 34 0", "a1", "b place 0 35 0", legal="c1"),

    # ---- removal
    Case("on the full board White clears, and can do nothing else",
         "bwbwbw/wbwbwb/bwbwbw/wbwbwb/bwbwb1/wbwbwb w place 0 35 0", "f5", "w clear 0 36 0", legal="clear"),
    Case("clear removes all marked stones of both colours; White moves",
         "Bwbwbw/wbwbwb/bwbwbw/wbwbwb/bwbwbw/WbwbwB w clear 0 39 0", "clear", "w move 0 40 0",
         board="1wbwbw/wbwbwb/bwbwbw/wbwbwb/bwbwbw/1bwbw1", legal="b1-a1 a2-a1 f5-f6 e6-f6"),
    Case("clear with nothing marked is a quiet action; White then removes a stone",
         f"{CHECKERED} w clear 0 36 0", "clear", "w forced 0 37 1", board=CHECKERED,
         includes="xa1 xf6", excludes="xb1 xa2"),
    Case("after White's forced removal Black removes", f"{CHECKERED} w clear 0 36 0", "clear xa1",
         "b forced 0 38 0", includes="xb1 xa2", excludes="xc1"),
    Case("after both forced removals White moves", f"{CHECKERED} w clear 0 36 0", "clear xa1 xf5", "w move 0 39 0",
         board="1wbwbw/wbwbwb/bwbwbw/wbwbwb/bwbwb1/wbwbwb", legal="b1-a1 a2-a1"),
    Case("a forced removal takes ordinary stones",
         "bbwbwb/bbwbww/wwbwbw/wbwbwb/bwbwbw/wbwbwb w forced 0 37 1",
         excludes="xa1 xb1 xa2 xb2", includes="xd1 xf6"),
    Case("a side with too few stones after clear is beaten",
         "BBBBBB/BBBBBB/BBBbbb/wwwwww/wwwwww/wwwwwW w clear 0 60 0", "clear", "w move 0 61 0", legal="",
         result="w beaten", options=REFERENCE),
    Case("if both have too few after clear, Black has lost",
         "BBBBBB/BBBBBB/BBBbbb/WWWWWW/WWWWWW/WWWwww w clear 0 66 0", "clear", legal="", result="w beaten",
         options=REFERENCE),
    Case("if neither has a stone after clear, Black has lost",
         "BBBBBB/BBBBBB/BBBBBB/WWWWWW/WWWWWW/WWWWWW w clear 0 72 0", "clear", legal="", board="6/6/6/6/6/6",
         result="w beaten"),
    Case("three stones after clear are enough under the document's rules",
         "BBBBBB/BBBBBB/BBBbbb/WWWWWW/WWWWWW/WWWwww w clear 0 66 0", "clear", "w move 0 67 0"),

    # ---- movement
    Case("one orthogonal step to an empty point, not round the edge",
         "5w/b5/6/2b3/6/6 b move 0 50 0", legal="a2-a1 a2-b2 a2-a3 c4-c3 c4-b4 c4-d4 c4-c5"),
    Case("moving is compulsory and the turn passes", "5w/b5/6/2b3/6/6 b move 0 50 0", "a2-a1", "w move 0 51 1"),
    Case("a square earns one capture, taken at once by the same player",
         "bb4/b1b3/6/6/6/ww3w b move 0 50 0", "c2-b2", "b capture 1 51 1", legal="xa6 xb6 xf6"),
    Case("after the capture the opponent moves", "bb4/b1b3/6/6/6/ww3w b move 0 50 0", "c2-b2 xa6",
         "w move 0 52 0", board="bb4/bb4/6/6/6/1w3w"),
    Case("a line earns two captures", "bbbbb1/5b/6/6/6/ww3w b move 0 50 7", "f2-f1 xa6", "b capture 1 52 0",
         legal="xb6 xf6"),
    Case("a line and a square by one move: sum", "6/2b3/bb1bbb/2bb2/6/wwww2 b move 0 50 0", "c2-c3",
         "b capture 3 51 1"),
    Case("a line and a square by one move: maximum", "6/2b3/bb1bbb/2bb2/6/wwww2 b move 0 50 0", "c2-c3",
         "b capture 2 51 1", options=REFERENCE),
    Case("a move out of a square into a line earns the line", "bb1bbb/1bb3/6/6/ww4/ww4 b move 0 50 0", "c2-c1",
         "b capture 2 51 1"),
    Case("several squares by one move: sum", "bbb3/b1b3/1b4/1b4/6/wwww2 b move 0 50 0", "b3-b2", "b capture 2 51 1"),
    Case("several squares by one move: maximum", "bbb3/b1b3/1b4/1b4/6/wwww2 b move 0 50 0", "b3-b2",
         "b capture 1 51 1", options=REFERENCE),
    Case("a shape opened and closed again counts as new",
         "bb4/bb4/6/6/6/ww3w b move 0 50 0", "b2-c2 a6-a5 c2-b2", "b capture 1 53 3"),
    Case("a shape that does not contain the moved stone earns nothing",
         "bbb3/bb4/6/6/6/ww3w b move 0 50 0", "c1-d1", "w move 0 51 1"),
    Case("captures follow the rule of marks: ordinary stones first",
         "bb4/b1b3/6/6/ww4/wwww2 b move 0 50 0", "c2-b2", legal="xc6 xd6"),
    Case("if all stand in shapes, any may be captured",
         "bb4/b1b3/6/6/ww4/ww4 b move 0 50 0", "c2-b2", legal="xa5 xb5 xa6 xb6"),
    Case("a captured stone of a square leaves its mates ordinary",
         "bbbbb1/5b/6/6/ww2ww/ww2ww b move 0 50 0", "f2-f1 xa5", legal="xb5 xa6 xb6"),

    # ---- no legal move
    Case("who cannot move removes an ordinary stone of the opponent",
         "bw4/w2w2/6/6/4ww/4ww b move 0 50 5", legal="xb1 xa2 xd2"),
    Case("then the opponent removes one of his", "bw2wb/w4w/6/6/3w2/3w1w b move 0 50 5", "xd5",
         "w counter 0 51 0", legal="xa1 xf1"),
    Case("then he moves, if he can", "bw2wb/w4w/6/6/3w2/3w1w b move 0 50 5", "xe1 xa1", "b move 0 52 0",
         legal="f1-e1"),
    Case("if he still cannot, he removes again", "bw2wb/w4w/6/6/3w2/3w1w b move 0 50 5", "xd5 xa1", "b move 0 52 0",
         legal="xb1 xe1 xa2 xf2 xd6 xf6"),
    Case("the counter-removal follows the rule of marks too",
         "bbw2b/bbw1w1/ww4/6/6/6 w counter 0 50 0", legal="xf1"),
    Case("who has a move may not remove", "bw4/6/6/6/4ww/4ww b move 0 50 5", legal="a1-a2"),
    Case("a removal for want of a move can win",
         "bbbw2/bbw3/bw4/w5/6/6 b move 0 50 5", "xd1", "b move 0 51 0", result="b beaten", legal="", options=REFERENCE),
    Case("a counter-removal can win", "bw4/w2w2/6/6/6/6 b move 0 50 5", "xd2 xa1", "w counter 0 52 0",
         result="w beaten", legal=""),

    # ---- the end
    Case("the last stone is captured", "bb4/b1b3/6/6/6/5w b move 0 50 0", "c2-b2 xf6", "b capture 0 52 0",
         result="b beaten", legal=""),
    Case("three stones are enough under the document's rules", "bb4/b1b3/6/6/6/ww1ww1 b move 0 50 0", "c2-b2 xa6",
         "w move 0 52 0"),
    Case("with three stones a side is beaten under the reference rules",
         "bb4/b1b3/6/6/6/ww1ww1 b move 0 50 0", "c2-b2 xa6", "b capture 0 52 0", result="b beaten", legal="",
         options=REFERENCE),
    Case("four stones are enough under the reference rules", "bb4/b1b3/6/6/6/wwwww1 b move 0 50 0", "c2-b2 xa6",
         "w move 0 52 0", options=REFERENCE),
    Case("a win drops the pending second capture", "bbbbb1/5b/6/6/6/wwww2 b move 0 50 0", "f2-f1 xa6",
         "b capture 1 52 0", result="b beaten", legal="", options=REFERENCE),
    Case("144 actions are a draw", "bb4/6/6/6/6/5w b move 0 143 4", "a1-a2", "w move 0 144 5",
         result="draw action_limit", legal=""),
    Case("a mark counts as an action", "bb4/bb4/6/6/6/www3 b mark 1 143 0", "!a6", "w place 0 144 0",
         result="draw action_limit", legal=""),
    Case("a limit reached by an action that earned a capture is a draw",
         "bb4/b1b3/6/6/6/ww3w b move 0 143 3", "c2-b2", "b capture 1 144 4", result="draw action_limit", legal=""),
    Case("a placement that earned a mark as the last action is a draw",
         "bb4/b5/6/6/6/www3 b place 0 143 0", "b2", "b mark 1 144 0", result="draw action_limit", legal=""),
    Case("a capture as the 144th action is a draw", "bb4/bb4/6/6/6/ww3w b capture 1 143 1", "xa6",
         "w move 0 144 0", result="draw action_limit", legal=""),
    Case("a winning capture as the 144th action wins", "bb4/bb4/6/6/6/5w b capture 1 143 1", "xf6",
         "b capture 0 144 0", result="b beaten", legal=""),
    Case("a winning clear as the 144th action wins",
         "BBBBBB/BBBBBB/BBBBBB/wwwwww/wwwwww/wwwwwW w clear 0 143 0", "clear", result="w beaten", legal=""),
    Case("36 quiet actions are a draw", "bb4/6/6/6/6/5w b move 0 90 35", "a1-a2", "w move 0 91 36",
         result="draw quiet_limit", legal=""),
    Case("35 quiet actions are not", "bb4/6/6/6/6/5w b move 0 90 34", "a1-a2", "w move 0 91 35"),
    Case("the action that completes a shape counts as quiet and may end the game",
         "bb4/b1b3/6/6/6/ww3w b move 0 90 35", "c2-b2", "b capture 1 91 36", result="draw quiet_limit", legal=""),
    Case("a removal for want of a move resets the quiet count", "bw4/w2w2/6/6/4ww/4ww b move 0 90 35", "xd2",
         "w counter 0 91 0"),
    Case("placing and marking leave the quiet count alone", "6/6/6/6/6/6 b place 0 0 0", "a1 a6 b1 b6 a2 c6 b2 !a6",
         "w place 0 8 0"),
    Case("a clear that removes stones is no quiet action",
         "Bwbwbw/wbwbwb/bwbwbw/wbwbwb/bwbwbw/wbwbwb w clear 0 37 0", "clear", "w move 0 38 0"),
    Case("limits are options", "bb4/6/6/6/6/5w b move 0 143 36", "a1-a2", "w move 0 144 37",
         options={"action_limit": 500, "quiet_limit": 500}),
    Case("a limit may fall into placement", "6/6/6/6/6/6 b place 0 0 0", "a1 b1", "b place 0 2 0",
         result="draw action_limit", legal="", options={"action_limit": 2}),
    Case("thresholds and shapes may be mixed", "bb4/b1b3/6/6/6/ww1ww1 b move 0 50 0", "c2-b2 xa6",
         result="b beaten", legal="", options={"rules": "document", "threshold": 4}),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_rule(case: Case) -> None:
    position = GAME.parse(case.start, **case.options)
    assert position.to_text() == case.start
    for move in case.moves.split():
        position.play(move)
    board, _, then = position.to_text().partition(" ")
    legal = {position.format_move(move) for move in position.moves()}
    if case.then is not None:
        assert then == case.then
    if case.board is not None:
        assert board == case.board
    if case.legal is not None:
        assert legal == set(case.legal.split())
    assert legal >= set(case.includes.split())
    assert not legal & set(case.excludes.split())
    outcome = position.outcome()
    if case.result is None:
        assert outcome is None
        assert position.turn == "bw".index(then[0])
    else:
        winner, reason = case.result.split()
        assert outcome is not None
        assert (outcome.winner, outcome.reason) == ({"b": 0, "w": 1, "draw": None}[winner], reason)
        assert position.turn == OVER
    # What was read stands for the same position as what was played, and nothing of the play is left behind.
    read = GAME.parse(position.to_text(), **case.options)
    assert (read.moves(), read.outcome(), read.fingerprint) == (position.moves(), outcome, position.fingerprint)
    for _ in case.moves.split():
        position.undo()
    assert position.to_text() == case.start
    assert position.fingerprint == GAME.parse(case.start, **case.options).fingerprint


# ---------------------------------------------------------------------- options

def test_presets_set_the_two_disputed_rules() -> None:
    assert dict(GAME.resolve()) == {
        "rules": "document", "threshold": 1, "shapes": "sum", "action_limit": 144, "quiet_limit": 36}
    assert dict(GAME.resolve(REFERENCE)) == {
        "rules": "reference", "threshold": 4, "shapes": "maximum", "action_limit": 144, "quiet_limit": 36}
    assert GAME.resolve({"rules": "reference", "shapes": "sum"})["shapes"] == "sum"


@pytest.mark.parametrize("options", [
    {"rules": "seed"}, {"threshold": 0}, {"threshold": 5}, {"threshold": "four"}, {"shapes": "average"},
    {"action_limit": 0}, {"quiet_limit": -1}, {"quiet_limit": "\u0663\u0666"}, {"limit": 5},
], ids=str)
def test_refuses_options(options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        GAME.start(**options)


# ---------------------------------------------------------------------- parsers

BAD_POSITIONS = {
    "": "six rows",
    "6/6/6/6/6/6": "six rows",
    "6/6/6/6/6/6 b place 0 0": "six rows",
    "6/6/6/6/6/6 b place 0 0 0 0": "six rows",
    "6/6/6/6/6 b place 0 0 0": "six rows",
    "6/6/6/6/6/6/6 b place 0 0 0": "six rows",
    "/" * 100_000 + " b place 0 0 0": "six rows",
    "x" * 100_000: "six rows",
    "5/6/6/6/6/6 b place 0 0 0": "row 1",
    "6/6/6/6/6/6b b place 0 0 0": "row 6",
    "6/6//6/6/6 b place 0 0 0": "row 3",
    f"{'1' * 100_000}/6/6/6/6/6 b place 0 0 0": "row 1",
    "7/6/6/6/6/6 b place 0 0 0": "empty points",
    "0b5/6/6/6/6/6 w place 0 1 0": "empty points",
    "x5/6/6/6/6/6 w place 0 1 0": "empty points",
    "\u0666/6/6/6/6/6 b place 0 0 0": "empty points",
    "6/6/6/6/6/6 r place 0 0 0": "side to act",
    "6/6/6/6/6/6 B place 0 0 0": "side to act",
    "6/6/6/6/6/6 bw place 0 0 0": "side to act",
    "6/6/6/6/6/6 b placement 0 0 0": "phase",
    "6/6/6/6/6/6 b 1 0 0 0": "phase",
    "6/6/6/6/6/6 b place -1 0 0": "pending",
    "6/6/6/6/6/6 b place \u0660 0 0": "pending",
    "6/6/6/6/6/6 b place \u00b2 0 0": "pending",
    "6/6/6/6/6/6 b place 1 0 0": "pending",
    "bb4/bb4/6/6/6/www3 b mark 0 7 0": "pending",
    "bb4/bb4/6/6/6/www3 b mark 9 7 0": "pending",
    "bb4/6/6/6/6/ww4 b move 1 50 0": "pending",
    "bb4/bb4/6/6/6/ww4 b capture 0 50 0": "pending",
    "bb4/bb4/6/6/6/ww4 b counter 1 50 0": "pending",
    "6/6/6/6/6/6 b place 0 145 0": "action count",
    "6/6/6/6/6/6 b place 0 1e3 0": "action count",
    f"6/6/6/6/6/6 b place 0 {'9' * 100_000} 0": "action count",
    "bb4/6/6/6/6/ww4 b move 0 50 37": "quiet count",
    "bb4/6/6/6/6/ww4 b move 0 50 x": "quiet count",
    "6/6/6/6/6/6 b place 0 5 1": "quiet count",
    f"{CHECKERED} w clear 0 36 1": "quiet count",
    "bbbbbb/bbbbbb/bbbbbb/b5/6/w5 b move 0 50 0": "at most 18",
    "wwwwww/wwwwww/wwwwww/w5/6/b5 b move 0 50 0": "at most 18",
    "bbbbbb/bbbbbb/bbbbbb/6/6/w5 b place 0 19 0": "all 18",
    f"{CHECKERED} b place 0 36 0": "all 18",
    "bb4/bb4/6/6/6/WWW3 b mark 1 10 0": "no stone left to mark",
    "bb4/bb4/6/6/6/6 b mark 1 10 0": "no stone left to mark",
    f"{CHECKERED} b clear 0 36 0": "White's action",
    "bwbwbw/wbwbwb/bwbwbw/wbwbwb/bwbwb1/wbwbwb w clear 0 35 0": "full board",
    "Bb4/6/6/6/6/ww4 b move 0 50 0": "marked",
    "bb4/6/6/6/6/wW4 w capture 1 50 0": "marked",
    f"B{CHECKERED[1:]} w forced 0 37 1": "marked",
}


@pytest.mark.parametrize(("text", "words"), BAD_POSITIONS.items(), ids=lambda value: value[:60])
def test_refuses_positions(text: str, words: str) -> None:
    position = GAME.start()
    position.play("a1")
    before = position.to_text(), position.history(), position.start_text
    with pytest.raises(TextError, match=words) as refusal:
        position.set_text(text)
    assert len(str(refusal.value)) < 400
    assert (position.to_text(), position.history(), position.start_text) == before


@pytest.mark.parametrize("nonsense", [None, 0, b"6/6/6/6/6/6 b place 0 0 0", ["6"], object()],
                         ids=lambda value: type(value).__name__)
def test_refuses_what_is_no_text(nonsense: object) -> None:
    position = GAME.start()
    with pytest.raises(TextError):
        position.set_text(nonsense)  # type: ignore[arg-type]
    with pytest.raises(TextError):
        position.parse_move(nonsense)  # type: ignore[arg-type]


def test_the_reference_rules_never_leave_three_pending() -> None:
    text = "bb4/bb4/6/6/6/wwww2 b capture 3 50 1"
    assert GAME.parse(text).to_text() == text
    with pytest.raises(TextError, match="pending"):
        GAME.parse(text, **REFERENCE)


def test_spaces_and_split_runs_are_forgiven() -> None:
    assert GAME.parse("  1b22/6/6/6/6/33   w place 0 1 0\n").to_text() == "1b4/6/6/6/6/6 w place 0 1 0"


MALFORMED_MOVES = [
    "", " ", "d", "d33", "g1", "a7", "a0", "!", "!!d3", "!g1", "x", "xx", "xd3x", "d3-", "d3-d", "d3-d9", "d3_d4",
    "d3d4", "-d3d4", "x-d3d4", "!d3-d4", "clear!", "pass", "d\u0663", "\uff443", "\u01303", "\0d3", "d3" * 50_000,
]


@pytest.mark.parametrize("text", MALFORMED_MOVES, ids=lambda text: repr(text[:12]))
def test_refuses_malformed_moves(text: str) -> None:
    position = GAME.start()
    with pytest.raises(TextError, match="is not a Liuzhou move") as refusal:
        position.play(text)
    assert len(str(refusal.value)) < 400
    assert position.ply == 0


ILLEGAL_MOVES = [
    ("6/6/6/6/6/6 b place 0 0 0", "!a1 xa1 a1-a2 clear"),
    ("b5/6/6/6/6/6 w place 0 1 0", "a1 !a1 xa1 a1-a2 clear"),
    ("bb4/bb4/6/6/6/www3 b mark 1 7 0", "f6 a6 xa6 !a1 !f6 clear"),
    (f"{CHECKERED} w clear 0 36 0", "a1 !a1 xa1 b1-c1"),
    ("bb4/6/6/6/6/ww4 b move 0 50 0", "a1-b1 a1-b2 a1-a3 a1-a1 a6-a5 c1 xa6 !a6 clear c3-c4"),
    ("bb4/bb4/6/6/6/ww4 b capture 1 50 1", "a6 !a6 xa1 xf6 a1-a2 b1-c1 clear"),
    (f"{CHECKERED} w forced 0 37 1", "xb1 a1 !a1 clear b1-c1"),
    ("bw4/w5/6/6/6/6 w counter 0 51 0", "xb1 xf6 b1-c1 !a1 a1"),
    ("bb4/6/6/6/6/5w b move 0 144 4", "a1-a2 xf6"),
]


@pytest.mark.parametrize(("text", "move"), [(text, move) for text, moves in ILLEGAL_MOVES for move in moves.split()])
def test_refuses_illegal_moves(text: str, move: str) -> None:
    position = GAME.parse(text)
    with pytest.raises(IllegalMoveError):
        position.play(move)
    assert position.to_text() == text
    assert position.ply == 0


@pytest.mark.parametrize("text", [text for text, _ in ILLEGAL_MOVES])
def test_a_number_is_legal_exactly_if_it_is_listed(text: str) -> None:
    position = GAME.parse(text)
    assert [move for move in range(1 << 16) if position.is_legal(move)] == sorted(position.moves())
    assert not any(position.is_legal(move | high) for move in position.moves() for high in (1 << 16, 1 << 31))


def test_moves_are_read_in_either_case() -> None:
    position = GAME.parse("bb4/b1b3/6/6/6/ww3w b move 0 50 0")
    position.play(" C2-B2 ")
    position.play("XF6")
    assert position.to_text() == "bb4/bb4/6/6/6/ww4 w move 0 52 0"


# ---------------------------------------------------------------------- pictures

@pytest.mark.parametrize(("text", "move", "path", "changes"), [
    ("6/6/6/6/6/6 b place 0 0 0", "d3", ("d3",), [Change("placed", "d3", "b")]),
    ("bb4/bb4/6/6/6/www3 b mark 1 7 0", "!a6", ("a6",), [Change("marked", "a6", "W")]),
    ("Bwbwbw/wbwbwb/bwbwbw/wbwbwb/bwbwbw/Wbwbwb w clear 0 38 0", "clear", (),
     [Change("captured", "a1", "B"), Change("captured", "a6", "W")]),
    (f"{CHECKERED} w clear 0 36 0", "clear", (), []),
    ("bb4/6/6/6/6/ww4 b move 0 50 0", "b1-c1", ("b1", "c1"), [Change("moved", "b1", "b", "c1")]),
    ("bb4/bb4/6/6/6/ww4 b capture 1 50 1", "xa6", ("a6",), [Change("captured", "a6", "w")]),
])
def test_paths_and_changes(text: str, move: str, path: tuple[str, ...], changes: list[Change]) -> None:
    position = GAME.parse(text)
    number = position.parse_move(move)
    assert position.path(number) == path
    assert position.changes(number) == changes
    before = {(stone.point, stone.glyph) for stone in position.stones()}
    position.play(number)
    after = {(stone.point, stone.glyph) for stone in position.stones()}
    for change in changes:
        where = change.to or change.point
        if change.kind == "captured":
            assert (change.point, change.glyph) in before
            assert where not in {point for point, _ in after}
        else:
            assert (where, change.glyph) in after


def test_marked_stones_are_shown_as_such() -> None:
    position = GAME.parse("Bb4/b5/6/6/6/wWw3 b place 0 8 0")
    assert {stone.point: stone.glyph for stone in position.stones()} == {
        "a1": "B", "b1": "b", "a2": "b", "a6": "w", "b6": "W", "c6": "w"}
    assert {glyph.code for glyph in position.board.glyphs.values() if glyph.style == "marked"} == {"B", "W"}


# ---------------------------------------------------------------------- keys, symmetry, copies

def test_the_key_holds_what_decides_the_future_but_no_counters() -> None:
    base = GAME.parse("bb4/bb4/6/6/6/ww4 b capture 1 50 1").fingerprint
    assert GAME.parse("bb4/bb4/6/6/6/ww4 b capture 1 90 20").fingerprint == base
    others = ["bb4/bb4/6/6/6/ww4 w capture 1 50 1", "bb4/bb4/6/6/6/ww4 b capture 2 50 1",
              "bb4/bb4/6/6/6/ww4 b move 0 50 1", "bb4/bb4/6/6/6/ww4 b counter 0 50 1",
              "bb4/bb4/6/6/6/w1w3 b capture 1 50 1", "bbw3/bb4/6/6/6/w5 b capture 1 50 1"]
    assert len({base, *(GAME.parse(text).fingerprint for text in others)}) == 1 + len(others)
    marked = {GAME.parse(text).fingerprint for text in (
        "bb4/6/6/6/6/ww4 b place 0 6 0", "Bb4/6/6/6/6/ww4 b place 0 6 0", "bb4/6/6/6/6/wW4 b place 0 6 0")}
    assert len(marked) == 3


@pytest.mark.parametrize("seed", range(20))
def test_images_share_their_symmetric_key_and_their_moves(seed: int) -> None:
    position = GAME.start()
    names = [point.name for point in position.board.points]
    assert len(set(position.board.symmetries)) == 7
    images = []
    for image in position.board.symmetries:
        images.append((GAME.start(), {name: names[image[i]] for i, name in enumerate(names)}))
    playout(position, seed, 20 + 6 * seed)
    game = [position.format_move(move) for move in position.history()]
    for other, renamed in images:
        for move in game:
            other.play(_renamed(move, renamed))
        assert other.symmetric_fingerprint == position.symmetric_fingerprint
        assert {other.format_move(move) for move in other.moves()} == {
            _renamed(position.format_move(move), renamed) for move in position.moves()}
    assert len({other.fingerprint for other, _ in images}) > 1


def _renamed(move: str, renamed: dict[str, str]) -> str:
    if move == "clear":
        return move
    if "-" in move:
        return "-".join(renamed[point] for point in move.split("-"))
    return move[:-2] + renamed[move[-2:]]


def test_copies_and_pickles_are_independent_and_complete() -> None:
    position = GAME.start(rules="reference", quiet_limit=40)
    playout(position, 5, 60)
    for twin in (position.copy(), pickle.loads(pickle.dumps(position))):
        assert (twin.to_text(), twin.history(), twin.options) == (
            position.to_text(), position.history(), position.options)
        before = position.to_text()
        playout(twin, 1)
        assert twin.outcome() is not None
        assert position.to_text() == before


def test_the_state_can_be_asked_for() -> None:
    position = GAME.parse("bb4/bb4/6/6/6/wwww2 b capture 2 50 1")
    assert isinstance(position, LiuzhouPosition)
    assert (position.phase, position.pending, position.actions, position.quiet_actions) == ("capture", 2, 50, 1)


def test_reasons_are_said_in_both_languages() -> None:
    for text, english, chinese in [
        ("bb4/bb4/6/6/6/6 b capture 0 50 0", "White has lost all stones", "白方棋子全失"),
        ("bb4/6/6/6/6/5w b move 0 144 4", "a draw: 144 actions have been made", "和棋：已行144步"),
        ("bb4/6/6/6/6/5w b move 0 100 36", "a draw: 36 actions in a row without a stone removed",
         "和棋：连续36步无子被移除"),
    ]:
        outcome = GAME.parse(text).outcome()
        assert outcome is not None
        assert (outcome.words.en, outcome.words.zh) == (english, chinese)
    outcome = GAME.parse("b5/6/6/6/6/wwww2 w move 0 50 0", **REFERENCE).outcome()
    assert outcome is not None
    assert outcome.words.en == "Black has 1 stone left, fewer than 4"
