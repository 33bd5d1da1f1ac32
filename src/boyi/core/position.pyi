from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, Literal, Self, SupportsIndex

from boyi.core.board import Board
from boyi.core.outcome import Outcome
from boyi.core.python_position import PythonPosition as PythonPosition
from boyi.core.rules import Rules

CHANCE: Final[int]
"""As a turn: not a player but the dice act."""

OVER: Final[int]
"""As a turn: nobody acts any more."""

JOIN: Final[str]
"""What stands between a move and each result that chance added to it, where they are written as one text."""

class Position(Rules):
    """A position of some game. Make one with `game.start()` or `game.parse(text)`."""

    # ------------------------------------------------------------------ how it stands

    @property
    def turn(self) -> int:
        """Who acts: a player 0 … n-1, `CHANCE` or `OVER`."""
    @property
    def key(self) -> int:
        """The 64-bit key of the position, as transposition tables see it: for dictionaries and sets."""
    @property
    def fingerprint(self) -> int:
        """The older name of `key`."""
    @property
    def symmetric_fingerprint(self) -> int:
        """A key that mirror images of the position share: the fingerprint of one of them, the canonical one."""
    @property
    def image_count(self) -> int:
        """How many images of the position share its symmetric fingerprint, itself included; 1 without symmetry."""
    def to_canonical(self, move: int) -> int:
        """A legal move as it is in the canonical image, whose fingerprint is `symmetric_fingerprint`."""
    def from_canonical(self, move: int) -> int:
        """The legal move here that `to_canonical`, in this position or an image of it, made this one of."""
    def recomputed_fingerprint(self) -> int:
        """The key computed from nothing; differs from `fingerprint` only by a bug."""
    @property
    def checked(self) -> bool:
        """Is the side to act in check (for games that know checks)?"""
    @property
    def repetitions(self) -> int:
        """How often this very position stood on the board before in this game."""
    @property
    def repeat_result(self) -> Literal["fresh", "draws", "wins", "loses"]:
        """What this position, if it is a repetition, means for the player to act, as searches take it.

        "draws", "wins" or "loses"; "fresh" for one that is no repetition, and in games that do not judge repetitions.
        """
    @property
    def board(self) -> Board:
        """The geometry this position is drawn on."""

    # ------------------------------------------------------------------ play

    def moves(self) -> list[int]:
        """All legal moves, as numbers; empty when the game is over."""
    def forced_move(self) -> int | None:
        """The only legal move of the player to act, if it touches no point (a pass and its like), else None.

        It is no decision: a referee plays it without asking.
        """
    def exchange_now(self, move: int) -> int:
        """What a legal move wins once all captures on its square are over, in hundredths of the smallest piece."""
    def captures_now(self) -> list[int]:
        """The legal moves that take something, as far as the game tells searches of them at their horizon."""
    def quiets_now(self) -> list[int]:
        """The legal moves that are not among `captures_now()`."""
    def taken_now(self, move: int) -> int:
        """The nominal value of what a legal move takes, in hundredths of the smallest piece; 0 if it takes nothing."""
    def gives_check(self, move: int) -> bool:
        """Is the other side in check after this legal move?"""
    def exchange_reaches_now(self, move: int, least: int) -> bool:
        """Does a legal move win at least this much, all captures on its square counted, the first reply included?"""
    def promise_now(self, move: int) -> int:
        """How good a legal move looks before it is searched, in units of the searches' histories; 0 if not said."""
    def odds(self) -> list[tuple[int, float]]:
        """At a CHANCE turn, what may come and how likely it is: pairs of a move and a probability."""
    def is_legal(self, move: object) -> bool:
        """Is this number one of `moves()`?"""
    def play(self, move: SupportsIndex | str) -> None:
        """Play a move, given as a number or as text in any notation of the game; also a forfeit (see `forfeit`)."""
    def play_null(self) -> bool:
        """Pass the turn as searches do, whatever the rules say of passing; False where they would not.

        The null move is on the history, as a number that means nothing outside the game, until `undo` takes it back.
        """
    def undo(self) -> int:
        """Take the last move back and return it."""
    def settled_score(self, player: int) -> float | None:
        """The final score of a player for whom it is certain already, while others may play on; else None."""
    def history(self) -> list[int]:
        """The moves made since `start_text`, as numbers; forfeits among them."""
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
    def copy(self) -> Self:
        """An independent position with the same history."""

    # ------------------------------------------------------------------ giving up

    def is_forfeit(self, move: int) -> bool:
        """Is this move (a number) a player's leaving, now possible or not?"""
    def resign(self, player: int, why: str = "resignation") -> Outcome | None:
        """Let a player give up, on any turn; `why` is one of `core.outcome.LOSSES`.

        Where the others play on this makes the player's forfeit and returns `outcome()`, None while the game goes on.
        Where giving up ends the game it returns how, and the position stays as it is.
        """

    def __eq__(self, other: object) -> bool:
        """The same game by the same rules, from the same start by the same moves, as far as the viewer knows.

        A position is played on and so has no hash: for dictionaries and sets there is `key`.
        """
    __hash__: ClassVar[None]  # type: ignore[assignment]

    # ------------------------------------------------------------------ what is known to whom

    @property
    def has_secrets(self) -> bool:
        """Do players see different things? If not, `observe` is a copy for everybody.

        A game with secrets has an `observe` of its own, and no other game has.
        """
    def __sizeof__(self) -> int:
        """The object and its history, in bytes."""
    def __reduce__(self) -> tuple[Callable[..., Position], tuple[Any, ...]]: ...

    # ------------------------------------------------------------------ texts and pictures

    def parse_move(self, text: str) -> int:
        """The move that `text`, in the game's own writing, names here: a legal one or a possible forfeit."""
    def parse_moves(self, text: str) -> tuple[int, ...]:
        """As `parse_move`, but the text may also say what chance added: what `format_moves` wrote.

        A game that overrides this reads results of chance in its own way, right behind the move (jieqi's `b2e2R`).
        """
    def format_moves(self, moves: Sequence[int]) -> str:
        """The counterpart of `parse_moves`: a decision made here and what chance then added, as one text.

        Their names are joined by `~`; where the game reads them in its own way, with nothing between them.
        """
    def _refusal(self, shown: str) -> str:
        """The words for a move that is not legal here."""
    def _repr_svg_(self) -> str: ...
