"""An Othello server of the seed's kind (`othello_lines` has the messages), to play on and to test clients with.

Whoever connects is seated: two clients play each other, the first one black; or, where the server has an agent, each
client plays it, black and white in turn. The server knows the rules and keeps the clock. A move that is none is
answered by ERROR and may be made again, a few times; who breaks off, leaves or takes too long has lost.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from boyi.agents.agent import Agent, AgentError, Clock, close_agent
from boyi.core.errors import BoyiError, OptionError, shorten
from boyi.core.game import Game
from boyi.core.position import OVER, Position
from boyi.engine.othello_lines import SIGNS, Wire, format_board, parse_put

MOST_ERRORS = 5
LONGEST_NAME = 40
GOODBYE_SECONDS = 2.0
WAITING = 16
"""So many clients may wait to be seated."""


class Forfeit(Exception):  # noqa: N818 - it is an event of the game, not an error
    """A player has lost the game away from the board."""


class Seat:
    """A client at the board."""

    def __init__(self, wire: Wire, name: str) -> None:
        self.name = name
        self._wire = wire
        self._errors = 0

    def tell(self, line: str) -> None:
        """Say something; who no longer listens will be missed at his turn."""
        with contextlib.suppress(EOFError):
            self._wire.send(line)

    def ask(self, position: Position, seconds: float) -> int:
        """The client's move."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self._wire.receive(deadline - time.monotonic())
            except TimeoutError:
                raise Forfeit("timeout") from None
            except EOFError:
                raise Forfeit("disconnected") from None
            word, _, rest = line.partition(" ")
            if word == "CLOSE":
                raise Forfeit("closed")
            if word == "NICK":
                self.rename(rest)
            elif word == "PUT":
                try:
                    return position.parse_move(parse_put(rest.strip()))
                except BoyiError as error:
                    self._refuse(" ".join(str(error).split()))
                self.tell(f"TURN {SIGNS[position.turn]}")
            elif word != "SAY":
                self._refuse(f"unknown message {shorten(word)}")

    def rename(self, name: str) -> None:
        kept = "".join(letter for letter in name.strip() if letter.isprintable())[:LONGEST_NAME]
        self.name = kept or self.name

    def _refuse(self, words: str) -> None:
        self.tell(f"ERROR {words}")
        self._errors += 1
        if self._errors >= MOST_ERRORS:
            raise Forfeit("errors")

    def leave(self) -> None:
        """Wait a little for a good-bye: who closes first cuts off what the other has not read."""
        self.tell("CLOSE")
        deadline = time.monotonic() + GOODBYE_SECONDS
        with contextlib.suppress(EOFError, TimeoutError):
            while self._wire.receive(deadline - time.monotonic()) != "CLOSE":
                pass
        self._wire.close()


class AgentSeat:
    """The server's own player."""

    def __init__(self, agent: Agent, name: str) -> None:
        self.name = name
        self._agent = agent

    def tell(self, line: str) -> None:
        """It sees the board."""

    def ask(self, position: Position, seconds: float) -> int:
        try:
            return self._agent.choose(position.observe(position.turn), Clock())
        except AgentError as error:
            raise Forfeit(error.fault) from error

    def leave(self) -> None:
        close_agent(self._agent)


@dataclass(frozen=True)
class Served:
    """A game that was played here."""

    names: tuple[str, str]
    discs: tuple[int, int]
    winner: int | None
    reason: str
    """How it ended: as the rules have it, or what the loser did."""

    moves: tuple[str, ...]


def referee(game: Game, seats: tuple[Seat | AgentSeat, Seat | AgentSeat], seconds: float) -> Served:
    """One game, to its end."""
    position, loser, reason = game.start(), None, ""
    for seat, sign in zip(seats, SIGNS, strict=True):
        seat.tell(f"START {sign}")
    _show(position, seats)
    while position.turn != OVER:
        forced = position.forced_move()
        if forced is not None:           # nobody is asked to pass
            position.play(forced)
            continue
        for seat in seats:
            seat.tell(f"TURN {SIGNS[position.turn]}")
        try:
            position.play(seats[position.turn].ask(position, seconds))
        except Forfeit as forfeit:
            loser, reason = position.turn, str(forfeit)
            break
        _show(position, seats)
    outcome = position.outcome()
    if outcome is not None:
        winner, reason = outcome.winner, outcome.reason
    else:
        winner = None if loser is None else 1 - loser
    board = position.to_text().split()[0]
    discs = (board.count("X"), board.count("O"))
    for seat in seats:
        seat.tell(f"END {0 if winner is None else SIGNS[winner]} {discs[0]} {discs[1]} {reason}")
    for seat in seats:
        seat.leave()
    walk, moves = game.start(), []
    for move in position.history():
        moves.append(walk.format_move(move))
        walk.play(move)
    return Served((seats[0].name, seats[1].name), discs, winner, reason, tuple(moves))


def _show(position: Position, seats: tuple[Seat | AgentSeat, Seat | AgentSeat]) -> None:
    for seat in seats:
        seat.tell(f"BOARD {format_board(position.to_text())}")


class Server:
    """Takes connections and lets them play, every game in a thread of its own."""

    def __init__(self, game: Game, host: str, port: int, *, seconds: float,
                 opponent: tuple[str, Callable[[], Agent]] | None = None) -> None:
        try:
            self._socket = socket.create_server((host, port), backlog=WAITING)
        except (OSError, OverflowError, UnicodeError) as error:
            raise OptionError(f"cannot listen at {shorten(host)[1:-1]}:{port}: {error}") from error
        self.port: int = self._socket.getsockname()[1]
        """Where it listens; of interest if it was asked for port 0, which is any."""

        self._game = game
        self._seconds = seconds
        self._opponent = opponent
        self._told = threading.Lock()

    def serve(self, games: int | None, told: Callable[[Served], None]) -> None:
        """Have so many games played, or without end; `told` hears of each, never of two at once."""
        threads: list[threading.Thread] = []
        began = 0
        while games is None or began < games:
            seats = self._seat(began)
            thread = threading.Thread(target=self._play, args=(seats, told), daemon=True)
            thread.start()
            threads = [*(other for other in threads if other.is_alive()), thread]
            began += 1
        for thread in threads:
            thread.join()

    def _play(self, seats: tuple[Seat | AgentSeat, Seat | AgentSeat], told: Callable[[Served], None]) -> None:
        served = referee(self._game, seats, self._seconds)
        with self._told:
            told(served)

    def _seat(self, number: int) -> tuple[Seat | AgentSeat, Seat | AgentSeat]:
        """Wait for those who play the next game."""
        first = Seat(Wire(self._socket.accept()[0]), f"guest {2 * number + 1}")
        if self._opponent is None:
            return first, Seat(Wire(self._socket.accept()[0]), f"guest {2 * number + 2}")
        name, make = self._opponent
        own = AgentSeat(make(), name)
        return (own, first) if number % 2 else (first, own)

    def close(self) -> None:
        self._socket.close()
