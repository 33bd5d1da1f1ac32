"""Who is answered next: the order in which questions wait for an engine.

    1. Payers who have had more than their share of the engines' time wait behind all others.
    2. Games come before hints, hints before analyses, and analyses before reviews: in a game a player's clock runs, and
       nobody waits for a review. But where games never stop, each turn after `MOST_BEFORE_A_HINT` of them is a hint's.
       Slices of live analyses and whole analyses get as much time as each other: whichever has had less of late comes
       first.
    3. Within a kind payers take turns: who was served last longest ago comes first. So one who has fifty rooms gets
       one turn in a round, like one who has one, and who asks now and then comes before who never stops.
    4. The questions of one payer are answered in the order in which they came.

So among questions of one kind nobody waits for more than one question of each other payer before their next one is
answered. For analyses behind games there is no such promise; but every question has a deadline, and the asker does
without an answer when it has passed.

Nothing here knows a clock or a process: a `Queue` is data, and `pool` works it off.

>>> queue = Queue[str]()
>>> for kind, payer, what in (("analysis", "ada", "a position"), ("game", "bob", "one room"),
...                           ("game", "bob", "another"), ("game", "ada", "her game"), ("hint", "ada", "a hint")):
...     _ = queue.add(Asker(kind, payer), what)
>>> [queue.take().what for _ in range(5)]
['one room', 'her game', 'another', 'a hint', 'a position']
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from boyi.server.protocol.refusals import Refusal

Kind = Literal["game", "hint", "live", "analysis", "review"]

KINDS: tuple[Kind, ...] = ("game", "hint", "live", "analysis", "review")
RANKS: Mapping[Kind, int] = {"game": 0, "hint": 1, "live": 2, "analysis": 2, "review": 3}
"""What comes first has the lowest."""

STUDYING: tuple[Kind, ...] = ("live", "analysis", "review")
"""What nobody's game waits for."""

MOST_OF_A_PAYER: Mapping[Kind, int] = {"hint": 2, "analysis": 4}
"""Questions of one payer that may wait. A game's are not counted: each room has at most one, and how many rooms
a person may have is limited where rooms are made. So it is with streams of live analyses."""

MOST_IN_ALL: Mapping[Kind, int] = {"hint": 1_000, "analysis": 64, "review": 64}
"""Questions that may wait in all: each keeps a position with its history in memory."""

MOST_BEFORE_A_HINT = 4
"""Moves that are answered one after the other while a hint waits."""

MOST_REMEMBERED = 10_000
"""Payers of whom it is known when they were served last."""

MOST_LEAD_SECONDS = 1.0
"""How much more time live analyses may have had than whole ones, or the other way round, that is made good."""

RETRY_SECONDS = 2.0
"""When to come back if too many wait; most questions take a tenth of a second."""

T = TypeVar("T")
Behind = Callable[[str], bool]
"""Has this payer had more than their share?"""

Fits = Callable[[T], bool]
"""Can this question be answered here?"""


@dataclass(frozen=True)
class Asker:
    """Who asks an engine, and what for."""

    kind: Kind
    payer: str
    """Whose share of the engines' time it uses: a person's, or that of an address without one."""


@dataclass(frozen=True, eq=False)
class Waiting(Generic[T]):
    """A question in the queue."""

    asker: Asker
    what: T


def nobody_is_behind(payer: str) -> bool:
    """All payers are equal."""
    return False


def everything_fits(what: object) -> bool:
    """Any question can be answered anywhere."""
    return True


class Queue(Generic[T]):
    """Questions that wait; see above for their order."""

    def __init__(self) -> None:
        self._lines: dict[Kind, OrderedDict[str, deque[Waiting[T]]]] = {kind: OrderedDict() for kind in KINDS}
        """Per kind, the payers in the order in which they came, with their questions: each has one at least."""

        self._turns: dict[Kind, OrderedDict[str, int]] = {kind: OrderedDict() for kind in KINDS}
        """Per kind, when payers were served last, counted in turns; the latest stands last."""

        self._turn = 0
        self._before_a_hint = 0
        """Games served one after the other while a hint waited."""

        self._live_lead = 0.0
        """Seconds that live analyses have had more than whole ones."""

    def count(self, kind: Kind) -> int:
        """How many questions of a kind wait."""
        return sum(map(len, self._lines[kind].values()))

    def add(self, asker: Asker, what: T) -> Waiting[T]:
        """Let a question wait; a `Refusal` if its payer, or all together, have too many."""
        line, most = self._lines[asker.kind], MOST_OF_A_PAYER.get(asker.kind)
        if most is not None and len(line.get(asker.payer, ())) >= most:
            raise Refusal("flood", f"{most} questions of yours are waiting already", retry_after=RETRY_SECONDS)
        if asker.kind in MOST_IN_ALL and self.count(asker.kind) >= MOST_IN_ALL[asker.kind]:
            raise Refusal("flood", "too many questions are waiting", retry_after=RETRY_SECONDS)
        waiting = Waiting(asker, what)
        line.setdefault(asker.payer, deque()).append(waiting)
        return waiting

    def put_back(self, waiting: Waiting[T]) -> None:
        """A question that was taken waits again, as the first of its kind."""
        line = self._lines[waiting.asker.kind]
        line.setdefault(waiting.asker.payer, deque()).appendleft(waiting)
        line.move_to_end(waiting.asker.payer, last=False)
        self._turns[waiting.asker.kind].pop(waiting.asker.payer, None)

    def remove(self, waiting: Waiting[T]) -> bool:
        """A question is withdrawn; whether it was still waiting."""
        line = self._lines[waiting.asker.kind]
        own = line.get(waiting.asker.payer)
        if own is None or waiting not in own:
            return False
        own.remove(waiting)
        if not own:
            del line[waiting.asker.payer]
        return True

    def spent(self, kind: Kind, seconds: float) -> None:
        """An answer took this long."""
        lead = {"live": seconds, "analysis": -seconds}.get(kind, 0.0)
        self._live_lead = max(-MOST_LEAD_SECONDS, min(self._live_lead + lead, MOST_LEAD_SECONDS))

    def first(self, kinds: Collection[Kind] = KINDS, is_behind: Behind = nobody_is_behind,
              fits: Fits[T] = everything_fits) -> Waiting[T] | None:
        """The question whose turn it is, of these kinds and of those that fit."""
        before: Sequence[Kind] = ("game", "hint") if self._before_a_hint < MOST_BEFORE_A_HINT else ("hint", "game")
        after: Sequence[Kind] = ("live", "analysis") if self._live_lead <= 0 else ("analysis", "live")
        for behind in (False, True):
            for kind in (*before, *after, "review"):
                line, turns = self._lines[kind], self._turns[kind]
                fitting = {payer: waiting for payer in line if kind in kinds and is_behind(payer) == behind
                           and (waiting := next((one for one in line[payer] if fits(one.what)), None)) is not None}
                if fitting:
                    return fitting[min(fitting, key=lambda payer: turns.get(payer, 0))]
        return None

    def take(self, kinds: Collection[Kind] = KINDS, is_behind: Behind = nobody_is_behind,
             fits: Fits[T] = everything_fits) -> Waiting[T] | None:
        """The question whose turn it is: it waits no more, and its payer's next one waits for the others'."""
        waiting = self.first(kinds, is_behind, fits)
        if waiting is not None:
            self.remove(waiting)
            turns, payer = self._turns[waiting.asker.kind], waiting.asker.payer
            self._turn += 1
            is_before = waiting.asker.kind == "game" and bool(self._lines["hint"])
            self._before_a_hint = self._before_a_hint + 1 if is_before else 0
            turns[payer] = self._turn
            turns.move_to_end(payer)
            if len(turns) > MOST_REMEMBERED:
                turns.popitem(last=False)
        return waiting


def rank(asker: Asker, is_behind: Behind) -> tuple[bool, int]:
    """A question of a lower rank comes before one of a higher."""
    return is_behind(asker.payer), RANKS[asker.kind]
