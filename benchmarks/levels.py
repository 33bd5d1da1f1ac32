"""Are the levels a ladder? Each level of a game against the one below, in node-limited games.

    python benchmarks/levels.py othello liuzhou                     all neighbours, 100 games each
    python benchmarks/levels.py chinese_checkers --players 3        one of the higher level among lower ones
    python benchmarks/levels.py xiangqi --levels 4 7 --games 40     5 against 4 to 7 against 6

Every two games share an opening of random moves, with colours swapped, and no agent has a book; the same command
gives the same games on any machine, however busy. The error bar is the 95 % interval by Wilson. A step is right
when the higher level scores 55 to 80 %; with more than two players, what counts as a game are the pairs of a higher
and a lower level in it, and which of the two came out ahead.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import boyi
from boyi.agents.level import find_level
from boyi.arena.distinct import distinct
from boyi.arena.match import Match, Played
from boyi.arena.score import interval
from boyi.core.errors import UnknownNameError
from boyi.core.level import DEFAULT_LEVELS, HIGHEST, Level

LEAST, MOST = 0.55, 0.80
"""What a level should score against the one below."""

RANDOM_PLIES = 6


@dataclass(frozen=True)
class Step:
    """One level against the one below."""

    game: str
    players: int
    higher: int
    lower: int
    settings: Level
    """Of the higher level."""

    games: int
    repeated: int
    """Further games, which repeated earlier ones: the two highest levels play the best move they see."""

    wins: int
    draws: int
    losses: int
    """With more than two players: pairs, of the higher level and each of the lower."""

    score: float
    """Of the higher level, from 0 to 1; draws count half."""

    low: float
    high: float
    """The 95 % interval of the score."""

    decisions: float
    """The mean length of a game, in moves."""

    seconds: float

    @property
    def right(self) -> bool:
        return LEAST <= self.score <= MOST


def compare(game: Played) -> list[float]:
    """How the higher level, contestant 0, did against each of the lower: 1, a half or 0."""
    places = game.outcome.places
    own = game.contestants.index(0)
    return [0.5 if place == places[own] else float(place > places[own])
            for seat, place in enumerate(places) if seat != own]


def measure(game: str, players: int, higher: int, games: int, seed: int) -> Step:
    """Play the match of a level and the one below it."""
    began = time.perf_counter()
    start = boyi.start(game, **({} if players == 2 else {"players": players}))
    match = Match(contestants=(f"level:{higher},book=off", f"level:{higher - 1},book=off"), start=start, games=games,
                  random_plies=RANDOM_PLIES, seed=seed)
    played: list[Played] = []
    for number in range(games):
        played.append(match.play(number))
        show(f"{game}, {players} players, level {higher} against {higher - 1}: game {number + 1} of {games}")
    show("")
    counted = distinct(match, played)
    results = [result for one in counted for result in compare(one)]
    score = sum(results) / len(results)
    # The pairs of one game are correlated: only games count as independent, so that the interval is not too short.
    low, high = interval(score, len(counted))
    return Step(game, players, higher, higher - 1, find_level(higher, start.game, players), len(counted),
                games - len(counted), results.count(1), results.count(0.5), results.count(0), score, low, high,
                sum(one.decisions for one in counted) / len(counted), time.perf_counter() - began)


def show(state: str) -> None:
    """One line on standard error, written over again, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{state}", end="", file=sys.stderr, flush=True)


def steps(games: Sequence[str], players: int, levels: tuple[int, int], count: int, seed: int) -> Iterator[Step]:
    for game in games:
        for higher in range(levels[0] + 1, levels[1] + 1):
            yield measure(game, players, higher, count, seed)


HEADERS = ("game", "players", "levels", "nodes", "lines", "temperature", "W-D-L", "score", "95 %", "55–80 %", "moves")


def cells(step: Step) -> tuple[str, ...]:
    return (step.game, str(step.players), f"{step.higher} – {step.lower}", str(step.settings.nodes),
            str(step.settings.lines), f"{step.settings.temperature:g}", f"{step.wins}-{step.draws}-{step.losses}",
            f"{100 * step.score:.1f} %", f"{100 * step.low:.0f}–{100 * step.high:.0f}", "yes" if step.right else "NO",
            f"{step.decisions:.0f}")


def main() -> None:
    usual = [name for name, game in boyi.all_games().items() if game.levels != DEFAULT_LEVELS]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0],
                                     epilog="Nodes, lines and temperature are those of the higher level.")
    parser.add_argument("game", nargs="*", help=f"which games (default: {' '.join(usual)})")
    parser.add_argument("--levels", nargs=2, type=int, default=(1, HIGHEST), metavar=("FROM", "TO"),
                        help=f"the lowest and the highest level to compare (default: 1 {HIGHEST})")
    parser.add_argument("--players", type=int, default=2, help="how many play, where a game allows it (default 2)")
    parser.add_argument("--games", type=int, default=100, help="how many for each step (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--markdown", action="store_true", help="print the table as Markdown, for docs/benchmarks.md")
    chosen = parser.parse_args()
    lowest, highest = chosen.levels
    if not 1 <= lowest < highest <= HIGHEST:
        parser.error(f"--levels takes two levels from 1 to {HIGHEST}, the lower first")
    if chosen.games < 1:
        parser.error("--games must be at least 1")
    try:
        for name in chosen.game:
            boyi.find_game(name)
    except UnknownNameError as error:
        parser.error(str(error))
    found = steps(chosen.game or usual, chosen.players, (lowest, highest), chosen.games, chosen.seed)
    if chosen.json:
        print(json.dumps([asdict(step) | {"right": step.right} for step in found], indent=2, ensure_ascii=False))
        return
    if chosen.markdown:
        print("| " + " | ".join(HEADERS) + " |\n" + "|---" * len(HEADERS) + "|")
    else:
        print("  ".join(HEADERS))
    wrong = 0
    for step in found:   # a step takes minutes: each row is printed when it is known
        print("| " + " | ".join(cells(step)) + " |" if chosen.markdown else "  ".join(cells(step)), flush=True)
        wrong += not step.right
    if wrong:
        print(f"{wrong} steps are outside {100 * LEAST:.0f} to {100 * MOST:.0f} %", file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
