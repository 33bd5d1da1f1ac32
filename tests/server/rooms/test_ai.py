"""The AI in a seat: 托管, and seats of its own."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from boyi.games import find_game
from boyi.kit.ladder import find_ladder
from boyi.server.protocol.messages import (
    HandOver,
    Join,
    Leave,
    Move,
    Rematch,
    Resign,
    Resume,
    SetAi,
    Sit,
    Start,
)
from boyi.server.protocol.parts import ClockRule
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import EngineMove, Tick, asking, telling
from tests.scale import scaled
from tests.server import Table
from tests.server.rooms import result


def test_hand_over_and_resume_at_any_moment() -> None:
    table = Table("othello").seat("ada", "bob")
    generator = random.Random(1)
    assert asking.engine_request(table.room, table.now) is None
    table.do("ada", HandOver, level=4)
    request = asking.engine_request(table.room, table.now)
    assert request is not None and (request.seat, request.level) == (0, 4)
    assert table.refused("ada", Move, move="f5") == "handed_over"
    answer = table.answer(generator)
    table.do("ada", Resume)
    with pytest.raises(Refusal, match="gone on"):
        table.internal(answer)                          # late: the seat is hers again
    table.play("f5")
    table.do("ada", HandOver, level=1)                  # not her turn; it stays until she resumes
    table.play("d6")
    for _ in range(3):
        table.internal(table.answer(generator))
        table.play(telling.turn(table.room, 1).moves[0].text)  # type: ignore[union-attr]
    game = table.room.state.game
    assert game is not None and game.assisted == [0] and game.forfeit is None
    table.do("bob", Resign)
    assert result(table).places == [1, 2]
    assert table.room.state.seats[0].level is None


def test_rated_game_handed_over_is_lost_and_goes_on_unrated() -> None:
    table = Table("othello", rated=True).seat("ada", "bob", account=True)
    assert table.refused("ada", HandOver, level=4) == "confirm_loss"   # the room says so before
    table.do("ada", HandOver, level=4, confirm=True)
    game = table.room.state.game
    assert game is not None and game.forfeit is not None and not game.rated and table.room.state.phase == "playing"
    assert (game.forfeit.places, game.forfeit.reason, game.forfeit.rated) == ([2, 1], "handed_over", True)
    table.do("ada", Resume)
    assert game.forfeit is not None and not game.rated   # taking the seat back does not undo it
    table.play("f5")
    table.do("bob", HandOver, level=4)   # it is not rated any more
    assert game.forfeit.places == [2, 1]
    table.do("bob", Resign)
    assert result(table).places == [1, 2] and not result(table).rated
    assert 'Forfeit "1 handed_over"' in telling.record(table.room).to_text()


@pytest.mark.parametrize("why", ["flag", "disconnected"])
def test_nobody_escapes_a_rated_loss_by_being_replaced(why: str) -> None:
    table = Table("othello", rated=True, ai_on_flag=True, ai_on_disconnect=True, clock=ClockRule(60_000))
    table.seat("ada", "bob", account=True)
    if why == "disconnected":
        table.presence("ada", False)
    table.now = table.room.deadline() or 0
    table.internal(Tick())
    game = table.room.state.game
    assert game is not None and game.forfeit is not None and table.room.state.phase == "playing"
    assert (game.forfeit.places, game.forfeit.reason) == ([2, 1], "time" if why == "flag" else "abandoned")
    assert table.room.state.seats[0].level is not None


def test_rated_game_of_three_has_no_ai() -> None:
    def begun(**settings: Any) -> Table:
        return Table("chinese_checkers", {"players": 3}, rated=True, **settings).seat("ada", "bob", "cyd", account=True)

    assert begun().refused("ada", HandOver, level=1, confirm=True) == "not_allowed"
    table = begun(ai_on_disconnect=True)
    table.presence("bob", False)
    table.now = table.room.deadline() or 0
    table.internal(Tick())
    game = table.room.state.game
    assert game is not None and game.left == [1] and game.rated and game.forfeit is None


def answer_late(table: Table, answer: EngineMove) -> None:
    """An answer of the AI arrives; it counts only if the seat is still in the hands that were asked."""
    epoch = table.room.state.seats[answer.seat].epoch
    table.internal(answer)
    assert answer.epoch == epoch


def test_take_back_race() -> None:
    """The controller flips in the very millisecond of the AI's answer: one move each turn, whichever comes first."""
    generator = random.Random(3)
    races = 0
    while races < scaled(10_000):
        table = Table("othello", check=False).seat("ada", "bob")
        while table.turn is not None and races < scaled(10_000):
            seat, plies, seen = table.turn, len(table.room.refereed.log), table.room.seq
            person = table.person(seat)
            if table.room.state.seats[seat].level is None:
                table.do(person, HandOver, level=1)
            answers = [table.answer(generator)]
            mine = table.room.refereed.position.format_move(answers[0].move)
            if generator.random() < 0.3:                # changed twice: an earlier answer may still be on its way
                table.do(person, HandOver, level=2)
                answers.append(table.answer(generator))
            steps: list[Callable[[], object]] = [partial(answer_late, table, answer) for answer in answers]
            steps.append(partial(table.do, person, Resume))
            steps.append(partial(table.do, person, Move, seen=seen, move=mine))
            generator.shuffle(steps)
            for step in steps:
                try:
                    step()
                except Refusal as refusal:
                    assert refusal.code in ("stale", "handed_over", "not_handed_over", "game_over", "not_your_turn")
            choices = sum(ply.chosen for ply in table.room.refereed.log[plies:])
            # If it was resumed before the answer and the person had tried too early, nobody has moved yet.
            assert choices == 1 or (choices == 0 and table.turn == seat)
            races += 1


def test_ai_may_fill_seats_and_play_alone() -> None:
    table = Table("liuzhou")
    table.do("ada", Join)
    table.do("ada", SetAi, seat=0, level=1)
    table.do("ada", SetAi, seat=1, level=9)
    table.do("ada", SetAi, seat=1, level=None)
    assert table.refused("ada", Start) == "not_ready"
    table.do("ada", SetAi, seat=1, level=2)
    table.do("ada", Start)
    table.do("ada", Leave)
    assert len(list(table.play_out(random.Random(1)))) > 50
    assert result(table).reason
    table.now += 60_000
    table.internal(Tick())
    assert table.room.state.phase == "closed"


def test_the_highest_level_has_a_time_and_opponents_have_names() -> None:
    table = Table("liuzhou")
    highest = len(find_ladder(find_game("liuzhou")))
    table.do("ada", Join)
    table.do("ada", Sit, seat=0)
    table.do("ada", SetAi, seat=1, level=highest, seconds=10)
    table.do("ada", Start)
    table.play(table.room.refereed.position.format_move(table.room.refereed.position.moves()[0]))
    request = asking.engine_request(table.room, table.now)
    assert request is not None and (request.level, request.seconds, request.opponent) == (highest, 10, "")
    table.do("ada", Resign)
    table.do("ada", Rematch)                                    # everyone one seat further, and so is the time
    request = asking.engine_request(table.room, table.now)
    assert request is not None and (request.seat, request.seconds) == (0, 10)
    table.do("ada", Resign)
    for wrong in ({"opponent": "evaluator:nonsense"}, {"opponent": "net:liuzhou-reference"}):
        assert table.refused("ada", SetAi, seat=0, level=highest, **wrong) == "not_allowed"
    table.do("ada", SetAi, seat=0, level=highest, opponent="net:liuzhou", seconds=3)
    table.do("ada", Start)
    request = asking.engine_request(table.room, table.now)
    assert request is not None and (request.opponent, request.seconds) == ("net:liuzhou", 3)
    game = table.room.state.game
    assert game is not None and game.names[0] == "net:liuzhou"
    assert not table.room.conduct.seats[0].counts                # it is no level


def test_a_seat_is_handed_to_a_network_by_its_name() -> None:
    table = Table("liuzhou").seat("ada", "bob")
    highest = len(find_ladder(find_game("liuzhou")))
    assert table.refused("ada", HandOver, level=3, opponent="net:nonsense") == "not_allowed"
    table.do("ada", HandOver, level=highest, opponent="net:liuzhou", seconds=3)
    request = asking.engine_request(table.room, table.now)
    assert request is not None and (request.opponent, request.seconds) == ("net:liuzhou", 3)
    table.do("ada", Resume)
    table.do("ada", HandOver, level=2)                  # and nothing of the network is left
    request = asking.engine_request(table.room, table.now)
    assert request is not None and (request.level, request.opponent, request.seconds) == (2, "", None)


def test_a_level_beyond_the_ladder() -> None:
    """Version 0.1.0 had ten everywhere; what it asked for is the highest."""
    table = Table("tic_tac_toe")
    table.do("ada", Join)
    table.do("ada", SetAi, seat=1, level=10)
    assert table.room.state.seats[1].level == len(find_ladder(find_game("tic_tac_toe"))) < 10
    assert table.refused("ada", SetAi, seat=0, level=15) == "not_allowed"
