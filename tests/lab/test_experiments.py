"""Every experiment runs, repeats itself, and says what its numbers say: in both languages, whatever the numbers are."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import cache
from typing import Any

import pytest

from boyi.agents.spec import read_spec
from boyi.core.errors import OptionError, UnknownNameError
from boyi.core.words import Words
from boyi.games import all_games
from boyi.lab import SCALES, Session, all_experiments, find_experiment
from boyi.lab.experiment import Report
from boyi.lab.own_depth import OWN_DEPTHS
from boyi.lab.sentences import gain, grouped, ratio, result, sentence, share
from boyi.lab.statistics import group_means, judge, mean_ratio
from boyi.lab.table import Row, Table, Value

NAMES = list(all_experiments())
WANTED = {"othello-tt", "othello-symmetry", "othello-graph", "othello-dfa", "othello-abstract", "xiangqi-repetition",
          "jieqi-chance", "checkers-hops", "checkers-average", "checkers-depth", "multiplayer",
          "liuzhou-schedule"}
CHINESE = re.compile("[\u4e00-\u9fff]")


@cache
def watched(name: str) -> tuple[Report, list[tuple[int, int, str]]]:
    """A report, and what was told on the way to it."""
    told: list[tuple[int, int, str]] = []
    report = find_experiment(name).run("quick", Session(seed=1, on_step=lambda *state: told.append(state)))
    return report, told


def run(name: str) -> Report:
    return watched(name)[0]


def test_all_questions_are_asked() -> None:
    assert set(NAMES) == WANTED


@pytest.mark.parametrize("name", NAMES)
def test_record(name: str) -> None:
    experiment = find_experiment(name)
    assert experiment.game in all_games()
    assert tuple(experiment.sizes) == SCALES
    for words in (experiment.question, experiment.varied):
        assert words.en and not CHINESE.search(words.en)
        assert CHINESE.search(words.zh)
    # Every option that the description names is a word of the command line.
    assert experiment.question.en.endswith("?") and experiment.question.zh.endswith("？")


@pytest.mark.parametrize("name", NAMES)
def test_report(name: str) -> None:
    report, done = watched(name)
    assert [state[0] for state in done] == list(range(len(done)))
    assert {state[1] for state in done} == {len(done)}, "as many steps as were planned"
    assert report.shown and report.panels
    for table in report.tables:
        assert table.rows
        keys = set(table.rows[0])
        for row in table.rows:
            assert set(row) == keys
            for column in table.columns:
                assert column.write(row)
        if not table.detail:
            assert table.columns and len({column.name for column in table.columns}) == len(table.columns)
        assert "failures" not in keys or not any(table.numbers("failures"))
    for panel in report.panels:
        for series in panel.series:
            places = panel.categories if panel.kind == "bars" else series.places
            assert len(series.values) == len(places) > 0
            assert len(series.low) == len(series.high) in (0, len(places))
            assert all(low <= value <= high for low, value, high in zip(series.low, series.values, series.high,
                                                                         strict=False))
    check_sentences(report)
    assert json.loads(json.dumps(report.to_json(), allow_nan=False))["inputs"].keys() == asdict(
        report.experiment.sizes["quick"]).keys()


def check_sentences(report: Report) -> None:
    """Two sentences, in two languages that give the same numbers."""
    for one in report.sentences:
        assert one.en.endswith(".") and one.en[0].isupper() and not CHINESE.search(one.en), one.en
        assert one.zh.endswith("。") and CHINESE.search(one.zh), one.zh
        assert sorted(re.findall(r"\d+(?:\.\d+)?", one.en)) == sorted(re.findall(r"\d+(?:\.\d+)?", one.zh)), one


def specs(row: Row) -> list[str]:
    return [str(value) for key, value in row.items() if key == "spec" or key.endswith("_spec")]


@pytest.mark.parametrize("name", NAMES)
def test_every_switch_is_one_of_the_searcher(name: str) -> None:
    """What is compared are agents that anybody can name."""
    for table in run(name).tables:
        for row in table.rows:
            for spec in specs(row):
                assert str(read_spec(spec))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "othello-dfa"])
def test_repeatable(name: str) -> None:
    """What is not a time comes out the same; othello-dfa deals out nodes by speed and is left out."""
    timed = "second|speed|time|nano"
    again = find_experiment(name).run("quick")
    for table, other in zip(run(name).tables, again.tables, strict=True):
        nanoseconds = (name, table.name) == ("xiangqi-repetition", "cost")
        skipped = re.compile(timed + "|^(none|list|set|full|ratio|low|high)$" if nanoseconds else timed)
        for row, twin in zip(table.rows, other.rows, strict=True):
            assert {key: value for key, value in row.items() if not skipped.search(key)} == {
                key: value for key, value in twin.items() if not skipped.search(key)}


# ---------------------------------------------------------------------- sentences follow from numbers

def fabricated(name: str, change: Callable[[str, dict[str, Value]], None]) -> Report:
    """The report that other numbers would have led to."""
    report = run(name)
    tables = []
    for table in report.tables:
        rows = []
        for row in table.rows:
            new = dict(row)
            change(table.name, new)
            rows.append(new)
        tables.append(replace(table, rows=tuple(rows)))
    return Report.of(report.experiment, "quick", 1, 0.0, tuple(tables))


def everywhere(score: float, times: float) -> Callable[[str, dict[str, Value]], None]:
    """Every match ends like this, every ratio and every share is this; with narrow error bars."""
    def change(table: str, row: dict[str, Value]) -> None:
        if "score" in row:
            row |= {"score": score, "low": score - 0.03, "high": score + 0.03}
        elif "low" in row:
            for key in ("ratio", "share"):
                if key in row:
                    row[key] = times
            row |= {"low": times * 0.97, "high": times * 1.03}
    return change


@pytest.mark.parametrize("name", NAMES)
def test_sentences_follow_the_numbers(name: str) -> None:
    reports = [fabricated(name, everywhere(*numbers)) for numbers in ((0.8, 2.0), (0.2, 0.5), (0.5, 1.0))]
    for report in reports:
        check_sentences(report)
    said = [report.say("en") for report in reports]
    assert len(set(said)) == 3
    assert len({re.sub(r"[\d.]+", "", one) for one in said}) == 3, "the words differ, not only the numbers"
    assert len({re.sub(r"[\d.]+", "", report.say("zh")) for report in reports}) == 3


@pytest.mark.parametrize(("name", "better", "worse"), [
    ("checkers-hops", "With two players at depth 1, keeping only the farthest hop beats keeping all hops",
     "With two players at depth 1, keeping only the farthest hop loses to"),
    ("checkers-hops", "with three at depth 1, keeping only the farthest hop among two that keep all hops takes more",
     "among two that keep all hops takes less than a fair share of first places (0.50 times, 0.48–0.52)"),
    ("checkers-hops", "At equal nodes, in the ancestor's search, keeping only the farthest hop beats",
     "in the default search, keeping only the farthest hop loses to keeping all hops with 20 %"),
    ("checkers-average", "With two players at depth 1, compared with the average of leaves: better is minimum (80 %), "
     "minimax (80 %); with three at depth 1, alone against two that average: more than fair for minimum (2.00)",
     "compared with the average of leaves: worse is minimum (20 %), minimax (20 %)"),
    ("checkers-average", "At equal nodes, with two players: better is minimum (80 %), minimax (80 %), max^n (80 %)",
     "with two players: worse is minimum (20 %)"),
    ("checkers-depth", "average of leaves, against itself one ply less deep, is better at depth 2 (80 %)",
     "is worse at depth 2 (20 %); the average at depth 2 loses to its greedy self (depth 1) with 20 %"),
    ("checkers-depth", "The default search, against itself one ply less deep, is better at depth 2 (80 %)",
     "minimax with the ancestor's pruning and evaluator at depth 2 loses to its greedy self (depth 1)"),
    ("jieqi-chance", "iterative beats IT2 with 80 % (77–83)", "iterative loses to IT2 with 20 % (17–23)"),
    ("multiplayer", "with 3 players max^n (2.00), paranoid (2.00), BRS+ (2.00), MCTS (2.00)",
     "Clearly more first places than a fair share take: nobody"),
    ("othello-tt", "the table costs plain alpha-beta nodes", "the table saves plain alpha-beta nodes"),
    ("othello-tt", "the table beats no table with 80 %", "the table loses to no table with 20 %"),
    ("othello-dfa", "classic > line table", "line table > classic"),
    ("othello-abstract", "classic plus the statistics beats the classic evaluator with 80 %",
     "classic plus the statistics loses to the classic evaluator with 20 %"),
    ("othello-abstract", "takes 2.00 times the nodes", "takes 0.50 times the nodes"),
    ("othello-graph", "there a table costs alpha-beta nodes, which visits 2.00 (1.94–2.06) times as many",
     "there a table saves alpha-beta nodes, which visits 0.50"),
    ("othello-symmetry", "after 4 random plies more nodes (2.00", "after 4 random plies fewer nodes (0.50"),
    ("xiangqi-repetition", "none > ancestor, none > full, ancestor > full",
     "ancestor > none, full > none, full > ancestor"),
    ("liuzhou-schedule", "cosine annealing beats a constant rate with 80 % (77–83)",
     "cosine annealing loses to a constant rate with 20 % (17–23)"),
    ("liuzhou-schedule", "the network of 8 games under plateau beats that of 4 with 80 %",
     "a narrow window loses to the usual ones with 20 %"),
    ("xiangqi-repetition", "a hash set is more expensive", "a hash set is cheaper"),
    ("xiangqi-repetition", "ancestor 30 > ancestor, ancestor+game > ancestor", "ancestor > ancestor 30"),
])
def test_words_for_numbers(name: str, better: str, worse: str) -> None:
    assert better in fabricated(name, everywhere(0.8, 2.0)).say("en")
    assert worse in fabricated(name, everywhere(0.2, 0.5)).say("en")


@pytest.mark.parametrize(("more", "said"), [
    (2.0, "more: none (7.5), ancestor 30 (7.5), ancestor+game (7.5), ancestor+game 30 (7.5), full (7.5); won"),
    (-2.0, "fewer: none (7.5), ancestor 30 (7.5)"), (0.0, "not told apart: none (7.5), ancestor 30 (7.5)")])
def test_repeats_follow_the_numbers(more: float, said: str) -> None:
    def change(table: str, row: dict[str, Value]) -> None:
        if table == "loops":
            row |= {"per_game": 7.5, "more": more, "more_low": more - 1, "more_high": more + 1}
    report = fabricated("xiangqi-repetition", change)
    check_sentences(report)
    assert f"ancestor repeats 7.5 moves a game; {said}" in report.say("en")


@pytest.mark.parametrize("name", ["checkers-hops", "checkers-average", "checkers-depth"])
def test_the_ancestors_own_depth_is_named_first(name: str) -> None:
    """Where it is its own: the small scale is less deep."""
    def change(table: str, row: dict[str, Value]) -> None:
        if table.startswith("own_"):
            row["depth"] = OWN_DEPTHS[table == "own_three"]
        elif name == "checkers-depth" and row["search"] == "average" and row["depth"] == 2:
            row["depth"] = 5

    report = fabricated(name, change)
    check_sentences(report)
    assert "own depth" in report.sentences[0].en and "自己的深度" in report.sentences[0].zh
    assert "own depth" not in run(name).say("en")
    sizes = asdict(report.experiment.sizes["full"])
    assert sizes["own_depth_games"] >= 40
    assert 5 in (sizes["average_depths"] if name == "checkers-depth" else sizes["own_depths"])


def test_equal_values_are_not_taken_for_granted() -> None:
    def change(table: str, row: dict[str, Value]) -> None:
        if table == "speed":
            row |= {"checksum": str(row["name"]), "speed": {"loops": 1.0, "DFA scan": 3.0, "line table": 1.5}.get(
                str(row["name"]), 1.0)}
    said = fabricated("othello-dfa", change).say("en")
    assert "scan is 3.0 times as fast as looking for features by loops" in said
    assert "takes 2.0 times as long as the automaton's scan" in said
    assert "which is a bug" in said


def test_the_prune_is_judged_where_it_fires_often_enough() -> None:
    """By the strictest thresholds that reach the rule; and where none does, it says that nothing can be said."""
    def firing(*rates: float) -> str:
        left = list(2 * rates)

        def change(table: str, row: dict[str, Value]) -> None:
            if table == "cost":
                row["per_thousand"] = left.pop(0)
        return fabricated("othello-abstract", change).say("en")

    assert "with classic+abstract at a share of 0.2 and 1 deviation it cuts off 10.0 times per 1000 nodes" in firing(
        0.1, 9.9, 10.0, 3.0, 40.0, 80.0)
    assert "with patterns+abstract at a share of 0.1 and 2 deviations it cuts off 12.5 times" in firing(
        12.5, 20.0, 30.0, 40.0, 50.0, 60.0)
    seldom = firing(0.0, 0.1, 0.2, 0.3, 9.4, 5.0)
    assert seldom.count("never cuts off that often (at most 9.4 times), and cannot be judged") == 2
    assert "not pruning" not in seldom


# ---------------------------------------------------------------------- the parts they are made of

def row(**values: Value) -> dict[str, Value]:
    return values


def test_phrases() -> None:
    one, other = Words("A", "甲"), Words("B", "乙")
    assert result(row(score=0.63, low=0.55, high=0.71), one, other) == Words("A beats B with 63 % (55–71)",
                                                                          "甲以 63 %（55–71）胜乙")
    assert "loses to" in result(row(score=0.3, low=0.2, high=0.4), one, other).en
    assert "cannot be told apart" in result(row(score=0.9, low=0.4, high=1.0), one, other).en
    assert share(row(share=1.4, low=1.1, high=1.7), one, other) == Words(
        "A among B takes more than a fair share of first places (1.40 times, 1.10–1.70)",
        "甲独对乙，第一名多于均分（1.40 倍，1.10–1.70）")
    assert "less than a fair share" in share(row(share=0.5, low=0.2, high=0.8), one, other).en
    assert "about a fair share" in share(row(share=0.5, low=0.2, high=1.1), one, other).en
    nodes = Words("nodes", "节点")
    assert ratio(row(ratio=0.4, low=0.3, high=0.5), nodes).en == "0.40 times the nodes (0.30–0.50)"
    assert ratio(row(ratio=0.4, low=0.3, high=1.5), nodes).en.startswith("about as many nodes")
    assert [gain(plies).en for plies in (1.2, -0.5, 0.01)] == ["1.2 plies deeper", "0.5 plies less deep", "no deeper"]
    assert sentence(Words("the sum ", "和为"), "3", Words(".", "个。")) == Words("The sum 3.", "和为 3 个。")
    assert grouped([(Words("more: ", "多："), []), (Words("less: ", "少："), ["x"])]).zh == "少：x"


def test_statistics() -> None:
    assert [judge(low, high, 0.5) for low, high in ((0.6, 0.7), (0.1, 0.4), (0.4, 0.6), (0.5, 0.7))] == [
        "more", "less", "open", "open"]
    middle, low, high = mean_ratio([0.5, 2.0])
    assert middle == pytest.approx(1.0) and low < 0.5 and high > 2.0
    assert mean_ratio([3.0]) == pytest.approx((3.0, 3.0, 3.0))
    with pytest.raises(OptionError):
        mean_ratio([])
    with pytest.raises(OptionError):
        mean_ratio([1.0, 0.0])


def test_table() -> None:
    table = Table("t", Words("t", "表"), (), (row(a="x", b=1), row(a="x", b=2), row(a="y", b=3)))
    assert table.numbers("b", a="x") == [1.0, 2.0]
    assert table.find(b=3)["a"] == "y"
    with pytest.raises(ValueError, match="too many"):
        table.find(a="x")
    with pytest.raises(TypeError, match="no number"):
        table.numbers("a")


def test_unknown_names() -> None:
    with pytest.raises(UnknownNameError, match="othello-tt"):
        find_experiment("othello-ttt")
    wrong: Any = "enormous"
    with pytest.raises(UnknownNameError, match="quick, full"):
        find_experiment("othello-tt").run(wrong)


def test_groups_of_equal_spread() -> None:
    """Against the textbook formulas of a one-way analysis of variance, and its coverage by simulation."""
    groups = [[1.0, 2.0, 6.0], [4.0, 5.0, 9.0], [0.0, 0.0, 3.0]]
    within = sum((value - sum(group) / 3) ** 2 for group in groups for value in group) / 6
    means = group_means(groups)
    for group, (mean, low, high) in zip(groups, means, strict=True):
        assert mean == pytest.approx(sum(group) / 3)
        assert high - mean == pytest.approx(mean - low) == pytest.approx(2.45 * (within / 3) ** 0.5)
    assert group_means([[5.0], [7.0]]) == [(5.0, 5.0, 5.0), (7.0, 7.0, 7.0)]

    chance, held = random.Random(7), 0
    for _ in range(2_000):
        drawn = [[chance.gauss(middle, 10) for _ in range(3)] for middle in (0, 20, 5, 5)]
        _, low, high = group_means(drawn)[1]
        held += low <= 20 <= high
    assert 0.935 < held / 2_000 < 0.965
