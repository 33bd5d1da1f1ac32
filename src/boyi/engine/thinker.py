"""The search behind every protocol: in a thread of its own, reporting depth by depth, stopped on request.

The search is the searcher's own, with the same limits, and finds what it would find without reports. One thread
reads lines, another searches; the first changes the board only after the search of it has ended, so there is nothing
that both change at once.

    Question   a position and how long to think about it
    Thinker    answers one question at a time
    Speaker    what a protocol is to the program that runs it
    OneBoard   what those have in common that are about one board at a time
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from time import monotonic
from typing import Protocol

from boyi.agents.agent import Clock
from boyi.agents.analysis import DEEPEST, Analysis, analyse, describe_line
from boyi.agents.book import find_book
from boyi.agents.patience import Patience, effort_of
from boyi.agents.searching import LARGEST, find_default
from boyi.agents.timing import DEFAULT_SECONDS, TINY_SECONDS, TimePlan, allot
from boyi.core.errors import BoyiError, OptionError, TextError, UnknownNameError
from boyi.core.game import Game
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.searcher import Limits, Line, Searcher
from boyi.engine.settings import Setting, Value, list_settings
from boyi.search.perft import perft

REFUSED = "the last position was refused; there is none until another is sent"
"""What every protocol says that is asked about a position it would not take: it never answers for the one before."""

STOP_SECONDS = 0.005
"""Interval at which a search is stopped again: a stop before it has begun has no effect."""

THREAD = "thinker"
"""The name of the thread that searches."""

FIRST_SECONDS = 0.5
"""How long a stop waits for the first depth, without which an answer is a guess."""

COUNTED_AT_ONCE = 3
"""Plies of a perft that are counted in one piece; between pieces it can be stopped."""


@dataclass(frozen=True)
class Question:
    """What to think about, and how long."""

    position: Position
    """The thinker's own: nobody else plays on it."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    lines: int = 1
    moves: tuple[int, ...] = ()
    """Only these first moves; all if there are none."""

    soft_seconds: float | None = None
    """The aim within `seconds`, see `Limits.soft_seconds`."""

    waits: bool = False
    """Answer only after a stop (or a ponderhit), however soon all is known."""


class Speaker(Protocol):
    """A protocol: it hears a line and says what it has to say."""

    def settings(self) -> Iterable[Setting]:
        """Everything that can be set."""
        ...

    def hear(self, line: str) -> bool:
        """React to a line; False if it was the last one."""
        ...

    def end(self, *, at_once: bool) -> None:
        """There are no more lines. Return when all is said; `at_once` without finishing what is under way."""
        ...


class OneBoard:
    """A protocol about one board at a time: a search ends with the input."""

    thinker: Thinker

    def settings(self) -> Iterable[Setting]:
        return self.thinker.settings.values()

    def end(self, *, at_once: bool) -> None:
        self.thinker.stop()


class Thinker:
    """A searcher and its settings, which answers one question at a time."""

    def __init__(self, game: Game, own: tuple[Setting, ...] = ()) -> None:
        self.game = game
        self._algorithm = find_default(game.start())
        self.settings = {setting.name.lower(): setting for setting in (*own, *list_settings(game, self._algorithm))}
        """Everything that can be set, by its name in small letters; `own` are the protocol's."""

        self._values: dict[str, Value] = {
            name: setting.default for name, setting in self.settings.items() if setting.kind != "button"}
        self._searcher: Searcher | None = None
        self._thread: threading.Thread | None = None
        self._leaving: threading.Thread | None = None
        """The thread before it, where one question followed another."""

        self._changing = threading.Lock()
        """Held where one piece of thinking follows another, and where it is stopped."""

        self._stopping = threading.Event()
        self._released = threading.Event()
        self._begun = threading.Event()
        """There is something to answer."""

        self._answered = threading.Event()
        """Of the present question; every one has an event of its own."""

        self._owed = threading.Event()
        """The answer that the other program waits for. Pondering owes none."""

        self._owed.set()
        self._timer: threading.Timer | None = None
        self._patience = Patience(None)
        """Of the present search."""

        self._searching_since = monotonic()
        self._silent = False

    # ------------------------------------------------------------------ settings

    def get(self, name: str) -> Value:
        """What a setting is set to."""
        return self._values[name.lower()]

    def whole(self, name: str) -> int:
        """What a setting with a whole number is set to."""
        return int(self._values[name.lower()])

    def set(self, name: str, text: str) -> None:
        """Set something; the next question notices."""
        setting = self.settings.get(name.lower())
        if setting is None:
            raise OptionError(str(UnknownNameError.among(
                "option of this engine", name, (known.name for known in self.settings.values()))))
        if setting.kind == "button":
            self.forget()
            return
        changed = self._values | {setting.name.lower(): setting.read(text)}
        self._algorithm.read_options(self._search_values(changed))      # they may not go together
        self._values = changed
        if setting.target and not setting.target.startswith("rule:"):
            self.forget()

    def _search_values(self, values: Mapping[str, Value]) -> dict[str, Value]:
        return {setting.target: values[name] for name, setting in self.settings.items()
                if setting.target and not setting.target.startswith("rule:")}

    def rules(self) -> dict[str, Value]:
        """The rules to play by: those that differ from the usual ones."""
        return {setting.target.removeprefix("rule:"): self._values[name] for name, setting in self.settings.items()
                if setting.target.startswith("rule:") and self._values[name] != setting.default}

    def start(self, text: str | None = None) -> Position:
        """The start of a game by these rules, or the position that a text describes."""
        return self.game.start(**self.rules()) if text is None else self.game.parse(text, **self.rules())

    def go_on(self, position: Position) -> Position:
        """Where our rules have ended a game (repetition, no capture for long) that other programs may go on with: the
        same position without its history. Where there is no legal move: itself."""
        place = self.game.quiet_plies_field
        if position.turn != OVER or place is None:
            return position
        words = position.to_text().split()
        words[place] = "0"
        fresh = self.start(" ".join(words))
        return position if fresh.turn == OVER else fresh

    def forget(self) -> None:
        """Forget everything found so far."""
        self.stop()
        self._searcher = None

    def share(self, seconds: float, increment: float = 0.0, moves_to_go: int = 0, own_moves: int = 0) -> TimePlan:
        """How much of a clock to spend on a move."""
        overhead = self.whole("Move Overhead") / 1000
        left = max(TINY_SECONDS, seconds - overhead)
        planned = allot(Clock(left, increment, moves_to_go=moves_to_go if moves_to_go > 0 else None), own_moves)
        assert planned is not None
        # Without depths there is nothing to stop between.
        return planned if self._algorithm.ends_by_depth else TimePlan(planned.aim_seconds or planned.most_seconds)

    # ------------------------------------------------------------------ thinking

    @property
    def busy(self) -> bool:
        """Is a question being thought about?"""
        return self._thread is not None and self._thread.is_alive()

    def think(self, question: Question, report: Callable[[Analysis], None],
              answer: Callable[[Analysis | None], None]) -> None:
        """Begin to think. `report` hears of every depth; `answer`, at the end, the last of them or, where the only
        answer is from the book or there is none, a report without depth or None."""
        if question.position.turn == CHANCE:
            raise TextError("here chance is to act: say what the covered piece is")
        self.stop(silent=True)
        if question.position.turn != OVER:
            self.prepare()
        self._silent = False
        self._stopping.clear()
        self._owed = self._launch(lambda: answer(self._answer(question, report)), question.waits)

    def think_on(self, question: Question, report: Callable[[Analysis], None],
                 answer: Callable[[Analysis | None], None]) -> bool:
        """As the last thing in an `answer`: go on with another question. False if a stop has come in between."""
        with self._changing:
            if self._stopping.is_set():
                return False
            self._leaving = self._thread
            self._launch(lambda: answer(self._answer(question, report)), question.waits)
            return True

    def prepare(self) -> None:
        """Make the searcher, with as much memory as is set; without that, say so and take the usual measure."""
        if self._searcher is None:
            try:
                self._searcher = self._algorithm.make(self.game, self._search_values(self._values))
            except MemoryError:
                setting = self.settings["hash"]
                self._values[setting.name.lower()] = setting.default
                raise OptionError(f"there is not enough memory; {setting.name} is {setting.default} again") from None

    def count(self, position: Position, depth: int, report: Callable[[str, int], None],
              answer: Callable[[int], None]) -> None:
        """Begin a perft; `report` hears of every first move, `answer` the sum unless it is stopped."""
        def work() -> None:
            total = 0
            for move in position.moves() if depth > 0 else ():
                text = position.format_move(move)
                position.play(move)
                leaves = self._leaves(position, depth - 1)
                position.undo()
                if self._stopping.is_set():
                    return
                report(text, leaves)
                total += leaves
            answer(total if depth > 0 else 1)
        self.stop(silent=True)
        self._silent = False
        self._stopping.clear()
        self._owed = self._launch(work, waits=False)

    def _leaves(self, position: Position, depth: int) -> int:
        if depth <= COUNTED_AT_ONCE:
            return perft(position, depth)
        total = 0
        for move in position.moves():
            if self._stopping.is_set():
                break
            position.play(move)
            total += self._leaves(position, depth - 1)
            position.undo()
        return total

    def stop(self, *, silent: bool = False) -> None:
        """End the thinking and wait for the answer to be out; a silent stop wants none."""
        if self.busy and not silent:
            self._begun.wait(FIRST_SECONDS)
        with self._changing:
            self._silent = silent
            self._stopping.set()
            self._released.set()
        while self.busy:
            if self._searcher is not None:
                self._searcher.stop()
            assert self._thread is not None
            self._thread.join(STOP_SECONDS)
        if self._leaving is not None:
            self._leaving.join()
        self._thread = self._leaving = None

    def wait(self) -> None:
        """Wait until the answer is out that is owed to the last question, or to a hurried one."""
        self._owed.wait()

    def hurry(self, planned: TimePlan | None) -> None:
        """What was pondered has come about: answer in the time of the plan, or (None) when the search has ended.

        The aim counts from the beginning of the search: what was thought about in the opponent's time need not be
        thought about again. The most counts from now.
        """
        self._owed = self._answered
        self._released.set()
        thread = self._thread
        if planned is None or thread is None:
            return
        with self._changing:
            self._patience.aim_seconds = planned.aim_seconds
            enough = self._patience.is_enough(monotonic() - self._searching_since) and self._begun.is_set()
        seconds = 0.0 if enough else planned.most_seconds

        def ring() -> None:
            while thread.is_alive():
                with self._changing:       # else the stop might hit what is thought about next
                    if thread is self._thread and self._searcher is not None:
                        self._searcher.stop()
                thread.join(STOP_SECONDS)
        self._timer = threading.Timer(seconds, ring)
        self._timer.daemon = True
        self._timer.start()

    def _launch(self, work: Callable[[], None], waits: bool) -> threading.Event:
        if self._timer is not None:
            self._timer.cancel()
        begun, answered = self._begun, self._answered = threading.Event(), threading.Event()
        if waits:
            self._released.clear()
        else:
            self._released.set()

        def run() -> None:
            try:
                work()
            finally:
                begun.set()
                answered.set()
        self._thread = threading.Thread(target=run, name=THREAD, daemon=True)
        self._thread.start()
        return answered

    def quiet(self) -> bool:
        """Was the present search stopped silently, so that no answer is wanted?"""
        return self._silent

    def _answer(self, question: Question, report: Callable[[Analysis], None]) -> Analysis | None:
        found = None
        if question.position.turn != OVER:
            found = self._from_book(question) or self._deepen(question, report)
        self._released.wait()
        return found

    def _from_book(self, question: Question) -> Analysis | None:
        if not self.get("OwnBook") or question.lines > 1 or question.waits:
            return None
        try:
            book = find_book("own", self.game)
        except BoyiError:
            return None        # a game without one
        move = None if book is None else book.best(question.position)
        if move is None or (question.moves and move not in question.moves):
            return None
        return Analysis((describe_line(question.position, Line((move,), 0.0), odds=0.5),), 0, 0, 0.0)

    def _deepen(self, question: Question, report: Callable[[Analysis], None]) -> Analysis:
        assert self._searcher is not None
        searcher, patience = self._searcher, Patience(question.soft_seconds)
        with self._changing:
            self._patience, self._searching_since = patience, monotonic()

        def hear(found: Analysis) -> None:
            best = found.lines[0]
            patience.hear(best.moves[0], best.odds, effort_of(found.nodes, found.statistics),
                          won=best.wins_in is not None and best.wins_in > 0)
            self._begun.set()
            report(replace(found, depth=max(found.depth, 1)))      # no protocol knows a depth of 0
            if patience.is_enough(found.seconds):
                searcher.stop()
        seconds, nodes = question.seconds, question.nodes
        if seconds is None and nodes is None and not self._algorithm.ends_by_depth:
            # A depth would be no end; without one the search goes on until it is stopped.
            seconds, nodes = (None, LARGEST) if question.depth is None else (DEFAULT_SECONDS, None)
        limits = Limits(seconds=seconds, nodes=nodes, depth=min(question.depth or DEEPEST, DEEPEST),
                        lines=question.lines)
        return analyse(searcher, question.position, limits, hear, question.moves)
