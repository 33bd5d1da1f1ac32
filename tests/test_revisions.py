"""Earlier revisions as opponents. Here the revision is mostly this checkout itself, played through the same driver."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import boyi
from benchmarks import against
from benchmarks.revisions import build as building
from benchmarks.revisions.agent import DRIVER, RevisionAgent, close_drivers, find_driver, write_history
from benchmarks.revisions.build import Build, find_commit
from benchmarks.revisions.encounter import Encounter, Time, Worker, arrange, parse_openings, play
from benchmarks.revisions.report import HEADERS, NOT_MEASURED, make_row, update_page, write_markdown
from benchmarks.revisions.specs import STRONGEST, find_strongest
from boyi.agents import Clock
from boyi.agents.agent import AgentError
from boyi.arena.bout import Slot
from boyi.arena.sprt import Sprt
from boyi.core.errors import BoyiError, OptionError
from tests.places import ROOT

COMMAND = (sys.executable, str(DRIVER))
SELF = Build("HEAD", "f" * 40, sys.executable)
GAMES = [("othello", 2), ("xiangqi", 2), ("jieqi", 2), ("liuzhou", 2), ("chinese_checkers", 2), ("chinese_checkers", 3)]


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    yield
    close_drivers()


def meet(game: str = "othello", players: int = 2, time: str = "60nodes", games: int = 2, **more: Any) -> Encounter:
    more = {"ours": "default", "theirs": "default", **more}
    return arrange(SELF, COMMAND, "ours", game, players, Time.parse(time), games, **more)


# ------------------------------------------------------------------ the driver

@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_revision_sees_what_we_would_see(game: str, players: int, tmp_path: Path,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    """The same agent on both sides: the games of a round are the same game, move for move and draw for draw.

    It is so only if the driver has the whole history and just what its seat may know of it.
    """
    result = play(meet(game, players, games=players), tmp_path, jobs=1)
    assert len(result.bouts) == players
    assert not any(bout.failures for bout in result.bouts)
    assert len({bout.course for bout in result.bouts}) == 1
    assert len({bout.contestants for bout in result.bouts}) == players
    assert "has other rules" not in capsys.readouterr().err


def test_the_history_is_what_the_seat_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    position = boyi.start("jieqi")
    for move in ("b2b9", "R", "n"):   # a cannon's place takes a covered piece; only Red is shown what that was
        position.play(move)
    assert write_history(position.observe(0)) == ["b2b9", "R", "n"]
    assert write_history(position.observe(1)) == ["b2b9", "R"]


def test_limits_are_for_specs_without_their_own(tmp_path: Path) -> None:
    limited = meet(time="0.5", theirs="alphabeta:nodes=50")
    assert limited.ours == "alphabeta:seconds=0.5"
    assert limited.opponent.spec == "alphabeta:nodes=50"
    assert limited.time.control is None
    clocked = meet(time="3+0.03")
    assert (clocked.ours, clocked.opponent.spec) == ("alphabeta", "alphabeta")
    assert str(clocked.time.control) == "3+0.03"
    with pytest.raises(OptionError):
        Time.parse("0")
    with pytest.raises(OptionError, match="evaluator"):
        meet(theirs="alphabeta:evaluator=xyzzy")
    with pytest.raises(OptionError, match="players"):
        meet("othello", 3)


def test_agents_by_chance_have_a_seed_for_every_game(tmp_path: Path) -> None:
    result = play(meet(theirs="random", ours="random", games=4), tmp_path, jobs=1)
    assert len({bout.course for bout in result.bouts}) == 4


def test_a_revision_with_other_rules_is_given_the_position(tmp_path: Path) -> None:
    driver = find_driver("self", COMMAND)
    start = boyi.start("othello")
    question: dict[str, Any] = {"agent": 0, "game": "othello", "options": {}, "spec": "alphabeta:depth=1",
                                "limits": {}, "seed": 0, "start": start.to_text(), "seat": 0}
    assert driver.ask(60, do="new", **question) == {"spec": "alphabeta:depth=1", "seeded": False}
    later = start.copy()
    for move in ("f5", "d6"):
        later.play(move)
    facts = {"do": "move", "agent": 0, "text": later.to_text(), "legal": len(later.moves()), "clock": {"new": 1}}
    good = driver.ask(60, moves=["f5", "d6"], **facts)
    assert good["replayed"] and later.is_legal(later.parse_move(good["move"]))
    for moves, legal in ((["a1"], len(later.moves())), (["f5", "d6"], 99)):
        assert driver.ask(60, moves=moves, **facts | {"legal": legal}) == good | {"replayed": False}
    start.play("f5")
    with pytest.raises(AgentError, match="not the turn of seat 0"):
        driver.ask(60, moves=["a1"], **facts | {"text": start.to_text()})
    assert driver.alive


FAKE = """
import json, sys
for line in sys.stdin:
    if line.strip() == "quit": break
    do = json.loads(line)["do"]
    if do == "move" and {death!r} == "end": sys.exit(3)
    facts = {{"version": "0", "spec": "x", "seeded": False}}
    print({answer!r} if do == "move" else json.dumps({{"ok": facts}}), flush=True)
"""


@pytest.mark.parametrize(("answer", "death", "fault"), [
    ('{"ok": {"move": "a1"}}', "", "illegal_move"), ('{"error": "no"}', "", "refusal"), ("what?", "", "crash"),
    ("", "end", "crash")])
def test_a_revision_that_fails_loses_the_game(answer: str, death: str, fault: str, tmp_path: Path) -> None:
    fake = tmp_path / "fake.py"
    fake.write_text(FAKE.format(answer=answer, death=death))
    agent = RevisionAgent("fake", (sys.executable, str(fake)), "x", {})
    with pytest.raises(AgentError) as raised:
        agent.choose(boyi.start("othello"), Clock())
    assert raised.value.fault == fault
    agent.close()
    with pytest.raises(AgentError):   # and the next game finds a process again
        agent.choose(boyi.start("othello"), Clock())


# ------------------------------------------------------------------ encounters

def test_games_are_kept_and_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = play(meet(games=2), tmp_path, jobs=1)
    played: list[int] = []
    ordinary = Worker.__call__

    def call(self: Worker, slot: Slot) -> Any:
        played.append(slot.number)
        return ordinary(self, slot)
    monkeypatch.setattr(Worker, "__call__", call)
    more = play(meet(games=4), tmp_path, jobs=1)
    assert played == [2, 3]
    assert list(more.bouts[:2]) == list(first.bouts)
    assert meet(games=4, seed=2).journal(tmp_path) != meet(games=4).journal(tmp_path)
    assert meet(theirs="alphabeta:depth=1").journal(tmp_path) != meet().journal(tmp_path)


def test_a_test_ends_when_it_is_decided(tmp_path: Path) -> None:
    result = play(meet(games=200, ours="alphabeta:depth=3", theirs="random"), tmp_path, 1, Sprt(0, 400))
    assert 2 <= len(result.bouts) < 200 and result.pairs[4] > 0


@pytest.mark.slow
def test_several_processes_play_the_same_games(tmp_path: Path) -> None:
    one, two = (play(meet(games=4), tmp_path / str(jobs), jobs) for jobs in (1, 2))
    assert list(one.bouts) == list(two.bouts)


def test_openings_of_xot_and_of_ours() -> None:
    start = boyi.start("othello")
    found = parse_openings("f5d6c4d3c2b3b4b5\nF5F4\nmoves f5 d6\n", start)
    assert [opening.ply for opening in found] == [8, 2, 2]
    encounter = meet(openings="f5d6\nf5f4", games=4)
    match = encounter.tournament().match((0, 1))
    assert [match.opening(number).to_text() for number in range(4)] == [
        opening.to_text() for opening in parse_openings("f5d6\nf5d6\nf5f4\nf5f4", start)]


# ------------------------------------------------------------------ what came out

def row_of(encounter: Encounter, folder: Path, test: Sprt | None = None) -> Any:
    return make_row(SELF, "1234567", encounter, play(encounter, folder, 1, test), test, "4 random plies", folder)


def test_rows_say_what_happened(tmp_path: Path) -> None:
    won = row_of(meet(ours="alphabeta:depth=3", theirs="random", games=4), tmp_path)
    cells = dict(zip(HEADERS, won.cells(), strict=True))
    assert cells["result"] == "4-0-0" and cells["score, 95 %"].startswith("100.0 % (5") and cells["games"] == "4"
    assert cells["Elo, 95 %"].startswith("+∞ (+") and cells["their agent"] == "random"
    facts = json.loads(json.dumps(won.to_json()))
    assert facts["standing"]["wins"] == 4 and facts["standing"]["elo"] is None and facts["standing"]["elo_low"] > 0
    three = row_of(meet("chinese_checkers", 3, "5nodes", 3, theirs="random"), tmp_path)
    cells = dict(zip(HEADERS, three.cells(), strict=True))
    assert cells["score, 95 %"].startswith("3.00 × (") and cells["Elo, 95 %"] == "–"
    tested = row_of(meet(games=200, ours="alphabeta:depth=3", theirs="random"), tmp_path, Sprt(0, 400))
    assert tested.cells()[9].endswith("SPRT 0, 400: 400")


def test_failures_are_named_in_the_row(tmp_path: Path) -> None:
    fake = tmp_path / "fake.py"
    fake.write_text(FAKE.format(answer='{"error": "no"}', death=""))
    encounter = arrange(SELF, (sys.executable, str(fake)), "ours", "othello", 2, Time.parse("9nodes"), 2,
                        ours="default", theirs="x")
    row = row_of(encounter, tmp_path)
    assert row.failures == {"ours": 0, "theirs": 2} and "theirs failed 2" in row.cells()[7]


def test_the_page_of_revisions() -> None:
    def cells(against: str, ours: str, game: str, result: str = "1-0-1") -> list[str]:
        return [against, ours, game, "2", "0.1 s a move", "4 random plies", "2", result, "50 %", "+0", "a", "b"]

    page = update_page("", [cells("old", "–", "othello", NOT_MEASURED)]) + "\nThe end.\n"
    assert page.startswith("# Strength of revisions") and NOT_MEASURED in page
    page = update_page(page, [cells("old", "one", "othello"), cells("new", "one", "othello")])
    assert NOT_MEASURED not in page and page.endswith("\nThe end.\n")
    page = update_page(page, [cells("old", "one", "othello", "2-0-0"), cells("old", "two", "othello"),
                              cells("old", "one", "jieqi")])
    table = [line.split(" | ")[:3] + line.split(" | ")[7:8] for line in page.splitlines() if line.startswith("| ")][1:]
    assert table == [["| old", "one", "othello", "2-0-0"], ["| old", "two", "othello", "1-0-1"],
                     ["| old", "one", "jieqi", "1-0-1"], ["| new", "one", "othello", "1-0-1"]]
    assert update_page(page, []) == page
    assert write_markdown([]).splitlines()[0] in page


def test_the_page_in_the_documentation_can_be_written_to() -> None:
    page = (ROOT / "docs" / "results" / "revisions.md").read_text(encoding="utf-8")
    assert update_page(page, []) == page and write_markdown([]).splitlines()[0] in page
    assert "| 6692040 |" in page


# ------------------------------------------------------------------ building, and the command

def has_history() -> bool:
    return subprocess.run(["git", "cat-file", "-e", STRONGEST[0].commit], cwd=ROOT, capture_output=True,
                          check=False).returncode == 0


needs_history = pytest.mark.skipif(not has_history(), reason="the repository's history is not here")


@needs_history
def test_the_strongest_agents_of_a_revision() -> None:
    first = find_commit(STRONGEST[0].commit)
    assert find_strongest(first, "xiangqi", 2) == "alphabeta:evaluator=net"
    assert find_strongest(first, "chinese_checkers", 6) == "multiplayer"
    assert find_strongest(find_commit("HEAD"), "jieqi", 2) != ""
    assert find_strongest(find_commit(f"{first}~1"), "xiangqi", 2) == "default"
    with pytest.raises(BoyiError, match="no commit"):
        find_commit("xyzzy")


@needs_history
def test_nothing_is_built_inside_the_repository() -> None:
    with pytest.raises(BoyiError, match="inside the repository"):
        building.build("HEAD", ROOT / "build")


@needs_history
def test_a_build_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make(commit: str, place: Path, environment: Path, python: Path, settings: tuple[str, ...]) -> None:
        made.append(commit)
        if len(made) == 1:
            raise BoyiError("the compiler failed")

    monkeypatch.setattr(building, "_make", make)
    with pytest.raises(BoyiError, match="compiler"):
        building.build("HEAD", tmp_path)
    one, two = (building.build(name, tmp_path) for name in ("HEAD", find_commit("HEAD")))
    assert len(made) == 2 and one.commit == two.commit and one.python == two.python


@needs_history
def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(against, "build", lambda revision, folder: SELF)
    page = tmp_path / "page.md"
    words = ["HEAD", "--games", "othello", "--time", "20nodes", "30nodes", "--number", "2", "--folder", str(tmp_path),
             "--theirs", "default"]
    assert against.main([*words, "--append", str(page), "--markdown"]) == 0
    assert capsys.readouterr().out.count("| othello |") == 2
    assert page.read_text(encoding="utf-8").count("| othello |") == 2
    assert against.main([*words, "--json"]) == 0
    assert [row["time"] for row in json.loads(capsys.readouterr().out)] == ["20nodes", "30nodes"]
    assert against.main([*words, "--openings", "xiangqi=nowhere.txt"]) == 1
    assert "none of the games to play" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        against.main([*words, "--number", "0"])

    def interrupt(self: Worker, slot: Slot) -> Any:
        raise KeyboardInterrupt
    monkeypatch.setattr(Worker, "__call__", interrupt)
    before = page.read_text(encoding="utf-8")
    assert against.main([*words, "--number", "4", "--append", str(page)]) == 130
    assert page.read_text(encoding="utf-8") == before   # a match that was not played to its end is no result


@pytest.mark.soak
@needs_history
def test_this_revision_built_for_real(tmp_path: Path) -> None:
    """A few minutes of compiling."""
    words = ["HEAD", "--games", "othello", "jieqi", "--time", "60nodes", "--number", "2", "--folder", str(tmp_path)]
    assert against.main([*words, "--theirs", "default"]) == 0
    assert against.main(["HEAD", *words[1:], "--theirs", "default", "--number", "4"]) == 0
