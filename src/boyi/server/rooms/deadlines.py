"""What happens by itself when time passes.

A person who is connected is not away, whatever was written down last: that they are back may not be on disk yet.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from functools import partial
from typing import TYPE_CHECKING

from boyi.server.protocol.events import Closed
from boyi.server.protocol.state import GameState
from boyi.server.rooms import clock, guards, people, resigning
from boyi.server.rooms.commands import Step

if TYPE_CHECKING:
    from boyi.server.rooms.room import Room

Due = tuple[int, Callable[[], list[Step]]]
"""When, on the room's clock, and what then happens."""


def next_deadline(room: Room, connected: Set[str]) -> int | None:
    """When a `Tick` will have something to do, on the room's clock."""
    return min((at for at, _ in _due(room, connected)), default=None)


def tick(room: Room, now: int, connected: Set[str]) -> list[Step]:
    """The earliest thing that is due."""
    ripe = sorted((at, number, act) for number, (at, act) in enumerate(_due(room, connected)) if at <= now)
    return ripe[0][2]() if ripe else []


def _due(room: Room, connected: Set[str]) -> list[Due]:
    state = room.state
    if state.phase == "closed":
        return []
    if state.phase == "playing" and state.game is not None:
        return _due_in_game(room, state.game, connected)
    due: list[Due] = [(person.away_until, partial(people.remove, room, person.person, "away"))
                      for person in state.persons if person.away_until is not None and person.person not in connected]
    if state.phase == "finished" and not state.persons:   # only the AI has played to the end
        due.append((state.at + clock.TIMEOUT_BETWEEN_GAMES_MS, lambda: [Closed("empty")]))
    return due


def _due_in_game(room: Room, game: GameState, connected: Set[str]) -> list[Due]:
    state, due = room.state, list[Due]()

    # 1. The clock of the player to act runs out.
    turn = game.standing.turn
    if game.clocks_ms is not None and turn is not None and turn not in game.flagged:
        # A move on its way may still be in time, when network lag is not counted.
        grace = 0
        if state.seats[turn].level is None:
            grace = clock.credit(clock.MOST_CREDIT_MS, room.refereed.banks_ms[turn])
        due.append((game.began + game.clocks_ms[turn] + grace, partial(_flag, room, game, turn)))

    # 2. A player stays away too long, and the AI takes over.
    absent: list[int | None] = []
    for number, seat in enumerate(state.seats):
        person = state.person(seat.person)
        if person is None or number in game.left:
            continue
        until = None if person.person in connected else person.away_until
        absent.append(until)
        if (room.settings.ai_on_disconnect and until is not None and seat.level is None
                and (not game.rated or room.refereed.position.may_resign(number))):
            due.append((until, partial(resigning.hand_to_ai, room, game, number,
                                       guards.level(room.settings, room.settings.ai_level), "disconnected")))

    # 3. All players stay away, and no AI plays for them.
    known = [until for until in absent if until is not None]
    if absent and len(known) == len(absent) and all(
            seat.level is None for seat in state.seats if seat.person is not None):
        due.append((max(known) + clock.ABANDONED_MS, partial(resigning.abandon, room)))
    return due


def _flag(room: Room, game: GameState, seat: int) -> list[Step]:
    if room.settings.ai_on_flag:
        held = room.state.seats[seat].level
        level = guards.level(room.settings, room.settings.ai_level) if held is None else held
        return resigning.hand_to_ai(room, game, seat, level, "flag")
    return resigning.give_up(room, seat, "time")
