"""The rules of a room: a command and the time give events, or a refusal.

A `Room` is a state machine without sockets, clock, database or chance of its own:

    decision = room.decide(command, moment, by)   changes nothing; a `Refusal` says why not
    (the caller stores decision.events)
    room.apply(event)                             for each of them: the only thing that changes a room
    room.public(event, viewer)                    what that viewer is told of it

`Room.replay(events)` gives the same room again, so what is on disk is all there is. In between, nobody is
told of anything that could still be lost.

Secrets. The room holds the referee's position and, in games with chance, the seed that all draws come
from. What a viewer may know is built up from what he is allowed, never cut down from the whole:
`Position.observe(seat)` for the board, `events.PUBLIC` and the `…View` bodies for the rest. When the game is
over everybody may know everything.

Seats. A seat is played by its person, or by the AI when it has a level; `epoch` counts the changes. The AI
is asked with the epoch and the turn it is asked for (`EngineRequest`), and its answer counts only while both
still hold: so there is one controller at every instant, however late an answer comes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from msgspec import structs

from boyi.agents.human import read_decision
from boyi.core.draws import SEED_BYTES, draws_of
from boyi.core.errors import BoyiError
from boyi.core.outcome import Outcome
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.record import Record, written_moves
from boyi.core.words import Words
from boyi.games import find_game
from boyi.server import clock, messages, state
from boyi.server.events import (
    AiSeated,
    Away,
    Back,
    Cause,
    Change,
    Closed,
    Covered,
    Created,
    CreatedView,
    DrawDeclined,
    DrawOffered,
    Ended,
    Event,
    Handed,
    HostChanged,
    Joined,
    Left,
    Moved,
    MovedView,
    Paused,
    Player,
    PublicBody,
    Readied,
    RematchOffered,
    Resigned,
    ResignedView,
    Said,
    Sat,
    Settings,
    Standing,
    Started,
    StartedView,
    Stone,
    Stood,
    StoredBody,
    TakebackDeclined,
    TakebackOffered,
    TakenBack,
    TakenBackView,
    Text,
    Truth,
)
from boyi.server.state import GameState, PersonState, RoomState, SeatState

MOST_PERSONS = 64
"""In one room, besides those who only watch."""

MOST_CLIENTS = 8
"""Of one person, whose requests are remembered."""

REMEMBERED = 32
"""So many requests of a client can be repeated and are acknowledged again."""

PATIENCE_BETWEEN_GAMES_MS = 60_000
HINT_LEVEL = 8
OPENING_PLIES = 8
"""What stands on the board earlier in a game may stand on anybody's."""

ABANDONED_MS = 24 * 3_600_000
"""A game whose persons are all away for so long is over."""


class Refusal(BoyiError):  # noqa: N818  (an answer, not an error)
    """What cannot be done, and why; nothing has changed."""

    def __init__(self, code: str, detail: str = "") -> None:
        self.code = code
        self.words = messages.REFUSALS[code]
        self.detail = detail
        super().__init__(f"{self.words.en}{': ' + detail if detail else ''}")


@dataclass(frozen=True)
class Identity:
    """Who asks."""

    person: str
    name: str
    account: bool = False
    client: str = ""
    """Which of his clients; request numbers count per client."""


@dataclass(frozen=True)
class Moment:
    """What the outside world adds to a command."""

    now_ms: int
    """On the room's clock: it goes on from the last event when a server begins, and stands still without one."""

    lag_ms: int = 0
    """What the server measured that the network took."""

    entropy: bytes = b""
    """32 fresh random bytes: the seed, should a game begin."""

    date: str = ""
    """Today, ISO 8601."""


# ---------------------------------------------------------------------- commands of the server itself

@dataclass(frozen=True)
class Create:
    """Make the room; the first command of all."""

    settings: Settings
    password: str = ""
    """Hashed."""


@dataclass(frozen=True)
class EngineMove:
    """What the AI chose."""

    seat: int
    epoch: int
    turn_seq: int
    move: str
    fallback: bool = False


@dataclass(frozen=True)
class Presence:
    """A person's first connection came, or his last one went."""

    person: str
    connected: bool


@dataclass(frozen=True)
class Tick:
    """Time has passed."""


@dataclass(frozen=True)
class Pause:
    """The server stops."""


Internal = Create | EngineMove | Presence | Tick | Pause


@dataclass(frozen=True)
class Decision:
    """What a command comes to."""

    events: tuple[Event, ...]
    """To be stored and applied; none for a request that was done before."""

    seq: int
    """The last event that the request caused."""


@dataclass(frozen=True)
class EngineRequest:
    """The AI is to act."""

    seat: int
    epoch: int
    turn_seq: int
    level: int
    observation: Position
    """What its seat may know, and no more."""

    remaining_ms: int | None
    increment_ms: int


@dataclass
class _Ply:
    """A written move of the referee's game."""

    seat: int | None
    text: str
    plies: int
    shown: bool = True
    """A player chose it: what `last_move` looks for."""

    forfeit: bool = False
    """A player left the game by it."""


@dataclass
class _Requests:
    """What a client has been acknowledged."""

    last: int = 0
    done: OrderedDict[int, int] = field(default_factory=OrderedDict)
    """From an id to the last event that it caused."""


class Room:
    """A room, as the referee knows it."""

    def __init__(self, identity: str) -> None:
        self.state = RoomState(identity)
        """A spectator's knowledge: nothing here is secret."""

        self.password = ""
        """Hashed; empty for a room without one."""

        self._position: Position | None = None
        self._start: Position | None = None
        self._now_seen: dict[int | None, Position] = {}
        self._before_seen: dict[int | None, Position] = {}
        """What viewers know of the position, and knew before its last change: looked at often, changed by nobody."""

        self._standings: dict[int | None, Standing] = {}
        """How it stands for them, written down: that takes longer than anything else about a move."""

        self._told: tuple[int, PublicBody] | None = None
        """What spectators are told of the last event: the room itself is told the same."""

        self._seed = b""
        self._log: list[_Ply] = []
        self._banks: list[int] = []
        self._offered_at: dict[int, int] = {}
        """Per seat, after how many moves it last offered a draw."""

        self._offer_seq = 0
        """The last offer of anything; whoever answers must have seen it."""

        self._banned: set[str] = set()
        self._requests: OrderedDict[tuple[str, str], _Requests] = OrderedDict()

    @classmethod
    def replay(cls, identity: str, events: Iterable[Event]) -> Room:
        """The room that these events made.

        Of games that were followed by another one nothing is left but who sat where: their moves are not played again.
        """
        room, events = cls(identity), list(events)
        begun = [number for number, event in enumerate(events) if isinstance(event.body, Started)]
        for number, event in enumerate(events):
            if begun and number < begun[-1]:
                room._pass_over(event)
            else:
                room.apply(event)
        return room

    def _pass_over(self, event: Event) -> None:
        """Let an event of a game have happened that was followed by another game."""
        match event.body:
            case Moved() | TakenBack() | Resigned():
                self.state.seq, self.state.at = event.seq, event.at
                if event.cause is not None:
                    self._remember(event.cause, event.seq)
            case Ended():
                self.apply(structs.replace(event, body=structs.replace(event.body, truth=None)))
            case _:
                self.apply(event)

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
    def has_secrets(self) -> bool:
        """Does the game show different viewers different things?"""
        return self._position is not None and self._position.has_secrets

    def viewer(self, person: str | None) -> int | None:
        """Whose eyes a person sees with: a seat's, or None for a spectator's."""
        return self.state.seat_of(person)

    def viewers(self) -> list[int | None]:
        """All who may be told different things."""
        return [None, *range(len(self.state.seats))] if self.has_secrets else [None]

    # ------------------------------------------------------------------ deciding

    def decide(self, command: messages.Command | Internal, moment: Moment, by: Identity | None = None) -> Decision:
        """What a command comes to, or a `Refusal`. Changes nothing."""
        now = max(moment.now_ms, self.state.at)
        cause = None
        if isinstance(command, messages.Request):
            if by is None:
                raise Refusal("spectator")
            requests = self._requests.get((by.person, by.client))
            if requests is not None and command.id <= requests.last:
                if command.id in requests.done:
                    return Decision((), requests.done[command.id])
                raise Refusal("late")
            if command.seen > self.seq:
                raise Refusal("stale", f"there is no event {command.seen} yet; the last one is {self.seq}")
            cause = Cause(by.person, by.client, command.id)
        if self.state.phase == "closed":
            raise Refusal("closed")
        bodies = self._bodies(command, now, moment, by)
        events = tuple(Event(self.seq + number, now, body, cause) for number, body in enumerate(bodies, 1))
        return Decision(events, self.seq + len(events))

    def _bodies(self, command: Any, now: int, moment: Moment, by: Identity | None) -> list[StoredBody]:
        match command:
            case Create(settings, password):
                return self._create(settings, password, moment)
            case EngineMove():
                return self._engine_move(command, now)
            case Presence(person, connected):
                return self._presence(person, connected, now)
            case Tick():
                return self._tick(now)
            case Pause():
                return [Paused()]
        if by is None:
            raise Refusal("spectator")
        if isinstance(command, messages.Join):
            return self._join(command, by)
        me = self.state.person(by.person)
        if me is None:
            raise Refusal("not_joined")
        match command:
            case messages.Leave():
                return self._leave(me)
            case messages.Sit(seat=seat):
                return self._sit(me, seat)
            case messages.Stand():
                self._between_games()
                return [Stood(me.person, self._my_seat(me))]
            case messages.Ready(ready=ready):
                self._between_games()
                self._my_seat(me)
                return [Readied(me.person, ready)]
            case messages.SetAi(seat=seat, level=level):
                return self._set_ai(me, seat, level)
            case messages.Kick(person=person):
                return self._kick(me, person)
            case messages.Start():
                return self._start_game(me, moment)
            case messages.Rematch():
                return self._rematch(me, moment)
            case messages.Chat(text=text):
                return [Said(me.person, text)]
            case messages.Close():
                self._as_host(me)
                self._between_games()
                return [Closed("closed")]
        game, seat = self._playing(), self._my_seat(me)
        if seat in game.left:
            raise Refusal("game_over", "you have left this game")
        match command:
            case messages.Move(seen=seen, move=text):
                return self._move(game, seat, seen, text, now, moment)
            case messages.OfferDraw():
                return self._offer_draw(game, seat)
            case messages.AnswerDraw(seen=seen, accept=accept):
                return self._answer_draw(game, seat, seen, accept)
            case messages.OfferTakeback():
                return self._offer_takeback(game, seat)
            case messages.AnswerTakeback(seen=seen, accept=accept):
                return self._answer_takeback(game, seat, seen, accept)
            case messages.Resign():
                return self._give_up(seat, "resignation")
            case messages.HandOver(level=level):
                if seat in game.flagged:
                    raise Refusal("flag")
                return [Handed(seat, level, self.state.seats[seat].epoch + 1)]
            case messages.Resume():
                if self.state.seats[seat].level is None:
                    raise Refusal("not_handed_over")
                if seat in game.flagged:
                    raise Refusal("flag", "the AI plays your seat to the end")
                return [Handed(seat, None, self.state.seats[seat].epoch + 1)]
            case messages.Claim(result=result):
                return self._claim(seat, result, now)
        raise TypeError(f"a room has no answer to {type(command).__name__}")

    # ------------------------------------------------------------------ who is here

    def _create(self, settings: Settings, password: str, moment: Moment) -> list[StoredBody]:
        if self.seq:
            raise Refusal("joined")
        start = find_game(settings.game).start(**settings.options)
        if start.players != settings.players or dict(start.options) != settings.options:
            raise ValueError("settings of a room must be complete")
        return [Created(settings, moment.date, password)]

    def _join(self, command: messages.Join, by: Identity) -> list[StoredBody]:
        if self.state.person(by.person) is not None:
            raise Refusal("joined")
        if by.person in self._banned:
            raise Refusal("banned")
        if len(self.state.persons) >= MOST_PERSONS:
            raise Refusal("full")
        return [Joined(by.person, by.name, by.account, command.agent)]

    def _leave(self, me: PersonState) -> list[StoredBody]:
        bodies: list[StoredBody] = []
        seat, game = self.state.seat_of(me.person), self.state.game
        if self.state.phase == "playing" and game is not None and seat is not None and seat not in game.left:
            bodies = self._give_up(seat, "resignation")
        return bodies + self._go(me.person, "left", ended=any(isinstance(body, Ended) for body in bodies))

    def _go(self, person: str, why: Any, *, ended: bool = False) -> list[StoredBody]:
        """Let somebody leave, and see who is host then."""
        bodies: list[StoredBody] = [Left(person, why)]
        others = [one for one in self.state.persons if one.person != person]
        if not others:
            return bodies if self.state.phase == "playing" and not ended else [*bodies, Closed("empty")]
        if self.state.host == person:
            here = [one for one in others if one.away_until is None] or others
            bodies.append(HostChanged(here[0].person))
        return bodies

    def _sit(self, me: PersonState, number: int) -> list[StoredBody]:
        self._between_games()
        seat = self._seat(number)
        if seat.person is not None or seat.level is not None:
            raise Refusal("seat_taken")
        if self.state.seat_of(me.person) is not None:
            raise Refusal("seated")
        if self.settings.rated and (not me.account or me.agent):
            raise Refusal("different_seats")
        return [Sat(me.person, number)]

    def _set_ai(self, me: PersonState, number: int, level: int | None) -> list[StoredBody]:
        self._as_host(me)
        self._between_games()
        seat = self._seat(number)
        if seat.person is not None:
            raise Refusal("seat_taken")
        if self.settings.rated:
            raise Refusal("different_seats")
        return [AiSeated(number, level)]

    def _kick(self, me: PersonState, person: str) -> list[StoredBody]:
        self._as_host(me)
        self._between_games()
        if self.state.person(person) is None or person == me.person:
            raise Refusal("unknown_person")
        return self._go(person, "kicked")

    def _presence(self, person: str, connected: bool, now: int) -> list[StoredBody]:
        found = self.state.person(person)
        if found is None or connected == (found.away_until is None):
            return []
        if connected:
            return [Back(person)]
        plays = self.state.phase == "playing" and self.state.seat_of(person) is not None
        return [Away(person, now + (clock.patience(self.settings.clock) if plays else PATIENCE_BETWEEN_GAMES_MS))]

    def _as_host(self, me: PersonState) -> None:
        if self.state.host != me.person:
            raise Refusal("not_host")

    def _between_games(self) -> None:
        if self.state.phase == "playing":
            raise Refusal("playing")

    def _playing(self) -> GameState:
        game = self.state.game
        if self.state.phase != "playing" or game is None:
            raise Refusal("game_over" if self.state.phase == "finished" else "not_playing")
        return game

    def _seat(self, number: int) -> SeatState:
        if not 0 <= number < len(self.state.seats):
            raise Refusal("unknown_seat", f"seats are 0 to {len(self.state.seats) - 1}")
        return self.state.seats[number]

    def _my_seat(self, me: PersonState) -> int:
        seat = self.state.seat_of(me.person)
        if seat is None:
            raise Refusal("not_seated")
        return seat

    # ------------------------------------------------------------------ beginning

    def _start_game(self, me: PersonState, moment: Moment) -> list[StoredBody]:
        self._as_host(me)
        self._between_games()
        for seat in self.state.seats:
            person = self.state.person(seat.person)
            if person is None and seat.level is None:
                raise Refusal("not_ready", "a seat is empty")
            if person is not None and not person.ready and person is not me:
                raise Refusal("not_ready", f"{person.name} is not ready")
        return self._begin([self._player(seat) for seat in self.state.seats], moment)

    def _rematch(self, me: PersonState, moment: Moment) -> list[StoredBody]:
        game = self.state.game
        if self.state.phase != "finished" or game is None:
            raise Refusal("playing" if self.state.phase == "playing" else "not_playing")
        mine = self._my_seat(me)
        if mine in game.rematch:
            raise Refusal("offered")
        if any(seat.person is None and seat.level is None for seat in self.state.seats):
            raise Refusal("not_ready", "a seat is empty")
        bodies: list[StoredBody] = [RematchOffered(mine)]
        persons = {number for number, seat in enumerate(self.state.seats) if seat.person is not None}
        if persons <= {*game.rematch, mine}:
            players = [self._player(seat) for seat in self.state.seats]
            bodies += self._begin([players[-1], *players[:-1]], moment)
        return bodies

    def _player(self, seat: SeatState) -> Player:
        person = self.state.person(seat.person)
        if person is not None:
            return Player(person.name, person.person, None)
        return Player(f"level:{seat.level}", None, seat.level)

    def _begin(self, players: Sequence[Player], moment: Moment) -> list[StoredBody]:
        """A new game with these players, up to the first decision."""
        position = find_game(self.settings.game).start(**self.settings.options)
        seed = text = ""
        if position.game.has_chance:
            if len(moment.entropy) != SEED_BYTES:
                raise ValueError("a game with chance needs entropy")
            seed, text = moment.entropy.hex(), draws_of(position.game).commitment(moment.entropy)
        number = 1 if self.state.game is None else self.state.game.number + 1
        times = None if self.settings.clock is None else [self.settings.clock.main_ms] * len(players)
        draft = _Draft(position, moment.entropy, [], times, self.settings.rated)
        draft.bodies.append(Started(number, list(players), moment.date, self.settings.rated, text, seed))
        draft.settle()
        return draft.bodies

    def _draft(self, game: GameState) -> _Draft:
        return _Draft(self._referee().copy(), self._seed, [ply.text for ply in self._log],
                      None if game.clocks_ms is None else list(game.clocks_ms), game.rated)

    def _referee(self) -> Position:
        if self._position is None:
            raise Refusal("not_playing")
        return self._position

    # ------------------------------------------------------------------ playing

    def _move(self, game: GameState, seat: int, seen: int, text: str, now: int, moment: Moment) -> list[StoredBody]:
        if self.state.seats[seat].level is not None:
            raise Refusal("handed_over")
        if game.standing.turn != seat:
            raise Refusal("not_your_turn")
        if seen < game.turn_seq:
            raise Refusal("stale")
        credit = clock.credit(moment.lag_ms, self._banks[seat])
        return self._play(game, seat, text, now, credit)

    def _engine_move(self, command: EngineMove, now: int) -> list[StoredBody]:
        game = self._playing()
        seat = self.state.seats[command.seat]
        if (seat.level is None or seat.epoch != command.epoch or game.turn_seq != command.turn_seq
                or game.standing.turn != command.seat):
            raise Refusal("stale")
        return self._play(game, command.seat, command.move, now, 0, level=seat.level, fallback=command.fallback)

    def _play(self, game: GameState, seat: int, text: str, now: int, credit: int, *, level: int | None = None,
              fallback: bool = False) -> list[StoredBody]:
        spent = max(0, now - game.began - credit)
        timed = game.clocks_ms is not None and seat not in game.flagged
        if timed and game.clocks_ms is not None and spent >= game.clocks_ms[seat]:
            raise Refusal("flag")
        # Read with the player's own eyes: what a refusal tells must be nothing that he does not know.
        observation = self._observe(seat)
        try:
            decision = read_decision(observation, text)
        except BoyiError as error:
            raise Refusal("illegal_move", str(error)) from error
        draft = self._draft(game)
        try:
            draft.move(decision, seat, level=level, fallback=fallback, spent_ms=spent if timed else 0,
                       credit_ms=credit if timed else 0,
                       increment_ms=self.settings.clock.increment_ms if timed and self.settings.clock else 0)
        except BoyiError:
            # Should the referee know better than the player, he does not say what.
            raise Refusal("illegal_move") from None
        draft.settle()
        return draft.bodies

    def _active(self, game: GameState, *, but: int) -> list[int]:
        """The other seats that are still in the game."""
        return [number for number in range(len(self.state.seats)) if number != but and number not in game.left]

    def _offer_draw(self, game: GameState, seat: int) -> list[StoredBody]:
        if any(self.state.seats[other].person is None for other in self._active(game, but=seat)):
            raise Refusal("not_allowed", "the AI plays to the end")
        if seat in game.draw or self._offered_at.get(seat) == len(self._log):
            raise Refusal("offered")
        return self._agree_to_draw(game, seat)

    def _answer_draw(self, game: GameState, seat: int, seen: int, accept: bool) -> list[StoredBody]:
        if not game.draw or seat in game.draw:
            raise Refusal("nothing_offered")
        if seen < self._offer_seq:
            raise Refusal("stale")
        return self._agree_to_draw(game, seat) if accept else [DrawDeclined(seat)]

    def _agree_to_draw(self, game: GameState, seat: int) -> list[StoredBody]:
        bodies: list[StoredBody] = [DrawOffered(seat)]
        if set(self._active(game, but=seat)) <= set(game.draw):
            draft = self._draft(game)
            draft.end([-1.0 if one in game.left else 1.0 for one in range(len(self.state.seats))], "agreement",
                      Words("a draw by agreement", "双方同意和棋"))
            bodies += draft.bodies
        return bodies

    def _offer_takeback(self, game: GameState, seat: int) -> list[StoredBody]:
        if self.settings.rated:
            raise Refusal("not_allowed", "not in a rated game")
        if seat in game.takeback:
            raise Refusal("offered")
        self._moves_to_take_back(seat)
        return self._agree_to_takeback(game, seat, seat)

    def _answer_takeback(self, game: GameState, seat: int, seen: int, accept: bool) -> list[StoredBody]:
        if not game.takeback or seat in game.takeback:
            raise Refusal("nothing_offered")
        if seen < self._offer_seq:
            raise Refusal("stale")
        return self._agree_to_takeback(game, game.takeback[0], seat) if accept else [TakebackDeclined(seat)]

    def _agree_to_takeback(self, game: GameState, wishing: int, agreeing: int) -> list[StoredBody]:
        persons = {one for one in self._active(game, but=wishing) if self.state.seats[one].person is not None}
        bodies: list[StoredBody] = [TakebackOffered(agreeing)]
        if persons <= {*game.takeback, agreeing}:
            bodies.append(TakenBack(wishing, self._moves_to_take_back(wishing)))
        return bodies

    def _moves_to_take_back(self, seat: int) -> int:
        """How many written moves lead back to the last decision of a seat."""
        for count, ply in enumerate(reversed(self._log), 1):
            if ply.plies > 1 or ply.seat is None:
                raise Refusal("revealed")
            if ply.forfeit:
                raise Refusal("not_allowed", "somebody has left the game since")
            if ply.seat == seat and ply.shown:
                return count
        raise Refusal("nothing_to_take_back")

    def _give_up(self, seat: int, why: Any) -> list[StoredBody]:
        """A seat is given up. Where the rules know what that means the others play on."""
        draft = self._draft(self._playing())
        forfeit = draft.position.forfeit(seat)
        text = "" if forfeit is None else draft.position.format_move(forfeit)
        outcome = draft.position.resign(seat, why)
        draft.bodies.append(Resigned(seat, why, text))
        if forfeit is not None:
            draft.texts.append(text)
            draft.settle()
        elif outcome is not None:
            draft.end(outcome.scores, outcome.reason, outcome.words)
        return draft.bodies

    def _claim(self, seat: int, result: str, now: int) -> list[StoredBody]:
        game = self._playing()
        gone = [one for one in self._active(game, but=seat) if self._away_since(one, now)]
        if not gone:
            raise Refusal("not_away")
        if result == "win" or len(self._active(game, but=seat)) > 1:
            return self._give_up(gone[0], "abandoned")
        draft = self._draft(game)
        draft.end([0.0] * draft.position.players, "abandoned",
                  Words("a draw: the opponent stayed away", "对手离线，作和"))
        return draft.bodies

    def _away_since(self, number: int, now: int) -> bool:
        """Has the person of a seat been away longer than one must wait, with nobody playing for him?"""
        seat = self.state.seats[number]
        person = self.state.person(seat.person)
        return (person is not None and seat.level is None and person.away_until is not None
                and person.away_until <= now)

    # ------------------------------------------------------------------ time

    def deadline(self) -> int | None:
        """When a `Tick` will have something to do, on the room's clock."""
        return min((at for at, _ in self._due()), default=None)

    def _due(self) -> list[tuple[int, Callable[[], list[StoredBody]]]]:
        """What time will bring: when, and what then happens."""
        due: list[tuple[int, Callable[[], list[StoredBody]]]] = []
        game = self.state.game
        if self.state.phase == "closed":
            return due
        if self.state.phase != "playing" or game is None:
            for person in self.state.persons:
                if person.away_until is not None:
                    due.append((person.away_until, partial(self._go, person.person, "away")))
            if self.state.phase == "finished" and not self.state.persons:   # the AI has played to the end for nobody
                due.append((self.state.at + PATIENCE_BETWEEN_GAMES_MS, lambda: [Closed("empty")]))
            return due
        turn = game.standing.turn
        if game.clocks_ms is not None and turn is not None and turn not in game.flagged:
            # A move on its way may still be in time, when what the network took is not counted.
            grace = clock.credit(clock.MOST_CREDIT_MS, self._banks[turn]) if self.state.seats[turn].level is None else 0
            due.append((game.began + game.clocks_ms[turn] + grace, lambda: self._flag(turn)))
        absent = []
        for number, seat in enumerate(self.state.seats):
            person_here = self.state.person(seat.person)
            if person_here is None or number in game.left:
                continue
            absent.append(person_here.away_until)
            if self.settings.ai_on_disconnect and person_here.away_until is not None and seat.level is None:
                due.append((person_here.away_until, partial(self._replace, number)))
        known = [until for until in absent if until is not None]
        if absent and len(known) == len(absent) and all(
                seat.level is None for seat in self.state.seats if seat.person is not None):
            due.append((max(known) + ABANDONED_MS, self._abandon))
        return due

    def _tick(self, now: int) -> list[StoredBody]:
        ripe = sorted((at, number, act) for number, (at, act) in enumerate(self._due()) if at <= now)
        return ripe[0][2]() if ripe else []

    def _flag(self, seat: int) -> list[StoredBody]:
        if self.settings.ai_on_flag:
            held = self.state.seats[seat].level
            level = self.settings.ai_level if held is None else held
            return [Handed(seat, level, self.state.seats[seat].epoch + 1, "flag")]
        return self._give_up(seat, "time")

    def _replace(self, number: int) -> list[StoredBody]:
        return [Handed(number, self.settings.ai_level, self.state.seats[number].epoch + 1, "disconnected")]

    def _abandon(self) -> list[StoredBody]:
        draft = self._draft(self._playing())
        draft.end([0.0] * draft.position.players, "abandoned", Words("everybody has left", "所有人都已离开"))
        return draft.bodies

    # ------------------------------------------------------------------ applying

    def apply(self, event: Event) -> None:
        """Let a stored event have happened."""
        if event.seq != self.seq + 1:
            raise ValueError(f"event {event.seq} cannot follow event {self.seq}")
        body = event.body
        match body:
            case Created(password=password):
                self.password = password
            case Left(person, why):
                if why == "kicked":
                    self._banned.add(person)
            case Started(seed=seed):
                self._start = find_game(self.settings.game).start(**self.settings.options)
                self._position = self._start.copy()
                self._changed()
                self._seed = bytes.fromhex(seed)
                self._log = []
                self._banks = [clock.BANK_MS] * len(body.players)
                self._offered_at = {}
            case Moved(seat, text, plies):
                position = self._referee()
                shown = seat is not None and not body.forced
                forfeit = False
                for move in position.parse_moves(text):
                    forfeit = forfeit or position.is_forfeit(move)
                    position.play(move)
                self._changed()
                self._log.append(_Ply(seat, text, plies, shown, forfeit))
                if seat is not None and shown:
                    self._banks[seat] = clock.refill(self._banks[seat], body.credit_ms)
            case Resigned(seat, text=text) if text:
                position = self._referee()
                position.play(position.parse_move(text))
                self._changed()
                self._log.append(_Ply(seat, text, 1, shown=False, forfeit=True))
            case TakenBack(moves=moves):
                position = self._referee()
                for ply in self._log[len(self._log) - moves:]:
                    for _ in range(ply.plies):
                        position.undo()
                del self._log[len(self._log) - moves:]
                self._changed()
                self._before_seen = {}
            case DrawOffered(seat):
                self._offered_at[seat] = len(self._log)
                self._offer_seq = event.seq
            case TakebackOffered():
                self._offer_seq = event.seq
        # The game's phase must still be the old one here: what is told of its last move is told before its end.
        public = self._public(body, None)
        self._told = event.seq, public
        state.apply(self.state, event.seq, event.at, public)
        if event.cause is not None:
            self._remember(event.cause, event.seq)

    def _remember(self, cause: Cause, seq: int) -> None:
        key = cause.person, cause.client
        requests = self._requests.setdefault(key, _Requests())
        requests.last = cause.id
        requests.done[cause.id] = seq
        while len(requests.done) > REMEMBERED:
            requests.done.popitem(last=False)
        self._requests.move_to_end(key)
        own = [other for other in self._requests if other[0] == cause.person]
        if len(own) > MOST_CLIENTS:
            del self._requests[own[0]]

    # ------------------------------------------------------------------ what may be known

    def public(self, event: Event, viewer: int | None) -> messages.EventMessage:
        """What a viewer is told of the event that was applied last."""
        if event.seq != self.seq:
            raise ValueError(f"event {event.seq} is not the last one, {self.seq}")
        told = self._told[1] if viewer is None and self._told is not None else self._public(event.body, viewer)
        return messages.EventMessage(event.seq, event.at, told)

    def _public(self, body: StoredBody, viewer: int | None) -> PublicBody:
        match body:
            case Created(settings, date):
                return CreatedView(settings, date)
            case Started():
                observation = self._observe(viewer)
                times = None if self.settings.clock is None else [self.settings.clock.main_ms] * len(body.players)
                return StartedView(body.number, body.players, body.date, body.rated, body.commitment,
                                   observation.to_text(), _stones(observation), self._standing(viewer), times)
            case Moved():
                return MovedView(
                    body.seat, *_course(*self._around(len(self._log) - 1, viewer)), self._standing(viewer), body.level,
                    body.forced, body.fallback, body.spent_ms, body.credit_ms, body.clocks_ms)
            case TakenBack(seat, moves):
                return TakenBackView(seat, moves, _stones(self._observe(viewer)), self._standing(viewer))
            case Resigned(seat, why, text):
                return ResignedView(seat, why, text, self._standing(viewer))
            case _:
                # By allow-list: `StoredBody` has nothing else, and mypy knows it.
                return body

    def _observe(self, viewer: int | None) -> Position:
        """What a viewer knows of the position; not to be changed."""
        if viewer not in self._now_seen:
            self._now_seen[viewer] = self._referee().observe(viewer)
        return self._now_seen[viewer]

    def _changed(self) -> None:
        """The position is another one now."""
        self._before_seen, self._now_seen, self._standings = self._now_seen, {}, {}

    def _standing(self, viewer: int | None) -> Standing:
        if viewer not in self._standings:
            observation = self._observe(viewer)
            turn, task = self._referee().turn, observation.status()
            self._standings[viewer] = Standing(
                turn if turn >= 0 else None, observation.to_text(), None if task is None else Text(task.en, task.zh),
                observation.checked, pools_of(observation))
        return self._standings[viewer]

    def _show(self, index: int, viewer: int | None) -> messages.LastMove:
        """A written move as a viewer saw it; once the game is over, as it was."""
        before, after, decision = self._around(index, viewer)
        return messages.LastMove(*_course(before, after, decision), before.to_text(), _stones(before))

    def _around(self, index: int, viewer: int | None) -> tuple[Position, Position, int | None]:
        """What a viewer knew before a written move and after it, and what was decided."""
        position = self._referee()
        first = sum(ply.plies for ply in self._log[:index])
        moves = position.history()[first:first + self._log[index].plies]
        decision = moves[0] if self._log[index].seat is not None else None
        hidden = position.turn != OVER and self.state.phase == "playing"
        if hidden and index == len(self._log) - 1 and viewer in self._before_seen:
            return self._before_seen[viewer], self._observe(viewer), decision
        before = position.copy()
        while before.ply > first:
            before.undo()
        after = before.copy()
        for move in moves:
            after.play(move)
        if hidden:
            before, after = before.observe(viewer), after.observe(viewer)
        return before, after, decision

    def view(self, viewer: int | None) -> RoomState:
        """All that a viewer may know; not to be changed."""
        game = self.state.game
        if viewer is None or game is None or not self.has_secrets or self.state.phase != "playing":
            return self.state
        observation = self._observe(viewer)
        start = self._first().observe(viewer)
        texts = [text for text, _ in written_moves(start.copy(), observation.history())] \
            if observation.start_text == start.to_text() else []
        if len(texts) != len(self._log):
            texts = [_course(*self._around(index, viewer))[0] for index in range(len(self._log))]
        plies = [structs.replace(ply, text=text) for ply, text in zip(game.plies, texts, strict=True)]
        return structs.replace(self.state, game=structs.replace(
            game, start=start.to_text(), stones=_stones(observation), standing=self._standing(viewer), plies=plies))

    def _first(self) -> Position:
        if self._start is None:
            raise Refusal("not_playing")
        return self._start

    def last_move(self, seat: int, viewer: int | None) -> messages.LastMove | None:
        """The last move that a seat made in the present game, as the viewer may see it; None if it made none."""
        self._seat(seat)
        for index in range(len(self._log) - 1, -1, -1):
            if self._log[index].seat == seat and self._log[index].shown:
                return self._show(index, viewer)
        return None

    def history(self, viewer: int | None) -> tuple[list[Stone], list[messages.PlayedMove]]:
        """What stood where at the start of the present game, and its moves, as the viewer may see them."""
        if self._start is None:
            return [], []
        referee = self._referee()
        hidden = referee.turn != OVER and self.state.phase == "playing"
        moves = iter(referee.history())
        walk = self._first().copy()
        before = walk.observe(viewer) if hidden else walk.copy()
        first, seen = _stones(before), []
        for ply in self._log:
            chosen = [next(moves) for _ in range(ply.plies)]
            for move in chosen:
                walk.play(move)
            after = walk.observe(viewer) if hidden else walk.copy()
            seen.append(messages.PlayedMove(
                ply.seat, *_course(before, after, chosen[0] if ply.seat is not None and chosen else None)))
            before = after
        return first, seen

    def turn(self, seat: int | None) -> messages.Turn | None:
        """What the person in a seat may do now; None when it is not his to move."""
        game = self.state.game
        if (seat is None or self.state.phase != "playing" or game is None or game.standing.turn != seat
                or self.state.seats[seat].level is not None):
            return None
        observation = self._observe(seat)
        return messages.Turn(game.turn_seq, seat, [
            messages.LegalMove(observation.format_move(move), list(observation.path(move)))
            for move in observation.moves()])

    def engine_request(self) -> EngineRequest | None:
        """What the AI is to be asked now, if it is the AI's turn."""
        game = self.state.game
        if self.state.phase != "playing" or game is None or game.standing.turn is None:
            return None
        number = game.standing.turn
        seat = self.state.seats[number]
        if seat.level is None:
            return None
        remaining = None if game.clocks_ms is None or number in game.flagged else game.clocks_ms[number]
        return EngineRequest(number, seat.epoch, game.turn_seq, seat.level, self._observe(number), remaining,
                             self.settings.clock.increment_ms if self.settings.clock and remaining is not None else 0)

    def hint_request(self, person: str | None) -> EngineRequest:
        """What the AI is to be asked for somebody who wants a hint."""
        game, seat = self._playing(), self.state.seat_of(person)
        if seat is None or game.standing.turn != seat:
            raise Refusal("not_your_turn")
        if self.settings.rated:
            raise Refusal("not_allowed", "not in a rated game")
        return EngineRequest(seat, 0, game.turn_seq, HINT_LEVEL, self._observe(seat), None, 0)

    def shows(self, position: Position) -> bool:
        """Is this the position of the game that is being played, some way into it?"""
        game = self.state.game
        return (self.state.phase == "playing" and game is not None and len(game.plies) >= OPENING_PLIES
                and self.settings.game == position.game.name and game.standing.turn == position.turn
                and game.stones == _stones(position))

    def record(self, viewer: int | None = None) -> Record:
        """The present or last game as a record, as far as the viewer may know it."""
        game = self.state.game
        if game is None:
            raise Refusal("not_playing")
        over = self.state.phase != "playing"
        position = self._referee().copy() if over else self._observe(viewer)
        tags = {"Room": f"{self.state.room}/{game.number}"}
        if game.commitment:
            tags["Commitment"] = game.commitment
        if over and game.seed:
            tags["Seed"] = game.seed
        if game.assisted:
            tags["Assisted"] = " ".join(str(seat + 1) for seat in game.assisted)
        result = game.result
        return Record.from_position(
            position, players=game.names, date=game.date, event="Boyi room", tags=tags,
            result=None if result is None else result.places, reason="" if result is None else result.reason)


class _Draft:
    """Events in the making: a copy of the referee's position that is played on."""

    def __init__(self, position: Position, seed: bytes, texts: list[str], clocks_ms: list[int] | None,
                 rated: bool) -> None:
        self.position = position
        self.seed = seed
        self.texts = texts
        self.clocks_ms = clocks_ms
        self.rated = rated
        self.bodies: list[StoredBody] = []

    def move(self, decision: int, seat: int | None, *, level: int | None = None, forced: bool = False,
             fallback: bool = False, spent_ms: int = 0, credit_ms: int = 0, increment_ms: int = 0) -> None:
        """Play a decision and draw what chance adds to it."""
        position = self.position
        before = position.ply
        position.play(decision)
        drawn = self._draw()
        if self.clocks_ms is not None and seat is not None:
            gained = increment_ms if position.turn != seat else 0
            self.clocks_ms = list(self.clocks_ms)
            self.clocks_ms[seat] = max(0, self.clocks_ms[seat] - spent_ms) + gained
        moves = [decision, *drawn]
        self._add(before, moves, Moved(seat, "", len(moves), level, forced, fallback, spent_ms, credit_ms,
                                       self.clocks_ms))

    def _draw(self) -> list[int]:
        drawn = []
        while self.position.turn == CHANCE:
            drawn.append(draws_of(self.position.game).draw_move(self.position, self.seed))
            self.position.play(drawn[-1])
        return drawn

    def _add(self, before: int, moves: Sequence[int], body: Moved) -> None:
        """Note a move, in the writing of the position that it was made in."""
        walk = self.position.copy()
        while walk.ply > before:
            walk.undo()
        text = walk.format_moves(moves)
        self.bodies.append(structs.replace(body, text=text))
        self.texts.append(text)

    def settle(self) -> None:
        """What comes of itself: chance before the first decision, moves without a choice, the end."""
        position = self.position
        if position.turn == CHANCE:
            before = position.ply
            drawn = self._draw()
            self._add(before, drawn, Moved(None, "", len(drawn), clocks_ms=self.clocks_ms))
        while position.turn >= 0:
            forced = position.forced_move()
            if forced is None:
                return
            self.move(forced, position.turn, forced=True)
        outcome = position.outcome()
        if outcome is not None:
            self.end(outcome.scores, outcome.reason, outcome.words)

    def end(self, scores: Sequence[float], reason: str, words: Words) -> None:
        position = self.position
        truth = None
        if position.has_secrets:
            truth = Truth(position.start_text, list(self.texts), position.to_text(), _stones(position))
        self.bodies.append(Ended(
            list(Outcome.of(scores, reason, words).places), reason, Text(words.en, words.zh), self.rated,
            self.seed.hex() if position.game.has_chance else "", truth))


def _stones(position: Position) -> list[Stone]:
    return sorted((Stone(stone.point, stone.glyph) for stone in position.stones()), key=lambda stone: stone.point)


def pools_of(observation: Position) -> list[Covered] | None:
    """What covered pieces may be; None in games without any."""
    return [Covered(one.seat, one.glyph, one.count) for one in observation.pools()] or None


def _course(before: Position, after: Position, decision: int | None) -> tuple[str, list[str], list[Change]]:
    """A move as it looks to whoever knew `before` and knows `after`: its text, its path, what it changed."""
    known = before.history() + ([] if decision is None else [decision])
    history = after.history()
    follows = before.start_text == after.start_text and history[:len(known)] == known
    moves = ([] if decision is None else [decision]) + (history[len(known):] if follows else [])
    walk = before.copy()
    text = walk.format_moves(moves) if moves else ""
    path = [] if decision is None else list(walk.path(decision))
    changes: list[Change] = []
    if follows:
        for move in moves:
            changes += [Change(one.kind, one.point, one.glyph, one.to) for one in walk.changes(move)]
            walk.play(move)
    else:   # a viewer whose position has no history: he sees what is different
        old = {stone.point: stone.glyph for stone in before.stones()}
        new = {stone.point: stone.glyph for stone in after.stones()}
        changes += [Change("captured", point, glyph) for point, glyph in old.items() if point not in new]
        changes += [Change("revealed" if point in old else "placed", point, glyph)
                    for point, glyph in new.items() if old.get(point) != glyph]
    return text, path, changes
