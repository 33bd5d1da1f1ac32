"""A room: commands become events, and events change it.

A `Room` is a state machine:

    decision = room.decide(command, moment, by)   changes nothing; a `Refusal` says why not
    (the caller stores decision.events)
    room.apply(event)                             for each of them: the only thing that changes a room
    room.public(event, viewer)                    what that viewer is told of it

`Room.replay(events)` gives the same room again, so what is on disk is all there is. In between, nobody is
told of anything that could still be lost.

Secrets. The room holds the referee's position and, in games with chance, the seed that all draws come from. Viewers are
told the game as they know it (`views`), and of events only what is public (`protocol.events.Public`) or made for them
(`protocol.views`).

Seats. A seat is played by its person, or by the AI when it has a level; `epoch` counts the changes. The AI
is asked with the epoch and the turn it is asked for (`EngineRequest`), and its answer counts only while both
still hold: so there is one controller at every instant, however late an answer comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from msgspec import structs

from boyi.server.protocol import messages, reducer
from boyi.server.protocol.events import (
    Back,
    Cause,
    Created,
    DrawOffered,
    Ended,
    Event,
    Left,
    Moved,
    Resigned,
    Stalled,
    Started,
    TakebackOffered,
    TakenBack,
)
from boyi.server.protocol.parts import Settings
from boyi.server.protocol.positions import describe_stones
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.state import GameState, RoomState
from boyi.server.protocol.views import MovedView, PublicBody
from boyi.server.rooms import clock, deadlines, telling
from boyi.server.rooms.commands import Decision, Identity, Internal, Moment, Step, Written
from boyi.server.rooms.conduct import Conduct
from boyi.server.rooms.decide import decide
from boyi.server.rooms.draft import Draft
from boyi.server.rooms.referee import Ply, Referee
from boyi.server.rooms.requests import Requests
from boyi.server.rooms.views import Views


class Room:
    """A room, as the referee knows it."""

    def __init__(self, identity: str) -> None:
        self.state = RoomState(identity)
        """A spectator's knowledge: nothing here is secret."""

        self.password = ""
        """Hashed; empty for a room without one."""

        self.banned: set[str] = set()
        self.players: list[str | None] = []
        """The persons who began the present or last game, by seat; None for the AI."""

        self.conduct = Conduct()
        self.requests = Requests()
        self.referee: Referee | None = None
        self._views: Views | None = None
        self._told: PublicBody | None = None
        """What spectators are told of the last event, which also changes `state`."""

        self._is_behind = False
        """Does `state` lack what the moves that were replayed look like?"""

    @classmethod
    def replay(cls, identity: str, events: Iterable[Event]) -> Room:
        """The room that these events made.

        Of games that were followed by another one nothing is left but who sat where: their moves are not played again.
        Between two moves nobody asks how the game stands, so that is not described.
        """
        room, events = cls(identity), list(events)
        begun = [number for number, event in enumerate(events) if isinstance(event.body, Started)]
        for number, event in enumerate(events):
            if begun and number < begun[-1]:
                room._skip(event)
            elif number + 1 < len(events) and isinstance(events[number + 1].body, Moved):
                room._advance(event)
            else:
                room.apply(event)
        return room

    def _skip(self, event: Event) -> None:
        """Apply an event of a game that was followed by another one, without its moves."""
        match event.body:
            case Moved() | TakenBack() | Resigned():
                self.state.seq, self.state.at = event.seq, event.at
                self._remember(event)
            case Ended():
                self.apply(structs.replace(event, body=structs.replace(event.body, truth=None)))
            case _:
                self.apply(event)

    def _advance(self, event: Event) -> None:
        """Apply an event that a move follows at once: after a move the game is not described until that one."""
        body, game = event.body, self.state.game
        if not isinstance(body, Moved) or game is None:
            self.apply(event)
            return
        self._move(body, (), described=False)
        reducer.apply(self.state, event.seq, event.at, MovedView(
            body.seat, body.text, [], [], game.standing, body.level, body.forced, body.fallback, body.spent_ms,
            body.credit_ms, body.clocks_ms))
        self._is_behind = True
        self._remember(event)

    def _catch_up(self, game: GameState) -> None:
        """Describe the game to spectators as it stands after the moves that were replayed."""
        self._is_behind = False
        game.stones = describe_stones(self.views.observe(None))
        if self.refereed.has_secrets:
            for ply, text in zip(game.plies, self.views.texts(None), strict=True):
                ply.text = text

    # ------------------------------------------------------------------ facts

    @property
    def seq(self) -> int:
        return self.state.seq

    @property
    def settings(self) -> Settings:
        if self.state.settings is None:
            raise Refusal("no_room")
        return self.state.settings

    @property
    def refereed(self) -> Referee:
        """The present or last game, as the referee knows it."""
        if self.referee is None:
            raise Refusal("not_playing")
        return self.referee

    @property
    def views(self) -> Views:
        """The present or last game, as each viewer knows it."""
        if self._views is None:
            raise Refusal("not_playing")
        return self._views

    def viewer(self, person: str | None) -> int | None:
        """By whose view a person sees the game: a seat's, or None for a spectator's."""
        return self.state.seat_of(person)

    def viewers(self) -> list[int | None]:
        """All who may be told different things."""
        has_secrets = self.referee is not None and self.referee.has_secrets
        return [None, *range(len(self.state.seats))] if has_secrets else [None]

    def active_seats(self, game: GameState, *, but: int) -> list[int]:
        """The other seats that are still in the game."""
        return [number for number in range(len(self.state.seats)) if number != but and number not in game.left]

    def deadline(self, connected: Set[str] = frozenset()) -> int | None:
        """When a `Tick` will have something to do, on the room's clock; with these persons connected."""
        return deadlines.next_deadline(self, connected)

    # ------------------------------------------------------------------ deciding

    def decide(self, command: messages.Command | Internal, moment: Moment, by: Identity | None = None) -> Decision:
        """What a command comes to, or a `Refusal`. Changes nothing."""
        # 1. A request that was carried out already is not carried out again.
        cause = None
        if isinstance(command, messages.Request):
            if by is None:
                raise Refusal("spectator")
            done = self.requests.find(by.person, by.client, command.id, command.seen)
            if done is not None:
                return Decision((), done)
            if command.seen > self.seq:
                raise Refusal("stale", f"there is no event {command.seen} yet; the last one is {self.seq}")
            cause = Cause(by.person, by.client, command.id)
        if self.state.phase == "closed":
            raise Refusal("closed")
        # 2. The rules say what happens.
        now = max(moment.now_ms, self.state.at)
        steps = decide(self, command, now, moment, by)
        # 3. What is true already is written down before it.
        before = self._overdue(moment, by) if steps else []
        events, moves = [], {}
        for seq, step in enumerate((*before, *steps), self.seq + 1):
            if isinstance(step, Written):
                moves[seq] = step.moves
                step = step.body
            events.append(Event(seq, now, step, cause))
        return Decision(tuple(events), self.seq + len(events), moves)

    def _overdue(self, moment: Moment, by: Identity | None) -> list[Step]:
        """What nobody asked for: that the server stood still while a clock ran, that the person who asks is back."""
        steps: list[Step] = []
        game = self.state.game
        if moment.stalled_ms and self.state.phase == "playing" and game is not None and game.clocks_ms is not None:
            steps.append(Stalled(moment.stalled_ms))
        if by is not None and by.person in moment.connected:
            person = self.state.person(by.person)
            if person is not None and person.away_until is not None:
                steps.append(Back(by.person))
        return steps

    def draft(self, game: GameState) -> Draft:
        """To play on from where the present game stands."""
        return Draft(self.refereed, game.clocks_ms, game.rated)

    # ------------------------------------------------------------------ applying

    def apply(self, event: Event, moves: Sequence[int] = ()) -> None:
        """Change the room by a stored event; its move is read from its text unless its numbers are known."""
        if event.seq != self.seq + 1:
            raise ValueError(f"event {event.seq} cannot follow event {self.seq}")
        body = event.body
        if self._is_behind and self.state.game is not None:
            self._catch_up(self.state.game)
        match body:
            case Created(password=password):
                self.password = password
            case Left(person, why):
                if why == "kicked":
                    self.banned.add(person)
            case Started(seed=seed, players=players):
                self.players = [player.person for player in players]
                self.referee = Referee(self.settings, bytes.fromhex(seed))
                self._views = Views(self.referee)
            case Moved():
                self._move(body, moves)
            case Resigned(seat, text=text) if text:
                self._play(Ply(seat, text, 1, chosen=False, is_forfeit=True), moves)
            case TakenBack(moves=count):
                self.refereed.take_back(count)
                self.views.taken_back()
            case DrawOffered(seat):
                self.refereed.offered_at[seat] = len(self.refereed.log)
                self.refereed.offer_seq = event.seq
            case TakebackOffered():
                self.refereed.offer_seq = event.seq
        # The game must not have ended yet here: its last move is told before its end.
        self._told = telling.publish(self, body, None)
        reducer.apply(self.state, event.seq, event.at, self._told)
        if isinstance(body, Ended):
            self.refereed.ended = True
        self._remember(event)

    def _move(self, body: Moved, moves: Sequence[int], *, described: bool = True) -> None:
        ply = Ply(body.seat, body.text, body.plies, chosen=body.seat is not None and not body.forced)
        self._play(ply, moves, described=described)
        if body.seat is not None and ply.chosen:
            banks = self.refereed.banks_ms
            banks[body.seat] = clock.refill(banks[body.seat], body.credit_ms)

    def _play(self, ply: Ply, moves: Sequence[int], *, described: bool = True) -> None:
        if not moves:
            position = self.refereed.position
            moves = position.parse_moves(ply.text)
            if position.is_forfeit(moves[0]):   # version 0.1.0 stored it as a move like any other
                ply.chosen, ply.is_forfeit = False, True
        self.refereed.play(ply, moves, described=described)
        self.views.moved()

    def _remember(self, event: Event) -> None:
        self.conduct.follow(event.body)
        if event.cause is not None:
            self.requests.remember(event.cause, event.seq)

    # ------------------------------------------------------------------ telling

    def public(self, event: Event, viewer: int | None) -> messages.EventMessage:
        """What a viewer is told of the event that was applied last."""
        if event.seq != self.seq:
            raise ValueError(f"event {event.seq} is not the last one, {self.seq}")
        told = self._told if viewer is None and self._told is not None else telling.publish(self, event.body, viewer)
        return messages.EventMessage(event.seq, event.at, told)
