"""boyi bench: how fast the rules are here, and one number that says whether they are the same rules."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Annotated

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import JsonOption, LanguageOption, print_json, read_language
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.core.game import Game
from boyi.games import all_games, find_game
from boyi.search.perft import perft
from boyi.search.playout import playouts

LEAVES = 100_000
"""Perft goes to the first depth with so many leaves (or to the end of the game)."""

DEEPEST = 12

PLAYOUT_MOVES = 20_000
"""Random games are doubled in number until they have so many moves together."""

PYTHON_STEPS = 2_000
SEED = 1
LEAST_SECONDS = 0.2
"""Each measurement is repeated for so long; the fastest run counts, for others slow a machine down but never up."""


@dataclass(frozen=True)
class Speed:
    """What was measured of one game."""

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
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Measure the speed of the rules: perft, random games, steps from Python."""
    speech = read_language(language)
    chosen = [find_game(name) for name in games] if games else list(all_games().values())
    speeds = []
    with Progress("bench") as progress:
        for game in chosen:
            progress.show(game.name)
            speeds.append(measure(game))
    signature = sum(speed.signature for speed in speeds)
    if as_json:
        print_json({"games": [asdict(speed) | {"signature": speed.signature} for speed in speeds],
                    "signature": signature})
        return
    print_table(
        [header.say(speech) for header in texts.BENCH_HEADERS],
        [[speed.game, str(speed.depth), str(speed.leaves), f"{speed.leaves_per_second / 1e6:.2f}", str(speed.games),
          f"{speed.games_per_second:.0f}", f"{speed.moves_per_second / 1e6:.2f}",
          f"{speed.python_steps_per_second:.0f}"] for speed in speeds],
        numbers=range(1, len(texts.BENCH_HEADERS)))
    print(texts.say(texts.SIGNATURE, speech, number=signature))


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

    # Step 3. What somebody gets who writes a loop in Python.
    step_seconds = _best_seconds(partial(_step_randomly, game, PYTHON_STEPS))

    return Speed(game.name, depth, leaves, leaves / perft_seconds, count, moves, count / playout_seconds,
                 moves / playout_seconds, PYTHON_STEPS / step_seconds)


def _step_randomly(game: Game, steps: int) -> None:
    """Make so many random moves, starting again whenever a game is over."""
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
