from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, Self, SupportsIndex

from boyi.core.board import Board, Change, Covered, Stone
from boyi.core.game import Game, Options
from boyi.core.outcome import Outcome
from boyi.core.words import Words

CHANCE: Final[int]
"""As a turn: not a player but the dice act."""

OVER: Final[int]
"""As a turn: nobody acts any more."""

class Position:
    """A position of some game. Make one with `game.start()` or `game.parse(text)`."""

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
    @property
    def turn(self) -> int:
        """Who acts: a player 0 … n-1, `CHANCE` or `OVER`."""
    @property
    def fingerprint(self) -> int:
        """The 64-bit key of the position, as transposition tables see it."""
    @property
    def symmetric_fingerprint(self) -> int:
        """A key that mirror images of the position share: the fingerprint of one of them, the canonical one."""
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

        It is no decision: whoever runs a game plays it without asking.
        """
    def captures_now(self) -> list[int]:
        """The legal moves that take something, as far as the game tells searches of them at their horizon."""
    def odds(self) -> list[tuple[int, float]]:
        """At a CHANCE turn, what may come and how likely it is: pairs of a move and a probability."""
    def is_legal(self, move: object) -> bool:
        """Is this number one of `moves()`?"""
    def play(self, move: SupportsIndex | str) -> None:
        """Play a move, given as a number or as text in any notation of the game; also a forfeit (see `forfeit`)."""
    def play_null(self) -> bool:
        """Pass the turn as searches do, whatever the rules say of passing; False where they would not.

        The null move stands on the history, as a number that means nothing to anybody else, until `undo` takes it back.
        """
    def undo(self) -> int:
        """Take the last move back and return it."""
    def history(self) -> list[int]:
        """The moves made since `start_text`, as numbers; forfeits among them."""
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
    def reason(self) -> tuple[str, Words]:
        """Of a finished game: why it ended, as a stable name and in words."""
    def explain(self) -> Sequence[Words]:
        """Of a finished game: the reasoning behind the verdict, a sentence (`Words`) each."""
    def status(self) -> Words | None:
        """What the player to act has to do (`Words`), in games with several kinds of actions; else None."""
    def copy(self) -> Self:
        """An independent position with the same history."""

    # ------------------------------------------------------------------ giving up

    def may_resign(self, player: int) -> bool:
        """Is this player still in the game, which goes on?"""
    def forfeit(self, player: int) -> int | None:
        """The move by which a player leaves while the others play on; None where giving up ends the game.

        `moves()` never lists it, so that no search considers it. `play` accepts it from every player who
        `may_resign`, whoever is to act; it is written, read, undone and stands on the history like any other move.
        """
    def is_forfeit(self, move: int) -> bool:
        """Is this move (a number) a player's leaving, now possible or not?"""
    def resign(self, player: int, why: str = "resignation") -> Outcome | None:
        """Let a player give up, whoever is to act; `why` is one of `core.outcome.LOSSES`.

        Where the others play on this makes the player's forfeit and returns `outcome()`, None while the game goes on.
        Where giving up ends the game it returns how, and the position stays as it is.
        """

    # ------------------------------------------------------------------ what is known to whom

    @property
    def has_secrets(self) -> bool:
        """Do players see different things? If not, `observe` is a copy for everybody.

        A game with secrets has an `observe` of its own, and no other game has.
        """
    def observe(self, player: int | None) -> Self:
        """What `player` (None: a spectator) may know of this position. With no secrets in the game: all of it."""
    def pools(self) -> tuple[Covered, ...]:
        """What covered pieces may be, as far as the viewer knows: a `Covered` per seat and kind; () without any."""
    def __sizeof__(self) -> int:
        """The object and its history, in bytes."""
    def __reduce__(self) -> tuple[Callable[..., Position], tuple[Any, ...]]: ...

    # ------------------------------------------------------------------ words and pictures, by the game

    def set_text(self, text: str) -> None:
        """Become the position that `text` describes, with an empty history; `Game.parse` calls it."""
    def to_text(self) -> str:
        """The position as text; `game.parse` reads it back."""
    def format_move(self, move: int) -> str:
        """A move of this position in the game's own writing."""
    def parse_move(self, text: str) -> int:
        """The move that `text`, in the game's own writing, names here: a legal one or a possible forfeit."""
    def parse_moves(self, text: str) -> tuple[int, ...]:
        """As `parse_move`, but the text may also say what chance added: what `format_moves` wrote."""
    def format_moves(self, moves: Sequence[int]) -> str:
        """The counterpart of `parse_moves`: a decision made here and what chance then added, as one text."""
    def path(self, move: int) -> tuple[str, ...]:
        """The points a move touches, in order; empty for one that touches none (a pass)."""
    def stones(self) -> list[Stone]:
        """What stands where: a list of `Stone`."""
    def changes(self, move: int) -> list[Change]:
        """What a move (legal here) does to the board: a list of `Change`."""
    def _refusal(self, shown: str) -> str:
        """The words for a move that is not legal here."""
    def _repr_svg_(self) -> str: ...

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

    What the game answers is checked; a RuntimeError says which answer broke the contract.
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
