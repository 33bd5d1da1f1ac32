"""checkers-hops: the ancestor keeps only the farthest hop of a chain, found that it won, and doubted it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.matches import MATCH_COLUMNS, play_pair
from boyi.lab.own_depth import ANCESTOR, OWN_DEPTHS, at_depth, own_depth_tables, play_at_own_depth
from boyi.lab.panel import Panel, Series, bars
from boyi.lab.positions import game_positions
from boyi.lab.searches import search_once
from boyi.lab.sentences import ratio, result, sentence, share
from boyi.lab.statistics import mean_ratio
from boyi.lab.table import Column, Row, Table, mean, number

SEARCHES = {"ancestor": ANCESTOR, "ours": "multiplayer:evaluator=race"}
"""The ancestor's search, and Boyi's default."""


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    positions: int
    plies: tuple[int, ...]
    depth: int
    nodes: int
    match_nodes: int
    match_depth: int
    games: int
    own_depths: tuple[int, int]
    """Of the ancestor's search, with two players and with three."""

    own_depth_games: int
    own_depth_games_of_three: int
    turns: int
    """Turns of a player after which a game at the own depth ends as it stands."""


def spec(search: str, hops: str) -> str:
    return f"{SEARCHES[search]},farthest_hop={hops}"


def measure(sizes: Sizes, session: Session) -> tuple[Table, ...]:
    game = find_game("chinese_checkers")
    start = game.start()
    positions = game_positions(start, f"{SEARCHES['ours']},nodes=200", sizes.plies, sizes.positions, session.seed)
    session.plan(2 + len(SEARCHES) * (len(positions) + 2))
    own = play_at_own_depth(game, ("farthest only", spec("ancestor", "on")), ("all hops", spec("ancestor", "off")),
                            sizes.own_depths, (sizes.own_depth_games, sizes.own_depth_games_of_three), sizes.turns,
                            session)
    costs: list[Row] = []
    matches: list[Row] = []
    for search in SEARCHES:
        for plies, position in positions:
            session.step(f"{search}, after {plies} plies")
            off, on = (search_once(position, spec(search, hops), depth=sizes.depth) for hops in ("off", "on"))
            deep_off, deep_on = (search_once(position, spec(search, hops) + ",deepest_for_two=0", nodes=sizes.nodes)
                                 for hops in ("off", "on"))
            costs.append({"search": search, "plies": plies, "nodes_off": off.nodes, "nodes_on": on.nodes,
                          "same_move": int(off.move == on.move), "depth_off": deep_off.depth,
                          "depth_on": deep_on.depth})
        for limit in (f"nodes={sizes.match_nodes}", f"depth={sizes.match_depth}"):
            matches.append(play_pair(start, ("farthest only", f"{spec(search, 'on')},{limit}"),
                                     ("all hops", f"{spec(search, 'off')},{limit}"), sizes.games, session,
                                     search=search, limit=limit))
    summary: list[Row] = []
    for search in SEARCHES:
        rows = [row for row in costs if row["search"] == search]
        middle, low, high = mean_ratio([number(row, "nodes_on") / number(row, "nodes_off") for row in rows])
        summary.append({
            "search": search, "positions": len(rows), "depth": sizes.depth,
            **{name: sum(number(row, name) for row in rows) for name in ("nodes_off", "nodes_on", "same_move")},
            "ratio": middle, "low": low, "high": high,
            **{name: mean(rows, name) for name in ("depth_off", "depth_on")}})
    return (
        *own_depth_tables([own], sizes.own_depths),
        Table("match", Words("Matches", "对抗赛"), (
            Column("search", Words("search", "搜索")), Column("limit", Words("limit per move", "每步限制")),
            *MATCH_COLUMNS), tuple(matches)),
        Table("cost", Words("Nodes to a depth, and depth with equal nodes",
                            "搜到固定深度的节点数；节点数相同时的深度"), (
            Column("search", Words("search", "搜索")), Column("depth", Words("depth", "深度"), "{depth}"),
            Column("nodes_off", Words("nodes, all hops", "全部跳法节点"), "{nodes_off:,.0f}"),
            Column("nodes_on", Words("nodes, farthest only", "只跳最远节点"), "{nodes_on:,.0f}"),
            Column("ratio", Words("farthest/all (95 %)", "最远/全部（95 %）"), "{ratio:.2f} ({low:.2f}–{high:.2f})"),
            Column("same_move", Words("same best move", "最佳着法相同"), "{same_move:.0f}/{positions}"),
            Column("depth_off", Words(f"depth in {sizes.nodes:,} nodes, all hops",
                                      f"{sizes.nodes:,} 节点的深度，全部跳法"),
                   "{depth_off:.1f}"),
            Column("depth_on", Words("farthest only", "只跳最远"), "{depth_on:.1f}")), tuple(summary)),
        Table("positions", Words("Position by position", "逐个局面"), (), tuple(costs), detail=True),
    )


def panels(tables: Mapping[str, Table]) -> tuple[Panel, ...]:
    match, cost = tables["match"], tables["cost"]
    searches = [str(row["search"]) for row in cost.rows]
    limits = list(dict.fromkeys(str(row["limit"]) for row in match.rows))
    return (
        Panel("Farthest hop only against all hops", "score of farthest only", tuple(
            Series.of([match.find(search=search, limit=limit) for search in searches], "score",
                      f"equal {limit.partition('=')[0]}") for limit in limits),
              categories=tuple(searches), percent=True, reference=0.5),
        bars("Nodes to a fixed depth, farthest only / all", "ratio of nodes", cost.rows, "ratio",
             lambda row: str(row["search"]), reference=1.0),
        bars("The ancestor at a fixed depth", "score of farthest only", tables["own_two"].rows, "score",
             lambda row: f"two players, {row['depth']} plies", percent=True, reference=0.5),
    )


def conclude(tables: Mapping[str, Table]) -> Sentences:
    match, cost = tables["match"], tables["cost"]
    on, off = Words("keeping only the farthest hop", "只保留最远一跳"), Words("keeping all hops", "保留全部跳法")
    two, three = tables["own_two"].rows, tables["own_three"].rows
    first = sentence(
        at_depth(two, 2), Words(", ", "，"), result(two[0], on, off), Words("; ", "；"),
        at_depth(three, 3), Words(", ", "，"),
        share(three[0], on, Words("two that keep all hops", "两个保留全部跳法者")), Words(".", "。"))
    by_nodes = {str(row["search"]): row for row in match.rows if str(row["limit"]).startswith("nodes")}
    ours, ancestor, nodes = cost.find(search="ours"), cost.find(search="ancestor"), Words("nodes", "节点")
    second = sentence(
        Words("at equal nodes, in the ancestor's search, ", "节点数相同时，在前身项目的搜索中，"),
        result(by_nodes["ancestor"], on, off), Words("; in the default search, ", "；在默认搜索中，"),
        result(by_nodes["ours"], on, off),
        Words("; to a fixed depth the switch takes ", "；搜到固定深度时，此开关在默认搜索中需要"), ratio(ours, nodes),
        Words(" in the default search and ", "，在前身项目的搜索中需要"), ratio(ancestor, nodes),
        Words(" in the ancestor's.", "。"))
    return first, second


EXPERIMENT = Experiment(
    name="checkers-hops", game="chinese_checkers",
    question=Words("Does it help to keep only the farthest hop of a chain?", "连跳只保留最远的落点，有好处吗？"),
    varied=Words("`farthest_hop` of the multiplayer search, on or off: in the ancestor's search (average of leaves, "
                 "its pruning, its evaluator) at the depth at which it plays, for two and three players; and, for two, "
                 "in its search and the default one (best reply, no pruning) at equal nodes and at one small depth.",
                 "多人搜索的 `farthest_hop`（开或关）：前身项目的搜索（叶平均、其剪枝与评分）按其对局时的深度，"
                 "两人与三人对局；另在两人对局中，前身项目的搜索与默认搜索（最佳应手、不剪枝）按相同节点数、"
                 "相同浅深度各比一次。"),
    sizes={"quick": Sizes(1, (6, 20), 2, 500, 100, 1, 2, (1, 1), 2, 3, 12),
           "full": Sizes(5, (10, 30, 50), 3, 50_000, 2_000, 3, 80, OWN_DEPTHS, 40, 48, 300)},
    measure=measure, panels=panels, conclude=conclude)
