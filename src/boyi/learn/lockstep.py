"""Self-play in lock-step: many games in one process, one question to the network for all of them.

Every game has its own tree. In each step all trees put their next leaf into one batch, a predictor is asked once,
and all trees take in their answers (see `boyi.search.mcts`); a game whose search is done makes its move and goes on,
one that is over makes room for the next. What a game is depends on its number and the settings alone and not on its
neighbours, so that the same games come out however many are played at once.

From each decision there is a *sample* (`boyi.learn.samples`): what the network saw, how often the search tried each
move, and how the game ended. Moves are drawn by those visits while the game is young, and the most visited one is played later. Noise at
the root lets moves be tried that the network does not believe in.

Secrets: where chance plays a part, each player searches his own observation in a tree of his own.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boyi.core.errors import OptionError
from boyi.core.outcome import Outcome
from boyi.core.position import CHANCE, Position
from boyi.core.predictor import Batch, Predictor
from boyi.core.searcher import Limits, Result
from boyi.learn.samples import Samples
from boyi.search.mcts import MCTS
from boyi.search.options import MCTSOptions

HIGHEST_SEED = 2**63
MOST_MOVES = 2048
UNITS = 400.0


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How games are played."""

    at_once: int = 64
    """So many games are played at the same time."""

    simulations: int = 16
    """How often a search goes down its tree for a move."""

    exploration: float = 1.25
    """See `MCTSOptions`, as for the two below."""

    root_noise: float = 0.25
    root_noise_shape: float = 0.3

    random_plies: int = 0
    """So many moves are drawn by lot first; they give no samples."""

    loose_plies: int = 20
    """So many moves after them are drawn by the visits of the search; later the most visited one is played."""

    longest: int = 1000
    """A game of so many moves is broken off and gives no samples."""

    megabytes: int = 1
    """The room for each tree."""

    seed: int = 0

    def __post_init__(self) -> None:
        for name, lowest in (("at_once", 1), ("simulations", 2), ("random_plies", 0), ("loose_plies", 0),
                             ("longest", 1)):
            if not getattr(self, name) >= lowest:
                raise OptionError(f"{name} is {getattr(self, name)} and must be at least {lowest}")
        self.search_options()

    def search_options(self) -> MCTSOptions:
        return MCTSOptions(selection="puct", exploration=self.exploration, root_noise=self.root_noise,
                           root_noise_shape=self.root_noise_shape, megabytes=self.megabytes)


@dataclass(frozen=True)
class Played:
    """A game that has ended."""

    number: int
    moves: tuple[int, ...]
    outcome: Outcome | None
    """None for a game that was broken off."""

    samples: Samples
    """None of them from a game that was broken off."""


@dataclass(frozen=True)
class _Decision:
    """What is known of a decision before the game has ended."""

    player: int
    features: NDArray[np.float32]
    names: NDArray[np.int32]
    visits: NDArray[np.float32]
    value: float


class _Table:
    """A board at which a game is being played."""

    def __init__(self, number: int, start: Position, predictor: Predictor, settings: Settings) -> None:
        self.number = number
        self.position = start.copy()
        self._settings = settings
        self._generator = random.Random(f"{settings.seed} game {number}")
        self._secret = start.game.has_chance
        self._searchers = [MCTS(options=settings.search_options(), predictor=predictor)
                           for _ in range(start.players if self._secret else 1)]
        self._look = Batch(predictor.encoder, 1)
        self._decisions: list[_Decision] = []
        self._made = 0

    @property
    def searcher(self) -> MCTS:
        return self._searchers[self.position.turn if self._secret else 0]

    def begin(self) -> bool:
        """Make moves that need no thought, then begin the next search; False when the game is over."""
        while self.position.turn == CHANCE or self._made < self._settings.random_plies:
            if self.position.outcome() is not None:
                return False
            if self.position.turn == CHANCE:
                moves, odds = zip(*self.position.odds(), strict=True)
                self.position.play(self._generator.choices(moves, odds)[0])
            else:
                self.position.play(self._generator.choice(self.position.moves()))
                self._made += 1
        if self.position.outcome() is not None or self._made >= self._settings.longest:
            return False
        view = self.position.observe(self.position.turn) if self._secret else self.position
        self.searcher.begin(view, Limits(nodes=self._settings.simulations, lines=MOST_MOVES),
                            self._generator.randrange(HIGHEST_SEED))
        return True

    def move(self) -> None:
        """Make the move that the search found, and remember what led to it."""
        result: Result = self.searcher.finish()
        visits = {line.moves[0]: line.visits or 0 for line in result.lines}
        self._look.empty()
        self._look.append(self.position)      # encoded for the player to act, whoever looks on
        moves = self.position.moves()
        tried = sum(visits.values())
        # The inverse of how a search writes means in the units of an evaluator.
        worth = sum((line.visits or 0) * math.tanh(line.value / (2 * UNITS)) for line in result.lines) / max(tried, 1)
        # A proof may have ended the search before it tried anything; then the best move is all there is to say.
        trust = [visits[move] if tried else float(move == result.move) for move in moves]
        self._decisions.append(_Decision(
            self.position.turn, np.array(self._look.features[:self._look.encoder.size], np.float32),
            np.array(self._look.indices[:len(moves)], np.int32), np.array(trust, np.float32), worth))
        loose = self._made < self._settings.random_plies + self._settings.loose_plies
        # A proof may have ended the search before it tried anything twice; then the best move is the best there is.
        if loose and any(visits.values()) and result.lines[0].wins_in is None:
            chosen = self._generator.choices(list(visits), list(visits.values()))[0]
        else:
            chosen = result.move
        self.position.play(chosen)
        self._made += 1

    def close(self) -> Played:
        """The game as it ended, and its samples."""
        outcome = self.position.outcome()
        decisions = [] if outcome is None else self._decisions
        scores = [] if outcome is None else [outcome.scores[one.player:] + outcome.scores[:one.player]
                                             for one in decisions]
        samples = Samples(
            features=np.array([one.features for one in decisions], np.float32).reshape(-1, self._look.encoder.size),
            starts=np.cumsum([0, *(len(one.names) for one in decisions)], dtype=np.int64),
            names=np.concatenate([np.zeros(0, np.int32), *(one.names for one in decisions)]),
            policy=np.concatenate([np.zeros(0, np.float32), *(one.visits / one.visits.sum() for one in decisions)]),
            weights=np.ones(len(decisions), np.float32),
            scores=(np.array(scores, np.float32).reshape(-1, self.position.players) + 1) / 2,
            values=(np.array([one.value for one in decisions], np.float32) + 1) / 2)
        return Played(self.number, tuple(self.position.history()), outcome, samples)


def play(start: Position, predictor: Predictor, settings: Settings, first: int, games: int) -> Iterator[Played]:
    """The games number `first` and on, in the order in which they end."""
    batch = Batch(predictor.encoder, settings.at_once)
    waiting = iter(range(first, first + games))
    tables: list[_Table] = []
    while True:
        # 1. Whoever is done makes his move, or makes room for the next game.
        running = []
        for table in tables:
            if table.searcher.done:
                table.move()
                if not table.begin():
                    yield table.close()
                    continue
            running.append(table)
        while len(running) < settings.at_once and (number := next(waiting, None)) is not None:
            table = _Table(number, start, predictor, settings)
            if table.begin():
                running.append(table)
            else:
                yield table.close()
        tables = running
        if not tables:
            return
        # 2. One leaf of each, one question for all.
        batch.empty()
        for table in tables:
            table.searcher.collect(batch)
        predictor.fill(batch)
        for table in tables:
            table.searcher.absorb(batch)
