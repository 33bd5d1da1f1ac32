"""Monte Carlo tree search against its textbook twin and against brute force."""

from __future__ import annotations

import itertools
import math
import random
import threading
import time
from typing import Any

import pytest

import boyi
from boyi.core.errors import OptionError, TextError
from boyi.core.evaluator import Evaluator
from boyi.core.position import CHANCE, Position
from boyi.core.searcher import Limits
from boyi.games.chinese_checkers.board import CORNERS, apex, steps_between
from boyi.games.chinese_checkers.evaluator import AncestorEvaluator
from boyi.search.mcts import MCTS
from boyi.search.mcts_options import MCTSOptions
from tests.scale import scaled
from tests.search.checkers_positions import middlegame
from tests.search.mcts_naive import NaiveMCTS
from tests.toys import find_game_or_toy


def wander(position: Position, plies: int, seed: int) -> Position:
    """Random moves on, but not past a position in which a player acts and the game goes on."""
    choose = random.Random(seed)
    for _ in range(plies):
        position.play(choose.choice(position.moves()))
        if position.turn < 0 and position.outcome() is not None:
            position.undo()
            break
    while position.turn == CHANCE:
        position.play(choose.choice(position.moves()))
    return position


# Game, rule options, plies into it, simulations.
POSITIONS: dict[str, tuple[str, dict[str, object], int, int]] = {
    "line": ("line", {}, 0, 300),
    "line-late": ("line", {}, 4, 300),
    "tic-tac-toe": ("tic_tac_toe", {}, 1, 300),
    "race-2": ("race", {}, 1, 300),
    "race-3": ("race", {"players": 3}, 7, 300),
    "cards": ("cards", {}, 2, 100),
    "othello": ("othello", {}, 20, 150),
    "othello-end": ("othello", {}, 54, 1000),
    "liuzhou": ("liuzhou", {}, 30, 60),
    "jieqi": ("jieqi", {}, 10, 15),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "uct": {},
    "uct-unsolved": {"solver": False, "seed": 5},
    "puct": {"selection": "puct", "exploration": 1.5},
    "puct-priors": {"selection": "puct", "priors": "evaluator"},
    "evaluator": {"rollout_plies": 3},
}


def start(name: str) -> tuple[Position, int]:
    game, rules, plies, simulations = POSITIONS[name]
    return wander(find_game_or_toy(game).start(**rules), plies, seed=len(name)), simulations


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", POSITIONS)
def test_agrees_with_the_textbook(name: str, options: str) -> None:
    position, simulations = start(name)
    chosen = MCTSOptions(**OPTIONS[options])
    evaluator = None
    if options in ("puct-priors", "evaluator"):
        offered = position.game.evaluators
        evaluator = next(iter(offered.values()))() if offered and position.players == 2 else Evaluator()
    before = position.to_text()
    result = MCTS(evaluator, chosen).search(position, Limits(nodes=simulations, lines=2000))
    assert position.to_text() == before
    naive = NaiveMCTS(position, chosen, evaluator)
    root = naive.run(simulations)
    assert {line.moves[0]: line.visits for line in result.lines} == {
        child.move: child.visits for child in root.children}
    assert result.nodes == root.visits
    for line in result.lines:
        child = next(child for child in root.children if child.move == line.moves[0])
        if child.visits and child.proof is None:
            mean = child.sums[position.turn] / child.visits
            assert (line.value > 0) == (mean > 0)
        if child.proof is not None and chosen.solver:
            assert (line.wins_in is not None) == (abs(child.proof[position.turn]) == 1)


@pytest.mark.parametrize("name", POSITIONS)
def test_repeatable(name: str) -> None:
    position, simulations = start(name)
    limits = Limits(nodes=simulations, lines=5)
    for options in (MCTSOptions(), MCTSOptions(gumbel=True, gumbel_noise=1.0)):
        searcher = MCTS(options=options)
        first = searcher.search(position, limits)
        again = searcher.search(position, limits)
        other = MCTS(options=options).search(position.copy(), limits)
        assert first.lines == again.lines == other.lines
        assert first.statistics == again.statistics == other.statistics


# ------------------------------------------------------------------ proofs

Vectors = frozenset[tuple[float, ...]]
KNOWN: dict[tuple[str, int, str], Vectors] = {}


def brute_values(position: Position) -> Vectors:
    """All results that may come about when everybody plays for himself, however ties are broken."""
    key = position.game.name, position.players, position.to_text()
    if key not in KNOWN:
        KNOWN[key] = brute_search(position)
    return KNOWN[key]


def brute_search(position: Position) -> Vectors:
    outcome = position.outcome()
    if outcome is not None:
        return frozenset({outcome.scores})
    side = position.turn
    replies = []
    for move, likelihood in position.odds() if side == CHANCE else [(move, 0.0) for move in position.moves()]:
        position.play(move)
        replies.append((likelihood, brute_values(position)))
        position.undo()
    if side == CHANCE:
        return frozenset(
            tuple(round(sum(odds * values[player] for (odds, _), values in zip(replies, choice, strict=True)), 4)
                  for player in range(position.players))
            for choice in itertools.product(*(values for _, values in replies)))
    # A result can come about if no other move must end better for the side to act.
    least = max(min(values[side] for values in vectors) for _, vectors in replies)
    return frozenset(values for _, vectors in replies for values in vectors if values[side] >= least)


@pytest.mark.parametrize("seed", range(scaled(300, 20)))
def test_solver_agrees_with_brute_force(seed: int) -> None:
    name = ("line", "tic_tac_toe", "line")[seed % 3]
    position = wander(find_game_or_toy(name).start(), 1 + seed % 6, seed)
    gumbel = seed % 2 == 0
    options = MCTSOptions(seed=seed, gumbel=gumbel, selection=("uct", "puct")[seed % 2])
    result = MCTS(options=options).search(position, Limits(nodes=20_000, lines=9))
    for line in result.lines:
        assert line.visits is not None
    (value,) = {values[position.turn] for values in brute_values(position)}
    best = result.lines[0]
    assert (best.wins_in is not None and best.wins_in > 0) == (value == 1)
    assert (best.wins_in is not None and best.wins_in < 0) == (value == -1)
    position.play(result.move)
    side = 1 - position.turn if position.turn >= 0 else None
    if side is not None:
        (reached,) = {values[side] for values in brute_values(position)}
        assert reached == value, "the move chosen keeps the value"


@pytest.mark.parametrize("players", [2, 3])
def test_proofs_with_chance_and_three_players(players: int) -> None:
    """Near the end of a race the solver proves expectations; they are among those that max^n allows."""
    proven = 0
    for seed in range(scaled(100)):
        choose = random.Random(seed)
        places = ",".join(map(str, choose.sample(range(1, 6), players)))
        position = find_game_or_toy("race").parse(f"{places} {choose.randrange(players)} {choose.randint(1, 3)} 18",
                                      players=players)
        result = MCTS(options=MCTSOptions(seed=seed)).search(position, Limits(nodes=2_000, lines=2))
        root = NaiveMCTS(position, MCTSOptions(seed=seed)).run(2_000)
        assert {line.moves[0]: line.visits for line in result.lines} == {
            child.move: child.visits for child in root.children}
        if root.proof is None:
            continue
        proven += 1
        assert result.nodes < 2_000, "what is proven is not searched on"
        assert any(all(abs(a - b) < 1e-3 for a, b in zip(root.proof, values, strict=True))
                   for values in brute_values(position))
    assert proven >= scaled(50)


def test_wins_and_losses_are_counted_in_plies() -> None:
    line = find_game_or_toy("line")
    won = MCTS().search(line.parse("xx.oo...."), Limits(nodes=1000, lines=9))
    assert won.lines[0].wins_in == 1 and won.move == 2
    assert won.lines[0].value == 29_999
    lost = MCTS().search(line.parse("xx.xo...o"), Limits(nodes=1000, lines=9))    # two threats: c3 and a1
    assert lost.lines[0].wins_in == -2
    assert lost.lines[0].value == -29_998


def test_othello_ends_are_proven() -> None:
    """With eight empty points the solver and brute force agree."""
    def value(position: Position) -> float:
        outcome = position.outcome()
        if outcome is not None:
            return outcome.scores[0]
        side, best = position.turn, None
        for move in position.moves():
            position.play(move)
            one = value(position)
            position.undo()
            if best is None or (one > best) == (side == 0):
                best = one
        assert best is not None
        return best

    checked = 0
    for seed in range(scaled(100)):
        position = wander(boyi.start("othello"), 54, seed)
        if position.outcome() is not None:
            continue
        result = MCTS().search(position, Limits(nodes=50_000))
        expected = value(position) * (1 if position.turn == 0 else -1)
        assert (result.lines[0].wins_in or 0) * expected >= 0 and bool(result.lines[0].wins_in) == (expected != 0)
        checked += 1
    assert checked


# ------------------------------------------------------------------ the tree's life

def test_tree_is_kept_when_the_game_goes_on() -> None:
    position = boyi.start("othello")
    searcher = MCTS()
    first = searcher.search(position, Limits(nodes=3000))
    position.play(first.lines[0].moves[0])
    position.play(first.lines[0].moves[1])
    second = searcher.search(position, Limits(nodes=100, lines=60))
    assert second.statistics["reused_nodes"] > 50
    assert sum(line.visits or 0 for line in second.lines) > 100 + 50
    unrelated = searcher.search(boyi.start("othello"), Limits(nodes=100))
    assert unrelated.statistics["reused_nodes"] == 0
    never = MCTS(options=MCTSOptions(reuse=False))
    position = boyi.start("othello")
    first = never.search(position, Limits(nodes=3000))
    position.play(first.move)
    assert never.search(position, Limits(nodes=100)).statistics["reused_nodes"] == 0


@pytest.mark.parametrize("name", ["othello", "race", "line", "liuzhou"])
def test_kept_tree_is_the_part_of_the_old_one(name: str) -> None:
    """Whatever was known of the children of the new root is known still; whole games are played on one tree."""
    position = wander(find_game_or_toy(name).start(), 2, 3)
    searcher = MCTS(options=MCTSOptions(megabytes=4))
    choose = random.Random(1)
    kept = 0
    while position.outcome() is None and position.ply < 60:
        if position.turn == CHANCE:
            position.play(choose.choice(position.moves()))
            continue
        result = searcher.search(position, Limits(nodes=400, lines=2000))
        kept += result.statistics["reused_nodes"] > 0
        assert sum(line.visits or 0 for line in result.lines) >= result.nodes
        for line in result.lines:
            trial = position.copy()
            for move in line.moves:
                trial.play(move)                     # lines are legal to their end
        position.play(result.move)
    assert kept


def test_kept_tree_has_the_same_values() -> None:
    """Without new simulations the kept part says of each move what the old tree said two plies down."""
    position = boyi.start("othello")
    searcher = MCTS(options=MCTSOptions(solver=False))
    searcher.search(position, Limits(nodes=20_000))
    naive = NaiveMCTS(position, MCTSOptions(solver=False))
    root = naive.run(2_000)
    small = MCTS(options=MCTSOptions(solver=False))
    small.search(position, Limits(nodes=2_000))
    child = max(root.children, key=lambda one: one.visits)
    grandchild = max(child.children, key=lambda one: one.visits)
    position.play(child.move)
    position.play(grandchild.move)
    after = small.search(position, Limits(nodes=1, lines=60))
    expected = {one.move: one.visits for one in grandchild.children}
    found = {line.moves[0]: line.visits or 0 for line in after.lines}
    assert sum(found.values()) == sum(expected.values()) + 1
    assert all(found[move] - expected[move] in (0, 1) for move in expected)


def test_proofs_survive_the_cut() -> None:
    """Games of random moves on one tree: at every move what is proven is true."""
    reused = 0
    games = scaled(200, 20)
    for seed in range(games):
        position = wander(find_game_or_toy("line").start(), 1, seed)
        searcher = MCTS(options=MCTSOptions(seed=seed, megabytes=4))
        choose = random.Random(seed)
        while position.outcome() is None:
            result = searcher.search(position, Limits(nodes=3000, lines=9))
            reused += result.statistics["reused_nodes"] > 0
            for line in result.lines:
                side = position.turn
                position.play(line.moves[0])
                (value,) = {values[side] for values in brute_values(position)}
                position.undo()
                assert line.wins_in is None or (value == 1 if line.wins_in > 0 else value == -1)
            position.play(choose.choice(position.moves()))
    assert reused > games


def test_full_tree_does_not_grow() -> None:
    position = boyi.start("othello")
    result = MCTS(options=MCTSOptions(megabytes=1)).search(position, Limits(nodes=30_000))
    assert result.statistics["refused_growth"] > 0
    assert result.statistics["tree_nodes"] * 56 <= 1 << 20


# ------------------------------------------------------------------ behaviour

def test_gumbel_spends_its_visits_on_few_moves() -> None:
    position = boyi.start("xiangqi")
    options = MCTSOptions(gumbel=True, gumbel_moves=8)
    result = MCTS(Evaluator(), options).search(position, Limits(nodes=240, lines=100))
    visits = sorted((line.visits or 0 for line in result.lines), reverse=True)
    # Three phases of 80 visits: 10 each for eight, 20 each for four, 40 each for two.
    assert visits[:8] == [70, 70, 30, 30, 10, 10, 10, 10] and not any(visits[8:])
    assert result.lines[0].visits == 70


def test_gumbel_without_noise_begins_with_the_best_priors() -> None:
    position = wander(boyi.start("liuzhou"), 12, 4)
    evaluator = position.game.evaluators["hand"]()
    promise = {}
    for move in position.moves():
        side = position.turn
        position.play(move)
        promise[move] = evaluator.values(position)[side]
        position.undo()
    options = MCTSOptions(gumbel=True, gumbel_moves=3, priors="evaluator")
    result = MCTS(evaluator, options).search(position, Limits(nodes=60, lines=100))
    visited = [line.moves[0] for line in result.lines if line.visits]
    assert len(visited) == 3
    assert min(promise[move] for move in visited) >= sorted(promise.values())[-3]
    noisy = {MCTS(evaluator, MCTSOptions(gumbel=True, gumbel_moves=3, gumbel_noise=1.0, seed=seed)).search(
        position, Limits(nodes=30)).move for seed in range(20)}
    assert len(noisy) > 3


@pytest.mark.parametrize("width", [0, 5])
def test_strides_are_priors(width: int) -> None:
    """In a race: a softmax of what moves gain, and with a width only of those that gain most."""
    position = middlegame(3, 3)
    goal = apex((CORNERS.index(position.seats[position.turn]) + 3) % 6)
    gains = sorted((steps_between(move >> 7, goal) - steps_between(move & 127, goal) for move in position.moves()),
                   reverse=True)[:width or None]
    evaluator = AncestorEvaluator()
    options = MCTSOptions(selection="puct", priors="strides", width=width, prior_temperature=0.01)
    searcher = MCTS(evaluator, options)
    searcher.search(position, Limits(nodes=1))
    priors = [node.prior for node in searcher.tree() if node.parent == 0]
    weights = [math.exp(gain / (0.01 * evaluator.scale)) for gain in gains]
    assert priors == pytest.approx([weight / sum(weights) for weight in weights])


def test_strides_in_a_game_that_is_no_race_are_values() -> None:
    position, trees = wander(boyi.start("liuzhou"), 12, 4), []
    for options in (MCTSOptions(selection="puct", priors="strides"), MCTSOptions(selection="puct", priors="evaluator")):
        searcher = MCTS(position.game.evaluators["hand"](), options)
        searcher.search(position, Limits(nodes=50))
        trees.append(searcher.tree())
    assert trees[0] == trees[1]


def test_gumbel_finds_what_wins() -> None:
    position = find_game_or_toy("line").parse("xx.oo....")
    for seed in range(20):
        options = MCTSOptions(gumbel=True, gumbel_moves=8, seed=seed)
        assert MCTS(options=options).search(position, Limits(nodes=500)).move == 2


def test_stop() -> None:
    position = boyi.start("othello")
    searcher = MCTS()
    answers = []
    thread = threading.Thread(target=lambda: answers.append(searcher.search(position, Limits(nodes=10**9))))
    thread.start()
    while thread.is_alive():     # also when the search has not begun yet
        time.sleep(0.01)
        searcher.stop()
    thread.join()
    assert answers[0].nodes < 10**9 and answers[0].lines
    assert position.ply == 0


def test_seconds_end_a_search() -> None:
    result = MCTS().search(boyi.start("chinese_checkers", players=3), Limits(seconds=0.05))
    assert result.lines


def test_depth_bounds_the_tree() -> None:
    result = MCTS().search(boyi.start("othello"), Limits(nodes=2000, depth=2))
    assert result.statistics["deepest"] == 2 and len(result.lines[0].moves) <= 2


def test_more_simulations_play_better() -> None:
    """Tic-tac-toe from the start: the tree comes to the draw that it is."""
    result = MCTS().search(boyi.start("tic_tac_toe"), Limits(nodes=20_000))
    assert abs(result.value) < 100 and result.lines[0].wins_in is None


@pytest.mark.parametrize(("options", "words"), [
    ({"selection": "best"}, "not one of uct, puct"),
    ({"priors": "none"}, "not one of uniform, evaluator"),
    ({"exploration": -1}, "is not from 0"),
    ({"exploration": float("nan")}, "is not from 0"),
    ({"gumbel_moves": 1}, "is not from 2"),
    ({"gumbel_noise": -1}, "is not from 0"),
    ({"megabytes": 0}, "is not from 1"),
    ({"priors": "evaluator"}, "no evaluator to take them from"),
    ({"rollout_plies": 3}, "no evaluator to ask"),
    ({"seed": "x"}, "is not a whole number"),
])
def test_options_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        MCTS(options=MCTSOptions(**options))


def test_searches_refused() -> None:
    with pytest.raises(OptionError, match="no natural end"):
        MCTS().search(boyi.start("othello"), Limits(depth=3))
    with pytest.raises(TextError, match="no player acts"):
        MCTS().search(find_game_or_toy("race").start(), Limits(nodes=3))
    with pytest.raises(TextError, match="no player acts"):
        MCTS().search(find_game_or_toy("line").parse("xxxoo...."), Limits(nodes=3))
    with pytest.raises(OptionError, match="takes MCTSOptions"):
        MCTS(options={"seed": 1})  # type: ignore[arg-type]
