"""UCI and UCCI."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from boyi.agents.agent import AgentError
from boyi.agents.external.channel import STARTING_SECONDS, Channel
from boyi.agents.external.task import DEFAULT_SECONDS, MOST_OPTIONS, Task
from boyi.core.dialect import Dialect
from boyi.core.errors import OptionError, UnknownNameError, shorten

MOST_LINES, MOST_MOVES = 500, 100
"""Lines that an engine may compare, and moves that are kept of each."""


@dataclass(frozen=True)
class Score:
    """What an engine says a position is worth to it."""

    value: int
    is_mate: bool = False
    """Is the value not in hundredths of a pawn but in moves to the end?"""


@dataclass(frozen=True)
class Variation:
    """A line of which an engine told: what it expects and what that is worth to it."""

    depth: int
    nodes: int
    score: Score
    moves: tuple[str, ...]
    """In our own writing."""


class UciEngine:
    """The Universal Chess Interface, as Fairy-Stockfish, Sjaak II and Pikafish speak it.

    An engine for many games has the option `UCI_Variant` and counts ranks from 1; one
    for xiangqi alone counts from 0.
    """

    hello, hello_answer = "uci", "uciok"

    def __init__(self, channel: Channel, dialect: Dialect, options: Mapping[str, str]) -> None:
        self._channel = channel
        self._dialect = dialect
        self._last: Task | None = None
        self._variations: dict[int, Variation] = {}
        """What it said last about its best lines, by their numbers from 1."""

        self.score: Score | None = None
        """What it said last about its last move."""

        self._options: dict[str, str] = {}
        """What it offers to be set, and how."""

        self._set_options: dict[str, str] = {}
        channel.send(self.hello)
        self._line_of([self.hello_answer], STARTING_SECONDS, "introducing itself", self._notice_option)
        chosen = dict(options)
        if "UCI_Variant" in self._options:
            chosen.setdefault("UCI_Variant", dialect.variant)
            if dialect.first_rank is not None:
                self._dialect = replace(dialect, first_rank=self.many_games_first_rank)
        for name, value in chosen.items():
            self._set_option(name, value)
        self._wait_until_ready()

    many_games_first_rank = 1

    def _notice_option(self, line: str) -> None:
        found = self._read_option(line)
        if found and len(self._options) < MOST_OPTIONS:
            self._options[found[0]] = found[1]

    def _read_option(self, line: str) -> tuple[str, str] | None:
        """The name of an option that a line offers, and the rest of the line."""
        found = re.match(r"option name (.+?) type (.*)", line)
        return (found[1], found[2]) if found else None

    def _option_command(self, name: str, value: str) -> str:
        return f"setoption name {name} value {value}"

    def _set_option(self, name: str, value: str) -> None:
        if name not in self._options:
            raise OptionError(str(UnknownNameError.among(f"option of {self._channel.name}", name, self._options)))
        choices = re.findall(r"var (\S+)", self._options[name])
        if choices and value not in choices:
            raise OptionError(f"{self._channel.name} does not take {name}={shorten(value)}; "
                              f"it takes {shorten(', '.join(choices), 600)[1:-1]}")
        self._channel.send(self._option_command(name, value))
        self._set_options[name] = value

    def _wait_until_ready(self) -> None:
        self._channel.send("isready")
        self._line_of(["readyok"], STARTING_SECONDS, "isready")

    def _line_of(self, words: Collection[str], seconds: float, doing: str,
                 notice: Callable[[str], None] = lambda line: None) -> str:
        """The next line that begins with one of these words; `notice` hears of those before it."""
        deadline = time.monotonic() + seconds
        while True:
            line = self._channel.receive(deadline, doing)
            if "".join(line.split(maxsplit=1)[:1]) in words:
                return line
            notice(line)

    def think(self, task: Task, grace: float) -> str:
        if not _continues(task, self._last):
            self._new_game()
        self._last = task
        self._channel.send(self._position_command(task))
        self._channel.send(self._go_command(task))
        self.score, self._variations = None, {}
        answer = self._answer(task.seconds(grace))
        if answer in ("", "(none)", "0000", "resign"):
            raise AgentError(f"{self._channel.name} has no move and gives up", "resignation")
        return self._dialect.read_move(answer)

    def analyse(self, task: Task, lines: int, grace: float) -> list[Variation]:
        """The best lines, as many as the engine can compare: what it told last of each."""
        before = self._set_options.get("MultiPV", "1")
        if "MultiPV" in self._options:
            self._set_option("MultiPV", str(lines))
        best = self.think(task, grace)
        if "MultiPV" in self._options:
            self._set_option("MultiPV", before)
        if not self._variations and self.score is not None:     # it values its move and tells no more
            return [Variation(0, 0, self.score, (best,))]
        return [self._variations[number] for number in sorted(self._variations)][:lines]

    def _new_game(self) -> None:
        self._channel.send("ucinewgame")
        self._wait_until_ready()

    def _position_command(self, task: Task) -> str:
        start = "startpos" if task.start is None else f"fen {self._dialect.write_position(task.start)}"
        moves = " ".join(map(self._dialect.write_move, task.moves))
        return f"position {start} moves {moves}" if moves else f"position {start}"

    def _go_command(self, task: Task) -> str:
        words, limits, clock = ["go"], task.limits, task.clock
        if clock.seconds is not None:
            first, second = (round(1000 * seconds) for seconds in clock.seats)
            gain = round(1000 * clock.increment_seconds)
            words.append(f"wtime {first} btime {second} winc {gain} binc {gain}")
        elif limits.seconds is not None:
            words.append(f"movetime {max(1, round(1000 * limits.seconds))}")
        words += [f"{name} {value}" for name, value in (("nodes", limits.nodes), ("depth", limits.depth))
                  if value is not None]
        return " ".join(words)

    def _notice(self, line: str) -> None:
        """Keep what a line says about the best moves."""
        found = re.match(r"info (?!string\b).*?\bscore (?:(cp|mate) )?(-?[0-9]{1,9})\b", line)
        if found is None:
            return
        facts, _, moves = line.partition(" pv ")
        number, score = _number_after("multipv", facts, 1), Score(int(found[2]), found[1] == "mate")
        if number == 1:
            self.score = score
        if moves.split() and number <= MOST_LINES and not re.search(r"\b(lower|upper)bound\b", facts):
            self._variations[number] = Variation(
                _number_after("depth", facts), _number_after("nodes", facts), score,
                tuple(map(self._dialect.read_move, moves.split()[:MOST_MOVES])))

    def _answer(self, seconds: float) -> str:
        return [*self._line_of(["bestmove"], seconds, "thinking", self._notice).split(), ""][1]


class UcciEngine(UciEngine):
    """The Universal Chinese Chess Interface: UCI's older cousin for xiangqi, with ranks from 0."""

    hello, hello_answer = "ucci", "ucciok"
    many_games_first_rank = 0

    def _read_option(self, line: str) -> tuple[str, str] | None:
        found = re.match(r"option (\S+) type (.*)", line)
        return (found[1], found[2]) if found else None

    def _option_command(self, name: str, value: str) -> str:
        return f"setoption {name} {value}"

    def _new_game(self) -> None:
        if "newgame" in self._options:
            self._channel.send("setoption newgame")
        if "usemillisec" in self._options:
            self._channel.send("setoption usemillisec true")
        self._wait_until_ready()

    def _go_command(self, task: Task) -> str:
        # UCCI allows one limit; one move to go is how it gives a time for this move.
        limits, clock = task.limits, task.clock
        if limits.nodes is not None:
            return f"go nodes {limits.nodes}"
        if limits.depth is not None:
            return f"go depth {limits.depth}"
        unit = 1000 if "usemillisec" in self._options else 1
        if clock.seconds is not None:
            gain, others = math.floor(unit * clock.increment_seconds), clock.seats[1 - task.seat]
            return (f"go time {max(1, math.floor(unit * clock.seconds))} increment {gain} "
                    f"opptime {math.floor(unit * others)} oppincrement {gain}")
        seconds = limits.seconds or DEFAULT_SECONDS
        time_left = max(1, round(1000 * seconds)) if unit > 1 else math.ceil(seconds)
        return f"go time {time_left} movestogo 1"

    def _answer(self, seconds: float) -> str:
        words = self._line_of(["bestmove", "nobestmove"], seconds, "thinking", self._notice).split()
        return "" if words[0] == "nobestmove" else [*words, ""][1]


def _number_after(word: str, facts: str, default: int = 0) -> int:
    """The number that follows a word of an `info`."""
    found = re.search(rf"\b{word} ([0-9]{{1,15}})\b", facts)
    return int(found[1]) if found else default


def _continues(task: Task, last: Task | None) -> bool:
    """Is this the game of the last question, some moves later?"""
    return (last is not None and task.start == last.start and len(task.moves) > len(last.moves)
            and task.moves[:len(last.moves)] == last.moves)
