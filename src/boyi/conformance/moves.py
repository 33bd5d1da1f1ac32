"""Moves: their names, their way over the board, what searches ask of them."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

from boyi.conformance.case import Case
from boyi.conformance.expect import ConformanceError, ensure, same, same_snapshot, snapshot, standing
from boyi.conformance.property import asked_of_walks
from boyi.core.board import Change
from boyi.core.errors import TextError
from boyi.core.evaluator import Evaluator
from boyi.core.game import load
from boyi.core.position import CHANCE, OVER, Position
from boyi.search.perft import perft

__all__ = [
    "applied", "captures_take_something", "changes_lead_from_stones_to_stones", "evaluators_keep_within_bounds",
    "every_move_can_be_named_drawn_and_played", "searches_are_told_the_truth",
    "symmetric_positions_have_symmetric_moves",
]

GUESS = 28_000
"""No evaluation is beyond it: there wins begin."""


@asked_of_walks()
def every_move_can_be_named_drawn_and_played(case: Case, seed: int, plies: int) -> None:
    """Every move has a name of its own that is read back, a path of points of the board, and can be played."""
    position = case.walk(seed, plies)
    moves, points, before = position.moves(), position.board.index, position.to_text()
    over = position.turn == OVER
    ensure(over == (not moves) == (position.outcome() is not None),
           f"turn is {position.turn}, there are {len(moves)} moves, and outcome() is {position.outcome()}: the game is "
           "over when there is no move, and then it has an outcome")
    ensure(position.turn in (CHANCE, OVER) or 0 <= position.turn < position.players, f"turn is {position.turn}")
    ensure(perft(position, 1) in (len(moves), len(moves) or 1), "perft counts other moves than moves()")
    same(len(set(moves)), len(moves), "different moves")
    texts = [position.format_move(move) for move in moves]
    ensure(len(set(texts)) == len(texts), f"two moves have one name: {Counter(texts).most_common(1)}")
    for move, text in zip(moves, texts, strict=True):
        _can_be_played(position, move, text)
        ensure(all(point in points for point in position.path(move)),
               f"the path of {text}, {position.path(move)}, is not of points of the board")
    if position.turn != CHANCE:
        for name, notation in case.game.notations.items():
            for move, text in zip(moves, texts, strict=True):
                same(notation.parse(position, notation.format(position, move)), move, f"{text} in notation {name}")
    forced = position.forced_move()
    if forced is None:
        ensure(position.turn < 0 or len(moves) > 1 or position.path(moves[0]), "forced_move() overlooks the only move")
    else:
        ensure(moves == [forced] and not position.path(forced), f"forced_move() is {forced}, which is a decision")
    same(position.to_text(), before, "the position after asking about its moves")


def _can_be_played(position: Position, move: int, text: str) -> None:
    ensure(position.is_legal(move), f"{text} is among the moves, but is_legal() denies it")
    ensure(text.strip() == text != "", f"the name of move {move} is {text!r}")
    same(position.parse_move(text), move, f"parse_move({text!r})")
    same(position.parse_moves(text), (move,), f"parse_moves({text!r})")
    same(position.game.read_move(position, text), (move,), f"read_move({text!r})")
    position.play(text)
    same(position.history()[-1], move, f"the move that was played as {text!r}")
    position.undo()


@asked_of_walks()
def changes_lead_from_stones_to_stones(case: Case, seed: int, plies: int) -> None:
    """The changes of a move, done to the stones before it, give the stones after it."""
    position = case.walk(seed, plies)
    board = position.board
    before = standing(position.stones())
    for move in position.moves():
        changes, text = position.changes(move), position.format_move(move)
        position.play(move)
        after = standing(position.stones())
        position.undo()
        same(applied(before, changes), after, f"the stones after {text}, by its changes {changes}, are")
        ensure(set(after) <= set(board.index),
               f"after {text} a stone stands on no point: {set(after) - set(board.index)}")
        ensure(set(after.values()) <= set(board.glyphs),
               f"after {text} there is a stone without a glyph: {set(after.values()) - set(board.glyphs)}")


def applied(before: dict[str, str], changes: list[Change]) -> dict[str, str]:
    """The stones after some changes, by the words of `Change`."""
    stones = dict(before)
    for change in changes:
        ensure((change.to is not None) == (change.kind == "moved"), f"`to` is for what is moved: {change}")
        match change.kind:
            case "placed":
                ensure(change.point not in stones, f"the point is not empty: {change}")
                stones[change.point] = change.glyph
            case "moved":
                ensure(stones.pop(change.point, None) == change.glyph, f"no such stone stands there: {change}")
                ensure(change.to not in stones, f"the point it goes to is not empty: {change}")
                stones[str(change.to)] = change.glyph
            case "captured":
                ensure(stones.pop(change.point, None) == change.glyph, f"no such stone stands there: {change}")
            case "flipped" | "revealed" | "marked":
                ensure(stones.get(change.point) not in (None, change.glyph), f"nothing changes there: {change}")
                stones[change.point] = change.glyph
            case _:
                raise ConformanceError(f"there is no such kind of change: {change}")
    return stones


def _no_symmetries(case: Case) -> str:
    return "" if case.start().board.symmetries else "the board has no symmetries"


@asked_of_walks(10, skips=_no_symmetries)
def symmetric_positions_have_symmetric_moves(case: Case, seed: int, plies: int) -> None:
    """A game and its image by a symmetry of the board run side by side."""
    board = case.start().board
    rng = random.Random(seed)
    number = rng.randrange(len(board.symmetries))
    image = board.symmetries[number]
    goes_to = {point.name: board.points[image[i]].name for i, point in enumerate(board.points)}

    def ends(path: tuple[str, ...]) -> tuple[str, ...]:
        return path if len(path) < 3 else (path[0], path[-1])      # a long hop may go another way round

    def mapped(path: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(goes_to[point] for point in ends(path))

    def image_of_stones(position: Position) -> dict[str, str]:
        return {goes_to[point]: glyph for point, glyph in standing(position.stones()).items()}

    position, mirrored = case.start(), case.start()
    for _ in range(plies + 1):
        by = f"by symmetry {number}, after {position.ply} moves,"
        same(mirrored.turn, position.turn, f"{by} turn is")
        same(standing(mirrored.stones()), image_of_stones(position), f"{by} the stones are")
        moves, images = position.moves(), mirrored.moves()
        same(Counter(ends(mirrored.path(move)) for move in images),
             Counter(mapped(position.path(move)) for move in moves), f"{by} the paths are")
        if not moves:
            same(mirrored.outcome(), position.outcome(), f"{by} the outcome is")
            break
        move = rng.choice(moves)
        path, text = mapped(position.path(move)), position.format_move(move)
        position.play(move)
        wanted = image_of_stones(position)
        # Of several with this path: the one of the same name (what chance brings), or else the one that does
        # the same to the board.
        for candidate in sorted(images, key=lambda image: mirrored.format_move(image) != text):
            if ends(mirrored.path(candidate)) == path:
                mirrored.play(candidate)
                if standing(mirrored.stones()) == wanted:
                    break
                mirrored.undo()
        else:
            raise ConformanceError(f"{by} there is no image of {text} in {mirrored!r}")


@asked_of_walks()
def captures_take_something(case: Case, seed: int, plies: int) -> None:
    """Captures are legal and take something; what takes nothing wins nothing in an exchange."""
    position = case.walk(seed, plies)
    moves, before = position.moves(), snapshot(position)
    captures = position.captures_now()
    ensure(set(captures) <= set(moves), "captures_now() has what is not among the moves")
    for move in moves:
        text, wins = position.format_move(move), position.exchange_now(move)
        if not any(change.kind == "captured" for change in position.changes(move)):
            ensure(move not in captures, f"{text} is a capture, and its changes take nothing")
            ensure(wins == 0, f"{text} takes nothing and wins {wins} in an exchange")
        ensure(abs(wins) < GUESS, f"{text} wins {wins} in an exchange, as much as a game")
    same_snapshot(position, before, "after asking about captures")


@asked_of_walks()
def searches_are_told_the_truth(case: Case, seed: int, plies: int) -> None:
    """Captures and quiet moves are all moves, checks are announced, and an exchange reaches what it wins."""
    position = case.walk(seed, plies).copy()
    moves, before, captures = position.moves(), snapshot(position), position.captures_now()
    ensure(sorted(captures + position.quiets_now()) == sorted(moves), "captures_now() and quiets_now() are not moves()")
    for move in moves:
        text, takes = position.format_move(move), position.taken_now(move)
        ensure((takes > 0) == (move in captures),
               f"{text} takes {takes} and is {'a' if move in captures else 'no'} capture")
        announced = position.gives_check(move)
        position.play(move)
        checked = position.checked
        position.undo()
        ensure(announced == checked,
               f"{text} {'gives' if checked else 'does not give'} check, gives_check() says otherwise")
        wins = position.exchange_now(move)
        ensure(position.exchange_reaches_now(move, -GUESS), f"{text} loses more in an exchange than a game")
        if move in captures:
            ensure(position.exchange_reaches_now(move, wins) and not position.exchange_reaches_now(move, wins + 1),
                   f"{text} wins {wins} in an exchange, exchange_reaches() says otherwise")
        else:
            ensure(not position.exchange_reaches_now(move, 1), f"{text} takes nothing and wins in an exchange")
    same_snapshot(position, before, "after asking what moves do")


@asked_of_walks(10)
def evaluators_keep_within_bounds(case: Case, seed: int, plies: int) -> None:
    """What evaluators answer is bounded, intervals are intervals, and what is presumed of chance may come."""
    position = case.walk(seed, plies)
    before = snapshot(position)
    for evaluator in _evaluators_of(case.game.module):
        kind = type(evaluator).__name__
        if position.turn == CHANCE:
            result = evaluator.presumed_result(position)
            ensure(result in position.moves(), f"{kind} presumes {result}, which cannot come")
        if position.turn < 0 or not _knows(evaluator, position):
            continue
        values, interval, value = evaluator.values(position), evaluator.value_range(position), evaluator.value(position)
        ensure(len(values) == position.players and all(-1 <= one <= 1 for one in values),
               f"{kind} gives the values {values}: one per player, from -1 to 1")
        ensure(-GUESS <= value <= GUESS, f"{kind} gives the value {value}, beyond {GUESS}")
        ensure(interval is None or -GUESS <= interval[0] <= interval[1] <= GUESS, f"{kind} gives the range {interval}")
    same_snapshot(position, before, "after evaluation")


@cache
def _evaluators_of(module: str) -> list[Evaluator]:
    return [Evaluator(), *(make() for make in load(module).evaluators.values())]


def _knows(evaluator: Evaluator, position: Position) -> bool:
    """Some evaluators are for some rules only, and say so."""
    try:
        evaluator.check(position)
    except TextError:
        return False
    return True
