"""xiangqi-repetition: how a search should treat repeated positions, and what looking for them costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from boyi.arena.match import Match
from boyi.arena.score import interval
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.matches import match_table, play_alone, play_pair, play_round_robin
from boyi.lab.panel import Panel, Series, bars, match_bars
from boyi.lab.searches import search_once
from boyi.lab.sentences import grouped, sentence, verdicts
from boyi.lab.statistics import Verdict, judge, mean_interval, mean_ratio
from boyi.lab.table import Column, Row, Table, Value, number

POLICIES = {name: f"alphabeta:evaluator=hand,repetition={name}" for name in ("none", "ancestor", "full")}
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
    "5a3/3P5/4k4/8P/9/9/9/9/9/3K5 w",
    "3a5/2P6/3a1k2b/3P5/3N5/9/9/4K4/9/9 w",
    "5a3/4k4/1P1a5/8P/5P3/9/9/9/3K5/9 w",
    "5a3/9/4k4/3P5/9/9/9/2N6/3K5/9 w",
    "3k1a3/4a4/b8/2R6/6b2/4C4/9/9/4K4/9 w",
    "4k4/9/P4a3/9/9/N8/9/9/9/5K3 w",
    "9/5k3/5a3/9/2b6/9/9/9/5K3/4R4 w",
    "4k4/4a3P/b4a3/9/9/9/1R7/9/9/3K5 w",
    "C4k3/4a4/5a3/9/9/9/9/7N1/3K5/9 w",
    "3kNa3/9/3a5/9/9/9/9/9/3N1K3/9 w",
    "3a5/4k4/3a4N/2P6/9/9/9/9/9/3K5 w",
    "3a2b2/4k4/5a3/9/1Rb6/4N4/9/5K3/9/9 w",
    "4k4/4a1P2/b2a5/9/6bP1/4R4/9/9/9/4K4 w",
    "3k1a3/9/5aN2/9/9/9/9/9/9/2N1K4 w",
    "2ba5/4ak1P1/1P2b4/9/9/4R4/9/3K5/9/9 w",
    "4k1b2/9/9/9/6b2/9/9/9/1R3K3/9 w",
    "4ka3/9/5a3/6R2/9/9/9/9/9/5K3 w",
)
"""Won for Red, by mate in 6 to 9 moves, if Red gets on with it: seven by hand, the others drawn at random among
positions of few pieces in which a search of a million nodes proved such a mate."""


BASE = "ancestor"
"""What the others are compared with: the path alone, and no price."""

BY_REPETITION = ("repetition", "mutual_check", "mutual_attack", "perpetual_check", "perpetual_chase",
                 "perpetual_attack")


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    nodes: int
    games: int
    self_games: int
    penalties: tuple[int, ...]
    """What the first repetition costs, in hundredths of a pawn; 0 comes first."""

    endings: int
    ending_nodes: int
    """Of the side that is to win; the other one has `nodes`."""

    depths: tuple[int, ...]
    """For the cost: the least length of a path to the horizon."""

    cost_nodes: int
    rounds: int


def settings(penalties: Sequence[int]) -> dict[str, str]:
    """Every policy by its name: none, the ancestor's with each price and each reach, and the rules' own."""
    found = {"none": POLICIES["none"]}
    for reach, mark in (("path", ""), ("game", "+game")):
        for penalty in penalties:
            price = f" {penalty}" if penalty else ""
            found[f"ancestor{mark}{price}"] = f"{POLICIES['ancestor']}" + (
                f",repetition_reach={reach}" if mark else "") + (f",repetition_penalty={penalty}" if penalty else "")
    return {**found, "full": POLICIES["full"]}


def measure(sizes: Sizes, session: Session) -> tuple[Table, ...]:
    game = find_game("xiangqi")
    start = game.start()
    policies = settings(sizes.penalties)
    specs = {name: f"{spec},nodes={sizes.nodes}" for name, spec in policies.items()}
    variants = [name for name in policies if name not in POLICIES]
    session.plan(3 + len(variants) + 2 * len(policies) + len(ENDINGS))

    # Step 1. Policies against each other, and the ancestor's with a price or a longer reach against the one without.
    matches = play_round_robin(start, {name: specs[name] for name in POLICIES}, sizes.games, session, random_plies=6)
    matches += [play_pair(start, (name, specs[name]), (BASE, specs[BASE]), sizes.games, session, random_plies=6)
                for name in variants]

    # Step 2. Each against itself, from the same openings, and each trying to win won endings.
    played: list[Row] = []
    loops: list[dict[str, Value]] = []
    for name, spec in policies.items():
        kept = session.keep(f"{name} against itself", (specs[name], sizes.self_games),
                            partial(count_repeats, start, specs[name], sizes.self_games, session))
        games: list[Row] = [{"name": name, "number": number_, **{
            what: kept[f"{what}_{number_}"] for what in ("moves", "repeats", "reason")}}
            for number_ in range(int(number(kept, "games")))]
        played += games
        ends = session.keep(f"{name} in won endings", (spec, specs["full"], sizes.ending_nodes, sizes.endings),
                            partial(win_endings, game, f"{spec},nodes={sizes.ending_nodes}", specs["full"],
                                    WON[:sizes.endings], session))
        loops.append({"name": name, "spec": specs[name], **summarize(games), **ends})
    for row in loops:
        row |= compare(played, str(row["name"]))

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
            Column("more", Words(f"more than {BASE}, same openings (95 %)", f"比 {BASE} 多（同开局，95 %）"),
                   "{more:+.1f} ({more_low:+.1f}…{more_high:+.1f})"),
            Column("ended", Words("games ended by repetition", "因重复终局"), "{ended}"),
            Column("won", Words("won endings converted (95 %)", "必胜残局取胜（95 %）"),
                   "{won}/{endings} ({won_low:.0%}–{won_high:.0%})"),
            Column("plies", Words("plies on average", "平均步数"), "{plies:.0f}")), tuple(loops)),
        Table("cost", Words("CPU nanoseconds per node, in level endings", "均势残局中每节点的 CPU 纳秒"), (
            Column("depth", Words("depth", "深度"), "{depth}"),
            *(Column(name, Words(name, name), f"{{{name}:,.0f}}") for name in LOOK_UPS),
            Column("ratio", Words("set/list (95 %)", "集合/列表（95 %）"), "{ratio:.2f} ({low:.2f}–{high:.2f})"),
            Column("same", Words("same tree", "搜索树相同"), "{same}")), tuple(costs)),
        Table("games", Words("Self-play, game by game", "逐局自对弈"), (), tuple(played), detail=True),
        Table("searches", Words("Search by search", "逐次搜索"), (), tuple(details), detail=True),
    )


def count_repeats(start: Position, spec: str, games: int, session: Session) -> Row:
    """Self-play: of every game its moves, those that repeat a position, and why it ended."""
    row: dict[str, Value] = {}
    for number_, one in enumerate(play_alone(start, spec, games, session, random_plies=6)):
        row |= {"games": number_ + 1, f"moves_{number_}": one.decisions, f"reason_{number_}": one.outcome.reason,
                f"repeats_{number_}": sum(position.repetitions > 0 for position in one.record.positions())}
    return row


def win_endings(game: Game, spec: str, defender: str, texts: Sequence[str], session: Session) -> Row:
    """Won endings played out, each once: the policy has Red."""
    openings = tuple(game.parse(text) for text in texts)
    match = Match((spec, defender), game.start(), games=2 * len(openings), openings=openings, seed=session.seed)
    played = session.play(match, range(0, match.games, 2))
    won = sum(one.outcome.scores[0] == 1 for one in played)
    low, high = interval(won / len(played), len(played))
    return {"endings": len(played), "won": won, "won_low": low, "won_high": high,
            "plies": sum(one.decisions for one in played) / len(played)}


def summarize(games: Sequence[Row]) -> dict[str, Value]:
    """Self-play of a policy in one row."""
    repeats = [number(one, "repeats") for one in games]
    mean, low, high = mean_interval(repeats)
    return {"games": len(games), "moves": sum(int(number(one, "moves")) for one in games), "repeats": int(sum(repeats)),
            "per_game": mean, "low": max(0.0, low), "high": high,
            "ended": sum(one["reason"] in BY_REPETITION for one in games)}


def compare(played: Sequence[Row], name: str) -> dict[str, Value]:
    """How many more repeats a policy has than `BASE` in games that began alike."""
    repeats = {(row["name"], row["number"]): number(row, "repeats") for row in played}
    differences = [times - repeats[BASE, opening] for (policy, opening), times in repeats.items()
                   if policy == name and (BASE, opening) in repeats]
    more, low, high = mean_interval(differences)
    return {"more": more, "more_low": low, "more_high": high}


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
    repeats: dict[Verdict, list[str]] = {"more": [], "less": [], "open": []}
    for row in loops.rows:
        if row["name"] != BASE:
            verdict = judge(number(row, "more_low"), number(row, "more_high"), 0.0)
            repeats[verdict].append(f"{row['name']} ({number(row, 'per_game'):.1f})")
    base = number(loops.find(name=BASE), "per_game")
    won = ", ".join(f"{row['name']} {row['won']}/{row['endings']}" for row in loops.rows)
    first = sentence(
        Words("in matches at equal nodes ", "节点数相同的对抗中："),
        grouped([(Words("", ""), order), (Words("not told apart: ", "难分高下："), level)]),
        Words(f"; in self-play from the same openings {BASE} repeats {base:.1f} moves a game; ",
              f"；同样开局的自对弈中，{BASE} 每局重复 {base:.1f} 着；"),
        grouped([(Words("fewer: ", "更少："), repeats["less"]), (Words("more: ", "更多："), repeats["more"]),
                 (Words("not told apart: ", "难分多少："), repeats["open"])]),
        Words(f"; won endings converted: {won}.", f"；必胜残局取胜：{won}。"))
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
                 "draw) or `full` (path and game, judged by the rules); under `ancestor` what the first repetition "
                 "costs (`repetition_penalty`, in hundredths of a pawn: `ancestor 30`), whether the game's history "
                 "counts as well (`repetition_reach=game`: `ancestor+game`), and whether a list is scanned or a hash "
                 "set asked (`repetition_lookup`).",
                 "α-β 的 `repetition`：`none`、`ancestor`（只看本次搜索的路径，第三次出现判和）、`full`"
                 "（路径与对局历史，按规则裁决）；`ancestor` 下首次重复的罚分（`repetition_penalty`，单位为百分之一兵："
                 "`ancestor 30`）、是否也看对局历史（`repetition_reach=game`：`ancestor+game`），以及扫描列表还是"
                 "查散列集合（`repetition_lookup`）。"),
    sizes={"quick": Sizes(60, 2, 2, (0, 30), 2, 60, (3, 5), 500, 1),
           "full": Sizes(1_500, 80, 60, (0, 10, 30, 100), len(WON), 200, (8, 12, 16, 20, 24), 100_000, 5)},
    measure=measure, panels=panels, conclude=conclude)
