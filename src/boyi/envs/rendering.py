"""Pictures of a position in the modes that gymnasium and PettingZoo know."""

from __future__ import annotations

import io

import numpy as np
from gymnasium import logger
from numpy.typing import NDArray

from boyi.core.errors import UnknownNameError
from boyi.core.position import Position

__all__ = ["MODES", "check_mode", "render"]

MODES = ("human", "ansi", "rgb_array")
WIDTH = 512
"""Of a picture, in pixels."""


def check_mode(mode: str | None) -> str | None:
    """Refuse, in words, a mode that there is none of."""
    if mode is not None and mode not in MODES:
        raise UnknownNameError.among("render mode", mode, MODES)
    return mode


def render(position: Position, mode: str | None) -> NDArray[np.uint8] | str | None:
    """The position printed (`human`), as text (`ansi`) or as pixels (`rgb_array`)."""
    if mode is None:
        logger.warn("render() shows nothing: this environment was made without a render_mode")
        return None
    if mode == "human":
        print(position, flush=True)
        return None
    if mode == "ansi":
        return str(position)
    return _pixels(position)


def _pixels(position: Position) -> NDArray[np.uint8]:
    from PIL import Image

    from boyi.kit.picture import png
    with Image.open(io.BytesIO(png.draw(position, width=WIDTH))) as picture:
        return np.asarray(picture.convert("RGB"))
