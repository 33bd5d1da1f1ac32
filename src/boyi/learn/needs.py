"""What learning needs and not everybody has installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from boyi.core.errors import MissingPartError


@contextmanager
def needs_extra(what: str = "training a network") -> Iterator[None]:
    """Say in words what is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("torch", "numpy", "onnx"):
            raise
        raise MissingPartError.extra(what, "learn") from error
