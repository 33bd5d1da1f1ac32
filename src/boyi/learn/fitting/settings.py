"""How evaluators are fitted, and the defaults of `boyi learn weights` and `boyi learn evaluator`.

Nothing here needs NumPy, so that the command line can show its help without it.
"""

from __future__ import annotations

from dataclasses import dataclass

from boyi.core.errors import OptionError

PYTHON_GAMES, PYTHON_NODES = 400, 100
"""What is played where nothing else is said, of a game in plain Python: half an hour's worth, not a month's."""

BOARD_BATCH = 256
"""Positions of a step for a network that sees the board of a plug-in: there are thousands of them, not a million."""

FOLDS = 20
"""Every `FOLDS`-th game is held out from the fit of a network, for validation."""


@dataclass(frozen=True, kw_only=True)
class WeightSettings:
    """How to fit the weights of a hand-written evaluator (`learn.fitting.weights`)."""

    games: int = 2_000
    nodes: int = 2_000
    """Of each search."""

    random_plies: int = 6
    """The number of random moves that begin a game."""

    share: float = 0.5
    """How much of a label is the result of the game; the rest is the value of the search."""

    damping: float = 1_000.0
    """How strongly a weight is held to what it was, as a number of samples (L2 regularisation)."""

    seed: int = 1

    def __post_init__(self) -> None:
        for name, lowest in (("games", 20), ("nodes", 1), ("random_plies", 0), ("damping", 0)):
            if not getattr(self, name) >= lowest:
                raise OptionError(f"{name} is {getattr(self, name)} and must be at least {lowest}")
        if not 0 <= self.share <= 1:
            raise OptionError(f"share is {self.share} and must be from 0 to 1")


@dataclass(frozen=True, kw_only=True)
class PositionSettings:
    """How the games are played whose positions networks are fitted to (`learn.fitting.positions`)."""

    game: str
    evaluator: str | None = None
    """By its name in the game; None for the one that plays."""

    weights: str | None = None
    """A file with the evaluator's numbers; None for those that come with the game."""

    nodes: int = 1_500
    """Of each search."""

    table_mb: int = 1
    """Megabytes of the transposition table, which is kept from game to game of a shard. A small table stays in the
    processor's cache."""

    fewest_random_plies: int = 4
    most_random_plies: int = 14
    """The number of random moves that begin a game is drawn between the two."""

    level: int = 500
    """An opening that the search values higher, for either side, is drawn anew."""

    decided: int = 1_000
    """A value that wins the game."""

    longest: int = 140
    """A game is broken off as a draw after this number of plies."""

    loose: int = 0
    """Percentage of random moves after the opening: so searches also see what no good player would play."""

    book: int = 0
    """Percentage of games that begin with moves of the game's opening book; of no effect where there is none."""

    endings: int = 0
    """Percentage of games that begin late in an earlier game of the shard, after a few random moves: so more endgames
    are seen, also uneven ones."""

    games_per_shard: int = 100
    """Games whose positions are written together. The search keeps its table from game to game of a shard, so this is
    a setting like others."""

    seed: int = 1

    def __post_init__(self) -> None:
        for name, lowest in (("nodes", 1), ("fewest_random_plies", 0), ("most_random_plies", self.fewest_random_plies),
                             ("level", 1), ("decided", 1), ("longest", 1), ("seed", 0), ("games_per_shard", 1)):
            if getattr(self, name) < lowest:
                raise OptionError(f"{name} is {getattr(self, name)} and must be at least {lowest}")
        for name, highest in (("loose", 100), ("book", 100), ("endings", 100 - self.book), ("table_mb", 1024)):
            if not 0 <= getattr(self, name) <= highest:
                raise OptionError(f"{name} is {getattr(self, name)} and must be from 0 to {highest}")


@dataclass(frozen=True, kw_only=True)
class NetSettings:
    """How to fit a network (`learn.fitting.net`)."""

    width: int = 32
    """Sums per seat."""

    base: bool = False
    """Does the network correct the hand-written evaluation, or stand alone?"""

    inputs: str | None = None
    """What it is shown, by name; None for what the game's networks are shown by default."""

    rounds: int = 24
    """Epochs: how often each position is looked at."""

    rate: float = 0.01
    """The highest learning rate."""

    decay: float = 0.05
    """Of the weights, decoupled."""

    batch: int = 4096
    share: float = 0.0
    """How much of a label is the result of the game; the rest is the value of the search. A result is a coin that fell
    once; a tenth of it in the labels was nearly half of the loss in xiangqi, and all of that noise."""

    imitated: int = 2
    """Per position, the number of others near it that teach what the hand-written evaluation says. Of no use to a
    network that corrects it."""

    fold: int = 0
    """Which games are held out: those whose numbers leave this remainder when divided by `FOLDS`."""

    threads: int = 1
    """That share the steps of the fit. Sums are added in another order, so another number fits another file."""

    seed: int = 1

    def __post_init__(self) -> None:
        for name, lowest in (("width", 16), ("rounds", 1), ("batch", 1), ("decay", 0), ("imitated", 0), ("fold", 0),
                             ("threads", 1), ("seed", 0)):
            if getattr(self, name) < lowest:
                raise OptionError(f"{name} is {getattr(self, name)} and must be at least {lowest}")
        if self.width > 512 or self.width % 16:
            raise OptionError(f"width is {self.width} and must be a multiple of 16, at most 512")
        if self.fold >= FOLDS:
            raise OptionError(f"fold is {self.fold} and must be less than {FOLDS}")
        if not 0 <= self.share <= 1:
            raise OptionError(f"share is {self.share} and must be from 0 to 1")
        if not 0 < self.rate <= 1:
            raise OptionError(f"rate is {self.rate} and must be more than 0 and at most 1")
