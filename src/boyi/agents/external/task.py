"""What an engine is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from boyi.agents.agent import Clock
from boyi.agents.external.channel import Channel
from boyi.core.dialect import Dialect
from boyi.core.position import CHANCE, Position
from boyi.core.searcher import Limits

UNLIMITED_SECONDS = 300.0
"""So long an engine may think that was limited in nodes or depth, or not at all."""

DEFAULT_SECONDS = 1.0
MOST_OPTIONS = 1000
"""Of an engine that offers more options than that, the others are passed over."""


NO_CLOCK = Clock()


@dataclass(frozen=True)
class Task:
    """A question to an engine: a game so far, and how long to think."""

    begin: str
    """The position text the game began with."""

    start: str | None
    """The same; None for the start of the game."""

    moves: tuple[str, ...]
    """Every move since, in our own writing; where chance acted, with what it added."""

    seats: tuple[int, ...]
    """Who made each of them."""

    direct: tuple[str, ...]
    """The moves without those that led back to where the game had been: the same position, nothing repeated."""

    seat: int
    """Who is to move now."""

    limits: Limits
    clock: Clock = NO_CLOCK
    """The clocks of the game, for an engine that shares out its time itself; then `limits.seconds` is not for it."""

    def seconds(self, patience: float) -> float:
        """How long to wait for the answer."""
        if self.clock.seconds is not None:
            return self.clock.seconds + patience
        return patience + (UNLIMITED_SECONDS if self.limits.seconds is None else self.limits.seconds)


class Engine(Protocol):
    """A protocol, spoken over a channel. The constructor introduces itself and sets the options."""

    def __init__(self, channel: Channel, dialect: Dialect, options: Mapping[str, str]) -> None: ...

    def think(self, task: Task, patience: float) -> str:
        """The engine's move, in our own writing."""
        ...


def make_task(observation: Position, limits: Limits) -> Task:
    """The game so far as a question."""
    game, options, begin = observation.game, observation.options, observation.start_text
    walk = game.parse(begin, **options)
    moves, seats, direct, visited = [], [], list[str](), [walk.fingerprint]
    history = observation.history()
    while history:
        before, turn, made = walk.copy(), walk.turn, [history.pop(0)]
        walk.play(made[0])
        while history and walk.turn == CHANCE:
            made.append(history.pop(0))
            walk.play(made[-1])
        moves.append(before.format_moves(made))
        seats.append(turn)
        direct, visited = [*direct, moves[-1]], [*visited, walk.fingerprint]
        if (first := visited.index(walk.fingerprint)) < len(direct):
            direct, visited = direct[:first], visited[:first + 1]
    usual = game.start(**options)
    starts = (usual.to_text(), usual.observe(observation.turn).to_text())
    return Task(begin, None if begin in starts else begin, tuple(moves), tuple(seats), tuple(direct), observation.turn,
                limits)
