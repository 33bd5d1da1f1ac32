"""Game reviews: what is called a mistake, what is better, and what chance gave."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import boyi
from boyi.agents.analysis import AnalysedLine, Analysis
from boyi.agents.spec import make_agent
from boyi.arena.game import play_game
from boyi.arena.pool import Pool
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.core.searcher import Limits
from boyi.games import find_game
from boyi.study.review import judgement, opening, page
from boyi.study.review.findings import Review, assemble
from boyi.study.review.look import (
    MOST_ACCEPTED,
    STEADY_DEPTHS,
    VERIFICATION,
    Ask,
    Decision,
    Look,
    LookLine,
    decisions,
    look,
)
from boyi.study.review.run import looks, review, scale
from tests.toys import einstein

QUICK = Limits(nodes=300)


def played(game: str, moves: str, **options: object) -> Record:
    position = find_game(game).start(**options)
    for move in moves.split():
        position.play(move)
    return Record.from_position(position)


def short_game(game: str, plies: int, **options: object) -> Record:
    """A game of weak levels, broken off."""
    position = find_game(game).start(**options)
    play_game(position, [make_agent(f"level:1,seed={seat}") for seat in range(position.players)], seed=1,
              longest=plies)
    return Record.from_position(position)


# ---------------------------------------------------------------------- judgement

def test_classes_begin_at_their_thresholds():
    assert [judgement.judge(loss) for loss in (0.0, 0.049, 0.05, 0.1, 0.15)] == [
        "good", "good", "inaccuracy", "mistake", "blunder"]
    assert judgement.judge(0.0, is_best=True) == "best"
    assert judgement.judge(0.5, is_forced=True) == "forced"


def test_accuracy_falls_with_every_loss_and_is_a_percentage():
    assert judgement.move_accuracy(0) == 100
    assert judgement.move_accuracy(1) == 0
    assert judgement.accuracy([], []) is None
    assert judgement.accuracy([0.0, 0.0], [1.0, 1.0]) == 100
    better, worse = (judgement.accuracy([0.0, loss], [1.0, 1.0]) for loss in (0.1, 0.3))
    assert better is not None and worse is not None and 0 < worse < better < 100


def test_a_mistake_in_a_sharp_position_counts_more():
    weights = judgement.volatility([0.5] * 20 + [0.9])
    assert weights[-1] > weights[5] > 0
    sharp, quiet = judgement.accuracy([0.0, 0.3], [1.0, 9.0]), judgement.accuracy([0.0, 0.3], [9.0, 1.0])
    assert sharp is not None and quiet is not None and sharp < quiet


# ---------------------------------------------------------------------- one look

def line(position: Position, text: str, odds: float) -> AnalysedLine:
    move = position.parse_move(text)
    return AnalysedLine((move,), (text,), (tuple(position.path(move)),), 0.0, odds)


def drive(position: Position, move: str, answers: list[list[tuple[str, float]]]) -> tuple[Look, list[Ask]]:
    """What a look asks and finds, where searches answer as told."""
    steps = look(Decision(1, position.turn, position, position.parse_move(move)))
    asked = [next(steps)]
    for answer in answers:
        found = Analysis(tuple(line(position, text, odds) for text, odds in answer), 5, 100, 0.1)
        try:
            asked.append(steps.send([found]))
        except StopIteration as end:
            assert answer is answers[-1]
            return end.value, asked
    raise AssertionError(f"another search is asked for: {asked[-1]}")


def test_the_best_move_needs_one_search_and_may_be_the_only_one():
    found, asked = drive(boyi.start("othello"), "f5", [[("f5", 0.6), ("d3", 0.4)]])
    assert found.is_best and found.loss == 0 and found.only_move
    assert len(asked) == 1


def test_what_looks_like_a_mistake_is_looked_at_again_beside_the_better_move():
    position = boyi.start("xiangqi")
    found, asked = drive(position, "a0a1", [
        [("h2e2", 0.6), ("b2e2", 0.58)], [("h2e2", 0.6), ("a0a1", 0.4)], [("h2e2", 0.62), ("a0a1", 0.45)],
        [("h2e2", 0.62), ("b2e2", 0.6), ("h0g2", 0.58), ("a3a4", 0.4)]])
    both = (position.parse_move("h2e2"), position.parse_move("a0a1"))
    assert [(ask.only, ask.lines, ask.effort) for ask in asked] == [
        ((), 2, 1.0), (both, 2, 1.0), (both, 2, VERIFICATION), ((), 4, 1.0)]
    assert (found.before, found.after) == (0.62, 0.45)
    assert found.accepted == ("h2e2", "b2e2", "h0g2")


def test_what_the_longer_look_does_not_confirm_is_no_mistake():
    found, _ = drive(boyi.start("xiangqi"), "a0a1", [
        [("h2e2", 0.6), ("b2e2", 0.58)], [("h2e2", 0.6), ("a0a1", 0.4)], [("h2e2", 0.6), ("a0a1", 0.58)]])
    assert judgement.judge(found.loss) == "good" and found.accepted == ()
    turned, _ = drive(boyi.start("xiangqi"), "a0a1", [
        [("h2e2", 0.6), ("b2e2", 0.58)], [("h2e2", 0.6), ("a0a1", 0.4)], [("a0a1", 0.6), ("h2e2", 0.58)]])
    assert turned.is_best and turned.loss == 0


def test_a_mistake_is_one_at_each_of_the_last_depths():
    position = boyi.start("xiangqi")
    move = position.parse_move("a0a1")

    def depth(better: float, own: float) -> Analysis:
        both = sorted([line(position, "h2e2", better), line(position, "a0a1", own)], key=lambda one: -one.odds)
        return Analysis(tuple(both), 5, 100, 0.1)

    def loss(*depths: Analysis) -> float:
        steps = look(Decision(1, 0, position, move))
        next(steps)
        asked = steps.send([Analysis((line(position, "h2e2", 0.6), line(position, "b2e2", 0.6)), 5, 100, 0.1)])
        assert asked.depths == STEADY_DEPTHS
        try:
            while True:
                asked = steps.send(depths)
        except StopIteration as end:
            found: Look = end.value
            return found.loss

    assert loss(depth(0.6, 0.3), depth(0.6, 0.4), depth(0.6, 0.2)) == pytest.approx(0.2)
    assert loss(depth(0.6, 0.3), depth(0.5, 0.6), depth(0.6, 0.2)) == 0


def test_where_all_moves_looked_at_are_good_more_are_looked_at():
    position = boyi.start("xiangqi")
    names = [position.format_move(move) for move in position.moves() if position.format_move(move) != "a0a1"]
    answers = [[(names[0], 0.6), (names[1], 0.6)], [(names[0], 0.6), ("a0a1", 0.4)], [(names[0], 0.6), ("a0a1", 0.4)],
               *([(name, 0.6) for name in names[:count]] for count in (4, 8, 16))]
    found, asked = drive(position, "a0a1", answers)
    assert [ask.lines for ask in asked[-3:]] == [4, 8, MOST_ACCEPTED]
    assert len(found.accepted) == MOST_ACCEPTED


def test_a_search_that_had_no_time_for_the_second_move_accuses_nobody():
    found, _ = drive(boyi.start("xiangqi"), "a0a1", [[("h2e2", 0.6)], [("h2e2", 0.6)]])
    assert found.loss == 0


def test_efforts_scale_every_limit():
    assert scale(Limits(seconds=2.0, nodes=100), 0.25, 3) == Limits(seconds=0.5, nodes=25, lines=3)
    assert scale(Limits(nodes=1), 0.1).nodes == 1


# ---------------------------------------------------------------------- decisions and what is known

def test_a_player_is_shown_only_what_that_player_knew():
    record = short_game("jieqi", 40)
    found = list(decisions(record))
    assert found and all(one.position.turn == one.player for one in found)
    assert {one.position.viewer for one in found if one.player == 0} == {"w"}     # type: ignore[attr-defined]
    assert {one.position.viewer for one in found if one.player == 1} == {"b"}     # type: ignore[attr-defined]
    assert any(one.drawn for one in found)


def test_what_is_shown_when_the_game_is_over_was_not_known_before():
    """At its end, a game of jieqi shows both what the other one has taken."""
    record = played("jieqi", (
        "c0a2A h7h4r b0d1C h4h2B h0i2N g6g5p f0e1A h2b2R i2g1 c6c5a a3a4C b2g2 e1f2 c5b4 a4a9p b9c7n "
        "e0f0 g2f2 f0e0 b4c3R i0i1P i6i5r a2b3 b7b4c g0i2P f2d2 d1d9a c7d9 a0a1B d2b2 b3a2 e6e5b "
        "g1h3 i5h5 a9a8 b2e2 d0e1P e2g2 a2b3 g2g0 "))
    assert record.replay().outcome() is not None
    last = list(decisions(record))[-1]
    assert last.position.is_legal(last.move) and last.position.viewer == "b"      # type: ignore[attr-defined]
    assert last.drawn == ()


def test_luck_is_what_came_less_the_mean_of_what_could_have_come():
    record = short_game("jieqi", 6)
    decision = next(one for one in decisions(record) if one.drawn)
    after = decision.position.copy()
    after.play(decision.move)
    chances = dict(after.odds())
    steps = look(decision)
    asked, searched = next(steps), 0
    try:
        while True:
            ask, came = asked, asked.position.history()[-1:]
            is_result = ask.position.ply > decision.position.ply
            searched += is_result
            # What came is worth 0.2 to the opponent, anything else 0.6.
            odds = 0.5 if not is_result else 0.2 if tuple(came) == decision.drawn else 0.6
            lines = ask.only or (decision.move,) if not is_result else ask.position.moves()[:1]
            answered = [AnalysedLine((move,), (ask.position.format_move(move),), ((),), 0.0, odds) for move in lines]
            asked = steps.send([Analysis(tuple(answered), 1, 1, 0.1)])
    except StopIteration as end:
        found: Look = end.value
    chance = chances[decision.drawn[0]]
    assert searched == len(chances)
    assert found.luck == pytest.approx(0.8 - (0.8 * chance + 0.4 * (1 - chance)), abs=1e-3)


def test_the_luck_of_both_players_is_opposite_and_marked_as_a_reveal():
    found = review(short_game("jieqi", 16), QUICK)
    first, second = (player.luck for player in found.players)
    assert first is not None and second is not None and first == pytest.approx(-second)
    assert any(move.chance is not None and "turns up" in move.chance.en for move in found.moves)


# ---------------------------------------------------------------------- whole games

BLUNDER = "a1 b1 b2 c1 c3"
"""X wins: b1 loses at once, for b2 makes two threats in the corner."""


def test_a_blunder_is_found_with_what_was_better_and_its_refutation():
    found = review(played("tic_tac_toe", BLUNDER), Limits(nodes=3000))
    assert [move.judgement for move in found.moves][1] == "blunder"
    (wrong,) = found.wrong
    assert wrong.look is not None and wrong.look.accepted[0] == "b2"
    assert wrong.refutation and found.turning_points[0].number == 2
    first, second = found.players
    assert first.accuracy is not None and second.accuracy is not None and first.accuracy > second.accuracy
    assert found.curves[0][-1] == 1.0


@pytest.mark.parametrize("game", ["othello", "xiangqi", "jieqi", "liuzhou", "chinese_checkers"])
def test_every_game_is_reviewed_and_comes_back_from_json(game: str):
    record = short_game(game, 12)
    found = review(record, QUICK)
    assert len(found.moves) == len(record.entries) and len(found.curves[0]) == len(record.entries) + 1
    assert all(move.look is not None for move in found.moves if move.player is not None)
    assert Review.from_json(json.loads(json.dumps(found.to_json())), find_game) == found


def test_of_more_than_two_players_each_has_a_curve():
    found = review(short_game("chinese_checkers", 9, players=3), QUICK)
    assert len(found.players) == len(found.curves) == 3
    for seat, curve in enumerate(found.curves):
        assert [number for number, odds in enumerate(curve[:-1]) if odds is not None] == list(range(seat, 9, 3))


def test_games_with_dice_are_reviewed():
    position = einstein.GAME.start()
    play_game(position, [make_agent(f"random:seed={seat}") for seat in range(2)], seed=1, longest=17)
    found = review(Record.from_position(position), Limits(nodes=16))
    assert found.moves[0].player is None and found.moves[0].look is None      # the stones are set up by chance
    assert any(move.look is not None and move.look.luck is not None for move in found.moves)


def test_the_parts_of_a_game_are_marked_where_they_begin():
    found = assemble(short_game("liuzhou", 60), ())
    assert [move.stage.en for move in found.moves if move.stage is not None] == ["placing", "clearing", "moving"]


def test_nothing_is_reviewed_of_a_game_without_moves():
    found = review(Record.from_position(boyi.start("othello")), QUICK)
    assert found.moves == () and [player.accuracy for player in found.players] == [None, None]


def test_a_game_given_up_ends_with_its_last_position():
    """The curve tells what the position was worth, not who gave up in it."""
    record = replace(played("xiangqi", "h2e2 h9g7"), result=(2, 1), reason="resignation")
    *_, last = review(record, QUICK).curves[0]
    assert last is not None and 0.3 < last < 0.8


def test_a_review_can_be_stopped_and_goes_on_where_it_was():
    record = short_game("othello", 30)
    coming = looks(record, QUICK)
    kept = [next(coming) for _ in range(13)]
    assert [one.number for one in kept] == list(range(30, 17, -1))
    seen: list[tuple[int, int, int]] = []
    found = review(record, QUICK, known=kept, on_look=lambda one, done, total: seen.append((one.number, done, total)))
    assert [number for number, _, _ in seen] == list(range(17, 0, -1))
    assert seen[0][1:] == (14, 30) and seen[-1][1:] == (30, 30)
    assert [move.look for move in found.moves[17:]] == kept[::-1]


@pytest.mark.slow
def test_several_processes_find_the_same():
    record = short_game("othello", 30)
    with Pool(2) as pool:
        assert review(record, QUICK, pool=pool) == review(record, QUICK)


# ---------------------------------------------------------------------- the opening

def test_the_game_leaves_the_book_where_the_book_ends():
    book = opening.find_opening(played("othello", "f5 d6 c3 d3 c4"))
    assert book.left_book is None
    assert opening.find_opening(played("othello", "f5 d6 c7 f4")).left_book == 3


def test_without_a_book_nothing_is_left():
    assert opening.find_opening(played("tic_tac_toe", "a1 b1")) == opening.Opening()


def test_an_opening_is_called_by_its_last_name():
    found = opening.find_opening(played("xiangqi", "h2e2 h9g7 h0g2 i9h9 a0a1"))
    assert found.name is not None and "Central Cannon" in found.name.en


# ---------------------------------------------------------------------- the HTML file

def a_review(**changes: Any) -> Review:
    record = replace(played("othello", "f5 d6 c3"), players=("<Ada>", "Grace"))
    best = LookLine(("d3", "c3"), ("d3",), 0.6)
    return assemble(record, [
        Look(1, LookLine(("f5",), ("f5",), 0.5), LookLine(("f5",), ("f5",), 0.5)),
        Look(2, LookLine(("f6", "f5"), ("f6",), 0.6), LookLine(("d6", "c3"), ("d6",), 0.3), accepted=("f6",)),
        Look(3, best, LookLine(("c3",), ("c3",), 0.58))], **changes)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_file_shows_the_mistake_with_both_moves_on_the_board(language: Any):
    written = page.write_page(a_review(effort="1 s"), language)
    assert "&lt;Ada&gt;" in written and "<Ada>" not in written
    assert written.count('class="mistake"') == 1
    assert page.PLAYED_COLOUR in written and page.BETTER_COLOUR in written
    assert "http" not in written.replace("http://www.w3.org/2000/svg", "")      # it needs nothing else
    assert ("更好的着法" if language == "zh" else "better: f6") in written


def test_a_game_without_mistakes_says_so():
    found = assemble(played("othello", "f5"), ())
    assert "No mistakes were found." in page.write_page(found, "en")
