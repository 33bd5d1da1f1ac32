"""Positions of Chinese checkers to search: from the middle of games, and shortly before their ends."""

from __future__ import annotations

import random

from boyi import TextError
from boyi.games.chinese_checkers import GAME
from boyi.games.chinese_checkers.board import CORNERS, HOLES, NAMES, SEATS, apex, camp, steps_between
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from tests.games.chinese_checkers_naive import NaiveGame


def ending(players: int, seed: int, *, outside: int = 2) -> ChineseCheckersPosition:
    """Everybody has most pieces in the goal, in any order, and the others near it."""
    chance = random.Random(seed)
    seats = SEATS[players]
    corners = {hole for corner in range(6) for hole in camp(corner)}
    while True:
        board: dict[str, str] = {}
        for seat in seats:
            goal = (CORNERS.index(seat) + 3) % 6
            near = [hole for hole in range(HOLES) if hole not in corners and steps_between(hole, apex(goal)) <= 6
                    and NAMES[hole] not in board]
            chosen = chance.sample(sorted(camp(goal)), 10 - outside) + chance.sample(near, outside)
            board.update({NAMES[hole]: seat for hole in chosen})
        game = NaiveGame(players)
        game.board, game.to_act = board, chance.choice(seats)
        try:
            position = GAME.parse(game.text(), stay_home=True)
        except TextError:
            continue
        assert isinstance(position, ChineseCheckersPosition)
        return position


def middlegame(seed: int, players: int = 2) -> ChineseCheckersPosition:
    """Some moves into a game of a hasty player."""
    position = GAME.start(players=players)
    assert isinstance(position, ChineseCheckersPosition)
    chance = random.Random(seed)
    for _ in range(chance.randint(4, 30) * players):
        mover = position.turn
        goal = apex((CORNERS.index(position.seats[mover]) + 3) % 6)
        moves = position.moves()
        chance.shuffle(moves)
        position.play(min(moves[:4], key=lambda move: steps_between(move & 127, goal) - steps_between(move >> 7, goal)))
    return position
