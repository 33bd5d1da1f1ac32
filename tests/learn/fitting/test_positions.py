"""Labelled games in shards: the format, what is kept, resumption, and sets that must not be mixed up."""

from __future__ import annotations

import json
import lzma
import os
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import boyi
from boyi.agents.book import own_book
from boyi.agents.searching import find_evaluator
from boyi.core.errors import BoyiError, OptionError
from boyi.games import find_game
from boyi.kit.nnue import Net, NetEvaluator, pack
from tests.cli import invoke

np = pytest.importorskip("numpy", reason="training needs numpy: pip install 'boyi[learn]'")

from boyi.learn.fitting import positions, shards  # noqa: E402
from boyi.learn.fitting.settings import PositionSettings  # noqa: E402
from boyi.learn.fitting.shards import LabelledGame, ShardError  # noqa: E402

TINY = PositionSettings(game="xiangqi", nodes=40, longest=40, loose=5, book=30, endings=40, games_per_shard=20, seed=3)
GAMES = (LabelledGame(4, 4, "", -1, (7, 2**32 - 1), (-28_000, 0), (True, False)),
         LabelledGame(5, 4, "a start 开始", 1, (), (), ()),
         LabelledGame(6, 6, "", 0, (1,), (28_000,), (True,)))


def move_network(folder: Path, factor: int) -> Path:
    """A copy of xiangqi's network in a file that is another one."""
    own = Path(boyi.__file__).parent / "games" / "xiangqi" / "net.xz"
    net = Net.read(own.read_bytes())
    numbers = lzma.decompress(own.read_bytes()).partition(b"\n")[2]
    path = folder / f"net{factor}.xz"
    path.write_bytes(pack({**net.facts, "unit": net.unit * factor}, numbers))
    return path


# ---------------------------------------------------------------------- the format

def test_a_shard_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = shards.path_of(tmp_path, 3)
    shards.write(path, {"settings": {"game": "xiangqi"}}, GAMES)
    shard = shards.read(path)
    assert tuple(shard) == GAMES and shards.list_shards(tmp_path) == [path] and shards.number_of(path) == 3
    header = shards.read_header(path)
    assert (header["games"], header["plies"], header["positions"]) == (3, 3, 2)


def test_damaged_shards_are_refused(tmp_path: Path) -> None:
    path = shards.path_of(tmp_path, 0)
    shards.write(path, {}, GAMES)
    whole = path.read_bytes()
    line, _, packed = whole.partition(b"\n")
    more = json.dumps({**json.loads(line), "games": 4}).encode()
    for wrong in (b"", b"{}\n", whole[:-3], whole[:-1] + b"\0", whole.replace(b"positions 1", b"positions 0"),
                  more + b"\n" + packed, line + b"\n"):
        path.write_bytes(wrong)
        with pytest.raises(ShardError):
            shards.read(path)
    with pytest.raises(ShardError, match="named"):
        shards.number_of(tmp_path / "shard-x.games")


def test_positions_take_few_bytes(tmp_path: Path) -> None:
    positions.gather(tmp_path, TINY, 20)
    (path,) = shards.list_shards(tmp_path)
    assert path.stat().st_size < 20 * shards.read_header(path)["positions"]


# ---------------------------------------------------------------------- what is played

@pytest.mark.parametrize("game", ["xiangqi", "jieqi", "liuzhou", "chinese_checkers", "tic_tac_toe"])
def test_games_replay_to_their_positions(game: str) -> None:
    """From the start, from a book, and from late in an earlier game, as the player to act knows them."""
    plies = (0, 2) if game == "tic_tac_toe" else (4, 14)
    settings = PositionSettings(game=game, nodes=30, longest=60, endings=50, seed=2, decided=20_000,
                                fewest_random_plies=plies[0], most_random_plies=plies[1])
    player = positions.Player(settings)
    played = [player.play(number) for number in range(12)]
    endings = [one for one in played if one.start]
    assert endings and all(one.family != one.number for one in endings)
    assert {one.family for one in played} <= {one.number for one in played if not one.start}
    for one in played:
        kept = list(positions.replay(player.game, one))
        assert len(kept) == sum(one.kept) and {each.game for each in kept} <= {one.family}
        for each in kept:
            position = player.game.parse(each.text)
            assert position.turn >= 0 and not position.checked
        assert all(value == 0 for value, keep in zip(one.values, one.kept, strict=True) if not keep)


def test_a_book_begins_games() -> None:
    player = positions.Player(replace(TINY, book=100, endings=0))
    book = own_book(find_game("xiangqi"))
    assert book is not None
    for number in range(10):
        position = find_game("xiangqi").start()
        known = [move for one in book.look_up(position) for move in one.moves]
        assert player.play(number).moves[0] in known


def test_relatives_share_a_fold(tmp_path: Path) -> None:
    positions.gather(tmp_path, TINY, 20)
    games = list(positions.read_games(tmp_path))
    late = [one for one in games if one.start]
    assert late and {one.game for one in positions.read(tmp_path)} <= {one.family for one in games}
    assert not {one.number for one in late} & {one.game for one in positions.read(tmp_path)}


# ---------------------------------------------------------------------- going on

def test_shards_depend_on_nothing_but_their_numbers(tmp_path: Path) -> None:
    positions.gather(tmp_path / "one", TINY, 60)
    positions.gather(tmp_path / "two", TINY, 40)
    shards.path_of(tmp_path / "two", 0).unlink()
    done = positions.gather(tmp_path / "two", TINY, 60, jobs=2)
    assert (done.shards, done.games) == (3, 60) and done.new_positions < done.positions
    for number in range(3):
        one, two = (shards.path_of(tmp_path / name, number).read_bytes() for name in ("one", "two"))
        assert one == two
    assert positions.gather(tmp_path / "two", TINY, 60).new_positions == 0


def test_a_killed_run_leaves_whole_shards_and_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    words = ["learn", "positions", "xiangqi", str(folder), "--nodes", "40", "--set", "longest=40,seed=3", "--loose",
             "5", "--book", "30", "--endings", "40", "--games-per-shard", "20"]
    running = subprocess.Popen([sys.executable, "-m", "boyi", *words, "--hours", "1"], env=os.environ,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 120
        while len(list(folder.glob(shards.PATTERN))) < 2 and time.monotonic() < deadline:
            assert running.poll() is None
            time.sleep(0.01)
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    found = shards.list_shards(folder)
    assert len(found) >= 2
    before = {path: path.read_bytes() for path in found}
    (folder / ".shard-00099.games.123").write_bytes(b"half of it")      # as a power cut leaves it
    told = invoke(*words, "--games", str(20 * (len(found) + 1)), "--json").json
    assert told["shards"] == len(found) + 1 and all(path.read_bytes() == data for path, data in before.items())
    positions.gather(tmp_path / "whole", TINY, 20 * (len(found) + 1))
    for number in range(len(found) + 1):
        assert list(shards.read(shards.path_of(folder, number))) == list(shards.read(
            shards.path_of(tmp_path / "whole", number)))


def test_hours_end_a_run(tmp_path: Path) -> None:
    assert positions.gather(tmp_path, TINY, seconds=0.0).shards == 0
    seen: list[positions.Done] = []
    done = positions.gather(tmp_path, TINY, seconds=0.05, on_progress=seen.append)
    assert done.shards >= 1 and seen[0].shards == 0 and seen[-1] == done


# ---------------------------------------------------------------------- sets that must not be mixed up

def test_other_settings_and_other_weights_need_another_folder(tmp_path: Path) -> None:
    one, two = move_network(tmp_path, 3), move_network(tmp_path, 2)
    net = replace(TINY, evaluator="net", weights=str(one), games_per_shard=5)
    folder = tmp_path / "positions"
    positions.gather(folder, net, 5)
    header = shards.read_header(shards.path_of(folder, 0))
    assert header[positions.WEIGHTS_DIGEST] == json.loads((folder / positions.SETTINGS_FILE).read_text())[
        positions.WEIGHTS_DIGEST] != ""
    renamed = tmp_path / "renamed.xz"
    renamed.write_bytes(one.read_bytes())
    positions.gather(folder, replace(net, weights=str(renamed)), 10)     # the same numbers
    for other in (replace(net, weights=str(two)), replace(net, weights=None), replace(net, nodes=41),
                  replace(net, games_per_shard=6), replace(net, seed=4), replace(TINY, games_per_shard=5)):
        with pytest.raises(BoyiError, match="other settings or weights"):
            positions.gather(folder, other, 5)
    elsewhere = tmp_path / "elsewhere"
    positions.gather(elsewhere, replace(net, weights=str(two)), 15)
    assert list(shards.read(shards.path_of(elsewhere, 0))) != list(shards.read(shards.path_of(folder, 0)))
    shards.path_of(elsewhere, 2).rename(shards.path_of(folder, 2))
    with pytest.raises(BoyiError, match="different settings: shard-00002"):
        list(positions.read_shards(folder))


def test_a_network_of_its_own_is_known_by_its_numbers() -> None:
    own = positions.identify(PositionSettings(game="xiangqi", evaluator="net"))
    card = json.loads((Path(boyi.__file__).parent / "games" / "xiangqi" / "net.json").read_text(encoding="utf-8"))
    assert own[positions.WEIGHTS_DIGEST] == card["sha256"]
    assert positions.identify(PositionSettings(game="tic_tac_toe"))[positions.WEIGHTS_DIGEST] == ""


def test_folders_of_earlier_versions_are_refused(tmp_path: Path) -> None:
    (tmp_path / "shard-00000.xz").write_bytes(b"")
    with pytest.raises(BoyiError, match="earlier version"):
        positions.gather(tmp_path, TINY, 5)


def test_settings_that_cannot_be_are_refused(tmp_path: Path) -> None:
    for wrong in ({"book": 101}, {"book": 60, "endings": 50}, {"games_per_shard": 0}, {"table_mb": -1}):
        with pytest.raises(OptionError):
            PositionSettings(game="xiangqi", **wrong)                    # type: ignore[arg-type]
    with pytest.raises(OptionError, match="cannot be read"):
        positions.gather(tmp_path, replace(TINY, evaluator="net", weights=str(tmp_path / "none.xz")), 5)
    with pytest.raises(OptionError, match="a network goes with evaluator=net"):
        positions.gather(tmp_path, replace(TINY, weights=str(move_network(tmp_path, 2))), 5)
    assert not (tmp_path / positions.SETTINGS_FILE).exists()    # the folder is free for a command that is right
    refused = invoke("learn", "positions", "xiangqi", str(tmp_path))
    assert refused.code and "--hours" in refused.err
    usual = PositionSettings(game="xiangqi")
    assert positions.parse_set("weights=a.xz,book=5", usual, 7) == (replace(usual, weights="a.xz", book=5), 7)
    with pytest.raises(OptionError, match="file's name"):
        positions.parse_set("weights=", usual, 7)


# ---------------------------------------------------------------------- fitting to folders

def test_a_network_is_fitted_to_what_folders_hold(tmp_path: Path) -> None:
    """Two generations, each with its weights; the card says how to make both again."""
    for number, seed in enumerate((1, 2), 1):
        invoke("learn", "positions", "xiangqi", str(tmp_path / f"positions{number}"), "--games", "40", "--nodes", "30",
               "--games-per-shard", "20", "--seed", str(seed), "--set", "longest=60",
               *(("--evaluator", "net") if number == 2 else ()))
    folders = ("--positions", str(tmp_path / "positions1"), "--positions", str(tmp_path / "positions2"))
    fit = ("--width", "16", "--rounds", "2", "--imitated", "0", "--inputs", "xiangqi 4", "--batch", "256", "--threads",
           "2")
    report = invoke("learn", "evaluator", "xiangqi", str(tmp_path / "net.xz"), *folders, *fit, "--json").json
    counts = [sum(shards.read_header(path)["positions"] for path in shards.list_shards(tmp_path / f"positions{number}"))
              for number in (1, 2)]
    assert 0.9 * sum(counts) < report["positions"] <= sum(counts) and len(report["epochs"]) == 2
    card = json.loads((tmp_path / "net.json").read_text(encoding="utf-8"))
    assert [one["positions"] for one in card["played"]] == counts
    assert [one[positions.WEIGHTS_DIGEST] == "" for one in card["played"]] == [True, False]
    assert not list(tmp_path.glob(".fitting-*"))
    data = (tmp_path / "net.xz").read_bytes()
    evaluator = find_evaluator(find_game("xiangqi"), {"evaluator": "net", "weights": str(tmp_path / "net.xz")})
    assert isinstance(evaluator, NetEvaluator) and evaluator.inputs.name == "xiangqi 4"
    # Again, from the card alone and the weights that it names by their digest.
    again = tmp_path / "again"
    again.mkdir()
    own = Path(boyi.__file__).parent / "games" / "xiangqi" / "net.xz"
    (again / f"{card['played'][1][positions.WEIGHTS_DIGEST][:8]}.xz").write_bytes(own.read_bytes())
    for command in (*card["positions"], card["command"]):
        words = [sys.executable, "-m", *shlex.split(command)]
        done = subprocess.run(words, cwd=again, env=os.environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert (again / "net.xz").read_bytes() == data


def test_folders_of_something_else_are_refused(tmp_path: Path) -> None:
    positions.gather(tmp_path / "xiangqi", TINY, 20)
    refused = invoke("learn", "evaluator", "jieqi", str(tmp_path / "net.xz"), "--positions", str(tmp_path / "xiangqi"))
    assert refused.code and "not of jieqi" in refused.err
    refused = invoke("learn", "evaluator", "xiangqi", str(tmp_path / "net.xz"), "--positions", str(tmp_path / "none"))
    assert refused.code and "no positions" in refused.err
    refused = invoke("learn", "evaluator", "xiangqi", str(tmp_path / "net.xz"), "--positions", str(tmp_path / "a"),
                     "--positions", str(tmp_path / "b"), "--games", "5")
    assert refused.code and "one folder" in refused.err
    refused = invoke("learn", "evaluator", "xiangqi", str(tmp_path / "net.xz"), "--inputs", "xiangqi 2")
    assert refused.code and "xiangqi 3 or xiangqi 4" in refused.err
