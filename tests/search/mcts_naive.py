"""Monte Carlo tree search as the textbook draws it: objects, recursion, no tricks, the same random numbers."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass, field

from boyi.core.evaluator import Evaluator
from boyi.core.position import CHANCE, OVER, Position
from boyi.search.mcts_options import MCTSOptions

WORD = (1 << 64) - 1


def single(number: float) -> float:
    """As a number of 32 bits, which is how priors and proofs are kept."""
    return ctypes.c_float(number).value


class Stream:
    """Splitmix64, seeded as the compiled side seeds it."""

    def __init__(self, seed: int) -> None:
        self.state = seed & WORD
        self.next()

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & WORD
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        return ((self.next() >> 32) * n) >> 32

    def unit(self) -> float:
        return (self.next() >> 11) / 2.0**53

    def drawn(self, odds: list[float]) -> int:
        at = self.unit()
        for i, one in enumerate(odds[:-1]):
            if at < one:
                return i
            at -= one
        return len(odds) - 1


@dataclass
class Node:
    """A position that was met."""

    move: int
    prior: float
    side: int | None = None
    visits: int = 0
    sums: list[float] = field(default_factory=lambda: [0.0] * 6)
    children: list[Node] = field(default_factory=list)
    proof: list[float] | None = None


class NaiveMCTS:
    """The search of one position."""

    def __init__(self, position: Position, options: MCTSOptions, evaluator: Evaluator | None = None) -> None:
        self.position = position
        self.options = options
        self.evaluator = evaluator
        self.stream = Stream(options.seed)
        self.root = Node(0, 1.0, position.turn)

    def run(self, simulations: int) -> Node:
        self.grow(self.root)
        for _ in range(simulations):
            if self.root.proof is not None:
                break
            self.visit(self.root)
        return self.root

    def visit(self, node: Node) -> list[float]:
        """One simulation from here: the values per player, already added to this node."""
        if node.side is None:
            node.side = self.position.turn
            outcome = self.position.outcome()
            if outcome is not None:
                node.proof = [single(score) for score in outcome.scores]
        if node.proof is not None:
            values = node.proof
        elif not node.children and node.visits == 0:
            values = self.value()
        else:
            if not node.children:
                self.grow(node)
            child = self.choose(node)
            self.position.play(child.move)
            values = self.visit(child)
            self.position.undo()
            if self.options.solver and child.proof is not None and node.proof is None:
                node.proof = self.proof(node)
        node.visits += 1
        for player, value in enumerate(values):
            node.sums[player] += value
        return values

    def grow(self, node: Node) -> None:
        if node.side == CHANCE:
            node.children = [Node(move, single(odds)) for move, odds in self.position.odds()]
            return
        moves = self.position.moves()
        for i in range(len(moves) - 1, 0, -1):
            j = self.stream.below(i + 1)
            moves[i], moves[j] = moves[j], moves[i]
        priors = [1.0 / len(moves)] * len(moves)
        if self.options.selection == "puct" and self.options.priors == "evaluator":
            assert node.side is not None
            values = []
            for move in moves:
                ply = self.position.ply
                self.position.play(move)
                values.append(self.leaf_values()[node.side] / self.options.prior_temperature)
                while self.position.ply > ply:
                    self.position.undo()
            powers = [math.exp(value - max(values)) for value in values]
            total = 0.0
            for power in powers:
                total += power
            priors = [power / total for power in powers]
        node.children = [Node(move, single(prior)) for move, prior in zip(moves, priors, strict=True)]

    def choose(self, node: Node) -> Node:
        if node.side == CHANCE:
            return node.children[self.stream.drawn([child.prior for child in node.children])]
        assert node.side is not None
        best, chosen = -math.inf, node.children[0]
        for child in node.children:
            value = child.sums[node.side] / child.visits if child.visits else None
            if child.proof is not None and self.options.solver:
                value = child.proof[node.side]
                if value <= -1:
                    continue
            if self.options.selection == "uct":
                if value is None:
                    return child
                score = value + self.options.exploration * math.sqrt(math.log(node.visits) / child.visits)
            else:
                if value is None:
                    here = node.sums[node.side] / node.visits if node.visits else 0.0
                    value = here - self.options.first_play
                exploration = self.options.exploration * math.sqrt(node.visits or 1)
                score = value + exploration * child.prior / (1 + child.visits)
            if score > best:
                best, chosen = score, child
        return chosen

    def value(self) -> list[float]:
        """Of the leaf at which the position stands."""
        ply = self.position.ply
        most = 100_000 if self.evaluator is None or self.options.rollouts else self.options.rollout_plies
        while self.position.turn != OVER and self.position.ply < ply + most:
            if self.position.turn == CHANCE:
                self.draw()
            else:
                moves = self.position.moves()
                self.position.play(moves[self.stream.below(len(moves))])
        values = self.leaf_values()
        while self.position.ply > ply:
            self.position.undo()
        return values

    def leaf_values(self) -> list[float]:
        while self.position.turn == CHANCE:
            self.draw()
        outcome = self.position.outcome()
        if outcome is not None:
            return list(outcome.scores)
        assert self.evaluator is not None
        return self.evaluator.values(self.position)

    def draw(self) -> None:
        odds = self.position.odds()
        self.position.play(odds[self.stream.drawn([likelihood for _, likelihood in odds])][0])

    def proof(self, node: Node) -> list[float] | None:
        proofs = [child.proof for child in node.children if child.proof is not None]
        complete = len(proofs) == len(node.children)
        if node.side == CHANCE:
            if not complete:
                return None
            return [single(sum(child.prior * proof[player]
                               for child, proof in zip(node.children, proofs, strict=True)))
                    for player in range(len(proofs[0]))]
        side = node.side
        assert side is not None
        best = max(proofs, key=lambda proof: proof[side])
        return best if complete or best[side] >= 1 else None
