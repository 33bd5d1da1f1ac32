"""A node of a search tree, as it is shown to people."""

from __future__ import annotations

from typing import NamedTuple


class TreeNode(NamedTuple):
    """What a tree search knows of a position that it met, or of a move that it has not tried yet."""

    parent: int
    """The number of the node above; -1 for the root."""

    move: int
    """Leads here."""

    side: int
    """Who acts; -3 before the first visit."""

    visits: int
    chooser_sum: float
    """The sum of the values for the player who chose the move that leads here."""

    actor_sum: float
    """The sum of the values for the player who acts here."""

    prior: float
    pending: int
    """Descents that went through here to leaves that are not valued yet."""

    proof: tuple[float, ...] | None
    """The result per player, where it is certain."""
