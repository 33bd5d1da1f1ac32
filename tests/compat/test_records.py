"""Records that version 0.1.0 wrote: read, replayed and written again byte by byte; and its players play them again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import invoke
from tests.compat import DATA, commands

RECORDS = sorted((DATA / "records").iterdir())


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_a_record_is_written_as_it_was_read(path: Path, tmp_path: Path) -> None:
    assert invoke("record", "check", str(path)).code == 0
    target = path.suffix.removeprefix(".")
    notation = [word for word in path.stem.split("-")[2:] if word]
    written = tmp_path / path.name
    result = invoke("record", "convert", str(path), "--to", target, "--output", str(written),
                    *(["--notation", *notation] if notation else []))
    assert result.code == 0, result.err
    assert written.read_bytes() == path.read_bytes()


SAME_MOVES_FROM = 6
"""Of `commands.PLAYERS`: those from here on search by what has not changed."""


@pytest.mark.parametrize("number", range(len(commands.PLAYERS)))
def test_players_make_the_same_moves(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels that search play other moves since 0.2.0; the words for them are read."""
    monkeypatch.chdir(tmp_path)
    result = invoke(*commands.record_command(number))
    assert result.code == 0, result.err
    expected = DATA / "records" / f"{commands.PLAYERS[number][0]}-{number}.boyi"
    if commands.searches_anew(" ".join(commands.PLAYERS[number])) and number < SAME_MOVES_FROM:
        ours, theirs = ([line for line in path.read_text(encoding="utf-8").splitlines()
                         if line.startswith(("[Game", "[Rules", "[Option", "[Player", "[Event"))]
                        for path in (Path("games.boyi"), expected))
        assert ours == theirs
    else:
        assert Path("games.boyi").read_bytes() == expected.read_bytes()
