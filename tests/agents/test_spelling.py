"""Old spellings in spec strings: still understood, shown in their new form, and journals go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import boyi
from boyi.agents import spelling
from boyi.agents.searching import all_algorithms, find_evaluator
from boyi.agents.spec import read_spec
from boyi.arena.journal import JournalFile
from boyi.cli._keeping import name_journal
from boyi.core.errors import OptionError
from boyi.engine.settings import Setting

PLAYABLE = [
    ("multiplayer:preset=seed,nodes=50", "chinese_checkers", {}),
    ("multiplayer:preset=seed_for_more,nodes=50", "chinese_checkers", {"players": 3}),
    ("multiplayer:evaluator=seed,nodes=50", "chinese_checkers", {}),
    ("multiplayer:preset=seed,evaluator=seed_for_more,nodes=50", "chinese_checkers", {}),
    ("alphabeta:repetition=seed,nodes=50", "xiangqi", {}),
]


@pytest.mark.parametrize(("spec", "game", "options"), PLAYABLE)
def test_old_spellings_play_as_the_new_ones(spec: str, game: str, options: dict[str, int]) -> None:
    position = boyi.start(game, **options)
    old, new = read_spec(spec), read_spec(spelling.respell(spec) if _renamed(spec) else spec)
    old.check(position)
    assert old == new
    assert type(find_evaluator(position.game, old.values)) is type(find_evaluator(position.game, new.values))
    assert read_spec(str(old)) == old


def _renamed(spec: str) -> bool:
    """Have the values of a spec been renamed already?"""
    try:
        read_spec(spelling.respell(spec))
    except OptionError:
        return False
    return True


@pytest.mark.parametrize(("text", "spelled"), [
    ("multiplayer:preset=seed", "multiplayer:preset=ancestor"),
    ("multiplayer:nodes=5,preset=seed_for_more,evaluator=seed", "multiplayer:nodes=5,preset=ancestor_for_more,"
                                                                "evaluator=ancestor"),
    ("random:seed=3", "random:seed=3"),
    ("level:5,seed=3", "level:5,seed=3"),
    ("multiplayer:preset=seedling", "multiplayer:preset=seedling"),
    ("alphabeta:weights=seed,evaluator=classic", "alphabeta:weights=seed,evaluator=classic"),
])
def test_only_what_was_renamed_is_respelled(text: str, spelled: str) -> None:
    assert spelling.respell(text) == spelled
    assert spelling.respell(spelled) == spelled
    assert spelling.spell_as_before(spelled) == text


def test_an_evaluator_is_shown_in_its_new_spelling() -> None:
    assert str(read_spec("multiplayer:evaluator=seed,nodes=5")) == "multiplayer:evaluator=ancestor,nodes=5"


def test_every_value_of_the_table_is_read_by_a_search() -> None:
    """Of each pair at least one spelling is a value of some algorithm, or an evaluator of some game."""
    for parameter, values in spelling.VALUES.items():
        for old, new in values.items():
            if parameter == "evaluator":
                known = [name for game in boyi.all_games().values() for name in game.evaluators]
                assert spelling.find(parameter, new, known) in known
            else:
                assert any(_reads(f"{algorithm}:{parameter}={old}") for algorithm in all_algorithms()), (parameter, old)


def _reads(spec: str) -> bool:
    try:
        read_spec(spec)
    except OptionError:
        return False
    return True


def test_names_are_found_either_way() -> None:
    assert spelling.find("evaluator", "seed", ("seed", "ancestor")) == "seed"
    assert spelling.find("evaluator", "seed", ("ancestor",)) == "ancestor"
    assert spelling.find("evaluator", "ancestor", ("seed",)) == "seed"
    assert spelling.find("evaluator", "nobody", ("seed",)) == "nobody"
    assert spelling.find("selection", "seed", ("ancestor",)) == "seed"


def test_engines_understand_old_spellings() -> None:
    setting = Setting("repetition", "combo", "full", choices=("full", "ancestor", "none"), target="repetition")
    assert setting.read("seed") == "ancestor" == setting.read("Ancestor")
    with pytest.raises(OptionError):
        setting.read("seeds")


def test_a_journal_of_an_agent_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "journal"

    def journal(preset: str) -> JournalFile:
        return JournalFile(path, "tuning", {"game": "chinese_checkers", "agent": f"multiplayer:preset={preset}"})

    with journal("seed") as begun:
        begun.add({"number": 1})
    with journal("ancestor") as continued:
        assert continued.entries == [{"number": 1}]
    assert json.loads(path.read_text().splitlines()[0])["agent"] == "multiplayer:preset=seed"
    with pytest.raises(OptionError, match="another tuning"):
        journal("default")


def test_a_tournament_keeps_the_names_that_its_seeds_are_made_from(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    JournalFile(path, "tournament", {"contestants": ["multiplayer:preset=seed", "random"]}).close()
    with pytest.raises(OptionError, match="contestants"):
        JournalFile(path, "tournament", {"contestants": ["multiplayer:preset=ancestor", "random"]})


def test_the_name_of_a_journal_stays() -> None:
    old = name_journal("tune", {"game": "chinese_checkers", "agent": "multiplayer:preset=seed,nodes=5"}, 3)
    assert old.name == "tune-chinese_checkers-693062ce.jsonl"
    assert name_journal("tune", {"game": "chinese_checkers", "agent": "multiplayer:preset=ancestor,nodes=5"}, 3) == old
