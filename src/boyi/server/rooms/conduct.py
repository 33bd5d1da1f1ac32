"""How each seat of a game was played: whose strength does its result show?

A result tells how a person does against a level only where both of them chose all their moves themselves, to the end.
`Conduct` follows the events of a room and notes of the present game what speaks against it; `encounters` names the
pairs of a person and a level that count when the game is over.

    a person's seat counts unless   it belongs to a program; the AI played it for a while; moves were taken back for it;
                                    its player stayed away; or gave up, or lost on time, before `PLAYED_MOVES` moves
    a level's seat counts unless    its time was up, or a move was made for it because it did not answer

Who resigns or loses on time after that has lost. Where giving up ends a game of more than two, nothing was decided
among the others, and only the one who gave up counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from boyi.server.protocol.events import Ended, Handed, Joined, Moved, Resigned, Started, StoredBody, TakenBack

PLAYED_MOVES = 2
"""A player who gives up after fewer moves of their own has not played."""


@dataclass(frozen=True)
class Encounter:
    """A person and a level in a game that both played to its end."""

    seat: int
    """The person's."""

    other: int
    """The level's seat."""

    level: int
    half_points: int
    """Of the person: 2 for coming out ahead, 1 for sharing the place, 0 for coming out behind."""


@dataclass
class SeatConduct:
    """How a seat was played."""

    level: int | None
    """Of the AI that has the seat; None for a person."""

    counts: bool = True
    """Does its result show how strong the player is?"""

    gave_up: Literal["", "resignation", "time", "abandoned"] = ""


@dataclass
class Conduct:
    """How the present or last game of a room is played."""

    seats: list[SeatConduct] = field(default_factory=list)
    _programs: set[str] = field(default_factory=set)
    """Persons in the room who are programs and say so."""

    _log: list[int | None] = field(default_factory=list)
    """Of each written move, the seat that chose it; None where nobody did."""

    _cut_short_by: int | None = None
    """Who gave up and so ended the game for all."""

    def follow(self, body: StoredBody) -> None:
        """Note an event; all events of the room come here, in order."""
        match body:
            case Joined(person=person, agent=agent):
                (self._programs.add if agent else self._programs.discard)(person)
            case Started(players=players):
                self.seats = [SeatConduct(player.level, player.person not in self._programs and not player.opponent)
                              for player in players]
                self._log, self._cut_short_by = [], None
            case Moved(seat=seat, forced=forced, fallback=fallback):
                self._log.append(None if forced else seat)
                if fallback and seat is not None:
                    self.seats[seat].counts = False
            case TakenBack(seat, moves):
                del self._log[len(self._log) - moves:]
                self.seats[seat].counts = False
            case Handed(seat=seat, level=level):
                if level is not None:
                    self.seats[seat].counts = False
            case Resigned(seat, why, text):
                self.seats[seat].gave_up = why
                if text:
                    self._log.append(None)
                else:
                    self._cut_short_by = seat
            case _:
                pass

    def encounters(self, end: Ended) -> list[Encounter]:
        """Who met whom in the game that ends so."""
        if end.reason == "abandoned":
            return []
        persons = [number for number, seat in enumerate(self.seats) if seat.level is None and self._has_played(number)]
        levels = [number for number, seat in enumerate(self.seats)
                  if seat.level is not None and seat.counts and seat.gave_up != "time"]
        return [Encounter(person, other, self.seats[other].level or 0, _half_points(end, person, other))
                for person in persons for other in levels
                if self._cut_short_by is None or self._cut_short_by in (person, other)]

    def _has_played(self, number: int) -> bool:
        """Did a person play this seat to the end, or far enough to have lost it?"""
        seat = self.seats[number]
        return seat.counts and seat.gave_up != "abandoned" and (
            not seat.gave_up or self._log.count(number) >= PLAYED_MOVES)


def _half_points(end: Ended, person: int, other: int) -> int:
    mine, theirs = end.places[person], end.places[other]
    return 2 if mine < theirs else 1 if mine == theirs else 0
