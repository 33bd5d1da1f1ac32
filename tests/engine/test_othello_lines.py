"""The seed's Othello server and client: messages, whole games, and whoever does not keep to them."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

import pytest

import boyi
from boyi.agents import make_agent
from boyi.agents.agent import Clock
from boyi.core.errors import OptionError, TextError
from boyi.core.position import Position
from boyi.engine.othello_client import Finished, ServerError, connect, follow, play_on_server
from boyi.engine.othello_lines import LONGEST_LINE, Wire, format_board, format_put, parse_board, parse_put
from boyi.engine.othello_server import Served, Server
from boyi.games import find_game
from tests.scale import scaled

GAME = find_game("othello")
START = boyi.start("othello").to_text()[:64]


# ---------------------------------------------------------------------- messages

def test_a_board_is_written_column_by_column() -> None:
    position = boyi.start("othello")
    position.play("f5")
    numbers = format_board(position.to_text()).split()
    assert numbers[8 * 5 + 4] == "1"         # f5: column 5, row 4
    assert numbers[8 * 5 + 3] == "0"
    assert numbers.count("1") == 4
    assert parse_board(" ".join(numbers)) == position.to_text()[:64]


@pytest.mark.parametrize("point", ["a1", "h8", "f5", "c7"])
def test_points_come_back(point: str) -> None:
    assert parse_put(format_put(point).removeprefix("PUT ")) == point


@pytest.mark.parametrize("text", ["", "1", "8 0", "-1 3", "x y", "1 2 3", "١ ١", "1.0 2"])
def test_other_puts_are_refused(text: str) -> None:
    with pytest.raises(TextError, match="a column and a row"):
        parse_put(text)


@pytest.mark.parametrize("text", ["", "0", "0 " * 63, "0 " * 65, "2 " * 64, "x " * 64])
def test_other_boards_are_refused(text: str) -> None:
    with pytest.raises(TextError, match="64 numbers"):
        parse_board(text)


def test_the_moves_between_two_boards_are_found() -> None:
    position, walk = boyi.start("othello"), boyi.start("othello")
    for move in ("f5", "d6"):
        walk.play(move)
    found = follow(position, GAME, walk.to_text()[:64], 0)
    assert found.history() == walk.history()
    for move in ("c3", "d3", "c4"):
        walk.play(move)
    assert follow(position, GAME, walk.to_text()[:64], walk.turn).ply == 0      # too far: it begins here


# ---------------------------------------------------------------------- games

@contextlib.contextmanager
def serving(games: int, *, seconds: float = 60.0, opponent: str | None = None) -> Iterator[tuple[Server, list[Served]]]:
    played: list[Served] = []
    server = Server(GAME, "127.0.0.1", 0, seconds=seconds,
                    opponent=None if opponent is None else (opponent, lambda: make_agent(opponent)))
    thread = threading.Thread(target=server.serve, args=(games, played.append))
    thread.start()
    try:
        yield server, played
        thread.join(60)
        assert not thread.is_alive()
    finally:
        server.close()


def client(server: Server, name: str, spec: str, finished: list[Finished]) -> threading.Thread:
    def work() -> None:
        finished.append(play_on_server(connect("127.0.0.1", server.port), name, GAME, make_agent(spec), timeout=60))
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_two_clients_play_whole_games() -> None:
    for number in range(scaled(30)):
        finished: list[Finished] = []
        with serving(1) as (server, played):
            threads = [client(server, name, f"random:seed={number}{seed}", finished)
                       for seed, name in enumerate(("Ada", "Grace"))]
            for thread in threads:
                thread.join(60)
        (served,) = played
        assert sorted(served.names) == ["Ada", "Grace"]
        assert served.reason == "no_moves"
        walk = boyi.start("othello")
        for move in served.moves:
            walk.play(move)
        outcome = walk.outcome()
        assert outcome is not None
        assert served.winner == outcome.winner
        assert sorted(one.colour for one in finished) == [0, 1]
        assert all(one.discs == served.discs for one in finished)
        assert finished[0].result == -finished[1].result
        assert sum(one.moves for one in finished) == len([move for move in served.moves if move != "pass"])


def test_the_server_can_play_itself() -> None:
    finished: list[Finished] = []
    with serving(2, opponent="alphabeta:nodes=50") as (server, played):
        for name in ("Ada", "Grace"):
            client(server, name, "random:seed=1", finished).join(60)
    assert [one.colour for one in finished] == [0, 1]      # black and white in turn
    assert {name for served in played for name in served.names} == {"Ada", "Grace", "alphabeta:nodes=50"}


class Scripted:
    """A client that says what it is told to."""

    def __init__(self, server: Server) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), 10)
        self.wire = Wire(self.socket)

    def until(self, word: str) -> str:
        while True:
            line = self.wire.receive(30)
            if line.startswith(word):
                return line


def start_game(server: Server) -> tuple[Scripted, Scripted]:
    black, white = Scripted(server), Scripted(server)
    assert black.until("START") == "START 1"
    assert white.until("START") == "START -1"
    assert black.until("BOARD") == f"BOARD {format_board(START)}"
    assert black.until("TURN") == "TURN 1"
    return black, white


MISBEHAVIOURS: dict[str, tuple[Callable[[Scripted], None], str]] = {
    "leaves": (lambda one: one.socket.close(), "disconnected"),
    "closes": (lambda one: one.wire.send("CLOSE"), "closed"),
    "plays what is illegal": (lambda one: one.wire.send("PUT 0 0\n" * 5), "errors"),
    "talks nonsense": (lambda one: one.wire.send("XYZZY 1\n" * 5), "errors"),
    "sends bytes": (lambda one: one.socket.sendall(b"\xff\0\n" * 50), "errors"),
    "never ends a line": (lambda one: one.socket.sendall(b"x" * 3 * LONGEST_LINE), "disconnected"),
    "says nothing": (lambda one: None, "timeout"),
    "only chats": (lambda one: one.wire.send("SAY hello"), "timeout"),
}


@pytest.mark.parametrize("behaviour", MISBEHAVIOURS)
def test_who_misbehaves_loses_and_the_server_goes_on(behaviour: str) -> None:
    act, reason = MISBEHAVIOURS[behaviour]
    with serving(2, seconds=0.3 if reason == "timeout" else 30.0) as (server, played):
        black, white = start_game(server)
        act(black)
        assert white.until("END") == f"END -1 2 2 {reason}"
        white.wire.send("CLOSE")
        white.socket.close()
        black.socket.close()
        finished: list[Finished] = []
        threads = [client(server, name, "random:seed=1", finished) for name in ("Ada", "Grace")]
        for thread in threads:
            thread.join(60)
    assert len(played) == 2
    assert reason in [served.reason for served in played]
    if reason != "timeout":       # with so little time nobody can be sure to finish
        assert "no_moves" in [served.reason for served in played]


def test_an_illegal_move_may_be_made_again() -> None:
    with serving(1) as (server, _):
        black, white = start_game(server)
        black.wire.send("NICK  Ada \x07 ")
        black.wire.send("PUT 0 0")
        assert "not a legal move" in black.until("ERROR")
        assert black.until("TURN") == "TURN 1"
        black.wire.send("PUT 5 4")
        assert white.until("TURN -1") == "TURN -1"
        white.wire.send("CLOSE")
        assert black.until("END") == "END 1 4 1 closed"
        black.wire.send("CLOSE")
        black.wire.close()
        white.wire.close()


def test_short_lines_are_not_held_back() -> None:
    """Else every move would wait for an acknowledgement that the other machine delays."""
    with (socket.create_server(("127.0.0.1", 0)) as listener,
          contextlib.closing(connect("127.0.0.1", listener.getsockname()[1])) as wire):
        assert wire._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


# ---------------------------------------------------------------------- servers that misbehave

@contextlib.contextmanager
def false_server(*lines: str, end: bool = True) -> Iterator[int]:
    """A server that says these lines to its first client, whatever he says."""
    listener = socket.create_server(("127.0.0.1", 0))
    done = threading.Event()

    def work() -> None:
        connection, _ = listener.accept()
        with connection, contextlib.suppress(OSError):       # a client that has left
            connection.sendall("".join(f"{line}\n" for line in lines).encode())
            if not end:
                done.wait(60)
            else:
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1000):
                    pass
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        done.set()
        thread.join(60)
        listener.close()


BOARD = f"BOARD {format_board(START)}"
EMPTY = "BOARD " + " ".join(["0"] * 64)


@pytest.mark.parametrize(("lines", "words"), [
    ((), "the server has gone"),
    (("START 1", BOARD), "the server has gone"),
    (("TURN 1",), "before START and BOARD"),
    (("START 2",), "a colour is 1"),
    (("START 1", "BOARD 1 2 3"), "64 numbers"),
    (("START 1", EMPTY, "TURN 1"), "there is none"),
    (("END",), "before the game began"),
    (("x" * 3 * LONGEST_LINE,), "without end"),
])
def test_servers_that_do_not_keep_to_it(lines: tuple[str, ...], words: str) -> None:
    with false_server(*lines) as port, pytest.raises((ServerError, TextError), match=words):
        play_on_server(connect("127.0.0.1", port), "Ada", GAME, make_agent("random:seed=1"), timeout=30)


def test_a_silent_server_is_left() -> None:
    with false_server("START 1", end=False) as port, pytest.raises(ServerError, match=r"nothing for 0\.2 seconds"):
        play_on_server(connect("127.0.0.1", port), "Ada", GAME, make_agent("random:seed=1"), timeout=0.2)


def test_what_is_not_understood_is_passed_over() -> None:
    heard: list[str] = []
    with false_server("NICK?", "SAY hello", "START -1", "ERROR 3", BOARD, "TURN 1", "", "END all over") as port:
        finished = play_on_server(connect("127.0.0.1", port), "Ada", GAME, make_agent("random:seed=1"), timeout=30,
                                  hear=heard.append)
    assert finished == Finished(1, (2, 2), 0, "all over")
    assert finished.result == 0
    assert "SAY hello" in heard


def test_agents_that_want_the_game_see_it() -> None:
    """The server shows boards; an engine that keeps the game is told moves."""
    seen: list[int] = []

    class Watching:
        def choose(self, observation: Position, clock: Clock) -> int:
            seen.append(observation.ply)
            assert observation.start_text == boyi.start("othello").to_text()
            return observation.moves()[0]

    with serving(1, opponent="random:seed=2") as (server, _):
        play_on_server(connect("127.0.0.1", server.port), "Ada", GAME, Watching(), timeout=60)
    assert seen[0] == 0
    assert len(seen) > 10


def test_there_is_no_server() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(OptionError, match="cannot listen"):
            Server(GAME, "127.0.0.1", port, seconds=1)
    with pytest.raises(ServerError, match="there is no server"):
        connect("127.0.0.1", port)
