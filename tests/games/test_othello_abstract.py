"""Abstract states of Othello: against a slow reading of the board's text, and what is made of their statistics."""

from __future__ import annotations

import lzma
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

import boyi
from boyi.agents.spec import read_spec
from boyi.core.errors import OptionError, TextError
from boyi.core.evaluator import Evaluator
from boyi.core.position import OVER, Position
from boyi.core.searcher import Limits
from boyi.games import find_game
from boyi.games.othello.abstract import STATE_COUNT, AbstractEvaluator, abstract_state, merged_state
from boyi.games.othello.states import StateRecord, StatesError, Statistics, describe, own_statistics
from boyi.search.alphabeta import AlphaBeta
from boyi.search.alphabeta_options import PRESETS, AlphaBetaOptions
from tests.data import packed
from tests.games.test_othello_evaluators import images
from tests.scale import scaled

GAME = find_game("othello")
CORNERS = {"a1": 0, "h1": 7, "h8": 63, "a8": 56}


# ---------------------------------------------------------------------- the oracle

def flipped(line: str, place: int, colour: str) -> set[int]:
    """Which discs of a line are turned by one of `colour` on `place`."""
    found: set[int] = set()
    for ray in (list(range(place + 1, len(line))), list(range(place - 1, -1, -1))):
        run: list[int] = []
        for point in ray:
            if line[point] in ("-", colour):
                if line[point] == colour:
                    found |= set(run)
                break
            run.append(point)
    return found


@cache
def ever_flipped(line: str) -> frozenset[int]:
    """Which discs of a line some order of fillings turns over, found by trying all of them."""
    found: set[int] = set()
    for place in range(len(line)):
        if line[place] == "-":
            for colour in "XO":
                turned = flipped(line, place, colour)
                after = "".join(colour if i == place or i in turned else disc for i, disc in enumerate(line))
                found |= turned | ever_flipped(after)
    return frozenset(point for point in found if line[point] != "-")


def edge_kind(line: str) -> int:
    return 0 if set(line) == {"-"} else 2 if ever_flipped(line) else 1


def naive_moves(cells: str, side: str) -> int:
    """How many moves there are, point by point and direction by direction."""
    count = 0
    for point in range(64):
        if cells[point] != "-":
            continue
        row, column = divmod(point, 8)
        turns = 0
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                ray = [8 * (row + k * down) + column + k * right for k in range(1, 8)
                       if (down or right) and 0 <= row + k * down < 8 and 0 <= column + k * right < 8]
                line = "-" + "".join(cells[place] for place in ray)
                turns += len(flipped(line, 0, side))
        count += turns > 0
    return count


def naive_state(text: str) -> int:
    """The least number over the eight images of the board, each read on its own."""
    numbers = []
    moves = naive_moves(*text.split())
    for image in images(text):
        cells, side = image.split()
        digits = [0 if cells[place] == "-" else 1 if cells[place] == side else 2 for place in CORNERS.values()]
        digits += [edge_kind(cells[:8]), edge_kind(cells[7::8]), edge_kind(cells[56:]), edge_kind(cells[::8])]
        digits.append(0 if moves <= 5 else 1 if moves <= 9 else 2)
        numbers.append(int("".join(map(str, reversed(digits))), 3))
    return min(numbers)


def some_positions(count: int, seed: int) -> Iterator[Position]:
    rng = random.Random(seed)
    while count:
        position = boyi.start("othello")
        for _ in range(rng.randrange(60)):
            if position.turn != OVER:
                position.play(rng.choice(position.moves()))
        if position.turn != OVER:
            count -= 1
            yield position


def test_states_are_what_the_text_of_the_board_says() -> None:
    for position in some_positions(scaled(2000), 1):
        assert abstract_state(position) == naive_state(position.to_text())


def test_every_edge() -> None:
    """All 3^8 edges (one in ten when not soaking), at the top of an otherwise empty board."""
    for number in random.Random(2).sample(range(3**8), scaled(3**8)):
        line = "".join("-XO"[number // 3**place % 3] for place in range(8))
        text = line + "-" * 56 + " X"
        assert abstract_state(GAME.parse(text)) == naive_state(text), line


def test_known_edges() -> None:
    for line, kind in (("--------", 0), ("X-------", 1), ("XXXOOOOX", 1), ("XXX-----", 1), ("-XX-----", 2),
                       ("X-O-----", 2), ("XO------", 2), ("XXXXXXX-", 1), ("OXXXXXX-", 2), ("XX----OO", 1)):
        assert edge_kind(line) == kind, line
        state = abstract_state(GAME.parse(line + "-" * 56 + " X"))
        assert list(describe(state)["edges"].values()).count(("bare", "stable", "flippable")[kind]) >= 1


def test_images_and_colours_share_a_state() -> None:
    exchange = str.maketrans("XO", "OX")
    for position in some_positions(scaled(300), 3):
        text = position.to_text()
        assert len({abstract_state(GAME.parse(image)) for image in images(text)}) == 1
        assert abstract_state(position) == abstract_state(GAME.parse(text.translate(exchange)))
        assert merged_state(abstract_state(position)) == abstract_state(position)


def test_how_many_states_there_are() -> None:
    """Burnside's count of 3^8 colourings of corners and edges under the square's symmetries, times three mobilities."""
    fixed = [3**8, 3**2, 3**4, 3**2] + 2 * [3**(2 + 3)] + 2 * [3**(3 + 2)]
    assert sum(fixed) % 8 == 0
    assert len({merged_state(state) for state in range(STATE_COUNT)}) == 3 * sum(fixed) // 8


def test_refusals() -> None:
    with pytest.raises(TextError, match="not of xiangqi"):
        abstract_state(boyi.start("xiangqi"))
    for state in (-1, STATE_COUNT):
        with pytest.raises(TextError, match="not the number"):
            merged_state(state)
        with pytest.raises(StatesError, match="not the number"):
            describe(state)
    with pytest.raises(OptionError, match="weight"):
        AbstractEvaluator(weight=-1)
    with pytest.raises(OptionError, match="not statistics"):
        AbstractEvaluator(statistics=1)  # type: ignore[arg-type]
    with pytest.raises(TextError, match="does not know"):
        AbstractEvaluator().value(boyi.start("xiangqi"))


# ---------------------------------------------------------------------- statistics

def test_record_of_a_state() -> None:
    record = StateRecord()
    for value, result in ((100, 1), (300, 1), (-100, 0), (-300, -1)):
        record = record.seen(value, result)
    assert record == StateRecord(4, 2, 1, 1, 0, 200_000)
    assert (record.mean, round(record.deviation), record.score) == (0.0, 224, 0.625)
    low, high = record.score_range()
    assert 0 < low < 0.625 < high < 1 and record.extreme_range() is None
    won = StateRecord(200, 198, 1, 1, 200 * 3000, 200 * 3000**2 + 200 * 500**2)
    span = won.extreme_range()
    assert span is not None and tuple(map(round, span)) == (2000, 4000)
    assert StateRecord(5, 5, 0, 0, 15_000, 45_000_000).extreme_range() is None, "five wins prove little"


def test_the_file_gives_the_statistics_back() -> None:
    statistics = Statistics({7: StateRecord(2, 1, 0, 1, 30, 500)}, ({"source": "a test"},))
    assert Statistics.from_bytes(statistics.to_bytes()) == statistics and statistics.positions == 2


HEADER = {"format": "boyi othello states", "version": 1, "made": []}
ROW = [7, 2, 1, 0, 1, 30, 500]


@pytest.mark.parametrize(("data", "message"), [
    (b"", "not packed by xz"), (b"nonsense", "not packed by xz"), (packed(HEADER)[:-3], "cut short"),
    (packed(HEADER) + b"x", "cut short"), (lzma.compress(bytes(5 << 20)), "longer than any"),
    (packed(), "line 1"), (packed(HEADER | {"format": "x"}), "no statistics"),
    (packed(HEADER | {"version": 2}), "no statistics"), (packed(HEADER | {"made": 1}), "lacks"),
    (packed(HEADER, "[" * 10_000), "line 2 of the statistics is not JSON"), (packed(HEADER, ROW[:-1]), "line 2"),
    (packed(HEADER, [3**9, *ROW[1:]]), "line 2"), (packed(HEADER, [True, *ROW[1:]]), "line 2"),
    (packed(HEADER, [7, 3, *ROW[2:]]), "line 2"), (packed(HEADER, [7, 0, 0, 0, 0, 0, 0]), "line 2"),
    (packed(HEADER, [*ROW[:6], 1]), "line 2"), (packed(HEADER, [7, 1, 1, 0, 0, 10**9, 10**18]), "line 2"),
    (packed(HEADER, ROW, ROW), "line 3"),
])
def test_what_are_no_statistics_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(StatesError, match=message) as refused:
        Statistics.from_bytes(data)
    assert len(str(refused.value)) < 300


def test_own_statistics() -> None:
    statistics = own_statistics()
    assert statistics.made and statistics.positions > 10_000
    assert all(merged_state(state) == state for state in statistics.records)
    # What everybody knows: corners are good for whoever has them.
    mine, theirs = (sum(record.value_sum for state, record in statistics.records.items()
                        if list(describe(state)["corners"].values()).count(owner) > 1
                        and list(describe(state)["corners"].values()).count(other) == 0)
                    for owner, other in (("own", "other"), ("other", "own")))
    assert mine > 0 > theirs


# ---------------------------------------------------------------------- the evaluator

def made_up(position: Position, record: StateRecord) -> Statistics:
    return Statistics({abstract_state(position): record})


WON = StateRecord(1000, 999, 0, 1, 2_000_000, 1000 * (2000**2 + 300**2))


def test_the_mean_of_a_state_is_its_value() -> None:
    start = boyi.start("othello")
    statistics = made_up(start, WON)
    assert AbstractEvaluator(statistics=statistics).value(start) == pytest.approx(2000, abs=2)
    assert AbstractEvaluator(statistics=Statistics()).value(start) == 0
    classic = GAME.evaluators["classic"]()
    for position in some_positions(scaled(200), 5):
        plain = AbstractEvaluator(classic, weight=0).value(position)
        assert plain == classic.value(position)
        added = AbstractEvaluator(classic).value(position) - plain
        assert abs(added - 7 / 5 * AbstractEvaluator().value(position)) <= 2


def test_what_was_seldom_seen_is_worth_what_corners_and_mobility_tell() -> None:
    """Records that follow a rule exactly: the trend finds it, and it speaks for states that were never seen."""
    def record(value: int) -> StateRecord:
        return StateRecord(10_000, 5_000, 0, 5_000, 10_000 * value, 10_000 * value * value)

    seen = {state: 50 + 700 * corners + 200 * (state // 3**8 - 1)
            for state, corners in ((0, 0), (1, 1), (2, -1), (3**8, 0), (3**8 + 1, 1), (2 * 3**8 + 2, -1))}
    statistics = Statistics({state: record(value) for state, value in seen.items()})
    assert statistics.trend == pytest.approx((50, 700, 200), abs=1)
    for state, value in seen.items():
        assert statistics.value(state) == pytest.approx(value, abs=1)
    assert statistics.value(2 * 3**8 + 1 + 3) == pytest.approx(50 + 1400 + 200, abs=1)
    assert Statistics().trend == (0, 0, 0) and Statistics().value(5) == 0
    odd = Statistics({**statistics.records, 5: StateRecord(20, 20, 0, 0, 0, 0)})
    assert odd.value(5) == pytest.approx((50 - 200) / 2, abs=5), "half of each: it was seen as often as the caution"
    assert max(map(statistics.value, range(STATE_COUNT))) <= 6400


def test_bounds_are_of_extreme_states_only() -> None:
    start = boyi.start("othello")
    assert AbstractEvaluator(statistics=made_up(start, WON)).value_range(start) == (1400, 2600)
    even = StateRecord(1000, 500, 0, 500, 0, 1000 * 300**2)
    assert AbstractEvaluator(statistics=made_up(start, even)).value_range(start) is None
    assert Evaluator().value_range(start) is None


def test_thresholds_of_bounds() -> None:
    """From a record by hand: 700 of 1,000 points, with certainty 67.1 to 72.8 %; values 500 ± 300."""
    start = boyi.start("othello")
    often = made_up(start, StateRecord(1000, 700, 0, 300, 500_000, 1000 * (500**2 + 300**2)))
    evaluator = AbstractEvaluator(statistics=often)
    assert evaluator.value_range(start) is None
    assert evaluator.value_range(start, share=0.32) is None
    assert evaluator.value_range(start, share=0.33) == (-100, 1100)
    assert evaluator.value_range(start, share=0.33, deviations=0.5) == (350, 650)
    assert evaluator.value_range(start, share=1, deviations=0) == (500, 500)
    assert AbstractEvaluator(statistics=Statistics()).value_range(start, share=1) is None, "never seen"


@pytest.mark.parametrize(("share", "deviations"), [
    (0.1, 2.0), (0.0, 1.0), (0.25, 1.5), (0.5, 0.7), (1.0, 0.0), (0.4, 9)])
def test_bounds_are_those_of_the_records(share: float, deviations: float) -> None:
    """The compiled bounds, in the evaluator's own unit, against the record's, in hundredths of a disc."""
    records = own_statistics().records
    spoken = 0
    for name, unit in (("abstract", 1.0), ("classic+abstract", 7 / 5)):
        evaluator = GAME.evaluators[name]()
        for position in some_positions(scaled(1500), 21):
            record = records.get(abstract_state(position), StateRecord())
            expected = record.extreme_range(share, deviations) if record.count else None
            found = evaluator.value_range(position, share=share, deviations=deviations)
            assert (found is None) == (expected is None)
            if found is not None and expected is not None:
                spoken += 1
                assert found == tuple(round(bound * unit) for bound in expected)
    assert spoken or share < 0.2


def test_looser_thresholds_cut_off_more() -> None:
    """Both switches reach the search, each alone and together: the same positions, from the default on."""
    def cutoffs(share: float, deviations: float) -> int:
        options = replace(PRESETS["sound"], statistical_cutoffs=True, statistical_share=share,
                          statistical_deviations=deviations)
        return sum(AlphaBeta(GAME.evaluators["patterns+abstract"](), options).search(position, Limits(depth=6))
                   .statistics["statistical_cutoffs"] for position in some_positions(16, 8))

    strict, sharing, deviating, loose = cutoffs(0.1, 2.0), cutoffs(1.0, 2.0), cutoffs(0.1, 0.0), cutoffs(1.0, 0.0)
    assert strict < sharing < loose and strict < deviating < loose


def test_thresholds_can_be_named_in_a_spec() -> None:
    values = read_spec("alphabeta:evaluator=patterns+abstract,statistical_cutoffs=on,statistical_share=0.3,"
                       "statistical_deviations=1.5").values
    assert values["statistical_share"] == 0.3 and values["statistical_deviations"] == 1.5
    defaults = AlphaBetaOptions()
    assert (defaults.statistical_share, defaults.statistical_deviations) == (0.1, 2.0)


def test_cut_offs_by_statistics_are_off_unless_asked_for() -> None:
    assert not AlphaBetaOptions().statistical_cutoffs
    for position in some_positions(scaled(60), 8):
        evaluator = GAME.evaluators["patterns+abstract"]()
        without = AlphaBeta(evaluator).search(position, Limits(depth=6))
        plain = AlphaBeta(GAME.evaluators["patterns"]()).search(position, Limits(depth=6))
        assert (without.nodes, without.lines) == (plain.nodes, plain.lines)
        assert without.statistics["statistical_cutoffs"] == 0
        text = position.to_text()
        searcher = AlphaBeta(evaluator, AlphaBetaOptions(statistical_cutoffs=True))
        assert position.is_legal(searcher.search(position, Limits(depth=6)).move)
        assert position.to_text() == text


def test_an_extreme_state_is_believed_without_a_search() -> None:
    """Statistics that call every position lost or won: a search that trusts them looks at almost nothing."""
    everything = Statistics(dict.fromkeys(range(STATE_COUNT), WON))
    position = next(some_positions(1, 9))
    evaluator = AbstractEvaluator(statistics=everything)
    believed, doubted = (AlphaBeta(evaluator, replace(PRESETS["sound"], statistical_cutoffs=trusts)).search(
        position, Limits(depth=8)) for trusts in (True, False))
    assert believed.statistics["statistical_cutoffs"] > 0 and believed.nodes < doubted.nodes
