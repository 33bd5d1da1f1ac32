"""SPRT: the bounds, the likelihood ratio, and wrong answers no more often than promised."""

from __future__ import annotations

import math
import random

import pytest

from boyi.arena.sprt import Sprt, most_likely, parse_sprt
from boyi.core.errors import BoyiError, OptionError
from boyi.learn.tuning.trial import count_points
from tests.scale import scaled


def pair_odds(elo: float, opening: float, draws: float) -> list[float]:
    """The chances of 0, ½ … 2 points of a pair, its opening worth so much Elo to the first player or to the second."""
    chances = [0.0] * 5
    for sign in (1, -1):
        games = []
        for side in (1, -1):
            score = 1 / (1 + 10 ** (-(elo + sign * side * opening) / 400))
            drawn = 2 * draws * min(score, 1 - score)
            games.append([1 - score - drawn / 2, drawn, score - drawn / 2])
        for first, chance in enumerate(games[0]):
            for second, other in enumerate(games[1]):
                chances[first + second] += chance * other / 2
    return chances


def mean_elo(chances: list[float]) -> float:
    score = sum(points * chance for points, chance in enumerate(chances)) / 4
    return 400 * math.log10(score / (1 - score))


def run(test: Sprt, chances: list[float], generator: random.Random, points: int = 5) -> str:
    """One test from beginning to end, looked at after every eight observations."""
    counts = [0] * points
    for _ in range(100_000):
        for result in generator.choices(range(points), chances, k=8):
            counts[result] += 1
        verdict = test.verdict(counts)
        if verdict is not None:
            return verdict
    raise AssertionError("a test that does not end")


@pytest.mark.parametrize("truth", ["elo0", "elo1"])
@pytest.mark.parametrize("opening", [0, 200])
def test_wrong_answers_are_as_rare_as_promised(truth: str, opening: float) -> None:
    runs = scaled(2_000)
    generator = random.Random(f"{truth} {opening}")
    # With unbalanced openings a difference between the players shows less: test what the pairs really score.
    strength = 0 if truth == "elo0" else 50
    test = Sprt(elo0=0, elo1=mean_elo(pair_odds(50, opening, 0.4)), alpha=0.05, beta=0.1)
    chances = pair_odds(strength, opening, 0.4)
    wrong = sum(run(test, chances, generator) != truth for _ in range(runs))
    promised = test.alpha if truth == "elo0" else test.beta
    assert wrong / runs <= promised + 3 * math.sqrt(promised * (1 - promised) / runs)
    assert wrong > 0   # a test that is never wrong plays too long


def test_wrong_answers_without_pairs() -> None:
    runs = scaled(1_000)
    generator = random.Random(5)
    test = Sprt(elo0=0, elo1=60)
    wrong = sum(run(test, [0.3, 0.4, 0.3], generator, 3) == "elo1" for _ in range(runs))
    assert wrong / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


def finish_among(strengths: list[float], generator: random.Random) -> list[int]:
    """Places by seat, as Plackett and Luce have it."""
    places, left = [0] * len(strengths), list(range(len(strengths)))
    for place in range(1, len(strengths) + 1):
        (best,) = generator.choices(left, [strengths[seat] for seat in left])
        left.remove(best)
        places[best] = place
    return places


@pytest.mark.parametrize("players", [3, 6])
@pytest.mark.parametrize("truth", ["elo0", "elo1"])
def test_wrong_answers_with_more_players(players: int, truth: str) -> None:
    """Pairs of games in which half of the seats are stronger, then the others: how often these came first."""
    runs, elo = scaled(400), 60.0
    generator = random.Random(f"{truth} {players}")
    test = Sprt(elo0=0, elo1=elo, alpha=0.05, beta=0.1)
    strength = 10 ** ((elo if truth == "elo1" else 0.0) / 400)
    most = 2 * (players // 2) * (players - players // 2)
    wrong = 0
    for _ in range(runs):
        counts, verdict = [0] * (2 * most + 1), None
        while verdict is None:
            for _ in range(8):
                chosen = generator.sample(range(players), players // 2)
                first = [seat in chosen for seat in range(players)]
                counts[sum(count_points(seats, finish_among([strength if seat else 1.0 for seat in seats], generator))
                           for seats in (first, [not seat for seat in first]))] += 1
            verdict = test.verdict(counts)
        wrong += verdict != truth
    promised = test.alpha if truth == "elo0" else test.beta
    assert wrong / runs <= promised + 3 * math.sqrt(promised * (1 - promised) / runs)


def test_normalized_elo_has_the_same_errors() -> None:
    runs = scaled(1_000)
    generator = random.Random(6)
    test = Sprt(elo0=0, elo1=60, scale="normalized")
    wrong = sum(run(test, pair_odds(0, 100, 0.6), generator) == "elo1" for _ in range(runs))
    assert wrong / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


def test_pairs_decide_with_fewer_games() -> None:
    """With unbalanced openings the five results of pairs tell more than the three of their games."""
    chances = pair_odds(30, 300, 0.3)
    counts = [round(1_000 * chance) for chance in chances]
    # The same games without knowing which belong together; a pair of 1 point is two draws, or a win and a loss.
    games = [0, 0, 0]
    for sign in (1, -1):
        score = 1 / (1 + 10 ** (-(30 + sign * 300) / 400))
        drawn = 0.6 * min(score, 1 - score)
        for number, share in enumerate((1 - score - drawn / 2, drawn, score - drawn / 2)):
            games[number] += round(1_000 * share)
    test = Sprt(elo0=0, elo1=10)
    assert test.ratio(counts) > 1.5 * test.ratio(games) > 0


@pytest.mark.parametrize("counts", [(40, 220, 480, 260, 50), (180, 420, 220), (5, 60, 900, 70, 8)])
@pytest.mark.parametrize("scale", ["logistic", "normalized"])
def test_the_ratio_is_near_its_approximation(counts: tuple[int, ...], scale: str) -> None:
    """For small differences LLR ≈ n (s1 − s0) (2 s − s0 − s1) / (2 σ²), Van den Bergh's first formula."""
    test = parse_sprt(f"elo0=0,elo1=2,scale={scale}")
    number = sum(counts)
    scores = [step / (len(counts) - 1) for step in range(len(counts))]
    mean = sum(count * score for count, score in zip(counts, scores, strict=True)) / number
    variance = sum(count * (score - mean) ** 2 for count, score in zip(counts, scores, strict=True)) / number
    if scale == "logistic":
        target = 1 / (1 + 10 ** (-2 / 400))
    else:
        target = 0.5 + 2 * math.log(10) / 800 * math.sqrt(variance * (2 if len(counts) == 5 else 1))
    expected = number * (target - 0.5) * (2 * mean - 0.5 - target) / (2 * variance)
    assert test.ratio(counts) == pytest.approx(expected, rel=0.03)


def test_the_ratio_of_the_mirror_image_is_the_opposite() -> None:
    counts = [3, 20, 50, 30, 9]
    assert Sprt(-5, 5).ratio(counts) == pytest.approx(-Sprt(-5, 5).ratio(counts[::-1]))
    assert Sprt(-5, 5).ratio([10, 20, 50, 20, 10]) == pytest.approx(0, abs=1e-9)
    assert Sprt(0, 10).ratio([0] * 5) == 0


def test_nothing_but_wins_ends_soon() -> None:
    test = Sprt(0, 10)
    assert test.verdict([0, 0, 0, 0, 1]) is None
    assert test.verdict([0, 0, 0, 0, 500]) == "elo1"
    assert test.verdict([500, 0, 0, 0, 0]) == "elo0"
    assert test.verdict([0, 0, 5_000, 0, 0]) == "elo0"


def test_the_most_likely_distribution() -> None:
    scores = [0, 0.25, 0.5, 0.75, 1]
    for mean in (0.001, 0.3, 0.6, 0.999):
        shares = most_likely([0.1, 0.2, 0.3, 0.3, 0.1], scores, mean)
        assert sum(shares) == pytest.approx(1)
        assert sum(share * score for share, score in zip(shares, scores, strict=True)) == pytest.approx(mean)
        assert min(shares) > 0


@pytest.mark.parametrize(("text", "words"), [
    ("", "needs elo0 and elo1"), ("elo0=0", "elo1 missing"), ("elo0=0,elo1=0", "not below"), ("elo0", "NAME=VALUE"),
    ("elo0=x,elo1=1", "number"), ("elo0=nan,elo1=1", "-2000 to 2000"), ("elo0=0,elo1=1,alpha=0.7", "below 0.5"),
    ("elo0=0,elo1=1,beta=0", "below 0.5"), ("elo0=0,elo0=1", "twice"), ("elo0=0,elo2=1", "did you mean"),
    ("elo0=0,elo1=1,scale=best", "There are: logistic, normalized"), ("elo0=0,elo1=1e9", "-2000 to 2000"),
])
def test_bad_tests_are_refused(text: str, words: str) -> None:
    with pytest.raises(BoyiError) as caught:
        parse_sprt(text)
    assert words in str(caught.value)


def test_bad_counts_are_refused() -> None:
    for counts in ([1, 2], [1, 2, -3], [1, 2, 3, 4], []):
        with pytest.raises(OptionError, match="five or more of pairs"):
            Sprt().ratio(counts)
