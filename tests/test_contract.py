"""The parts that games are made of: options, outcomes, names, a game in Python that breaks its word; and that nobody
goes round the contract."""

from __future__ import annotations

import ast
import importlib
import pickle
import signal
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import boyi
from boyi.core.board import Board
from boyi.core.errors import (
    BrokenRulesError,
    IllegalMoveError,
    MissingPartError,
    OptionError,
    TextError,
    UnknownNameError,
    shorten,
)
from boyi.core.game import Game, Option, Options, load
from boyi.core.outcome import LOSSES, Outcome, scores_by_place
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.python_position import PythonPosition
from boyi.core.words import Words
from boyi.search.distinct import count_distinct
from tests.toys import line, race

WORDS = Words("words", "话")

# ---------------------------------------------------------------------- options


@pytest.mark.parametrize(("option", "value", "read"), [
    (Option("strict", False, WORDS), True, True),
    (Option("strict", False, WORDS), "Yes", True),
    (Option("strict", True, WORDS), "off", False),
    (Option("strict", True, WORDS), "0", False),
    (Option("limit", 5, WORDS), 7, 7),
    (Option("limit", 5, WORDS), "7", 7),
    (Option("limit", 5, WORDS, lowest=-3), "-3", -3),
    (Option("rules", "a", WORDS, choices=("a", "b")), "b", "b"),
])
def test_options_are_read(option: Option, value: object, read: object) -> None:
    assert option.read(value) == read
    assert type(option.read(value)) is type(read)


@pytest.mark.parametrize(("option", "value", "complaint"), [
    (Option("strict", False, WORDS), "maybe", "option strict: 'maybe' is neither true nor false"),
    (Option("strict", False, WORDS), 1, "option strict: 1 is neither true nor false"),
    (Option("strict", False, WORDS), None, "option strict: None is neither"),
    (Option("limit", 5, WORDS, highest=9), 10, "option limit: 10 is not a whole number from 0 to 9"),
    (Option("limit", 5, WORDS), -1, "option limit: -1 is not a whole number from 0 to 1000000"),
    (Option("limit", 5, WORDS), True, "option limit: True is not a whole number"),
    (Option("limit", 5, WORDS), 2.0, "option limit: 2.0 is not a whole number"),
    (Option("limit", 5, WORDS), "", "option limit: '' is not a whole number"),
    (Option("limit", 5, WORDS), "--1", "option limit: '--1' is not a whole number"),
    (Option("limit", 5, WORDS), "5²", "option limit: '5²' is not a whole number"),
    (Option("limit", 5, WORDS), "５", "option limit: '５' is not a whole number"),
    (Option("limit", 5, WORDS), "9" * 10_000, "is not a whole number"),
    (Option("rules", "a", WORDS, choices=("a", "b")), "c", "option rules: 'c' is not one of a, b"),
    (Option("rules", "a", WORDS, choices=("a", "b")), ["a"], r"option rules: \['a'\] is not one of a, b"),
])
def test_options_are_refused(option: Option, value: object, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint) as refused:
        option.read(value)
    assert len(str(refused.value)) < 200


PRESETS = Game(
    name="presets", title=WORDS, position=line.LinePosition, board=lambda options: line.BOARD, module="tests.toys.line",
    options=(Option("rules", "old", WORDS, choices=("old", "new")), Option("limit", 5, WORDS)),
    presets={"rules": {"new": {"limit": 9}}},
)


def test_presets_fill_in_what_was_not_said() -> None:
    assert dict(PRESETS.resolve()) == {"rules": "old", "limit": 5}
    assert dict(PRESETS.resolve({"rules": "new"})) == {"rules": "new", "limit": 9}
    assert dict(PRESETS.resolve({"rules": "new", "limit": "5"})) == {"rules": "new", "limit": 5}


def test_unknown_options() -> None:
    with pytest.raises(OptionError, match=r"no option of presets is called 'limits'.*did you mean 'limit'"):
        PRESETS.resolve({"limits": 3})
    with pytest.raises(OptionError, match="othello has no options, not even 'players'"):
        boyi.start("othello", players=3)


def test_options_compare_and_do_not_change() -> None:
    options = PRESETS.resolve()
    assert options == Options({"limit": 5, "rules": "old"})
    assert hash(options) == hash(Options({"limit": 5, "rules": "old"}))
    assert pickle.loads(pickle.dumps(options)) == options
    assert not hasattr(options, "__setitem__")


# ---------------------------------------------------------------------- names and words


def test_unknown_names() -> None:
    with pytest.raises(UnknownNameError, match=r"no game is called 'otelo'; did you mean 'othello'.*: .*othello"):
        boyi.start("otelo")
    with pytest.raises(UnknownNameError, match="no notation of othello is called 'zz'"):
        boyi.find_game("othello").notation("zz")
    assert "x…" in str(UnknownNameError.among("game", "x" * 10_000, ["othello"]))
    assert len(str(UnknownNameError.among("game", "x" * 10_000, ["othello"]))) < 200
    assert "pip install 'boyi[plots]'" in str(MissingPartError.extra("a plot", "plots"))
    assert issubclass(UnknownNameError, ValueError)


def test_shorten() -> None:
    assert shorten("short") == "'short'"
    assert len(shorten("x" * 1_000_000)) == 61


def test_a_module_without_a_game() -> None:
    with pytest.raises(AttributeError):
        load("boyi.core.words")


# ---------------------------------------------------------------------- outcomes


@pytest.mark.parametrize(("scores", "places", "results", "winner"), [
    ((1, -1), (1, 2), (1, -1), 0),
    ((-1, 1), (2, 1), (-1, 1), 1),
    ((0, 0), (1, 1), (0, 0), None),
    ((0.5, -1, 0.5), (1, 3, 1), (1, -1, 1), None),
    ((0, 1, -1), (2, 1, 3), (0, 1, -1), 1),
    ((0, 0, 0), (1, 1, 1), (0, 0, 0), None),
])
def test_outcomes(scores: Sequence[float], places: object, results: object, winner: int | None) -> None:
    outcome = Outcome.of(scores, "because", WORDS)
    assert (outcome.places, outcome.results, outcome.winner) == (places, results, winner)


@pytest.mark.parametrize(("places", "scores"), [
    ([1, 2], [1, -1]), ([1, 1], [0, 0]), ([1, 2, 3], [1, 0, -1]), ([1, 1, 3], [0.5, 0.5, -1]),
    ([2, 1, 2], [-0.5, 1, -0.5]), ([1, 2, 3, 4, 5], [1, 0.5, 0, -0.5, -1]), ([1] * 6, [0] * 6),
])
def test_scores_by_place(places: list[int], scores: list[float]) -> None:
    assert scores_by_place(places) == pytest.approx(scores)
    assert sum(scores_by_place(places)) == pytest.approx(0)


def test_losing_off_the_board() -> None:
    names = [Words("Red", "红方"), Words("Black", "黑方"), Words("Blue", "蓝方")]
    for reason in LOSSES:
        outcome = Outcome.off_board(names, 1, reason)
        assert (outcome.scores, outcome.reason) == ((1, -1, 1), reason)
        assert outcome.words.en.startswith("Black ")
        assert outcome.words.zh.startswith("黑方")
    with pytest.raises(UnknownNameError, match="no way to lose is called 'tired'"):
        Outcome.off_board(names, 1, "tired")
    with pytest.raises(UnknownNameError, match="no way to lose is called 'tired'"):
        boyi.start("othello").resign(0, "tired")


# ---------------------------------------------------------------------- playing


class Four:
    """A whole number that is not an int, as numpy has them."""

    def __index__(self) -> int:
        return 4


def test_any_whole_number_is_a_move() -> None:
    position = line.GAME.start()
    assert position.is_legal(Four())
    position.play(Four())
    assert position.history() == [4]
    assert not position.is_legal(Four())
    with pytest.raises(IllegalMoveError, match="not a legal move here; legal are a3, b3"):
        position.play(Four())


@pytest.mark.parametrize("depth", [-1, 65, 10**30, "3", None, 2.0])
def test_depths_that_cannot_be_counted(depth: Any) -> None:
    for count in (boyi.perft, boyi.divide):
        with pytest.raises(TextError, match="cannot be counted; 0 to 64 can"):
            count(boyi.start("othello"), depth)


def test_numbers_that_are_no_counts() -> None:
    position = boyi.start("othello")
    for games in (-1, 2**31, "5", None):
        with pytest.raises(TextError, match=r"games: .* is not a whole number from 0 to 2147483647"):
            boyi.playouts(position, games)  # type: ignore[arg-type]
    with pytest.raises(TextError, match="'x' is not a seed"):
        boyi.playout(position, "x")  # type: ignore[arg-type]
    assert boyi.playouts(position, 0) == (0, [0, 0])
    assert boyi.playouts(position, 3, -1) == boyi.playouts(position, 3, 2**64 - 1)
    assert boyi.playout(position, 1, 10) == 10


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timer")
@pytest.mark.parametrize("work", [lambda position: boyi.perft(position, 30),
                                  lambda position: boyi.playouts(position, 2**31 - 1),
                                  lambda position: count_distinct(position, 30)])
def test_long_work_can_be_interrupted(work: Any) -> None:
    assert threading.current_thread() is threading.main_thread()

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    position = boyi.start("othello")
    position.play("f5")
    before = position.to_text(), position.history(), position.fingerprint
    former = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            work(position)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
    assert (position.to_text(), position.history(), position.fingerprint) == before


# ---------------------------------------------------------------------- a game in Python


def test_where_python_games_were_told_to_look() -> None:
    """Games that `boyi new` of version 0.1.0 wrote import PythonPosition from `core.position`."""
    assert vars(importlib.import_module("tests.toys.old_import"))["PythonPosition"] is PythonPosition
    with pytest.raises(AttributeError, match=r"boyi\.core\.position.*no attribute 'RustPosition'"):
        _ = boyi.core.position.RustPosition  # type: ignore[attr-defined]


def test_chance_players_and_repetition_in_python() -> None:
    position = race.GAME.start(players=3)
    assert (position.players, position.turn) == (3, CHANCE)
    assert position.odds() == [(1, 0.5), (2, 0.3), (3, 0.2)]
    position.play("=2")
    assert (position.turn, position.odds()) == (0, [])
    position.play("go")
    assert position.to_text() == "1,-1,-1 1 0 1"

    class Circle(line.LinePosition):
        """Whatever is played, the same two states come and go."""

        def after(self, state: str, move: int) -> str:
            return "." * 9 if state.startswith("x") else "x" + "." * 8

    position = _game(Circle).start()
    for seen in (0, 0, 1, 1, 2):
        assert position.repetitions == seen
        position.play(position.moves()[0])


def _game(position: type[Position]) -> Game:
    return Game(name="broken", title=WORDS, position=position, board=lambda options: Board((), (), {}, (), ()),
                module=__name__)


@pytest.mark.parametrize(("method", "answer", "complaint"), [
    ("player_count", 0, "Broken.player_count: 0 players, not 1 to 6"),
    ("player_count", 7, "Broken.player_count: 7 players, not 1 to 6"),
    ("to_act", 2, "Broken.to_act: 2 is neither a player, 0 to 1, nor CHANCE"),
    ("to_act", OVER, "Broken.to_act: -2 is neither a player"),
    ("to_act", None, "Broken.to_act: None is neither a player"),
    ("final_scores", [1], "Broken.final_scores: 1 scores for 2 players"),
    ("final_scores", [0] * 9, "Broken.final_scores: 9 scores for 2 players"),
])
def test_a_game_that_cannot_begin(method: str, answer: object, complaint: str) -> None:
    broken = type("Broken", (line.LinePosition,), {method: lambda self, *state: answer})
    with pytest.raises(RuntimeError, match=complaint):
        _game(broken).start()


@pytest.mark.parametrize(("answer", "complaint"), [
    ([], "the game goes on but nobody can move"),
    (range(2049), "more than 2048 moves"),
    ([-1], "-1 is not a number from 0 to 4294967295"),
    ([2**32], "4294967296 is not a number"),
    (["a1"], "'a1' is not a number"),
])
def test_a_game_with_impossible_moves(answer: object, complaint: str) -> None:
    broken = type("Broken", (line.LinePosition,), {"legal_moves": lambda self, state: answer})
    with pytest.raises(RuntimeError, match=f"Broken.legal_moves: {complaint}"):
        _game(broken).start().moves()


def test_a_game_with_half_a_die() -> None:
    broken = type("Broken", (race.RacePosition,), {"likelihoods": lambda self, state: [1.0],
                                                   "player_count": lambda self: 2})
    with pytest.raises(RuntimeError, match=r"Broken\.likelihoods: 1 of them for 3 moves"):
        _game(broken).start().odds()


def test_a_game_that_fails_halfway_is_left_as_it_was() -> None:
    class Broken(line.LinePosition):
        """Fails on the second move, in the middle of a count too."""

        def after(self, state: str, move: int) -> str:
            if state.count(".") < 9:
                raise ZeroDivisionError("a bug")
            return super().after(state, move)

    position = _game(Broken).start()
    with pytest.raises(BrokenRulesError, match=r"Broken\.after: ZeroDivisionError: a bug"):
        boyi.perft(position, 4)
    assert (position.ply, position.to_text()) == (0, "." * 9)
    position.play(0)
    with pytest.raises(BrokenRulesError, match="a bug") as raised:
        position.play(1)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    assert (position.ply, position.to_text(), position.history()) == (1, "x" + "." * 8, [0])
    assert position.fingerprint == position.recomputed_fingerprint()


def test_a_game_that_says_nothing() -> None:
    for broken in (PythonPosition, Position):
        with pytest.raises(NotImplementedError, match="does not"):
            _game(broken).start().moves()


# ---------------------------------------------------------------------- nobody goes round the contract

SOURCES = Path(boyi.__file__).parent
POSITIONS = {"position", "observation", "referee", "walk", "view", "start", "board_position", "before", "after"}
"""What positions are called in our sources."""

TEXT_METHODS = {"startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "split", "find",
                "index", "count"}


def reaches(tree: ast.AST) -> Iterator[ast.AST]:
    """Where a source asks a position for what the contract does not name, or looks into the text of a move."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="getattr" | "hasattr" | "vars"), args=[asked, *_]) if is_position(asked):
                yield node
            case ast.Attribute(value=ast.Call(func=ast.Name(id="type"), args=[asked]), attr=attribute) if (
                    is_position(asked) and not attribute.startswith("__")):
                yield node
            case ast.Call(func=ast.Attribute(attr="play" | "parse_move" | "parse_moves"),
                          args=[ast.Constant(value=str())]):
                yield node
            case ast.Call(func=ast.Attribute(value=text, attr=method)) if method in TEXT_METHODS and is_move_text(text):
                yield node
            case ast.Compare(left=left, comparators=[right]) if (
                    (is_move_text(left) and isinstance(right, ast.Constant) and right.value)
                    or (is_move_text(right) and isinstance(left, ast.Constant) and left.value)):
                yield node
            case ast.Subscript(value=text) if is_move_text(text):
                yield node


def is_position(node: ast.AST) -> bool:
    """Is it called as positions are, itself or as an attribute, or given out by `observe`, `copy`, `referee`?"""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.strip("_") in POSITIONS
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name.strip("_") in POSITIONS | {"observe", "copy"}
    return False


def is_move_text(node: ast.AST) -> bool:
    """Is it what `format_move` wrote, or the text of a ply or an entry?"""
    match node:
        case ast.Call(func=ast.Attribute(attr="format_move" | "format_moves")):
            return True
        case ast.Attribute(value=ast.Name(id="ply" | "entry" | "played" | "move"), attr="text"):
            return True
        case ast.Name(id="move_text"):
            return True
    return False


def test_nobody_goes_round_the_contract() -> None:
    """Outside core and the games, positions are asked by the names of the contract, and moves are numbers."""
    seen, found = 0, []
    for path in sorted(SOURCES.rglob("*.py")):
        home = path.relative_to(SOURCES).parts[0]
        if home not in ("core", "games"):
            seen += 1
            found += [f"{path}:{node.lineno}: {ast.unparse(node)}"  # type: ignore[attr-defined]
                      for node in reaches(ast.parse(path.read_text(encoding="utf-8")))]
    assert seen > 100
    assert found == []


@pytest.mark.parametrize("source", [
    'getattr(draft.position, "resign", None)', 'getattr(observation, "pool")', 'hasattr(self._referee(), "mover")',
    "type(self._position).observe is not Position.observe", 'ply.text.startswith("resign")',
    'position.play("resign")', 'position.format_move(move) == "pass"', "entry.text[0]",
    "position.format_move(move)[:2]",
])
def test_going_round_the_contract_is_seen(source: str) -> None:
    assert list(reaches(ast.parse(source)))


@pytest.mark.parametrize("source", [
    "position.is_forfeit(move)", 'getattr(evaluator, "weights", None)', "position.play(text)", "ply.text == text",
    "type(position).__name__", 'words[0] == "resign"',
])
def test_what_may_be_asked(source: str) -> None:
    assert not list(reaches(ast.parse(source)))
