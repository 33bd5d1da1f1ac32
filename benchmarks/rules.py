"""How fast are the rules? Ratios to other packages, measured in the same run, on one thread.

    python -m benchmarks.rules [--rounds 3] [--only xiangqi] [--json | --markdown]

`benchmarks/peers.py` says how rows are measured.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import boyi
from benchmarks.fairy import FairyStockfish
from benchmarks.peers import Work, agree, main, package, rate, start


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
                "the ancestor's C++ engine", 10_500.0, wanted=6)


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


if __name__ == "__main__":
    main(ROWS, "How fast are the rules? Ratios to peers, measured in the same run.")
