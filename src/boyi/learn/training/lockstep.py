"""Self-play in lock-step: many games in one process, and one batch for the network from all of them.

Every game has its own tree. In each step all trees put their next leaf into one batch, a predictor is asked once,
and all trees take in their answers (see `boyi.search.mcts`); a game whose search is done makes its move and goes on,
one that is over makes room for the next (`learn.training.running`, which is compiled). What a game is depends on its
number and the settings alone and not on its neighbours, so that the same games come out however many are played at
once, as long as the predictor says the same of a position whatever else is in the batch.

From each decision there is a *sample* (`learn.training.samples`): what the network saw, the policy that the search
arrived at, and how the game ended. Moves are sampled from that policy while the game is young, and the best one is
played later. Noise at the root lets moves be tried that the network does not believe in.

Games that end because a limit of moves is reached are neither won nor lost, and a network that is told so too often
comes to think that nothing matters. `undecided` says what is learned from them, and `Tally` how many there were.

Hidden information: where chance plays a part, each player searches their own observation, with a new tree every time.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from boyi.core.batch import Batch
from boyi.core.errors import OptionError
from boyi.core.outcome import Outcome
from boyi.core.position import Position
from boyi.core.predictor import Predictor
from boyi.core.words import Words
from boyi.learn.training.running import RunningGame, begin, play_on
from boyi.learn.training.samples import Samples
from boyi.learn.training.settings import SelfPlay

__all__ = ["Played", "Tally", "play"]

SEED_BITS = 64

STONES_SHARE = 0.5
"""What having all stones on the board is worth in an undecided game, of 1 for a win."""


@dataclass(frozen=True)
class Played:
    """A game that has ended."""

    number: int
    moves: tuple[int, ...]
    outcome: Outcome | None
    """None for a game that was broken off."""

    samples: Samples
    resigned: int | None = None
    """Who resigned, or in a game to be checked would have."""

    checked: bool = False
    """Was it played on although a player would have resigned?"""

    simulations: int = 0
    """Of all its searches."""

    @property
    def undecided(self) -> bool:
        """Did it end only because a limit of moves was reached?"""
        return self.outcome is None or (self.outcome.reason.endswith("_limit") and len(set(self.outcome.scores)) == 1)


@dataclass(frozen=True)
class Tally:
    """What happened in many games.

    >>> Tally(games=8, decisive=6, undecided=1).decisive_share
    0.75
    """

    games: int = 0
    decisive: int = 0
    """One player alone came first."""

    undecided: int = 0
    """Ended only because a limit of moves was reached."""

    moves: int = 0
    samples: int = 0
    simulations: int = 0
    resigned: int = 0
    """Ended because a player resigned."""

    checked: int = 0
    """A player would have resigned, but it was played on."""

    mistaken: int = 0
    """Of those, games which that player did not lose."""

    def add(self, played: Played) -> Tally:
        """With a game more."""
        outcome, player = played.outcome, played.resigned
        checked = player is not None and played.checked
        return Tally(
            self.games + 1, self.decisive + (outcome is not None and outcome.winner is not None),
            self.undecided + played.undecided, self.moves + len(played.moves), self.samples + len(played.samples),
            self.simulations + played.simulations, self.resigned + (player is not None and not checked),
            self.checked + checked,
            self.mistaken + (checked and player is not None and (outcome is None or outcome.scores[player] > -1)))

    @property
    def decisive_share(self) -> float:
        return self.decisive / self.games if self.games else 0.0

    @property
    def mistaken_share(self) -> float | None:
        """How often resigning was a mistake; None if nobody can tell."""
        return self.mistaken / self.checked if self.checked else None


def play(start: Position, predictor: Predictor, settings: SelfPlay, first: int, games: int) -> Iterator[Played]:
    """The games number `first` and on, in the order in which they end."""
    if start.players != 2 and (settings.resign_below or settings.undecided == "search"):
        raise OptionError(f"resign_below and undecided=search are for two players, and {start.players} play here")
    if settings.undecided == "evaluator" and not start.game.evaluators:
        raise OptionError(f"undecided=evaluator: {start.game.name} has no evaluator")
    return _play(start, predictor, settings, first, games)


def _play(start: Position, predictor: Predictor, settings: SelfPlay, first: int, games: int) -> Iterator[Played]:
    batch = Batch(predictor.encoder, settings.at_once)
    waiting = iter(range(first, first + games))
    running: list[RunningGame] = []
    while True:
        while len(running) < settings.at_once and (number := next(waiting, None)) is not None:
            seed = random.Random(f"{settings.seed} game {number}").getrandbits(SEED_BITS)
            game = RunningGame(number, start, predictor, settings, seed)
            if begin(game):
                running.append(game)
            else:
                yield close(game, settings)
        if not running:
            return
        running, ended = play_on(running, batch, predictor)
        for game in ended:
            yield close(game, settings)


def close(game: RunningGame, settings: SelfPlay) -> Played:
    """The game as it ended, and its samples."""
    position = game.position
    outcome = position.outcome()
    if outcome is None and game.resigned >= 0 and not game.checked:
        scores = [1.0] * position.players
        scores[game.resigned] = -1.0
        outcome = Outcome.of(scores, "resignation", Words("a player resigned", "认输"))
    features, starts, names, policy, weights, values, players = game.decisions()
    played = Played(
        game.number, tuple(position.history()), outcome,
        Samples(features, starts, names, policy, weights, np.zeros((len(features), position.players), np.float32),
                values),
        game.resigned if game.resigned >= 0 else None, game.checked, game.simulations)
    result = judge(game, settings) if played.undecided else outcome and outcome.scores
    if result is None:
        nothing = Samples(features[:0], starts[:1], names[:0], policy[:0], weights[:0], played.samples.scores[:0],
                          values[:0])
        return replace(played, samples=nothing)
    # Row i holds the scores from the player who decided on, in order of play.
    order = (players[:, None] + np.arange(position.players)) % position.players
    played.samples.scores[:] = (np.asarray(result, np.float32)[order] + 1) / 2
    return played


def judge(game: RunningGame, settings: SelfPlay) -> tuple[float, ...] | None:
    """What an undecided game is taken to have come to, from -1 to 1 per player; None if nothing is to be learned."""
    position, last = game.position, game.last_value()
    if settings.undecided == "drop" or last is None:
        return None
    if settings.undecided == "search":
        player, value = last
        return (2 * value - 1, 1 - 2 * value) if player == 0 else (1 - 2 * value, 2 * value - 1)
    if settings.undecided == "evaluator":
        # It values positions in which a player acts: the last of them.
        earlier = position.copy()
        while earlier.turn < 0:
            earlier.undo()
        return tuple(next(iter(position.game.evaluators.values()))().values(earlier))
    if settings.undecided == "stones":
        glyphs = position.board.glyphs
        counts = Counter(glyphs[stone.glyph].seat for stone in position.stones())
        everything = max(1, sum(counts[seat] for seat in range(position.players)))
        even = everything / position.players
        return tuple(STONES_SHARE * (counts[seat] - even) / (everything - even) for seat in range(position.players))
    return (0.0,) * position.players
