"""Ending a game before the rules do, where its result is clear. Everything is off unless asked for.

What agents expect (`agents.agent.expectation_of`) is from 0, a sure loss, to 1, a sure win, whatever units they
search in. An agent that does not say, or plays from its book, has no evaluation: with it nothing is agreed.

    draw by value     both have expected about a half for some moves, late enough in the game
    win by value      for some moves the one was sure to win and the other sure to lose
    no progress       for some moves no piece has come to or gone from the board
"""

from __future__ import annotations

from dataclasses import dataclass

from boyi.core.errors import OptionError
from boyi.core.outcome import Outcome
from boyi.core.position import Position
from boyi.core.words import Words

DRAW_MOVES, DRAW_FROM = 8, 40
RESIGN_MOVES = 4


@dataclass(frozen=True, kw_only=True)
class Adjudication:
    """When a game is ended early; every part on its own."""

    draw_after: int | None = None
    """Drawn after this many moves in a row with as many pieces on the board as before."""

    draw_value: float | None = None
    """Drawn when both expect a half, more or less by at most this much ..."""

    draw_moves: int = DRAW_MOVES
    """... for this many of their moves in a row ..."""

    draw_from: int = DRAW_FROM
    """... and this many moves have been made in all."""

    resign_value: float | None = None
    """Lost when one expects at most the rest to 1 and the other at least this much ..."""

    resign_moves: int = RESIGN_MOVES
    """... for this many of their moves in a row."""

    def __post_init__(self) -> None:
        if self.draw_value is not None and not 0 <= self.draw_value < 0.5:
            raise OptionError(f"a draw by value: {self.draw_value:g} is not from 0 to below 0.5; it is how far from a "
                              f"half the expected result may be")
        if self.resign_value is not None and not 0.5 < self.resign_value <= 1:
            raise OptionError(f"a win by value: {self.resign_value:g} is not above 0.5 and up to 1; it is the result "
                              f"that the winner expects")
        for name in ("draw_after", "draw_moves", "resign_moves"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise OptionError(f"{name} is at least 1 move, not {value}")

    def check(self, players: int) -> None:
        """Refuse what has no meaning with this number of players."""
        if players != 2 and (self.draw_value is not None or self.resign_value is not None):
            raise OptionError(f"ending a game by what agents expect is for two players, and here are {players}")

    @property
    def active(self) -> bool:
        return (self.draw_after, self.draw_value, self.resign_value).count(None) < 3


OFF = Adjudication()
"""Games are played to their end."""


class Arbiter:
    """Watches one game and ends it by an `Adjudication`."""

    def __init__(self, adjudication: Adjudication, position: Position) -> None:
        self._rules = adjudication
        self._pieces = -1
        self._last_change = position.ply
        self._even, self._sure, self._lost = ([0] * position.players for _ in range(3))

    def hear(self, seat: int, expectation: float | None) -> None:
        """A player has moved and expects this."""
        rules = self._rules
        # Rounding must not decide: 1 - 0.9 is a little less than 0.1.
        tiny = 1e-9
        for counts, holds in (
                (self._even, expectation is not None and rules.draw_value is not None
                 and abs(expectation - 0.5) <= rules.draw_value + tiny),
                (self._sure, expectation is not None and rules.resign_value is not None
                 and expectation >= rules.resign_value - tiny),
                (self._lost, expectation is not None and rules.resign_value is not None
                 and expectation <= 1 - rules.resign_value + tiny)):
            counts[seat] = counts[seat] + 1 if holds else 0

    def judge(self, position: Position) -> Outcome | None:
        """How the game ends here, if it does."""
        rules = self._rules
        if rules.draw_after is not None:
            pieces = len(position.stones())
            if pieces != self._pieces:
                self._pieces, self._last_change = pieces, position.ply
            if position.ply - self._last_change >= rules.draw_after:
                return _draw(position, "no_progress", Words(
                    f"no piece has come or gone for {rules.draw_after} moves",
                    f"连续 {rules.draw_after} 步棋子数未变，判和"))
        if rules.draw_value is not None and position.ply >= rules.draw_from and min(self._even) >= rules.draw_moves:
            return _draw(position, "agreed_draw", Words("both expect a draw", "双方均认为是和棋，判和"))
        if rules.resign_value is not None:
            for loser in range(position.players):
                if min(self._lost[loser], self._sure[1 - loser]) >= rules.resign_moves:
                    name = position.board.seat_names[loser]
                    return Outcome.of([-1.0 if seat == loser else 1.0 for seat in range(2)], "agreed_win",
                                      Words(f"both expect {name.en} to lose", f"双方均认为{name.zh}必败，判负"))
        return None


def _draw(position: Position, reason: str, words: Words) -> Outcome:
    return Outcome.of([0.0] * position.players, reason, words)
