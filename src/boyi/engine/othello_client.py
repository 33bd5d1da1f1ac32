"""An agent that plays on an Othello server (`othello_lines` has the messages).

The server shows boards, not moves. An agent may want the game, so the moves between two boards are looked for;
where there are none (a game that began elsewhere, a server with other rules) the board is where the game begins.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from dataclasses import dataclass

from boyi.agents.agent import Agent, Clock
from boyi.core.errors import BoyiError, TextError, shorten
from boyi.core.game import Game
from boyi.core.position import OVER, Position
from boyi.engine.othello_lines import DISCS, SIGNS, Wire, format_put, parse_board, parse_colour

CONNECTING_SECONDS = 10.0
MOVES_BETWEEN = 2
"""Most moves, passes not counted, that are looked for between two boards."""


class ServerError(BoyiError, RuntimeError):
    """A server that cannot be reached, or that does not keep to the protocol."""


@dataclass(frozen=True)
class Finished:
    """A game that was played on a server."""

    colour: int
    """The player we were."""

    discs: tuple[int, int]
    """Black's and white's, on the last board that was shown."""

    moves: int
    """How many we made."""

    words: str
    """What the server said at the end."""

    @property
    def result(self) -> int:
        """1 for a win, 0 for a draw, -1 for a loss: as the server says, if it names a winner, or else by discs."""
        said = self.words.partition(" ")[0]
        lead = int(said) if said in DISCS else self.discs[0] - self.discs[1]
        return ((lead > 0) - (lead < 0)) * (1 if self.colour == 0 else -1)


def connect(host: str, port: int) -> Wire:
    """A connection to a server."""
    try:
        return Wire(socket.create_connection((host, port), CONNECTING_SECONDS))
    except (OSError, UnicodeError) as error:
        raise ServerError(f"there is no server at {shorten(host)[1:-1]}:{port}: {error}") from error


def play_on_server(wire: Wire, name: str, game: Game, agent: Agent, *, timeout: float,
                   hear: Callable[[str], None] = lambda line: None) -> Finished:
    """Play one game to its end; `hear` is given every line of the server."""
    board, colour, moves, position = "", None, 0, None
    try:
        wire.send(f"NICK {' '.join(name.split())}")
        while True:
            line = wire.receive(timeout)
            hear(line)
            word, _, rest = line.partition(" ")
            if word == "START":
                colour = parse_colour(rest.strip())
            elif word == "BOARD":
                board = parse_board(rest)
            elif word == "TURN":
                turn = parse_colour(rest.strip())
                if colour is None or not board:
                    raise ServerError("the server says who is to move before START and BOARD")
                position = follow(position, game, board, turn)
                if turn == colour:
                    if position.turn != turn or not position.path(position.moves()[0]):
                        raise ServerError(f"the server wants a move of {SIGNS[turn]}, and there is none")
                    move = agent.choose(position.observe(turn), Clock())
                    wire.send(format_put(position.format_move(move)))
                    moves += 1
            elif word in ("END", "CLOSE"):
                if colour is None:
                    raise ServerError(f"the server ends before the game began: {shorten(line)}")
                return Finished(colour, (board.count("X"), board.count("O")), moves, rest.strip())
    except TimeoutError:
        raise ServerError(f"the server has said nothing for {timeout:g} seconds") from None
    except EOFError as error:
        raise ServerError(f"the server has gone: {error}") from None
    finally:
        with contextlib.suppress(EOFError):    # it may have left first
            wire.send("CLOSE")
        wire.close()


def follow(position: Position | None, game: Game, board: str, turn: int) -> Position:
    """The position of a board and a turn, if need be with the moves that led there from the last one."""
    found = None if position is None else _find(position, f"{board} {'XO'[turn]}", MOVES_BETWEEN)
    if found is not None:
        return found
    try:
        return game.parse(f"{board} {'XO'[turn]}")
    except TextError as error:
        raise ServerError(f"the server shows a board that cannot be: {error}") from error


def _find(position: Position, text: str, moves: int) -> Position | None:
    if position.to_text() == text:
        return position
    if position.turn == OVER:
        return None
    for move in position.moves():
        is_pass = not position.path(move)
        if is_pass or moves > 0:
            trial = position.copy()
            trial.play(move)
            found = _find(trial, text, moves if is_pass else moves - 1)
            if found is not None:
                return found
    return None
