"""Self-play in lock-step: the same games whoever plays beside them, and samples that say what happened."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boyi
from boyi.core.errors import OptionError
from boyi.core.game import load
from boyi.core.position import CHANCE, Position
from boyi.core.predictor import Predictor
from boyi.learn.lockstep import Played, Settings, play
from boyi.learn.samples import Samples
from tests.search.batched_naive import HashPredictor

TOYS = Path(__file__).parents[1] / "toys"


@pytest.fixture(autouse=True)
def _toys_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TOYS))


GAMES: dict[str, dict[str, Any]] = {
    "tic_tac_toe": {}, "othello": {"random_plies": 30}, "liuzhou": {"longest": 60}, "jieqi": {"longest": 20},
    "race": {},
}


def start(name: str) -> Position:
    return load("race").start(players=3) if name == "race" else boyi.start(name)


def games(name: str, at_once: int, count: int = 6, **changes: Any) -> tuple[list[Played], list[int]]:
    position = start(name)
    predictor = HashPredictor(position.game.make_encoder(position.options))
    settings = Settings(at_once=at_once, simulations=6, loose_plies=8, **{**GAMES[name], **changes})
    found = sorted(play(position, predictor, settings, 0, count), key=lambda played: played.number)
    return found, predictor.sizes


def written(found: list[Played]) -> list[object]:
    """All that is in games, to be compared."""
    return [(played.number, played.moves, played.outcome, played.resigned, played.checked, played.simulations,
             *(getattr(played.samples, one.name).tolist() for one in fields(Samples))) for played in found]


@pytest.mark.parametrize("name", GAMES)
def test_neighbours_change_nothing(name: str) -> None:
    """One game after the other, or all at once; fewer questions, and the same games and samples."""
    alone, questions = games(name, 1)
    assert [played.number for played in alone] == list(range(6))
    for at_once in (4, 16):
        together, fewer = games(name, at_once)
        assert written(together) == written(alone)
        assert len(fewer) < len(questions) and max(fewer) <= at_once and sum(fewer) == sum(questions)
    later = list(play(start(name), HashPredictor(start(name).game.make_encoder(start(name).options)),
                      Settings(at_once=2, simulations=6, loose_plies=8, **GAMES[name]), 4, 1))
    assert written(later) == written(alone[4:5])
    assert written(games(name, 4, seed=1)[0]) != written(alone)


@pytest.mark.parametrize("name", GAMES)
def test_samples_say_what_happened(name: str) -> None:
    """Replay each game: every decision has its sample, as its player saw it and with the result as it was for him."""
    encoder = start(name).game.make_encoder(start(name).options)
    seen = 0
    for played in games(name, 8)[0]:
        position = start(name)
        decisions = []
        made = 0
        for move in played.moves:
            if position.turn != CHANCE:
                if made >= GAMES[name].get("random_plies", 0):
                    names = tuple(encoder.policy_index(position, other) for other in position.moves())
                    decisions.append((position.turn, encoder.features(position), names))
                made += 1
            position.play(move)
        outcome = position.outcome()
        assert played.outcome == outcome
        assert len(played.samples) == len(decisions)
        samples = played.samples
        assert samples.scores.shape == (len(samples), position.players) and len(samples.values) == len(samples)
        scores = outcome.scores if outcome is not None else (0.0,) * position.players
        for i, (player, features, names) in enumerate(decisions):
            begin, end = samples.starts[i:i + 2]
            assert samples.features[i].tolist() == np.array(features, np.float32).tolist()
            assert sorted(samples.names[begin:end]) == sorted(names)
            assert samples.weights[i] == (len(names) > 1)
            assert samples.policy[begin:end].sum() == pytest.approx(1) and samples.policy[begin:end].min() >= 0
            assert 0 <= samples.values[i] <= 1
            assert samples.scores[i].tolist() == pytest.approx([
                (scores[(player + j) % position.players] + 1) / 2 for j in range(position.players)])
            seen += 1
    assert seen > 20


def test_whoever_knows_nothing_still_finishes() -> None:
    """Without an opinion and without noise games end, and what is proven is played."""
    position = boyi.parse("tic_tac_toe", "XX-/OO-/---")
    settings = Settings(simulations=60, root_noise=0.0, at_once=3)
    for played in play(position, Predictor(position.game.make_encoder(position.options)), settings, 0, 5):
        assert played.outcome is not None and played.outcome.scores == (1.0, -1.0) and len(played.moves) == 1


@pytest.mark.parametrize(("changes", "words"), [
    ({"at_once": 0}, "at_once is 0"), ({"simulations": 1}, "simulations is 1"), ({"longest": 0}, "longest is 0"),
    ({"root_noise": 2}, "root_noise: 2 is not from 0 to 1"), ({"megabytes": 0}, "megabytes: 0 is not")])
def test_settings_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        Settings(**changes)
