"""XBoard's protocol."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping, Sequence

from boyi.agents.agent import AgentError, Clock
from boyi.agents.external.channel import STARTING_SECONDS, Channel
from boyi.agents.external.task import MOST_OPTIONS, Task
from boyi.core.dialect import Dialect
from boyi.core.errors import OptionError, UnknownNameError, shorten

SILENT_SECONDS = 2.0
"""An XBoard engine that has not said by then that there is more to come has said everything."""


class XboardEngine:
    """The Chess Engine Communication Protocol of XBoard, version 2.

    The engine keeps the game; it is told only what is new. Times are whole seconds.
    Some announce a draw by repetition that our rules judge otherwise, and refuse to
    go on; such an engine is led to the same position without the detours, and asked again.
    """

    def __init__(self, channel: Channel, dialect: Dialect, options: Mapping[str, str]) -> None:
        self._channel = channel
        self._dialect = dialect
        self._start: str | None = None
        self._known: list[str] | None = None
        """The moves that the engine has on its board; None before its first game."""

        self._timed = False
        """Has the engine been told how this game is timed?"""

        self._features: dict[str, str] = {}
        self._options: list[str] = []
        channel.send("xboard")
        channel.send("protover 2")
        self._read_features()
        variants = self._features.get("variants", "").split(",")
        if variants != [""] and dialect.variant not in variants:
            raise OptionError(f"{channel.name} does not play {dialect.variant}; "
                              f"it plays {shorten(', '.join(variants), 300)[1:-1]}")
        for name, value in options.items():
            if name not in self._options:
                raise OptionError(str(UnknownNameError.among(f"option of {channel.name}", name, self._options)))
            channel.send(f"option {name}={value}")

    def _read_features(self) -> None:
        patience, deadline = SILENT_SECONDS, time.monotonic() + STARTING_SECONDS
        while self._features.get("done") != "1":
            line = self._channel.poll(min(patience, deadline - time.monotonic()))
            if line is None:
                return
            if line.startswith("feature "):
                for name, quoted, bare in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', line):
                    if name == "option" and len(self._options) < MOST_OPTIONS:
                        self._options.append(re.split(r" -\w+(?: |$)", quoted)[0])
                    self._features[name] = quoted or bare
                if self._features.get("done") == "0":
                    patience = STARTING_SECONDS

    def think(self, task: Task, patience: float) -> str:
        if self._known is None or task.start != self._start or list(task.moves[:len(self._known)]) != self._known:
            self._begin(task.start)
            self._known = []
        self._show(task.moves[len(self._known):])
        answer = self._go(task, patience)
        if answer is None:
            self._settle()
            self._begin(task.start)
            self._show(task.direct)
            answer = self._go(task, patience)
        if answer is None:
            raise AgentError(f"{self._channel.name} says that the game is over, and it goes on", "refusal")
        move = self._dialect.read_move(answer)
        self._known = [*task.moves, move]
        return move

    def _show(self, moves: Sequence[str]) -> None:
        """Have these moves made on the engine's board."""
        self._channel.send("force")
        prefix = "usermove " if self._features.get("usermove") == "1" else ""
        for move in moves:
            self._channel.send(prefix + self._dialect.write_move(move))

    def _settle(self) -> None:
        """Pass over whatever the engine still has to say."""
        self._channel.send("force")
        deadline = time.monotonic() + STARTING_SECONDS
        if self._features.get("ping") != "1":
            while self._channel.poll(min(SILENT_SECONDS, deadline - time.monotonic())) is not None:
                pass
            return
        self._channel.send("ping 1")
        while self._channel.receive(deadline, "ping").split() != ["pong", "1"]:
            pass

    def _begin(self, start: str | None) -> None:
        self._channel.send("new")
        self._timed = False
        if self._features.get("variants") != self._dialect.variant:
            self._channel.send(f"variant {self._dialect.variant}")
        for command in ("easy", "nopost", "force"):
            self._channel.send(command)
        if start is not None:
            self._set_board(start)
        self._start = start

    def _set_board(self, text: str) -> None:
        if self._features.get("setboard") != "1":
            raise AgentError(f"{self._channel.name} can only begin at the start of the game: it has no setboard",
                             "refusal")
        self._channel.send(f"setboard {self._dialect.write_position(text)}")

    def _show_clocks(self, clock: Clock, seat: int) -> None:
        """Once a game how it is timed, then what both have left, in hundredths of a second."""
        assert clock.seconds is not None
        if not self._timed:
            minutes, seconds = divmod(max(1, math.floor(clock.seconds)), 60)
            self._channel.send(f"level 0 {minutes}:{seconds:02} {clock.increment_seconds:g}")
            self._timed = True
        if self._features.get("time") != "0":
            self._channel.send(f"time {math.floor(100 * clock.seconds)}")
            self._channel.send(f"otim {math.floor(100 * clock.seats[1 - seat])}")

    def _go(self, task: Task, patience: float) -> str | None:
        """Let it think: its move as it writes it, or None where it says that the game is over."""
        if task.clock.seconds is not None:
            self._show_clocks(task.clock, task.seat)
        elif task.limits.seconds is not None:
            self._channel.send(f"st {max(1, math.ceil(task.limits.seconds))}")
        if task.limits.depth is not None:
            self._channel.send(f"sd {task.limits.depth}")
        self._channel.send("go")
        deadline = time.monotonic() + task.seconds(patience)
        while True:
            line = self._channel.receive(deadline, "thinking")
            words = line.split()
            if words[:1] == ["move"] and len(words) > 1:
                return words[1]
            if found := re.match(r"my move is:?\s+(\S+)", line, re.IGNORECASE):
                return found[1]
            if words[:1] == ["resign"]:
                raise AgentError(f"{self._channel.name} resigns", "resignation")
            if words[:1] in (["1-0"], ["0-1"], ["1/2-1/2"]):
                return None
            if re.match(r"(illegal move|error|tellusererror)\b", line, re.IGNORECASE):
                raise AgentError(f"{self._channel.name} does not accept the game so far: {shorten(line, 200)}",
                                 "refusal")
