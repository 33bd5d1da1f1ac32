"""Tree search with leaves that wait for one another, as plainly as possible; and a predictor to try it with."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from boyi.core.batch import Batch
from boyi.core.encoder import Encoder
from boyi.core.position import CHANCE, Position
from boyi.core.predictor import PythonPredictor
from boyi.search.mcts_options import MCTSOptions
from tests.search.mcts_naive import Stream, single


def predict(features: Sequence[float], names: Sequence[int], players: int) -> tuple[list[float], list[float]]:
    """Logits and values that depend on nothing but the encoded position: those of a network nobody trained."""
    digest = zlib.crc32(struct.pack(f"{len(features)}f", *features))
    logits = [zlib.crc32(name.to_bytes(4, "little"), digest) / 2**32 * 4 - 2 for name in names]
    values = [zlib.crc32(bytes([player]), digest) / 2**31 - 1 for player in range(players)]
    if players == 2:
        values[1] = -values[0]
    return [single(logit) for logit in logits], [single(value) for value in values]


class HashPredictor(PythonPredictor):
    """Predicts something for every position and counts how often it is asked."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder)
        self.sizes: list[int] = []

    def answer(self, batch: Batch) -> None:
        self.sizes.append(batch.count)
        size, players = self.encoder.size, self.encoder.players
        features, starts, indices = batch.features, batch.starts, batch.indices
        for row in range(batch.count):
            begin, end = starts[row], starts[row + 1]
            here = features[row * size:(row + 1) * size].tolist()
            logits, values = predict(here, indices[begin:end].tolist(), players)
            for i, logit in enumerate(logits):
                batch.logits[begin + i] = logit
            for player, value in enumerate(values):
                batch.values[row * players + player] = value


@dataclass
class Node:
    """A position that was met, or a move that was not tried."""

    move: int
    prior: float
    side: int | None = None
    visits: int = 0
    sums: list[float] = field(default_factory=lambda: [0.0] * 6)
    children: list[Node] = field(default_factory=list)
    proof: list[float] | None = None
    pending: int = 0
    waiting: bool = False


class NaiveBatchedMCTS:
    """The search of one position."""

    def __init__(self, position: Position, options: MCTSOptions, encoder: Encoder) -> None:
        self.position, self.options, self.encoder = position, options, encoder
        self.stream = Stream(options.seed)
        self.root = Node(0, 1.0, position.turn)
        self.simulations = self.misses = 0

    def run(self, simulations: int) -> Node:
        while self.simulations < simulations and self.root.proof is None:
            self.step(simulations)
        return self.root

    def step(self, simulations: int) -> None:
        """Descend, ask, back up."""
        waiting: list[tuple[list[Node], list[float], list[float], int]] = []
        missed: list[list[Node]] = []
        while (len(waiting) < min(self.options.batch if self.root.visits else 1, simulations - self.simulations)
               and len(missed) < self.options.batch and self.root.proof is None):
            ply = self.position.ply
            path = self.descend()
            leaf = path[-1]
            if leaf.proof is not None:
                self.back_up(path, leaf.proof)
            else:
                if leaf.waiting:
                    missed.append(path)
                else:
                    waiting.append((path, *self.expand(leaf)))
                for node in path:
                    node.pending += 1
            while self.position.ply > ply:
                self.position.undo()
        self.misses += len(missed)
        for path in [path for path, *_ in waiting] + missed:
            for node in path:
                node.pending -= 1
        for path, logits, values, side in waiting:
            leaf = path[-1]
            leaf.waiting = False
            total = 0.0
            for logit in logits:
                total += math.exp(logit - max(logits))
            for child, logit in zip(leaf.children, logits, strict=True):
                child.prior = single(math.exp(logit - max(logits)) / total)
            players = len(values)
            self.back_up(path, [values[(player - side) % players] for player in range(players)])

    def descend(self) -> list[Node]:
        path = [self.root]
        while path[-1].proof is None and not path[-1].waiting:
            node = path[-1]
            if not node.children:
                if node.side != CHANCE:
                    break
                node.children = [Node(move, single(odds)) for move, odds in self.position.odds()]
            child = self.choose(node)
            self.position.play(child.move)
            path.append(child)
            if child.side is None:
                child.side = self.position.turn
                outcome = self.position.outcome()
                child.proof = None if outcome is None else [single(score) for score in outcome.scores]
        return path

    def expand(self, leaf: Node) -> tuple[list[float], list[float], int]:
        moves = self.position.moves()
        for i in range(len(moves) - 1, 0, -1):
            j = self.stream.below(i + 1)
            moves[i], moves[j] = moves[j], moves[i]
        leaf.children = [Node(move, 0.0) for move in moves]
        leaf.waiting = True
        names = [self.encoder.policy_index(self.position, move) for move in moves]
        return *predict(self.encoder.features(self.position), names, self.position.players), self.position.turn

    def choose(self, node: Node) -> Node:
        if node.side == CHANCE:
            return node.children[self.stream.drawn([child.prior for child in node.children])]
        assert node.side is not None
        mean = node.sums[node.side] / node.visits if node.visits else 0.0
        tries = node.visits + node.pending
        best, chosen = -math.inf, node.children[0]
        for child in node.children:
            here = child.visits + child.pending
            puct = self.options.selection == "puct"
            if not here and not puct:
                return child
            value = child.sums[node.side] / child.visits if child.visits else mean - puct * self.options.first_play
            if child.proof is not None and self.options.solver:
                value = child.proof[node.side]
                if value <= -1:
                    continue
            if puct:
                score = value + self.options.exploration * math.sqrt(tries or 1) * child.prior / (1 + here)
            else:
                score = value + self.options.exploration * math.sqrt(math.log(tries) / here)
            if score > best:
                best, chosen = score, child
        return chosen

    def back_up(self, path: list[Node], values: list[float]) -> None:
        self.simulations += 1
        for node in path:
            node.visits += 1
            for player, value in enumerate(values):
                node.sums[player] += value
        if self.options.solver:
            for node, child in zip(path[-2::-1], path[:0:-1], strict=True):
                if child.proof is not None and node.proof is None:
                    node.proof = self.proof(node)

    def proof(self, node: Node) -> list[float] | None:
        proofs = [child.proof for child in node.children if child.proof is not None]
        complete = len(proofs) == len(node.children)
        if node.side == CHANCE:
            return [single(sum(child.prior * proof[player] for child, proof in zip(node.children, proofs, strict=True)))
                    for player in range(len(proofs[0]))] if complete else None
        side = node.side
        assert side is not None
        best = max(proofs, key=lambda proof: proof[side])
        return best if complete or best[side] >= 1 else None
