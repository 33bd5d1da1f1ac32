"""Gather statistics of Othello's abstract states from games (see `boyi.games.othello.abstract`).

    boyi learn abstract FILE

A position counts where the record has a value for it, that of the chosen move, and a result for the player to act.
"""

from __future__ import annotations

from boyi.core.errors import RecordError
from boyi.core.record import Record
from boyi.core.written import play_written
from boyi.games.othello import GAME
from boyi.games.othello.abstract import abstract_state
from boyi.games.othello.states import HIGHEST_VALUE, StateRecord, Statistics


def gather(statistics: Statistics, record: Record) -> Statistics:
    """With the positions of one game more."""
    if record.game.name != GAME.name:
        raise RecordError(f"abstract states are of Othello, and this is a record of {record.game.name}")
    if record.result is None:
        raise RecordError("a game without a result tells nothing about chances to win")
    records = dict(statistics.records)
    position = record.begin()
    for number, entry in enumerate(record.entries, 1):
        if entry.evaluation is not None:
            player = position.turn
            value = round(100 * entry.evaluation)
            value = max(-HIGHEST_VALUE, min(HIGHEST_VALUE, value))      # a proven win is worth no more than all discs
            state = abstract_state(position)
            places = record.result
            records[state] = records.get(state, StateRecord()).seen(value, places[1 - player] - places[player])
        play_written(position, entry.text, number)
    return Statistics(records, statistics.made)
