"""What the options of every search refuse, and that their presets are sound."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from boyi.core.errors import OptionError
from boyi.search import expectimax_options, multiplayer_options
from boyi.search.alphabeta_options import AlphaBetaOptions
from boyi.search.expectimax_options import ExpectimaxOptions
from boyi.search.mcts_options import MCTSOptions
from boyi.search.multiplayer_options import MultiplayerOptions

RECORDS: tuple[Any, ...] = (AlphaBetaOptions, ExpectimaxOptions, MCTSOptions, MultiplayerOptions)
FIELDS = [(record, field.name) for record in RECORDS for field in fields(record)]


@pytest.mark.parametrize(("record", "name"), FIELDS)
def test_a_value_of_the_wrong_type_is_refused(record: Any, name: str) -> None:
    hint = get_type_hints(record)[name]
    wrong: list[object] = ["text", None, [1]]
    wrong += [1, 0] if hint is bool else [True]
    if hint is int:
        wrong.append(1.5)
    for value in wrong:
        with pytest.raises(OptionError, match=f"search option {name}: "):
            record(**{name: value})
    if get_origin(hint) is Literal:
        with pytest.raises(OptionError, match=f"{name}: .* is not one of {get_args(hint)[0]}, {get_args(hint)[1]}"):
            record(**{name: "sometimes"})


@pytest.mark.parametrize(("record", "name"), FIELDS)
def test_every_type_is_one_that_is_checked(record: Any, name: str) -> None:
    hint = get_type_hints(record)[name]
    assert hint in (bool, int, float) or get_origin(hint) is Literal


@pytest.mark.parametrize(("record", "values", "words"), [
    *((record, {"table_mb": -1}, "-1 is not from 0 to 65536") for record in RECORDS if record is not MCTSOptions),
    *((record, {"table_mb": 65537}, "65537 is not from 0 to 65536") for record in RECORDS if record is not MCTSOptions),
    (AlphaBetaOptions, {"threads": 0}, "threads: 0 is not from 1 to 256"),
    (AlphaBetaOptions, {"repetition_penalty": 1001}, "1001 is not from 0 to 1000"),
    (AlphaBetaOptions, {"symmetry_plies": 0}, "0 is not from 1 to 100"),
    (AlphaBetaOptions, {"statistical_share": 1.1}, "statistical_share: 1.1 is not from 0 to 1"),
    (AlphaBetaOptions, {"statistical_deviations": -0.5}, "statistical_deviations: -0.5 is not from 0 to 10"),
    (ExpectimaxOptions, {"samples": 0}, "0 is not from 1 to 2048"),
    (ExpectimaxOptions, {"exact_chances": -1}, "exact_chances: -1 is less than 0"),
    (MultiplayerOptions, {"targets": -1}, "targets: -1 is less than 0"),
    (MultiplayerOptions, {"width": -2}, "width: -2 is less than 0"),
    (MultiplayerOptions, {"win_bonus": -0.5}, "win_bonus: -0.5 is less than 0"),
    (MultiplayerOptions, {"deepest_for_two": -1}, "is less than 0"),
    (MultiplayerOptions, {"deepest_for_more": -1}, "is less than 0"),
    (MCTSOptions, {"exploration": float("inf")}, "inf is not from 0 to 1000"),
    (MCTSOptions, {"prior_temperature": 0.0}, "0.0 is not from 0.001 to 1000"),
])
def test_a_number_out_of_range_is_refused(record: Any, values: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        record(**values)


def test_presets_begin_with_the_default() -> None:
    for module, record in ((expectimax_options, ExpectimaxOptions), (multiplayer_options, MultiplayerOptions)):
        assert next(iter(module.PRESETS)) == "default" and module.PRESETS["default"] == record()
