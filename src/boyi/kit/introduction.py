"""What teaches a game, step by step on a real board with the real rules: an introduction of two minutes, and lessons.

A game brings the introduction as `introduction.toml` in its folder and lessons as `lessons/NAME.toml`. Each
`[[step]]` has

    en, zh      what is said, and asked for
    position    as text; without it a step begins where the one before it ended
    moves       any of which the reader shall make; "any" for any legal one
    touch       points, any of which the reader shall touch, to show that they have understood
    done        `{ en, zh }`: said when they have
    reply       moves that others then make
    marks       points to look at
    shows       what must be so, see below
    claims      what a search has to find out, see below

and the file may have `options`, and `seat` for who sits at the bottom. A step that asks for nothing is only looked at.
Where chance has a part in a move, the text of the move tells it (jieqi: `b2e2R`). A lesson also has a `title` and an
`about` (a line for the list of lessons), each as `{ en, zh }`, and its `number` in that list.

Reading checks all of it against the rules. `shows` lists what the words promise, so that they stay
true: of every move that is asked for, with the replies to it, `captured 1`, `captured d3`, `revealed e2 R` (any kind of
change), `hops 3`, `turn 0`, `check` (by the move itself), `won 0`, `choices 3` (so many answers are legal),
`standing X 20` (so many stones of a glyph), `only` (no other legal move keeps the rest of the list); of points to
touch `legal`: they are just those where legal moves begin.

`claims` are promises about best play, which reading does not check: the tests do, with the engines. `mate 3`: the
player to act wins in that many plies by force, and each of the moves asked for does. `margin 4`: the final margin with
best play is that, and just the moves asked for reach it. `best`: an engine finds no move that is clearly better.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boyi.core.board import Change, Stone
from boyi.core.errors import BoyiError, TextError, UnknownNameError, shorten
from boyi.core.game import Game
from boyi.core.position import CHANCE, Position
from boyi.core.words import Words
from boyi.kit.folder import list_files, read_table, read_words, refuse_unknown

__all__ = ["FILE", "FOLDER", "Heading", "Introduction", "Lesson", "Played", "Step", "Task", "read_headings",
           "read_introduction", "read_lesson"]

FILE = "introduction.toml"
FOLDER = "lessons"

CLAIM = re.compile(r"mate [1-9]\d?|margin -?\d\d?|best")
LESSON_FIELDS = ("title", "about", "number")


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
    claims: tuple[str, ...]
    """What is said of best play; for tests to check."""


@dataclass(frozen=True)
class Introduction:
    """All steps, under some rule options, as seen from a seat."""

    options: Mapping[str, object]
    seat: int
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Heading:
    """What a list of lessons tells of one."""

    name: str
    """That of its file, and part of its address."""

    title: Words
    about: Words
    steps: int


@dataclass(frozen=True)
class Lesson:
    """Steps about one thing."""

    heading: Heading
    introduction: Introduction


def read_introduction(game: Game) -> Introduction | None:
    """The introduction to a game, if it has one; checked against its rules."""
    table = read_table(game, FILE)
    if not table:
        return None
    return _read_steps(game, table, f"{FILE} of {game.name}")


def read_headings(game: Game) -> list[Heading]:
    """What lessons a game has, in their order; their steps are not read."""
    found = []
    for file in list_files(game, FOLDER, ".toml"):
        where, table = f"{FOLDER}/{file} of {game.name}", read_table(game, f"{FOLDER}/{file}")
        title, about = (read_words(table.get(field) or {}, f"{where}, {field}") for field in ("title", "about"))
        number = table.get("number")
        if not isinstance(number, int):
            raise TextError(f"{where}: number is a whole number, not {shorten(number)}")
        found.append((number, Heading(file.removesuffix(".toml"), title, about, len(table.get("step", [])))))
    return [heading for _, heading in sorted(found, key=lambda one: (one[0], one[1].name))]


def read_lesson(game: Game, name: str) -> Lesson:
    """A lesson of a game; checked against its rules."""
    headings = {heading.name: heading for heading in read_headings(game)}
    if name not in headings:
        raise UnknownNameError.among(f"lesson of {game.name}", name, list(headings))
    table = {field: value for field, value in read_table(game, f"{FOLDER}/{name}.toml").items()
             if field not in LESSON_FIELDS}
    return Lesson(headings[name], _read_steps(game, table, f"{FOLDER}/{name}.toml of {game.name}"))


def _read_steps(game: Game, table: Mapping[str, Any], where: str) -> Introduction:
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
    refuse_unknown(entry, ("en", "zh", "position", "moves", "touch", "done", "reply", "marks", "shows",
                           "claims"), "the step")
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
    promises = [promise for promise in entry.get("shows", ()) if promise != "only"]
    for text in texts:
        task, end = _play(position, text, entry.get("reply", ()))
        tasks.append(task)
        for promise in promises:
            _keep(promise, task, position, end)
        after = end if len(texts) == 1 else position
    if "only" in entry.get("shows", ()):
        _be_only(promises, {task.text for task in tasks}, position)
    claims = tuple(entry.get("claims", ()))
    for claim in claims:
        if not CLAIM.fullmatch(claim) or not tasks:
            raise TextError(f"{shorten(claim)} is no claim about a move that is asked for")
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
    return Step(words, done, position, stones, tuple(tasks), touch, tuple(entry.get("marks", ())), claims), after


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


def _be_only(promises: Sequence[str], texts: set[str], position: Position) -> None:
    """Refuse promises that a move keeps which is not asked for."""
    for move in position.moves():
        text = position.format_move(move)
        if text in texts:
            continue
        try:
            task, end = _play(position, text, ())
            for promise in promises:
                _keep(promise, task, position, end)
        except TextError:
            continue
        raise TextError(f"{text} shows the same as {' '.join(sorted(texts))}, which is not the only move")


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
        kept = _play(before, task.played[0].text, ())[1].checked
    elif kind == "choices":
        kept = str(len(_play(before, task.played[0].text, ())[1].moves())) == rest
    elif kind == "standing":
        glyph, _, count = rest.partition(" ")
        kept = str(sum(stone.glyph == glyph for stone in after.stones())) == count
    elif rest.isdigit():
        kept = sum(change.kind == kind for change in changes) == int(rest)
    else:
        kept = any(change.kind == kind and rest in (change.point, f"{change.point} {change.glyph}")
                   for change in changes)
    if not kept:
        raise TextError(f"{task.text} in {before.to_text()} does not show {shorten(promise)}")
