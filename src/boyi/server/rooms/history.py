"""The course of a game as a viewer may see it, written as it goes on.

Working out what a viewer saw of each move takes long where there are secrets: 100 ms for 300 moves of jieqi. So each
move is worked out once, when the course is first asked for after it, and only a few of them at a time, so that others
have their turn in between. What was written stays, but for moves that are taken back.
"""

from __future__ import annotations

import msgspec

from boyi.server.protocol.messages import PlayedMove
from boyi.server.protocol.positions import describe_stones, describe_tokens, play_and_describe, seat_in_check
from boyi.server.rooms.courses import Course, describe_course
from boyi.server.rooms.referee import Ply, Referee

MOST_PLIES = 8
"""Moves that are worked out at a time: 3 ms of the longest games."""


class History:
    """The moves of a referee's game so far, as JSON."""

    def __init__(self, referee: Referee, viewer: int | None) -> None:
        self.hides = referee.hides
        """Whether it was written while the game hid something; when it is over everything may be known."""

        self._referee = referee
        self._viewer = viewer
        self._walk = referee.start.copy()
        self._before = self._walk.observe(viewer) if self.hides else self._walk
        """What the viewer knew after the moves that are written."""

        self._stones = msgspec.json.encode(describe_stones(self._before))
        self._tokens = msgspec.json.encode(describe_tokens(self._before))
        self._written: list[bytes] = []
        self._plies: list[int] = []
        """Of each move that is written: its JSON, and how many moves of the position it is."""

    def to_json(self) -> str | None:
        """`"stones":[…],"plies":[…],"tokens":…`, up to the present; None if there is more to work out next time."""
        log = self._referee.log
        for ply in log[len(self._written):len(self._written) + MOST_PLIES]:
            self._write(ply)
        if len(self._written) < len(log):
            return None
        return f'"stones":{self._stones.decode()},"plies":[{b",".join(self._written).decode()}],' \
               f'"tokens":{self._tokens.decode()}'

    def take_back(self) -> None:
        """Forget the moves that the referee has forgotten."""
        while len(self._written) > len(self._referee.log):
            self._written.pop()
            for _ in range(self._plies.pop()):
                self._walk.undo()
            self._before = self._walk.observe(self._viewer) if self.hides else self._walk

    def _write(self, ply: Ply) -> None:
        first = self._walk.ply
        made = self._referee.position.history()[first:first + ply.plies]
        course: Course = (ply.text, *play_and_describe(self._walk, made))
        if self.hides:
            after = self._walk.observe(self._viewer)
            course = describe_course(self._before, after, made[0] if ply.seat is not None else None)
            self._before = after
        played = PlayedMove(ply.seat, *course, describe_tokens(self._before),
                            seat_in_check(self._before, self._walk.turn, ply.seat))
        self._written.append(msgspec.json.encode(played))
        self._plies.append(ply.plies)
