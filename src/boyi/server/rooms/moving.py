"""Moves of people and of the AI. A move takes the time until it arrived, whatever has been written down since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boyi.agents.human import read_decision
from boyi.core.errors import BoyiError
from boyi.server.protocol.events import Handed
from boyi.server.protocol.messages import HandOver
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.state import GameState
from boyi.server.rooms import clock, guards, resigning
from boyi.server.rooms.commands import EngineMove, Moment, Step

if TYPE_CHECKING:
    from boyi.server.rooms.room import Room


def move(room: Room, game: GameState, seat: int, seen: int, text: str, moment: Moment) -> list[Step]:
    """A move of a person, in any notation of the game."""
    if room.state.seats[seat].level is not None:
        raise Refusal("handed_over")
    if game.standing.turn != seat:
        raise Refusal("not_your_turn")
    if seen < game.turn_seq:
        raise Refusal("stale")
    credit = clock.credit(moment.lag_ms, room.refereed.banks_ms[seat])
    spent = _spend(game, seat, moment.now_ms, credit)
    try:
        # Read by the player's own view: a refusal must tell nothing that they do not know.
        decision = read_decision(room.views.observe(seat), text)
    except BoyiError as error:
        raise Refusal("illegal_move", str(error)) from error
    return _play(room, game, seat, decision, spent, credit)


def engine_move(room: Room, command: EngineMove, arrived_ms: int) -> list[Step]:
    """A move of the AI: it counts only while the AI still plays the seat and the turn that it was asked for."""
    game = guards.playing(room.state)
    seat = room.state.seats[command.seat]
    if (seat.level is None or seat.epoch != command.epoch or game.turn_seq != command.turn_seq
            or game.standing.turn != command.seat):
        raise Refusal("stale")
    spent = _spend(game, command.seat, arrived_ms, 0)
    return _play(room, game, command.seat, command.move, spent, 0, level=seat.level, fallback=command.fallback)


def hand_over(room: Room, game: GameState, seat: int, wish: HandOver) -> list[Step]:
    """托管: the AI plays a person's seat."""
    if seat in game.flagged:
        raise Refusal("flag")
    if game.rated and len(room.state.seats) > 2:
        raise Refusal("not_allowed", "the AI takes no seat in a rated game of more than two; you can resign")
    if game.rated and not wish.confirm:
        raise Refusal("confirm_loss")
    if wish.opponent:
        guards.opponent(room.settings, wish.opponent)
    return resigning.hand_to_ai(room, game, seat, guards.level(room.settings, wish.level), "asked",
                                wish.seconds, wish.opponent)


def resume(room: Room, game: GameState, seat: int) -> list[Step]:
    """The person plays again."""
    if room.state.seats[seat].level is None:
        raise Refusal("not_handed_over")
    if seat in game.flagged:
        raise Refusal("flag", "the AI plays your seat to the end")
    return [Handed(seat, None, room.state.seats[seat].epoch + 1, "asked")]


def _is_timed(game: GameState, seat: int) -> bool:
    return game.clocks_ms is not None and seat not in game.flagged


def _spend(game: GameState, seat: int, arrived_ms: int, credit: int) -> int:
    """The milliseconds that a move takes; refused when fewer are left."""
    spent = max(0, arrived_ms - game.began - credit)
    if game.clocks_ms is not None and _is_timed(game, seat) and spent >= game.clocks_ms[seat]:
        raise Refusal("flag")
    return spent


def _play(room: Room, game: GameState, seat: int, decision: int, spent: int, credit: int, *, level: int | None = None,
          fallback: bool = False) -> list[Step]:
    timed = _is_timed(game, seat)
    draft = room.draft(game)
    try:
        draft.move(decision, seat, level=level, fallback=fallback, spent_ms=spent if timed else 0,
                   credit_ms=credit if timed else 0,
                   increment_ms=room.settings.clock.increment_ms if timed and room.settings.clock else 0)
    except BoyiError:
        # Should the referee know better than the player, they are not told what.
        raise Refusal("illegal_move") from None
    draft.settle()
    return draft.steps
