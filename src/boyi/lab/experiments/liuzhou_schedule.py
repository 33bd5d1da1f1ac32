"""liuzhou-schedule: more data did not make the ancestor stronger; it hoped for a schedule of the learning rate."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path

from boyi.arena.pairing import count_stages
from boyi.arena.pool import Pool
from boyi.arena.table import rate_tournament
from boyi.arena.tournament import Tournament, play_tournament
from boyi.arena.tournament_journal import Journal
from boyi.core.words import Words
from boyi.games import find_game
from boyi.lab.experiment import Experiment, Sentences, Session
from boyi.lab.panel import Panel, Series, bars
from boyi.lab.sentences import listed, result, sentence
from boyi.lab.statistics import group_means
from boyi.lab.table import Column, Row, Table, number
from boyi.learn.training.folder import RunFolder
from boyi.learn.training.train import train

SCHEDULES = ("constant", "cosine", "one-cycle", "plateau")
NO_EXAMS = {f"exam.{name}_games": 0 for name in ("random", "level", "ladder", "promotion")}
"""Strength is measured below, of all runs together."""

UNTRAINED = "untrained"
"""The network that every run begins with, or one like it."""

BASE = {"schedule": "constant", "data": "cosine"}
"""What the settings of each factor are compared with."""


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    games: int
    """Of a run."""

    games_per_iteration: int
    runs: int
    """Per setting; each with a seed of its own."""

    shares: tuple[float, ...]
    """How much of a run is over when its network is rated; the last is 1."""

    narrow_window: int
    """Samples; as usual the window grows from 60,000 to 1,000,000."""

    seldom: float
    often: float
    """How often a sample is learned from; as usual 1.5 times."""

    simulations: int
    """For a move, when networks are rated."""

    rounds: int
    at_once: int
    width: int


def settings(sizes: Sizes) -> dict[str, tuple[str, dict[str, object]]]:
    """By name: the factor that is varied, and the settings of a run."""
    narrow: dict[str, object] = {"first_window": sizes.narrow_window, "largest_window": sizes.narrow_window}
    return {
        **{shape: ("schedule", {"schedule.shape": shape}) for shape in SCHEDULES},
        "narrow window": ("data", narrow),
        f"replay {sizes.seldom:g}": ("data", {"learning.reuse": sizes.seldom}),
        f"replay {sizes.often:g}": ("data", {"learning.reuse": sizes.often}),
        f"narrow window, replay {sizes.often:g}": ("data", {**narrow, "learning.reuse": sizes.often}),
    }


@dataclass(frozen=True)
class Runs:
    """All runs, in a folder; what workers are sent."""

    folder: Path
    sizes: Sizes
    seed: int

    @property
    def all(self) -> list[tuple[str, int]]:
        """By setting and number, in the order in which they are made: first one of every setting."""
        return [(name, run) for run in range(self.sizes.runs) for name in settings(self.sizes)]

    def run_folder(self, task: tuple[str, int]) -> RunFolder:
        name, run = task
        return RunFolder(self.folder / f"{name.replace(' ', '-').replace(',', '')}-{run + 1}")

    def train(self, task: tuple[str, int]) -> tuple[tuple[str, int], int, float]:
        """Make a run, or go on with it: which it is, the process that did it, and its CPU seconds."""
        began, sizes, (name, run) = time.process_time(), self.sizes, task
        train("liuzhou", self.run_folder(task).path, games=sizes.games, seed=1_000 * self.seed + run, settings={
            "games_per_iteration": sizes.games_per_iteration, "chunk": sizes.games_per_iteration,
            "games.at_once": sizes.at_once, "design.width": sizes.width, **NO_EXAMS, **settings(sizes)[name][1]})
        return task, os.getpid(), time.process_time() - began

    def iteration(self, share: float) -> int:
        """The iteration after which this share of a run is over."""
        return max(1, round(share * self.sizes.games / self.sizes.games_per_iteration))

    def spec(self, task: tuple[str, int], iteration: int) -> str:
        return f"mcts:net={self.run_folder(task).model(iteration)},simulations={self.sizes.simulations}"


def measure(sizes: Sizes, session: Session) -> tuple[Table, ...]:
    with session.workplace() as folder, nullcontext(session.pool) if session.pool else Pool() as pool:
        runs = Runs(folder, sizes, session.seed)
        session.plan(len(runs.all) + 1)

        # Step 1. The runs: equal budgets of games, whatever a setting makes of them.
        for (name, run), process, seconds in pool.run(runs.train, runs.all,
                                                      name=lambda task: f"run {task[1] + 1} of {task[0]}"):
            session.step(f"{name}, run {run + 1}")
            session.cpu_seconds += seconds if process != os.getpid() else 0.0

        # Step 2. One tournament of all networks rates them; the first, which knows nothing, is 0.
        session.step("tournament")
        networks = {f"{name}, run {run + 1}, {share:.0%}": ((name, run), share)
                    for name, run in runs.all for share in sizes.shares}
        tournament = Tournament(
            contestants=(runs.spec(runs.all[0], 0),
                         *(runs.spec(task, runs.iteration(share)) for task, share in networks.values())),
            labels=(UNTRAINED, *networks), start=find_game("liuzhou").start(), rounds=sizes.rounds,
            swiss=count_stages(len(networks) + 1), seed=session.seed)
        with (Journal(folder / "tournament.jsonl", tournament) as kept,
              closing(play_tournament(tournament, kept.games, pool=pool)) as played):
            for bout in played:
                kept.add(bout)
            ratings = rate_tournament(tournament, kept.games.values(), anchor=UNTRAINED)

        # Step 3. A row for every network, with what its run says of it.
        details: list[Row] = []
        for row in ratings.rows:
            if row.name in networks:
                (name, run), share = networks[row.name]
                metrics = runs.run_folder((name, run)).read_metrics()[runs.iteration(share) - 1]
                details.append({
                    "setting": name, "factor": settings(sizes)[name][0], "run": run + 1, "share": share,
                    "games": metrics["games"], "elo": row.elo.value, "error": row.elo.error,
                    "decisive": metrics["decisive"], "loss": metrics["loss"],
                    "held_out": metrics["validation_loss"], "replay_ratio": metrics["replay_ratio"]})
    details.sort(key=lambda row: (list(settings(sizes)).index(str(row["setting"])), number(row, "run"),
                                  number(row, "share")))
    return tabulate(sizes, details)


def tabulate(sizes: Sizes, details: list[Row]) -> tuple[Table, ...]:
    """What follows from the ratings of all networks."""
    names = list(settings(sizes))

    def elos(name: str, share: float) -> list[float]:
        return [number(row, "elo") for row in details if row["setting"] == name and row["share"] == share]

    def mean_of(name: str, what: str) -> float:
        found = [number(row, what) for row in details if row["setting"] == name and row["share"] == 1.0]
        return sum(found) / len(found)

    # Runs of a setting differ about as much as those of any other: one spread for all. Runs of the same number begin
    # with the same weights and the same first games, so settings are compared run by run.
    final = group_means([elos(name, 1.0) for name in names])
    bases = {name: BASE[settings(sizes)[name][0]] for name in names}
    compared = [name for name in names if name != bases[name]]
    gains = dict(zip(compared, group_means([[mine - theirs for mine, theirs in zip(
        elos(name, 1.0), elos(bases[name], 1.0), strict=True)] for name in compared]), strict=True))
    against: list[Row] = []
    for name, (elo, low, high) in zip(names, final, strict=True):
        factor, base = settings(sizes)[name][0], bases[name]
        gain, least, most = gains.get(name, (0.0, 0.0, 0.0))
        against.append({
            "setting": name, "factor": factor, "base": base, "elo": elo, "elo_low": low, "elo_high": high,
            "score": expect(gain), "low": expect(least), "high": expect(most), "decisive": mean_of(name, "decisive"),
            "loss": mean_of(name, "loss"), "held_out": mean_of(name, "held_out")})
    growth: list[Row] = []
    for before, share in zip(sizes.shares, sizes.shares[1:], strict=False):
        steps = [[late - early for early, late in zip(elos(name, before), elos(name, share), strict=True)]
                 for name in names]
        for name, (gain, least, most) in zip(names, group_means(steps), strict=True):
            growth.append({"setting": name, "factor": settings(sizes)[name][0], "share": share,
                           "games": round(share * sizes.games), "games_before": round(before * sizes.games),
                           "score": expect(gain), "low": expect(least), "high": expect(most)})
    curve: list[Row] = []
    for share in sizes.shares:
        for name, (elo, low, high) in zip(names, group_means([elos(name, share) for name in names]), strict=True):
            curve.append({"setting": name, "factor": settings(sizes)[name][0], "games": round(share * sizes.games),
                          "elo": elo, "elo_low": low, "elo_high": high})
    rating = Column("elo", Words("Elo (95 %)", "等级分（95 %）"), "{elo:+.0f} ({elo_low:+.0f}…{elo_high:+.0f})")
    score = Column("score", Words("expected score (95 %)", "预期得分率（95 %）"), "{score:.0%} ({low:.0%}–{high:.0%})")
    return (
        Table("settings", Words(f"After {sizes.games:,} games, {sizes.simulations} simulations a move, mean of "
                                f"{sizes.runs} runs", f"{sizes.games:,} 局之后，每步 {sizes.simulations} 次模拟，"
                                                      f"{sizes.runs} 次训练的均值"), (
            Column("setting", Words("setting", "设置")), rating,
            Column("base", Words("compared with", "比较对象")), score,
            Column("decisive", Words("decisive games", "分出胜负"), "{decisive:.0%}"),
            Column("loss", Words("loss", "损失"), "{loss:.3f}"),
            Column("held_out", Words("held-out loss", "留出损失"), "{held_out:.3f}")), tuple(against)),
        Table("growth", Words("What more games brought: the later network against the earlier one of its run",
                              "更多对局的收获：同一训练中较晚的网络对较早的网络"), (
            Column("setting", Words("setting", "设置")),
            Column("games", Words("games", "局数"), "{games_before:,} → {games:,}"), score), tuple(growth)),
        Table("curve", Words("Elo by games played", "等级分与局数"), (
            Column("setting", Words("setting", "设置")), Column("games", Words("games", "局数"), "{games:,}"), rating),
            tuple(curve)),
        Table("networks", Words("Network by network", "逐个网络"), (), tuple(details), detail=True),
    )


def expect(elo: float) -> float:
    """The score that a difference in rating makes one expect.

    >>> expect(0.0), round(expect(100.0), 2)
    (0.5, 0.64)
    """
    return float(1 / (1 + 10 ** (-elo / 400)))


def panels(tables: Mapping[str, Table]) -> tuple[Panel, ...]:
    curve, compared = tables["curve"], tables["settings"]

    def line(name: str) -> Series:
        rows = curve.select(setting=name)
        return Series(name, *(tuple(number(row, column) for row in rows)
                              for column in ("elo", "games", "elo_low", "elo_high")))
    return (
        Panel("Strength by games played", "Elo over the untrained network", tuple(map(line, SCHEDULES)), "lines",
              "games"),
        bars("Schedules, at the end", "expected score against constant",
             [row for row in compared.select(factor="schedule") if row["setting"] != BASE["schedule"]], "score",
             lambda row: str(row["setting"]), percent=True, reference=0.5),
        bars("Window and replay ratio, at the end", "expected score against the usual ones",
             compared.select(factor="data"), "score", lambda row: str(row["setting"]), percent=True, reference=0.5),
    )


NAMES = {
    "constant": Words("a constant rate", "恒定学习率"), "cosine": Words("cosine annealing", "余弦退火"),
    "one-cycle": Words("one-cycle", "单周期"), "plateau": Words("plateau", "平台降速"),
}


def name_setting(name: str) -> Words:
    """What a setting is called in a sentence."""
    return NAMES.get(name) or Words(
        name.replace("narrow window", "a narrow window").replace("replay", "a replay ratio of").replace(", ", " with "),
        name.replace("narrow window", "窄窗口").replace("replay ", "重放率 ").replace(", ", "加"))


def conclude(tables: Mapping[str, Table]) -> Sentences:
    compared, growth = tables["settings"], tables["growth"]
    games = int(max(growth.numbers("games")))
    schedules = [result(row, name_setting(str(row["setting"])), name_setting(str(row["base"])))
                 for row in compared.select(factor="schedule") if row["setting"] != BASE["schedule"]]
    data = [result(row, name_setting(str(row["setting"])), Words("the usual ones", "通常设置"))
            for row in compared.select(factor="data")]
    late = [row for row in growth.rows if row["games"] == games and row["factor"] == "schedule"]
    before = int(number(late[0], "games_before"))
    more = [result(row, Words(f"the network of {games:,} games under {name_setting(str(row['setting'])).en}",
                              f"{name_setting(str(row['setting'])).zh}下 {games:,} 局的网络"),
                   Words(f"that of {before:,}", f"{before:,} 局的网络")) for row in late]
    first = sentence(Words(f"after {games:,} games and at equal simulations, ", f"{games:,} 局之后、模拟次数相同时，"),
                     listed(schedules), Words(".", "。"))
    second = sentence(Words("more games: ", "更多对局："), listed(more), Words("; of the window and the replay ratio, ",
                                                                           "；至于窗口与重放率，"),
                      listed(data), Words(".", "。"))
    return first, second


EXPERIMENT = Experiment(
    name="liuzhou-schedule", game="liuzhou",
    question=Words("More data, not stronger: is it the learning rate, the window or the replay ratio?",
                   "数据更多却不更强：问题在学习率、窗口还是重放率？"),
    varied=Words("`schedule.shape` of `boyi train liuzhou`, and under `cosine` the window (`first_window`, "
                 "`largest_window`) and the replay ratio (`learning.reuse`); every run plays the same number of games. "
                 "Networks of all runs are rated by one Swiss tournament at equal simulations.",
                 "`boyi train liuzhou` 的 `schedule.shape`，以及 `cosine` 下的窗口（`first_window`、`largest_window`）"
                 "与重放率（`learning.reuse`）；每次训练的对局数相同。所有网络在模拟次数相同的一场瑞士制锦标赛中评级。"),
    sizes={"quick": Sizes(8, 4, 2, (0.5, 1.0), 700, 0.5, 2.0, 2, 1, 4, 8),
           "full": Sizes(4_096, 512, 3, (0.25, 0.5, 1.0), 60_000, 0.5, 4.0, 64, 6, 64, 256)},
    measure=measure, panels=panels, conclude=conclude)
