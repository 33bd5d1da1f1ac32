"""A symmetry of the board as permutations of a network's input and output."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Symmetry:
    """How the features of a position and the policy indices of its moves change places in an image of it."""

    features: tuple[int, ...]
    """`features[i]` is where feature i goes."""

    policy: tuple[int, ...]
    """`policy[i]` is the index, in the image, of the move whose index is i here."""
