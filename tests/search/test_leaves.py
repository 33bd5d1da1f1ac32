"""The students' search, leaf for leaf as a naive twin finds them (`leaves_naive`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from boyi.core.searcher import Limits
from boyi.games.chinese_checkers import GAME
from boyi.games.chinese_checkers.evaluator import AncestorEvaluator, RaceEvaluator
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from boyi.games.chinese_checkers.weights import AncestorWeights
from boyi.search.ancestors.leaves import LeafSearch
from boyi.search.multiplayer import Multiplayer
from boyi.search.multiplayer_options import ANCESTOR, PLAIN, Algorithm, MultiplayerOptions
from tests.games.chinese_checkers_naive import NaiveGame
from tests.scale import SOAK, scaled, some_of
from tests.search.checkers_positions import ending, middlegame
from tests.search.leaves_naive import ReportSearch, board_of
from tests.search.multiplayer_naive import handed

Found = list[tuple[int, int, float, float | None]]


@cache
def game(players: int) -> ChineseCheckersPosition:
    """A whole game of the search against itself, two plies deep."""
    position = GAME.start(players=players)
    searcher = Multiplayer(AncestorEvaluator(), ANCESTOR)
    while position.turn >= 0:
        position.play(searcher.search(position, Limits(depth=2)).move)
    assert isinstance(position, ChineseCheckersPosition)
    return position


def played(players: int, plies: int) -> ChineseCheckersPosition:
    """The game after so many plies; negative ones are counted from its end."""
    position = game(players).copy()
    for _ in range(-plies if plies < 0 else position.ply - plies):
        position.undo()
    return position


def ours(position: ChineseCheckersPosition, depth: int, options: MultiplayerOptions = ANCESTOR,
         weights: AncestorWeights | None = None) -> Found:
    before = position.to_text(), position.ply
    found = LeafSearch(AncestorEvaluator(weights), options).leaves_below(position, depth)
    assert before == (position.to_text(), position.ply)
    return found


def theirs(position: ChineseCheckersPosition, depth: int, **options: float) -> Found:
    return [(move, len(values), sum(values), min(values, default=None))
            for move, values in ReportSearch(position, depth, **options).choose()]   # type: ignore[arg-type]


# ------------------------------------------------------------------ leaf for leaf

OWN_DEPTHS = [
    # Players, plies into the game or before its end, depth; the leaves of those that are slow are up to half a million.
    *((players, 0, depth) for players in (2, 3, 6) for depth in (4, 5)),
    *((players, plies, depth) for players, plies in ((2, -8), (3, -4), (3, -9), (6, -5), (6, -15)) for depth in (4, 5)),
]
SLOW_DEPTHS = [
    (2, 20, 4), (2, 20, 5), (2, -30, 4), (2, -30, 5), (3, 15, 4), (3, 15, 5), (3, -35, 4), (3, -35, 5),
    (6, 30, 4), (6, 30, 5), (6, -70, 4), (6, -70, 5)]
SOAK_DEPTHS = [(players, plies * players, 5 if players == 2 else 4) for players in (2, 3, 6)
               for plies in range(5, 45, 5)]


@pytest.mark.parametrize(("players", "plies", "depth"), [
    *OWN_DEPTHS, *(pytest.param(*case, marks=pytest.mark.slow) for case in SLOW_DEPTHS + SOAK * SOAK_DEPTHS)])
def test_leaf_for_leaf(players: int, plies: int, depth: int) -> None:
    position = played(players, plies)
    assert ours(position, depth) == theirs(position, depth)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_leaf_for_leaf_less_deep(players: int) -> None:
    """In many positions: with histories, with players who have finished or left, near the end."""
    for seed in range(scaled(200, 40)):
        position = middlegame(seed, players)
        if seed % 3 == 0 and players > 2:
            position.resign((position.turn + 1 + seed % 2) % players)
        assert ours(position, 1 + seed % 3) == theirs(position, 1 + seed % 3), position.to_text()
    for seed in range(scaled(600, 60)):
        position = ending(players, seed, outside=1 + seed % 3)
        assert ours(position, 1 + seed % 3) == theirs(position, 1 + seed % 3), position.to_text()
    for plies in range(-1, -20 * players, -3 * players):
        assert ours(played(players, plies), 2) == theirs(played(players, plies), 2)


@pytest.mark.parametrize(("changed", "weights", "options"), [
    ({"targets": 1}, {}, {"select_limit": 1}),
    ({"targets": 5}, {}, {"select_limit": 5}),
    ({"farthest_hop": False}, {}, {"farthest": False}),
    ({"win_bonus": 0.5}, {}, {"extra_score": 500}),
    ({}, {"own_weight": 1.0}, {"own_weight": 1.0}),
    ({}, {"own_weight": 0.0}, {"own_weight": 0.0}),
], ids=str)
def test_other_numbers(changed: dict[str, int], weights: dict[str, float], options: dict[str, float]) -> None:
    """What `boyi tune` and the lab vary is varied in both."""
    for players, plies, depth in ((2, 12, 2), (3, 15, 2), (6, 24, 2), (2, -6, 4), (3, -6, 3), (6, -12, 3)):
        position = played(players, plies)
        mine = replace(ANCESTOR, **changed)            # type: ignore[arg-type]
        assert ours(position, depth, mine, AncestorWeights(**weights)) == theirs(position, depth, **options)


@pytest.mark.parametrize("players", some_of([2, 3, 6], 3))
def test_the_move_is_the_first_with_the_best_average(players: int) -> None:
    for plies in (0, 8 * players, -6, -3):
        position = played(players, plies)
        depth = 3 if plies > 0 else 5 if players == 2 else 4
        found = theirs(position, depth)
        by_algorithm: dict[Algorithm, list[float]] = {
            "average": [total / count if count else -1e9 for _, count, total, _ in found],
            "minimum": [-1e9 if least is None else least for *_, least in found]}
        for algorithm, values in by_algorithm.items():
            result = Multiplayer(AncestorEvaluator(), replace(ANCESTOR, algorithm=algorithm)).search(
                position, Limits(depth=depth))
            assert result.move == found[values.index(max(values))][0]
            assert result.value == pytest.approx(10 * max(values)) or max(values) == -1e9


# ------------------------------------------------------------------ what the twin rests on

def test_some_boards_are_met_by_another_player() -> None:
    """In a single hop or by two moves: the same board, once to be moved on by the one, once by the other."""
    position = played(2, 12)
    leaves = sum(count for _, count, _, _ in ours(position, 3))
    assert leaves < sum(count for _, count, _, _ in ours(position, 3, replace(ANCESTOR, skip_searched=False)))
    search = ReportSearch(position, 3)
    sides: dict[object, set[int]] = {}

    def note(step: int, leaves: list[float]) -> None:
        sides.setdefault(search.board, set()).add(search.position.turn)
        if step <= search.limit:
            for move in search.select(search.position.moves())[0]:
                search.follow(move, step + 1, leaves)
    search.search = note                       # type: ignore[method-assign]
    search.choose()
    assert any(len(players) == 2 for players in sides.values())
    assert leaves == sum(count for _, count, _, _ in theirs(position, 3))


def test_a_node_without_a_forward_move_has_no_leaves() -> None:
    """And the root falls back on the best retreat."""
    pieces = dict.fromkeys("b1 b2 c1 c2 c3 d1 d2 d3 d4 e5".split(), "A")
    pieces |= dict.fromkeys("a1 e6 e7 e8 e9 f5 f4 f6 q1 p1".split(), "D")
    found = []
    for turn in "AD":
        naive = NaiveGame(2)
        naive.board, naive.to_act = pieces, turn
        position = GAME.parse(naive.text(), strict=True)
        assert isinstance(position, ChineseCheckersPosition)
        for depth in (1, 2, 3):
            found.append(ours(position, depth))
            assert found[-1] == theirs(position, depth)
            # Where all are equal, the first.
            assert ours(position, depth, ANCESTOR, AncestorWeights(own_weight=0)) == theirs(
                position, depth, own_weight=0)
    assert [len(one) for one in found[:3]] == [1, 1, 1]
    assert found[3] and any(count == 0 for _, count, _, _ in found[4])


def winning(players: int) -> Iterator[tuple[ChineseCheckersPosition, int]]:
    """Positions and a move by which the player to act arrives."""
    for seed in range(60):
        position = ending(players, seed, outside=1)
        mover = position.turn
        for move in position.moves():
            position.play(move)
            won = mover in position.finished
            position.undo()
            if won:
                yield position, move
                break


@pytest.mark.parametrize("players", [2, 3, 6])
def test_the_bonus_ends_at_the_horizon(players: int) -> None:
    """`extra_score` for every ply that a win comes before it, on top of what the distances say."""
    # Met twice, a board counts below the first move, which need not be the one that wins at once.
    options, tried = replace(ANCESTOR, skip_searched=False), 0
    for position, winner in winning(players):
        for move, count, total, least in ours(position, 1):
            mover = position.turn
            position.play(move)
            plain = worth(position, mover)
            position.undo()
            assert (count, total, least) == (1, plain, plain)
            if move == winner:
                tried += 1
                for depth in (2, 3, 4):
                    found = {one[0]: one[1:] for one in ours(position, depth, options)}
                    assert found[move] == (1, plain + 100 * (depth - 1), plain + 100 * (depth - 1))
    assert tried


def worth(position: ChineseCheckersPosition, player: int, *, judged: tuple[int, ...] = ()) -> int:
    """What the others lack, less three times what the player lacks."""
    ways = [0 if other in judged else way for other, way in enumerate(AncestorEvaluator().distances(position))]
    return sum(ways) - 4 * ways[player]


def test_who_has_arrived_in_the_search_still_counts() -> None:
    """A's goal is full, but of one piece of C: A has finished and still lacks something."""
    naive = NaiveGame(3)
    naive.board = dict.fromkeys("b1 b2 c1 c2 c3 d1 d2 d3 e8 i5".split(), "A")
    naive.board |= dict.fromkeys("a1 i1 i2 i3 j2 j3 k3 l5 h3 h4".split(), "C")
    naive.board |= dict.fromkeys("i9 i8 i7 j9 j8 k9 l9 h8 h7 g6".split(), "E")
    naive.to_act = "E"
    position = GAME.parse(naive.text())
    assert isinstance(position, ChineseCheckersPosition)
    for depth in (1, 2, 3):
        assert ours(position, depth) == theirs(position, depth)
    position.play(position.moves()[0])
    arrival = position.parse_move("e8-d4")
    found = {one[0]: one[1:] for one in ours(position, 3)}[arrival]
    position.play(arrival)
    assert position.finished == (0,) and AncestorEvaluator().distances(position)[0] == 28
    # To A it is worth what the distances say and the bonus; to the next player A does not count any more.
    assert found == (1, worth(position, 0) + 200, worth(position, 0) + 200)
    for move, count, total, _ in ours(position, 1):
        position.play(move)
        assert (count, total) == (1, worth(position, 1, judged=(0,)))
        position.undo()
    assert ours(position, 3) == theirs(position, 3)


def test_no_board_is_decided_on_or_made_twice() -> None:
    """Nor one on which the player had to decide, though the other is to act now."""
    position = GAME.start()
    assert isinstance(position, ChineseCheckersPosition)
    every = replace(PLAIN, algorithm="average")

    def allowed(text: str) -> bool:
        assert isinstance(position, ChineseCheckersPosition)
        return position.parse_move(text) in [move for move, *_ in ours(position, 1, every)]

    for text in ("n1-m5", "d1-e5", "m5-m6", "e5-d1"):
        assert allowed(text)
        position.play(text)
    # Back to the start, where A had to decide; to what A made of it; to something new.
    assert not allowed("m6-n1") and not allowed("m6-m5") and allowed("m6-m7")
    assert position.parse_move("m6-n1") in [move for move, *_ in ours(position, 1, replace(every, skip_made=False))]
    # With three players, what the others made of each other's boards is free: C made this one, and E decided on it.
    position = GAME.start(players=3)
    assert isinstance(position, ChineseCheckersPosition)
    boards = []
    for text in ("n1-m5", "e4-f4", "e10-e9", "m5-m6", "f4-e4", "e9-f9", "m6-l5", "e4-f4", "f9-e10"):
        position.play(text)
        boards.append(board_of(position))
    assert allowed("l5-m5")
    position.play("l5-m5")
    assert board_of(position) == boards[1]


# ------------------------------------------------------------------ other evaluators, limits

def test_other_evaluators_take_scores_at_the_end() -> None:
    """A won game is worth 1, and the bonus for every ply before the horizon."""
    position, move = next(winning(2))
    for depth in (1, 2, 4):
        found = {one[0]: one[2] for one in LeafSearch(RaceEvaluator(), ANCESTOR).leaves_below(position, depth)}
        assert found[move] == pytest.approx(1 + 0.1 * (depth - 1))
    # A lost one is worth -1 however soon it comes.
    other = handed(position, 1 - position.turn)
    for depth in (2, 3, 4):
        least = [one[3] for one in LeafSearch(RaceEvaluator(), ANCESTOR).leaves_below(other, depth)]
        assert min(value for value in least if value is not None) == -1


def test_a_limit_leaves_what_the_last_depth_found() -> None:
    for nodes in (1, 2, 5, 20, 300, 700, 2_000, 9_000):
        for players in (2, 3):
            position = played(players, 10)
            searcher = Multiplayer(AncestorEvaluator(), ANCESTOR)
            found = searcher.search(position, Limits(nodes=nodes, lines=5))
            assert len({line.moves[0] for line in found.lines}) == len(found.lines)
            assert found.nodes <= nodes
            if found.depth:
                whole = Multiplayer(AncestorEvaluator(), ANCESTOR).search(position, Limits(depth=found.depth, lines=5))
                assert found.lines == whole.lines
            # What was met in one search is forgotten in the next.
            assert searcher.search(position, Limits(nodes=nodes, lines=5)).lines == found.lines
