"""Learning: players and evaluators made better by games.

`training` trains networks by self-play, `fitting` fits evaluators to games, `tuning` finds better parameters of an
agent. What only one game can learn from lies in a folder of its own (`othello`), which the game names (`learning`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from boyi.core.errors import MissingPartError

if TYPE_CHECKING:
    from boyi.learn.training.shard import Shard

__all__ = ["read_shards"]


def read_shards(path: str | Path) -> Iterator[Shard]:
    """The games of self-play that `boyi train` has left: the shards of a run (its folder), of any folder, or one file.

    They come in the order of their names, and each is read when its turn comes.
    """
    try:
        from boyi.learn.training import shard  # when first needed: all the rest does without NumPy
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise MissingPartError.extra("reading shards", "learn") from error
    return shard.read_shards(path)
