"""Networks for alpha-beta: sums kept up to date, whole numbers, fits that find something."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import typer.main

import boyi
from boyi.agents.searching import all_algorithms, find_default, find_evaluator
from boyi.cli import build
from boyi.core.errors import BoyiError, OptionError
from boyi.core.searcher import Limits
from boyi.games import find_game
from boyi.kit.nnue import Net, NetError, NetEvaluator, pack
from boyi.search.alphabeta import AlphaBeta
from boyi.search.alphabeta_options import AlphaBetaOptions
from tests.cli import invoke
from tests.scale import scaled

np = pytest.importorskip("numpy", reason="training needs numpy: pip install 'boyi[learn]'")

from boyi.learn.fitting import positions, shards, sparse  # noqa: E402
from boyi.learn.fitting.net import (  # noqa: E402
    Data,
    Numbers,
    descend,
    fit,
    initialise,
    make_labels,
    round_off,
)
from boyi.learn.fitting.samples import (  # noqa: E402
    Samples,
    blank,
    facts,
    find_class,
    gather,
    gather_games,
    row_table,
)
from boyi.learn.fitting.settings import FOLDS, NetSettings, PositionSettings  # noqa: E402

GAMES = ("xiangqi", "jieqi", "liuzhou", "chinese_checkers")


SHOWN = (*((game, None) for game in GAMES), ("xiangqi", "xiangqi 4"))
"""All that networks are shown: by default, and otherwise."""


def scribbled(game: str, width: int = 32, seed: int = 1, base: bool = False, inputs: str | None = None) -> NetEvaluator:
    """An evaluator with a network of random numbers, as large as they may be after a fit."""
    kind = find_class(find_game(game))
    dice = np.random.default_rng(seed)
    numbers = b"".join(part.astype("<i2").tobytes() for part in (
        dice.integers(-90, 91, (kind.find_inputs(inputs).rows, width)), dice.integers(-90, 91, width),
        dice.integers(-127, 128, (kind.BUCKETS, 2 * width)), dice.integers(-5, 5, 2 * kind.BUCKETS) * 0))
    return kind(Net(facts(kind, width, base, 300.0, 300.0, inputs), numbers))


def wander(game: str, dice: random.Random, plies: int) -> boyi.Position:
    """A game in which moves, reveals and passes come and go as in a search."""
    position = boyi.start(game)
    for _ in range(plies):
        if position.turn == boyi.OVER:
            break
        position.play(dice.choice(position.moves()))
    return position


@pytest.mark.parametrize(("game", "inputs"), SHOWN)
@pytest.mark.parametrize("width", [16, 64, 256, 512])
def test_sums_kept_up_to_date_equal_sums_computed_anew(game: str, inputs: str | None, width: int) -> None:
    """Forwards, backwards, sideways and to another game altogether; chance and covered pieces included."""
    dice = random.Random(width)
    evaluator = scribbled(game, width, inputs=inputs)
    asked = 0
    for _ in range(scaled(200)):
        position = wander(game, dice, 0)
        for _ in range(60):
            if position.turn == boyi.OVER or (position.ply and dice.random() < 0.35):
                for _ in range(min(position.ply, dice.randrange(1, 4))):
                    position.undo()
            else:
                position.play(dice.choice(position.moves()))
            if position.turn >= 0 and dice.random() < 0.7 and position.outcome() is None:
                assert evaluator.value(position) == evaluator.fresh_value(position), position.to_text()
                asked += 1
    assert asked > scaled(1_000)


@pytest.mark.parametrize(("game", "inputs"), SHOWN)
def test_a_search_with_passes_asks_the_same(game: str, inputs: str | None) -> None:
    """After a whole search, with null moves and chance nodes in it, memories are still true."""
    evaluator = scribbled(game, inputs=inputs)
    position = wander(game, random.Random(5), 12)
    while position.turn < 0:
        position.play(position.moves()[0])
    algorithm = "expectimax" if position.game.has_chance else "alphabeta"
    seen = position.observe(position.turn)
    searcher = all_algorithms()[algorithm].searcher(evaluator, None)
    searcher.search(seen, Limits(nodes=scaled(30_000)))
    for move in seen.moves():
        seen.play(move)
        if seen.turn >= 0 and seen.outcome() is None:
            assert evaluator.value(seen) == evaluator.fresh_value(seen)
        seen.undo()


def redraw(board: str, points: Sequence[int], exchange: Mapping[str, str]) -> str:
    """A board in text, its points numbered as they are written, with each point put elsewhere and pieces exchanged."""
    rows = [[cell for token in re.findall(r"\d+|[A-Za-z]", row)
             for cell in ([""] * int(token) if token.isdigit() else [token])] for row in board.split("/")]
    cells = [cell for row in rows for cell in row]
    moved = dict(zip(points, cells, strict=True))
    lines, first = [], 0
    for row in rows:
        line = [exchange.get(moved[point], moved[point]) for point in range(first, first + len(row))]
        lines.append("".join(str(len(list(run))) if empty else "".join(run)
                             for empty, run in groupby(line, lambda cell: not cell)))
        first += len(row)
    return "/".join(lines)


def exchange_sides(position: boyi.Position) -> str:
    """The position with the colours exchanged, and turned where the sides start from different ends."""
    board, side, *rest = position.to_text().split()
    if position.game.name == "liuzhou":
        colours = {"b": "w", "w": "b", "B": "W", "W": "B"}
        return " ".join([redraw(board, range(36), colours), colours[side], *rest])
    if position.game.name == "chinese_checkers":
        colours = {"A": "D", "D": "A"}
        return " ".join([redraw(board, range(120, -1, -1), colours), colours[side], *rest])
    if position.game.name == "jieqi":
        rest[0], rest[-1] = rest[0].swapcase(), rest[-1].translate(str.maketrans("wb", "bw"))
        red = "".join(part for part in rest[0] if part)[len(rest[0]) // 2:]
        rest[0] = red + rest[0][:len(rest[0]) // 2]
    return " ".join(["/".join(reversed(board.split("/"))).swapcase(), "bw"["wb".index(side)], *rest])


@pytest.mark.parametrize(("game", "inputs"), SHOWN)
def test_both_seats_see_the_same(game: str, inputs: str | None) -> None:
    """Exchanging the colours changes nothing for any network."""
    evaluator = scribbled(game, inputs=inputs)
    dice = random.Random(4)
    asked = 0
    for _ in range(scaled(400)):
        position = wander(game, dice, dice.randrange(70))
        if position.turn < 0 or position.outcome() is not None or " clear " in position.to_text():
            continue                                     # only White clears a board of Liuzhou qi
        swapped = exchange_sides(position)
        other = position.game.parse(swapped, **position.options)
        assert evaluator.value(other) == evaluator.value(position), swapped
        asked += 1
    assert asked > scaled(200)


def rows_in(table: Any, evaluator: NetEvaluator, position: boyi.Position, image: int = 0) -> list[list[int]]:
    """The rows of the first layer that each seat adds up, in an image of the board."""
    codes = evaluator.codes(position)
    nothing = evaluator.inputs.rows
    return [sorted(row for place, code in enumerate(codes) if code
                   and (row := int(table[image, view, seat, place, code])) != nothing)
            for seat, view in enumerate(evaluator.views_of(position))]


@pytest.mark.parametrize(("game", "inputs"), SHOWN)
def test_images_lose_no_row(game: str, inputs: str | None) -> None:
    shown = find_class(find_game(game)).find_inputs(inputs)
    table = row_table(shown)
    assert len(table) == 1 + len(shown.images) > 1
    named = np.unique(table[0])
    assert named[-1] == shown.rows and len(named) > 0.9 * shown.rows
    for image in table:
        assert np.array_equal(np.unique(image), named)


def test_a_king_on_the_right_is_seen_in_a_mirror() -> None:
    """Rows of "xiangqi 4": the same for a position and its mirror image if neither king is in the middle."""
    evaluator = blank(find_class(find_game("xiangqi")), inputs="xiangqi 4")
    table = row_table(evaluator.inputs)
    position = boyi.parse("xiangqi", "3k5/9/9/3pp4/R8/9/6P2/9/4A4/3K5 w - - 0 1")
    mirrored = boyi.parse("xiangqi", "5k3/9/9/4pp3/8R/9/2P6/9/4A4/5K3 w - - 0 1")
    middle = boyi.parse("xiangqi", "3k5/9/9/3pp4/R8/9/6P2/9/4A4/4K4 w - - 0 1")
    assert evaluator.views_of(position) == (0, 0) and evaluator.views_of(mirrored) == (2, 2)
    assert rows_in(table, evaluator, position) == rows_in(table, evaluator, mirrored)
    assert not set(rows_in(table, evaluator, position)[0]) & {row for row in rows_in(table, evaluator, middle)[0]
                                                              if row < 6 * 1260}
    assert evaluator.views_of(boyi.parse("xiangqi", "9/4k4/9/9/9/9/9/3K5/9/9 w - - 0 1")) == (6, 4)


@pytest.mark.parametrize(("game", "inputs"), SHOWN[2:])
def test_the_image_of_a_row_is_the_row_of_the_image(game: str, inputs: str | None) -> None:
    kind = find_class(find_game(game))
    evaluator = blank(kind, inputs=inputs)
    table = row_table(evaluator.inputs)
    dice = random.Random(6)
    for _ in range(scaled(200)):
        position = wander(game, dice, dice.randrange(70))
        if position.turn < 0:
            continue
        board, *rest = position.to_text().split()
        if game == "xiangqi":
            symmetries: Any = [[9 * (point // 9) + 8 - point % 9 for point in range(90)]]
        else:
            symmetries = position.board.symmetries
        assert len(symmetries) == len(evaluator.inputs.images)
        for number, points in enumerate(symmetries, 1):
            image = position.game.parse(" ".join([redraw(board, points, {}), *rest]))
            assert rows_in(table, evaluator, position, number) == rows_in(table, evaluator, image), image.to_text()


def test_threads_remember_for_themselves() -> None:
    evaluator = scribbled("xiangqi")
    searcher = AlphaBeta(evaluator, AlphaBetaOptions(table_mb=1, threads=3))
    position = boyi.start("xiangqi")
    searcher.search(position, Limits(nodes=20_000))
    assert evaluator.value(position) == evaluator.fresh_value(position)
    other = evaluator.fork()
    assert other is not evaluator and other.net is evaluator.net and other.value(position) == evaluator.value(position)


@pytest.mark.parametrize("game", GAMES)
def test_the_shipped_network_is_what_its_card_says(game: str) -> None:
    folder = Path(boyi.__file__).parent / "games" / game
    data, card = (folder / "net.xz").read_bytes(), json.loads((folder / "net.json").read_text(encoding="utf-8"))
    assert hashlib.sha256(data).hexdigest() == card["sha256"] and len(data) == card["bytes"] < 2_000_000
    net = Net.read(data)
    assert net.width == card["fitted"]["width"]
    evaluator = find_game(game).evaluators["net"]()
    # Neither side is far ahead at the start: 62 % at the most.
    assert isinstance(evaluator, NetEvaluator) and abs(evaluator.value(boyi.start(game))) < evaluator.scale / 2


@pytest.mark.parametrize("game", GAMES)
def test_the_command_on_a_card_is_how_its_network_was_made(game: str) -> None:
    """It is understood by the command line of today, and says what the card says."""
    folder = Path(boyi.__file__).parent / "games" / game
    card = json.loads((folder / "net.json").read_text(encoding="utf-8"))
    words = shlex.split(card["command"])
    assert words[0] == "boyi"
    command: Any = typer.main.get_command(build())
    for word in words[1:3]:
        command = command.commands[word]
    said = command.make_context("evaluator", words[3:]).params
    fitted = NetSettings(width=said["width"], base=not said["alone"], rounds=said["rounds"], rate=said["rate"],
                         decay=said["decay"], share=said["share"], imitated=said["imitated"], fold=said["fold"],
                         inputs=said["inputs"], batch=said["batch"] or NetSettings.batch, threads=said["threads"],
                         seed=said["seed"])
    # What was not yet a setting when the card was written was as it is by default.
    assert said["name"] == game and asdict(fitted) == {**asdict(NetSettings()), **card["fitted"]}
    if said["positions"]:
        again = [shlex.split(each) for each in card["positions"]]
        assert len(again) == len(said["positions"]) == len(card["played"])
        for each, played in zip(again, card["played"], strict=True):
            more = typer.main.get_command(build()).commands["learn"].commands["positions"]      # type: ignore[attr-defined]
            told = more.make_context("positions", each[3:]).params
            settings, _ = positions.parse_set(told["more"], PositionSettings(game=game), 1)
            assert told["games"] == played["games"]
            assert asdict(settings) == {**asdict(PositionSettings(game=game)), **{
                name: value for name, value in played.items() if name in asdict(settings)}}
        return
    usual = PositionSettings(game=game, evaluator=said["player"], seed=said["seed"])
    assert said["nodes"] is said["games"] is None            # every set says them
    sets = [positions.parse_set(text, usual, 0) for text in said["sets"]]
    unsaid = asdict(PositionSettings(game=game))
    told = [{**unsaid, **played} for played in card["played"]]
    assert [{**asdict(one), "games": games} for one, games in sets] == told


def test_the_net_plays_between_two() -> None:
    for name in GAMES:
        game = find_game(name)
        by_hand = "race" if name == "chinese_checkers" else "hand"
        assert next(iter(game.evaluators)) == by_hand
        assert game.strongest == "net"
        searcher = find_default(game.start()).make(game, {})
        assert isinstance(searcher.evaluator, NetEvaluator)   # type: ignore[attr-defined]


# ---------------------------------------------------------------------- fitting

def tiny(folder: Path, game: str = "xiangqi") -> PositionSettings:
    settings = PositionSettings(game=game, nodes=60, longest=60, seed=3)
    positions.gather(folder, settings, 100)
    return settings


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("positions")
    tiny(made)
    return made


def test_positions_are_quiet_and_repeatable(folder: Path, tmp_path: Path) -> None:
    settings = PositionSettings(game="xiangqi", nodes=60, longest=60, seed=3)
    kept = list(positions.read(folder))
    player = positions.Player(settings)
    played = [player.play(number) for number in range(8)]
    assert [one for one in kept if one.game == 7] == list(positions.replay(player.game, played[7]))
    for one in kept[::50]:
        position = boyi.parse("xiangqi", one.text)
        assert not position.checked and abs(one.value) < 28_000 and one.result in (-1, 0, 1)
    before = (folder / "shard-00000.games").stat().st_mtime_ns
    positions.gather(folder, settings, 50)                       # there already
    assert (folder / "shard-00000.games").stat().st_mtime_ns == before
    with pytest.raises(BoyiError, match="other settings"):
        positions.gather(folder, replace(settings, nodes=61), 50)
    with pytest.raises(BoyiError, match="no positions"):
        list(positions.read(tmp_path))


def test_sets_are_joined_and_their_games_kept_apart(folder: Path, tmp_path: Path) -> None:
    settings = PositionSettings(game="xiangqi", nodes=30, longest=30, decided=700, seed=3)
    positions.gather(tmp_path, settings, 100)
    joined = list(positions.read_sets([(folder, 100), (tmp_path, 40)]))
    first, second = list(positions.read(folder)), list(positions.read(tmp_path, 40))
    assert joined[:len(first)] == first
    assert [(one.text, one.value, one.result) for one in joined[len(first):]] == [
        (one.text, one.value, one.result) for one in second]
    assert {one.game for one in joined[len(first):]}.isdisjoint(one.game for one in first)
    # What is held out of a set is the same with or without the other.
    assert [one.game % FOLDS for one in joined] == [one.game % FOLDS for one in first + second]
    samples = gather(find_game("xiangqi"), joined)
    assert len(np.unique(samples.games)) == len({one.game for one in first}) + len({one.game for one in second})
    assert_same(samples, gather_games(find_game("xiangqi"), [(folder, 100), (tmp_path, 40)]))


def assert_same(one: Samples, other: Samples) -> None:
    for name in ("games", "codes", "facts", "labels"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.mark.parametrize(("game", "inputs"), SHOWN)
@pytest.mark.parametrize("imitated", [0, 2])
def test_samples_are_the_same_from_texts_in_memory_and_on_disk(game: str, inputs: str | None, imitated: int,
                                                               tmp_path: Path) -> None:
    settings = PositionSettings(game=game, nodes=20, longest=60, decided=20_000, endings=40, loose=20,
                                games_per_shard=25, seed=5)
    positions.gather(tmp_path / "games", settings, 50)
    folders = [(tmp_path / "games", None)]
    memory = gather_games(find_game(game), folders, imitated, inputs)
    disk = gather_games(find_game(game), folders, imitated, inputs, scratch=tmp_path / "arrays")
    assert isinstance(disk.codes, np.memmap) and not isinstance(memory.codes, np.memmap)
    assert_same(memory, disk)
    assert memory.imitated.any() == bool(imitated)
    kept = np.flatnonzero(~memory.imitated)
    assert_same(Samples(memory.games[kept], memory.codes[kept], memory.facts[kept], memory.labels[kept]),
                gather(find_game(game), positions.read(tmp_path / "games"), inputs))
    assert len(memory) <= (1 + imitated) * len(kept)


@pytest.mark.parametrize(("game", "told"), [("xiangqi", "not legal"), ("tic_tac_toe", "no player acts")])
def test_games_that_cannot_be_are_refused(game: str, told: str, tmp_path: Path) -> None:
    """A move that is none, and a position that is kept after the end."""
    position = find_game(game).start()
    while position.turn >= 0 and game == "tic_tac_toe":
        position.play(position.moves()[0])
    moves = (*position.history(), 0xFFFF)
    one = shards.LabelledGame(0, 0, "", 0, moves, (0,) * len(moves), (False,) * (len(moves) - 1) + (True,))
    shards.write(shards.path_of(tmp_path, 0), {"settings": {"game": game}}, [one])
    with pytest.raises(BoyiError, match=told):
        gather_games(find_game(game), [(tmp_path, None)])


def test_a_set_is_said_in_words() -> None:
    usual = PositionSettings(game="jieqi", nodes=300, seed=4)
    assert positions.parse_set("games=20,nodes=1500,decided=1500", usual, 7) == (
        replace(usual, nodes=1500, decided=1500), 20)
    assert positions.parse_set("evaluator=net", usual, 7) == (replace(usual, evaluator="net"), 7)
    for wrong, told in (("games=0", "from 1"), ("nodes=-3", "whole number"), ("nodes=0", "at least 1"),
                        ("node=3", "nodes"), ("nodes=3,nodes=4", "twice"), ("evaluator=", "name"), ("", "games"),
                        ("game=xiangqi", "games"), ("nodes=\u0663", "whole number")):
        with pytest.raises(BoyiError, match=told):
            positions.parse_set(wrong, usual, 7)


def test_gradients_are_those_of_the_loss() -> None:
    """Each slope against the difference that a small step makes."""
    dice = np.random.default_rng(3)
    width, places = 144, 4                     # eight vectors at a time, and one more
    codes = dice.integers(0, 3, (6, places)).astype(np.uint8)
    table = np.full((2, 2, 2, places, 32), 8, np.uint16)
    table[..., 1:3] = dice.integers(0, 9, (2, 2, 2, places, 2))
    about = np.stack([dice.integers(0, 2, 6) for _ in range(5)], axis=1).astype(np.uint8)
    bases, labels = dice.normal(0, 1, 6).astype(np.float32), dice.random(6).astype(np.float32)
    parts = [part.astype(np.float32) for part in (
        dice.normal(0, 0.2, (9, width)), dice.normal(0.3, 0.1, width), dice.normal(0, 0.3, (2, 2 * width)),
        dice.normal(0, 1, 2))]
    parts[0][-1] = 0
    chosen, turned = np.arange(6, dtype=np.int32), dice.integers(0, 2, 6).astype(np.uint8)
    sparse.check(codes, about, table, bases, labels, parts[0], parts[2])

    def loss_of(weights: list[Any]) -> tuple[float, list[Any]]:
        gradients = [np.zeros_like(part) for part in weights]
        return sparse.step(codes, about, table, bases, labels, chosen, turned, *weights, *gradients), gradients

    before, gradients = loss_of(parts)
    for number, part in enumerate(parts):
        for place in list(np.ndindex(part.shape))[::7]:
            if number == 0 and place[0] == 8:
                continue                       # the row of zeros
            stepped = [other.copy() for other in parts]
            stepped[number][place] += 1e-2
            back = [other.copy() for other in parts]
            back[number][place] -= 1e-2
            gradient = (loss_of(stepped)[0] - loss_of(back)[0]) / 2e-2
            assert gradient == pytest.approx(float(gradients[number][place]), abs=5e-3), (number, place)
    assert before > 0


def test_rows_that_are_alike_learn_together(folder: Path) -> None:
    """Each row of "xiangqi 4" is what it shares with the same piece under other kings, and what is its own."""
    inputs = find_class(find_game("xiangqi")).find_inputs("xiangqi 4")
    plain = find_class(find_game("xiangqi")).find_inputs()
    assert set(inputs.alike) == set(range(plain.rows)) and len(inputs.alike) == inputs.rows
    for view in (0, 4, 8):                     # the king on the left, in the middle, on the right
        for one, other in zip(inputs.views[view][0], plain.views[0][0], strict=True):
            for row, same in zip(one, other, strict=True):
                assert row is None or view == 8 or inputs.alike[row] == same
    rows = np.arange(12, dtype=np.float32).reshape(3, 4).repeat(4, axis=1)
    alike, shared = np.array([1, 0, 1], np.int32), np.ones((2, 16), np.float32)
    sparse.gather_alike(rows, alike, shared)
    assert np.array_equal(shared, [1 + rows[1], 1 + rows[0] + rows[2]])
    joined = np.empty_like(rows)
    sparse.join_alike(rows, shared, alike, joined)
    assert np.array_equal(joined, rows + shared[alike])
    with pytest.raises(ValueError, match="alike with 2 of 2"):
        sparse.join_alike(rows, shared, np.array([1, 0, 2], np.int32), joined)
    # Few positions: what is learnt under one king must serve under the others.
    data = gather(find_game("xiangqi"), positions.read(folder), "xiangqi 4")
    numbers = initialise(inputs, 4, NetSettings(width=16), np.random.default_rng(1))
    before = numbers.first.copy()
    descend(Data(data, row_table(inputs), np.zeros(len(data), np.float32), make_labels(data, 300.0, 0.0)),
            np.arange(len(data)), numbers, NetSettings(width=16, rounds=1, batch=256), np.random.default_rng(1),
            lambda loss: None)
    assert numbers.own is not None and numbers.shared is not None and numbers.alike is not None
    assert np.array_equal(numbers.first, numbers.own + numbers.shared[numbers.alike])
    unseen = np.flatnonzero(np.abs(numbers.own).sum(axis=1) == 0)
    moved = np.abs(numbers.first - before)[unseen].sum(axis=1) > 0
    assert len(unseen) > 1_000 and moved.mean() > 0.5 and not numbers.first[-1].any()


@pytest.mark.parametrize("base", [False, True])
def test_a_fit_learns_and_rounding_loses_little(folder: Path, base: bool) -> None:
    game = find_game("xiangqi")
    samples = gather(game, positions.read(folder))
    settings = NetSettings(width=16, rounds=12, batch=256, base=base, rate=0.01, decay=0.01)
    losses = []
    data, report = fit(find_class(game), samples, settings,
                       lambda done, fitted, held_out: losses.append(fitted))
    assert losses[-1] < losses[0] * 0.9
    assert abs(report.loss_rounded - report.loss_fitted) < 0.1 * report.loss_fitted
    again, _ = fit(find_class(game), samples, settings)
    assert again == data                                       # the same positions and settings: the same file
    evaluator = find_class(game)(Net.read(data))
    assert (evaluator.base is not None) == base
    # What the evaluator says is what was fitted, but for rounding.
    texts = [one.text for one in positions.read(folder)][::40]
    labels = [one.value for one in positions.read(folder)][::40]
    said = [evaluator.value(game.parse(text)) for text in texts]
    assert np.corrcoef(said, labels)[0, 1] > 0.6


@pytest.mark.parametrize("inputs", [None, "xiangqi 4"])
def test_inputs_of_samples_are_what_the_evaluator_adds_up(folder: Path, inputs: str | None) -> None:
    """`values` on the samples = `fresh_value` of the evaluator: trainer and player read positions alike."""
    game = find_game("xiangqi")
    kind = find_class(game)
    evaluator = scribbled("xiangqi", inputs=inputs)
    labelled = list(positions.read(folder))
    samples = gather(game, labelled, inputs)
    width = evaluator.net.width
    dice = np.random.default_rng(1)
    first = dice.integers(-90, 91, (evaluator.inputs.rows, width))
    start = dice.integers(-90, 91, width)
    last = dice.integers(-127, 128, (kind.BUCKETS, 2 * width))
    numbers = Numbers(np.vstack([first, np.zeros((1, width))]) / 255, start / 255, last / 64, np.zeros(kind.BUCKETS))
    out = np.empty(len(samples.games), np.float32)
    parts = tuple(np.ascontiguousarray(part, np.float32) for part in numbers.parts())
    sparse.values(samples.codes, samples.facts, row_table(evaluator.inputs), np.zeros(len(samples), np.float32),
                  np.arange(len(samples), dtype=np.int32), parts[0], parts[1], parts[2], parts[3], out)
    seen, number = set(), 0
    for one in labelled:
        position = game.parse(one.text)
        if position.fingerprint in seen:
            continue
        seen.add(position.fingerprint)
        if number % 20 == 0:
            assert evaluator.value(position) == pytest.approx(300 * out[number], abs=2)
        number += 1
    assert number == len(out)


def test_rounded_numbers_stay_within_their_bits() -> None:
    rounded = round_off(Numbers(np.full((3, 16), 50.0), np.full(16, -50.0), np.full((1, 32), 9.0), np.zeros(1)), 1.0)
    assert rounded.first.max() * 32 + 3000 < 32768 and rounded.start.min() >= -3000 and rounded.last.max() == 127


# ---------------------------------------------------------------------- files and refusals

def test_a_network_for_something_else_is_refused(tmp_path: Path) -> None:
    xiangqi, jieqi = scribbled("xiangqi"), find_class(find_game("jieqi"))
    with pytest.raises(NetError, match="xiangqi"):
        jieqi(xiangqi.net)
    for data in (b"", b"nonsense", pack({"width": 16}, b"")):
        with pytest.raises(NetError):
            Net.read(data)
    with pytest.raises(NetError, match="bytes"):
        Net(facts(jieqi, 16, False, 300.0, 300.0), b"\0" * 8)
    with pytest.raises(OptionError, match="cannot be read"):
        find_evaluator(find_game("xiangqi"), {"evaluator": "net", "weights": str(tmp_path / "none.xz")})


def test_an_agent_takes_a_network_from_a_file(tmp_path: Path) -> None:
    kind = find_class(find_game("xiangqi"))
    numbers = bytes(2 * (kind.ROWS * 16 + 16 + kind.BUCKETS * 34))
    path = tmp_path / "level.xz"
    path.write_bytes(pack(facts(kind, 16, False, 300.0, 300.0), numbers))
    evaluator = find_evaluator(find_game("xiangqi"), {"evaluator": "net", "weights": str(path)})
    assert evaluator is not None and evaluator.value(boyi.start("xiangqi")) == 0
    assert blank(kind).value(boyi.start("xiangqi")) != 0         # its base


@pytest.mark.slow
def test_the_command_plays_fits_and_writes(tmp_path: Path) -> None:
    arguments = ("learn", "evaluator", "xiangqi", str(tmp_path / "net.xz"), "-n", "100", "--nodes", "40",
                 "--width", "16", "--rounds", "2", "--json")
    report = invoke(*arguments).json
    assert report["positions"] > 1_000 and report["loss_rounded"] > 0
    data = (tmp_path / "net.xz").read_bytes()
    assert invoke(*arguments).json["positions"] == report["positions"]
    assert (tmp_path / "net.xz").read_bytes() == data
    # The card's command, made explicit, makes the same file; two sets lie in folders of their own.
    card = json.loads((tmp_path / "net.json").read_text(encoding="utf-8"))
    again = tmp_path / "again"
    again.mkdir()
    words = shlex.split(card["command"])[1:]
    words[words.index("net.xz")] = str(again / "net.xz")
    invoke(*words)
    assert (again / "net.xz").read_bytes() == data
    invoke(*words, "--set", "games=100,nodes=20,longest=20")
    assert sorted(path.parent.name for path in (again / "positions").glob("*/settings.json")) == ["1", "2"]
    assert (again / "net.xz").read_bytes() != data
    invoke(*arguments, "--correcting")           # which has nothing to imitate, and does not say that it did
    assert json.loads((tmp_path / "net.json").read_text(encoding="utf-8"))["fitted"]["imitated"] == 0
