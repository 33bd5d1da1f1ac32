"""The root of a search to learn from, as plainly as possible: noise, forced playouts, halving, policies."""

from __future__ import annotations

import math

from boyi.core.encoder import Encoder
from boyi.core.position import Position
from boyi.search.mcts_options import MCTSOptions
from tests.search.batched_naive import NaiveBatchedMCTS, Node
from tests.search.mcts_naive import Stream, single

TINY = 1e-30


def gamma(stream: Stream, shape: float) -> float:
    """Marsaglia and Tsang 2000."""
    boost = 1.0
    if shape < 1:
        boost = (1 - stream.unit()) ** (1 / shape)
        shape += 1
    third = shape - 1 / 3
    spread = 1 / math.sqrt(9 * third)
    while True:
        normal = math.sqrt(-2 * math.log(1 - stream.unit())) * math.cos(2 * math.pi * stream.unit())
        cube = (1 + spread * normal) ** 3
        if cube > 0 and math.log(1 - stream.unit()) < normal * normal / 2 + third * (1 - cube + math.log(cube)):
            return boost * third * cube


class NaiveRoot(NaiveBatchedMCTS):
    """A search with `batch=1` whose root is special."""

    def __init__(self, position: Position, options: MCTSOptions, encoder: Encoder, simulations: int) -> None:
        super().__init__(position, options, encoder)
        self.budget = simulations
        self.logits: list[float] = []
        self.plan: list[int] = []
        """How many candidates are left, simulation by simulation."""
        self.candidates: list[int] = []
        self.predicted = 0.0

    def run(self, simulations: int | None = None) -> Node:
        """The first simulation values the root."""
        self.step(self.budget)
        root, options = self.root, self.options
        assert root.side is not None
        self.predicted = root.sums[root.side]
        n = len(root.children)
        if options.gumbel:
            self.logits = [options.gumbel_noise * -math.log(-math.log(self.stream.unit() + 0.5 / 2**53))
                          + math.log(child.prior + TINY) for child in root.children]
            self.candidates = sorted(range(n), key=lambda i: -self.logits[i])[:options.gumbel_moves]
            phases = max(1, math.ceil(math.log2(len(self.candidates))))
            left = len(self.candidates)
            while len(self.plan) < self.budget:
                each = max(1, (self.budget - 1) // (phases * left))
                self.plan += [left] * (left * each)
                left = max(2, (left + 1) // 2)
        if options.root_noise:
            noise = [gamma(self.stream, options.root_noise_shape) for _ in range(n)]
            total = 0.0
            for one in noise:
                total += one
            for child, one in zip(root.children, noise, strict=True):
                child.prior = single((1 - options.root_noise) * child.prior + options.root_noise * one / total)
        while self.simulations < self.budget and root.proof is None:
            self.step(self.budget)
        return root

    def choose(self, node: Node) -> Node:
        options = self.options
        if node is not self.root:
            return super().choose(node)
        if options.gumbel:
            if self.plan[self.simulations - 1] < len(self.candidates):
                self.candidates = sorted(self.candidates, key=lambda i: -self.score(i))
                del self.candidates[self.plan[self.simulations - 1]:]
            for some in (self.candidates, range(len(node.children))):
                open_ones = [i for i in some if node.children[i].proof is None or (
                    not options.solver and some is self.candidates)]
                if open_ones:
                    return node.children[min(open_ones, key=lambda i: node.children[i].visits)]
        if options.forced_playouts:
            for child in node.children:
                if child.visits and child.proof is None and (
                        child.visits**2 < options.forced_playouts * child.prior * node.visits):
                    return child
        return super().choose(node)

    def mean(self, child: Node) -> float:
        side = self.root.side
        assert side is not None
        if child.proof is not None:
            return child.proof[side]
        return child.sums[side] / child.visits if child.visits else self.root.sums[side] / self.root.visits

    def value_weight(self) -> float:
        return (50 + max(child.visits for child in self.root.children)) * self.options.gumbel_scale

    def score(self, i: int) -> float:
        return self.logits[i] + self.value_weight() * (self.mean(self.root.children[i]) + 1) / 2

    def policy(self) -> dict[int, float]:
        """The target: what is to be learned."""
        root, children = self.root, self.root.children
        side = root.side
        assert side is not None
        weights = self.improved() if self.options.gumbel else self.pruned()
        for i, child in enumerate(children):
            if root.proof is None and child.proof is not None and child.proof[side] <= -1:
                weights[i] = 0
            if root.proof is not None and (child.proof is None or child.proof[side] < root.proof[side]):
                weights[i] = 0
        if not any(weights):
            return {}
        return {child.move: one / sum(weights) for child, one in zip(children, weights, strict=True)}

    def improved(self) -> list[float]:
        children = self.root.children
        tried = [child for child in children if child.visits]
        visits = sum(child.visits for child in tried)
        mixed = self.predicted
        if tried:
            believed = sum(child.prior for child in tried)
            mixed += visits * sum(child.prior * self.mean(child) for child in tried) / believed
        mixed /= 1 + visits
        values = [self.mean(child) if child.visits else mixed for child in children]
        logits = [math.log(child.prior + TINY) + self.value_weight() * (value + 1) / 2
                  for child, value in zip(children, values, strict=True)]
        return [math.exp(logit - max(logits)) for logit in logits]

    def pruned(self) -> list[float]:
        root, options = self.root, self.options
        counts = [float(child.visits) for child in root.children]
        if not options.forced_playouts or not any(counts):
            return counts
        best = max(root.children, key=lambda child: (child.visits, self.mean(child)))

        def puct(child: Node, visits: float) -> float:
            return self.mean(child) + options.exploration * math.sqrt(root.visits) * child.prior / (1 + visits)

        for i, child in enumerate(root.children):
            if child is best or not child.visits or child.proof is not None:
                continue
            for _ in range(math.ceil(math.sqrt(options.forced_playouts * child.prior * root.visits))):
                if counts[i] and puct(child, counts[i] - 1) < puct(best, best.visits):
                    counts[i] -= 1
            counts[i] = counts[i] if counts[i] > 1 else 0
        return counts
