"""A run: self-play, learning, evaluation and promotion, again and again, killed anywhere and continued.

An iteration has *stages*, and each leaves a file in the run's folder (`learn.training.folder`) when it is done:

    1. self-play   the latest model but one plays; a shard per chunk of games
    2. train       learns from the window of the latest samples; a checkpoint and its model
    3. evaluate    every few iterations; games against others
    4. record      a row of metrics

What a stage does is decided by the files before it, the settings and the seed. So a session that was killed is gone on
with by doing the stage it was in again, from its beginning (self-play: from the last whole chunk), with the same
numbers. Only a length in minutes depends on the clock.

Why the latest model but one (`Plan.ahead`): so the games of iteration i + 1 need nothing that iteration i learns, and
where other processes play they are played while it is learned. No core waits. Without it the latest one plays.
Promoted or not: waiting for proof costs more than it saves (Silver and others 2018).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import torch

from boyi.arena.pool import Pool
from boyi.core.errors import OptionError, RecordError, shorten
from boyi.core.position import Position
from boyi.learn import files
from boyi.learn.training.evaluation import Evaluations, metrics_of
from boyi.learn.training.events import write_events
from boyi.learn.training.export import export
from boyi.learn.training.folder import Row, RunFolder
from boyi.learn.training.models import digest
from boyi.learn.training.player import Player
from boyi.learn.training.progress import OnProgress, Progress
from boyi.learn.training.replay import Replay, window_size
from boyi.learn.training.report import write_report
from boyi.learn.training.settings import Length, Plan
from boyi.learn.training.shard import Shard
from boyi.learn.training.trainer import Trainer, divergence, entropy
from boyi.nets.card import Card

MOST_VALIDATED = 4096
"""Held-out samples that the validation loss is taken over."""

POLL_SECONDS = 0.2
"""How often to report how far learning in another thread has come."""


def _ignore(stage: str, done: int, most: int, words: str) -> None:
    pass


class _CancelledError(Exception):
    """Learning in another thread is no longer wanted."""


class Run:
    """A run in its folder."""

    def __init__(self, folder: Path, start: Position, plan: Plan, length: Length, *, threads: int = 1) -> None:
        """Begin a run, or open one that was begun with the same plan."""
        self.folder, self.start, self.plan = RunFolder(folder), start, plan
        self._threads = threads
        self.folder.make()
        self.folder.write_config(start, plan, length)
        self.metrics = self.folder.read_metrics()
        self.progress = Progress(length, plan.games_per_iteration, self.metrics)
        self._evaluations = Evaluations(self.folder, start, plan)
        self._trainer: Trainer | None = None
        self._replay: Replay | None = None
        self.stage_seconds: dict[str, float] = {}
        """Where the time of this session went."""

    @classmethod
    def open(cls, folder: Path, *, threads: int = 1) -> Run:
        """A run that is there, as its config says."""
        start, plan, length = RunFolder(folder).read_plan()
        return cls(folder, start, plan, length, threads=threads)

    @property
    def iteration(self) -> int:
        """The last one that is done."""
        return self.progress.iteration

    @property
    def best_model(self) -> Path:
        """The last model that was promoted; else the latest."""
        best = self.folder.best_model
        return best if best.exists() else self.folder.model(self.iteration)

    # ------------------------------------------------------------------ all together

    def work(self, pool: Pool, on_progress: OnProgress = _ignore) -> Iterator[Row]:
        """Iterations until the run is over; each hands over its row of metrics."""
        if self.evaluation_due:   # the last session was killed in it
            yield self.evaluate(self.iteration, pool, on_progress)
        while not self.progress.finished:
            self.selfplay(pool, on_progress)
            row = (self._train_and_play(pool, on_progress) if self.plan.ahead and pool.elsewhere else
                   self.train(on_progress))
            if self.evaluation_due:
                row = self.evaluate(self.iteration, pool, on_progress)
            yield row

    def _train_and_play(self, pool: Pool, on_progress: OnProgress) -> Row:
        """Learn from the next iteration's games in a thread, while others play those of the one after it."""
        following = self.iteration + 2
        if self.progress.ends_with(following - 1):
            return self.train(on_progress)   # there is none after it
        cancelled, come = Event(), [(0, 1)]

        def note(stage: str, done: int, most: int, words: str) -> None:
            come[0] = done, most
            if cancelled.is_set():
                raise _CancelledError

        def over(learning: Future[Row]) -> bool:
            """Are the games for nothing?"""
            return learning.done() and (learning.exception() is not None or self.progress.finished)

        with ThreadPoolExecutor(1) as thread:
            learning = thread.submit(self.train, note)
            try:
                self._play(following, pool, on_progress, lambda: over(learning))
                while not learning.done():
                    wait([learning], POLL_SECONDS)
                    on_progress("train", *come[0], "")
                return learning.result()
            finally:
                cancelled.set()   # matters only if it is not done yet, after an interruption

    @property
    def evaluation_due(self) -> bool:
        """Is the last iteration to be evaluated, and was not yet?"""
        return (bool(self.metrics and self.plan.evaluation.games)
                and not self.folder.evaluation(self.iteration).exists()
                and (self.metrics[-1]["last"] or self.iteration % self.plan.evaluation.every == 0))

    # ------------------------------------------------------------------ 1. self-play

    def selfplay(self, pool: Pool, on_progress: OnProgress = _ignore) -> None:
        """Play what is missing of the next iteration's games."""
        self._play(self.iteration + 1, pool, on_progress)

    def _play(self, iteration: int, pool: Pool, on_progress: OnProgress,
              over: Callable[[], bool] = lambda: False) -> None:
        """Play what is missing of an iteration's games; stop if it is over."""
        begin, games = (iteration - 1) * self.plan.games_per_iteration, self.plan.games_per_iteration
        chunks = [(first, min(self.plan.chunk, begin + games - first))
                  for first in range(begin, begin + games, self.plan.chunk)]
        missing = [task for task in chunks if not self.folder.shard(iteration, task[0]).exists()]
        if not missing:
            return
        began = time.monotonic()
        if not self.folder.model(0).exists():
            self._save(self._learner(0), 0)
        model = self.folder.model(max(0, iteration - (2 if self.plan.ahead else 1))).read_bytes()
        player = Player(self.start, model, replace(self.plan.games, seed=self.plan.seed),
                        {"iteration": iteration, "model": digest(model)[:16]})
        done = games - sum(count for _, count in missing)
        on_progress("self-play", done, games, "")
        with closing(pool.run(player.play, missing, name=lambda task: f"games {task[0]} and on")) as played:
            for first, content in played:
                files.write_whole(self.folder.shard(iteration, first), content)
                done += dict(chunks)[first]
                on_progress("self-play", done, games, "")
                if over():
                    break
        self._spend("self-play", began)

    # ------------------------------------------------------------------ 2. learning

    def _learner(self, iteration: int) -> Trainer:
        """The trainer as it was after an iteration."""
        if self._trainer is None:
            path = self.folder.checkpoint(iteration)
            self._trainer = (Trainer.read(path, self.start, self.plan.learning) if iteration or path.exists() else
                             Trainer(self.start, self.plan.design, self.plan.learning, self.plan.seed))
        return self._trainer

    def _save(self, learner: Trainer, iteration: int) -> None:
        """The model first: a checkpoint says that the stage is done."""
        card = Card.of(self.start, iteration=iteration, weights=learner.digest()[:16], seed=self.plan.seed,
                       steps=learner.steps, samples=learner.samples,
                       games=iteration * self.plan.games_per_iteration)
        files.write_whole(self.folder.model(iteration), export(learner.average, card))
        files.write_whole(self.folder.checkpoint(iteration), learner.to_bytes())

    def _window(self, iteration: int) -> tuple[Replay, int]:
        """The samples to learn from, and how many of them are new."""
        shards = self.folder.shards()
        if self._replay is None:
            self._replay = Replay(Card.of(self.start), self.start.game.make_encoder(self.start.options),
                                  self.plan.held_out)
            for number, path in shards:
                if number < iteration:
                    self._replay.add(path)
        new = sum(self._replay.add(path) for number, path in shards if number == iteration)
        played = (self.metrics[-1]["samples"] if self.metrics else 0) + new
        self._replay.forget(window_size(played, self.plan.first_window, self.plan.largest_window))
        return self._replay, new

    def train(self, on_progress: OnProgress = _ignore) -> Row:
        """Learn from the window, and record what came of it and of the games."""
        iteration, began = self.iteration + 1, time.monotonic()
        # 1. The samples.
        if all(number != iteration for number, _ in self.folder.shards()):
            raise RecordError(f"there are no games of iteration {iteration} to learn from; play them first: boyi learn "
                              f"selfplay {self.folder.path}")
        torch.set_num_threads(self._threads)
        replay, new = self._window(iteration)
        if not len(replay):
            raise RecordError("no game came to an end, so there is nothing to learn from; allow longer ones")
        # 2. The steps.
        learner = self._learner(iteration - 1)
        held_out = replay.minibatch(replay.validation(MOST_VALIDATED))
        before = learner.policies(held_out)
        begin, end = self.progress.share, self.progress.share_after_next()
        losses_so_far = [row["validation_loss"] for row in self.metrics]

        def rate(share: float) -> float:
            return self.plan.schedule.rate(begin + share * (end - begin), losses_so_far)

        trained = learner.samples
        losses = learner.learn(
            replay, round(self.plan.learning.reuse * new), rate, f"{self.plan.seed} train {iteration}",
            lambda step, steps: on_progress("train", step, steps, ""))
        # 3. What came of it.
        validation, after = learner.check(held_out), learner.policies(held_out)
        row: Row = {
            "loss": losses.total, "policy_loss": losses.policy, "value_loss": losses.value,
            "auxiliary_loss": losses.auxiliary, "validation_loss": validation.total,
            "validation_policy_loss": validation.policy, "validation_value_loss": validation.value,
            "lr": rate(1.0), "policy_entropy": entropy(after), "policy_kl": divergence(before, after),
            "replay_ratio": (learner.samples - trained) / max(1, new), "window": len(replay),
            "samples": (self.metrics[-1]["samples"] if self.metrics else 0) + new,
            "games": iteration * self.plan.games_per_iteration, "weights": learner.digest(),
            **self._describe_games(iteration)}
        self._save(learner, iteration)
        seconds = self.progress.seconds
        row.update(iteration=iteration, time=seconds, last=self.progress.next_is_last(),
                   minutes=self.progress.length.minutes,
                   seconds=seconds - (self.metrics[-1]["time"] if self.metrics else 0.0))
        self.metrics.append(row)
        self._record()
        # Only now: a session killed before this trains the iteration again, and needs what it needed.
        self._clear(iteration, replay)
        self._spend("training", began)
        return row

    def _describe_games(self, iteration: int) -> dict[str, float]:
        shards = [Shard.read(path) for number, path in self.folder.shards() if number == iteration]
        plies = np.concatenate([shard.plies for shard in shards])
        first = np.concatenate([shard.results[:, 0] for shard in shards])
        ended = first[~np.isnan(first)]
        return {"decisive": float((ended != 0.5).sum() / len(first)), "game_length": float(plies.mean()),
                "first_move_score": float(ended.mean()) if len(ended) else 0.5,
                "unfinished": float(np.isnan(first).mean())}

    def _clear(self, iteration: int, replay: Replay) -> None:
        """Remove shards that no window needs any more, and checkpoints that no session goes on from."""
        needed = replay.names
        for number, path in self.folder.shards():
            if path.name not in needed and number < iteration:
                path.unlink()
        for number, path in self.folder.checkpoints().items():
            if 0 < number < iteration - 1:
                path.unlink()

    # ------------------------------------------------------------------ 3. evaluation

    def evaluate(self, iteration: int, pool: Pool, on_progress: OnProgress = _ignore) -> Row:
        """Evaluate the model of an iteration, and add what came of it to its metrics."""
        began = time.monotonic()
        row = next((row for row in self.metrics if row["iteration"] == iteration), None)
        if row is None:
            raise OptionError(f"the run in {shorten(str(self.folder.path))} has no iteration {iteration}; the last is "
                              f"{self.iteration}")
        if not self.plan.evaluation.games:
            raise OptionError("an evaluation of this run has no games; see the settings exam.* of its config.json")
        last = self.metrics[-1]["last"] and iteration == self.iteration
        facts = self._evaluations.play(iteration, last, pool, on_progress)
        # The evaluation is the last file: it says that the rest is done.
        if facts["promoted"]:
            files.write_whole(self.folder.best_model, self.folder.model(iteration).read_bytes())
        ratings = self._evaluations.rate({**self.folder.read_evaluations(), iteration: facts})
        row.update(metrics_of(iteration, facts, ratings), exam_seconds=time.monotonic() - began)
        if iteration == self.iteration:
            row["time"] = self.progress.seconds
        self._record()
        self.folder.write_evaluation(iteration, facts)
        self._write_report()
        self._spend("evaluation", began)
        return row

    # ------------------------------------------------------------------ 4. the record

    def _record(self) -> None:
        self.folder.write_metrics(self.metrics)
        write_events(self.folder.events, self.metrics)
        self._write_report()

    def _write_report(self) -> None:
        files.write_whole(self.folder.report, write_report(self.folder).encode())

    def _spend(self, stage: str, began: float) -> None:
        self.stage_seconds[stage] = self.stage_seconds.get(stage, 0.0) + time.monotonic() - began
