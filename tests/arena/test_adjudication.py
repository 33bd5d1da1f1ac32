"""Games that end before the rules end them: only when asked, and only when both agree."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import boyi
from boyi.agents import Clock
from boyi.agents.random import RandomAgent
from boyi.arena import Match, play_game, play_match
from boyi.arena.adjudication import OFF, Adjudication
from boyi.core.errors import OptionError
from boyi.core.outcome import Outcome
from boyi.core.position import Position


class Opinionated(RandomAgent):
    """Plays anything and expects what it is told to, the last again and again."""

    def __init__(self, expects: Sequence[float | None]) -> None:
        super().__init__(1)
        self._expects = list(expects)
        self.expectation: float | None = None
        self.moves = 0

    def choose(self, observation: Position, clock: Clock) -> int:
        self.expectation = self._expects.pop(0) if len(self._expects) > 1 else self._expects[0]
        self.moves += 1
        return super().choose(observation, clock)


def play(first: Sequence[float | None], second: Sequence[float | None], rules: Adjudication) -> tuple[Outcome, int]:
    """How a game of Othello ends in which players expect this, and after how many moves."""
    position = boyi.start("othello")
    outcome, failures = play_game(position, [Opinionated(first), Opinionated(second)], adjudication=rules)
    assert not failures
    return outcome, position.ply


def test_nothing_is_on_unless_asked_for() -> None:
    assert not OFF.active
    outcome, plies = play([1.0], [0.0], OFF)
    assert outcome.reason not in ("agreed_win", "agreed_draw", "no_progress")
    assert plies > 30


def test_both_must_agree_on_a_win() -> None:
    rules = Adjudication(resign_value=0.9, resign_moves=3)
    outcome, plies = play([0.9], [0.1], rules)
    assert (outcome.reason, outcome.places, plies) == ("agreed_win", (1, 2), 6)
    outcome, plies = play([0.05], [0.99], rules)
    assert (outcome.reason, outcome.places, plies) == ("agreed_win", (2, 1), 6)
    for other in (0.11, None, 0.95):
        assert play([0.9], [other], rules)[0].reason != "agreed_win"
    # A doubt begins the count anew, and so does a move without an opinion.
    for doubt in (0.5, None):
        assert play([0.9, 0.9, doubt, 0.9], [0.1], rules)[1] == 11


def test_both_must_expect_a_draw_and_late_enough() -> None:
    rules = Adjudication(draw_value=0.05, draw_moves=4, draw_from=20)
    outcome, plies = play([0.55], [0.45], rules)
    assert (outcome.reason, outcome.places, plies) == ("agreed_draw", (1, 1), 20)
    assert play([0.5], [0.56], rules)[0].reason != "agreed_draw"
    assert play([0.5], [None], rules)[0].reason != "agreed_draw"
    assert play([0.5], [0.5], Adjudication(draw_value=0.0, draw_moves=4, draw_from=0))[1] == 8


def test_a_draw_without_progress() -> None:
    position = boyi.start("xiangqi")
    shuffle = ["a0a1", "a9a8", "a1a0", "a8a9"]

    class Shuffling:
        def __init__(self) -> None:
            self.played = 0

        def choose(self, observation: Position, clock: Clock) -> int:
            return observation.parse_move(shuffle[observation.ply % 4])

    outcome, _ = play_game(position, [Shuffling(), Shuffling()], adjudication=Adjudication(draw_after=5))
    assert (outcome.reason, outcome.places, position.ply) == ("no_progress", (1, 1), 5)
    # Every move of Othello brings a disc.
    position = boyi.start("othello")
    outcome, _ = play_game(position, [RandomAgent(1), RandomAgent(2)], adjudication=Adjudication(draw_after=2))
    assert outcome.reason != "no_progress"
    # It holds for any number of players, as only the board is looked at.
    position = boyi.start("chinese_checkers", players=3)
    outcome, _ = play_game(position, [RandomAgent(seat) for seat in range(3)], adjudication=Adjudication(draw_after=9))
    assert (outcome.reason, outcome.places, position.ply) == ("no_progress", (1, 1, 1), 9)


def test_searching_agents_agree() -> None:
    rules = Adjudication(resign_value=0.95, resign_moves=2)
    settings = {"games": 2, "seed": 3, "time": None}
    plain = list(play_match(Match(("alphabeta:nodes=2000", "alphabeta:nodes=10"), boyi.start("othello"),
                                  **settings)))  # type: ignore[arg-type]
    short = list(play_match(Match(("alphabeta:nodes=2000", "alphabeta:nodes=10"), boyi.start("othello"),
                                  adjudication=rules, **settings)))  # type: ignore[arg-type]
    assert "agreed_win" in {game.outcome.reason for game in short}
    for long, cut in zip(plain, short, strict=True):
        assert cut.decisions <= long.decisions
        assert cut.record.entries == long.record.entries[:cut.decisions]
        cut.record.replay()
        if cut.outcome.reason == "agreed_win":
            assert cut.record.reason == "agreed_win"
            assert cut.record.result == cut.outcome.places


@pytest.mark.parametrize(("settings", "words"), [
    ({"draw_value": 0.5}, "how far from a half"), ({"draw_value": -0.1}, "how far"),
    ({"resign_value": 0.5}, "above 0.5"), ({"resign_value": 1.1}, "up to 1"),
    ({"resign_value": 0.9, "resign_moves": 0}, "at least 1"),
    ({"draw_after": 0}, "at least 1"), ({"draw_value": float("nan")}, "how far"),
])
def test_bad_settings_are_refused(settings: dict[str, float], words: str) -> None:
    with pytest.raises(OptionError) as caught:
        Adjudication(**settings)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_opinions_are_for_two() -> None:
    with pytest.raises(OptionError, match="two players"):
        Match(("random", "random"), boyi.start("chinese_checkers", players=3),
              adjudication=Adjudication(draw_value=0.1))
