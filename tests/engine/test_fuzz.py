"""Protocol fuzz: commands in any order, bytes in any order, enormous lines, the end of the input at any moment.

Whatever comes, an engine answers what must be answered, says nothing that is no text of ours, and ends.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boyi.engine import LONGEST_LINE, run
from boyi.games import find_game
from tests.engine import SPEAKERS
from tests.scale import scaled, some_of

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
COVERED = "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX w R2A2C2P5N2B2r2a2c2p5n2b2 0 1"
OTHELLO = ("(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]"
           "B[F5]W[D6];)")

GO = ["go infinite", "go depth 1", "go depth 3", "go nodes 200", "go movetime 1", "go wtime 10 btime 10 winc 1 binc 1",
      "go ponder wtime 20 btime 20", "go ponder", "ponderhit", "stop", "go perft 1", "go perft 9", "go mate 1", "go",
      "go depth x", "go searchmoves", "go depth 1 searchmoves a1a2 xyzzy", "go infinite searchmoves h3e3", "isready"]
UCI = [*GO, "uci", "ucinewgame", "position startpos", "position", "position fen", "position startpos moves",
       "position fen x y z", "setoption name Hash value 1", "setoption name MultiPV value 3",
       "setoption name Clear Hash", "setoption name Threads value 2", "setoption", "setoption name", "d", "debug on",
       "setoption name Hash value 999999999999", "xyzzy", "register later"]
COMMANDS: dict[tuple[str, str], list[str]] = {
    ("xiangqi", "uci"): [*UCI, f"position fen {START} moves h3e3", "position startpos moves h2e2",
                         "position startpos moves h3e3 h10g8 a1a9",
                         "setoption name Ranks value 0", "setoption name UCI_Variant value xiangqi"],
    ("jieqi", "uci"): [*UCI, f"position fen {COVERED}", "position startpos moves b2e2R", "position startpos moves b2e2",
                       "position startpos moves b2b9Rn a9b9"],
    ("xiangqi", "ucci"): [*GO, "ucci", "position startpos moves h2e2", "banmoves h9g7 h7e7", "banmoves", "banmoves x",
                          f"position fen {START}", "setoption newgame", "setoption usemillisec true",
                          "setoption usemillisec false", "setoption Clear_Hash", "setoption MultiPV 2", "setoption x y",
                          "go time 5 movestogo 1", "go time 5 increment 1 opptime 5 oppincrement 1", "go ponder time 5",
                          "ponderhit draw", "probe"],
    ("xiangqi", "xboard"): ["xboard", "protover 2", "new", "variant xiangqi", "variant crazyhouse", "force", "go",
                            "playother", "usermove h2e2", "usermove h9g7", "h7e7", "usermove a0a9", "usermove", "undo",
                            "remove", "?", "hard", "easy", "post", "nopost", "analyze", "exit", ".", "hint", "bk",
                            "st 0.01", "sd 1", "sd 3", "level 40 0:01 0", "level 0 0:01 0.01", "level x", "time 2",
                            "otim 2", "time", "memory 1", "cores 2", "cores x", "option MultiPV=2", "option Clear Hash",
                            "option x", "result 1-0 {x}", "setboard 4k4/R8/9/9/9/9/9/9/8R/3K5 w 0 1", "setboard x",
                            "setboard 4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1", "draw", "computer", "rating 1 2", "ping"],
    ("othello", "gtp"): ["name", "2 version", "list_commands", "known_command play", "known_command", "boardsize 8",
                         "boardsize 19", "boardsize", "clear_board", "play b f5", "play w d6", "play black pass",
                         "play w", "play", "genmove b", "genmove w", "reg_genmove b", "genmove", "undo", "showboard",
                         "time_settings 0 0.02 1", "time_settings 0.05 0 0", "time_settings", "time_left b 0.01 0",
                         "time_left w 1 x", "komi 0", "set_game Othello", "set_game Go", "final_score", "# a comment",
                         "xyzzy", "99999999999 name"],
    ("othello", "nboard"): ["nboard 2", "set depth 1", "set depth 3", "set depth x", f"set game {OTHELLO}",
                            "set game x", "set game", "set contempt 0", "set x y", "set", "move F5", "move PA",
                            "move a1//0.1", "move", "hint 2", "hint x", "go", "ping x", "learn", "xyzzy"],
}
FIRST = {("xiangqi", "xboard"): ["st 0.01"], ("othello", "gtp"): ["time_settings 0 0.02 1"],
         ("othello", "nboard"): ["set depth 2"]}
"""So that moves are made quickly."""

SIGNALS = {"uci": ("isready", "readyok"), "ucci": ("isready", "readyok"), "xboard": ("ping {0}", "pong {0}"),
           "gtp": ("{0} known_command name", "={0} true"), "nboard": ("ping {0}", "pong {0}")}
"""What an engine must answer in any state, and how."""


def converse(game: str, protocol: str, lines: list[bytes]) -> list[str]:
    """All that an engine says to these lines; it must come to an end."""
    said: list[str] = []
    failures: list[threading.ExceptHookArgs] = []
    ordinary, threading.excepthook = threading.excepthook, failures.append
    try:
        listener = threading.Thread(target=run, args=(find_game(game), protocol, iter(lines), said.append))
        listener.start()
        listener.join(120)
        assert not listener.is_alive(), f"no end after {lines}"
    finally:
        threading.excepthook = ordinary
    assert not failures, (failures, lines)
    return "\n".join(said).split("\n")


def sessions(commands: list[str]) -> st.SearchStrategy[list[bytes]]:
    """Mostly commands, some of them cut off or spoilt, and some noise."""
    command = st.sampled_from(commands).map(str.encode)
    cut = st.tuples(command, st.integers(0, 20)).map(lambda pair: pair[0][:pair[1]])
    spoilt = st.tuples(command, st.binary(max_size=4)).map(lambda pair: pair[0] + pair[1])
    long = st.tuples(command, st.integers(1, 5000)).map(lambda pair: pair[0] + b" 1" * pair[1])
    return st.lists(st.one_of(command, command, command, cut, spoilt, long, st.binary(max_size=30)), max_size=25)


@pytest.mark.parametrize(("game", "protocol"), SPEAKERS)
@settings(max_examples=scaled(200, 20), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_session(game: str, protocol: str, data: st.DataObject) -> None:
    session = data.draw(sessions(COMMANDS[game, protocol]))
    signal, answer = SIGNALS[protocol]
    lines, expected = [line.encode() for line in FIRST.get((game, protocol), ())], []
    for number, line in enumerate(session):
        lines.append(line.replace(b"quit", b"exit"))
        if number % 3 == 0:
            lines.append(signal.format(1000 + number).encode())
            expected.append(answer.format(1000 + number))
    lines = [part + b"\n" for line in lines for part in line.split(b"\n")]
    said = converse(game, protocol, lines)
    assert "Traceback" not in "\n".join(said)
    answered = iter(said)
    assert all(signal in answered for signal in expected), (lines, said)      # all of them, in this order
    if protocol in ("uci", "ucci"):
        texts = [line.decode(errors="replace").replace("\0", "x").split() for line in lines]
        asked = [words for words in texts if words[:1] == ["go"]
                 and not re.search(r"\bperft -?[0-9]{1,16}( |$)", " ".join(words))]
        best = [line for line in said if re.match(r"bestmove \S|nobestmove$", line)]
        assert len(best) == len(asked), (lines, said)


@pytest.mark.parametrize(("game", "protocol", "go"), some_of([
    ("xiangqi", "uci", "go infinite"), ("xiangqi", "ucci", "go infinite"), ("xiangqi", "xboard", "st 600\ngo"),
    ("othello", "gtp", "time_settings 0 600 1\ngenmove black"), ("othello", "nboard", "set depth 60\ngo"),
    ("jieqi", "uci", "go infinite")], 3))
@pytest.mark.parametrize("end", ["", pytest.param("quit\n", marks=pytest.mark.slow)])
def test_a_process_that_hears_anything(game: str, protocol: str, go: str, end: str) -> None:
    """The whole program: noise, a line longer than it reads, bytes that are no text, and the end during a search."""
    noise = [os.urandom(200).replace(b"quit", b"exit") for _ in range(20)] + [b"\xff\xfe go \x80", b"\0" * 100]
    text = b"\n".join([*noise, b"x" * (2 * LONGEST_LINE + 5), go.encode(), end.encode()])
    program = subprocess.run([sys.executable, "-m", "boyi", "engine", game, "--protocol", protocol], input=text,
                             capture_output=True, timeout=120, check=False)
    assert program.returncode == 0, program.stderr
    assert program.stderr == b""
    silent = (protocol == "xboard" and end != "") or protocol == "nboard"
    assert silent or re.search(rb"bestmove \S|move \S|= \S", program.stdout)


@pytest.mark.parametrize(("game", "protocol", "go"), some_of([
    ("xiangqi", "uci", "go depth 20"), ("othello", "gtp", "genmove b")], 2))
def test_nobody_listens(game: str, protocol: str, go: str) -> None:
    with subprocess.Popen([sys.executable, "-m", "boyi", "engine", game, "--protocol", protocol], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdout.close()
        process.stdin.write(f"{go}\n".encode() * 3)
        process.stdin.close()
        complaint = process.stderr.read()
        process.wait(120)
    assert complaint == b""
    assert process.returncode == 1
