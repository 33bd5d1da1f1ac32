"""What everything that is built on games needs of them: pictures, networks, opponents, rooms."""

from __future__ import annotations

import math
import random
from xml.etree import ElementTree

from boyi.agents import Clock, make_agent, read_spec
from boyi.conformance.case import Case
from boyi.conformance.expect import ensure, same, same_snapshot, snapshot
from boyi.conformance.facts import said
from boyi.conformance.property import asked_of_walks
from boyi.conformance.room import PlayedRoom
from boyi.core.draws import draws_of
from boyi.core.errors import BoyiError
from boyi.core.position import CHANCE, OVER, Position
from boyi.games import find_game
from boyi.kit.ladder import find_ladder
from boyi.kit.picture import svg, text

__all__ = ["a_room_is_played_to_its_end", "levels_have_a_search_that_suits", "networks_see_a_position",
           "pictures_are_drawn"]


@asked_of_walks(6)
def pictures_are_drawn(case: Case, seed: int, plies: int) -> None:
    """A position is drawn from every seat, as text and as SVG, and says in both languages what is to be done."""
    position = case.walk(seed, plies)
    before = snapshot(position)
    for seat in range(position.players):
        for pieces in ("characters", "letters"):
            ElementTree.fromstring(svg.draw(position, seat=seat, pieces=pieces))
            ensure(text.draw(position, seat=seat, pieces=pieces).strip(), f"seat {seat} sees nothing")
        ensure(text.draw(position, seat=seat, ascii_only=True).isascii(), f"seat {seat} sees more than ASCII")
    for words, what in ((position.status(), "the status"), (position.stage(), "the stage")):
        if words is not None:
            said(words, what)
    same_snapshot(position, before, "after it was drawn")


def _to_a_player(position: Position, seed: int) -> bool:
    """Let chance act until a player does; False when the game is over."""
    rng = random.Random(seed)
    while position.turn == CHANCE:
        position.play(rng.choice(position.moves()))
    return position.turn != OVER


@asked_of_walks(10)
def networks_see_a_position(case: Case, seed: int, plies: int) -> None:
    """The encoder gives every position its features, and every move an index, by what the player to act knows."""
    position = case.walk(seed, plies)
    if not _to_a_player(position, seed):
        return
    encoder = case.game.make_encoder(position.options)
    same(encoder.size, encoder.planes * encoder.points + encoder.scalars, "the size of the encoder")
    same(encoder.players, position.players, "the players of the encoder")
    encoder.check(position)
    before = snapshot(position)
    features, moves = encoder.features(position), position.moves()
    same(len(features), encoder.size, "the number of features")
    ensure(all(math.isfinite(feature) for feature in features), "a feature is not a finite number")
    same(encoder.features(position.copy()), features, "the features of a copy")
    same(encoder.features(position.observe(position.turn)), features, "the features of what the player to act knows")
    indices = [encoder.policy_index(position, move) for move in moves]
    ensure(all(0 <= index < encoder.policy_size for index in indices),
           f"an index is not from 0 to {encoder.policy_size - 1}: {indices}")
    if case.game.encoder is not None:      # what is derived from the board may mean several moves by one index
        ensure(len(set(indices)) == len(indices), "two moves have one index")
    for symmetry in encoder.symmetries():
        ensure(sorted(symmetry.features) == list(range(encoder.size))
               and sorted(symmetry.policy) == list(range(encoder.policy_size)), "a symmetry is not a permutation")
    same_snapshot(position, before, "after it was encoded")


@asked_of_walks(3)
def levels_have_a_search_that_suits(case: Case, seed: int, plies: int) -> None:
    """Every level has a search that suits the game, and the first plays a legal move."""
    position = case.walk(seed, plies)
    if not _to_a_player(position, seed):
        return
    for level in range(1, len(find_ladder(case.game, position.players)) + 1):
        read_spec(f"level:{level}").check(position)
    move = make_agent("level:1,seed=1").choose(position.observe(position.turn), Clock())
    ensure(position.is_legal(move), f"level:1 plays {move}, which is not legal")


def _not_found(case: Case) -> str:
    """Rooms find a game by its name."""
    try:
        found = find_game(case.game.name)
    except BoyiError:
        found = None
    return "" if found is case.game else "the game is not found by its name: put its folder into BOYI_GAMES"


@asked_of_walks(2, skips=_not_found)
def a_room_is_played_to_its_end(case: Case, seed: int, plies: int) -> None:
    """A room is played to its end: everyone is told the same, and what is stored gives the same room again."""
    room = PlayedRoom(case, seed)
    room.play_out()
    room.comes_back_from_its_events()
    record, result = room.record(), room.result
    position = record.replay()
    outcome = position.outcome()
    if outcome is not None:
        same(list(outcome.places), result.places, "the places in the room")
    if case.game.has_chance:
        draws_of(case.game).verify(position, bytes.fromhex(record.tags["Seed"]), record.tags["Commitment"])
