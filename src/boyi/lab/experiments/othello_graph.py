"""othello-graph: how much smaller than the tree of sequences is the graph of positions? (The first ancestor's idea.)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from boyi.core.position import Position
from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.panel import Panel, Series
from boyi.lab.positions import random_positions
from boyi.lab.searches import PLAIN_ALPHABETA, search_once
from boyi.lab.sentences import sentence
from boyi.lab.statistics import judge, mean_ratio
from boyi.lab.table import Column, Row, Table, number
from boyi.search.distinct import count_distinct

PLAIN = "plain"
TABLES = {PLAIN: "table_mb=0", "table": "table_mb=64", "symmetric": "table_mb=64,symmetry=everywhere"}
"""Alpha-beta without a table, with one, and with one in which images of a position share an entry."""

KINDS = {
    "positions": Words("minimax, perfect table", "极大极小，理想置换表"),
    "classes": Words("minimax, perfect symmetric table", "极大极小，理想对称置换表"),
    "table": Words("alpha-beta, table", "α-β，置换表"),
    "symmetric": Words("alpha-beta, symmetric table", "α-β，对称置换表"),
}
"""What a share of the nodes is compared with: the tree that plain minimax walks, or alpha-beta without a table."""


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    depth: int
    """From the start; 11 takes about a minute and one and a half gigabytes."""

    search_depth: int
    """How deep alpha-beta goes from the start."""

    plies: tuple[int, ...]
    """Random moves before the other positions."""

    positions: int
    """For each number of plies."""

    later_depth: int
    """From these positions, for the count and for alpha-beta."""


@dataclass(frozen=True)
class Nodes:
    """What a search to some depth visits below its root if it visits everything: as a tree, with what is the same
    visited once, and with images taken for the same, too."""

    sequences: int = 0
    positions: int = 0
    classes: int = 0

    def and_level(self, position: Position, depth: int) -> Nodes:
        """With one level more."""
        found = count_distinct(position, depth, symmetric=True, megabytes=4096)
        assert found.classes is not None
        return Nodes(self.sequences + found.sequences, self.positions + found.positions, self.classes + found.classes)


def measure(sizes: Sizes, session: Session) -> tuple[Table, ...]:
    start = find_game("othello").start()
    later = random_positions(start, sizes.plies, sizes.positions, session.seed)
    session.plan(sizes.depth + sizes.search_depth + len(later))
    growth = measure_growth(start, sizes.depth, session)
    searches: list[Row] = []
    for depth in range(1, sizes.search_depth + 1):
        session.step(f"alpha-beta to depth {depth}")
        searches.append({"depth": depth, **_alphabeta(start, depth)})
    details: list[Row] = []
    for place, (plies, position) in enumerate(later):
        session.step(f"after {plies} plies")
        below = Nodes()
        for depth in range(1, sizes.later_depth + 1):
            below = below.and_level(position, depth)
        details.append({"position": place, "plies": plies, "depth": sizes.later_depth,
                        "sequences": below.sequences, "positions": below.positions, "classes": below.classes,
                        **_alphabeta(position, sizes.later_depth)})
    shares: list[Row] = []
    for plies in sizes.plies:
        rows = [row for row in details if row["plies"] == plies]
        for kind, words in KINDS.items():
            whole = "sequences" if kind in ("positions", "classes") else PLAIN
            middle, low, high = mean_ratio([number(row, kind) / number(row, whole) for row in rows])
            shares.append({"plies": plies, "depth": sizes.later_depth, "kind": kind, "search": words.en,
                           "positions": len(rows), "nodes": sum(number(row, kind) for row in rows),
                           "ratio": middle, "low": low, "high": high})
    return (
        Table("growth", Words("From the start: sequences of moves, distinct positions, symmetry classes",
                              "自开局起：着法序列、不同局面、对称等价类"), (
            Column("depth", Words("depth", "深度"), "{depth}"),
            Column("sequences", Words("sequences", "着法序列"), "{sequences:,}"),
            Column("positions", Words("positions", "不同局面"), "{positions:,}"),
            Column("classes", Words("classes", "等价类"), "{classes:,}"),
            Column("sequence_growth", Words("growth of the three", "三者增长倍数"),
                   "{sequence_growth:.2f} / {position_growth:.2f} / {class_growth:.2f}"),
            Column("position_share", Words("nodes that a perfect table leaves", "理想置换表所余节点"),
                   "{position_share:.1%}"),
            Column("class_share", Words("a perfect symmetric table", "理想对称置换表"), "{class_share:.1%}")),
              tuple(growth)),
        Table("search", Words("From the start: nodes of plain alpha-beta", "自开局起：朴素 α-β 的节点数"), (
            Column("depth", Words("depth", "深度"), "{depth}"),
            Column("plain", Words("no table", "无表"), "{plain:,}"),
            Column("table", Words("table", "置换表"), "{table:,}"),
            Column("symmetric", Words("symmetric table", "对称置换表"), "{symmetric:,}"),
            Column("table_share", Words("nodes that the table leaves", "置换表所余节点"), "{table_share:.1%}"),
            Column("symmetric_share", Words("the symmetric table", "对称置换表"), "{symmetric_share:.1%}")),
              tuple(searches)),
        Table("shares", Words(f"After random moves, {sizes.later_depth} plies deep: nodes left by a table",
                              f"随机若干步之后，搜 {sizes.later_depth} 层：用表后所余节点"), (
            Column("plies", Words("random plies before", "之前的随机步数"), "{plies}"),
            Column("search", Words("search", "搜索")),
            Column("nodes", Words("nodes", "节点"), "{nodes:,.0f}"),
            Column("ratio", Words("of those without a table (95 %)", "与无表之比（95 %）"),
                   "{ratio:.2f} ({low:.2f}–{high:.2f})")), tuple(shares)),
        Table("positions", Words("Position by position", "逐个局面"), (), tuple(details), detail=True),
    )


def measure_growth(start: Position, deepest: int, session: Session) -> list[Row]:
    """A row per depth: the level itself, how much larger it is than the one above, and all levels down to it."""
    rows: list[Row] = []
    last, below = Nodes(1, 1, 1), Nodes()
    for depth in range(1, deepest + 1):
        session.step(f"level {depth}")
        level = Nodes().and_level(start, depth)
        below = Nodes(below.sequences + level.sequences, below.positions + level.positions,
                      below.classes + level.classes)
        rows.append({
            "depth": depth, "sequences": level.sequences, "positions": level.positions, "classes": level.classes,
            "sequence_growth": level.sequences / last.sequences, "position_growth": level.positions / last.positions,
            "class_growth": level.classes / last.classes, "position_share": below.positions / below.sequences,
            "class_share": below.classes / below.sequences})
        last = level
    return rows


def _alphabeta(position: Position, depth: int) -> dict[str, int | float]:
    nodes = {name: search_once(position, f"{PLAIN_ALPHABETA},{table}", depth=depth).nodes
             for name, table in TABLES.items()}
    return {**nodes, **{f"{name}_share": nodes[name] / nodes[PLAIN] for name in TABLES if name != PLAIN}}


def panels(tables: Mapping[str, Table]) -> tuple[Panel, ...]:
    growth, search, shares = tables["growth"], tables["search"], tables["shares"]
    labels = {"positions": "minimax", "classes": "minimax, symmetric", "table": "alpha-beta",
              "symmetric": "alpha-beta, symmetric"}
    later = tuple(f"{plies:.0f}" for plies in shares.numbers("plies", kind="table"))

    def lines(rows: Sequence[Row], columns: Mapping[str, str]) -> tuple[Series, ...]:
        return tuple(Series.of(rows, column, label, place="depth", errors=False) for column, label in columns.items())
    return (
        Panel("Othello from the start, level by level", "how many", lines(
            growth.rows, {"sequences": "sequences", "positions": "positions", "classes": "symmetry classes"}),
              "lines", "depth", logarithmic=True),
        Panel("Nodes that a table leaves, from the start", "share of the nodes without it", (
            *lines(growth.rows, {"position_share": labels["positions"], "class_share": labels["classes"]}),
            *lines(search.rows, {"table_share": labels["table"], "symmetric_share": labels["symmetric"]})),
              "lines", "depth", percent=True),
        Panel("Nodes that a table leaves, later", "share of the nodes without it", tuple(
            Series.of(shares.select(kind=kind), "ratio", label) for kind, label in labels.items()),
              x_label="random plies before the search", categories=later, reference=1.0),
    )


def conclude(tables: Mapping[str, Table]) -> Sentences:
    growth, shares = tables["growth"], tables["shares"]
    last = max(growth.rows, key=lambda row: number(row, "depth"))
    counts = [f"{number(last, name):,.0f}" for name in ("sequences", "positions", "classes")]
    factors = [f"{number(last, name):.1f}" for name in ("sequence_growth", "position_growth", "class_growth")]
    left = [f"{100 * number(last, name):.0f} %" for name in ("position_share", "class_share")]
    first = Words(
        f"From the start, {last['depth']} plies deep, {counts[0]} sequences end in {counts[1]} positions and "
        f"{counts[2]} symmetry classes; with the last ply the three grow {factors[0]}, {factors[1]} and {factors[2]} "
        f"times, and no table can leave plain minimax less than {left[0]} of its nodes, no symmetric table less than "
        f"{left[1]}.",
        f"自开局起第 {last['depth']} 层，{counts[0]} 个着法序列到达 {counts[1]} 个局面、{counts[2]} 个对称等价类；"
        f"最后一层三者分别增至 {factors[0]}、{factors[1]}、{factors[2]} 倍，"
        f"朴素极大极小用任何置换表至少仍需 {left[0]} 的节点，用对称置换表至少 {left[1]}。")
    plies = max(number(row, "plies") for row in shares.rows)
    rows = {kind: shares.find(plies=plies, kind=kind) for kind in KINDS}
    depth, table = rows["table"]["depth"], rows["table"]
    spans = {kind: f"{number(row, 'ratio'):.2f} ({number(row, 'low'):.2f}–{number(row, 'high'):.2f})"
             for kind, row in rows.items()}
    effect = {
        "less": Words("a table saves alpha-beta nodes", "置换表为 α-β 节省节点"),
        "more": Words("a table costs alpha-beta nodes", "置换表反使 α-β 多用节点"),
        "open": Words("a table makes no clear difference to alpha-beta", "置换表对 α-β 没有明确影响"),
    }[judge(number(table, "low"), number(table, "high"), 1.0)]
    second = sentence(
        Words(f"after {plies:.0f} random plies, {depth} plies deep, the bounds are {spans['positions']} and "
              f"{spans['classes']} of the nodes; there ",
              f"随机 {plies:.0f} 步之后搜 {depth} 层，这两个下限为 {spans['positions']} 和 {spans['classes']}；此时"),
        effect,
        Words(f", which visits {spans['table']} times as many with it, and {spans['symmetric']} times as many with a "
              "symmetric one.", f"，用表后节点为 {spans['table']} 倍，用对称置换表为 {spans['symmetric']} 倍。"))
    return first, second


EXPERIMENT = Experiment(
    name="othello-graph", game="othello",
    question=Words("How much smaller than the game tree is the graph of positions, and its quotient by symmetry?",
                   "局面图及其对称商图比博弈树小多少？"),
    varied=Words("What is counted as one: nothing (sequences), the same position, or all images of a position "
                 "(`boyi perft othello N --distinct --symmetric`). The levels down to a depth are what plain minimax "
                 "visits without a table, with a perfect one and with a perfect one that knows symmetry. Beside it the "
                 "nodes of plain alpha-beta, iterations included, with `table_mb` 0 or 64 and `symmetry` none or "
                 "everywhere.",
                 "视为同一的范围：不合并（着法序列）、相同局面，或一个局面的所有对称像"
                 "（`boyi perft othello N --distinct --symmetric`）。到某一深度为止的各层之和，即朴素极大极小无表、"
                 "用理想置换表、用理想对称置换表时访问的节点。另列朴素 α-β（含逐层加深）的节点数，"
                 "`table_mb` 为 0 或 64，`symmetry` 为 none 或 everywhere。"),
    sizes={"quick": Sizes(4, 3, (10, 20), 2, 3), "full": Sizes(11, 10, (10, 20, 30), 8, 6)},
    measure=measure, panels=panels, conclude=conclude)
