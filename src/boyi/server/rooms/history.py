"""The course of a game as a viewer may see it, written as it goes on.

Working out what a viewer saw of each move takes long where there are secrets: 40 ms for a long game of jieqi. So each
move is worked out once, when the course is first asked for after it, and what was written of the moves before it stays.
"""

from __future__ import annotations

import msgspec

from boyi.server.protocol.messages import PlayedMove
from boyi.server.protocol.positions import describe_stones, play_and_describe
from boyi.server.rooms.courses import describe_course
from boyi.server.rooms.referee import Referee


class History:
    """The moves of a referee's game so far, as JSON. Not to be used any more when moves have been taken back."""

    def __init__(self, referee: Referee, viewer: int | None) -> None:
        self.hides = referee.hides
        """Whether it was written while the game hid something; when it is over everything may be known."""

        self._referee = referee
        self._viewer = viewer
        self._walk = referee.start.copy()
        self._before = self._walk.observe(viewer) if self.hides else self._walk
        self._stones = msgspec.json.encode(describe_stones(self._before))
        self._plies = bytearray()
        self._written = 0
        """How many written moves are in it."""

    def to_json(self) -> str:
        """`"stones":[…],"plies":[…]`, up to the present."""
        for ply in self._referee.log[self._written:]:
            made = self._referee.position.history()[self._walk.ply:self._walk.ply + ply.plies]
            path, changes = play_and_describe(self._walk, made)
            text = ply.text
            if self.hides:
                after = self._walk.observe(self._viewer)
                text, path, changes = describe_course(self._before, after, made[0] if ply.seat is not None else None)
                self._before = after
            if self._plies:
                self._plies += b","
            self._plies += msgspec.json.encode(PlayedMove(ply.seat, text, path, changes))
            self._written += 1
        return f'"stones":{self._stones.decode()},"plies":[{self._plies.decode()}]'
