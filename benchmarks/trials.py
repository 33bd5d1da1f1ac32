"""The pieces of work that `benchmarks.speed_against` compares two checkouts by, each run in a process of its own.

    python -m benchmarks.trials NAME [SCALE]

This file runs under both checkouts' Pythons, so it uses only what every version has: the functions of `boyi` itself,
the command line (called in this process, so that startup is not measured), and the protocol of rooms. It prints one
object of JSON: the amount of work, the CPU seconds it took, and a fingerprint of what came out, which is
the same for the same behaviour.
"""

from __future__ import annotations

import asyncio
import contextlib
import csv
import hashlib
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import boyi
from benchmarks.sockets import Player, Watcher, home, post
from tools.serving import ServerProcess

if TYPE_CHECKING:
    from boyi.games.othello.position import OthelloPosition

SEED = 1
ROOM_REQUESTS = 30
"""Moves of one player in a room; a socket may send a hundred requests at once."""


@dataclass(frozen=True)
class Measured:
    """What a trial came to."""

    amount: float
    unit: str
    seconds: float
    """Of CPU time."""

    fingerprint: str
    """Of what came out: another one means another behaviour, and a comparison of nothing."""


@dataclass(frozen=True)
class Trial:
    """A piece of work of a size that takes a second or two at scale 1."""

    name: str
    run: Callable[[float], Measured]


def timed(unit: str, work: Callable[[], tuple[float, object]]) -> Measured:
    """Do work that tells its amount and what came out."""
    began = time.process_time()
    amount, outcome = work()
    seconds = time.process_time() - began
    return Measured(amount, unit, seconds, hashlib.sha256(repr(outcome).encode()).hexdigest()[:12])


def command(*arguments: str) -> str:
    """Run `boyi ARGUMENTS` in this process: what it prints."""
    from boyi.cli import main

    printed, ignored = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(ignored):
        try:
            main(list(arguments))
        except SystemExit as end:
            if end.code:
                raise RuntimeError(f"boyi {' '.join(arguments)}: {ignored.getvalue()}") from end
    return printed.getvalue()


# ---------------------------------------------------------------------- rules

def perft(game: str, depth: int, **options: object) -> Callable[[float], Measured]:
    def run(scale: float) -> Measured:
        start = boyi.start(game, **options)
        boyi.perft(start, 2)
        plies = depth if scale >= 0.5 else depth - 1
        return timed("leaves", lambda: (count := boyi.perft(start, plies), count))
    return run


def random_games(game: str, count: int, **options: object) -> Callable[[float], Measured]:
    def run(scale: float) -> Measured:
        start = boyi.start(game, **options)

        def work() -> tuple[float, object]:
            moves, results = boyi.playouts(start, max(1, round(count * scale)), SEED)
            return moves, (moves, results)
        return timed("moves", work)
    return run


def python_steps(game: str, count: int) -> Callable[[float], Measured]:
    """A loop in Python: legal moves, play, and the text of every hundredth position."""
    def run(scale: float) -> Measured:
        def work() -> tuple[float, object]:
            generator, position, texts = random.Random(SEED), boyi.start(game), []
            steps = round(count * scale)
            for step in range(steps):
                moves = position.moves()
                if not moves:
                    position = boyi.start(game)
                    moves = position.moves()
                position.play(generator.choice(moves))
                if step % 100 == 0:
                    texts.append(position.to_text())
            return steps, texts
        return timed("steps", work)
    return run


def texts(game: str, most: int) -> Callable[[float], Measured]:
    """Positions and moves read and written: what records, rooms and engines do."""
    def run(scale: float) -> Measured:
        written = []
        for seed in range(40):
            position = boyi.start(game)
            boyi.playout(position, seed, 2 * seed)
            if position.turn >= 0:
                written.append(position.to_text())

        def work() -> tuple[float, object]:
            count, moves = 0, []
            while count < most * scale:
                for text in written:
                    position = boyi.parse(game, text)
                    moves = [position.parse_move(position.format_move(move)) for move in position.moves()]
                    count += 1
            return count, moves
        return timed("positions", work)
    return run


# ---------------------------------------------------------------------- searches

def analyses(spec: str, nodes: int, *positions: Sequence[str]) -> Callable[[float], Measured]:
    """Searches of fixed positions by the command line."""
    def run(scale: float) -> Measured:
        command("analyse", *positions[0], "--search", spec, "--nodes", "100", "--json")

        def work() -> tuple[float, object]:
            looked_at, found = 0, []
            for position in positions:
                facts = json.loads(command("analyse", *position, "--search", spec, "--json", "--nodes",
                                           str(max(100, round(nodes * scale)))))
                looked_at += facts["nodes"]
                found.append((facts["nodes"], facts["depth"], facts["lines"]))
            return looked_at, found
        return timed("nodes", work)
    return run


XIANGQI = (
    ("xiangqi",),
    ("xiangqi", "--fen", "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 1"),
    ("xiangqi", "--fen", "2bak4/4a4/4b4/p1p1n1P1p/9/2P1C4/P5N1P/4B4/9/3AKAB2 b - - 0 1"),
)
OTHELLO = (("othello",), ("othello", "--fen", "-------------X---OX-XX----OXXX----OXOOOO--O-X-----O--X--------X- X"))
JIEQI = (
    ("jieqi",), ("jieqi", "--fen", "x2xkxxxx/9/b2pa2x1/x1x1x1x1x/9/2P6/X3X1X1X/B7A/1B7/1XXXKXXXX b "
                 "R2A1C2P4N2B0r2a1c2p4n2b1 0 4 -"))
CHECKERS = (("chinese_checkers",),)
CHECKERS_OF_THREE = (("chinese_checkers", "--option", "players=3"),)
LIUZHOU = (("liuzhou",),)


def solving(first: str, last: str) -> Callable[[float], Measured]:
    """Endings of the FFO suite, solved exactly by one thread; the easier share of them at a smaller scale."""
    def run(scale: float) -> Measured:
        from boyi.games.othello.solver import Solver

        with (Path(__file__).parents[1] / "tests" / "data" / "othello" / "ffo.csv").open(encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if first <= row["name"] <= last]
        rows = rows[:max(1, round(len(rows) * scale))]

        def work() -> tuple[float, object]:
            positions = [boyi.parse("othello", f"{row['board']} {row['side']}") for row in rows]
            solutions = [Solver().solve(cast("OthelloPosition", position)) for position in positions]
            margins = [None if solution is None else solution.margin for solution in solutions]
            if margins != [int(row["best_score"]) for row in rows]:
                raise RuntimeError(f"the margins are {margins}")
            return len(rows), margins
        return timed("positions", work)
    return run


# ---------------------------------------------------------------------- matches and self-play

def match(game: str, games: int, *agents: str) -> Callable[[float], Measured]:
    """Games of the arena, with all that it does around the searches."""
    def run(scale: float) -> Measured:
        with tempfile.TemporaryDirectory() as folder:
            journal = str(Path(folder) / "journal.jsonl")
            command("match", game, *agents, "--games", "2", "--seed", "3", "--journal", journal + ".warm")

            def work() -> tuple[float, object]:
                facts = json.loads(command("match", game, *agents, "--games", str(max(2, 2 * round(games * scale / 2))),
                                           "--seed", "3", "--journal", journal, "--json"))
                played = [(one["places"], one["moves"]) for one in facts["games"]]
                return sum(one["moves"] for one in facts["games"]), played
            return timed("moves", work)
    return run


def self_play(game: str, games: int) -> Callable[[float], Measured]:
    """The games of an iteration of a training run, by a network of random weights."""
    def run(scale: float) -> Measured:
        with tempfile.TemporaryDirectory() as folder:
            def prepare(name: str, count: int) -> str:
                place = str(Path(folder) / name)
                command("train", game, "--iterations", "1", "--run", place, "--prepare", *(
                    word for setting in (
                        f"games_per_iteration={count}", f"chunk={count}", "games.simulations=32", "games.at_once=32",
                        "design.width=64", "games.longest=150")
                    for word in ("--set", setting)))
                return place

            command("learn", "selfplay", prepare("warm", 1), "--json")   # loads PyTorch
            count = max(4, round(games * scale))
            place = prepare("measured", count)

            def work() -> tuple[float, object]:
                command("learn", "selfplay", place, "--json")
                return count, [shard.read_bytes() for shard in sorted(Path(place).glob("shards/*"))]
            return timed("games", work)
    return run


# ---------------------------------------------------------------------- rooms

def cpu_seconds(server: ServerProcess) -> float:
    """The CPU time of all threads of a server, to the nanosecond."""
    return sum(int(task.read_text(encoding="ascii").split()[0])
               for task in Path(f"/proc/{server.pid}/task").glob("*/schedstat")) / 1e9


def rooms(game: str, count: int, **options: int) -> Callable[[float], Measured]:
    """People who play in rooms, each watched by a spectator: CPU time of the server."""
    def run(scale: float) -> Measured:
        with tempfile.TemporaryDirectory() as folder, ServerProcess(folder, "--engines", "0") as server:
            return asyncio.run(play_in_rooms(server, game, max(2, round(count * scale)), options))
    return run


async def play_in_rooms(server: ServerProcess, game: str, count: int, options: dict[str, int]) -> Measured:
    players = options.get("players", 2)

    async def open_room(number: int) -> tuple[list[Player], Watcher]:
        address = home(number)
        tokens = [(await post(server.address, "/api/session", {"name": f"player {seat}"}, "", address))["token"]
                  for seat in range(players)]
        made = await post(server.address, "/api/rooms", {"game": game, "options": options}, tokens[0], address)
        seated = []
        for seat, token in enumerate(tokens):
            player = Player(server.address, made["room"], token)
            await player.connect(server.address, address)
            await player.here
            if seat:
                await player.must("join")
            await player.must("sit", seat=seat)
            await player.must("ready")
            seated.append(player)
        await seated[0].must("start")
        watcher = Watcher(server.address, made["room"])
        await watcher.connect(server.address, address)
        await watcher.here
        return seated, watcher

    async def play(number: int, seated: Sequence[Player]) -> list[str]:
        """Moves in turn, as fast as they are acknowledged. The moves depend on the number alone, unless chance acts."""
        generator = random.Random(number)
        made: list[str] = []
        while len(made) < players * ROOM_REQUESTS and not seated[0].over:
            mover = next((player for player in seated if player.turn is not None), None)
            if mover is None or mover.turn is None:
                await asyncio.sleep(0)
                continue
            turn, mover.turn = mover.turn, None
            made.append(generator.choice(turn.moves).text)
            await mover.must("move", move=made[-1])
        return made

    opened = [await open_room(number) for number in range(count)]
    before = cpu_seconds(server)
    played = await asyncio.gather(*(play(number, seated) for number, (seated, _) in enumerate(opened)))
    seconds = cpu_seconds(server) - before
    for seated, watcher in opened:
        for one in (*seated, watcher):
            one.abort()
    moves = sum(map(len, played))
    # What is drawn in a room is secret and different each time.
    outcome: Any = None if boyi.find_game(game).has_chance else played
    return Measured(moves, "moves", seconds, hashlib.sha256(repr(outcome).encode()).hexdigest()[:12])


def shown_positions(game: str, requests: int) -> Callable[[float], Measured]:
    """Requests of the page for a position after many moves: CPU time of the server."""
    def run(scale: float) -> Measured:
        position, generator = boyi.start(game), random.Random(SEED)
        moves: list[str] = []
        while len(moves) < 40 and position.turn >= 0:
            moves.append(position.format_move(generator.choice(position.moves())))
            position.play(moves[-1])
        body = {"game": game, "moves": moves}
        count = max(4, round(requests * scale))

        async def ask(address: str) -> list[Any]:
            return [await post(address, "/api/positions", body, "", home(number)) for number in range(count)]

        with tempfile.TemporaryDirectory() as folder, ServerProcess(folder, "--engines", "0") as server:
            asyncio.run(ask(server.address))
            before = cpu_seconds(server)
            answers = asyncio.run(ask(server.address))
            seconds = cpu_seconds(server) - before
        return Measured(count, "requests", seconds, hashlib.sha256(repr(answers).encode()).hexdigest()[:12])
    return run


# ---------------------------------------------------------------------- starting

def starting(*words: str) -> Callable[[float], Measured]:
    """A command from its start to its end, in processes of its own."""
    def run(scale: float) -> Measured:
        count = max(1, round(4 * scale))
        subprocess.run([sys.executable, "-m", "boyi", *words], check=True, capture_output=True)
        before = os.times()
        for _ in range(count):
            subprocess.run([sys.executable, "-m", "boyi", *words], check=True, capture_output=True)
        after = os.times()
        seconds = after.children_user + after.children_system - before.children_user - before.children_system
        return Measured(count, "starts", seconds, "")
    return run


TRIALS: tuple[Trial, ...] = (
    Trial("rules: perft xiangqi", perft("xiangqi", 5)),
    Trial("rules: perft jieqi", perft("jieqi", 6)),
    Trial("rules: perft othello", perft("othello", 11)),
    Trial("rules: perft liuzhou", perft("liuzhou", 6)),
    Trial("rules: perft chinese_checkers", perft("chinese_checkers", 6)),
    Trial("rules: random games xiangqi", random_games("xiangqi", 5_000)),
    Trial("rules: random games jieqi", random_games("jieqi", 8_000)),
    Trial("rules: random games othello", random_games("othello", 300_000)),
    Trial("rules: random games liuzhou", random_games("liuzhou", 150_000)),
    Trial("rules: random games chinese_checkers of 3", random_games("chinese_checkers", 4_000, players=3)),
    Trial("rules: steps from Python, xiangqi", python_steps("xiangqi", 150_000)),
    Trial("rules: steps from Python, chinese_checkers", python_steps("chinese_checkers", 100_000)),
    Trial("rules: texts of xiangqi", texts("xiangqi", 5_000)),
    Trial("rules: texts of liuzhou", texts("liuzhou", 10_000)),
    Trial("search: alphabeta xiangqi", analyses("alphabeta", 400_000, *XIANGQI)),
    Trial("search: alphabeta xiangqi, network", analyses("alphabeta:evaluator=net", 200_000, *XIANGQI)),
    Trial("search: alphabeta othello", analyses("alphabeta", 1_000_000, *OTHELLO)),
    Trial("search: alphabeta chinese_checkers", analyses("alphabeta", 1_000_000, *CHECKERS)),
    Trial("search: alphabeta liuzhou", analyses("alphabeta", 2_000_000, *LIUZHOU)),
    Trial("search: expectimax jieqi", analyses("expectimax", 1_000_000, *JIEQI)),
    Trial("search: expectimax jieqi, network", analyses("expectimax:evaluator=net", 500_000, *JIEQI)),
    Trial("search: multiplayer chinese_checkers of 3", analyses("multiplayer", 3_000_000, *CHECKERS_OF_THREE)),
    Trial("search: mcts othello", analyses("mcts:seed=1", 100_000, *OTHELLO)),
    Trial("search: mcts liuzhou, network", analyses("mcts:net=liuzhou,seed=1", 150_000, *LIUZHOU)),
    Trial("solver: FFO 40-44", solving("FFO#40", "FFO#44")),
    Trial("solver: FFO 40-49", solving("FFO#40", "FFO#49")),
    Trial("arena: match of othello", match("othello", 30, "alphabeta:nodes=300", "level:1,seed=1")),
    Trial("self-play: othello", self_play("othello", 320)),
    Trial("self-play: liuzhou", self_play("liuzhou", 128)),
    Trial("rooms: othello", rooms("othello", 35)),
    Trial("rooms: xiangqi", rooms("xiangqi", 30)),
    Trial("rooms: jieqi", rooms("jieqi", 15)),
    Trial("rooms: chinese_checkers of 3", rooms("chinese_checkers", 10, players=3)),
    Trial("rooms: positions for the page", shown_positions("xiangqi", 250)),
    Trial("start: boyi games", starting("games")),
)


def main() -> None:
    name = sys.argv[1]
    scale = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    (trial,) = (one for one in TRIALS if one.name == name)
    print(json.dumps(asdict(trial.run(scale))))


if __name__ == "__main__":
    main()
