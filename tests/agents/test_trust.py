"""Doors through which a spec string could come from somewhere else: none of them runs what it names.

The server's doors are in `tests/server/test_trust.py`.
"""

from __future__ import annotations

import ast
import contextlib
import json
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import boyi
from boyi.agents import Clock, make_agent, read_spec
from boyi.arena.contestant import read_contestant
from boyi.arena.tournament import Tournament
from boyi.arena.tournament_journal import Journal
from boyi.core.errors import BoyiError, OptionError
from boyi.core.record import Record
from boyi.engine import run
from boyi.engine.othello_server import Served, Server
from boyi.games import find_game
from tests.agents.trap import Trap, set_trap
from tests.cli import invoke, refused
from tests.engine import SPEAKERS
from tests.places import ROOT

SOURCES = sorted((ROOT / "src" / "boyi").rglob("*.py"))

TRUSTING = {
    "agents/asking/engine.py", "arena/contestant.py", "cli/_conditions.py", "cli/analyse.py", "cli/othello_client.py",
    "cli/othello_server.py", "cli/play.py", "cli/room.py",
}
"""Modules that say `trusted=True`: they read arguments of the command line, or of a program that uses Boyi."""

HANDING_ON = {"agents/analysis.py", "agents/spec.py"}
"""Modules that hand on what they are told: `find_search`, `make_agent`."""


@pytest.fixture
def trap(tmp_path: Path) -> Iterator[Trap]:
    with set_trap(tmp_path) as trap:
        yield trap
        assert not trap.sprung


def test_the_trap_works(tmp_path: Path) -> None:
    """What is refused below would have left its file behind."""
    for which in (0, 4, 8):
        folder = tmp_path / str(which)
        folder.mkdir()
        with set_trap(folder) as trap:
            spec = read_spec(trap.specs[which], trusted=True)
            with contextlib.suppress(BoyiError):   # a program that is no engine
                spec.make().choose(boyi.start("xiangqi"), Clock())
            assert trap.sprung


# ---------------------------------------------------------------------- by design

def test_a_door_that_forgets_is_closed(trap: Trap) -> None:
    for spec in trap.specs:
        for read in (read_spec, make_agent):
            with pytest.raises(OptionError, match=r"would run code on this machine.*here may stand: .*level, .*random"):
                read(spec)
        assert read_contestant(spec).kind.runs_code   # the same text from this machine's own user; nothing is made yet


def test_only_arguments_of_the_user_are_trusted() -> None:
    trusting = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and any(
                    keyword.arg == "trusted" and getattr(keyword.value, "value", None) is not False
                    for keyword in node.keywords):
                trusting.add(path.relative_to(ROOT / "src" / "boyi").as_posix())
    assert trusting == TRUSTING | HANDING_ON


def test_only_a_process_of_its_own_and_a_match_of_objects_run_code() -> None:
    users = {path.relative_to(ROOT / "src" / "boyi").as_posix() for path in SOURCES
             if re.search(r"import factory\b|agents\.factory import", path.read_text(encoding="utf-8"))}
    assert users == {"agents/guest.py", "arena/contestant.py"}


# ---------------------------------------------------------------------- engine protocols

@pytest.mark.parametrize(("game", "protocol"), SPEAKERS)
def test_protocols_name_no_agents(game: str, protocol: str, trap: Trap) -> None:
    lines = []
    for spec in trap.specs:
        for name in ("Evaluator", "evaluator", "Agent", "Opponent", "UCI_Opponent", "rules", "Search"):
            lines += [f"setoption name {name} value {spec}", f"setoption {name} {spec}", f"option {name}={spec}"]
        lines += [spec, f"name {spec}", f"set game {spec}", f"set myname {spec}", f"position {spec}", f"load {spec}",
                  f"loadsgf {spec}", f"variant {spec}", f"play black {spec}", f"move {spec}", f"usermove {spec}"]
    said: list[str] = []
    run(find_game(game), protocol, [line.encode() + b"\n" for line in [*lines, "quit"]], said.append)
    assert "Traceback" not in "\n".join(said)


def test_a_client_of_the_othello_server_is_only_called_so(trap: Trap) -> None:
    played: list[Served] = []
    server = Server(find_game("othello"), "127.0.0.1", 0, seconds=5)
    thread = threading.Thread(target=server.serve, args=(1, played.append))
    thread.start()
    try:
        clients = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(2)]
        for client in clients:
            client.sendall(f"NICK {trap.specs[0]}\nNICK {trap.specs[4]}\nAGENT {trap.specs[0]}\n".encode())
        for client in clients:
            client.close()
        thread.join(30)
    finally:
        server.close()
        thread.join(30)


# ---------------------------------------------------------------------- files

def test_players_of_records_are_names(trap: Trap, tmp_path: Path) -> None:
    position = boyi.start("othello")
    for move in ("f5", "d6", "c3", "d3"):
        position.play(move)
    file = tmp_path / "games.txt"
    for spec in trap.specs:
        text = Record.from_position(position, players=[spec, spec], event=spec).to_text()
        assert Record.parse(text, find_game).players == (spec,) * 2
        file.write_text(text)
        assert invoke("record", "check", str(file)).code == 0
        assert invoke("match", "othello", "random", "random", "-n", "2", "--openings", str(file), "--opening-plies",
                      "2").code == 0


def test_a_journal_is_compared_and_not_carried_out(trap: Trap, tmp_path: Path) -> None:
    mine = Tournament(("random", "random:seed=1"), boyi.start("tic_tac_toe"), rounds=1, seed=1)
    path = tmp_path / "journal.jsonl"
    for spec in trap.specs:
        settings = mine.settings() | {"contestants": [spec, "random:seed=1"], "code": {spec: spec},
                                      "models": {spec: spec}}
        path.write_text(json.dumps({"boyi": "tournament", "version": 1, "id": spec, **settings}) + "\n")
        with pytest.raises(OptionError, match="is the journal of another tournament"):
            Journal(path, mine)
        for command in ("match", "tournament"):
            assert "the journal of another tournament" in refused(
                [command, "tic_tac_toe", "random", "random:seed=1", "--journal", str(path)])


def test_a_journal_of_tuning_is_compared_too(trap: Trap, tmp_path: Path) -> None:
    command = ["tune", "chinese_checkers", "--agent", "multiplayer:preset=ancestor,nodes=20", "--params",
               "width=4:2..8", "--games", "2", "--check", "0", "--option", "players=3", "--journal"]
    path = tmp_path / "tune.jsonl"
    assert invoke(*command, str(path)).code == 0
    header, *entries = path.read_text().splitlines()
    for spec in trap.specs:
        path.write_text("\n".join([json.dumps(json.loads(header) | {"agent": spec}), *entries, ""]))
        assert "is the journal of another tuning" in refused([*command, str(path)])


def test_games_of_a_journal_are_results_and_nothing_else(trap: Trap, tmp_path: Path) -> None:
    mine = Tournament(("random", "random:seed=1"), boyi.start("tic_tac_toe"), rounds=1, seed=1)
    path = tmp_path / "journal.jsonl"
    for spec in trap.specs:
        entry = {"meeting": [0, 1], "number": 0, "contestants": [0, 1], "places": [1, 2], "reason": spec, "moves": 5,
                 "failures": [{"seat": 0, "fault": "crash", "message": spec, "traceback": spec}], "record": spec}
        path.write_text(json.dumps({"boyi": "tournament", "version": 1, "id": spec, **mine.settings()}) + "\n"
                        + json.dumps(entry) + "\n")
        result = invoke("tournament", "tic_tac_toe", "random", "random:seed=1", "--rounds", "1", "--seed", "1",
                        "--journal", str(path), "--report", str(tmp_path / f"{len(spec)}{hash(spec)}.html"), "--json")
        assert result.code == 0, result.err
        assert result.json["games"][0]["reason"] == spec


def test_names_of_a_ladder_are_names(trap: Trap, tmp_path: Path) -> None:
    path = tmp_path / "ratings.json"
    path.write_text(json.dumps({"boyi": "ratings", "version": 1, "pools": [{
        "game": "tic_tac_toe", "options": {}, "results": {"other": [
            {"agents": [spec, "random"], "places": [1, 2], "times": 3} for spec in trap.specs]}}]}))
    result = invoke("tournament", "tic_tac_toe", "random", "level:1", "--rounds", "1", "--ladder", str(path))
    assert result.code == 0, result.err
    assert {rating["agent"] for pool in json.loads(path.read_text())["pools"] for rating in pool["ratings"]
            } >= set(trap.specs)


def test_what_is_tuned_is_no_code(trap: Trap) -> None:
    for spec in trap.specs:
        assert "would run code on this machine" in refused(["tune", "tic_tac_toe", "--agent", spec, "--list"])


def test_what_analyses_is_a_search(trap: Trap) -> None:
    for spec in trap.specs:
        assert "is no search that can be asked for lines" in refused(
            ["analyse", "tic_tac_toe", "--search", spec, "--depth", "1"])
