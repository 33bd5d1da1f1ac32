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
    with pytest.raises(OptionError, match=r"threshold=1 \(here 3\)$"):
        open_net("liuzhou", game).check_rules(game.start(threshold=3))


def test_other_limits_of_moves_on_request_only() -> None:
    """Limits may differ if somebody says so; rules of another kind may not."""
    game = find_game("liuzhou")
    longer, other = game.start(action_limit=500), game.start(threshold=3, action_limit=500)
    with pytest.raises(OptionError, match=r"action_limit=144 \(here 500\)\. It may play all the same .* any_limits=on"):
        open_net("liuzhou", game).check(longer)
    asked = open_net("liuzhou", game, any_limits=True)
    asked.check(longer)
    assert "action_limit=144 (here 500)" in asked.describe_limits(longer)
    assert not asked.describe_limits(game.start()) and not asked.describe_limits(other)
    with pytest.raises(OptionError, match="was trained under other rules of liuzhou"):
        asked.check(other)
    with pytest.raises(OptionError, match="other limits"):
        open_net("liuzhou", game).check(longer)      # whom others asked for more is not asked for it
