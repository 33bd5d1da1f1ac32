"""How a player gives up, or is given up."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, Literal

from boyi.core.outcome import Outcome
from boyi.core.words import Words
from boyi.server.protocol.events import Resigned
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.state import GameState
from boyi.server.rooms import guards
from boyi.server.rooms.commands import Step, Written

if TYPE_CHECKING:
    from boyi.server.rooms.room import Room


def give_up(room: Room, seat: int, why: Literal["resignation", "time", "abandoned"]) -> list[Step]:
    """A seat is given up. The rules say whether the others play on."""
    draft = room.draft(guards.playing(room.state))
    position = draft.position
    if not position.may_resign(seat):
        raise Refusal("game_over", "this player is not in the game any more")
    forfeit = position.forfeit(seat)
    text = "" if forfeit is None else position.format_move(forfeit)
    outcome = position.resign(seat, why)
    if forfeit is not None:
        draft.steps.append(Written(Resigned(seat, why, text), (forfeit,)))
        draft.settle()
    elif outcome is not None:
        draft.steps.append(Resigned(seat, why))
        draft.end(outcome)
    return draft.steps


def claim(room: Room, game: GameState, seat: int, result: Literal["win", "draw"], now: int,
          connected: Set[str]) -> list[Step]:
    """A player claims the game of an opponent who stays away."""
    others = room.active_seats(game, but=seat)
    gone = [one for one in others if _is_gone(room, one, now, connected) and room.refereed.position.may_resign(one)]
    if not gone:
        raise Refusal("not_away")
    if result == "win" or len(others) > 1:
        return give_up(room, gone[0], "abandoned")
    return draw(room, Words("a draw: the opponent stayed away", "对手离线，作和"))


def abandon(room: Room) -> list[Step]:
    """Everyone has stayed away for very long."""
    return draw(room, Words("all players have left", "所有人都已离开"))


def draw(room: Room, words: Words) -> list[Step]:
    draft = room.draft(guards.playing(room.state))
    draft.end(Outcome.of([0.0] * draft.position.players, "abandoned", words))
    return draft.steps


def _is_gone(room: Room, number: int, now: int, connected: Set[str]) -> bool:
    """Has the person of a seat been away longer than others must wait, with no AI playing for them?"""
    seat = room.state.seats[number]
    person = room.state.person(seat.person)
    return (person is not None and seat.level is None and person.away_until is not None
            and person.away_until <= now and person.person not in connected)
