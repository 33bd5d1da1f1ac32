"""Shards and the window: nothing is lost, nothing is mixed, nothing counts twice; images of samples are true."""

from __future__ import annotations

from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boyi
from boyi.core.errors import RecordError
from boyi.core.position import Position
from boyi.learn import read_shards
from boyi.learn.training.lockstep import Played, play
from boyi.learn.training.replay import LEFT_SCALE, Replay, window_size
from boyi.learn.training.samples import join_samples
from boyi.learn.training.settings import SelfPlay
from boyi.learn.training.shard import Shard
from boyi.nets.card import Card
from tests.search.batched_naive import HashPredictor


def some_games(start: Position, count: int = 6, first: int = 0) -> list[Played]:
    predictor = HashPredictor(start.game.make_encoder(start.options))
    settings = SelfPlay(at_once=4, simulations=6, longest=200)
    return sorted(play(start, predictor, settings, first, count), key=lambda game: game.number)


def shard_of(start: Position, games: list[Played], **changes: Any) -> Shard:
    encoder = start.game.make_encoder(start.options)
    results = [game.outcome.scores if game.outcome else (0.0, 0.0) for game in games]
    return Shard(replace(Card.of(start), **changes), 7, np.array([game.number for game in games]),
                 np.array([len(game.samples) for game in games]), np.array([len(game.moves) for game in games]),
                 np.array(results, np.float32), join_samples([game.samples for game in games], encoder))


def write(path: Path, shard: Shard) -> Path:
    path.write_bytes(shard.to_bytes())
    return path


def fresh(start: Position, held_out: int = 0) -> Replay:
    return Replay(Card.of(start), start.game.make_encoder(start.options), held_out)


@pytest.mark.parametrize("name", ["othello", "liuzhou", "tic_tac_toe"])
def test_what_goes_in_comes_out(name: str, tmp_path: Path) -> None:
    start = boyi.start(name)
    games = some_games(start)
    samples = join_samples([game.samples for game in games], start.game.make_encoder(start.options))
    replay = fresh(start)
    assert replay.add(write(tmp_path / "a.npz", shard_of(start, games))) == len(samples) == len(replay)
    batch = replay.minibatch(np.arange(len(samples)))
    assert (batch.features == samples.features).all() and (batch.scores == samples.scores).all()
    for row in range(len(samples)):
        names = samples.names[samples.starts[row]:samples.starts[row + 1]]
        policy = samples.policy[samples.starts[row]:samples.starts[row + 1]]
        assert batch.legal[row].sum() == len(set(names.tolist())) and batch.legal[row][names].all()
        assert batch.policy[row][names] == pytest.approx(policy, abs=1e-3)
    # The reply is the next row's policy, and the last decision of a game has none.
    lengths = [len(game.samples) for game in games]
    last = set((np.cumsum(lengths) - 1).tolist())
    for row in range(len(samples) - 1):
        if row in last:
            assert batch.reply_weights[row] == 0 and batch.remaining[row] == 0
        else:
            assert batch.reply_weights[row] == samples.weights[row + 1]
            assert (batch.reply[row] == batch.policy[row + 1]).all()
    assert batch.remaining[0] == pytest.approx(np.log1p(lengths[0] - 1) / LEFT_SCALE)


@pytest.mark.parametrize("name", ["othello", "liuzhou", "xiangqi"])
def test_images_are_what_the_encoder_sees_of_the_image(name: str, tmp_path: Path) -> None:
    """Looked at in the image, features and moves are those of the position that the image is of."""
    start = boyi.start(name)
    encoder = start.game.make_encoder(start.options)
    replay = fresh(start)
    replay.add(write(tmp_path / "a.npz", shard_of(start, some_games(start, 2))))
    rows = np.arange(0, len(replay), 5)
    plain = replay.minibatch(rows)
    assert replay.images == 1 + len(encoder.symmetries())
    for number, image in enumerate(encoder.symmetries(), 1):
        seen = replay.minibatch(rows, np.full(len(rows), number))
        for row in range(len(rows)):
            for feature, target in enumerate(image.features):
                assert seen.features[row][target] == plain.features[row][feature]
            for move, target in enumerate(image.policy):
                assert seen.policy[row][target] == plain.policy[row][move]
                assert seen.legal[row][target] == plain.legal[row][move]
        assert (seen.scores == plain.scores).all()


def test_held_out_games_are_not_learned_from(tmp_path: Path) -> None:
    start = boyi.start("tic_tac_toe")
    games = some_games(start, 8)
    replay = fresh(start, held_out=4)
    replay.add(write(tmp_path / "a.npz", shard_of(start, games)))
    held = sum(len(game.samples) for game in games if game.number % 4 == 0)
    learned, checked = replay.training(), replay.validation(10**6)
    assert len(checked) == held and len(learned) == len(replay) - held
    assert not set(learned.tolist()) & set(checked.tolist())
    assert replay.validation(3).tolist() == checked[-3:].tolist()


def test_no_sample_counts_twice(tmp_path: Path) -> None:
    start = boyi.start("tic_tac_toe")
    replay = fresh(start)
    replay.add(write(tmp_path / "a.npz", shard_of(start, some_games(start, 4))))
    with pytest.raises(RecordError, match="there already"):
        replay.add(write(tmp_path / "b.npz", shard_of(start, some_games(start, 4, first=3))))
    replay.add(write(tmp_path / "b.npz", shard_of(start, some_games(start, 4, first=4))))
    assert replay.names == {"a.npz", "b.npz"}


@pytest.mark.parametrize(("changes", "words"), [
    ({"game": "othello"}, "is of 'othello' and not of tic_tac_toe"),
    ({"options": {"size": 4}}, "other rules"), ({"rules_version": 9}, "rules_version=9"),
    ({"encoder_version": 9}, "another encoder.*encoder_version is 9"), ({"policy_size": 9}, "policy_size is 9")])
def test_rules_and_encoders_are_never_mixed(changes: dict[str, Any], words: str, tmp_path: Path) -> None:
    start = boyi.start("tic_tac_toe")
    replay = fresh(start)
    with pytest.raises(RecordError, match=words):
        replay.add(write(tmp_path / "a.npz", shard_of(start, some_games(start, 2), **changes)))
    assert not len(replay)


def test_other_rule_sets_of_one_game_are_other_rules(tmp_path: Path) -> None:
    start, other = boyi.start("liuzhou"), boyi.start("liuzhou", rules="reference")
    replay = fresh(start)
    with pytest.raises(RecordError, match=r"rules=reference \(here document\)"):
        replay.add(write(tmp_path / "a.npz", shard_of(other, some_games(other, 1))))


def test_the_oldest_are_forgotten(tmp_path: Path) -> None:
    start = boyi.start("tic_tac_toe")
    replay = fresh(start)
    sizes = [replay.add(write(tmp_path / f"{number}.npz", shard_of(start, some_games(start, 4, first=4 * number))))
             for number in range(4)]
    assert replay.forget(sizes[-1] + 1) == ["0.npz", "1.npz"]
    assert len(replay) == sizes[2] + sizes[3] and replay.forget(1) == ["2.npz"] and replay.forget(0) == []
    assert window_size(10**9, 100, 5000) == 5000


@pytest.mark.parametrize("content", [b"", b"not a shard", b"PK\x03\x04 half"])
def test_damaged_files_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(content)
    with pytest.raises(RecordError, match="cannot be read"):
        fresh(boyi.start("tic_tac_toe")).add(path)


@pytest.mark.parametrize("name", ["othello", "liuzhou"])
def test_shards_are_read_by_others(name: str, tmp_path: Path) -> None:
    """From a run, from a folder, from a file: what self-play saw, by the encoder's own numbers."""
    start = boyi.start(name)
    games = [some_games(start, 3), some_games(start, 2, first=3)]
    (tmp_path / "shards").mkdir()
    files = [write(tmp_path / "shards" / f"0000{number}-000000000.npz", shard_of(start, played))
             for number, played in enumerate(games)]
    for path in (tmp_path, tmp_path / "shards", str(tmp_path)):
        assert [shard.numbers.tolist() for shard in read_shards(path)] == [[0, 1, 2], [3, 4]]
    (shard,) = read_shards(files[1])
    samples = join_samples([game.samples for game in games[1]], start.game.make_encoder(start.options))
    assert shard.card == Card.of(start) and shard.lengths.sum() == len(shard.samples) == len(samples)
    for ours, theirs in zip(astuple(shard.samples), astuple(samples), strict=True):
        assert ours.dtype == theirs.dtype and ours == pytest.approx(theirs, abs=1e-3)
    assert (shard.samples.features == samples.features).all() and (shard.samples.names == samples.names).all()


def test_where_there_are_no_shards(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="there is no shard"):
        read_shards(tmp_path)
    with pytest.raises(RecordError, match="cannot be read as a shard"):
        next(read_shards(tmp_path / "nothing.npz"))
