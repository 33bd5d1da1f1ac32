"""jieqi-chance: does expectimax beat assuming that a covered piece is what starts on its point?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

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
    "IT2, no king": "expectimax:preset=it2,weights.king_gain=0",
    "ours": "expectimax:preset=default,evaluator=hand",
}
TITLES = {"iterative": Words("iterative", "iterative"), "IT2": Words("IT2", "IT2"),
          "IT2, no king": Words("IT2 without the king in its captures", "吃子潜力不计将帅的 IT2"),
          "ours": Words("our expectimax", "我们的期望极大搜索")}

DOCUMENT = (
    ("search 搜索", "negamax", "expectimax"),
    ("value of a covered piece 暗子估值", "320, fixed 固定值", "the mean of the pool 动态期望价值"),
    ("reveals 揭子处理", "what starts on the point 假设揭成 movement_type", "chance nodes, all results 枚举所有可能"),
    ("time control 时间控制", "yes 支持", "yes 支持"),
)
"""The ancestor's own table of how its two engines differ, row by row."""

KEYS = ("iterative", "it2")
"""Of the two in the rows of that table; what depends on the machine stands under `KEY_time`."""


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
    session.plan(len(ENGINES) * len(positions) + len(list(combinations(ENGINES, 2))))
    details: list[Row] = []
    for name, spec in ENGINES.items():
        for plies, position in positions:
            session.step(f"{name}, after {plies} plies")
            by_depth = [search_once(position, spec, depth=depth) for depth in sizes.depths]
            by_nodes = search_once(position, spec, nodes=sizes.nodes)
            by_time = search_once(position, spec, seconds=sizes.seconds)
            details.append({"name": name, "plies": plies, "depth_nodes": by_nodes.depth, "depth_seconds": by_time.depth,
                            "timed_nodes": by_time.nodes,
                            "speed": by_nodes.nodes / max(by_nodes.cpu_seconds, 1e-6),
                            **{f"nodes_{depth}": one.nodes for depth, one in zip(sizes.depths, by_depth, strict=True)},
                            **{f"seconds_{depth}": one.cpu_seconds
                               for depth, one in zip(sizes.depths, by_depth, strict=True)}})
    summary: list[Row] = []
    for name in ENGINES:
        rows = [row for row in details if row["name"] == name]
        summary.append({"name": name, "positions": len(rows), **{
            column: mean(rows, column)
            for column in ("depth_nodes", "depth_seconds", "timed_nodes", "speed",
                           *(f"{what}_{depth}" for what in ("nodes", "seconds") for depth in sizes.depths))}})
    matches = play_round_robin(start, {name: f"{spec},nodes={sizes.match_nodes}" for name, spec in ENGINES.items()},
                               sizes.games, session, random_plies=0)
    return (
        match_table(matches, sizes.match_nodes),
        compare(sizes, summary, len(positions)),
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


def compare(sizes: Sizes, summary: list[Row], positions: int) -> Table:
    """The ancestor's table, with what both searches come to below it: depth, nodes and time on the same positions."""
    one, other = (next(row for row in summary if row["name"] == name) for name in ("iterative", "IT2"))

    def line(aspect: str, column: str, form: str, *, timed: bool) -> Row:
        cells = [form.format(number(row, column)) for row in (one, other)]
        return {"aspect": aspect, **{key: "" if timed else cell for key, cell in zip(KEYS, cells, strict=True)},
                **{f"{key}_time": cell if timed else "" for key, cell in zip(KEYS, cells, strict=True)}}

    rows: list[Row] = [{"aspect": aspect, "iterative": mine, "it2": theirs, "iterative_time": "", "it2_time": ""}
                       for aspect, mine, theirs in DOCUMENT]
    rows += [line(f"depth in {sizes.seconds} s 深度", "depth_seconds", "{:.1f}", timed=True),
             line(f"nodes in {sizes.seconds} s 节点", "timed_nodes", "{:,.0f}", timed=True)]
    for depth in sizes.depths:
        rows += [line(f"nodes to depth {depth} 节点", f"nodes_{depth}", "{:,.0f}", timed=False),
                 line(f"CPU seconds to depth {depth} 用时（秒）", f"seconds_{depth}", "{:.3g}", timed=True)]
    return Table("comparison", Words(f"How IT2 differs from iterative, on {positions} positions",
                                     f"IT2 与 iterative 的区别，{positions} 个局面"), (
        Column("aspect", Words("aspect", "方面")),
        *(Column(key, Words(name, name), f"{{{key}}}{{{key}_time}}")
          for key, name in zip(KEYS, ("iterative", "IT2"), strict=True))), tuple(rows))


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
        result(match.find(one="iterative", other="ours"), TITLES["iterative"], TITLES["ours"]), Words("; ", "；"),
        result(match.find(one="IT2", other="IT2, no king"), TITLES["IT2"], TITLES["IT2, no king"]), Words(".", "。"))
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
    varied=Words("`preset` of expectimax: the ancestor's two engines as its document has them (`iterative` assumes "
                 "that a covered piece is what starts on its point, `it2` weighs all it may be), `it2` with "
                 "`weights.king_gain=0` (a king that is in check is no capture worth 100000), and ours.",
                 "期望极大搜索的 `preset`：前身项目文档中的两个引擎（`iterative` 把暗子当作其所站位置的棋子，`it2` "
                 "按概率权衡所有可能）、`weights.king_gain=0` 的 `it2`（被将军的将帅不算价值 100000 的吃子），"
                 "以及我们的。"),
    sizes={"quick": Sizes((10,), 1, (1, 2), 500, 0.01, 50, 2),
           "full": Sizes((20, 40), 4, (1, 2, 3), 100_000, 1.0, 1_500, 60)},
    measure=measure, panels=panels, conclude=conclude)
