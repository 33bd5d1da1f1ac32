"""Xiangqi as it is played: won endings are won, perpetuals are nobody's trap, who is ahead does not shuffle.

Everything is limited in nodes, so the same games are played every time.
"""

from __future__ import annotations

import random

import pytest

import boyi
from boyi import Position, TextError
from boyi.core.searcher import Limits
from boyi.games import find_game
from boyi.search.alphabeta import AlphaBeta
from boyi.search.alphabeta_options import AlphaBetaOptions, RepetitionPolicy
from tests.scale import scaled

AHEAD = 200
"""Two pawns: from here on a repetition would throw something away."""


def engine() -> AlphaBeta:
    return AlphaBeta(find_game("xiangqi").evaluators["hand"](), AlphaBetaOptions(table_mb=2))


def choose(searcher: AlphaBeta, position: Position, nodes: int) -> tuple[int, float]:
    """The move and its value; whatever the search did, the history is as long as it was."""
    history = position.history()
    result = searcher.search(position, Limits(nodes=nodes))
    assert position.history() == history
    return result.move, result.value


# ------------------------------------------------------------------ endings

# Textbook wins of Red, who is to move, and nodes a move that are enough against the best defence.
ENDINGS = {
    "rook": ("4k4/9/9/9/9/9/9/R8/9/3K5 w", 3_000),
    "rook, the seed's": ("3k5/9/9/9/9/9/9/4R4/9/4K4 w", 3_000),
    "rook, king in front": ("9/4k4/9/9/9/9/9/8R/9/3K5 w", 3_000),
    "rook against an advisor": ("3k5/4a4/9/9/9/9/9/9/R8/4K4 w", 3_000),
    "rook against an elephant": ("3k5/9/4b4/9/9/9/9/9/R8/4K4 w", 3_000),
    "rook against two advisors": ("4k4/4a4/3a5/9/9/9/9/9/R8/3K5 w", 60_000),
    "rook against two elephants": ("2b1k1b2/9/9/9/9/9/9/9/R8/3K5 w", 60_000),
    "horse": ("4k4/9/9/9/9/9/9/4N4/9/3K5 w", 3_000),
    "pawn": ("3k5/9/9/4P4/9/9/9/9/9/4K4 w", 3_000),
    "two pawns": ("4k4/9/9/2P3P2/9/9/9/9/9/3K5 w", 3_000),
    "two pawns against an advisor": ("4k4/4a4/9/2P3P2/9/9/9/9/9/3K5 w", 10_000),
    "two pawns against an elephant": ("4k4/9/4b4/2P3P2/9/9/9/9/9/3K5 w", 10_000),
    "cannon and two advisors": ("3k5/9/9/9/9/9/9/3A5/2C1A4/4K4 w", 3_000),
    "rook and cannon against two advisors": ("4k4/4a4/3a5/9/9/9/9/9/R1C6/3K5 w", 10_000),
    "rook and cannon against all guards": ("2bak4/4a4/4b4/9/9/9/9/9/R1C6/3K5 w", 20_000),
    "rook and horse against all guards": ("2bak4/4a4/4b4/9/9/9/9/9/R1N6/3K5 w", 20_000),
    "two rooks against all guards": ("2bak4/4a4/4b4/9/9/9/9/9/R1R6/3K5 w", 20_000),
}
# Won too, but by plans so long that against the best defence the limit of quiet moves comes first.
LONG_ENDINGS = {
    "horse against an advisor": ("3k5/4a4/9/9/9/9/9/4N4/9/4K4 w", 10_000),
    "horse against a far advisor": ("3k1a3/9/9/9/9/9/9/N8/9/4K4 w", 10_000),
}


@pytest.mark.parametrize(("name", "defence"), [
    *((name, "engine") for name in ENDINGS), *((name, "chance") for name in ENDINGS | LONG_ENDINGS)])
def test_won_endings_are_won(name: str, defence: str) -> None:
    text, nodes = (ENDINGS | LONG_ENDINGS)[name]
    position = boyi.parse("xiangqi", text)
    attacker, defender, generator = engine(), engine(), random.Random(1)
    moves: list[str] = []
    while position.outcome() is None:
        if position.turn == 0:
            move, _ = choose(attacker, position, nodes)
        elif defence == "engine":
            move, _ = choose(defender, position, nodes)
        else:
            move = generator.choice(position.moves())
        moves.append(position.format_move(move))
        position.play(move)
        # The seed's own test: no two-move cycle while winning.
        assert not position.repetitions, moves
    outcome = position.outcome()
    assert outcome is not None and outcome.winner == 0 and outcome.reason in ("checkmate", "stalemate"), moves


def test_the_seeds_own_position_is_none() -> None:
    with pytest.raises(TextError, match="in check although Red is to move"):
        boyi.parse("xiangqi", "4k4/9/9/9/9/9/9/4R4/9/4K4 w")


# ------------------------------------------------------------------ perpetuals

# A rook that checks along the back ranks, and one that chases an unprotected cannon from file to file: cycles of four
# plies. A player who goes round like that loses when the position comes for the third time.
PERPETUALS = {
    "check": ("4k4/R8/n8/9/9/9/9/9/9/3K5 w", ("a8a9", "e9e8", "a9a8", "e8e9")),
    "chase": ("4k4/9/9/9/2c6/9/9/9/3R5/5K3 w", ("d1c1", "c5d5", "c1d1", "d5c5")),
}


def after(name: str, plies: int) -> Position:
    text, cycle = PERPETUALS[name]
    position = boyi.parse("xiangqi", text)
    for ply in range(plies):
        position.play(cycle[ply % len(cycle)])
    return position


@pytest.mark.parametrize("name", PERPETUALS)
def test_the_cycle_is_the_loss_of_who_forces_it(name: str) -> None:
    outcome = after(name, 8).outcome()
    assert outcome is not None and outcome.winner == 1 and outcome.reason == f"perpetual_{name}"


@pytest.mark.parametrize("nodes", [300, 3_000])
@pytest.mark.parametrize("plies", [2, 4, 6])
@pytest.mark.parametrize("name", PERPETUALS)
def test_the_tempting_perpetual_is_left_in_time(name: str, plies: int, nodes: int) -> None:
    position = after(name, plies)
    searcher, opponent = engine(), engine()
    for _ in range(12):
        if position.outcome() is not None:
            break
        move, _ = choose(searcher if position.turn == 0 else opponent, position, nodes)
        position.play(move)
    outcome = position.outcome()
    assert outcome is None or outcome.winner != 1 or not outcome.reason.startswith("perpetual")


@pytest.mark.parametrize("policy", ["none", "ancestor", "full"])
@pytest.mark.parametrize("name", PERPETUALS)
def test_the_full_policy_alone_sees_a_perpetual_when_it_first_closes(name: str, policy: RepetitionPolicy) -> None:
    # The rules end the game at the third occurrence, eight plies away: what three plies show, the policy knows.
    position = after(name, 2)
    searcher = AlphaBeta(find_game("xiangqi").evaluators["hand"](), AlphaBetaOptions(table_mb=2, repetition=policy))
    lines = searcher.search(position, Limits(depth=3, lines=50)).lines
    (round_again,) = (line for line in lines if position.format_move(line.moves[0]) == PERPETUALS[name][1][2])
    assert (round_again.wins_in == -2) == (policy == "full")
    assert (round_again.value < 0) == (policy == "full")


@pytest.mark.parametrize("name", PERPETUALS)
def test_who_suffers_a_perpetual_goes_round_and_wins(name: str) -> None:
    position = after(name, 7)
    line = engine().search(position, Limits(nodes=2_000)).lines[0]
    assert position.format_move(line.moves[0]) == PERPETUALS[name][1][3]
    assert line.wins_in is not None and line.wins_in > 0


# ------------------------------------------------------------------ whole games

def test_games_from_random_openings_know_no_shuffling_and_no_lost_perpetual() -> None:
    for number in range(scaled(200, 20)):
        position = boyi.start("xiangqi")
        boyi.playout(position, 1_000 + number, 4 + number % 5)
        engines = engine(), engine()
        values = [0.0, 0.0]
        while position.outcome() is None and position.ply < 200:
            player = position.turn
            move, values[player] = choose(engines[player], position, 1_500)
            position.play(move)
            assert values[player] < AHEAD or not position.repetitions, f"game {number}: who is ahead repeats"
        outcome = position.outcome()
        if outcome is not None:
            assert not outcome.reason.startswith("perpetual"), f"game {number}: {outcome.words}"
            assert outcome.reason != "repetition" or max(values) < AHEAD, f"game {number}: a win shuffled away"


def test_the_stack_is_as_long_as_before_however_the_search_ends() -> None:
    position = boyi.start("xiangqi")
    boyi.playout(position, 9, 30)
    history = position.history()
    for nodes in range(1, 400, 7):
        engine().search(position, Limits(nodes=nodes))
        assert position.history() == history
