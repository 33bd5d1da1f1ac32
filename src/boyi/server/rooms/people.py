"""Who comes, sits and goes."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, Literal

from boyi.games import find_game
from boyi.server.protocol.events import (
    AiSeated,
    Away,
    Back,
    Closed,
    Created,
    Ended,
    HostChanged,
    Joined,
    Left,
    Muted,
    Readied,
    Said,
    Sat,
    Stood,
)
from boyi.server.protocol.messages import SetAi
from boyi.server.protocol.parts import Settings
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.state import PersonState
from boyi.server.rooms import clock, guards, resigning
from boyi.server.rooms.commands import Identity, Step

if TYPE_CHECKING:
    from boyi.server.rooms.room import Room

MOST_PERSONS = 64
"""In one room, besides those who only watch."""


def create(room: Room, settings: Settings, password: str, date: str) -> list[Step]:
    if room.seq:
        raise Refusal("joined")
    start = find_game(settings.game).start(**settings.options)
    if start.players != settings.players or dict(start.options) != settings.options:
        raise ValueError("settings of a room must be complete")
    return [Created(settings, date, password)]


def join(room: Room, by: Identity, agent: str) -> list[Step]:
    if room.state.person(by.person) is not None:
        raise Refusal("joined")
    if by.person in room.banned:
        raise Refusal("banned")
    if len(room.state.persons) >= MOST_PERSONS:
        raise Refusal("full")
    return [Joined(by.person, by.name, by.account, agent)]


def leave(room: Room, me: PersonState) -> list[Step]:
    """Leave the room; a game that is being played is resigned first."""
    seat = room.state.seat_of(me.person)
    steps: list[Step] = []
    if room.state.phase == "playing" and seat is not None and room.refereed.position.may_resign(seat):
        steps = resigning.give_up(room, seat, "resignation")
    ended = any(isinstance(step, Ended) for step in steps)
    return [*steps, *remove(room, me.person, "left", ended=ended)]


def kick(room: Room, me: PersonState, person: str) -> list[Step]:
    guards.as_host(room.state, me)
    if room.state.person(person) is None or person == me.person:
        raise Refusal("unknown_person")
    game, seat = room.state.game, room.state.seat_of(person)
    if seat is not None and not (game is not None and seat in game.left):
        guards.between_games(room.state)
    return remove(room, person, "kicked")


def mute(room: Room, me: PersonState, person: str, muted: bool) -> list[Step]:
    guards.as_host(room.state, me)
    if room.state.person(person) is None or (person == me.person and muted):
        raise Refusal("unknown_person")
    return [] if (person in room.state.muted) == muted else [Muted(person, muted)]


def chat(room: Room, me: PersonState, text: str) -> list[Step]:
    if me.person in room.state.muted:
        raise Refusal("muted")
    return [Said(me.person, text)]


def remove(room: Room, person: str, why: Literal["left", "kicked", "away"], *, ended: bool = False) -> list[Step]:
    """A person goes, and another one may become the host; a room without persons closes when no game is played."""
    steps: list[Step] = [Left(person, why)]
    others = [one for one in room.state.persons if one.person != person]
    if not others:
        return steps if room.state.phase == "playing" and not ended else [*steps, Closed("empty")]
    if room.state.host == person:
        here = [one for one in others if one.away_until is None] or others
        steps.append(HostChanged(here[0].person))
    return steps


def sit(room: Room, me: PersonState, number: int) -> list[Step]:
    guards.between_games(room.state)
    seat = guards.seat_at(room.state, number)
    if seat.person is not None or seat.level is not None:
        raise Refusal("seat_taken")
    if room.state.seat_of(me.person) is not None:
        raise Refusal("seated")
    if room.settings.rated and (not me.account or me.agent):
        raise Refusal("different_seats")
    return [Sat(me.person, number)]


def stand(room: Room, me: PersonState) -> list[Step]:
    guards.between_games(room.state)
    return [Stood(me.person, guards.own_seat(room.state, me))]


def be_ready(room: Room, me: PersonState, ready: bool) -> list[Step]:
    guards.between_games(room.state)
    guards.own_seat(room.state, me)
    return [Readied(me.person, ready)]


def seat_ai(room: Room, me: PersonState, wish: SetAi) -> list[Step]:
    guards.as_host(room.state, me)
    guards.between_games(room.state)
    seat = guards.seat_at(room.state, wish.seat)
    if seat.person is not None:
        raise Refusal("seat_taken")
    if room.settings.rated:
        raise Refusal("different_seats")
    if wish.level is None:
        return [AiSeated(wish.seat, None)]
    if wish.opponent:
        guards.opponent(room.settings, wish.opponent)
    return [AiSeated(wish.seat, guards.level(room.settings, wish.level), wish.seconds, wish.opponent)]


def close(room: Room, me: PersonState) -> list[Step]:
    guards.as_host(room.state, me)
    guards.between_games(room.state)
    return [Closed("closed")]


def presence(room: Room, person: str, now: int, connected: Set[str]) -> list[Step]:
    """A person's connection came or went."""
    found = room.state.person(person)
    is_here = person in connected
    if found is None or is_here == (found.away_until is None):
        return []
    if is_here:
        return [Back(person)]
    plays = room.state.phase == "playing" and room.state.seat_of(person) is not None
    timeout = clock.reconnect_timeout(room.settings.clock) if plays else clock.TIMEOUT_BETWEEN_GAMES_MS
    return [Away(person, now + timeout)]
