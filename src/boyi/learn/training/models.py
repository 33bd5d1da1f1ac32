"""Models that travel: a worker on another machine gets a model as bytes and needs it as a file.

Each process keeps those it was sent in a folder of its own, by their content, and takes the folder away when it ends.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory


def digest(content: bytes) -> str:
    """The hash of a model."""
    return hashlib.sha256(content).hexdigest()


def place(content: bytes) -> Path:
    """Where the model is as a file in this process."""
    path = Path(_folder().name) / f"{digest(content)[:32]}.onnx"
    if not path.exists():
        path.write_bytes(content)
    return path


@lru_cache(1)
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="boyi-models-")
