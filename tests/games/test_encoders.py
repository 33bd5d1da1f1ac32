"""What networks see: the right stones on the right planes, a name for every move, images, and no secrets."""

from __future__ import annotations

import cmath
import math
import random
from collections.abc import Iterable, Iterator

import pytest

import boyi
from boyi.core.board_encoder import MOST_INDICES, BoardEncoder
from boyi.core.encoder import Encoder, PythonEncoder
from boyi.core.errors import IllegalMoveError, TextError
from boyi.core.position import CHANCE, Position
from tests.scale import scaled
from tests.toys import TOYS, find_game_or_toy

VARIANTS: list[tuple[str, dict[str, object]]] = [
    ("othello", {}), ("liuzhou", {}), ("liuzhou", {"rules": "reference"}), ("xiangqi", {}), ("jieqi", {}),
    ("jieqi", {"captures": "nobody"}), ("tic_tac_toe", {}), ("line", {}), ("race", {"players": 3}), ("cards", {}),
    ("chinese_checkers", {"pieces": 15}), ("chinese_checkers", {"long_hops": True}),
]
VARIANTS += [("chinese_checkers", {"players": players}) for players in range(2, 7)]
SELDOM: list[tuple[str, dict[str, object]]] = [
    ("chinese_checkers", {"players": players}) for players in (2, 4, 5)]
"""Of the numbers of players, three and six are tried every day."""


def asked_of(variants: Iterable[tuple[str, dict[str, object]]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("name", "rules"), [
        pytest.param(name, rules, id="-".join(map(str, (name, *rules.values()))),
                     marks=pytest.mark.slow if (name, rules) in SELDOM else ()) for name, rules in variants])


def encoder_of(position: Position) -> Encoder:
    return position.game.make_encoder(position.options)


def random_game(name: str, rules: dict[str, object], seed: int, plies: int = 150) -> Iterator[Position]:
    """The positions of a game in which a player acts."""
    choose = random.Random(seed)
    position = find_game_or_toy(name).start(**rules)
    for _ in range(plies):
        if position.outcome() is not None:
            break
        if position.turn >= 0:
            yield position
        position.play(choose.choice(position.moves()))


@asked_of(VARIANTS)
def test_every_move_has_a_name_of_its_own(name: str, rules: dict[str, object]) -> None:
    encoder = encoder_of(find_game_or_toy(name).start(**rules))
    assert encoder.size == encoder.planes * encoder.points + encoder.scalars and encoder.version >= 1
    for seed in range(scaled(40, 20)):
        for position in random_game(name, rules, seed):
            names = [encoder.policy_index(position, move) for move in position.moves()]
            assert len(set(names)) == len(names), position
            assert min(names) >= 0 and max(names) < encoder.policy_size
            features = encoder.features(position)
            assert len(features) == encoder.size and min(features) >= 0 and max(features) <= 1


@asked_of(VARIANTS)
def test_names_and_meanings(name: str, rules: dict[str, object]) -> None:
    """No two names mean the same, and what a name means is what the move does."""
    start = find_game_or_toy(name).start(**rules)
    encoder = encoder_of(start)
    meanings = [encoder.meaning(index) for index in range(encoder.policy_size)]
    assert len(set(meanings)) == len(meanings)
    for position in random_game(name, rules, 1, 60):
        for move in position.moves():
            path = [position.board.index[point] for point in position.path(move)]
            _, points = encoder.meaning(encoder.policy_index(position, move))
            touched = (path[0], path[-1]) if len(path) > 1 else tuple(path)
            assert [seen_from(position, point) for point in touched] == list(points)


def seen_from(position: Position, point: int) -> int:
    """Where the player to act sees a point: at the place it has once the board is turned to bring him to the bottom."""
    board = position.board
    if position.game.name in ("xiangqi", "jieqi"):
        rank, file = divmod(point, 9)
        return 9 * (9 - rank if position.turn == 1 else rank) + file
    if position.game.name != "chinese_checkers":
        return point
    # By the picture: turn its coordinates around the centre and see which point is there.
    places = [complex(place.x, place.y) for place in board.points]
    middle = sum(places) / len(places)
    turned = middle + (places[point] - middle) * cmath.exp(1j * math.radians(board.rotations[position.turn]))
    return min(range(len(places)), key=lambda number: abs(places[number] - turned))


GLYPHS = {
    "othello": ("X", "O"), "xiangqi": ("KABNRCP", "kabnrcp"), "jieqi": ("KABNRCPX", "kabnrcpx"),
    "chinese_checkers": tuple("ABCDEF"), "tic_tac_toe": ("X", "O"),
}


@asked_of(variant for variant in VARIANTS if variant[0] in GLYPHS)
def test_planes_show_the_stones(name: str, rules: dict[str, object]) -> None:
    """Per player, in order of play from the one to act, and per kind: where the stones stand as he sees them."""
    encoder = encoder_of(find_game_or_toy(name).start(**rules))
    for position in random_game(name, rules, 2, 80):
        features = encoder.features(position)
        kinds = GLYPHS[name]
        if name == "chinese_checkers":
            kinds = tuple(glyph.code for glyph in position.board.glyphs.values())
        expected = [0.0] * (len("".join(kinds)) * encoder.points)
        for stone in position.stones():
            seat = next(seat for seat, codes in enumerate(kinds) if stone.glyph in codes)
            plane = (seat - position.turn) % len(kinds) * len(kinds[0]) + kinds[seat].index(stone.glyph)
            expected[plane * encoder.points + seen_from(position, position.board.index[stone.point])] = 1.0
        assert features[:len(expected)] == expected


def test_liuzhou_planes() -> None:
    encoder = encoder_of(boyi.start("liuzhou"))
    seen = set()
    for seed in range(scaled(100)):
        for position in random_game("liuzhou", {}, seed):
            features = encoder.features(position)
            stones = {stone.point: stone.glyph for stone in position.stones()}
            own, other = ("b", "w") if position.turn == 0 else ("w", "b")
            for plane, glyph in ((0, own), (1, own.upper()), (3, other), (4, other.upper())):
                shown = {position.board.points[point].name for point in range(36) if features[36 * plane + point]}
                assert shown == {point for point, code in stones.items() if code == glyph}
            for plane, glyph in ((2, own), (5, other)):
                guarded = {point for point in range(36) if features[36 * plane + point]}
                standing = {position.board.index[point] for point, code in stones.items() if code == glyph}
                shapes = [{p, p + 1, p + 6, p + 7} for p in range(29) if p % 6 < 5]
                shapes += [{6 * i + j for j in range(6)} for i in range(6)]
                shapes += [{i + 6 * j for j in range(6)} for i in range(6)]
                assert guarded == {point for shape in shapes if shape <= standing for point in shape}
            phases = features[216:223]
            assert sorted(phases) == [0] * 6 + [1] and features[224] == (position.turn == 0)
            seen.add(phases.index(1))
    assert seen == set(range(7))


def images_of(name: str, rules: dict[str, object]) -> int:
    return {"othello": 7, "liuzhou": 7, "xiangqi": 1, "jieqi": 1, "tic_tac_toe": 7}.get(
        name, 1 if name == "chinese_checkers" and rules.get("players", 2) == 2 else 0)


@asked_of(VARIANTS)
def test_images(name: str, rules: dict[str, object]) -> None:
    """A game and its image, played side by side: features and names change places as the symmetry says."""
    encoder = encoder_of(find_game_or_toy(name).start(**rules))
    symmetries = encoder.symmetries()
    if name not in TOYS:
        assert len(symmetries) == images_of(name, rules)
    for number, (symmetry, image) in enumerate(zip(symmetries, encoder.point_symmetries(), strict=True)):
        assert sorted(symmetry.features) == list(range(encoder.size))
        assert sorted(symmetry.policy) == list(range(encoder.policy_size))
        twin = find_game_or_toy(name).start(**rules)
        if name == "othello":
            stones = {stone.point: stone.glyph for stone in twin.stones()}
            points = [point.name for point in twin.board.points]
            cells = ["-"] * 64
            for point, glyph in stones.items():
                cells[image[points.index(point)]] = glyph
            twin = twin.game.parse("".join(cells) + " X")
        replay = find_game_or_toy(name).start(**rules)
        for position in random_game(name, rules, number, 60):
            while twin.ply < position.ply:
                move = position.history()[twin.ply]
                twin.play(images(replay, twin, image)[move])
                replay.play(move)
            features, there = encoder.features(position), encoder.features(twin)
            assert [there[symmetry.features[i]] for i in range(encoder.size)] == features
            for move, other in images(position, twin, image).items():
                assert encoder.policy_index(twin, other) == symmetry.policy[encoder.policy_index(position, move)]


def images(position: Position, twin: Position, image: tuple[int, ...]) -> dict[int, int]:
    """The legal moves here, and for each what it is in the image; chance gives the same in both."""
    if position.turn == CHANCE:
        return {move: move for move in position.moves()}
    points, index = position.board.points, position.board.index
    there = {ends(twin.path(move)): move for move in twin.moves()}
    found = {move: there[ends(tuple(points[image[index[point]]].name for point in position.path(move)))]
             for move in position.moves()}
    assert len(there) == len(twin.moves()) == len(set(found.values()))
    return found


def ends(path: tuple[str, ...]) -> tuple[str, ...]:
    return path[:1] + path[-1:]


# ------------------------------------------------------------------ secrets

@pytest.mark.parametrize("captures", ["captor", "nobody", "both"])
def test_jieqi_shows_what_the_player_knows(captures: str) -> None:
    """The referee's position is encoded as the observation of the player to act."""
    encoder = encoder_of(boyi.start("jieqi"))
    shown = 0
    for seed in range(scaled(100, 20)):
        for position in random_game("jieqi", {"captures": captures}, seed, 200):
            observation = position.observe(position.turn)
            features = encoder.features(position)
            assert features == encoder.features(observation)
            planes = encoder.planes * encoder.points
            pools = [observation.pool(player) for player in (position.turn, 1 - position.turn)]  # type: ignore[attr-defined]
            assert features[planes:planes + 12] == pytest.approx(
                [pool[letter] / (5 if letter == "P" else 2) for pool in pools for letter in "RACPNB"])
            shown += position.pool(0) != observation.pool(0)  # type: ignore[attr-defined]
    assert (shown > 0) == (captures != "both")


def test_what_is_hidden_changes_nothing() -> None:
    """Two games that differ only in what the other side was shown look the same to this side, not to the other."""
    encoder = encoder_of(boyi.start("jieqi"))
    compared = 0
    for seed in range(scaled(200, 20)):
        choose = random.Random(seed)
        position = boyi.start("jieqi")
        while position.outcome() is None and position.ply < 150:
            moves = position.moves()
            if position.turn == CHANCE and not position.path(moves[0]) and len(moves) > 1:
                one, other = position.copy(), position.copy()
                one.play(moves[0])
                other.play(moves[1])
                captor = 1 - one.turn
                if one.outcome() is None:
                    assert encoder.features(one) == encoder.features(other)
                    assert encoder.features(one.observe(one.turn)) == encoder.features(other.observe(other.turn))
                    replies = sorted(set(one.moves()) & set(other.moves()))
                    for game in (one, other):
                        game.play(replies[0])
                        while game.turn == CHANCE:
                            game.play(max(game.moves()))
                    if one.turn == other.turn == captor and one.to_text().split()[0] == other.to_text().split()[0]:
                        assert encoder.features(one) != encoder.features(other)
                        compared += 1
            position.play(choose.choice(moves))
    assert compared


def test_search_from_one_view_keeps_to_it() -> None:
    """In a player's own position, the opponent's turns are encoded with what that player knows."""
    encoder = encoder_of(boyi.start("jieqi"))
    for position in random_game("jieqi", {}, 5, 120):
        observation = position.observe(position.turn)
        observation.play(observation.moves()[0])
        while observation.turn == CHANCE:
            observation.play(observation.moves()[0])
        if observation.outcome() is None:
            features = encoder.features(observation)
            planes = encoder.planes * encoder.points
            pools = [observation.pool(player) for player in (observation.turn, 1 - observation.turn)]  # type: ignore[attr-defined]
            assert features[planes:planes + 12] == pytest.approx(
                [pool[letter] / (5 if letter == "P" else 2) for pool in pools for letter in "RACPNB"])


# ------------------------------------------------------------------ the encoder of games that bring none

def test_stones_are_seen_without_an_encoder() -> None:
    position = boyi.start("tic_tac_toe")
    encoder = encoder_of(position)
    assert isinstance(encoder, BoardEncoder) and encoder.policy_size == 1 + 9 + 81 < MOST_INDICES
    position.play("a1")
    position.play("b2")
    assert encoder.features(position) == [1.0] + [0.0] * 8 + [0.0] * 4 + [1.0] + [0.0] * 4 + [1.0, 0.0]
    position.play("c3")
    assert encoder.features(position)[:9] == [0.0] * 4 + [1.0] + [0.0] * 4
    with pytest.raises(TextError, match="was made for tic_tac_toe"):
        encoder.features(find_game_or_toy("line").start())


def test_refusals() -> None:
    othello = encoder_of(boyi.start("othello"))
    with pytest.raises(TextError, match="does not know xiangqi"):
        othello.features(boyi.start("xiangqi"))
    with pytest.raises(TextError, match="for 2 players, and here are 3"):
        encoder_of(boyi.start("chinese_checkers")).features(boyi.start("chinese_checkers", players=3))
    with pytest.raises(IllegalMoveError, match="is not legal"):
        othello.policy_index(boyi.start("othello"), 0)
    with pytest.raises(TextError, match="no player acts"):
        encoder_of(find_game_or_toy("race").start()).features(find_game_or_toy("race").start())


class Careless(PythonEncoder):
    """Gives what it was told to give."""

    def __init__(self, count: int, index: int) -> None:
        super().__init__(version=1, players=2, planes=1, points=9, scalars=0, policy_size=9)
        self.count, self.index = count, index

    def look(self, position: Position) -> list[float]:
        return [0.0] * self.count

    def name(self, position: Position, move: int) -> int:
        return self.index


def test_what_python_answers_is_checked() -> None:
    position = boyi.start("tic_tac_toe")
    with pytest.raises(RuntimeError, match="fewer than 9 numbers"):
        Careless(8, 0).features(position)
    with pytest.raises(RuntimeError, match="more than 9 numbers"):
        Careless(10, 0).features(position)
    with pytest.raises(RuntimeError, match="9 is not from 0 to 8"):
        Careless(9, 9).policy_index(position, 0)
