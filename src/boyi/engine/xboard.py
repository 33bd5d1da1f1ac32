"""XBoard's Chess Engine Communication Protocol, version 2.

The engine keeps the game. One thing at a time is thought about: its own move, the reply it expects while the
opponent thinks (`hard`), or, under `analyze`, the position of either side. Whatever touches the board first ends
the thinking, so that it is clear whether a move was still made; afterwards the thinking that is due begins anew.

XBoard judges games by rules of its own, and an engine whose claim it does not share has lost. So only the end that
is on the board is announced, mate and stalemate. Where our rules end a game otherwise, the engine plays on from the
same position as if the game began there.

After a position that was refused there is none: every move is illegal, and nothing is thought about, until the next
`setboard` or `new`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version

from boyi.agents.analysis import Analysis
from boyi.agents.timing import TimePlan
from boyi.core.errors import BoyiError, IllegalMoveError, TextError, shorten
from boyi.core.game import Game
from boyi.core.position import OVER, Position
from boyi.engine.thinker import REFUSED, OneBoard, Question, Thinker

IGNORED = ("accepted", "rejected", "random", "computer", "name", "rating", "ics", "bk", "draw", "white", "black",
           "xboard", "otim")
FEATURES = ("setboard=1 usermove=1 ping=1 playother=1 san=0 time=1 draw=0 sigint=0 sigterm=0 reuse=1 analyze=1 "
            "colors=0 nps=0 memory=1 smp=1")
OTHERWISE_SET = ("Hash", "Threads", "Ponder")
"""Settings for which the protocol has commands of its own: memory, cores, hard and easy."""

LONGEST_MOVE = 12
DEFAULT_SECONDS = 1.0
MATE = 100_000


@dataclass(frozen=True)
class Pondering:
    """A reply that is expected, and the position after it, which is being thought about."""

    reply: str
    position: Position


class Xboard(OneBoard):
    """The engine keeps the game, and plays whenever its side is to move."""

    def __init__(self, game: Game, say: Callable[[str], None]) -> None:
        self.thinker = Thinker(game)
        self._say = say
        self._dialect = game.protocols["xboard"]
        self._points = {point.name for point in self.thinker.start().board.points}
        self._posting = False
        self._ponders = False
        self._pongs: list[str] = []
        """Pings that came while a move was being thought about: the move is answered before them."""

        self._moving = False
        """Is a move being thought about that is to be made? Changed, as the pings, under the lock."""

        self._lock = threading.Lock()
        self._fixed: float | None = None
        """Seconds for every move, by `st`."""

        self._level: tuple[int, float, float] = (0, 0.0, 0.0)
        """Moves in a session (0 for all), its seconds, the seconds a move adds."""

        self._reset()

    def _reset(self) -> None:
        self._position = self.thinker.start()
        self._refused = False
        """Was the last position refused? Then that of the game is not known here."""

        self._ended: list[Position] = []
        """Where our rules ended the game, and it went on."""

        self._side: int | None = 1
        """The side the engine plays; None in force mode."""

        self._analyzing = False
        self._pondering: Pondering | None = None
        self._expected: str | None = None
        """The reply to its last move."""

        self._announced = False
        """Has the end of the game been said?"""

        self._depth: int | None = None
        self._left: float | None = self._level[1] or None
        self._last: Analysis | None = None

    def hear(self, line: str) -> bool:
        word, rest = (*line.split(maxsplit=1), "")[:2]
        try:
            return self._obey(word, rest.strip())
        except IllegalMoveError:
            self._say(f"Illegal move: {shorten(rest or word)[1:-1]}")
        except BoyiError as error:
            self._say(f"Error ({' '.join(str(error).split())}): {shorten(word)[1:-1]}")
        return True

    def _obey(self, word: str, rest: str) -> bool:
        if word == "quit":
            self.thinker.stop(silent=True)
            return False
        if word == "?":
            if not self._analyzing and self._pondering is None:
                self.thinker.stop()
        elif word == "ping":
            self._pong(shorten(rest)[1:-1])
        elif word == "protover":
            self._introduce()
        elif word in ("post", "nopost"):
            self._posting = word == "post"
        elif word in ("hard", "easy"):
            self._ponders = word == "hard"
            if not self._ponders and self._pondering is not None:
                self._rest()
        elif word == "time":
            self._left = _number(rest) / 100
        elif word == "st":
            self._fixed, self._left = max(0.001, _number(rest)), None
        elif word == "sd":
            self._depth = max(1, int(_number(rest)))
        elif word == "level":
            self._read_level(rest)
        elif word == ".":
            self._show_progress()
        elif word == "hint":
            if self._expected is not None:
                self._say(f"Hint: {self._dialect.write_move(self._expected)}")
        elif word not in IGNORED:
            self._change(word, rest)
        return True

    # ------------------------------------------------------------------ what touches the board

    def _change(self, word: str, rest: str) -> None:
        if self._refused and (word == "usermove" or self._is_move(word)):
            raise IllegalMoveError(REFUSED)
        if self._refused and word in ("analyze", "go", "playother", "undo", "remove"):
            raise TextError(REFUSED)
        if word == "usermove" or self._is_move(word):
            move = self._dialect.read_move(rest if word == "usermove" else word)
            if self._hit(move):
                return
            with self._thinking_ended():
                self._move(move)
        elif word in ("memory", "cores"):
            with self._thinking_ended():
                self.thinker.set("Hash" if word == "memory" else "Threads", rest)
                self.thinker.prepare()
        elif word == "option":
            name, _, value = rest.partition("=")
            with self._thinking_ended():
                self.thinker.set(name, value)
        elif word == "new":
            self.thinker.stop(silent=True)
            self.thinker.forget()
            self._reset()
        elif word in ("force", "result", "exit", "analyze", "go", "playother"):
            with self._thinking_ended():
                turn = self._position.turn
                self._analyzing = word == "analyze"
                self._side = turn if word == "go" else 1 - turn if word == "playother" and turn != OVER else None
        elif word == "variant":
            if rest != self._dialect.variant:
                raise TextError(f"this engine plays {self._dialect.variant}")
        elif word == "setboard":
            with self._thinking_ended():
                self._set_board(rest)
        elif word in ("undo", "remove"):
            with self._thinking_ended():
                self._take_back(1 if word == "undo" else 2)
        else:
            raise TextError("unknown command")

    def _is_move(self, word: str) -> bool:
        """Is this a move without `usermove` before it: from one point to another?"""
        return len(word) <= LONGEST_MOVE and any(word[:at] in self._points and word[at:] in self._points
                                                 for at in range(1, len(word)))

    def _rest(self) -> None:
        """End all thinking, without a move."""
        self.thinker.stop(silent=True)
        self._pondering = None

    @contextmanager
    def _thinking_ended(self) -> Iterator[None]:
        """First of all end the thinking; in the end, begin what is due then, also if the change was refused."""
        self._rest()
        try:
            yield
        finally:
            self._think_if_due()

    def _hit(self, move: str) -> bool:
        """Is this the reply that was expected? Then the thinking goes on, now by the clock."""
        pondering = self._pondering
        if pondering is None or move != pondering.reply or not self.thinker.busy:
            return False
        self._moving = True
        self._position, self._pondering, self._announced = pondering.position, None, False
        self.thinker.hurry(self._plan())
        return True

    def _move(self, move: str) -> None:
        self._position.play(self._position.parse_move(move))
        self._expected, self._announced = None, False

    def _set_board(self, text: str) -> None:
        self._refused, self._expected = True, None      # until it is accepted
        try:
            self._position, self._ended = self.thinker.start(self._dialect.read_position(text)), []
        except BoyiError as error:
            self._say(f"tellusererror Illegal position: {' '.join(str(error).split())}")
            return
        self._refused, self._announced = False, False

    def _take_back(self, count: int) -> None:
        if sum(position.ply for position in (*self._ended, self._position)) < count:
            raise TextError("there is nothing to take back")
        for _ in range(count):
            if self._position.ply == 0:
                self._position = self._ended.pop()
            self._position.undo()
        self._expected, self._announced = None, False

    # ------------------------------------------------------------------ thinking

    def _think_if_due(self) -> None:
        if self._refused:
            return
        self._go_on()
        if self._analyzing:
            if self._position.turn != OVER:
                self._ask(Question(self._position.copy(), lines=self.thinker.whole("MultiPV"), waits=True))
        elif self._side is not None and self._position.turn == OVER:
            self._announce()
        elif self._position.turn == self._side:
            planned = self._plan()
            self._ask(Question(self._position.copy(), planned.most_seconds, depth=self._depth,
                               soft_seconds=planned.aim_seconds))

    def _go_on(self) -> None:
        fresh = self.thinker.go_on(self._position)
        if fresh is not self._position:
            self._ended.append(self._position)
            self._position = fresh

    def _ask(self, question: Question) -> None:
        self._last = None
        self._moving = not question.waits
        try:
            self.thinker.think(question, self._post, self._answer)
        except BoyiError:
            self._settle()
            raise

    def _pong(self, token: str) -> None:
        with self._lock:
            if self._moving:
                self._pongs.append(token)
            else:
                self._say(f"pong {token}")

    def _settle(self) -> None:
        """The move is made, or no longer wanted: answer the pings that came after it was asked for."""
        with self._lock:
            self._moving = False
            for token in self._pongs:
                self._say(f"pong {token}")
            self._pongs.clear()

    def _announce(self) -> None:
        if self._announced:
            return
        self._announced = True
        outcome = self._position.outcome()
        assert outcome is not None
        first, second = outcome.places
        result = "1/2-1/2" if first == second else "1-0" if first < second else "0-1"
        self._say(f"{result} {{{outcome.words}}}")

    def _post(self, report: Analysis) -> None:
        self._last = report
        if not self._posting or self.thinker.quiet():
            return
        for line in report.lines:
            mate = line.mate_in
            score = round(line.value) if mate is None else MATE + mate if mate > 0 else mate - MATE
            moves = " ".join(map(self._dialect.write_move, line.texts))
            self._say(f"{report.depth} {score} {round(100 * report.seconds)} {report.nodes} {moves}")

    def _answer(self, report: Analysis | None) -> None:
        """Make the move; where that is wanted, go on with the reply that is expected."""
        made = report is not None and not self.thinker.quiet() and not self._analyzing
        if report is not None and made:
            move, *others = report.lines[0].texts
            self._position.play(move)
            self._expected = others[0] if others else None
            self._say(f"move {self._dialect.write_move(move)}")
            self._go_on()
            if self._position.turn == OVER:
                self._announce()
        self._settle()
        if made and self._ponders and self._expected is not None and self._position.turn != OVER:
            self._ponder(self._expected)

    def _ponder(self, reply: str) -> None:
        after = self._position.copy()
        after.play(reply)
        # A reply that comes before the last line here is a miss like any other: thinker.stop waits for us.
        if after.turn != OVER and self.thinker.think_on(
                Question(after.copy(), depth=self._depth, waits=True),
                lambda report: self._if_hit(after, self._post, report),
                lambda report: self._if_hit(after, self._answer, report)):
            self._pondering = Pondering(reply, after)

    def _if_hit(self, position: Position, do: Callable[..., None], *arguments: object) -> None:
        """Thinking in the opponent's time is not shown and leads to no move, until the position is that of the game."""
        if self._position is position:
            do(*arguments)

    def _show_progress(self) -> None:
        if self._analyzing and self._last is not None:
            report = self._last
            self._say(f"stat01: {round(100 * report.seconds)} {report.nodes} {report.depth} 0 0")

    # ------------------------------------------------------------------ what the engine can do, and how long it may

    def _introduce(self) -> None:
        self._say("feature done=0")
        self._say(f'feature myname="Boyi {version("boyi")}" variants="{self._dialect.variant}" {FEATURES}')
        for setting in self.thinker.settings.values():
            if setting.name not in OTHERWISE_SET:
                shown = {"check": str(int(bool(setting.default))), "combo": " /// ".join(
                    f"{'*' if choice == setting.default else ''}{choice}" for choice in setting.choices),
                    "spin": f"{setting.default} {setting.lowest} {setting.highest}", "button": ""}.get(
                        setting.kind, str(setting.default))
                self._say(f'feature option="{setting.name} -{setting.kind} {shown}"'.replace(' "', '"'))
        self._say("feature done=1")

    def _read_level(self, rest: str) -> None:
        found = re.fullmatch(r"([0-9]{1,5})\s+(?:([0-9]{1,5})(?::([0-9]{1,2}))?)\s+([0-9]{1,6}(?:\.[0-9]{1,6})?)", rest)
        if not found or not rest.isascii():
            raise TextError("level is: MOVES MINUTES[:SECONDS] INCREMENT")
        total = 60.0 * int(found[2]) + int(found[3] or 0)
        self._level, self._left, self._fixed = (int(found[1]), total, float(found[4])), total, None

    def _plan(self) -> TimePlan:
        if self._fixed is not None or self._left is None:
            return TimePlan(self._fixed or DEFAULT_SECONDS)
        moves, made = self._level[0], self._position.ply // 2
        return self.thinker.share(self._left, self._level[2], moves - made % moves if moves else 0, made)


def _number(text: str) -> float:
    if not (re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) and text.isascii()):
        raise TextError(f"{shorten(text)} is not a number")
    return float(text)
