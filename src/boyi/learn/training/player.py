"""Self-play as workers do it: a chunk of games, and the shard of its samples."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from boyi.core.position import Position
from boyi.learn.training import lockstep
from boyi.learn.training.models import place
from boyi.learn.training.samples import join_samples
from boyi.learn.training.settings import SelfPlay
from boyi.learn.training.shard import Shard
from boyi.nets import open_net
from boyi.nets.card import Card


@dataclass(frozen=True)
class Player:
    """Plays chunks of games; what workers are sent."""

    start: Position
    model: bytes = field(repr=False)
    settings: SelfPlay
    notes: Mapping[str, Any]
    """For the cards of shards."""

    def play(self, task: tuple[int, int]) -> tuple[int, bytes]:
        """The games of a chunk, given by the number of the first and how many there are: that number, and the shard."""
        first, games = task
        predictor = open_net(place(self.model), self.start.game)
        encoder = predictor.encoder
        played = sorted(lockstep.play(self.start, predictor, self.settings, first, games),
                        key=lambda game: game.number)
        results = [[math.nan] * encoder.players if game.outcome is None else
                   [(score + 1) / 2 for score in game.outcome.scores] for game in played]
        shard = Shard(Card.of(self.start, **self.notes), self.settings.seed,
                      np.array([game.number for game in played], np.int64),
                      np.array([len(game.samples) for game in played], np.int64),
                      np.array([len(game.moves) for game in played], np.int64),
                      np.array(results, np.float32), join_samples([game.samples for game in played], encoder))
        return first, shard.to_bytes()
