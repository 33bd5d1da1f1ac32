"""Self-play in lock-step: the same games whatever others are played beside them, and samples that say what happened."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import boyi
from boyi.core.errors import OptionError
from boyi.core.position import CHANCE, Position
from boyi.core.predictor import Predictor
from boyi.learn.training.lockstep import Played, Tally, play
from boyi.learn.training.samples import Samples
from boyi.learn.training.settings import SelfPlay
from boyi.nets.mlp import MLPPredictor
from tests.search.batched_naive import HashPredictor
from tests.toys import find_game_or_toy

GAMES: dict[str, dict[str, Any]] = {
    "tic_tac_toe": {}, "othello": {"random_plies": 30}, "liuzhou": {"longest": 60}, "jieqi": {"longest": 20},
    "race": {},
}


def start(name: str) -> Position:
    return find_game_or_toy("race").start(players=3) if name == "race" else boyi.start(name)


def games(name: str, at_once: int, count: int = 6, **changes: Any) -> tuple[list[Played], list[int]]:
    position = start(name)
    predictor = HashPredictor(position.game.make_encoder(position.options))
    settings = SelfPlay(at_once=at_once, **{"simulations": 6, "loose_plies": 8, **GAMES[name], **changes})
    found = sorted(play(position, predictor, settings, 0, count), key=lambda played: played.number)
    return found, predictor.sizes


def written(found: list[Played]) -> list[object]:
    """All that is in games, to be compared."""
    return [(played.number, played.moves, played.outcome, played.resigned, played.checked, played.simulations,
             *(getattr(played.samples, one.name).tolist() for one in fields(Samples))) for played in found]


SWITCHES: dict[str, dict[str, Any]] = {
    "plain": {},
    "gumbel": {"root": "gumbel", "gumbel_moves": 4, "reuse": False, "cooling_plies": 5},
    "many": {"fast_simulations": 3, "full_share": 0.5, "forced_playouts": 2.0, "resign_below": 0.45, "resign_moves": 1,
             "resign_checked": 0.4, "undecided": "search", "temperature": 0.7, "late_temperature": 0.2},
}


@pytest.mark.parametrize(("name", "switches"), [
    *((name, "plain") for name in GAMES), ("othello", "gumbel"), ("liuzhou", "gumbel"), ("race", "gumbel"),
    ("tic_tac_toe", "many"), ("othello", "many"), ("liuzhou", "many"), ("jieqi", "many")])
def test_neighbours_change_nothing(name: str, switches: str) -> None:
    """One game after the other, or all at once; fewer questions, and the same games and samples."""
    changes = SWITCHES[switches]
    alone, questions = games(name, 1, **changes)
    assert [played.number for played in alone] == list(range(6))
    for at_once in (4, 16):
        together, fewer = games(name, at_once, **changes)
        assert written(together) == written(alone)
        assert len(fewer) < len(questions) and max(fewer) <= at_once and sum(fewer) == sum(questions)
    later = list(play(start(name), HashPredictor(start(name).game.make_encoder(start(name).options)),
                      SelfPlay(at_once=2, simulations=6, loose_plies=8, **{**GAMES[name], **changes}), 4, 1))
    assert written(later) == written(alone[4:5])
    assert written(games(name, 4, seed=1, **changes)[0]) != written(alone)


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


def test_games_without_a_network_end() -> None:
    """Without a network and without noise games end, and what is proven is played."""
    position = boyi.parse("tic_tac_toe", "XX-/OO-/---")
    settings = SelfPlay(simulations=60, root_noise=0.0, at_once=3)
    for played in play(position, Predictor(position.game.make_encoder(position.options)), settings, 0, 5):
        assert played.outcome is not None and played.outcome.scores == (1.0, -1.0) and len(played.moves) == 1


def test_the_same_network_gives_the_same_games_in_any_company() -> None:
    """A position gets the same numbers whatever else is asked, to the last bit; so games do, too."""
    position = boyi.start("liuzhou")
    encoder = position.game.make_encoder(position.options)
    generator = np.random.default_rng(1)

    def layer(inputs: int, outputs: int) -> tuple[Any, Any]:
        return (generator.normal(size=(inputs, outputs)).astype(np.float32) / 8,
                generator.normal(size=outputs).astype(np.float32))

    net = MLPPredictor(encoder, [layer(encoder.size, 70), layer(70, 40)], layer(40, encoder.policy_size),
                       layer(40, 3), True)
    found = [sorted(play(position, net, SelfPlay(at_once=at_once, simulations=8, longest=30), 0, 7),
                    key=lambda played: played.number) for at_once in (1, 3, 7)]
    assert written(found[0]) == written(found[1]) == written(found[2])


# ------------------------------------------------------------------ the switches

def test_fast_searches_have_no_weight() -> None:
    found, _ = games("othello", 8, 20, simulations=8, fast_simulations=3, full_share=0.3, random_plies=0, reuse=False)
    weights = np.concatenate([played.samples.weights for played in found])
    choices = np.concatenate([np.diff(played.samples.starts) for played in found]) > 1
    assert not weights[~choices].any() and set(weights) == {0.0, 1.0}
    assert 0.2 < weights[choices].mean() < 0.4
    # A proof may end a search early, so there are no more simulations than that.
    most = 8 * weights.sum() + 3 * (choices & (weights == 0)).sum() + (~choices).sum()
    assert 0.9 * most < sum(played.simulations for played in found) <= most


def test_fast_searches_have_no_noise() -> None:
    """When no search is a full one, noise and force change nothing; when all are, they do."""
    for share, same in ((0.0, True), (1.0, False)):
        quiet, loud = (written(games("othello", 4, 3, simulations=12, fast_simulations=10, full_share=share,
                                     random_plies=40, **changes)[0])
                       for changes in ({"root_noise": 0.0}, {"root_noise": 0.9, "forced_playouts": 3.0}))
        assert (quiet == loud) == same


def test_the_best_move_is_played_when_the_game_is_old() -> None:
    """At a temperature of 0 the move that the search trusts most; at a high one, all kinds."""
    encoder = start("othello").game.make_encoder(start("othello").options)
    for changes, lowest, highest in (
            ({"temperature": 1.0, "loose_plies": 0}, 1.0, 1.0), ({"temperature": 20.0, "loose_plies": 99}, 0.1, 0.6),
            ({"temperature": 20.0, "loose_plies": 0, "cooling_plies": 99}, 0.1, 0.7),
            ({"temperature": 20.0, "loose_plies": 0, "late_temperature": 20.0}, 0.1, 0.6)):
        best = chances = 0
        for played in games("othello", 4, 4, simulations=20, random_plies=0, **changes)[0]:
            position, samples = start("othello"), played.samples
            for i, move in enumerate(played.moves):
                trust = dict(zip(samples.names[samples.starts[i]:samples.starts[i + 1]],
                                 samples.policy[samples.starts[i]:samples.starts[i + 1]], strict=True))
                if len(trust) > 1 and 0 < samples.values[i] < 1:
                    chances += 1
                    best += trust[encoder.policy_index(position, move)] == max(trust.values())
                position.play(move)
        assert lowest <= best / chances <= highest


def test_resigning_and_how_often_it_is_wrong() -> None:
    """Random values make players resign; in games to be checked they play on."""
    found, _ = games("othello", 8, 40, resign_below=0.4, resign_moves=2, resign_checked=0.5, random_plies=0)
    tally = Tally()
    for played in found:
        tally = tally.add(played)
        outcome = played.outcome
        assert outcome is not None and (outcome.reason == "resignation") == (
            played.resigned is not None and not played.checked)
        if outcome.reason == "resignation":
            assert played.resigned is not None
            assert outcome.scores[played.resigned] == -1 and outcome.winner == 1 - played.resigned
            position = start("othello")
            for move in played.moves:
                position.play(move)
            assert position.turn == played.resigned and played.samples.scores[-1].tolist() == [0.0, 1.0]
            assert played.samples.values[-1] < 0.4 and len(played.samples) == len(played.moves) + 1
    checked = [played for played in found if played.checked and played.resigned is not None]
    mistaken = sum(played.outcome is not None and played.outcome.scores[played.resigned or 0] > -1
                   for played in checked)
    assert tally.games == 40 and tally.resigned > 5 and tally.checked == len(checked) > 5
    assert tally.mistaken == mistaken > 0 and tally.mistaken_share == mistaken / len(checked)
    assert Tally().mistaken_share is None and Tally().decisive_share == 0


@pytest.mark.parametrize(("changes", "reason"), [({"longest": 12}, None), ({"random_plies": 0}, "quiet_limit")])
def test_what_is_learned_from_undecided_games(changes: dict[str, Any], reason: str | None) -> None:
    """The same games, learned from as draws, as the search or the evaluator values them, or not at all."""
    position = boyi.start("liuzhou", quiet_limit=20, action_limit=400)
    predictor = HashPredictor(position.game.make_encoder(position.options))
    evaluator = next(iter(position.game.evaluators.values()))()
    played_by = {}
    for way in ("draw", "drop", "search", "evaluator"):
        settings = SelfPlay(at_once=4, simulations=4, undecided=way, **changes)
        played_by[way] = sorted(play(position, predictor, settings, 0, 4), key=lambda played: played.number)
    for draw, drop, search, other in zip(*played_by.values(), strict=True):
        assert draw.undecided and (draw.outcome.reason if draw.outcome else None) == reason
        assert draw.moves == drop.moves == search.moves == other.moves
        assert len(drop.samples) == 0 and drop.samples.starts.tolist() == [0]
        assert (draw.samples.scores == 0.5).all()
        assert search.samples.scores[-1].tolist() == pytest.approx(
            [search.samples.values[-1], 1 - search.samples.values[-1]], abs=1e-6)
        here, players = position.copy(), []
        for move in other.moves:
            last, player = here.copy(), here.turn
            players.append(player)
            here.play(move)
        values = evaluator.values(last if here.turn < 0 else here)
        for row, player in zip(other.samples.scores, players, strict=True):
            assert row.tolist() == pytest.approx([(values[player] + 1) / 2, (values[1 - player] + 1) / 2], abs=1e-6)
        for row, player in zip(search.samples.scores, players, strict=True):
            assert row[0] == pytest.approx(search.samples.scores[-1][int(player != players[-1])])


def test_wrong_for_this_game() -> None:
    race = find_game_or_toy("race").start(players=3)
    encoder = race.game.make_encoder(race.options)
    for changes in ({"resign_below": 0.1}, {"undecided": "search"}):
        with pytest.raises(OptionError, match="for two players, and 3 play here"):
            play(race, Predictor(encoder), SelfPlay(**changes), 0, 1)
    with pytest.raises(OptionError, match="race has no evaluator"):
        play(race, Predictor(encoder), SelfPlay(undecided="evaluator"), 0, 1)


@pytest.mark.parametrize(("changes", "words"), [
    ({"at_once": 0}, "at_once is 0"), ({"simulations": 1}, "simulations is 1"), ({"longest": 0}, "longest is 0"),
    ({"root_noise": 2}, "root_noise: 2 is not from 0 to 1"), ({"megabytes": 0}, "megabytes: 0 is not"),
    ({"root": "best"}, "root is 'best' and must be one of puct, gumbel"),
    ({"undecided": "win"}, "undecided is 'win' and must be one of draw, drop, search, evaluator"),
    ({"fast_simulations": 16}, "fewer than the 16"), ({"fast_simulations": 1}, "0, or at least 2"),
    ({"full_share": 1.5}, "full_share is 1.5 and must be from 0 to 1"), ({"temperature": -1}, "temperature is -1"),
    ({"resign_below": 0.6}, "resign_below is 0.6 and must be from 0 to 0.5"),
    ({"resign_moves": 0}, "resign_moves is 0"),
    ({"root": "gumbel", "forced_playouts": 2.0}, "forced_playouts are for root=puct"),
    ({"gumbel_moves": 1}, "gumbel_moves: 1 is not from 2")])
def test_settings_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        SelfPlay(**changes)
