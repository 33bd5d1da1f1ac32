"""The evaluators of jieqi: the ancestor's to the letter, and what any sane opinion keeps."""

from __future__ import annotations

import random
from typing import cast

import pytest

from boyi import CHANCE, OVER
from boyi.core.errors import OptionError
from boyi.core.evaluator import Evaluator
from boyi.games import find_game
from boyi.games.jieqi.position import JieqiPosition
from boyi.games.jieqi.weights import AncestorWeights
from boyi.kit.nnue import NetEvaluator
from boyi.lab.searches import search_once
from tests.games.jieqi_naive import NaiveJieqi, Piece, Point, other, standing_letter
from tests.scale import scaled

GAME = find_game("jieqi")
VALUES = {"R": 900, "A": 200, "C": 450, "P": 100, "N": 400, "B": 200}
KING = 100_000
MOST = 28_000
"""Evaluations end there."""


def parse(text: str) -> JieqiPosition:
    return cast(JieqiPosition, GAME.parse(text))


def value(name: str, text: str) -> int:
    return GAME.evaluators[name]().value(parse(text))


def expected(pool: dict[str, int]) -> float:
    """The document's value of a covered piece: rook and cannon in full, the rest at 0.7."""
    return sum(count * VALUES[letter] * (1 if letter in "RC" else 0.7) for letter, count in pool.items()) / sum(
        pool.values())


def document_value(naive: NaiveJieqi, covered: dict[str, float]) -> float:
    """The document's evaluation, from the naive engine's board; the king of who is in check could be taken."""
    sums = {"w": 0.0, "b": 0.0}
    for piece in naive.board.values():
        if piece.letter != "K":
            sums[piece.side] += VALUES[piece.letter] if piece.letter else covered[piece.side]
    gains: dict[str, float] = {}
    mover = naive.side
    for side in "wb":
        if naive.in_check(other(side)):
            gains[side] = KING   # beside it no other piece matters
            continue
        naive.side = side
        taken = [naive.board[("abcdefghi".index(move[2]), int(move[3]))] for move in naive.walking_moves()
                 if ("abcdefghi".index(move[2]), int(move[3])) in naive.board]
        gains[side] = max((VALUES[piece.letter] if piece.letter else covered[piece.side] for piece in taken
                           if piece.letter != "K"), default=0.0)
    naive.side = mover
    total = sums[mover] - sums[other(mover)] + 0.3 * (gains[mover] - gains[other(mover)])
    return max(-MOST, min(MOST, total))


@pytest.mark.parametrize("seed", range(3))
def test_the_document_to_the_letter(seed: int) -> None:
    """Random games as a spectator sees them, valued once more from the naive engine's board."""
    rng = random.Random(seed)
    compared = checks = 0
    for _ in range(scaled(50)):
        position = cast(JieqiPosition, GAME.start())
        naive = NaiveJieqi("s")
        while position.turn != OVER and position.decisions < 120:
            if position.turn == CHANCE:
                moves, odds = zip(*position.odds(), strict=True)
                move = rng.choices(moves, odds)[0]
                first = bool(position.awaited) and "Xx".index(position.awaited[0]) == position.mover
                if first:
                    naive.play(position.format_move(move))
            else:
                move = rng.choice(position.moves())
                naive.play(position.format_move(move))
            position.play(move)
            if position.turn in (0, 1) and (position.checked or rng.random() < 0.2):
                view = position.observe(None)
                pools = {"w": view.pool(0), "b": view.pool(1)}
                covered = {side: expected(pools[side]) if any(pools[side].values()) else 0.0 for side in "wb"}
                for name, values in (("it2", covered), ("iterative", {"w": 320.0, "b": 320.0})):
                    value = document_value(naive, values)
                    assert abs(GAME.evaluators[name]().value(view) - value) <= 0.5 + 1e-6
                    if not position.checked:   # nobody could take a king: the switch changes nothing
                        assert kingless(name).value(view) == GAME.evaluators[name]().value(view)
                compared += 1
                checks += position.checked
    assert compared > 20 and checks > 0


def kingless(name: str) -> Evaluator:
    """The evaluator in whose captures a king counts nothing."""
    return type(GAME.evaluators[name]())(AncestorWeights(king_gain=0))   # type: ignore[call-arg]


@pytest.mark.parametrize("name", ["it2", "iterative"])
def test_the_king_counts_in_captures_as_the_document_has_it(name: str) -> None:
    """Who is in check loses 0.3 of 100000, up to where evaluations end; without the switch nothing."""
    quiet, checked = "4k4/9/9/9/9/9/9/9/R8/3K5 b - 0 1 -", "4k4/9/9/9/9/9/9/9/4R4/3K5 b - 0 1 -"
    assert value(name, quiet) == -900 == kingless(name).value(parse(quiet))
    assert value(name, checked) == -MOST and kingless(name).value(parse(checked)) == -900
    # Who is far ahead keeps what is above the end of the scale.
    ahead = "rrcck1nn1/9/9/9/9/9/9/9/4R4/3K5 b - 0 1 -"
    assert value(name, ahead) == 2 * (900 + 450 + 400) - 900 - 0.3 * KING == -27_400
    assert kingless(name).value(parse(ahead)) == 2_600


def test_a_piece_that_is_pinned_gives_check_all_the_same() -> None:
    """The horse on d7 may not leave its own king to the rook on d9, but the king that it attacks could be taken."""
    text = "3rk4/9/3N5/9/9/9/9/9/9/3K5 b - 0 1 -"
    assert value("it2", text) == -MOST
    assert kingless("it2").value(parse(text)) == 900 - 400 + 0.3 * 400   # the rook could take it


@pytest.mark.parametrize("name", ["it2", "iterative"])
def test_the_switch_is_in_the_spec(name: str) -> None:
    text = "4k4/9/9/9/9/9/9/9/R8/3K5 w - 0 1 -"
    found = {}
    for gain in ("", ",weights.king_gain=1", ",weights.king_gain=0"):
        result = search_once(parse(text), f"expectimax:preset={name}{gain}", depth=1)
        found[gain] = result.value
    # The rook gives check on e1, and the king escapes: as the document counts, that is worth more than all pieces.
    assert found[""] == found[",weights.king_gain=1"] == MOST and found[",weights.king_gain=0"] == 900
    with pytest.raises(OptionError, match=r"king_gain of jieqi is 1 .* or 0, not 2"):
        search_once(parse(text), f"expectimax:preset={name},weights.king_gain=2", depth=1)
    with pytest.raises(OptionError, match="must be AncestorWeights, not int"):
        type(GAME.evaluators[name]())(3)   # type: ignore[call-arg]


def test_the_spectators_pool_does_not_subtract_captures() -> None:
    """What a player took covered is still in the pool that the ancestor counts with."""
    position = parse("4k4/9/1x7/9/9/9/9/9/1R7/3K5 w p1r1 0 1 w")
    position.play("b1b7r")
    assert position.pool(1)["R"] == 0
    assert position.observe(None).pool(1)["R"] == 1


@pytest.mark.parametrize("name", ["hand", "it2", "iterative"])
def test_the_same_for_both_colours(name: str) -> None:
    """Turning the board round and swapping the colours changes nothing."""
    rng = random.Random(7)
    for _ in range(scaled(100)):
        position = cast(JieqiPosition, GAME.start())
        for _ in range(rng.randrange(80)):
            if position.turn == OVER:
                break
            position.play(rng.choice(position.moves()))
        if position.turn not in (0, 1):
            continue
        board, side, pools, quiet, number, _ = position.to_text().split()
        half = len(pools) // 2
        turned = " ".join((board[::-1].swapcase(), "wb"["bw".index(side)],
                           pools[half:].upper() + pools[:half].lower(), quiet, number, "-"))
        assert value(name, turned) == GAME.evaluators[name]().value(position)


def test_a_better_pool_is_worth_more() -> None:
    board = "4k4/9/9/9/9/9/9/9/9/X2K5 w {} 0 1 w"
    for name in ("hand", "it2"):
        assert value(name, board.format("R1P1")) > value(name, board.format("N1P1")) > value(name, board.format("P2"))
    assert value("iterative", board.format("R1P1")) == value("iterative", board.format("P2"))


def test_the_default_likes_what_players_like() -> None:
    # A bare cannon on the king's file; a pawn across the river; a rook more.
    assert value("hand", "4k4/9/9/9/4C4/9/9/9/9/3K5 b - 0 1 -") < value("hand", "4k4/9/9/9/C8/9/9/9/9/3K5 b - 0 1 -")
    assert value("hand", "3k5/9/9/9/4P4/9/9/9/9/4K4 w - 0 1 -") > value("hand", "3k5/9/9/9/9/9/4P4/9/9/4K4 w - 0 1 -")
    assert value("hand", "3k5/9/9/9/9/9/9/9/R8/4K4 w - 0 1 -") > 800


def test_every_starting_point_has_a_standing_piece() -> None:
    """The bonus of a covered piece depends on what it stands for: all fifteen points are known."""
    assert sum(standing_letter("w", (file, rank)) not in (None, "K") for file in range(9) for rank in range(10)) == 15


# ---------------------------------------------------------------------- what the network is shown

def read_naive(text: str) -> NaiveJieqi:
    """The board of a position text, for the naive engine."""
    naive = NaiveJieqi("s")
    naive.board = {}
    for row, line in enumerate(text.split()[0].split("/")):
        file = 0
        for sign in line:
            if sign.isdigit():
                file += int(sign)
                continue
            naive.board[file, 9 - row] = Piece("w" if sign.isupper() else "b",
                                               None if sign in "Xx" else sign.upper())
            file += 1
    return naive


def strikers(naive: NaiveJieqi, target: Point, side: str) -> str:
    """The letters of the pieces of a side that take what stands on a point, or guard it; X for covered ones."""
    standing = naive.board[target]
    naive.board[target] = Piece(other(side), standing.letter)
    found = "".join(naive.board[point].letter or "X" for point in list(naive.board)
                    if point != target and naive.board[point].side == side and target in naive.targets(point))
    naive.board[target] = standing
    return found


def count_threats(naive: NaiveJieqi, side: str) -> list[int]:
    """The nine kinds of threats against a side, in the network's order, by their words."""
    counts = [0] * 9
    for point, piece in list(naive.board.items()):
        if piece.side != side or piece.letter == "K":
            continue
        by = strikers(naive, point, other(side))
        cheap, middling = bool(set(by) & set("PABK")), bool(set(by) & set("NCX"))
        unguarded = bool(by) and not strikers(naive, point, side)
        letter = piece.letter or "X"
        if letter == "R":
            counts[0] += cheap or middling
            counts[1] += unguarded and not cheap and not middling
        elif letter in "NC":
            counts["NC".index(letter) + 2] += cheap or unguarded
            counts[8] += bool(by) and not cheap and not unguarded
        elif letter in "AB":
            counts[4] += unguarded
        elif letter == "P":
            counts[5] += unguarded
        else:
            counts[6] += unguarded
            counts[7] += bool(by) and not unguarded
    return [min(count, 3) for count in counts]


def test_the_network_is_shown_what_is_there() -> None:
    """Pieces, covered ones, pools and threats, by the naive engine."""
    rng = random.Random(11)
    evaluator = GAME.evaluators["net"]()
    assert isinstance(evaluator, NetEvaluator)
    compared = 0
    for _ in range(scaled(1_000)):
        position = cast(JieqiPosition, GAME.start())
        for _ in range(rng.randrange(150)):
            if position.turn == OVER:
                break
            position.play(rng.choice(position.moves()))
        if position.turn not in (0, 1):
            continue
        view = position.observe(position.turn)
        naive = read_naive(view.to_text())
        codes = evaluator.codes(view)
        for square in range(90):
            piece = naive.board.get((square % 9, square // 9))
            kind = 0 if piece is None else 10 if piece.letter is None else "?K??NRCPAB".index(piece.letter)
            assert codes[square] == kind + 16 * (piece is not None and piece.side == "b")
        for side in range(2):
            first = 90 + 18 * side
            assert list(codes[first:first + 6]) == [view.pool(side)[letter] for letter in "RACPNB"]
            assert list(codes[first + 6:first + 15]) == count_threats(naive, "wb"[side]), view.to_text()
        compared += 1
    assert compared > scaled(500)
