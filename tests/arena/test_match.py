"""Matches: fair, repeatable, and fatal only to those who fail."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

import boyi
from boyi.agents import AgentError, Clock
from boyi.agents.random import RandomAgent
from boyi.arena import Match, play_game, play_match, standings
from boyi.arena.match import Played
from boyi.arena.openings import read_openings
from boyi.arena.score import elo, interval
from boyi.arena.tally import count_pairs
from boyi.core.errors import BoyiError, OptionError, TextError
from boyi.core.outcome import Outcome
from boyi.core.position import Position
from boyi.core.record import Record, write_records
from boyi.core.words import Words
from boyi.games import find_game
from tests.places import FAKE_ENGINE


class Scripted:
    """An agent that does as it is told."""

    def __init__(self, answer: Callable[[Position], int]) -> None:
        self._answer = answer

    def choose(self, observation: Position, clock: Clock) -> int:
        return self._answer(observation)


def test_pairs_share_their_opening_and_change_colours() -> None:
    match = Match(("random:seed=1", "random:seed=2"), boyi.start("othello"), games=4, seed=5)
    assert [match.seating(number) for number in range(4)] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert match.opening(0).to_text() == match.opening(1).to_text()
    assert match.opening(0).to_text() != match.opening(2).to_text()
    assert match.opening(0).ply == match.random_plies


def test_many_players_rotate_and_the_last_agent_fills_up() -> None:
    match = Match(("random", "random:seed=1"), boyi.start("chinese_checkers", players=3), games=3)
    assert [match.seating(number) for number in range(3)] == [(0, 1, 1), (1, 1, 0), (1, 0, 1)]


@pytest.mark.parametrize(("game", "agents"), [
    ("othello", ("alphabeta:nodes=200", "random")), ("jieqi", ("random", "random")), ("liuzhou", ("random", "level:1")),
])
def test_matches_are_repeatable(game: str, agents: tuple[str, ...]) -> None:
    match = Match(agents, boyi.start(game), games=2, seed=3)
    first = [game.record.to_text() for game in play_match(match)]
    assert [game.record.to_text() for game in play_match(match)] == first
    assert match.play(1).record.to_text() == first[1]
    for text in first:
        Record.parse(text, find_game).replay()


def test_processes_play_the_same_games() -> None:
    match = Match(("alphabeta:nodes=100", "random"), boyi.start("othello"), games=3, seed=3)
    alone = [game.record.to_text() for game in play_match(match)]
    assert [game.record.to_text() for game in play_match(match, jobs=2)] == alone


def test_agents_see_only_what_they_may() -> None:
    seen = []

    def answer(observation: Position) -> int:
        seen.append(observation.to_text())
        return observation.moves()[0]

    position = boyi.start("jieqi")
    play_game(position, [Scripted(answer), Scripted(answer)], longest=60)
    walk = boyi.start("jieqi")
    expected = []
    for move in position.history():
        if walk.turn >= 0:
            expected.append(walk.observe(walk.turn).to_text())
        walk.play(move)
    assert seen == expected[:len(seen)]
    assert seen


def crash(observation: Position) -> int:
    raise AgentError("my process has ended", "crash")


def vanish(observation: Position) -> int:
    raise OptionError("there is no program of this name")


@pytest.mark.parametrize(("answer", "fault"), [
    (crash, "crash"), (vanish, "crash"), (lambda observation: 12345, "illegal_move"),
])
def test_whoever_fails_loses(answer: Callable[[Position], int], fault: str) -> None:
    outcome, failures = play_game(boyi.start("othello"), [RandomAgent(1), Scripted(answer)])
    assert outcome.places == (1, 2)
    assert outcome.reason == fault
    assert [failure.seat for failure in failures] == [1]
    assert failures[0].message.startswith("White")


def test_whoever_is_late_loses() -> None:
    def answer(observation: Position) -> int:
        time.sleep(0.02)
        return observation.moves()[0]
    outcome, failures = play_game(boyi.start("othello"), [Scripted(answer), RandomAgent(1)], move_seconds=0.001)
    assert (outcome.places, failures[0].fault) == ((2, 1), "timeout")


def test_others_play_on_where_the_rules_allow_it() -> None:
    position = boyi.start("chinese_checkers", players=3)
    outcome, failures = play_game(position, [Scripted(crash), RandomAgent(1), RandomAgent(2)])
    assert [failure.seat for failure in failures] == [0]
    assert outcome.places[0] == 3
    assert position.ply > 10


def test_nobody_makes_another_leave() -> None:
    position = boyi.start("chinese_checkers", players=3)
    move = position.forfeit(1)
    assert move is not None
    _, failures = play_game(position, [Scripted(lambda observation: move), RandomAgent(1), RandomAgent(2)], longest=10)
    assert [(failure.seat, failure.fault) for failure in failures] == [(0, "illegal_move")]
    assert not position.may_resign(0)
    assert position.may_resign(1)


def test_endless_games_are_broken_off() -> None:
    outcome, _ = play_game(boyi.start("xiangqi"), [RandomAgent(1), RandomAgent(2)], longest=10)
    assert (outcome.reason, outcome.places) == ("too_long", (1, 1))


def test_an_outside_engine_that_crashes_is_named() -> None:
    engine = f"uci:{sys.executable} {FAKE_ENGINE} uci stillborn"
    match = Match(("random", engine), boyi.start("xiangqi"), games=2, seed=1)
    games = list(play_match(match))
    assert [row.score for row in standings(match, games)] == [1.0, 0.0]
    assert [row.failures for row in standings(match, games)] == [0, 2]
    assert "no such book" in games[0].record.comment
    assert games[0].record.reason == "crash"
    games[0].record.replay()


# ---------------------------------------------------------------------- counting

def test_standings_add_up() -> None:
    match = Match(("random", "random"), boyi.start("othello"), games=10, seed=1)
    first, second = standings(match, list(play_match(match)))
    assert first.wins + first.draws + first.losses == first.seats == 10
    assert (first.wins, first.draws, first.losses) == (second.losses, second.draws, second.wins)
    assert math.isclose(first.score + second.score, 1)
    assert first.low <= first.score <= first.high
    match = Match(("random", "random"), boyi.start("chinese_checkers", players=3), games=3, seed=1)
    rows = standings(match, list(play_match(match)))
    assert [row.seats for row in rows] == [3, 6]
    assert math.isclose(sum(row.firsts for row in rows), 3)
    # What one does not win the others do, so their intervals are one another's images: two seats tell no more than one.
    assert rows[1].share_high * 2 / 3 == pytest.approx(1 - rows[0].share_low / 3)
    assert rows[1].share_low * 2 / 3 == pytest.approx(1 - rows[0].share_high / 3)
    assert standings(match, [])[0].score == 0.5


@pytest.mark.parametrize(("score", "count", "low", "high"), [
    # R: prop.test(x, n, correct = FALSE)$conf.int
    (0.5, 100, 0.4038, 0.5962), (1.0, 10, 0.7225, 1.0), (0.0, 10, 0.0, 0.2775), (0.9, 50, 0.7864, 0.9565),
])
def test_intervals(score: float, count: int, low: float, high: float) -> None:
    assert interval(score, count) == pytest.approx((low, high), abs=1e-4)


def test_elo() -> None:
    assert elo(0.5) == 0
    assert elo(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo(1.0) == math.inf
    assert elo(0.0) == -math.inf


# ---------------------------------------------------------------------- openings and bad input

def test_openings_are_read() -> None:
    start = boyi.start("othello")
    text = start.to_text()
    openings = read_openings(f"\n# nothing\n{text}\n{text} moves f5 d6 # two\nmoves f5\n", start)
    assert [opening.ply for opening in openings] == [0, 2, 1]
    match = Match(("random", "random"), start, games=8, openings=openings)
    assert [match.opening(number).ply for number in range(8)] == [0, 0, 2, 2, 1, 1, 0, 0]


def test_openings_are_cut_out_of_records() -> None:
    start = boyi.start("othello")
    records = [game.record for game in play_match(Match(("random", "random:seed=1"), start, games=6, seed=1))]
    text = write_records(records)
    openings = read_openings(text, start, 10)
    assert [opening.ply for opening in openings] == [10] * 6
    assert openings[0].to_text() == records[0].replay(10).to_text()
    assert len(read_openings(text, start, 2)) == 3   # two games of a round begin alike
    assert len(read_openings(text, start)) == 6
    short = write_records([replace(records[0], entries=records[0].entries[:5], final=None, result=None, reason=""),
                           records[1]])
    assert len(read_openings(short, start, 10)) == 1
    for bad, plies, words in (
            (text, 100, "goes on after 100"), (text.replace("othello", "xiangqi", 1), 4, "a game of 'xiangqi'"),
            (text.replace("1. ", "1. a1 ", 1), 4, "record 1"), ("[Boyi ", 4, "not a Boyi record")):
        with pytest.raises(BoyiError) as caught:
            read_openings(bad, start, plies)
        assert words in str(caught.value)
    liuzhou = boyi.start("liuzhou")
    with pytest.raises(TextError, match="openings of liuzhou are wanted"):
        read_openings(text, liuzhou)


@pytest.mark.parametrize(("text", "words"), [
    ("", "no opening"), ("# x", "no opening"), ("moves f5 f5", "line 1"), ("\nxyz", "line 2"),
    ("moves e6 f4 e3 f6 g5 d6 e7 f5 c5", "over"),
])
def test_bad_openings_are_refused(text: str, words: str) -> None:
    with pytest.raises(TextError) as caught:
        read_openings(text, boyi.start("othello"))
    assert words in str(caught.value)


@pytest.mark.parametrize(("agents", "options", "words"), [
    (("random",), {}, "has two agents"),
    (("random", "random", "random"), {}, "has two agents"),
    (("random", "human"), {}, "human"),
    (("random", "nobody"), {}, "There are: "),
    (("random", "gtp:no-such-program"), {}, "no program"),
    (("random", "random"), {"games": 0}, "at least one game"),
])
def test_bad_matches_are_refused(agents: tuple[str, ...], options: dict[str, int], words: str) -> None:
    with pytest.raises(BoyiError) as caught:
        Match(agents, boyi.start("othello"), **options)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_too_many_random_moves_are_refused() -> None:
    with pytest.raises(OptionError, match="begin with fewer"):
        Match(("random", "random"), boyi.start("tic_tac_toe"), random_plies=9).opening(0)


def test_pairs_are_counted_for_the_first_contestant() -> None:
    record = Record.from_position(boyi.start("othello"))

    def game(number: int, score: float) -> Played:
        """One that the first contestant ended with this score."""
        seats = (0, 1) if number % 2 == 0 else (1, 0)
        scores = (score, -score) if seats[0] == 0 else (-score, score)
        return Played(number, seats, Outcome.of(scores, "x", Words("x", "x")), record)

    scores = [(1, 1), (1, 0), (0, 1), (0, 0), (1, -1), (-1, 1), (-1, 0), (-1, -1), (0.5, -0.5), (-1, -1)]
    games = [game(number, score) for number, score in enumerate(score for pair in scores for score in pair)]
    assert count_pairs(games) == [2, 1, 4, 2, 1]
    assert count_pairs(games[:3]) == [0, 0, 0, 0, 1]
    assert count_pairs([]) == [0] * 5
