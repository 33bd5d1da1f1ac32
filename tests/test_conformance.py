"""What is true of every game, asked of every game.

Every game that `boyi.all_games()` finds is asked, under its default rules and then under every other value of
each option that changes the rules in kind: each choice, both truths, every number of players (every day with one
other value of each option, before a merge with all). Three toy games in plain Python are asked too; they see to it
that chance, secrets, captures and a third player always occur.

A position is reached by a random walk that hypothesis picks and shrinks: a seed and a number of plies.
"""

from __future__ import annotations

import ctypes
import math
import pickle
import platform
import random
import re
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import boyi
from boyi.core.board import Change, Stone
from boyi.core.errors import BoyiError, IllegalMoveError, TextError
from boyi.core.evaluator import Evaluator
from boyi.core.game import Game, Value, load
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.python_position import PythonPosition
from tests.scale import scaled
from tests.toys import cards, line, race

GUESS = 28_000
"""No evaluation is beyond it: there wins begin."""

LONGEST_GAME = 50_000
"""No random game of ours may go on longer than this."""


@dataclass(frozen=True)
class Case:
    """A game under some rules."""

    game: Game
    options: tuple[tuple[str, Value], ...] = ()
    daily: bool = True
    """Whether it is asked every day, and not only before a merge."""

    def __str__(self) -> str:
        return "-".join([self.game.name, *(f"{name}={value}" for name, value in self.options)])

    def start(self) -> Position:
        return self.game.start(**dict(self.options))

    def parse(self, text: str) -> Position:
        return self.game.parse(text, **dict(self.options))

    def walk(self, seed: int, plies: int) -> Position:
        """The position after some random moves, or earlier if the game ends."""
        rng = random.Random(seed)
        position = self.start()
        for _ in range(plies):
            moves = position.moves()
            if not moves:
                break
            position.play(rng.choice(moves))
        return position


def all_cases() -> Iterator[Case]:
    for game in [*boyi.all_games().values(), line.GAME, race.GAME, cards.GAME]:
        yield Case(game)
        for option in game.options:
            values: tuple[Value, ...] = option.choices
            if isinstance(option.default, bool):
                values = (False, True)
            elif isinstance(option.default, int):
                values = tuple(range(option.lowest, option.highest + 1)) if option.name == "players" else ()
            others = [value for value in values if value != option.default]
            for value in others:
                yield Case(game, ((option.name, value),), daily=value == others[-1])


def asked_of(cases: Iterable[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [
        pytest.param(case, id=str(case), marks=() if case.daily else pytest.mark.slow) for case in cases])


CASES = list(all_cases())
every_case = asked_of(CASES)
every_game = asked_of(case for case in CASES if not case.options)
SYMMETRIC = [case for case in CASES if case.start().board.symmetries]
COMPILED = [case for case in CASES if not isinstance(case.start(), PythonPosition)]

seeds = st.integers(0, 2**32 - 1)
depths = st.one_of(st.integers(0, 20), st.integers(0, 400))


def asked(full: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The same questions every time: a tenth of `full` before a merge, a third of that every day."""
    return settings(max_examples=scaled(full, 30), derandomize=True, deadline=None, database=None,
                    suppress_health_check=list(HealthCheck))


def snapshot(position: Position) -> dict[str, Any]:
    """Everything that can be seen of a position from Python."""
    return {
        "text": position.to_text(),
        "start": position.start_text,
        "history": position.history(),
        "ply": position.ply,
        "turn": position.turn,
        "moves": position.moves(),
        "odds": position.odds(),
        "fingerprint": position.fingerprint,
        "recomputed": position.recomputed_fingerprint(),
        "symmetric": position.symmetric_fingerprint,
        "repetitions": position.repetitions,
        "repeat_result": position.repeat_result,
        "checked": position.checked,
        "stones": position.stones(),
        "outcome": position.outcome(),
        "players": position.players,
        "options": dict(position.options),
        "repr": repr(position),
    }


def placed(stones: list[Stone]) -> dict[str, str]:
    """From points to glyphs; no point twice."""
    board = {stone.point: stone.glyph for stone in stones}
    assert len(board) == len(stones), stones
    return board


# ---------------------------------------------------------------------- facts


def test_our_games_are_symmetric_and_compiled() -> None:
    """Each under its own rules; tic-tac-toe is the example of a game in plain Python."""
    ours = set(boyi.all_games())
    assert ours <= {case.game.name for case in SYMMETRIC if not case.options}
    assert ours - {case.game.name for case in COMPILED if not case.options} == {"tic_tac_toe"}


@every_case
def test_the_facts(case: Case) -> None:
    """The game's record and its board are complete and agree with each other."""
    game, position = case.game, case.start()
    board = position.board
    assert load(game.module) is game
    assert pickle.loads(pickle.dumps(game)) is game
    assert re.fullmatch(r"[a-z][a-z0-9_]*", game.name)
    for words in (game.title, *(option.help for option in game.options), *board.seat_names):
        assert words.en
        assert words.zh
    assert position.game is game
    assert dict(position.options) == dict(game.resolve(dict(case.options)))
    assert position.ply == 0
    assert position.history() == []
    assert position.start_text == position.to_text()

    assert 1 <= position.players <= 6
    assert len(board.seat_names) == len(board.seat_colours) == len(board.rotations) == position.players
    assert len(board.index) == len(board.points), "two points of the same name"
    assert len({(point.x, point.y) for point in board.points}) == len(board.points), "two points in the same place"
    assert all(code == glyph.code and len(code) == 1 for code, glyph in board.glyphs.items())
    assert all(glyph.name.en and glyph.name.zh for glyph in board.glyphs.values())
    assert all(glyph.seat is None or glyph.seat in range(position.players) for glyph in board.glyphs.values())

    everything = list(range(len(board.points)))
    stones = placed(position.stones())
    for image in board.symmetries:
        assert sorted(image) == everything, "not a permutation of the points"
        moved = {board.points[image[board.index[point]]].name: glyph for point, glyph in stones.items()}
        assert moved == stones, "a symmetry that does not keep the start"
    assert len({tuple(image) for image in board.symmetries}) == len(board.symmetries)
    assert tuple(everything) not in board.symmetries, "the identity is not worth listing"


# ---------------------------------------------------------------------- make and unmake


@every_case
@asked(300)
@given(seed=seeds, depth=depths, more=st.integers(1, 12))
def test_undo_leaves_no_trace(case: Case, seed: int, depth: int, more: int) -> None:
    position = case.walk(seed, depth)
    rng = random.Random(seed + 1)
    seen: list[tuple[int, dict[str, Any]]] = []
    while position.turn != OVER and len(seen) < more:
        move = rng.choice(position.moves())
        seen.append((move, snapshot(position)))
        position.play(move)
        assert position.history() == [*seen[-1][1]["history"], move]
        assert position.ply == seen[-1][1]["ply"] + 1
    for move, before in reversed(seen):
        assert position.undo() == move
        assert snapshot(position) == before
    while position.ply:
        position.undo()
    assert snapshot(position) == snapshot(case.start())
    with pytest.raises(IllegalMoveError, match="no move to take back"):
        position.undo()


@every_case
@asked(200)
@given(seed=seeds, depth=depths, more=st.integers(0, 8))
def test_a_null_move_passes_the_turn_and_leaves_no_trace(case: Case, seed: int, depth: int, more: int) -> None:
    """Null moves and moves in any order, as searches make them, and all of them taken back by the same `undo`."""
    position = case.walk(seed, depth)
    rng = random.Random(seed + 1)
    seen: list[dict[str, Any]] = []
    for step in range(more + 1):
        before = snapshot(position)
        if step == 0 or rng.random() < 0.3:
            if not position.play_null():
                assert snapshot(position) == before
                continue
            assert before["turn"] not in (CHANCE, OVER)
            assert position.turn != before["turn"]
            assert position.stones() == before["stones"]
            assert position.repeat_result == "fresh"
        elif before["moves"]:
            position.play(rng.choice(before["moves"]))
        else:
            break
        assert position.ply == before["ply"] + 1 == len(position.history())
        assert position.fingerprint == position.recomputed_fingerprint()
        seen.append(before)
    there = snapshot(position)
    copy = position.copy()
    for before in reversed(seen):
        position.undo()
        assert snapshot(position) == before
    assert snapshot(copy) == there, "null moves are on the history of a copy too"


def test_null_moves_are_asked_of_somebody() -> None:
    """The property above is not empty: which of our games know null moves."""
    able = {case.game.name for case in CASES if any(case.walk(seed, 10).play_null() for seed in range(5))}
    assert able == {"xiangqi", "jieqi", "chinese_checkers"}


@every_case
@asked(300)
@given(seed=seeds, depth=depths)
def test_the_key_is_kept_up_to_date(case: Case, seed: int, depth: int) -> None:
    position = case.start()
    rng = random.Random(seed)
    keys = [position.fingerprint]
    for _ in range(depth):
        moves = position.moves()
        if not moves:
            break
        position.play(rng.choice(moves))
        assert position.fingerprint == position.recomputed_fingerprint(), position.to_text()
        assert 0 <= position.symmetric_fingerprint < 1 << 64
        keys.append(position.fingerprint)
    while position.ply:
        assert position.fingerprint == keys.pop()
        position.undo()


@every_case
@asked(200)
@given(seed=seeds, depth=depths)
def test_different_positions_have_different_keys(case: Case, seed: int, depth: int) -> None:
    """A position and all that follow it at once: where the board or the turn differs, the key does."""
    position = case.walk(seed, depth)
    seen = {position.fingerprint: (position.turn, placed(position.stones()))}
    for move in position.moves():
        position.play(move)
        if position.turn != OVER:      # what is over needs no key: it may be so by its history
            looks = position.turn, placed(position.stones())
            assert seen.setdefault(position.fingerprint, looks) == looks, "one key for two boards or two turns"
        position.undo()


@every_case
@asked(300)
@given(seed=seeds, depth=depths)
def test_text_comes_back(case: Case, seed: int, depth: int) -> None:
    position = case.walk(seed, depth)
    text = position.to_text()
    again = case.parse(text)
    assert again.to_text() == text == again.start_text
    assert again.history() == []
    assert again.fingerprint == position.fingerprint
    assert again.recomputed_fingerprint() == position.fingerprint
    assert placed(again.stones()) == placed(position.stones())
    if position.turn != OVER:      # it may be over by its history (a repetition), which no text tells
        assert again.turn == position.turn
        assert again.moves() == position.moves()
        assert again.odds() == position.odds()


@every_case
@asked(300)
@given(seed=seeds, depth=depths)
def test_copies_are_independent(case: Case, seed: int, depth: int) -> None:
    position = case.walk(seed, depth)
    before = snapshot(position)
    copy = position.copy()
    assert type(copy) is type(position)
    assert snapshot(copy) == before
    boyi.playout(copy, seed, 20)
    assert snapshot(position) == before
    while copy.ply:
        copy.undo()
    assert copy.to_text() == copy.start_text
    assert snapshot(position) == before
    copy = position.copy()
    boyi.playout(position, seed, 20)
    assert snapshot(copy) == before
    del position
    assert snapshot(copy) == before


@every_case
@asked(100)
@given(seed=seeds, depth=depths)
def test_positions_travel(case: Case, seed: int, depth: int) -> None:
    position = case.walk(seed, depth)
    assert snapshot(pickle.loads(pickle.dumps(position))) == snapshot(position)


@every_case
@asked(100)
@given(seed=seeds, depth=depths)
def test_games_are_written_down(case: Case, seed: int, depth: int) -> None:
    """A record replays to the same position, whatever chance added to the moves."""
    position = case.walk(seed, depth)
    record = boyi.Record.from_position(position)
    assert snapshot(boyi.Record.parse(record.to_text(), lambda name: case.game).replay()) == snapshot(position)


# ---------------------------------------------------------------------- moves


@every_case
@asked(300)
@given(seed=seeds, depth=depths)
def test_every_move_can_be_named_drawn_and_played(case: Case, seed: int, depth: int) -> None:
    position = case.walk(seed, depth)
    moves, points, before = position.moves(), position.board.index, position.to_text()
    assert (position.turn == OVER) == (not moves) == (position.outcome() is not None)
    assert position.turn in (CHANCE, OVER) or 0 <= position.turn < position.players
    assert boyi.perft(position, 1) in (len(moves), len(moves) or 1)
    assert len(set(moves)) == len(moves)
    texts = [position.format_move(move) for move in moves]
    assert len(set(texts)) == len(texts), "two moves with one name"
    for move, text in zip(moves, texts, strict=True):
        assert position.is_legal(move)
        assert text.strip() == text != ""
        assert position.parse_move(text) == move
        assert position.parse_moves(text) == (move,)
        assert case.game.read_move(position, text) == (move,)
        assert all(point in points for point in position.path(move))
        position.play(text)
        assert position.history()[-1] == move
        position.undo()
    if position.turn != CHANCE:
        for notation in case.game.notations.values():
            for move in moves:
                assert notation.parse(position, notation.format(position, move)) == move
    forced = position.forced_move()
    if forced is None:
        assert position.turn < 0 or len(moves) > 1 or position.path(moves[0])
    else:
        assert moves == [forced] and not position.path(forced)
    assert position.to_text() == before


@every_case
@asked(200)
@given(seed=seeds, depth=depths)
def test_what_searches_ask_of_moves(case: Case, seed: int, depth: int) -> None:
    """Captures are legal and take something; what takes nothing wins nothing in an exchange."""
    position = case.walk(seed, depth)
    moves, before = position.moves(), snapshot(position)
    captures = position.captures_now()
    assert set(captures) <= set(moves)
    for move in moves:
        takes = any(change.kind == "captured" for change in position.changes(move))
        assert takes or (move not in captures and position.exchange_now(move) == 0)
        assert abs(position.exchange_now(move)) < GUESS
    assert snapshot(position) == before


@every_case
@asked(100)
@given(seed=seeds, depth=depths)
def test_settled_scores_stay(case: Case, seed: int, depth: int) -> None:
    """Who is finished or gone while others play on has the score in the end that they have now."""
    position = case.walk(seed, depth)
    settled = [position.settled_score(player) for player in range(position.players)]
    boyi.playout(position, seed, LONGEST_GAME)
    outcome = position.outcome()
    assert outcome is not None
    assert all(score in (None, final) for score, final in zip(settled, outcome.scores, strict=True))


@every_case
@asked(100)
@given(seed=seeds, depth=depths)
def test_what_evaluators_answer(case: Case, seed: int, depth: int) -> None:
    """Values are bounded, intervals are intervals, and what is presumed of chance may come."""
    position = case.walk(seed, depth)
    before = snapshot(position)
    for evaluator in evaluators_of(case.game.module):
        if position.turn == CHANCE:
            assert evaluator.presumed_result(position) in position.moves()
        if position.turn < 0 or not knows(evaluator, position):
            continue
        values, interval, value = evaluator.values(position), evaluator.value_range(position), evaluator.value(position)
        assert len(values) == position.players
        assert all(-1 <= one <= 1 for one in values)
        assert -GUESS <= value <= GUESS
        assert interval is None or -GUESS <= interval[0] <= interval[1] <= GUESS
    assert snapshot(position) == before


@cache
def evaluators_of(module: str) -> list[Evaluator]:
    return [Evaluator(), *(make() for make in load(module).evaluators.values())]


def knows(evaluator: Evaluator, position: Position) -> bool:
    """Some evaluators are for some rules only, and say so."""
    try:
        evaluator.check(position)
    except TextError:
        return False
    return True


def test_settled_scores_are_asked_of_somebody() -> None:
    """The property above is not empty."""
    position = boyi.start("chinese_checkers", players=3)
    assert position.settled_score(1) is None
    position.resign(1)
    assert position.settled_score(1) == -1


@every_case
@asked(300)
@given(seed=seeds, depth=depths)
def test_changes_lead_from_stones_to_stones(case: Case, seed: int, depth: int) -> None:
    position = case.walk(seed, depth)
    board = position.board
    before = placed(position.stones())
    for move in position.moves():
        changes = position.changes(move)
        position.play(move)
        after = placed(position.stones())
        position.undo()
        assert applied(before, changes) == after, (position.to_text(), position.format_move(move), changes)
        assert set(after) <= set(board.index)
        assert set(after.values()) <= set(board.glyphs)


def applied(before: dict[str, str], changes: list[Change]) -> dict[str, str]:
    """The stones after some changes, by the words of `Change`."""
    stones = dict(before)
    for change in changes:
        assert (change.to is not None) == (change.kind == "moved")
        match change.kind:
            case "placed":
                assert change.point not in stones
                stones[change.point] = change.glyph
            case "moved":
                assert change.to is not None
                assert stones.pop(change.point) == change.glyph
                assert change.to not in stones
                stones[change.to] = change.glyph
            case "captured":
                assert stones.pop(change.point) == change.glyph
            case "flipped" | "revealed" | "marked":
                assert stones[change.point] != change.glyph
                stones[change.point] = change.glyph
    return stones


@asked_of(SYMMETRIC)
@asked(100)
@given(seed=seeds, depth=depths)
def test_symmetric_positions_have_symmetric_moves(case: Case, seed: int, depth: int) -> None:
    """A game and its image run side by side. A long hop may go another way round: its ends decide."""
    board = case.start().board
    rng = random.Random(seed)
    image = rng.choice(board.symmetries)
    goes_to = {point.name: board.points[image[i]].name for i, point in enumerate(board.points)}

    def ends(path: tuple[str, ...]) -> tuple[str, ...]:
        return path if len(path) < 3 else (path[0], path[-1])

    def mapped(path: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(goes_to[point] for point in ends(path))

    position, mirrored = case.start(), case.start()
    for _ in range(depth):
        assert mirrored.turn == position.turn
        assert placed(mirrored.stones()) == {goes_to[p]: glyph for p, glyph in placed(position.stones()).items()}
        moves, images = position.moves(), mirrored.moves()
        assert Counter(mapped(position.path(move)) for move in moves) == Counter(
            ends(mirrored.path(move)) for move in images)
        if not moves:
            assert position.outcome() == mirrored.outcome()
            break
        move = rng.choice(moves)
        path, text = mapped(position.path(move)), position.format_move(move)
        position.play(move)
        wanted = {goes_to[point]: glyph for point, glyph in placed(position.stones()).items()}
        # Of several with this path: the one of the same name (what chance brings), or else the one that does
        # the same to the board.
        for candidate in sorted(images, key=lambda image: mirrored.format_move(image) != text):
            if ends(mirrored.path(candidate)) == path:
                mirrored.play(candidate)
                if placed(mirrored.stones()) == wanted:
                    break
                mirrored.undo()
        else:
            pytest.fail(f"no image of {position.history()[-1]} in {mirrored!r}")


@every_case
@asked(100)
@given(seed=seeds)
def test_a_random_game_ends(case: Case, seed: int) -> None:
    position = case.start()
    made = boyi.playout(position, seed, LONGEST_GAME)
    assert made < LONGEST_GAME, "the game does not end"
    assert made == position.ply
    assert position.turn == OVER
    assert position.moves() == []
    assert position.odds() == []
    outcome = position.outcome()
    assert outcome is not None
    assert len(outcome.scores) == len(outcome.places) == len(outcome.results) == position.players
    assert all(-1 <= score <= 1 for score in outcome.scores)
    assert re.fullmatch(r"[a-z][a-z0-9_]*", outcome.reason)
    assert outcome.words.en
    assert outcome.words.zh
    assert all(words.en and words.zh for words in position.explain())
    before = snapshot(position)
    for nonsense in (0, 1, position.history()[-1], "nonsense"):
        with pytest.raises(BoyiError):
            position.play(nonsense)
    assert snapshot(position) == before


@every_game
def test_playouts_come_back(case: Case) -> None:
    position = case.start()
    before = snapshot(position)
    made, sums = boyi.playouts(position, 20, 3)
    assert snapshot(position) == before
    assert made >= 20
    assert len(sums) == position.players
    assert boyi.playouts(position, 20, 3) == (made, sums), "the same seed, another result"
    assert boyi.playouts(position, 20, 4) != (made, sums), "another seed, the same games"


# ---------------------------------------------------------------------- giving up


@every_case
@asked(200)
@given(seed=seeds, depth=depths)
def test_who_gives_up(case: Case, seed: int, depth: int) -> None:
    """Every player who is still in the game may resign at any time, and nobody else ever."""
    position = case.walk(seed, depth)
    before = snapshot(position)
    assert not any(position.is_forfeit(move) for move in before["moves"])
    assert not position.may_resign(-1)
    assert not position.may_resign(position.players)
    for player in range(position.players):
        if not position.may_resign(player):
            with pytest.raises(IllegalMoveError):
                position.resign(player)
        elif position.forfeit(player) is None:
            outcome = position.resign(player, "time")
            assert outcome is not None
            assert outcome.reason == "time"
            assert outcome.results == tuple(-1 if seat == player else 1 for seat in range(position.players))
            assert str(position.board.seat_names[player]) in str(outcome.words)
        else:
            assert_forfeit_is_a_move(position, player)
        assert snapshot(position) == before
    if before["turn"] >= 0:
        assert position.may_resign(before["turn"]), "who acts is in the game"
    if before["turn"] == OVER:
        assert not any(position.may_resign(player) for player in range(position.players))


def assert_forfeit_is_a_move(position: Position, player: int) -> None:
    """Unlisted, but named, drawn, played, undone, sent and recorded like any other."""
    before = snapshot(position)
    move = position.forfeit(player)
    assert move is not None
    assert position.is_forfeit(move)
    assert not position.is_legal(move)
    text = position.format_move(move)
    assert position.parse_move(text) == move
    assert position.parse_moves(text) == position.game.read_move(position, text) == (move,)
    assert position.path(move) == ()
    changes = position.changes(move)
    assert position.resign(player) == position.outcome()
    after = snapshot(position)
    assert after["history"] == [*before["history"], move]
    assert after["turn"] != player
    assert placed(after["stones"]) == applied(placed(before["stones"]), changes)
    assert after["fingerprint"] == after["recomputed"] != before["fingerprint"]
    assert not position.may_resign(player)
    for again in (move, text):
        with pytest.raises(BoyiError):
            position.play(again)
    assert snapshot(position) == after
    assert snapshot(pickle.loads(pickle.dumps(position))) == after
    assert snapshot(boyi.Record.from_position(position).replay()) == after
    assert position.observe(None).to_text() == after["text"] or position.has_secrets
    boyi.playout(position, 1, LONGEST_GAME)
    outcome = position.outcome()
    assert outcome is not None, "the others play on to the end"
    assert outcome.places[player] != 1
    while position.ply > before["ply"] + 1:
        position.undo()
    assert position.undo() == move
    for again in (move, text):
        position.play(again)
        assert snapshot(position) == after
        assert position.undo() == move


def test_forfeits_are_asked_of_somebody() -> None:
    """The property above is not empty: in which games the others play on."""
    assert {case.game.name for case in CASES if case.start().forfeit(0) is not None} == {"chinese_checkers", "race"}


# ---------------------------------------------------------------------- chance and secrets


@every_case
@asked(100)
@given(seed=seeds, depth=depths)
def test_pools(case: Case, seed: int, depth: int) -> None:
    """What covered pieces may be is said of glyphs of their seat, and there is enough of it."""
    position = case.walk(seed, depth)
    pools, glyphs = position.pools(), position.board.glyphs
    assert len({(covered.seat, covered.glyph) for covered in pools}) == len(pools)
    assert all(covered.count >= 0 and glyphs[covered.glyph].seat == covered.seat for covered in pools)
    assert all(glyphs[covered.glyph].style == "plain" for covered in pools)
    standing = Counter(glyphs[stone.glyph].seat for stone in position.stones()
                       if glyphs[stone.glyph].style == "covered")
    for seat, number in standing.items():
        assert sum(covered.count for covered in pools if covered.seat == seat) >= number


@every_game
def test_a_game_knows_whether_it_has_chance(case: Case) -> None:
    """The fact agrees with what random games show, under every one of its options."""
    drawn = False
    for variant in (other for other in CASES if other.game is case.game):
        for seed in range(scaled(50)):
            position = variant.start()
            boyi.playout(position, seed, LONGEST_GAME)
            while position.ply and not drawn:
                drawn = position.turn == CHANCE
                position.undo()
            drawn = drawn or position.turn == CHANCE
    assert case.game.has_chance == drawn


@every_case
@asked(300)
@given(seed=seeds, depth=depths)
def test_odds(case: Case, seed: int, depth: int) -> None:
    position = case.walk(seed, depth)
    odds = position.odds()
    if position.turn != CHANCE:
        assert odds == []
        return
    assert sorted(move for move, _ in odds) == sorted(position.moves())
    assert all(0 < chance <= 1 for _, chance in odds)
    assert math.isclose(math.fsum(chance for _, chance in odds), 1, abs_tol=1e-9)


@every_case
@asked(300)
@given(seed=seeds, depth=depths)
def test_an_observer_can_play(case: Case, seed: int, depth: int) -> None:
    """Whoever acts knows his moves; what he sees travels and is not changed by looking again."""
    position = case.walk(seed, depth)
    before = snapshot(position)
    for player in range(position.players):
        view = position.observe(player)
        assert snapshot(position) == before
        assert placed(view.stones()) == placed(position.stones())
        if not position.has_secrets:
            assert snapshot(view) == before
        if position.turn == player:
            assert view.turn == player
            assert view.moves() == position.moves()
        assert snapshot(view.observe(player)) == snapshot(view)
        assert snapshot(pickle.loads(pickle.dumps(view))) == snapshot(view)
        boyi.playout(view, seed, 20)
        assert snapshot(position) == before


@every_case
@asked(300)
@given(seed=seeds, depth=depths)
def test_an_observer_learns_what_he_sees_and_no_more(case: Case, seed: int, depth: int) -> None:
    """What a player knows after a move is what he knew before it, and the move.

    He makes every player's move in his own position too, and arrives where `observe` arrives. What chance
    brings he either sees, and plays it too, or he does not, and knows what he knew. Where his own position
    awaits chance after a player's move, the truth may tell him the result at once. When all is over, all may be told.
    """
    position = case.start()
    rng = random.Random(seed)
    views = [position.observe(player) for player in range(position.players)]
    for _ in range(min(depth, 60)):
        move = rng.choice(position.moves())
        by_chance = position.turn == CHANCE
        position.play(move)
        if position.turn == OVER:
            break
        for player in range(position.players):
            known, view = views[player], position.observe(player)
            views[player] = view
            possible = {known.to_text()} if by_chance else set()
            if known.is_legal(move) and (known.turn == CHANCE) == by_chance:
                known.play(move)
                possible.add(known.to_text())
                for result in known.moves() if known.turn == CHANCE and not by_chance else ():
                    known.play(result)
                    possible.add(known.to_text())
                    known.undo()
            assert view.to_text() in possible, (player, position.to_text(), position.history())


@every_case
@asked(300)
@given(seed=seeds, depth=depths, more=st.integers(0, 20))
def test_an_observer_learns_nothing_by_the_back_door(case: Case, seed: int, depth: int, more: int) -> None:
    """Let chance decide in two ways. Who cannot see the difference in the text cannot see it anywhere.

    Both games then go on with the same moves, as long as the rules allow it and he sees no difference.
    """
    position = case.walk(seed, depth)
    if not position.has_secrets:
        return
    rng = random.Random(seed)
    while position.turn not in (CHANCE, OVER):
        position.play(rng.choice(position.moves()))
    if position.turn == OVER or len(position.moves()) < 2:
        return
    one, other = position.copy(), position.copy()
    for game, move in zip((one, other), rng.sample(position.moves(), 2), strict=True):
        game.play(move)
    for player in range(position.players):
        one_copy, other_copy = one.copy(), other.copy()
        for _ in range(more + 1):
            view, lookalike = one_copy.observe(player), other_copy.observe(player)
            if view.to_text() != lookalike.to_text():
                break
            assert snapshot(view) == snapshot(lookalike)
            assert pickle.dumps(view) == pickle.dumps(lookalike)
            assert str(view.board) == str(lookalike.board)
            common = [move for move in one_copy.moves() if other_copy.is_legal(move)]
            if not common or one_copy.turn != other_copy.turn:
                break
            move = rng.choice(common)
            if one_copy.format_move(move) != other_copy.format_move(move):
                break
            one_copy.play(move)
            other_copy.play(move)


# ---------------------------------------------------------------------- nonsense

FOREIGN = "0123456789²１٣ -+=/;,:.!?*@#()[]{}\\\n\t\0abcdefghijkXOxoRKPpéß将炮二平五前진ｄ\U0001f600"


def says_something(refused: BoyiError) -> None:
    """A refusal is in words, and nobody's nonsense fills the screen."""
    assert 0 < len(str(refused)) < 1000


def damaged(text: str, rng: random.Random) -> str:
    """A text with a few accidents."""
    for _ in range(rng.randint(1, 3)):
        at, other = rng.randint(0, len(text)), rng.randint(0, len(text))
        low, high = min(at, other), max(at, other)
        text = rng.choice([
            text[:at] + text[at + 1:],
            text[:at] + rng.choice(FOREIGN) + text[at:],
            text[:at] + rng.choice(FOREIGN) + text[at + 1:],
            text[:at] + rng.choice(text or "x") + text[at + 1:],
            text[:low] + text[high:],
            text[:high] + text[low:],
            text.swapcase(),
            text.translate({digit: digit - 48 + 0xFF10 for digit in range(48, 58)}),
            text * 2,
        ])
    return text


@every_case
@asked(200)
@given(seed=seeds, depth=depths, number=st.integers() | st.integers(0, 2**32 + 1) | st.integers(0, 300))
def test_numbers_that_are_not_legal_are_refused(case: Case, seed: int, depth: int, number: int) -> None:
    position = case.walk(seed, depth)
    moves, before = position.moves(), snapshot(position)
    # Near misses too: legal numbers with one bit changed.
    wrong = [number, *(move ^ 1 << bit for move in moves[:3] for bit in range(32))]
    for move in wrong:
        if move not in moves:
            assert not position.is_legal(move)
            try:
                position.play(move)
            except IllegalMoveError as refused:
                says_something(refused)
            else:
                assert position.undo() == move
                assert position.is_forfeit(move)
    assert snapshot(position) == before


@every_game
@pytest.mark.parametrize("move", [None, 0.5, b"a1", [], {}, object(), float("nan"), 1 + 0j],
                         ids=lambda value: type(value).__name__)
def test_things_that_are_no_moves_are_refused(case: Case, move: Any) -> None:
    position = case.walk(1, 5)
    before = snapshot(position)
    assert not position.is_legal(move)
    with pytest.raises(BoyiError):
        position.play(move)
    assert snapshot(position) == before


@every_case
@asked(500)
@given(seed=seeds, depth=depths, text=st.text(max_size=12))
def test_texts_that_are_no_moves_are_refused(case: Case, seed: int, depth: int, text: str) -> None:
    """Arbitrary texts and damaged moves, in every notation: played as a legal move or refused in words."""
    position = case.walk(seed, depth)
    rng = random.Random(seed)
    before = snapshot(position)
    texts = [text]
    for move in rng.sample(position.moves(), min(3, len(position.moves()))):
        texts.append(damaged(position.format_move(move), rng))
        if position.turn != CHANCE:
            texts += [damaged(notation.format(position, move), rng) for notation in case.game.notations.values()]
    for word in texts:
        try:
            position.play(word)
        except BoyiError as refused:
            says_something(refused)
        else:
            assert position.ply > before["ply"], "accepted, but nothing was played"
            first = position.history()[before["ply"]]
            while position.ply > before["ply"]:
                position.undo()
            assert first in before["moves"] or position.is_forfeit(first)
        assert snapshot(position) == before, word


@every_case
@asked(500)
@given(seed=seeds, depth=depths, text=st.text(max_size=30))
def test_texts_that_are_no_positions_are_refused(case: Case, seed: int, depth: int, text: str) -> None:
    """Arbitrary texts and damaged positions: refused in words, or read as a position that works."""
    position = case.walk(seed, depth)
    before = snapshot(position)
    rng = random.Random(seed)
    for words in (text, *(damaged(before["text"], rng) for _ in range(5))):
        try:
            position.set_text(words)
        except TextError as refused:
            says_something(refused)
            assert snapshot(position) == before, words
            continue
        assert position.history() == []
        assert position.start_text == position.to_text() == case.parse(position.to_text()).to_text()
        assert position.fingerprint == position.recomputed_fingerprint()
        assert set(placed(position.stones())) <= set(position.board.index)
        boyi.playout(position, seed, 30)
        while position.ply:
            position.undo()
        assert position.to_text() == position.start_text
        position = case.walk(seed, depth)


@every_game
@pytest.mark.parametrize("text", [None, 7, b"", [], "", " ", "\0", "x" * 1_000_000, "/" * 1_000_000, "9" * 10_000],
                         ids=lambda text: repr(text)[:12])
def test_things_that_are_no_positions_are_refused(case: Case, text: Any) -> None:
    position = case.walk(1, 5)
    before = snapshot(position)
    with pytest.raises(TextError) as refused:
        position.set_text(text)
    assert len(str(refused.value)) < 1000
    assert snapshot(position) == before


# ---------------------------------------------------------------------- memory


@every_case
def test_a_position_is_small(case: Case) -> None:
    """Under 8 KiB besides its history, counting what it allocates and not only what it is."""
    position = case.start()
    history = position.__sizeof__() - type(position).__basicsize__
    assert type(position).__basicsize__ < 8192
    copies: list[Position | None] = [None] * 50
    position.copy()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for i in range(len(copies)):
            copies[i] = position.copy()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (after - before) / len(copies) - history < 8192


class _Mallinfo(ctypes.Structure):
    """What glibc tells of its heap."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def bytes_in_use() -> int | None:
    """All memory that malloc has given out, where the C library can tell."""
    if platform.libc_ver()[0] != "glibc":
        return None
    mallinfo2 = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if mallinfo2 is None:
        return None
    mallinfo2.restype = _Mallinfo
    info = mallinfo2()
    return int(info.uordblks + info.hblkhd)


@asked_of(COMPILED)
def test_a_million_nodes_allocate_nothing(case: Case) -> None:
    """Neither Python's allocators, at any moment, nor malloc, in the end."""
    position = case.start()
    depth = 1
    while boyi.perft(position, depth) < 1_000_000:     # also lets the history grow to what it needs
        depth += 1
    at_once, grown = [], []
    for _ in range(3):      # another thread of the test runner may allocate meanwhile, but hardly every time
        tracemalloc.start()
        try:
            bytes_in_use()
            heap = bytes_in_use()
            tracemalloc.reset_peak()
            before, _ = tracemalloc.get_traced_memory()
            assert boyi.perft(position, depth) >= 1_000_000
            _, peak = tracemalloc.get_traced_memory()
            at_once.append(peak - before)
            grown.append((bytes_in_use() or 0) - (heap or 0))
        finally:
            tracemalloc.stop()
    assert min(at_once) < 512, f"{at_once} bytes at a time"
    assert min(grown) < 65_536, f"{grown} bytes left behind"     # a single byte a node would be a million
