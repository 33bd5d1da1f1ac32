"""An image of the board, as a network's numbers see it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Symmetry:
    """How the features of a position and the names of its moves change places in an image of it."""

    features: tuple[int, ...]
    """`features[i]` is where feature i goes."""

    policy: tuple[int, ...]
    """`policy[i]` is the name, in the image, of the move that is named i here."""
