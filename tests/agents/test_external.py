"""Outside engines: a scripted one that misbehaves on demand, and the real ones where they are installed."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import boyi
from boyi.agents import AgentError, Clock, close_agent, expectation_of, make_agent, read_spec
from boyi.agents.external import GAMES_FOLDERS, ExternalAgent, make_task
from boyi.agents.external.channel import MOST_LINES, _Lines, _pump
from boyi.agents.external.nboard import write_game
from boyi.agents.external.uci import Score, UciEngine
from boyi.core.dialect import Dialect
from boyi.core.errors import OptionError
from boyi.core.position import Position
from boyi.core.searcher import Limits
from tests.places import FAKE_ENGINE

GAMES = {"uci": "xiangqi", "ucci": "xiangqi", "xboard": "xiangqi", "gtp": "othello", "nboard": "othello"}
OTHERS = {"xiangqi": ["h2e2", "a3a4", "c3c4", "g3g4"], "othello": ["e6", "d3", "f3", "d2"]}
"""What the other side plays against the fake engine."""


def with_every_protocol(cases: Sequence[tuple[str, ...]]) -> list[Any]:
    """All cases with all protocols; every day each case with one of them, in turn."""
    return [pytest.param(protocol, *case, marks=() if number % len(GAMES) == turn else pytest.mark.slow)
            for turn, protocol in enumerate(GAMES) for number, case in enumerate(cases)
            if (protocol, case[0]) != ("nboard", "resign")]   # which has no way to


def fake(protocol: str, behaviour: str = "well", settings: str = "") -> ExternalAgent:
    agent = make_agent(f"{protocol}:{sys.executable} {FAKE_ENGINE} {protocol} {behaviour}{settings}", trusted=True)
    assert isinstance(agent, ExternalAgent)
    return agent


def play(agent: ExternalAgent, game: str, moves: int) -> list[str]:
    """What the engine answers in a game."""
    position, answers = boyi.start(game), []
    for other in OTHERS[game][:moves]:
        position.play(other)
        move = agent.choose(position.observe(position.turn), Clock())
        answers.append(position.format_move(move))
        position.play(move)
    return answers


@pytest.mark.parametrize("protocol", GAMES)
def test_a_good_engine_plays(protocol: str) -> None:
    agent = fake(protocol)
    try:
        expected = ["h9g7", "b9c7", "a9a8"] if GAMES[protocol] == "xiangqi" else ["f4", "c2", "c4"]
        assert play(agent, GAMES[protocol], 3) == expected
        with pytest.raises(AgentError):   # from the beginning it plays on in its list: a new game was not understood
            play(agent, GAMES[protocol], 4)
    finally:
        close_agent(agent)


@pytest.mark.parametrize("protocol", GAMES)
def test_rubbish_is_passed_over(protocol: str) -> None:
    agent = fake(protocol, "chatter")
    try:
        expected = ["h9g7", "b9c7", "a9a8"] if GAMES[protocol] == "xiangqi" else ["f4", "c2", "c4"]
        assert play(agent, GAMES[protocol], 3) == expected
    finally:
        close_agent(agent)


LIMITED = {"gtp": ",seconds=1", "nboard": ",depth=1"}
"""So that an engine is not waited for five minutes."""


@pytest.mark.parametrize(("protocol", "behaviour"), with_every_protocol([("endless",), ("flood",)]))
def test_talk_without_end_is_no_answer(protocol: str, behaviour: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boyi.agents.external.task.UNLIMITED_SECONDS", 0.5)
    agent = fake(protocol, behaviour, f"{LIMITED.get(protocol, ',depth=1')},patience=0.2")
    try:
        with pytest.raises(AgentError) as caught:
            play(agent, GAMES[protocol], 3)
        assert caught.value.fault == "timeout"
        assert len(play(agent, GAMES[protocol], 2)) == 2
    finally:
        close_agent(agent)


def test_what_nobody_reads_is_not_kept() -> None:
    lines = _Lines()
    for number in range(3 * MOST_LINES):
        lines.put(str(number))
    lines.put(None)
    assert lines.get(0.0) is None          # too late is too late, else talk without end could be waited for without end
    assert [lines.get(1.0) for _ in range(MOST_LINES - 1)] == [
        str(number) for number in range(2 * MOST_LINES + 1, 3 * MOST_LINES)]
    with pytest.raises(EOFError):
        lines.get(1.0)


def test_a_long_line_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boyi.agents.external.channel.LONGEST_LINE", 10)
    said: list[str | None] = []
    _pump(io.StringIO("short\n" + "x" * 95 + "\nnext\r\n0123456789\nhalf"), said.append)
    assert said == ["short", "x" * 10, "next", "0123456789", "half", None]


FAULTS = [
    ("illegal", "illegal_move", "no legal move"),
    ("nonsense", "illegal_move", "xyzzy"),
    ("crash", "crash", "exit code 3: 'out of cheese'"),
    ("close", "crash", "closed its output"),
    ("hang", "timeout", "did not answer in time"),
    ("resign", "resignation", ""),
    ("stillborn", "crash", "no such book"),
    ("partial", "crash", "exit code 0"),
]


@pytest.mark.parametrize(("protocol", "behaviour", "fault", "words"), with_every_protocol(FAULTS))
def test_faults_are_named(protocol: str, behaviour: str, fault: str, words: str,
                          monkeypatch: pytest.MonkeyPatch) -> None:
    if behaviour == "hang":
        monkeypatch.setattr("boyi.agents.external.task.UNLIMITED_SECONDS", 0.5)
    settings = f"{LIMITED.get(protocol, ',seconds=1')},patience=0.2" if behaviour == "hang" else ""
    agent = fake(protocol, behaviour, settings)
    try:
        with pytest.raises(AgentError) as caught:
            play(agent, GAMES[protocol], 3)
        assert caught.value.fault == fault
        assert words in str(caught.value)
        if behaviour != "stillborn":   # whatever happened, the next question goes to a fresh process
            assert len(play(agent, GAMES[protocol], 2)) == 2
    finally:
        close_agent(agent)


@pytest.mark.parametrize(("protocol", "behaviour"), with_every_protocol([("mute",), ("deaf",), ("babble",)]))
def test_a_mute_engine_is_given_up(protocol: str, behaviour: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"boyi.agents.external.{protocol.replace('ucci', 'uci')}.STARTING_SECONDS", 0.2)
    monkeypatch.setattr("boyi.agents.external.task.UNLIMITED_SECONDS", 0.2)
    agent = fake(protocol, behaviour, f"{',seconds=1' if protocol == 'gtp' else ',depth=1'},patience=0.2")
    with pytest.raises(AgentError) as caught:
        play(agent, GAMES[protocol], 1)
    assert caught.value.fault == "timeout"


def test_a_draw_that_is_none_is_asked_again() -> None:
    agent = fake("xboard", "claim")
    try:
        assert play(agent, "xiangqi", 2) == ["h9g7", "b9c7"]
    finally:
        close_agent(agent)


def test_processes_end_with_their_agents() -> None:
    agent = fake("uci")
    play(agent, "xiangqi", 1)
    channel = agent._channel
    assert channel is not None
    pid = channel._process.pid
    close_agent(agent)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_what_chance_added_is_told_with_the_move() -> None:
    position = boyi.start("jieqi")
    for move in ("b2b9", "R", "n", "h9g7", "n", "b9a9", "p"):
        position.play(move)
    task = make_task(position.observe(1), Limits(seconds=1))
    assert task.moves == ("b2b9R", "h9g7n", "b9a9")     # what red took is red's to know
    assert make_task(position.observe(0), Limits(seconds=1)).moves == ("b2b9Rn", "h9g7n", "b9a9p")
    assert task.start is None
    assert task.seats == (0, 1, 0)


def test_a_game_in_ggf() -> None:
    position = boyi.start("othello")
    position.play("f5")
    line = write_game(make_task(position, Limits(depth=1)), position.game.protocols["nboard"])
    assert line.endswith("BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)")
    (record,) = position.game.formats["ggf"].read(position.game, line.encode())
    assert record.replay().to_text() == position.to_text()


def test_detours_are_left_out() -> None:
    position = boyi.start("xiangqi")
    for move in ("h2e2", "a9a8", "e2h2", "a8a9", "b2e2"):
        position.play(move)
    task = make_task(position, Limits(seconds=1))
    assert task.moves == ("h2e2", "a9a8", "e2h2", "a8a9", "b2e2")
    assert task.direct == ("b2e2",)
    assert task.start is None


@pytest.mark.parametrize(("spec", "words"), [
    ("uci", "needs a command"),
    ("uci:", "needs a command"),
    ("uci:?x=1", "names no program"),
    ("uci:'unclosed", "is not a command"),
    ("uci:engine?x", "NAME=VALUE"),
    ("uci:engine?=1", "NAME=VALUE"),
    ("uci:engine?a=1&a=2", "twice"),
    ("uci:engine,seconds=0", "above 0"),
    ("uci:engine,seconds=nan", "above 0"),
    ("uci:engine,seconds=1e9", "above 0"),
    ("uci:engine,nodes=0", "whole number from 1"),
    ("uci:engine,speed=1", "no parameter of uci is called 'speed'"),
    ("xboard:engine,seconds=0.5", "whole seconds"),
    ("xboard:engine,nodes=5", "no parameter of xboard"),
    ("gtp:engine,depth=5", "no parameter of gtp"),
    ("nboard:engine,seconds=5", "no parameter of nboard"),
])
def test_bad_specs_are_refused(spec: str, words: str) -> None:
    with pytest.raises(OptionError) as caught:
        read_spec(spec, trusted=True)
    assert words in str(caught.value)


@pytest.mark.parametrize(("spec", "game", "words"), [
    ("uci:no-such-engine-anywhere", "xiangqi", "/usr/games"),
    ("uci:python3", "othello", "play xiangqi, jieqi here, not othello"),
    ("gtp:python3", "xiangqi", "play othello here, not xiangqi"),
])
def test_unsuitable_engines_are_refused(spec: str, game: str, words: str) -> None:
    with pytest.raises(OptionError) as caught:
        read_spec(spec, trusted=True).check(boyi.start(game))
    assert words in str(caught.value)


@pytest.mark.parametrize(("protocol", "options", "words"), [
    ("uci", "?Hsh=16", "no option of"),
    ("uci", "?UCI_Variant=shogi", "it takes chess, xiangqi"),
    ("xboard", "?Mood=wild", "no option of"),
    ("gtp", "?level=3", "GTP has no options"),
    ("nboard", "?Hash=16", "no option of"),
])
def test_unknown_engine_options_are_refused(protocol: str, options: str, words: str) -> None:
    agent = fake(protocol, "well", options)
    with pytest.raises(OptionError) as caught:
        play(agent, GAMES[protocol], 1)
    assert words in str(caught.value)


def test_an_engine_for_other_games_is_refused() -> None:
    agent, position = fake("uci"), boyi.start("jieqi")
    with pytest.raises(OptionError, match="does not take UCI_Variant='jieqi'; it takes chess, xiangqi"):
        agent.choose(position.observe(0), Clock())


# ---------------------------------------------------------------------- clocks

GAME_CLOCK = Clock(50.5, 0.5, seats=(61.25, 50.5))
CLOCKS = [
    ("uci", "", GAME_CLOCK, ["go wtime 61250 btime 50500 winc 500 binc 500"]),
    ("uci", ",depth=3", GAME_CLOCK, ["go wtime 61250 btime 50500 winc 500 binc 500 depth 3"]),
    ("uci", ",seconds=0.2", GAME_CLOCK, ["go movetime 200"]),
    ("uci", "", Clock(move_seconds=1.0), ["go movetime 960"]),
    ("uci", "", Clock(nodes=700), ["go nodes 700"]),
    ("uci", ",nodes=300", Clock(nodes=700), ["go nodes 300"]),
    ("uci", "", Clock(), ["go movetime 1000"]),
    ("ucci", "", GAME_CLOCK, ["go time 50500 increment 500 opptime 61250 oppincrement 500"]),
    ("ucci", "", Clock(move_seconds=1.0), ["go time 960 movestogo 1"]),
    ("ucci", "", Clock(nodes=700), ["go nodes 700"]),
    ("xboard", "", GAME_CLOCK, ["level 0 0:50 0.5", "time 5050", "otim 6125", "go"]),
    ("xboard", "", Clock(move_seconds=2.5), ["st 2", "go"]),
    ("xboard", "", Clock(nodes=700), ["st 1", "go"]),
    ("gtp", "", GAME_CLOCK, ["time_settings 50 0 0", "time_left black 61 0", "time_left white 50 0", "genmove white"]),
    ("gtp", "", Clock(move_seconds=2.5), ["time_settings 0 2 1", "genmove white"]),
    ("gtp", "", Clock(nodes=700), ["genmove white"]),
]


@pytest.mark.parametrize(("protocol", "settings", "clock", "told"), CLOCKS)
def test_engines_are_told_the_time(protocol: str, settings: str, clock: Clock, told: list[str], tmp_path: Path) -> None:
    agent = fake(protocol, f"well {tmp_path / 'heard'}", settings)
    position = boyi.start(GAMES[protocol])
    position.play(OTHERS[GAMES[protocol]][0])
    try:
        agent.prepare(position)
        agent.choose(position, clock)
    finally:
        close_agent(agent)
    heard = (tmp_path / "heard").read_text(encoding="utf-8").splitlines()
    timing = ("go", "level", "time", "otim", "st", "time_settings", "time_left", "genmove")
    assert [line for line in heard if line.split()[:1] and line.split()[0] in timing] == told


def test_how_a_game_is_timed_is_told_once(tmp_path: Path) -> None:
    agent = fake("xboard", f"well {tmp_path / 'heard'}")
    position = boyi.start("xiangqi")
    try:
        for other in OTHERS["xiangqi"][:2]:
            position.play(other)
            position.play(agent.choose(position.copy(), GAME_CLOCK))
    finally:
        close_agent(agent)
    heard = (tmp_path / "heard").read_text(encoding="utf-8").splitlines()
    assert [heard.count(line) for line in ("level 0 0:50 0.5", "time 5050", "go")] == [1, 2, 2]


def test_what_an_engine_expects_is_understood() -> None:
    position = boyi.start("xiangqi")
    position.play("h2e2")
    for protocol, least, most in (("uci", 0.7, 0.8), ("ucci", 0.49, 0.51), ("xboard", None, None)):
        agent = fake(protocol)
        try:
            assert expectation_of(agent) is None
            agent.choose(position.copy(), Clock())
            expected = expectation_of(agent)
            assert (least is None) == (expected is None)
            if expected is not None and least is not None and most is not None:
                assert least < expected < most
        finally:
            close_agent(agent)


@pytest.mark.parametrize(("line", "score"), [
    ("info depth 3 score cp -35 nodes 7 pv a1a2", Score(-35)), ("info score mate 3", Score(3, is_mate=True)),
    ("info depth 3 score mate -2 pv a1a2", Score(-2, is_mate=True)), ("info depth 2 score 17 pv a1a2", Score(17)),
    ("info depth 3 multipv 1 score cp 12", Score(12)), ("info depth 3 multipv 2 score cp 12", None),
    ("info depth 3 multipv 12 score cp 12", None), ("info string score cp x", None), ("bestmove a1a2", None),
])
def test_scores_are_read(line: str, score: Score | None) -> None:
    engine = UciEngine.__new__(UciEngine)
    engine.score, engine._variations, engine._dialect = None, {}, Dialect("xiangqi")
    engine._notice(line)
    assert engine.score == score


def test_clocks_too_fine_for_whole_seconds_are_refused() -> None:
    for protocol in ("xboard", "gtp"):
        spec = read_spec(f"{protocol}:engine", trusted=True)
        spec.check_clock(Clock(move_seconds=1))
        spec.check_clock(GAME_CLOCK)
        with pytest.raises(OptionError, match="counts whole seconds"):
            spec.check_clock(Clock(move_seconds=0.5))
    read_spec("uci:engine", trusted=True).check_clock(Clock(move_seconds=0.5))


# ---------------------------------------------------------------------- real engines

REAL = [
    ("uci:fairy-stockfish?UCI_Variant=xiangqi,nodes=500", "xiangqi"),
    ("uci:fairy-stockfish,seconds=0.05", "xiangqi"),
    ("ucci:fairy-stockfish,depth=2", "xiangqi"),
    ("uci:sjaakii,seconds=0.05", "xiangqi"),
    ("xboard:sjaakii,depth=2", "xiangqi"),
    ("xboard:hoixiangqi -x,depth=2", "xiangqi"),
    ("gtp:gtp-rhino -l 1", "othello"),
]


@pytest.mark.parametrize(("spec", "game"), REAL, ids=[spec for spec, _ in REAL])
def test_real_engines_play_legally(spec: str, game: str) -> None:
    program = spec.partition(":")[2].split("?")[0].split(",")[0].split()[0]
    if shutil.which(program, path=os.pathsep.join([os.environ.get("PATH", ""), *GAMES_FOLDERS])) is None:
        pytest.skip(f"{program} is not installed; on Debian: apt-get install {program}")
    agent = make_agent(spec, trusted=True)
    try:
        position: Position = boyi.start(game)
        for _ in range(6):
            position.play(position.moves()[0])
            position.play(agent.choose(position.observe(position.turn), Clock()))
        position.undo()   # a person takes back: the engine follows
        assert position.is_legal(agent.choose(position.observe(position.turn), Clock()))
    finally:
        close_agent(agent)
