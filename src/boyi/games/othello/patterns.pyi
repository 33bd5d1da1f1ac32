from typing import Any

WEIGHTS_FILE: str
PATTERNS: dict[str, str]
PACKED: int
STAGE_COUNT: int
WEIGHT_UNIT: float

def set_weights(data: bytes) -> None:
    """Play with these weights from now on: per stage PACKED signed bytes, in units of WEIGHT_UNIT."""

def shared_indices(own: Any, other: Any, indices: Any) -> None:
    """Write into `indices`, for each position given by its bitboards, the numbers of its 46 packed weights."""
