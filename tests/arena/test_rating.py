"""Ratings: strengths that are known are found again, and the intervals mean what they say."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import combinations, permutations

import pytest

from boyi.arena.rating import ELO, Finish, Ratings, rate
from boyi.core.errors import OptionError, UnknownNameError
from tests.scale import SOAK, scaled

TOLERANCE = 0.01 if SOAK else 0.025
"""Of a share of 0.95; with a tenth of the tournaments the share itself is known less well."""

NAMES = ("Ada", "Ben", "Cai", "Dan")
STRENGTHS = dict(zip(NAMES, (0.9, 0.3, -0.2, -1.0), strict=True))


def rotations(players: int) -> list[tuple[str, ...]]:
    """Every set of so many, each in every seat once."""
    return [members[seat:] + members[:seat] for members in combinations(NAMES, players) for seat in range(players)]


def odds_of_places(players: tuple[str, ...], seats: tuple[float, ...], ties: dict[int, float]) -> dict[
        tuple[int, ...], float]:
    """Every result of a game and its probability, straight from the definition of the model."""
    results = {(0,) * len(players): 1.0}
    finished: dict[tuple[int, ...], float] = {}
    while results:
        following: dict[tuple[int, ...], float] = {}
        for places, chance in results.items():
            left = [seat for seat, place in enumerate(places) if not place]
            place = len(players) - len(left) + 1
            if len(left) <= 1:
                full = tuple(value or place for value in places)
                finished[full] = finished.get(full, 0.0) + chance
                continue
            sets = [members for size in (1, *ties) for members in combinations(left, size)]
            weights = [ties.get(len(members), 1.0) * math.prod(
                math.exp(STRENGTHS[players[seat]] + seats[seat]) for seat in members) ** (1 / len(members))
                for members in sets]
            for members, weight in zip(sets, weights, strict=True):
                new = tuple(place if seat in members else value for seat, value in enumerate(places))
                following[new] = following.get(new, 0.0) + chance * weight / sum(weights)
        results = following
    return finished


def coverage(fields: list[tuple[str, ...]], games: int, seats: tuple[float, ...], ties: dict[int, float],
             tournaments: int) -> Counter[str]:
    """How often intervals hold the truth: of ratings, of the difference of two, of the first seat's advantage."""
    generator = random.Random(20261116)
    scale = ELO * (2 / (2 + ties[2]) if 2 in ties else 1)
    mean = sum(STRENGTHS.values()) / len(STRENGTHS)
    tables = [(players, odds_of_places(players, seats, ties)) for players in fields]
    held: Counter[str] = Counter()
    for _ in range(tournaments):
        finishes = [Finish(players, places) for players, odds in tables
                    for places in generator.choices(list(odds), list(odds.values()), k=games)]
        ratings = rate(finishes)
        for row in ratings.rows:
            held["ratings"] += row.elo.low <= scale * (STRENGTHS[row.name] - mean) <= row.elo.high
        difference = ratings.difference("Ada", "Dan")
        held["difference"] += difference.low <= scale * (STRENGTHS["Ada"] - STRENGTHS["Dan"]) <= difference.high
        held["seat"] += ratings.advantages[0].low <= scale * (seats[0] - seats[-1]) <= ratings.advantages[0].high
    return held


@pytest.mark.parametrize(("fields", "games", "seats", "ties", "full"), [
    pytest.param(list(permutations(NAMES, 2)), 12, (0.25, 0.0), {2: 0.8}, 10_000, id="pairs with draws"),
    pytest.param(list(permutations(NAMES, 2)), 12, (0.25, 0.0), {}, 2_000, id="pairs without draws"),
    pytest.param(rotations(3), 10, (0.3, 0.1, 0.0), {}, 10_000, id="three players"),
    pytest.param(rotations(4), 40, (0.3, 0.2, 0.1, 0.0), {2: 0.3}, 2_000, id="shared places"),
])
def test_intervals_hold_the_truth_as_often_as_they_say(
        fields: list[tuple[str, ...]], games: int, seats: tuple[float, ...], ties: dict[int, float],
        full: int) -> None:
    tournaments = scaled(full, 20)
    held = coverage(fields, games, seats, ties, tournaments)
    noise = 3.3 * math.sqrt(0.95 * 0.05 / tournaments)   # of a count of independent intervals; ratings are correlated
    assert held["ratings"] / tournaments / len(NAMES) == pytest.approx(0.95, abs=max(TOLERANCE, noise))
    assert held["difference"] / tournaments == pytest.approx(0.95, abs=max(TOLERANCE, noise))
    assert held["seat"] / tournaments == pytest.approx(0.95, abs=max(TOLERANCE, noise))


def test_two_players_by_a_formula() -> None:
    """Without draws the peak of Bradley and Terry's likelihood is the logarithm of wins over losses."""
    ratings = rate([Finish(("a", "b"), (1, 2))] * 150 + [Finish(("b", "a"), (2, 1))] * 150
                   + [Finish(("b", "a"), (1, 2))] * 50 + [Finish(("a", "b"), (2, 1))] * 50, anchor="b")
    difference = ratings.difference("a", "b")
    assert difference.value == pytest.approx(400 * math.log10(3), abs=1)
    assert difference.error == pytest.approx(1.959964 * ELO / math.sqrt(400 * 0.75 * 0.25), rel=0.01)
    assert ratings.advantages[0].value == pytest.approx(0, abs=0.5)
    assert ratings.rows[0].name == "a" and ratings.rows[0].elo == difference
    assert ratings.rows[0].games == 400


def test_draws_do_not_stretch_the_scale() -> None:
    """A score of 55 % is the same difference in Elo, however many games were drawn, and surer with more draws."""
    estimates = []
    for draws in (0, 40, 80):
        wins = 55 - draws // 2
        finishes = ([Finish(("a", "b"), (1, 2))] * (wins * 5) + [Finish(("b", "a"), (2, 1))] * (wins * 5)
                    + [Finish(("a", "b"), (1, 1))] * (draws * 5) + [Finish(("b", "a"), (1, 1))] * (draws * 5)
                    + [Finish(("a", "b"), (2, 1))] * ((100 - draws - wins) * 5)
                    + [Finish(("b", "a"), (1, 2))] * ((100 - draws - wins) * 5))
        estimates.append(rate(finishes).difference("a", "b"))
    for estimate in estimates:
        assert estimate.value == pytest.approx(400 * math.log10(0.55 / 0.45), rel=0.05)
    assert estimates[0].error > estimates[1].error > estimates[2].error


def test_the_advantage_of_the_first_move() -> None:
    ratings = rate([Finish(("a", "b"), (1, 2))] * 60 + [Finish(("b", "a"), (1, 2))] * 60
                   + [Finish(("a", "b"), (2, 1))] * 40 + [Finish(("b", "a"), (2, 1))] * 40)
    assert ratings.difference("a", "b").value == pytest.approx(0, abs=1e-6)
    assert ratings.advantages[0].value == pytest.approx(400 * math.log10(1.5), rel=0.02)
    assert ratings.advantages[0].low > 0
    assert ratings.advantages[-1].value == 0


def test_who_won_everything_is_rated_and_the_interval_is_wide() -> None:
    few = rate([Finish(("a", "b"), (1, 2)), Finish(("b", "a"), (2, 1))]).difference("a", "b")
    many = rate([Finish(("a", "b"), (1, 2)), Finish(("b", "a"), (2, 1))] * 50).difference("a", "b")
    assert 100 < few.value < many.value < 3_000
    assert few.low < 0 < many.low < 500     # two wins prove little, a hundred much, but not how much
    assert few.error > 400
    assert many.error > 400


def test_everything_drawn() -> None:
    ratings = rate([Finish(("a", "b"), (1, 1))] * 50)
    assert [row.elo.value for row in ratings.rows] == pytest.approx([0, 0])
    assert ratings.rows[0].elo.error < 40
    assert ratings.superiority("a", "b") == pytest.approx(0.5)
    assert ratings.draws > 0.9


def test_groups_that_never_met() -> None:
    both_ways = [(1, 2), (2, 1)] * 15
    ratings = rate([Finish(players, places) for players in (("a", "b"), ("b", "a"), ("x", "y"), ("y", "x"))
                    for places in both_ways], players=["nobody"])
    assert ratings.groups == (("nobody",), ("a", "b"), ("x", "y"))
    assert ratings.difference("a", "b").error < 200
    assert ratings.difference("a", "x").error > 1_000
    assert next(row.games for row in ratings.rows if row.name == "nobody") == 0
    assert len(rate([Finish(("a", "b"), (1, 2)), Finish(("b", "x"), (1, 2))]).groups) == 1


def test_superiority() -> None:
    ratings = rate([Finish(("a", "b"), (1, 2))] * 30 + [Finish(("a", "b"), (2, 1))] * 20
                   + [Finish(("b", "a"), (2, 1))] * 30 + [Finish(("b", "a"), (1, 2))] * 20)
    assert ratings.superiority("a", "b") == pytest.approx(1 - ratings.superiority("b", "a"))
    # The well-known formula: the share of a normal distribution below (wins − losses) / √(wins + losses).
    assert ratings.superiority("a", "b") == pytest.approx(0.977, abs=0.005)
    assert ratings.superiority("a", "a") == 0.5


def test_one_player_in_several_seats() -> None:
    """A against two of B, A in every seat in turn: two first places in three games are more than a fair share."""
    finishes = []
    for seat in range(3):
        players = tuple("a" if place == seat else "b" for place in range(3))
        for places in ((1, 2, 3), (3, 1, 2), (2, 3, 1)):
            rotated = tuple(places[(place - seat) % 3] for place in range(3))
            finishes += [Finish(players, rotated)] * (8 if places[0] == 1 else 2)
    ratings = rate(finishes)
    assert ratings.difference("a", "b").low > 0
    assert ratings.rows[0].games == ratings.rows[1].games == 36


def test_the_order_of_games_does_not_matter() -> None:
    generator = random.Random(4)
    finishes = [Finish(tuple(generator.sample(NAMES, 3)), tuple(generator.choice([(1, 2, 3), (1, 1, 3), (2, 1, 2)])))
                for _ in range(60)]
    first = rate(finishes, players=NAMES)
    generator.shuffle(finishes)
    second = rate(finishes, players=NAMES)
    for row, other in zip(first.rows, second.rows, strict=True):
        assert row.name == other.name
        assert row.elo.value == pytest.approx(other.elo.value, abs=1e-6)


def test_a_hundred_players() -> None:
    generator = random.Random(8)
    strengths = {f"player {number}": generator.gauss(0, 1) for number in range(100)}
    finishes = []
    for name in strengths:
        for rival in generator.sample(sorted(strengths), 8):
            if rival != name:
                chance = 1 / (1 + math.exp(strengths[rival] - strengths[name]))
                finishes += [Finish((name, rival), (1, 2) if generator.random() < chance else (2, 1))
                             for _ in range(10)]
    ratings: Ratings = rate(finishes)
    assert len(ratings.groups) == 1
    assert sum(row.elo.value for row in ratings.rows) == pytest.approx(0, abs=1e-6)
    held = sum(row.elo.low <= ELO * (strengths[row.name] - sum(strengths.values()) / 100) <= row.elo.high
               for row in ratings.rows)
    assert held >= 88


def test_refusals() -> None:
    with pytest.raises(OptionError, match="a place for each"):
        Finish(("a", "b"), (1,))
    with pytest.raises(OptionError, match="two or more"):
        Finish(("a",), (1,))
    with pytest.raises(UnknownNameError, match="There are: a, b"):
        rate([Finish(("a", "b"), (1, 2))], anchor="c")
    with pytest.raises(UnknownNameError, match="rated player"):
        rate([Finish(("a", "b"), (1, 2))]).difference("a", "c")
    assert rate([]).rows == ()
