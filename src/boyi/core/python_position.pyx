"""The contract for a game in plain Python: rules as functions of a state that never changes."""

from boyi.core.position cimport Position, move_number
from boyi.core.rules cimport Rules
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, key_t, move_t

import hashlib
import math
from collections.abc import Iterable, Mapping, Set
from itertools import islice
from numbers import Real
from operator import index

from boyi.core.errors import BoyiError, BrokenRulesError, TextError, shorten
from boyi.core.words import Words

ROUNDING = 1e-6
"""By how much the likelihoods of what chance may bring may miss 1: rounding, not a mistake."""


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

    What the game answers is checked; a `BrokenRulesError` says which answer broke the contract.
    """

    def __init__(self, game, options):
        Position.__init__(self, game, options)
        players = self._ask("player_count", ())
        if not isinstance(players, int) or not 1 <= players <= MAX_PLAYERS:
            raise self._broken("player_count", f"{shorten(players)} players, not 1 to {MAX_PLAYERS}")
        self.players = players
        self._records(sizeof(move_t))
        self._restart(self._ask("initial", ()))

    @property
    def state(self):
        """The present state."""
        return self._turns[self.ply][0]

    cdef object _broken(self, method, fault):
        return BrokenRulesError(f"{type(self).__name__}.{method}: {fault}")

    cdef object _ask(self, method, tuple arguments):
        """What a method of the game answers; what it raises is its author's mistake, and said as such."""
        return self._guard(method, getattr(self, method), arguments)

    cdef object _guard(self, method, call, tuple arguments):
        try:
            return call(*arguments)
        except (BoyiError, BrokenRulesError, NotImplementedError):   # sentences already
            raise
        except Exception as error:
            at = error.__traceback__
            while at.tb_next is not None:
                at = at.tb_next
            place = f"{at.tb_frame.f_code.co_filename}, line {at.tb_lineno}"
            asked = ", ".join(map(shorten, arguments))
            raise self._broken(method, f"{type(error).__name__}: {error} ({place}), asked with ({asked})") from error

    cdef tuple _ask_numbers(self, method, state):
        """The list of numbers that a method of the game answers; None where it answers None."""
        answer = self._ask(method, (state,))
        if answer is None:
            return None
        if isinstance(answer, (Mapping, Set)) or not isinstance(answer, Iterable):
            raise self._broken(method, f"{shorten(answer)} is not a list of numbers")
        # A generator runs the game's own code still.
        return answer if isinstance(answer, tuple) else self._guard(method, tuple, (islice(answer, MAX_MOVES + 1),))

    cdef str _text(self, state):
        text = self._ask("state_to_text", (state,))
        if not isinstance(text, str):
            raise self._broken("state_to_text", f"{shorten(text)} is not a text")
        return text

    cdef int _restart(self, state) except -1:
        """Begin anew from a state."""
        turn = self._judge(state)
        text = self._text(state)
        self.ply = 0
        self._turns = [turn]
        self._enter(turn)
        self.start_text = text
        return 0

    cdef tuple _judge(self, state):
        """All there is to know of a state: itself, who acts, its key, its final scores."""
        scores = self._scores(state)
        side = self._side(state) if scores is None else OVER
        digest = hashlib.blake2b(repr(state).encode(), digest_size=8).digest()
        return state, side, int.from_bytes(digest, "little"), scores

    cdef tuple _scores(self, state):
        """The final scores of a state; None while the game goes on."""
        scores = self._ask_numbers("final_scores", state)
        if scores is None:
            return None
        if len(scores) != self.players:
            raise self._broken("final_scores", f"{len(scores)} scores for {self.players} players")
        for score in scores:
            if not isinstance(score, Real) or not -1 <= score <= 1:
                raise self._broken("final_scores", f"{shorten(score)} is not a number from -1 to 1")
        return scores

    cdef int _side(self, state) except -3:
        """Who acts in a state in which the game goes on."""
        answer = self._ask("to_act", (state,))
        try:
            side = index(answer)
        except TypeError:
            side = OVER
        if side != CHANCE and not 0 <= side < self.players:
            raise self._broken("to_act", f"{shorten(answer)} is neither a player, 0 to {self.players - 1}, nor CHANCE")
        if side == CHANCE and not self.game.meet_chance():
            raise self._broken("to_act", f"CHANCE, but the GAME of {self.game.name} says has_chance=False: "
                                         "leave that out, and it is found out")
        return side

    cdef int _enter(self, tuple turn) except -1:
        self.side = turn[1]
        self._key = turn[2]
        return 0

    cdef int generate(self, move_t* moves) except -1 nogil:
        cdef int n = 0
        if self.side == OVER:
            return 0
        with gil:
            answer = self._ask_numbers("legal_moves", self.state)
            for move in answer or ():
                if n == MAX_MOVES:
                    raise self._broken("legal_moves", f"more than {MAX_MOVES} moves")
                if move_number(move) < 0:
                    raise self._broken("legal_moves", f"{shorten(move)} is not a number from 0 to {0xFFFFFFFF}")
                moves[n] = <move_t> move_number(move)
                n += 1
            if n == 0:
                raise self._broken("legal_moves", "the game goes on but nobody can move")
        return n

    cdef int make(self, move_t move) except -1 nogil:
        with gil:
            turn = self._judge(self._ask("after", (self.state, move)))
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
            likelihoods = self._ask_numbers("likelihoods", self.state)
            if likelihoods is None:
                likelihoods = (1.0 / n,) * n
            if len(likelihoods) != n:
                raise self._broken("likelihoods", f"{len(likelihoods)} of them for {n} moves")
            for i in range(n):
                if not isinstance(likelihoods[i], Real) or not 0 <= likelihoods[i] <= 1:
                    raise self._broken("likelihoods", f"{shorten(likelihoods[i])} is not a number from 0 to 1")
                odds[i] = likelihoods[i]
            if not math.isclose(sum(likelihoods), 1, abs_tol=ROUNDING):
                raise self._broken("likelihoods", f"they add up to {float(sum(likelihoods)):g} and not to 1")
        return n

    cdef int score(self, double* scores) except -1 nogil:
        with gil:
            for player, value in enumerate(self._turns[self.ply][3]):
                scores[<int> player] = value
        return 0

    cdef int copy_state(self, Rules other) except -1:
        self._turns = list((<PythonPosition> other)._turns)
        self._key = (<PythonPosition> other)._key
        return 0

    def set_text(self, text):
        self._restart(self._ask("text_to_state", (text,)))

    def to_text(self):
        return self._text(self.state)

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
