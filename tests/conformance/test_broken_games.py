"""Every property can fail: a game that breaks it, and the small example by which `check_game` shows it."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from boyi import games
from boyi.cli import check as check_command
from boyi.conformance import PROPERTIES, Case, Finding, check, check_game, memory
from boyi.core.board import Covered, Stone
from boyi.core.encoder import PythonEncoder
from boyi.core.evaluator import PythonEvaluator
from boyi.core.game import Game, restore
from boyi.core.level import Level
from boyi.core.words import Words
from tests.cli import invoke
from tests.toys.cards import GAME as CARDS
from tests.toys.cards import CardsPosition
from tests.toys.line import BOARD, LinePosition
from tests.toys.line import GAME as LINE
from tests.toys.race import GAME as RACE
from tests.toys.race import RacePosition

BROKEN: dict[str, Callable[[], Game]] = {}
"""By the name of a property: what makes a game that breaks it."""


def publish(game: Game, name: str, **facts: Any) -> Game:
    """A game with other facts that is found by its module, as a game must be."""
    module = ModuleType(f"broken_{name}")
    module.GAME = replace(game, name=name, module=module.__name__, **facts)  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
    found: Game = module.GAME
    return found


def breaks(name: str, game: Game = LINE) -> Callable[[type], type]:
    """A class of positions that breaks a property, in place of a game's own."""
    def remember(position: type) -> type:
        BROKEN[name] = lambda: publish(game, name, position=position)
        return position
    return remember


def breaks_by_facts(name: str, game: Game = LINE, **facts: Any) -> None:
    BROKEN[name] = lambda: publish(game, name, **facts)


# ---------------------------------------------------------------------- facts

@breaks("the_game_starts")
class NobodyBegins(LinePosition):
    def to_act(self, state: str) -> int:
        return 7


breaks_by_facts("the_record_is_complete", title=Words("Line", ""))
breaks_by_facts("the_board_fits_the_game", board=lambda options: replace(BOARD, seat_colours=("#000",)))


# ---------------------------------------------------------------------- taking back

@breaks("undo_leaves_no_trace")
class Remembers(LinePosition):
    been_played = False

    def after(self, state: str, move: int) -> str:
        self.been_played = True
        return super().after(state, move)

    def status(self) -> Words | None:
        return Words("played", "已下") if self.been_played else None


@breaks("a_null_move_leaves_no_trace")
class MovesInsteadOfPassing(LinePosition):
    def play_null(self) -> bool:
        if self.moves():
            self.play(self.moves()[0])
        return True


@breaks("the_key_is_kept_up_to_date")
class ForgetsItsKey(LinePosition):
    def recomputed_fingerprint(self) -> int:
        return 1 if self.ply == 2 else super().recomputed_fingerprint()


@breaks("different_positions_have_different_keys")
class OneKey(LinePosition):
    @property
    def fingerprint(self) -> int:
        return 5


@breaks("text_comes_back")
class ReadsBackwards(LinePosition):
    def text_to_state(self, text: str) -> str:
        return super().text_to_state(text)[::-1]


@breaks("copies_are_independent")
class IsItsOwnCopy(LinePosition):
    def copy(self) -> IsItsOwnCopy:
        return self


@breaks("positions_travel")
class LosesItsHistory(LinePosition):
    def __reduce__(self) -> Any:
        return restore, (self.game, dict(self.options), self.to_text(), ())


@breaks("games_are_written_down")
class WritesExclamations(LinePosition):
    def format_moves(self, moves: Any) -> str:
        return super().format_moves(moves) + "!"


# ---------------------------------------------------------------------- moves

@breaks("every_move_can_be_named_drawn_and_played")
class OneName(LinePosition):
    def format_move(self, move: int) -> str:
        return "a1" if move > 6 else super().format_move(move)


@breaks("changes_lead_from_stones_to_stones")
class ChangesNothing(LinePosition):
    def changes(self, move: int) -> list[Any]:
        return [] if self.ply == 3 else super().changes(move)


@breaks("symmetric_positions_have_symmetric_moves")
class NotInTheCorner(LinePosition):
    def legal_moves(self, state: str) -> list[int]:
        return [move for move in super().legal_moves(state) if move or state.count(".") < 9]


@breaks("captures_take_something")
class CapturesNothing(LinePosition):
    def captures_now(self) -> list[int]:
        return self.moves()


@breaks("searches_are_told_the_truth")
class ChecksNobody(LinePosition):
    def gives_check(self, move: int) -> bool:
        return True


class Wild(PythonEvaluator):
    def guess(self, position: Any) -> int:
        return 100_000


breaks_by_facts("evaluators_keep_within_bounds", evaluators={"wild": Wild})


# ---------------------------------------------------------------------- endings

@breaks("a_random_game_ends")
class TwoPoints(LinePosition):
    def final_scores(self, state: str) -> tuple[float, float] | None:
        scores = super().final_scores(state)
        return None if scores is None else (2 * scores[0], 2 * scores[1])


@breaks("playouts_come_back")
class TossesACoin(LinePosition):
    coin = random.Random(1)

    def final_scores(self, state: str) -> tuple[float, float] | None:
        scores = super().final_scores(state)
        return None if scores is None else self.coin.choice([(1, -1), (-1, 1)])


@breaks("settled_scores_stay")
class SettlesEarly(LinePosition):
    def settled_score(self, player: int) -> float | None:
        return 1.0 - player


@breaks("players_can_give_up")
class NobodyMayLeave(LinePosition):
    def may_resign(self, player: int) -> bool:
        return False


# ---------------------------------------------------------------------- chance

breaks_by_facts("a_game_knows_whether_it_has_chance", has_chance=True)


@breaks("odds_are_odds", RACE)
class LoadedDie(RacePosition):
    def likelihoods(self, state: Any) -> list[float]:
        return [0.5, 0.5, 0.5]


class ReadsOneMove(RacePosition):
    def parse_moves(self, text: str) -> tuple[int, ...]:
        return (self.parse_move(text),)


breaks("what_chance_adds_is_written", RACE)(ReadsOneMove)
breaks("a_room_is_played_to_its_end", RACE)(ReadsOneMove)


@breaks("pools_hold_what_is_covered")
class StrangePool(LinePosition):
    def pools(self) -> tuple[Covered, ...]:
        return (Covered(0, "?", 3),)


# ---------------------------------------------------------------------- views

@breaks("an_observer_can_play")
class SeesTheStart(LinePosition):
    def observe(self, player: int | None) -> Any:
        return self.game.start()


@breaks("an_observer_learns_what_they_see", CARDS)
class ShowsEarly(CardsPosition):
    def observe(self, player: int | None) -> Any:
        return super().observe(player) if self.state.words == "--" else self.game.parse(self.to_text())


@breaks("an_observer_learns_nothing_by_the_back_door", CARDS)
class Whispers(CardsPosition):
    whispered = ""

    def observe(self, player: int | None) -> Any:
        view = super().observe(player)
        view.whispered = self.state.cards  # type: ignore[attr-defined]
        return view

    def status(self) -> Words | None:
        return Words(self.whispered, self.whispered) if self.whispered else None


# ---------------------------------------------------------------------- nonsense

@breaks("numbers_that_are_not_legal_are_refused")
class AllIsLegal(LinePosition):
    def is_legal(self, move: object) -> bool:
        return True


@breaks("things_that_are_no_moves_are_refused")
class NoneIsAMove(LinePosition):
    def play(self, move: Any) -> None:
        super().play(self.moves()[0] if move is None else move)


@breaks("texts_that_are_no_moves_are_refused")
class LooksUp(LinePosition):
    def parse_move(self, text: str) -> int:
        return {self.format_move(move): move for move in self.moves()}[text]


@breaks("texts_that_are_no_positions_are_refused")
class ReadsAnything(LinePosition):
    def text_to_state(self, text: str) -> str:
        return text if isinstance(text, str) and text.strip("\0 ") and len(text) < 100 else super().text_to_state(text)


@breaks("things_that_are_no_positions_are_refused")
class NoneIsTheStart(LinePosition):
    def text_to_state(self, text: str) -> str:
        return self.initial() if text is None else super().text_to_state(text)


# ---------------------------------------------------------------------- memory and uses

@breaks("a_position_is_small")
class IsHeavy(LinePosition):
    def copy(self) -> Any:
        copy = super().copy()
        copy.ballast = bytearray(10_000)  # type: ignore[attr-defined]
        return copy


@breaks("pictures_are_drawn")
class SpeaksEnglishOnly(LinePosition):
    def status(self) -> Words | None:
        return Words("place a stone", "")


class NamesBadly(PythonEncoder):
    def __init__(self) -> None:
        super().__init__(version=1, players=2, planes=1, points=9, scalars=0, policy_size=9)

    def look(self, position: Any) -> list[float]:
        return [0.0] * 9

    def name(self, position: Any, move: int) -> int:
        return 0

    def meaning(self, index: int) -> tuple[str, tuple[int, ...]]:
        return "at", (index,)


breaks_by_facts("networks_see_a_position", encoder=lambda options: NamesBadly())
breaks_by_facts("levels_have_a_search_that_suits", levels=(Level(9, evaluator="nobody"),))


# ---------------------------------------------------------------------- they are found

COMPILED_ONLY = "a_million_nodes_allocate_nothing"


@pytest.fixture
def found_by_name(monkeypatch: pytest.MonkeyPatch) -> Callable[[Game], None]:
    """Have a game found that is nowhere, as rooms must find it."""
    def find(game: Game) -> None:
        monkeypatch.setattr(games, "all_games", lambda: {game.name: game})
    return find


def test_each_property_is_broken_by_a_game() -> None:
    assert {*BROKEN, COMPILED_ONLY} == {asked.name for asked in PROPERTIES}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_game_is_found_out(name: str, found_by_name: Callable[[Game], None]) -> None:
    game = BROKEN[name]()
    found_by_name(game)
    asked = next(one for one in PROPERTIES if one.name == name)
    failure = check.ask(asked, Case(game), asked.walks)
    assert failure is not None
    assert failure.message and len(failure.message) < 2000
    if failure.example is not None:
        assert failure.example.plies <= 6, failure
        assert len(failure.moves) <= failure.example.plies


@pytest.mark.parametrize("game", [LINE, RACE, CARDS], ids=lambda game: game.name)
def test_what_they_were_made_from_is_in_order(game: Game, found_by_name: Callable[[Game], None]) -> None:
    """So it is the change that is found out, and nothing else."""
    found_by_name(game)
    for asked in PROPERTIES:
        if not asked.skips(Case(game)):
            assert check.ask(asked, Case(game), asked.walks) is None, asked.name


def test_memory_that_is_kept_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []

    def leaky(position: object, depth: int) -> int:
        kept.append(bytearray(100_000))
        return 1_000_000

    monkeypatch.setattr(memory, "perft", leaky)
    asked = next(one for one in PROPERTIES if one.name == COMPILED_ONLY)
    failure = check.ask(asked, Case(LINE), 0)
    assert failure is not None and "bytes" in failure.message


# ---------------------------------------------------------------------- and shown

def test_the_smallest_example_is_shown() -> None:
    """It breaks after three moves, and not before."""
    report = check_game(BROKEN["changes_lead_from_stones_to_stones"]())
    broken = {finding.asked.name: finding for finding in report.failures}
    assert not report.ok and broken.keys() == {"changes_lead_from_stones_to_stones"}
    failure = broken["changes_lead_from_stones_to_stones"].failure
    assert failure is not None and failure.example is not None and failure.example.plies == 3
    assert len(failure.moves) == 3 and failure.position.count(".") == 6
    first, *more = broken["changes_lead_from_stones_to_stones"].lines()
    assert first == "FAIL  The changes of a move, done to the stones before it, give the stones after it."
    assert more[-1].strip().startswith("after 3 moves of seed ") and f"--moves '{' '.join(failure.moves)}'" in more[-1]
    document = json.loads(json.dumps(report.document()))
    told = next(one for one in document["properties"] if one["status"] == "fails")
    assert told["failure"]["moves"] == list(failure.moves) and told["failure"]["plies"] == 3


def test_what_a_game_raises_is_said_with_its_place() -> None:
    class Raises(LinePosition):
        def legal_moves(self, state: str) -> list[int]:
            if state.count(".") == 7:
                raise KeyError("seven")
            return super().legal_moves(state)

    report = check_game(publish(LINE, "raises", position=Raises))
    finding = next(one for one in report.findings if one.asked.name == "text_comes_back")
    assert finding.failure is not None and finding.failure.example is not None
    assert finding.failure.message.startswith("Raises.legal_moves: KeyError: 'seven' (")
    assert finding.failure.example.plies == 2


def test_a_game_that_does_not_start_is_asked_no_further() -> None:
    report = check_game(BROKEN["the_game_starts"]())
    assert [finding.status for finding in report.findings] == ["fails"] + ["skipped"] * (len(PROPERTIES) - 1)
    assert "7 is neither a player" in report.findings[0].failure.message  # type: ignore[union-attr]


def test_other_rules_are_asked_too() -> None:
    class ThreeAreTooMany(RacePosition):
        def stones(self) -> list[Stone]:
            return [] if self.players == 3 else super().stones()

    game = publish(RACE, "three", position=ThreeAreTooMany)
    report = check_game(game)
    assert [case.options for case in report.cases] == [(), (("players", 3),)]
    finding = next(one for one in report.failures if one.asked.name == "changes_lead_from_stones_to_stones")
    assert finding.failure is not None and finding.failure.case.options == (("players", 3),)
    assert "--option players=3" in str(report)
    alone = check_game(game, {"players": 2})
    assert alone.ok, str(alone)


def test_findings_are_heard_as_they_come() -> None:
    heard: list[Finding] = []
    report = check_game(LINE, heard=heard.append)
    assert tuple(heard) == report.findings
    assert [finding.asked.name for finding in heard if finding.status == "skipped"] == [
        COMPILED_ONLY, "a_room_is_played_to_its_end"]


# ---------------------------------------------------------------------- boyi check

def test_boyi_check() -> None:
    done = invoke("check", "tic_tac_toe")
    assert done.code == 0, done.out
    *lines, last = done.out.splitlines()
    assert len(lines) == len(PROPERTIES) and all(line.startswith(("ok    ", "-     ")) for line in lines)
    assert last.startswith(f"{len(PROPERTIES) - 1} of {len(PROPERTIES)} properties hold, 0 broken; 1 set of rules")


def test_boyi_check_says_no(monkeypatch: pytest.MonkeyPatch) -> None:
    game = BROKEN["text_comes_back"]()
    monkeypatch.setattr(check_command, "find_game", lambda name: game)
    done = invoke("check", "text_comes_back", "--json")
    assert done.code == 1
    assert "text_comes_back" in [one["name"] for one in done.json["properties"] if one["status"] == "fails"]
    assert done.json["ok"] is False and done.json["rules"] == [{}]


def test_boyi_check_of_some_rules() -> None:
    done = invoke("check", "liuzhou", "--option", "rules=reference", "--json")
    assert done.code == 0, done.out
    assert done.json["rules"] == [{"rules": "reference"}]
    assert invoke("check", "liuzhou", "--option", "rules=nobody's").code == 2
    assert invoke("check", "no_such_game").code == 2
