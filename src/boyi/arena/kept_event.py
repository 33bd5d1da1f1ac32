"""A tournament as its journal tells it, for those who only count its games (`arena.distinct`).

No agent is made here and no program of one is started: a journal may come from anybody.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from boyi.agents.spec import AgentSpec, read_spec
from boyi.arena.bout import Bout
from boyi.arena.match import HIGHEST_SEED
from boyi.arena.openings import draw_opening
from boyi.core.errors import BoyiError, RecordError, shorten
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.games import find_game

__all__ = ["KeptEvent"]

MATCH = "match"
"""The pairing of a journal whose seed is that of its only meeting."""

MOST_PLIES = 1_000
"""Random moves that an opening may have; a file may say anything."""


@dataclass(frozen=True)
class KeptMeeting:
    """One meeting: where its games begin, and whether they are repeatable."""

    start: Position
    openings: tuple[Position, ...]
    random_plies: int
    seed: int
    is_stochastic: bool

    def opening(self, number: int) -> Position:
        """As `Match.opening`."""
        turn = number // self.start.players
        if self.openings:
            return self.openings[turn % len(self.openings)]
        return draw_opening(self.start, self.random_plies, self.seed, turn)


class KeptEvent:
    """What the first line of a journal says; see `distinct.Event`."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        try:
            self.names = tuple(str(name) for name in settings["contestants"])
            self.start = Record.parse(settings["start"], find_game).replay()
            self.openings = tuple(Record.parse(text, find_game).replay() for text in settings["openings"])
            self._random_plies, self._seed = int(settings["random_plies"]), int(settings["seed"])
            self._pairing = str(settings["pairing"])
            if not 0 <= self._random_plies <= MOST_PLIES:
                raise ValueError(f"{self._random_plies} random moves")
        except (KeyError, TypeError, ValueError) as error:
            raise RecordError(f"the journal does not say how its games began: {shorten(str(error))}") from error
        self._meetings: dict[tuple[int, ...], KeptMeeting] = {}

    @property
    def identities(self) -> tuple[str, ...]:
        return tuple(name if spec is None else str(spec) for name, spec in zip(self.names, self._specs, strict=True))

    @cached_property
    def _specs(self) -> tuple[AgentSpec | None, ...]:
        """The agents; None for those that run code, or are unknown here."""
        return tuple(map(_read, self.names))

    def match_of(self, game: Bout) -> KeptMeeting:
        meeting = game.slot.meeting
        if meeting not in self._meetings:
            names = tuple(self.names[agent] for agent in meeting)
            seed = self._seed
            if self._pairing != MATCH:
                seed = random.Random(f"{seed} meeting {names}").randrange(HIGHEST_SEED)
            specs = [self._specs[agent] for agent in meeting]
            self._meetings[meeting] = KeptMeeting(
                self.start, self.openings, self._random_plies, seed,
                any(spec is not None and spec.is_stochastic(self.start) for spec in specs))
        return self._meetings[meeting]


def _read(name: str) -> AgentSpec | None:
    try:
        return read_spec(name)
    except BoyiError:
        return None
