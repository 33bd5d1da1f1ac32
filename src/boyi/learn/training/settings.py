"""The settings of a run, all of them, by name: `--set games.simulations=32`, and `plan` in its config.json.

A `Plan` decides what comes out of a run, but for its `Length`. Its parts are those of the run: the network (`Design`),
the games (`SelfPlay`), the fit (`Learning`, `Schedule`) and the tests of strength (`Evaluation`).

Nothing here needs PyTorch or NumPy. Names that files of version 0.1.0 have and that we no longer use in code are
translated here, and nowhere else (`NAMES_IN_FILES`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from typing import Any, Literal, get_args

from boyi.arena.sprt import Sprt
from boyi.core.errors import OptionError, UnknownNameError, shorten
from boyi.learn.training.schedule import Schedule
from boyi.search.mcts_options import MCTSOptions

Kind = Literal["mlp", "resnet"]
RootRule = Literal["puct", "gumbel"]
Undecided = Literal["draw", "drop", "search", "evaluator", "stones"]
Precision = Literal["float32", "bfloat16"]

NAMES_IN_FILES = {"evaluation": "exam"}
"""Settings that have another name in config.json, and in commands written for 0.1.0."""

CLASSES_IN_TEXT = {"SelfPlay": "Settings", "Learning": "Settings", "Evaluation": "Exam"}
"""What classes were called when the names of default folders were first made; see `Plan.identity`."""


@dataclass(frozen=True, kw_only=True)
class Length:
    """How long a run is: one of these."""

    minutes: float | None = None
    iterations: int | None = None
    games: int | None = None

    def __post_init__(self) -> None:
        given = [name for name in ("minutes", "iterations", "games") if getattr(self, name) is not None]
        if len(given) != 1:
            raise OptionError("say how long to train: one of minutes, iterations and games"
                              + (f", not {' and '.join(given)}" if given else ""))
        if not getattr(self, given[0]) > 0:
            raise OptionError(f"a run of {getattr(self, given[0])} {given[0]} is none")


@dataclass(frozen=True, kw_only=True)
class Design:
    """The architecture of a network."""

    kind: Kind = "mlp"
    width: int = 256
    """Units per layer of the MLP; channels of the residual network."""

    depth: int = 2
    """Layers of the MLP; blocks of the residual network."""

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise OptionError(f"a network is one of {', '.join(get_args(Kind))}, not {self.kind!r}")
        for name, highest in (("width", 4096), ("depth", 64)):
            if not 1 <= getattr(self, name) <= highest:
                raise OptionError(f"the {name} of a network is from 1 to {highest}, not {getattr(self, name)}")


@dataclass(frozen=True, kw_only=True)
class SelfPlay:
    """How games are played (`learn.training.lockstep`)."""

    at_once: int = 64
    """Number of games played at the same time."""

    simulations: int = 16
    """Simulations of a search. A single legal move is looked at once."""

    fast_simulations: int = 0
    """Playout-cap randomisation (Wu 2019): only some searches are full ones, the others make this number of
    simulations, without noise, to get on with the game; their policies have no weight. 0: all are full."""

    full_share: float = 0.25
    """With `fast_simulations`: the share of full searches."""

    root: RootRule = "puct"
    """`puct`: noise in the priors at the root, and the policy target is the distribution of visits.
    `gumbel`: sequential halving among sampled moves, and the policy target is the priors, improved by the values
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
    """Number of random moves that begin a game; they give no samples."""

    temperature: float = 1.0
    """How moves are chosen in the beginning: 1 samples from the policy, 0 plays the best."""

    loose_plies: int = 20
    """How many moves the beginning lasts, after the random ones."""

    cooling_plies: int = 0
    """Over how many moves after it the temperature falls evenly to the one below."""

    late_temperature: float = 0.0

    longest: int = 1000
    """A game is broken off after this number of moves."""

    undecided: Undecided = "draw"
    """What is learned from a game that was broken off, or drawn because a limit of its rules was reached. `draw`: that
    it was a draw. `drop`: nothing. `search`: the value of the last search. `evaluator`: the same by the game's own
    evaluator. `stones`: that the player with more stones on the board was ahead, a little."""

    resign_below: float = 0.0
    """With two players: who expects to score less than this, from 0 to 1, `resign_moves` times in a row, resigns. 0:
    nobody does."""

    resign_moves: int = 3
    resign_checked: float = 0.1
    """The share of games in which nobody resigns, to see how often it would have been a mistake (`Tally`)."""

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


@dataclass(frozen=True, kw_only=True)
class Learning:
    """How a network is fitted (`learn.training.trainer`)."""

    batch: int = 512
    """Samples per step."""

    reuse: float = 1.5
    """How often a sample is learned from on average (the replay ratio): steps follow from it and from what is new."""

    weight_decay: float = 1e-4
    clip: float = 1.0
    """The largest norm of the gradient."""

    memory: float = 0.995
    """The decay of the exponential moving average (EMA) of the weights."""

    search_share: float = 0.3
    """How much of the value's target is the value of the search; the rest is how the game ended."""

    haste: float = 0.001
    """The discount of a win or a loss, per decision that it is still away."""

    value_weight: float = 1.0
    reply_weight: float = 0.15
    remaining_weight: float = 0.05
    precision: Precision = "float32"
    """`bfloat16` is faster for residual networks on processors that have it, and for nothing else here."""

    def __post_init__(self) -> None:
        if self.precision not in get_args(Precision):
            raise OptionError(f"precision is one of {', '.join(get_args(Precision))}, not {self.precision!r}")
        for name, low, high in (("batch", 1, 1 << 20), ("reuse", 0.01, 1000), ("weight_decay", 0, 1),
                                ("clip", 1e-6, 1e6), ("memory", 0, 0.999999), ("search_share", 0, 1), ("haste", 0, 0.5),
                                ("value_weight", 0, 100), ("reply_weight", 0, 100), ("remaining_weight", 0, 100)):
            if not low <= getattr(self, name) <= high:
                raise OptionError(f"{name} is {getattr(self, name)} and must be from {low:g} to {high:g}")


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """How the strength of a checkpoint is tested (`learn.training.evaluation`)."""

    every: int = 24
    """The interval in iterations; the last is always tested."""

    simulations: int = 100
    """For a move, unless it is said otherwise below. Games with another number are not rated with these."""

    random_games: int = 100
    """Against random moves."""

    random_simulations: int = 400
    """For a move of these games."""

    random_games_in_full: int = 1000
    """The same when 99 % of the points were made for the first time, and after the last iteration."""

    level: int = 8
    level_games: int = 20
    """Against a level, to see how far it is."""

    level_simulations: int = 1400
    """For a move of these games: about the time that level 8 of Liuzhou qi takes, for a network of two layers of
    256."""

    ladder_games: int = 20
    """Against an earlier checkpoint, about half as old."""

    promotion_games: int = 80
    """Against the best so far, at most; the test may end sooner."""

    elo0: float = 0.0
    elo1: float = 40.0
    """The hypotheses of the sequential test (SPRT) for promotion."""

    def __post_init__(self) -> None:
        for name, lowest in (("every", 1), ("simulations", 2), ("random_games", 0), ("random_simulations", 2),
                             ("random_games_in_full", 0), ("level", 1), ("level_games", 0), ("level_simulations", 2),
                             ("ladder_games", 0), ("promotion_games", 0)):
            if not getattr(self, name) >= lowest:
                raise OptionError(f"{name} of an evaluation is {getattr(self, name)} and must be at least {lowest}")
        Sprt(elo0=self.elo0, elo1=self.elo1)

    @property
    def games(self) -> int:
        """The largest number of games."""
        return self.random_games + self.level_games + self.ladder_games + self.promotion_games


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything that decides what comes out of a run, but for its length."""

    design: Design = field(default_factory=Design)
    games: SelfPlay = field(default_factory=lambda: SelfPlay(root="gumbel", undecided="stones"))
    """Draws by a limit lean to the player with more stones: without that most games say nothing as long as nobody knows
    how to win, and values learn to say nothing, too. Gumbel: more games are decided from the start
    (docs/results/learning.md)."""

    learning: Learning = field(default_factory=Learning)
    schedule: Schedule = field(default_factory=Schedule)
    evaluation: Evaluation = field(default_factory=Evaluation)
    games_per_iteration: int = 512
    chunk: int = 128
    """Games that one process plays in one go, `games.at_once` of them at a time."""

    ahead: bool = True
    """Play the next games, with the model there is, while an iteration is learned. The same games come out if nothing
    is done at the same time."""

    first_window: int = 60_000
    largest_window: int = 1_000_000
    """Samples to learn from: in the beginning, and at most."""

    held_out: int = 20
    """Every n-th game is held out for validation."""

    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("games_per_iteration", "chunk", "first_window", "largest_window"):
            if not getattr(self, name) >= 1:
                raise OptionError(f"{name} is {getattr(self, name)} and must be at least 1")
        if self.first_window > self.largest_window:
            raise OptionError(f"the first window, {self.first_window}, is larger than the largest, "
                              f"{self.largest_window}")

    def to_facts(self) -> dict[str, Any]:
        """As config.json has it."""
        return {NAMES_IN_FILES.get(name, name): value for name, value in asdict(self).items()}

    def identity(self) -> str:
        """A text that tells this plan from all others, the same as in version 0.1.0: the default name of a run's folder
        is made from it, so that the same command goes on with the same run."""
        return _in_text(self)


PARTS: Mapping[str, type[Any]] = {
    "design": Design, "games": SelfPlay, "learning": Learning, "schedule": Schedule, "evaluation": Evaluation}


def _in_text(value: object) -> str:
    """A value as 0.1.0 printed it."""
    if not is_dataclass(value):
        return repr(value)
    parts = ", ".join(f"{NAMES_IN_FILES.get(part.name, part.name)}={_in_text(getattr(value, part.name))}"
                      for part in fields(value))
    kind = type(value).__name__
    return f"{CLASSES_IN_TEXT.get(kind, kind)}({parts})"


# ---------------------------------------------------------------------- by name

def read_plan(facts: Mapping[str, Any]) -> Plan:
    """A plan from nested settings; what is missing is as usual, what is unknown refused."""
    parts = {_name_in_code(name): value for name, value in facts.items()}
    for name, kind in PARTS.items():
        if name in parts:
            known = {part.name for part in fields(kind)}
            for key in parts[name]:
                if key not in known:
                    raise OptionError(str(UnknownNameError.among(f"setting of {name}", key, sorted(known))))
            parts[name] = kind(**parts[name])
    known = {part.name for part in fields(Plan)}
    for key in parts:
        if key not in known:
            raise OptionError(str(UnknownNameError.among("setting", key, sorted(known))))
    return Plan(**parts)


def change_plan(plan: Plan, words: Mapping[str, str]) -> Plan:
    """A plan with some settings by their names in words.

    >>> change_plan(Plan(), {"games.simulations": "32", "seed": "3"}).games.simulations
    32
    """
    facts = asdict(plan)
    flat = flatten(facts)
    for name, word in words.items():
        first, dot, rest = name.partition(".")
        known = _name_in_code(first) + dot + rest
        if known not in flat:
            raise OptionError(str(UnknownNameError.among("setting", name, sorted(flat))))
        *above, last = known.split(".")
        table = facts
        for part in above:
            table = table[part]
        table[last] = _read_word(name, word, flat[known])
    return read_plan(facts)


def _name_in_code(name: str) -> str:
    return next((ours for ours, theirs in NAMES_IN_FILES.items() if theirs == name), name)


def _read_word(name: str, word: str, before: object) -> object:
    """A value of the same type as the one before."""
    if isinstance(before, str):
        return word
    if isinstance(before, bool):
        if word.lower() not in ("on", "off", "true", "false"):
            raise OptionError(f"{name}: {shorten(word)} is neither on nor off")
        return word.lower() in ("on", "true")
    try:
        return int(word) if isinstance(before, int) else float(word)
    except ValueError:
        kind = "whole number" if isinstance(before, int) else "number"
        raise OptionError(f"{name}: {shorten(word)} is not a {kind}") from None


def flatten(facts: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested settings by names with dots.

    >>> flatten({"seed": 3, "games": {"simulations": 32}})
    {'seed': 3, 'games.simulations': 32}
    """
    flat: dict[str, Any] = {}
    for name, value in facts.items():
        if isinstance(value, Mapping):
            flat.update(flatten(value, f"{prefix}{name}."))
        else:
            flat[prefix + str(name)] = value
    return flat
