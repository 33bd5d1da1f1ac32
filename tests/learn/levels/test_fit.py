"""Fitting a ladder: a whole fit of a small game, that it goes on where it stopped, and how results are counted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

import boyi
from boyi.agents import read_spec
from boyi.arena.score import elo
from boyi.core.strength import DOUBLING, SEARCH
from boyi.kit.ladder import Ladder
from boyi.learn.levels.fit import LEAST, MOST_SCORE, Fit, Settings
from boyi.learn.levels.meeting import Meeting, Table, Task
from boyi.learn.levels.rung import RANDOM, TOP, Rung, at
from tests.cli import invoke


def fit(journal: Path, games: int = 8, told: list[str] | None = None) -> Ladder:
    settings = Settings(boyi.start("tic_tac_toe"), games=games, probes=8, seconds=0.01, command="boyi levels fit")
    return Fit(settings, journal, tell=lambda step: told.append(step) if told is not None else None).run("2026-11-18")


def test_a_fit_finds_a_ladder_and_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal, told = tmp_path / "fit.jsonl", list[str]()
    ladder = fit(journal, told=told)
    assert 2 <= len(ladder) <= 15 and ladder.levels[-1].full
    assert all(level.games >= 8 and level.score is not None for level in ladder.levels)
    ratings = [level.rating or 0.0 for level in ladder.levels]
    assert ratings[-1] > ratings[0] and "level 1" in " ".join(told)
    lines = journal.read_text().splitlines()
    half = lines[:len(lines) // 2]
    journal.write_text("\n".join(half) + "\n" + '{"lower": 0.2, "hig')      # it was killed
    played = list[Task]()
    play = Table.play

    def count(self: Table, task: Task) -> tuple[Task, list[bool], list[int]]:
        played.append(task)
        return play(self, task)

    monkeypatch.setattr(Table, "play", count)
    assert fit(journal) == ladder                  # the same games again, and only those that are missing
    assert len(played) == len(lines) - len(half)
    facts = [json.loads(line) for line in journal.read_text().splitlines()]
    assert all(fact["seconds"] == 0.01 for fact in facts if fact.get("higher") == TOP.strength)


def test_where_nothing_else_is_a_step_full_strength_meets_random_moves(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fit, "_next", lambda *_: None)
    level, = fit(tmp_path / "fit.jsonl").levels
    assert level.full and level.games >= 8 and (level.rating or 0) > 0


@pytest.mark.parametrize("full", [1.45, 1.95, 2.6, 4.0])
def test_all_steps_are_even_up_to_full_strength(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: float) -> None:
    """Also where no rung of the grid is near full strength, and where the curve says too little for fifteen levels."""
    def height(rung: Rung) -> float:
        return 1200 * (full if rung == TOP else max(rung.strength, 0.0))

    class Sure(Meeting):
        coarse = False

        @property
        def score(self) -> float:
            gain = height(self.higher) - height(self.lower)
            return 1 / (1 + 10 ** (-(0.9 * gain if self.coarse else gain) / 400))

        @property
        def elo(self) -> float:
            return elo(self.score)

    def meet(fit: Fit, lower: Rung, higher: Rung, games: int) -> Meeting:
        meeting = fit.meetings.setdefault((lower, higher), Sure(lower, higher))
        assert isinstance(meeting, Sure)
        meeting.coarse = games == fit.settings.probes
        return meeting

    monkeypatch.setattr(Fit, "_meet", meet)
    settings = Settings(boyi.start("othello"), games=100, probes=20, seconds=1.0)
    fit = Fit(settings, tmp_path / "fit.jsonl", tell=lambda step: None)
    monkeypatch.setattr(Fit, "_speed", lambda *_: 2_000 * 2 ** ((full - SEARCH) / DOUBLING))
    monkeypatch.setattr(Fit, "_rate", lambda fit, rungs, date: rungs)
    rungs = [RANDOM, *fit.run("2026-11-18")]     # type: ignore[misc]
    scores = [fit.meetings[pair].score for pair in pairwise(rungs)]
    reached = full < 3
    assert rungs[-1] == TOP and all(LEAST <= score <= MOST_SCORE for score in scores[:None if reached else -1]), scores
    assert reached or (len(rungs) == 16 and scores[-1] > MOST_SCORE)     # only the last step is too large


def test_a_first_ladder_by_the_curve_alone(tmp_path: Path) -> None:
    ladder = fit(tmp_path / "fit.jsonl", games=0)
    assert ladder.levels[-1].full and all(level.score is None and not level.games for level in ladder.levels)
    ratings = [level.rating or 0.0 for level in ladder.levels]
    assert ratings == sorted(ratings) and ratings[0] > 0


@pytest.mark.parametrize(("seats", "places", "points"), [
    ((True, False), (1, 2), 1.0), ((True, False), (1, 1), 0.5), ((False, True, False), (1, 2, 3), 0.5),
    ((True, False, True, False), (1, 2, 3, 4), 0.75),
])
def test_couples_are_counted(seats: Sequence[bool], places: Sequence[int], points: float) -> None:
    meeting = Meeting(RANDOM, at(0.5))
    meeting.add(seats, places)
    assert meeting.score == points and meeting.games == 1
    assert meeting.finishes[0].players.count("0.500") == sum(seats)


def test_every_other_game_has_the_seats_exchanged() -> None:
    table = Table(boyi.start("chinese_checkers", players=3, turn_limit=3), 2, 1, 100)
    first, second = (table.play(Task(RANDOM, at(0.8), number)) for number in (0, 1))
    assert first[1] == [True, False, True] and second[1] == [False, True, False]
    assert len(first[2]) == 3


@pytest.mark.parametrize("rung", [RANDOM, at(0.1), at(0.7), at(1.0), at(1.9), TOP])
def test_a_rung_is_an_agent(rung: Rung) -> None:
    start = boyi.start("xiangqi")
    read_spec(rung.spec(start, 100)).check(start)
    assert RANDOM < at(0.0) < at(1.0) < TOP


def test_the_command(tmp_path: Path) -> None:
    ladder, journal = tmp_path / "levels.toml", tmp_path / "journal"
    words = ("levels", "fit", "tic_tac_toe", "--games", "4", "--probes", "4", "--seconds", "0.01", "--journal",
             str(journal), "--output", str(ladder))
    result = invoke(*words)
    assert result.code == 0 and f"The ladder is in {ladder}." in result.out and "level 1" in result.err
    assert "command = \"boyi levels fit tic_tac_toe --games 4 --probes 4 --seconds 0.01\"" in ladder.read_text()
    shown = invoke("levels", "show", "tic_tac_toe", "--json").json
    assert [one["level"] for one in shown["levels"]] == list(range(1, len(shown["levels"]) + 1))
    assert "novice" in invoke("levels", "show", "tic_tac_toe").out
    assert "新手" in invoke("levels", "show", "tic_tac_toe", language="zh").out
