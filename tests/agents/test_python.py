"""Agents that somebody else wrote in Python: found, made in a process of their own, fatal only to their own games."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boyi
from boyi.agents import AgentError, Clock, close_agent, make_agent, read_spec
from boyi.agents import python as module
from boyi.agents.agent import prepare_agent, read_answer
from boyi.arena import Match, play_match
from boyi.core.errors import BoyiError, OptionError
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.games import find_game
from tests.agents.guests import ACTS, ENDLESS
from tests.places import ROOT
from tests.scale import scaled

HERE = "python:tests.agents.guests"


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Agents are looked for in the folder that Boyi was started in; no process outlives a test."""
    monkeypatch.chdir(ROOT)
    yield
    module.end_idle()


# ---------------------------------------------------------------------- which one

def test_a_class_by_its_name() -> None:
    position = boyi.start("othello")
    agent = make_agent(f"{HERE}:First", trusted=True)
    try:
        prepare_agent(agent, position)
        assert agent.choose(position, Clock()) == position.moves()[0]
    finally:
        close_agent(agent)
    assert "tests.agents.guests" in sys.modules   # imported above, by this test itself
    spec = read_spec("python:greedy:Greedy,depth=3,speed=0.5,bold=on,book=off,name=a.b", trusted=True)
    assert dict(spec.values) == {"class": "greedy:Greedy", "depth": 3, "speed": 0.5, "bold": True, "book": False,
                                 "name": "a.b"}
    assert read_spec(str(spec), trusted=True) == spec


def test_its_code_is_not_imported_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "somebodys_agent.py").write_text("import os\nPID = os.getpid()\nclass Agent:\n"
                                                 "    def choose(self, observation, clock):\n"
                                                 "        raise ValueError(f'in process {PID}')\n")
    monkeypatch.chdir(tmp_path)
    (played,) = Match(("python:somebodys_agent:Agent", "random"), boyi.start("tic_tac_toe"), games=1,
                      random_plies=0).play(0).failures
    assert "it raised ValueError: in process" in played.message
    assert str(os.getpid()) not in played.message
    assert "somebodys_agent.py, line 5" in played.message
    assert played.traceback.rstrip().endswith(played.message.partition("it raised ")[2].partition(" (")[0])
    assert "src/boyi" not in played.traceback
    assert "somebodys_agent" not in sys.modules


def test_options_are_arguments() -> None:
    match = Match((f"{HERE}:Settings,depth=3,speed=1e-3,bold=yes,book=fast.txt", "random"), boyi.start("tic_tac_toe"),
                  games=1)
    (failure,) = match.play(0).failures
    assert "given (3, 0.001, True, 'fast.txt'), a seed: True" in failure.message


@pytest.mark.parametrize(("spec", "words"), [
    ("python", "as in python:my_agents:Greedy"),
    ("python:", "as in python:my_agents:Greedy"),
    ("python:greedy", "is not a class by its module and its name"),
    ("python:greedy:Gre edy", "is not a class by its module and its name"),
    ("python:greedy.py:Greedy:x", "is not a class by its module and its name"),
    ("python:there_is_none:Greedy", "there is no module there_is_none"),
    ("python:tests.there_is_none:Greedy", "there is no module tests.there_is_none"),
    ("python:tests.agents.guests:Frist", "did you mean 'First'?"),
    ("python:tests.agents.guests:ACTS", "is no agent, which has choose(observation, clock), and no class"),
    ("python:tests.agents.guests:Empty", "makes Empty objects, which have no choose(observation, clock)"),
    ("python:tests.agents.guests:nothing", "makes NoneType objects"),
    ("python:tests.agents.guests:needs", "missing a required argument: 'depth'"),
    ("python:tests.agents.guests:Settings,dept=3", "did you mean 'depth'?"),
    ("python:tests.agents.guests:First,seed=3", "no option of python:tests.agents.guests:First is called 'seed'"),
    ("python:tests.agents.guests:Settings,seed=x", "a whole number from 0"),
    ("python:tests.agents.guests:Odd,does=raises,at=init", "it raised ValueError: as it was told (guests.py, line "),
    ("python:tests.agents.guests:Odd,does=exits,at=init", "it raised SystemExit: 3"),
    ("python:tests.agents.guests:Odd,does=dies,at=init", "ended with exit code 5"),
    ("python:os:system", "missing a required argument: 'command'"),
])
def test_what_can_be_no_agent_is_refused_before_the_first_game(spec: str, words: str) -> None:
    with pytest.raises(BoyiError) as caught:
        Match((spec, "random"), boyi.start("tic_tac_toe"))
    assert words in str(caught.value)
    assert "Traceback" not in str(caught.value)


@pytest.mark.parametrize(("code", "words"), [
    ("import there_is_none", "the module broken cannot be imported: it raised ModuleNotFoundError"),
    ("raise SystemExit(3)", "the module broken cannot be imported: it raised SystemExit: 3 (broken.py, line 1)"),
    ("def choose(:", "the module broken cannot be imported: it raised SyntaxError"),
    ("import os; os._exit(0)", "ended with exit code 0"),
    ("while True: pass", "took longer than 1 s to get ready and was ended"),
])
def test_modules_that_cannot_be_imported(
    code: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "broken.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    if "while" in code:
        monkeypatch.setattr(module, "READY_SECONDS", 1.0)
    with pytest.raises(OptionError) as caught:
        Match(("python:broken:Agent", "random"), boyi.start("tic_tac_toe"))
    assert words in str(caught.value)


def test_agents_that_packages_install(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [EntryPoint("first", "tests.agents.guests:First", module.GROUP),
               EntryPoint("level", "tests.agents.guests:First", module.GROUP),
               EntryPoint("broken", "tests.agents.guests", module.GROUP),
               EntryPoint("lost", "there_is_none:First", module.GROUP)]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries)
    module.installed_kinds.cache_clear()
    try:
        match = Match(("first", "level:1"), boyi.start("tic_tac_toe"), games=2)   # the level is Boyi's own
        assert [played.failures for played in play_match(match)] == [(), ()]
        assert match.names == ("first", "level:1")
        for spec, words in (("broken", "was installed as 'tests.agents.guests', which is not module:Class"),
                            ("lost", "lost: there is no module there_is_none"), ("frist", "did you mean 'first'?"),
                            ("first:depth=3", "no option of first is called 'depth'")):
            with pytest.raises(BoyiError) as caught:
                Match((spec, "random"), boyi.start("tic_tac_toe"))
            assert words in str(caught.value)
        with pytest.raises(OptionError, match="would run code on this machine"):
            read_spec("first")
    finally:
        module.installed_kinds.cache_clear()


def test_code_that_was_edited_is_imported_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = "class Agent:\n    def choose(self, observation, clock):\n        return observation.moves()[{}]\n"
    digests = []
    for which in (0, -1):
        (tmp_path / "edited.py").write_text(code.format(which))
        spec = read_spec("python:edited:Agent", trusted=True)
        digests.append(spec.fingerprint())
        agent, position = spec.make(), boyi.start("othello")
        assert agent.choose(position, Clock()) == position.moves()[which]
        close_agent(agent)
    assert digests[0] != digests[1]


# ---------------------------------------------------------------------- how it plays

@pytest.mark.parametrize("game", ["othello", "jieqi", "liuzhou", "chinese_checkers"])
def test_it_plays_every_game(game: str) -> None:
    match = Match((f"{HERE}:First", "random"), boyi.start(game), games=1, longest=30, seed=1)
    assert match.play(0).failures == ()


def test_a_process_is_kept_for_the_next_game_and_the_agent_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    source = module.Source("first", "tests.agents.guests:First")
    agents = [module.PythonAgent(source, {}) for _ in range(2)]
    guests = [agent._guest for agent in agents]
    for agent in agents:
        agent.close()
    again = module.PythonAgent(source, {})
    assert again._guest in guests
    again.close()
    monkeypatch.setattr(module, "MOST_IDLE", 2)
    module.PythonAgent(module.Source("another", source.target), {}).close()
    assert len(module._idle) == 2


def test_games_are_repeatable_also_by_the_modules_own_generator() -> None:
    match = Match((f"{HERE}:Dice", "random"), boyi.start("othello"), games=2, seed=3)
    first = [game.record.to_text() for game in play_match(match)]
    assert [match.play(number).record.to_text() for number in (1, 0)] == first[::-1]
    assert first[0].splitlines()[-1] != first[1].splitlines()[-1]


@pytest.mark.parametrize("answer", [None, "f5", 0.5, [1], -1, 2**32, 10**5000, object()], ids=range(8))
def test_answers_that_are_no_moves(answer: object) -> None:
    with pytest.raises(AgentError) as caught:
        read_answer(answer)
    assert caught.value.fault == "illegal_move"
    assert "a move is an int out of observation.moves()" in str(caught.value)
    assert len(str(caught.value)) < 200


def test_numbers_of_numpy_are_moves() -> None:
    numpy = pytest.importorskip("numpy")
    assert read_answer(numpy.int64(7)) == read_answer(numpy.uint32(7)) == 7


def test_one_that_hangs_is_ended() -> None:
    began = time.monotonic()
    match = Match((f"{HERE}:Odd,does=loops,after=1", "random"), boyi.start("tic_tac_toe"), games=2, random_plies=0,
                  move_seconds=0.5)
    for played in play_match(match):
        (failure,) = played.failures
        assert (played.contestants[failure.seat], failure.fault, played.outcome.reason) == (0, "timeout", "timeout")
        assert "took longer than 0.5 s for a move and was ended" in failure.message
        assert played.decisions >= 2   # the record has what was played until then
    assert time.monotonic() - began < 60


def test_a_clock_ends_it_too() -> None:
    match = Match((f"{HERE}:Odd,does=sleeps", "random"), boyi.start("tic_tac_toe"), games=1, random_plies=0,
                  time=boyi.arena.timecontrol.parse_time("0.3+0"))
    (failure,) = match.play(0).failures
    assert failure.fault == "timeout"


def test_a_move_has_a_limit_also_where_nobody_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOVE_SECONDS", 0.3)
    agent, position = make_agent(f"{HERE}:Odd,does=loops", trusted=True), boyi.start("othello")
    with pytest.raises(AgentError, match=r"longer than 0\.3 s"):
        agent.choose(position, Clock())
    close_agent(agent)


# ---------------------------------------------------------------------- hostile ones

MOMENTS = ("prepare", "choose", "expectation", "close")


@given(does=st.sampled_from(sorted(ACTS)), at=st.sampled_from(MOMENTS), after=st.integers(0, 2))
@settings(max_examples=scaled(200))
def test_hostile_agents_disturb_nobody(does: str, at: str, after: int) -> None:
    """Whatever it does, it has lost a game or played it; the next game is played, and no words are ours."""
    if does in ENDLESS and at != "choose":
        does = "raises"   # the limits of the other moments are long; they have tests of their own
    hostile = f"{HERE}:Odd,does={does},at={at},after={after}"
    games = list(play_match(Match((hostile, f"{HERE}:First"), boyi.start("tic_tac_toe"), games=2, random_plies=1,
                                  move_seconds=0.5 if does in ENDLESS else None)))
    assert [played.number for played in games] == [0, 1]
    for played in games:
        for failure in played.failures:
            assert played.contestants[failure.seat] == 0
            assert failure.fault in ("crash", "illegal_move", "resignation", "timeout")
            assert len(failure.message) < 600
            assert "Traceback" not in failure.message
            assert "src/boyi" not in failure.traceback
        if at == "choose" and after == 0:
            assert played.failures
        assert Record.parse(played.record.to_text(), find_game).to_text() == played.record.to_text()


@pytest.mark.parametrize("at", ["prepare", "close"])
def test_what_never_gets_ready_or_never_goes_is_ended(at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "READY_SECONDS", 3.0)
    match = Match((f"{HERE}:Odd,does=loops,at={at}", "random"), boyi.start("tic_tac_toe"), games=1, random_plies=0)
    played = match.play(0)
    assert [failure.fault for failure in played.failures] == (["timeout"] if at == "prepare" else [])


class Noisy:
    """Writes where only Boyi writes."""

    def choose(self, observation: Position, clock: Clock) -> Any:
        for descriptor in range(3, 20):
            try:
                os.write(descriptor, b"nonsense\n")
            except OSError:
                continue
        return observation.moves()[0]


def test_an_agent_that_writes_into_our_pipe() -> None:
    (failure,) = Match(("python:tests.agents.test_python:Noisy", "random"), boyi.start("tic_tac_toe"), games=1,
                       random_plies=0).play(0).failures
    assert "where Boyi's answer belongs" in failure.message
