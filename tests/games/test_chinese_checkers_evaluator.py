"""The evaluators of Chinese checkers: the seed's to the letter, symmetry, and what must be better than what."""

from __future__ import annotations

import random

import pytest

from boyi import TextError
from boyi.core.errors import OptionError
from boyi.games.chinese_checkers import GAME
from boyi.games.chinese_checkers.board import CORNERS, MIRROR, NAMES
from boyi.games.chinese_checkers.evaluator import AncestorEvaluator, RaceEvaluator, TunedEvaluator
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from boyi.games.chinese_checkers.weights import TUNED, AncestorWeights, RaceWeights
from boyi.games.othello import GAME as OTHELLO
from tests.games.chinese_checkers_naive import CORNERS as HOMES
from tests.games.chinese_checkers_naive import NEXT_ROW, OPPOSITE, STEPS, NaiveGame, steps_from
from tests.games.chinese_checkers_solitaire import cross
from tests.scale import SOAK, scaled

AWAY = {hole: steps_from(hole) for hole in STEPS["A"]}


def wandered(seed: int, **options: object) -> ChineseCheckersPosition:
    """A position after random moves, more forward than back."""
    position = GAME.start(**options)
    assert isinstance(position, ChineseCheckersPosition)
    chance = random.Random(seed)
    for _ in range(chance.randrange(150)):
        goal = STEPS[OPPOSITE[position.seats[position.turn]]]
        moves = position.moves()
        if position.turn < 0:
            break
        few = [chance.choice(moves) for _ in range(3)]
        position.play(min(few, key=lambda move: goal[NAMES[move & 127]] - goal[NAMES[move >> 7]]))
    return position


def layered(position: ChineseCheckersPosition, seat: str) -> int:
    """The seed's distance as its report tells it, without a trick."""
    corner = OPPOSITE[seat]
    own = {stone.point for stone in position.stones() if stone.glyph == seat}
    goal = HOMES[corner].split() + (NEXT_ROW[corner].split() if len(own) == 15 else [])
    total = 0
    for piece in own:
        for layer in range(5):
            holes = [hole for hole in goal if STEPS[corner][hole] == layer]
            if piece in holes:
                break
            free = [hole for hole in holes if hole not in own]
            if free:
                total += min(AWAY[piece][hole] for hole in free)
                break
    return total


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 3}, {"players": 6}, {"pieces": 15}],
                         ids=["two", "three", "six", "fifteen"])
def test_the_seeds_distance_to_the_letter(options: dict[str, object]) -> None:
    evaluator = AncestorEvaluator()
    for seed in range(scaled(1000)):
        position = wandered(seed, **options)
        distances = [layered(position, seat) for seat in position.seats]
        assert evaluator.distances(position) == distances
        if position.turn >= 0 and not position.finished:
            values = [(sum(distances) - 4 * distance) / 1000 for distance in distances]
            assert evaluator.values(position) == pytest.approx(values)


def image(position: ChineseCheckersPosition) -> ChineseCheckersPosition:
    """Left and right exchanged."""
    game = NaiveGame(2)
    game.board = {NAMES[MIRROR[NAMES.index(stone.point)]]: stone.glyph for stone in position.stones()}
    game.to_act = position.seats[position.turn]
    game.turn = position.turn_number
    mirrored = GAME.parse(game.text())
    assert isinstance(mirrored, ChineseCheckersPosition)
    return mirrored


def rotated(position: ChineseCheckersPosition) -> ChineseCheckersPosition:
    """Seen from the other side of the table: A and D exchanged."""
    game = NaiveGame(2)
    game.board = {NAMES[len(NAMES) - 1 - NAMES.index(stone.point)]: "D" if stone.glyph == "A" else "A"
                  for stone in position.stones()}
    game.to_act = "DA"[position.turn]
    game.turn = position.turn_number
    turned = GAME.parse(game.text())
    assert isinstance(turned, ChineseCheckersPosition)
    return turned


HAND_WRITTEN = [name for name in GAME.evaluators if name != "net"]
"""The network is for two players and not quite the same for mirror images: see tests/learn/fitting/test_net*.py."""


@pytest.mark.parametrize("name", HAND_WRITTEN)
def test_mirrors_and_turns_of_the_table_change_nothing(name: str) -> None:
    evaluator = GAME.evaluators[name]()
    for seed in range(scaled(1000)):
        position = wandered(seed)
        if position.turn < 0 or position.finished:
            continue
        value, values = evaluator.value(position), evaluator.values(position)
        assert evaluator.value(image(position)) == evaluator.value(rotated(position)) == value
        assert evaluator.values(image(position)) == values
        assert evaluator.values(rotated(position)) == values[::-1]


@pytest.mark.parametrize(("name", "players"),
                         [*((name, players) for players in range(2, 7) for name in HAND_WRITTEN), ("net", 2)])
def test_values_are_in_range(name: str, players: int) -> None:
    evaluator = GAME.evaluators[name]()
    for seed in range(scaled(300)):
        position = wandered(seed, players=players)
        if position.turn < 0:
            continue
        values = evaluator.values(position)
        assert len(values) == players and all(-1 <= value <= 1 for value in values)
        assert abs(evaluator.value(position)) <= 28000


def test_a_finished_player_has_his_score_and_nobody_else_can_reach_it() -> None:
    game = NaiveGame(3)
    game.board = (dict.fromkeys(HOMES["D"].split(), "A") | dict.fromkeys(HOMES["C"].split(), "C")
                  | dict.fromkeys(HOMES["E"].split(), "E"))
    game.finished, game.to_act = ["A"], "C"
    position = GAME.parse(game.text())
    first, second, third = RaceEvaluator().values(position)
    assert first == 1 and -1 < third < second < 0


def test_stragglers_count() -> None:
    """The same sum of steps is worth more together than with one piece at home."""
    others = dict.fromkeys("a1 b1 b2 c1 c2 c3 d1 d2 d3 d4".split(), "D")
    rest = dict.fromkeys("n1 n2 n3 o1 o2 o3 p1 p2".split(), "A")

    def burden(*holes: str) -> int:
        game = NaiveGame(2)
        game.board = others | rest | dict.fromkeys(holes, "A")
        game.to_act = "A"
        position = GAME.parse(game.text())
        assert isinstance(position, ChineseCheckersPosition)
        return RaceEvaluator().burdens(position)[0]

    assert sum(STEPS["D"][hole] for hole in ("q1", "i5")) == sum(STEPS["D"][hole] for hole in ("m7", "m5"))
    assert burden("m7", "m5") < burden("q1", "i5")


def test_other_weights_count_otherwise() -> None:
    bare = RaceEvaluator(RaceWeights(lag=0, aside=0, hop=0))
    steps = [STEPS["D"][hole] for hole in HOMES["A"].split()]
    start = GAME.start(players=2)
    assert isinstance(start, ChineseCheckersPosition)
    assert bare.burdens(start)[0] == 100 * sum(steps)
    assert RaceEvaluator(RaceWeights(lag=3, aside=0, hop=0)).burdens(start)[0] == sum(
        100 * step + 3 * step * step for step in steps)
    position = wandered(5, players=3)
    plain = bare.burdens(position)
    for change in ({"lag": 1}, {"aside": 2}):
        heavier = RaceEvaluator(RaceWeights(**{"lag": 0, "aside": 0, "hop": 0, **change})).burdens(position)
        assert all(one > other for one, other in zip(heavier, plain, strict=True))
    careless = AncestorEvaluator(AncestorWeights(own_weight=0))
    assert careless.values(position)[0] > AncestorEvaluator().values(position)[0]
    turn = position.turn
    assert (RaceEvaluator(RaceWeights(turn=500)).values(position)[turn] > RaceEvaluator().values(position)[turn]
            > RaceEvaluator(RaceWeights(turn=0)).values(position)[turn])


def test_weights_are_those_of_the_evaluator() -> None:
    with pytest.raises(OptionError, match="must be RaceWeights, not AncestorWeights"):
        RaceEvaluator(AncestorWeights())   # type: ignore[arg-type]
    with pytest.raises(OptionError, match="lag of Chinese checkers is from 0 to 1000, not -1"):
        RaceWeights(lag=-1)
    assert AncestorEvaluator().own_weight == 3


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_tuned_evaluator_knows_how_many_play(players: int) -> None:
    position = wandered(7, players=players)
    expected = RaceEvaluator(TUNED.get(players))
    assert TunedEvaluator().burdens(position) == expected.burdens(position)
    assert TunedEvaluator().values(position) == expected.values(position)
    assert TunedEvaluator().value(position) == expected.value(position)
    assert next(iter(GAME.evaluators)) == "race"      # which the levels were measured with


def test_only_positions_of_this_game_in_which_somebody_acts() -> None:
    for evaluator in (RaceEvaluator(), AncestorEvaluator()):
        with pytest.raises(TextError, match="does not know othello"):
            evaluator.value(OTHELLO.start())
        with pytest.raises(TextError, match="does not know othello"):
            evaluator.values(OTHELLO.start())


def test_ten_pieces_cross_alone() -> None:
    """A beam finds the 27 moves of the shortest transfer (Bell 2009) under soak, some more with a narrow one."""
    line = cross(width=10_000 if SOAK else 60)
    assert len(line) == 27 if SOAK else 27 <= len(line) < 60
    # The rules agree with every move, while D waits in a corner aside, stepping out and back.
    game = NaiveGame(2)
    game.board = (dict.fromkeys(HOMES["A"].split(), "A") | dict.fromkeys(HOMES["B"].split(), "D"))
    game.to_act = "A"
    position = GAME.parse(game.text())
    assert isinstance(position, ChineseCheckersPosition)
    for number, (start, end) in enumerate(line):
        assert not position.finished
        position.play(f"{start}-{end}")
        if number < len(line) - 1:
            position.play("j1-i1" if number % 2 == 0 else "i1-j1")
    assert position.finished == (CORNERS.index("A"),)
