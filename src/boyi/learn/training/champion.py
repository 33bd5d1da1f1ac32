"""The champion of a run: which of its checkpoints is the strongest, and is it stronger than the last?

Training goes on for as long as it was told to, and nothing says that its last network plays best. So checkpoints from
all over the run play a Swiss tournament (`arena.tournament`), which rates them with error bars; the first of its table
is the champion. Being the first of eighty is luck, too. Therefore the champion then meets the last checkpoint in a
match of its own, of a length that was fixed before, and the stronger of the two is kept.

Games are kept as they end, in the run's folder under `champion/`; the same question goes on where it was interrupted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boyi.arena.bout import Bout
from boyi.arena.pairing import count_stages
from boyi.arena.score import interval
from boyi.arena.table import rate_tournament, table
from boyi.arena.tally import tally
from boyi.arena.tournament import Tournament
from boyi.core.errors import OptionError, shorten
from boyi.core.position import Position
from boyi.learn.training.folder import RunFolder, name_checkpoint


@dataclass(frozen=True, kw_only=True)
class Championship:
    """A tournament of a run's checkpoints, and the match of the champion against the last."""

    run: Path
    start: Position
    iterations: tuple[int, ...]
    """Whose networks play, in order; the last is the last of the run."""

    simulations: int = 100
    """For a move."""

    rounds: int = 10
    """Rounds of a meeting: an opening, once with each side."""

    games: int = 400
    """Of the match."""

    seed: int = 0

    @classmethod
    def of(cls, run: Path, models: int, **more: Any) -> Championship:
        """Of a run in its folder, this number of checkpoints at even distances; the last is always one of them."""
        folder = RunFolder(run)
        start = folder.read_plan()[0]
        if start.players != 2:
            raise OptionError(f"a championship is for games of two, and here are {start.players}")
        return cls(run=run, start=start, iterations=spread(find_iterations(folder), models), **more)

    @property
    def last(self) -> int:
        return self.iterations[-1]

    @property
    def folder(self) -> Path:
        """Where games and results are kept."""
        return self.run / "champion"

    @property
    def tournament(self) -> Tournament:
        """Everybody in it, the Swiss way."""
        return Tournament(contestants=tuple(map(self.spec, self.iterations)), start=self.start, rounds=self.rounds,
                          swiss=count_stages(len(self.iterations)), seed=self.seed,
                          labels=tuple(map(name_checkpoint, self.iterations)))

    def match(self, champion: int) -> Tournament:
        """The champion against the last checkpoint. Its openings are other ones than those of the tournament."""
        return Tournament(contestants=(self.spec(champion), self.spec(self.last)), start=self.start,
                          match_games=self.games, seed=self.seed + 1,
                          labels=(name_checkpoint(champion), name_checkpoint(self.last)))

    def spec(self, iteration: int) -> str:
        return f"mcts:net={RunFolder(self.run).model(iteration)},simulations={self.simulations}"

    def rank(self, bouts: Iterable[Bout]) -> list[dict[str, Any]]:
        """All of them, the strongest first: iteration, games, score, and the rating over the first of them."""
        tournament, games = self.tournament, list(bouts)
        ratings = rate_tournament(tournament, games, anchor=tournament.names[0])
        return [{"iteration": self.iterations[row.contestant], "games": row.games, "wins": row.wins,
                 "draws": row.draws, "losses": row.losses, "score": row.score, "elo": row.elo, "low": row.elo_low,
                 "high": row.elo_high} for row in table(tournament, games, ratings)]


@dataclass(frozen=True)
class Verdict:
    """How the champion did against the last checkpoint."""

    champion: int
    last: int
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Of the champion, from 0 to 1; a half if it is the last."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def stronger(self) -> int:
        """Which to keep: the champion, unless the last scored more."""
        return self.last if self.score < 0.5 else self.champion

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        low, high = interval(self.score, self.games) if self.games else (0.5, 0.5)
        return {"champion": self.champion, "last": self.last, "games": self.games, "wins": self.wins,
                "draws": self.draws, "losses": self.losses, "score": self.score, "low": low, "high": high,
                "stronger": self.stronger, "name": name_checkpoint(self.stronger)}

    @classmethod
    def of(cls, championship: Championship, champion: int, bouts: Sequence[Bout]) -> Verdict:
        mine = tally(bouts, 2, 2)[0]
        return cls(champion, championship.last, mine.wins, mine.draws, mine.losses)


def find_iterations(folder: RunFolder) -> list[int]:
    """The iterations whose networks are there; not the first network, which knows nothing."""
    found = sorted(int(path.stem) for path in (folder.path / "checkpoints").glob("*.onnx"))
    return [iteration for iteration in found if iteration > 0]


def spread(iterations: Sequence[int], count: int) -> tuple[int, ...]:
    """Of iterations in order, a number of them at even distances, with the last.

    >>> spread(range(1, 401), 80)[:3], spread(range(1, 401), 80)[-1], spread([1, 2, 3], 80)
    ((5, 10, 15), 400, (1, 2, 3))
    """
    there = len(iterations)
    if there < 2 or count < 2:
        raise OptionError(f"a tournament has at least two networks, not {shorten(count)} of a run that has {there}")
    count = min(count, there)
    return tuple(iterations[there * number // count - 1] for number in range(1, count + 1))
