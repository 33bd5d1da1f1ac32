"""An agent for any game: boyi match othello python:greedy:Greedy random --jobs 2"""

import random


class Greedy:
    """Leaves the opponent as few replies as it can; of equal moves, any."""

    def __init__(self, seed=None):
        self.random = random.Random(seed)

    def choose(self, observation, clock):
        return min(observation.moves(), key=lambda move: (self.replies(observation, move), self.random.random()))

    def replies(self, observation, move):
        observation.play(move)
        replies = len(observation.moves())
        observation.undo()
        return replies
