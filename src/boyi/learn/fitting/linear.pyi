from typing import Any

def fit(indices: Any, labels: Any, weights: Any, scratch: Any, rounds: int, damping: float) -> None:
    """Improve `weights` in place by a number of rounds. `scratch` has four rows as long as `weights`."""

def predict(indices: Any, weights: Any, predictions: Any) -> None:
    """Write the prediction for each sample."""
