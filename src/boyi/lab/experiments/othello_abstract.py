"""othello-abstract: do statistics of positions with the same abstract state help? (The first ancestor asks.)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.matches import match_table, play_pair
from boyi.lab.panel import Panel, Series, bars
from boyi.lab.positions import random_positions
from boyi.lab.searches import search_once
from boyi.lab.sentences import ratio, result, sentence
from boyi.lab.statistics import mean_ratio
from boyi.lab.table import Column, Row, Table, number

TERMS = (("classic", "classic+abstract"), ("classic", "abstract"))
"""Evaluators without and with the statistics, which also evaluate alone."""

PRUNED = ("classic+abstract", "patterns+abstract")
"""Evaluators with the statistics, for pruning; the second evaluates by patterns."""


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


def spec(evaluator: str, cutoffs: str = "off") -> str:
    return f"alphabeta:evaluator={evaluator},statistical_cutoffs={cutoffs}"


def measure(sizes: Sizes, session: Session) -> tuple[Table, ...]:
    start = find_game("othello").start()
    positions = random_positions(start, sizes.plies, sizes.positions, session.seed)
    session.plan(len(TERMS) + len(PRUNED) * (1 + len(positions)))
    limit = f"nodes={sizes.match_nodes}"
    matches = [play_pair(start, (with_, f"{spec(with_)},{limit}"), (without, f"{spec(without)},{limit}"), sizes.games,
                         session, random_plies=8, use="term") for without, with_ in TERMS]
    matches += [play_pair(start, (f"{evaluator}, prune", f"{spec(evaluator, 'on')},{limit}"),
                          (evaluator, f"{spec(evaluator)},{limit}"), sizes.games, session, random_plies=8, use="prune")
                for evaluator in PRUNED]
    details: list[Row] = []
    for evaluator in PRUNED:
        for plies, position in positions:
            session.step(f"{evaluator}, after {plies} plies")
            off, on = (search_once(position, spec(evaluator, cutoffs), depth=sizes.depth) for cutoffs in ("off", "on"))
            details.append({"evaluator": evaluator, "plies": plies, "nodes_off": off.nodes, "nodes_on": on.nodes,
                            "cutoffs": on.count("statistical_cutoffs"), "same_move": int(off.move == on.move),
                            "seconds_off": off.cpu_seconds, "seconds_on": on.cpu_seconds})
    costs: list[Row] = []
    for evaluator in PRUNED:
        for plies in sizes.plies:
            rows = [row for row in details if row["evaluator"] == evaluator and row["plies"] == plies]
            middle, low, high = mean_ratio([number(row, "nodes_on") / number(row, "nodes_off") for row in rows])
            costs.append({"evaluator": evaluator, "plies": plies, "depth": sizes.depth, "positions": len(rows), **{
                name: sum(number(row, name) for row in rows)
                for name in ("nodes_off", "nodes_on", "cutoffs", "same_move", "seconds_off", "seconds_on")},
                "ratio": middle, "low": low, "high": high})
    return (
        match_table(matches, sizes.match_nodes, Column("use", Words("used as", "用作"))),
        Table("cost", Words(f"Pruning: nodes to depth {sizes.depth}", f"剪枝：搜到深度 {sizes.depth} 的节点数"), (
            Column("evaluator", Words("evaluator", "评估器")),
            Column("plies", Words("random plies before", "之前的随机步数"), "{plies}"),
            Column("nodes_off", Words("nodes without", "不剪枝节点"), "{nodes_off:,.0f}"),
            Column("nodes_on", Words("nodes with", "剪枝节点"), "{nodes_on:,.0f}"),
            Column("ratio", Words("with/without (95 %)", "有/无（95 %）"), "{ratio:.2f} ({low:.2f}–{high:.2f})"),
            Column("cutoffs", Words("cut-offs", "剪枝次数"), "{cutoffs:,.0f}"),
            Column("same_move", Words("same best move", "最佳着法相同"), "{same_move:.0f}/{positions}")), tuple(costs)),
        Table("positions", Words("Position by position", "逐个局面"), (), tuple(details), detail=True),
    )


def panels(tables: Mapping[str, Table]) -> tuple[Panel, ...]:
    match, cost = tables["match"], tables["cost"]
    plies = tuple(f"{one:.0f}" for one in cost.numbers("plies", evaluator=PRUNED[0]))

    def label(row: Row) -> str:
        if row["use"] == "prune":
            return f"prune,\n{row['other']}".partition("+")[0]
        return "alone" if row["one"] == "abstract" else "as a term"
    return (
        bars("Score with the statistics", "score", match.rows, "score", label, percent=True, reference=0.5),
        Panel("Pruning: nodes with / without", "ratio of nodes", tuple(
            Series.of(cost.select(evaluator=evaluator), "ratio", evaluator) for evaluator in PRUNED),
              x_label="random plies before the search", categories=plies, reference=1.0),
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
    parts: list[Words] = []
    for evaluator in PRUNED:
        rows = cost.select(evaluator=evaluator)
        last = max(rows, key=lambda row: number(row, "plies"))
        said = result(match.find(one=f"{evaluator}, prune"), Words("pruning", "剪枝"), Words("not pruning", "不剪枝"))
        plies, nodes = last["plies"], ratio(last, Words("nodes", "节点"))
        cutoffs, all_nodes = (f"{sum(number(row, name) for row in rows):,.0f}" for name in ("cutoffs", "nodes_on"))
        parts.append(Words(
            f"with {evaluator} it cuts off {cutoffs} times in {all_nodes} nodes, takes {nodes.en} after {plies} plies, "
            f"and {said.en}",
            f"配 {evaluator}，{all_nodes} 个节点中剪枝 {cutoffs} 次，{plies} 步之后需要{nodes.zh}，{said.zh}"))
    second = sentence(Words("for pruning: ", "用作剪枝："), parts[0], Words("; ", "；"), parts[1], Words(".", "。"))
    return first, second


EXPERIMENT = Experiment(
    name="othello-abstract", game="othello",
    question=Words("Do statistics of abstract states help, as an evaluation term or to prune?",
                   "抽象状态的统计，用作评估项或用来剪枝，有帮助吗？"),
    varied=Words("The `evaluator` of alpha-beta, with and without the mean value of the abstract state (corners, "
                 "edges, mobility), and `statistical_cutoffs`, on or off, with the same evaluator.",
                 "α-β 的 `evaluator`，含或不含抽象状态（角、边、行动力）的平均值；以及同一评估器下的 "
                 "`statistical_cutoffs`（开或关）。"),
    sizes={"quick": Sizes((10, 30), 1, 4, 50, 2), "full": Sizes((10, 20, 30, 40), 5, 10, 1_000, 400)},
    measure=measure, panels=panels, conclude=conclude)
