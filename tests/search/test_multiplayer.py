"""The search for any number of players: against its definitions, its switches, its limits."""

from __future__ import annotations

import itertools
import random
import threading
from dataclasses import replace

import pytest

from boyi import TextError
from boyi.core.evaluator import Evaluator
from boyi.core.searcher import Limits
from boyi.games.chinese_checkers import GAME
from boyi.games.chinese_checkers.board import CORNERS, apex, steps_between
from boyi.games.chinese_checkers.evaluator import AncestorEvaluator, RaceEvaluator
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from boyi.games.tic_tac_toe import GAME as TIC_TAC_TOE
from boyi.search.multiplayer import Multiplayer
from boyi.search.multiplayer_options import ALGORITHMS, ANCESTOR, PLAIN, Algorithm
from tests.games.chinese_checkers_naive import NaiveGame
from tests.scale import scaled, some_of
from tests.search import multiplayer_naive as naive
from tests.search.checkers_positions import ending, middlegame
from tests.toys import race
from tests.toys.picking import GAME as PICKING

EVALUATORS = (RaceEvaluator(), AncestorEvaluator())

# All ways to set the sound switches.
SOUND = [{"table_mb": table, "principal_variation": variation, "killers": killers}
         for table, variation, killers in itertools.product((0, 1), (False, True), (False, True))]


def values_by_search(algorithm: Algorithm, evaluator: Evaluator, position: ChineseCheckersPosition, depth: int,
                     seed: int) -> float:
    """The value, with sound switches that change from position to position."""
    options = replace(PLAIN, algorithm=algorithm, skip_made=False)
    searcher = Multiplayer(evaluator, replace(options, **SOUND[seed % len(SOUND)]))  # type: ignore[arg-type]
    before = position.to_text()
    result = searcher.search(position, Limits(depth=depth))
    assert position.to_text() == before and position.ply == 0
    assert result.depth == depth or result.lines[0].wins_in is not None
    assert position.is_legal(result.move)
    return result.value


# ------------------------------------------------------------------ the same values as the definitions

@pytest.mark.parametrize("players", some_of([3, 2, 4, 6], 2))
def test_paranoid_is_what_it_says(players: int) -> None:
    for seed in range(scaled(400, 20)):
        position, evaluator = ending(players, seed, outside=1 + seed % 2), EVALUATORS[seed % 3 == 2]
        depth = 1 + seed % 3
        expected = naive.paranoid(evaluator, position, depth, position.turn)
        assert values_by_search("paranoid", evaluator, position, depth, seed) == expected, position.to_text()


@pytest.mark.parametrize("players", some_of([3, 2, 4, 6], 2))
def test_best_reply_is_what_it_says(players: int) -> None:
    for seed in range(scaled(300, 50)):
        position, evaluator = ending(players, seed, outside=1 + seed % 2), EVALUATORS[seed % 3 == 2]
        depth = 1 + seed % (3 if players < 4 or seed % 20 == 5 else 2)
        expected = naive.best_reply(evaluator, position, depth, position.turn)
        assert values_by_search("best_reply", evaluator, position, depth, seed) == expected, position.to_text()


@pytest.mark.parametrize("players", [2, 3, 6])
def test_own_plan_is_what_it_says(players: int) -> None:
    for seed in range(scaled(300, 50)):
        position, evaluator = ending(players, seed, outside=1 + seed % 2), EVALUATORS[seed % 3 == 2]
        depth = 1 + seed % 2 + (seed % 20 == 7)
        expected = naive.own_plan(evaluator, position, depth, position.turn)
        assert values_by_search("own_plan", evaluator, position, depth, seed) == expected, position.to_text()


@pytest.mark.parametrize("players", some_of([3, 2, 4, 6], 2))
def test_max_n_is_what_it_says(players: int) -> None:
    for seed in range(scaled(400, 20)):
        position, evaluator = ending(players, seed, outside=1 + seed % 2), EVALUATORS[seed % 3 == 2]
        depth = 1 + seed % 3
        expected = naive.UNIT * naive.max_n(evaluator, position, depth)[position.turn]
        assert values_by_search("max_n", evaluator, position, depth, seed) == expected, position.to_text()


@pytest.mark.parametrize("algorithm", ["average", "minimum"])
def test_leaves_are_what_they_say(algorithm: Algorithm) -> None:
    for seed in range(scaled(200, 20)):
        position, evaluator = ending(2 + seed % 3, seed, outside=1 + seed % 4 // 2), EVALUATORS[seed % 2]
        root, depth, worth = position.turn, 1 + seed % 2, []
        for move in position.moves():
            position.play(move)
            below = list(naive.leaves(evaluator, position, depth - 1, root))
            position.undo()
            worth.append(min(below) if algorithm == "minimum" else sum(below) / len(below))
        found = values_by_search(algorithm, evaluator, position, depth, seed)
        assert found == pytest.approx(naive.UNIT * max(worth), abs=1e-6)


@pytest.mark.parametrize("algorithm", ["paranoid", "max_n"])
def test_whole_games_of_three_are_solved(algorithm: Algorithm) -> None:
    """A toy small enough for the end of every line, with many transpositions and shared places."""
    chance = random.Random(5)
    searchers = [Multiplayer(None, replace(PLAIN, algorithm=algorithm, **switches))  # type: ignore[arg-type]
                 for switches in SOUND]
    for number in range(scaled(1000, 20)):
        row = "".join(str(chance.randint(0, 4)) for _ in range(chance.randint(1, 7)))
        sums = ",".join(str(chance.randint(0, 3)) for _ in range(3))
        position = PICKING.parse(f"{row} {sums} {chance.randrange(3)}")
        root, depth = position.turn, len(row)
        if algorithm == "max_n":
            expected = naive.UNIT * naive.max_n(Evaluator(), position, depth)[root]
        else:
            expected = naive.paranoid(Evaluator(), position, depth, root)
        result = searchers[number % len(SOUND)].search(position, Limits(depth=depth))
        assert result.value == expected, position.to_text()


def test_tic_tac_toe_is_drawn() -> None:
    position = TIC_TAC_TOE.start()
    for move in position.moves()[4], position.moves()[0]:
        position.play(move)
    for algorithm in ALGORITHMS[:3]:
        result = Multiplayer(None, replace(PLAIN, algorithm=algorithm)).search(position, Limits(depth=7))
        assert result.value == 0 and result.depth == 7


# ------------------------------------------------------------------ forward pruning

def considered(position: ChineseCheckersPosition, evaluator: Evaluator | None = None,
               **switches: object) -> list[tuple[int, int]]:
    """The root moves that are looked at, as pairs of holes."""
    options = replace(PLAIN, algorithm="own_plan", **switches)  # type: ignore[arg-type]
    result = Multiplayer(evaluator or AncestorEvaluator(), options).search(position, Limits(depth=1, lines=2000))
    return [(line.moves[0] >> 7, line.moves[0] & 127) for line in result.lines]


def to_go(position: ChineseCheckersPosition, hole: int) -> int:
    return steps_between(hole, apex((CORNERS.index(position.seats[position.turn]) + 3) % 6))


@pytest.mark.parametrize("seed", range(12))
def test_each_switch_leaves_out_what_it_says(seed: int) -> None:
    position = middlegame(seed, 2 + seed % 2)
    every = [(move >> 7, move & 127) for move in position.moves()]
    assert sorted(considered(position, skip_made=False)) == sorted(every)

    forward = considered(position, no_retreat=True, skip_made=False)
    assert sorted(forward) == sorted((start, end) for start, end in every
                                     if to_go(position, end) <= to_go(position, start))

    few = considered(position, targets=2, skip_made=False)
    assert {start for start, _ in few} == {start for start, _ in every}
    assert all(sum(other == start for other, _ in few) <= 2 for start, _ in few)

    farthest = considered(position, farthest_hop=True, skip_made=False)
    for start in {start for start, _ in every}:
        hops = [to_go(position, end) for one, end in every if one == start and steps_between(one, end) > 1]
        kept = [to_go(position, end) for one, end in farthest if one == start and steps_between(one, end) > 1]
        assert bool(kept) == bool(hops) and set(kept) == set(sorted(hops)[:1])
    assert {move for move in every if steps_between(*move) == 1} <= set(farthest)

    claimed = considered(position, claims=True, skip_made=False)
    targets = [end for _, end in claimed]
    assert len(targets) == len(set(targets)) and set(targets) == {end for _, end in every}
    for start, end in claimed:
        assert to_go(position, start) == max(to_go(position, other) for other, same in every if same == end)

    # What gains most; of equal moves those of the rearmost piece, then the first by the rules. A switch that has
    # nothing to say here goes piece by piece and comes to the same.
    best = sorted(every, key=lambda move: (to_go(position, move[1]) - to_go(position, move[0]),
                                           -to_go(position, move[0])))
    for width in (1, 5, len(every) - 1, len(every)):
        for most in (0, len(every)):
            looked_at = considered(position, width=width, skip_made=False, targets=most)
            assert sorted(looked_at) == sorted(best[:width])


def test_backup_move_when_only_retreats_are_left() -> None:
    """All pieces of A but one are in the goal's depth and the last one is shut off: A can only go back."""
    # The goal D is full of A except its apex, where a piece of D still stands: with `strict` A has not finished.
    pieces = dict.fromkeys("b1 b2 c1 c2 c3 d1 d2 d3 d4 e5".split(), "A")
    pieces |= dict.fromkeys("a1 e6 e7 e8 e9 f5 f4 f6 q1 p1".split(), "D")
    game = NaiveGame(2)
    game.board, game.to_act = pieces, "A"
    position = GAME.parse(game.text(), strict=True)
    assert isinstance(position, ChineseCheckersPosition)
    assert all(to_go(position, move & 127) > to_go(position, move >> 7) for move in position.moves())
    result = Multiplayer(AncestorEvaluator(), ANCESTOR).search(position, Limits(depth=1, lines=50))
    assert len(result.lines) == 1 and result.statistics["backups"] == 1
    after = []
    for move in position.moves():
        position.play(move)
        after.append((AncestorEvaluator().values(position)[0], move))
        position.undo()
    assert max(after)[0] == {move: value for value, move in after}[result.move]


def test_positions_made_before_are_not_made_again() -> None:
    position = GAME.start()
    for text in ("n1-m5", "d1-e5", "m5-n1", "e5-d1", "n1-m5", "d1-e5"):
        position.play(text)
    made = position.parse_move("m5-n1")
    free = Multiplayer(RaceEvaluator(), replace(PLAIN, skip_made=False))
    polite = Multiplayer(RaceEvaluator(), PLAIN)
    assert made in [line.moves[0] for line in free.search(position, Limits(depth=1, lines=500)).lines]
    result = polite.search(position, Limits(depth=1, lines=500))
    assert made not in [line.moves[0] for line in result.lines] and result.statistics["skipped"] == 1


def test_the_finished_and_departed_are_left_out() -> None:
    position = middlegame(3, 3)
    position.resign((position.turn + 1) % 3)
    for algorithm in ALGORITHMS:
        result = Multiplayer(RaceEvaluator(), replace(PLAIN, algorithm=algorithm)).search(
            position, Limits(depth=3, nodes=3000))
        assert position.is_legal(result.move)
    assert AncestorEvaluator().values(position)[position.turn] == pytest.approx(
        sum(AncestorEvaluator().distances(position)[player] * (-3 if player == position.turn else 1)
            for player in range(3) if player not in position.left) / 1000)


def test_a_win_in_one_is_taken_by_all() -> None:
    """A player who can finish does so at once, and the answer says so."""
    for players, seed in itertools.product((2, 3, 6), range(40)):
        position = ending(players, seed, outside=1)
        finishing = []
        for move in position.moves():
            mover = position.turn
            position.play(move)
            finishing += [move] * (position.finished == (mover,))
            position.undo()
        if not finishing:
            continue
        for algorithm in ALGORITHMS:
            options = (replace(PLAIN, algorithm=algorithm) if algorithm not in ("average", "minimum")
                       else replace(ANCESTOR, algorithm=algorithm))
            result = Multiplayer(RaceEvaluator(), options).search(position, Limits(depth=3, nodes=20_000))
            assert result.move in finishing, (algorithm, position.to_text())
            if algorithm in ("best_reply", "paranoid", "own_plan"):
                assert result.lines[0].wins_in == 1


# ------------------------------------------------------------------ limits, answers, errors

@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_answers_repeat_under_a_node_limit(algorithm: Algorithm) -> None:
    position = middlegame(8, 3)
    answers = []
    for _ in range(2):
        searcher = Multiplayer(RaceEvaluator(), replace(PLAIN, algorithm=algorithm, no_retreat=True))
        first = searcher.search(position, Limits(nodes=5000))
        answers.append([(result.lines, result.depth, result.nodes, result.statistics)
                        for result in (first, searcher.search(position, Limits(nodes=7000, lines=3)))])
        assert first.nodes <= 5000
    assert answers[0] == answers[1]


@pytest.mark.parametrize("algorithm", ["best_reply", "paranoid", "own_plan"])
def test_lines_of_an_interrupted_search_are_of_one_depth(algorithm: Algorithm) -> None:
    options = replace(PLAIN, algorithm=algorithm, table_mb=0)
    chance = random.Random(9)
    depths = set()
    for seed in range(scaled(200, 20)):
        position = middlegame(seed, 3)
        limits = Limits(nodes=chance.randrange(50, 6_000), lines=4)
        result = Multiplayer(RaceEvaluator(), options).search(position, limits)
        depth = max(1, result.depth)
        deep = Multiplayer(RaceEvaluator(), options).search(position, Limits(depth=depth, lines=4)).lines
        depths.add(result.depth)
        if result.depth:
            assert result.lines == deep
        elif len(result.lines) > 1:   # a single one may be unfinished
            assert result.lines == deep[:len(result.lines)]
    assert len(depths) > 1


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_lines_are_sorted_and_legal(algorithm: Algorithm) -> None:
    position = middlegame(2, 3)
    result = Multiplayer(RaceEvaluator(), replace(PLAIN, algorithm=algorithm)).search(
        position, Limits(depth=2, lines=4))
    assert len(result.lines) == 4 and len({line.moves[0] for line in result.lines}) == 4
    assert [line.value for line in result.lines] == sorted((line.value for line in result.lines), reverse=True)
    for line in result.lines:
        for move in line.moves:
            position.play(move)
        for _ in line.moves:
            position.undo()
    # The best line is also the only one when only one is asked for.
    alone = Multiplayer(RaceEvaluator(), replace(PLAIN, algorithm=algorithm)).search(position, Limits(depth=2))
    assert alone.value == result.value


def test_stop_ends_a_search() -> None:
    searcher, position, answers = Multiplayer(RaceEvaluator()), GAME.start(players=3), []
    thread = threading.Thread(target=lambda: answers.append(searcher.search(position, Limits(depth=60))))
    thread.start()
    while thread.is_alive():
        searcher.stop()
        thread.join(0.01)
    assert position.ply == 0 and position.is_legal(answers[0].move)


def test_what_cannot_be_searched_is_said() -> None:
    with pytest.raises(TextError, match="nothing to search"):
        Multiplayer().search(race.GAME.start(players=3), Limits(depth=1))
    position = race.GAME.start(players=3)
    position.play("=1")
    for algorithm in ALGORITHMS[1:3]:
        with pytest.raises(TextError, match="does not know chance"):
            Multiplayer(None, replace(PLAIN, algorithm=algorithm)).search(position, Limits(depth=3))
        assert position.ply == 1
    with pytest.raises(TextError, match="knows no passing"):
        Multiplayer().search(PICKING.start(), Limits(depth=3))
    with pytest.raises(TextError, match="does not know picking"):
        Multiplayer(RaceEvaluator(), replace(PLAIN, algorithm="paranoid")).search(PICKING.start(), Limits(depth=3))


@pytest.mark.parametrize("players", [2, 3])
def test_the_ancestor_plays_a_game_to_its_end(players: int) -> None:
    """It gets home: nobody shuffles until the turn limit."""
    searcher = Multiplayer(AncestorEvaluator(), ANCESTOR)
    position = GAME.start(players=players)
    while position.outcome() is None:
        position.play(searcher.search(position, Limits(depth=2)).move)
    outcome = position.outcome()
    assert outcome is not None and outcome.reason == "finished" and position.ply < 200 * players
