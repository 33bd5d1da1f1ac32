"""othello-tt: does a transposition table help? (The first ancestor's first experiment.)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.matches import MATCH_COLUMNS, play_pair
from boyi.lab.panel import Panel, Series
from boyi.lab.positions import random_positions
from boyi.lab.searches import PLAIN_ALPHABETA, search_once
from boyi.lab.sentences import gain, result, sentence
from boyi.lab.statistics import judge, mean_ratio
from boyi.lab.table import Column, Row, Table, mean, number

SEARCHES = {"plain": PLAIN_ALPHABETA, "default": "alphabeta"}
"""Textbook alpha-beta, and the default search."""

WITH, WITHOUT = "table_mb=16", "table_mb=0"


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    plies: tuple[int, ...]
    """Random moves before the search."""

    positions: int
    """For each number of plies."""

    depths: tuple[int, ...]
    nodes: int
    seconds: float
    """Equal budgets, for the depth reached."""

    match_nodes: int
    games: int
    """160 in full, since 80 left the plain match open (60 %, 49–70); another seed then gave 60 % (52–67) as well."""


def spec(search: str, table: str) -> str:
    return SEARCHES[search] + ("," if ":" in SEARCHES[search] else ":") + table


def measure(sizes: Sizes, session: Session) -> tuple[Table, ...]:
    start = find_game("othello").start()
    positions = random_positions(start, sizes.plies, sizes.positions, session.seed)
    session.plan(len(positions) + len(SEARCHES))
    details: list[Row] = []
    reaches: list[Row] = []
    for plies, position in positions:
        session.step(f"after {plies} plies")
        for depth in sizes.depths:
            plain, table = (search_once(position, spec("plain", with_), depth=depth) for with_ in (WITHOUT, WITH))
            details.append({
                "plies": plies, "depth": depth, "nodes_without": plain.nodes, "nodes_with": table.nodes,
                "seconds_without": plain.cpu_seconds, "seconds_with": table.cpu_seconds,
                "probes": table.count("table_probes"), "hits": table.count("table_hits"),
                "same_move": int(plain.move == table.move),
                "same_value": int(plain.value == table.value)})
        by_nodes = [search_once(position, spec("plain", with_), nodes=sizes.nodes) for with_ in (WITHOUT, WITH)]
        by_time = [search_once(position, spec("plain", with_), seconds=sizes.seconds) for with_ in (WITHOUT, WITH)]
        reaches.append({"plies": plies, "depth_nodes_without": by_nodes[0].depth, "depth_nodes_with": by_nodes[1].depth,
                        "depth_seconds_without": by_time[0].depth, "depth_seconds_with": by_time[1].depth})
    matches = [play_pair(start, ("with", f"{spec(search, WITH)},nodes={sizes.match_nodes}"),
                         ("without", f"{spec(search, WITHOUT)},nodes={sizes.match_nodes}"), sizes.games, session,
                         random_plies=8, search=search) for search in SEARCHES]
    costs: list[Row] = []
    for depth in sizes.depths:
        rows = [row for row in details if row["depth"] == depth]
        ratio, low, high = mean_ratio([number(row, "nodes_with") / number(row, "nodes_without") for row in rows])
        total = {name: sum(number(row, name) for row in rows) for name in (
            "nodes_without", "nodes_with", "seconds_without", "seconds_with", "probes", "hits", "same_move",
            "same_value")}
        costs.append({"depth": depth, "positions": len(rows), **total, "ratio": ratio, "low": low, "high": high,
                      "hit_rate": total["hits"] / max(total["probes"], 1),
                      "time_ratio": total["seconds_with"] / max(total["seconds_without"], 1e-9)})
    depths: list[Row] = [{"plies": plies, **{
        name: mean([row for row in reaches if row["plies"] == plies], name)
        for name in ("depth_nodes_without", "depth_nodes_with", "depth_seconds_without", "depth_seconds_with")}}
        for plies in sizes.plies]
    return (
        Table("cost", Words("Plain alpha-beta: nodes and time to a fixed depth",
                            "朴素 α-β：搜到固定深度的节点数与用时"), (
            Column("depth", Words("depth", "深度"), "{depth}"),
            Column("nodes_without", Words("nodes without", "无表节点"), "{nodes_without:,.0f}"),
            Column("nodes_with", Words("nodes with", "有表节点"), "{nodes_with:,.0f}"),
            Column("ratio", Words("with/without (95 %)", "有/无（95 %）"), "{ratio:.2f} ({low:.2f}–{high:.2f})"),
            Column("hit_rate", Words("hit rate", "命中率"), "{hit_rate:.0%}"),
            Column("time_ratio", Words("CPU time with/without", "CPU 用时 有/无"), "{time_ratio:.2f}"),
            Column("same_move", Words("same best move", "最佳着法相同"), "{same_move:.0f}/{positions}"),
            Column("same_value", Words("same value", "值相同"), "{same_value:.0f}/{positions}")), tuple(costs)),
        Table("reach", Words("Plain alpha-beta: depth with equal budgets", "朴素 α-β：同等预算下的深度"), (
            Column("plies", Words("random plies before", "之前的随机步数"), "{plies}"),
            Column("depth_nodes_without", Words(f"{sizes.nodes:,} nodes, without", f"{sizes.nodes:,} 节点，无表"),
                   "{depth_nodes_without:.1f}"),
            Column("depth_nodes_with", Words("with", "有表"), "{depth_nodes_with:.1f}"),
            Column("depth_seconds_without", Words(f"{sizes.seconds} s, without", f"{sizes.seconds} 秒，无表"),
                   "{depth_seconds_without:.1f}"),
            Column("depth_seconds_with", Words("with", "有表"), "{depth_seconds_with:.1f}")), tuple(depths)),
        Table("match", Words(f"With against without, {sizes.match_nodes:,} nodes per move",
                             f"有表对无表，每步 {sizes.match_nodes:,} 节点"),
              (Column("search", Words("search", "搜索")), *MATCH_COLUMNS), tuple(matches)),
        Table("positions", Words("Position by position", "逐个局面"), (), tuple(details), detail=True),
    )


def panels(tables: Mapping[str, Table]) -> tuple[Panel, ...]:
    cost, reach = tables["cost"], tables["reach"]
    return (
        Panel("Nodes to a depth, with / without the table", "ratio of nodes", (
            Series.of(cost.rows, "ratio", place="depth"),), "lines", "depth", reference=1.0),
        Panel("Depth with equal nodes", "depth", tuple(
            Series.of(reach.rows, f"depth_nodes_{with_}", f"{with_} table", errors=False)
            for with_ in ("without", "with")), x_label="random plies before the search",
              categories=tuple(f"{plies:.0f}" for plies in reach.numbers("plies"))),
    )


def conclude(tables: Mapping[str, Table]) -> Sentences:
    cost, reach, match = tables["cost"], tables["reach"], tables["match"]
    row = max(cost.rows, key=lambda row: number(row, "depth"))
    ratio, low, high = (number(row, name) for name in ("ratio", "low", "high"))
    times, span = f"{ratio:.2f}", f"{low:.2f}–{high:.2f}"
    same = Words(f"the value is the same in {number(row, 'same_value'):.0f} of {row['positions']} positions, the best "
                 f"move in {number(row, 'same_move'):.0f}",
                 f"{row['positions']} 个局面中 {number(row, 'same_value'):.0f} 个值相同、"
                 f"{number(row, 'same_move'):.0f} 个最佳着法相同")
    effect = {
        "less": Words(f"the table saves plain alpha-beta nodes: it visits {times} times as many ({span})",
                      f"置换表为朴素 α-β 节省节点，只访问 {times} 倍（{span}）"),
        "more": Words(f"the table costs plain alpha-beta nodes: it visits {times} times as many ({span})",
                      f"置换表反而使朴素 α-β 多访问节点，为 {times} 倍（{span}）"),
        "open": Words(f"the table makes no clear difference to plain alpha-beta: {times} times the nodes ({span})",
                      f"置换表对朴素 α-β 的节点数没有明确影响：{times} 倍（{span}）"),
    }[judge(low, high, 1.0)]
    first = sentence(Words(f"at depth {row['depth']} ", f"深度 {row['depth']} 时，"), effect, Words("; ", "；"), same,
                     Words(".", "。"))
    rows = list(reach.rows)
    deeper = mean(rows, "depth_nodes_with") - mean(rows, "depth_nodes_without")
    with_, without = Words("the table", "有表"), Words("no table", "无表")
    second = sentence(
        Words("with equal nodes it searches ", "节点数相同时，有表的搜索"), gain(deeper),
        Words("; in a match ", "；对抗赛中，"), result(match.find(search="plain"), with_, without),
        Words(", and in the default search ", "，在默认搜索中，"), result(match.find(search="default"), with_, without),
        Words(".", "。"))
    return first, second


EXPERIMENT = Experiment(
    name="othello-tt", game="othello",
    question=Words("Does a transposition table help?", "置换表有用吗？"),
    varied=Words("`table_mb` of alpha-beta, 16 or 0, on the same Othello positions. Plain: sound switches only, so "
                 "that the value at a depth must be the same; default: the default search, whose depths are not "
                 "comparable (it reduces more where no table knows a move), so that only the match counts.",
                 "α-β 的 `table_mb`（16 或 0），同一批黑白棋局面。plain 只开不影响结果的选项，同一深度的值必定相同；"
                 "default 是默认搜索，其深度不可比（表中无着法时减深更多），故只看对抗。"),
    sizes={"quick": Sizes((0, 10), 1, (3, 4), 2_000, 0.01, 50, 2),
           "full": Sizes((0, 10, 20, 30), 4, (4, 6, 8), 200_000, 0.2, 3_000, 160)},
    measure=measure, panels=panels, conclude=conclude)
