"""Boyi as an engine: transcripts, noise, the end of the input during a search, and our own agents as its clients."""

from __future__ import annotations

import random
import re
import sys
import threading
from collections.abc import Iterator

import pytest

import boyi
from boyi.agents import Clock, close_agent, make_agent
from boyi.engine import PROTOCOLS, run
from boyi.engine.thinker import THREAD
from boyi.games import find_game
from tests.scale import scaled

SPEAKERS = [(game, protocol) for game, protocols in PROTOCOLS.items() for protocol in protocols]
WAIT = "(wait)"
"""In a transcript: read on only after the search has answered."""

TRANSCRIPTS = [
    ("xiangqi", "uci", ["uci"], r"id name Boyi .*option name Hash type spin .*option name rules type combo .*uciok"),
    ("xiangqi", "uci", ["position startpos moves h3e3 h10g8", "go depth 2", WAIT],
     r"info depth 1 multipv 1 score cp -?\d+ nodes \d+ nps \d+ time \d+ pv \S+.*"
     r"info depth 2 .*bestmove \S+ ponder \S+"),
    ("xiangqi", "uci", ["setoption name Ranks value 0", "position startpos moves h2e2",
                        "go depth 1 searchmoves h9g7", WAIT],
     r"bestmove h9g7"),
    ("xiangqi", "uci", ["setoption name MultiPV value 3", "go depth 2", WAIT], r"depth 2 multipv 3"),
    ("xiangqi", "uci", ["go perft 2", WAIT], r"h3e3: \d+.*Nodes searched: 1920"),
    ("xiangqi", "uci", ["go infinite", "isready", "stop"], r"readyok.*bestmove"),
    ("xiangqi", "uci", ["go ponder wtime 1000 btime 1000", "ponderhit", WAIT], r"bestmove"),
    ("xiangqi", "uci", ["position startpos moves h3e3", "position startpos moves a1a9", "d"],
     r"info string error: .*a0a8.*info string rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b"),
    ("xiangqi", "uci", ["position fen 4k4/R8/9/9/9/9/9/9/8R/3K5 w - - 0 1", "go depth 4", WAIT],
     r"score mate 1 .*bestmove i2i10"),
    ("xiangqi", "ucci", ["ucci", "position startpos moves h2e2", "go depth 2", WAIT, "quit"],
     r"ucciok.*bestmove \S+.*bye"),
    ("xiangqi", "xboard", ["protover 2", "new", "sd 2", "usermove h2e2", "ping 7"],
     r"feature done=1.*move \w\d\w\d.*pong 7"),
    ("xiangqi", "xboard", ["force", "usermove h2h9"], r"^$"),
    ("xiangqi", "xboard", ["force", "usermove a0a9", "xyzzy"],
     r"Illegal move: a0a9.*Error \(unknown command\): xyzzy"),
    ("xiangqi", "xboard", ["force", "setboard rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1",
                           "sd 1", "go", "ping 1"], r"^move \S+.pong 1$"),
    ("othello", "gtp", ["protocol_version", "7 known_command genmove", "boardsize 10", "play black d3",
                        "genmove white"],
     r"= 2..=7 true..\? unacceptable size.*=..= (C3|E3|C5)"),
    ("othello", "gtp", ["undo", "play black a1", "play green d3"],
     r"\? cannot undo..\? illegal move.*\? invalid color"),
    ("othello", "nboard", ["nboard 2", "set depth 3", "set game (;GM[Othello]PB[a]PW[b]TY[8]BO[8 " + "-" * 27 + "O*" +
                           "-" * 6 + "*O" + "-" * 27 + " *]B[d3];)", "hint 2", WAIT, "ping 4", "go", WAIT, "move a1"],
     r"set myname Boyi.*search (C3|E3|C5)\S* -?\d+\.\d+ 0 3.*nodestats \d+.*pong 4.*=== (C3|E3|C5)/.*status error"),
    ("othello", "nboard", ["move F5//0.1", "go", "ping 1", "learn", "set x 1"], r"=== .*pong 1.*learned.*status error"),
    ("jieqi", "uci", ["position startpos", "go depth 1", WAIT, "position startpos moves b2e2R", "go depth 1", WAIT],
     r"bestmove \w\d\w\d.*bestmove \w\d\w\d"),
]


def converse(game: str, protocol: str, lines: list[str] | list[bytes]) -> str:
    """All that an engine says."""
    said: list[str] = []

    def feed() -> Iterator[bytes]:
        for line in lines:
            if line == WAIT:
                for thread in threading.enumerate():
                    if thread.name == THREAD:
                        thread.join(30)
            else:
                yield line if isinstance(line, bytes) else line.encode() + b"\n"
    run(find_game(game), protocol, feed(), said.append)
    return "\n".join(said)


@pytest.mark.parametrize(("game", "protocol", "lines", "expected"), TRANSCRIPTS)
def test_transcript(game: str, protocol: str, lines: list[str], expected: str) -> None:
    said = converse(game, protocol, lines)
    assert re.search(expected, said, flags=re.DOTALL), said


@pytest.mark.parametrize(("game", "protocol"), SPEAKERS)
def test_any_order_and_any_bytes_are_survived(game: str, protocol: str) -> None:
    commands = [line for g, p, lines, _ in TRANSCRIPTS if (g, p) == (game, protocol) for line in lines
                if line not in (WAIT, "quit")]
    chance = random.Random(f"{game} {protocol}")
    noise = [bytes(chance.randrange(256) for _ in range(chance.randrange(40))) + b"\n" for _ in range(scaled(200))]
    broken = [line.encode()[:chance.randrange(len(line) + 1)] + b"\n" for line in commands]
    lines = [line.encode() + b"\n" for line in commands * 2] + noise + broken
    chance.shuffle(lines)
    said = converse(game, protocol, lines)
    assert "Traceback" not in said


@pytest.mark.parametrize(("game", "protocol", "go"), [
    ("xiangqi", "uci", "go infinite"), ("xiangqi", "ucci", "go infinite"), ("xiangqi", "xboard", "st 600\ngo"),
    ("othello", "gtp", "time_settings 0 600 1\ngenmove black"), ("othello", "nboard", "set depth 60\ngo"),
    ("jieqi", "uci", "go infinite")])
def test_the_end_of_the_input_ends_a_search(game: str, protocol: str, go: str) -> None:
    assert re.search(r"bestmove \S|move \S|= \S", converse(game, protocol, list(go.split("\n"))))


@pytest.mark.parametrize(("game", "protocol", "limit"), [
    ("xiangqi", "uci", "nodes=300"), ("xiangqi", "ucci", "depth=1"), ("xiangqi", "xboard", "depth=1"),
    ("othello", "gtp", "seconds=1")])
def test_our_agents_play_with_it(game: str, protocol: str, limit: str) -> None:
    agent = make_agent(f"{protocol}:{sys.executable} -m boyi engine {game} --protocol {protocol},{limit}")
    other, position = make_agent("random:seed=1"), boyi.start(game)
    try:
        for number in range(4 if protocol == "gtp" else 12):
            asked = agent if number % 2 else other
            position.play(asked.choose(position.observe(position.turn), Clock()))
    finally:
        close_agent(agent)
