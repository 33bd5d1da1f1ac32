"""How a game begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boyi.core.draws import SECRET_BYTES, draws_of
from boyi.server.protocol.events import RematchOffered, Started
from boyi.server.protocol.parts import Player
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.state import PersonState, SeatState
from boyi.server.rooms import guards
from boyi.server.rooms.commands import Moment, Step
from boyi.server.rooms.draft import Draft
from boyi.server.rooms.referee import Referee

if TYPE_CHECKING:
    from boyi.server.rooms.room import Room


def start(room: Room, me: PersonState, moment: Moment) -> list[Step]:
    """The host starts the game; everyone else in a seat must be ready."""
    guards.as_host(room.state, me)
    guards.between_games(room.state)
    for seat in room.state.seats:
        person = room.state.person(seat.person)
        if person is None and seat.level is None:
            raise Refusal("not_ready", "a seat is empty")
        if person is not None and not person.ready and person is not me:
            raise Refusal("not_ready", f"{person.name} is not ready")
    return _begin(room, [_player(room, seat) for seat in room.state.seats], moment)


def rematch(room: Room, me: PersonState, moment: Moment) -> list[Step]:
    """Offer a rematch; when all have offered it the game begins, everyone one seat further."""
    state, game = room.state, room.state.game
    if state.phase != "finished" or game is None:
        raise Refusal("playing" if state.phase == "playing" else "not_playing")
    mine = guards.own_seat(state, me)
    if mine in game.rematch:
        raise Refusal("offered")
    if any(seat.person is None and seat.level is None for seat in state.seats):
        raise Refusal("not_ready", "a seat is empty")
    steps: list[Step] = [RematchOffered(mine)]
    persons = {number for number, seat in enumerate(state.seats) if seat.person is not None}
    if persons <= {*game.rematch, mine}:
        players = [_player(room, seat) for seat in state.seats]
        steps += _begin(room, [players[-1], *players[:-1]], moment)
    return steps


def _player(room: Room, seat: SeatState) -> Player:
    person = room.state.person(seat.person)
    if person is not None:
        return Player(person.name, person.person, None)
    return Player(seat.opponent or f"level:{seat.level}", None, seat.level, seat.seconds, seat.opponent)


def _begin(room: Room, players: Sequence[Player], moment: Moment) -> list[Step]:
    """A new game with these players, up to the first decision."""
    settings, game = room.settings, room.state.game
    referee = Referee(settings, moment.entropy)
    commitment = ""
    if referee.position.game.has_chance:
        if len(moment.entropy) != SECRET_BYTES:
            raise ValueError("a game with chance needs entropy")
        commitment = draws_of(referee.position.game).commitment(moment.entropy)
    number = 1 if game is None else game.number + 1
    clocks = None if settings.clock is None else [settings.clock.main_ms] * len(players)
    draft = Draft(referee, clocks, settings.rated)
    draft.steps.append(Started(number, list(players), moment.date, settings.rated, commitment,
                               moment.entropy.hex()))
    draft.settle()
    return draft.steps
