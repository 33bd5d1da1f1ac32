"""checkers-average: the ancestor values a move by the average of all leaves below it; is that sound?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.matches import MATCH_COLUMNS, SHARE_COLUMNS, play_field, play_pair
from boyi.lab.own_depth import ANCESTOR, OWN_DEPTHS, at_depth, own_depth_tables, play_at_own_depth
from boyi.lab.panel import Panel, bars
from boyi.lab.positions import game_positions
from boyi.lab.searches import mean_search
from boyi.lab.sentences import grouped, sentence, verdicts
from boyi.lab.table import Column, Row, Table, number

BASE = f"{ANCESTOR},deepest_for_two=0,deepest_for_more=0"
"""The ancestor's pruning and evaluator, without its fixed depth; without a transposition table."""

ALGORITHMS = {"average": "average", "minimum": "minimum", "minimax": "paranoid", "max^n": "max_n", "BRS": "best_reply"}
TWO = ("minimum", "minimax", "max^n")
"""With two players best reply is minimax."""

MORE = ("minimum", "minimax", "max^n", "BRS")
OWN = ("minimum", "minimax")
"""What is tried at the ancestor's own depth, too: its other choice, and alpha-beta with its pruning."""


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    nodes: int
    games: int
    games_of_three: int
    positions: int
    plies: tuple[int, ...]
    turns: int
    """Turns of a player after which a game ends as it stands."""

    own_depths: tuple[int, int]
    """Of the ancestor's search, with two players and with three."""

    own_depth_games: int
    own_depth_games_of_three: int


def spec(name: str, nodes: int) -> str:
    return f"{BASE},algorithm={ALGORITHMS[name]},nodes={nodes}"


def measure(sizes: Sizes, session: Session) -> tuple[Table, ...]:
    game = find_game("chinese_checkers")
    starts = {players: game.start(players=players, turn_limit=sizes.turns) for players in (2, 3)}
    session.plan(2 * len(OWN) + len(TWO) + len(MORE) + len(ALGORITHMS))
    own = [play_at_own_depth(game, (name, f"{BASE},algorithm={ALGORITHMS[name]}"),
                             ("average", f"{BASE},algorithm=average"), sizes.own_depths,
                             (sizes.own_depth_games, sizes.own_depth_games_of_three), sizes.turns, session)
           for name in OWN]
    average = ("average", spec("average", sizes.nodes))
    pairs = [play_pair(starts[2], (name, spec(name, sizes.nodes)), average, sizes.games, session) for name in TWO]
    shares = [play_field(starts[3], (name, spec(name, sizes.nodes)), average, sizes.games_of_three, session)
              for name in MORE]
    reach: list[Row] = []
    for name in ALGORITHMS:
        session.step(f"depth of {name}")
        depths = {players: mean_search(
            game_positions(start, spec("minimax", 100), sizes.plies, sizes.positions, session.seed),
            spec(name, sizes.nodes), nodes=sizes.nodes).depth for players, start in starts.items()}
        reach.append({"name": name, "depth_two": depths[2], "depth_three": depths[3]})
    return (
        *own_depth_tables(own, sizes.own_depths),
        Table("two", Words(f"Two players, {sizes.nodes:,} nodes per move", f"两人对局，每步 {sizes.nodes:,} 节点"),
              MATCH_COLUMNS, tuple(pairs)),
        Table("three", Words("One against two that average",
                             "一人对两个取平均者（三人对局）"), SHARE_COLUMNS, tuple(shares)),
        Table("reach", Words("Mean depth with these nodes", "这些节点所达的平均深度"), (
            Column("name", Words("algorithm", "算法")), Column("depth_two", Words("two players",
                                                                                "两人"), "{depth_two:.1f}"),
            Column("depth_three", Words("three players", "三人"), "{depth_three:.1f}")), tuple(reach)),
    )


def panels(tables: Mapping[str, Table]) -> tuple[Panel, ...]:
    return (
        bars("Two players: score against average", "score", tables["two"].rows, "score", lambda row: str(row["one"]),
             percent=True, reference=0.5),
        bars("Three players: one against two that average", "first places, × fair share", tables["three"].rows, "share",
             lambda row: str(row["name"]), reference=1.0),
        bars("Two players at a fixed depth: score against average", "score", tables["own_two"].rows, "score",
             lambda row: f"{row['one']}, {row['depth']} plies", percent=True, reference=0.5),
    )


def conclude(tables: Mapping[str, Table]) -> Sentences:
    own_two, own_three = tables["own_two"].rows, tables["own_three"].rows
    first = sentence(
        at_depth(own_two, 2), Words(", compared with the average of leaves: ", "，与叶平均相比："), by_score(own_two),
        Words("; ", "；"), at_depth(own_three, 3), Words(", alone against two that average: ", "，独对两个取平均者："),
        by_share(own_three), Words(".", "。"))
    second = sentence(
        Words("at equal nodes, with two players: ", "节点数相同时，两人对局："), by_score(tables["two"].rows),
        Words("; alone against two that average, in multiples of the fair share of first places: ",
              "；三人对局中独对两个取平均者，第一名为均分的倍数："), by_share(tables["three"].rows), Words(".", "。"))
    return first, second


def by_score(rows: Sequence[Row]) -> Words:
    """Who is better and who is worse in games of two."""
    found = {which: [f"{row['one']} ({100 * number(row, 'score'):.0f} %)" for row in some]
             for which, some in verdicts(rows).items()}
    return grouped([(Words("better is ", "更强的是 "), found["more"]), (Words("worse is ", "更弱的是 "), found["less"]),
                    (Words("not to be told apart is ", "难分高下的是 "), found["open"])])


def by_share(rows: Sequence[Row]) -> Words:
    """Who takes more first places than a fair share, and who fewer."""
    found = {which: [f"{row['name']} ({number(row, 'share'):.2f})" for row in some]
             for which, some in verdicts(rows, 1.0).items()}
    return grouped([(Words("more than fair for ", "多于均分的是 "), found["more"]),
                    (Words("less for ", "少于均分的是 "), found["less"]),
                    (Words("within the error for ", "在误差之内的是 "), found["open"])])


EXPERIMENT = Experiment(
    name="checkers-average", game="chinese_checkers",
    question=Words("Is the average of all leaves a good value of a move?",
                   "以所有叶节点的平均值作为一步棋的分值，合理吗？"),
    varied=Words("`algorithm` of the multiplayer search, with the ancestor's pruning and evaluator for all; minimax is "
                 "`paranoid`, BRS `best_reply`. First at the depth at which the ancestor plays, then at equal nodes.",
                 "多人搜索的 `algorithm`，剪枝与评分都用前身项目的；minimax 即 `paranoid`，BRS 即 `best_reply`。"
                 "先按前身项目对局时的深度，再按相同节点数。"),
    sizes={"quick": Sizes(50, 2, 3, 1, (6,), 12, (1, 1), 2, 3),
           "full": Sizes(2_000, 60, 48, 3, (12, 30, 60), 300, OWN_DEPTHS, 60, 60)},
    measure=measure, panels=panels, conclude=conclude)
