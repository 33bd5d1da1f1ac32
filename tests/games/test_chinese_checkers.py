"""Chinese checkers: facts anybody can check by hand, composed endings, texts and nonsense."""

from __future__ import annotations

import itertools
import math
import pickle
import random
from typing import Any

import pytest

from boyi import OVER, IllegalMoveError, OptionError, Outcome, TextError, perft, playouts
from boyi.core.outcome import scores_by_place
from boyi.games.chinese_checkers import GAME
from boyi.games.chinese_checkers.board import COORDINATES, HOLE_AT, MIRROR, NAMES, board, camp
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from tests.games.chinese_checkers_naive import CORNERS, DIRECTIONS, OPPOSITE, PLACE, SEATS, NaiveGame, walk


def start(**options: object) -> ChineseCheckersPosition:
    position = GAME.start(**options)
    assert isinstance(position, ChineseCheckersPosition)
    return position


def parse(text: str, **options: object) -> ChineseCheckersPosition:
    position = GAME.parse(text, **options)
    assert isinstance(position, ChineseCheckersPosition)
    return position


RESIGN = 0x7FFFFF00


def ended(position: ChineseCheckersPosition) -> Outcome:
    """The outcome of a game that must be over."""
    outcome = position.outcome()
    assert outcome is not None
    return outcome


def compose(pieces: dict[str, str], *, side: str, seats: str, finished: str = "-", turn: int = 1,
            left: str = "") -> str:
    """A position text from the holes (as words) of each seat."""
    naive = NaiveGame(len(seats))
    naive.board = {hole: seat for seat, holes in pieces.items() for hole in holes.split()}
    naive.to_act, naive.finished, naive.turn, naive.gone = side, list(finished.strip("-")), turn, list(left)
    return naive.text()


def opening(seat: str) -> tuple[str, str]:
    """In the goal of a seat a hole of the row nearest to the middle, and a hole beside it outside all corners."""
    goal = CORNERS[OPPOSITE[seat]].split()
    cornered = {hole for holes in CORNERS.values() for hole in holes.split()}
    return next((hole, near) for hole in goal for direction in DIRECTIONS
                if (near := walk(hole, direction)) is not None and near not in cornered)


def near_finish(seats: str) -> dict[str, str]:
    """Everybody has nine pieces in the goal and the tenth one step away."""
    pieces = {}
    for seat in seats:
        gap, beside = opening(seat)
        pieces[seat] = " ".join(hole for hole in CORNERS[OPPOSITE[seat]].split() if hole != gap) + " " + beside
    return pieces


def finishing(seat: str) -> str:
    return "-".join(reversed(opening(seat)))


def dawdling(position: ChineseCheckersPosition, seat: str) -> int:
    """A move that does not finish."""
    return next(move for move in position.moves() if position.format_move(move) != finishing(seat))


def ends(position: ChineseCheckersPosition, hole: str) -> set[str]:
    """Where the piece on a hole may go."""
    return {NAMES[move & 127] for move in position.moves() if NAMES[move >> 7] == hole}


# ---------------------------------------------------------------------- geometry


def test_star_has_121_holes_in_the_rows_of_the_rules() -> None:
    points = board().points
    assert [point.name for point in points] == list(PLACE)
    assert len(points) == 121
    # Neighbours, by the rules' geometry, are 1 apart in the picture, and nothing is nearer.
    for one, other in itertools.combinations(points, 2):
        apart = ((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5
        neighbours = any(walk(one.name, direction) == other.name for direction in DIRECTIONS)
        assert neighbours == (apart < 1.001)
        assert apart > 0.999


@pytest.mark.parametrize("corner", range(6))
def test_corners_are_those_of_the_rules(corner: int) -> None:
    letter = "ABCDEF"[corner]
    assert {NAMES[hole] for hole in camp(corner)} == set(CORNERS[letter].split())
    assert len(camp(corner, 15)) == 15
    assert camp(corner) < camp(corner, 15)


@pytest.mark.parametrize("corner", [0, 3])
def test_fifteen_pieces_fill_the_corner_and_the_next_row(corner: int) -> None:
    naive = NaiveGame(2, 15)
    assert {NAMES[hole] for hole in camp(corner, 15)} == naive.camp("ABCDEF"[corner])


@pytest.mark.parametrize("first", [0, 1, 2])
def test_two_opposite_corners_and_the_hexagon_are_a_rhombus_of_81(first: int) -> None:
    others = [corner for corner in range(6) if corner % 3 != first]
    inside = set(range(121)).difference(*(camp(corner) for corner in others))
    axes = {0: (1, 2), 1: (0, 2), 2: (0, 1)}[first]
    assert {tuple(COORDINATES[hole][axis] for axis in axes) for hole in inside} == set(
        itertools.product(range(-4, 5), repeat=2))


@pytest.mark.parametrize("players", SEATS)
def test_every_seat_turns_to_the_bottom(players: int) -> None:
    shape = board(players)
    middle = shape.points[HOLE_AT[0, 0]]
    for seat, (letter, degrees) in enumerate(zip(SEATS[players], shape.rotations, strict=True)):
        turned = []
        for name in CORNERS[letter].split():
            point = shape.points[shape.index[name]]
            x, y = point.x - middle.x, point.y - middle.y
            angle = math.radians(degrees)    # clockwise, y pointing down
            turned.append((round(x * math.cos(angle) - y * math.sin(angle) + middle.x, 6),
                           round(x * math.sin(angle) + y * math.cos(angle) + middle.y, 6)))
        bottom = [shape.points[shape.index[name]] for name in CORNERS["A"].split()]
        assert sorted(turned) == sorted((round(point.x, 6), round(point.y, 6)) for point in bottom)
        assert shape.zones["ABCDEF".index(letter)].seat == seat
    assert [zone.seat for zone in shape.zones].count(None) == 6 - players


@pytest.mark.parametrize(("players", "pieces"), [(2, 10), (2, 15), (6, 10)])
def test_zones_hold_their_own_holes_and_no_others(players: int, pieces: int) -> None:
    shape = board(players, pieces)
    for corner, zone in enumerate(shape.zones):
        size = pieces if "ABCDEF"[corner] in SEATS[players] else 10

        def inside(x: float, y: float, corners: Any = zone.corners) -> bool:
            signs = [(bx - ax) * (y - ay) - (by - ay) * (x - ax)
                     for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True)]
            return all(sign > 0 for sign in signs) or all(sign < 0 for sign in signs)

        assert {hole for hole, point in enumerate(shape.points) if inside(point.x, point.y)} == camp(corner, size)


def test_lines_join_every_pair_of_neighbours() -> None:
    shape = board()
    covered = 0
    for (ax, ay), (bx, by) in shape.lines:
        covered += round(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)
    pairs = sum(walk(hole, direction) is not None for hole in PLACE for direction in DIRECTIONS) // 2
    assert covered == pairs


# ---------------------------------------------------------------------- moves


@pytest.mark.parametrize("players", SEATS)
def test_fourteen_moves_at_the_start(players: int) -> None:
    seats = SEATS[players]
    text = start(players=players).to_text()
    for seat in seats:
        assert len(parse(text.replace(f" A {seats} ", f" {seat} {seats} ")).moves()) == 14


def test_first_leaves() -> None:
    # Two plies do not touch: 14 times 14. What lies deeper the naive engine counts in the other file.
    assert perft(start(), 2) == 14 * 14


def test_start_text() -> None:
    assert start().to_text() == "D/DD/DDD/DDDD/13/12/11/10/9/10/11/12/13/AAAA/AAA/AA/A A AD - 1"


@pytest.mark.parametrize("options", [{}, {"long_hops": True}, {"players": 6}, {"pieces": 15}])
def test_a_hop_keeps_the_parity_of_both_axial_coordinates(options: dict[str, object]) -> None:
    position = start(**options)
    chooser = random.Random(7)
    for _ in range(200):
        for move in position.moves():
            here, there = COORDINATES[move >> 7], COORDINATES[move & 127]
            step = max(abs(a - b) for a, b in zip(here, there, strict=True)) == 1
            same = all((a - b) % 2 == 0 for a, b in zip(here, there, strict=True))
            assert step != same
        position.play(chooser.choice(position.moves()))


FAR = {"A": "a1 b1 b2 c1 c2 c3 d1 d2", "D": "n1 n2 n3 n4 o1 o2 o3 p1 p2"}
"""Eight pieces of A and nine of D out of the way, for compositions in the middle."""


def test_a_chain_may_go_round_and_stop_anywhere_but_where_it_began() -> None:
    # Around the middle i5: six pieces on the ring between the six holes two steps away make a cycle of hops.
    ring = ["i3", "g5", "g7", "i7", "k7", "k5"]
    between = ["h4", "g6", "h7", "j7", "k6", "j4"]
    assert all(any(walk(a, d) == b and walk(a, d, 2) == c for d in DIRECTIONS)
               for a, b, c in zip(ring, between, ring[1:] + ring[:1], strict=True))
    pieces = {"A": FAR["A"] + " i3 h4", "D": "g6 h7 j7 k6 j4 n1 n2 n3 n4 o1"}
    position = parse(compose(pieces, side="A", seats="AD"))
    hops = {end for end in ends(position, "i3") if end in ring}
    assert hops == set(ring) - {"i3"}
    # The two ways to the opposite hole are equally long and turn equally often: the first by name is shown.
    assert position.format_move(position.parse_move("i3-i7")) == "i3-g5-g7-i7"
    assert position.path(position.parse_move("i3-k5")) == ("i3", "k5")
    assert position.path(position.parse_move("i3-k7")) == ("i3", "k5", "k7")
    # Any true chain names the move, also one the long way round or over the same hole twice.
    assert position.parse_move("i3-k5-k7-i7") == position.parse_move("i3-i7")
    assert position.parse_move("i3-g5-i3-g5-g7") == position.parse_move("i3-g7")
    with pytest.raises(IllegalMoveError, match="not a chain of hops: none leads from g5 to i7"):
        position.parse_move("i3-g5-i7")
    with pytest.raises(IllegalMoveError):
        position.parse_move("i3-g5-g7-i7-k7-k5-i3")


def test_the_shown_path_turns_as_little_as_possible() -> None:
    # Two chains of three hops lead from i1 to e7: by g3 with two turns, by i3 with one. By name g3 is first.
    winding, smooth = ("i1", "g3", "g5", "e7"), ("i1", "i3", "g5", "e7")
    between = {walk(a, direction) for chain in (winding, smooth) for a, b in itertools.pairwise(chain)
               for direction in DIRECTIONS if walk(a, direction, 2) == b}
    pieces = {"A": FAR["A"] + " i1 m1", "D": " ".join(sorted(map(str, between))) + " n1 n2 n3 n4 o1"}
    position = parse(compose(pieces, side="A", seats="AD"))
    assert position.parse_move("-".join(winding)) == position.parse_move("-".join(smooth))
    assert position.path(position.parse_move("i1-e7")) == smooth


def test_a_step_is_no_part_of_a_chain() -> None:
    with pytest.raises(IllegalMoveError, match="not a chain of hops: none leads from n1 to o1"):
        start().play("n1-o1-m5")


def test_long_hops_mirror_at_any_distance_with_nothing_else_between() -> None:
    pieces = {"A": FAR["A"] + " i1 m9", "D": "i4 " + FAR["D"]}
    text = compose(pieces, side="A", seats="AD")
    assert "i7" not in ends(parse(text), "i1")
    position = parse(text, long_hops=True)
    assert "i7" in ends(position, "i1")
    assert position.format_move(position.parse_move("i1-i7")) == "i1-i7"
    blocked = {"A": FAR["A"] + " i1 i6", "D": "i4 " + FAR["D"]}
    assert "i7" not in ends(parse(compose(blocked, side="A", seats="AD"), long_hops=True), "i1")


def test_stay_home_keeps_a_piece_in_its_goal() -> None:
    pieces = {"A": "d1 d2 d3 c1 c2 b1 m5 m6 m7 m8", "D": "n1 n2 n3 n4 o1 o2 o3 p1 p2 i5"}
    text = compose(pieces, side="A", seats="AD")
    assert "e5" in ends(parse(text), "d1")
    corner = set(CORNERS["D"].split())
    home = parse(text, stay_home=True)
    assert all(ends(home, hole) <= corner for hole in ("d1", "d2", "d3", "c1", "c2", "b1"))
    assert not ends(home, "m5") <= corner
    assert ends(home, "d3") == {"d4", "b2", "c3"} & ends(parse(text), "d3")


def blocked_corner() -> str:
    """B, to act, cannot move: his ten fill corner A, and two full rows of others stand before it."""
    return compose({
        "B": CORNERS["A"],
        "A": "m5 m6 m7 m8 m9 l5 l6 l7 l8 l4",
        "D": "a1 b1 b2 c1 c2 c3 d1 d2 d3 l9",
        "E": "m1 m2 m3 m4 l1 l2 l3 k1 k2 i5",
    }, side="B", seats="ABDE")


def test_a_player_without_a_move_passes() -> None:
    position = parse(blocked_corner())
    (move,) = position.moves()
    assert position.format_move(move) == "pass"
    assert position.path(move) == ()
    assert position.changes(move) == []
    before = position.to_text()
    position.play("pass")
    assert position.turn == 2
    assert position.fingerprint == position.recomputed_fingerprint()
    assert "pass" not in [position.format_move(move) for move in position.moves()]
    with pytest.raises(IllegalMoveError):
        position.play("pass")
    position.undo()
    assert position.to_text() == before


# ---------------------------------------------------------------------- finishing


@pytest.mark.parametrize("players", SEATS)
def test_finish_order_and_places(players: int) -> None:
    seats = SEATS[players]
    position = parse(compose(near_finish(seats), side="A", seats=seats), players=players)
    text = position.to_text()
    # The second seat dawdles, all others finish in their first turn; with two players the first finish decides.
    late = 1
    for player in range(players):
        assert position.turn == player
        if player == late:
            position.play(dawdling(position, seats[player]))
        else:
            position.play(finishing(seats[player]))
        if position.turn == OVER:
            break
    outcome = ended(position)
    assert outcome.reason == "finished"
    quick = [player for player in range(players) if player != late]
    assert position.finished == tuple(quick)
    expected = [0] * players
    for place, player in enumerate([*quick, late], start=1):
        expected[player] = place
    assert list(outcome.places) == expected
    assert list(outcome.scores) == scores_by_place(expected)
    assert position.moves() == []
    assert len(position.explain()) == players
    while position.ply:
        position.undo()
        assert position.fingerprint == position.recomputed_fingerprint()
    assert position.to_text() == text


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_who_has_finished_is_skipped(players: int) -> None:
    seats = SEATS[players]
    position = parse(compose(near_finish(seats), side="A", seats=seats), players=players)
    position.play(finishing("A"))
    assert position.turn == 1
    for player in range(1, players):
        assert position.turn == player
        position.play(dawdling(position, seats[player]))
    assert position.turn == 1
    assert position.turn_number == 2


def test_an_opponents_piece_in_the_goal_does_not_prevent_finishing_unless_strict() -> None:
    # A has nine in corner D and a piece of D itself sits on its apex; A's tenth waits outside.
    goal = "b1 b2 c1 c2 c3 d1 d2 d3"
    pieces = {"A": goal + " e8 m1", "D": "a1 n1 n2 n3 n4 o1 o2 o3 p1 p2"}
    text = compose(pieces, side="A", seats="AD")
    position = parse(text)
    position.play("e8-d4")
    outcome = ended(position)
    assert outcome.reason == "finished"
    assert outcome.winner == 0
    strict = parse(text, strict=True)
    strict.play("e8-d4")
    assert strict.outcome() is None
    assert strict.turn == 1


def test_an_opponent_who_fills_the_last_hole_finishes_the_other() -> None:
    pieces = {"A": "a1 b1 b2 c1 c2 c3 d1 d2 d3 m1", "D": "e8 n1 n2 n3 n4 o1 o2 o3 p1 p2"}
    position = parse(compose(pieces, side="D", seats="AD"))
    position.play("e8-d4")
    assert position.finished == (0,)
    assert ended(position).winner == 0


def test_a_goal_full_of_strangers_finishes_nobody() -> None:
    position = start()
    assert position.outcome() is None
    position.play("n1-m5")
    position.play("d1-e5")
    position.play("m5-n1")
    position.play("e5-d1")
    assert position.outcome() is None


def test_fifteen_pieces_must_fill_fifteen_holes() -> None:
    naive = NaiveGame(2, 15)
    goal = sorted(naive.camp("D") - {"e9"})
    pieces = {"A": " ".join(goal) + " e10", "D": " ".join(sorted(naive.camp("A") - {"m5"})) + " i5"}
    naive.board = {hole: seat for seat, holes in pieces.items() for hole in holes.split()}
    position = parse(naive.text(), pieces=15)
    assert position.outcome() is None
    position.play("e10-e9")
    assert ended(position).winner == 0


# ---------------------------------------------------------------------- other endings


def test_third_occurrence_ends_the_game_as_it_stands() -> None:
    position = start()
    shuffle = ["n1-m5", "d1-e5", "m5-n1", "e5-d1"]
    for text in ["n4-m9", *shuffle[1:2], "m9-n4", *shuffle[3:]]:
        position.play(text)
    assert position.repetitions == 1
    for text in shuffle[:3]:
        position.play(text)
        assert position.outcome() is None
    position.play(shuffle[3])
    outcome = ended(position)
    assert position.repetitions == 2
    assert outcome.reason == "repetition"
    assert outcome.scores == (0.0, 0.0)
    assert outcome.places == (1, 1)
    position.undo()
    assert position.turn == 1
    position.play("e5-f5")
    assert position.outcome() is None


def test_repetition_ranks_by_distance() -> None:
    position = start()
    position.play("o1-m5")
    position.play("d1-e5")
    cycle = ["m5-l5", "e5-d1", "l5-m5", "d1-e5"]
    for text in cycle + cycle[:3]:           # what stood after A's first move stands for the third time
        assert position.outcome() is None
        position.play(text)
    outcome = ended(position)
    assert outcome.reason == "repetition"
    assert position.distances()[0] < position.distances()[1]
    assert outcome.places == (1, 2)


def test_turn_limit_with_shared_places() -> None:
    position = start(players=3, turn_limit=1)
    # A and E advance by one row with a step each, C by two with a hop: C first, the others share the second place.
    naive = NaiveGame(3)
    advance: dict[str, dict[int, str]] = {}
    for seat in "ACE":
        naive.to_act = seat
        before = naive.distance(seat)
        advance[seat] = {}
        for move in sorted(naive.moves()):
            after = NaiveGame(3)
            after.board[move[1]] = after.board.pop(move[0])
            advance[seat].setdefault(before - after.distance(seat), "-".join(move))
    position.play(advance["A"][1])
    position.play(advance["C"][2])
    assert position.outcome() is None
    position.play(advance["E"][1])
    outcome = ended(position)
    assert outcome.reason == "turn_limit"
    assert outcome.places == (2, 1, 2)
    assert outcome.scores == (-0.5, 1.0, -0.5)
    assert position.turn_number == 2
    again = parse(position.to_text(), players=3, turn_limit=1)
    assert again.outcome() == outcome


def test_random_games_end_by_the_turn_limit() -> None:
    made, _ = playouts(start(), 3, 5)
    assert made == 3 * 600
    made, _ = playouts(start(players=5, turn_limit=20), 3, 5)
    assert made == 3 * 100


def test_finished_players_rank_before_the_nearer_unfinished() -> None:
    seats = "ACE"
    position = parse(compose(near_finish(seats), side="C", seats=seats, turn=2), players=3, turn_limit=2)
    position.play(finishing("C"))
    position.play(dawdling(position, "E"))
    outcome = ended(position)
    assert outcome.reason == "turn_limit"
    assert outcome.places[1] == 1
    assert sorted(outcome.places) in ([1, 2, 3], [1, 2, 2])


# ---------------------------------------------------------------------- leaving


def test_who_leaves_is_skipped_and_ranked_behind_all_others() -> None:
    position = start(players=4)
    begin = position.to_text()
    position.resign(2)                       # D leaves while A acts
    assert position.turn == 0
    assert position.to_text().endswith(" A ABDE - 1 D")
    position.play(position.moves()[0])
    position.play("resign")                  # B, to act, leaves
    assert position.turn == 3
    assert position.left == (2, 1)
    assert position.fingerprint == position.recomputed_fingerprint()
    assert sum(stone.glyph == "D" for stone in position.stones()) == 10
    again = parse(position.to_text(), players=4)
    assert again.to_text() == position.to_text()
    assert again.fingerprint == position.fingerprint
    position.play("resign:A")
    outcome = ended(position)
    assert outcome.reason == "resignation"
    assert outcome.places == (2, 3, 4, 1)
    copy = pickle.loads(pickle.dumps(position))
    assert copy.history() == position.history()
    assert copy.to_text() == position.to_text()
    with pytest.raises(IllegalMoveError, match="over"):
        position.resign(3)
    for _ in range(4):
        position.undo()
    assert position.to_text() == begin
    assert position.fingerprint == position.recomputed_fingerprint()


def test_resignations_are_written_and_read_back() -> None:
    position = start(players=3)
    move = position.parse_move("resign:C")
    assert position.format_move(move) == "resign:C"
    assert position.path(move) == ()
    assert position.changes(move) == []
    assert move not in position.moves()
    assert not position.is_legal(move)
    position.play(move)
    for again in (move, "resign:C"):
        with pytest.raises(IllegalMoveError):
            position.play(again)


def test_the_one_who_stays_ranks_behind_the_finished_and_before_the_gone() -> None:
    seats = "ABDE"
    position = parse(compose(near_finish(seats), side="A", seats=seats), players=4)
    position.play(finishing("A"))
    position.resign(1)
    assert position.turn == 2
    position.resign(3)
    outcome = ended(position)
    assert outcome.reason == "finished"
    assert outcome.places == (1, 4, 2, 3)    # who leaves first is last


@pytest.mark.parametrize("player", [-1, 3, 99, "A", None, 1.0])
def test_only_players_resign(player: Any) -> None:
    position = start(players=3)
    with pytest.raises(IllegalMoveError, match="not a player"):
        position.resign(player)
    assert position.ply == 0


# ---------------------------------------------------------------------- texts and symmetry


@pytest.mark.parametrize("players", SEATS)
def test_text_round_trip(players: int) -> None:
    position = start(players=players)
    chooser = random.Random(players)
    for _ in range(150):
        position.play(chooser.choice(position.moves()))
        again = parse(position.to_text(), players=players)
        assert again.to_text() == position.to_text()
        assert again.fingerprint == position.fingerprint
        assert again.moves() == position.moves()


def test_the_text_says_how_many_play_and_with_what() -> None:
    six = parse(start(players=6).to_text())
    assert six.players == 6
    assert six.options["players"] == 6
    fifteen = parse(start(pieces=15).to_text())
    assert fifteen.options["pieces"] == 15
    assert len(fifteen.stones()) == 30
    assert pickle.loads(pickle.dumps(six)).to_text() == six.to_text()


def test_empty_holes_may_be_counted_as_in_chess() -> None:
    text = start().to_text()
    assert parse(text.replace("/13/12/11/10/", "/94/93/92/91/")).to_text() == text


def test_mirror_images_share_a_symmetric_key() -> None:
    position, image = start(), start()
    chooser = random.Random(3)
    for _ in range(200):
        assert {MIRROR[move >> 7] << 7 | MIRROR[move & 127] for move in position.moves()} == set(image.moves())
        move = chooser.choice(position.moves())
        position.play(move)
        image.play(MIRROR[move >> 7] << 7 | MIRROR[move & 127])
        assert position.symmetric_fingerprint == image.symmetric_fingerprint
    assert position.fingerprint != image.fingerprint


def test_what_a_move_changes() -> None:
    position = start()
    (change,) = position.changes(position.parse_move("o1-m5"))
    assert (change.kind, change.point, change.glyph, change.to) == ("moved", "o1", "A", "m5")


def test_copies_are_independent() -> None:
    position = start(players=3)
    position.play(position.moves()[0])
    copy = position.copy()
    text = position.to_text()
    copy.resign(0)
    copy.undo()
    copy.play(copy.moves()[3])
    assert position.to_text() == text
    copy.undo()
    assert copy.to_text() == text


# ---------------------------------------------------------------------- nonsense

START = "D/DD/DDD/DDDD/13/12/11/10/9/10/11/12/13/AAAA/AAA/AA/A A AD - 1"
ROWS_OF_START = START.split()[0]

BAD_TEXTS = {
    "nothing": ("", "17 rows"),
    "not text": (None, "17 rows"),
    "a number": (12, "17 rows"),
    "bytes": (START.encode(), "17 rows"),
    "endless": ("A" * 100_000, "17 rows"),
    "four fields": (ROWS_OF_START + " A AD -", "17 rows"),
    "seven fields": (START + " D D", "17 rows"),
    "too few rows": (START.replace("/AA/A ", "/AA "), "16 rows"),
    "too many rows": (START.replace("/AA/A ", "/AA/A/1 "), "18 rows"),
    "a long row": (START.replace("/13/12/", "/14/12/", 1), "row e"),
    "a short row": (START.replace("/13/12/", "/12/12/", 1), "row e"),
    "an empty row": (START.replace("/13/12/", "//12/", 1), "row e"),
    "an absurd run": (START.replace("/13/12/", "/" + "9" * 300 + "/12/", 1), "row e"),
    "a strange letter": (START.replace("D/DD", "X/DD"), "row a has 'X'"),
    "a foreign digit": (START.replace("/13/12/", "/１３/12/", 1), "row e"),
    "a superscript digit": (START.replace("/9/", "/⁹/", 1), "row i"),
    "a seat not in play": (START.replace("D/DD", "B/DD"), "row a has 'B'"),
    "small letters": (START.replace("AAAA", "aaaa"), "row n has 'a'"),
    "too few pieces": (START.replace("/AA/A ", "/AA/1 "), "9 A"),
    "eleven pieces": (START.replace("/13/12", "/D12/12", 1), "11 D"),
    "unequal pieces": (START.replace("/13/", "/4DDDDD4/", 1), "15 D"),
    "no such seats": (START.replace(" AD ", " AB "), "'AB' are not the seats"),
    "seats in the wrong order": (START.replace(" AD ", " DA "), "'DA' are not the seats"),
    "side not in play": (START.replace(" A AD", " B AD"), "'B' is not a side to act: A, D"),
    "two sides": (START.replace(" A AD", " AD AD"), "'AD' is not a side to act"),
    "finished twice": (START.replace(" - ", " DD "), "'DD' is not a list of who has finished"),
    "finished stranger": (START.replace(" - ", " E "), "'E' is not a list of who has finished"),
    "finished without a piece in the goal": (START.replace(" - ", " D "), "D cannot have finished: 0 of"),
    "everybody finished": (START.replace(" - ", " AD "), "a player must still be"),
    "left stranger": (START + " E", "'E' is not a list of who has left"),
    "side has left": (START + " A", "'A' is not a side to act: D may be"),
    "finished and left": (START.replace(" - ", " D ") + " D", "nobody both finishes"),
    "turn zero": (START[:-1] + "0", "'0' is not a turn number"),
    "turn negative": (START[:-1] + "-1", "'-1' is not a turn number"),
    "turn too late": (START[:-1] + "302", "'302' is not a turn number: 1 to 301"),
    "turn endless": (START[:-1] + "9" * 500, "is not a turn number"),
    "turn in other digits": (START[:-1] + "١", "is not a turn number"),
    "reached but not listed": (
        "A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A AD - 1", "A has reached the goal"),
}


@pytest.mark.parametrize(("text", "words"), BAD_TEXTS.values(), ids=BAD_TEXTS)
def test_bad_position_text(text: Any, words: str) -> None:
    position = start()
    position.play("n1-m5")
    before = position.to_text(), position.history(), position.fingerprint, dict(position.options)
    with pytest.raises(TextError) as refusal:
        position.set_text(text)
    assert words in str(refusal.value)
    assert len(str(refusal.value)) < 500
    assert (position.to_text(), position.history(), position.fingerprint, dict(position.options)) == before


@pytest.mark.parametrize(("text", "options", "words"), [
    (START, {"players": 3}, "players=3"),
    (START, {"pieces": 15}, "pieces=15"),
    (START[:-1] + "12", {"turn_limit": 10}, "1 to 11"),
])
def test_text_and_options_must_agree(text: str, options: dict[str, object], words: str) -> None:
    with pytest.raises(TextError, match=words):
        parse(text, **options)


@pytest.mark.parametrize("text", [
    "", "-", "n1", "n1-", "-n1", "n1--m5", "n1 m5", "n1m5", "n0-m5", "n5-m5", "n01-m5", "n1-m14", "r1-q1", "n1-z9-m5",
    "n１-m5", "N1–M5", "n1-m5" * 1000, "resign:", "resign:X", "resign:AD", "resigns", "passing", "\0", None, 5,
    b"n1-m5",
])
def test_malformed_move(text: Any) -> None:
    position = start()
    if text == "resign:":
        assert position.parse_move(text) == position.parse_move("resign")
        return
    with pytest.raises(TextError) as refusal:
        position.parse_move(text)
    assert len(str(refusal.value)) < 300


@pytest.mark.parametrize("text", ["n1-n2", "n1-l5", "n1-n1", "d1-e5", "a1-q1", "i5-i6", "q1-p1", "pass"])
def test_illegal_move(text: str) -> None:
    position = start()
    with pytest.raises(IllegalMoveError, match="legal are n1-m5"):
        position.play(text)
    assert position.ply == 0


@pytest.mark.parametrize("move", [-1, 0, 1 << 14, RESIGN + 2, RESIGN + 6, 1 << 32, 121 << 7, 127 << 7 | 127,
                                  None, 1.5])
def test_numbers_that_are_no_moves(move: Any) -> None:
    position = start()
    with pytest.raises(IllegalMoveError):
        position.play(move)
    if move not in (1 << 14,):
        with pytest.raises(IllegalMoveError):
            position.path(move)
    assert position.ply == 0


@pytest.mark.parametrize(("options", "words"), [
    ({"players": 1}, "2 to 6"), ({"players": 7}, "2 to 6"), ({"players": "many"}, "2 to 6"),
    ({"pieces": 12}, "neither 10 nor 15"), ({"pieces": 20}, "10 to 15"),
    ({"pieces": 15, "players": 3}, "15 pieces are for 2 players, not for 3"),
    ({"turn_limit": 0}, "1 to 10000"), ({"stay_home": "perhaps"}, "neither true nor false"),
    ({"long_hop": True}, "long_hops"),
])
def test_bad_options(options: dict[str, object], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        start(**options)


def test_upper_case_and_blanks_in_moves_are_forgiven() -> None:
    position = start()
    position.play("  N1-M5 ")
    assert position.turn == 1
