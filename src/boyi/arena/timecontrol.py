"""Clocks of a game: seconds per move, seconds for the game, or nodes per move.

    0.5/move       half a second for every move
    60+0.6         a minute for the game and 0.6 seconds more with every move (Fischer)
    60             a minute for the game
    5000nodes      5,000 nodes for every move, of every agent that can count them: the same on any machine

The referee measures, by a clock that only goes forward, from the question to the answer; getting ready before the
first move is free. A player who takes longer than there is, and the margin, has lost. The margin is for the way to an
outside process and back; it can be overdrawn once in a game, not with every move.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from boyi.agents.agent import Clock
from boyi.core.errors import OptionError, shorten

MARGIN_SECONDS = 0.1
LONGEST_SECONDS = 86_400.0
MOST_NODES = 10**15

_TEXT = re.compile(r"(?P<move>[0-9.]+)/move|(?P<nodes>[0-9]+)nodes|(?P<base>[0-9.]+)(?:\+(?P<increment>[0-9.]+))?",
                   re.ASCII)


@dataclass(frozen=True, kw_only=True)
class TimeControl:
    """What every player may spend: for the game, for a move, or in nodes."""

    base_seconds: float | None = None
    increment_seconds: float = 0.0
    move_seconds: float | None = None
    nodes: int | None = None
    margin_seconds: float = MARGIN_SECONDS
    """How much too late an answer may be."""

    def __post_init__(self) -> None:
        if (self.base_seconds, self.move_seconds, self.nodes).count(None) != 2:
            raise OptionError("a clock is for the game, for a move or counts nodes; it is one of them")
        for name, least in (("base_seconds", 0.01), ("move_seconds", 0.001), ("increment_seconds", 0.0),
                            ("margin_seconds", 0.0)):
            value = getattr(self, name)
            if value is not None and not least <= value <= LONGEST_SECONDS:
                raise OptionError(f"{name.partition('_')[0]} of a clock: {value:g} is not a number of seconds from "
                                  f"{least:g} to {LONGEST_SECONDS:g}")
        if self.nodes is not None and not 1 <= self.nodes <= MOST_NODES:
            raise OptionError(f"a clock of {self.nodes} nodes: they are 1 to {MOST_NODES}")

    @property
    def counts_seconds(self) -> bool:
        return self.nodes is None

    def __str__(self) -> str:
        if self.nodes is not None:
            return f"{self.nodes}nodes"
        if self.move_seconds is not None:
            return f"{self.move_seconds:g}/move"
        return f"{self.base_seconds:g}+{self.increment_seconds:g}"


def parse_time(text: str, margin_seconds: float = MARGIN_SECONDS) -> TimeControl:
    """The clock that a text names.

    >>> parse_time("60+0.6").increment_seconds
    0.6
    """
    found = _TEXT.fullmatch(text.replace(" ", ""))
    if found is None:
        raise OptionError(f"{shorten(text)} is not a clock; one is 0.5/move, 60+0.6 (seconds for the game + for every "
                          f"move) or 5000nodes")
    if found["nodes"] is not None:
        return TimeControl(nodes=int(found["nodes"][:20]), margin_seconds=margin_seconds)
    if found["move"] is not None:
        return TimeControl(move_seconds=_number(found["move"], text), margin_seconds=margin_seconds)
    return TimeControl(base_seconds=_number(found["base"], text), margin_seconds=margin_seconds,
                       increment_seconds=_number(found["increment"] or "0", text))


def _number(word: str, text: str) -> float:
    try:
        return float(word[:20])
    except ValueError:
        raise OptionError(f"{shorten(word)} in the clock {shorten(text)} is not a number") from None


class Clocks:
    """The clocks of one game, by seat; without a time control they stand still."""

    def __init__(self, control: TimeControl | None, players: int) -> None:
        self._control = control
        base = None if control is None else control.base_seconds
        self._left = None if base is None else [base] * players
        self._still = Clock() if control is None else Clock(move_seconds=control.move_seconds, nodes=control.nodes)
        """What is shown before every move, where nothing runs out."""

    def face(self, seat: int) -> Clock:
        """What the player to act sees."""
        if self._control is None or self._left is None:
            return self._still
        shown = tuple(max(0.0, left) for left in self._left)
        return Clock(shown[seat], self._control.increment_seconds, seats=shown)

    def left(self, seat: int) -> float | None:
        """What a player has left for the game; None without such a clock."""
        return None if self._left is None else max(0.0, self._left[seat])

    def limit(self, seat: int) -> float | None:
        """When a move would be too late: what the player may still spend, and the margin; None without a clock."""
        if self._control is None or not self._control.counts_seconds:
            return None
        allowed = self._control.move_seconds if self._left is None else self._left[seat]
        return None if allowed is None else max(0.0, allowed) + self._control.margin_seconds

    def spend(self, seat: int, seconds: float) -> float | None:
        """A player took `seconds` for a move: None if there was enough time, else how much there had been."""
        control = self._control
        if control is None:
            return None
        if self._left is None:
            allowed = control.move_seconds
            return allowed if allowed is not None and seconds > allowed + control.margin_seconds else None
        allowed = self._left[seat]
        self._left[seat] -= seconds
        if self._left[seat] < -control.margin_seconds:
            return max(0.0, allowed)
        self._left[seat] += control.increment_seconds
        return None
