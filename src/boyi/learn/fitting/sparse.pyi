from typing import Any

LARGEST_LAST: float

def check(rows: Any, images: Any, bases: Any, labels: Any, buckets: Any, first: Any, last: Any) -> None:
    """Refuse samples that do not fit the network. `images`: per image of the board, the row that each row becomes."""

def values(rows: Any, images: Any, bases: Any, buckets: Any, first: Any, start: Any, last: Any, offset: Any,
           out: Any) -> None:
    """Write the value of each sample, in the first image."""

def step(rows: Any, images: Any, bases: Any, labels: Any, buckets: Any, chosen: Any, chosen_images: Any, first: Any,
         start: Any, last: Any, offset: Any, first_gradient: Any, start_gradient: Any,
         last_gradient: Any, offset_gradient: Any) -> float:
    """Add the gradients of the chosen samples, each in the chosen image, to those given; their summed loss."""

def adam(weights: Any, gradients: Any, means: Any, squares: Any, rate: float, decay: float, count: float,
         largest: float) -> None:
    """One step of Adam with the gradients of `count` samples' summed loss; clears them. Weights stay in ±largest."""
