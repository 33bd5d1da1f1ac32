"""A position text that ends in `w 0 1` is read wherever positions are: command line, page, records, protocols."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import boyi
from boyi.core.record import Record
from boyi.games import find_game, find_readers
from boyi.server.positions import show
from boyi.server.protocol.study import AskPosition
from tests.cli import invoke

TEXTS = {"xiangqi": ("4k4/R8/9/9/9/9/9/9/8R/3K5 w 0 1", "4k4/R8/9/9/9/9/9/9/8R/3K5 w - - 0 1"),
         "jieqi": ("4k4/R8/9/9/9/9/9/9/8R/3K5 w 0 1", "4k4/R8/9/9/9/9/9/9/8R/3K5 w R0A0C0P0N0B0r0a0c0p0n0b0 0 1 w")}
START = "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX w 0 1"


@pytest.mark.parametrize("game", TEXTS)
def test_read_everywhere(game: str, tmp_path: Path) -> None:
    text, ours = TEXTS[game]
    assert invoke("judge", game, "--fen", text, "--json").json["text"] == ours
    assert invoke("show", game, "--fen", text).code == 0
    analysis = invoke("analyse", game, "--fen", text, "--depth", "3", "--json").json
    assert analysis["lines"][0]["moves"][0] == "i1i9", analysis
    played = invoke("play", game, "--fen", text, "--seats", "human,human", stdin="i1i9\n")
    assert "i1i9" in played.out and played.code == 0
    assert show(AskPosition(game, start=text)).start == ours
    record = Record(find_game(game), find_game(game).start().options, start=text)
    assert record.replay().to_text() == ours
    file = tmp_path / "openings.txt"
    file.write_text(f"{text} moves i1i2\n", encoding="utf-8")
    report = invoke("match", game, "random:seed=1", "random:seed=2", "--games", "2", "--openings", str(file),
                    "--longest", "2", "--seed", "1", "--journal", str(tmp_path / "journal.jsonl"), "--json")
    assert report.code == 0, report.err
    assert json.dumps(report.json["games"][0]["opening"]).count("/8R/9/3K5 b") == 1


def test_a_text_that_two_games_read_is_of_the_one_that_writes_such() -> None:
    text = TEXTS["xiangqi"][0]
    assert boyi.parse("jieqi", text).turn == 0
    for xiangqis in (text, TEXTS["xiangqi"][1]):
        assert [game.name for game in find_readers(xiangqis)] == ["xiangqi"]
    for jieqis in (START, TEXTS["jieqi"][1], boyi.start("jieqi").to_text()):
        assert [game.name for game in find_readers(jieqis)] == ["jieqi"]
    assert "i1i9" in invoke("analyse", text, "--depth", "3").out
    # Only jieqi can have an elephant beyond the river.
    assert [game.name for game in find_readers("3k5/4B4/9/9/9/9/9/9/9/4K4 w 0 1")] == ["jieqi"]
