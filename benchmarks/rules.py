"""How fast are the rules? Ratios to other packages, measured in the same run, on one thread.

    python benchmarks/rules.py [--rounds 3] [--only xiangqi] [--json | --markdown]

Each row is one piece of work that both sides do. They take turns, so that a busy machine
slows both, and the best round of each counts. Where both sides count something, they must
agree before a clock is started. A peer that is not installed, or a game that is not there,
is skipped aloud on stderr; `make bench` installs the peers.
"""

from __future__ import annotations

import argparse
import atexit
import importlib
import itertools
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from types import ModuleType
from typing import IO, Any

import boyi
from boyi.core.errors import UnknownNameError

MINIMUM_SECONDS = 0.4
"""A measurement lasts at least as long."""

Rate = Callable[[], float]
"""Does the work and says how much of it was done in a second."""


class MissingError(Exception):
    """Why a row cannot be measured here."""


@dataclass(frozen=True)
class Work:
    """One row: something that we and a peer both do."""

    name: str
    unit: str
    ours: Rate
    peer: str
    theirs: Rate | float
    """A number is a figure that was published, not measured in this run."""

    wanted: float | None = None
    """The ratio we promise."""

    most_seconds: tuple[float, float] | None = None
    """(amount, seconds): an absolute promise, `amount` of work in at most so many seconds."""


@dataclass(frozen=True)
class Result:
    """What a row came to."""

    work: str
    unit: str
    ours: float
    peer: str
    theirs: float
    ratio: float
    measured: bool
    """False when the peer's rate is a published figure."""

    wanted: str
    met: bool | None
    note: str


# ------------------------------------------------------------------ clocks and parts

def rate(step: Callable[[], int]) -> float:
    """Repeat a step, which says how much it did, for the minimum time; how much a second."""
    done = 0
    began = time.perf_counter()
    while (elapsed := time.perf_counter() - began) < MINIMUM_SECONDS:
        done += step()
    return done / elapsed


def start(game: str, **options: object) -> boyi.Position:
    try:
        return boyi.start(game, **options)
    except UnknownNameError:
        raise MissingError(f"there is no game called {game} yet") from None


def package(name: str, distribution: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingError(f"{distribution} is not installed: pip install {distribution}") from None


def agree(what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise RuntimeError(f"{what}: we say {ours}, the peer says {theirs}; there is nothing to compare")


class FairyStockfish:
    """The engine as a process, on one thread and with the table we play with."""

    def __init__(self) -> None:
        path = shutil.which("fairy-stockfish", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")
        if path is None:
            raise MissingError("fairy-stockfish is not installed: apt-get install fairy-stockfish")
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.close)
        self._say("uci")
        self._wait("uciok")
        self._say("setoption name Threads value 1")
        self._say("setoption name Hash value 16")
        self._say("setoption name UCI_Variant value xiangqi")
        self._say("isready")
        self._wait("readyok")

    def perft(self, depth: int) -> int:
        self._say("position startpos")
        self._say(f"go perft {depth}")
        return int(self._wait("Nodes searched").split(":")[1])

    def search(self, text: str, milliseconds: int) -> tuple[int, int, int]:
        """Depth, nodes and milliseconds of a search that begins with an empty table."""
        self._say("ucinewgame")
        self._say(f"position fen {text}")
        self._say(f"go movetime {milliseconds}")
        facts: dict[str, int] = {}
        for line in self._pipe(self.process.stdout):
            words = line.split()
            if words[:1] == ["bestmove"]:
                break
            facts.update({name: int(value) for name, value in itertools.pairwise(words)
                          if name in ("depth", "nodes", "time") and value.isdigit()})
        return facts["depth"], facts["nodes"], facts["time"]

    def close(self) -> None:
        self._say("quit")
        self.process.wait(timeout=10)

    def _say(self, line: str) -> None:
        pipe = self._pipe(self.process.stdin)
        pipe.write(line + "\n")
        pipe.flush()

    def _wait(self, opening: str) -> str:
        for line in self._pipe(self.process.stdout):
            if line.startswith(opening):
                return line
        raise RuntimeError("fairy-stockfish went away")

    @staticmethod
    def _pipe(pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None
        return pipe


def sample(position: boyi.Position, count: int, seed: int = 1) -> list[boyi.Position]:
    """Positions from random games, every seventh of each."""
    choose = random.Random(seed)
    found: list[boyi.Position] = []
    while len(found) < count:
        now = position.copy()
        while (moves := now.moves()) and now.ply < 120:
            now.play(choose.choice(moves))
            if now.ply % 7 == 0 and now.turn != boyi.OVER:
                found.append(now.copy())
    return found[:count]


# ------------------------------------------------------------------ the rows

def xiangqi_perft() -> Work:
    position = start("xiangqi")
    engine = FairyStockfish()
    depth = 5

    def theirs() -> float:
        began = time.perf_counter()
        leaves = engine.perft(depth)
        return leaves / (time.perf_counter() - began)

    agree("perft 4", boyi.perft(position, 4), engine.perft(4))
    return Work("xiangqi perft 5, bulk counted", "leaves/s", lambda: rate(lambda: boyi.perft(position, depth)),
                "fairy-stockfish, go perft 5", theirs, wanted=4)


def xiangqi_move_lists() -> Work:
    pyffish = package("pyffish", "pyffish")
    positions = sample(start("xiangqi"), 200)
    texts = [position.to_text() for position in positions]

    def ours() -> int:
        for position in positions:
            position.moves()
        return len(positions)

    def theirs() -> int:
        for text in texts[:20]:
            pyffish.legal_moves("xiangqi", text, [])
        return 20

    agree("numbers of legal moves", [len(position.moves()) for position in positions],
          [len(pyffish.legal_moves("xiangqi", text, [])) for text in texts])
    return Work("xiangqi legal-move lists from Python", "lists/s", lambda: rate(ours), "pyffish", lambda: rate(theirs),
                wanted=300)


def xiangqi_move_texts() -> Work:
    pyffish = package("pyffish", "pyffish")
    texts = [position.to_text() for position in sample(start("xiangqi"), 40)]
    game = boyi.find_game("xiangqi")

    def ours() -> int:
        for text in texts:
            position = game.parse(text)
            [position.format_move(move) for move in position.moves()]
        return len(texts)

    def theirs() -> int:
        for text in texts[:20]:
            pyffish.legal_moves("xiangqi", text, [])
        return 20

    return Work("the same from a FEN to move texts", "lists/s", lambda: rate(ours), "pyffish", lambda: rate(theirs))


def othello_perft() -> Work:
    """rust-reversi has no perft of its own; the fastest way to count with it is by its lists of child boards."""
    reversi = package("rust_reversi", "rust-reversi")
    position = start("othello")

    def count(board: Any, depth: int) -> int:
        if board.is_game_over():
            return 1
        if board.is_pass():
            passed = board.clone()
            passed.do_pass()
            return 1 if depth == 1 else count(passed, depth - 1)
        if depth == 1:
            return len(board.get_legal_moves_vec())
        return sum(count(child, depth - 1) for child in board.get_child_boards())

    leaves = boyi.perft(position, 10)
    agree("perft 7", boyi.perft(position, 7), count(reversi.Board(), 7))
    return Work("Othello perft 10", "leaves/s", lambda: rate(lambda: boyi.perft(position, 10)),
                "rust-reversi from Python, perft 8", lambda: rate(lambda: count(reversi.Board(), 8)),
                most_seconds=(leaves, 0.090))


def liuzhou_playouts() -> Work:
    position = start("liuzhou", rules="reference")
    return Work("Liuzhou random games, reference rules", "games/s", lambda: rate(lambda: _games(position, 500)),
                "the seed's C++ engine", 10_500.0, wanted=6)


def chinese_checkers_plies() -> Work:
    position = start("chinese_checkers", players=2)
    seeds = iter(range(1, 1 << 30))
    return Work("Chinese checkers random plies, 2 players", "plies/s",
                lambda: rate(lambda: boyi.playout(position.copy(), next(seeds), 20_000)),
                "a plain C++ generator", 1_290_000.0, wanted=2)


def othello_steps() -> Work:
    spiel = package("pyspiel", "open_spiel")
    first = start("othello")
    game = spiel.load_game("othello")
    draw = random.Random(1).random

    def theirs() -> int:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            moves = state.legal_actions()
            state.apply_action(moves[int(draw() * len(moves))])
            steps += 1
        return steps

    return Work("Othello random steps from Python", "steps/s", lambda: rate(lambda: _walk(first, draw)),
                "OpenSpiel from Python", lambda: rate(theirs), wanted=3)


def othello_steps_reversi() -> Work:
    reversi = package("rust_reversi", "rust-reversi")
    first = start("othello")
    draw = random.Random(1).random

    def theirs() -> int:
        board = reversi.Board()
        steps = 0
        while not board.is_game_over():
            if board.is_pass():
                board.do_pass()
            else:
                moves = board.get_legal_moves_vec()
                board.do_move(moves[int(draw() * len(moves))])
            steps += 1
        return steps

    return Work("the same", "steps/s", lambda: rate(lambda: _walk(first, draw)), "rust-reversi from Python",
                lambda: rate(theirs))


def othello_playouts() -> Work:
    spiel = package("pyspiel", "open_spiel")
    position = start("othello")
    game = spiel.load_game("othello")
    bots = [spiel.make_uniform_random_bot(player, player + 1) for player in range(2)]
    seeds = iter(range(1, 1 << 30))

    def theirs() -> int:
        for _ in range(20):
            spiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return 20

    return Work("Othello random games in one call", "games/s", lambda: rate(lambda: _games(position, 1000)),
                "OpenSpiel C++, evaluate_bots", lambda: rate(theirs), wanted=50)


def _walk(first: boyi.Position, draw: Callable[[], float]) -> int:
    """A random game played move by move from Python; its length."""
    position = first.copy()
    while moves := position.moves():
        position.play(moves[int(draw() * len(moves))])
    return position.ply


def _games(position: boyi.Position, count: int) -> int:
    boyi.playouts(position, count, seed=time.perf_counter_ns())
    return count


ROWS: tuple[Callable[[], Work], ...] = (
    xiangqi_perft, xiangqi_move_lists, xiangqi_move_texts, othello_perft, liuzhou_playouts, chinese_checkers_plies,
    othello_steps, othello_steps_reversi, othello_playouts)


# ------------------------------------------------------------------ measuring and telling

def measure(work: Work, rounds: int) -> Result:
    """Let both sides take turns; the best of each counts."""
    ours = theirs = 0.0
    for _ in range(rounds):
        ours = max(ours, work.ours())
        theirs = max(theirs, work.theirs() if callable(work.theirs) else work.theirs)
    ratio = ours / theirs
    wanted, met, note = "", None, "" if callable(work.theirs) else "peer: published figure"
    if work.wanted is not None:
        wanted, met = f"{work.wanted:g}×", ratio >= work.wanted
    if work.most_seconds is not None:
        amount, seconds = work.most_seconds
        wanted, met = f"{1000 * seconds:g} ms", amount / ours <= seconds
        note = f"ours: {1000 * amount / ours:.1f} ms"
    return Result(work.name, work.unit, ours, work.peer, theirs, ratio, callable(work.theirs), wanted, met, note)


def results(rows: Sequence[Callable[[], Work]], rounds: int, only: str) -> Iterator[Result]:
    for row in rows:
        if only and only not in row.__name__:
            continue
        try:
            work = row()
        except MissingError as reason:
            print(f"skipped {row.__name__}: {reason}", file=sys.stderr)
            continue
        print(f"{work.name} ...", file=sys.stderr)
        yield measure(work, rounds)


def short(number: float) -> str:
    """Three figures that count: 13.5 M."""
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"


def cells(found: list[Result]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("work", "ours", "peer", "theirs", "ratio", "wanted", "met", "note")]
    rows += [(one.work, f"{short(one.ours)} {one.unit}", one.peer, f"{short(one.theirs)} {one.unit}",
              f"{one.ratio:.{1 if one.ratio < 100 else 0}f}×", one.wanted,
              {True: "yes", False: "NO", None: ""}[one.met], one.note)
             for one in found]
    return rows


def print_table(found: list[Result]) -> None:
    rows = cells(found)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def print_markdown(found: list[Result]) -> None:
    first, *rest = cells(found)
    print("| " + " | ".join(first) + " |")
    print("|---" * len(first) + "|")
    for row in rest:
        print("| " + " | ".join(row) + " |")


def main(rows: Sequence[Callable[[], Work]] = ROWS,
         description: str = "How fast are the rules? Ratios to peers, measured in the same run.") -> None:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rounds", type=int, default=3, help="best of how many (default 3)")
    parser.add_argument("--only", default="", help="only rows whose name contains this, e.g. xiangqi")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--markdown", action="store_true", help="print the table as Markdown, for docs/benchmarks.md")
    chosen = parser.parse_args()
    if chosen.rounds < 1:
        parser.error("--rounds must be at least 1")
    found = list(results(rows, chosen.rounds, chosen.only))
    if chosen.json:
        print(json.dumps({"python": platform.python_version(), "machine": platform.machine(), "rounds": chosen.rounds,
                          "rows": [asdict(one) for one in found]}, indent=2, ensure_ascii=False))
    elif chosen.markdown:
        print_markdown(found)
    else:
        print_table(found)


if __name__ == "__main__":
    main()
