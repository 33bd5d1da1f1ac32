"""Positions to search: from games of an agent against itself, and from random games."""

from __future__ import annotations

import random
from collections.abc import Sequence

from boyi.arena.match import Match
from boyi.arena.openings import distinct_openings
from boyi.core.draws import sample_chance
from boyi.core.position import CHANCE, OVER, Position


def game_positions(start: Position, spec: str, plies: Sequence[int], games: int,
                   seed: int) -> list[tuple[int, Position]]:
    """Positions from self-play of an agent, after each of these numbers of plies.

    Pairs of a number of plies and a position, as the player to act sees it. A game that ends sooner gives none. Every
    game has an opening of its own.
    """
    found = []
    openings = distinct_openings(start, 2 * start.players, games, seed)
    match = Match((spec, spec), start, games=len(openings) * start.players, openings=openings, seed=seed)
    for game_number in range(len(openings)):
        record = match.play(game_number * start.players).record
        for wanted in plies:
            if wanted < len(record.entries):
                position = record.replay(wanted)
                found.append((wanted, position.observe(position.turn)))
    return found


def random_positions(start: Position, plies: Sequence[int], each: int, seed: int) -> list[tuple[int, Position]]:
    """Unfinished positions after these numbers of random moves: pairs of a number of plies and a position.

    `each` different ones per number, fewer where there are no more; the start position comes once.
    """
    found = []
    for count in plies:
        seen = set()
        for variant in range(each if count else 1):
            for attempt in range(1_000):
                generator = random.Random(f"{seed} position {count} {variant} {attempt}")
                position = start.copy()
                for _ in range(count):
                    if position.turn == OVER:
                        break
                    position.play(sample_chance(position, generator) if position.turn == CHANCE
                                  else generator.choice(position.moves()))
                if position.turn >= 0 and position.to_text() not in seen:
                    seen.add(position.to_text())
                    found.append((count, position))
                    break
    return found
