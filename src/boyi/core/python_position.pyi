from collections.abc import Sequence
from typing import Any, Final

from boyi.core.position import Position

ROUNDING: Final[float]
"""By how much the likelihoods of what chance may bring may miss 1: rounding, not a mistake."""

class PythonPosition(Position):
    """The contract for a game in plain Python.

    Write the rules as functions of an immutable `state` (numbers, text, tuples)
    and leave the rest to this class, which keeps a list of states: undo is a pop,
    the key is a digest. Override:

        initial() -> state              after(state, move) -> state
        to_act(state) -> player         legal_moves(state) -> list of numbers
        final_scores(state) -> scores per player, or None while the game goes on

    and the words: `state_to_text`, `text_to_state`, `format_move`, `path`,
    `stones`, `changes`, `reason`. A game of other than two players also overrides
    `player_count()`; one with dice lets `to_act` answer `CHANCE`, and where not all
    results are equally likely, overrides `likelihoods(state)`.

    What the game answers is checked; a `BrokenRulesError` says which answer broke the contract.
    """

    @property
    def state(self) -> Any:
        """The present state."""
    def player_count(self) -> int:
        """How many play (the options are known)."""
    def initial(self) -> Any:
        """The state a game begins with."""
    def to_act(self, state: Any) -> int:
        """Who acts: a player, or CHANCE."""
    def legal_moves(self, state: Any) -> Sequence[int]:
        """All moves, as numbers from 0 to 2^32 - 1; at a CHANCE turn, all results that may come."""
    def after(self, state: Any, move: int) -> Any:
        """The state that a move leads to; `state` itself stays as it is."""
    def final_scores(self, state: Any) -> Sequence[float] | None:
        """Per player from 1 to -1 when the game is over, else None."""
    def likelihoods(self, state: Any) -> Sequence[float] | None:
        """At a CHANCE turn, how likely each of `legal_moves(state)` is; None if all are equally so."""
    def state_to_text(self, state: Any) -> str:
        """The state as text; `text_to_state` reads it back."""
    def text_to_state(self, text: str) -> Any:
        """The state that a text describes; a `TextError` in words for what describes none."""
