"""Outside engines as agents: programs that speak UCI, UCCI, XBoard or GTP.

    uci:fairy-stockfish?UCI_Variant=xiangqi,seconds=0.2
    ucci:eleeye,depth=8
    xboard:hoixiangqi -x,seconds=1
    gtp:gtp-rhino -l 3

After the colon stands the command, as one would type it (programs in /usr/games are
found); after `?` the engine's own options, `&` between them; after a comma what all
thinking agents take: seconds, nodes, depth, and `patience`, the seconds beyond its
time after which a silent engine has lost.

An engine is a process and may do anything: not start, end, say nothing, answer what
the rules forbid. Each of these is an `AgentError` that names the program and says
what happened; the process is ended, and the next question starts a fresh one.

    Channel        a process that talks in lines
    UciEngine, UcciEngine, XboardEngine, GtpEngine    the protocols
    ExternalAgent  an engine in a seat
"""

from __future__ import annotations

import contextlib
import math
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Protocol

from boyi.agents.agent import AgentError, Clock
from boyi.agents.searching import plan
from boyi.agents.spec import DEPTH, NODES, SECONDS, AgentKind, Parameter, Value, positive_number
from boyi.core.errors import BoyiError, OptionError, UnknownNameError, shorten
from boyi.core.position import Position
from boyi.core.searcher import Limits
from boyi.core.words import Words

STARTING_SECONDS = 20.0
"""So long a program may take to introduce itself, and to answer what needs no thought."""

SILENT_SECONDS = 2.0
"""An XBoard engine that has not said by then that there is more to come has said everything."""

UNLIMITED_SECONDS = 300.0
"""So long an engine may think that was limited in nodes or depth, or not at all."""

PATIENCE_SECONDS = 5.0
DEFAULT_SECONDS = 1.0
LAST_WORDS = 3
"""So many lines of its error output are repeated when a program has ended."""

QUIT_SECONDS = 0.5
"""So long a program may take to leave when told to; then it is made to."""

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")


# ---------------------------------------------------------------------- a process

class Channel:
    """A process that talks in lines. Reading never blocks for longer than asked."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                encoding="utf-8", errors="replace", bufsize=1, start_new_session=os.name == "posix")
        except OSError as error:
            raise AgentError(f"{name} does not start: {error.strerror or error}", "crash") from error
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._complaints: deque[str] = deque(maxlen=LAST_WORDS)
        self._readers = [threading.Thread(target=_pump, args=arguments, daemon=True) for arguments in (
            (self._process.stdout, self._lines.put), (self._process.stderr, self._complain))]
        for reader in self._readers:
            reader.start()
        # An agent that somebody forgot must not leave its process behind.
        self._finalizer = weakref.finalize(self, _end, self._process)

    def _complain(self, line: str | None) -> None:
        if line:
            self._complaints.append(line)

    def send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self.ended() from None

    def receive(self, deadline: float, doing: str) -> str:
        """The next line; an `AgentError` at the deadline or when the process has ended."""
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            self.close()
            raise AgentError(f"{self.name} did not answer in time ({doing})", "timeout") from None
        if line is None:
            raise self.ended()
        return line

    def poll(self, seconds: float) -> str | None:
        """The next line, or None if none comes within so many seconds."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is None:
            raise self.ended()
        return line

    def ended(self) -> AgentError:
        """What to say of a process that is no more."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1.0)
        self._readers[1].join(timeout=0.5)
        code = self._process.returncode
        how = ("closed its output" if code is None else f"ended with exit code {code}" if code >= 0 else
               f"was ended by signal {-code}")
        last = f": {shorten(' / '.join(self._complaints), 200)}" if self._complaints else ""
        self.close()
        return AgentError(f"{self.name} {how}{last}", "crash")

    def close(self) -> None:
        """End the process, kindly if it listens."""
        if self._finalizer.detach() is not None:
            _end(self._process)


def _pump(stream: IO[str], put: Callable[[str | None], None]) -> None:
    """Read to the end, which a thread must do lest the program wait for us."""
    with contextlib.suppress(ValueError, OSError), stream:
        for line in stream:
            put(line.rstrip("\r\n"))
    put(None)


def _end(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError, ValueError):
        process.stdin.write("quit\n")
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(timeout=QUIT_SECONDS)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)   # with whatever it started
            else:
                process.kill()
        process.wait()


# ---------------------------------------------------------------------- what engines call things

@dataclass(frozen=True)
class Dialect:
    """How engines of a protocol write one of our games."""

    variant: str
    """What they call it."""

    colours: tuple[str, ...] = ()
    """What they call the players, where they have to be named."""

    letters: Mapping[str, str] = field(default_factory=dict)
    """Letters of pieces that a position text has to have exchanged."""

    first_rank: int | None = None
    """The number they give the lowest rank, in games where ours is 0; None to leave points as they are."""

    def write(self, move: str) -> str:
        return move if self.first_rank is None else _shift(move, self.first_rank)

    def read(self, move: str) -> str:
        return move.lower() if self.first_rank is None else _shift(move.lower(), -self.first_rank)

    def text(self, text: str) -> str:
        board, _, rest = text.partition(" ")
        return f"{''.join(self.letters.get(letter, letter) for letter in board)} {rest}".rstrip()


def _shift(move: str, ranks: int) -> str:
    """Count ranks from another number: `h2e2` by 1 is `h3e3`."""
    return re.sub(r"\d+", lambda found: str(int(found[0]) + ranks), move, count=2)


@dataclass(frozen=True)
class Task:
    """A question to an engine: a game so far, and how long to think."""

    start: str | None
    """The position text the game began with; None for the start of the game."""

    moves: tuple[str, ...]
    """Every move since, in our own writing."""

    seats: tuple[int, ...]
    """Who made each of them."""

    direct: tuple[str, ...]
    """The moves without those that led back to where the game had been: the same position, nothing repeated."""

    seat: int
    """Who is to move now."""

    limits: Limits

    def seconds(self, patience: float) -> float:
        """How long to wait for the answer."""
        return patience + (UNLIMITED_SECONDS if self.limits.seconds is None else self.limits.seconds)


class Engine(Protocol):
    """A protocol, spoken over a channel. The constructor introduces itself and sets the options."""

    def __init__(self, channel: Channel, dialect: Dialect, options: Mapping[str, str]) -> None: ...

    def think(self, task: Task, patience: float) -> str:
        """The engine's move, in our own writing."""
        ...


# ---------------------------------------------------------------------- UCI and UCCI

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
        self._options: dict[str, str] = {}
        channel.send(self.hello)
        for line in self._lines_until(self.hello_answer, STARTING_SECONDS, "introducing itself"):
            if found := self._read_option(line):
                self._options[found[0]] = found[1]
        chosen = dict(options)
        variants = self._options.get("UCI_Variant")
        if variants is not None:
            self._dialect = Dialect(dialect.variant, dialect.colours, dialect.letters, self.many_games_first_rank)
            chosen.setdefault("UCI_Variant", dialect.variant)
        for name, value in chosen.items():
            self._set_option(name, value)
        self._wait_until_ready()

    many_games_first_rank = 1

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

    def _wait_until_ready(self) -> None:
        self._channel.send("isready")
        self._lines_until("readyok", STARTING_SECONDS, "isready")

    def _lines_until(self, word: str, seconds: float, doing: str) -> list[str]:
        """Everything up to the line that begins with a word."""
        deadline, lines = time.monotonic() + seconds, [""]
        while lines[-1].split(maxsplit=1)[:1] != [word]:
            lines.append(self._channel.receive(deadline, doing))
        return lines

    def think(self, task: Task, patience: float) -> str:
        if not _continues(task, self._last):
            self._new_game()
        self._last = task
        self._channel.send(self._position_command(task))
        self._channel.send(self._go_command(task.limits))
        answer = self._answer(task.seconds(patience))
        if answer in ("", "(none)", "0000", "resign"):
            raise AgentError(f"{self._channel.name} has no move and gives up", "resignation")
        return self._dialect.read(answer)

    def _new_game(self) -> None:
        self._channel.send("ucinewgame")
        self._wait_until_ready()

    def _position_command(self, task: Task) -> str:
        start = "startpos" if task.start is None else f"fen {self._dialect.text(task.start)}"
        moves = " ".join(map(self._dialect.write, task.moves))
        return f"position {start} moves {moves}" if moves else f"position {start}"

    def _go_command(self, limits: Limits) -> str:
        words = ["go"]
        if limits.seconds is not None:
            words.append(f"movetime {max(1, round(1000 * limits.seconds))}")
        words += [f"{name} {value}" for name, value in (("nodes", limits.nodes), ("depth", limits.depth))
                  if value is not None]
        return " ".join(words)

    def _answer(self, seconds: float) -> str:
        line = self._lines_until("bestmove", seconds, "thinking")[-1]
        return [*line.split(), ""][1]


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

    def _go_command(self, limits: Limits) -> str:
        # UCCI allows one limit; one move to go is how it says "so long for this move".
        if limits.nodes is not None:
            return f"go nodes {limits.nodes}"
        if limits.depth is not None:
            return f"go depth {limits.depth}"
        seconds = limits.seconds or DEFAULT_SECONDS
        time_left = max(1, round(1000 * seconds)) if "usemillisec" in self._options else math.ceil(seconds)
        return f"go time {time_left} movestogo 1"

    def _answer(self, seconds: float) -> str:
        deadline = time.monotonic() + seconds
        while True:
            words = self._channel.receive(deadline, "thinking").split()
            if words[:1] == ["nobestmove"]:
                return ""
            if words[:1] == ["bestmove"]:
                return [*words, ""][1]


def _continues(task: Task, last: Task | None) -> bool:
    """Is this the game of the last question, some moves later?"""
    return (last is not None and task.start == last.start and len(task.moves) > len(last.moves)
            and task.moves[:len(last.moves)] == last.moves)


# ---------------------------------------------------------------------- XBoard

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
        patience = SILENT_SECONDS
        while self._features.get("done") != "1":
            line = self._channel.poll(patience)
            if line is None:
                return
            if line.startswith("feature "):
                for name, quoted, bare in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', line):
                    if name == "option":
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
        move = self._dialect.read(answer)
        self._known = [*task.moves, move]
        return move

    def _show(self, moves: Sequence[str]) -> None:
        """Have these moves made on the engine's board."""
        self._channel.send("force")
        prefix = "usermove " if self._features.get("usermove") == "1" else ""
        for move in moves:
            self._channel.send(prefix + self._dialect.write(move))

    def _settle(self) -> None:
        """Pass over whatever the engine still has to say."""
        self._channel.send("force")
        if self._features.get("ping") != "1":
            while self._channel.poll(SILENT_SECONDS) is not None:
                pass
            return
        self._channel.send("ping 1")
        deadline = time.monotonic() + STARTING_SECONDS
        while self._channel.receive(deadline, "ping").split() != ["pong", "1"]:
            pass

    def _begin(self, start: str | None) -> None:
        self._channel.send("new")
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
        self._channel.send(f"setboard {self._dialect.text(text)}")

    def _go(self, task: Task, patience: float) -> str | None:
        """Let it think: its move as it writes it, or None where it says that the game is over."""
        if task.limits.seconds is not None:
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


# ---------------------------------------------------------------------- GTP

class GtpEngine:
    """The Go Text Protocol, which Othello engines speak too. The engine keeps the game."""

    def __init__(self, channel: Channel, dialect: Dialect, options: Mapping[str, str]) -> None:
        self._channel = channel
        self._dialect = dialect
        self._known: list[str] | None = None
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
        text = " ".join(lines)
        if text.startswith("?"):
            raise AgentError(f"{self._channel.name} refuses {shorten(command)}: {shorten(text[1:].strip(), 200)}",
                             "refusal")
        return re.sub(r"^=\d*", "", text).strip()

    def think(self, task: Task, patience: float) -> str:
        if task.start is not None:
            raise AgentError(f"{self._channel.name} can only begin at the start of the game", "refusal")
        if self._known is None or list(task.moves[:len(self._known)]) != self._known:
            self._ask("boardsize 8", STARTING_SECONDS)
            self._ask("clear_board", STARTING_SECONDS)
            self._known = []
        for move, seat in list(zip(task.moves, task.seats, strict=True))[len(self._known):]:
            try:
                self._ask(f"play {self._dialect.colours[seat]} {self._dialect.write(move)}", STARTING_SECONDS)
            except AgentError as error:
                # Some (GRhino) take forced passes for granted and do not want to hear of them.
                if error.fault != "refusal" or move != "pass":
                    raise
            self._known.append(move)
        if task.limits.seconds is not None and "time_settings" in self._commands:
            self._ask(f"time_settings 0 {max(1, math.ceil(task.limits.seconds))} 1", STARTING_SECONDS)
        move = self._ask(f"genmove {self._dialect.colours[task.seat]}", task.seconds(patience)).lower()
        if move == "resign":
            raise AgentError(f"{self._channel.name} resigns", "resignation")
        self._known.append(self._dialect.read(move))
        return self._known[-1]


# ---------------------------------------------------------------------- the agent

@dataclass(frozen=True)
class Tongue:
    """A protocol and the games it can talk about."""

    name: str
    title: Words
    engine: type[Engine]
    dialects: Mapping[str, Dialect]
    limits: tuple[Parameter, ...]
    example: str
    whole_seconds: bool = False
    must_be_timed: bool = True
    """Does an engine that was given no limit think for a second (else: as its own settings say)?"""


_XBOARD_LETTERS = {"n": "h", "N": "H", "b": "e", "B": "E"}

TONGUES = (
    Tongue("uci", Words("UCI engine", "UCI 引擎"), UciEngine, {"xiangqi": Dialect("xiangqi", first_rank=0)},
           (SECONDS, NODES, DEPTH), "fairy-stockfish?UCI_Variant=xiangqi"),
    Tongue("ucci", Words("UCCI engine", "UCCI 引擎"), UcciEngine, {"xiangqi": Dialect("xiangqi", first_rank=0)},
           (SECONDS, NODES, DEPTH), "eleeye"),
    Tongue("xboard", Words("XBoard engine", "XBoard 引擎"), XboardEngine,
           {"xiangqi": Dialect("xiangqi", letters=_XBOARD_LETTERS, first_rank=0)},
           (SECONDS, DEPTH), "hoixiangqi -x", whole_seconds=True),
    Tongue("gtp", Words("GTP engine", "GTP 引擎"), GtpEngine, {"othello": Dialect("Othello", ("black", "white"))},
           (SECONDS,), "gtp-rhino -l 3", whole_seconds=True, must_be_timed=False),
)


class ExternalAgent:
    """An engine in a seat. Its process starts with the first question and ends with `close`."""

    def __init__(self, tongue: Tongue, command: str, limits: Limits | None, patience: float = PATIENCE_SECONDS) -> None:
        self._tongue = tongue
        self._words, self._options = split_command(command)
        self._limits = limits
        self._patience = patience
        self._channel: Channel | None = None
        self._engine: Engine | None = None
        self._dialect: Dialect | None = None

    def choose(self, observation: Position, clock: Clock) -> int:
        dialect = find_dialect(self._tongue, observation)
        try:
            if self._engine is None or self._channel is None or self._dialect is not dialect:
                self.close()
                self._channel = Channel(self._words[0], [find_program(self._words[0]), *self._words[1:]])
                self._engine = self._tongue.engine(self._channel, dialect, self._options)
                self._dialect = dialect
            text = self._engine.think(make_task(observation, self._plan(clock)), self._patience)
        except BaseException:
            self.close()   # whatever it was, what the engine thinks next would be about something else
            raise
        try:
            return observation.parse_move(text)
        except BoyiError as error:
            self.close()
            raise AgentError(f"{self._words[0]} plays {shorten(text)}, which is no legal move: {error}",
                             "illegal_move") from error

    def _plan(self, clock: Clock) -> Limits:
        if self._limits is None and clock.seconds is None:
            # An engine with a level of its own; `depth` is a limit that no protocol here without one sends.
            return Limits(depth=1000)
        return plan(self._limits or Limits(seconds=clock.seconds), clock)

    def close(self) -> None:
        """End the process; the next question starts another."""
        if self._channel is not None:
            self._channel.close()
        self._channel = self._engine = None


def make_task(observation: Position, limits: Limits) -> Task:
    """The game so far as a question."""
    game, options, start = observation.game, observation.options, observation.start_text
    walk = game.parse(start, **options)
    moves, seats, direct, visited = [], [], list[str](), [walk.fingerprint]
    for move in observation.history():
        moves.append(walk.format_move(move))
        seats.append(walk.turn)
        walk.play(move)
        direct, visited = [*direct, moves[-1]], [*visited, walk.fingerprint]
        if (first := visited.index(walk.fingerprint)) < len(direct):
            direct, visited = direct[:first], visited[:first + 1]
    return Task(None if start == game.start(**options).to_text() else start, tuple(moves), tuple(seats),
                tuple(direct), observation.turn, limits)


def split_command(text: str) -> tuple[list[str], dict[str, str]]:
    """The words of a command and the engine's own options behind its `?`.

    >>> split_command("fairy-stockfish --quiet?UCI_Variant=xiangqi&Threads=2")
    (['fairy-stockfish', '--quiet'], {'UCI_Variant': 'xiangqi', 'Threads': '2'})
    """
    command, question, settings = text.partition("?")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise OptionError(f"{shorten(command)} is not a command: {error}") from error
    if not words:
        raise OptionError(f"{shorten(text)} names no program")
    options: dict[str, str] = {}
    for setting in settings.split("&") if question else ():
        name, equals, value = setting.partition("=")
        if not equals or not name:
            raise OptionError(f"{shorten(setting)} behind the ? of {shorten(text)} is not of the form NAME=VALUE")
        if name in options:
            raise OptionError(f"the engine option {shorten(name)} is given twice")
        options[name] = value
    return words, options


def find_program(name: str) -> str:
    """The path of a program, as a shell would find it, or among Debian's games."""
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS]))
    if found is None:
        raise OptionError(f"there is no program {shorten(name)} on the PATH or in {', '.join(GAMES_FOLDERS)}; "
                          f"install it, or write its whole path")
    return found


def find_dialect(tongue: Tongue, position: Position) -> Dialect:
    if position.game.name not in tongue.dialects:
        raise OptionError(f"{tongue.name} engines play {', '.join(tongue.dialects)} here, not {position.game.name}")
    return tongue.dialects[position.game.name]


def make_kind(tongue: Tongue) -> AgentKind:
    """The kind of agent that speaks a protocol."""
    def validate(values: Mapping[str, Value]) -> None:
        split_command(str(values["command"]))
        if tongue.whole_seconds and float(values.get("seconds", 1)) % 1:
            raise OptionError(f"{tongue.name} counts whole seconds, and {values['seconds']} is none")

    def suits(values: Mapping[str, Value], position: Position) -> None:
        find_dialect(tongue, position)
        find_program(split_command(str(values["command"]))[0][0])

    def make(values: Mapping[str, Value]) -> ExternalAgent:
        given = {name: values[name] for name in ("seconds", "nodes", "depth") if name in values}
        if not given and tongue.must_be_timed:
            given = {"seconds": DEFAULT_SECONDS}
        limits = Limits(**given) if given else None  # type: ignore[arg-type]
        return ExternalAgent(tongue, str(values["command"]), limits, float(values.get("patience", PATIENCE_SECONDS)))

    return AgentKind(
        name=tongue.name, title=tongue.title, make=make, validate=validate, suits=suits,
        help=Words(f"a program that speaks {tongue.name.upper()}", f"使用 {tongue.name.upper()} 协议的外部引擎"),
        leading=Parameter("command", Words("the program and its arguments", "程序及其参数"), _command,
                          "a command that starts a program", tongue.example),
        parameters=(*tongue.limits, Parameter(
            "patience", Words("seconds to wait beyond its time", "超时后的等待秒数"), positive_number(86_400),
            "a number of seconds above 0 and up to 86400")))


def _command(text: str) -> str:
    if not text.isprintable():
        raise ValueError("control characters")
    return text


KINDS = tuple(make_kind(tongue) for tongue in TONGUES)
