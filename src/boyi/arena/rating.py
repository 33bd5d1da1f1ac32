"""Ratings: how strong players are, from who met whom and who came in which place.

One model serves two players and six. Each player has a strength, and a game fills its
places from the first down: of those still in it, a set comes next with odds

    tie(size of the set) × geometric mean of the strengths in it

With two players that is Bradley and Terry's model with Davidson's draws; with more and
no shared places it is Plackett and Luce's. The strength of a player is multiplied by the
advantage of their seat: the first move, for one.

- Bradley, Terry, "Rank analysis of incomplete block designs", Biometrika 39, 1952.
- Davidson, "On extending the Bradley-Terry model to accommodate ties", JASA 65, 1970;
  Davidson, Beaver, "On extending the Bradley-Terry model to incorporate within-pair
  order effects", Biometrics 33, 1977.
- Turner, van Etten, Firth, Kosmidis, "Modelling rankings in R: the PlackettLuce
  package", Computational Statistics 35, 2020: shared places of any size.

The logarithm of the likelihood is concave, and a weak normal prior makes its peak unique
and finite: a player who won every game gets a high rating with a wide interval, and two
groups that never met are compared by the prior alone, that is, hardly at all. Newton's
method finds the peak; the curvature there gives the intervals.

Ratings are in Elo: between equals one point more is worth as much of a score as in the
logistic curve of Elo, however many games are drawn (a strength by itself tells the odds of
winning to losing, and would stretch where draws are many). In numbers, with k = 400 / ln 10:

    Elo = k × ln(strength) × (1 − the share of draws between equals)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from operator import mul
from typing import NamedTuple

from boyi.arena.score import Z95, normal_share
from boyi.core.errors import OptionError, UnknownNameError

__all__ = ["ELO", "Estimate", "Finish", "Rating", "Ratings", "rate"]

ELO = 400 / math.log(10)
"""Points of Elo in one unit of the logarithm of a strength."""

STRENGTH_SPREAD = 800 / ELO
SEAT_SPREAD = 400 / ELO
TIE_SPREAD = 3.0
"""The prior: standard deviations of the logarithms of strengths, of seats' advantages and of ties' odds. They are
several times what is met in practice, so that a few dozen games outweigh them."""

MOST_STEPS = 100
CLOSE = 1e-6
"""Newton's method has arrived when no logarithm moves by more; what is left is of the order of its square."""


@dataclass(frozen=True)
class Finish:
    """How one game ended, as far as ratings are concerned.

    >>> Finish(("Ada", "Grace"), (1, 2)).places
    (1, 2)
    """

    players: tuple[str, ...]
    """By seat; one who holds several seats is named several times."""

    places: tuple[int, ...]
    """By seat, 1 for the best; equal numbers share a place."""

    def __post_init__(self) -> None:
        if len(self.players) != len(self.places) or len(self.players) < 2:
            raise OptionError(f"a game has two or more players and a place for each, "
                              f"not {len(self.players)} players and {len(self.places)} places")


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Rating:
    """The rating of one player.

    >>> best = rate([Finish(("Ada", "Grace"), (1, 2)), Finish(("Grace", "Ada"), (1, 1))]).rows[0]
    >>> best.name, best.games, best.elo.low < best.elo.value < best.elo.high
    ('Ada', 2, True)
    """

    name: str
    elo: Estimate
    """Relative to the anchor, or to the mean of all."""

    games: int
    """Games it took part in."""


@dataclass(frozen=True)
class Ratings:
    """What games say about the strength of those who played them.

    >>> ratings = rate([Finish(("Ada", "Grace"), (1, 2)), Finish(("Grace", "Ada"), (1, 1))])
    >>> ratings.difference("Ada", "Grace").value > 0, 0.5 < ratings.superiority("Ada", "Grace") < 1
    (True, True)
    """

    rows: tuple[Rating, ...]
    """The strongest first."""

    advantages: tuple[Estimate, ...]
    """Per seat, what sitting there is worth over the last seat, in Elo; the last one is 0. With two players the first
    number is the advantage of the first move."""

    draws: float
    """The share of draws between two equals; 0 if no two ever shared a place."""

    groups: tuple[tuple[str, ...], ...]
    """Players that are linked by games, directly or through others; ratings tell nothing across groups."""

    _fit: _Fit
    _numbers: Mapping[str, int]

    def difference(self, name: str, other: str) -> Estimate:
        """How much stronger one player is than another, in Elo."""
        number, other_number = self._number(name), self._number(other)
        return self._fit.contrast({number: 1.0, other_number: -1.0} if number != other_number else {})

    def superiority(self, name: str, other: str) -> float:
        """The likelihood of superiority (LOS): the probability that one player is stronger than another."""
        difference = self.difference(name, other)
        return normal_share(difference.value / difference.error * Z95) if difference.error else 0.5

    def _number(self, name: str) -> int:
        if name not in self._numbers:
            raise UnknownNameError.among("rated player", name, self._numbers)
        return self._numbers[name]


def rate(finishes: Iterable[Finish], *, anchor: str | None = None, players: Sequence[str] = ()) -> Ratings:
    """Rate all who played, and those of `players` who have not yet.

    The anchor has rating 0; without one the mean of all ratings is 0.

    >>> games = [Finish(("Ada", "Grace"), (1, 2)), Finish(("Grace", "Ada"), (2, 1))] * 15
    >>> games += [Finish(("Ada", "Grace"), (2, 1)), Finish(("Grace", "Ada"), (1, 2))] * 5
    >>> ratings = rate(games, anchor="Grace")
    >>> [(row.name, round(row.elo.value), round(row.elo.error)) for row in ratings.rows]
    [('Ada', 190, 124), ('Grace', 0, 0)]
    >>> round(ratings.superiority("Ada", "Grace"), 3)
    0.999
    """
    # Step 1. Who and what there is to estimate: players, seats but the last, shared places of each size that occurred.
    counted = Counter(finishes)
    names = tuple(dict.fromkeys([*players, *(name for finish in counted for name in finish.players)]))
    if anchor is not None and anchor not in names:
        raise UnknownNameError.among("rated player", anchor, names)
    numbers = {name: number for number, name in enumerate(names)}
    seats = max((len(finish.players) for finish in counted), default=1) - 1
    sizes = sorted({count for finish in counted for count in Counter(finish.places).values() if count > 1})
    ties = {size: len(names) + seats + number for number, size in enumerate(sizes)}
    spreads = [STRENGTH_SPREAD] * len(names) + [SEAT_SPREAD] * seats + [TIE_SPREAD] * len(sizes)

    # Step 2. All that the likelihood depends on: how often each field of players stood before a place to be filled,
    # and the sum of what was chosen then. Games in the same seats are as quick as one.
    fields: Counter[tuple[tuple[int, int], ...]] = Counter()
    chosen = [0.0] * len(spreads)
    taken_part: Counter[str] = Counter()
    for finish, count in counted.items():
        for name in set(finish.players):
            taken_part[name] += count
        field = tuple((numbers[name], seat) for seat, name in enumerate(finish.players))
        for place in sorted(set(finish.places)):
            if len(field) == 1:
                break
            fields[field] += count
            best = [(number, seat) for number, seat in field if finish.places[seat] == place]
            for number, seat in best:
                chosen[number] += count / len(best)
                if seat < seats:
                    chosen[len(names) + seat] += count / len(best)
            if len(best) > 1:
                chosen[ties[len(best)]] += count
            field = tuple((number, seat) for number, seat in field if finish.places[seat] > place)
    choices = [_Choice(
        count,
        (*((number, len(names) + seat) if seat < seats else (number,) for number, seat in field),
         *((ties[size],) for size in sizes)),
        _sets(len(field), tuple(sizes))) for field, count in fields.items()]

    # Step 3. Newton's method; a step that goes too far is halved.
    logarithms = [0.0] * len(spreads)
    height, slope, curvature = _posterior(logarithms, chosen, choices, spreads)
    factor = _cholesky(curvature)
    for _ in range(MOST_STEPS):
        step = _solve_upper(factor, _solve_lower(factor, slope))
        length = 1.0
        while True:
            tried = [value + length * move for value, move in zip(logarithms, step, strict=True)]
            new_height, new_slope, new_curvature = _posterior(tried, chosen, choices, spreads)
            if new_height >= height - 1e-9 * abs(height) or length < 1e-6:
                break
            length /= 2
        logarithms, height, slope = tried, new_height, new_slope
        factor = _cholesky(new_curvature)
        if max(map(abs, step), default=0.0) < CLOSE:
            break

    # Step 4. Put the zero where it belongs and read the intervals off the curvature.
    tie = ties.get(2)
    odds = math.exp(logarithms[tie]) if tie is not None else 0.0
    fit = _Fit(tuple(logarithms), tuple(map(tuple, factor)), odds / (2 + odds), tie)
    rows = []
    for number, name in enumerate(names):
        weights = dict.fromkeys(range(len(names)), -1 / len(names)) if anchor is None else {numbers[anchor]: -1.0}
        weights[number] = weights.get(number, 0.0) + 1
        rows.append(Rating(name, fit.contrast(weights), taken_part[name]))
    rows.sort(key=lambda row: -row.elo.value)
    advantages = [fit.contrast({len(names) + seat: 1.0}) for seat in range(seats)] + [Estimate(0.0, 0.0, 0.0)]
    return Ratings(tuple(rows), tuple(advantages), fit.draws, _groups(names, counted), fit, numbers)


# ---------------------------------------------------------------------- the likelihood

@dataclass(frozen=True)
class _Fit:
    """The peak of the posterior density and its shape there."""

    logarithms: tuple[float, ...]
    """Of players' strengths, then of seats' advantages, then of the odds of ties."""

    factor: tuple[tuple[float, ...], ...]
    """Cholesky's, of the curvature."""

    draws: float
    tie: int | None
    """Which logarithm is that of a tie of two, if any."""

    def contrast(self, weights: Mapping[int, float]) -> Estimate:
        """A weighted sum of logarithms, in Elo, by the delta method."""
        value = math.fsum(weight * self.logarithms[number] for number, weight in weights.items())
        gradient = [0.0] * len(self.logarithms)
        for number, weight in weights.items():
            gradient[number] = (1 - self.draws) * weight
        if self.tie is not None:
            gradient[self.tie] = -self.draws * (1 - self.draws) * value   # the scale is an estimate, too
        solved = _solve_lower(self.factor, gradient)
        reach = ELO * Z95 * math.sqrt(sum(map(mul, solved, solved)))
        value *= ELO * (1 - self.draws)
        return Estimate(value, value - reach, value + reach)


class _Choice(NamedTuple):
    """A field of players before a place that one of them, or several together, will take."""

    times: int
    parameters: tuple[tuple[int, ...], ...]
    """Per term, the logarithms it is the sum of: a player and their seat, or the tie of some size."""

    sets: tuple[tuple[tuple[int, float], ...], ...]
    """Who can come next: each set as terms and what they are multiplied by."""


@lru_cache(maxsize=256)
def _sets(players: int, sizes: tuple[int, ...]) -> tuple[tuple[tuple[int, float], ...], ...]:
    """The sets among a number of players: single ones, and those of the given sizes, with the term of their tie."""
    sets: list[tuple[tuple[int, float], ...]] = [((player, 1.0),) for player in range(players)]
    for number, size in enumerate(sizes):
        sets += [(*((player, 1 / size) for player in members), (players + number, 1.0))
                 for members in combinations(range(players), size)]
    return tuple(sets)


def _posterior(logarithms: Sequence[float], chosen: Sequence[float], choices: Iterable[_Choice],
               spreads: Sequence[float]) -> tuple[float, list[float], list[list[float]]]:
    """The logarithm of the posterior density, its gradient, and its negative second derivatives."""
    size = len(logarithms)
    height = sum(map(mul, chosen, logarithms))
    slope = list(chosen)
    curvature = [[0.0] * size for _ in range(size)]
    for number, (value, spread) in enumerate(zip(logarithms, spreads, strict=True)):
        height -= (value / spread) ** 2 / 2
        slope[number] -= value / spread**2
        curvature[number][number] = 1 / spread**2
    for times, parameters, sets in choices:
        # A choice is a multinomial logit: its gradient is chosen minus mean, its curvature the covariance of the terms.
        terms = [sum([logarithms[parameter] for parameter in group]) for group in parameters]
        odds = [sum([terms[term] * factor for term, factor in members]) for members in sets]
        top = max(odds)
        odds = [math.exp(value - top) for value in odds]
        total = sum(odds)
        height -= times * (top + math.log(total))
        mean = [0.0] * len(terms)
        second = [[0.0] * len(terms) for _ in terms]
        for weight, members in zip(odds, sets, strict=True):
            weight /= total
            for term, factor in members:
                part = weight * factor
                mean[term] += part
                row = second[term]
                for other, other_factor in members:
                    row[other] += part * other_factor
        for term, group in enumerate(parameters):
            for parameter in group:
                slope[parameter] -= times * mean[term]
                row = curvature[parameter]
                for other, other_group in enumerate(parameters):
                    covariance = times * (second[term][other] - mean[term] * mean[other])
                    for other_parameter in other_group:
                        row[other_parameter] += covariance
    return height, slope, curvature


def _groups(names: Sequence[str], finishes: Iterable[Finish]) -> tuple[tuple[str, ...], ...]:
    """Who is linked to whom by games."""
    leader = {name: name for name in names}

    def find(name: str) -> str:
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    for finish in finishes:
        for name in finish.players:
            leader[find(name)] = find(finish.players[0])
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(find(name), []).append(name)
    return tuple(map(tuple, groups.values()))


# ---------------------------------------------------------------------- linear algebra, for a hundred unknowns

def _cholesky(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """The lower triangle whose product with its transpose is a positive definite matrix, row by row."""
    rows: list[list[float]] = []
    for number, line in enumerate(matrix):
        row: list[float] = []
        for column in range(number):
            other = rows[column]
            row.append((line[column] - sum(map(mul, row, other))) / other[column])
        row.append(math.sqrt(line[number] - sum(map(mul, row, row))))
        rows.append(row)
    return rows


def _solve_lower(factor: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve factor × x = right."""
    solution: list[float] = []
    for row, value in zip(factor, right, strict=True):
        solution.append((value - sum(map(mul, row, solution))) / row[-1])
    return solution


def _solve_upper(factor: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve factor transposed × x = right."""
    rest = list(right)
    for number in reversed(range(len(rest))):
        row = factor[number]
        rest[number] /= row[number]
        for column in range(number):
            rest[column] -= row[column] * rest[number]
    return rest
