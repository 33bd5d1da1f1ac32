"""The Go Text Protocol."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping

from boyi.agents.agent import AgentError, Clock
from boyi.agents.external.channel import STARTING_SECONDS, Channel
from boyi.agents.external.task import Task
from boyi.core.dialect import Dialect
from boyi.core.errors import OptionError, shorten

MOST_LINES = 1000
"""No answer is longer."""


class GtpEngine:
    """The Go Text Protocol, which engines for other games speak too. The engine keeps the game."""

    def __init__(self, channel: Channel, dialect: Dialect, options: Mapping[str, str]) -> None:
        self._channel = channel
        self._dialect = dialect
        self._known: list[str] | None = None
        self._timed = False
        """Has the engine been told how this game is timed?"""

        if options:
            raise OptionError(f"GTP has no options; give {channel.name} its settings on its command line")
        self._commands = self._ask("list_commands", STARTING_SECONDS).split()
        if "set_game" in self._commands:
            self._ask(f"set_game {dialect.variant}", STARTING_SECONDS)

    def _ask(self, command: str, seconds: float) -> str:
        """The answer to a command: all lines up to an empty one."""
        self._channel.send(command)
        deadline, lines = time.monotonic() + seconds, list[str]()
        while not lines or lines[-1].strip():
            line = self._channel.receive(deadline, command)
            if lines or line.startswith(("=", "?")):   # before it, only chatter
                lines.append(line)
            if len(lines) > MOST_LINES:
                raise AgentError(f"{self._channel.name} does not come to the end of its answer to {shorten(command)}",
                                 "refusal")
        text = " ".join(lines)
        if text.startswith("?"):
            raise AgentError(f"{self._channel.name} refuses {shorten(command)}: {shorten(text[1:].strip(), 200)}",
                             "refusal")
        return re.sub(r"^=\d*", "", text).strip()

    def think(self, task: Task, patience: float) -> str:
        if task.start is not None:
            raise AgentError(f"{self._channel.name} can only begin at the start of the game", "refusal")
        if self._known is None or list(task.moves[:len(self._known)]) != self._known:
            self._ask(f"boardsize {self._dialect.board_size}", STARTING_SECONDS)
            self._ask("clear_board", STARTING_SECONDS)
            self._timed = False
            self._known = []
        for move, seat in list(zip(task.moves, task.seats, strict=True))[len(self._known):]:
            try:
                self._ask(f"play {self._dialect.colours[seat]} {self._dialect.write_move(move)}", STARTING_SECONDS)
            except AgentError as error:
                # Some (GRhino) take forced passes for granted and do not want to hear of them.
                if error.fault != "refusal" or move != "pass":
                    raise
            self._known.append(move)
        if task.clock.seconds is not None:
            self._show_clocks(task.clock)
        elif task.limits.seconds is not None and "time_settings" in self._commands:
            self._ask(f"time_settings 0 {max(1, math.ceil(task.limits.seconds))} 1", STARTING_SECONDS)
        move = self._ask(f"genmove {self._dialect.colours[task.seat]}", task.seconds(patience)).lower()
        if move == "resign":
            raise AgentError(f"{self._channel.name} resigns", "resignation")
        self._known.append(self._dialect.read_move(move))
        return self._known[-1]

    def _show_clocks(self, clock: Clock) -> None:
        """What both have left, in whole seconds; GTP knows no increments, and what a move earned comes as news."""
        assert clock.seconds is not None
        if "time_settings" in self._commands and (not self._timed or "time_left" not in self._commands):
            self._ask(f"time_settings {math.floor(clock.seconds)} 0 0", STARTING_SECONDS)
            self._timed = True
        if "time_left" in self._commands:
            for colour, seconds in zip(self._dialect.colours, clock.seats, strict=True):
                self._ask(f"time_left {colour} {math.floor(seconds)} 0", STARTING_SECONDS)
