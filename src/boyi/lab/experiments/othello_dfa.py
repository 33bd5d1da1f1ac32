"""othello-dfa: is one automaton that scans lines faster than loops, and how good is its evaluation?"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.matches import MATCH_COLUMNS, play_pair
from boyi.lab.panel import Panel, Series
from boyi.lab.positions import random_positions
from boyi.lab.searches import search_once
from boyi.lab.sentences import grouped, result, sentence, verdicts
from boyi.lab.survey import sum_values
from boyi.lab.table import Column, Row, Table, number

EVALUATORS = {"classic": "classic", "loops": "lines_loops", "DFA scan": "lines_dfa", "line table": "lines",
              "patterns": "patterns"}
"""By the names of this experiment. Loops, scan and table give the same values and differ in how they find them."""

SAME = ("loops", "DFA scan", "line table")
TITLES = {"loops": Words("looking for features by loops", "循环查找"),
          "DFA scan": Words("the automaton's scan", "自动机扫描"),
          "line table": Words("the table compiled from it", "由其编译的线表")}


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    positions: int
    """Of random games, for the speed."""

    rounds: int
    repeats: int
    """The fastest repetition counts: other processes slow a machine down but never speed it up."""

    search_positions: int
    search_nodes: int
    match_nodes: int
    """Of the line table; at equal time the others get more or fewer, by their speed in a search."""

    games: int


def spec(name: str) -> str:
    return f"alphabeta:evaluator={EVALUATORS[name]}"


def measure(sizes: Sizes, session: Session) -> tuple[Table, ...]:
    game = find_game("othello")
    start = game.start()
    stages = tuple(range(4, 56, 4))
    positions = [position for _, position in random_positions(start, stages, max(1, sizes.positions // len(stages)),
                                                              session.seed)]
    searched = [position for _, position in random_positions(start, (10, 20, 30), sizes.search_positions, session.seed)]
    distinct = [name for name in EVALUATORS if name not in SAME[:-1]]
    session.plan(len(EVALUATORS) + len(list(combinations(distinct, 2))) + len(list(combinations(EVALUATORS, 2))))

    # Step 1. Speed: alone in a loop, and in a search, where evaluating is only part of the work.
    speeds: list[Row] = []
    for name, evaluator_name in EVALUATORS.items():
        session.step(f"speed of {name}")
        evaluator = game.evaluators[evaluator_name]()
        best = float("inf")
        for _ in range(sizes.repeats):
            began = time.process_time()
            total = sum_values(evaluator, positions, sizes.rounds)
            best = min(best, time.process_time() - began)
        found = [search_once(position, spec(name), nodes=sizes.search_nodes, rounds=2) for position in searched]
        speeds.append({
            "name": name, "evaluator": evaluator_name, "evaluations": sizes.rounds * len(positions), "checksum": total,
            "speed": sizes.rounds * len(positions) / max(best, 1e-9),
            "search_speed": sum(one.nodes for one in found) / max(sum(one.cpu_seconds for one in found), 1e-9)})
    table_speed = {str(row["name"]): number(row, "search_speed") for row in speeds}

    # Step 2. Strength, at equal nodes (where equal evaluators are equal players) and at equal time.
    matches: list[Row] = []
    for one, other in combinations(distinct, 2):
        matches.append(play_pair(start, (one, f"{spec(one)},nodes={sizes.match_nodes}"),
                                 (other, f"{spec(other)},nodes={sizes.match_nodes}"), sizes.games, session,
                                 random_plies=8, budget="nodes"))
    nodes = {name: max(50, round(sizes.match_nodes * speed / table_speed["line table"], -1))
             for name, speed in table_speed.items()}
    for one, other in combinations(EVALUATORS, 2):
        matches.append(play_pair(start, (one, f"{spec(one)},nodes={nodes[one]:.0f}"),
                                 (other, f"{spec(other)},nodes={nodes[other]:.0f}"), sizes.games, session,
                                 random_plies=8, budget="time"))
    return (
        Table("speed", Words("Speed", "速度"), (
            Column("name", Words("evaluator", "评估器")),
            Column("speed", Words("evaluations per CPU second", "每 CPU 秒评估次数"), "{speed:,.0f}"),
            Column("search_speed", Words("nodes per CPU second in a search", "搜索中每 CPU 秒节点"),
                   "{search_speed:,.0f}"),
            Column("checksum", Words("sum of all values", "所有值之和"), "{checksum:,}")), tuple(speeds)),
        Table("match", Words("Matches at equal nodes, and at equal time (nodes in proportion to the speed of search)",
                             "对抗赛：节点数相同；用时相同（节点数按搜索速度折算）"),
              (Column("budget", Words("equal", "相同的")), *MATCH_COLUMNS), tuple(matches)),
    )


def panels(tables: Mapping[str, Table]) -> tuple[Panel, ...]:
    speed, match = tables["speed"], tables["match"]
    names = tuple(str(row["name"]) for row in speed.rows)
    equal = match.select(budget="time")
    rows = [row for row in equal if "line table" in (row["one"], row["other"])]

    def seen(row: Row) -> tuple[str, float, float, float]:
        """From the side of the one that is not the line table."""
        score, low, high = (number(row, column) for column in ("score", "low", "high"))
        return ((str(row["one"]), score, low, high) if row["other"] == "line table" else
                (str(row["other"]), 1 - score, 1 - high, 1 - low))
    others = [seen(row) for row in rows]
    return (
        Panel("Evaluations per second, alone", "evaluations per CPU second",
              (Series.of(speed.rows, "speed", errors=False),), categories=names, logarithmic=True),
        Panel("Score against the line table, equal time", "score", (
            Series("", tuple(one[1] for one in others), (), tuple(one[2] for one in others),
                   tuple(one[3] for one in others)),), categories=tuple(one[0] for one in others), percent=True,
              reference=0.5),
    )


def conclude(tables: Mapping[str, Table]) -> Sentences:
    speed, match = tables["speed"], tables["match"]
    rows = {str(row["name"]): row for row in speed.rows}
    fast = {name: number(rows[name], "speed") for name in SAME}

    def compared(one: str, other: str) -> Words:
        """`the scan is 3.0 times as fast as loops`"""
        ratio = fast[one] / fast[other]
        first, then = TITLES[one], TITLES[other]
        return (Words(f"{first.en} is {ratio:.1f} times as fast as {then.en}",
                      f"{first.zh}的速度是{then.zh}的 {ratio:.1f} 倍")
                if ratio >= 1 else Words(f"{first.en} takes {1 / ratio:.1f} times as long as {then.en}",
                                         f"{first.zh}的用时是{then.zh}的 {1 / ratio:.1f} 倍"))
    equal = len({rows[name]["checksum"] for name in SAME}) == 1
    first = sentence(
        compared("DFA scan", "loops"), Words(", ", "，"), compared("line table", "DFA scan"),
        Words(", and all three find the same values.", "；三者所得的值完全相同。") if equal else
        Words(", but their values differ, which is a bug.", "；但三者所得的值不同，这是错误。"))
    by_nodes = verdicts(match.select(budget="nodes"))
    said = [f"{row['one']} > {row['other']}" for row in by_nodes["more"]]
    said += [f"{row['other']} > {row['one']}" for row in by_nodes["less"]]
    open_ = [f"{row['one']} = {row['other']}" for row in by_nodes["open"]]
    loops = match.find(budget="time", one="loops", other="line table")
    second = sentence(
        Words("in matches at equal nodes (> beyond the error) ", "节点数相同的对抗中（> 表示超出误差）："),
        grouped([(Words("", ""), said), (Words("open: ", "未定："), open_)]),
        Words("; at equal time ", "；用时相同时，"),
        result(loops, Words("the evaluation by loops", "循环所得的评估"),
               Words("the same evaluation from the table", "查表所得的同一评估")), Words(".", "。"))
    return first, second


EXPERIMENT = Experiment(
    name="othello-dfa", game="othello",
    question=Words("Does a DFA that scans lines beat loops, and how good is its evaluation?",
                   "用 DFA 扫描各线，胜过循环吗？这样的评估好不好？"),
    varied=Words("`evaluator` of alpha-beta: `classic`; the eleven line features found by loops (`lines_loops`), by "
                 "the automaton at run time (`lines_dfa`) and by a table of all lines compiled from it (`lines`); "
                 "trained `patterns`.",
                 "α-β 的 `evaluator`：`classic`；十一种线特征，分别用循环（`lines_loops`）、运行时自动机（`lines_dfa`）"
                 "、由其编译的全线表（`lines`）求得；训练所得的 `patterns`。"),
    sizes={"quick": Sizes(26, 2, 1, 1, 300, 30, 2), "full": Sizes(1_300, 10, 5, 3, 30_000, 800, 50)},
    measure=measure, panels=panels, conclude=conclude)
