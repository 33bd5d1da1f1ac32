"""Two minutes with a game: steps that tell something and ask for something, on a real board with the real rules.

A game brings them as `introduction.toml` in its folder. Each `[[step]]` has

    en, zh      what is said, and asked for
    position    as text; without it a step begins where the one before it ended
    moves       any of which the reader shall make; "any" for any legal one
    touch       points, any of which the reader shall touch, to show that they have understood
    done        `{ en, zh }`: said when they have
    reply       moves that others then make
    marks       points to look at
    shows       what must be so, see below

and the file may have `options`, and `seat` for who sits at the bottom. A step that asks for nothing is only looked at.
Where chance has a part in a move, the text of the move tells it (jieqi: `b2e2R`).

Reading an introduction checks all of it against the rules. `shows` lists what the words promise, so that they stay
true: of every move that is asked for, with the replies to it, `captured 1`, `captured d3`, `revealed e2 R` (any kind of
change), `hops 3`, `turn 0`, `check`, `won 0`; of points to touch `legal`: they are just those where legal moves begin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boyi.core.board import Change, Stone
from boyi.core.errors import BoyiError, TextError, shorten
from boyi.core.game import Game
from boyi.core.position import CHANCE, Position
from boyi.core.words import Words
from boyi.kit.folder import read_table, read_words, refuse_unknown

__all__ = ["FILE", "Introduction", "Played", "Step", "Task", "read_introduction"]

FILE = "introduction.toml"


@dataclass(frozen=True)
class Played:
    """A move as it is seen."""

    player: int
    text: str
    path: tuple[str, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Task:
    """A move that a step asks for."""

    text: str
    """As `Position.format_move` writes it among all legal moves; without what chance adds."""

    played: tuple[Played, ...]
    """The move, and what others answer."""


@dataclass(frozen=True)
class Step:
    """Something said, something to look at, and perhaps something to do."""

    words: Words
    done: Words | None
    position: Position
    stones: tuple[Stone, ...]
    tasks: tuple[Task, ...]
    """The moves that are asked for; of all that are legal in `position`."""

    touch: frozenset[str]
    marks: tuple[str, ...]


@dataclass(frozen=True)
class Introduction:
    """All steps, under some rule options, as seen from a seat."""

    options: Mapping[str, object]
    seat: int
    steps: tuple[Step, ...]


def read_introduction(game: Game) -> Introduction | None:
    """The introduction to a game, if it has one; checked against its rules."""
    table = read_table(game, FILE)
    if not table:
        return None
    where = f"{FILE} of {game.name}"
    refuse_unknown(table, ("options", "seat", "step"), where)
    options = table.get("options", {})
    before = game.start(**options)
    seat = table.get("seat", 0)
    if seat not in range(before.players):
        raise TextError(f"{where}: {shorten(seat)} is no seat")
    steps = []
    for number, entry in enumerate(table.get("step", []), 1):
        try:
            step, before = _read_step(game, options, entry, before)
        except BoyiError as error:
            raise TextError(f"{where}, step {number}: {error}") from error
        steps.append(step)
    if not steps:
        raise TextError(f"{where} has no step")
    return Introduction(options, seat, tuple(steps))


def _read_step(game: Game, options: Mapping[str, object], entry: Mapping[str, Any],
               before: Position) -> tuple[Step, Position]:
    """A step, and the position it ends with."""
    # Step 1. What is said, and where the stones stand.
    refuse_unknown(entry, ("en", "zh", "position", "moves", "touch", "done", "reply", "marks", "shows"), "the step")
    words = read_words(entry, "the step")
    done = read_words(entry["done"], "done") if "done" in entry else None
    position = game.parse(entry["position"], **options) if "position" in entry else before.copy()
    points = position.board.index
    for name in (*entry.get("touch", ()), *entry.get("marks", ())):
        if name not in points:
            raise TextError(f"{shorten(name)} is no point of the board")

    # Step 2. What is asked for.
    wanted: Sequence[str] | str = entry.get("moves", ())
    if wanted and "touch" in entry:
        raise TextError("a step asks for a move or for a touch, not for both")
    texts = [position.format_move(move) for move in position.moves()] if wanted == "any" else list(wanted)
    tasks, after = [], position
    for text in texts:
        task, end = _play(position, text, entry.get("reply", ()))
        tasks.append(task)
        for promise in entry.get("shows", ()):
            _keep(promise, task, position, end)
        after = end if len(texts) == 1 else position
    if not tasks and ("reply" in entry or ("shows" in entry and "touch" not in entry)):
        raise TextError("nothing is asked for, so nothing is answered or shown")
    if done is None and (tasks or "touch" in entry):
        raise TextError("what the reader has done deserves a word: done")

    # Step 3. Touching is asked among stones, or there is nothing to choose from.
    stones = tuple(position.stones())
    standing = {stone.point for stone in stones}
    touch = frozenset(entry.get("touch", ()))
    if not touch <= standing or (touch and touch == standing):
        raise TextError(f"touch is some of the stones {' '.join(sorted(standing))}")
    if touch and "legal" in entry.get("shows", ()) and touch != {position.path(move)[0] for move in position.moves()}:
        raise TextError(f"the legal moves begin on other points than {' '.join(sorted(touch))}")
    return Step(words, done, position, stones, tuple(tasks), touch, tuple(entry.get("marks", ()))), after


def _play(position: Position, text: str, replies: Sequence[str]) -> tuple[Task, Position]:
    """A move and the answers to it, and where they lead."""
    walk = position.copy()
    decision = walk.format_move(walk.parse_moves(text)[0])
    played = []
    for one in (text, *replies):
        player, moves = walk.turn, walk.parse_moves(one)
        path, changes = walk.path(moves[0]), []
        for move in moves:
            changes += walk.changes(move)
            walk.play(move)
        if walk.turn == CHANCE:
            raise TextError(f"{shorten(one)} leaves something to chance; the text of the move tells what it shall be")
        played.append(Played(player, one, tuple(path), tuple(changes)))
    return Task(decision, tuple(played)), walk


def _keep(promise: str, task: Task, before: Position, after: Position) -> None:
    """Refuse a promise that a move does not keep."""
    kind, _, rest = promise.partition(" ")
    changes = [change for played in task.played for change in played.changes]
    if kind == "hops":
        kept = str(len(task.played[0].path) - 1) == rest
    elif kind == "won":
        outcome = after.outcome()
        kept = outcome is not None and str(outcome.winner) == rest
    elif kind == "turn":
        kept = str(after.turn) == rest
    elif kind == "check":
        kept = after.checked
    elif rest.isdigit():
        kept = sum(change.kind == kind for change in changes) == int(rest)
    else:
        kept = any(change.kind == kind and rest in (change.point, f"{change.point} {change.glyph}")
                   for change in changes)
    if not kept:
        raise TextError(f"{task.text} in {before.to_text()} does not show {shorten(promise)}")
