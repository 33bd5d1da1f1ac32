"""checkers-depth: the ancestor doubts that a deeper search plays better than a greedy one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.matches import MATCH_COLUMNS, play_pair
from boyi.lab.panel import Panel, Series
from boyi.lab.positions import game_positions
from boyi.lab.searches import mean_search
from boyi.lab.sentences import grouped, listed, result, sentence, verdicts
from boyi.lab.table import Column, Row, Table, number

SEARCHES = {
    "average": "multiplayer:preset=ancestor,evaluator=ancestor,deepest_for_two=0",
    "minimax": "multiplayer:preset=ancestor,evaluator=ancestor,deepest_for_two=0,algorithm=paranoid",
    "ours": "multiplayer:evaluator=race",
}
"""The ancestor's; the same with minimax instead of averages; and Boyi's default search."""


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    depths: tuple[int, ...]
    average_depths: tuple[int, ...]
    """Of `average`, which cannot cut off anything and pays more for depth."""

    games: int
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
                                     (name(search, other), f"{spec},depth={other}"), sizes.games, session,
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
    ours = verdicts([row for row in match.select(search="ours") if number(row, "against") == number(row, "depth") - 1])
    deepest = {search: int(max(match.numbers("depth", search=search))) for search in SEARCHES}
    greedy = match.find(search="ours", depth=deepest["ours"], against=1)

    def depths(rows: list[Row]) -> list[str]:
        return [f"{row['depth']} ({100 * number(row, 'score'):.0f} %)" for row in rows]
    first = sentence(
        Words("the default search, against itself one ply less deep, is ",
              "默认搜索与浅一层的自己相比："), grouped([
            (Words("better at depth ", "更强的深度为 "), depths(ours["more"])),
            (Words("worse at depth ", "更弱的深度为 "), depths(ours["less"])),
            (Words("not to be told apart at depth ", "难分高下的深度为 "), depths(ours["open"]))]),
        Words(f", and depth {deepest['ours']} scores {100 * number(greedy, 'score'):.0f} % against greedy play.",
              f"；深度 {deepest['ours']} 对贪心得 {100 * number(greedy, 'score'):.0f} %。"))
    said = []
    for search, label in (("average", Words("the ancestor's average of leaves", "前身项目的叶平均")),
                          ("minimax", Words("minimax in its place", "换成极小极大"))):
        depth = deepest[search]
        said.append(result(match.find(search=search, depth=depth, against=1),
                           Words(f"{label.en} at depth {depth}", f"{label.zh}（深度 {depth}）"),
                           Words("itself at depth 1", "深度 1 的自己")))
    second = sentence(listed(said), Words(".", "。"))
    return first, second


EXPERIMENT = Experiment(
    name="checkers-depth", game="chinese_checkers",
    question=Words("Does search beat greedy play, and is deeper better?", "搜索胜过贪心吗？越深越好吗？"),
    varied=Words("`depth`, for two players, of the ancestor's search (average of leaves), of minimax with the "
                 "ancestor's pruning and evaluator, and of the default search.",
                 "两人对局中的 `depth`：前身项目的搜索（叶平均）、用其剪枝与评分的极小极大、默认搜索。"),
    sizes={"quick": Sizes((1, 2), (1, 2), 2, 1, (8,)), "full": Sizes((1, 2, 3, 4), (1, 2, 3), 36, 3, (10, 30, 50))},
    measure=measure, panels=panels, conclude=conclude)
