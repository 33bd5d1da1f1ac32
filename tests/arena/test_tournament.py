"""Tournaments: fair, the same in any order, and the same again after any interruption."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

import boyi
from boyi.arena.adjudication import Adjudication
from boyi.arena.bout import Bout, Slot
from boyi.arena.journal import read_seed
from boyi.arena.ladder import add_to_ladder
from boyi.arena.match import Match, play_match
from boyi.arena.standing import standings
from boyi.arena.table import cross_table, rate_tournament, table
from boyi.arena.tally import count_pairs
from boyi.arena.timecontrol import TimeControl
from boyi.arena.tournament import Tournament, play_tournament
from boyi.arena.tournament_journal import Journal
from boyi.core.errors import BoyiError, OptionError, RecordError
from boyi.core.record import Record
from boyi.games import find_game
from tests.places import FAKE_ENGINE
from tests.scale import scaled

AGENTS = ("random", "random:seed=1", "random:seed=2")


def small(**settings: object) -> Tournament:
    """A tournament of a few milliseconds."""
    return Tournament(**{"contestants": AGENTS, "start": boyi.start("tic_tac_toe"), "rounds": 2, "random_plies": 2,
                         "seed": 5} | settings)  # type: ignore[arg-type]


def invented(tournament: Tournament, slot: Slot, places: tuple[int, ...]) -> Bout:
    """A game that nobody played."""
    seats = tournament.match(slot.meeting).seating(slot.number)
    return Bout(slot, tuple(slot.meeting[seat] for seat in seats), places, "invented", 1, (), "")


# ---------------------------------------------------------------------- which games there are

def test_everybody_meets_everybody_in_every_seat() -> None:
    tournament = small()
    (slots,) = tournament.stages({})
    assert len(slots) == len(set(slots)) == tournament.games == 3 * 2 * 2
    seats = Counter((seat, invented(tournament, slot, (1, 2)).contestants[seat]) for slot in slots for seat in (0, 1))
    assert set(seats.values()) == {4}
    assert {slot.meeting for slot in slots[:6]} == set(combinations(range(3), 2))   # the first round of all comes first


def test_three_at_a_board() -> None:
    start = boyi.start("chinese_checkers", players=3)
    tournament = Tournament((*AGENTS, "random:seed=3"), start, rounds=1)
    (slots,) = tournament.stages({})
    assert len(slots) == tournament.games == 4 * 3
    tournament = Tournament(AGENTS[:2], start, rounds=1)
    (slots,) = tournament.stages({})
    assert {slot.meeting for slot in slots} == {(0, 1), (1, 0)}
    seated = [invented(tournament, slot, (1, 2, 3)).contestants for slot in slots[:3]]
    assert seated == [(0, 1, 1), (1, 1, 0), (1, 0, 1)]


@pytest.mark.parametrize("count", [16, 17])
def test_the_swiss_way_finds_the_strongest_in_few_meetings(count: int) -> None:
    tournament = small(contestants=tuple(f"random:seed={number}" for number in range(count)), swiss=7, rounds=4)
    generator = random.Random(3)
    finished: dict[Slot, Bout] = {}
    meetings: Counter[tuple[int, ...]] = Counter()
    boards: Counter[int] = Counter()
    for slots in tournament.stages(finished):
        for meeting in {slot.meeting for slot in slots}:
            meetings[meeting] += 1
            boards.update(meeting)
        for slot in slots:
            bout = invented(tournament, slot, (1, 2))
            better = 1 / (1 + math.exp((bout.contestants[0] - bout.contestants[1]) / 4))
            finished[slot] = bout if generator.random() < better else invented(tournament, slot, (2, 1))
    assert len(finished) == tournament.games == 7 * 8 * 8   # of 120 or 136 meetings 56
    assert max(meetings.values()) <= 2
    assert sum(times - 1 for times in meetings.values()) <= 3
    assert max(boards.values()) - min(boards.values()) <= 1
    ratings = rate_tournament(tournament, finished.values())
    assert len(ratings.groups) == 1
    order = [row.contestant for row in table(tournament, finished.values(), ratings)]
    assert sum(order[:4]) < 16 and sum(order[-4:]) > 4 * count - 26


def test_the_swiss_way_with_three_at_a_board() -> None:
    tournament = Tournament(tuple(f"random:seed={number}" for number in range(7)),
                            boyi.start("chinese_checkers", players=3), rounds=1, swiss=5)
    finished: dict[Slot, Bout] = {}
    boards: Counter[int] = Counter()
    for slots in tournament.stages(finished):
        assert len({slot.meeting for slot in slots}) == 2
        boards.update(agent for meeting in {slot.meeting for slot in slots} for agent in meeting)
        finished |= {slot: invented(tournament, slot, (1, 2, 3)) for slot in slots}
    assert len(finished) == tournament.games
    assert max(boards.values()) - min(boards.values()) <= 1


def test_a_match_is_a_tournament_of_one_meeting() -> None:
    agents = ("alphabeta:nodes=30", "random:seed=1")
    tournament = small(contestants=agents, match_games=5)
    match = Match(agents, tournament.start, games=5, random_plies=2, seed=5)
    bouts = list(play_tournament(tournament, {}))
    played = list(play_match(match))
    assert [bout.record for bout in bouts] == [game.record.to_text() for game in played]
    assert [bout.contestants for bout in bouts] == [game.contestants for game in played]
    assert standings(match, bouts) == standings(match, played)
    assert count_pairs(bouts) == count_pairs(played)
    small(contestants=("random", "random"), match_games=1)   # one may play itself
    with pytest.raises(OptionError, match="has two agents"):
        small(contestants=AGENTS, match_games=1)
    three = Tournament(AGENTS[:2], boyi.start("chinese_checkers", players=3), match_games=4)
    (slots,) = three.stages({})
    assert [slot.meeting for slot in slots] == [(0, 1)] * 4


@pytest.mark.parametrize(("settings", "words"), [
    ({"contestants": AGENTS[:1]}, "two agents or more"), ({"contestants": (*AGENTS, "random")}, "each agent once"),
    ({"rounds": 0}, "at least one round"), ({"swiss": 0}, "at least one stage"),
    ({"contestants": (*AGENTS, "human")}, "human"), ({"contestants": (*AGENTS, "nobody")}, "There are: "),
    ({"random_plies": 9}, "begin with fewer"), ({"rounds": 10**7}, "too long"),
])
def test_bad_tournaments_are_refused(settings: dict[str, object], words: str) -> None:
    with pytest.raises(BoyiError) as caught:
        small(**settings)
    assert words in str(caught.value)


# ---------------------------------------------------------------------- playing

def test_games_do_not_depend_on_their_order() -> None:
    tournament = small()
    finished: dict[Slot, Bout] = {}
    assert list(play_tournament(tournament, finished)) == list(finished.values())
    again = {slot: small().play(slot) for slot in reversed(list(finished))}
    assert again == finished
    rows = table(tournament, finished.values(), rate_tournament(tournament, finished.values()))
    assert table(tournament, again.values(), rate_tournament(tournament, again.values())) == rows
    for bout in finished.values():
        assert Record.parse(bout.record, find_game).replay().outcome() is not None


def test_a_meeting_is_the_same_among_other_agents() -> None:
    more = small(contestants=("random:seed=9", *AGENTS))
    one, other = small().play(Slot((0, 2), 1)), more.play(Slot((1, 3), 1))
    assert (one.record, one.places) == (other.record, other.places)


def test_a_process_that_dies_costs_time_and_no_game() -> None:
    agents = ("alphabeta:nodes=2000", "random", "random:seed=1")
    tournament = Tournament(agents, boyi.start("othello"), rounds=1, seed=2)
    finished: dict[Slot, Bout] = {}
    games = play_tournament(tournament, finished, jobs=2)
    next(games)
    victim = multiprocessing.active_children()[0].pid
    assert victim is not None
    os.kill(victim, signal.SIGKILL)
    ended = list(games)
    assert len(ended) == 5 and len(finished) == tournament.games == 6
    for slot in list(finished)[::3]:
        assert tournament.play(slot) == finished[slot]


def test_an_engine_that_fails_loses_and_the_tournament_goes_on() -> None:
    engine = f"uci:{sys.executable} {FAKE_ENGINE} uci stillborn"
    tournament = Tournament(("random", engine, "random:seed=1"), boyi.start("xiangqi"), rounds=1, longest=40)
    bouts = list(play_tournament(tournament, {}))
    assert len(bouts) == tournament.games == 6
    rows = {row.agent: row for row in table(tournament, bouts, rate_tournament(tournament, bouts))}
    assert rows[engine].failures == rows[engine].losses == 4
    assert rows["random"].failures == 0
    assert {bout.reason for bout in bouts if 1 in bout.slot.meeting} == {"crash"}
    assert [Bout.parse(json.loads(json.dumps(bout.to_entry()))) for bout in bouts] == bouts


# ---------------------------------------------------------------------- what the games say

def test_tables() -> None:
    tournament = small(rounds=1)
    (slots,) = tournament.stages({})
    # 0 beats everybody, 1 and 2 draw.
    bouts = []
    for slot in slots:
        bout = invented(tournament, slot, (1, 1))
        if 0 in slot.meeting:
            bout = invented(tournament, slot, (1, 2) if bout.contestants[0] == 0 else (2, 1))
        bouts.append(bout)
    rows = table(tournament, bouts, rate_tournament(tournament, bouts))
    assert [(row.wins, row.draws, row.losses) for row in rows] == [(4, 0, 0), (0, 2, 2), (0, 2, 2)]
    assert [row.score for row in rows] == [1, 0.25, 0.25]
    assert rows[0].agent == "random" and rows[0].firsts == 4 and rows[0].mean_place == 1
    assert rows[0].superiority is not None and rows[0].superiority > 0.8
    assert rows[-1].superiority is None
    assert cross_table(tournament, bouts) == {
        (0, 1): (2, 2), (1, 0): (0, 2), (0, 2): (2, 2), (2, 0): (0, 2), (1, 2): (1, 2), (2, 1): (1, 2)}
    anchored = rate_tournament(tournament, bouts, "random")
    assert table(tournament, bouts, anchored)[0].elo == 0
    empty = table(tournament, [], rate_tournament(tournament, []))
    assert [row.games for row in empty] == [0, 0, 0]


# ---------------------------------------------------------------------- the journal

def keep(path: Path, tournament: Tournament, most: int = 10**9) -> dict[Slot, Bout]:
    """Play what the journal does not have, at most so many games."""
    with Journal(path, tournament) as journal:
        games = play_tournament(tournament, journal.games)
        for _ in range(most):
            bout = next(games, None)
            if bout is None:
                break
            journal.add(bout)
        return journal.games


def lines(path: Path) -> list[str]:
    return sorted(path.read_text(encoding="utf-8").splitlines()[1:])


def test_a_journal_is_continued_wherever_it_was_cut(tmp_path: Path) -> None:
    tournament = small(rounds=3)
    whole = tmp_path / "whole.jsonl"
    games = keep(whole, tournament)
    assert len(games) == len(lines(whole)) == tournament.games
    content = whole.read_bytes()
    generator = random.Random(1)
    header = content.index(b"\n") + 1
    for cut in (0, 1, header - 1, header, header + 1, len(content) - 1, len(content),
                *(generator.randrange(len(content)) for _ in range(scaled(300)))):
        path = tmp_path / "cut.jsonl"
        path.write_bytes(content[:cut])
        assert keep(path, tournament) == games
        assert lines(path) == lines(whole)


def test_more_rounds_continue_and_other_settings_do_not(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    keep(path, small(rounds=1))
    first = lines(path)
    assert read_seed(path, "tournament") == 5
    assert read_seed(tmp_path / "none.jsonl", "tournament") is None
    assert len(keep(path, small(rounds=2))) == 12
    assert set(first) < set(lines(path))
    before = path.read_bytes()
    for settings, words in (({"seed": 6}, "its seed is 5, here it is 6"), ({"contestants": AGENTS[:2]}, "contestants"),
                            ({"start": boyi.start("othello")}, "game"), ({"swiss": 3}, "pairing"),
                            ({"random_plies": 1}, "random_plies"), ({"move_seconds": 1.0}, "move_seconds"),
                            ({"time": TimeControl(nodes=9)}, "time"), ({"longest": 9}, "longest"),
                            ({"adjudication": Adjudication(draw_after=9)}, "adjudication")):
        with pytest.raises(OptionError, match="another tournament") as caught:
            Journal(path, small(**settings))
        assert words in str(caught.value)
    assert path.read_bytes() == before
    timed = tmp_path / "timed.jsonl"
    clock = TimeControl(move_seconds=5, margin_seconds=1)
    keep(timed, small(rounds=1, time=clock))
    assert len(keep(timed, small(rounds=2, time=clock))) == 12
    for other in (None, TimeControl(move_seconds=5)):
        with pytest.raises(OptionError, match="its time is"):
            Journal(timed, small(time=other))


def test_a_swiss_tournament_is_continued(tmp_path: Path) -> None:
    tournament = small(contestants=tuple(f"random:seed={number}" for number in range(6)), swiss=3, rounds=1)
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    games = keep(whole, tournament)
    while len(keep(parts, tournament, most=4)) < tournament.games:
        pass
    assert keep(parts, tournament) == games


def test_what_is_no_journal_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for content in (b"my diary\n", b"[]\n", b'{"boyi": "ratings"}\n', b"\xff\n"):
        path.write_bytes(content)
        with pytest.raises(RecordError, match="not the journal"):
            Journal(path, small())
        assert path.read_bytes() == content
    path.unlink()
    keep(path, small(rounds=1))
    good = path.read_bytes()
    first, *rest = good.splitlines(keepends=True)
    strange = json.loads(rest[0]) | {"meeting": [0, 7]}
    for content, words in (
            (first + b"oops\n" + rest[1], "line 2"), (first + b'{"meeting": 3}\n', "line 2"),
            (first.replace(b'"version": 1', b'"version": 9') + rest[0], "version 9"),
            (first + json.dumps(strange).encode() + b"\n", "none of this tournament")):
        path.write_bytes(content)
        with pytest.raises(RecordError) as caught:
            Journal(path, small(rounds=1))
        assert words in str(caught.value)
        assert path.read_bytes() == content
    with pytest.raises(BoyiError, match="cannot write"):
        Journal(tmp_path / "no" / "folder.jsonl", small())
    path.write_bytes(good + rest[0])   # a game that is there twice counts once
    assert len(keep(path, small(rounds=1))) == 6


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_one_process_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with Journal(path, small()), pytest.raises(BoyiError, match="another process"):
        Journal(path, small())
    keep(path, small())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.parametrize(("command", "kills"), [
    pytest.param(["tournament", "tic_tac_toe", *AGENTS, "alphabeta:nodes=50", "--rounds", "40"], 30, id="tournament",
                 marks=pytest.mark.slow),
    pytest.param(["tournament", "tic_tac_toe", *AGENTS, "alphabeta:nodes=50", "--rounds", "40", "--jobs", "2"], 20,
                 id="processes"),
    pytest.param(["match", "tic_tac_toe", "alphabeta:nodes=50", "random", "--games", "400"], 20, id="match",
                 marks=pytest.mark.slow),
])
def test_killed_at_random_moments(command: list[str], kills: int, tmp_path: Path) -> None:
    """`kill -9`, again and again: in the end there are the same games and the same table as without."""
    arguments = [sys.executable, "-m", "boyi", *command, "--random-plies", "2", "--seed", "4", "--json", "--journal"]
    whole, killed = tmp_path / "whole.jsonl", tmp_path / "killed.jsonl"
    expected = json.loads(subprocess.run([*arguments, whole], capture_output=True, check=True).stdout)
    steps = scaled(kills, 20)
    size = whole.stat().st_size
    generator = random.Random()   # moments are random; what comes out must not be
    died = 0
    for step in range(steps):
        process = subprocess.Popen([*arguments, killed], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        goal = size * (step + generator.random()) / (steps + 1)
        while process.poll() is None and not (killed.exists() and killed.stat().st_size >= goal):
            time.sleep(0.001)
        process.kill()
        died += process.wait() == -signal.SIGKILL
    assert died == steps   # and none was done before
    result = json.loads(subprocess.run([*arguments, killed], capture_output=True, check=True).stdout)
    assert result == expected
    assert lines(killed) == lines(whole)


# ---------------------------------------------------------------------- the ladder

def test_a_ladder_grows_and_counts_nothing_twice(tmp_path: Path) -> None:
    path = tmp_path / "ratings.json"
    tournament = small()
    games = {slot: tournament.play(slot) for slots in tournament.stages({}) for slot in slots}
    add_to_ladder(path, tournament, "first", list(games.values())[:5])
    add_to_ladder(path, tournament, "first", games.values())
    once = path.read_text(encoding="utf-8")
    ratings = add_to_ladder(path, tournament, "first", games.values())
    assert path.read_text(encoding="utf-8") == once
    assert [row.games for row in ratings.rows] == [8, 8, 8]
    other = small(contestants=("random", "random:seed=7"))
    more = [other.play(slot) for slots in other.stages({}) for slot in slots]
    ratings = add_to_ladder(path, other, "second", more, anchor="random")
    assert {row.name for row in ratings.rows} == {*AGENTS, "random:seed=7"}
    assert sum(row.games for row in ratings.rows) == 24 + 8
    othello = Tournament(AGENTS[:2], boyi.start("othello"))
    add_to_ladder(path, othello, "third", [])
    pools = json.loads(path.read_text(encoding="utf-8"))["pools"]
    assert [pool["game"] for pool in pools] == ["tic_tac_toe", "othello"]
    assert [file.name for file in tmp_path.iterdir()] == ["ratings.json"]


@pytest.mark.parametrize("content", ["", "[]", '{"boyi": "ratings", "version": 1, "pools": [3]}',
                                     '{"boyi": "ratings", "version": 2, "pools": []}', '{"boyi": "tournament"}'])
def test_what_is_no_ladder_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "ratings.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(RecordError, match=r"not a file of ratings|version 2"):
        add_to_ladder(path, small(), "x", [])
    assert path.read_text(encoding="utf-8") == content
    with pytest.raises(BoyiError, match="cannot"):
        add_to_ladder(tmp_path / "no" / "ratings.json", small(), "x", [])
