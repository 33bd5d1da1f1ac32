"""othello-symmetry: should symmetric positions share an entry of the table? (Stage 3 of the first ancestor.)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.panel import Panel, Series
from boyi.lab.positions import random_positions
from boyi.lab.searches import PLAIN_ALPHABETA, search_once
from boyi.lab.sentences import listed, sentence
from boyi.lab.statistics import judge, mean_ratio
from boyi.lab.table import Column, Row, Table, number

SYMMETRIES = {"plain": "none", "top plies": "top", "everywhere": "everywhere"}
"""The option `symmetry`, by the names of this experiment."""


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    plies: tuple[int, ...]
    """Random moves before the search; 0 is the start."""

    positions: int
    depth: int
    start_depth: int
    """The start has few moves and lets a search look deeper."""

    rounds: int


def measure(sizes: Sizes, session: Session) -> tuple[Table, ...]:
    positions = random_positions(find_game("othello").start(), sizes.plies, sizes.positions, session.seed)
    session.plan(len(positions) * len(SYMMETRIES))
    details: list[Row] = []
    for place, (plies, position) in enumerate(positions):
        depth = sizes.depth if plies else sizes.start_depth
        for name, option in SYMMETRIES.items():
            session.step(f"{name}, after {plies} plies")
            one = search_once(position, f"{PLAIN_ALPHABETA},symmetry={option}", depth=depth, rounds=sizes.rounds)
            details.append({
                "position": place, "plies": plies, "depth": depth, "symmetry": name, "nodes": one.nodes,
                "probes": one.count("table_probes"), "hits": one.count("table_hits"),
                "cutoffs": one.count("table_cutoffs"), "entries": one.count("table_entries"),
                "seconds": one.cpu_seconds, "value": one.value})
    rows: list[Row] = []
    for plies in sizes.plies:
        plain = [row for row in details if row["plies"] == plies and row["symmetry"] == "plain"]
        for name in SYMMETRIES:
            these = [row for row in details if row["plies"] == plies and row["symmetry"] == name]
            total = {column: sum(number(row, column) for row in these)
                     for column in ("nodes", "probes", "hits", "entries", "seconds")}
            ratio, low, high = mean_ratio([number(row, "nodes") / number(other, "nodes")
                                           for row, other in zip(these, plain, strict=True)])
            rows.append({
                "plies": plies, "symmetry": name, "depth": these[0]["depth"], "positions": len(these), **total,
                "hit_rate": total["hits"] / max(total["probes"], 1), "ratio": ratio, "low": low, "high": high,
                "time_ratio": total["seconds"] / max(sum(number(row, "seconds") for row in plain), 1e-9),
                "same_value": sum(row["value"] == other["value"] for row, other in zip(these, plain, strict=True))})
    return (
        Table("cost", Words("Plain alpha-beta to a fixed depth", "朴素 α-β，搜到固定深度"), (
            Column("plies", Words("random plies before", "之前的随机步数"), "{plies}"),
            Column("depth", Words("depth", "深度"), "{depth}"),
            Column("symmetry", Words("symmetric keys", "对称键")),
            Column("nodes", Words("nodes", "节点"), "{nodes:,.0f}"),
            Column("ratio", Words("of plain (95 %)", "与 plain 之比（95 %）"), "{ratio:.2f} ({low:.2f}–{high:.2f})"),
            Column("hit_rate", Words("hit rate", "命中率"), "{hit_rate:.1%}"),
            Column("entries", Words("entries stored", "表项数"), "{entries:,.0f}"),
            Column("seconds", Words("CPU s", "CPU 秒"), "{seconds:.2f}"),
            Column("time_ratio", Words("time of plain", "用时与 plain 之比"), "{time_ratio:.2f}"),
            Column("same_value", Words("same value", "值相同"), "{same_value}/{positions}")), tuple(rows)),
        Table("positions", Words("Position by position", "逐个局面"), (), tuple(details), detail=True),
    )


def panels(tables: Mapping[str, Table]) -> tuple[Panel, ...]:
    cost = tables["cost"]
    places = tuple("start" if not plies else f"{plies:.0f}" for plies in cost.numbers("plies", symmetry="plain"))
    others = [name for name in SYMMETRIES if name != "plain"]
    return (
        Panel("Nodes, compared with plain keys", "ratio of nodes", tuple(
            Series.of(cost.select(symmetry=name), "ratio", name) for name in others),
              x_label="random plies before the search", categories=places, reference=1.0),
        Panel("CPU time, compared with plain keys", "ratio of time", tuple(
            Series.of(cost.select(symmetry=name), "time_ratio", name, errors=False) for name in others),
              x_label="random plies before the search", categories=places, reference=1.0),
    )


def conclude(tables: Mapping[str, Table]) -> Sentences:
    cost = tables["cost"]
    plies = [int(one) for one in cost.numbers("plies", symmetry="plain")]
    start = {name: cost.find(plies=plies[0], symmetry=name) for name in SYMMETRIES}

    def describe(name: str) -> Words:
        ratio, time = number(start[name], "ratio"), number(start[name], "time_ratio")
        return Words(f"{ratio:.2f} of the nodes in {time:.2f} of the time",
                     f"节点为 {ratio:.2f} 倍、用时为 {time:.2f} 倍")
    where = (Words("from the start", "自开局起") if plies[0] == 0 else
             Words(f"after {plies[0]} plies", f"{plies[0]} 步之后"))
    first = sentence(
        where, Words(", compared with plain keys, symmetric keys everywhere take ", "，与普通键相比，处处用对称键："),
        describe("everywhere"), Words("; in the top plies only, ", "；只在靠近根的几层用："), describe("top plies"),
        Words(".", "。"))
    later = [cost.find(plies=one, symmetry="everywhere") for one in plies[1:]]
    said = {"less": Words("fewer nodes", "更少"), "more": Words("more nodes", "更多"),
            "open": Words("no clear difference in nodes", "无明确差别")}
    parts = []
    for row in later:
        verdict = said[judge(number(row, "low"), number(row, "high"), 1.0)]
        parts.append(Words(f"after {row['plies']} random plies {verdict.en} ({number(row, 'ratio'):.2f}, time "
                           f"{number(row, 'time_ratio'):.2f})",
                           f"随机 {row['plies']} 步后节点{verdict.zh}（{number(row, 'ratio'):.2f}，用时 "
                           f"{number(row, 'time_ratio'):.2f}）"))
    second = sentence(Words("later, symmetric keys everywhere: ", "此后处处用对称键："), listed(parts),
                      Words(".", "。"))
    return first, second


EXPERIMENT = Experiment(
    name="othello-symmetry", game="othello",
    question=Words("Should symmetric positions share a transposition-table entry?",
                   "互相对称的局面应共用一个置换表项吗？"),
    varied=Words("`symmetry` of alpha-beta: plain keys (`none`), canonical keys in the top plies (`top`) or at every "
                 "node (`everywhere`); sound switches only, so that the value must be the same.",
                 "α-β 的 `symmetry`：普通键（`none`）、只在靠近根的几层用规范键（`top`）、处处用规范键（`everywhere`）"
                 "；只开不影响结果的选项，故值必定相同。"),
    sizes={"quick": Sizes((0, 4), 1, 3, 5, 1), "full": Sizes((0, 4, 10, 20), 8, 9, 12, 3)},
    measure=measure, panels=panels, conclude=conclude)
