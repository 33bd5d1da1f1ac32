"""What the AI is asked: to move for a seat, whether it agrees to a draw, or for a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import guards
from boyi.server.rooms.commands import EngineRequest

if TYPE_CHECKING:
    from boyi.server.rooms.room import Room

NOBODY = "nobody"
"""Who pays for games without people; no person has such a short name."""


def engine_turn(room: Room) -> tuple[int, int, int] | None:
    """If the AI is to act: the key of what it is to be asked (`EngineRequest.key`)."""
    game = room.state.game
    if room.state.phase != "playing" or game is None or game.standing.turn is None:
        return None
    seat = room.state.seats[game.standing.turn]
    return None if seat.level is None else (game.standing.turn, seat.epoch, game.turn_seq)


def engine_request(room: Room, now: int) -> EngineRequest | None:
    """What the AI is to be asked now, on the room's clock, if it is the AI's turn."""
    key, game = engine_turn(room), room.state.game
    if key is None or game is None:
        return None
    number, epoch, turn_seq = key
    remaining = None
    if game.clocks_ms is not None and number not in game.flagged:
        remaining = max(0, game.clocks_ms[number] - max(0, now - game.began))   # a turn may be handed over half-way
    increment = room.settings.clock.increment_ms if room.settings.clock and remaining is not None else 0
    seat = room.state.seats[number]
    return EngineRequest(number, epoch, turn_seq, seat.level or 0, room.views.observe(number).copy(), remaining,
                         increment, seat.seconds, seat.opponent)


def draws_to_consider(room: Room) -> list[tuple[int, int]]:
    """Seats of the AI that were offered a draw, each with the event of the last offer. Where a person has only handed
    over, the person answers."""
    game = room.state.game
    if room.state.phase != "playing" or game is None or not game.draw:
        return []
    return [(number, room.refereed.offer_seq) for number, seat in enumerate(room.state.seats)
            if seat.person is None and seat.level is not None and number not in game.draw and number not in game.left]


def engine_payer(room: Room) -> str:
    """Whose share of the engines a move of the AI uses: the person's whose seat it plays, or else the host's.

    Games that all people have left share one.
    """
    game = room.state.game
    turn = None if game is None else game.standing.turn
    person = None if turn is None else room.state.seats[turn].person
    return person or room.state.host or NOBODY


def hinted_seat(room: Room, person: str | None) -> int:
    """The seat of a person who may have a hint now."""
    game, seat = guards.playing(room.state), room.state.seat_of(person)
    if seat is None or game.standing.turn != seat:
        raise Refusal("not_your_turn")
    if room.settings.rated:
        raise Refusal("not_allowed", "not in a rated game")
    return seat
