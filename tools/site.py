"""A hook of mkdocs: the rules of each game, which live in its folder, become pages under `games/`, with pictures."""

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
        text = rules.read_text(encoding="utf-8").replace("](pictures/", f"]({name}-pictures/")
        files.append(File.generated(config, f"games/{name}.md", content=text))
        for picture in sorted(rules.parent.glob("pictures/*.svg")):
            files.append(File.generated(config, f"games/{name}-pictures/{picture.name}", content=picture.read_bytes()))
    return files
