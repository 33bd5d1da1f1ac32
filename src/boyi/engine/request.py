"""What the JSON protocol is asked: a line is an object, read key by key. docs/engine.md lists the keys.

    Request         positions to analyse, and how
    Command         something else to do, such as `{"cancel": "a1"}`
    RequestError    what was wrong, and with which key of whose request
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from boyi.agents.analysis import find_search, observe_turn, set_limits
from boyi.agents.searching import Algorithm
from boyi.core.errors import BoyiError, TextError, UnknownNameError
from boyi.core.formats import find_source
from boyi.core.game import Game
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.record import Record
from boyi.core.searcher import Limits
from boyi.engine.settings import MOST_LINES
from boyi.games import all_games, find_game

KEYS = ("id", "game", "options", "position", "moves", "record", "turns", "lines", "limits", "only", "avoid", "search",
        "notation", "report_every", "priority")
COMMANDS = ("cancel", "cancel_all", "clear_cache", "settings", "query_version", "quit")
LIMITS = ("seconds", "nodes", "depth", "infinite")
START = "start"
"""As a position: the one that the game begins with."""

ALL = "all"
"""As turns: every one."""

EVERY_DEPTH = "depth"
"""As an interval of reports: one after every depth."""

LONGEST_ID = 200
MOST_SECONDS = 86_400
MOST_NODES = 10**15
MOST_DEPTH = 1000
MOST_PRIORITY = 10**9
SHOWN = 60
"""Characters of a wrong value that are repeated."""

EXAMPLE = '{"id": "a1", "moves": [], "limits": {"seconds": 1}}'


class RequestError(TextError):
    """A line that is not done. What was asked before goes on."""

    def __init__(self, message: str, *, field: str | None = None, request_id: str | None = None) -> None:
        super().__init__(message)
        self.field = field
        """The key that is wrong, where it is one."""

        self.request_id = request_id


@dataclass(frozen=True)
class Command:
    """A line that asks for no analysis."""

    name: str
    value: Any
    request_id: str | None


@dataclass(frozen=True)
class Turn:
    """A position of a request."""

    number: int
    """Moves made before it, as they are written: a decision and what chance adds are one."""

    position: Position
    """As the player to act knows it."""


@dataclass(frozen=True)
class Request:
    """What to analyse, and how."""

    id: str
    turns: tuple[Turn, ...]
    asks_turns: bool
    """Were turns named, so that there may be several answers?"""

    algorithm: Algorithm
    values: Mapping[str, Any]
    """Settings of the search."""

    limits: Limits
    endless: bool
    """Does it go on until it is cancelled?"""

    only: tuple[int, ...]
    """The first moves to keep to; none for all."""

    report_every: float | None
    """Seconds between reports of what was found so far, 0 for one per depth; None for the final answer only."""

    priority: int
    notation: str | None

    @property
    def game(self) -> Game:
        return self.turns[0].position.game


def read_line(text: str, game: Game) -> Request | Command:
    """Understand a line; `game` is what is analysed where the request names none."""
    fields = _read_object(text)
    request_id = fields.get("id")
    known_id = request_id if _is_text(request_id) and len(request_id) <= LONGEST_ID else None
    try:
        named = [name for name in COMMANDS if name in fields]
        return _read_command(fields, named) if named else _read_request(fields, game)
    except RequestError as error:
        raise RequestError(str(error), field=error.field, request_id=known_id) from error


def _read_object(text: str) -> dict[str, Any]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"this line is not JSON ({error}); a request is an object on one line, "
                           f"such as {EXAMPLE}") from error
    if not isinstance(fields, dict):
        raise RequestError(f"a request is an object, such as {EXAMPLE}, not {_show(fields)}")
    return fields


def _read_command(fields: Mapping[str, Any], named: Sequence[str]) -> Command:
    name = named[0]
    if len(named) > 1:
        raise RequestError(f"one line is one command, not {' and '.join(named)}", field=named[1])
    _refuse_others(fields, ("id", name), f"key of the command {name}")
    value = fields[name]
    if name == "cancel":
        value = _text(fields, name)
    elif name == "settings":
        if not isinstance(value, dict):
            raise _refusal(name, 'an object such as {"threads": 2}, empty to see what is set', value)
    elif value is not True:
        raise _refusal(name, "true", value)
    return Command(name, value, _text(fields, "id"))


def _read_request(fields: Mapping[str, Any], game: Game) -> Request:
    _refuse_others(fields, KEYS, "key of a request")
    request_id = _text(fields, "id")
    if not request_id or len(request_id) > LONGEST_ID:
        raise RequestError(f"a request has an id, a text of at most {LONGEST_ID} characters by which it is answered: "
                           f"{EXAMPLE}", field="id")

    # Step 1. The positions.
    turns = _read_turns(fields, game)
    first = turns[0].position
    game = first.game

    # Step 2. By which search, and how long.
    spec, lines = _text(fields, "search"), _whole(fields, "lines", 1, MOST_LINES)
    limits = _read_limits(fields)
    endless = bool(limits.pop("infinite", False))
    with _Blame("search"):
        algorithm, values = find_search(spec, first if first.turn >= 0 else game.start(**first.options))
    if set(limits) == {"depth"} and not algorithm.ends_by_depth:
        raise RequestError(f"{algorithm.name} does not end at a depth; give it nodes or seconds, too", field="limits")
    if endless and len(turns) > 1:
        raise RequestError("a request without end is for one position, and this one names several turns: the first "
                           "would keep the others from being looked at", field="limits")

    # Step 3. Which moves, and how they are written.
    notation = _text(fields, "notation")
    if notation is not None:
        with _Blame("notation"):
            game.notation(notation)
    return Request(
        id=request_id, turns=turns, asks_turns="turns" in fields, algorithm=algorithm, values=values,
        limits=set_limits(algorithm, values, lines or 1, endless=endless, **limits), endless=endless,
        only=_read_first_moves(fields, turns), report_every=_read_interval(fields),
        priority=_whole(fields, "priority", -MOST_PRIORITY, MOST_PRIORITY) or 0, notation=notation)


# ---------------------------------------------------------------------- positions

def _read_turns(fields: Mapping[str, Any], game: Game) -> tuple[Turn, ...]:
    """The positions that are asked for, in that order."""
    walk, last = _read_walk(fields, game)
    asked = fields.get("turns", [last])
    numbers = list(range(last + 1)) if asked == ALL else asked
    if not (isinstance(numbers, list) and numbers and all(_is_whole(number) for number in numbers)):
        raise _refusal("turns", f"{ALL!r} or a list of whole numbers, such as [0, 5, 10]", asked)
    for number in numbers:
        if not 0 <= number <= last:
            raise RequestError(f"there is no turn {number}: 0 is the first position and {last} the last", field="turns")
    if len(set(numbers)) < len(numbers):
        raise RequestError("every turn is named once", field="turns")
    wanted, found = set(numbers), dict[int, Turn]()
    for number, position in enumerate(walk):
        if number not in wanted or (asked == ALL and position.turn == CHANCE):
            continue
        if position.turn == OVER:
            found[number] = Turn(number, position.copy())
            continue
        with _Blame("turns" if "turns" in fields else "position"):
            found[number] = Turn(number, observe_turn(position))
    if not found:
        raise RequestError("chance acts in all of these positions, and never a player", field="turns")
    return tuple(found[number] for number in numbers if number in found)


def _read_walk(fields: Mapping[str, Any], game: Game) -> tuple[Iterator[Position], int]:
    """Every position of the game that a request tells, and the number of its last turn."""
    name = _text(fields, "game")
    if name is not None:
        with _Blame("game"):
            game = find_game(name)
    text = _text(fields, "record")
    if text is not None:
        for other in ("position", "moves", "options"):
            if other in fields:
                raise RequestError(f"a record says by itself where and by which rules a game began and how it went: "
                                   f"leave {other} out, or the record", field=other)
        record = _read_record(text)
        if name is not None and record.game is not game:
            raise RequestError(f"the record is one of {record.game.name}, and game says {name}", field="game")
        with _Blame("record"):
            record.replay()
        return record.positions(), len(record.entries)
    options = fields.get("options", {})
    if not isinstance(options, dict):
        raise _refusal("options", 'an object such as {"rules": "axf"}', options)
    with _Blame("options"):
        start = game.start(**options)
    place = _text(fields, "position")
    if place is not None and place != START:
        with _Blame("position"):
            start = game.parse(place, **options)
    moves = _texts(fields, "moves")
    return _play(start, moves), len(moves)


def _read_record(text: str) -> Record:
    with _Blame("record"):
        source = find_source(text.encode(), "this text", list(all_games().values()))
        if len(source) != 1:
            raise TextError(f"a request is about one record, and here are {len(source)}")
        return source.read()[0]


def _play(position: Position, moves: Sequence[str]) -> Iterator[Position]:
    """The position before the moves and after each."""
    yield position
    for number, move in enumerate(moves, 1):
        with _Blame("moves", f"move {number}: "):
            position.play(move)
        yield position


def _read_first_moves(fields: Mapping[str, Any], turns: Sequence[Turn]) -> tuple[int, ...]:
    """The moves to keep to, by `only` or by `avoid`."""
    named = [name for name in ("only", "avoid") if name in fields]
    if not named:
        return ()
    if len(named) == 2:
        raise RequestError("only and avoid do not go together: those that are not named by only are avoided",
                           field="avoid")
    name, position = named[0], turns[0].position
    if len(turns) > 1 or position.turn < 0:
        raise RequestError(f"{name} names moves of one position in which a player acts", field=name)
    with _Blame(name):
        moves = [position.game.read_move(position, text)[0] for text in _texts(fields, name)]
    for move in moves:
        if not position.is_legal(move):
            raise RequestError(f"{position.format_move(move)} is not a legal move here", field=name)
    left = moves if name == "only" else [move for move in position.moves() if move not in moves]
    if not left:
        raise RequestError(f"{name} leaves no move to look at", field=name)
    return tuple(left)


# ---------------------------------------------------------------------- how, and how long

def _read_limits(fields: Mapping[str, Any]) -> dict[str, Any]:
    limits = fields.get("limits", {})
    if not isinstance(limits, dict):
        raise _refusal("limits", 'an object such as {"seconds": 1} or {"infinite": true}', limits)
    _refuse_others(limits, LIMITS, "limit")
    read = {"seconds": _number(limits, "seconds", MOST_SECONDS), "nodes": _whole(limits, "nodes", 1, MOST_NODES),
            "depth": _whole(limits, "depth", 1, MOST_DEPTH)}
    given = {name: value for name, value in read.items() if value is not None}
    if "infinite" in limits:
        if limits["infinite"] is not True:
            raise _refusal("infinite", "true, or left out", limits["infinite"])
        if given:
            raise RequestError(f"infinite means without limits, and there is one: {', '.join(given)}", field="limits")
        given["infinite"] = True
    return given


def _read_interval(fields: Mapping[str, Any]) -> float | None:
    if fields.get("report_every") == EVERY_DEPTH:
        return 0.0
    return _number(fields, "report_every", MOST_SECONDS, f", or {EVERY_DEPTH!r}")


# ---------------------------------------------------------------------- values

class _Blame:
    """What goes wrong inside is the fault of a key."""

    def __init__(self, field: str, before: str = "") -> None:
        self._field = field
        self._before = before

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BoyiError) and not isinstance(error, RequestError):
            raise RequestError(f"{self._before}{error}", field=self._field) from error


def _refuse_others(fields: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    for name in fields:
        if name not in known:
            raise RequestError(str(UnknownNameError.among(what, name, known)), field=name[:SHOWN])


def _text(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not _is_text(value):
        raise _refusal(name, "a text", value)
    return value


def _texts(fields: Mapping[str, Any], name: str) -> list[str]:
    values = fields.get(name, [])
    if not (isinstance(values, list) and all(_is_text(value) for value in values)):
        raise _refusal(name, "a list of moves, each a text", values)
    return values


def _is_text(value: object) -> TypeGuard[str]:
    """A text that can be written: JSON may also hold halves of characters."""
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


def _whole(fields: Mapping[str, Any], name: str, lowest: int, highest: int) -> int | None:
    value = fields.get(name)
    if value is None:
        return None
    if not _is_whole(value) or not lowest <= value <= highest:
        raise _refusal(name, f"a whole number from {lowest} to {highest}", value)
    return int(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(fields: Mapping[str, Any], name: str, highest: int, otherwise: str = "") -> float | None:
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) \
            or not 0 < value <= highest:
        raise _refusal(name, f"a number above 0, at most {highest}{otherwise}", value)
    return float(value)


def _refusal(name: str, takes: str, value: object) -> RequestError:
    return RequestError(f"{name} is {takes}, not {_show(value)}", field=name)


def _show(value: object) -> str:
    """A value as JSON, not too much of it."""
    shown = json.dumps(value, ensure_ascii=not _is_text(value))
    return shown if len(shown) <= SHOWN else shown[:SHOWN] + "…"
