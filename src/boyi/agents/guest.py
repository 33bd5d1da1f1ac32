"""The process in which an agent from outside plays: `python -m boyi.agents.guest`, started by `agents.python`.

A question is a line of JSON, and so is the answer. Whatever the agent does, the questioner has an answer, sees the
process end, or ends it:

    {"do": "make", "target" or "content", "options", "seed", "path"}    {"digest"}, or {"stale"} to ask a new process
    {"do": "prepare", "position"}                                        {}
    {"do": "choose", "position", "clock"}                                {"move", "expectation"}
    {"do": "close"}                                                      {}

An answer may instead have `fault`, `message` and `traceback`, or `refused` for what can be no agent at all. Positions
and objects are pickled; nothing that the agent has touched is unpickled at the other end.

What the agent prints goes to standard error, and it has no standard input: both belong to the questions.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import queue
import random
import sys
import threading
from collections.abc import Mapping
from typing import Any, TextIO

from boyi.agents import factory
from boyi.agents.agent import Agent, AgentError, Clock, close_agent, expectation_of, prepare_agent, read_answer
from boyi.core.errors import OptionError
from boyi.core.position import Position


class Host:
    """Has one agent at a time."""

    def __init__(self) -> None:
        self._agent: Agent | None = None
        self._digest: str | None = None

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """What a question is answered with, whatever happens."""
        try:
            return self._do(question)
        except AgentError as error:
            return {"fault": error.fault, "message": str(error), "traceback": error.traceback}
        except BaseException as error:   # noqa: BLE001  the agent may raise anything, also what ends a program
            raised = AgentError.raised(error)
            return {"fault": raised.fault, "message": str(raised), "traceback": raised.traceback}

    def _do(self, question: Mapping[str, Any]) -> dict[str, Any]:
        if question["do"] == "make":
            return self._make(question)
        agent = self._agent
        if question["do"] == "close":
            self._agent = None
            if agent is not None:
                close_agent(agent)
            return {}
        assert agent is not None
        position: Position = pickle.loads(base64.b64decode(question["position"]))
        if question["do"] == "prepare":
            prepare_agent(agent, position)
            return {}
        move = read_answer(agent.choose(position, Clock(**question["clock"])))
        return {"move": move, "expectation": expectation_of(agent)}

    def _make(self, question: Mapping[str, Any]) -> dict[str, Any]:
        sys.path += [folder for folder in question["path"] if folder not in sys.path]
        if question["seed"] is not None:
            random.seed(question["seed"])   # so that a match is repeatable also with an agent that takes no seed
        try:
            entry = factory.find(question["target"]) if question["target"] else _unpack(question["content"])
            self._agent = factory.make(entry, question["name"], question["options"], question["seed"])
        except OptionError as error:
            return {"refused": str(error)}
        digest = factory.digest(entry)
        if self._digest not in (None, digest):
            return {"stale": True}   # the file was edited since it was imported
        self._digest = digest
        return {"digest": digest}


def _unpack(content: str) -> Any:
    try:
        return pickle.loads(base64.b64decode(content))
    except Exception as error:
        raise OptionError(f"it cannot be unpickled in another process: {AgentError.raised(error)}") from error


def main() -> None:
    """Answer questions until there is nobody to ask."""
    questions, answers = _take_streams()
    waiting = queue.SimpleQueue[dict[str, Any]]()

    def read() -> None:
        for line in questions:
            if line.strip() == "quit":
                break
            waiting.put(json.loads(line))
        os._exit(0)   # also while the agent thinks: nobody waits for its move

    threading.Thread(target=read, name="questions", daemon=True).start()
    host = Host()
    while True:
        answer = json.dumps(host.answer(waiting.get()))
        try:
            answers.write(answer + "\n")
            answers.flush()
        except OSError:
            os._exit(0)


def _take_streams() -> tuple[TextIO, TextIO]:
    """The streams of this process for ourselves; the agent is left with no input and with standard error."""
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return questions, answers


if __name__ == "__main__":
    main()
