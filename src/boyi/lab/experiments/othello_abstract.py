"""othello-abstract: do statistics of positions with the same abstract state help? (The first ancestor asks.)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.matches import match_table, play_pair
from boyi.lab.panel import Panel, Series, bars
from boyi.lab.positions import random_positions
from boyi.lab.searches import search_once
from boyi.lab.sentences import listed, ratio, result, sentence
from boyi.lab.statistics import mean_ratio
from boyi.lab.table import Column, Row, Table, number

TERMS = (("classic", "classic+abstract"), ("classic", "abstract"))
"""Evaluators without and with the statistics, which also evaluate alone."""

PRUNED = ("classic+abstract", "patterns+abstract")
"""Evaluators with the statistics, for pruning; the second evaluates by patterns."""

THRESHOLDS = ((0.1, 2.0), (0.2, 2.0), (0.2, 1.0), (0.3, 1.0), (0.5, 1.0), (0.5, 0.5))
"""`statistical_share` and `statistical_deviations`, from the defaults, which are strict, to loose ones."""

OFTEN = 10.0
"""Cut-offs per 1,000 nodes. The prune is judged at the strictest thresholds that bring it about: where it fires less
often it cannot make a difference that a match would show."""


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    plies: tuple[int, ...]
    positions: int
    depth: int
    match_nodes: int
    games: int
    """400 in full, because fewer games gave different answers: for the same term, 60 games gave 59 % (47–71), 200 with
    the same seed 57 % (50–64), 200 with another 52 % (45–59). The committed run has a seed that was not tried."""


def spec(evaluator: str, thresholds: tuple[float, float] | None = None) -> str:
    """Alpha-beta with an evaluator; with `thresholds` it prunes."""
    if thresholds is None:
        return f"alphabeta:evaluator={evaluator},statistical_cutoffs=off"
    share, deviations = thresholds
    return (f"alphabeta:evaluator={evaluator},statistical_cutoffs=on,statistical_share={share},"
            f"statistical_deviations={deviations}")


def label(thresholds: tuple[float, float]) -> str:
    return f"{thresholds[0]:g} / {thresholds[1]:g}"


def measure(sizes: Sizes, session: Session) -> tuple[Table, ...]:
    start = find_game("othello").start()
    positions = random_positions(start, sizes.plies, sizes.positions, session.seed)
    session.plan(len(TERMS) + len(PRUNED) * len(THRESHOLDS) + len(PRUNED) * len(positions))
    limit = f"nodes={sizes.match_nodes}"
    matches = [play_pair(start, (with_, f"{spec(with_)},{limit}"), (without, f"{spec(without)},{limit}"), sizes.games,
                         session, random_plies=8, use="term", thresholds="–") for without, with_ in TERMS]
    matches += [play_pair(start, (f"{evaluator}, prune", f"{spec(evaluator, thresholds)},{limit}"),
                          (evaluator, f"{spec(evaluator)},{limit}"), sizes.games, session, random_plies=8,
                          use="prune", thresholds=label(thresholds))
                for evaluator in PRUNED for thresholds in THRESHOLDS]
    details: list[Row] = []
    for evaluator in PRUNED:
        for place, (plies, position) in enumerate(positions):
            session.step(f"{evaluator}, after {plies} plies")
            off = search_once(position, spec(evaluator), depth=sizes.depth)
            for thresholds in THRESHOLDS:
                on = search_once(position, spec(evaluator, thresholds), depth=sizes.depth)
                details.append({
                    "evaluator": evaluator, "thresholds": label(thresholds), "position": place, "plies": plies,
                    "nodes_off": off.nodes, "nodes_on": on.nodes, "cutoffs": on.count("statistical_cutoffs"),
                    "same_move": int(off.move == on.move), "same_value": int(off.value == on.value),
                    "seconds_off": off.cpu_seconds, "seconds_on": on.cpu_seconds})
    costs: list[Row] = []
    for evaluator in PRUNED:
        for name in map(label, THRESHOLDS):
            rows = [row for row in details if row["evaluator"] == evaluator and row["thresholds"] == name]
            middle, low, high = mean_ratio([number(row, "nodes_on") / number(row, "nodes_off") for row in rows])
            total = {column: sum(number(row, column) for row in rows) for column in (
                "nodes_off", "nodes_on", "cutoffs", "same_move", "same_value", "seconds_off", "seconds_on")}
            costs.append({"evaluator": evaluator, "thresholds": name, "depth": sizes.depth,
                          "positions": len(rows), **total, "per_thousand": 1000 * total["cutoffs"] / total["nodes_on"],
                          "ratio": middle, "low": low, "high": high})
    thresholds_column = Column("thresholds", Words("share / deviations", "份额 / 标准差"))
    return (
        match_table(matches, sizes.match_nodes, Column("use", Words("used as", "用作")), thresholds_column),
        Table("cost", Words(f"Pruning, from strict thresholds to loose ones: searches to depth {sizes.depth}",
                            f"剪枝，阈值由严到宽：搜到深度 {sizes.depth}"), (
            Column("evaluator", Words("evaluator", "评估器")), thresholds_column,
            Column("nodes_on", Words("nodes with", "剪枝节点"), "{nodes_on:,.0f}"),
            Column("cutoffs", Words("cut-offs", "剪枝次数"), "{cutoffs:,.0f}"),
            Column("per_thousand", Words("per 1,000 nodes", "每 1,000 节点"), "{per_thousand:.1f}"),
            Column("ratio", Words("nodes with/without (95 %)", "节点 有/无（95 %）"),
                   "{ratio:.2f} ({low:.2f}–{high:.2f})"),
            Column("same_move", Words("same best move", "最佳着法相同"), "{same_move:.0f}/{positions}"),
            Column("same_value", Words("same value", "值相同"), "{same_value:.0f}/{positions}")), tuple(costs)),
        Table("positions", Words("Position by position", "逐个局面"), (), tuple(details), detail=True),
    )


def panels(tables: Mapping[str, Table]) -> tuple[Panel, ...]:
    match, cost = tables["match"], tables["cost"]
    thresholds = tuple(map(label, THRESHOLDS))
    axis = "share / deviations, from strict to loose"
    return (
        bars("Score with the statistics as a term", "score", match.select(use="term"), "score",
             lambda row: "alone" if row["one"] == "abstract" else "added", percent=True, reference=0.5),
        Panel("Pruning: cut-offs per 1,000 nodes", "cut-offs", tuple(
            Series.of(cost.select(evaluator=evaluator), "per_thousand", evaluator, errors=False)
            for evaluator in PRUNED), x_label=axis, categories=thresholds, reference=OFTEN),
        Panel("Pruning: nodes with / without", "ratio of nodes", tuple(
            Series.of(cost.select(evaluator=evaluator), "ratio", evaluator) for evaluator in PRUNED),
              x_label=axis, categories=thresholds, reference=1.0),
        Panel("Pruning: score against not pruning", "score", tuple(
            Series.of(match.select(one=f"{evaluator}, prune"), "score", evaluator) for evaluator in PRUNED),
              x_label=axis, categories=thresholds, percent=True, reference=0.5),
    )


def conclude(tables: Mapping[str, Table]) -> Sentences:
    match, cost = tables["match"], tables["cost"]
    without = Words("the classic evaluator", "经典评估")
    first = sentence(
        Words("as a term, at equal nodes, ", "用作评估项、节点数相同时，"),
        result(match.find(one="classic+abstract"), Words("classic plus the statistics", "经典加统计"), without),
        Words("; alone, ", "；单独使用时，"),
        result(match.find(one="abstract"), Words("the mean of the abstract state", "抽象状态的均值"), without),
        Words(".", "。"))
    second = sentence(
        Words(f"for pruning, judged at the strictest thresholds with at least {OFTEN:.0f} cut-offs per 1000 nodes: ",
              f"用作剪枝，以每 1000 节点至少剪枝 {OFTEN:.0f} 次的最严阈值为准："),
        listed([judge_prune(cost.select(evaluator=evaluator), match, evaluator) for evaluator in PRUNED]),
        Words(".", "。"))
    return first, second


def judge_prune(rows: Sequence[Row], match: Table, evaluator: str) -> Words:
    """What the prune does where it fires often enough; rows come from strict thresholds to loose ones."""
    often = next((row for row in rows if number(row, "per_thousand") >= OFTEN), None)
    if often is None:
        most = f"{max(number(row, 'per_thousand') for row in rows):.1f}"
        return Words(f"with {evaluator} it never cuts off that often (at most {most} times), and cannot be judged",
                     f"配 {evaluator}，剪枝从未如此频繁（至多 {most} 次），无从判断")
    share, deviations = str(often["thresholds"]).split(" / ")
    times = f"{number(often, 'per_thousand'):.1f}"
    nodes = ratio(often, Words("nodes", "节点"))
    moves, values = (f"{number(often, name):.0f}" for name in ("same_move", "same_value"))
    said = result(match.find(one=f"{evaluator}, prune", thresholds=often["thresholds"]), Words("pruning", "剪枝"),
                  Words("not pruning", "不剪枝"))
    return Words(
        f"with {evaluator} at a share of {share} and {deviations} deviation{'s' * (deviations != '1')} it cuts off "
        f"{times} times per 1000 nodes, takes {nodes.en}, keeps the best move in {moves} of {often['positions']} "
        f"positions and the value in {values}, and {said.en}",
        f"配 {evaluator}，份额 {share}、{deviations} 个标准差时，每 1000 节点剪枝 {times} 次，需要{nodes.zh}，"
        f"{often['positions']} 个局面中 {moves} 个最佳着法不变、{values} 个值不变，{said.zh}")


EXPERIMENT = Experiment(
    name="othello-abstract", game="othello",
    question=Words("Do statistics of abstract states help, as an evaluation term or to prune?",
                   "抽象状态的统计，用作评估项或用来剪枝，有帮助吗？"),
    varied=Words("The `evaluator` of alpha-beta, with and without the mean value of the abstract state (corners, "
                 "edges, mobility); and, with the same evaluator, `statistical_cutoffs`, off or on with "
                 "`statistical_share` and `statistical_deviations` from strict to loose.",
                 "α-β 的 `evaluator`，含或不含抽象状态（角、边、行动力）的平均值；以及同一评估器下的 "
                 "`statistical_cutoffs`：关，或开并使 `statistical_share`、`statistical_deviations` 由严到宽。"),
    sizes={"quick": Sizes((10, 30), 1, 4, 50, 2), "full": Sizes((10, 20, 30, 40), 20, 10, 1_000, 240)},
    measure=measure, panels=panels, conclude=conclude)
