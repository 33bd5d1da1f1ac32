"""Reviewing a record: every decision is looked at, from the last to the first, by a searcher that keeps its table.

Backwards, because what was found later in the game is then known to the search of what came before. The game is cut
into stretches, each with a searcher of its own, so that several processes find the same.

    looks     what is found, one decision after the other: who has enough stops asking, and can go on later
    review    all of it
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from boyi.agents.analysis import Analysis, describe
from boyi.agents.interruption import search
from boyi.agents.searching import find_default
from boyi.arena.pool import Pool
from boyi.core.record import Record
from boyi.core.searcher import Limits, Result, Searcher
from boyi.study.review.findings import Review, assemble
from boyi.study.review.look import Ask, Decision, Look, Steps, decisions, look
from boyi.study.review.opening import find_opening

DEFAULT_SECONDS = 1.0
"""For a search; a decision takes one to six of them."""

STRETCH = 12
"""Decisions that one searcher looks at."""


@dataclass(frozen=True)
class Stretch:
    """Some decisions of a game, as one process looks at them."""

    record: Record
    limits: Limits
    numbers: tuple[int, ...]
    """Of the moves, the last first."""


def looks(record: Record, limits: Limits | None = None, *, known: Collection[int] = (),
          pool: Pool | None = None) -> Iterator[Look]:
    """What is found about the decisions of a game, but for those whose numbers are `known` already.

    They come from the last to the first; from a pool in stretches, whichever is done first. `limits` are those of one
    search.
    """
    limits = limits or Limits(seconds=DEFAULT_SECONDS)
    numbers = [decision.number for decision in decisions(record)][::-1]
    stretches = [Stretch(record, limits, tuple(number for number in numbers[at:at + STRETCH] if number not in known))
                 for at in range(0, len(numbers), STRETCH)]
    wanted = [stretch for stretch in stretches if stretch.numbers]
    if pool is None:
        return chain.from_iterable(map(look_at, wanted))
    return chain.from_iterable(pool.run(_look_at_all, wanted))


def review(record: Record, limits: Limits | None = None, *, known: Iterable[Look] = (), pool: Pool | None = None,
           on_look: Callable[[Look, int, int], object] | None = None) -> Review:
    """Review a game.

    `known` are looks of an earlier attempt. `on_look` is called with each new one, how many there are now and how many
    there will be: to show progress, or to keep what there is.
    """
    limits = limits or Limits(seconds=DEFAULT_SECONDS)
    found = list(known)
    total = sum(1 for _ in decisions(record))
    for one in looks(record, limits, known={one.number for one in found}, pool=pool):
        found.append(one)
        if on_look is not None:
            on_look(one, len(found), total)
    return assemble(record, found, find_opening(record), say_limits(limits))


def look_at(stretch: Stretch) -> Iterator[Look]:
    """The looks at some decisions, by one searcher."""
    wanted = {decision.number: decision for decision in decisions(stretch.record)
              if decision.number in stretch.numbers}
    searcher: Searcher | None = None
    for number in stretch.numbers:
        if searcher is None:
            position = wanted[number].position
            searcher = find_default(position).make(position.game, {})
        yield look_with(searcher, wanted[number], stretch.limits)


def _look_at_all(stretch: Stretch) -> list[Look]:
    return list(look_at(stretch))


def look_with(searcher: Searcher, decision: Decision, limits: Limits) -> Look:
    """Look at a decision by a searcher."""
    return answer(look(decision), lambda ask: search_for(searcher, ask, limits))


def answer(steps: Steps[Look], find: Callable[[Ask], Sequence[Analysis]]) -> Look:
    """Take all steps of a look, answering what it asks."""
    found: Sequence[Analysis] | None = None
    while True:
        try:
            ask = next(steps) if found is None else steps.send(found)
        except StopIteration as end:
            done: Look = end.value
            return done
        found = find(ask)


def search_for(searcher: Searcher, ask: Ask, limits: Limits) -> list[Analysis]:
    """What a searcher finds about what is asked."""
    results = deque[Result](maxlen=ask.depths)
    last = search(searcher, ask.position, scale(limits, ask.effort, ask.lines), results.append, ask.only)
    if not results or last.lines != results[-1].lines:
        results.append(last)
    return [describe(searcher, ask.position, result) for result in results]


def scale(limits: Limits, effort: float, lines: int = 1) -> Limits:
    """Limits times an effort."""
    return replace(limits, lines=lines, seconds=None if limits.seconds is None else limits.seconds * effort,
                   nodes=None if limits.nodes is None else max(1, round(limits.nodes * effort)))


def say_limits(limits: Limits) -> str:
    """`1 s`, `20000 nodes`.

    >>> say_limits(Limits(seconds=0.5, nodes=1000))
    '0.5 s, 1000 nodes'
    """
    given = [("s", limits.seconds), ("nodes", limits.nodes), ("plies", limits.depth)]
    return ", ".join(f"{value:g} {unit}" if unit == "s" else f"{value} {unit}" for unit, value in given
                     if value is not None)
