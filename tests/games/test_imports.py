"""What people paste: games of our own in every format that is read, and broken ones that are explained.

The games in tests/data/imports were made up for these tests, by lot.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from boyi.core.errors import RecordError
from boyi.core.loose import Reading, read_file, read_loose
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.games import find_game, listed_games
from tests.games.test_xiangqi_formats import xqf
from tests.places import ROOT

FOLDER = ROOT / "tests" / "data" / "imports"
XIANGQI, JIEQI, OTHELLO = find_game("xiangqi"), find_game("jieqi"), find_game("othello")
FULL_WIDTH = str.maketrans("0123456789. ()", "０１２３４５６７８９．　（）")
ARABIC = str.maketrans("一二三四五六七八九", "123456789")


def game(name: str) -> Record:
    return Record.parse((FOLDER / f"{name}.boyi").read_text(encoding="utf-8"), find_game)


def read(data: bytes | str, name: str = "", preferred: str = "") -> Reading:
    return read_file(data.encode() if isinstance(data, str) else data, name, listed_games(), preferred)


def own(record: Record) -> list[str]:
    return [entry.text for entry in record.entries]


def written(record: Record, notation: str) -> list[str]:
    """Each move in a notation of the game, with what chance added."""
    position, texts = record.begin(), []
    for entry in record.entries:
        moves = position.parse_moves(entry.text)
        one = record.game.notation(notation)
        texts.append(one.format_moves(position, moves) if record.game is JIEQI  # type: ignore[attr-defined]
                     else one.format(position, moves[0]))
        for move in moves:
            position.play(move)
    return texts


def numbered(words: list[str], between: str = " ") -> str:
    return "\n".join(f"{number + 1}.{between}{between.join(words[2 * number:2 * number + 2])}"
                     for number in range((len(words) + 1) // 2))


def bare_pgn(record: Record) -> str:
    """Without tags; with a comment, a variation and a result."""
    words = written(record, "iccs")
    return f"1. {words[0]} {{a quiet beginning}} (1. {words[0]} H9-G7) 1... " + " ".join(
        words[1:2] + [f"{number // 2 + 1}. {word}" if number % 2 == 0 else word
                      for number, word in enumerate(words[2:], 2)]) + " 1/2-1/2"


FORMATS: dict[str, Callable[[Record], str | bytes]] = {
    "Chinese with numbers": lambda record: numbered(written(record, "chinese")),
    "Chinese without numbers": lambda record: " ".join(written(record, "chinese")),
    "Chinese in one piece, traditional": lambda record: "".join(written(record, "traditional")),
    "Chinese in full width": lambda record: numbered(
        [word.translate(ARABIC) for word in written(record, "chinese")]).translate(FULL_WIDTH),
    "Chinese below a title": lambda record: "某年某地业余赛\n红方：甲　黑方：乙\n\n"
                                            + numbered(written(record, "chinese"), "  ") + "\n\n红胜\n棋谱由网站生成",
    "points": lambda record: " ".join(own(record)),
    "points in one piece": lambda record: "".join(own(record)),
    "points from 1": lambda record: " ".join(written(record, "uci")),
    "ICCS": lambda record: numbered(written(record, "iccs")),
    "WXF": lambda record: numbered(written(record, "wxf")),
    "UCI": lambda record: f"position startpos moves {' '.join(own(record))}",
    "UCI with FEN": lambda record: f"position fen {record.begin().to_text()} moves {' '.join(own(record))}",
    "PGN without tags": bare_pgn,
    "PGN": lambda record: XIANGQI.formats["pgn"].write([record], "chinese"),  # type: ignore[misc]
    "FEN": lambda record: record.replay().to_text(),
    "DhtmlXQ": lambda record: XIANGQI.formats["dhtmlxq"].write([record], ""),  # type: ignore[misc]
    "XQF": lambda record: xqf(own(record), version=18, comments={2: "好"}),
    "XQF of the first version": lambda record: xqf(own(record), version=10),
    "Boyi": lambda record: record.to_text(),
}


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_of_xiangqi_is_read(name: str, number: int) -> None:
    record = game(f"xiangqi{number}")
    reading = read(FORMATS[name](record))
    assert reading.problem is None
    (found,) = reading.records
    assert found.game is XIANGQI
    assert found.replay().to_text() == record.final
    assert own(found) == ([] if name == "FEN" else own(record))


OTHELLO_FORMATS: dict[str, Callable[[Record], str | bytes]] = {
    "transcript": lambda record: "".join(text for text in own(record) if text != "pass"),
    "capitals": lambda record: "".join(text for text in own(record) if text != "pass").upper(),
    "with numbers": lambda record: " ".join(f"{n}. {text}" for n, text in enumerate(own(record), 1)),
    "in lines": lambda record: "\n".join(" ".join(own(record)[at:at + 8]) for at in range(0, 60, 8)),
    "GGF": lambda record: OTHELLO.formats["ggf"].write([record], ""),  # type: ignore[misc]
    "position": lambda record: record.replay().to_text(),
}


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("name", OTHELLO_FORMATS)
def test_othello_is_read_and_guessed(name: str, number: int) -> None:
    record = game(f"othello{number}")
    reading = read(OTHELLO_FORMATS[name](record), preferred="xiangqi")
    assert reading.problem is None
    (found,) = reading.records
    assert found.game is OTHELLO
    assert found.replay().to_text() == record.final


JIEQI_FORMATS: dict[str, Callable[[Record], str | bytes]] = {
    "own": lambda record: " ".join(own(record)),
    "reveals in brackets": lambda record: re.sub(r"(?<=[0-9])([A-Za-z])(?![a-z0-9])", r"(\1)", " ".join(own(record))),
    "reveals after a sign": lambda record: re.sub(r"(?<=[0-9])([A-Za-z])(?![a-z0-9])", r"=\1", " ".join(own(record))),
    "UCI": lambda record: f"position startpos moves {' '.join(own(record))}",
    "Chinese": lambda record: numbered(written(record, "chinese")),
    "Chinese in full width": lambda record: numbered(written(record, "chinese")).translate(FULL_WIDTH),
    "traditional": lambda record: " ".join(written(record, "traditional")),
    "WXF": lambda record: numbered(written(record, "wxf")),
    "text": lambda record: JIEQI.formats["jieqi-text"].write([record], "chinese"),  # type: ignore[misc]
    "FEN": lambda record: record.replay().to_text(),
}


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("name", JIEQI_FORMATS)
def test_jieqi_is_read_with_its_reveals(name: str, number: int) -> None:
    record = game(f"jieqi{number}")
    reading = read(JIEQI_FORMATS[name](record), preferred="xiangqi")
    assert reading.problem is None
    (found,) = reading.records
    assert found.game is JIEQI
    assert found.replay().to_text() == record.final


def test_results_and_names_are_kept() -> None:
    (found,) = read("炮二平五 马8进7 红胜").records
    assert found.result == (1, 2)
    (drawn,) = read("1. C2=5 H8+7 1/2-1/2").records
    assert drawn.result == (1, 1)
    record = game("xiangqi1")
    (pasted,) = read(XIANGQI.formats["dhtmlxq"].write([record], "")).records  # type: ignore[misc]
    assert pasted.players == ("Ada", "Grace")


def test_dhtmlxq_of_an_endgame_and_of_a_web_page() -> None:
    page = "var DhtmlXQ_movelist = '[0_1_0]7747 7062[/0_1_0][0_2_1]7967[/0_2_1]';"
    (found,) = read(page).records
    assert own(found) == ["h2e2", "h9g7"]
    start = "4k4/9/9/9/9/9/9/9/4R4/3K5 b - - 0 1"
    position = XIANGQI.parse(start)
    position.play("e9f9")
    record = Record.from_position(position)
    (again,) = read(XIANGQI.formats["dhtmlxq"].write([record], "")).records  # type: ignore[misc]
    assert again.replay().to_text().split()[0] == record.final.split()[0]  # type: ignore[union-attr]
    assert own(again) == ["e9f9"]


# ---------------------------------------------------------------------- what cannot be read

START = XIANGQI.start().to_text()
XQF = xqf(["h2e2", "h9g7", "h0g2"], version=10)
BROKEN: list[tuple[str | bytes, int | None, str]] = [
    ("", None, "nothing to read"),
    ("   \n\n ", None, "nothing to read"),
    ("hello, how are you?", None, "neither a game nor a position"),
    ("今天天气真好", None, "neither a game nor a position"),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", None, "no format"),
    ("炮二平五 马8进7 炮五进三", 3, "cannot be played"),
    ("1. 炮二平五 马8进7\n2. 马二进三 车9平8\n3. 车一平三", 5, "cannot be played"),
    ("炮二平五 马8进7 马二近三", 3, "not a move that can be read"),
    ("1. 炮二乎五 马8进7", 1, "not a move that can be read"),
    ("炮二平五 炮8平5 炮五进四 士4进5 炮八平五 马8进7 前炮退十", 7, "not a move that can be read"),
    ("１．炮２平５　馬８進７　２．車１平３", 3, "cannot be played"),
    ("C2=5 H8+7 R1=3", 3, "cannot be played"),
    ("C2=5 H8+7 Q1=2", 3, "not a move that can be read"),
    ("h2e2 h9g7 h0h5", 3, "cannot be played"),
    ("h2e2 h9g7 z1z2", 3, "not a move that can be read"),
    ("position startpos moves h2e2 e2h2", 2, "cannot be played"),
    (f"position fen {START} moves h2e2 h9g7 i0i5", 3, "cannot be played"),
    ("position fen rnbakabnr/9/9 w moves h2e2", None, "looks like a position"),
    (START.replace("RNBAKABNR", "RNBAKABN"), None, "has 8 points"),
    (START.replace("/9/1c5c1", ""), None, "has 8 ranks"),
    (START.replace(" w ", " x "), None, "not a side to move"),
    (START.replace("RNBAKABNR", "RNBAQABNR"), None, "neither a piece"),
    (START.replace("RNBAKABNR", "RNBA1ABNR"), None, "no K on the board"),
    ('[Game "Chinese Chess"]\n[Red "Ada"]\n\n1. C2=5 H8+7 2. R1=3 *', 3, "cannot be played"),
    ('[Game "Chess"]\n\n1. e4 e5', None, "not of Chinese Chess"),
    ('[Game "Chinese Chess"]\n\n1. C2=5 (1. H2+3', None, "a ) is missing"),
    ("1. H2-E2 H9-G7 2. I0-I9 1-0", 3, "cannot be played"),
    ("[DhtmlXQ][DhtmlXQ_movelist]774770627767[/DhtmlXQ_movelist][/DhtmlXQ]", 3, "cannot be played"),
    ("[DhtmlXQ][DhtmlXQ_movelist]77477[/DhtmlXQ_movelist][/DhtmlXQ]", 2, "not a move"),
    ("[DhtmlXQ][DhtmlXQ_binit]12[/DhtmlXQ_binit][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", None, "32 pieces"),
    (XQF[:500], None, "header of 1024 bytes"),
    (XQF[:-6], 3, "ends in the middle"),
    (b"XQ\x40" + XQF[3:], None, "version 64"),
    (xqf(["h2e2", "h9g7", "h0h9"], version=18), 3, "cannot be played"),
    ("f5d6c3d3c4a1", 6, "cannot be played"),
    ("f5d6c3d3c4x9", 6, "not a move that can be read"),
    ("(;GM[Othello]B[f5]B[d6];)", 2, "White is to move"),
    ("(;GM[Chess]B[f5];)", None, "not of Othello"),
    ("暗炮二平五(马) 暗马８进７(炮) 暗马二进四(车)", 3, "cannot be played"),
    ('[Boyi "1"]\n\n1. h2e2', None, "which game"),
    ('[Boyi "1"]\n[Game "xiangqi"]\n\n1. h2e2 h9g7 a0a9', 3, "cannot be played"),
]


def test_there_are_thirty() -> None:
    assert len(BROKEN) >= 30
    assert len(FORMATS) >= 10


@pytest.mark.parametrize(("pasted", "number", "english"), BROKEN, ids=range(len(BROKEN)))
def test_what_is_broken_is_explained_in_both_languages(pasted: str | bytes, number: int | None, english: str) -> None:
    reading = read(pasted)
    assert reading.records == ()
    assert reading.problem is not None
    en, zh = reading.problem.en, reading.problem.zh
    assert english in en
    assert reading.number == number
    # Each in its own language whole, but for what it quotes.
    quoted = reading.text or "\0"
    assert not re.search("[\u4e00-\u9fff]", en.replace(quoted, "").replace("炮二平五", ""))
    assert re.search("[\u4e00-\u9fff]", zh)
    assert not re.search("[a-z]{3,} [a-z]{2,} [a-z]{2,}", zh)
    if number is not None:
        assert f"第 {number} 步" in zh
        assert re.search(rf"\b[Mm]ove {number}\b", en)


@pytest.mark.parametrize(("pasted", "number"), [(pasted, number) for pasted, number, said in BROKEN
                                               if number is not None and "ends in the middle" not in said])
def test_the_game_up_to_there_is_told(pasted: str | bytes, number: int) -> None:
    reading = read(pasted)
    assert reading.until is not None
    assert len(reading.until.entries) == number - 1
    position: Position = reading.until.replay()
    assert position.to_text() == reading.until.final
    assert reading.text


def test_the_likelier_game_explains_itself() -> None:
    for name in ("xiangqi", "jieqi"):
        reading = read("炮二乎五 马8进7", preferred=name)
        assert reading.until is not None
        assert reading.until.game.name == name


def test_a_long_paste_is_bounded() -> None:
    back_and_forth = "h0g2 h9g7 g2h0 g7h9 " * 2000
    reading = read(back_and_forth)
    assert reading.problem is not None
    assert reading.number is not None
    assert reading.number <= 4001


@pytest.mark.parametrize("hostile", [
    "(" * 190_000, "{" * 190_000, "fen " + " " * 190_000 + ".", "1. " * 60_000, "h2e2 " + "." * 190_000 + "x",
    "炮二平五 " + "(" * 150_000 + "x", "[DhtmlXQ_binit]" * 10_000, "\ufdfa" * 100_000])
def test_hostile_text_does_not_take_long(hostile: str) -> None:
    begun = time.process_time()
    assert read(hostile).problem is not None
    assert time.process_time() - begun < 20


def test_one_wrong_game_of_several_does_not_hide_the_others() -> None:
    good = XIANGQI.formats["pgn"].write([game("xiangqi1")], "wxf")  # type: ignore[misc]
    reading = read(good + b'\n[Game "Chinese Chess"]\n\n1. C2=5 R1=9 *\n' + good)
    assert len(reading.records) == 2
    assert reading.number == 2


def test_files_of_other_encodings(tmp_path: Path) -> None:
    text = "1. 炮二平五 马8进7"
    for encoding in ("gb18030", "utf-16", "utf-8-sig"):
        (found,) = read(text.encode(encoding), "game.txt").records
        assert own(found) == ["h2e2", "h9g7"]


def test_plain_text_is_read_by_its_name_too() -> None:
    record = game("xiangqi2")
    plain = XIANGQI.formats["text"]
    (found,) = plain.read(XIANGQI, plain.write([record], "chinese"))  # type: ignore[misc]
    assert own(found) == own(record)
    with pytest.raises(RecordError, match="cannot be played"):
        plain.read(XIANGQI, "炮二平五 车1平9".encode())


def test_nothing_is_played_twice() -> None:
    games = listed_games()
    before = [one.start().to_text() for one in games]
    read_loose("炮二平五 马8进7 车一平三", games)
    assert [one.start().to_text() for one in games] == before
