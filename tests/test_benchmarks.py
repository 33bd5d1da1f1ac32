"""The comparison of two checkouts: what is measured, and what is made of the measurements."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.against import compare, show
from benchmarks.trials import TRIALS


def run(amount: float, seconds: float, fingerprint: str = "same") -> dict[str, Any]:
    return {"amount": amount, "unit": "nodes", "seconds": seconds, "fingerprint": fingerprint}


def test_medians_are_compared() -> None:
    base, ours = [run(100, 1.0), run(100, 2.0), run(100, 1.25)], [run(100, 1.0), run(100, 1.0), run(100, 4.0)]
    row = compare("a trial", base, ours)
    assert (row.base, row.ours, row.ratio) == (80.0, 100.0, 1.25)
    assert row.lowest == pytest.approx(0.3125) and row.highest == 2.0
    assert row.same


def test_what_is_slower_or_differs_is_marked() -> None:
    def note(base: dict[str, Any], ours: dict[str, Any]) -> str:
        return show([compare("a trial", [base], [ours])], 3.0).splitlines()[1].split()[-1]

    assert note(run(100, 1.0), run(100, 1.1)) == "SLOWER"
    assert note(run(100, 1.0), run(100, 1.02)) != "SLOWER"
    assert note(run(100, 1.0), run(100, 1.0, "other")) == "DIFFERS"


def test_trials_have_names_of_their_own() -> None:
    assert len({trial.name for trial in TRIALS}) == len(TRIALS)


QUICK = [trial for trial in TRIALS if trial.name.startswith(("rules: t", "search: a", "arena"))]


@pytest.mark.parametrize("trial", QUICK, ids=lambda trial: trial.name)
def test_a_trial_repeats_itself(trial: Any) -> None:
    first, second = trial.run(0.001), trial.run(0.001)
    assert first.amount > 0
    assert (first.amount, first.fingerprint) == (second.amount, second.fingerprint)
