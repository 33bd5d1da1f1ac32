"""One game as an environment plays it: actions in; features, masks and scores out; chance acts by itself."""

from __future__ import annotations

from operator import index
from typing import Any, Literal, TypedDict

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from boyi.core.errors import IllegalMoveError, OptionError, shorten
from boyi.core.outcome import Outcome
from boyi.core.position import CHANCE, OVER, Position
from boyi.envs.arrays import encode, encoder_of, legal_actions
from boyi.envs.starting import read_number

__all__ = ["Illegal", "Observation", "Session"]

Illegal = Literal["lose", "raise"]
"""What becomes of one who chooses an action that is not legal: the game is lost, or an error is raised."""


class Observation(TypedDict):
    """What a player is shown."""

    observation: NDArray[np.float32]
    """(encoder.size,): the features of the position as the player last saw it on a turn of their own."""

    action_mask: NDArray[np.int8]
    """(actions,): 1 for what is legal now; all 0 while others act and after the end."""


class Session:
    """A game under way, begun from the same position again and again."""

    def __init__(self, start: Position, *, max_plies: int | None, illegal: Illegal) -> None:
        if illegal not in ("lose", "raise"):
            raise OptionError(f"illegal: {shorten(illegal)} is neither 'lose' nor 'raise'")
        encoder = encoder_of(start)
        self.start = start
        self.players, self.actions, self._size = start.players, encoder.policy_size, encoder.size
        self._illegal = illegal
        self._most = None if max_plies is None else read_number("max_plies", max_plies, 1, 2**31 - 1)
        self.position = start.copy()
        self.plies = 0
        """Decisions since the game began."""

        self.outcome: Outcome | None = None
        """How the game ended by the rules, or by an action that is not legal."""

        self._legal: dict[int, int] = {}
        self._seen = [np.zeros(self._size, np.float32) for _ in range(self.players)]

    def action_space(self) -> spaces.Space[Any]:
        return spaces.Discrete(self.actions)

    def observation_space(self) -> spaces.Space[Any]:
        return spaces.Dict({"observation": spaces.Box(0, 1, (self._size,), np.float32),
                            "action_mask": spaces.Box(0, 1, (self.actions,), np.int8)})

    @property
    def truncated(self) -> bool:
        """Did the limit of plies end the game?"""
        return self.outcome is None and self.plies == self._most

    @property
    def turn(self) -> int:
        """Who acts: a player, or `OVER`."""
        return OVER if self.outcome is not None or self.truncated else self.position.turn

    def begin(self, generator: np.random.Generator) -> None:
        """A new game, in which chance draws from `generator`."""
        self.position = self.start.copy()
        self.plies = 0
        self._seen = [np.zeros(self._size, np.float32) for _ in range(self.players)]
        self._settle(generator)

    def choose(self, action: Any, generator: np.random.Generator) -> None:
        """Make the move that an action stands for."""
        try:
            number = index(action)
        except TypeError:
            raise OptionError(f"{shorten(action)} is not an action: a whole number from 0 to {self.actions - 1}"
                              ) from None
        if number in self._legal:
            self.play(self._legal[number], generator)
        elif self._illegal == "raise":
            shown = ", ".join(map(str, list(self._legal)[:8]))
            more = f" and {len(self._legal) - 8} more" if len(self._legal) > 8 else ""
            raise IllegalMoveError(f"action {number} is not legal here; legal are {shown}{more}")
        else:
            self.outcome = Outcome.off_board(self.position.board.seat_names, self.turn, "illegal_move")
            self._legal = {}

    def play(self, move: int, generator: np.random.Generator) -> None:
        """Make a move."""
        self.position.play(move)
        self.plies += 1
        self._settle(generator)

    def observe(self, player: int) -> Observation:
        """What a player is shown."""
        mask = np.zeros(self.actions, np.int8)
        if player == self.turn:
            mask[list(self._legal)] = 1
        return {"observation": self._seen[player].copy(), "action_mask": mask}

    def _settle(self, generator: np.random.Generator) -> None:
        """Let chance act, then see how the game stands."""
        while self.position.turn == CHANCE:
            self.position.play(_draw(self.position.odds(), generator))
        self.outcome = self.position.outcome()
        self._legal = {}
        if self.outcome is None:
            self._legal = legal_actions(self.position)
            self._seen[self.position.turn] = encode([self.position])[0]


def _draw(odds: list[tuple[int, float]], generator: np.random.Generator) -> int:
    """One of the results of chance, by their odds."""
    at = generator.random()
    for move, share in odds:
        if at < share:
            return move
        at -= share
    return odds[-1][0]
