"""What is true of every game, asked of every game.

The properties themselves are in `boyi.conformance`, where `boyi check` asks them. Here they are asked of every game
that `boyi.all_games()` finds, under its default rules and then under every other value of each option that changes the
rules in kind (every day with one other value of each option, before a merge with all), and of three toy games in plain
Python that see to it that chance, secrets, captures and a third player always occur.

A position is reached by a random walk that hypothesis picks and shrinks: a seed and a number of plies.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import boyi
from boyi.conformance import PROPERTIES, Case, Property, cases_of
from boyi.core.python_position import PythonPosition
from tests.scale import scaled
from tests.toys import cards, line, race

THOROUGH = 15
"""How many times as often every property is asked in a soak run as by `boyi check`."""

seeds = st.integers(0, 2**32 - 1)
depths = st.one_of(st.integers(0, 20), st.integers(0, 400))

CASES = [case for game in (*boyi.all_games().values(), line.GAME, race.GAME, cards.GAME) for case in cases_of(game)]


def is_daily(case: Case) -> bool:
    """Whether it is asked every day, and not only before a merge: of each option, the last value."""
    if not case.options:
        return True
    others = [other for other in CASES if other.game is case.game and [name for name, _ in other.options] == [
        name for name, _ in case.options]]
    return case == others[-1]


def all_questions() -> Iterator[object]:
    for asked in PROPERTIES:
        for case in CASES:
            if (asked.of_options or not case.options) and not asked.skips(case):
                yield pytest.param(asked, case, id=f"{asked.name}-{str(case).replace(' ', '-')}",
                                   marks=() if is_daily(case) else pytest.mark.slow)


@pytest.mark.parametrize(("asked", "case"), list(all_questions()))
def test_property(asked: Property, case: Case) -> None:
    if asked.walks == 0:
        asked.check(case)
        return

    # The same questions every time: a tenth of all before a merge, a third of that every day.
    @settings(max_examples=max(1, scaled(THOROUGH * asked.walks, 30)), derandomize=True, deadline=None, database=None,
              suppress_health_check=list(HealthCheck))
    @given(seed=seeds, plies=depths)
    def ask(seed: int, plies: int) -> None:
        asked.check(case, seed, plies)

    ask()


# ---------------------------------------------------------------------- no property is asked of nobody


def test_our_games_are_symmetric_and_compiled() -> None:
    """Each under its own rules; tic-tac-toe is the example of a game in plain Python."""
    ours = set(boyi.all_games())
    plain = [case for case in CASES if not case.options]
    assert ours <= {case.game.name for case in plain if case.start().board.symmetries}
    assert {case.game.name for case in plain if case.game.name in ours
            and isinstance(case.start(), PythonPosition)} == {"tic_tac_toe"}


def test_null_moves_are_asked_of_somebody() -> None:
    """Which of our games know null moves."""
    able = {case.game.name for case in CASES if any(case.walk(seed, 10).play_null() for seed in range(5))}
    assert able == {"xiangqi", "jieqi", "chinese_checkers"}


def test_settled_scores_are_asked_of_somebody() -> None:
    position = boyi.start("chinese_checkers", players=3)
    assert position.settled_score(1) is None
    position.resign(1)
    assert position.settled_score(1) == -1


def test_forfeits_are_asked_of_somebody() -> None:
    """In which games the others play on."""
    assert {case.game.name for case in CASES if case.start().forfeit(0) is not None} == {"chinese_checkers", "race"}


def test_every_property_is_asked_of_somebody() -> None:
    assert {asked.name for asked in PROPERTIES if any(not asked.skips(case) for case in CASES)} == {
        asked.name for asked in PROPERTIES}
