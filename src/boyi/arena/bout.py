"""A game of a tournament: its place there, and how it ended, as the journal keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from boyi.arena.game import Failure
from boyi.core.record_grammar import read_course

__all__ = ["Bout", "Slot"]


@dataclass(frozen=True, order=True)
class Slot:
    """The place of a game in a tournament."""

    meeting: tuple[int, ...]
    """Numbers of the contestants, in the order in which they take their first seats."""

    number: int
    """Of the game among all games of this meeting, from 0."""


@dataclass(frozen=True)
class Bout:
    """One game of a tournament that has ended, as the journal keeps it."""

    slot: Slot
    contestants: tuple[int, ...]
    """By seat."""

    places: tuple[int, ...]
    """By seat."""

    reason: str
    moves: int
    failures: tuple[Failure, ...]
    record: str
    """The whole game, see `core.record`."""

    @property
    def number(self) -> int:
        """See `Slot.number`."""
        return self.slot.number

    @property
    def course(self) -> tuple[str, ...]:
        """The written moves."""
        return read_course(self.record)

    def to_entry(self) -> dict[str, Any]:
        return {
            "meeting": self.slot.meeting, "number": self.slot.number, "contestants": self.contestants,
            "places": self.places, "reason": self.reason, "moves": self.moves,
            "failures": [failure.to_entry() for failure in self.failures], "record": self.record}

    @classmethod
    def parse(cls, facts: Mapping[str, Any]) -> Bout:
        return cls(Slot(tuple(facts["meeting"]), facts["number"]), tuple(facts["contestants"]), tuple(facts["places"]),
                   facts["reason"], facts["moves"], tuple(Failure(**failure) for failure in facts["failures"]),
                   facts["record"])
