"""What must be so before a command is carried out; else a refusal."""

from __future__ import annotations

from functools import lru_cache

from boyi.agents.opponents import find_opponent
from boyi.core.errors import OptionError, UnknownNameError
from boyi.games import find_game
from boyi.kit.ladder import find_ladder
from boyi.server.protocol.parts import Settings
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.state import GameState, PersonState, RoomState, SeatState


def as_host(state: RoomState, me: PersonState) -> None:
    if state.host != me.person:
        raise Refusal("not_host")


def between_games(state: RoomState) -> None:
    if state.phase == "playing":
        raise Refusal("playing")


def playing(state: RoomState) -> GameState:
    """The game that is being played."""
    if state.phase != "playing" or state.game is None:
        raise Refusal("game_over" if state.phase == "finished" else "not_playing")
    return state.game


def seat_at(state: RoomState, number: int) -> SeatState:
    if not 0 <= number < len(state.seats):
        raise Refusal("unknown_seat", f"seats are 0 to {len(state.seats) - 1}")
    return state.seats[number]


def own_seat(state: RoomState, me: PersonState) -> int:
    """The number of a person's seat."""
    seat = state.seat_of(me.person)
    if seat is None:
        raise Refusal("not_seated")
    return seat


def level(settings: Settings, number: int) -> int:
    """The number of a level in the ladder of a room's game."""
    try:
        return find_ladder(find_game(settings.game), settings.players).number(number)
    except OptionError as error:
        raise Refusal("not_allowed", str(error)) from error


def opponent(settings: Settings, name: str) -> None:
    """Is there an opponent of that name for a room's game?"""
    _check_opponent(settings.game, tuple(sorted(settings.options.items())), name)


@lru_cache(maxsize=256)
def _check_opponent(game: str, options: tuple[tuple[str, bool | int | str], ...], name: str) -> None:
    try:
        find_opponent(name, find_game(game).start(**dict(options)))
    except UnknownNameError as error:
        raise Refusal("not_allowed", str(error)) from error
