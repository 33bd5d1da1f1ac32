"""Which rule answers a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boyi.server.protocol import messages
from boyi.server.protocol.events import Closed, Paused
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.state import PersonState
from boyi.server.rooms import deadlines, guards, moving, offers, people, resigning, starting
from boyi.server.rooms.commands import (
    Create,
    EngineAnswer,
    EngineMove,
    Identity,
    Internal,
    Moment,
    Pause,
    Presence,
    Shut,
    Step,
    Tick,
)

if TYPE_CHECKING:
    from boyi.server.rooms.room import Room


def decide(room: Room, command: messages.Command | Internal, now: int, moment: Moment,
           by: Identity | None) -> list[Step]:
    """What a command comes to, or a `Refusal`. Changes nothing."""
    match command:
        case Create(settings, password):
            return people.create(room, settings, password, moment.date)
        case EngineMove():
            return moving.engine_move(room, command, moment.now_ms)
        case EngineAnswer():
            return offers.engine_answer(room, command)
        case Presence(person):
            return people.presence(room, person, now, moment.connected)
        case Tick():
            return deadlines.tick(room, now, moment.connected)
        case Pause():
            return [Paused()]
        case Shut():
            return [Closed("closed")]
    if by is None:
        raise Refusal("spectator")
    if isinstance(command, messages.Join):
        return people.join(room, by, command.agent)
    me = room.state.person(by.person)
    if me is None:
        raise Refusal("not_joined")
    return _of_person(room, command, now, moment, me)


def _of_person(room: Room, command: messages.Command, now: int, moment: Moment, me: PersonState) -> list[Step]:
    """What a person in the room asks for."""
    match command:
        case messages.Leave():
            return people.leave(room, me)
        case messages.Sit(seat=seat):
            return people.sit(room, me, seat)
        case messages.Stand():
            return people.stand(room, me)
        case messages.Ready(ready=ready):
            return people.be_ready(room, me, ready)
        case messages.SetAi():
            return people.seat_ai(room, me, command)
        case messages.Kick(person=person):
            return people.kick(room, me, person)
        case messages.Mute(person=person, muted=muted):
            return people.mute(room, me, person, muted)
        case messages.Start():
            return starting.start(room, me, moment)
        case messages.Rematch():
            return starting.rematch(room, me, moment)
        case messages.Chat(text=text):
            return people.chat(room, me, text)
        case messages.Close():
            return people.close(room, me)
    return _of_player(room, command, now, moment, me)


def _of_player(room: Room, command: messages.Command, now: int, moment: Moment, me: PersonState) -> list[Step]:
    """What a player asks for, in a game that is being played."""
    game, seat = guards.playing(room.state), guards.own_seat(room.state, me)
    if seat in game.left:
        raise Refusal("game_over", "you have left this game")
    match command:
        case messages.Move(seen=seen, move=text):
            return moving.move(room, game, seat, seen, text, moment)
        case messages.OfferDraw():
            return offers.offer_draw(room, game, seat)
        case messages.AnswerDraw(seen=seen, accept=accept):
            return offers.answer_draw(room, game, seat, seen, accept)
        case messages.OfferTakeback():
            return offers.offer_takeback(room, game, seat)
        case messages.AnswerTakeback(seen=seen, accept=accept):
            return offers.answer_takeback(room, game, seat, seen, accept)
        case messages.Resign():
            return resigning.give_up(room, seat, "resignation")
        case messages.HandOver():
            return moving.hand_over(room, game, seat, command)
        case messages.Resume():
            return moving.resume(room, game, seat)
        case messages.Claim(result=result):
            return resigning.claim(room, game, seat, result, now, moment.connected)
    raise TypeError(f"a room has no answer to {type(command).__name__}")
