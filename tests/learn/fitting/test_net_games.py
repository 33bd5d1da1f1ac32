"""The networks of Liuzhou qi and Chinese checkers: what they are shown, whom they refuse, a small fit."""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from pathlib import Path

import pytest

import boyi
from boyi.agents.searching import find_evaluator
from boyi.core.errors import BoyiError, OptionError, TextError
from boyi.games import find_game
from boyi.games.chinese_checkers.net import ChineseCheckersNet
from boyi.games.liuzhou.net import LiuzhouNet
from boyi.kit import nnue
from boyi.kit.nnue import Net, NetError, pack
from tests.cli import invoke
from tests.learn.fitting.test_net import scribbled, wander
from tests.scale import scaled

np = pytest.importorskip("numpy", reason="training needs numpy: pip install 'boyi[learn]'")

from boyi.learn.fitting import positions, sparse  # noqa: E402
from boyi.learn.fitting.net import Numbers, check_sums, round_off  # noqa: E402
from boyi.learn.fitting.samples import blank, facts, find_class, row_table  # noqa: E402
from boyi.learn.fitting.settings import PositionSettings  # noqa: E402

GAMES = ("liuzhou", "chinese_checkers")


# ---------------------------------------------------------------------- what they are shown

def shown(text: str) -> bytes:
    return blank(LiuzhouNet).codes(boyi.parse("liuzhou", text))


def test_liuzhou_is_shown_stones_marks_and_squares() -> None:
    codes = shown("bb4/bB4/wwwww1/1W4/6/6 b place 0 12 0")
    assert list(codes[:14]) == [1, 1, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 2, 2] and codes[19] == 4
    squares = codes[36:61]
    plain = shown("bb4/bb4/wwwww1/1w4/6/6 b mark 1 12 0")[36:61]
    assert plain[0] == 4 and plain[1] == 2 and plain[5] == 2 + 5 * 2 and plain[24] == 0
    assert squares[0] > 20 and squares[1] > 20 and squares[3] == 0       # a marked stone is among them


def test_liuzhou_is_shown_the_phase_and_what_is_pending() -> None:
    board = "bb4/bb4/wwwww1/1w4/6/6"
    seen = {text: tuple(shown(f"{board} {text}")[81:83]) for text in (
        "b place 0 12 0", "w place 0 12 0", "b mark 1 12 0", "b mark 2 12 0", "w mark 1 12 0", "b move 0 40 0",
        "b capture 1 40 0", "b capture 3 40 0", "w capture 3 40 0", "b counter 0 40 0")}
    assert len(set(seen.values())) == len(seen), seen


def test_liuzhou_takes_other_last_layers_in_other_phases() -> None:
    evaluator = blank(LiuzhouNet)
    dice = random.Random(2)
    taken = {evaluator.bucket_of(position) for position in (wander("liuzhou", dice, dice.randrange(140))
                                                            for _ in range(150)) if position.turn >= 0}
    assert len(taken) >= 6 and taken <= set(range(LiuzhouNet.BUCKETS))


def test_chinese_checkers_is_shown_pieces_and_hops() -> None:
    evaluator = blank(ChineseCheckersNet)
    start = boyi.start("chinese_checkers")
    codes = evaluator.codes(start)
    assert codes[:10] == bytes([2] * 10) and codes[111:121] == bytes([1] * 10) and codes[10:111] == bytes(101)
    assert codes[121:123] == codes[123:125] and codes[121] > 0           # hops are ready, and for both the same
    assert evaluator.bucket_of(start) == 3


# ---------------------------------------------------------------------- whole numbers

@pytest.mark.parametrize("game", GAMES)
def test_rounding_to_whole_numbers_changes_values_little(game: str) -> None:
    """A network in floating point, and the same one as it plays."""
    kind = find_class(find_game(game))
    dice = np.random.default_rng(5)
    width, scale = 32, 300.0
    first = np.vstack([dice.normal(0, 0.1, (kind.ROWS, width)), np.zeros((1, width))]).astype(np.float32)
    numbers = Numbers(first, np.full(width, 0.25, np.float32),
                      dice.normal(0, 0.3, (kind.BUCKETS, 2 * width)).astype(np.float32),
                      dice.normal(0, 0.3, kind.BUCKETS).astype(np.float32))
    stretch = sparse.LARGEST_LAST / float(np.abs(numbers.last).max())
    rounded = round_off(numbers, stretch)
    check_sums(kind.find_inputs(), rounded)
    data = b"".join(part.tobytes() for part in (rounded.first[:-1].astype("<i2"), rounded.start.astype("<i2"),
                                                rounded.last.astype("<i2"), rounded.offset.astype("<i4")))
    evaluator = kind(Net(facts(kind, width, False, scale, scale / stretch), data))
    walk = random.Random(8)
    walked = [position for position in (wander(game, walk, walk.randrange(90)) for _ in range(scaled(1_000)))
              if position.turn >= 0]
    codes = np.frombuffer(b"".join(map(evaluator.codes, walked)), np.uint8).reshape(len(walked), -1)
    exact = np.empty(len(walked), np.float32)
    about = np.array([(position.turn, 0, 0, evaluator.bucket_of(position)) for position in walked], np.uint8)
    sparse.values(codes, about, row_table(kind.find_inputs()), np.zeros(len(walked), np.float32),
                  np.arange(len(walked), dtype=np.int32), first, numbers.start, numbers.last, numbers.offset, exact)
    errors = np.abs(np.array([evaluator.value(position) for position in walked]) / scale - exact)
    # Some sixty rows of a sum are each off by up to 1/510.
    assert errors.mean() < 0.03 and errors.max() < 0.1 and np.abs(exact).max() > 0.5


def test_sums_that_could_leave_their_bits_are_refused() -> None:
    kind = find_class(find_game("liuzhou"))
    large = Numbers(np.full((kind.ROWS + 1, 16), 500), np.zeros(16), np.zeros((8, 32)), np.zeros(8))
    with pytest.raises(BoyiError, match="decay"):
        check_sums(kind.find_inputs(), large)


# ---------------------------------------------------------------------- refusals

def test_more_than_two_players_are_refused(tmp_path: Path) -> None:
    net = scribbled("chinese_checkers")
    assert isinstance(net.value(boyi.start("chinese_checkers")), int)
    for players in (3, 4, 5, 6):
        with pytest.raises(TextError, match="two players"):
            net.value(boyi.start("chinese_checkers", players=players))
    path = tmp_path / "net.xz"
    path.write_bytes(pack(net.net.facts, bytes(2 * (net.ROWS * 32 + 32 + net.BUCKETS * 66))))
    agent = f"multiplayer:nodes=50,evaluator=net,weights={path}"
    refused = invoke("match", "chinese_checkers", agent, "random", "-n", "2", "--option", "players=3")
    assert refused.code and "two players" in refused.err, refused.err


@pytest.mark.parametrize("game", GAMES)
def test_weights_for_something_else_are_refused(game: str, tmp_path: Path) -> None:
    other = scribbled("liuzhou" if game == "chinese_checkers" else "chinese_checkers")
    path = tmp_path / "other.xz"
    path.write_bytes(pack(other.net.facts, bytes(2 * (other.ROWS * 32 + 32 + other.BUCKETS * 66))))
    with pytest.raises(NetError, match=other.INPUTS):
        find_evaluator(find_game(game), {"evaluator": "net", "weights": str(path)})
    path.write_bytes(b"no network")
    with pytest.raises(NetError, match="no file of a network"):
        find_evaluator(find_game(game), {"evaluator": "net", "weights": str(path)})
    with pytest.raises(OptionError, match="cannot be read"):
        find_evaluator(find_game(game), {"evaluator": "net", "weights": str(tmp_path / "none.xz")})


@pytest.mark.parametrize("game", GAMES)
def test_without_a_network_of_its_own_a_game_says_what_to_do(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nnue, "NET_FILE", "none.xz")
    with pytest.raises(NetError, match=f"weights=FILE .`boyi learn evaluator {game} FILE`"):
        find_class(find_game(game))()


def test_options_that_othello_would_ignore_are_refused(tmp_path: Path) -> None:
    refused = invoke("learn", "evaluator", "othello", str(tmp_path / "patterns.xz"), "--nodes", "100")
    assert refused.code and "nodes = 100" in refused.err and "boyi learn patterns" in refused.err


# ---------------------------------------------------------------------- positions and a small fit

def test_every_position_of_a_game_without_captures_at_the_horizon_is_kept() -> None:
    """Searches stop anywhere in Liuzhou qi, so networks must have seen pending captures, too."""
    settings = PositionSettings(game="liuzhou", nodes=50, decided=2_000, loose=10, seed=2)
    player = positions.Player(settings)
    kept = [one.text for number in range(3) for one in positions.replay(player.game, player.play(number))]
    assert any(" mark " in text for text in kept) and any(" capture " in text for text in kept)
    one, same = (positions.Player(settings).play(1) for _ in range(2))
    assert one == same != positions.Player(PositionSettings(**{**asdict(settings), "loose": 0})).play(1)
    with pytest.raises(OptionError, match="loose"):
        PositionSettings(game="liuzhou", loose=101)


def test_a_folder_begun_before_a_setting_was_there_goes_on(tmp_path: Path) -> None:
    settings = PositionSettings(game="tic_tac_toe", nodes=5, seed=4, fewest_random_plies=0, most_random_plies=2)
    positions.gather(tmp_path, settings, 1)
    path = tmp_path / positions.SETTINGS_FILE
    older = json.loads(path.read_text(encoding="utf-8"))
    del older["settings"]["loose"]
    path.write_text(json.dumps(older), encoding="utf-8")
    positions.gather(tmp_path, settings, 1)
    with pytest.raises(BoyiError, match="other settings"):
        positions.gather(tmp_path, PositionSettings(**{**asdict(settings), "loose": 50}), 1)


@pytest.mark.parametrize("game", GAMES)
def test_the_command_fits_a_network_that_plays(game: str, tmp_path: Path) -> None:
    path = tmp_path / "net.xz"
    games = "games=100,nodes=20,decided=5000,loose=10,longest=60"
    report = invoke("learn", "evaluator", game, str(path), "--set", games, "--width", "16", "--rounds", "6",
                    "--json").json
    assert report["positions"] > 2_000
    assert abs(report["loss_rounded"] - report["loss_fitted"]) < 0.05 * report["loss_fitted"]
    card = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    (played,) = card["played"]
    assert played["loose"] == 10 and played["decided"] == 5_000 and card["fitted"]["width"] == 16
    evaluator = find_evaluator(find_game(game), {"evaluator": "net", "weights": str(path)})
    assert evaluator is not None
    dice = random.Random(3)
    values = {evaluator.value(position) for position in (wander(game, dice, 30) for _ in range(10))
              if position.turn >= 0}
    assert len(values) > 3
    match = invoke("match", game, f"alphabeta:nodes=60,evaluator=net,weights={path}", "random", "-n", "2", "--json")
    assert match.code == 0, match.err
