"""Boyi as an engine: transcripts, noise, the end of the input during a search, and our own agents as its clients."""

from __future__ import annotations

import random
import re
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

import boyi
from boyi.agents import Clock, close_agent, make_agent
from boyi.agents.analysis import Analysis
from boyi.agents.searching import find_default
from boyi.agents.timing import TimePlan, allot
from boyi.core.dialect import Dialect
from boyi.core.game import load
from boyi.core.position import CHANCE, OVER
from boyi.core.searcher import Limits
from boyi.engine import run
from boyi.engine.thinker import THREAD, Question, Thinker
from boyi.engine.xboard import Xboard
from boyi.games import find_game
from tests.engine import SPEAKERS
from tests.scale import scaled, some_of

WAIT = "(wait)"
"""In a transcript: read on only after the search has answered."""

VARIANT = "setoption name UCI_Variant value xiangqi"
"""After this UCI counts ranks from 1."""

PONDER = "(ponder)"
"""Read on only after the move is out: what is thought about then is the reply."""

ENDING = "4k4/R8/9/9/9/9/9/9/8R/3K5"
"""Red mates by i1i9."""

OTHELLO = f"(;GM[Othello]PB[a]PW[b]TY[8]BO[8 {27 * '-'}O*------*O{27 * '-'} *]B[F5]W[D6];)"

TRANSCRIPTS = [
    ("xiangqi", "uci", ["uci"], r"id name Boyi .*option name Hash type spin .*option name rules type combo .*uciok"),
    ("xiangqi", "uci", [VARIANT, "position startpos moves h3e3 h10g8", "go depth 2", WAIT],
     r"info depth 1 multipv 1 score cp -?\d+ nodes \d+ nps \d+ time \d+ pv \S+.*"
     r"info depth 2 .*bestmove \S+ ponder \S+"),
    ("xiangqi", "uci", ["position startpos moves h2e2", "go depth 1 searchmoves h9g7", WAIT], r"bestmove h9g7"),
    ("xiangqi", "uci", ["setoption name Ranks value 1", "go depth 1 searchmoves h3e3", WAIT], r"bestmove h3e3"),
    ("xiangqi", "uci", [VARIANT, "setoption name Ranks value 0", "go depth 1 searchmoves h2e2", WAIT],
     r"bestmove h2e2"),
    ("xiangqi", "uci", ["setoption name MultiPV value 3", "go depth 2", WAIT], r"depth 2 multipv 3"),
    ("xiangqi", "uci", ["go perft 2", WAIT], r"h2e2: \d+.*Nodes searched: 1920"),
    ("xiangqi", "uci", ["go infinite", "isready", "stop"], r"readyok.*bestmove"),
    ("xiangqi", "uci", ["go infinite", "go depth 1", WAIT], r"bestmove.*bestmove"),
    ("xiangqi", "uci", ["go infinite", "setoption name Hash value 1", "go depth 1", WAIT], r"bestmove.*bestmove"),
    ("xiangqi", "uci", ["go infinite", "ucinewgame", "position startpos moves h2e2", "go depth 1", WAIT],
     r"bestmove \w[0-4]\w.*bestmove \w[5-9]\w"),
    ("xiangqi", "uci", ["go depth", "stop"], r"error: depth is followed by a whole number.*bestmove"),
    ("xiangqi", "uci", ["go depth 1 xyzzy searchmoves a0a8 h2e2", WAIT],
     r"error: go does not know 'xyzzy'.*error: .*bestmove h2e2"),
    ("xiangqi", "uci", ["go mate 1", WAIT], r"info depth 2 .*bestmove"),
    ("xiangqi", "uci", ["setoption name MultiPV value 2", "go depth 2 searchmoves h2e2 b2e2 a0a1", WAIT],
     r"depth 2 multipv 2 .*bestmove (h2e2|b2e2|a0a1)"),
    ("xiangqi", "uci", ["setoption name Clear Hash", "setoption name Threads value 2", "go depth 3", WAIT],
     r"info depth 3 .*bestmove"),
    ("xiangqi", "uci", ["setoption name rules value simple", "go nodes 500", WAIT], r"bestmove"),
    ("xiangqi", "uci", ["position startpos moves " + "b0c2 b9c7 c2b0 c7b9 " * 6 + "h2e2", "go depth 1", WAIT],
     r"^info depth 1 [^\n]*\nbestmove \w[5-9]\w"),       # our rules would have ended it long ago
    ("xiangqi", "uci", ["go ponder wtime 1000 btime 1000", "ponderhit", WAIT], r"bestmove"),
    ("xiangqi", "uci", ["position startpos moves h2e2", "position startpos moves h2e2 a0a8", "d", "go depth 1", WAIT,
                        "isready", "position startpos moves h2e2", "d"],
     r"^info string error: [^\n]*a0a8[^\n]*\ninfo string error: [^\n]*refused[^\n]*\nbestmove \(none\)\n"
     r"info string error: [^\n]*refused[^\n]*\nreadyok\n"
     r"info string rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b"),
    ("xiangqi", "ucci", ["position startpos moves a0a8", "go depth 1", WAIT],
     r"^info string error: [^\n]*a0a8[^\n]*\nnobestmove\ninfo string error: [^\n]*refused"),
    ("xiangqi", "uci", ["position startpos moves a0a8", "go perft 1 searchmoves h2e2", WAIT],
     r"a0a8[^\n]*\ninfo string error: [^\n]*refused[^\n]*$"),
    ("jieqi", "uci", ["position startpos moves a0a8", "go depth 1", WAIT], r"a0a8.*bestmove \(none\)"),
    ("xiangqi", "uci", ["position fen 4k4/R8/9/9/9/9/9/9/8R/3K5 w - - 0 1", "go depth 4", WAIT],
     r"score mate 1 .*bestmove i1i9"),
    ("xiangqi", "ucci", ["ucci", "position startpos moves h2e2", "go depth 2", WAIT, "quit"],
     r"ucciok.*bestmove \S+.*bye"),
    ("xiangqi", "xboard", ["protover 2", "new", "sd 2", "usermove h2e2", "ping 7"],
     r"feature done=1.*move \w\d\w\d.*pong 7"),
    ("xiangqi", "ucci", ["position startpos", "banmoves h2e2 b2e2 xyzzy", "go depth 1", WAIT],
     r"error: .*xyzzy.*bestmove (?!h2e2|b2e2)\w\d\w\d"),
    ("xiangqi", "ucci", ["position fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "banmoves d0d1", "go depth 1", WAIT],
     r"^nobestmove"),
    ("xiangqi", "ucci", ["setoption usemillisec false", "go time 1 movestogo 1", WAIT], r"bestmove \w\d\w\d"),
    ("xiangqi", "xboard", ["force", "usermove h2h9"], r"^$"),
    ("xiangqi", "xboard", ["post", "sd 3", "analyze", "ping 1", "usermove h2e2", ".", "undo", "exit", "ping 2"],
     r"pong 1.*pong 2"),
    ("xiangqi", "xboard", ["hard", "sd 2", "usermove h2e2", PONDER, "ping 1", "hint", "?", "easy", "ping 2"],
     r"^move \S+\npong 1\nHint: \S+\npong 2$"),
    ("xiangqi", "xboard", ["st 600", "usermove h2e2", "usermove h2e2", "?", "ping 1"],
     r"^Illegal move: h2e2\nmove \S+\npong 1$"),
    ("xiangqi", "xboard", ["st 600", "usermove h2e2", "undo", "ping 1", "usermove b2e2", "?", "ping 2"],
     r"^pong 1\nmove \S+\npong 2$"),
    ("xiangqi", "xboard", ["st 600", "usermove h2e2", "force", "?", "ping 1"], r"^pong 1$"),
    ("xiangqi", "xboard", ["st 600", "usermove h2e2", "ping 1", "ping 2", "?", "ping 3"],
     r"^move \S+\npong 1\npong 2\npong 3$"),
    ("xiangqi", "xboard", ["st 600", "usermove h2e2", "ping 1", "undo", "ping 2"], r"^pong 1\npong 2$"),
    ("xiangqi", "xboard", ["st 600", "usermove h2e2", "ping 1"], r"^move \S+\npong 1$"),
    ("xiangqi", "xboard", ["level 40 0:01 0", "time 100", "otim 100", "usermove h2e2", "ping 1"],
     r"^move \S+\npong 1$"),
    ("xiangqi", "xboard", ["memory 99999999", "cores 2", "sd 1", "usermove h2e2", "ping 1"],
     r"^Error \(Hash .*move \S+\npong 1$"),
    ("xiangqi", "xboard", ["force", *["usermove " + move for move in "b0c2 b9c7 c2b0 c7b9".split() * 6], "sd 1", "go",
                           WAIT, "ping 1", "force", "undo", "undo", "ping 2"],
     r"^move \S+\npong 1\npong 2$"),               # a repetition is the manager's to judge
    ("xiangqi", "xboard", ["setboard 4k4/R8/9/9/9/9/9/9/8R/3K5 w 0 1", "sd 3", "go", WAIT, "ping 1", "ping 2"],
     r"^move i1i9\n1-0 \{.*\}\npong 1\npong 2$"),
    ("xiangqi", "xboard", ["force", "usermove a0a9", "xyzzy"],
     r"Illegal move: a0a9.*Error \(unknown command\): xyzzy"),
    ("xiangqi", "xboard", ["force", "setboard rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1",
                           "sd 1", "go", "ping 1"], r"^move \S+.pong 1$"),
    ("othello", "gtp", ["protocol_version", "7 known_command genmove", "boardsize 10", "boardsize 8", "play black d3",
                        "genmove white"],
     r"= 2..=7 true..\? unacceptable size.*=..= (C3|E3|C5)"),
    ("othello", "gtp", ["final_score", "play black f5", "final_score"], r"= 0\n\n=\n\n= B\+3"),
    ("othello", "gtp", ["undo", "play black a1", "play green d3"],
     r"\? cannot undo..\? illegal move.*\? invalid color"),
    ("othello", "nboard", ["nboard 2", "set depth 3", "set game (;GM[Othello]PB[a]PW[b]TY[8]BO[8 " + "-" * 27 + "O*" +
                           "-" * 6 + "*O" + "-" * 27 + " *]B[d3];)", "hint 2", WAIT, "ping 4", "go", WAIT, "move a1"],
     r"set myname Boyi.*search (C3|E3|C5)\S* -?\d+\.\d+ 0 3.*nodestats \d+.*pong 4.*=== (C3|E3|C5)/.*status error"),
    ("othello", "nboard", ["move F5//0.1", "go", "ping 1", "learn", "set x 1"], r"=== .*pong 1.*learned.*status error"),
    ("jieqi", "uci", ["position startpos", "go depth 1", WAIT, "position startpos moves b2e2R", "go depth 1", WAIT],
     r"bestmove \w\d\w\d.*bestmove \w\d\w\d"),
    # A position text that ends in turn and counters is read by all of them.
    *(("xiangqi", protocol, [f"position fen {ENDING} w 0 1", "go depth 4", WAIT], r"bestmove i1i9")
      for protocol in ("uci", "ucci")),
    ("xiangqi", "xboard", [f"setboard {ENDING} w 0 1", "sd 3", "go", WAIT, "ping 1"], r"^move i1i9\n"),
    ("jieqi", "uci", [f"position fen {ENDING} w 0 1", "go depth 3", WAIT], r"bestmove i1i9"),
    ("xiangqi", "uci", [f"position fen {ENDING} w 0 1 moves i1i2 e9f9", "d"], r"/8R/9/3K5 w - - 2 2$"),
]


REFUSALS: list[tuple[str, str, list[str], str]] = [
    *(("xiangqi", protocol, ["position startpos moves h2e2", f"position {bad}", "go depth 1", WAIT, "go infinite",
                             "stop", "isready", "position startpos moves h2e2", "go depth 1", WAIT],
       rf"^info string error: [^\n]*\n({none}\ninfo string error: [^\n]*refused[^\n]*\n){{2}}readyok\n"
       r"info [^\n]*\nbestmove \w[5-9]\w")
      for protocol, none in (("uci", r"bestmove \(none\)"), ("ucci", "nobestmove"))
      for bad in ("fen 4k4/9/9/9/9/9/9/4R4/9/4K4 w 0 1", "fen 9/9 w 0 1", "startpos moves h2e2 h2e2", "", "fen")),
    ("jieqi", "uci", ["position fen 9/9 w 0 1", "go depth 1", WAIT],
     r"^info string error: [^\n]*\nbestmove \(none\)\ninfo string error: [^\n]*refused"),
    ("xiangqi", "xboard", [
        "force", "usermove h2e2", "setboard 4k4/9/9/9/9/9/9/4R4/9/4K4 w 0 1", "sd 1", "usermove h9g7", "b9c7", "go",
        "playother", "analyze", "undo", "remove", "hint", ".", "?", "force", "ping 1", f"setboard {ENDING} w 0 1", "go",
        WAIT, "ping 2"],
     r"^tellusererror Illegal position: [^\n]*\nIllegal move: h9g7\nIllegal move: b9c7\n"
     r"(Error \(the last position was refused[^\n]*\): (go|playother|analyze|undo|remove)\n){5}pong 1\n"
     r"move i1i9\n"),
    ("xiangqi", "xboard", ["setboard nonsense", "ping 1", "new", "sd 1", "usermove h2e2", "ping 2"],
     r"^tellusererror Illegal position: [^\n]*\npong 1\nmove \S+\npong 2$"),
    ("xiangqi", "xboard", ["sd 1", "analyze", "setboard nonsense", "ping 1", "exit", "ping 2"],
     r"^tellusererror Illegal position: [^\n]*\npong 1\npong 2$"),
    *(("othello", "gtp", ["play b f5", bad, "genmove w", "reg_genmove w", "play w d6", "undo", "showboard",
                          "final_score", good, "final_score", "genmove b"],
       r"^=\n\n\? un[^\n]*\n\n(\? the last position was refused[^\n]*\n\n){6}=\n\n= 0\n\n= [A-H][1-8]")
      for bad, good in (("boardsize 10", "boardsize 8"), ("boardsize", "clear_board"),
                        ("set_game Go", "set_game Othello"))),
    ("othello", "nboard", ["move F5", "set game (;GM[Othello]nonsense", "go", "hint 2", "move D6", "ping 1",
                           f"set game {OTHELLO}", "set depth 1", "go", WAIT],
     r"^status error: [^\n]*\n(status error: the last position was refused[^\n]*\n){3}pong 1\n.*=== [A-H][1-8]"),
    # The viewer has made a move that we cannot follow: what it asks about then is not known here.
    ("othello", "nboard", ["move A1", "go", "ping 1", f"set game {OTHELLO}", "set depth 1", "go", WAIT],
     r"^status error: [^\n]*a1[^\n]*\nstatus error: the last position was refused[^\n]*\npong 1\n.*=== "),
]
"""After a position that was refused nothing is answered for the one before, until a good one comes."""


@pytest.mark.parametrize(("game", "protocol", "lines", "expected"), REFUSALS)
def test_a_refused_position_is_not_answered_for(game: str, protocol: str, lines: list[str], expected: str) -> None:
    said = converse(game, protocol, lines)
    assert re.search(expected, said, re.DOTALL), said


def converse(game: str, protocol: str, lines: list[str] | list[bytes]) -> str:
    """All that an engine says."""
    said: list[str] = []
    moved = threading.Event()

    def say(text: str) -> None:
        said.append(text)
        if text.startswith("move"):
            moved.set()

    def feed() -> Iterator[bytes]:
        for line in lines:
            if line == WAIT:
                for thread in threading.enumerate():
                    if thread.name == THREAD:
                        thread.join(30)
            elif line == PONDER:
                assert moved.wait(30)
            else:
                yield line if isinstance(line, bytes) else line.encode() + b"\n"
    run(find_game(game), protocol, feed(), say)
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


def test_a_search_is_the_searchers_own() -> None:
    game = find_game("xiangqi")
    expected = find_default(game.start()).make(game, {}).search(game.start(), Limits(depth=6))
    said = converse("xiangqi", "uci", ["go depth 6", WAIT])
    (nodes,) = re.findall(r"info depth 6 .* nodes (\d+) ", said)
    assert int(nodes) == expected.nodes


def test_a_plug_in_without_an_evaluator_is_an_engine_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """By tree search, which knows no depths: it tells as it goes, keeps to moves, and ends when it is told to."""
    four = replace(load("tests.toys.connect_four"), protocols={"uci": Dialect("connect4")})
    monkeypatch.setattr(sys.modules[__name__], "find_game", lambda name: four)
    said = converse("four", "uci", ["setoption name Hash value 8", "position startpos moves d d", "go nodes 200", WAIT,
                                    "go nodes 80 searchmoves b", WAIT, "go depth 2", "stop", "go infinite"])
    assert re.search(r"nodes 64 .*nodes 128 .*nodes 200 .*bestmove \w.*bestmove b.*bestmove \w.*bestmove \w", said,
                     flags=re.DOTALL), said
    assert "error" not in said


def test_every_option_can_be_set() -> None:
    offered = re.findall(r"option name (.+?) type (\w+)(.*)", converse("xiangqi", "uci", ["uci"]))
    lines = []
    for name, kind, rest in offered:
        values = {"check": ["true", "false"], "combo": re.findall(r"var (\S+)", rest), "string": [],
                  "button": [""]}.get(kind, re.findall(r"(?:default|min) (\S+)", rest))
        lines += [f"setoption name {name} value {value}".removesuffix(" value ") for value in values]
        lines += [f"setoption name {name} value {value}" for value in re.findall(r"default (\S+)", rest)]
    said = converse("xiangqi", "uci", [*lines, "isready", "go depth 2", WAIT])
    refused = [line for line in said.splitlines() if "error" in line]
    assert all(re.search("is not from|must", line) for line in refused), refused   # the searcher has limits of its own
    assert re.search(r"readyok.*bestmove \S+", said, flags=re.DOTALL)


@pytest.mark.parametrize("expected", [True, False])
def test_the_reply_that_was_expected(expected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is thought about already, and needs no more time than that; another one is thought about anew."""
    said: list[str] = []
    speaker = Xboard(find_game("xiangqi"), said.append)
    for line in ("hard", "sd 3", "st 600", "usermove h2e2"):
        speaker.hear(line)
    speaker.thinker.wait()
    pondering = speaker._pondering
    assert pondering is not None and speaker.thinker.busy
    asked: list[Question] = []
    ordinary = speaker.thinker.think

    def think(question: Question, report: Callable[[Analysis], None],
              answer: Callable[[Analysis | None], None]) -> None:
        asked.append(question)
        ordinary(question, report, answer)
    monkeypatch.setattr(speaker.thinker, "think", think)
    other = next(move for move in ("a3a4", "i3i4") if move != pondering.reply)
    speaker.hear(f"usermove {pondering.reply if expected else other}")
    speaker.hear("ping 1")
    speaker.thinker.wait()
    speaker.hear("quit")
    assert re.fullmatch(r"move \S+\nmove \S+\npong 1", "\n".join(said))
    assert len(asked) == (not expected)


LONG_SECONDS = 3_600.0
"""The most for a move in these tests: they end because something is enough, or not at all."""


@pytest.mark.parametrize(("game", "protocol", "lines", "answer"), [
    ("xiangqi", "uci", ["go wtime 60000 btime 60000 winc 1000"], r"bestmove \S+ ponder|bestmove \S+$"),
    ("xiangqi", "uci", ["go wtime 60000 btime 60000 movestogo 5"], r"bestmove \S+"),
    ("xiangqi", "xboard", ["level 40 1 0", "time 6000", "usermove h2e2"], r"move \S+"),
    ("othello", "gtp", ["time_settings 60 0 0", "genmove black"], r"= \w\d")])
def test_a_move_under_a_clock_is_made_at_the_aim(game: str, protocol: str, lines: list[str], answer: str,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boyi.engine.thinker.allot", lambda clock, own_moves: TimePlan(LONG_SECONDS, 1e-6))
    assert re.search(answer, converse(game, protocol, [*lines, WAIT]), flags=re.MULTILINE)


@pytest.mark.parametrize("aim", [1e-6, None])
def test_what_was_pondered_on_long_enough_is_answered_at_the_hit(aim: float | None) -> None:
    """The aim counts from the beginning of the search, the most from the hit."""
    answers: list[Analysis | None] = []
    thinker, first = Thinker(find_game("xiangqi")), threading.Event()
    thinker.think(Question(thinker.start(), waits=True), lambda report: first.set(), answers.append)
    assert first.wait(60) and thinker.busy
    thinker.hurry(TimePlan(LONG_SECONDS if aim else 1e-6, aim))
    thinker.wait()
    assert len(answers) == 1 and answers[0] is not None


def test_engines_plan_by_what_the_clock_says() -> None:
    thinker = Thinker(find_game("xiangqi"))
    thinker.set("Move Overhead", "100")
    assert thinker.share(60.1, 0.5, 3, 7) == allot(Clock(60.0, 0.5, moves_to_go=3), 7)
    assert thinker.share(60.1, 0.5) == allot(Clock(60.0, 0.5))


@pytest.mark.parametrize(("game", "protocol", "limit"), some_of([
    ("xiangqi", "uci", "nodes=300"), ("othello", "gtp", "seconds=1"), ("xiangqi", "ucci", "depth=1"),
    ("othello", "nboard", "depth=2"), ("xiangqi", "xboard", "depth=1"), ("jieqi", "uci", "depth=1")], 2))
def test_our_agents_play_with_it(game: str, protocol: str, limit: str) -> None:
    agent = make_agent(f"{protocol}:{sys.executable} -m boyi engine {game} --protocol {protocol},{limit}",
                       trusted=True)
    other, position = make_agent("random:seed=1"), boyi.start(game)
    try:
        chance = random.Random(1)
        for number in range(4 if protocol == "gtp" else 12):
            while position.turn == CHANCE:
                position.play(chance.choice(position.moves()))
            if position.turn == OVER:
                assert number > 6      # it has played three moves and won
                break
            asked = agent if number % 2 else other
            position.play(asked.choose(position.observe(position.turn), Clock()))
    finally:
        close_agent(agent)
