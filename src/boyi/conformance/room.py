"""A room that is played to its end, with people around it, none of them at a socket."""

from __future__ import annotations

import random
from itertools import count
from typing import Any

import msgspec

from boyi.conformance.case import Case
from boyi.conformance.expect import ConformanceError, ensure, same
from boyi.core.draws import SECRET_BYTES
from boyi.core.record import Record
from boyi.server.protocol import messages, reducer
from boyi.server.protocol.events import Ended, Event, decode_event, encode_event
from boyi.server.protocol.parts import Settings
from boyi.server.protocol.state import Result, RoomState
from boyi.server.rooms import Create, Decision, EngineMove, Identity, Moment, Room, asking, telling

__all__ = ["PlayedRoom"]

LONGEST = 200
"""In written moves: then everyone resigns. A random game may be long, and a room is not quick."""

CLOSELY = 40
"""So many events are looked at closely, of the others every tenth: it takes longer the longer the game."""


class PlayedRoom:
    """A room, all its events, and what each viewer was told.

    The last seat is the AI's, the others are people's. After each event every viewer who was told of all of them knows
    just what a newcomer is told.
    """

    def __init__(self, case: Case, seed: int) -> None:
        position = case.start()
        self._rng = random.Random(seed)
        self._secret = self._rng.randbytes(SECRET_BYTES)
        self._room = Room("room")
        self._events: list[Event] = []
        self._mirrors: dict[int | None, RoomState] = {viewer: RoomState("room")
                                                      for viewer in (None, *range(position.players))}
        self._requests = 0
        self._commit(self._room.decide(
            Create(Settings(case.game.name, dict(position.options), position.players)), self._moment()))
        people = [f"person {seat}" for seat in range(max(1, position.players - 1))]
        for seat, person in enumerate(people):
            self._ask(person, messages.Join)
            self._ask(person, messages.Sit, seat=seat)
            self._ask(person, messages.Ready)
        for seat in range(len(people), position.players):
            self._ask(people[0], messages.SetAi, seat=seat, level=1)
        self._ask(people[0], messages.Start)

    @property
    def result(self) -> Result:
        """How the game ended."""
        game = self._room.state.game
        if game is None or game.result is None:
            raise ConformanceError("the game in a room has no result")
        return game.result

    def record(self) -> Record:
        """The game as people download it, read back."""
        record = telling.record(self._room)
        return Record.parse(record.to_text(), lambda name: record.game)

    def play_out(self) -> None:
        """Everyone plays anything; after a long game all people resign."""
        for number in count():
            state = self._room.state
            if state.phase != "playing" or state.game is None or state.game.standing.turn is None:
                break
            if number == LONGEST:
                for seat, person in enumerate(one.person for one in state.seats):
                    still_in = state.phase == "playing" and self._room.refereed.position.may_resign(seat)
                    if person is not None and still_in:
                        self._ask(person, messages.Resign)
            else:
                self._move(state.game.standing.turn)
        same(self._room.state.phase, "finished", "the phase of a room that was played to its end")

    def _move(self, seat: int) -> None:
        person = self._room.state.seats[seat].person
        if person is None:
            request = asking.engine_request(self._room, self._now())
            if request is None:
                raise ConformanceError(f"seat {seat} is the AI's and it is not asked")
            move = self._rng.choice(request.observation.moves())
            self._commit(self._room.decide(EngineMove(request.seat, request.epoch, request.turn_seq, move),
                                           self._moment()))
            return
        turn = telling.turn(self._room, seat)
        if turn is None:
            raise ConformanceError(f"seat {seat} is to act and is not told its moves")
        self._ask(person, messages.Move, move=self._rng.choice(turn.moves).text)

    def comes_back_from_its_events(self) -> None:
        """Ensure that what is on disk gives the same room again."""
        again = Room.replay("room", self._events)
        same(msgspec.to_builtins(again.state), msgspec.to_builtins(self._room.state), "a room that came back is")

    def _now(self) -> int:
        return 1000 + len(self._events)

    def _moment(self) -> Moment:
        return Moment(self._now(), entropy=self._secret, date="2026-01-01")

    def _ask(self, person: str, kind: Any, **fields: Any) -> None:
        self._requests += 1
        request = kind(id=self._requests, seen=self._room.seq, **fields)
        self._commit(self._room.decide(request, self._moment(), Identity(person, person, client="client")))

    def _commit(self, decision: Decision) -> None:
        for event in decision.events:
            stored = decode_event(encode_event(event))
            # Its move is read from its text, or known as numbers: both must come to the same.
            self._room.apply(stored, decision.moves.get(event.seq, ()) if event.seq % 2 else ())
            self._events.append(stored)
            for viewer, mirror in self._mirrors.items():
                told = messages.decode_from_server(messages.encode(self._room.public(stored, viewer)))
                reducer.apply(mirror, told.seq, told.at, told.body)
                if event is decision.events[-1] and self._looks():
                    same(msgspec.to_builtins(mirror), msgspec.to_builtins(telling.view(self._room, viewer)),
                         f"after {len(self._events)} events viewer {viewer} knows")
        ensure(decision.seq == self._room.seq, "a room counts its events wrongly")

    def _looks(self) -> bool:
        number = len(self._events)
        return number < CLOSELY or number % 10 == 0 or isinstance(self._events[-1].body, Ended)
