"""A hook of mkdocs: pages that are made from what stands elsewhere in the repository.

    games/        the rules of each game, which live in its folder, with their pictures
    reference/    the Python reference, from the type stubs (`tools/reference.py`)
    notebooks/    the notebooks of `examples`, with what their cells show
    contributing, changelog    CONTRIBUTING.md and CHANGELOG.md
    pictures/logo.svg          the icon of the web page
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tools import reference  # noqa: E402

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

GAMES = ROOT / "src" / "boyi" / "games"
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Called by mkdocs when it has read mkdocs.yml: fill the sections of the navigation that are made here."""
    sections = {
        "The games": [f"games/{rules.parent.name}.md" for rules in sorted(GAMES.glob("*/rules.md"))],
        "Notebooks": [f"notebooks/{notebook.stem}.md" for notebook in NOTEBOOKS],
        "Python, name by name": reference.navigation(),
    }
    fill(config.nav, sections)
    return config


def fill(nav: Any, sections: dict[str, Any]) -> None:
    """Put what belongs to a section into it, wherever it stands."""
    for entry in nav:
        for title, value in entry.items() if isinstance(entry, dict) else ():
            if title in sections:
                value[:] = sections[title]
            elif isinstance(value, list):
                fill(value, sections)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Called by mkdocs when it has found the files of `docs`."""
    for rules in sorted(GAMES.glob("*/rules*.md")):
        name = rules.parent.name + rules.stem.removeprefix("rules")
        text = rules.read_text(encoding="utf-8").replace("](pictures/", f"]({name}-pictures/")
        files.append(File.generated(config, f"games/{name}.md", content=text))
        for picture in sorted(rules.parent.glob("pictures/*.svg")):
            files.append(File.generated(config, f"games/{name}-pictures/{picture.name}", content=picture.read_bytes()))
    files.append(File.generated(config, "pictures/logo.svg", content=(ROOT / "web/public/icon.svg").read_bytes()))
    for path, text in reference.pages().items():
        files.append(File.generated(config, f"reference/{path}", content=text))
    for notebook in NOTEBOOKS:
        files.append(File.generated(config, f"notebooks/{notebook.stem}.md", content=write_notebook(notebook)))
    for name in ("CONTRIBUTING.md", "CHANGELOG.md"):
        text = from_root((ROOT / name).read_text(encoding="utf-8"))
        files.append(File.generated(config, name.lower(), content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Called by mkdocs for every page: names in the tables of the Python interface lead to their pages."""
    if page.file.src_uri != "api.md":
        return markdown

    def link(row: re.Match[str]) -> str:
        return re.sub(r"`(\w+)`", r"[`\1`](reference/boyi.\1.md)", row[0])
    return re.sub(r"^\| `.*? \|", link, markdown, flags=re.MULTILINE)


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Called by mkdocs for every page: flags stay in one piece, and a drawing opens in full when it is touched."""
    return link_drawings(keep_flags(html))


def keep_flags(html: str) -> str:
    """Mark commands in running text and tables for `site.css`.

    >>> keep_flags("<td><code>boyi match --games 4</code></td> <pre><code>--x</code></pre>")
    '<td><code class="command">boyi match <span class="word">--games</span> 4</code></td> <pre><code>--x</code></pre>'
    """
    def mark(code: re.Match[str]) -> str:
        words = re.sub(r"(?<!\S)-[-\w]+", r'<span class="word">\g<0></span>', code[1])
        return f'<code class="command">{words}</code>' if words != code[1] else code[0]
    parts = re.split(r"(<pre.*?</pre>)", html, flags=re.DOTALL)
    return "".join(part if part.startswith("<pre") else re.sub(r"<code>([^<]*)</code>", mark, part) for part in parts)


def link_drawings(html: str) -> str:
    """Plots of several panels are too small to read on a phone.

    >>> link_drawings('<p><img alt="" src="a.svg" /></p>')
    '<p><a href="a.svg"><img alt="" src="a.svg" /></a></p>'
    """
    return re.sub(r'<p>(<img [^>]*src="([^"]*\.svg)"[^>]*>)</p>', r'<p><a href="\2">\1</a></p>', html)


def from_root(text: str) -> str:
    """A page of the repository's root as one of `docs`: what the site does not have is not linked."""
    text = text.replace("](docs/", "](").replace("](CONTRIBUTING.md", "](contributing.md")
    text = text.replace("](CHANGELOG.md", "](changelog.md")
    elsewhere = r"(?:src|examples|tests|deploy|tools|web|LICENSE|SECURITY|CODE_OF|CITATION|README)[^)]*"
    return re.sub(rf"\[((?:[^\]`]|`[^`]*`)+)\]\({elsewhere}\)", r"\1", text)


def write_notebook(path: Path) -> str:
    """A notebook as Markdown: text, code, what it printed and drew."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(re.sub(r"\]\((?:\.\./)+docs/", "](../", source))
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/svg+xml" in data:
                picture = "".join(data["image/svg+xml"])
                parts.append(f'<div class="board" style="max-width: 24em">\n{picture.strip()}\n</div>')
            else:
                shown = "".join(output.get("text") or data.get("text/plain", ()))
                parts.append(f"```text\n{shown.rstrip()}\n```")
    return "\n\n".join(parts) + "\n"
