"""Samples seen on an image of the board: what they would be, had the game been played there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import boyi
from boyi.core.position import CHANCE, Position
from boyi.learn.training.lockstep import play
from boyi.learn.training.settings import SelfPlay
from tests.search.batched_naive import HashPredictor

GAMES: dict[str, dict[str, Any]] = {
    "othello": {}, "liuzhou": {"longest": 60}, "xiangqi": {"longest": 30}, "jieqi": {"longest": 30},
    "chinese_checkers": {"longest": 30},
}


def image_of_start(start: Position, points: tuple[int, ...]) -> Position:
    """The start as it is on the image. Only Othello's is not the same: some images exchange its discs."""
    if start.game.name != "othello":
        return start.copy()
    board, side = start.to_text().split()
    discs = [""] * len(board)
    for point, disc in enumerate(board):
        discs[points[point]] = disc
    return boyi.parse("othello", f"{''.join(discs)} {side}")


@pytest.mark.parametrize("name", GAMES)
def test_images_are_what_the_game_would_have_been(name: str) -> None:
    """Play every move as it is on the image: the positions and targets there are those of the samples as seen there."""
    start = boyi.start(name)
    encoder = start.game.make_encoder(start.options)
    images = list(zip(encoder.symmetries(), encoder.point_symmetries(), strict=True))
    assert len(images) == {"othello": 7, "liuzhou": 7}.get(name, 1)
    for played in play(start, HashPredictor(encoder), SelfPlay(at_once=2, simulations=4, **GAMES[name]), 0, 2):
        samples = played.samples
        for image, points in images:
            seen, here, there = samples.seen_as(image), start.copy(), image_of_start(start, points)
            assert seen.policy is samples.policy and seen.scores is samples.scores
            row = 0
            for move in played.moves:
                if here.turn == CHANCE:                       # what is turned up is the same on both boards
                    assert there.turn == CHANCE
                    here.play(move)
                    there.play(move)
                    continue
                moves = {encoder.policy_index(there, other): other for other in there.moves()}
                begin, end = samples.starts[row:row + 2]
                assert seen.features[row].tolist() == np.array(encoder.features(there), np.float32).tolist()
                assert sorted(seen.names[begin:end]) == sorted(moves)
                trust = dict(zip(seen.names[begin:end], seen.policy[begin:end], strict=True))
                for other in here.moves():
                    index = encoder.policy_index(here, other)
                    at = begin + list(samples.names[begin:end]).index(index)
                    assert trust[image.policy[index]] == samples.policy[at]
                there.play(moves[image.policy[encoder.policy_index(here, move)]])
                here.play(move)
                row += 1
            assert row == len(samples)
            outcome, other_outcome = here.outcome(), there.outcome()
            assert (outcome and outcome.scores) == (other_outcome and other_outcome.scores)
