"""multiplayer: four searches against several opponents, at tables of three, four and six."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, permutations

from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.matches import SHARE_COLUMNS, play_together
from boyi.lab.panel import Panel, Series
from boyi.lab.positions import game_positions
from boyi.lab.searches import mean_search
from boyi.lab.sentences import grouped, sentence, verdicts
from boyi.lab.statistics import Verdict
from boyi.lab.table import Column, Row, Table, number

ALGORITHMS = {
    "max^n": "multiplayer:algorithm=max_n",
    "paranoid": "multiplayer:algorithm=paranoid",
    "BRS+": "multiplayer:algorithm=best_reply,others_move=on",
    "MCTS": "mcts:evaluator=race",
}


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    nodes: int
    """For a move; of MCTS, simulations."""

    rounds_of_three: int
    rounds_of_four: int
    rounds_of_six: int
    """A round is a game per seat, for every line-up."""

    positions: int
    plies: int
    turns: int
    """Turns of a player after which a game ends as it stands."""


def line_ups(players: int, seed: int) -> list[tuple[str, ...]]:
    """Tables at which, taken together, all have equally many seats.

    Who follows whom matters, so small tables are set in every order around the table, and large ones in some order
    each.
    """
    names = tuple(ALGORITHMS)
    if players <= len(names):
        return [(first, *rest) for first, *others in combinations(names, players) for rest in permutations(others)]
    generator = random.Random(f"{seed} line-ups")
    return [tuple(generator.sample(names + twice, players)) for twice in combinations(names, players - len(names))]


def measure(sizes: Sizes, session: Session) -> tuple[Table, ...]:
    game = find_game("chinese_checkers")
    specs = {name: f"{spec},nodes={sizes.nodes}" for name, spec in ALGORITHMS.items()}
    rounds = {3: sizes.rounds_of_three, 4: sizes.rounds_of_four, 6: sizes.rounds_of_six}
    session.plan(sum(len(line_ups(players, session.seed)) + len(specs) for players in rounds))
    shares: list[Row] = []
    costs: list[Row] = []
    for players, count in rounds.items():
        start = game.start(players=players, turn_limit=sizes.turns)
        shares += play_together(start, line_ups(players, session.seed), specs, count, session)
        positions = game_positions(start, specs["BRS+"], (sizes.plies,), sizes.positions, session.seed)
        for name, spec in specs.items():
            session.step(f"cost of {name}")
            found = mean_search(positions, spec, nodes=sizes.nodes)
            costs.append({"players": players, "name": name, "depth": found.depth,
                          "milliseconds": 1000 * found.cpu_seconds})
    return (
        Table("shares", Words(f"First places, {sizes.nodes:,} nodes per move", f"第一名，每步 {sizes.nodes:,} 节点"),
              SHARE_COLUMNS, tuple(shares)),
        Table("together", Words("All tables together", "各种人数合计"), SHARE_COLUMNS[1:],
              tuple(take_together([row for row in shares if row["name"] == name]) for name in specs)),
        Table("costs", Words("Depth and time at these nodes", "这些节点所达的深度与用时"), (
            Column("players", Words("players", "人数"), "{players}"), Column("name", Words("algorithm", "算法")),
            Column("depth", Words("mean depth", "平均深度"), "{depth:.1f}"),
            Column("milliseconds", Words("ms per move", "每步毫秒"), "{milliseconds:.1f}")), tuple(costs)),
    )


def take_together(rows: list[Row]) -> Row:
    """One contestant at tables of several sizes: first places over those that a fair share would be."""
    fair = sum(number(row, "seats") / number(row, "players") for row in rows)
    variance = sum(number(row, "seats") / number(row, "players") * (1 - 1 / number(row, "players")) for row in rows)
    firsts = sum(number(row, "firsts") for row in rows)
    reach = 1.96 * math.sqrt(variance) / fair
    return {"name": rows[0]["name"], "seats": sum(int(number(row, "seats")) for row in rows), "firsts": firsts,
            "share": firsts / fair, "low": max(0.0, firsts / fair - reach), "high": firsts / fair + reach}


def panels(tables: Mapping[str, Table]) -> tuple[Panel, ...]:
    shares, costs = tables["shares"], tables["costs"]
    categories = tuple(f"{players:.0f} players" for players in dict.fromkeys(shares.numbers("players")))
    return (
        Panel("Share of first places at equal nodes", "first places, × fair share", tuple(
            Series.of(shares.select(name=name), "share", name) for name in ALGORITHMS),
              categories=categories, reference=1.0),
        Panel("Time at these nodes", "CPU milliseconds per move", tuple(
            Series.of(costs.select(name=name), "milliseconds", name, errors=False) for name in ALGORITHMS),
              categories=categories),
    )


def conclude(tables: Mapping[str, Table]) -> Sentences:
    shares = tables["shares"]
    players = [int(one) for one in dict.fromkeys(shares.numbers("players"))]
    found = {count: verdicts(shares.select(players=count), 1.0) for count in players}
    together = verdicts(tables["together"].rows, 1.0)

    def at_tables(which: Verdict) -> Words:
        groups = [(Words(f"with {count} players ", f"{count} 人对局时 "),
                   [f"{row['name']} ({number(row, 'share'):.2f})" for row in found[count][which]]) for count in players]
        groups.append((Words("over all tables ", "合计 "),
                       [f"{row['name']} ({number(row, 'share'):.2f})" for row in together[which]]))
        said = grouped(groups)
        return said if said.en else Words("nobody", "没有")
    first = sentence(Words("clearly more first places than a fair share take: ", "第一名明显多于均分的："),
                     at_tables("more"), Words(".", "。"))
    second = sentence(Words("clearly fewer than a fair share take: ", "明显少于均分的："), at_tables("less"),
                      Words(".", "。"))
    return first, second


EXPERIMENT = Experiment(
    name="multiplayer", game="chinese_checkers",
    question=Words("Which search plays best against several opponents?", "面对多个对手，哪种搜索最强？"),
    varied=Words("`algorithm` at tables of three, four and six: max^n, paranoid, BRS+ (`best_reply` with `others_move`)"
                 " and MCTS, all with the `race` evaluator and the same nodes; seats rotate, and all have equally "
                 "many.",
                 "三、四、六人对局中的算法：max^n、paranoid、BRS+（`best_reply` 加 `others_move`）与 MCTS，评估器均为 "
                 "`race`，节点数相同；座次轮换，席次相等。"),
    sizes={"quick": Sizes(30, 1, 1, 1, 1, 12, 6), "full": Sizes(2_000, 3, 3, 2, 3, 40, 300)},
    measure=measure, panels=panels, conclude=conclude)
