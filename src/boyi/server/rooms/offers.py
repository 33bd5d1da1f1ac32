"""Draws and take-backs, offered and answered.

An answer must have seen the offer that it is about. A draw needs every player who is still in the game, the AI among
them, which considers it (`server.drawing`); a take-back needs every person, and never goes back across something that
was drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boyi.core.outcome import Outcome
from boyi.core.words import Words
from boyi.server.protocol.events import DrawDeclined, DrawOffered, TakebackDeclined, TakebackOffered, TakenBack
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.state import GameState
from boyi.server.rooms import asking, guards
from boyi.server.rooms.commands import EngineAnswer, Step
from boyi.server.rooms.referee import Referee

if TYPE_CHECKING:
    from boyi.server.rooms.room import Room


def offer_draw(room: Room, game: GameState, seat: int) -> list[Step]:
    if seat in game.draw or room.refereed.offered_at.get(seat) == len(room.refereed.log):
        raise Refusal("offered")
    return _agree_to_draw(room, game, seat)


def answer_draw(room: Room, game: GameState, seat: int, seen: int, accept: bool) -> list[Step]:
    if not game.draw or seat in game.draw:
        raise Refusal("nothing_offered")
    if seen < room.refereed.offer_seq:
        raise Refusal("stale")
    return _agree_to_draw(room, game, seat) if accept else [DrawDeclined(seat)]


def engine_answer(room: Room, command: EngineAnswer) -> list[Step]:
    """What the AI says to a draw: it counts only for the offer that it was asked about."""
    game = guards.playing(room.state)
    if (command.seat, command.offer_seq) not in asking.draws_to_consider(room):
        raise Refusal("stale")
    return [DrawDeclined(command.seat, command.why)] if command.why else _agree_to_draw(room, game, command.seat)


def _agree_to_draw(room: Room, game: GameState, seat: int) -> list[Step]:
    steps: list[Step] = [DrawOffered(seat)]
    if set(room.active_seats(game, but=seat)) <= set(game.draw):
        draft = room.draft(game)
        scores = [-1.0 if one in game.left else 1.0 for one in range(len(room.state.seats))]
        draft.end(Outcome.of(scores, "agreement", Words("a draw by agreement", "双方同意和棋")))
        steps += draft.steps
    return steps


def offer_takeback(room: Room, game: GameState, seat: int) -> list[Step]:
    if room.settings.rated:
        raise Refusal("not_allowed", "not in a rated game")
    if seat in game.takeback:
        raise Refusal("offered")
    _count_taken_back(room.refereed, seat)
    return _agree_to_takeback(room, game, seat, seat)


def answer_takeback(room: Room, game: GameState, seat: int, seen: int, accept: bool) -> list[Step]:
    if not game.takeback or seat in game.takeback:
        raise Refusal("nothing_offered")
    if seen < room.refereed.offer_seq:
        raise Refusal("stale")
    return _agree_to_takeback(room, game, game.takeback[0], seat) if accept else [TakebackDeclined(seat)]


def _agree_to_takeback(room: Room, game: GameState, asking: int, agreeing: int) -> list[Step]:
    persons = {one for one in room.active_seats(game, but=asking) if room.state.seats[one].person is not None}
    steps: list[Step] = [TakebackOffered(agreeing)]
    if persons <= {*game.takeback, agreeing}:
        steps.append(TakenBack(asking, _count_taken_back(room.refereed, asking)))
    return steps


def _count_taken_back(referee: Referee, seat: int) -> int:
    """How many written moves lead back to the last decision of a seat."""
    for count, ply in enumerate(reversed(referee.log), 1):
        if ply.plies > 1 or ply.seat is None:
            raise Refusal("revealed")
        if ply.is_forfeit:
            raise Refusal("not_allowed", "a player has left the game since")
        if ply.seat == seat and ply.chosen:
            return count
    raise Refusal("nothing_to_take_back")
