"""What viewers are told of a room: a seat what it knows, spectators (None) what everyone may know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from boyi.core.record import Record
from boyi.server.protocol import messages
from boyi.server.protocol.bodies import LiveGame, RoomSummary
from boyi.server.protocol.events import Created, Moved, Resigned, Started, StoredBody, TakenBack
from boyi.server.protocol.positions import describe_legal_moves, describe_stones, seat_in_check
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.state import RoomState
from boyi.server.protocol.views import (
    CreatedView,
    MovedView,
    PublicBody,
    ResignedView,
    StartedView,
    TakenBackView,
)
from boyi.server.rooms import guards

if TYPE_CHECKING:
    from boyi.server.rooms.room import Room


def publish(room: Room, body: StoredBody, viewer: int | None) -> PublicBody:
    """What a viewer is told of the body that was applied last."""
    match body:
        case Created(settings, date):
            return CreatedView(settings, date)
        case Started():
            observation = room.views.observe(viewer)
            clocks = None if room.settings.clock is None else [room.settings.clock.main_ms] * len(body.players)
            return StartedView(body.number, body.players, body.date, body.rated, body.commitment,
                               observation.to_text(), describe_stones(observation), room.views.standing(viewer),
                               clocks)
        case Moved():
            text, path, changes, drawn = room.views.last_course(viewer)
            return MovedView(
                body.seat, text, path, changes, room.views.standing(viewer), body.level, body.forced, body.fallback,
                body.spent_ms, body.credit_ms, body.clocks_ms, drawn,
                seat_in_check(room.views.observe(viewer), room.refereed.position.turn, body.seat))
        case TakenBack(seat, moves):
            return TakenBackView(seat, moves, describe_stones(room.views.observe(viewer)),
                                 room.views.standing(viewer))
        case Resigned(seat, why, text):
            return ResignedView(seat, why, text, room.views.standing(viewer))
        case _:
            # By allow-list: `StoredBody` has nothing else, and mypy knows it.
            return body


def view(room: Room, viewer: int | None) -> RoomState:
    """All that a viewer may know; not to be changed."""
    game = room.state.game
    if viewer is None or game is None or not room.refereed.has_secrets or room.state.phase != "playing":
        return room.state
    return structs.replace(room.state, game=room.views.game(game, viewer))


def last_move(room: Room, seat: int, viewer: int | None) -> messages.LastMove | None:
    """The last move that a seat made in the present game, as the viewer may see it; None if it made none."""
    guards.seat_at(room.state, seat)
    log = [] if room.referee is None else room.referee.log
    for index in range(len(log) - 1, -1, -1):
        if log[index].seat == seat and log[index].chosen:
            return room.views.show(index, viewer)
    return None


def history(room: Room, number: int, viewer: int | None) -> str | None:
    """The answer to a request of that number for the course of the present game, as the viewer may see it.

    A `messages.History`, but most of it was written before. None if there is more to work out than should be done at
    once: then it is to be asked again.
    """
    game = room.state.game
    course = '"stones":[],"plies":[],"tokens":null' if room.referee is None else room.views.history(viewer)
    if course is None:
        return None
    return f'{{"type":"history","id":{number},"number":{0 if game is None else game.number},{course}}}'


def turn(room: Room, seat: int | None) -> messages.Turn | None:
    """What the person in a seat may do now; None when it is not their turn."""
    game = room.state.game
    if (seat is None or room.state.phase != "playing" or game is None or game.standing.turn != seat
            or room.state.seats[seat].level is not None):
        return None
    return messages.Turn(game.turn_seq, seat, describe_legal_moves(room.views.observe(seat)))


def record(room: Room, viewer: int | None = None) -> Record:
    """The present or last game as a record, as far as the viewer may know it."""
    game = room.state.game
    if game is None:
        raise Refusal("not_playing")
    over = room.state.phase != "playing"
    tags = {"Room": f"{room.state.room}/{game.number}"}
    if game.commitment:
        tags["Commitment"] = game.commitment
    if over and game.seed:
        tags["Seed"] = game.seed
    if game.assisted:
        tags["Assisted"] = " ".join(str(seat + 1) for seat in game.assisted)
    if game.forfeit is not None:
        tags["Forfeit"] = f"{game.forfeit.places.index(2) + 1} {game.forfeit.reason}"
    result = game.result
    return Record.from_position(
        room.refereed.position if over else room.views.observe(viewer), players=game.names, date=game.date,
        event="Boyi room", tags=tags, result=None if result is None else result.places,
        reason="" if result is None else result.reason)


def live(room: Room) -> LiveGame | None:
    """The game that is being played, for those who may watch it; None if there is none."""
    game = room.state.game
    if game is None or room.state.phase != "playing":
        return None
    path, changes = room.views.last_course(None)[1:3] if room.refereed.log else ([], [])
    return LiveGame(summary(room), room.settings.options, game.number, game.stones, path, changes)


def summary(room: Room) -> RoomSummary:
    """A room as the lobby lists it."""
    state, settings = room.state, room.settings
    names = []
    for seat in state.seats:
        person = state.person(seat.person)
        names.append(person.name if person is not None else "" if seat.level is None
                     else seat.opponent or f"level:{seat.level}")
    return RoomSummary(
        state.room, settings.game, state.phase, len(state.seats), sum(bool(name) for name in names), names,
        settings.rated, settings.locked, settings.clock, 0 if state.game is None else len(state.game.plies),
        None if state.game is None or state.phase != "playing" else state.game.standing.turn)
