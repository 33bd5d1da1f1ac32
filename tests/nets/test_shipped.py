"""Models that come with Boyi: each fits its game, says where it is from, and is found by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from boyi.core.errors import OptionError
from boyi.core.searcher import Limits
from boyi.games import find_game
from boyi.nets import find_model, open_net, shipped_models
from boyi.nets.layers import read_card
from boyi.search.mcts import MCTS
from boyi.search.mcts_options import MCTSOptions

LARGEST = 2_000_000


def test_each_fits_its_game_and_says_where_it_is_from() -> None:
    models = shipped_models()
    assert {"liuzhou", "liuzhou-reference"} <= set(models)
    for name, path in models.items():
        from boyi.nets.card import KEY, Card

        card = Card.parse(read_card(path.read_bytes(), KEY) or "")
        game = find_game(card.game)
        predictor = open_net(name, game)
        assert predictor.card == card and path.stat().st_size < LARGEST
        for note in ("command", "minutes", "games", "samples", "iteration", "rating"):
            assert card.notes.get(note), f"{name} does not say its {note}"
        position = game.start(**predictor.options)
        result = MCTS(options=MCTSOptions(selection="puct"), predictor=predictor).search(position, Limits(nodes=50))
        assert result.move in position.moves()


def test_a_file_comes_before_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_model("liuzhou") == shipped_models()["liuzhou"]
    (tmp_path / "liuzhou").write_bytes(b"mine")
    assert find_model("liuzhou") == Path("liuzhou")
    with pytest.raises(OptionError, match=r"no such file; with Boyi come .*liuzhou"):
        find_model("luizhou")
    with pytest.raises(OptionError, match="there is no model"):
        find_model("x" * 5000)


def test_under_other_rules_the_right_model_is_named() -> None:
    game = find_game("liuzhou")
    for rules, wrong, right in (("document", "liuzhou-reference", "liuzhou"),
                                ("reference", "liuzhou", "liuzhou-reference")):
        position = game.start(rules=rules)
        open_net(right, game).check_rules(position)
        with pytest.raises(OptionError, match=rf"other rules of liuzhou: .*\. For these there is net={right}$"):
            open_net(wrong, game).check_rules(position)
    with pytest.raises(OptionError, match=r"action_limit=144 \(here 100\)$"):
        open_net("liuzhou", game).check_rules(game.start(action_limit=100))
