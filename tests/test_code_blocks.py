"""Every block of code in the pages is run by a test, or says why not; and every command names options that exist.

Which tests run blocks:

- `test_documentation.py`: doctests (`>>>`) of every page; the code in docs/authors/more.md stands in tested games;
- `cli/test_docs.py`: the examples of docs/cli.md, and every other page that has a `console` block, from top to bottom.

A block that none of them runs has `<!-- not run: REASON -->` on the line before it. Its commands are checked all the
same: `boyi`, `python -m benchmarks.…`, `python -m tools.…` and `make` must exist with the options that are given, in
the prose of a page too, and `boyi.NAME` in Python must be public.
"""

from __future__ import annotations

import functools
import importlib.util
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer

import boyi
from boyi.cli import build
from tests.places import ROOT

PAGES = sorted([*ROOT.glob("README*.md"), ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
DATA = {"", "text", "json", "jsonl", "html", "http", "csv"}
"""Languages that cannot be run: output, data, diagrams."""

REASON = re.compile(r"<!-- not run: \w.{9,} -->")
FENCE = re.compile(r"(?:^(<!--[^\n]*-->)\n)?^(```+)([\w-]*)[^\n]*\n(.*?)^\2$", flags=re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    note: str
    """The comment on the line before it, or nothing."""

    language: str
    text: str

    @property
    def excused(self) -> bool:
        return REASON.fullmatch(self.note) is not None


def blocks(text: str) -> list[Block]:
    return [Block(match[1] or "", match[3], match[4]) for match in FENCE.finditer(text)]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


# ---------------------------------------------------------------------- run, or excused

def is_run(block: Block, page: str) -> bool:
    """Does one of the tests named above run it?"""
    if block.language == "python" and ">>> " in block.text:
        return True
    if page.startswith("docs/lab/") and block.text.startswith("boyi lab run "):
        return True   # a report says how it was made; the tests of the lab run every experiment at a smaller scale
    if page == "docs/authors/more.md" and block.language == "python":
        return True
    if block.language == "console":
        return block.text.startswith("$ ")
    # Files that a session writes before it uses them.
    return block.language == "diff" or re.match(r"# [\w./]+\.\w+\n", block.text) is not None


def neglected(text: str, page: str) -> list[str]:
    return [block.text for block in blocks(text)
            if block.language not in DATA and not block.excused and not is_run(block, page)]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_is_run_or_says_why_not(page: Path) -> None:
    assert neglected(page.read_text(encoding="utf-8"), name(page)) == []


# ---------------------------------------------------------------------- commands exist

@functools.cache
def program() -> Any:
    return typer.main.get_command(build())


@functools.cache
def flags_of_module(module: str) -> frozenset[str] | None:
    """The options that `python -m MODULE --help` lists; None where there is no such module."""
    if importlib.util.find_spec(module) is None:
        return None
    done = subprocess.run([sys.executable, "-m", module, "--help"], cwd=ROOT, capture_output=True, text=True,
                          check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return frozenset(re.findall(r"(?<![\w-])--?[a-z][\w-]*", done.stdout))


def targets() -> set[str]:
    return set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def words_of(line: str) -> list[str]:
    try:
        return shlex.split(line, comments=True)
    except ValueError:   # a quote that is closed in a later line
        return line.split()


def commands_of(group: Any) -> dict[str, Any]:
    """The commands of a group, those among them that games bring."""
    context = group.context_class(group, info_name=group.name)
    return {name: group.get_command(context, name) for name in group.list_commands(context)}


def wrong_boyi(words: list[str]) -> str | None:
    """What is wrong with `boyi WORDS`: a command or an option that there is not."""
    command, path = program(), ["boyi"]
    options = {flag for parameter in command.params for flag in (*parameter.opts, *parameter.secondary_opts)}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in ("|", ">", "&&", ";", "&", "2>", "<", "||"):
            break
        if word.startswith("-") and re.fullmatch(r"--?[a-z].*", word):
            flag = word.partition("=")[0]
            if flag not in options and flag not in ("-h", "--help"):
                return f"{' '.join(path)} has no option {flag}"
        elif hasattr(command, "commands"):
            if not re.fullmatch(r"[a-z][a-z-]*", word):
                return None   # a placeholder: NAME, …
            known = commands_of(command)
            if word not in known:
                return f"{' '.join(path)} has no command {word}"
            command, path = known[word], [*path, word]
            options = {flag for parameter in command.params for flag in (*parameter.opts, *parameter.secondary_opts)}
    return None


def wrong_module(module: str, words: list[str]) -> str | None:
    if module.startswith("tools."):
        return None if importlib.util.find_spec(module) else f"there is no {module}"
    flags = flags_of_module(module)
    if flags is None:
        return f"there is no {module}"
    return next((f"{module} has no option {word}" for word in (word.partition("=")[0] for word in words)
                 if re.fullmatch(r"--[a-z][\w-]*|-[a-z]", word) and word not in flags), None)


def wrong_command(line: str) -> str | None:
    """What does not exist of a line of shell, if it is one of our programs."""
    words = words_of(re.sub(r"…|\.\.\.", "", line))
    if "|" in words and words[0] in ("printf", "echo"):
        words = words[words.index("|") + 1:]
    while words and re.fullmatch(r"[A-Z_]+=.*|nohup|sudo|time|nice", words[0]):
        words.pop(0)
    if not words:
        return None
    if Path(words[0]).name == "boyi":
        return wrong_boyi(words[1:])
    if re.fullmatch(r"python[\d.]*", Path(words[0]).name) and words[1:2] == ["-m"] and len(words) > 2:
        if words[2].startswith(("benchmarks.", "tools.")):
            return wrong_module(words[2], words[3:])
        return wrong_boyi(words[3:]) if words[2] == "boyi" else None
    if words[0] == "make":
        return next((f"make has no target {word}" for word in words[1:]
                     if re.fullmatch(r"[a-z][a-z-]*", word) and word not in targets()), None)
    return None


def commands(text: str) -> Iterator[str]:
    """The commands of a page: in blocks of shell, and in the prose as `boyi …`."""
    for block in blocks(text):
        joined = re.sub(r"\\\n\s*", " ", block.text)
        if block.language == "console":
            yield from re.findall(r"^\$ (.*)$", joined, re.MULTILINE)
        elif block.language in ("sh", "bash", "shell"):
            yield from (line.strip() for line in joined.splitlines())
    for inline in re.findall(r"`((?:boyi|python -m (?:benchmarks|tools)\.\w+) [^`\n]+)`", FENCE.sub("", text)):
        yield re.sub(r"[\[\]|]", " ", inline)   # [OPTIONAL], one | other


def wrong_commands(text: str) -> list[str]:
    return [f"{line}: {wrong}" for line in commands(text) if (wrong := wrong_command(line))]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_and_their_options_exist(page: Path) -> None:
    assert wrong_commands(page.read_text(encoding="utf-8")) == []


def unknown_names(text: str) -> list[str]:
    """Names of `boyi` that Python in blocks uses and that are not there."""
    return [f"boyi.{used}" for block in blocks(text) if block.language == "python"
            for used in re.findall(r"(?<![\w./'\"-])boyi\.([A-Za-z]\w*)", block.text)
            if used not in boyi.__all__ and importlib.util.find_spec(f"boyi.{used}") is None]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_names_of_python_exist(page: Path) -> None:
    assert unknown_names(page.read_text(encoding="utf-8")) == []


# ---------------------------------------------------------------------- what is wrong is noticed

@pytest.mark.parametrize("page", [
    "```sh\nboyi games\n```\n",
    "```python\nimport boyi\n```\n",
    "```console\nboyi games\n```\n",
    "<!-- not run: -->\n```sh\nboyi games\n```\n",
    "<!-- not run: it takes an hour -->\n\n```sh\nboyi games\n```\n",
    "```toml\nport = 8000\n```\n",
])
def test_a_block_without_a_test_or_a_reason_is_noticed(page: str) -> None:
    assert len(neglected(page, "docs/page.md")) == 1


@pytest.mark.parametrize(("page", "wrong"), [
    ("```sh\nboyi serve --lann\n```\n", "boyi serve has no option --lann"),
    ("```console\n$ boyi learn wieghts xiangqi\n```\n", "boyi learn has no command wieghts"),
    ("```sh\nprintf 'quit\\n' | boyi play othello --asci\n```\n", "boyi play has no option --asci"),
    ("```sh\nboyi match othello random \\\n  level:1 --gmaes 4\n```\n", "boyi match has no option --gmaes"),
    ("`boyi perft othello 3 --divied` counts", "boyi perft has no option --divied"),
    ("```sh\npython -m benchmarks.rules --round 2\n```\n", "benchmarks.rules has no option --round"),
    ("```sh\npython -m benchmarks.rulez\n```\n", "there is no benchmarks.rulez"),
    ("```sh\nmake tset\n```\n", "make has no target tset"),
])
def test_a_wrong_command_is_noticed(page: str, wrong: str) -> None:
    found, = wrong_commands(page)
    assert wrong in found


def test_a_name_that_is_gone_is_noticed() -> None:
    assert unknown_names("```python\nboyi.analyze(boyi.start('othello'))\n```\n") == ["boyi.analyze"]
