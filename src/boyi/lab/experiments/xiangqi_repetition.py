"""xiangqi-repetition: how a search should treat repeated positions, and what looking for them costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boyi.arena.match import Match
from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.matches import match_table, play_round_robin
from boyi.lab.panel import Panel, Series, bars, match_bars
from boyi.lab.searches import search_once
from boyi.lab.sentences import grouped, sentence, verdicts
from boyi.lab.statistics import judge, mean_interval, mean_ratio
from boyi.lab.table import Column, Row, Table, number

POLICIES = {name: f"alphabeta:repetition={name}" for name in ("none", "ancestor", "full")}
LOOK_UPS = {"none": POLICIES["none"], "list": f"{POLICIES['ancestor']},repetition_lookup=list",
            "set": f"{POLICIES['ancestor']},repetition_lookup=set", "full": POLICIES["full"]}
"""The ancestor scans a list and considers a hash set; both find the same."""

ENDINGS = (
    "3ak4/4a4/4b4/9/r8/8R/9/4B4/4A4/3AK4 w",
    "2bak4/4a4/4b4/p7p/9/P7P/9/4B4/4A4/3AK1B2 w",
    "3ak4/4a4/9/9/4p4/4P4/9/9/4A4/3AK4 w",
)
"""Where lines are long: level endings, for the cost of looking."""

WON = (
    "3akab2/9/4b4/9/9/8N/9/5R3/9/4K4 w",
    "2bak1b2/4a4/9/9/5P3/2R6/9/9/9/4K4 w",
    "3ak4/9/9/8P/4N4/9/9/9/9/4K4 w",
    "4ka3/9/9/3P5/4P4/9/9/9/9/4K4 w",
    "4ka3/4a4/9/9/2C6/9/8N/9/9/4K4 w",
    "3aka3/9/4b4/9/5N1N1/9/9/9/9/4K4 w",
    "4k1b2/4a4/9/9/9/9/9/9/5R3/4K4 w",
)
"""Won for Red, by mate in 6 to 9 moves, if Red gets on with it."""


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    nodes: int
    games: int
    self_games: int
    endings: int
    depths: tuple[int, ...]
    """For the cost: the least length of a path to the horizon."""

    cost_nodes: int
    rounds: int


BY_REPETITION = ("repetition", "mutual_check", "mutual_attack", "perpetual_check", "perpetual_chase",
                 "perpetual_attack")


def measure(sizes: Sizes, session: Session) -> tuple[Table, ...]:
    game = find_game("xiangqi")
    start = game.start()
    specs = {name: f"{spec},nodes={sizes.nodes}" for name, spec in POLICIES.items()}
    session.plan(3 + 2 * len(specs) + len(ENDINGS))

    # Step 1. Policies against each other.
    matches = play_round_robin(start, specs, sizes.games, session, random_plies=6)

    # Step 2. Each against itself, and each trying to win won endings.
    loops: list[Row] = []
    for name, spec in specs.items():
        session.step(f"{name} against itself")
        match = Match((spec, spec), start, games=sizes.self_games, random_plies=6, seed=session.seed)
        games = [match.play(number_) for number_ in range(match.games)]
        repeats = [sum(position.repetitions > 0 for position in one.record.positions()) for one in games]
        mean, low, high = mean_interval(repeats)
        session.step(f"{name} in won endings")
        openings = tuple(game.parse(text) for text in WON[:sizes.endings])
        endings = Match((spec, specs["full"]), start, games=2 * len(openings), openings=openings, seed=session.seed)
        # In every other game the policy has Red.
        played = [endings.play(number_) for number_ in range(0, endings.games, 2)]
        loops.append({
            "name": name, "games": sizes.self_games, "moves": sum(one.decisions for one in games),
            "repeats": sum(repeats), "per_game": mean, "low": max(0.0, low), "high": high,
            "ended": sum(one.outcome.reason in BY_REPETITION for one in games), "endings": len(played),
            "won": sum(one.outcome.scores[0] == 1 for one in played),
            "plies": sum(one.decisions for one in played) / len(played)})

    # Step 3. What looking costs, by the length of the path.
    details: list[Row] = []
    for text in ENDINGS:
        session.step(f"cost in {text}")
        position = game.parse(text)
        for depth in sizes.depths:
            # In turns, so that other load on the machine affects all alike; the fastest round of each counts.
            rounds = [{name: search_once(position, f"{spec},table_mb=4", depth=depth, nodes=sizes.cost_nodes)
                       for name, spec in LOOK_UPS.items()} for _ in range(sizes.rounds)]
            for name in LOOK_UPS:
                one = min((found[name] for found in rounds), key=lambda one: one.cpu_seconds)
                details.append({"name": name, "position": text, "depth": depth, "nodes": one.nodes, "move": one.move,
                                "nanoseconds": 1e9 * one.cpu_seconds / one.nodes,
                                "found": one.count("repetitions")})
    costs: list[Row] = []
    for depth in sizes.depths:
        by_name = {name: [row for row in details if row["name"] == name and row["depth"] == depth] for name in LOOK_UPS}
        ratio, low, high = mean_ratio([number(two, "nanoseconds") / number(one, "nanoseconds")
                                       for one, two in zip(by_name["list"], by_name["set"], strict=True)])
        costs.append({
            "depth": depth, **{name: sum(number(row, "nanoseconds") for row in rows) / len(rows)
                               for name, rows in by_name.items()}, "ratio": ratio, "low": low, "high": high,
            "same": int(all((one["nodes"], one["move"]) == (two["nodes"], two["move"])
                            for one, two in zip(by_name["list"], by_name["set"], strict=True)))})
    return (
        match_table(matches, sizes.nodes),
        Table("loops", Words("Self-play, and won endings", "自对弈；必胜残局"), (
            Column("name", Words("policy", "策略")), Column("games", Words("games", "局数"), "{games}"),
            Column("repeats", Words("moves that repeat", "重复的着数"), "{repeats} / {moves}"),
            Column("per_game", Words("repeats per game", "每局重复"), "{per_game:.1f} ({low:.1f}–{high:.1f})"),
            Column("ended", Words("games ended by repetition", "因重复终局"), "{ended}"),
            Column("won", Words("won endings converted", "必胜残局取胜"), "{won}/{endings}"),
            Column("plies", Words("plies on average", "平均步数"), "{plies:.0f}")), tuple(loops)),
        Table("cost", Words("CPU nanoseconds per node, in level endings", "均势残局中每节点的 CPU 纳秒"), (
            Column("depth", Words("depth", "深度"), "{depth}"),
            *(Column(name, Words(name, name), f"{{{name}:,.0f}}") for name in LOOK_UPS),
            Column("ratio", Words("set/list (95 %)", "集合/列表（95 %）"), "{ratio:.2f} ({low:.2f}–{high:.2f})"),
            Column("same", Words("same tree", "搜索树相同"), "{same}")), tuple(costs)),
        Table("searches", Words("Search by search", "逐次搜索"), (), tuple(details), detail=True),
    )


def panels(tables: Mapping[str, Table]) -> tuple[Panel, ...]:
    return (
        match_bars(tables["match"].rows),
        bars("Moves that repeat a position, self-play", "repeats per game", tables["loops"].rows, "per_game",
             lambda row: str(row["name"])),
        Panel("Cost of a node", "CPU nanoseconds", tuple(
            Series.of(tables["cost"].rows, name, name, place="depth", errors=False) for name in LOOK_UPS),
              "lines", "depth"),
    )


def conclude(tables: Mapping[str, Table]) -> Sentences:
    match, loops, cost = tables["match"], tables["loops"], tables["cost"]
    found = verdicts(match.rows)
    order = [f"{row['one']} > {row['other']}" for row in found["more"]]
    order += [f"{row['other']} > {row['one']}" for row in found["less"]]
    level = [f"{row['one']} = {row['other']}" for row in found["open"]]
    won = ", ".join(f"{row['name']} {row['won']}/{row['endings']}" for row in loops.rows)
    repeats = ", ".join(f"{row['name']} {number(row, 'per_game'):.1f} "
                        f"({number(row, 'low'):.1f}–{number(row, 'high'):.1f})" for row in loops.rows)
    first = sentence(
        Words("in matches at equal nodes ", "节点数相同的对抗中："),
        grouped([(Words("", ""), order), (Words("not told apart: ", "难分高下："), level)]),
        Words(f"; repeated moves per game in self-play: {repeats}; won endings converted: {won}.",
              f"；自对弈每局重复着数：{repeats}；必胜残局取胜：{won}。"))
    row = max(cost.rows, key=lambda row: number(row, "depth"))
    ratio, low, high = (number(row, name) for name in ("ratio", "low", "high"))
    span = f"{ratio:.2f}, {low:.2f}–{high:.2f}"
    effect = {
        "less": Words("a hash set is cheaper than scanning the list", "散列集合比扫描列表便宜"),
        "more": Words("a hash set is more expensive than scanning the list", "散列集合比扫描列表昂贵"),
        "open": Words("a hash set costs about as much as scanning the list", "散列集合与扫描列表代价相当"),
    }[judge(low, high, 1.0)]
    same = all(row["same"] for row in cost.rows)
    full = number(row, "full") / number(row, "none")
    second = sentence(
        Words(f"at depth {row['depth']} ", f"深度 {row['depth']} 时，"), effect,
        Words(f" (time {span})", f"（用时比 {span}）"),
        Words(", for the same tree", "，搜索树相同") if same else
        Words(", though their trees differ", "，但搜索树不同"),
        Words(f"; a node under full costs {full:.2f} times one that does not look.",
              f"；full 每节点用时是不查重复时的 {full:.2f} 倍。"))
    return first, second


EXPERIMENT = Experiment(
    name="xiangqi-repetition", game="xiangqi",
    question=Words("How should a search treat repeated positions, and what does that cost?",
                   "搜索该如何对待重复局面？代价多大？"),
    varied=Words("`repetition` of alpha-beta: `none`, `ancestor` (the path of this search; the third occurrence is a "
                 "draw) or `full` (path and game, judged by the rules); and under `ancestor` whether a list is scanned "
                 "or a hash set asked (`repetition_lookup`).",
                 "α-β 的 `repetition`：`none`、`ancestor`（只看本次搜索的路径，第三次出现判和）、`full`"
                 "（路径与对局历史，按规则裁决）；以及 `ancestor` 下扫描列表还是查散列集合（`repetition_lookup`）。"),
    sizes={"quick": Sizes(60, 2, 1, 2, (3, 5), 500, 1),
           "full": Sizes(1_500, 70, 20, 7, (8, 12, 16, 20, 24), 100_000, 5)},
    measure=measure, panels=panels, conclude=conclude)
