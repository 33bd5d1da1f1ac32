"""Models that come with Boyi, by name: `mcts:net=liuzhou`.

They lie in `models/` beside this module, NAME.onnx each. What one was trained for, how, and how strong it is stands on
its card (`boyi.nets.card`).
"""

from __future__ import annotations

from pathlib import Path

from boyi.core.errors import OptionError, shorten

SUFFIX = ".onnx"
MOST_CHARACTERS = 300
"""Of the name of a file in a message: long enough to find it again."""


def folder() -> Path:
    """Where they are."""
    return Path(__file__).parent / "models"


def shipped_models() -> dict[str, Path]:
    """All of them, by name."""
    return {path.stem: path for path in sorted(folder().glob(f"*{SUFFIX}"))}


def find_model(name: str | Path) -> Path:
    """The file that is meant: itself, or the shipped model of that name. A file comes first."""
    path = Path(name)
    try:
        if path.exists():
            return path
    except (OSError, ValueError) as error:
        raise OptionError(f"there is no model {shorten(str(name), MOST_CHARACTERS)}: {error}") from error
    models = shipped_models()
    if str(name) in models:
        return models[str(name)]
    come = f"; with Boyi come {', '.join(models)}" if models else ""
    raise OptionError(f"there is no model {shorten(str(name), MOST_CHARACTERS)}: no such file{come}")
