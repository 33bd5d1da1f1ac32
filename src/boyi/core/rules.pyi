from collections.abc import Sequence
from typing import Self

from boyi.core.board import Change, Covered, Stone
from boyi.core.game import Game, Options
from boyi.core.token import Token
from boyi.core.words import Words

class Rules:
    """What the author of a game writes; always used as a `core.position.Position`."""

    def __init__(self, game: Game, options: Options) -> None: ...

    # ------------------------------------------------------------------ facts

    @property
    def game(self) -> Game:
        """The game it belongs to."""
    @property
    def options(self) -> Options:
        """The rule options it is played under."""
    @property
    def players(self) -> int:
        """How many play."""
    @property
    def start_text(self) -> str:
        """The position that `history()` was played from."""
    @property
    def ply(self) -> int:
        """How many moves were made since `start_text`."""

    # ------------------------------------------------------------------ the words: must

    def set_text(self, text: str) -> None:
        """Become the position that `text` describes, with an empty history; `Game.parse` calls it."""
    def to_text(self) -> str:
        """The position as text; `game.parse` reads it back."""
    def format_move(self, move: int) -> str:
        """A move of this position in the game's own writing."""
    def path(self, move: int) -> tuple[str, ...]:
        """The points a move touches, in order; empty for one that touches none (a pass)."""
    def stones(self) -> list[Stone]:
        """What stands where: a list of `Stone`."""
    def changes(self, move: int) -> list[Change]:
        """What a move (legal here) does to the board: a list of `Change`."""
    def reason(self) -> tuple[str, Words]:
        """Of a finished game: why it ended, as a stable name and in words."""

    # ------------------------------------------------------------------ the words: may

    def explain(self) -> Sequence[Words]:
        """Of a finished game: the reasoning behind the verdict, a sentence (`Words`) each."""
    def status(self) -> Words | None:
        """What the player to act has to do (`Words`), in games with several kinds of actions; else None."""
    def stage(self) -> Words | None:
        """Which part of the game this is (`Words`), in games that have parts: placing, then moving; else None."""
    def tokens(self) -> Sequence[Token]:
        """What lies beside the board, to be seen by whoever may know this position: a sequence of `Token`."""
    def chance_words(self, move: int) -> Words:
        """At a CHANCE turn, what a result is announced as (`Words`), with its subject: "Red rolls 4"."""
    def may_resign(self, player: int) -> bool:
        """Is this player still in the game, which goes on?"""
    def forfeit(self, player: int) -> int | None:
        """The move by which a player leaves while the others play on; None where giving up ends the game.

        `moves()` never lists it, so that no search considers it. `play` accepts it from every player who
        `may_resign`, on any turn; it is written, read, undone and stands on the history like any other move.
        """
    def observe(self, player: int | None) -> Self:
        """What `player` (None: a spectator) may know of this position. With no secrets in the game: all of it."""
    def pools(self) -> tuple[Covered, ...]:
        """What covered pieces may be, as far as the viewer knows: a `Covered` per seat and kind; () without any."""
