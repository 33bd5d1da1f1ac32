"""`boyi.analyse`, `boyi.Engine` and `boyi.AsyncEngine`: our searches, levels and other programs, asked alike."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

import boyi
from boyi.core.errors import OptionError, TextError
from tests.places import FAKE_ENGINE

MATE = "3k5/9/9/9/9/9/9/4R4/9/4K4 w - - 0 1"


def fake(protocol: str = "uci", behaviour: str = "well", settings: str = "") -> str:
    return f"{protocol}:{sys.executable} {FAKE_ENGINE} {protocol} {behaviour}{settings}"


# ---------------------------------------------------------------------- one question

def test_analyse_takes_a_position_a_text_or_a_game() -> None:
    by_text, by_position = (boyi.analyse(what, depth=3, lines=2) for what in (MATE, boyi.parse("xiangqi", MATE)))
    assert by_text.lines == by_position.lines
    best = by_text.lines[0]
    assert (best.texts, best.wins_in, best.odds) == (("e2d2",), 1, 1.0)
    assert boyi.parse("xiangqi", MATE).format_move(best.moves[0]) == "e2d2"
    assert len(boyi.analyse("othello", nodes=500, lines=4).lines) == 4


def test_analyse_leaves_the_position_alone() -> None:
    position = boyi.start("othello")
    position.play("f5")
    before = position.copy()
    boyi.analyse(position, nodes=300)
    assert position == before


def test_analyse_by_a_named_search() -> None:
    analysis = boyi.analyse("tic_tac_toe", nodes=200, lines=9, search="mcts")
    assert len(analysis.lines) == 9
    assert all(line.visits is not None for line in analysis.lines)


@pytest.mark.parametrize(("what", "words"), [
    ("otello", "neither a game nor a position"), ("", "neither a game nor a position"),
])
def test_analyse_refuses_what_it_cannot_read(what: str, words: str) -> None:
    with pytest.raises(TextError, match=words):
        boyi.analyse(what, nodes=10)


def test_analyse_refuses_a_text_of_two_games(monkeypatch: pytest.MonkeyPatch) -> None:
    games = {name: boyi.find_game("othello") for name in ("one", "othello")}
    monkeypatch.setattr("boyi.games.all_games", lambda: games)
    with pytest.raises(TextError, match="say which"):
        boyi.analyse(boyi.start("othello").to_text(), nodes=10)


def test_where_nobody_acts_there_is_nothing_to_ask() -> None:
    over = boyi.start("othello")
    for move in "e6 f4 e3 f6 g5 d6 e7 f5 c5".split():
        over.play(move)
    covered = boyi.start("jieqi")
    covered.play("h2e2")
    with boyi.Engine("level:1") as engine:
        for position, words in ((over, "the game is over"), (covered, "chance acts")):
            with pytest.raises(TextError, match=words):
                engine.play(position)
            with pytest.raises(TextError, match=words):
                boyi.analyse(position, nodes=10)


# ---------------------------------------------------------------------- many questions

@pytest.mark.parametrize("spec", ["level:3", "alphabeta:depth=2", "mcts:nodes=50", "random:seed=1"])
def test_any_agent_plays(spec: str) -> None:
    position = boyi.start("othello")
    with boyi.Engine(spec) as engine:
        for _ in range(4):
            position.play(engine.play(position, nodes=100))
    assert position.ply == 4


def test_levels_and_searches_analyse_by_their_own_limits_or_others() -> None:
    position = boyi.start("othello")
    with boyi.Engine("alphabeta:depth=2") as search, boyi.Engine("level:10") as level:
        assert search.analyse(position).depth == 2
        assert search.analyse(position, depth=3, lines=1).depth == 3
        few, more = level.analyse(position), level.analyse(position, nodes=50_000)
        assert few.nodes < more.nodes
        assert len(few.lines) == len(more.lines) == 3


def test_who_only_plays_is_refused_in_words() -> None:
    with boyi.Engine("random") as engine, pytest.raises(OptionError, match="random can be asked for a move but not"):
        engine.analyse(boyi.start("othello"))
    with boyi.Engine(fake("gtp")) as engine, pytest.raises(OptionError, match="gtp engines can be asked for a move"):
        engine.analyse(boyi.start("othello"))


def test_a_game_that_it_does_not_play_is_refused() -> None:
    with boyi.Engine(fake()) as engine, pytest.raises(OptionError, match="not othello"):
        engine.play(boyi.start("othello"))
    with boyi.Engine("alphabeta") as engine, pytest.raises(OptionError, match="no chance"):
        engine.play(boyi.start("jieqi"))
    with pytest.raises(OptionError, match="no engine"):
        boyi.Engine("human")


def test_an_illegal_move_is_an_agent_error() -> None:
    position = boyi.start("xiangqi")
    position.play("h2e2")
    with boyi.Engine(fake(behaviour="illegal")) as engine:
        for other in ("a3a4", "c3c4"):
            position.play(engine.play(position))
            position.play(other)
        with pytest.raises(boyi.AgentError) as caught:
            engine.play(position)
    assert caught.value.fault == "illegal_move"


# ---------------------------------------------------------------------- programs of others

def test_an_outside_engine_tells_its_lines(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    position = boyi.start("xiangqi")
    position.play("h2e2")
    with boyi.Engine(fake("uci", "lines", f" {heard}")) as engine:
        analysis = engine.analyse(position, depth=5, lines=3)
        assert position.is_legal(engine.play(position))
    assert [line.texts for line in analysis.lines] == [("h9g7", "h0g2"), ("b9c7",), ("a9a8",)]
    assert [position.format_move(line.moves[0]) for line in analysis.lines] == ["h9g7", "b9c7", "a9a8"]
    assert [line.value for line in analysis.lines][:2] == [31.0, 12.0]
    assert [line.wins_in for line in analysis.lines] == [None, None, -6]
    assert analysis.lines[0].odds > 0.5 > analysis.lines[2].odds == 0.0
    assert (analysis.depth, analysis.nodes) == (5, 4000)
    asked = heard.read_text(encoding="utf-8").split("\n")
    compared = [line for line in asked if "MultiPV" in line]
    assert compared == ["setoption name MultiPV value 3", "setoption name MultiPV value 1"]
    assert "go depth 5" in asked


def test_an_outside_engine_without_lines_tells_its_move() -> None:
    position = boyi.start("xiangqi")
    position.play("h2e2")
    with boyi.Engine(fake()) as engine:
        analysis = engine.analyse(position, nodes=100)
    (line,) = analysis.lines
    assert (line.texts, line.value) == (("h9g7",), 250.0)


def test_the_process_ends_with_the_block() -> None:
    position = boyi.start("xiangqi")
    position.play("h2e2")
    with boyi.Engine(fake()) as engine:
        engine.play(position)
        process = engine._agent._channel._process  # type: ignore[attr-defined]
        assert process.poll() is None
    assert process.poll() is not None


def test_ours_are_told_apart_by_ranks() -> None:
    """Boyi as an engine is asked by the same agent as Fairy-Stockfish."""
    position = boyi.start("xiangqi")
    with boyi.Engine(f"uci:{sys.executable} -m boyi engine xiangqi --protocol uci,depth=2") as engine:
        position.play(engine.play(position))
        analysis = engine.analyse(position, depth=2, lines=2)
    assert len(analysis.lines) == 2
    assert all(position.is_legal(line.moves[0]) for line in analysis.lines)


# ---------------------------------------------------------------------- asyncio

def test_questions_wait_for_each_other_and_the_loop_for_none() -> None:
    async def run() -> list[int]:
        ticks, position = 0, boyi.start("othello")

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.001)

        async with boyi.AsyncEngine("alphabeta:depth=3") as engine:
            ticking = asyncio.create_task(tick())
            moves = await asyncio.gather(*(engine.play(position) for _ in range(3)))
            analysis = await engine.analyse(position, depth=2, lines=2)
            ticking.cancel()
        assert ticks > 1 and len(analysis.lines) == 2
        return list(moves)

    assert len(set(asyncio.run(run()))) == 1


@pytest.mark.parametrize("spec", ["alphabeta", "level:10", fake(behaviour="sleepy")],
                         ids=["search", "level", "program"])
def test_a_cancelled_question_is_stopped(spec: str) -> None:
    async def run() -> None:
        position = boyi.start("xiangqi")
        position.play("h2e2")
        async with boyi.AsyncEngine(spec) as engine:
            asked = asyncio.create_task(engine.analyse(position, nodes=10**12))
            await asyncio.sleep(0.2)
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked

    asyncio.run(run())      # which waits for threads: without the stop it would be years
