"""othello-tt: does a transposition table help? (The first seed's first experiment.)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import (
    Bench,
    Column,
    Experiment,
    Panel,
    Row,
    Sentences,
    Series,
    Table,
    judge,
    mean_ratio,
    number,
)
from boyi.lab.matches import random_positions
from boyi.lab.searches import search_once

PLAIN = ("alphabeta:null_move=off,late_move_reductions=off,late_move_pruning=off,futility=off,internal_reductions=off,"
         "same_depth=on")
"""Only sound switches: with and without the table, the value at a depth is the same."""

SEARCHES = {"plain": PLAIN, "default": "alphabeta"}
"""Textbook alpha-beta, and the search that plays."""

WITH, WITHOUT = "table_mb=16", "table_mb=0"


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    plies: tuple[int, ...]
    """Random moves before the search."""

    positions: int
    """So many for each number of plies."""

    depths: tuple[int, ...]
    nodes: int
    seconds: float
    """Equal budgets, for the depth reached."""


def spec(search: str, table: str) -> str:
    return SEARCHES[search] + ("," if ":" in SEARCHES[search] else ":") + table


def measure(sizes: Sizes, bench: Bench) -> tuple[Table, ...]:
    positions = random_positions(find_game("othello").start(), sizes.plies, sizes.positions, bench.seed)
    bench.plan(len(SEARCHES) * len(positions) * (len(sizes.depths) + 1))
    costs: list[Row] = []
    reaches: list[Row] = []
    for search in SEARCHES:
        for plies, position in positions:
            for depth in sizes.depths:
                bench.step(f"{search}, after {plies} plies, depth {depth}")
                plain, table = (search_once(position, spec(search, with_), depth=depth) for with_ in (WITHOUT, WITH))
                costs.append({
                    "search": search, "plies": plies, "depth": depth, "nodes_without": plain.nodes,
                    "nodes_with": table.nodes, "seconds_without": plain.cpu_seconds, "seconds_with": table.cpu_seconds,
                    "hits": table.count("table_hits"), "same_move": int(plain.move == table.move),
                    "same_value": int(plain.value == table.value)})
            bench.step(f"{search}, after {plies} plies, equal budgets")
            by_nodes = [search_once(position, spec(search, with_), nodes=sizes.nodes) for with_ in (WITHOUT, WITH)]
            by_time = [search_once(position, spec(search, with_), seconds=sizes.seconds) for with_ in (WITHOUT, WITH)]
            reaches.append({
                "search": search, "plies": plies, "depth_nodes_without": by_nodes[0].depth,
                "depth_nodes_with": by_nodes[1].depth, "depth_seconds_without": by_time[0].depth,
                "depth_seconds_with": by_time[1].depth})
    summary: list[Row] = []
    for search in SEARCHES:
        for depth in sizes.depths:
            rows = [row for row in costs if row["search"] == search and row["depth"] == depth]
            ratio, low, high = mean_ratio([number(row, "nodes_with") / number(row, "nodes_without") for row in rows])
            time_ratio, _, _ = mean_ratio([max(number(row, "seconds_with"), 1e-6)
                                           / max(number(row, "seconds_without"), 1e-6) for row in rows])
            summary.append({
                "search": search, "depth": depth, "positions": len(rows),
                "nodes_without": sum(number(row, "nodes_without") for row in rows),
                "nodes_with": sum(number(row, "nodes_with") for row in rows),
                "seconds_without": sum(number(row, "seconds_without") for row in rows),
                "seconds_with": sum(number(row, "seconds_with") for row in rows),
                "ratio": ratio, "low": low, "high": high, "time_ratio": time_ratio,
                "same_move": sum(number(row, "same_move") for row in rows),
                "same_value": sum(number(row, "same_value") for row in rows)})
    depth_rows: list[Row] = [{
        "search": search, "plies": plies, **{
            key: _mean([number(row, key) for row in reaches if row["search"] == search and row["plies"] == plies])
            for key in ("depth_nodes_without", "depth_nodes_with", "depth_seconds_without", "depth_seconds_with")}}
        for search in SEARCHES for plies in sizes.plies]
    return (
        Table("cost", Words("Nodes and time to a fixed depth", "搜到固定深度的节点数与用时"), COST_COLUMNS, tuple(summary)),
        Table("reach", Words("Depth reached with equal budgets", "同等预算下达到的深度"), (
            Column("search", Words("search", "搜索")), Column("plies", Words("random plies", "随机步数"), "{plies}"),
            Column("depth_nodes_without", Words(f"{sizes.nodes:,} nodes, without", f"{sizes.nodes:,} 节点，无表"),
                   "{depth_nodes_without:.1f}"),
            Column("depth_nodes_with", Words("with", "有表"), "{depth_nodes_with:.1f}"),
            Column("depth_seconds_without", Words(f"{sizes.seconds} s, without", f"{sizes.seconds} 秒，无表"),
                   "{depth_seconds_without:.1f}"),
            Column("depth_seconds_with", Words("with", "有表"), "{depth_seconds_with:.1f}")), tuple(depth_rows)),
        Table("positions", Words("Position by position", "逐个局面"), (
            Column("search", Words("search", "搜索")), Column("plies", Words("random plies", "随机步数"), "{plies}"),
            Column("depth", Words("depth", "深度"), "{depth}"),
            Column("nodes_without", Words("nodes without", "无表节点"), "{nodes_without:,}"),
            Column("nodes_with", Words("nodes with", "有表节点"), "{nodes_with:,}"),
            Column("hits", Words("table hits", "命中"), "{hits:,}"),
            Column("same_move", Words("same move", "着法相同"), "{same_move}")), tuple(costs), detail=True),
    )


COST_COLUMNS = (
    Column("search", Words("search", "搜索")), Column("depth", Words("depth", "深度"), "{depth}"),
    Column("nodes_without", Words("nodes without", "无表节点"), "{nodes_without:,.0f}"),
    Column("nodes_with", Words("nodes with", "有表节点"), "{nodes_with:,.0f}"),
    Column("ratio", Words("with/without (95 %)", "有/无（95 %）"), "{ratio:.2f} ({low:.2f}–{high:.2f})"),
    Column("time_ratio", Words("time with/without", "用时 有/无"), "{time_ratio:.2f}"),
    Column("same_move", Words("same best move", "最佳着法相同"), "{same_move:.0f}/{positions}"),
    Column("same_value", Words("same value", "值相同"), "{same_value:.0f}/{positions}"),
)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def panels(tables: Mapping[str, Table]) -> tuple[Panel, ...]:
    cost, reach = tables["cost"], tables["reach"]
    ratios = tuple(Series(search, tuple(cost.numbers("ratio", search=search)), tuple(cost.numbers("depth", search=search)),
                          tuple(cost.numbers("low", search=search)), tuple(cost.numbers("high", search=search)))
                   for search in SEARCHES)
    plies = [int(one) for one in reach.numbers("plies", search="plain")]
    depths = tuple(Series(f"{search}, {with_} table", tuple(reach.numbers(f"depth_nodes_{with_}", search=search)))
                   for search in SEARCHES for with_ in ("without", "with"))
    return (
        Panel("Nodes with the table, as a share of those without", "nodes with / without", ratios, "lines", "depth",
              reference=1.0),
        Panel("Depth reached with equal nodes", "depth", depths, x_label="random plies before the search",
              categories=tuple(str(one) for one in plies)),
    )


def conclude(tables: Mapping[str, Table]) -> Sentences:
    cost, reach = tables["cost"], tables["reach"]
    deepest = max(cost.numbers("depth"))
    row = cost.find(search="plain", depth=int(deepest))
    ratio, low, high = (number(row, name) for name in ("ratio", "low", "high"))
    verdict = judge(low, high, 1.0)
    share, same, count = f"{ratio:.2f}", f"{number(row, 'same_value'):.0f}", f"{number(row, 'positions'):.0f}"
    first = {
        "less": Words(f"At depth {deepest:.0f} plain alpha-beta with a table visits {share} of the nodes it visits without "
                      f"({low:.2f}–{high:.2f}), and finds the same value in {same} of {count} positions.",
                      f"深度 {deepest:.0f} 时，带置换表的朴素 α-β 只需访问不带表时 {share} 倍的节点（{low:.2f}–{high:.2f}），"
                      f"{count} 个局面中有 {same} 个所得的值相同。"),
        "more": Words(f"At depth {deepest:.0f} the table costs plain alpha-beta nodes: {share} times as many "
                      f"({low:.2f}–{high:.2f}), with the same value in {same} of {count} positions.",
                      f"深度 {deepest:.0f} 时，置换表反而使朴素 α-β 的节点数变为 {share} 倍（{low:.2f}–{high:.2f}），"
                      f"{count} 个局面中有 {same} 个所得的值相同。"),
        "open": Words(f"At depth {deepest:.0f} the table makes no clear difference to plain alpha-beta: {share} times the "
                      f"nodes ({low:.2f}–{high:.2f}), with the same value in {same} of {count} positions.",
                      f"深度 {deepest:.0f} 时，置换表对朴素 α-β 的节点数没有明确影响：{share} 倍（{low:.2f}–{high:.2f}），"
                      f"{count} 个局面中有 {same} 个所得的值相同。"),
    }[verdict]
    gain = _mean([number(row, "depth_nodes_with") - number(row, "depth_nodes_without")
                  for row in reach.select(search="plain")])
    gain_default = _mean([number(row, "depth_nodes_with") - number(row, "depth_nodes_without")
                          for row in reach.select(search="default")])
    second = Words(f"With equal nodes the table {_gains(gain)} on average, and {_gains(gain_default)} in the search that plays, "
                   "which also orders its moves by the table.",
                   f"节点数相同时，有表的朴素搜索平均{_gains_zh(gain)}；在实际对局所用、并借表排序着法的搜索中，{_gains_zh(gain_default)}。")
    return first, second


def _gains(plies: float) -> str:
    return (f"gains {plies:.1f} plies" if plies >= 0.05 else f"loses {-plies:.1f} plies" if plies <= -0.05
            else "neither gains nor loses depth")


def _gains_zh(plies: float) -> str:
    return (f"多搜 {plies:.1f} 层" if plies >= 0.05 else f"少搜 {-plies:.1f} 层" if plies <= -0.05 else "深度不增不减")


EXPERIMENT = Experiment(
    name="othello-tt", game="othello",
    question=Words("Does a transposition table help?", "置换表有用吗？"),
    varied=Words("`table_mb` of alpha-beta, 16 or 0, on the same Othello positions; once with sound switches only (plain) "
                 "and once in the search that plays (default).",
                 "α-β 的 `table_mb`（16 或 0），同一批黑白棋局面；一次只开不影响结果的选项（plain），一次用实际对局的搜索（default）。"),
    sizes={"quick": Sizes((0, 10), 1, (3, 4), 2_000, 0.01),
           "full": Sizes((0, 10, 20, 30), 4, (4, 6, 8), 300_000, 0.2)},
    measure=measure, panels=panels, conclude=conclude)
