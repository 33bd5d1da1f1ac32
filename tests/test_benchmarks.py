"""The comparison of two checkouts: what is measured, and what is made of the measurements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks import checkers, ideas, wheel
from benchmarks.speed_against import compare, show
from benchmarks.trials import TRIALS
from boyi.core.searcher import Limits
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from boyi.search.multiplayer import Multiplayer


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


def test_a_wheel_may_be_slower_by_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def measure(python: str, trial: str, scale: float, core: int | None) -> dict[str, Any]:
        asked.append(python)
        return run(100, 1.0 if python == "native" else 1.04)

    monkeypatch.setattr(wheel, "measure", measure)
    rows = wheel.take_turns(("native", "old"), ["search: one"], 2, 1.0, None)
    assert asked == ["native", "old", "old", "native"]
    assert not wheel.fails(rows, 5.0) and wheel.fails(rows, 3.0)
    assert wheel.fails([compare("a trial", [run(100, 1.0)], [run(100, 1.0, "other")])], 5.0)


def test_trials_have_names_of_their_own() -> None:
    assert len({trial.name for trial in TRIALS}) == len(TRIALS)


QUICK = [trial for trial in TRIALS if trial.name.startswith(("rules: t", "search: a", "arena"))]


@pytest.mark.parametrize("trial", QUICK, ids=lambda trial: trial.name)
def test_a_trial_repeats_itself(trial: Any) -> None:
    first, second = trial.run(0.001), trial.run(0.001)
    assert first.amount > 0
    assert (first.amount, first.fingerprint) == (second.amount, second.fingerprint)


# ------------------------------------------------------------------ the ancestor of Chinese checkers

def test_we_have_no_more_time_than_the_ancestor(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
                                                ) -> None:
    """It has its depth and no other limit; we, for each move, the mean of what its moves took."""
    given: dict[str, list[Limits]] = {"ours": [], "theirs": []}

    class Watched(checkers.Contestant):
        def move(self, position: ChineseCheckersPosition, limits: Limits) -> int:
            ours = not self.searcher.options.deepest_for_two
            given["ours" if ours else "theirs"].append(limits)
            move = super().move(position, Limits(depth=1) if ours else limits)
            if not ours:
                means.append(self.mean)
            return move

    means: list[float] = []
    monkeypatch.setattr(checkers, "Contestant", Watched)
    checkers.main(["--players", "2", "--games", "2", "--theirs", "ancestor deepest_for_two=1 deepest_for_more=1"])
    assert set(given["theirs"]) == {checkers.OWN_DEPTH}
    assert checkers.OWN_DEPTH.seconds is checkers.OWN_DEPTH.nodes is None
    most = max(checkers.LEAST_SECONDS, *means)
    assert given["ours"] and all(limits.seconds is not None and limits.seconds <= most for limits in given["ours"])
    ours, theirs = (checkers.Contestant(Multiplayer(), moves, seconds) for moves, seconds in ((3, 0.9), (5, 1.0)))
    assert checkers.share(ours, theirs) == pytest.approx(0.2 * 4 - 0.9)
    ours.cpu_seconds = 0.1
    assert checkers.share(ours, theirs) == pytest.approx(0.2)
    table = capsys.readouterr().out.splitlines()
    with pytest.raises(SystemExit):
        checkers.main(["--theirs", "algorithm=paranoid"])
    assert "has no depth of its own" in capsys.readouterr().err
    assert len(table) == 3 and table[2].startswith("| 2 | 2 | ") and table[2].count("|") == table[0].count("|")


# ------------------------------------------------------------------ what ideas are worth

def test_a_switch_is_matched_where_it_has_an_effect(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Liuzhou qi tells searches of no captures. A match goes on from its journal."""
    words = ["liuzhou", "--only", "capture_history", "transposition_cutoffs", "--seconds", "0.001", "--folder",
             str(tmp_path)]
    with pytest.raises(SystemExit):
        ideas.main(["liuzhou", "--only", "pruning", "--folder", str(tmp_path)])
    assert "no switch pruning, but: same_depth, " in capsys.readouterr().err
    ideas.main([*words, "--games", "2"])
    table = capsys.readouterr().out.splitlines()
    assert table[2] == "| `capture_history=off` | no effect |  |" and len(table) == 4
    assert table[3].startswith("| `transposition_cutoffs=on` | ")
    (journal,) = tmp_path.iterdir()
    games = journal.read_text(encoding="utf-8").splitlines()[1:3]
    ideas.main([*words, "--games", "4"])
    assert journal.read_text(encoding="utf-8").splitlines()[1:3] == games
    result = capsys.readouterr().out.splitlines()[3].split(" | ")[1]
    assert sum(int(count) for count in result.split("-")) == 4
