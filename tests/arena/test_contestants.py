"""Contestants that a program brings along: objects, classes and functions, here and in other processes."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boyi
from boyi.agents import Clock
from boyi.agents import python as guests
from boyi.arena import Match, play_game, play_match, standings
from boyi.arena.table import rate_tournament, table
from boyi.arena.tournament import Tournament, play_tournament
from boyi.arena.tournament_journal import Journal
from boyi.core.errors import BoyiError, OptionError
from boyi.core.position import Position
from tests.agents.guests import ACTS, Empty, First, Odd, Settings, nothing
from tests.places import ROOT
from tests.scale import scaled

START = boyi.start("tic_tac_toe")


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(ROOT)
    yield
    guests.end_idle()


class Counting:
    """Counts its moves, which a copy begins anew."""

    def __init__(self, first: int = 0) -> None:
        self.moves = first

    def choose(self, observation: Position, clock: Clock) -> int:
        self.moves += 1
        if self.moves > 6:
            raise ValueError("one game has no more moves than that")
        return observation.moves()[-1]


# ---------------------------------------------------------------------- here

@pytest.mark.parametrize("contestant", [Counting(), Counting, lambda: Counting(1), lambda seed: Counting(seed * 0)])
def test_every_game_has_an_agent_of_its_own(contestant: Any) -> None:
    match = Match((contestant, "random"), START, games=6, seed=1)
    assert all(not played.failures for played in play_match(match))
    assert getattr(contestant, "moves", 0) == 0


def test_names() -> None:
    named = Counting()
    named.name = "Ada\nLovelace"   # type: ignore[attr-defined]
    match = Match((named, Counting()), START, games=1)
    assert match.names == ("Ada?Lovelace", "Counting")
    assert sorted(match.play(0).record.players) == ["Ada?Lovelace", "Counting"]
    assert Match((Settings(), Counting), START).names == ("knows its settings", "Counting")
    assert replace(match, games=3).names == match.names
    assert [row.contestant for row in standings(match, [match.play(0)])] == [0, 1]


@pytest.mark.parametrize(("contestant", "words"), [
    (3, "3 is none of them"), (None, "None is none of them"), (Empty, "makes Empty objects, which have no choose"),
    (Empty(), "is none of them"), (nothing, "makes NoneType objects"), (lambda depth: First(), "missing a required"),
    (lambda: 1 // 0, "it raised ZeroDivisionError"), (lambda: sys.exit(2), "it raised SystemExit"),
    ("python:there_is_none:First", "there is no module there_is_none"),
])
def test_what_is_no_contestant_is_refused_at_once(contestant: Any, words: str) -> None:
    with pytest.raises(OptionError) as caught:
        Match((contestant, "random"), START)
    assert words in str(caught.value)


def test_what_cannot_be_copied_says_so() -> None:
    agent = Counting()
    agent.lock = threading.Lock()   # type: ignore[attr-defined]
    with pytest.raises(OptionError, match=r"Counting cannot be copied for every game .* bring its class"):
        Match((agent, "random"), START)


def test_what_an_agent_raises_is_a_failed_move_with_its_traceback() -> None:
    match = Match((Odd("raises", after=1), "random"), START, games=2, random_plies=0)
    for played in play_match(match):
        (failure,) = played.failures
        assert played.contestants[failure.seat] == 0
        assert (failure.fault, played.outcome.reason) == ("crash", "crash")
        assert "it raised ValueError: as it was told (guests.py, line" in failure.message
        assert failure.traceback.startswith("Traceback (most recent call last):\n")
        assert failure.traceback.endswith("ValueError: as it was told\n")
        assert "src/boyi" not in failure.traceback


def test_to_resign_is_an_agents_own_word() -> None:
    (failure,) = Match((Odd("resigns"), "random"), START, games=1, random_plies=0).play(0).failures
    assert (failure.fault, failure.traceback) == ("resignation", "")


@given(does=st.sampled_from(sorted(set(ACTS) - {"dies", "aborts", "closes", "interrupts", "loops", "sleeps"})),
       at=st.sampled_from(["prepare", "choose", "expectation"]), after=st.integers(0, 2))
@settings(max_examples=scaled(200))
def test_hostile_objects_disturb_nobody(does: str, at: str, after: int) -> None:
    """Those of them that can be survived in one process."""
    games = list(play_match(Match((Odd(does, at, after), "random"), START, games=2, random_plies=1)))
    assert len(games) == 2
    assert {played.contestants[failure.seat] for played in games for failure in played.failures} <= {0}


def test_interrupting_is_the_users(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt):
        play_game(START.copy(), [Odd("interrupts"), First()])


def test_what_closing_raises_is_said() -> None:
    with pytest.warns(RuntimeWarning, match="could not be closed: it raised ValueError: as it was told"):
        assert Match((Odd("raises", "close"), "random"), START, games=1).play(0).failures == ()


# ---------------------------------------------------------------------- in other processes

def test_the_same_games_by_several_processes() -> None:
    class Local:
        """Such a class has no name that another process could find."""

        def choose(self, observation: Position, clock: Clock) -> int:
            return observation.moves()[0]

    match = Match((Local(), "random"), START, games=4, seed=5)
    assert [played.record.to_text() for played in play_match(match, jobs=2)] == [
        played.record.to_text() for played in play_match(match)]


def test_what_cannot_travel_is_refused_before_the_first_game() -> None:
    class Rooted(First):
        def __deepcopy__(self, memo: object) -> Rooted:
            return self

        def __reduce__(self) -> Any:
            raise TypeError("it stays at home")

    match = Match((Rooted(), "random"), START, games=2)
    assert len(list(play_match(match))) == 2
    with pytest.raises(OptionError, match=r"Rooted cannot play in another process.*it stays at home.*one job"):
        next(play_match(match, jobs=2))


@pytest.mark.parametrize("does", ["raises", "dies", "loops", "illegal"])
def test_a_match_on_processes_goes_on(does: str) -> None:
    """An object that fails in another process fails in one of its own: the workers live on."""
    match = Match((Odd(does, after=1), "random"), START, games=3, random_plies=0, move_seconds=1.0)
    played = list(play_match(match, jobs=2))
    assert [game.number for game in played] == [0, 1, 2]
    fault = {"loops": "timeout", "illegal": "illegal_move"}.get(does, "crash")
    assert {failure.fault for game in played for failure in game.failures} == {fault}
    assert all(len(game.failures) == 1 for game in played)


def test_a_script_brings_its_own_class(tmp_path: Path) -> None:
    """A class of `__main__`, as in every first script and every notebook."""
    (tmp_path / "script.py").write_text('''
import boyi
from boyi.arena import Match, play_match

class Mine:
    def choose(self, observation, clock):
        return observation.moves()[0]

if __name__ == "__main__":
    match = Match((Mine(), "random"), boyi.start("tic_tac_toe"), games=4)
    print(sum(len(game.failures) for game in play_match(match, jobs=2)), match.names)
''')
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "0 ('Mine', 'random')\n"


# ---------------------------------------------------------------------- tournaments and their journals

def test_a_tournament_of_objects(tmp_path: Path) -> None:
    tournament = Tournament((First, Odd("raises"), "python:tests.agents.guests:Dice"), START, rounds=2, seed=1)
    with Journal(tmp_path / "journal.jsonl", tournament) as kept:
        for bout in play_tournament(tournament, kept.games):
            kept.add(bout)
    bouts = list(kept.games.values())
    rows = {row.agent: row for row in table(tournament, bouts, rate_tournament(tournament, bouts))}
    assert {name: row.failures for name, row in rows.items()} == {
        "First": 0, "Odd": rows["Odd"].games, "python:tests.agents.guests:Dice": 0}
    entries = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text().splitlines()]
    assert entries[0]["contestants"] == ["First", "Odd", "python:tests.agents.guests:Dice"]
    assert set(entries[0]["code"]) == set(entries[0]["contestants"])
    traced = [failure["traceback"] for entry in entries[1:] for failure in entry["failures"]]
    assert len(traced) == rows["Odd"].games
    assert all("ValueError: as it was told" in text for text in traced)
    with Journal(tmp_path / "journal.jsonl", tournament) as again:
        assert again.games == kept.games


def test_two_of_one_name_are_refused_in_a_tournament() -> None:
    with pytest.raises(OptionError, match="'First' is named 2 times"):
        Tournament((First(), First()), START)
    assert Match((First(), First()), START).names == ("First", "First")


def test_a_journal_is_not_continued_with_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = "class Agent:\n    def choose(self, observation, clock):\n        return observation.moves()[{}]\n"
    for which, refused in ((0, False), (0, False), (1, True)):
        (tmp_path / "mine.py").write_text(code.format(which))
        tournament = Tournament(("python:mine:Agent", "random"), START, rounds=1, seed=1)
        if refused:
            with pytest.raises(BoyiError, match="the journal of another tournament: its code is"):
                Journal(tmp_path / "journal.jsonl", tournament)
        else:
            Journal(tmp_path / "journal.jsonl", tournament).__exit__(None, None, None)


def test_failures_are_counted_by_seat() -> None:
    match = Match((Odd("illegal"), Odd("none")), START, games=4, random_plies=0)
    games = list(play_match(match))
    assert Counter(played.contestants[failure.seat] for played in games for failure in played.failures) == {0: 2, 1: 2}
    assert [row.failures for row in standings(match, games)] == [2, 2]
