"""Chinese checkers: our search against the ancestor's at the depth at which it plays, in no more than its time.

    python -m benchmarks.checkers                      # two, three and six players
    python -m benchmarks.checkers --players 2 --games 40 --seed 7
    python -m benchmarks.checkers --milliseconds 10    # both get this time instead, and no depth
    python -m benchmarks.checkers --milliseconds 5 --ours "targets=3" --theirs "width=12" --their-evaluator race

The ancestor searches five plies with two players and four with more, however long that takes. For each of our moves we
have the mean CPU time that its moves of this game took so far, less what our moves before took more than that; where we
begin, it searches our first position for the measure. Our limit is of wall time, so that a busy machine takes from us
only.

One player is ours, all others are the opponent, and ours sits in every seat equally often. Games begin
with a few random moves forward, the same ones for every seat of ours.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from boyi.arena.score import interval
from boyi.core.searcher import Limits
from boyi.games.chinese_checkers import GAME
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from boyi.search.multiplayer import Multiplayer
from boyi.search.multiplayer_options import PRESETS, MultiplayerOptions

GAMES = {2: 40, 3: 30, 6: 24}
"""Per number of players, a multiple of it."""

OWN_DEPTH = Limits(depth=64)
"""More than any search reaches: it ends where its own options say."""

LEAST_SECONDS = 1e-4
"""That our search gets in any case."""


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


@dataclass
class Contestant:
    """A search, and what its moves have cost."""

    searcher: Multiplayer
    moves: int = 0
    cpu_seconds: float = 0.0

    def move(self, position: ChineseCheckersPosition, limits: Limits) -> int:
        began = time.thread_time()
        move = self.searcher.search(position, limits).move
        self.cpu_seconds += time.thread_time() - began
        self.moves += 1
        return move

    @property
    def mean(self) -> float:
        """CPU seconds per move."""
        return self.cpu_seconds / max(1, self.moves)


@dataclass(frozen=True)
class Result:
    """What a game came to."""

    first: float
    """Our share of the first place."""

    turns: int
    ours: Contestant
    theirs: Contestant


def share(ours: Contestant, theirs: Contestant) -> float:
    """Seconds for our next move: what theirs take on average, less what ours took too long before."""
    return min(theirs.mean, theirs.mean * (ours.moves + 1) - ours.cpu_seconds)


def play(position: ChineseCheckersPosition, seat: int, ours: Contestant, theirs: Contestant,
         milliseconds: float | None) -> Result:
    """One game to the first place; the others need not play on for theirs. All opponents are one search."""
    ours.searcher.forget()
    theirs.searcher.forget()
    equal = Limits(seconds=milliseconds / 1000) if milliseconds is not None else None
    while position.outcome() is None and not position.finished:
        if position.turn != seat:
            move = theirs.move(position, equal or OWN_DEPTH)
        else:
            if equal is None and theirs.moves == 0:
                theirs.move(position, OWN_DEPTH)
            move = ours.move(position, equal or Limits(seconds=max(LEAST_SECONDS, share(ours, theirs))))
        position.play(move)
    winners: Sequence[int] = position.finished[:1]
    if not winners:
        outcome = position.outcome()
        assert outcome is not None
        winners = [player for player, score in enumerate(outcome.scores) if score == max(outcome.scores)]
    return Result((seat in winners) / len(winners), position.ply // position.players, ours, theirs)


def compare(players: int, games: int, arguments: argparse.Namespace) -> str:
    """A match; its row of the table."""
    results = []
    for number in range(games):
        ours = Multiplayer(GAME.evaluators[arguments.our_evaluator](), read_options(arguments.ours))
        theirs = Multiplayer(GAME.evaluators[arguments.their_evaluator](), read_options(arguments.theirs))
        results.append(play(opening(players, arguments.seed + number // players), number % players,
                            Contestant(ours), Contestant(theirs), arguments.milliseconds))
        print(f"{players} players, game {number + 1} of {games}: {results[-1].first:g}", file=sys.stderr, flush=True)
    mean = sum(result.first for result in results) / games
    low, high = interval(mean, games)
    per_move = [1000 * sum(side.cpu_seconds for side in sides) / sum(side.moves for side in sides)
                for sides in ([result.ours for result in results], [result.theirs for result in results])]
    turns = sum(result.turns for result in results) / games
    return (f"| {players} | {games} | {100 * mean:.1f} % ({100 * low:.1f}–{100 * high:.1f}) | {mean * players:.2f}× "
            f"({low * players:.2f}–{high * players:.2f}) | {per_move[0]:.1f} | {per_move[1]:.1f} | {turns:.0f} |")


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, nargs="*", default=list(GAMES))
    parser.add_argument("--games", type=int, help="instead of 40 with two players, 30 with three and 24 with six")
    parser.add_argument("--milliseconds", type=float, help="the time of both, instead of the ancestor's depth")
    parser.add_argument("--ours", default="default")
    parser.add_argument("--theirs", default="ancestor")
    parser.add_argument("--our-evaluator", default="race")
    parser.add_argument("--their-evaluator", default="ancestor")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    opponent = read_options(arguments.theirs)
    if arguments.milliseconds is None and not (opponent.deepest_for_two and opponent.deepest_for_more):
        parser.error(f"--theirs {arguments.theirs!r} has no depth of its own: set deepest_for_two and "
                     "deepest_for_more, or say --milliseconds")
    print("| players | games | we come first | × the fair share | our ms a move | theirs | turns a game |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for players in arguments.players:
        print(compare(players, arguments.games or GAMES.get(players, 10 * players), arguments), flush=True)


if __name__ == "__main__":
    main()
