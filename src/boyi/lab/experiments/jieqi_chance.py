"""jieqi-chance: does expectimax beat assuming that a covered piece is what starts on its point?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.matches import match_table, play_round_robin
from boyi.lab.panel import Panel, Series, match_bars
from boyi.lab.positions import game_positions
from boyi.lab.searches import search_once
from boyi.lab.sentences import gain, result, sentence
from boyi.lab.table import Column, Row, Table, mean, number

ENGINES = {
    "iterative": "expectimax:preset=iterative",
    "IT2": "expectimax:preset=it2",
    "ours": "expectimax:preset=default,evaluator=hand",
}
TITLES = {"iterative": Words("iterative", "iterative"), "IT2": Words("IT2", "IT2"),
          "ours": Words("our expectimax", "我们的期望极大搜索")}


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    plies: tuple[int, ...]
    games_for_positions: int
    depths: tuple[int, ...]
    nodes: int
    seconds: float
    match_nodes: int
    games: int


def measure(sizes: Sizes, session: Session) -> tuple[Table, ...]:
    start = find_game("jieqi").start()
    positions = [(0, start.observe(0)), *game_positions(start, ENGINES["ours"] + ",nodes=500", sizes.plies,
                                                        sizes.games_for_positions, session.seed)]
    session.plan(len(ENGINES) * len(positions) + 3)
    details: list[Row] = []
    for name, spec in ENGINES.items():
        for plies, position in positions:
            session.step(f"{name}, after {plies} plies")
            by_depth = [search_once(position, spec, depth=depth) for depth in sizes.depths]
            by_nodes = search_once(position, spec, nodes=sizes.nodes)
            by_time = search_once(position, spec, seconds=sizes.seconds)
            details.append({"name": name, "plies": plies, "depth_nodes": by_nodes.depth, "depth_seconds": by_time.depth,
                            "speed": by_nodes.nodes / max(by_nodes.cpu_seconds, 1e-6),
                            **{f"nodes_{depth}": one.nodes for depth, one in zip(sizes.depths, by_depth, strict=True)}})
    summary: list[Row] = []
    for name in ENGINES:
        rows = [row for row in details if row["name"] == name]
        summary.append({"name": name, "positions": len(rows), **{
            column: mean(rows, column)
            for column in ("depth_nodes", "depth_seconds", "speed", *(f"nodes_{depth}" for depth in sizes.depths))}})
    matches = play_round_robin(start, {name: f"{spec},nodes={sizes.match_nodes}" for name, spec in ENGINES.items()},
                               sizes.games, session, random_plies=0)
    return (
        match_table(matches, sizes.match_nodes),
        Table("cost", Words("Nodes to a depth, and depth with equal budgets",
                            "搜到固定深度的节点数；同等预算下的深度"), (
            Column("name", Words("engine", "引擎")),
            *(Column(f"nodes_{depth}", Words(f"nodes to depth {depth}",
                                             f"深度 {depth} 的节点"), f"{{nodes_{depth}:,.0f}}")
              for depth in sizes.depths),
            Column("depth_nodes", Words(f"depth in {sizes.nodes:,} nodes",
                                        f"{sizes.nodes:,} 节点的深度"), "{depth_nodes:.1f}"),
            Column("depth_seconds", Words(f"depth in {sizes.seconds} s",
                                          f"{sizes.seconds} 秒的深度"), "{depth_seconds:.1f}"),
            Column("speed", Words("nodes per CPU second", "每 CPU 秒节点"), "{speed:,.0f}")), tuple(summary)),
        Table("positions", Words("Position by position", "逐个局面"), (), tuple(details), detail=True),
    )


def panels(tables: Mapping[str, Table]) -> tuple[Panel, ...]:
    match, cost = tables["match"], tables["cost"]
    depths = sorted(int(column.removeprefix("nodes_")) for column in cost.rows[0] if column.startswith("nodes_"))
    return (
        match_bars(match.rows),
        Panel("Nodes to a depth", "nodes, mean over positions", tuple(
            Series(str(row["name"]), tuple(number(row, f"nodes_{depth}") for depth in depths),
                   tuple(map(float, depths)))
            for row in cost.rows), "lines", "depth", logarithmic=True),
    )


def conclude(tables: Mapping[str, Table]) -> Sentences:
    match, cost = tables["match"], tables["cost"]
    chance = match.find(one="iterative", other="IT2")
    first = sentence(
        Words("at equal nodes, ", "节点数相同时，"), result(chance, TITLES["iterative"], TITLES["IT2"]), Words("; ",
                                                                                                        "；"),
        result(match.find(one="IT2", other="ours"), TITLES["IT2"], TITLES["ours"]), Words("; ", "；"),
        result(match.find(one="iterative", other="ours"), TITLES["iterative"], TITLES["ours"]), Words(".", "。"))
    depth = {str(row["name"]): row for row in cost.rows}
    second = sentence(
        Words("with equal nodes our expectimax searches ", "节点数相同时，我们的期望极大搜索比 IT2 "),
        gain(number(depth["ours"], "depth_nodes") - number(depth["IT2"], "depth_nodes")),
        Words(" than IT2, and in equal time ", "，用时相同时"),
        gain(number(depth["ours"], "depth_seconds") - number(depth["IT2"], "depth_seconds")),
        Words("; iterative, which looks at one result of chance instead of all, searches ",
              "；只看一种翻子结果的 iterative 在节点数相同时比 IT2 "),
        gain(number(depth["iterative"], "depth_nodes") - number(depth["IT2"], "depth_nodes")),
        Words(" than IT2 with equal nodes.", "。"))
    return first, second


EXPERIMENT = Experiment(
    name="jieqi-chance", game="jieqi",
    question=Words("Does it pay to look at everything a covered piece may be?", "逐一考虑暗子可能的身份，值得吗？"),
    varied=Words("`preset` of expectimax: the ancestor's two engines, reproduced exactly (`iterative` assumes that a "
                 "covered piece is what starts on its point, `it2` weighs all it may be), and ours.",
                 "期望极大搜索的 `preset`：前身项目的两个引擎，逐着复现（`iterative` 把暗子当作其所站位置的棋子，`it2` "
                 "按概率权衡所有可能）与我们的。"),
    sizes={"quick": Sizes((10,), 1, (1, 2), 500, 0.01, 50, 2),
           "full": Sizes((20, 40), 4, (1, 2, 3), 100_000, 0.2, 1_500, 60)},
    measure=measure, panels=panels, conclude=conclude)
