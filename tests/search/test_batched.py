"""Leaves that wait for one another: against the textbook, and what must hold for every batch."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import boyi
from boyi.core.batch import Batch
from boyi.core.encoder import Encoder
from boyi.core.errors import OptionError
from boyi.core.evaluator import Evaluator
from boyi.core.position import CHANCE, Position
from boyi.core.predictor import Predictor, PythonPredictor
from boyi.core.searcher import Limits
from boyi.search.mcts import MCTS
from boyi.search.mcts_options import MCTSOptions
from boyi.search.tree.tree_node import TreeNode
from tests.scale import some_of
from tests.search.batched_naive import HashPredictor, NaiveBatchedMCTS, predict
from tests.search.test_mcts import wander
from tests.toys import find_game_or_toy

# Game, rule options, plies into it, simulations.
POSITIONS: dict[str, tuple[str, dict[str, object], int, int]] = {
    "line": ("line", {}, 0, 200),
    "line-late": ("line", {}, 5, 200),
    "race-2": ("race", {}, 1, 200),
    "race-3": ("race", {"players": 3}, 7, 200),
    "cards": ("cards", {}, 2, 100),
    "othello": ("othello", {}, 20, 150),
    "othello-end": ("othello", {}, 54, 400),
    "liuzhou": ("liuzhou", {}, 30, 100),
    "xiangqi": ("xiangqi", {}, 10, 60),
    "jieqi": ("jieqi", {}, 10, 100),
    "checkers-3": ("chinese_checkers", {"players": 3}, 10, 50),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "puct": {"selection": "puct", "exploration": 1.5},
    "uct": {},
    "unsolved": {"selection": "puct", "solver": False, "seed": 5},
}


def start(name: str) -> tuple[Position, Encoder, int]:
    game, rules, plies, simulations = POSITIONS[name]
    position = wander(find_game_or_toy(game).start(**rules), plies, seed=len(name))
    return position, position.game.make_encoder(position.options), simulations


@pytest.mark.parametrize(("name", "options", "batch"), some_of(itertools.product(POSITIONS, OPTIONS, (1, 2, 7, 32)), 5))
def test_agrees_with_the_textbook(name: str, options: str, batch: int) -> None:
    position, encoder, simulations = start(name)
    chosen = MCTSOptions(**OPTIONS[options], batch=batch)
    predictor = HashPredictor(encoder)
    searcher = MCTS(options=chosen, predictor=predictor)
    before = position.to_text()
    result = searcher.search(position, Limits(nodes=simulations, lines=2000))
    assert position.to_text() == before
    naive = NaiveBatchedMCTS(position, chosen, encoder)
    root = naive.run(simulations)
    assert {line.moves[0]: line.visits for line in result.lines} == {
        child.move: child.visits for child in root.children}
    assert result.nodes == root.visits == naive.simulations
    assert result.statistics["misses"] == naive.misses
    assert result.statistics["batches"] == len(predictor.sizes)
    assert result.statistics["evaluations"] == sum(predictor.sizes)
    assert max(predictor.sizes) <= batch
    check_sums(searcher.tree(), position, encoder, depth_limit=None)


def check_sums(tree: list[TreeNode], root: Position, encoder: Encoder, depth_limit: int | None) -> None:
    """Recompute every node from its leaves: what each was worth, how often each was valued, and nothing left over."""
    children: dict[int, list[int]] = {}
    for number, node in enumerate(tree):
        children.setdefault(node.parent, []).append(number)
        assert node.pending == 0

    def add_up(number: int) -> tuple[int, list[float]]:
        """Visits and values per player of all that was valued at this node or below it."""
        node, below = tree[number], children.get(number, [])
        visits, sums = 0, [0.0] * root.players
        for child in below:
            if tree[child].visits:
                root.play(tree[child].move)
                more, values = add_up(child)
                root.undo()
                visits, sums = visits + more, [a + b for a, b in zip(sums, values, strict=True)]
        own = node.visits - visits
        outcome = root.outcome()
        if outcome is not None:
            values = list(outcome.scores)
        elif node.side >= 0 and below:
            # The first visit asked the predictor; later ones stopped here only if it was proven.
            names = [encoder.policy_index(root, tree[child].move) for child in below]
            relative = predict(encoder.features(root), names, root.players)[1]
            values = [relative[(player - root.turn) % root.players] for player in range(root.players)]
            assert own >= 1
            sums = [a + b for a, b in zip(sums, values, strict=True)]
            own -= 1
            assert own == 0 or node.proof is not None
            values = list(node.proof or values)
        else:
            assert own == 0 or node.proof is not None or depth_limit is not None
            values = list(node.proof or [0.0] * root.players)
        sums = [a + own * b for a, b in zip(sums, values, strict=True)]
        if node.side >= 0:
            assert node.actor_sum == pytest.approx(sums[node.side], abs=1e-4)
        if node.parent >= 0 and tree[node.parent].side >= 0:
            assert node.chooser_sum == pytest.approx(sums[tree[node.parent].side], abs=1e-4)
        return node.visits, sums

    assert add_up(0)[0] == tree[0].visits


@pytest.mark.parametrize("name", ["line", "race-3", "othello", "liuzhou", "jieqi"])
def test_repeatable(name: str) -> None:
    position, encoder, simulations = start(name)
    for gumbel, batch in itertools.product((False, True), (1, 5, 16)):
        options = MCTSOptions(selection="puct", gumbel=gumbel, gumbel_noise=1.0, batch=batch)
        searcher = MCTS(options=options, predictor=HashPredictor(encoder))
        limits = Limits(nodes=simulations, lines=5)
        first, again = searcher.search(position, limits), searcher.search(position, limits)
        other = MCTS(options=options, predictor=HashPredictor(encoder)).search(position.copy(), limits)
        assert first.lines == again.lines == other.lines
        assert first.statistics == again.statistics == other.statistics


def test_batches_are_filled() -> None:
    """That is what it is for: far fewer questions than simulations, and not many descents in vain."""
    position, encoder, _ = start("liuzhou")
    predictor = HashPredictor(encoder)
    result = MCTS(options=MCTSOptions(selection="puct", batch=16), predictor=predictor).search(
        position, Limits(nodes=800))
    assert len(predictor.sizes) < 800 / 8
    assert result.nodes == 800


@pytest.mark.parametrize("batch", [1, 3, 8, 64])
def test_gumbel_shares_visits_alike_for_every_batch(batch: int) -> None:
    """Leaves never wait beyond the end of a halving, so the candidates get the visits that are theirs."""
    position = boyi.start("xiangqi")
    predictor = Predictor(position.game.make_encoder(position.options))
    options = MCTSOptions(selection="puct", gumbel=True, gumbel_moves=8, batch=batch)
    result = MCTS(options=options, predictor=predictor).search(position, Limits(nodes=241, lines=100))
    visits = sorted((line.visits or 0 for line in result.lines), reverse=True)
    assert sum(visits) == 240 and not any(visits[8:])
    assert all(abs(one - other) <= 1 for one, other in zip(visits, [70, 70, 30, 30, 10, 10, 10, 10], strict=False))


def test_gumbel_begins_with_what_the_network_likes() -> None:
    position, encoder, _ = start("liuzhou")
    names = [encoder.policy_index(position, move) for move in position.moves()]
    logits, _ = predict(encoder.features(position), names, 2)
    likes = dict(zip(position.moves(), logits, strict=True))
    options = MCTSOptions(gumbel=True, gumbel_moves=3, batch=4)
    result = MCTS(options=options, predictor=HashPredictor(encoder)).search(position, Limits(nodes=60, lines=100))
    visited = {line.moves[0] for line in result.lines if line.visits}
    assert visited == set(sorted(likes, key=lambda move: likes[move])[-3:])


@pytest.mark.parametrize("name", ["othello", "race", "line", "jieqi"])
def test_tree_is_kept_when_the_game_goes_on(name: str) -> None:
    position = wander(find_game_or_toy(name).start(), 2, 3)
    encoder = position.game.make_encoder(position.options)
    searcher = MCTS(options=MCTSOptions(selection="puct", megabytes=16, batch=8), predictor=HashPredictor(encoder))
    choose = random.Random(1)
    kept = 0
    while position.outcome() is None and position.ply < 24:
        if position.turn == CHANCE:
            position.play(choose.choice(position.moves()))
            continue
        result = searcher.search(position, Limits(nodes=200, lines=2000))
        kept += result.statistics["reused_nodes"] > 0
        assert result.nodes == 200 or searcher.tree()[0].proof is not None
        check_sums(searcher.tree(), position, encoder, depth_limit=None)
        position.play(result.move)
    assert kept


def test_proofs_are_found_in_batches() -> None:
    for seed in range(10):
        position = find_game_or_toy("line").parse("xx.oo....")
        options = MCTSOptions(selection="puct", batch=16, seed=seed, gumbel=seed % 2 == 0)
        result = MCTS(options=options, predictor=HashPredictor(position.game.make_encoder(position.options))).search(
            position, Limits(nodes=2000))
        assert result.move == 2 and result.lines[0].wins_in == 1


def test_depth_and_room_bound_the_tree() -> None:
    for name in ("othello", "jieqi"):
        position, encoder, _ = start(name)
        searcher = MCTS(options=MCTSOptions(selection="puct", batch=8), predictor=HashPredictor(encoder))
        result = searcher.search(position, Limits(nodes=300, depth=2))
        assert result.statistics["deepest"] <= 2 and result.nodes == 300
        assert all(node.pending == 0 for node in searcher.tree())
        full = MCTS(options=MCTSOptions(selection="puct", batch=8, megabytes=1), predictor=Predictor(encoder))
        result = full.search(position, Limits(nodes=5000))
        assert result.statistics["refused_growth"] > 0 and result.nodes == 5000


def priors(options: MCTSOptions, seed: int | None = None) -> list[float]:
    """Those of the root's moves, in the order of the moves."""
    position = boyi.start("tic_tac_toe")
    predictor = HashPredictor(position.game.make_encoder(position.options))
    searcher = MCTS(options=options, predictor=predictor)
    searcher.begin(position, Limits(nodes=2), seed)
    batch = Batch(predictor.encoder, 1)
    searcher.collect(batch)
    predictor.fill(batch)
    searcher.absorb(batch)
    return [node.prior for node in sorted(searcher.tree()[1:10], key=lambda node: node.move)]


def test_noise_at_the_root() -> None:
    """A share of the priors is Dirichlet noise: of the right mean and spread, and another for every seed."""
    plain = priors(MCTSOptions(selection="puct", seed=3))
    assert plain == priors(MCTSOptions(selection="puct"), seed=8)
    noises = []
    for seed in range(400):
        mixed = priors(MCTSOptions(selection="puct", root_noise=0.25, root_noise_shape=0.3), seed)
        assert sum(mixed) == pytest.approx(1, abs=1e-5)
        noises.append([(one - 0.75 * other) / 0.25 for one, other in zip(mixed, plain, strict=True)])
        assert min(noises[-1]) > -1e-6
    assert priors(MCTSOptions(selection="puct", root_noise=0.25), 7) == priors(
        MCTSOptions(selection="puct", root_noise=0.25, seed=7))
    assert len({tuple(noise) for noise in noises}) == 400
    for move in range(9):
        mean = sum(noise[move] for noise in noises) / 400
        spread = sum((noise[move] - mean) ** 2 for noise in noises) / 400
        # Of Dirichlet's distribution: 1/n, and (1/n)(1 - 1/n) / (n * shape + 1). Three standard errors.
        assert mean == pytest.approx(1 / 9, abs=0.025)
        assert spread == pytest.approx(8 / 81 / 3.7, rel=0.5)


def test_many_games_share_a_batch() -> None:
    """Searches in steps, all leaves predicted together, find what each alone would find."""
    encoder = boyi.find_game("othello").make_encoder(boyi.start("othello").options)
    predictor = HashPredictor(encoder)
    options = MCTSOptions(selection="puct", batch=3)
    positions = [wander(boyi.start("othello"), plies, plies) for plies in range(4, 40, 5)]
    alone = [MCTS(options=options, predictor=predictor).search(position, Limits(nodes=90, lines=60))
             for position in positions]
    predictor.sizes.clear()
    searchers = [MCTS(options=options, predictor=predictor) for _ in positions]
    for searcher, position in zip(searchers, positions, strict=True):
        searcher.begin(position, Limits(nodes=90, lines=60))
    batch = Batch(encoder, 3 * len(positions))
    while running := [searcher for searcher in searchers if not searcher.done]:
        batch.empty()
        for searcher in running:
            searcher.collect(batch)
        predictor.fill(batch)
        for searcher in running:
            searcher.absorb(batch)
    together = [searcher.finish() for searcher in searchers]
    assert [result.lines for result in together] == [result.lines for result in alone]
    assert max(predictor.sizes) > 16


def test_a_full_batch_makes_leaves_wait_for_the_next() -> None:
    position, encoder, _ = start("othello")
    predictor = HashPredictor(encoder)
    searcher = MCTS(options=MCTSOptions(selection="puct", batch=16), predictor=predictor)
    searcher.begin(position, Limits(nodes=50))
    batch = Batch(encoder, 4)
    while not searcher.done:
        batch.empty()
        assert searcher.collect(batch) <= 4
        predictor.fill(batch)
        searcher.absorb(batch)
    assert searcher.finish().nodes == 50
    check_sums(searcher.tree(), position, encoder, depth_limit=None)


def test_steps_out_of_order_are_refused() -> None:
    position, encoder, _ = start("othello")
    predictor = HashPredictor(encoder)
    searcher = MCTS(options=MCTSOptions(selection="puct", batch=4), predictor=predictor)
    batch = Batch(encoder, 4)
    with pytest.raises(RuntimeError, match="call begin first"):
        searcher.collect(batch)
    with pytest.raises(RuntimeError, match="no search was begun"):
        searcher.finish()
    searcher.begin(position, Limits(nodes=50))
    with pytest.raises(RuntimeError, match="searching already"):
        searcher.search(position, Limits(nodes=5))
    with pytest.raises(RuntimeError, match="nothing was searched yet"):
        searcher.finish()
    assert searcher.collect(batch) == 1
    with pytest.raises(RuntimeError, match="absorb them first"):
        searcher.collect(batch)
    with pytest.raises(RuntimeError, match="not absorbed"):
        searcher.finish()
    with pytest.raises(OptionError, match="another encoder"):
        searcher.absorb(Batch(position.game.make_encoder(position.options), 4))
    searcher.forget()                          # a loop that broke off
    assert searcher.search(position, Limits(nodes=20)).nodes == 20
    with pytest.raises(OptionError, match="needs a predictor"):
        MCTS().begin(position, Limits(nodes=5))


class Broken(PythonPredictor):
    """Answers the same for every position."""

    def __init__(self, encoder: Encoder, logit: float, value: float) -> None:
        super().__init__(encoder)
        self.logit, self.value = logit, value

    def answer(self, batch: Batch) -> None:
        for i in range(batch.starts[batch.count]):
            batch.logits[i] = self.logit
        for i in range(2 * batch.count):
            batch.values[i] = self.value


@pytest.mark.parametrize(("logit", "value", "words"), [
    (float("nan"), 0, "a logit is nan"), (float("inf"), 0, "a logit is inf"), (0, float("nan"), "a value is nan"),
    (0, 1.5, "not from -1 to 1"), (0, -7, "not from -1 to 1")])
def test_nonsense_of_a_network_is_refused(logit: float, value: float, words: str) -> None:
    position, encoder, _ = start("othello")
    searcher = MCTS(options=MCTSOptions(selection="puct"), predictor=Broken(encoder, logit, value))
    with pytest.raises(ValueError, match=words):
        searcher.search(position, Limits(nodes=20))
    assert position.ply == 20 and searcher.tree() == []
    almost = MCTS(options=MCTSOptions(selection="puct"), predictor=Broken(encoder, 1e30, 1.0001))
    assert almost.search(position, Limits(nodes=20)).nodes == 20


def test_searches_refused() -> None:
    position, encoder, _ = start("othello")
    predictor = Predictor(encoder)
    with pytest.raises(OptionError, match="only where a network values them"):
        MCTS(options=MCTSOptions(batch=2))
    with pytest.raises(OptionError, match="name one of them"):
        MCTS(Evaluator(), predictor=predictor)
    with pytest.raises(OptionError, match="name one of them"):
        MCTS(options=MCTSOptions(rollouts=True), predictor=predictor)
    with pytest.raises(OptionError, match="batch: 0 is not from 1"):
        MCTSOptions(batch=0)
    with pytest.raises(OptionError, match="root_noise: it is for selection=puct"):
        MCTSOptions(root_noise=0.2)
    with pytest.raises(OptionError, match="root_noise: 2 is not from 0 to 1"):
        MCTSOptions(selection="puct", root_noise=2)
    with pytest.raises(ValueError, match="does not know xiangqi"):
        MCTS(predictor=predictor).search(boyi.start("xiangqi"), Limits(nodes=5))
    with pytest.raises(OptionError, match="room for 1 to"):
        Batch(encoder, 0)
    batch = Batch(encoder, 1)
    batch.append(position)
    with pytest.raises(IndexError, match="the batch is full"):
        batch.append(position)
