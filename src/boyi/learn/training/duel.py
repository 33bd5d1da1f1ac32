"""Duels: games of a model against random moves, a level or an earlier model, by the arena.

Games are those of a match (`arena.match`): pairs from one opening with colours changed, decided by a number and a
seed. A model travels with them as bytes, so that they can be played anywhere. Two models play alike whenever they
begin alike: a game that repeats an earlier one is counted once (`arena.distinct`).
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from boyi.arena.distinct import identify
from boyi.arena.match import Match, Played
from boyi.arena.pool import Pool
from boyi.arena.rating import Finish, Ratings, rate
from boyi.arena.score import elo, interval
from boyi.arena.sprt import Sprt, Verdict
from boyi.core.errors import OptionError
from boyi.core.position import Position
from boyi.learn.training.models import place

NET = "{net}"
"""Stands in a spec for the file of the model."""


@dataclass(frozen=True)
class Contestant:
    """An agent with a name to be rated by."""

    name: str
    spec: str
    """With `NET` where the file of its model belongs."""

    model: bytes | None = field(default=None, repr=False)

    def resolve(self) -> str:
        """The spec in this process."""
        return self.spec if self.model is None else self.spec.replace(NET, str(place(self.model)))


@dataclass(frozen=True)
class Game:
    """How a game ended."""

    number: int
    seats: tuple[int, ...]
    """Per seat, which contestant."""

    places: tuple[int, ...]
    moves: int
    failures: tuple[str, ...] = ()
    identity: bytes | None = None
    """What it shares with those that it repeats; see `distinct.identify`."""


@dataclass(frozen=True)
class Duel:
    """Games of two contestants; what workers are sent."""

    contestants: tuple[Contestant, Contestant]
    start: Position
    games: int
    seed: int = 0
    random_plies: int = 4

    @cached_property
    def _match(self) -> Match:
        return Match(tuple(contestant.resolve() for contestant in self.contestants), self.start, self.games,
                     random_plies=self.random_plies, seed=self.seed)

    def play(self, number: int) -> Game:
        """One game; its number decides everything about it."""
        played: Played = self._match.play(number)
        agents = [f"{contestant.name} {contestant.spec}" for contestant in self.contestants]   # not where the file lies
        return Game(number, played.contestants, played.places, played.decisions,
                    tuple(failure.message for failure in played.failures),
                    identify(self._match, played, [agents[contestant] for contestant in played.contestants]))

    def __getstate__(self) -> dict[str, Any]:
        """A model lies in a file of its process; another process makes its own."""
        return {name: value for name, value in vars(self).items() if name != "_match"}


@dataclass(frozen=True)
class Score:
    """The results of the first of two."""

    wins: int
    draws: int
    losses: int
    verdict: Verdict | None = None
    """Of the sequential test, if there was one and it is decided."""

    repeated: int = 0
    """Further games, which repeated earlier ones."""

    @property
    def games(self) -> int:
        """Those that count."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """Of the points, from 0 to 1."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        low, high = interval(self.share, self.games)
        return {"games": self.games, **({"repeated": self.repeated} if self.repeated else {}),
                "wins": self.wins, "draws": self.draws, "losses": self.losses,
                "score": self.share, "low": low, "high": high,
                "elo": max(-9999.0, min(elo(self.share), 9999.0)), "verdict": self.verdict}


def play_duel(duel: Duel, pool: Pool, test: Sprt | None = None,
              on_game: Callable[[int, Score], None] = lambda games, score: None) -> tuple[Score, list[Finish]]:
    """All games, or as many as the test needs: the score, and each result for the ratings.

    Games are looked at in order, so that the answer does not depend on which ended first.
    """
    results: Counter[int] = Counter()
    pairs = [0] * 5
    finishes: list[Finish] = []
    verdict: Verdict | None = None
    names = [contestant.name for contestant in duel.contestants]
    seen: set[bytes] = set()
    repeated = 0
    last: tuple[int, bool] = 0, False
    with contextlib.closing(pool.run(duel.play, range(duel.games), in_order=True,
                                     name=lambda number: f"game {number + 1} of {' – '.join(names)}")) as games:
        for game in games:
            if game.failures:
                raise OptionError(f"an agent failed in game {game.number + 1} of {' – '.join(names)}: "
                                  f"{game.failures[0]}")
            seat = game.seats.index(0)
            result, is_new = compare(game.places, seat), game.identity is None or game.identity not in seen
            if game.identity is not None:
                seen.add(game.identity)
            if is_new:
                results[result] += 1
                finishes.append(Finish(tuple(names[contestant] for contestant in game.seats), game.places))
            else:
                repeated += 1
            if game.number % 2 and (is_new or last[1]):
                pairs[2 + last[0] + result] += 1
                if test is not None:
                    verdict = test.verdict(pairs)
            last = result, is_new
            on_game(game.number + 1, Score(results[1], results[0], results[-1], verdict, repeated))
            if verdict is not None:
                break
    return Score(results[1], results[0], results[-1], verdict, repeated), finishes


def compare(places: Sequence[int], seat: int) -> int:
    """1 if the player at a seat came out ahead of more of the others than came out ahead of them, -1 if of fewer.

    >>> compare((1, 2), 0), compare((2, 2, 1), 0), compare((2, 1, 3), 0)
    (1, -1, 0)
    """
    ahead = sum((places[seat] < place) - (places[seat] > place) for place in places)
    return (ahead > 0) - (ahead < 0)


# ---------------------------------------------------------------------- ratings

def count_results(finishes: Iterable[Finish]) -> list[dict[str, Any]]:
    """Results as JSON keeps them, equal ones together."""
    return [{"agents": list(finish.players), "places": list(finish.places), "times": times}
            for finish, times in sorted(Counter(finishes).items(), key=lambda item: (item[0].players, item[0].places))]


def rate_results(results: Sequence[Mapping[str, Any]], anchor: str) -> Ratings:
    """A Bradley–Terry ladder of all that was played; the anchor has rating 0."""
    return rate((Finish(tuple(result["agents"]), tuple(result["places"])) for result in results
                 for _ in range(result["times"])), anchor=anchor, players=[anchor])
