"""The examples do all that a game of ours does, through the commands that a user types."""

from __future__ import annotations

import asyncio
import random
import xml.etree.ElementTree
from pathlib import Path

import msgspec
import pytest

from boyi.conformance import check_game
from boyi.core.record import Record
from boyi.games import find_game
from boyi.server.client import call
from tests.cli import invoke
from tests.examples.conftest import FOLDER, NAMES
from tests.server.playing import finished, leave, play, seated
from tests.server.serving import AMPLE, Place, serving

PLAYERS = {"connect_four": 2, "einstein": 2, "small_ludo": 3}
ROLLED = {"einstein": "12.../3..../..4../....F/...BA 1 2", "small_ludo": "0,5 0,0 0,3 r 4"}
"""Positions in which the die is cast and a player acts."""

every_example = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches and tournaments leave their journals where they are played."""
    monkeypatch.chdir(tmp_path)


def done(*words: str, stdin: str = "") -> str:
    result = invoke(*words, stdin=stdin)
    assert result.code == 0, result.out + result.err
    return result.out


def test_which_there_are() -> None:
    assert PLAYERS.keys() == set(NAMES)
    assert {name: find_game(name).start().players for name in NAMES} == PLAYERS


@every_example
def test_it_is_short(name: str) -> None:
    """They are to be read."""
    assert len((FOLDER / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= 200


@every_example
def test_it_conforms(name: str) -> None:
    report = check_game(name)
    assert report.ok, str(report)
    assert "the game is not found" not in str([finding.skipped for finding in report.findings])


@every_example
def test_it_is_shown(name: str, tmp_path: Path) -> None:
    assert done("show", name).strip()
    picture = tmp_path / "picture.svg"
    done("show", name, "-o", str(picture))
    xml.etree.ElementTree.parse(picture)


@every_example
def test_it_is_played(name: str) -> None:
    seats = ",".join(["random"] * PLAYERS[name])
    assert done("play", name, "--seats", seats, "--seed", "1").strip()


@every_example
def test_it_is_analysed(name: str) -> None:
    found = invoke("analyse", name, "--nodes", "200", "--json", *(["--fen", ROLLED[name]] if name in ROLLED else []))
    assert found.code == 0, found.err
    assert found.json["lines"]


@every_example
def test_levels_play_a_match_and_its_records_are_right(name: str, tmp_path: Path) -> None:
    record = tmp_path / "games.boyi"
    agents = ["level:1", *["random"] * (PLAYERS[name] - 1)]
    played = invoke("match", name, *agents, "--games", str(2 * PLAYERS[name]), "--seed", "1", "--json", "--records",
                    str(record))
    assert played.code == 0, played.out + played.err
    assert done("record", "check", str(record)).strip().endswith("all right")


@every_example
def test_a_tournament(name: str) -> None:
    agents = ["random:seed=1", "random:seed=2", "random:seed=3"]
    played = invoke("tournament", name, *agents, "--rounds", "1", "--seed", "1", "--json")
    assert played.code == 0, played.out + played.err


@every_example
def test_a_room_is_played_to_its_end(name: str, tmp_path: Path) -> None:
    """Through a real server and its protocol: the same end for all, which is what the rules say of the record."""
    async def run(place: Place) -> None:
        clients = await seated(place, name, {}, PLAYERS[name])
        async with place.client(clients[0].room) as watcher:
            generator = random.Random(name)
            await asyncio.gather(*(play(client, generator) for client in clients))
            await watcher.until(lambda: finished(watcher))
            states = [msgspec.to_builtins(client.state) for client in (*clients, watcher)]
            assert all(state == states[0] for state in states)
            record = await call(place.address, "GET", f"/api/records/{watcher.room}/1")
            outcome = Record.parse(record, find_game).replay().outcome()
            assert outcome is not None and states[0]["game"]["result"]["places"] == list(outcome.places)
        await leave(clients)

    async def main() -> None:
        async with serving(tmp_path, budget_factor=AMPLE) as place:
            await run(place)

    asyncio.run(main())


@pytest.mark.slow
@every_example
def test_it_is_learned(name: str) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed; pip install 'boyi[learn]'")
    assert "iteration" in done("train", name, "--smoke", "--seed", "1").lower()


# ---------------------------------------------------------------------- their rules

def test_connect_four() -> None:
    game = find_game("connect_four")
    position = game.start()
    for move in "dedfdgd":
        assert position.outcome() is None
        position.play(move)
    outcome = position.outcome()
    assert outcome is not None and outcome.winner == 0 and outcome.reason == "four_in_a_row"
    for text, move in (("-------/-------/------R/-----RY/----RYR/Y---YRY", "d"),     # on a diagonal
                       ("-------/-------/-------/-------/YYY----/RRR----", "d")):     # side by side
        position = game.parse(text)
        position.play(move)
        outcome = position.outcome()
        assert outcome is not None and outcome.winner == 0
    # No row goes on in the next one.
    assert game.parse("-------/-------/-------/-------/-----YY/YYRR-RR").outcome() is None


def test_einstein() -> None:
    game = find_game("einstein")
    # The stone of the die moves, or the nearest higher and lower ones that are left.
    start = "1..../.3.../...../...F./....A 1"
    moves = {die: sorted(map(position.format_move, position.moves())) for die in "13526"
             for position in [game.parse(f"{start} {die}")]}
    assert moves["1"] == ["1a2", "1b1", "1b2"] and moves["3"] == ["3b3", "3c2", "3c3"]
    assert moves["2"] == [*moves["1"], *moves["3"]] and moves["5"] == moves["6"] == moves["3"]
    # One's own stone is taken, too.
    position = game.parse("1..../.3.../...../...F./....A 1 1")
    position.play("1b2")
    assert position.to_text() == "...../.1.../...../...F./....A 2 ?"
    # The corner wins, and so does taking all.
    for text, move, reason in (("...../...../...../...1./A.... 1 4", "1e5", "corner_reached"),
                               ("...../...../..1../...A./..... 1 1", "1d4", "all_taken")):
        position = game.parse(text)
        position.play(move)
        outcome = position.outcome()
        assert outcome is not None and outcome.winner == 0 and outcome.reason == reason
    assert game.start(setup="chosen").turn == 0 and game.start().turn < 0


def test_small_ludo() -> None:
    game = find_game("small_ludo")
    # Red goes from p5 to p8 and sends Green home, who stands there with two steps.
    position = game.parse("0,5 0,2 0,0 r 3")
    position.play("p5-p8")
    assert position.to_text() == "0,8 0,0 0,0 g 0"
    # From a shelter nobody is sent home: p9 is one. Who cannot move otherwise passes.
    position = game.parse("8,19 0,3 0,0 r 1")
    assert [position.format_move(move) for move in position.moves()] == ["pass"]
    assert position.forced_move() is not None
    position = game.parse("18,19 0,3 0,5 r 6")
    position.play(position.moves()[0])
    outcome = position.outcome()
    assert outcome is not None and outcome.places == (1, 3, 2)
    # Who leaves is out of it, and the others play on.
    position = game.start()
    assert position.resign(1) is None and position.outcome() is None
    assert position.resign(0) is not None
