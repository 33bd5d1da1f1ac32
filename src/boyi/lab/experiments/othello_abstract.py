"""othello-abstract: is it worth anything to know how positions of the same abstract state fared? (The first ancestor.)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Bench, Column, Experiment, Panel, Row, Sentences, Series, Table, mean_ratio, number
from boyi.lab.matches import MATCH_COLUMNS, play_pair, random_positions
from boyi.lab.searches import search_once
from boyi.lab.sentences import ratio, result, sentence

TERMS = (("classic", "classic+abstract"), ("classic", "abstract"))
"""Evaluators without and with the statistics; alone they are an opinion, too."""

PRUNED = ("classic+abstract", "patterns+abstract")
"""Evaluators that know the statistics, for the prune; the second has the patterns' own opinion otherwise."""


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    plies: tuple[int, ...]
    positions: int
    depth: int
    match_nodes: int
    games: int
    """In full so many because fewer told different stories: of the same term, 60 games gave 59 % (47–71), 200 of the
    same seed 57 % (50–64), 200 of another 52 % (45–59). The committed run is of a seed that had not been looked at."""


def spec(evaluator: str, cutoffs: str = "off") -> str:
    return f"alphabeta:evaluator={evaluator},statistical_cutoffs={cutoffs}"


def measure(sizes: Sizes, bench: Bench) -> tuple[Table, ...]:
    start = find_game("othello").start()
    positions = random_positions(start, sizes.plies, sizes.positions, bench.seed)
    bench.plan(len(TERMS) + len(PRUNED) * (1 + len(positions)))
    limit = f"nodes={sizes.match_nodes}"
    matches = [play_pair(start, (with_, f"{spec(with_)},{limit}"), (without, f"{spec(without)},{limit}"), sizes.games,
                         bench, random_plies=8, use="term") for without, with_ in TERMS]
    matches += [play_pair(start, (f"{evaluator}, prune", f"{spec(evaluator, 'on')},{limit}"),
                          (evaluator, f"{spec(evaluator)},{limit}"), sizes.games, bench, random_plies=8, use="prune")
                for evaluator in PRUNED]
    details: list[Row] = []
    for evaluator in PRUNED:
        for plies, position in positions:
            bench.step(f"{evaluator}, after {plies} plies")
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
        Table("match", Words(f"Matches, {sizes.match_nodes:,} nodes a move",
                             f"对抗赛，每步 {sizes.match_nodes:,} 节点"),
              (Column("use", Words("used as", "用作")), *MATCH_COLUMNS), tuple(matches)),
        Table("cost", Words(f"The prune: nodes to depth {sizes.depth}", f"剪枝：搜到深度 {sizes.depth} 的节点数"), (
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
    labels = tuple(f"prune,\n{row['other']}".partition("+")[0] if row["use"] == "prune" else
                   "alone" if row["one"] == "abstract" else "as a term" for row in match.rows)
    return (
        Panel("Score of those who use the statistics", "score", (
            Series("", tuple(match.numbers("score")), (), tuple(match.numbers("low")), tuple(match.numbers("high"))),),
              categories=labels, percent=True, reference=0.5),
        Panel("The prune: nodes with / without", "ratio of nodes", tuple(
            Series(evaluator, tuple(cost.numbers("ratio", evaluator=evaluator)), (),
                   tuple(cost.numbers("low", evaluator=evaluator)), tuple(cost.numbers("high", evaluator=evaluator)))
            for evaluator in PRUNED), x_label="random plies before the search", categories=plies, reference=1.0),
    )


def conclude(tables: Mapping[str, Table]) -> Sentences:
    match, cost = tables["match"], tables["cost"]
    without = Words("the classic evaluator", "经典评估")
    first = sentence(
        Words("as a term, at equal nodes, ", "用作评估项、节点数相同时，"),
        result(match.find(one="classic+abstract"), Words("classic plus the statistics", "经典加统计"), without),
        Words("; alone, ", "；单独使用时，"),
        result(match.find(one="abstract"), Words("the mean of the abstract state",
                                                 "抽象状态的均值"), without), Words(".", "。"))
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
    second = sentence(Words("as a prune: ", "用作剪枝："), parts[0], Words("; ", "；"), parts[1], Words(".", "。"))
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
