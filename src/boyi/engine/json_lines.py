"""The JSON protocol: an analysis engine for scripts, in the manner of KataGo's.

A request is a line, an answer is a line, and many requests are worked on at once. Every position that is asked for gets
one final answer, cancelled or not. docs/engine.md describes both sides.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from time import monotonic
from typing import Any

from boyi.agents.analysis import Analysis, in_notation, line_to_json
from boyi.agents.searching import find_default
from boyi.core.errors import OptionError, UnknownNameError
from boyi.core.game import Game
from boyi.core.position import OVER
from boyi.engine.pool import Job, Pool
from boyi.engine.request import Command, Request, RequestError, Turn, read_line
from boyi.engine.settings import HASH_LIMIT_MB, THREADS_LIMIT, Setting, Value, list_settings
from boyi.games import all_games

QUIT = "quit"
"""As a line of its own, too: what a person types who wants to leave."""

NOTHING = Analysis((), 0, 0, 0.0)
SEARCH_SETTINGS = {"hash": "Hash", "search_threads": "Threads"}
"""Settings that are handed on to the searches that have them, by the name that other protocols call them."""


class JsonLines:
    """Requests in, answers out, in any order."""

    def __init__(self, game: Game, say: Callable[[str], None]) -> None:
        self._game = game
        self._say_line = say
        search = {setting.name: setting for setting in list_settings(game, find_default(game.start()))}
        processors = min(count_processors(), THREADS_LIMIT)
        self._settings = {setting.name: setting for setting in (
            Setting("threads", "spin", processors, 1, THREADS_LIMIT),
            Setting("search_threads", "spin", 1, 1, THREADS_LIMIT),
            Setting("hash", "spin", search["Hash"].default if "Hash" in search else 1, 1, HASH_LIMIT_MB))}
        self._values: dict[str, Value] = {}
        """What was set; the rest is as each search has it by default."""

        self._pool = Pool(processors)
        self._under_way: dict[str, Answers] = {}
        """Every request that has not had its last answer, by its id."""

        self._lock = threading.Lock()
        """Held while `_under_way` changes."""

    def settings(self) -> Iterable[Setting]:
        return self._settings.values()

    def hear(self, line: str) -> bool:
        """Do what a line asks for; False after `quit`."""
        if line == QUIT:
            return False
        try:
            asked = read_line(line, self._game)
            if isinstance(asked, Request):
                self._begin(asked)
                return True
            self._say({**({} if asked.request_id is None else {"id": asked.request_id}), asked.name: asked.value,
                       **self._do(asked)})
            return asked.name != QUIT
        except RequestError as error:
            self._say({name: value for name, value in (
                ("id", error.request_id), ("error", str(error)), ("field", error.field)) if value is not None})
            return True

    def end(self, *, at_once: bool) -> None:
        """Finish what is under way, but for what has no end; `at_once` stops everything."""
        for answers in self._list_answers():
            if at_once or answers.request.endless:
                answers.cancel()
        self._pool.wait()

    # ------------------------------------------------------------------ requests

    def _begin(self, request: Request) -> None:
        answers = Answers(request, self._pool, self._say, self._forget)
        with self._lock:
            if request.id in self._under_way:
                raise RequestError(f"the request {request.id!r} is still under way: cancel it first, or give this one "
                                   "another id", field="id", request_id=request.id)
            self._under_way[request.id] = answers
        answers.begin(self._find_values(request))

    def _find_values(self, request: Request) -> Mapping[str, Any]:
        """The settings of a search: those of the request, then those of the engine."""
        targets = {setting.name: setting.target for setting in list_settings(request.game, request.algorithm)}
        own = {targets[known]: self._values[name] for name, known in SEARCH_SETTINGS.items()
               if name in self._values and known in targets}
        return own | dict(request.values)

    def _forget(self, answers: Answers) -> None:
        with self._lock:
            del self._under_way[answers.request.id]

    def _list_answers(self) -> list[Answers]:
        with self._lock:
            return list(self._under_way.values())

    # ------------------------------------------------------------------ commands

    def _do(self, command: Command) -> dict[str, Any]:
        """Carry out a command; what there is to say besides that it was done."""
        if command.name in ("cancel", "cancel_all"):
            found = [answers for answers in self._list_answers()
                     if command.name == "cancel_all" or answers.request.id == command.value]
            return {"cancelled": sum(answers.cancel() for answers in found)}
        if command.name == "clear_cache":
            self._pool.forget()
        elif command.name == "settings":
            self._set(command)
            return {"settings": {name: self._values.get(name, setting.default)
                                 for name, setting in self._settings.items()}}
        elif command.name == "query_version":
            return {"name": "Boyi", "version": version("boyi"), "game": self._game.name, "games": list(all_games())}
        return {}

    def _set(self, command: Command) -> None:
        changed = dict(self._values)
        for name, value in command.value.items():
            if name not in self._settings:
                raise RequestError(str(UnknownNameError.among("setting", name, self._settings)), field="settings",
                                   request_id=command.request_id)
            try:
                changed[name] = self._settings[name].read(json.dumps(value))
            except OptionError as error:
                raise RequestError(str(error), field="settings", request_id=command.request_id) from error
        self._values = changed
        if "threads" in command.value:
            self._pool.resize(int(changed["threads"]))

    def _say(self, answer: Mapping[str, Any]) -> None:
        self._say_line(json.dumps(answer, ensure_ascii=False))


class Answers:
    """The answers to one request."""

    def __init__(self, request: Request, pool: Pool, say: Callable[[Mapping[str, Any]], None],
                 forget: Callable[[Answers], None]) -> None:
        self.request = request
        self._pool = pool
        self._say = say
        self._forget = forget
        """Called before the last answer is out, so that its id can be used again."""

        self._jobs: list[Job] = []
        self._left = len(request.turns)
        self._lock = threading.Lock()
        """Held while a position is finished: `_left` says in the order of the answers how many are."""

    def begin(self, values: Mapping[str, Any]) -> None:
        """Have every position looked at, with these settings of the search."""
        request, over = self.request, []
        for turn in request.turns:
            if turn.position.turn == OVER:
                over.append(turn)
                continue
            self._jobs.append(Job(turn.position.copy(), request.algorithm, values, request.limits, request.only,
                                  request.priority, Answer(self, turn)))
        for turn in over:
            self.finish(turn, describe_end(turn))
        for job in self._jobs:
            self._pool.submit(job)

    def cancel(self) -> int:
        """End what has not ended; how many positions that were."""
        left = self._left
        for job in self._jobs:
            self._pool.cancel(job)
        return left

    def report(self, turn: Turn, facts: dict[str, Any]) -> None:
        """Say what was found so far."""
        self._say(self._head(turn, final=False) | facts)

    def finish(self, turn: Turn, facts: dict[str, Any]) -> None:
        """Say the last there is to say about a position."""
        with self._lock:
            self._left -= 1
            if self._left == 0:
                self._forget(self)
            left = {"remaining": self._left} if self.request.asks_turns else {}
            self._say(self._head(turn, final=True) | left | facts)

    def _head(self, turn: Turn, *, final: bool) -> dict[str, Any]:
        return {"id": self.request.id, "turn": turn.number, "final": final}


class Answer:
    """What is said about one position: it hears of the search (`pool.Listener`), and reports when it is time to."""

    def __init__(self, answers: Answers, turn: Turn) -> None:
        self._answers = answers
        self._turn = turn
        self._every = answers.request.report_every
        self._due = monotonic()
        """When the next report may be out."""

        self._held: dict[str, Any] | None = None
        """A report that came too early. It is out when it is due, unless there is a later one by then."""

        self._timer: threading.Timer | None = None
        self._ended = False
        self._lock = threading.Lock()
        """Held while something is reported: no report follows the final answer."""

    def deepen(self, analysis: Analysis) -> None:
        if self._every is None:
            return
        facts = self._describe(analysis)      # here, where nothing is searched meanwhile
        with self._lock:
            wait = self._due - monotonic()
            if wait <= 0:
                self._report(facts)
                return
            self._held = facts
            if self._timer is None:
                self._timer = threading.Timer(wait, self._ring)
                self._timer.daemon = True
                self._timer.start()

    def _ring(self) -> None:
        with self._lock:
            self._timer = None
            if self._held is not None and not self._ended:
                self._report(self._held)

    def _report(self, facts: dict[str, Any]) -> None:
        self._held, self._due = None, monotonic() + (self._every or 0.0)
        self._answers.report(self._turn, facts)

    def end(self, analysis: Analysis | None, *, cancelled: bool) -> None:
        self._close()
        facts = self._describe(NOTHING if analysis is None else analysis)
        self._answers.finish(self._turn, {"cancelled": True} | facts if cancelled else facts)

    def fail(self, reason: str) -> None:
        self._close()
        self._answers.finish(self._turn, {"error": reason})

    def _close(self) -> None:
        with self._lock:
            self._ended = True
            if self._timer is not None:
                self._timer.cancel()

    def _describe(self, analysis: Analysis) -> dict[str, Any]:
        position, request = self._turn.position, self._answers.request
        return {
            "position": position.to_text(), "player": position.turn, "search": request.algorithm.name,
            "depth": analysis.depth, "nodes": analysis.nodes, "nodes_per_second": analysis.speed,
            "seconds": round(analysis.seconds, 6), "unit": position.game.unit.en,
            "lines": [line_to_json(position, line) for line in in_notation(analysis, position, request.notation).lines]}


def describe_end(turn: Turn) -> dict[str, Any]:
    """About a game that is over there is only its result to say."""
    outcome = turn.position.outcome()
    assert outcome is not None
    return {"position": turn.position.to_text(), "over": True, "reason": outcome.reason,
            "places": list(outcome.places), "lines": []}


def count_processors() -> int:
    """How many this program may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
