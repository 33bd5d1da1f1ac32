from typing import Any

LARGEST_LAST: float

def check(codes: Any, facts: Any, table: Any, bases: Any, labels: Any, first: Any, last: Any) -> None:
    """Refuse samples that do not fit the network.

    Facts of a sample are the side to act, the view of each seat and the bucket. `table` says per image of the board,
    view, seat, place and code which row that is; the last row of the network is for what says nothing.
    """

def values(codes: Any, facts: Any, table: Any, bases: Any, chosen: Any, first: Any, start: Any, last: Any, offset: Any,
           out: Any) -> None:
    """Write the value of each chosen sample, in the first image. Samples were checked (`check`)."""

def step(codes: Any, facts: Any, table: Any, bases: Any, labels: Any, chosen: Any, chosen_images: Any, first: Any,
         start: Any, last: Any, offset: Any, first_gradient: Any, start_gradient: Any, last_gradient: Any,
         offset_gradient: Any) -> float:
    """Add the gradients of the chosen samples, each in the chosen image, to those given; their summed loss. Samples
    were checked (`check`)."""

def adam(weights: Any, gradients: Any, means: Any, squares: Any, rate: float, decay: float, count: float,
         largest: float) -> None:
    """One step of Adam with the gradients of `count` samples' summed loss; clears them. Weights stay in ±largest."""

def gather_alike(rows: Any, alike: Any, shared: Any) -> None:
    """Add each row to the one that it is alike with."""

def join_alike(own: Any, shared: Any, alike: Any, rows: Any) -> None:
    """Write each row: what is its own, and what it shares."""
