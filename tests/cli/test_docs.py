"""Every example of the pages is run and prints what stands there; `tests/test_code_blocks.py` finds those that are not.

`…` stands for anything; what goes to standard error is not compared.

docs/cli.md is a reference: each of its examples stands for itself. Any other page with a `console` block is a session,
followed from top to bottom in an empty folder, as its reader would:

- a block of code whose first line is `# PATH` is written to that file; a `diff` block changes the file it names;
- a `console` block is run in a shell: what is exported there stays, and each command must print what follows it;
- `<!-- not run: REASON -->` right before a block leaves it out;
- `<!-- exit code: 1 -->` there expects that the last command of the block ends so;
- `<!-- after: game.md -->` writes the files of that page first, `<!-- needs: torch -->` names what must be installed.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from boyi.cli import build
from tests.cli import invoke
from tests.places import ROOT

DOCS = ROOT / "docs"
REFERENCE = (DOCS / "cli.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\n\$ (.*?)\n(.*?)```", REFERENCE, flags=re.DOTALL)
TUTORIALS = sorted([*(DOCS / "authors").glob("*.md"), *(DOCS / "research").glob("*.md")])
SESSIONS = TUTORIALS + sorted(
    page for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
    if page not in TUTORIALS and page != DOCS / "cli.md" and "```console\n" in page.read_text(encoding="utf-8"))

BLOCK = re.compile(r"(?:^<!-- ([^\n]*?) -->\n)?^```(\w+)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)
LONGEST = 600
"""Seconds after which a command of a page is taken to hang."""


def agrees(expected: str, printed: str) -> bool:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(expected.replace("…", "..."), printed, flags)


# ---------------------------------------------------------------------- the reference

def run(line: str) -> str:
    """What a line of shell prints; it is `boyi …`, or `printf '…' | boyi …`."""
    words, stdin = shlex.split(line), ""
    if words[0] == "printf":
        stdin, words = words[1].replace("\\n", "\n"), words[3:]
    assert words[0] == "boyi"
    result = invoke(*words[1:], stdin=stdin)
    assert result.code == 0, result.err
    return result.out


@pytest.mark.parametrize(("line", "expected"), EXAMPLES, ids=[line for line, _ in EXAMPLES])
def test_example(line: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)   # some write files
    printed = run(line)
    assert agrees(expected, printed), f"printed:\n{printed}\nwanted:\n{expected}"


def test_every_command_has_a_section() -> None:
    for command in build().registered_commands:
        if command.name not in ("new", "record"):   # these have pages of their own
            assert f"## boyi {command.name}" in REFERENCE


# ---------------------------------------------------------------------- sessions

@dataclass(frozen=True)
class Block:
    """A block of code of a page."""

    note: str
    """What the comment right before it says."""

    language: str
    text: str

    def commands(self) -> list[tuple[str, str]]:
        """Of a console block, each command with what it prints."""
        first, *parts = re.split(r"^\$ ", self.text, flags=re.MULTILINE)
        assert first == "" and parts, f"a console block begins with a command:\n{self.text}"
        found = []
        for part in parts:
            split = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*)\n(.*)", part, flags=re.DOTALL)
            assert split is not None, part
            found.append((split[1], split[2]))
        return found


def blocks(page: str) -> list[Block]:
    return [Block(*match.groups(default="")) for match in BLOCK.finditer(page)]


def write_file(block: Block, folder: Path) -> None:
    """Write the file that a block begins with the name of, or change the one that a diff names."""
    if block.language == "diff":
        name, *lines = block.text.removeprefix("--- ").splitlines(keepends=True)
        file = folder / name.strip()
        content = file.read_text(encoding="utf-8")
        for hunk in "".join(lines).split("@@\n"):
            before, after = ("".join(line[1:] for line in hunk.splitlines(keepends=True) if line[0] in kinds)
                             for kinds in (" -", " +"))
            times = content.count(before)
            assert times == 1, f"{name.strip()} has these lines {times} times:\n{before}"
            content = content.replace(before, after)
        file.write_text(content, encoding="utf-8")
    elif named := re.match(r"# ([\w./]+\.\w+)\n", block.text):
        file = folder / named[1]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, encoding="utf-8")


def follow(page: str, folder: Path) -> None:
    """Do what a page says, from top to bottom."""
    environment = os.environ | {"BOYI_LANGUAGE": "en", "PYTHONUTF8": "1", "HOME": str(folder),
                                "PATH": str(Path(sys.executable).parent) + os.pathsep + os.environ["PATH"]}
    for name in ("BOYI_GAMES", "PYTEST_ADDOPTS", "PYTHONPATH"):
        environment.pop(name, None)
    exports = ""
    for block in blocks(page):
        if block.note.startswith("not run:"):
            continue
        if block.language != "console":
            write_file(block, folder)
            continue
        for number, (command, expected) in enumerate(commands := block.commands(), 1):
            done = subprocess.run(["bash", "-c", exports + command], cwd=folder, env=environment, capture_output=True,
                                  stdin=subprocess.DEVNULL, text=True, encoding="utf-8", timeout=LONGEST, check=False)
            said = f"$ {command}\nprinted:\n{done.stdout}\nwanted:\n{expected}\nand said:\n{done.stderr}"
            code = re.fullmatch(r"exit code: (\d+)", block.note)
            assert done.returncode == (int(code[1]) if code and number == len(commands) else 0), said
            assert agrees(expected, done.stdout), said
            if command.startswith("export "):
                exports += command + "\n"


@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_session(page: Path, tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash not found; the examples of these pages are for a POSIX shell")
    text = page.read_text(encoding="utf-8")
    for module in re.findall(r"^<!-- needs: (\w+) -->$", text, flags=re.MULTILINE):
        pytest.importorskip(module, reason=f"{module} is not installed; pip install 'boyi[learn]'")
    for earlier in re.findall(r"^<!-- after: ([\w./]+) -->$", text, flags=re.MULTILINE):
        for block in blocks((page.parent / earlier).read_text(encoding="utf-8")):
            if block.language in ("python", "toml") and not block.note:
                write_file(block, tmp_path)
    follow(text, tmp_path)


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_what_is_not_run_says_why(page: Path) -> None:
    """Commands stand in console blocks, and the comment right before one is a reason or an exit code."""
    for block in blocks(page.read_text(encoding="utf-8")):
        assert block.language in ("console", "diff", "ini", "python", "text", "toml"), block
        assert block.note == "" or re.fullmatch(r"not run: \w.{9,}|exit code: \d+", block.note), block


@pytest.mark.parametrize(("page", "wrong"), [
    ("```console\n$ echo a\nb\n```\n", r"wanted:\s+b"),
    ("```console\n$ false\n```\n", r"\$ false"),
    ("<!-- exit code: 1 -->\n```console\n$ true\n```\n", r"\$ true"),
    ("```console\n$ export WORD=yes\n$ echo $WORD\nno\n```\n", r"printed:\s+yes"),
    ("```python\n# a/b.py\nprint(1)\n```\n```diff\n--- a/b.py\n-print(2)\n+print(3)\n```\n", "0 times"),
])
def test_a_wrong_page_is_noticed(page: str, wrong: str, tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash not found; the examples of these pages are for a POSIX shell")
    with pytest.raises(AssertionError, match=wrong):
        follow(page, tmp_path)
