"""Position: what the author of a game gets for writing `Rules`.

A mutable position that makes a move and takes it back, for people: everything is
checked and answered in words. A position is its start text plus the moves since:
that is what `copy`, `pickle` and worker processes carry.
"""

from cpython.mem cimport PyMem_RawMalloc
from cpython.number cimport PyIndex_Check
from libc.string cimport memcpy

from boyi.core.rules cimport Rules
from boyi.core.types cimport CHANCE as _CHANCE
from boyi.core.types cimport MAX_MOVES, MAX_PLAYERS
from boyi.core.types cimport OVER as _OVER
from boyi.core.types cimport move_t

from operator import index

from boyi.core.drawing import draw
from boyi.core.errors import BrokenRulesError, IllegalMoveError, TextError, shorten
from boyi.core.game import restore
from boyi.core.outcome import Outcome

CHANCE = _CHANCE
OVER = _OVER

JOIN = "~"
"""What stands between a move and each result that chance added to it, where they are written as one text."""


cdef class Position(Rules):
    """A position of some game. Make one with `game.start()` or `game.parse(text)`."""

    # ------------------------------------------------------------------ how it stands

    @property
    def turn(self):
        """Who acts: a player 0 … n-1, `CHANCE` or `OVER`."""
        return _OVER if self.over() else self.side

    @property
    def key(self):
        """The 64-bit key of the position, as transposition tables see it: for dictionaries and sets."""
        return (<Rules> self).key()

    @property
    def fingerprint(self):
        """The older name of `key`."""
        return (<Rules> self).key()

    @property
    def symmetric_fingerprint(self):
        """A key that mirror images of the position share: the fingerprint of one of them, the canonical one."""
        cdef int image
        return self.canonical_key(&image)

    @property
    def image_count(self):
        """How many images of the position share its symmetric fingerprint, itself included; 1 without symmetry."""
        return self.images()

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
        cdef long long number = move_number(move)
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

    # ------------------------------------------------------------------ play

    def moves(self):
        """All legal moves, as numbers; empty when the game is over."""
        cdef move_t moves[MAX_MOVES]
        cdef int i, n = self.generate(moves)
        return [moves[i] for i in range(n)]

    def forced_move(self):
        """The only legal move of the player to act, if it touches no point (a pass and its like), else None.

        It is no decision: a referee plays it without asking.
        """
        cdef move_t moves[MAX_MOVES]
        if self.side < 0 or self.generate(moves) != 1 or self.path(moves[0]):
            return None
        return moves[0]

    def exchange_now(self, move):
        """What a legal move wins once all captures on its square are over, in hundredths of the smallest piece."""
        return self.exchange(self._checked_move(move))

    def captures_now(self):
        """The legal moves that take something, as far as the game tells searches of them at their horizon."""
        cdef move_t moves[MAX_MOVES]
        cdef int i, n = self.captures(moves)
        return [moves[i] for i in range(n)]

    def quiets_now(self):
        """The legal moves that are not among `captures_now()`."""
        cdef move_t moves[MAX_MOVES]
        cdef int i, n = self.quiets(moves)
        return [moves[i] for i in range(n)]

    def taken_now(self, move):
        """The nominal value of what a legal move takes, in hundredths of the smallest piece; 0 if it takes nothing."""
        return self.taken(self._checked_move(move))

    def gives_check(self, move):
        """Is the other side in check after this legal move?"""
        return bool((<Rules> self).gives_check(self._checked_move(move)))

    def exchange_reaches_now(self, move, least):
        """Does a legal move win at least this much, all captures on its square counted, the first reply included?"""
        return bool(self.exchange_reaches(self._checked_move(move), least))

    def promise_now(self, move):
        """How good a legal move looks before it is searched, in units of the searches' histories; 0 if not said."""
        return self.promise(self._checked_move(move))

    def _checked_move(self, move):
        if not self.is_legal(move):
            raise IllegalMoveError(self._refusal(shorten(move)))
        return move

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
        cdef long long number = move_number(move)
        return number >= 0 and self.legal(<move_t> number) == 1

    def play(self, move):
        """Play a move, given as a number or as text in any notation of the game; also a forfeit (see `forfeit`)."""
        cdef int before = self.ply
        cdef long long number = move_number(move)
        if number >= 0 and (self.legal(<move_t> number) or self._may_forfeit(number)):
            self.make(<move_t> number)
        elif isinstance(move, str):
            try:
                for one in self.game.read_move(self, move):
                    if move_number(one) < 0:
                        raise BrokenRulesError(f"{type(self).__name__}: {shorten(move)} is read as {shorten(one)}, "
                                               "which is no number of a move")
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

        The null move is on the history, as a number that means nothing outside the game, until `undo` takes it back.
        """
        return self.make_null() == 1

    def undo(self):
        """Take the last move back and return it."""
        if self.ply == 0:
            raise IllegalMoveError("there is no move to take back")
        cdef move_t move = (<move_t*> self.record(self.ply - 1))[0]
        self.unmake()
        return move

    def settled_score(self, player):
        """The final score of a player for whom it is certain already, while others may play on; else None."""
        cdef double score = 0
        if not isinstance(player, int) or not 0 <= player < self.players:
            raise IllegalMoveError(f"{shorten(player)} is not a player: 0 to {self.players - 1} are")
        return score if self.settled(player, &score) else None

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

    def copy(self):
        """An independent position with the same history."""
        cdef Position other = type(self).__new__(type(self))
        other.game = self.game
        other.options = self.options
        other.players = self.players
        other.staged = self.staged
        other.has_checks = self.has_checks
        other.has_promises = self.has_promises
        other.start_text = self.start_text
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
        """Let a player give up, on any turn; `why` is one of `core.outcome.LOSSES`.

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

    def __eq__(self, other):
        """The same game by the same rules, from the same start by the same moves, as far as the viewer knows.

        A position is played on and so has no hash: for dictionaries and sets there is `key`.
        """
        cdef Position that
        if not isinstance(other, Position):
            return NotImplemented
        that = other
        return (self.game is that.game and self.ply == that.ply and self.start_text == that.start_text
                and self.options == that.options and self.history() == that.history()
                and self.to_text() == that.to_text())

    # ------------------------------------------------------------------ what is known to whom

    @property
    def has_secrets(self):
        """Do players see different things? If not, `observe` is a copy for everybody.

        A game with secrets has an `observe` of its own, and no other game has.
        """
        return type(self).observe is not Rules.observe

    def __sizeof__(self):
        """The object and its history, in bytes."""
        return type(self).__basicsize__ + <size_t> self._capacity * self._record_bytes

    def __reduce__(self):
        return restore, (self.game, dict(self.options), self.start_text, self.history())

    # ------------------------------------------------------------------ texts and pictures

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
        """As `parse_move`, but the text may also say what chance added: what `format_moves` wrote.

        A game that overrides this reads results of chance in its own way, right behind the move (jieqi's `b2e2R`).
        """
        try:
            return (self.parse_move(text),)
        except (IllegalMoveError, TextError):
            moves = None
            if isinstance(text, str):
                moves = self._parse_joined(text) if JOIN in text else self._parse_run_together(text)
            if moves is None:
                raise
            return moves

    def _parse_joined(self, text):
        """The moves whose names make up this text; None if the first is not legal, an error if chance cannot follow."""
        cdef int before = self.ply
        first, *results = text.split(JOIN)
        try:
            moves = [self.parse_move(first)]
        except (IllegalMoveError, TextError):
            return None
        try:
            self.make(<move_t> moves[0])
            for name in results:
                if self.side != _CHANCE:
                    raise IllegalMoveError(f"{shorten(text)}: chance has nothing to add; leave out {JOIN}{name}")
                moves.append(self.parse_move(name))
                self.make(<move_t> moves[-1])
        finally:
            self.unmake_to(before)
        return tuple(moves)

    def _parse_run_together(self, text):
        """The same without anything between the names, as version 0.1.0 wrote them."""
        for move in self.moves():
            name = self.format_move(move)
            if name == text:
                return (move,)
            if name and text.startswith(name):
                self.make(move)
                try:
                    results = self._parse_run_together(text[len(name):]) if self.side == _CHANCE else None
                finally:
                    self.unmake()
                if results is not None:
                    return (move, *results)
        return None

    def format_moves(self, moves):
        """The counterpart of `parse_moves`: a decision made here and what chance then added, as one text.

        Their names are joined by `~`; where the game reads them in its own way, with nothing between them.
        """
        cdef int before = self.ply
        names = []
        try:
            for move in moves:
                names.append(self.format_move(move))
                self.play(move)
        finally:
            self.unmake_to(before)
        return (JOIN if type(self).parse_moves is Position.parse_moves else "").join(names)

    def __str__(self):
        return draw(self, "text")

    def __repr__(self):
        return f"<{self.game.name} {self.to_text()}>"

    def _repr_svg_(self):
        return draw(self, "svg")


cdef long long move_number(object move) except -2:
    """A move given as any kind of whole number (numpy's too); -1 for what cannot be one."""
    if not PyIndex_Check(move):
        return -1
    number = index(move)
    return number if 0 <= number <= 0xFFFFFFFF else -1


def __getattr__(name):
    """Games that `boyi new` of version 0.1.0 wrote import PythonPosition from here, where it was."""
    if name == "PythonPosition":
        from boyi.core.python_position import PythonPosition
        return PythonPosition
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
