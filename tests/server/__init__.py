"""Tests of rooms. A `Table` is a room with people around it, none of them at a socket."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from boyi.core.board import Stone
from boyi.games import find_game
from boyi.server.protocol import messages, reducer
from boyi.server.protocol.events import Ended, Event, decode_event, encode_event
from boyi.server.protocol.parts import Settings
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.state import RoomState
from boyi.server.rooms import Create, Decision, EngineMove, Identity, Moment, Presence, Room, asking, telling


def settings_for(game: str, options: dict[str, Any] | None = None, **rest: Any) -> Settings:
    """Complete settings."""
    start = find_game(game).start(**(options or {}))
    return Settings(game=game, options=dict(start.options), players=start.players, **rest)


def history_of(room: Room, viewer: int | None) -> tuple[list[Stone], list[messages.PlayedMove]]:
    """What stood where at the start of the present game, and its moves, as a viewer is told them."""
    text = None
    while text is None:
        text = telling.history(room, 7, viewer)
    told = messages.decode_from_server(text)
    assert isinstance(told, messages.History) and told.id == 7
    return told.stones, told.plies


class Table:
    """A room, everyone's knowledge of it, and a clock that stands still unless it is moved.

    After each event every viewer who was told of all of them must know just what a newcomer is told.
    """

    def __init__(self, game: str = "tic_tac_toe", options: dict[str, Any] | None = None, *, seed: bytes = bytes(32),
                 check: bool = True, **rest: Any) -> None:
        self.room = Room("table")
        self.seed = seed
        self.check = check
        self.now = 1000
        self.connected: set[str] = set()
        self.stalled_ms = 0
        self.events: list[Event] = []
        self.told: dict[int | None, list[str]] = {}
        self.mirrors: dict[int | None, RoomState] = {}
        self.ids: dict[str, int] = {}
        self.commit(self.room.decide(Create(settings_for(game, options, **rest)), self.moment()))

    def moment(self, lag: int = 0) -> Moment:
        return Moment(self.now, lag, self.seed, "2026-11-16", frozenset(self.connected), self.stalled_ms)

    def commit(self, decision: Decision) -> Decision:
        for event in decision.events:
            event = decode_event(encode_event(event))   # as from disk
            # Its move is read from its text, or known as numbers: both must come to the same.
            self.room.apply(event, decision.moves.get(event.seq, ()) if event.seq % 2 else ())
            self.events.append(event)
            for viewer in [None, *range(len(self.room.state.seats))]:
                message = self.room.public(event, viewer)
                self.told.setdefault(viewer, []).append(messages.encode(message))
                mirror = self.mirrors.setdefault(viewer, RoomState("table"))
                heard = messages.decode_from_server(self.told[viewer][-1])
                reducer.apply(mirror, heard.seq, heard.at, heard.body)
                if self.looks() and not (decision.events[-1] is not event and self.over_but_not_ended()):
                    assert msgspec.to_builtins(mirror) == msgspec.to_builtins(telling.view(self.room, viewer)), viewer
        return decision

    def looks(self) -> bool:
        """Comparing takes longer the longer the game; late in it, now and then is enough."""
        return self.check and (len(self.events) < 60 or len(self.events) % 25 == 0
                               or isinstance(self.events[-1].body, Ended))

    def over_but_not_ended(self) -> bool:
        """Between the last move and the end of a game nobody can come in."""
        return self.room.state.phase == "playing" and self.room.refereed.position.turn < 0

    def do(self, person: str, kind: type[messages.Request], /, *, lag: int = 0, seen: int | None = None,
           account: bool = False, **fields: Any) -> Decision:
        """A request of a person."""
        self.ids[person] = self.ids.get(person, 0) + 1
        request: Any = kind(id=self.ids[person], seen=self.room.seq if seen is None else seen, **fields)
        return self.commit(self.room.decide(request, self.moment(lag), Identity(person, person.title(), account, "c")))

    def refused(self, person: str, kind: type[messages.Request], /, **fields: Any) -> str:
        """The code with which a request is refused; it must change nothing."""
        before = msgspec.json.encode(self.room.state)
        try:
            self.do(person, kind, **fields)
        except Refusal as refusal:
            assert msgspec.json.encode(self.room.state) == before
            assert refusal.words.en and refusal.words.zh
            return refusal.code
        raise AssertionError(f"{kind.__name__} was not refused")

    def internal(self, command: Any) -> Decision:
        return self.commit(self.room.decide(command, self.moment()))

    def presence(self, person: str, connected: bool) -> Decision:
        """A person comes or goes."""
        (self.connected.add if connected else self.connected.discard)(person)
        return self.internal(Presence(person))

    def seat(self, *persons: str | int, account: bool = False) -> Table:
        """Fill the seats, a number being an AI of that level, and begin."""
        for person in dict.fromkeys(one for one in persons if isinstance(one, str)):
            self.do(person, messages.Join, account=account)
        for number, who in enumerate(persons):
            if isinstance(who, str):
                self.do(who, messages.Sit, seat=number, account=account)
                self.do(who, messages.Ready)
            else:
                self.do(self.room.state.host or "", messages.SetAi, seat=number, level=who)
        self.do(self.room.state.host or "", messages.Start)
        return self

    @property
    def turn(self) -> int | None:
        game = self.room.state.game
        return None if game is None or self.room.state.phase != "playing" else game.standing.turn

    def person(self, seat: int) -> str:
        person = self.room.state.seats[seat].person
        assert person is not None
        return person

    def play(self, move: str) -> Decision:
        """A move of the player to act."""
        assert self.turn is not None
        return self.do(self.person(self.turn), messages.Move, move=move)

    def answer(self, generator: random.Random) -> EngineMove:
        """What an AI that plays anything would answer now."""
        request = asking.engine_request(self.room, self.now)
        assert request is not None
        move = generator.choice(request.observation.moves())
        return EngineMove(request.seat, request.epoch, request.turn_seq, move)

    def play_out(self, generator: random.Random, longest: int = 100_000) -> Iterator[int]:
        """Everyone plays anything until the game is over; yields who moved."""
        for _ in range(longest):
            seat = self.turn
            if seat is None:
                return
            if self.room.state.seats[seat].level is not None:
                self.internal(self.answer(generator))
            else:
                turn = telling.turn(self.room, seat)
                assert turn is not None
                self.play(generator.choice(turn.moves).text)
            yield seat
