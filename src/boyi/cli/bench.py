"""boyi bench: one number that says whether the searches are the same, and how fast they and the rules are here.

The number is how many nodes the searches look at, on fixed positions and to fixed
depths. Nearly every change to rules, evaluators or searches moves it. So a change that
was only meant to be faster or tidier leaves it alone, and a commit that moves it says so.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Annotated

import typer

from boyi.agents.searching import find_default
from boyi.cli import _texts as texts
from boyi.cli._common import JsonOption, LanguageOption, print_json, read_language
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.core.game import Game
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.python_position import PythonPosition
from boyi.core.searcher import Limits
from boyi.core.words import Language
from boyi.games import all_games, find_game, is_own
from boyi.search.perft import perft
from boyi.search.playout import playout, playouts

DEPTHS = {"alphabeta": 8, "expectimax": 3, "multiplayer": 4}
"""How deep each kind of search goes: enough for all its parts to take part, and done in a fraction of a second."""

MOST_NODES = 200_000
"""A search of one position ends here in any case."""

SIMULATIONS = 2_000
"""Of a tree search, which has no depth."""

PYTHON_SHARE = 10
"""A game in plain Python, where a node takes a millisecond, is searched for a tenth of either."""

PLIES = (0, 5, 10, 20, 30, 40)
"""Random moves that lead to the positions that are searched."""

LEAVES = 100_000
"""Perft goes to the first depth with this many leaves (or to the end of the game)."""

DEEPEST = 12

PLAYOUT_MOVES = 20_000
"""Random games are doubled in number until they have this many moves together."""

PYTHON_STEPS = 2_000
SEED = 1
LEAST_SECONDS = 0.2
"""Each measurement is repeated for this long; the fastest run counts, for others slow a machine down but never up."""


@dataclass(frozen=True)
class Searched:
    """What the search of one game came to."""

    game: str
    players: int
    algorithm: str
    depth: int | None
    """None for a tree search, which has a number of simulations instead."""

    positions: int
    nodes: int
    """Over all positions: the same every time."""

    seconds: float

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class Speed:
    """What was measured of the rules of one game."""

    game: str
    depth: int
    leaves: int
    leaves_per_second: float
    games: int
    """How many random games were played."""

    moves: int
    """How many moves those games had together."""

    games_per_second: float
    moves_per_second: float
    python_steps_per_second: float
    """`moves()` and `play()` from Python, one random move after the other."""

    @property
    def signature(self) -> int:
        """Everything that was counted: another number means other rules."""
        return self.leaves + self.moves


def register(app: typer.Typer) -> None:
    app.command("bench")(command)


def command(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Which games; else all.")] = None,
    rules: Annotated[bool, typer.Option("--rules", help="Measure the rules instead: perft, random games, steps from "
                                        "Python.")] = False,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Search fixed positions of all games: how many nodes, the same every time, and how fast."""
    speech = read_language(language)
    chosen = [find_game(name) for name in games] if games else list(all_games().values())
    if rules:
        report_rules(chosen, as_json, speech)
    else:
        report_searches(chosen, bool(games), as_json, speech)


# ---------------------------------------------------------------------- the searches

def report_searches(games: Sequence[Game], named: bool, as_json: bool, language: Language) -> None:
    """What the searches of the games come to. Plug-ins count for the signature only where they were named."""
    rows, signature = [], 0
    with Progress("bench") as progress:
        for game in games:
            for start in starts(game):
                progress.show(game.name)
                rows.append(search_all(start))
                if is_own(game) or named:
                    signature += rows[-1].nodes
    if as_json:
        print_json({"searches": [asdict(row) | {"nodes_per_second": row.nodes_per_second} for row in rows],
                    "signature": signature})
        return
    print_table(
        [header.say(language) for header in texts.BENCH_SEARCH_HEADERS],
        [[row.game, str(row.players), row.algorithm, str(row.depth or "–"), str(row.positions), str(row.nodes),
          f"{row.nodes_per_second / 1e6:.2f}"] for row in rows], numbers=(1, 3, 4, 5, 6))
    print(texts.say(texts.SEARCH_SIGNATURE, language, number=signature))


def starts(game: Game) -> list[Position]:
    """Where its games begin: with as many players as usual, and also with three where two is not all."""
    players = {option.name: option for option in game.options}.get("players")
    if players is None or isinstance(players.default, str):
        return [game.start()]
    return [game.start(players=count) for count in (2, 3) if players.lowest <= count <= players.highest]


def search_all(start: Position) -> Searched:
    """Search positions of random games from `start` by the game's own algorithm, each with nothing remembered."""
    algorithm = find_default(start)
    depth = DEPTHS.get(algorithm.name)
    most = MOST_NODES if depth else SIMULATIONS
    limits = Limits(depth=depth, nodes=most // PYTHON_SHARE if isinstance(start, PythonPosition) else most)
    positions = nodes = 0
    seconds = 0.0
    for position in walk(start):
        searcher = algorithm.make(start.game, {})
        began = time.perf_counter()
        nodes += searcher.search(position.observe(position.turn), limits).nodes
        seconds += time.perf_counter() - began
        positions += 1
    return Searched(start.game.name, start.players, algorithm.name, depth, positions, nodes, seconds)


def walk(start: Position) -> Iterator[Position]:
    """Positions of random games, one each, in which a player acts."""
    for seed, plies in enumerate(PLIES, SEED):
        position = start.copy()
        playout(position, seed, plies)
        while position.turn == CHANCE:
            playout(position, seed, 1)
        if position.turn != OVER:
            yield position


# ---------------------------------------------------------------------- the rules

def report_rules(games: Sequence[Game], as_json: bool, language: Language) -> None:
    speeds = []
    with Progress("bench") as progress:
        for game in games:
            progress.show(game.name)
            speeds.append(measure(game))
    signature = sum(speed.signature for speed in speeds)
    if as_json:
        print_json({"games": [asdict(speed) | {"signature": speed.signature} for speed in speeds],
                    "signature": signature})
        return
    print_table(
        [header.say(language) for header in texts.BENCH_HEADERS],
        [[speed.game, str(speed.depth), str(speed.leaves), f"{speed.leaves_per_second / 1e6:.2f}", str(speed.games),
          f"{speed.games_per_second:.0f}", f"{speed.moves_per_second / 1e6:.2f}",
          f"{speed.python_steps_per_second:.0f}"] for speed in speeds],
        numbers=range(1, len(texts.BENCH_HEADERS)))
    print(texts.say(texts.SIGNATURE, language, number=signature))


def measure(game: Game) -> Speed:
    """All measurements of one game. What is counted depends on the rules alone, never on the clock."""
    position = game.start()

    # Step 1. Perft, as deep as gives enough leaves.
    depth = leaves = 0
    for deeper in range(1, DEEPEST + 1):
        found = perft(position, deeper)
        if found < leaves:
            break   # the games are ending; the depth before had most to count
        depth, leaves = deeper, found
        if leaves >= LEAVES:
            break
    perft_seconds = _best_seconds(partial(perft, position, depth))

    # Step 2. Whole random games, as many as give enough moves.
    count, moves = 1, 0
    while moves < PLAYOUT_MOVES:
        count *= 2
        moves, _ = playouts(position, count, SEED)
    playout_seconds = _best_seconds(partial(playouts, position, count, SEED))

    # Step 3. The speed of a loop in Python.
    step_seconds = _best_seconds(partial(_step_randomly, game, PYTHON_STEPS))

    return Speed(game.name, depth, leaves, leaves / perft_seconds, count, moves, count / playout_seconds,
                 moves / playout_seconds, PYTHON_STEPS / step_seconds)


def _step_randomly(game: Game, steps: int) -> None:
    """Make this many random moves, starting again whenever a game is over."""
    choose = random.Random(SEED).random
    position = game.start()
    for _ in range(steps):
        moves = position.moves()
        if not moves:
            position = game.start()
            moves = position.moves()
        position.play(moves[int(choose() * len(moves))])


def _best_seconds(work: Callable[[], object]) -> float:
    """The fastest of several runs."""
    best = float("inf")
    finish = time.perf_counter() + LEAST_SECONDS
    while True:
        began = time.perf_counter()
        work()
        now = time.perf_counter()
        best = min(best, now - began)
        if now >= finish:
            return best
