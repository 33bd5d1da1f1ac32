"""A run: self-play, learning, evaluation and promotion, again and again, in a folder that can be watched and continued.

    config.json       what was asked for; the same command goes on, another one is refused
    metrics.jsonl     a line per iteration, and the same as events for TensorBoard in `events/`
    shards/           samples, see `learn.replay`
    checkpoints/      after iteration i: `i.pt` to go on learning from, `i.onnx` to play with
    exams/            what games against others said, see `learn.evaluate`
    ratings.json      the ladder of all checkpoints that were examined
    best.onnx         the last one that was promoted: a test (SPRT) found it stronger than the one before
    report.html       all of it to look at

An iteration is a row of *stages*, and each leaves a file behind when it is done, written whole or not at all:

    1. self-play   the latest model but one plays; a shard per chunk of games
    2. train       learns from the window of the latest samples; a checkpoint and its model
    3. evaluate    every few iterations; an exam
    4. record      a line of metrics

What a stage does is decided by the files before it, the settings and the seed. So whoever is killed does the stage he
was in again, from its beginning (self-play: from the last whole chunk), and comes to the same numbers. Only a length in
minutes depends on the clock.

Why the latest model but one (`Plan.ahead`): so the games of iteration i + 1 need nothing that iteration i learns, and
where other processes play they are played while it is learned. No core waits. Without it the latest one plays.
Promoted or not: waiting for proof costs more than it saves (Silver and others 2018).
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import torch

from boyi.arena.pool import Pool
from boyi.arena.rating import Finish
from boyi.arena.sprt import Sprt
from boyi.core.errors import BoyiError, OptionError, RecordError, UnknownNameError, shorten
from boyi.core.game import restore
from boyi.core.position import Position
from boyi.games import find_game
from boyi.learn import lockstep, trainer
from boyi.learn.evaluate import NET, Contestant, Duel, Score, count_results, play_duel, rate_results
from boyi.learn.events import write_events
from boyi.learn.export import export
from boyi.learn.models import digest, place
from boyi.learn.networks import Design
from boyi.learn.replay import SUFFIX, Replay, Shard, check_card, join_samples, window_size, write_whole
from boyi.learn.report import write_report
from boyi.learn.schedule import Schedule
from boyi.learn.trainer import Trainer, divergence, entropy
from boyi.nets import open_net
from boyi.nets.card import Card

FORMAT_VERSION = 1
MOST_CHECKED = 4096
"""Held-out samples that the validation loss is taken over."""

GOOD = 0.99
"""A share of points against random moves that is worth counting exactly."""

LOOK_SECONDS = 0.2
"""How often to say how far learning has come."""

ANCHOR = "iteration 0"
"""Knows nothing; has rating 0."""

Told = Callable[[str, int, int, str], None]
"""Hears of progress: the stage, how much of it is done, of how much, and a few words."""


def _deaf(stage: str, done: int, most: int, words: str) -> None:
    pass


class _CalledOffError(Exception):
    """Learning in another thread is not wanted any more."""


@dataclass(frozen=True, kw_only=True)
class Length:
    """How long a run is: one of these."""

    minutes: float | None = None
    iterations: int | None = None
    games: int | None = None

    def __post_init__(self) -> None:
        given = [name for name in ("minutes", "iterations", "games") if getattr(self, name) is not None]
        if len(given) != 1:
            raise OptionError("say how long to train: one of minutes, iterations and games"
                              + (f", not {' and '.join(given)}" if given else ""))
        if not getattr(self, given[0]) > 0:
            raise OptionError(f"a run of {getattr(self, given[0])} {given[0]} is none")


@dataclass(frozen=True, kw_only=True)
class Exam:
    """How a checkpoint is examined."""

    every: int = 24
    """After so many iterations, and after the last."""

    simulations: int = 100
    """For a move, unless it is said otherwise below. Games with another number are not rated with these."""

    random_games: int = 100
    """Against random moves."""

    random_simulations: int = 400
    """For a move of these games."""

    random_games_in_full: int = 1000
    """The same when `GOOD` of the points were made for the first time, and after the last iteration."""

    level: int = 8
    level_games: int = 20
    """Against a level, to see how far it is."""

    level_simulations: int = 1400
    """For a move of these games: about the time that level 8 of Liuzhou qi takes, for a network of two layers of
    256."""

    ladder_games: int = 20
    """Against an earlier checkpoint, about half as old."""

    promotion_games: int = 80
    """Against the best so far, at most; the test may end sooner."""

    elo0: float = 0.0
    elo1: float = 40.0
    """What the test of promotion decides between."""

    def __post_init__(self) -> None:
        for name, lowest in (("every", 1), ("simulations", 2), ("random_games", 0), ("random_simulations", 2),
                             ("random_games_in_full", 0), ("level", 1), ("level_games", 0), ("level_simulations", 2),
                             ("ladder_games", 0), ("promotion_games", 0)):
            if not getattr(self, name) >= lowest:
                raise OptionError(f"{name} of an exam is {getattr(self, name)} and must be at least {lowest}")
        Sprt(elo0=self.elo0, elo1=self.elo1)

    @property
    def games(self) -> int:
        """At most so many."""
        return self.random_games + self.level_games + self.ladder_games + self.promotion_games


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything that decides what comes out of a run, but for its length."""

    design: Design = field(default_factory=Design)
    games: lockstep.Settings = field(default_factory=lambda: lockstep.Settings(root="gumbel", undecided="stones"))
    """Draws by a limit lean to who has more stones: without that most games say nothing as long as nobody knows how to
    win, and values learn to say nothing, too. Gumbel: more games are decided from the start (docs/learn.md)."""

    learning: trainer.Settings = field(default_factory=trainer.Settings)
    schedule: Schedule = field(default_factory=Schedule)
    exam: Exam = field(default_factory=Exam)
    games_per_iteration: int = 512
    chunk: int = 128
    """Games that one process plays in one go, `games.at_once` of them at a time."""

    ahead: bool = True
    """Play the next games, with the model there is, while an iteration is learned. The same games come out if nothing
    is done at the same time."""

    first_window: int = 60_000
    largest_window: int = 1_000_000
    """Samples to learn from: in the beginning, and at most."""

    held_out: int = 20
    """One of so many games is not learned from."""

    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("games_per_iteration", "chunk", "first_window", "largest_window"):
            if not getattr(self, name) >= 1:
                raise OptionError(f"{name} is {getattr(self, name)} and must be at least 1")
        if self.first_window > self.largest_window:
            raise OptionError(f"the first window, {self.first_window}, is larger than the largest, "
                              f"{self.largest_window}")


PARTS: Mapping[str, type[Any]] = {
    "design": Design, "games": lockstep.Settings, "learning": trainer.Settings, "schedule": Schedule, "exam": Exam}


# ---------------------------------------------------------------------- self-play, for workers

@dataclass(frozen=True)
class Player:
    """Plays chunks of games; what workers are sent."""

    start: Position
    model: bytes = field(repr=False)
    settings: lockstep.Settings
    notes: Mapping[str, Any]
    """For the cards of shards."""

    def play(self, task: tuple[int, int]) -> tuple[int, bytes]:
        """Games number `first` and on, so many: the first number, and the shard's content."""
        first, games = task
        predictor = open_net(place(self.model), self.start.game)
        encoder = predictor.encoder
        played = sorted(lockstep.play(self.start, predictor, self.settings, first, games),
                        key=lambda game: game.number)
        results = [[math.nan] * encoder.players if game.outcome is None else
                   [(score + 1) / 2 for score in game.outcome.scores] for game in played]
        shard = Shard(Card.of(self.start, **self.notes), self.settings.seed,
                      np.array([game.number for game in played], np.int64),
                      np.array([len(game.samples) for game in played], np.int64),
                      np.array([len(game.moves) for game in played], np.int64),
                      np.array(results, np.float32), join_samples([game.samples for game in played], encoder))
        return first, shard.to_bytes()


# ---------------------------------------------------------------------- the run

class Run:
    """A run in its folder."""

    def __init__(self, folder: Path, start: Position, plan: Plan, length: Length, *, threads: int = 1) -> None:
        """Begin a run, or open one that was begun with the same plan."""
        self.folder, self.start, self.plan, self.length = folder, start, plan, length
        self.card = Card.of(start)
        self._threads = threads
        try:
            for name in ("shards", "checkpoints", "exams", "events"):
                (folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BoyiError(f"cannot make the folder {shorten(str(folder))}: {error.strerror or error}") from error
        self._open_config()
        self.metrics = read_metrics(folder)
        self._spent = self.metrics[-1]["time"] if self.metrics else 0.0
        self._began = time.monotonic()
        self._trainer: Trainer | None = None
        self._replay: Replay | None = None
        self.stage_seconds: dict[str, float] = {}
        """Where the time of this session went."""

    @classmethod
    def open(cls, folder: Path, *, threads: int = 1) -> Run:
        """A run that is there, as its config says."""
        facts = _read_config(folder / "config.json")
        card = Card.parse(json.dumps(facts["card"]))
        game = find_game(card.game)
        options, _ = card.prepare(game)
        start = restore(game, options, facts["start"], facts["moves"])
        return cls(folder, start, read_plan(facts["plan"]), Length(**facts["length"]), threads=threads)

    def _open_config(self) -> None:
        config = json.loads(json.dumps({
            "boyi": "run", "version": FORMAT_VERSION, "card": asdict(self.card), "start": self.start.start_text,
            "moves": self.start.history(), "plan": asdict(self.plan)}))
        path = self.folder / "config.json"
        if path.exists():
            found = _read_config(path)
            check_card(self.card, Card.parse(json.dumps(found["card"])), f"the run in {shorten(str(self.folder))}")
            theirs, ours = _flat(found), _flat(config)
            for name in sorted({*theirs, *ours}):
                if not name.startswith("length") and theirs.get(name) != ours.get(name):
                    raise OptionError(f"the run in {shorten(str(self.folder))} was begun otherwise: {name} is "
                                      f"{shorten(theirs.get(name))} there and {shorten(ours.get(name))} here. Say the "
                                      f"same, or name another folder with --run.")
        config["length"] = asdict(self.length)
        write_whole(path, (json.dumps(config, ensure_ascii=False, indent=1) + "\n").encode())

    # ------------------------------------------------------------------ files

    def _checkpoint(self, iteration: int) -> Path:
        return self.folder / "checkpoints" / f"{iteration:05}.pt"

    def model_path(self, iteration: int) -> Path:
        """The model after an iteration."""
        return self.folder / "checkpoints" / f"{iteration:05}.onnx"

    def _shard(self, iteration: int, first: int) -> Path:
        return self.folder / "shards" / f"{iteration:05}-{first:09}{SUFFIX}"

    def _exam(self, iteration: int) -> Path:
        return self.folder / "exams" / f"{iteration:05}.json"

    @property
    def best_model(self) -> Path:
        """The last model that was promoted; else the latest."""
        best = self.folder / "best.onnx"
        return best if best.exists() else self.model_path(self.iteration)

    @property
    def iteration(self) -> int:
        """The last one that is done."""
        return int(self.metrics[-1]["iteration"]) if self.metrics else 0

    @property
    def seconds(self) -> float:
        """Spent on the run so far; what a killed session did after its last iteration is not counted."""
        return self._spent + time.monotonic() - self._began

    @property
    def progress(self) -> float:
        """How much of the run is over, from 0 to 1."""
        if self.length.minutes is not None:
            return min(1.0, self.seconds / (60 * self.length.minutes))
        if self.length.iterations is not None:
            return min(1.0, self.iteration / self.length.iterations)
        assert self.length.games is not None
        return min(1.0, self.iteration * self.plan.games_per_iteration / self.length.games)

    def _planned(self) -> float:
        """How much will be over after the next iteration, as far as can be told."""
        if self.length.minutes is None:
            return self._progress_after(self.iteration + 1)
        took = self.metrics[-1]["seconds"] if self.metrics else 10.0
        return min(1.0, self.progress + took / (60 * self.length.minutes))

    def _progress_after(self, iteration: int) -> float:
        most = (self.length.iterations if self.length.iterations is not None else
                math.ceil((self.length.games or 0) / self.plan.games_per_iteration))
        return min(1.0, iteration / most)

    def _is_last(self) -> bool:
        """Whether the iteration under way is the last; in minutes, the last exam must fit in, too."""
        if self.length.minutes is None:
            return self._progress_after(self.iteration + 1) >= 1
        exams = [line["exam_seconds"] for line in self.metrics if "exam_seconds" in line]
        # The longest so far: the last one is in full, as one before may have been.
        reserve = max(exams, default=0.0) + (self.metrics[-1]["seconds"] if self.metrics else 0.0)
        return self.seconds + reserve >= 60 * self.length.minutes

    # ------------------------------------------------------------------ all together

    def work(self, pool: Pool, told: Told = _deaf) -> Iterator[dict[str, Any]]:
        """Iterations until the run is over; each hands over its line of metrics."""
        if self.exam_due:   # the last session was killed in it
            yield self.evaluate(self.iteration, pool, told)
        while not self.finished:
            self.selfplay(pool, told)
            line = self._train_and_play(pool, told) if self.plan.ahead and pool.elsewhere else self.train(told)
            if self.exam_due:
                line = self.evaluate(self.iteration, pool, told)
            yield line

    def _train_and_play(self, pool: Pool, told: Told) -> dict[str, Any]:
        """Learn from the next iteration's games in a thread, while others play those of the one after it."""
        following = self.iteration + 2
        if self.length.minutes is None and self._progress_after(following - 1) >= 1:
            return self.train(told)   # there is none after it
        unwanted, come = Event(), [(0, 1)]

        def hear(stage: str, done: int, most: int, words: str) -> None:
            come[0] = done, most
            if unwanted.is_set():
                raise _CalledOffError

        def over(learning: Future[dict[str, Any]]) -> bool:
            """Are the games for nothing?"""
            return learning.done() and (learning.exception() is not None or self.finished)

        with ThreadPoolExecutor(1) as thread:
            learning = thread.submit(self.train, hear)
            try:
                self._play(following, pool, told, lambda: over(learning))
                while not learning.done():
                    wait([learning], LOOK_SECONDS)
                    told("train", *come[0], "")
                return learning.result()
            finally:
                unwanted.set()   # if it is not done yet, somebody has lost patience

    @property
    def exam_due(self) -> bool:
        """Whether the last iteration is to be examined, and was not yet."""
        return bool(self.metrics and self.plan.exam.games) and not self._exam(self.iteration).exists() and (
            self.metrics[-1]["last"] or self.iteration % self.plan.exam.every == 0)

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do; whoever gives a finished run more time has it go on."""
        if not self.metrics:
            return False
        if self.length.minutes is None:
            return self._progress_after(self.iteration) >= 1
        line = self.metrics[-1]
        return line["last"] and self.length.minutes <= (line.get("minutes") or math.inf)

    # ------------------------------------------------------------------ 1. self-play

    def selfplay(self, pool: Pool, told: Told = _deaf) -> None:
        """Play what is missing of the next iteration's games."""
        self._play(self.iteration + 1, pool, told)

    def _play(self, iteration: int, pool: Pool, told: Told, over: Callable[[], bool] = lambda: False) -> None:
        """Play what is missing of an iteration's games; stop if it is over."""
        begin, games = (iteration - 1) * self.plan.games_per_iteration, self.plan.games_per_iteration
        chunks = [(first, min(self.plan.chunk, begin + games - first))
                  for first in range(begin, begin + games, self.plan.chunk)]
        missing = [task for task in chunks if not self._shard(iteration, task[0]).exists()]
        if not missing:
            return
        began = time.monotonic()
        if not self.model_path(0).exists():
            self._save(self._learner(0), 0)
        model = self.model_path(max(0, iteration - (2 if self.plan.ahead else 1))).read_bytes()
        settings = lockstep.Settings(**{**asdict(self.plan.games), "seed": self.plan.seed})
        player = Player(self.start, model, settings, {"iteration": iteration, "model": digest(model)[:16]})
        done = games - sum(count for _, count in missing)
        told("self-play", done, games, "")
        with closing(pool.run(player.play, missing, name=lambda task: f"games {task[0]} and on")) as played:
            for first, content in played:
                write_whole(self._shard(iteration, first), content)
                done += dict(chunks)[first]
                told("self-play", done, games, "")
                if over():
                    break
        self._spend("self-play", began)

    # ------------------------------------------------------------------ 2. learning

    def _learner(self, iteration: int) -> Trainer:
        """The trainer as it was after an iteration."""
        if self._trainer is None:
            path = self._checkpoint(iteration)
            self._trainer = (Trainer.read(path, self.start, self.plan.learning) if iteration or path.exists() else
                             Trainer(self.start, self.plan.design, self.plan.learning, self.plan.seed))
        return self._trainer

    def _save(self, learner: Trainer, iteration: int) -> None:
        """The model first: a checkpoint says that the stage is done."""
        card = Card.of(self.start, iteration=iteration, weights=learner.digest()[:16], seed=self.plan.seed,
                       steps=learner.steps, samples=learner.samples,
                       games=iteration * self.plan.games_per_iteration)
        write_whole(self.model_path(iteration), export(learner.slow, card))
        write_whole(self._checkpoint(iteration), learner.to_bytes())

    def _window(self, iteration: int) -> tuple[Replay, int]:
        """The samples to learn from, and how many of them are new."""
        if self._replay is None:
            self._replay = Replay(self.card, self.start.game.make_encoder(self.start.options), self.plan.held_out)
            before = sorted(path for path in (self.folder / "shards").glob(f"*{SUFFIX}")
                            if int(path.name.partition("-")[0]) < iteration)
            for path in before:
                self._replay.add(path)
        new = sum(self._replay.add(path) for path in sorted((self.folder / "shards").glob(f"{iteration:05}-*{SUFFIX}")))
        played = (self.metrics[-1]["samples"] if self.metrics else 0) + new
        self._replay.forget(window_size(played, self.plan.first_window, self.plan.largest_window))
        return self._replay, new

    def train(self, told: Told = _deaf) -> dict[str, Any]:
        """Learn from the window, and record what came of it and of the games."""
        iteration, began = self.iteration + 1, time.monotonic()
        if not any((self.folder / "shards").glob(f"{iteration:05}-*{SUFFIX}")):
            raise RecordError(f"there are no games of iteration {iteration} to learn from; play them first: boyi learn "
                              f"selfplay {self.folder}")
        torch.set_num_threads(self._threads)
        replay, new = self._window(iteration)
        if not len(replay):
            raise RecordError("no game came to an end, so there is nothing to learn from; allow longer ones")
        learner = self._learner(iteration - 1)
        held = replay.lesson(replay.to_check(MOST_CHECKED))
        before = learner.policies(held)
        begin, end = self.progress, self._planned()
        checks = [line["validation_loss"] for line in self.metrics]

        def rate(share: float) -> float:
            return self.plan.schedule.rate(begin + share * (end - begin), checks)

        trained = learner.samples
        losses = learner.learn(
            replay, round(self.plan.learning.reuse * new), rate, f"{self.plan.seed} train {iteration}",
            lambda step, steps: told("train", step, steps, ""))
        checked, after = learner.check(held), learner.policies(held)
        line: dict[str, Any] = {
            "loss": losses.total, "policy_loss": losses.policy, "value_loss": losses.value,
            "auxiliary_loss": losses.auxiliary, "validation_loss": checked.total,
            "validation_policy_loss": checked.policy, "validation_value_loss": checked.value,
            "lr": rate(1.0), "policy_entropy": entropy(after), "policy_kl": divergence(before, after),
            "replay_ratio": (learner.samples - trained) / max(1, new), "window": len(replay),
            "samples": (self.metrics[-1]["samples"] if self.metrics else 0) + new,
            "games": iteration * self.plan.games_per_iteration, "weights": learner.digest(),
            **self._describe_games(iteration)}
        self._save(learner, iteration)
        line.update(iteration=iteration, time=self.seconds, last=self._is_last(), minutes=self.length.minutes,
                    seconds=self.seconds - (self.metrics[-1]["time"] if self.metrics else 0.0))
        self.metrics.append(line)
        self._publish()
        # Only now: whoever is killed before this trains the iteration again, and needs what it needed.
        self._clear(iteration, replay)
        self._spend("training", began)
        return line

    def _describe_games(self, iteration: int) -> dict[str, float]:
        shards = [Shard.read(path) for path in sorted((self.folder / "shards").glob(f"{iteration:05}-*{SUFFIX}"))]
        plies = np.concatenate([shard.plies for shard in shards])
        first = np.concatenate([shard.results[:, 0] for shard in shards])
        ended = first[~np.isnan(first)]
        return {"decisive": float((ended != 0.5).sum() / len(first)), "game_length": float(plies.mean()),
                "first_move_score": float(ended.mean()) if len(ended) else 0.5,
                "unfinished": float(np.isnan(first).mean())}

    def _clear(self, iteration: int, replay: Replay) -> None:
        """Take away shards that no window needs any more, and checkpoints that nobody goes on from."""
        needed = replay.names
        for path in (self.folder / "shards").glob(f"*{SUFFIX}"):
            if path.name not in needed and int(path.name.partition("-")[0]) < iteration:
                path.unlink()
        for path in (self.folder / "checkpoints").glob("*.pt"):
            if 0 < int(path.stem) < iteration - 1:
                path.unlink()

    # ------------------------------------------------------------------ 3. evaluation

    def evaluate(self, iteration: int, pool: Pool, told: Told = _deaf) -> dict[str, Any]:
        """Examine the model of an iteration, and add what came of it to its metrics."""
        began = time.monotonic()
        line = next((line for line in self.metrics if line["iteration"] == iteration), None)
        if line is None:
            raise OptionError(f"the run in {shorten(str(self.folder))} has no iteration {iteration}; the last is "
                              f"{self.iteration}")
        if not self.plan.exam.games:
            raise OptionError("an exam of this run has no games; see the settings exam.* of its config.json")
        facts = self._examine(iteration, pool, told)
        # The exam is the last file: it says that the rest is done.
        if facts["promoted"]:
            write_whole(self.folder / "best.onnx", self.model_path(iteration).read_bytes())
        ratings = self.rate({**self.exams(), iteration: facts})
        for opponent in ("random", "level", "best"):
            if opponent in facts:
                line[f"{opponent}_score"] = facts[opponent]["score"]
                line[f"{opponent}_error"] = (facts[opponent]["high"] - facts[opponent]["low"]) / 2
        for rating in ratings:
            if rating["agent"] == _name(iteration):   # unless it played no game that is rated
                line.update(elo=rating["elo"], elo_error=(rating["high"] - rating["low"]) / 2)
        line.update(promoted=facts["promoted"], exam_seconds=time.monotonic() - began)
        if iteration == self.iteration:
            line["time"] = self.seconds
        self._publish()
        write_whole(self._exam(iteration), (json.dumps(facts, indent=1) + "\n").encode())
        self._write_report()
        self._spend("evaluation", began)
        return line

    def _contestant(self, iteration: int, simulations: int | None = None) -> Contestant:
        return Contestant(_name(iteration), f"mcts:net={NET},simulations={simulations or self.plan.exam.simulations}",
                          self.model_path(iteration).read_bytes())

    def _examine(self, iteration: int, pool: Pool, told: Told) -> dict[str, Any]:
        exam = self.plan.exam
        exams = {number: facts for number, facts in self.exams().items() if number < iteration}
        best = max((number for number, facts in exams.items() if facts["promoted"]), default=0)
        earlier = [number for number in (0, *exams) if number != best]
        half = min(earlier, key=lambda number: (abs(number - iteration // 2), number), default=None)
        rated: dict[str, list[Finish]] = {}
        last = self.metrics[-1]["last"] and iteration == self.iteration

        def duel(opponent: Contestant, games: int, test: Sprt | None = None, random_plies: int = 4,
                 simulations: int = exam.simulations) -> Score:
            score, more = play_duel(
                Duel((self._contestant(iteration, simulations), opponent), self.start, games,
                     self.plan.seed + iteration, random_plies), pool, test,
                lambda done, so_far: told("evaluate", done, games, f"– {opponent.name} {100 * so_far.share:.1f} %"))
            if simulations == exam.simulations:
                rated[opponent.name] = more
            return score

        facts: dict[str, Any] = {"iteration": iteration, "best_before": best}
        promoted = False
        if exam.promotion_games:
            test = Sprt(elo0=exam.elo0, elo1=exam.elo1)
            score = duel(self._contestant(best), exam.promotion_games, test)
            promoted = score.verdict == "elo1"
            facts["best"] = {**score.facts(), "opponent": _name(best)}
        if exam.random_games:
            score = duel(Contestant("random", "random"), exam.random_games, None, 0, exam.random_simulations)
            seen = any(facts["random"]["games"] >= exam.random_games_in_full for facts in exams.values())
            if exam.random_games_in_full > exam.random_games and (last or (score.share >= GOOD and not seen)):
                # The same games are played again, and more.
                score = duel(Contestant("random", "random"), exam.random_games_in_full, None, 0,
                             exam.random_simulations)
            facts["random"] = {**score.facts(), "simulations": exam.random_simulations}
        if exam.level_games:
            facts["level"] = {**duel(Contestant(f"level {exam.level}", f"level:{exam.level}"), exam.level_games,
                                     simulations=exam.level_simulations).facts(),
                              "level": exam.level, "simulations": exam.level_simulations}
        if exam.ladder_games and half is not None:
            facts["earlier"] = {**duel(self._contestant(half), exam.ladder_games).facts(), "opponent": _name(half)}
        facts["promoted"] = promoted
        facts["results"] = count_results(finish for finishes in rated.values() for finish in finishes)
        return facts

    def exams(self) -> dict[int, dict[str, Any]]:
        """All exams so far, by iteration."""
        return {int(path.stem): json.loads(path.read_text(encoding="utf-8"))
                for path in sorted((self.folder / "exams").glob("*.json"))}

    def rate(self, exams: Mapping[int, Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The ladder of everybody in these exams, the strongest first; kept in `ratings.json`."""
        results = [result for facts in exams.values() for result in facts["results"]]
        ratings = rate_results(results, ANCHOR)
        rows = [{"agent": row.name, "games": row.games, "elo": round(row.elo.value, 2), "low": round(row.elo.low, 2),
                 "high": round(row.elo.high, 2)} for row in ratings.rows]
        write_whole(self.folder / "ratings.json", (json.dumps({
            "boyi": "ratings of a run", "version": FORMAT_VERSION, "game": self.card.game,
            "options": dict(self.card.options), "anchor": ANCHOR, "simulations": self.plan.exam.simulations,
            "draws": round(ratings.draws, 4), "ratings": rows}, ensure_ascii=False, indent=1) + "\n").encode())
        return rows

    # ------------------------------------------------------------------ 4. the record

    def _publish(self) -> None:
        write_whole(self.folder / "metrics.jsonl", "".join(
            json.dumps(line, sort_keys=True) + "\n" for line in self.metrics).encode())
        write_events(self.folder / "events", self.metrics)
        self._write_report()

    def _write_report(self) -> None:
        write_whole(self.folder / "report.html", write_report(self.folder).encode())

    def _spend(self, stage: str, began: float) -> None:
        self.stage_seconds[stage] = self.stage_seconds.get(stage, 0.0) + time.monotonic() - began


def _name(iteration: int) -> str:
    return f"iteration {iteration}"


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """The lines of a run's metrics; none where there is no run yet."""
    path = folder / "metrics.jsonl"
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise RecordError(f"{shorten(str(path))} cannot be read: {error}") from error


def _read_config(path: Path) -> dict[str, Any]:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        if facts["boyi"] != "run" or facts["version"] != FORMAT_VERSION or not isinstance(facts["plan"], dict):
            raise ValueError("it says something else")
    except OSError as error:
        raise BoyiError(f"there is no run in {shorten(str(path.parent))}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{shorten(str(path))} is not the config of a run of version {FORMAT_VERSION}: "
                          f"{error}") from error
    return dict(facts)


def read_plan(facts: Mapping[str, Any]) -> Plan:
    """A plan from nested settings, as `asdict` makes them; what is missing is as usual, what is unknown refused."""
    parts: dict[str, Any] = dict(facts)
    for name, kind in PARTS.items():
        if name in parts:
            known = {part.name for part in fields(kind)}
            for key in parts[name]:
                if key not in known:
                    raise OptionError(str(UnknownNameError.among(f"setting of {name}", key, sorted(known))))
            parts[name] = kind(**parts[name])
    known = {part.name for part in fields(Plan)}
    for key in parts:
        if key not in known:
            raise OptionError(str(UnknownNameError.among("setting", key, sorted(known))))
    return Plan(**parts)


def change_plan(plan: Plan, words: Mapping[str, str]) -> Plan:
    """A plan with some settings by their names in words.

    >>> change_plan(Plan(), {"games.simulations": "32", "seed": "3"}).games.simulations
    32
    """
    facts = asdict(plan)
    flat = _flat(facts)
    for name, word in words.items():
        if name not in flat:
            raise OptionError(str(UnknownNameError.among("setting", name, sorted(flat))))
        *above, last = name.split(".")
        table = facts
        for part in above:
            table = table[part]
        table[last] = _read_word(name, word, flat[name])
    return read_plan(facts)


def _read_word(name: str, word: str, before: object) -> object:
    """A value of the same kind as the one before."""
    if isinstance(before, str):
        return word
    if isinstance(before, bool):
        if word.lower() not in ("on", "off", "true", "false"):
            raise OptionError(f"{name}: {shorten(word)} is neither on nor off")
        return word.lower() in ("on", "true")
    try:
        return int(word) if isinstance(before, int) else float(word)
    except ValueError:
        kind = "whole number" if isinstance(before, int) else "number"
        raise OptionError(f"{name}: {shorten(word)} is not a {kind}") from None


def _flat(facts: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested settings as `plan.games.simulations`; the card is compared elsewhere."""
    flat: dict[str, Any] = {}
    for name, value in facts.items():
        if isinstance(value, dict) and name != "card":
            flat.update(_flat(value, f"{prefix}{name}."))
        elif name != "card":
            flat[prefix + name] = value
    return flat
