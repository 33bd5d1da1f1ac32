"""How each event changes what is known of a room."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from boyi.core.board import Change, Stone
from boyi.server.protocol.events import (
    AiSeated,
    Away,
    Back,
    Closed,
    DrawDeclined,
    DrawOffered,
    Ended,
    Forfeited,
    Handed,
    HostChanged,
    Joined,
    Left,
    Muted,
    Paused,
    Readied,
    RematchOffered,
    Said,
    Sat,
    Stalled,
    Stood,
    TakebackDeclined,
    TakebackOffered,
)
from boyi.server.protocol.parts import Standing
from boyi.server.protocol.state import GameState, Line, PersonState, PlyState, Result, RoomState, SeatState
from boyi.server.protocol.views import (
    CreatedView,
    MovedView,
    PublicBody,
    ResignedView,
    StartedView,
    TakenBackView,
)

CHAT_LINES = 50
"""How many of the last lines of chat a newcomer is told."""


def apply(state: RoomState, seq: int, at: int, body: PublicBody) -> None:
    """Change a room's state by an event."""
    state.seq, state.at = seq, at
    game = state.game
    match body:
        case CreatedView(settings, date):
            state.settings, state.date = settings, date
            state.seats = [SeatState() for _ in range(settings.players)]
        case Joined(person, name, account, agent):
            state.persons.append(PersonState(person, name, account, agent))
            state.host = state.host or person
        case Left(person):
            state.persons = [one for one in state.persons if one.person != person]
            for seat in state.seats:
                if seat.person == person:
                    seat.person, seat.level, seat.epoch = None, None, seat.epoch + 1
            if state.host == person:
                state.host = None
        case HostChanged(person):
            state.host = person
        case Sat(person, number):
            state.seats[number].person = person
        case Stood(person, number):
            state.seats[number].person = None
            _set_ready(state, person, False)
        case AiSeated(number, level, seconds, opponent):
            seat = state.seats[number]
            seat.level, seat.seconds, seat.opponent, seat.epoch = level, seconds, opponent, seat.epoch + 1
        case Readied(person, ready):
            _set_ready(state, person, ready)
        case Away(person, until):
            _set_away(state, person, until)
        case Back(person):
            _set_away(state, person, None)
        case Said(person, text):
            speaker = state.person(person)
            state.chat = [*state.chat, Line(at, person, speaker.name if speaker else "", text)][-CHAT_LINES:]
        case Muted(person, muted):
            state.muted = [*(one for one in state.muted if one != person), *([person] if muted else [])]
        case Closed():
            state.phase = "closed"
        case Paused():
            if game is not None and game.clocks_ms is not None and state.phase == "playing":
                turn = game.standing.turn
                if turn is not None and turn not in game.flagged:
                    game.clocks_ms[turn] = max(0, game.clocks_ms[turn] - (at - game.began))
                game.began = at
        case Stalled():
            pass   # no clock went on meanwhile
        case StartedView():
            _start(state, seq, at, body)
        case _ if game is not None:
            _apply_to_game(state, game, seq, at, body)


def _start(state: RoomState, seq: int, at: int, body: StartedView) -> None:
    state.phase = "playing"
    for seat, player in zip(state.seats, body.players, strict=True):
        seat.person, seat.level, seat.epoch = player.person, player.level, seat.epoch + 1
        seat.seconds, seat.opponent = player.seconds, player.opponent
    for person in state.persons:
        person.ready = False
    state.game = GameState(
        number=body.number, names=[player.name for player in body.players], date=body.date, rated=body.rated,
        commitment=body.commitment, start=body.start, stones=list(body.stones), standing=body.standing, began=at,
        turn_seq=seq, clocks_ms=None if body.clocks_ms is None else list(body.clocks_ms))


def _apply_to_game(state: RoomState, game: GameState, seq: int, at: int, body: PublicBody) -> None:
    match body:
        case MovedView(seat=seat):
            game.plies.append(PlyState(seat, body.text, body.level, body.forced, body.fallback, body.spent_ms))
            game.stones = changed(game.stones, body.changes)
            _begin_turn(game, seq, at, body.standing)
            game.clocks_ms = None if body.clocks_ms is None else list(body.clocks_ms)
            game.takeback = []
            game.draw = [one for one in game.draw if one == seat]
        case TakenBackView(moves=count):
            del game.plies[len(game.plies) - count:]
            game.stones = list(body.stones)
            if game.clocks_ms is not None and game.standing.turn is not None:
                turn = game.standing.turn
                game.clocks_ms[turn] = max(0, game.clocks_ms[turn] - (at - game.began))
            _begin_turn(game, seq, at, body.standing)
            game.takeback = []
            game.draw = []
        case ResignedView(seat, text=text):
            if text:
                game.plies.append(PlyState(seat, text))
                game.left.append(seat)
                if game.standing.turn == seat:
                    _begin_turn(game, seq, at, body.standing)
                game.standing = body.standing
                game.takeback = []
                game.draw = []
        case Handed(number, level, epoch, why, seconds, opponent):
            handed = state.seats[number]
            handed.level, handed.epoch, handed.seconds, handed.opponent = level, epoch, seconds, opponent
            if level is not None:
                game.rated = False
                if number not in game.assisted:
                    game.assisted.append(number)
                if why == "flag":
                    game.flagged.append(number)
                    if game.clocks_ms is not None:
                        game.clocks_ms[number] = 0
        case Forfeited(places=places, reason=reason, words=words):
            game.rated = False
            game.forfeit = Result(list(places), reason, words, True)
        case DrawOffered(seat):
            game.draw.append(seat)
        case DrawDeclined():
            game.draw = []
        case TakebackOffered(seat):
            game.takeback.append(seat)
        case TakebackDeclined():
            game.takeback = []
        case RematchOffered(seat):
            game.rematch.append(seat)
        case Ended(places, reason, words, rated, seed, truth):
            state.phase = "finished"
            game.result = Result(list(places), reason, words, rated)
            game.seed = seed
            game.draw, game.takeback = [], []
            game.standing = Standing(None, game.standing.position, tokens=game.standing.tokens)
            if truth is not None:
                game.start, game.stones = truth.start, list(truth.stones)
                game.standing = Standing(None, truth.position, tokens=truth.tokens)
                for ply, text in zip(game.plies, truth.moves, strict=True):
                    ply.text = text
            for seat_state in state.seats:
                # The AI plays for no person any more.
                if seat_state.person is not None and seat_state.level is not None:
                    seat_state.level, seat_state.epoch = None, seat_state.epoch + 1


def _begin_turn(game: GameState, seq: int, at: int, standing: Standing) -> None:
    game.standing, game.began, game.turn_seq = standing, at, seq


def _set_ready(state: RoomState, identity: str, ready: bool) -> None:
    person = state.person(identity)
    if person is not None:
        person.ready = ready


def _set_away(state: RoomState, identity: str, until: int | None) -> None:
    person = state.person(identity)
    if person is not None:
        person.away_until = until


def changed(stones: Sequence[Stone], changes: Iterable[Change]) -> list[Stone]:
    """The stones after a move: its changes, done in their order (see `boyi.core.board.Change`)."""
    after = list(stones)   # in the order of their points, and a move touches only a few of them
    for change in changes:
        if change.kind in ("captured", "moved"):
            _put(after, change.point, None)
        if change.kind == "moved" and change.to is not None:
            _put(after, change.to, change.glyph)
        elif change.kind != "captured":
            _put(after, change.point, change.glyph)
    return after


def _put(stones: list[Stone], point: str, glyph: str | None) -> None:
    """Put a stone on a point, or clear it."""
    at = bisect_left(stones, point, key=_point)
    there = slice(at, at + (at < len(stones) and stones[at].point == point))
    stones[there] = [] if glyph is None else [Stone(point, glyph)]


def _point(stone: Stone) -> str:
    return stone.point
