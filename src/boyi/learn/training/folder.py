"""The folder of a run: where its files are, and how those that describe it are read and written.

    config.json       what was asked for; the same command goes on, another one is refused
    metrics.jsonl     a row per iteration, and the same as events for TensorBoard in `events/`
    shards/           samples, see `learn.training.shard`
    checkpoints/      after iteration i: `i.pt` to go on learning from, `i.onnx` to play with
    exams/            evaluations: the results of games against others, see `learn.training.evaluation`
    ratings.json      the ladder of all checkpoints that were evaluated
    best.onnx         the last one that was promoted: a test (SPRT) found it stronger than the one before
    report.html       all of it to look at

Every file is written whole or not at all. Nothing here needs PyTorch or NumPy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from boyi.core.errors import BoyiError, OptionError, RecordError, shorten
from boyi.core.game import restore
from boyi.core.position import Position
from boyi.games import find_game
from boyi.learn import files
from boyi.learn.training.settings import Length, Plan, flatten, read_plan
from boyi.nets.card import Card, check_card

FORMAT_VERSION = 1
SHARD_SUFFIX = ".npz"

Row = dict[str, Any]
"""The metrics of an iteration, by name."""


class RunFolder:
    """A folder with a run in it, or with room for one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "config.json"
        self.metrics = path / "metrics.jsonl"
        self.ratings = path / "ratings.json"
        self.best_model = path / "best.onnx"
        self.report = path / "report.html"
        self.events = path / "events"

    def checkpoint(self, iteration: int) -> Path:
        """What learning goes on from after an iteration."""
        return self.path / "checkpoints" / f"{iteration:05}.pt"

    def model(self, iteration: int) -> Path:
        """The model after an iteration."""
        return self.path / "checkpoints" / f"{iteration:05}.onnx"

    def models(self) -> list[Path]:
        """The models there are, the best and the latest first."""
        latest = sorted((self.path / "checkpoints").glob("*.onnx"), reverse=True)
        return [path for path in (self.best_model, *latest) if path.exists()]

    def checkpoints(self) -> dict[int, Path]:
        return {int(path.stem): path for path in sorted((self.path / "checkpoints").glob("*.pt"))}

    def shard(self, iteration: int, first: int) -> Path:
        """The samples of an iteration's games from number `first` on."""
        return self.path / "shards" / f"{iteration:05}-{first:09}{SHARD_SUFFIX}"

    def shards(self) -> list[tuple[int, Path]]:
        """All that are there, each with its iteration, in the order of their games."""
        return [(int(path.name.partition("-")[0]), path)
                for path in sorted((self.path / "shards").glob(f"*{SHARD_SUFFIX}"))]

    def evaluation(self, iteration: int) -> Path:
        return self.path / "exams" / f"{iteration:05}.json"

    def make(self) -> None:
        """See to it that the folder and those in it are there."""
        try:
            for name in ("shards", "checkpoints", "exams", "events"):
                (self.path / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BoyiError(f"cannot make the folder {shorten(str(self.path))}: {error.strerror or error}") from error

    # ------------------------------------------------------------------ what was asked for

    def write_config(self, start: Position, plan: Plan, length: Length) -> None:
        """Say what is asked for; refuses anything but what was asked for before, except another length."""
        card = Card.of(start)
        config = json.loads(json.dumps({
            "boyi": "run", "version": FORMAT_VERSION, "card": asdict(card), "start": start.start_text,
            "moves": start.history(), "plan": plan.to_facts()}))
        if self.config.exists():
            found = self.read_config()
            check_card(card, Card.parse(json.dumps(found["card"])), f"the run in {shorten(str(self.path))}")
            theirs, ours = _comparable(found), _comparable(config)
            for name in sorted({*theirs, *ours}):
                if theirs.get(name) != ours.get(name):
                    raise OptionError(f"the run in {shorten(str(self.path))} was begun otherwise: {name} is "
                                      f"{shorten(theirs.get(name))} there and {shorten(ours.get(name))} here. Say the "
                                      f"same, or name another folder with --run.")
        config["length"] = asdict(length)
        files.write_whole(self.config, (json.dumps(config, ensure_ascii=False, indent=1) + "\n").encode())

    def read_config(self) -> dict[str, Any]:
        try:
            facts = json.loads(self.config.read_text(encoding="utf-8"))
            if facts["boyi"] != "run" or facts["version"] != FORMAT_VERSION or not isinstance(facts["plan"], dict):
                raise ValueError("it says something else")
        except OSError as error:
            raise BoyiError(f"there is no run in {shorten(str(self.path))}: {error.strerror or error}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise RecordError(f"{shorten(str(self.config))} is not the config of a run of version {FORMAT_VERSION}: "
                              f"{error}") from error
        return dict(facts)

    def read_plan(self) -> tuple[Position, Plan, Length]:
        """What was asked for: the position that games start from, the plan and the length."""
        facts = self.read_config()
        card = Card.parse(json.dumps(facts["card"]))
        game = find_game(card.game)
        options, _ = card.prepare(game)
        start = restore(game, options, facts["start"], facts["moves"])
        return start, read_plan(facts["plan"]), Length(**facts["length"])

    # ------------------------------------------------------------------ what happened

    def read_metrics(self) -> list[Row]:
        """A row per iteration; none where there is no run yet."""
        try:
            return [json.loads(line) for line in self.metrics.read_text(encoding="utf-8").splitlines()]
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise RecordError(f"{shorten(str(self.metrics))} cannot be read: {error}") from error

    def write_metrics(self, rows: Sequence[Row]) -> None:
        files.write_whole(self.metrics, "".join(json.dumps(row, sort_keys=True) + "\n" for row in rows).encode())

    def read_evaluations(self) -> dict[int, dict[str, Any]]:
        """All evaluations so far, by iteration."""
        return {int(path.stem): json.loads(path.read_text(encoding="utf-8"))
                for path in sorted((self.path / "exams").glob("*.json"))}

    def write_evaluation(self, iteration: int, facts: Mapping[str, Any]) -> None:
        files.write_whole(self.evaluation(iteration), (json.dumps(facts, indent=1) + "\n").encode())

    def read_ratings(self) -> dict[str, Any] | None:
        """The ladder, if there is one yet."""
        return json.loads(self.ratings.read_text(encoding="utf-8")) if self.ratings.exists() else None

    def write_ratings(self, facts: Mapping[str, Any]) -> None:
        content = {"boyi": "ratings of a run", "version": FORMAT_VERSION, **facts}
        files.write_whole(self.ratings, (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode())


def name_checkpoint(iteration: int) -> str:
    """What the model of an iteration is called on the ladder."""
    return f"iteration {iteration}"


def _comparable(config: Mapping[str, Any]) -> dict[str, Any]:
    """What must be the same for a run to go on; cards are compared in words of their own."""
    return flatten({name: value for name, value in config.items() if name not in ("card", "length")})
