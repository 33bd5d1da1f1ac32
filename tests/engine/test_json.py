"""The JSON protocol: many requests at once, answers as they deepen, cancelling, refusals, the end of the input."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import boyi
from boyi.agents.analysis import Analysis, analyse
from boyi.agents.searching import Algorithm, find_default
from boyi.core.searcher import Limits
from boyi.engine import describe, run
from boyi.engine.request import KEYS
from boyi.games import find_game
from tests.scale import scaled

Facts = dict[str, Any]

MATE = "3k5/9/9/9/9/9/9/4R4/9/4K4 w - - 0 1"
ENDLESS = {"infinite": True}
SECONDS = 120
"""A test that waits longer than this for an answer has failed."""


def ask(*requests: Facts | str, game: str = "xiangqi") -> list[Facts]:
    """Everything that is answered to lines after which the input ends."""
    said: list[str] = []
    lines = [line if isinstance(line, str) else json.dumps(line) for line in requests]
    listener = threading.Thread(target=run, args=(find_game(game), "json", [line.encode() for line in lines],
                                                  said.append))
    listener.start()
    listener.join(SECONDS)
    assert not listener.is_alive(), f"no end after {lines}"
    return [json.loads(line) for line in said]


def ask_one(*requests: Facts | str, game: str = "xiangqi") -> Facts:
    """The only answer."""
    (answer,) = ask(*requests, game=game)
    return answer


def best(answer: Facts) -> str:
    return str(answer["lines"][0]["moves"][0])


class Session:
    """A conversation that goes on."""

    def __init__(self) -> None:
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.answers: queue.Queue[Facts] = queue.Queue()

    def send(self, **request: Any) -> None:
        self.lines.put(json.dumps(request))

    def read(self) -> Facts:
        return self.answers.get(timeout=SECONDS)

    def read_until(self, **wanted: Any) -> Facts:
        """The next answer that says all this."""
        while True:
            answer = self.read()
            if wanted.items() <= answer.items():
                return answer


@contextmanager
def conversation(game: str = "xiangqi") -> Iterator[Session]:
    session = Session()
    lines = (line.encode() for line in iter(session.lines.get, None))
    listener = threading.Thread(target=run, args=(find_game(game), "json", lines,
                                                  lambda line: session.answers.put(json.loads(line))))
    listener.start()
    try:
        yield session
    finally:
        session.lines.put(None)
        listener.join(SECONDS)
        assert not listener.is_alive()


# ---------------------------------------------------------------------- an answer

@pytest.mark.parametrize("game", list(boyi.all_games()))
def test_every_game_is_analysed(game: str) -> None:
    answer = ask_one({"id": "a1", "limits": {"nodes": 200}, "lines": 2}, game=game)
    position = boyi.start(game)
    assert (answer["id"], answer["turn"], answer["final"], answer["player"]) == ("a1", 0, True, position.turn)
    assert answer["unit"] == position.game.unit.en
    assert len(answer["lines"]) == 2
    for line in answer["lines"]:
        assert position.is_legal(position.parse_move(line["moves"][0])) and 0 <= line["odds"] <= 1


def test_it_is_the_search_itself() -> None:
    position = boyi.start("xiangqi")
    position.play("h2e2")
    found = analyse(find_default(position).make(position.game, {}), position, Limits(nodes=3000, lines=2))
    answer = ask_one({"id": "a1", "moves": ["h2e2"], "limits": {"nodes": 3000}, "lines": 2})
    assert (answer["nodes"], answer["depth"], answer["position"]) == (found.nodes, found.depth, position.to_text())
    assert [(line["moves"], line["value"]) for line in answer["lines"]] == [
        (list(line.texts), line.value / 100) for line in found.lines]


def test_a_proven_win() -> None:
    answer = ask_one({"id": "a1", "position": MATE, "limits": {"depth": 3}})
    assert (best(answer), answer["lines"][0]["wins_in"], answer["lines"][0]["odds"]) == ("e2d2", 1, 1.0)


def test_moves_are_read_in_any_notation_and_written_in_the_chosen_one() -> None:
    asked = {"moves": ["炮二平五", "H8+7"], "limits": {"depth": 1}, "only": ["马八进七"]}
    assert best(ask_one({"id": "a1", **asked})) == "b0c2"
    assert best(ask_one({"id": "a1", **asked, "notation": "chinese"})) == "马八进七"


def test_answers_come_as_they_deepen() -> None:
    asked = {"id": "a1", "limits": {"depth": 4}, "lines": 2}
    *reports, final = ask(asked | {"report_every": "depth"})
    assert [(report["depth"], report["final"]) for report in reports] == [(depth, False) for depth in range(1, 5)]
    assert [report["nodes"] for report in reports] == sorted({report["nodes"] for report in reports})
    whole = ask_one(asked)
    assert final["final"] and (final["nodes"], final["lines"]) == (whole["nodes"], whole["lines"])


def test_reports_keep_their_distance() -> None:
    """The first is out at once, and none of the others before the search has ended."""
    first, final = ask({"id": "a1", "limits": {"depth": 4}, "report_every": 86_400})
    assert (first["depth"], first["final"], final["depth"], final["final"]) == (1, False, 4, True)


def test_a_report_that_came_too_early_is_out_when_it_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while the next depth is searched: where the clock stands still, only the timer can have said it."""
    monkeypatch.setattr("boyi.engine.json_lines.monotonic", lambda: 0.0)
    with conversation("othello") as session:
        session.send(id="a1", limits=ENDLESS, report_every=0.01)
        assert session.read()["depth"] == 1
        assert session.read()["depth"] > 1
        session.send(cancel="a1")
        assert session.read_until(final=True)["cancelled"]


@pytest.mark.parametrize(("asked", "moves"), [({"only": ["a0a1", "b0c2"]}, {"a0a1", "b0c2"}),
                                              ({"avoid": ["a0a1"]}, None)])
def test_only_some_moves_are_looked_at(asked: Facts, moves: set[str] | None) -> None:
    answer = ask_one({"id": "a1", "limits": {"depth": 1}, "lines": 500, **asked})
    start = boyi.start("xiangqi")
    assert {line["moves"][0] for line in answer["lines"]} == (
        moves or {start.format_move(move) for move in start.moves()} - {"a0a1"})


def test_another_search_and_other_rules() -> None:
    answer = ask_one({"id": "a1", "search": "mcts", "limits": {"nodes": 50},
                      "options": {"rules": "axf"}})
    assert answer["search"] == "mcts" and answer["lines"][0]["visits"] > 0


# ---------------------------------------------------------------------- whole games

def play(game: str, moves: str, **options: Any) -> boyi.Position:
    position = boyi.start(game, **options)
    for move in moves.split():
        position.play(move)
    return position


def test_every_turn_of_a_game() -> None:
    """The shortest game of Othello: the last position has a result and no lines."""
    moves = "e6 f4 e3 f6 g5 d6 e7 f5 c5".split()
    answers = ask({"id": "a1", "moves": moves, "turns": "all", "limits": {"nodes": 100}}, game="othello")
    assert sorted(answer["turn"] for answer in answers) == list(range(10))
    assert [answer["remaining"] for answer in answers] == list(range(9, -1, -1))
    over = next(answer for answer in answers if answer["turn"] == 9)
    assert (over["over"], over["places"], over["reason"], over["lines"]) == (True, [1, 2], "no_moves", [])
    for answer in answers:
        assert answer["position"] == play("othello", " ".join(moves[:answer["turn"]])).to_text()


def test_some_turns() -> None:
    answers = ask({"id": "a1", "moves": ["h2e2", "h9g7"], "turns": [2, 0], "limits": {"nodes": 50}})
    assert {answer["turn"]: answer["player"] for answer in answers} == {2: 0, 0: 0}


def test_a_record_is_read_with_its_rules() -> None:
    position = play("xiangqi", "h2e2 h9g7", rules="axf")
    text = boyi.Record.from_position(position).to_text()
    answers = ask({"id": "a1", "record": text, "turns": "all", "limits": {"nodes": 50}}, game="othello")
    assert {answer["turn"] for answer in answers} == {0, 1, 2}
    assert next(answer for answer in answers if answer["turn"] == 2)["position"] == position.to_text()
    ggf = f"(;GM[Othello]PB[a]PW[b]TY[8]BO[8 {27 * '-'}O*------*O{27 * '-'} *]B[F5]W[D6];)"
    answer = ask_one({"id": "a1", "record": ggf, "limits": {"nodes": 50}})
    assert answer["position"] == play("othello", "f5 d6").to_text()


def test_what_the_player_to_act_may_not_know_is_not_looked_at() -> None:
    """Red has taken a covered piece and seen it; Black has not."""
    position = play("jieqi", "b2b9Rn")
    assert position.turn == 1 and position.observe(0).to_text() != position.observe(1).to_text()
    answer = ask_one({"id": "a1", "moves": ["b2b9Rn"], "limits": {"nodes": 50}}, game="jieqi")
    assert answer["position"] == position.observe(1).to_text()


def test_what_chance_may_bring_is_told() -> None:
    line = ask_one({"id": "a1", "limits": {"nodes": 50}}, game="jieqi")["lines"][0]
    assert sum(line["turns_up"].values()) == pytest.approx(1, abs=1e-4)


# ---------------------------------------------------------------------- many at once

def test_a_search_without_end_is_cancelled() -> None:
    with conversation() as session:
        session.send(id="a1", limits=ENDLESS, report_every="depth")
        session.read_until(depth=3)
        session.send(cancel="a1", id="c")
        answers = [session.read(), session.read()]
        while not (answers[-1].get("final") and any("cancel" in answer for answer in answers)):
            answers.append(session.read())
        assert {"id": "c", "cancel": "a1", "cancelled": 1} in answers
        final = next(answer for answer in answers if answer.get("final"))
        assert final["cancelled"] and final["depth"] >= 3 and final["lines"]
        session.send(id="a1", limits={"depth": 1})       # the id is free again
        assert session.read()["final"]
        session.send(cancel="a1")
        assert session.read() == {"cancel": "a1", "cancelled": 0}


def test_what_waits_is_cancelled_at_once() -> None:
    with conversation() as session:
        session.send(settings={"threads": 1})
        session.send(id="busy", limits=ENDLESS, report_every="depth")
        session.read_until(depth=1)
        session.send(id="waits", limits={"depth": 50})
        session.send(cancel="waits")
        answer = session.read_until(id="waits")
        assert (answer["final"], answer["cancelled"], answer["lines"]) == (True, True, [])
        session.send(cancel_all=True)
        assert session.read_until(id="busy", final=True)["cancelled"]


def test_several_are_searched_at_the_same_time() -> None:
    with conversation() as session:
        session.send(settings={"threads": 3})
        for name in ("one", "two", "three"):
            session.send(id=name, limits=ENDLESS, report_every="depth")
        begun: set[str] = set()
        while len(begun) < 3:
            answer = session.read()
            assert not answer.get("final")
            begun |= {answer["id"]} if "id" in answer else set()
        session.send(cancel_all=True)
        assert {session.read_until(final=True)["id"] for _ in range(3)} == {"one", "two", "three"}


def test_a_higher_priority_comes_first() -> None:
    with conversation() as session:
        session.send(settings={"threads": 1})
        session.send(id="busy", limits=ENDLESS, report_every="depth")
        session.read_until(depth=1)
        for name, priority in (("first", 0), ("urgent", 5), ("second", 0), ("idle", -1)):
            session.send(id=name, limits={"depth": 1}, priority=priority)
        session.send(cancel="busy")
        order = [session.read_until(final=True)["id"] for _ in range(5)]
    assert order == ["busy", "urgent", "first", "second", "idle"]


def test_fewer_threads_and_then_more() -> None:
    with conversation() as session:
        for threads in (2, 1, 3):
            session.send(settings={"threads": threads})
            session.read_until(settings={"threads": threads, "search_threads": 1, "hash": 16})
            for number in range(4):
                session.send(id=f"{threads} {number}", limits={"depth": 2})
            assert len({session.read_until(final=True)["id"] for _ in range(4)}) == 4


def test_settings_reach_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Facts] = []
    make = Algorithm.make

    def note(self: Algorithm, game: boyi.Game, values: Facts) -> Any:
        made.append(dict(values))
        return make(self, game, values)

    monkeypatch.setattr(Algorithm, "make", note)
    ask({"settings": {"hash": 2, "search_threads": 2}}, {"id": "a1", "limits": {"depth": 1}})
    assert made == [{"table_mb": 2, "threads": 2}]
    made.clear()
    ask({"settings": {"threads": 1, "hash": 2}}, {"id": "a1", "search": "mcts", "limits": {"nodes": 9}})
    assert made[-1] == {"megabytes": 2}
    assert {"name": "threads", "kind": "spin"}.items() <= describe(find_game("liuzhou"), None)["settings"][0].items()


def test_a_cleared_cache_knows_nothing() -> None:
    with conversation() as session:
        session.send(settings={"threads": 1})
        session.read()
        nodes = []
        for name in ("new", "known", "cleared"):
            if name == "cleared":
                session.send(clear_cache=True)
                assert session.read() == {"clear_cache": True}
            session.send(id=name, limits={"depth": 5})
            nodes.append(session.read()["nodes"])
    assert nodes[0] == nodes[2] > nodes[1]


# ---------------------------------------------------------------------- refusals

REFUSALS: list[tuple[Facts | str, str, str | None]] = [
    ("x", "not JSON", None),
    ("[" * 100_000, "not JSON", None),
    ('{"id": "a1"', "not JSON", None),
    ("7", 'a request is an object, such as {"id": "a1"', None),
    ({}, "a request has an id", "id"),
    ({"id": 7}, "id is a text, not 7", "id"),
    ({"id": "a" * 201}, "at most 200", "id"),
    ({"id": "a1", "move": []}, "no key of a request is called 'move'; did you mean 'moves'?", "move"),
    ({"id": "a1", "game": "chess"}, "no game is called 'chess'", "game"),
    ({"id": "a1", "options": {"rule": "axf"}}, "did you mean 'rules'?", "options"),
    ({"id": "a1", "options": {"rules": ["axf"]}}, "rules", "options"),
    ({"id": "a1", "options": 3}, "options is an object", "options"),
    ({"id": "a1", "position": "rubbish"}, "rubbish", "position"),
    ({"id": "a1", "position": 5}, "position is a text, not 5", "position"),
    ({"id": "a1", "position": "\ud800"}, "position is a text", "position"),
    ({"id": "a1", "moves": "h2e2"}, "moves is a list of moves", "moves"),
    ({"id": "a1", "moves": ["h2e2", "a0a8"]}, "move 2: ", "moves"),
    ({"id": "a1", "record": "rubbish"}, "in no format that Boyi knows", "record"),
    ({"id": "a1", "record": boyi.Record.from_position(boyi.start("othello")).to_text(), "moves": []},
     "leave moves out", "moves"),
    ({"id": "a1", "game": "xiangqi", "record": boyi.Record.from_position(boyi.start("othello")).to_text()},
     "one of othello", "game"),
    ({"id": "a1", "record": 2 * (boyi.Record.from_position(boyi.start("othello")).to_text() + "\n")},
     "about one record, and here are 2", "record"),
    ({"id": "a1", "turns": [1]}, "there is no turn 1: 0 is the first position and 0 the last", "turns"),
    ({"id": "a1", "turns": "some"}, "turns is 'all' or a list", "turns"),
    ({"id": "a1", "turns": [0, 0]}, "every turn is named once", "turns"),
    ({"id": "a1", "turns": []}, "turns is 'all' or a list", "turns"),
    ({"id": "a1", "lines": 0}, "lines is a whole number from 1 to 500, not 0", "lines"),
    ({"id": "a1", "lines": True}, "lines is a whole number from 1 to 500, not true", "lines"),
    ({"id": "a1", "limits": 5}, 'limits is an object such as {"seconds": 1}', "limits"),
    ({"id": "a1", "limits": {"second": 5}}, "no limit is called 'second'; did you mean 'seconds'?", "second"),
    ({"id": "a1", "limits": {"seconds": 0}}, "seconds is a number above 0", "seconds"),
    ('{"id": "a1", "limits": {"seconds": NaN}}', "seconds is a number above 0", "seconds"),
    ('{"id": "a1", "limits": {"nodes": 1e999}}', "nodes is a whole number", "nodes"),
    ({"id": "a1", "limits": {"depth": 2.5}}, "depth is a whole number", "depth"),
    ({"id": "a1", "limits": {"infinite": True, "depth": 2}}, "infinite means without limits", "limits"),
    ({"id": "a1", "limits": {"infinite": 1}}, "infinite is true, or left out, not 1", "infinite"),
    ({"id": "a1", "moves": ["h2e2"], "turns": "all", "limits": ENDLESS}, "for one position", "limits"),
    ({"id": "a1", "search": "mcts", "limits": {"depth": 3}}, "mcts does not end at a depth", "limits"),
    ({"id": "a1", "search": "random"}, "no search that can be asked for lines", "search"),
    ({"id": "a1", "search": "uci:rm -rf /"}, "would run code on this machine", "search"),
    ({"id": "a1", "only": ["a0a8"]}, "a0a8", "only"),
    ({"id": "a1", "only": []}, "only leaves no move to look at", "only"),
    ({"id": "a1", "only": [], "avoid": []}, "only and avoid do not go together", "avoid"),
    ({"id": "a1", "moves": ["h2e2"], "turns": "all", "avoid": ["a0a1"]}, "moves of one position", "avoid"),
    ({"id": "a1", "notation": "chinse"}, "did you mean 'chinese'?", "notation"),
    ({"id": "a1", "report_every": -1}, "report_every is a number above 0, at most 86400, or 'depth', not -1",
     "report_every"),
    ({"id": "a1", "priority": "high"}, "priority is a whole number", "priority"),
    ({"id": "a1", "game": "jieqi", "moves": ["b2e2"]}, "here chance acts, not a player", "position"),
    ({"id": "a1", "cancel": 7}, "cancel is a text, not 7", "cancel"),
    ({"id": "a1", "cancel_all": False}, "cancel_all is true, not false", "cancel_all"),
    ({"id": "a1", "cancel_all": True, "clear_cache": True}, "one line is one command", "clear_cache"),
    ({"id": "a1", "query_version": True, "lines": 2}, "no key of the command query_version is called 'lines'", "lines"),
    ({"id": "a1", "settings": {"thread": 2}}, "no setting is called 'thread'; did you mean 'threads'?", "settings"),
    ({"id": "a1", "settings": {"threads": 0}}, "threads is a whole number from 1 to", "settings"),
]


@pytest.mark.parametrize(("line", "expected", "field"), REFUSALS)
def test_a_refusal_says_what_was_wrong(line: Facts | str, expected: str, field: str | None) -> None:
    answer = ask_one(line)
    assert expected in answer["error"]
    assert answer.get("field") == field
    known = isinstance(line, dict) and line.get("id") == "a1"
    assert answer.get("id") == ("a1" if known or (isinstance(line, str) and line.endswith("}}")) else None)
    assert "final" not in answer


def test_an_id_that_is_under_way_is_refused() -> None:
    with conversation() as session:
        session.send(id="a1", limits=ENDLESS)
        session.send(id="a1", limits={"depth": 1})
        assert "'a1' is still under way" in session.read()["error"]


def test_what_a_search_refuses_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Algorithm, game: boyi.Game, values: Facts) -> None:
        raise MemoryError

    monkeypatch.setattr(Algorithm, "make", refuse)
    answer = ask_one({"id": "a1", "limits": {"depth": 1}})
    assert answer["final"] and "not enough memory" in answer["error"]


def test_a_bug_costs_one_answer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(*given: Any) -> Analysis:
        monkeypatch.undo()
        raise KeyError("nothing")

    monkeypatch.setattr("boyi.engine.pool.analyse", fail)
    with conversation() as session:
        session.send(settings={"threads": 1})
        session.send(id="a1", limits={"depth": 1})
        session.send(id="a2", limits={"depth": 1})
        assert "KeyError" in session.read_until(id="a1", final=True)["error"]
        assert session.read_until(id="a2", final=True)["lines"]
    assert "Traceback" in capsys.readouterr().err


VALUES = st.recursive(st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=4)
                      | st.sampled_from(["start", "all", "depth", "h2e2", "othello", "chinese", "mcts", MATE]),
                      lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
                          ["seconds", "nodes", "depth", "infinite", "rules", "threads"]), inner, max_size=2),
                      max_leaves=4)
COMMANDS = ("cancel", "cancel_all", "clear_cache", "query_version")


@settings(max_examples=scaled(300, 30), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.dictionaries(st.sampled_from(KEYS[1:] + COMMANDS), VALUES, max_size=3), max_size=5))
def test_anything_is_answered(asked: list[Facts]) -> None:
    """Each line with at least one answer, and those that are no commands with one final answer or an error."""
    requests = [{"id": str(number), "limits": {"nodes": 20}, **request} if not set(COMMANDS) & set(request) else
                {"id": str(number), **request} for number, request in enumerate(asked)]
    answers = ask(*requests)
    for request in requests:
        own = [answer for answer in answers if answer["id"] == request["id"]]
        assert own, (request, answers)
        if not set(COMMANDS) & set(request):
            ends = [answer for answer in own if answer.get("final") or "error" in answer]
            assert len(ends) == 1 or "turns" in request, (request, answers)
        assert not any("should not have happened" in answer.get("error", "") for answer in own)


# ---------------------------------------------------------------------- the program

def test_a_program_that_is_asked_many_things_at_once() -> None:
    """Requests, a refusal, a cancellation, and the end of the input, after which what has limits is finished."""
    with subprocess.Popen([sys.executable, "-m", "boyi", "engine", "othello", "--protocol", "json"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None

        def send(**request: Any) -> None:
            assert process.stdin is not None
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()

        send(settings={"threads": 2})
        send(id="endless", limits=ENDLESS, report_every="depth")
        reports = [json.loads(process.stdout.readline()) for _ in range(4)]
        assert [report["depth"] for report in reports[1:]] == [1, 2, 3]
        send(cancel="endless")
        final = next(answer for line in process.stdout if (answer := json.loads(line)).get("final"))
        assert (final["id"], final["cancelled"]) == ("endless", True) and final["depth"] >= 3
        for number in range(6):
            send(id=f"a{number}", moves=["f5", "d6"], limits={"nodes": 2000}, lines=number % 3 + 1)
        send(id="wrong", moves=["a1"])
        send(id="open", limits=ENDLESS)
        process.stdin.close()
        answers = [json.loads(line) for line in process.stdout]
        assert process.wait(SECONDS) == 0
    finals = {answer["id"]: answer for answer in answers if answer.get("final")}
    assert set(finals) == {f"a{number}" for number in range(6)} | {"open"}
    assert finals["open"]["cancelled"] and not any("cancelled" in finals[f"a{number}"] for number in range(6))
    assert [answer["id"] for answer in answers if "error" in answer] == ["wrong"]


@pytest.mark.parametrize("leaving", ['{"quit": true}', "quit"])
def test_quit_leaves_without_finishing(leaving: str) -> None:
    with subprocess.Popen([sys.executable, "-m", "boyi", "engine", "tic_tac_toe"],     # json is all that it speaks
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        said, _ = process.communicate('{"id": "a1", "limits": {"seconds": 3600, "depth": 100}, "search": "mcts"}\n'
                                      f"{leaving}\n", timeout=SECONDS)
        assert process.returncode == 0
    final = next(answer for line in said.splitlines() if (answer := json.loads(line)).get("final"))
    assert final["id"] == "a1"
