"""Self-play that says when it begins, so that tests can kill a node at a moment they choose (`arena.listening`)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from boyi.learn.training.player import Player
from tests.arena.listening import tell


@dataclass(frozen=True)
class ToldPlayer(Player):
    """Tells on which of the nodes of a cluster a chunk of games begins."""

    address: Any = None

    def play(self, task: tuple[int, int]) -> tuple[int, bytes]:
        tell(self.address, import_module("ray").get_runtime_context().get_node_id(), task)
        return super().play(task)
