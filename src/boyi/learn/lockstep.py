"""Self-play in lock-step: many games in one process, one question to the network for all of them.

Every game has its own tree. In each step all trees put their next leaf into one batch, a predictor is asked once,
and all trees take in their answers (see `boyi.search.mcts`); a game whose search is done makes its move and goes on,
one that is over makes room for the next (`boyi.learn.running`, which is compiled). What a game is depends on its
number and the settings alone and not on its neighbours, so that the same games come out however many are played at
once, as long as the predictor says the same of a position whatever else is in the batch.

From each decision there is a *sample* (`boyi.learn.samples`): what the network saw, how the search divided its trust
among the moves, and how the game ended. Moves are drawn by that trust while the game is young, and the best one is
played later. Noise at the root lets moves be tried that the network does not believe in.

Games that end because a limit of moves is reached are neither won nor lost, and a network that is told so too often
comes to think that nothing matters. `undecided` says what is learned from them, and `Tally` how many there were.

Secrets: where chance plays a part, each player searches his own observation, and every time anew.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from boyi.core.errors import OptionError, shorten
from boyi.core.outcome import Outcome
from boyi.core.position import Position
from boyi.core.predictor import Batch, Predictor
from boyi.core.words import Words
from boyi.learn.running import RunningGame, begin, play_on
from boyi.learn.samples import Samples
from boyi.search.mcts_options import MCTSOptions

__all__ = ["Played", "Settings", "Tally", "play"]

SEED_BITS = 64

RootRule = Literal["puct", "gumbel"]
Undecided = Literal["draw", "drop", "search", "evaluator", "stones"]

STONES_SHARE = 0.5
"""What having all stones on the board is worth in an undecided game, of 1 for a win."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How games are played."""

    at_once: int = 64
    """So many games are played at the same time."""

    simulations: int = 16
    """How often a search goes down its tree for a move. A lone move is looked at once."""

    fast_simulations: int = 0
    """Playout-cap randomisation (Wu 2019): only some searches are full ones, the others make so many simulations,
    without noise, to get on with the game; their policies have no weight. 0: all are full."""

    full_share: float = 0.25
    """With `fast_simulations`: so many of all searches are full ones."""

    root: RootRule = "puct"
    """`puct`: noise in the priors at the root, and the policy learned is how often each move was tried.
    `gumbel`: sequential halving among moves drawn by lot, and the policy learned is the priors, improved by the values
    found (Danihelka and others 2022)."""

    exploration: float = 1.25
    """See `MCTSOptions`, as for all down to `forced_playouts`."""

    root_noise: float = 0.25
    """With `puct`, as are the two below."""

    root_noise_shape: float = 0.3
    forced_playouts: float = 0.0
    gumbel_moves: int = 16
    """With `gumbel`, as is the one below."""

    gumbel_scale: float = 1.0
    reuse: bool = True
    """Keep the part of the tree that the game has led to."""

    random_plies: int = 0
    """So many moves are drawn by lot first; they give no samples."""

    temperature: float = 1.0
    """How moves are chosen in the beginning: 1 draws them by the policy, 0 plays the best."""

    loose_plies: int = 20
    """How long the beginning lasts, after the random moves."""

    cooling_plies: int = 0
    """Over so many moves after it the temperature falls evenly to the one below."""

    late_temperature: float = 0.0

    longest: int = 1000
    """A game of so many moves is broken off."""

    undecided: Undecided = "draw"
    """What is learned from a game that was broken off, or drawn because a limit of its rules was reached. `draw`: that
    it was a draw. `drop`: nothing. `search`: what the last search thought it would come to. `evaluator`: the same by
    the game's own evaluator. `stones`: that who has more stones on the board was ahead, a little."""

    resign_below: float = 0.0
    """With two players: who expects to score less than this, from 0 to 1, so many times in a row, resigns. 0: nobody
    does."""

    resign_moves: int = 3
    resign_checked: float = 0.1
    """In so many of all games nobody resigns, to see how often it would have been a mistake (`Tally`)."""

    megabytes: int = 1
    """The room for each tree."""

    seed: int = 0

    def __post_init__(self) -> None:
        for name, lowest in (("at_once", 1), ("simulations", 2), ("random_plies", 0), ("loose_plies", 0),
                             ("cooling_plies", 0), ("longest", 1), ("resign_moves", 1), ("fast_simulations", 0)):
            if not getattr(self, name) >= lowest:
                raise OptionError(f"{name} is {getattr(self, name)} and must be at least {lowest}")
        for name, highest in (("full_share", 1.0), ("temperature", 100.0), ("late_temperature", 100.0),
                              ("resign_below", 0.5), ("resign_checked", 1.0)):
            if not 0 <= getattr(self, name) <= highest:
                raise OptionError(f"{name} is {getattr(self, name)} and must be from 0 to {highest:g}")
        for name, choices in (("root", get_args(RootRule)), ("undecided", get_args(Undecided))):
            if getattr(self, name) not in choices:
                raise OptionError(f"{name} is {shorten(getattr(self, name))} and must be one of {', '.join(choices)}")
        if self.fast_simulations == 1 or self.fast_simulations >= self.simulations:
            raise OptionError(f"fast_simulations is {self.fast_simulations} and must be 0, or at least 2 and fewer "
                              f"than the {self.simulations} of a full search")
        if self.root == "gumbel" and self.forced_playouts:
            raise OptionError("forced_playouts are for root=puct; gumbel gives every candidate its share")
        self.search_options()

    def search_options(self) -> MCTSOptions:
        gumbel = self.root == "gumbel"
        return MCTSOptions(
            selection="puct", exploration=self.exploration, gumbel=gumbel, gumbel_moves=self.gumbel_moves,
            gumbel_noise=1.0, gumbel_scale=self.gumbel_scale, forced_playouts=self.forced_playouts,
            root_noise=0.0 if gumbel else self.root_noise, root_noise_shape=self.root_noise_shape,
            reuse=self.reuse, megabytes=self.megabytes)


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
    """Was it played on whatever somebody thought?"""

    simulations: int = 0
    """How often all its searches went down their trees."""

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
    """Somebody alone came first."""

    undecided: int = 0
    """Ended only because a limit of moves was reached."""

    moves: int = 0
    samples: int = 0
    simulations: int = 0
    resigned: int = 0
    """Ended because somebody resigned."""

    checked: int = 0
    """Somebody would have resigned, but it was played on."""

    mistaken: int = 0
    """Of those, games in which he did not lose."""

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


def play(start: Position, predictor: Predictor, settings: Settings, first: int, games: int) -> Iterator[Played]:
    """The games number `first` and on, in the order in which they end."""
    if start.players != 2 and (settings.resign_below or settings.undecided == "search"):
        raise OptionError(f"resign_below and undecided=search are for two players, and {start.players} play here")
    if settings.undecided == "evaluator" and not start.game.evaluators:
        raise OptionError(f"undecided=evaluator: {start.game.name} has no evaluator")
    return _play(start, predictor, settings, first, games)


def _play(start: Position, predictor: Predictor, settings: Settings, first: int, games: int) -> Iterator[Played]:
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


def close(game: RunningGame, settings: Settings) -> Played:
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


def judge(game: RunningGame, settings: Settings) -> tuple[float, ...] | None:
    """What an undecided game is taken to have come to, from -1 to 1 per player; None if nothing is to be learned."""
    position, last = game.position, game.last_value()
    if settings.undecided == "drop" or last is None:
        return None
    if settings.undecided == "search":
        player, value = last
        return (2 * value - 1, 1 - 2 * value) if player == 0 else (1 - 2 * value, 2 * value - 1)
    if settings.undecided == "evaluator":
        # It values positions in which somebody acts: the last of them.
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
