"""Chinese checkers: our search against the ancestor's, or any two settings, at equal time per move.

One player is ours, all others are the opponent, and ours sits in every seat equally often. Games begin
with a few random moves forward, the same ones for every seat of ours.

    python benchmarks/checkers.py --players 3 --games 60 --milliseconds 10
    python benchmarks/checkers.py --ours "targets=3 width=12" --theirs "algorithm=paranoid" --their-evaluator race
"""

from __future__ import annotations

import argparse
import random
from dataclasses import replace

from boyi.arena.score import interval
from boyi.core.searcher import Limits
from boyi.games.chinese_checkers import GAME
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from boyi.search.multiplayer import Multiplayer
from boyi.search.multiplayer_options import PRESETS, MultiplayerOptions


def read_options(text: str) -> MultiplayerOptions:
    """A preset's name, or the default with some switches set: `targets=3 claims=True`."""
    first, *rest = text.split() or ["default"]
    words = rest if first in PRESETS else [first, *rest]
    values: dict[str, object] = {}
    for word in words:
        name, _, value = word.partition("=")
        kind = type(getattr(MultiplayerOptions(), name))
        values[name] = value == "True" if kind is bool else kind(value)
    return replace(PRESETS.get(first, MultiplayerOptions()), **values)  # type: ignore[arg-type]


def opening(players: int, seed: int) -> ChineseCheckersPosition:
    """The start after two random moves of each player that do not go back."""
    position = GAME.start(players=players)
    assert isinstance(position, ChineseCheckersPosition)
    chance = random.Random(seed)
    for _ in range(2 * players):
        before = position.distances()[position.turn]
        mover, forward = position.turn, []
        for move in position.moves():
            position.play(move)
            if position.distances()[mover] < before:
                forward.append(move)
            position.undo()
        position.play(chance.choice(forward))
    return position


def winners(position: ChineseCheckersPosition, searchers: list[Multiplayer], limits: Limits) -> tuple[int, ...]:
    """Who is first. The others need not play on for their places."""
    while not position.finished:
        outcome = position.outcome()
        if outcome is not None:
            return tuple(player for player, score in enumerate(outcome.scores) if score == max(outcome.scores))
        position.play(searchers[position.turn].search(position, limits).move)
    return position.finished[:1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--milliseconds", type=float, default=10)
    parser.add_argument("--ours", default="default")
    parser.add_argument("--theirs", default="ancestor")
    parser.add_argument("--our-evaluator", default="race")
    parser.add_argument("--their-evaluator", default="ancestor")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    ours = Multiplayer(GAME.evaluators[arguments.our_evaluator](), read_options(arguments.ours))
    theirs = [Multiplayer(GAME.evaluators[arguments.their_evaluator](), read_options(arguments.theirs))
              for _ in range(arguments.players)]
    limits = Limits(seconds=arguments.milliseconds / 1000)
    firsts: list[float] = []
    turns = 0
    for number in range(arguments.games):
        seat = number % arguments.players
        position = opening(arguments.players, arguments.seed + number // arguments.players)
        for searcher in (ours, *theirs):
            searcher.forget()
        seats = [ours if player == seat else theirs[player] for player in range(arguments.players)]
        first = winners(position, seats, limits)
        firsts.append((seat in first) / len(first))
        turns += position.ply // arguments.players
    mean = sum(firsts) / len(firsts)
    low, high = interval(mean, len(firsts))
    print(f"{arguments.players} players, {arguments.milliseconds:g} ms, {len(firsts)} games: "
          f"first in {100 * mean:.1f} % (95 %: {100 * low:.1f}–{100 * high:.1f}), {mean * arguments.players:.2f} × the "
          f"fair share ({low * arguments.players:.2f}–{high * arguments.players:.2f}), "
          f"{turns / len(firsts):.0f} turns per game", flush=True)


if __name__ == "__main__":
    main()
