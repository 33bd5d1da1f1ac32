"""A revision in a seat of our arena: its driver is asked for every move.

A process is kept between games, one for all seats; its agents are made anew for every game, as ours are.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from boyi.agents.agent import AgentError, Clock
from boyi.agents.external.channel import Channel
from boyi.core.errors import BoyiError, OptionError, shorten
from boyi.core.position import Position

DRIVER = Path(__file__).with_name("driver.py")
READY_SECONDS = 120.0
"""How long importing and making an agent may take."""

MOVE_SECONDS = 300.0
"""How long a move may take where nothing else limits it."""

SLACK_SECONDS = 0.5
"""Beyond a limit, for the way there and back: the referee measures, and this only ends what does not answer."""


class Driver:
    """The process of a revision."""

    def __init__(self, name: str, command: tuple[str, ...]) -> None:
        self.name = name
        self.alive = True
        self.warned = False
        """Has it been said that its rules are others than ours?"""

        self._channel = Channel(name, command)
        self.version = str(self.ask(READY_SECONDS, do="hello").get("version"))

    def ask(self, seconds: float, **question: object) -> dict[str, Any]:
        """The answer; what the revision cannot do is an `AgentError`."""
        self.alive = False   # until it has answered
        self._channel.send(json.dumps(question))
        line = self._channel.receive(time.monotonic() + seconds, str(question["do"]))
        try:
            reply = json.loads(line)
        except ValueError:
            reply = None
        if not isinstance(reply, dict) or not {"ok", "error"} & set(reply):
            raise AgentError(f"{self.name} wrote {shorten(line)} where an answer belongs", "crash")
        self.alive = True
        if "error" in reply:
            raise AgentError(f"{self.name}: {reply['error']}", "refusal", str(reply.get("traceback", "")))
        answer: dict[str, Any] = reply["ok"]
        return answer

    def close(self) -> None:
        self.alive = False
        self._channel.close()


_drivers: dict[tuple[str, ...], Driver] = {}


def find_driver(name: str, command: tuple[str, ...]) -> Driver:
    """The process that a command started here, or a new one if it has ended."""
    known = _drivers.get(command)
    if known is None or not known.alive:
        if known is not None:
            known.close()
        known = _drivers[command] = Driver(name, command)
    return known


def close_drivers() -> None:
    """End all processes that were started here."""
    while _drivers:
        _drivers.popitem()[1].close()


_numbers = itertools.count()


class RevisionAgent:
    """A revision that plays one seat of one game by one of its agents."""

    def __init__(self, name: str, command: tuple[str, ...], spec: str, limits: Mapping[str, float],
                 seed: int = 0) -> None:
        self._name = name
        self._command = command
        self._spec = spec
        self._limits = dict(limits)
        self._seed = seed
        self._driver: Driver | None = None
        self._number = -1
        self._allowed: float | None = None
        self.expectation: float | None = None
        """See `agents.agent.expectation_of`."""

    def end_after(self, seconds: float | None) -> None:
        """See `agents.agent.limit_agent`."""
        self._allowed = seconds

    def prepare(self, observation: Position) -> None:
        """Have the revision make its agent."""
        self.close()
        self._driver, self._number = find_driver(self._name, self._command), next(_numbers)
        self._driver.ask(
            READY_SECONDS, do="new", agent=self._number, game=observation.game.name, options=dict(observation.options),
            spec=self._spec, limits=self._limits, seed=self._seed, start=observation.start_text, seat=observation.turn)

    def choose(self, observation: Position, clock: Clock) -> int:
        self.expectation = None
        if self._driver is None:
            self.prepare(observation)
        assert self._driver is not None
        seconds = MOVE_SECONDS if self._allowed is None else self._allowed + SLACK_SECONDS
        answer = self._driver.ask(
            seconds, do="move", agent=self._number, moves=write_history(observation), text=observation.to_text(),
            legal=len(observation.moves()), clock={
                name: value for name, value in asdict(clock).items() if value not in (None, 0.0, ())})
        try:
            move = observation.parse_move(str(answer.get("move")))
        except BoyiError as error:
            raise AgentError(f"{self._name}: {error}", "illegal_move") from error
        self.expectation = answer.get("expectation")
        if not answer.get("replayed", True) and not self._driver.warned:
            self._driver.warned = True
            print(f"{self._name} has other rules: it was given {observation.to_text()} without the history",
                  file=sys.stderr)
        return move

    def close(self) -> None:
        """Let the agent go; the process is kept for the next game."""
        if self._driver is not None and self._driver.alive:
            with contextlib.suppress(AgentError):
                self._driver.ask(READY_SECONDS, do="close", agent=self._number)
        self._driver = None


def write_history(observation: Position) -> list[str]:
    """Every move that the seat was told of, results of chance among them, each as a text of its own."""
    walk, moves, texts = observation.copy(), observation.history(), []
    for _ in moves:
        walk.undo()
    for move in moves:
        texts.append(walk.format_move(move))
        walk.play(move)
    return texts


def check(name: str, command: tuple[str, ...], spec: str, limits: Mapping[str, float], start: Position,
          ) -> tuple[str, bool]:
    """The spec as the revision reads it, and whether it takes a seed; an `OptionError` if it cannot play by it."""
    try:
        driver = find_driver(name, command)
        answer = driver.ask(READY_SECONDS, do="new", agent=-1, game=start.game.name, options=dict(start.options),
                            spec=spec, limits=dict(limits), seed=0, start=start.start_text, seat=start.turn)
        driver.ask(READY_SECONDS, do="close", agent=-1)
    except AgentError as error:
        raise OptionError(str(error)) from error
    return str(answer["spec"]), bool(answer["seeded"])
