"""Tuning: methods find the top of a hill that only games show, and runs are the same however they are cut."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import boyi
from boyi.agents import read_spec
from boyi.arena.journal import JournalFile
from boyi.arena.pool import Pool
from boyi.arena.sprt import Sprt
from boyi.core.errors import BoyiError, OptionError, RecordError
from boyi.learn.tuning.parameters import Parameter, Values, find_parameters, put, read_parameters
from boyi.learn.tuning.run import LAG, Check, Method, State, run
from boyi.learn.tuning.spsa import Spsa
from boyi.learn.tuning.trial import Trial, Tuning, count_points
from tests.scale import SOAK

# ---------------------------------------------------------------------- games of a known strength

AXES = (Parameter("one", 2.0, 0.0, 10.0, False), Parameter("two", 0.5, -1.0, 1.0, False),
        Parameter("three", 40, 0, 100, True))
TOP: Values = (7.0, -0.3, 65.0)
STEEPNESS = (2.0, 50.0, 0.02)
"""Elo lost at a distance of 1, per parameter; the start is 78 Elo below the top."""


def strength(values: Sequence[float]) -> float:
    one, two, three = (value - top for value, top in zip(values, TOP, strict=True))
    # The first two lean on each other, so that no axis can be climbed alone.
    return -sum(steep * gap * gap for steep, gap in zip(STEEPNESS, (one, two, three), strict=True)) - 4 * one * two


def play(elo: float, generator: random.Random) -> float:
    """A game: lost, drawn or won."""
    score = 1 / (1 + 10 ** (-elo / 400))
    drawn = 0.4 * min(score, 1 - score)
    return generator.choices((0.0, 0.5, 1.0), (1 - score - drawn / 2, drawn, score - drawn / 2))[0]


def climb(method: Method, pairs: int, seed: int) -> float:
    """How far below the top a method ends, in Elo, told as late as in a real run."""
    generator = random.Random(seed)
    scores: list[float] = []
    for number in range(pairs + LAG):
        if number >= LAG:
            method.tell(scores[number - LAG])
        if number < pairs:
            plus, minus = method.propose(number)
            elo = strength(plus) - strength(minus)
            scores.append((play(elo, generator) + play(elo, generator)) / 2)
    for one, value in zip(AXES, method.values, strict=True):
        assert one.low <= value <= one.high
    return -strength(method.values)


def start_of(parameters: Sequence[Parameter] = AXES) -> float:
    return -strength([one.start for one in parameters])


def test_spsa_climbs_to_the_top() -> None:
    assert start_of() > 75
    left = [climb(Spsa(AXES, 4_000, 0.025, seed), 4_000, seed) for seed in range(4)]
    assert sum(left) / len(left) < 12
    assert max(left) < 25


def test_spsa_goes_nowhere_without_a_hill() -> None:
    """The steps of games between equals cancel: no drift, whatever the coins."""
    method = Spsa(AXES, 2_000, 0.05, 1)
    for number in range(2_000):
        method.propose(number)
        method.tell(0.5)
    assert method.values == tuple(float(one.start) for one in AXES)


def test_the_gains_of_spsa_are_those_of_fishtest() -> None:
    """By hand, from fishtest's own terms: a = r_end c_end² (A + N)^α, c = c_end N^γ, and their course."""
    one, pairs, rate = Parameter("one", 5.0, 0.0, 10.0, False, step=0.5), 200, 0.01
    method = Spsa((one,), pairs, rate, 3)
    a = rate * 0.5**2 * (0.1 * pairs + pairs) ** 0.602
    c = 0.5 * pairs**0.101
    value = 5.0
    for number in range(pairs):
        k = number + 1
        c_k, a_k = c / k**0.101, a / (0.1 * pairs + k) ** 0.602
        plus, minus = method.propose(number)
        assert plus[0] - minus[0] == pytest.approx(2 * c_k * math.copysign(1, plus[0] - minus[0]), abs=0.011)
        coin = math.copysign(1, plus[0] - minus[0])
        wins = number % 3 - 1                       # lost, level, won by one game
        value += a_k / c_k * coin * wins            # = R c flip result
        method.tell((wins + 2) / 4)
        assert method.values[0] == pytest.approx(value, abs=1e-9)
    assert c / pairs**0.101 == pytest.approx(0.5)   # c_end and r_end are what they come to
    assert a / (1.1 * pairs) ** 0.602 / 0.5**2 == pytest.approx(rate)


def surface(parameters: Sequence[Parameter], pairs: int, seed: int) -> Method:
    for name in ("scipy", "numpy"):
        pytest.importorskip(name, reason="tuning by a surface needs more: pip install 'boyi[tune]'")
    from boyi.learn.tuning.surface import Surface
    return Surface(parameters, pairs, seed)


@pytest.mark.slow
def test_a_surface_finds_the_top() -> None:
    left = [climb(surface(AXES, 1_000, seed), 1_000, seed) for seed in range(4 if SOAK else 1)]
    assert max(left) < 12


def test_the_points_of_a_surface_are_those_of_0_1_0() -> None:
    """Which took them from Optuna: a journal of that version goes on."""
    pair = (Parameter("one", 2.0, 0.0, 10.0, False), Parameter("two", 5, 0, 10, True))
    for seed, sides in (
            (5, [((2.22, 8), (2.07, 9)), ((6.31, 2), (5.25, 7)), ((2.04, 8), (4.92, 1)), ((5.31, 4), (0.02, 9))]),
            (2**40 + 1, [((4.17, 7), (0.0, 3)), ((1.55, 5), (6.08, 2)), ((8.85, 1), (0.19, 6)),
                         ((0.6, 10), (4.37, 4))])):
        method = surface(pair, 40, seed)
        assert [method.propose(number) for number in (0, 1, 2, 9)] == sides


def test_a_flat_surface_has_its_top_at_the_start() -> None:
    method = surface(AXES, 40, 1)
    for number in range(40):
        method.propose(number)
        method.tell(0.5)
    assert method.values == pytest.approx([one.start for one in AXES])


def test_the_top_of_a_surface_may_be_an_end() -> None:
    one = (Parameter("one", 2.0, 0.0, 10.0, False),)
    method, generator = surface(one, 300, 1), random.Random(1)
    for number in range(300):
        plus, minus = method.propose(number)
        elo = 30 * (plus[0] - minus[0])
        method.tell((play(elo, generator) + play(elo, generator)) / 2)
    assert method.values == (10.0,)


def test_whole_numbers_are_rounded_at_random_and_alike_on_both_sides() -> None:
    one = Parameter("one", 3, 0, 10, True, step=0.5)
    assert [one.round(2.3, fraction) for fraction in (0.0, 0.69, 0.71, 0.99)] == [2, 2, 3, 3]
    assert one.round(10.9, 0.9) == 10 and one.round(-1, 0.0) == 0
    method = Spsa((one,), 100, 0.01, 1)
    gaps = {abs(plus[0] - minus[0]) for plus, minus in map(method.propose, range(100))}
    assert gaps <= {1, 2}                            # never the same on both sides: that game would be wasted
    assert Parameter("one", 3, 1, 5, True).reach == 0.5


# ---------------------------------------------------------------------- real games



def small(**changes: object) -> Tuning:
    """Games of tic-tac-toe, which take no time; two random moves begin each."""
    start = boyi.start("tic_tac_toe")
    agent = "mcts:nodes=12,gumbel=on"
    parameters = read_parameters("gumbel_noise=3:0..5,gumbel_moves=6:2..10", read_spec(agent), start)
    tuning = Tuning(agent, start, parameters, pairs=24, check_pairs=6, random_plies=2, seed=5)
    return replace(tuning, **changes)   # type: ignore[arg-type]


def finish(tuning: Tuning, path: Path, jobs: int = 1) -> tuple[State, list[str]]:
    with JournalFile(path, "tuning", tuning.settings()) as journal, Pool(jobs) as pool:
        *_, state = run(tuning, journal, pool)
    assert state.done
    return state, sorted(path.read_text().splitlines()[1:])


@pytest.mark.parametrize("method", ["spsa", pytest.param("surface", marks=pytest.mark.slow)])
def test_a_run_that_was_cut_anywhere_ends_the_same(method: str, tmp_path: Path) -> None:
    if method == "surface":
        surface(AXES, 1, 1)
    tuning = small(method=method)
    whole, lines = finish(tuning, tmp_path / "whole")
    assert whole.tuned not in (None, tuning.begin) and len(lines) >= tuning.pairs
    assert len({values for _, values in whole.path}) > 3       # there is something to be the same
    content = (tmp_path / "whole").read_bytes()
    for cut in (10, len(content) // 2, len(content) - 1):
        (tmp_path / "cut").write_bytes(content[:cut])
        again, same = finish(tuning, tmp_path / "cut")
        assert again == whole
        assert same == lines


def test_a_run_is_the_same_on_any_number_of_processes(tmp_path: Path) -> None:
    tuning = small()
    alone, lines = finish(tuning, tmp_path / "alone")
    crew, same = finish(tuning, tmp_path / "crew", jobs=2)
    assert crew == alone
    assert set(lines) <= set(same)                   # a crew may have begun a few pairs that nobody needs
    assert finish(replace(tuning, seed=6), tmp_path / "other")[0].path != alone.path


def test_a_journal_with_gaps_is_filled(tmp_path: Path) -> None:
    """Trials end in any order. One that is missing is waited for before anything is proposed that depends on it."""
    tuning = small()
    whole, lines = finish(tuning, tmp_path / "whole")
    header, *trials = (tmp_path / "whole").read_text().splitlines()
    for gaps in ({0}, {2, 3, 17}, {5, 21, 26}, set(range(0, 24, 2))):
        (tmp_path / "gaps").write_text("\n".join([header, *(
            line for number, line in enumerate(trials) if number not in gaps)]) + "\n")
        for jobs in (1, 2):
            again, same = finish(tuning, tmp_path / "gaps", jobs)
            assert again == whole
            assert set(lines) <= set(same)


def test_a_trial_is_proposed_from_exactly_those_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[tuple[str, int]] = []

    class Noting:
        values: Values = (3.0, 6)

        def propose(self, number: int) -> tuple[Values, Values]:
            events.append(("propose", number))
            return (3.0, 6), (3.0, 6)

        def tell(self, score: float) -> None:
            events.append(("tell", sum(what == "tell" for what, _ in events)))

    monkeypatch.setattr("boyi.learn.tuning.run.make_method", lambda tuning: Noting())
    finish(small(), tmp_path / "journal")
    expected = [event for number in range(24 + LAG) for event in (("tell", number - LAG), ("propose", number))
                if 0 <= event[1] < 24]
    assert events == expected


KILLED = """
import os, signal, sys
from pathlib import Path
from boyi.arena.journal import JournalFile
from boyi.arena.pool import Pool
from boyi.learn.tuning.run import run
from tests.learn.tuning.test_tune import small
tuning = small()
def watch(phase, number):
    if number == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
with JournalFile(Path(sys.argv[1]), "tuning", tuning.settings()) as journal:
    for state in run(tuning, journal, Pool(), watch):
        pass
"""


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    whole, lines = finish(small(), tmp_path / "whole")
    for number in (3, 18):
        done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "killed"), str(number)], check=False,
                              cwd=Path(__file__).parents[3], env={**os.environ, "PYTHONPATH": os.curdir})
        assert done.returncode == -signal.SIGKILL
    assert len((tmp_path / "killed").read_text().splitlines()) == 1 + 19
    again, same = finish(small(), tmp_path / "killed")
    assert (again, same) == (whole, lines)


def test_a_journal_of_other_games_is_refused(tmp_path: Path) -> None:
    tuning = small()
    finish(tuning, tmp_path / "journal")
    with pytest.raises(OptionError, match="its seed is 5, here it is 6"):
        finish(replace(tuning, seed=6), tmp_path / "journal")
    lines = (tmp_path / "journal").read_text().splitlines()
    facts = json.loads(lines[3])
    for change, words in (({"plus": [9, 9]}, "went another way"), ({"points": [9, 9]}, "no trial"),
                          ({"points": 3}, "no trial")):
        (tmp_path / "bad").write_text("\n".join([*lines[:3], json.dumps(facts | change), *lines[4:]]) + "\n")
        with pytest.raises(RecordError, match=words):
            finish(tuning, tmp_path / "bad")
    (tmp_path / "bad").write_text("a diary\n")
    with pytest.raises(RecordError, match="not the journal of a tuning"):
        finish(tuning, tmp_path / "bad")


def test_one_process_at_a_time_writes_a_journal(tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="this system has no such locks")
    settings = small().settings()
    with JournalFile(tmp_path / "journal", "tuning", settings), pytest.raises(BoyiError, match="another process"):
        JournalFile(tmp_path / "journal", "tuning", settings)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_both_sides_of_a_trial_are_treated_alike(players: int) -> None:
    """The same games, seen from the other side: points of one are what the other lacks."""
    start = boyi.start("chinese_checkers", players=players)
    agent = "multiplayer:preset=plain,nodes=20,evaluator=race,endings=off"
    tuning = Tuning(agent, start, read_parameters("hop=18:0..60,lag=6:0..20", read_spec(agent), start), 1)
    one, other = (tuning.play(Trial("tune", 0, *sides)) for sides in (((0, 0), (18, 6)), ((18, 6), (0, 0))))
    assert tuple(reversed(other.points)) == tuple(tuning.most - points for points in one.points)
    assert one.score + other.score == 1
    assert one.score < 0.5                           # stragglers lose games
    level = tuning.play(Trial("tune", 1, (18, 6), (18, 6)))
    assert level.score == 0.5                        # equal settings are equally strong
    seats = [tuning.seats("tune", number) for number in range(200)]
    assert {sum(some) for some in seats} == {players // 2}
    assert len(set(seats)) == math.comb(players, players // 2)


def test_points_are_couples() -> None:
    assert count_points([True, False], [1, 2]) == 2
    assert count_points([True, False], [1, 1]) == 1
    assert count_points([True, False, True, False], [1, 2, 3, 4]) == 6
    assert count_points([False, True, True], [1, 2, 2]) == 0


def test_no_change_needs_no_test(tmp_path: Path) -> None:
    state, lines = finish(small(rate=1e-9), tmp_path / "journal")
    assert state.tuned == (3.0, 6) and state.check.pairs == 0
    assert len(lines) == 24


def test_the_test_ends_when_it_is_decided(tmp_path: Path) -> None:
    """Nobody loses that badly: half a dozen pairs are enough to know."""
    tuning = small(check_pairs=200, test=Sprt(elo0=-1500, elo1=-1000))
    state, lines = finish(tuning, tmp_path / "journal")
    assert state.check.verdict == "elo1"
    assert 0 < state.check.pairs < 50
    assert len(lines) <= tuning.pairs + state.check.pairs + LAG


def test_intervals_of_few_pairs_are_wide() -> None:
    low, high = Check(Sprt(), (0, 0, 0, 0, 3)).interval
    assert low < 0.7 and high == 1
    low, high = Check(Sprt(), (100, 0, 0, 0, 100)).interval
    assert low == pytest.approx(0.5 - 1.96 * 0.5 / math.sqrt(200), abs=0.002)
    assert Check(Sprt(), (0, 0, 0, 0, 0)).interval == (0, 1)


# ---------------------------------------------------------------------- which parameters there are

def test_everything_that_is_a_number_can_be_tuned() -> None:
    start = boyi.start("chinese_checkers", players=3)
    found = {one.name: one for one in find_parameters(read_spec("multiplayer:preset=seed,targets=4"), start)}
    assert found["targets"] == Parameter("targets", 4, 2, 6, True)
    assert found["weights.own_weight"] == Parameter("weights.own_weight", 3.0, 1.5, 4.5, False)
    assert found["win_bonus"].low == 0
    (edge,) = (one for one in find_parameters(read_spec("alphabeta:symmetry_plies=1"), boyi.start("tic_tac_toe"))
               if one.name == "symmetry_plies")
    assert (edge.low, edge.start, edge.high) == (1, 1, 3)      # there is nothing below
    assert "table_mb" not in found and "killers" not in found and "algorithm" not in found
    xiangqi = {one.name: one for one in find_parameters(read_spec("alphabeta:weights.rook.0=900"),
                                                        boyi.start("xiangqi"))}
    assert xiangqi["weights.rook.0"].start == 900 and xiangqi["weights.horse_middle.2.3"].start == 51
    for game, agent in (("othello", "mcts"), ("jieqi", "expectimax"), ("tic_tac_toe", "alphabeta")):
        spec, position = read_spec(agent), boyi.start(game)
        for one in find_parameters(spec, position):
            assert one.low <= one.start <= one.high
            for end in (one.low, one.high):
                read_spec(put(spec, (one,), (end,))).check(position)


@pytest.mark.parametrize(("text", "words"), [
    ("own_wait=3", "did you mean"),
    ("nodes=3:1..5", "no number that could make it play better"),
    ("algorithm", "no number"),
    ("", "no parameter of multiplayer is called ''"),
    ("targets,targets", "twice"),
    ("targets=3:1", "LOW..HIGH"),
    ("targets=3:1..2", "outside its range"),
    ("targets=3:4..2", "nothing to tune"),
    ("targets=x:1..5", "not a number"),
    ("targets=2.5:1..5", "whole numbers"),
    ("targets=3:1..5:4", "half its range"),
    ("targets=3:1..5:1:1", "NAME=START:LOW..HIGH:STEP"),
    ("targets=3:-1..5", "less than 0"),
    ("own_weight=3:-1..5", "from 0 to 1000"),
    ("own_weight=nan:1..5", "not a number"),
    ("win_bonus=1e400:0..5", "not a number"),
])
def test_what_cannot_be_tuned_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(BoyiError) as caught:
        read_parameters(text, read_spec("multiplayer:preset=seed,nodes=5"), boyi.start("chinese_checkers"))
    assert words in str(caught.value)
    assert len(str(caught.value)) < 400


def test_xiangqi_has_too_many_to_tell() -> None:
    with pytest.raises(BoyiError, match="did you mean 'tempo") as caught:
        read_parameters("tempo.2", read_spec("alphabeta:nodes=5"), boyi.start("xiangqi"))
    assert len(str(caught.value)) < 300
    with pytest.raises(OptionError, match=r"rook has 2 numbers; say which, from weights.rook.0 to weights.rook.1"):
        read_parameters("rook", read_spec("alphabeta:nodes=5"), boyi.start("xiangqi"))


@pytest.mark.parametrize(("change", "words"), [
    ({"parameters": ()}, "nothing to tune"), ({"pairs": 0}, "at least one pair"), ({"method": "best"}, "spsa"),
    ({"rate": 0.0}, "above 0"), ({"method": "surface", "rate": 0.1}, "method spsa"),
])
def test_runs_that_cannot_be_are_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(BoyiError, match=words):
        small(**change)


def test_only_searches_can_be_tuned() -> None:
    with pytest.raises(OptionError, match="random has no numbers to tune"):
        find_parameters(read_spec("random"), boyi.start("othello"))
