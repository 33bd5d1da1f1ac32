"""Matches of experiments: distinct games, played by any number of processes, kept when a run is interrupted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import boyi
from boyi.arena.distinct import distinct
from boyi.arena.match import Match, Played
from boyi.arena.pool import Pool
from boyi.core.errors import BoyiError
from boyi.lab import Session, find_experiment, plot
from boyi.lab.experiment import Experiment, Report
from boyi.lab.experiments import xiangqi_repetition as repetition
from boyi.lab.files import keep_rows
from boyi.lab.kept import ENDING, KeptRows
from boyi.lab.matches import play_alone, play_field, play_pair, play_together, prepare
from boyi.lab.positions import game_positions, random_positions
from boyi.lab.table import Row, number
from tests.cli import invoke

WEAK, STRONG = ("weak", "alphabeta:nodes=20"), ("strong", "alphabeta:nodes=40")


# ---------------------------------------------------------------------- distinct games

def test_every_round_has_an_opening_of_its_own() -> None:
    start = boyi.start("othello")
    match = prepare(start, (WEAK[1], STRONG[1]), 40, 4, 1)
    assert match.games == 40
    assert len({match.opening(number).to_text() for number in range(0, 40, 2)}) == 20
    row = play_pair(start, WEAK, STRONG, 40, Session(), random_plies=2)
    assert (row["games"], row["repeated"]) == (24, 0), "there are twelve"
    assert sum(number(row, name) for name in ("wins", "draws", "losses")) == 24
    row = play_pair(start, WEAK, STRONG, 6, Session(), random_plies=0)
    assert row["games"] == 2
    jieqi = boyi.start("jieqi")
    assert prepare(jieqi, ("random", "random"), 6, 0, 1).games == 6, "there chance makes the difference"


def test_equal_agents_play_an_opening_once() -> None:
    start = boyi.start("othello")
    games = play_alone(start, WEAK[1], 5, Session(), random_plies=4)
    assert len(games) == len({game.course for game in games}) == 5
    row = play_pair(start, WEAK, WEAK, 8, Session(), random_plies=4)
    assert (row["games"], row["repeated"]) == (4, 4)


def test_tables_of_three() -> None:
    start = boyi.start("chinese_checkers", players=3, turn_limit=4)
    agents = {"one": "multiplayer:nodes=5", "two": "multiplayer:nodes=10"}
    rows = play_together(start, [("one", "two", "one"), ("two", "one", "two")], agents, 2, Session())
    assert [row["seats"] for row in rows] == [18, 18]
    rows = play_together(start, [("one", "one", "one")], {"one": agents["one"]}, 2, Session())
    assert [row["seats"] for row in rows] == [6], "the same game in three seatings is one"
    row = play_field(start, ("one", agents["one"]), ("two", agents["two"]), 6, Session())
    assert (row["seats"], row["repeated"]) == (6, 0)


@pytest.mark.parametrize("name", ["othello-tt", "xiangqi-repetition", "jieqi-chance", "checkers-hops",
                                  "checkers-average", "multiplayer"])
def test_no_experiment_counts_a_game_twice(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever experiments play is distinct, and rows say how many games there were."""
    matches: list[tuple[Match, list[Played]]] = []

    def play(self: Session, match: Match, numbers: Sequence[int] | None = None) -> list[Played]:
        games = [match.play(one) for one in (range(match.games) if numbers is None else numbers)]
        matches.append((match, games))
        return games
    monkeypatch.setattr(Session, "play", play)
    report = find_experiment(name).run("quick")
    assert matches
    for match, games in matches:
        assert distinct(match, games) == games
    counts = [number(row, "games") for table in report.tables for row in table.rows if "one_spec" in row]
    assert not counts or sum(counts) <= sum(len(games) for _, games in matches)


def test_positions_are_different() -> None:
    start = boyi.start("othello")
    found = random_positions(start, (0, 1, 2), 20, 1)
    assert [sum(plies == count for plies, _ in found) for count in (0, 1, 2)] == [1, 4, 12]
    assert len({position.to_text() for _, position in found}) == len(found)
    found = game_positions(start, WEAK[1], (8,), 6, 1)
    assert len({position.to_text() for _, position in found}) == 6


# ---------------------------------------------------------------------- several processes

def comparable(report: Report) -> dict[str, list[Mapping[str, Any]]]:
    """The tables but for times."""
    return {table.name: [dict(row) for row in table.rows] for table in report.tables
            if table.name not in ("cost", "costs", "searches", "positions")}


def test_processes_give_the_same_rows() -> None:
    experiment = find_experiment("xiangqi-repetition")
    alone = experiment.run("quick", Session())
    with Pool(2) as pool:
        session = Session(pool=pool)
        together = experiment.run("quick", session)
    assert comparable(together) == comparable(alone)
    assert together.seconds > session.cpu_seconds > 0, "what the others did is counted"


# ---------------------------------------------------------------------- interrupted and resumed

def count_plays(monkeypatch: pytest.MonkeyPatch, most: int | None = None) -> list[int]:
    """The numbers of games as they are played; after so many, Ctrl-C."""
    played: list[int] = []
    original = Match.play

    def play(self: Match, number: int) -> Played:
        if most is not None and len(played) == most:
            raise KeyboardInterrupt
        played.append(number)
        return original(self, number)
    monkeypatch.setattr(Match, "play", play)
    return played


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plot, "is_possible", lambda: False)
    whole = comparable(find_experiment("xiangqi-repetition").run("quick"))
    file = tmp_path / f"xiangqi-repetition{ENDING}"
    command = ["lab", "run", "xiangqi-repetition", "--out", str(tmp_path)]
    with monkeypatch.context() as patch:
        before = count_plays(patch, 15)
        result = invoke(*command)
    assert result.code == 130 and "--resume" in result.err
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + 7, "seven matches of two games, and a line that says what it is"
    with file.open("a", encoding="utf-8") as half:
        half.write('{"step": "none again')     # of a process that was killed
    with monkeypatch.context() as patch:
        after = count_plays(patch)
        result = invoke(*command, "--resume", "--json")
    assert result.code == 0, result.err
    assert len(before) + len(after) == 15 + len(count_whole(monkeypatch)) - 14
    (report,) = result.json
    assert {name: report["tables"][name] for name in whole} == json.loads(json.dumps(whole))
    assert not file.exists()
    assert "kept" in invoke(*command, "--resume").err


def count_whole(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    with monkeypatch.context() as patch:
        played = count_plays(patch)
        find_experiment("xiangqi-repetition").run("quick")
    return played


def test_without_resume_a_run_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = find_experiment("checkers-depth")
    with monkeypatch.context() as patch:
        count_plays(patch, 5)
        invoke("lab", "run", experiment.name, "--out", str(tmp_path))
    assert (tmp_path / f"{experiment.name}{ENDING}").exists()
    keep_rows(tmp_path, experiment, "quick", 1, resume=False)
    assert not (tmp_path / f"{experiment.name}{ENDING}").exists()


def test_rows_of_another_run_are_passed_over(tmp_path: Path) -> None:
    def measured(experiment: Experiment, seed: int, *, facts: str = "x") -> int:
        measures = 0

        def measure() -> Row:
            nonlocal measures
            measures += 1
            return {"games": 3, "share": 0.1, "reason": "mate", "none": None}
        kept = keep_rows(tmp_path, experiment, "quick", seed, resume=True)
        session = Session(seed, kept=kept)
        assert session.keep("a match", (facts, 2), measure) == {"games": 3, "share": 0.1, "reason": "mate",
                                                                "none": None}
        kept.close()
        return measures

    depth = find_experiment("checkers-depth")
    assert [measured(depth, 1), measured(depth, 1), measured(depth, 2), measured(depth, 1)] == [1, 0, 1, 0]
    assert [measured(depth, 1, facts="y"), measured(depth, 1)] == [1, 0]


def test_one_process_has_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.rows.jsonl"
    first = KeptRows(path, (), resume=True)
    first.add("step", (), {}, 0.0)
    with pytest.raises(BoyiError, match=r"being written by another process.*--out"):
        KeptRows(path, (), resume=True)
    first.remove()
    path.write_text("something else\n", encoding="utf-8")
    with pytest.raises(BoyiError, match="not the journal of a lab"):
        KeptRows(path, (), resume=True)


# ---------------------------------------------------------------------- repetition

def test_policies_by_name() -> None:
    found = repetition.settings((0, 10))
    assert list(found) == ["none", "ancestor", "ancestor 10", "ancestor+game", "ancestor+game 10", "full"]
    ancestor = "alphabeta:evaluator=hand,repetition=ancestor"
    assert found["ancestor+game 10"] == f"{ancestor},repetition_reach=game,repetition_penalty=10"
    assert found["ancestor"] == ancestor


def test_won_endings_are_distinct_and_red_is_to_move() -> None:
    game = boyi.find_game("xiangqi")
    positions = [game.parse(text) for text in repetition.WON]
    assert len({position.to_text() for position in positions}) == len(positions) == 24
    assert all(position.turn == 0 for position in positions)


def test_repeats_are_compared_opening_by_opening() -> None:
    def rows(name: str, *repeats: int) -> list[Row]:
        return [{"name": name, "number": opening, "repeats": times} for opening, times in enumerate(repeats)]
    played = [*rows("ancestor", 10, 20, 30), *rows("x", 9, 18, 29)]
    found = repetition.compare(played, "x")
    assert found["more"] == pytest.approx(-4 / 3)
    assert number(found, "more_low") < number(found, "more_high") < 0.2
    assert repetition.compare(played, "ancestor") == {"more": 0.0, "more_low": 0.0, "more_high": 0.0}
