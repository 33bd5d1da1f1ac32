"""The options of the attentive search."""

from __future__ import annotations

from dataclasses import dataclass

from boyi.search.options import check

LARGEST_SEED = 10**9


@dataclass(frozen=True, kw_only=True)
class AttentiveOptions:
    """What the attentive search notices."""

    attention: float = 1.0
    """How likely a plain move on the board is noticed; at 1 nothing is overlooked. What is obvious is noticed sooner,
    what is far away or comes later in a line is noticed later (`attentive`)."""

    playouts: int = 1
    """Without an evaluator: random games by which a leaf is valued."""

    seed: int = 1
    """What decides which moves are noticed; another seed overlooks others."""

    def __post_init__(self) -> None:
        check(self, {"attention": (1e-9, 1), "playouts": (1, 10_000), "seed": (0, LARGEST_SEED)})

    def is_stochastic(self, *, net: bool, chance: bool) -> bool:
        """Does another seed play other games?"""
        return True
