"""The game of a room as the referee knows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boyi.core.board import Change
from boyi.core.position import OVER, Position
from boyi.core.words import Words
from boyi.games import find_game
from boyi.server.protocol.parts import Settings
from boyi.server.protocol.positions import play_and_describe
from boyi.server.rooms import clock


@dataclass
class Ply:
    """A written move of the game: a decision and what chance added to it."""

    seat: int | None
    text: str
    plies: int
    """How many moves of the position it is."""

    chosen: bool = True
    """A player chose it; else it was the only legal move, a forfeit, or chance alone."""

    is_forfeit: bool = False


class Referee:
    """The position with all its secrets, and how it came about."""

    def __init__(self, settings: Settings, seed: bytes) -> None:
        self.start = find_game(settings.game).start(**settings.options)
        self.position = self.start.copy()
        self.seed = seed
        """What all draws of a game with chance come from."""

        self.log: list[Ply] = []
        self.ended = False
        self.path: list[str] = []
        self.changes: list[Change] = []
        self.drawn: list[Words] = []
        """What the last written move touched, what it changed on the board, and what chance brought."""

        self.banks_ms = [clock.BANK_MS] * settings.players
        """What each seat may still be credited for network lag."""

        self.offered_at: dict[int, int] = {}
        """Per seat, after how many moves it last offered a draw."""

        self.offer_seq = 0
        """The last offer of anything; an answer must have seen it."""

    @property
    def has_secrets(self) -> bool:
        """Does the game show different viewers different things?"""
        return self.position.has_secrets

    @property
    def hides(self) -> bool:
        """Does it do so now? When the game is over everyone may know everything."""
        return self.has_secrets and not self.ended and self.position.turn != OVER

    def play(self, ply: Ply, moves: Sequence[int], *, described: bool = True) -> None:
        """Play a written move, whose numbers are known; what it touched is not worth describing if another follows."""
        if described:
            self.path, self.changes, self.drawn = play_and_describe(self.position, moves)
        else:
            for move in moves:
                self.position.play(move)
        self.log.append(ply)

    def take_back(self, count: int) -> None:
        """Take back the last written moves."""
        kept = len(self.log) - count
        for ply in self.log[kept:]:
            for _ in range(ply.plies):
                self.position.undo()
        del self.log[kept:]

    def moves_of(self, index: int) -> tuple[int, list[int]]:
        """How many moves of the position were made before a written move, and which it is made of."""
        first = sum(ply.plies for ply in self.log[:index])
        return first, self.position.history()[first:first + self.log[index].plies]

    def before(self, index: int) -> Position:
        """The position in which a written move was made."""
        first, _ = self.moves_of(index)
        position = self.position.copy()
        while position.ply > first:
            position.undo()
        return position
