"""How a player gives up, or is given up."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, Literal

from boyi.core.outcome import Outcome
from boyi.core.words import Words
from boyi.server.protocol.events import Forfeited, Handed, Resigned
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


def hand_to_ai(room: Room, game: GameState, seat: int, level: int, why: Literal["asked", "disconnected", "flag"],
               seconds: int | None = None, opponent: str = "") -> list[Step]:
    """The AI plays a seat from now on; `seconds` and `opponent` are as in `AiSeated`.

    Nobody escapes a rated loss that way. Of two players the one who is replaced has lost, and the game goes on unrated;
    of more, there is no AI: the seat is given up, and the others play on for their own results.
    """
    reason, given_up, words = _REPLACED[why]
    if game.rated and len(room.state.seats) > 2:
        return give_up(room, seat, given_up)
    handed = Handed(seat, level, room.state.seats[seat].epoch + 1, why, seconds, opponent)
    if not game.rated:
        return [handed]
    places = [2 if number == seat else 1 for number in range(len(room.state.seats))]
    return [Forfeited(seat, places, reason, words), handed]


_REPLACED: dict[str, tuple[Literal["handed_over", "abandoned", "time"], Literal["resignation", "time", "abandoned"],
                           Words]] = {
    "asked": ("handed_over", "resignation", Words("handed over to the AI", "托管判负")),
    "disconnected": ("abandoned", "abandoned", Words("the player stayed away", "离线判负")),
    "flag": ("time", "time", Words("time is up", "超时判负")),
}
"""By why the AI takes a seat: the reason of the rated loss, how the seat is given up where others play on, words."""


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
