"""A hook of mkdocs: the rules of each game, which live in the game's folder, become pages under `games/`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

GAMES = Path(__file__).parents[1] / "src" / "boyi" / "games"


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Called by mkdocs when it has found the files of `docs`."""
    for rules in sorted(GAMES.glob("*/rules*.md")):
        name = rules.parent.name + rules.stem.removeprefix("rules")
        files.append(File.generated(config, f"games/{name}.md", content=rules.read_text(encoding="utf-8")))
    return files
