"""What is made and taken back, copied, sent and written down."""

from __future__ import annotations

import pickle
import random
from typing import Any

from boyi.conformance.case import Case
from boyi.conformance.expect import ensure, refused, same, same_snapshot, snapshot, standing
from boyi.conformance.property import asked_of_walks
from boyi.core.errors import IllegalMoveError
from boyi.core.position import CHANCE, OVER
from boyi.core.record import Record
from boyi.search.playout import playout

__all__ = [
    "a_null_move_leaves_no_trace", "copies_are_independent", "different_positions_have_different_keys",
    "games_are_written_down", "positions_travel", "text_comes_back", "the_key_is_kept_up_to_date",
    "undo_leaves_no_trace",
]


@asked_of_walks()
def undo_leaves_no_trace(case: Case, seed: int, plies: int) -> None:
    """Undo leaves no trace."""
    position = case.walk(seed, plies)
    rng = random.Random(seed + 1)
    seen: list[tuple[int, dict[str, Any]]] = []
    for _ in range(rng.randint(1, 12)):
        if position.turn == OVER:
            break
        move = rng.choice(position.moves())
        seen.append((move, snapshot(position)))
        position.play(move)
        same(position.history(), [*seen[-1][1]["history"], move], "history after a move")
        same(position.ply, seen[-1][1]["ply"] + 1, "ply after a move")
    for move, before in reversed(seen):
        same(position.undo(), move, "undo returns")
        same_snapshot(position, before, "after a move was taken back")
    while position.ply:
        position.undo()
    same_snapshot(position, snapshot(case.start()), "after all moves were taken back")
    refused(IllegalMoveError, "to take back a move where none was made", position.undo)


@asked_of_walks()
def a_null_move_leaves_no_trace(case: Case, seed: int, plies: int) -> None:
    """A null move passes the turn and leaves no trace, among other moves too."""
    position = case.walk(seed, plies)
    rng = random.Random(seed + 1)
    seen: list[dict[str, Any]] = []
    for step in range(rng.randint(1, 9)):
        before = snapshot(position)
        if step == 0 or rng.random() < 0.3:
            if not position.play_null():
                same_snapshot(position, before, "after a null move that was not made")
                continue
            ensure(before["turn"] not in (CHANCE, OVER), "a null move where no player acts")
            ensure(position.turn != before["turn"], "a null move does not pass the turn")
            same(position.stones(), before["stones"], "stones after a null move")
            same(position.repeat_result, "fresh", "repeat_result after a null move")
        elif before["moves"]:
            position.play(rng.choice(before["moves"]))
        else:
            break
        same(position.ply, before["ply"] + 1, "ply after a move")
        same(len(position.history()), position.ply, "the length of the history")
        same(position.fingerprint, position.recomputed_fingerprint(), "fingerprint")
        seen.append(before)
    there, copy = snapshot(position), position.copy()
    for before in reversed(seen):
        position.undo()
        same_snapshot(position, before, "after a move or null move was taken back")
    same_snapshot(copy, there, "in a copy with null moves on its history")


@asked_of_walks()
def the_key_is_kept_up_to_date(case: Case, seed: int, plies: int) -> None:
    """The key is what it would be if it were computed anew."""
    position = case.start()
    rng = random.Random(seed)
    keys = [position.fingerprint]
    for _ in range(plies):
        moves = position.moves()
        if not moves:
            break
        position.play(rng.choice(moves))
        same(position.fingerprint, position.recomputed_fingerprint(), f"fingerprint after {position.ply} moves")
        ensure(0 <= position.symmetric_fingerprint < 1 << 64, "symmetric_fingerprint is not a number of 64 bits")
        if position.image_count == 1:
            same(position.symmetric_fingerprint, position.fingerprint, "symmetric_fingerprint without images")
        keys.append(position.fingerprint)
    while position.ply:
        same(position.fingerprint, keys.pop(), f"fingerprint back at {position.ply} moves")
        position.undo()


@asked_of_walks()
def different_positions_have_different_keys(case: Case, seed: int, plies: int) -> None:
    """Where the board or the turn differs, the key does."""
    position = case.walk(seed, plies)
    seen = {position.fingerprint: (position.turn, standing(position.stones()))}
    for move in position.moves():
        position.play(move)
        if position.turn != OVER:      # what is over needs no key: it may be so by its history
            looks = position.turn, standing(position.stones())
            same(looks, seen.setdefault(position.fingerprint, looks), "with one key, turn and stones are")
        position.undo()


@asked_of_walks()
def text_comes_back(case: Case, seed: int, plies: int) -> None:
    """The text of a position is read back as the same position."""
    position = case.walk(seed, plies)
    text = position.to_text()
    again = case.parse(text)
    same(again.to_text(), text, "the text of what was read")
    same(again.start_text, text, "start_text of what was read")
    same(again.history(), [], "history of what was read")
    same(again.fingerprint, position.fingerprint, "fingerprint of what was read")
    same(again.recomputed_fingerprint(), position.fingerprint, "recomputed_fingerprint of what was read")
    same(standing(again.stones()), standing(position.stones()), "stones of what was read")
    if position.turn != OVER:      # it may be over by its history (a repetition), which no text tells
        same(again.turn, position.turn, "turn of what was read")
        same(again.moves(), position.moves(), "moves of what was read")
        same(again.odds(), position.odds(), "odds of what was read")


@asked_of_walks()
def copies_are_independent(case: Case, seed: int, plies: int) -> None:
    """A copy and what it was copied from do not disturb each other."""
    position = case.walk(seed, plies)
    before = snapshot(position)
    copy = position.copy()
    ensure(type(copy) is type(position), f"a copy is a {type(copy).__name__}")
    same_snapshot(copy, before, "in a copy")
    playout(copy, seed, 20)
    same_snapshot(position, before, "after moves of a copy")
    while copy.ply:
        copy.undo()
    same(copy.to_text(), copy.start_text, "the start of a copy")
    same_snapshot(position, before, "after a copy took its moves back")
    copy = position.copy()
    playout(position, seed, 20)
    same_snapshot(copy, before, "in a copy, after moves of what it was copied from")
    del position
    same_snapshot(copy, before, "in a copy, after what it was copied from is gone")


@asked_of_walks(10)
def positions_travel(case: Case, seed: int, plies: int) -> None:
    """A position travels to another process (pickle)."""
    position = case.walk(seed, plies)
    same_snapshot(pickle.loads(pickle.dumps(position)), snapshot(position), "after pickling")


@asked_of_walks(10)
def games_are_written_down(case: Case, seed: int, plies: int) -> None:
    """A record, read back, replays to the same position, whatever chance added to the moves."""
    position = case.walk(seed, plies)
    text = Record.from_position(position).to_text()
    same_snapshot(Record.parse(text, lambda name: case.game).replay(), snapshot(position), "replayed from its record")
