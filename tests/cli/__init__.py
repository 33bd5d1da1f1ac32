"""Tests of the command line. `invoke` runs it in this process; whatever it does not turn into words is a bug."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from unittest import mock

from boyi.cli import main


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def invoke(*arguments: str, stdin: str = "", language: str = "en") -> Result:
    """Run `boyi ARGUMENTS`; exceptions other than a regular exit come through."""
    written = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(buffer, encoding="utf-8", write_through=True) for buffer in written)
    with (
        contextlib.redirect_stdout(out), contextlib.redirect_stderr(err),
        mock.patch.object(sys, "stdin", io.StringIO(stdin)),
        mock.patch.dict("os.environ", {"BOYI_LANGUAGE": language}),
    ):
        try:
            main(list(arguments))
            code: object = 0
        except SystemExit as exit_:
            code = exit_.code
    assert isinstance(code, int) or code is None
    return Result(code or 0, *(buffer.getvalue().decode() for buffer in written))


def refused(arguments: Sequence[str], stdin: str = "") -> str:
    """Run what must be refused: exit code 2, words on standard error, nothing on standard output."""
    result = invoke(*arguments, stdin=stdin)
    assert result.code == 2, result
    assert result.out == ""
    assert result.err.strip()
    assert "Traceback" not in result.err
    return result.err
