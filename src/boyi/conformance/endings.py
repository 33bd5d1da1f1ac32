"""How games end: by their rules, or because a player gives up."""

from __future__ import annotations

import pickle
import random
import re

from boyi.conformance.case import Case
from boyi.conformance.expect import ConformanceError, ensure, refused, same, same_snapshot, snapshot, standing
from boyi.conformance.facts import said
from boyi.conformance.moves import applied
from boyi.conformance.property import asked_of_a_game, asked_of_walks
from boyi.core.errors import BoyiError, IllegalMoveError
from boyi.core.outcome import Outcome
from boyi.core.position import OVER, Position
from boyi.core.record import Record
from boyi.search.playout import playout, playouts

__all__ = ["a_random_game_ends", "players_can_give_up", "playouts_come_back", "settled_scores_stay"]

LONGEST_GAME = 50_000
"""In plies: no random game may go on longer than this."""


def _finish(position: Position, seed: int) -> Outcome:
    """Play on with random moves to the end."""
    playout(position, seed, LONGEST_GAME)
    outcome = position.outcome()
    if outcome is None:
        raise ConformanceError(f"a random game does not end within {LONGEST_GAME} moves")
    return outcome


@asked_of_walks(10)
def a_random_game_ends(case: Case, seed: int, plies: int) -> None:
    """A random game ends, with a score per player from -1 to 1 and a reason, and then nothing can be played."""
    position = case.walk(seed, plies)
    outcome = _finish(position, seed)
    same(position.turn, OVER, "turn in the end")
    same(position.moves(), [], "moves in the end")
    same(position.odds(), [], "odds in the end")
    ensure(len(outcome.scores) == position.players and all(-1 <= score <= 1 for score in outcome.scores),
           f"the scores are {outcome.scores}: one per player, from -1 to 1")
    ensure(re.fullmatch(r"[a-z][a-z0-9_]*", outcome.reason), f"the reason {outcome.reason!r} is no name in snake_case")
    said(outcome.words, "the reason")
    for words in position.explain():
        said(words, "an explanation")
    before = snapshot(position)
    for nonsense in (0, 1, position.history()[-1], "nonsense"):
        refused(BoyiError, f"{nonsense!r} after the end", position.play, nonsense)
    same_snapshot(position, before, "after moves that were refused")


@asked_of_a_game()
def playouts_come_back(case: Case) -> None:
    """Random games are played from a position and back, the same for the same seed."""
    position = case.start()
    before = snapshot(position)
    made, sums = playouts(position, 20, 3)
    same_snapshot(position, before, "after random games")
    ensure(made >= 20 and len(sums) == position.players, f"20 random games are {made} moves and the scores {sums}")
    same(playouts(position, 20, 3), (made, sums), "with the same seed, moves and scores are")
    if _has_choices(case):
        ensure(any(playouts(position, 20, seed) != (made, sums) for seed in range(4, 14)),
               "with other seeds the random games are the same")


def _has_choices(case: Case) -> bool:
    return any(len(case.walk(seed, plies).moves()) > 1 for seed in range(3) for plies in range(4))


@asked_of_walks(10)
def settled_scores_stay(case: Case, seed: int, plies: int) -> None:
    """Who is finished or gone while others play on has the score in the end that they have now."""
    position = case.walk(seed, plies)
    settled = [position.settled_score(player) for player in range(position.players)]
    final = _finish(position, seed).scores
    for player, (score, scored) in enumerate(zip(settled, final, strict=True)):
        ensure(score in (None, scored), f"player {player} has settled for {score} and ends with {scored}")


@asked_of_walks()
def players_can_give_up(case: Case, seed: int, plies: int) -> None:
    """Every player who is still in the game may resign at any time, and nobody else ever."""
    position = case.walk(seed, plies)
    before = snapshot(position)
    ensure(not any(position.is_forfeit(move) for move in before["moves"]), "a forfeit is among the moves")
    for nobody in (-1, position.players):
        ensure(not position.may_resign(nobody), f"player {nobody} may resign")
    for player in range(position.players):
        if not position.may_resign(player):
            refused(IllegalMoveError, f"the resignation of player {player}", position.resign, player)
        elif position.forfeit(player) is None:
            outcome = position.resign(player, "time")
            ensure(outcome is not None and outcome.reason == "time"
                   and outcome.results == tuple(-1 if seat == player else 1 for seat in range(position.players))
                   and str(position.board.seat_names[player]) in str(outcome.words),
                   f"player {player} resigns, and the outcome is {outcome}")
        else:
            _forfeit_is_a_move(position, player, random.Random(seed))
        same_snapshot(position, before, f"after player {player} gave up")
    if before["turn"] >= 0:
        ensure(position.may_resign(before["turn"]), "who acts may not resign")
    if before["turn"] == OVER:
        ensure(not any(map(position.may_resign, range(position.players))), "a player may resign after the end")


def _forfeit_is_a_move(position: Position, player: int, rng: random.Random) -> None:
    """Unlisted, but named, drawn, played, undone, sent and recorded like any other."""
    before = snapshot(position)
    move = position.forfeit(player)
    if move is None or not position.is_forfeit(move) or position.is_legal(move):
        raise ConformanceError(f"forfeit({player}), {move}, is not a forfeit, or is among the moves")
    text = position.format_move(move)
    same(position.parse_move(text), move, f"parse_move({text!r})")
    same(position.parse_moves(text), (move,), f"parse_moves({text!r})")
    same(position.game.read_move(position, text), (move,), f"read_move({text!r})")
    same(position.path(move), (), f"the path of {text}")
    changes = position.changes(move)
    same(position.resign(player), position.outcome(), f"resign({player}) returns")
    after = snapshot(position)
    same(after["history"], [*before["history"], move], "history after a forfeit")
    ensure(after["turn"] != player, f"player {player} has left and is to act")
    same(standing(after["stones"]), applied(standing(before["stones"]), changes), f"the stones after {text} are")
    same(after["fingerprint"], after["recomputed_fingerprint"], "fingerprint after a forfeit")
    ensure(after["fingerprint"] != before["fingerprint"], "a forfeit does not change the key")
    ensure(not position.may_resign(player), f"player {player} has left and may resign again")
    for again in (move, text):
        refused(BoyiError, f"a second {text}", position.play, again)
    same_snapshot(position, after, "after a second forfeit was refused")
    same_snapshot(pickle.loads(pickle.dumps(position)), after, "after pickling")
    same_snapshot(Record.from_position(position).replay(), after, "replayed from its record")
    ensure(position.has_secrets or position.observe(None).to_text() == after["to_text"], "a spectator sees no forfeit")
    ensure(_finish(position, rng.randrange(1000)).places[player] != 1, f"player {player} has left and comes first")
    while position.ply > before["ply"] + 1:
        position.undo()
    same(position.undo(), move, "undo returns")
    for again in (move, text):
        position.play(again)
        same_snapshot(position, after, "after a forfeit was played again")
        same(position.undo(), move, "undo returns")
