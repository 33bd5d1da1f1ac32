"""What a network of `boyi.kit.nnue` is shown: which row of its first layer says what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Seat = Sequence[Sequence[int | None]]
"""Per place and code the row of the first layer; None for what says nothing."""


@dataclass(frozen=True)
class Inputs:
    """Rows by place and code, as seen from each seat in each *view*.

    A view is chosen by the position, for each seat on its own, say by where its king stands: the same piece on the same
    square is then another row. A game without such a choice has one view.
    """

    name: str
    """With a version: what the file of a network names."""

    rows: int
    views: Sequence[Sequence[Seat]]
    """Per view, the two seats."""

    images: Sequence[Sequence[int]] = ()
    """Symmetries that change no value: the place that each place becomes."""

    image_views: Sequence[Sequence[int]] = ()
    """Per symmetry, the view that each view becomes; () where there is one view."""

    alike: Sequence[int] = ()
    """Per row, the number of what it says, whatever the view: rows of the same number are fitted together, each as what
    they have in common and what is its own. () where every row is for itself."""

    def view_in_image(self, image: int, view: int) -> int:
        """`image` counts from 1; 0 is the position as it stands."""
        return self.image_views[image - 1][view] if image and self.image_views else view
