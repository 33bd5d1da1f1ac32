"""Every example of docs/cli.md is run and prints what stands there; … stands for anything."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from boyi.cli import build
from tests.cli import invoke

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\n\$ (.*?)\n(.*?)```", PAGE, flags=re.DOTALL)


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
    checker = doctest.OutputChecker()
    wanted = expected.replace("…", "...")
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert checker.check_output(wanted, printed, flags), f"printed:\n{printed}\nwanted:\n{expected}"


def test_every_command_has_a_section() -> None:
    for command in build().registered_commands:
        if command.name not in ("new", "record"):   # these have pages of their own
            assert f"## boyi {command.name}" in PAGE
