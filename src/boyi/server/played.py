"""Positions that are being played here: they are not analysed, so that nobody's opponent is an engine of ours.

Refused, each in all its images (`likeness`), are

    the position on the board of every game that is being played, and the `KEPT` before it,
    and what comes at most `LOOKED_BACK` moves after one of these in a game that is asked about by its moves,

so that neither the position before the opponent's move nor the one after a move that a player thinks of is a way
around it. Not counted are the first `OPENING_PLIES` of either game: those positions may be of any game, and nobody can
keep others from them by going back there in a game of their own. A position after the next move that is asked about as
a bare text is not recognised: to know it, every move that anyone might play would have to be tried after every move.

Rooms keep the index up to date, a few microseconds a move; asking looks at no room but those it points to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from boyi.core.position import Position
from boyi.core.record import Record
from boyi.server.likeness import Likeness, likeness, shape_of
from boyi.server.rooms import Room

OPENING_PLIES = 8
"""A position of the first few plies may be of any game: it may be analysed although it is being played."""

KEPT = 3
"""Positions before the present one that are remembered of a game."""

LOOKED_BACK = 2
"""Moves by which a game that is asked about may have gone on from one that is being played."""


def alike(position: Position) -> list[Likeness]:
    """The keys of what is asked about: the position and those before it in its game."""
    start = position.game.start(**position.options).to_text()
    first = OPENING_PLIES if position.start_text == start else 0
    position, keys = position.copy(), list[Likeness]()
    for _ in range(LOOKED_BACK + 1):
        if position.ply >= first and position.turn >= 0:   # else chance is to act
            keys.append(likeness(position))
        if position.ply == 0:
            break
        position.undo()
    return keys


def alike_in(record: Record) -> list[Likeness]:
    """The keys of all positions of a game, for a review of it."""
    first = OPENING_PLIES if record.start is None else 0
    return [likeness(position.observe(None)) for position in record.positions()
            if position.ply >= first and position.turn >= 0]


@dataclass
class Followed:
    """A game that is being played."""

    room: Room
    number: int
    """Which game of the room."""

    totals: dict[int, int] = field(default_factory=dict)
    """By the number of moves before it: the total of a position. The latest stands last."""


class Played:
    """All games that are being played here."""

    def __init__(self) -> None:
        self._games: dict[str, Followed] = {}
        self._rooms: dict[tuple[str, int], set[str]] = defaultdict(set)
        """By game and total, the rooms that have or had such a position."""

    def follow(self, room: Room) -> None:
        """A room has changed."""
        identity, game = room.state.room, room.state.game
        followed = self._games.get(identity)
        if room.state.phase != "playing" or game is None or game.standing.turn is None:
            if followed is not None:
                self.forget(identity)
            return
        if followed is None or followed.number != game.number:
            self.forget(identity)
            followed = self._games[identity] = Followed(room, game.number)
        followed.room = room
        plies = len(game.plies)
        for gone in [known for known in followed.totals if known > plies]:   # taken back
            self._drop(identity, followed, gone)
        if plies >= OPENING_PLIES and plies not in followed.totals:
            total = shape_of(room.refereed.start.board).total(game.stones, game.standing.turn)
            followed.totals[plies] = total
            self._rooms[room.settings.game, total].add(identity)
            for old in list(followed.totals)[:-1 - KEPT]:
                self._drop(identity, followed, old)

    def forget(self, identity: str) -> None:
        """A room is no longer here, or no game is being played in it."""
        followed = self._games.pop(identity, None)
        if followed is not None:
            for plies in list(followed.totals):
                self._drop(identity, followed, plies)

    def _drop(self, identity: str, followed: Followed, plies: int) -> None:
        total = followed.totals.pop(plies)
        if total not in followed.totals.values():   # a position may stand on the board twice
            key = followed.room.settings.game, total
            self._rooms[key].discard(identity)
            if not self._rooms[key]:
                del self._rooms[key]

    def has_any(self, keys: Iterable[Likeness]) -> bool:
        """Is one of these being played?"""
        return any(self._has(self._games[identity], key)
                   for key in keys for identity in self._rooms.get((key.game, key.total), ()))

    def _has(self, followed: Followed, key: Likeness) -> bool:
        referee = followed.room.refereed
        for plies, total in followed.totals.items():
            if total == key.total:
                position = referee.position if plies == len(referee.log) else referee.before(plies)
                if likeness(position.observe(None)) == key:
                    return True
        return False
