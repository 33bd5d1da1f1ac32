"""Plays for the revision whose Python runs this file: lines of JSON in, a line of JSON out for each.

    {"do": "hello"}                         {"ok": {"version": "0.1.0"}}
    {"do": "new", "agent": 1, "game": "othello", "options": {}, "spec": "alphabeta", "limits": {"seconds": 0.1},
     "seed": 7, "start": TEXT, "seat": 0}   {"ok": {"spec": "alphabeta:seconds=0.1", "seeded": false}}
    {"do": "move", "agent": 1, "moves": ["f5", "d6"], "text": TEXT, "legal": 12, "clock": {"seconds": 3.0}}
                                            {"ok": {"move": "c3", "expectation": 0.4, "replayed": true}}
    {"do": "close", "agent": 1}             {"ok": {}}
    quit                                    the end

What goes wrong is `{"error": "words"}`. One process plays for several seats of a game; `agent` tells them apart.

It runs with a Boyi that does not know of it, so it uses only what version 0.1.0 had: games by name, positions by text,
agents by spec string. `moves` are those that the seat was told of, with results of chance, from `start` on, one text
for each. If this revision's rules do not allow them, or see the game ended where the referee's rules go on, `text` is
played from without its history. The file imports nothing of the repository: it is run by its path.
"""

from __future__ import annotations

import json
import sys
import traceback
from dataclasses import fields
from importlib.metadata import version
from typing import Any

import boyi
from boyi.agents.agent import Clock, close_agent, expectation_of, prepare_agent
from boyi.agents.searching import find_default
from boyi.agents.spec import read_spec
from boyi.core.errors import BoyiError

DEFAULT = "default"
"""As a spec: the search that this revision takes for a position if none is named."""

LIMITS = {"seconds", "nodes", "depth", "simulations"}


def read_agent(text: str, position: Any, limits: dict[str, Any]) -> Any:
    """The spec of an agent; limits are for one that names none."""
    name, colon, rest = text.partition(":")
    if name == DEFAULT:
        text = find_default(position).name + colon + rest
    try:
        spec = read_spec(text, trusted=True)
    except TypeError:   # 0.1.0 trusts every text
        spec = read_spec(text)
    if not LIMITS & set(spec.values):
        spec = spec.fill(**limits)
    spec.check(position)
    return spec


def read_clock(facts: dict[str, Any]) -> Clock:
    """What the player may spend, as far as this revision's clocks tell it."""
    known = {part.name for part in fields(Clock)}
    return Clock(**{name: value for name, value in facts.items() if name in known})


class Seat:
    """An agent and the game as it was told of it."""

    def __init__(self, question: dict[str, Any]) -> None:
        self.game, self.options = boyi.find_game(question["game"]), question["options"]
        self.start, self.seat = question["start"], question["seat"]
        self.told: list[str] = []
        self.position = self.begin()
        spec = read_agent(question["spec"], self.position, question["limits"])
        seeded = spec.fill(seed=question["seed"])
        self.facts = {"spec": str(spec), "seeded": seeded.values != spec.values}
        self.agent = seeded.make()
        prepare_agent(self.agent, self.position.copy())

    def begin(self) -> Any:
        """Where the game began, as this seat sees it."""
        return self.game.parse(self.start, **self.options).observe(self.seat)

    def catch_up(self, moves: list[str], text: str, legal: int) -> tuple[Any, bool]:
        """The position after these moves, and True; where they cannot be played here, the one of `text`, and False."""
        if self.position is None or self.told != moves[:len(self.told)]:
            self.position, self.told = self.begin(), []
        try:
            for move in moves[len(self.told):]:
                self.position.play(move)
                self.told.append(move)
            if self.position.turn == self.seat and len(self.position.moves()) == legal:
                return self.position.copy(), True
        except BoyiError:
            pass
        self.position = None
        return self.game.parse(text, **self.options), False

    def choose(self, question: dict[str, Any]) -> dict[str, Any]:
        position, replayed = self.catch_up(question["moves"], question["text"], question["legal"])
        if position.turn != self.seat:
            raise BoyiError(f"by this revision's rules it is not the turn of seat {self.seat} in {question['text']}")
        move = self.agent.choose(position.copy(), read_clock(question["clock"]))
        return {"move": position.format_move(move), "expectation": expectation_of(self.agent), "replayed": replayed}


def answer(question: dict[str, Any], seats: dict[int, Seat]) -> dict[str, Any]:
    todo = question["do"]
    if todo == "hello":
        return {"version": version("boyi")}
    if todo == "new":
        seats[question["agent"]] = Seat(question)
        return seats[question["agent"]].facts
    if todo == "move":
        return seats[question["agent"]].choose(question)
    if todo == "close":
        closed = seats.pop(question["agent"], None)
        if closed is not None:
            close_agent(closed.agent)
        return {}
    raise BoyiError(f"there is nothing called {todo!r} to do")


def main() -> None:
    said, sys.stdout = sys.stdout, sys.stderr   # what an agent prints is no answer
    seats: dict[int, Seat] = {}
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        try:
            reply: dict[str, Any] = {"ok": answer(json.loads(line), seats)}
        except BoyiError as error:
            reply = {"error": str(error)}
        except Exception as error:   # noqa: BLE001  the other side is told, and decides
            reply = {"error": f"{type(error).__name__}: {error}", "traceback": traceback.format_exc()}
        said.write(json.dumps(reply) + "\n")
        said.flush()


if __name__ == "__main__":
    main()
