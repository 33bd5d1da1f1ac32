"""checkers-depth: the ancestor doubts that a deeper search plays better than a greedy one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.matches import MATCH_COLUMNS, play_pair
from boyi.lab.own_depth import ANCESTOR, OWN_DEPTHS
from boyi.lab.panel import Panel, Series
from boyi.lab.positions import game_positions
from boyi.lab.searches import mean_search
from boyi.lab.sentences import grouped, listed, result, sentence, verdicts
from boyi.lab.table import Column, Row, Table, number

SEARCHES = {
    "average": f"{ANCESTOR},deepest_for_two=0",
    "minimax": f"{ANCESTOR},deepest_for_two=0,algorithm=paranoid",
    "ours": "multiplayer:evaluator=race",
}
"""The ancestor's; the same with minimax instead of averages; and Boyi's default search."""


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    depths: tuple[int, ...]
    average_depths: tuple[int, ...]
    """Of `average`, up to the depth at which the ancestor plays."""

    games: int
    own_depth_games: int
    """Of `average`."""

    positions: int
    plies: tuple[int, ...]


def name(search: str, depth: int) -> str:
    return f"{search} {depth}"


def measure(sizes: Sizes, session: Session) -> tuple[Table, ...]:
    start = find_game("chinese_checkers").start()
    positions = game_positions(start, SEARCHES["ours"] + ",nodes=200", sizes.plies, sizes.positions, session.seed)
    depths = {search: sizes.average_depths if search == "average" else sizes.depths for search in SEARCHES}
    # Against depth 1, which is greedy, and against one ply less.
    pairs = {search: [(depth, other) for depth in depths[search][1:] for other in dict.fromkeys((1, depth - 1))]
             for search in SEARCHES}
    session.plan(sum(len(pairs[search]) + len(depths[search]) for search in SEARCHES))
    matches: list[Row] = []
    costs: list[Row] = []
    for search, spec in SEARCHES.items():
        for depth in depths[search]:
            session.step(f"nodes of {name(search, depth)}")
            found = mean_search(positions, spec, depth=depth)
            costs.append({"search": search, "depth": depth, "nodes": found.nodes,
                          "milliseconds": 1000 * found.cpu_seconds})
        for depth, other in pairs[search]:
            matches.append(play_pair(start, (name(search, depth), f"{spec},depth={depth}"),
                                     (name(search, other), f"{spec},depth={other}"),
                                     sizes.own_depth_games if search == "average" else sizes.games, session,
                                     search=search, depth=depth, against=other))
    return (
        Table("match", Words("Matches between depths", "不同深度之间的对抗"), MATCH_COLUMNS, tuple(matches)),
        Table("cost", Words("What a move costs", "每步的代价"), (
            Column("search", Words("search", "搜索")), Column("depth", Words("depth", "深度"), "{depth}"),
            Column("nodes", Words("nodes per move", "每步节点"), "{nodes:,.0f}"),
            Column("milliseconds", Words("ms per move", "每步毫秒"), "{milliseconds:.2f}")), tuple(costs)),
    )


def panels(tables: Mapping[str, Table]) -> tuple[Panel, ...]:
    match = tables["match"]
    searches = list(dict.fromkeys(str(row["search"]) for row in match.rows))

    def lines(rows: Mapping[str, list[Row]]) -> tuple[Series, ...]:
        return tuple(Series.of(rows[search], "score", search, place="depth") for search in searches)
    greedy = {search: match.select(search=search, against=1) for search in searches}
    step = {search: [row for row in match.select(search=search) if number(row, "against") == number(row, "depth") - 1]
            for search in searches}
    return (
        Panel("Score against greedy play (depth 1)", "score", lines(greedy), "lines", "depth", percent=True,
              reference=0.5),
        Panel("Score against one ply less", "score", lines(step), "lines", "depth", percent=True, reference=0.5),
    )


def conclude(tables: Mapping[str, Table]) -> Sentences:
    match = tables["match"]

    def step_by_step(search: str) -> Words:
        """At which depths one ply more is better, and at which it is not."""
        found = {which: [f"{row['depth']} ({100 * number(row, 'score'):.0f} %)" for row in rows] for which, rows in
                 verdicts([row for row in match.select(search=search)
                           if number(row, "against") == number(row, "depth") - 1]).items()}
        return grouped([(Words("better at depth ", "更强的深度为 "), found["more"]),
                        (Words("worse at depth ", "更弱的深度为 "), found["less"]),
                        (Words("not to be told apart at depth ", "难分高下的深度为 "), found["open"])])

    def against_greedy(search: str, label: Words) -> Words:
        """How the deepest does against depth 1."""
        depth = int(max(match.numbers("depth", search=search)))
        own = search == "average" and depth == OWN_DEPTHS[0]
        return result(match.find(search=search, depth=depth, against=1),
                      Words(f"{label.en} at {'its own ' * own}depth {depth}",
                            f"{label.zh}（{'其自己的' * own}深度 {depth}）"),
                      Words("its greedy self (depth 1)", "贪心的自己（深度 1）"))
    first = sentence(
        Words("the ancestor's average of leaves, against itself one ply less deep, is ",
              "前身项目的叶平均与浅一层的自己相比："), step_by_step("average"), Words("; ", "；"),
        against_greedy("average", Words("the average", "叶平均")), Words(".", "。"))
    second = sentence(
        Words("the default search, against itself one ply less deep, is ", "默认搜索与浅一层的自己相比："),
        step_by_step("ours"), Words("; ", "；"), listed([
            against_greedy("ours", Words("the default search", "默认搜索")),
            against_greedy("minimax", Words("minimax with the ancestor's pruning and evaluator",
                                            "用前身项目剪枝与评分的极小极大"))]), Words(".", "。"))
    return first, second


EXPERIMENT = Experiment(
    name="checkers-depth", game="chinese_checkers",
    question=Words("Does search beat greedy play, and is deeper better?", "搜索胜过贪心吗？越深越好吗？"),
    varied=Words("`depth`, for two players, of the ancestor's search (average of leaves; it plays at depth 5), of "
                 "minimax with the ancestor's pruning and evaluator, and of the default search.",
                 "两人对局中的 `depth`：前身项目的搜索（叶平均，其对局时深度为 5）、用其剪枝与评分的极小极大、"
                 "默认搜索。"),
    sizes={"quick": Sizes((1, 2), (1, 2), 2, 2, 1, (8,)),
           "full": Sizes((1, 2, 3, 4), tuple(range(1, OWN_DEPTHS[0] + 1)), 36, 40, 3, (10, 30, 50))},
    measure=measure, panels=panels, conclude=conclude)
