"""What searches ask of a xiangqi position: captures, exchanges, passes and repetitions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

import boyi
from boyi import IllegalMoveError
from boyi.games.xiangqi.piece_values import PIECE_VALUES
from boyi.games.xiangqi.position import XiangqiPosition
from tests.games import xiangqi_naive
from tests.scale import scaled


def position(fen: str, **options: object) -> XiangqiPosition:
    here = boyi.parse("xiangqi", fen, **options)
    assert isinstance(here, XiangqiPosition)
    return here


def positions(game: str, games: int, seed: int) -> Iterator[XiangqiPosition]:
    """Positions from random games, in which pieces stand in each other's way as nobody would put them."""
    generator = random.Random(seed)
    for _ in range(games):
        here = boyi.start(game)
        assert isinstance(here, XiangqiPosition)
        for _ in range(generator.randrange(20, 200)):
            moves = here.moves()
            if not moves:
                break
            captures = here.captures_now()
            here.play(generator.choice(captures if captures and generator.random() < 0.1 else moves))
            if generator.random() < 0.2:
                yield here


def follow(here: XiangqiPosition, line: Sequence[int | str | None]) -> tuple[str, str] | None:
    """Walk a line as searches do, None being a null move, and take it all back.

    What stands at its end: the position as text and what it is as a repetition. None where a null move was refused.
    """
    before = here.ply
    try:
        for move in line:
            if move is not None:
                here.play(move)
            elif not here.play_null():
                return None
        return here.to_text(), here.repeat_result
    finally:
        while here.ply > before:
            here.undo()


@pytest.mark.parametrize("game", ["xiangqi", "jieqi"])
def test_captures_are_the_legal_moves_that_take(game: str) -> None:
    seen = 0
    for here in positions(game, scaled(500), 1):
        taking = [] if here.turn < 0 else [
            move for move in here.moves() if any(change.kind == "captured" for change in here.changes(move))]
        assert sorted(here.captures_now()) == sorted(taking), here.to_text()
        seen += len(taking)
    assert seen > 500


def test_exchanges_agree_with_a_naive_count() -> None:
    assert PIECE_VALUES == xiangqi_naive.WORTH
    losing = 0
    for here in positions("xiangqi", scaled(1000), 2):
        for move in here.captures_now():
            naive = xiangqi_naive.exchange(xiangqi_naive.read(here), *xiangqi_naive.points(here, move))
            assert here.exchange_now(move) == naive, (here.to_text(), here.format_move(move))
            losing += naive < 0
    assert losing > 50


def test_an_exchange_reaches_what_it_wins_or_risks() -> None:
    """Of captures and of quiet moves, which may lose what they move."""
    risky = 0
    for here in positions("xiangqi", scaled(300), 3):
        board = xiangqi_naive.read(here)
        for move in here.moves():
            naive = xiangqi_naive.exchange(board, *xiangqi_naive.points(here, move))
            for least in (naive - 100, naive - 1, naive, naive + 1, naive + 100):
                assert here.exchange_reaches_now(move, least) == (naive >= least), (
                    here.to_text(), here.format_move(move), naive, least)
            risky += naive < 0 and not here.taken_now(move)
    assert risky > 50


@pytest.mark.parametrize(("fen", "move", "value"), [
    ("4k4/9/9/9/p8/9/9/9/9/R2K5 w", "a0a5", 100),                   # a pawn at home, for nothing
    ("4k4/9/9/9/9/p8/9/9/9/R2K5 w", "a0a4", 200),                   # one across the river
    ("r3k4/9/9/9/p8/9/9/9/9/R2K5 w", "a0a5", -800),                 # protected by a rook
    ("rc2k4/9/9/n8/9/9/9/9/R8/R2K5 w", "a1a6", 400 - 900 + 900),    # the second rook takes back
    ("4k4/p8/9/n8/9/9/C8/C8/9/3K5 w", "a3a6", None),                # no screen between: not a capture at all
    ("n3k4/9/9/n8/9/9/P8/C8/9/3K5 w", "a2a6", 400),                 # over the pawn
    ("c3k4/p8/9/n8/9/9/P8/C8/9/3K5 w", "a2a6", 400 - 450),          # a cannon back over the pawn
    ("3ak4/3P5/9/9/9/9/9/9/9/3K5 w", "d8d9", 200 - 200),            # the king takes back
    ("3ak4/3P5/9/9/9/9/9/3R5/9/3K5 w", "d8d9", 200),                # but not what is protected
    ("3ak4/3P5/9/9/9/9/9/9/9/3K5 w", "d0d1", 0),                    # quiet
])
def test_exchanges(fen: str, move: str, value: int | None) -> None:
    here = position(fen)
    if value is None:
        with pytest.raises(IllegalMoveError):
            here.parse_move(move)
        return
    assert here.exchange_now(here.parse_move(move)) == value


def test_exchanges_of_roaming_pieces() -> None:
    here = boyi.parse("jieqi", "4k4/9/9/9/3a5/4P4/9/9/9/4K4 b R0A0C0P0N0B0r0a0c0p0n0b0 0 1")
    assert isinstance(here, XiangqiPosition)
    assert here.exchange_now(here.parse_move("d5e4")) > 0


def test_exchange_refuses_illegal_moves() -> None:
    here = position("4k4/9/9/9/9/9/9/9/9/R2K5 w")
    with pytest.raises(IllegalMoveError):
        here.exchange_now(12345)


# ---------------------------------------------------------------------- passes

@pytest.mark.parametrize("game", ["xiangqi", "jieqi"])
def test_a_pass_changes_only_whose_turn_it_is(game: str) -> None:
    passes = 0
    for here in positions(game, scaled(200), 3):
        before = (here.to_text(), here.fingerprint, here.ply, here.moves(), here.repetitions)
        after = follow(here, [None])
        assert (here.to_text(), here.fingerprint, here.ply, here.moves(), here.repetitions) == before
        assert here.fingerprint == here.recomputed_fingerprint()
        if here.turn < 0 or here.checked:
            assert after is None
        elif after is not None:
            old, new = before[0].split(), after[0].split()
            assert (new[0], new[1]) == (old[0], "bw"["wb".index(old[1])])
            assert after[1] == "fresh"
            passes += 1
    assert passes > 100


@pytest.mark.parametrize(("fen", "allowed"), [
    ("4k4/9/9/9/9/9/9/9/9/R2K5 w", True),
    ("4k4/9/9/9/9/9/9/9/9/N2K5 w", True),
    ("4k4/9/9/9/9/9/9/9/9/C2K5 w", True),
    ("4k4/9/9/9/4P4/9/9/9/9/2BK5 w", False),
    ("3rk4/9/9/9/9/9/9/9/9/R2K5 w", False),
])
def test_where_a_pass_is_refused(fen: str, allowed: bool) -> None:
    assert (follow(position(fen), [None]) is not None) == allowed


# ---------------------------------------------------------------------- repetitions

def test_the_second_occurrence_is_judged() -> None:
    here = position("4kr3/9/9/9/9/9/9/9/9/RN1K5 w")
    line = ["b0c2", "f9f8", "c2b0", "f8f9"]
    for length in range(4):
        walked = follow(here, line[:length])
        assert walked is not None and walked[1] == "fresh"
    walked = follow(here, line)
    assert walked is not None and walked[1] == "draws"


@pytest.mark.parametrize(("rules", "verdict"), [("cxa", "wins"), ("checks", "wins"), ("simple", "draws")])
def test_perpetual_check(rules: str, verdict: str) -> None:
    here = position("4k4/9/9/9/9/9/9/R8/9/3K5 w", rules=rules)
    here.play("a2a9")
    line = ["e9e8", "a9a8", "e8e9", "a8a9"]
    walked = follow(here, line)
    assert walked is not None and walked[1] == verdict          # for Black, who is to act
    walked = follow(here, [*line, line[0]])
    assert walked is not None and walked[1] == {"wins": "loses"}.get(verdict, verdict)


def test_repetition_does_not_look_across_a_pass() -> None:
    here = position("4kr3/9/9/9/9/9/9/9/9/RN1K5 w")
    line = ["b0c2", "f9f8", "c2b0", "f8f9"]
    walked = follow(here, [*line[:2], None, None, *line[2:]])
    assert walked is not None and walked[1] == "fresh"
    walked = follow(here, [None, None, *line])
    assert walked is not None and walked[1] == "draws"


def test_verdicts_agree_with_the_game() -> None:
    """Walk in circles at random: what is said at the second time is what the game rules at the third."""
    generator = random.Random(5)
    verdicts = set()
    for here in map(without_history, positions("xiangqi", scaled(300), 6)):
        circle = find_circle(here, generator)
        if circle is None:
            continue
        walked = follow(here, circle)
        assert walked is not None
        there = here.copy()
        for move in circle * 2:
            there.play(move)
        outcome = there.outcome()
        assert outcome is not None
        result = outcome.results[0 if there.to_text().split()[1] == "w" else 1]
        assert walked[1] == {0: "draws", 1: "wins", -1: "loses"}[result], here.to_text()
        verdicts.add(walked[1])
    assert len(verdicts) > 1


def without_history(here: XiangqiPosition) -> XiangqiPosition:
    return position(here.to_text())


def find_circle(here: XiangqiPosition, generator: random.Random) -> list[int] | None:
    """Four quiet moves, there and back for each side, if both can and the quiet limit is far."""
    if here.outcome() is not None or int(here.to_text().split()[4]) > 100:
        return None

    def back(move: int) -> int:
        return (move & 127) << 7 | move >> 7

    for _ in range(5):
        walk: list[int] = []
        there = here.copy()
        for step in range(4):
            taking = set(there.captures_now())
            quiet = [move for move in there.moves() if move not in taking]
            if step >= 2:
                quiet = [move for move in quiet if move == back(walk[step - 2])]
            if not quiet:
                break
            walk.append(generator.choice(quiet))
            there.play(walk[-1])
        if len(walk) == 4:
            return walk
    return None
