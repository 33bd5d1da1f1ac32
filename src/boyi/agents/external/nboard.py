"""NBoard's protocol."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping

from boyi.agents.agent import AgentError
from boyi.agents.external.channel import STARTING_SECONDS, Channel
from boyi.agents.external.task import Task
from boyi.core.dialect import Dialect
from boyi.core.errors import OptionError, UnknownNameError, shorten

OPTIONS = ("contempt",)
"""What can be set besides the depth; engines offer nothing themselves."""


class NboardEngine:
    """NBoard's protocol, version 2, as Edax and NTest speak it. It limits depth and nothing else.

    The engine is shown the whole game at every turn. A ping follows: what is said before its pong belongs to
    something else, and is passed over.
    """

    def __init__(self, channel: Channel, dialect: Dialect, options: Mapping[str, str]) -> None:
        self._channel = channel
        self._dialect = dialect
        self._pings = 0
        self._depth: int | None = None
        for name in options:
            if name not in OPTIONS:
                raise OptionError(str(UnknownNameError.among(f"option of {channel.name}", name, OPTIONS)))
        channel.send("nboard 2")
        for name, value in options.items():
            channel.send(f"set {name} {value}")

    def think(self, task: Task, patience: float) -> str:
        if task.limits.depth is not None and task.limits.depth != self._depth:
            self._depth = task.limits.depth
            self._channel.send(f"set depth {self._depth}")
        self._channel.send(f"set game {write_game(task, self._dialect)}")
        self._pings += 1
        self._channel.send(f"ping {self._pings}")
        self._wait("pong", str(self._pings), STARTING_SECONDS, "ping")
        self._channel.send("go")
        answer = self._wait("===", None, task.seconds(patience), "thinking")
        # A move, its value and the time it took; the last two are optional, and some write blanks for the strokes.
        move = (re.split(r"[/\s]+", answer) or [""])[0].lower()
        return "pass" if move in ("pa", "ps", "pass") else self._dialect.read_move(move)

    def _wait(self, word: str, rest: str | None, seconds: float, doing: str) -> str:
        """What follows a word (and must be `rest`, if given) at the beginning of a line."""
        deadline = time.monotonic() + seconds
        while True:
            line = self._channel.receive(deadline, doing).strip()
            if line.startswith("status error"):
                raise AgentError(f"{self._channel.name} does not accept the game so far: {shorten(line, 200)}",
                                 "refusal")
            head, tail = line[:len(word)], line[len(word):].strip()
            if head == word and rest in (None, tail):
                return tail


def write_game(task: Task, dialect: Dialect) -> str:
    """The game so far in GGF, which begins with its board."""
    board, _, side = dialect.write_letters(task.begin).partition(" ")
    size = dialect.board_size
    moves = "".join(f"{'BW'[seat]}[{'PA' if move == 'pass' else move.upper()}]"
                    for move, seat in zip(task.moves, task.seats, strict=True))
    return (f"(;GM[{dialect.variant}]PC[Boyi]PB[Black]PW[White]RE[?]TY[{size}]BO[{size} {board} {side}]{moves};)")
