"""Events in the making: a game is played on from where it stands, on a position of the draft's own."""

from __future__ import annotations

from collections.abc import Sequence

from boyi.core.draws import draws_of
from boyi.core.outcome import Outcome
from boyi.core.position import CHANCE
from boyi.server.protocol.events import Ended, Moved
from boyi.server.protocol.parts import Truth
from boyi.server.protocol.positions import describe_stones, describe_tokens
from boyi.server.rooms.commands import Step, Written
from boyi.server.rooms.referee import Referee


class Draft:
    """The steps so far, and the position that they lead to."""

    def __init__(self, referee: Referee, clocks_ms: Sequence[int] | None, rated: bool) -> None:
        self._referee = referee
        self.position = referee.position.copy()
        self._clocks_ms = None if clocks_ms is None else list(clocks_ms)
        self._rated = rated
        self.steps: list[Step] = []

    def move(self, decision: int, seat: int, *, level: int | None = None, forced: bool = False,
             fallback: bool = False, spent_ms: int = 0, credit_ms: int = 0, increment_ms: int = 0) -> None:
        """Play a decision and draw what chance adds to it."""
        position = self.position
        position.play(decision)
        moves = (decision, *self._draw())
        if self._clocks_ms is not None:
            gained = increment_ms if position.turn != seat else 0
            self._clocks_ms = list(self._clocks_ms)   # the one before it is in an event
            self._clocks_ms[seat] = max(0, self._clocks_ms[seat] - spent_ms) + gained
        self.steps.append(Written(Moved(seat, self._write(moves), len(moves), level, forced, fallback, spent_ms,
                                        credit_ms, self._clocks_ms), moves))

    def settle(self) -> None:
        """What comes of itself: chance before the first decision, moves without a choice, the end."""
        position = self.position
        if position.turn == CHANCE:
            drawn = self._draw()
            self.steps.append(Written(Moved(None, self._write(drawn), len(drawn), clocks_ms=self._clocks_ms), drawn))
        while position.turn >= 0:
            forced = position.forced_move()
            if forced is None:
                return
            self.move(forced, position.turn, forced=True)
        outcome = position.outcome()
        if outcome is not None:
            self.end(outcome)

    def end(self, outcome: Outcome) -> None:
        """The game is over; everything that was hidden may be known."""
        referee, position = self._referee, self.position
        truth = None
        if referee.has_secrets:
            texts = [ply.text for ply in referee.log]
            texts += [step.body.text for step in self.steps if isinstance(step, Written)]
            truth = Truth(position.start_text, texts, position.to_text(), describe_stones(position),
                          describe_tokens(position))
        self.steps.append(Ended(list(outcome.places), outcome.reason, outcome.words, self._rated,
                                referee.seed.hex() if position.game.has_chance else "", truth))

    def _draw(self) -> tuple[int, ...]:
        """Play what chance brings, until a player is to act."""
        drawn = []
        while self.position.turn == CHANCE:
            drawn.append(draws_of(self.position.game).draw_move(self.position, self._referee.seed))
            self.position.play(drawn[-1])
        return tuple(drawn)

    def _write(self, moves: Sequence[int]) -> str:
        """The moves just made as one text, in the writing of the position that they were made in."""
        for _ in moves:
            self.position.undo()
        text = self.position.format_moves(moves)
        for move in moves:
            self.position.play(move)
        return text
