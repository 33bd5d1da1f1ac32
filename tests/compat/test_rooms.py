"""A database of version 0.1.0, whose server was killed: everyone finds their room as they left it, and plays on."""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.compat import DATA, lay_out_results, rooms, unpack
from tests.compat.rooms import House
from tests.compat.wire import Client, RefusedError, Server
from tests.server.serving import AMPLE


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    """What version 0.1.0 told of its rooms, and who had which token."""
    with lzma.open(DATA / "rooms.json.xz") as file:
        facts: dict[str, Any] = json.load(file)
    return facts


@pytest.fixture
def house(kept: dict[str, Any], tmp_path: Path) -> Iterator[House]:
    """A server of the present version on a copy of the database."""
    unpack("rooms.tar.xz", tmp_path)
    lay_out_results(tmp_path / "results")
    # One address looks at all the rooms here, faster than anybody would.
    with Server(tmp_path, results=tmp_path / "results", budget_factor=AMPLE) as server:
        yield House(server, *(kept[name] for name in ("tokens", "rooms", "seated", "notes")))


def with_error_bars(page: Any) -> Any:
    """What version 0.1.0 said of a result. It drew the error of a score as a curve of its own, not around the score."""
    if not isinstance(page, dict) or "curves" not in page:
        return page
    errors = {curve["name"]: curve["values"] for curve in page["curves"] if curve["name"].endswith("_error")}
    curves = []
    for curve in page["curves"]:
        around = errors.get(curve["name"].removesuffix("_score") + "_error")
        if around is not None and not curve["low"]:
            curve = {**curve, "low": [value - error for value, error in zip(curve["values"], around, strict=True)],
                     "high": [value + error for value, error in zip(curve["values"], around, strict=True)]}
        if curve["name"] not in errors:
            curves.append(curve)
    return {**page, "curves": curves}


def known_then(now: Any, then: Any) -> Any:
    """What is shown now, without the fields that version 0.1.0 did not know and that say nothing.

    What was drawn is told in words now (`drawn`), besides the moves and changes that version 0.1.0 told. What is
    counted beside the board (`tokens`), whose turn it is in a room of the list (`turn`) and who is in check (`checked`)
    follow from what it told.
    """
    if isinstance(now, dict) and isinstance(then, dict):
        return {name: known_then(value, then.get(name)) for name, value in now.items()
                if name in then or (value and name not in ("drawn", "tokens", "turn", "checked"))}
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [known_then(*pair) for pair in zip(now, then, strict=True)]
    return now


@pytest.mark.slow
def test_everyone_is_shown_what_they_knew(house: House, kept: dict[str, Any], tmp_path: Path) -> None:
    shown = rooms.look_at_all(house)
    for scene, views in kept["seen"].items():
        for name, view in views.items():
            for part, expected in view.items():
                assert known_then(shown["seen"][scene][name][part], expected) == expected, (scene, name, part)
    for part, expected in kept["lists"].items():
        assert known_then(shown["lists"][part], expected) == expected, part
    for path, expected in kept["results"].items():
        assert shown["results"][path] == with_error_bars(expected), path
    with house.client("closed", "cy") as client, pytest.raises(RefusedError, match="closed"):
        client.ask("chat", text="hello")

    # The AI makes the move that it had not made when the server was killed.
    with house.client("ai_to_move") as client:
        plies = client.state["game"]["plies"]
        assert [(ply["seat"], ply["level"]) for ply in plies] == [(0, None), (1, 1)]

    # Those who were put out stay out, and a password is still asked for.
    with house.client("waiting", "cy") as client, pytest.raises(RefusedError, match="banned"):
        client.ask("join")
    with pytest.raises(RefusedError, match="password"):
        Client(house.server, house.rooms["locked"], house.tokens["ada"], "a guess")

    # What was drawn in a game that is over can be verified.
    record = shown["seen"]["jieqi_resigned"][""]["record"]
    (tmp_path / "game.boyi").write_text(record, encoding="utf-8")
    verified = subprocess.run([sys.executable, "-m", "boyi", "verify", str(tmp_path / "game.boyi"), "--json"],
                              capture_output=True, check=True)
    (fact,) = json.loads(verified.stdout)
    assert fact["honest"] and fact["draws"]

    # What was offered is answered.
    with house.client("xiangqi_offered_a_draw", "ada") as client:
        client.ask("answer_draw", accept=True)
        assert client.events("ended")[0]["reason"] == "agreement"
    with house.client("othello_taken_back", "ada") as client:
        client.ask("answer_takeback", accept=True)
        assert client.events("taken_back")[0]["seat"] == 1
    with house.client("checkers_of_three", "cy") as client:
        client.ask("resign")
        assert client.events("ended")[0]["places"] == [1, 3, 2]


def test_rooms_go_on(house: House, kept: dict[str, Any]) -> None:
    # A request that was acknowledged before is acknowledged again, and not done twice.
    repeated = kept["notes"]["repeated"]
    with Client(house.server, house.rooms["xiangqi_offered_a_draw"], house.tokens["ada"],
                client=repeated["client"]) as client:
        lines = client.state["chat"]
        assert client.repeat(repeated["request"]) == repeated["acknowledged"]
    with house.client("xiangqi_offered_a_draw") as client:
        assert client.state["chat"] == lines

    # Games of people go on as they would have, down to what is drawn.
    for scene, told in kept["told"].items():
        going = rooms.go_on(house, scene)
        for name, expected in told.items():
            assert known_then(going[name], expected) == expected, (scene, name)

    # Against the AI, too.
    for scene, seats in (("xiangqi_against_the_ai", 2), ("checkers_of_six", 6)):
        with house.client(scene, "cy") as client:
            client.move(lambda moves: moves[0])
            client.until(lambda client=client: client.turn is not None)  # type: ignore[misc]
            assert [body["seat"] for body in client.events("moved")] == list(range(seats))

    # A rematch that the other had offered begins.
    with house.client("jieqi_resigned", "bob") as client:
        client.ask("rematch")
        assert [body["number"] for body in client.events("started")] == [2]

    # A game that had not begun is begun, and a person with an account comes back by their password.
    with house.client("waiting", "ada") as client:
        client.ask("start")
        client.until(lambda: client.turn is not None)
    session = house.server.call("POST", "/api/login", {"name": "Bob", "password": "password of bob"})
    assert session["person"] == kept["notes"]["persons"]["bob"]
    with pytest.raises(RefusedError, match="name_taken"):
        house.server.call("POST", "/api/accounts", {"name": "ADA", "password": "another password"})
