"""Position: a mutable position that can make a move and take it back.

There are two sides to it. The C side (`generate`, `make`, `unmake`, `key`, ...)
trusts its caller, runs without the GIL and allocates nothing per move; searches
live there. The Python side (`moves`, `play`, `undo`, `outcome`, ...) checks
everything and speaks in words; people live there.

History is on the position's own stack, so that repetition and move limits need
no second object. A position is its start text plus the moves since: that is
what `copy`, `pickle` and worker processes carry.

`PythonPosition` is the same contract for a game written in plain Python.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from cpython.number cimport PyIndex_Check
from libc.string cimport memcpy

from boyi.core.types cimport CHANCE as _CHANCE
from boyi.core.types cimport MAX_MOVES, MAX_PLAYERS
from boyi.core.types cimport OVER as _OVER
from boyi.core.types cimport key_t, move_t

import hashlib
from operator import index

from boyi.core.drawing import draw
from boyi.core.errors import BoyiError, IllegalMoveError, TextError, shorten
from boyi.core.game import restore
from boyi.core.outcome import Outcome
from boyi.core.words import Words

CHANCE = _CHANCE
OVER = _OVER


cdef class Position:
    """A position of some game. Make one with `game.start()` or `game.parse(text)`."""

    def __init__(self, game, options):
        self.game = game
        self.options = options
        self.players = 2
        self.start_text = None

    def __dealloc__(self):
        PyMem_RawFree(self._stack)

    # ------------------------------------------------------------------ the C side

    cdef int generate(self, move_t* moves) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not generate moves")

    cdef int count(self) except -1 nogil:
        cdef move_t moves[MAX_MOVES]
        return self.generate(moves)

    cdef int legal(self, move_t move) except -1 nogil:
        cdef move_t moves[MAX_MOVES]
        cdef int i
        for i in range(self.generate(moves)):
            if moves[i] == move:
                return 1
        return 0

    cdef int over(self) except -1 nogil:
        return self.side == _OVER or self.count() == 0

    cdef int make(self, move_t move) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not make moves")

    cdef int unmake(self) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not take moves back")

    cdef key_t key(self) noexcept nogil:
        return 0

    cdef key_t fresh_key(self) except? 0 nogil:
        return self.key()

    cdef int score(self, double* scores) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not score finished games")

    cdef int chances(self, move_t* moves, double* odds) except -1 nogil:
        return 0

    cdef int captures(self, move_t* moves) except -1 nogil:
        return 0

    cdef int exchange(self, move_t move) except? -32768 nogil:
        return 0

    cdef int make_null(self) except -1 nogil:
        return 0

    cdef int repeated(self) except -1 nogil:
        return FRESH

    cdef int last_occurrence(self) except -2 nogil:
        return -1

    cdef int settled(self, int player, double* score) except -1 nogil:
        return 0

    cdef int in_check(self) except -1 nogil:
        return 0

    cdef int repetition(self) except -1 nogil:
        return 0

    cdef key_t canonical_key(self, int* image) except? 0 nogil:
        image[0] = 0
        return self.key()

    cdef move_t image_of(self, move_t move, int image) noexcept nogil:
        return move

    cdef move_t original_of(self, move_t move, int image) noexcept nogil:
        return move

    cdef int _records(self, int record_bytes) except -1:
        self._record_bytes = record_bytes
        self._capacity = 0
        return self._grow()

    cdef int _grow(self) except -1 nogil:
        cdef int capacity = 2 * self._capacity if self._capacity else 64
        cdef char* larger = <char*> PyMem_RawRealloc(self._stack, <size_t> capacity * self._record_bytes)
        if larger == NULL:
            with gil:
                raise MemoryError(f"no room for a history of {capacity} moves")
        self._stack = larger
        self._capacity = capacity
        return 0

    cdef int copy_state(self, Position other) except -1:
        raise NotImplementedError(f"{type(self).__name__} does not copy its state")

    # ------------------------------------------------------------------ the Python side

    @property
    def turn(self):
        """Who acts: a player 0 … n-1, `CHANCE` or `OVER`."""
        return _OVER if self.over() else self.side

    @property
    def fingerprint(self):
        """The 64-bit key of the position, as transposition tables see it."""
        return self.key()

    @property
    def symmetric_fingerprint(self):
        """A key that mirror images of the position share: the fingerprint of one of them, the canonical one."""
        cdef int image
        return self.canonical_key(&image)

    def to_canonical(self, move):
        """A legal move as it is in the canonical image, whose fingerprint is `symmetric_fingerprint`."""
        cdef int image
        if not self.is_legal(move):
            raise IllegalMoveError(self._refusal(shorten(move)))
        self.canonical_key(&image)
        return self.image_of(<move_t> move, image)

    def from_canonical(self, move):
        """The legal move here that `to_canonical`, in this position or an image of it, made this one of."""
        cdef int image
        cdef long long number = _number(move)
        cdef move_t here
        self.canonical_key(&image)
        if number >= 0:
            here = self.original_of(<move_t> number, image)
            if self.legal(here) and self.image_of(here, image) == <move_t> number:
                return here
        raise IllegalMoveError(f"{shorten(move)} is no move of the canonical image of this position")

    def recomputed_fingerprint(self):
        """The key computed from nothing; differs from `fingerprint` only by a bug."""
        return self.fresh_key()

    @property
    def checked(self):
        """Is the side to act in check (for games that know checks)?"""
        return bool(self.in_check())

    @property
    def repetitions(self):
        """How often this very position stood on the board before in this game."""
        return self.repetition()

    @property
    def repeat_result(self):
        """What this position, if it is a repetition, means for the player to act, as searches take it.

        "draws", "wins" or "loses"; "fresh" for one that is no repetition, and in games that do not judge repetitions.
        """
        return ("fresh", "draws", "wins", "loses")[self.repeated()]

    @property
    def board(self):
        """The geometry this position is drawn on."""
        return self.game.board(self.options)

    def moves(self):
        """All legal moves, as numbers; empty when the game is over."""
        cdef move_t moves[MAX_MOVES]
        cdef int i, n = self.generate(moves)
        return [moves[i] for i in range(n)]

    def forced_move(self):
        """The only legal move of the player to act, if it touches no point (a pass and its like), else None.

        It is no decision: whoever runs a game plays it without asking.
        """
        cdef move_t moves[MAX_MOVES]
        if self.side < 0 or self.generate(moves) != 1 or self.path(moves[0]):
            return None
        return moves[0]

    def captures_now(self):
        """The legal moves that take something, as far as the game tells searches of them at their horizon."""
        cdef move_t moves[MAX_MOVES]
        cdef int i, n = self.captures(moves)
        return [moves[i] for i in range(n)]

    def odds(self):
        """At a CHANCE turn, what may come and how likely it is: pairs of a move and a probability."""
        cdef move_t moves[MAX_MOVES]
        cdef double odds[MAX_MOVES]
        cdef int i, n
        if self.side != _CHANCE:
            return []
        n = self.chances(moves, odds)
        return [(moves[i], odds[i]) for i in range(n)]

    def is_legal(self, move):
        """Is this number one of `moves()`?"""
        cdef long long number = _number(move)
        return number >= 0 and self.legal(<move_t> number) == 1

    def play(self, move):
        """Play a move, given as a number or as text in any notation of the game; also a forfeit (see `forfeit`)."""
        cdef int before = self.ply
        cdef long long number = _number(move)
        if number >= 0 and (self.legal(<move_t> number) or self._may_forfeit(number)):
            self.make(<move_t> number)
        elif isinstance(move, str):
            try:
                for one in self.game.read_move(self, move):
                    self.play(one)
            except BaseException:
                self.unmake_to(before)
                raise
        else:
            raise IllegalMoveError(self._refusal(shorten(move)))

    def _refusal(self, shown):
        """The words for a move that is not legal here."""
        legal = self.moves()
        if not legal:
            return f"{shown} cannot be played: the game is over ({self.outcome().words})"
        examples = ", ".join(self.format_move(move) for move in legal[:8])
        more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
        return f"{shown} is not a legal move here; legal are {examples}{more}"

    def play_null(self):
        """Pass the turn as searches do, whatever the rules say of passing; False where they would not.

        The null move stands on the history, as a number that means nothing to anybody else, until `undo` takes it back.
        """
        return self.make_null() == 1

    def undo(self):
        """Take the last move back and return it."""
        if self.ply == 0:
            raise IllegalMoveError("there is no move to take back")
        cdef move_t move = (<move_t*> self.record(self.ply - 1))[0]
        self.unmake()
        return move

    def history(self):
        """The moves made since `start_text`, as numbers; forfeits among them."""
        cdef int i
        return [(<move_t*> self.record(i))[0] for i in range(self.ply)]

    def outcome(self):
        """How the game ended, or None while it goes on."""
        cdef double scores[MAX_PLAYERS]
        cdef int i
        if not self.over():
            return None
        self.score(scores)
        reason, words = self.reason()
        return Outcome.of([scores[i] for i in range(self.players)], reason, words)

    def reason(self):
        """Of a finished game: why it ended, as a stable name and in words."""
        raise NotImplementedError(f"{type(self).__name__} gives no reasons")

    def explain(self):
        """Of a finished game: the reasoning behind the verdict, a sentence (`Words`) each."""
        return ()

    def status(self):
        """What the player to act has to do (`Words`), in games with several kinds of actions; else None."""
        return None

    def copy(self):
        """An independent position with the same history."""
        cdef Position other = type(self).__new__(type(self))
        other.game = self.game
        other.options = self.options
        other.players = self.players
        other.start_text = self.start_text
        other.finished_is_leaf = self.finished_is_leaf
        other.side = self.side
        other.ply = self.ply
        other._record_bytes = self._record_bytes
        other._capacity = self._capacity
        if self._stack != NULL:
            other._stack = <char*> PyMem_RawMalloc(<size_t> self._capacity * self._record_bytes)
            if other._stack == NULL:
                raise MemoryError("no room for a copy of the history")
            memcpy(other._stack, self._stack, <size_t> self.ply * self._record_bytes)
        other.copy_state(self)
        return other

    # ------------------------------------------------------------------ giving up

    def may_resign(self, player):
        """Is this player still in the game, which goes on?"""
        return isinstance(player, int) and 0 <= player < self.players and not self.over()

    def forfeit(self, player):
        """The move by which a player leaves while the others play on; None where giving up ends the game.

        `moves()` never lists it, so that no search considers it. `play` accepts it from every player who
        `may_resign`, whoever is to act; it is written, read, undone and stands on the history like any other move.
        """
        return None

    def is_forfeit(self, move):
        """Is this move (a number) a player's leaving, now possible or not?"""
        return self._leaver(move) is not None

    def _leaver(self, move):
        """The player who leaves by this move, or None."""
        for player in range(self.players):
            if self.forfeit(player) == move:
                return player
        return None

    def _may_forfeit(self, move):
        leaver = self._leaver(move)
        return leaver is not None and self.may_resign(leaver)

    def resign(self, player, why="resignation"):
        """Let a player give up, whoever is to act; `why` is one of `core.outcome.LOSSES`.

        Where the others play on this makes the player's forfeit and returns `outcome()`, None while the game goes on.
        Where giving up ends the game it returns how, and the position stays as it is.
        """
        if not isinstance(player, int) or not 0 <= player < self.players:
            raise IllegalMoveError(f"{shorten(player)} is not a player: 0 to {self.players - 1} are")
        if self.over():
            raise IllegalMoveError(f"nobody can resign: the game is over ({self.outcome().words})")
        seat_names = self.board.seat_names
        if not self.may_resign(player):
            raise IllegalMoveError(f"{seat_names[player]} cannot resign: this player is no longer in the game")
        outcome = Outcome.off_board(seat_names, player, why)
        move = self.forfeit(player)
        if move is None:
            return outcome
        self.make(<move_t> move)
        return self.outcome()

    # ------------------------------------------------------------------ what is known to whom

    @property
    def has_secrets(self):
        """Do players see different things? If not, `observe` is a copy for everybody.

        A game with secrets has an `observe` of its own, and no other game has.
        """
        return type(self).observe is not Position.observe

    def observe(self, player):
        """What `player` (None: a spectator) may know of this position. With no secrets in the game: all of it."""
        return self.copy()

    def pools(self):
        """What covered pieces may be, as far as the viewer knows: a `Covered` per seat and kind; () without any."""
        return ()

    def __sizeof__(self):
        """The object and its history, in bytes."""
        return type(self).__basicsize__ + <size_t> self._capacity * self._record_bytes

    def __reduce__(self):
        return restore, (self.game, dict(self.options), self.start_text, self.history())

    # ------------------------------------------------------------------ words and pictures, by the game

    def set_text(self, text):
        """Become the position that `text` describes, with an empty history; `Game.parse` calls it."""
        raise NotImplementedError(f"{type(self).__name__} reads no text")

    def to_text(self):
        """The position as text; `game.parse` reads it back."""
        raise NotImplementedError(f"{type(self).__name__} writes no text")

    def format_move(self, move):
        """A move of this position in the game's own writing."""
        raise NotImplementedError(f"{type(self).__name__} writes no moves")

    def parse_move(self, text):
        """The move that `text`, in the game's own writing, names here: a legal one or a possible forfeit."""
        for move in self.moves():
            if self.format_move(move) == text:
                return move
        for player in range(self.players):
            move = self.forfeit(player)
            if move is not None and self.may_resign(player) and self.format_move(move) == text:
                return move
        raise IllegalMoveError(self._refusal(shorten(text)))

    def parse_moves(self, text):
        """As `parse_move`, but the text may also say what chance added: what `format_moves` wrote."""
        try:
            return (self.parse_move(text),)
        except BoyiError:
            moves = self._parse_with_chance(text) if self.game.has_chance and isinstance(text, str) else None
            if moves is None:
                raise
            return moves

    def _parse_with_chance(self, text):
        """The move that begins a text and the results of chance that follow it there, or None."""
        for move in self.moves():
            name = self.format_move(move)
            if name == text:
                return (move,)
            if name and text.startswith(name):
                self.make(move)
                try:
                    results = self._parse_with_chance(text[len(name):]) if self.side == _CHANCE else None
                finally:
                    self.unmake()
                if results is not None:
                    return (move, *results)
        return None

    def format_moves(self, moves):
        """The counterpart of `parse_moves`: a decision made here and what chance then added, as one text."""
        cdef int before = self.ply
        text = ""
        try:
            for move in moves:
                text += self.format_move(move)
                self.play(move)
        finally:
            self.unmake_to(before)
        return text

    def path(self, move):
        """The points a move touches, in order; empty for one that touches none (a pass)."""
        raise NotImplementedError(f"{type(self).__name__} draws no moves")

    def stones(self):
        """What stands where: a list of `Stone`."""
        raise NotImplementedError(f"{type(self).__name__} shows no stones")

    def changes(self, move):
        """What a move (legal here) does to the board: a list of `Change`."""
        raise NotImplementedError(f"{type(self).__name__} shows no changes")

    def __str__(self):
        return draw(self, "text")

    def __repr__(self):
        return f"<{self.game.name} {self.to_text()}>"

    def _repr_svg_(self):
        return draw(self, "svg")


cdef long long _number(object move) except -2:
    """A move given as any kind of whole number (numpy's too); -1 for what cannot be one."""
    if not PyIndex_Check(move):
        return -1
    number = index(move)
    return number if 0 <= number <= 0xFFFFFFFF else -1


cdef class PythonPosition(Position):
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

    def __init__(self, game, options):
        Position.__init__(self, game, options)
        self.players = self.player_count()
        if not 1 <= self.players <= MAX_PLAYERS:
            raise self._broken("player_count", f"{self.players} players, not 1 to {MAX_PLAYERS}")
        self._records(sizeof(move_t))
        self._restart(self.initial())

    @property
    def state(self):
        """The present state."""
        return self._turns[self.ply][0]

    cdef object _broken(self, method, fault):
        return RuntimeError(f"{type(self).__name__}.{method}: {fault}")

    cdef int _restart(self, state) except -1:
        """Begin anew from a state."""
        turn = self._judge(state)
        text = self.state_to_text(state)
        self.ply = 0
        self._turns = [turn]
        self._enter(turn)
        self.start_text = text
        return 0

    cdef tuple _judge(self, state):
        """All there is to know of a state: itself, who acts, its key."""
        scores = self.final_scores(state)
        side = self.to_act(state) if scores is None else _OVER
        if scores is not None and len(scores) != self.players:
            raise self._broken("final_scores", f"{len(scores)} scores for {self.players} players")
        if scores is None and not (side == _CHANCE or side in range(self.players)):
            raise self._broken("to_act", f"{side!r} is neither a player, 0 to {self.players - 1}, nor CHANCE")
        digest = hashlib.blake2b(repr(state).encode(), digest_size=8).digest()
        return state, side, int.from_bytes(digest, "little")

    cdef int _enter(self, tuple turn) except -1:
        self.side = turn[1]
        self._key = turn[2]
        return 0

    cdef int generate(self, move_t* moves) except -1 nogil:
        cdef int n = 0
        if self.side == _OVER:
            return 0
        with gil:
            for move in self.legal_moves(self.state):
                if n == MAX_MOVES:
                    raise self._broken("legal_moves", f"more than {MAX_MOVES} moves")
                if _number(move) < 0:
                    raise self._broken("legal_moves", f"{move!r} is not a number from 0 to {0xFFFFFFFF}")
                moves[n] = <move_t> _number(move)
                n += 1
            if n == 0:
                raise self._broken("legal_moves", "the game goes on but nobody can move")
        return n

    cdef int make(self, move_t move) except -1 nogil:
        with gil:
            turn = self._judge(self.after(self.state, move))
            (<move_t*> self.push())[0] = move
            self._turns.append(turn)
            self._enter(turn)
        return 0

    cdef int unmake(self) except -1 nogil:
        self.pop()
        with gil:
            self._turns.pop()
            self._enter(self._turns[self.ply])
        return 0

    cdef key_t key(self) noexcept nogil:
        return self._key

    cdef key_t fresh_key(self) except? 0 nogil:
        with gil:
            return <key_t> self._judge(self.state)[2]

    cdef int repetition(self) except -1 nogil:
        cdef int before = 0, i
        with gil:
            for i in range(self.ply):
                before += self._turns[i][0] == self.state
        return before

    cdef int chances(self, move_t* moves, double* odds) except -1 nogil:
        cdef int n = self.generate(moves), i
        with gil:
            likelihoods = self.likelihoods(self.state)
            if likelihoods is None:
                likelihoods = [1.0 / n] * n
            if len(likelihoods) != n:
                raise self._broken("likelihoods", f"{len(likelihoods)} of them for {n} moves")
            for i in range(n):
                odds[i] = likelihoods[i]
        return n

    cdef int score(self, double* scores) except -1 nogil:
        with gil:
            for player, value in enumerate(self.final_scores(self.state)):
                scores[<int> player] = value
        return 0

    cdef int copy_state(self, Position other) except -1:
        self._turns = list((<PythonPosition> other)._turns)
        self._key = (<PythonPosition> other)._key
        return 0

    def set_text(self, text):
        self._restart(self.text_to_state(text))

    def to_text(self):
        return self.state_to_text(self.state)

    # ------------------------------------------------------------------ the rules, by the game

    def player_count(self):
        """How many play (the options are known)."""
        return 2

    def initial(self):
        """The state a game begins with."""
        raise NotImplementedError(f"{type(self).__name__} does not say how a game begins")

    def to_act(self, state):
        """Who acts: a player, or CHANCE."""
        raise NotImplementedError(f"{type(self).__name__} does not say who acts")

    def legal_moves(self, state):
        """All moves, as numbers from 0 to 2^32 - 1; at a CHANCE turn, all results that may come."""
        raise NotImplementedError(f"{type(self).__name__} does not generate moves")

    def after(self, state, move):
        """The state that a move leads to; `state` itself stays as it is."""
        raise NotImplementedError(f"{type(self).__name__} does not make moves")

    def final_scores(self, state):
        """Per player from 1 to -1 when the game is over, else None."""
        raise NotImplementedError(f"{type(self).__name__} does not say when a game is over")

    def likelihoods(self, state):
        """At a CHANCE turn, how likely each of `legal_moves(state)` is; None if all are equally so."""
        return None

    def state_to_text(self, state):
        """The state as text; `text_to_state` reads it back."""
        raise NotImplementedError(f"{type(self).__name__} writes no text")

    def text_to_state(self, text):
        """The state that a text describes; a `TextError` in words for what describes none."""
        raise TextError("this game reads no text")

    def reason(self):
        return "finished", Words("the game is finished", "对局结束")
