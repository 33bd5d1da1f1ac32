"""Results: what is shown of a folder, and that nothing outside of it ever is."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from boyi.arena.distinct import distinct
from boyi.arena.tournament import Tournament, play_tournament
from boyi.arena.tournament_journal import Journal
from boyi.core.errors import OptionError
from boyi.games import find_game
from boyi.server.client import ServerError, call
from boyi.server.results import MOST_POINTS, Results
from tests.places import LAB
from tests.server.serving import serving


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament that was played, a report of the lab, a training run, and what is nobody's business."""
    outside = tmp_path_factory.mktemp("machine")
    (outside / "secret.svg").write_text("<svg>secret</svg>")
    (outside / "secret.json").write_text((LAB / "multiplayer.json").read_text(encoding="utf-8"), encoding="utf-8")
    (outside / "results-of-others").mkdir()
    (outside / "results-of-others" / "a.svg").write_text("<svg>secret</svg>")
    root = outside / "results"
    (root / "lab").mkdir(parents=True)
    for ending in (".json", ".md", ".svg"):
        (root / "lab" / f"multiplayer{ending}").write_bytes((LAB / f"multiplayer{ending}").read_bytes())
    tournament = Tournament(("random", "level:1", "level:2"), find_game("tic_tac_toe").start(), rounds=2, seed=1)
    with Journal(root / "three.jsonl", tournament) as journal:
        for bout in play_tournament(tournament, journal.games):
            journal.add(bout)
    with (root / "three.jsonl").open("a") as file:
        file.write('{"meeting": [0, 1], "contest')   # a process that was killed
    run = root / "runs" / "first"
    run.mkdir(parents=True)
    (run / "config.json").write_text(json.dumps({"card": {"game": "liuzhou"}, "plan": {"design": {"depth": 6}}}))
    (run / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in (
        {"iteration": 1, "time": 0.5, "elo": 7.0, "elo_error": 1.0},   # done again below, after an interruption
        {"iteration": 0, "time": 1.5, "loss": 2.5, "elo": 0.0, "elo_error": 40.0, "note": "text", "fine": True},
        {"iteration": 1, "time": 2.5, "loss": float("nan"), "elo": 50.0, "elo_error": 30.0, "lr": 0.001},
        {"iteration": 2, "time": 3.5, "loss": 1.5, "elo": 80.0, "elo_error": 20.0, "lr": 0.001})) + '{"iter')
    (run / "ratings.json").write_text(json.dumps({"boyi": "ratings of a run", "ratings": [
        {"agent": "iteration 2", "games": 10, "elo": 80, "low": 40.0, "high": 120.0},
        {"agent": "random", "games": 10, "elo": 0.0, "low": 0.0, "high": 0.0}, {"agent": "lost"}]}))
    (root / "ratings.json").write_text(json.dumps({"boyi": "ratings", "version": 1, "pools": [
        {"game": "othello", "options": {}, "ratings": [
            {"agent": "level:1", "games": 8, "elo": 12.4, "low": -60, "high": 84.0},
            {"agent": "broken", "games": 8, "elo": None}]}, "nonsense"]}))
    (root / "notes.json").write_text('{"a": 1}')
    (root / "list.json").write_text("[1]")
    (root / "broken.json").write_text("{")
    (root / "other.jsonl").write_text('{"boyi": "tune"}\n')
    (root / "empty.jsonl").touch()
    (root / "report.html").write_text("<script>alert(1)</script>")
    (root / ".hidden.json").write_bytes((LAB / "multiplayer.json").read_bytes())
    (root / "leads-out.json").symlink_to(outside / "secret.json")
    (root / "leads-out.svg").symlink_to(outside / "secret.svg")
    (root / "others").symlink_to(outside / "results-of-others")
    (root / "round").symlink_to("round")
    return root


def test_what_is_listed(folder: Path) -> None:
    listed = Results(str(folder)).list()
    assert {(one.path, one.kind) for one in listed} == {
        ("lab/multiplayer.json", "lab"), ("three.jsonl", "tournament"), ("ratings.json", "ratings"),
        ("runs/first", "run")}
    assert all(one.title.en and one.title.zh for one in listed)
    assert Results("").list() == []


def test_a_tournament(folder: Path) -> None:
    result = Results(str(folder)).show("three.jsonl")
    assert result is not None and ("games", "12") in result.facts
    assert {mark.name for mark in result.ratings} == {"random", "level:1", "level:2"}
    assert all(mark.low < mark.elo < mark.high for mark in result.ratings)
    assert [mark.elo for mark in result.ratings] == sorted((mark.elo for mark in result.ratings), reverse=True)
    table, cross = result.tables
    assert all(len(row) == len(table.head) == len(table.numeric) for row in table.rows)
    assert sum(int(row[1]) for row in table.rows) == 24
    wins, draws, losses = (sum(int(row[2].split("–")[one]) for row in table.rows) for one in range(3))
    assert wins == losses and wins + draws + losses == 24
    points = [cell.split("/") for row in cross.rows for cell in row[1:] if cell != "·"]
    assert sum(float(point) for point, _ in points) == 12 and all(games == "4" for _, games in points)


def test_a_game_that_repeats_another_counts_once(tmp_path: Path) -> None:
    """As it does for those who played the tournament; a journal that says less is counted as it is."""
    tournament = Tournament(("random:seed=1", "alphabeta:nodes=5"), find_game("othello").start(), rounds=8,
                            random_plies=1, seed=1)
    with Journal(tmp_path / "two.jsonl", tournament) as journal:
        for bout in play_tournament(tournament, journal.games):
            journal.add(bout)
    result = Results(str(tmp_path)).show("two.jsonl")
    counted = len(distinct(tournament, list(journal.games.values())))
    assert counted <= 8
    assert result is not None and {("games", str(counted)), ("repeated", str(16 - counted))} <= set(result.facts)
    first, *others = (tmp_path / "two.jsonl").read_text(encoding="utf-8").splitlines()
    header = {name: value for name, value in json.loads(first).items() if name != "start"}
    (tmp_path / "less.jsonl").write_text("\n".join([json.dumps(header), *others]), encoding="utf-8")
    result = Results(str(tmp_path)).show("less.jsonl")
    assert result is not None and ("games", "16") in result.facts


def test_a_run(folder: Path) -> None:
    result = Results(str(folder)).show("runs/first")
    assert result is not None and ("plan.design.depth", "6") in result.facts
    assert result.title.en == "first: Liuzhou qi"
    assert [mark.name for mark in result.ratings] == ["iteration 2", "random"]
    curves = {curve.name: curve for curve in result.curves}
    assert curves.keys() == {"loss", "elo", "lr"}
    assert (curves["loss"].steps, curves["loss"].values) == ([0, 2], [2.5, 1.5])
    assert curves["elo"].low == [-40, 20, 60] and curves["elo"].high == [40, 80, 100] and curves["lr"].low == []


def test_a_run_is_read_only_where_it_lies(folder: Path, tmp_path: Path) -> None:
    """Neither its settings nor its ratings are those of a link to somewhere else."""
    run = tmp_path / "run"
    run.mkdir()
    (run / "metrics.jsonl").write_text('{"iteration": 1, "loss": 2.0}\n')
    for name in ("config.json", "ratings.json"):
        (run / name).symlink_to(folder / "runs" / "first" / name)
    result = Results(str(tmp_path)).show("run")
    assert result is not None and result.curves and result.title.en == "run"
    assert result.facts == [] and result.ratings == []


def test_a_long_run_keeps_its_peaks(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "metrics.jsonl").write_text("".join(
        json.dumps({"iteration": number, "loss": 100.0 if number == 7777 else 1 + number % 3}) + "\n"
        for number in range(20_000)))
    result = Results(str(tmp_path)).show("run")
    assert result is not None
    curve, = result.curves
    assert len(curve.steps) <= MOST_POINTS and max(curve.values) == 100 and min(curve.values) == 1
    assert curve.steps == sorted(curve.steps)


def test_the_lab_and_a_ladder(folder: Path) -> None:
    results = Results(str(folder))
    lab = results.show("lab/multiplayer.json")
    assert lab is not None and lab.title.en.endswith("?") and "| players |" in lab.text
    picture = results.picture(lab.picture)
    assert picture is not None and picture[1] == "image/svg+xml"
    ladder = results.show("ratings.json")
    assert ladder is not None
    assert ladder.tables[0].rows == [["level:1", "8", "+12 (−60 … +84)"]] and ladder.ratings[0].elo == 12.4


HOSTILE = ["../secret.json", "../secret.svg", "lab/../../secret.json", "/etc/passwd", "//etc/passwd",
           "lab//multiplayer.json", "../results-of-others/a.svg", "..", ".", "", "lab/..", "./three.jsonl",
           "leads-out.json", "leads-out.svg", "others/a.svg", "round", "round/a.svg", ".hidden.json",
           "a\0b", "lab\\multiplayer.json", "..\\secret.json",
           "x" * 5000, "x/" * 400, "three.jsonl/..", "report.html", "notes.json", "list.json", "broken.json", "lab",
           "runs/first/config.json", "%2e%2e/secret.json", "nothing"]


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_else_is_read(folder: Path, name: str) -> None:
    results = Results(str(folder))
    assert results.show(name) is None
    assert results.picture(name) is None


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="is not a folder"):
        Results(str(tmp_path / "nothing"))


def test_over_http(folder: Path, tmp_path: Path) -> None:
    async def ask() -> None:
        async with serving(tmp_path, results=str(folder)) as place:
            listed: Any = await call(place.address, "GET", "/api/results")
            assert len(listed) == 4
            for one in listed:
                shown: Any = await call(place.address, "GET", f"/api/results/{quote(one['path'])}")
                assert shown["title"] == one["title"]
            status, headers, body = await raw(place.address, "/api/result-pictures/lab/multiplayer.svg")
            assert status == 200 and b"<svg" in body and "sandbox" in headers
            for name in HOSTILE:
                for route in ("results", "result-pictures"):
                    for path in {f"/api/{route}/{quote(name, safe='')}", f"/api/{route}/{quote(name)}"}:
                        status, _, body = await raw(place.address, path)
                        assert b"secret" not in body and b"root:" not in body
                        assert status in (404, 400, 414), path
            with pytest.raises(ServerError):
                await call(place.address, "GET", "/api/results/nothing")
    asyncio.run(ask())


async def raw(address: str, path: str) -> tuple[int, str, bytes]:
    """A request for a path as it is: clients tidy up `..` before they ask."""
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.decode(), body
