"""What players see, and what they must not see."""

from __future__ import annotations

import pickle
import random

from boyi.conformance.case import Case
from boyi.conformance.expect import ensure, same, same_snapshot, snapshot, standing
from boyi.conformance.property import asked_of_walks
from boyi.core.errors import shorten
from boyi.core.position import CHANCE, OVER
from boyi.search.playout import playout

__all__ = ["an_observer_can_play", "an_observer_learns_nothing_by_the_back_door", "an_observer_learns_what_they_see"]


@asked_of_walks()
def an_observer_can_play(case: Case, seed: int, plies: int) -> None:
    """Whoever acts knows their moves; what they see travels and is not changed by looking again."""
    position = case.walk(seed, plies)
    before = snapshot(position)
    for player in range(position.players):
        view = position.observe(player)
        same_snapshot(position, before, f"after player {player} looked")
        same(standing(view.stones()), standing(position.stones()), f"the stones as player {player} sees them")
        if not position.has_secrets:
            same_snapshot(view, before, f"as player {player} sees it")
        if position.turn == player:
            same(view.turn, player, "turn as the player to act sees it")
            same(view.moves(), position.moves(), "moves as the player to act sees them")
        same_snapshot(view.observe(player), snapshot(view), f"as player {player} sees it looking again")
        same_snapshot(pickle.loads(pickle.dumps(view)), snapshot(view), f"as player {player} sees it, after pickling")
        playout(view, seed, 20)
        same_snapshot(position, before, f"after player {player} played on in their own view")


MOST_OBSERVED = 60
"""In plies: to follow what everyone knows takes long."""


@asked_of_walks()
def an_observer_learns_what_they_see(case: Case, seed: int, plies: int) -> None:
    """What a player knows after a move is what they knew before it, and the move.

    They make every player's move in their own position too, and arrive where `observe` arrives. What chance brings they
    either see, and play it too, or they do not, and know what they knew. Where their own position awaits chance after a
    player's move, the truth may tell them the result at once. When all is over, all may be told.
    """
    position = case.start()
    rng = random.Random(seed)
    views = [position.observe(player) for player in range(position.players)]
    for _ in range(min(plies, MOST_OBSERVED)):
        move = rng.choice(position.moves())
        by_chance = position.turn == CHANCE
        position.play(move)
        if position.turn == OVER:
            break
        for player in range(position.players):
            known, view = views[player], position.observe(player)
            views[player] = view
            possible = {known.to_text()} if by_chance else set()
            if known.is_legal(move) and (known.turn == CHANCE) == by_chance:
                known.play(move)
                possible.add(known.to_text())
                for result in known.moves() if known.turn == CHANCE and not by_chance else ():
                    known.play(result)
                    possible.add(known.to_text())
                    known.undo()
            ensure(view.to_text() in possible, f"player {player} sees {view.to_text()} after move {position.ply} and "
                                               f"can only know {shorten(sorted(possible), 300)}")


@asked_of_walks()
def an_observer_learns_nothing_by_the_back_door(case: Case, seed: int, plies: int) -> None:
    """Who cannot see a difference in the text cannot see it anywhere.

    Chance decides in two ways. Both games then go on with the same moves, as long as the rules allow it and the
    observer sees no difference.
    """
    position = case.walk(seed, plies)
    if not position.has_secrets:
        return
    rng = random.Random(seed)
    while position.turn not in (CHANCE, OVER):
        position.play(rng.choice(position.moves()))
    if position.turn == OVER or len(position.moves()) < 2:
        return
    one, other = position.copy(), position.copy()
    for game, move in zip((one, other), rng.sample(position.moves(), 2), strict=True):
        game.play(move)
    more = rng.randint(0, 20)
    for player in range(position.players):
        one_copy, other_copy = one.copy(), other.copy()
        for _ in range(more + 1):
            view, lookalike = one_copy.observe(player), other_copy.observe(player)
            if view.to_text() != lookalike.to_text():
                break
            same_snapshot(view, snapshot(lookalike), f"as player {player} sees what differs only in secret")
            ensure(pickle.dumps(view) == pickle.dumps(lookalike), f"player {player} tells two secrets apart by pickle")
            same(str(view.board), str(lookalike.board), f"the board as player {player} sees it")
            common = [move for move in one_copy.moves() if other_copy.is_legal(move)]
            if not common or one_copy.turn != other_copy.turn:
                break
            move = rng.choice(common)
            if one_copy.format_move(move) != other_copy.format_move(move):
                break
            one_copy.play(move)
            other_copy.play(move)
