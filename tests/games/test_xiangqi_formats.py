"""Xiangqi PGN and XQF: round trips, files as they come, and bytes that must be refused in words."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boyi.core.errors import BoyiError, RecordError
from boyi.core.formats import RecordFormat
from boyi.core.record import Record
from boyi.games import find_game
from tests.scale import scaled
from tests.walks import walk

XIANGQI = find_game("xiangqi")
PGN, XQF = XIANGQI.formats["pgn"], XIANGQI.formats["xqf"]


def random_record(seed: int, plies: int = 60, start: str | None = None) -> Record:
    return Record.from_position(walk(XIANGQI.parse(start) if start else XIANGQI.start(), plies, seed))


def pgn(*records: Record, notation: str = "iccs") -> bytes:
    assert PGN.write is not None
    return PGN.write(records, notation)


def texts(record: Record) -> list[str]:
    return [entry.text for entry in record.entries]


# ---------------------------------------------------------------------- PGN

OPENING = ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7"]
FILE = """{ three games }
[Game "Chinese Chess"]
[Event "?"]
[Site "杭州"]
[Date "1999.12.??"]
[Red "胡荣华"]
[Black "柳\\"大\\"华"]
[Result "1-0"]
[Rules "x"]

  1. 炮二平五 马8进7   {还架中炮？} 2. 马二进三 ( 2. 兵七进一 {a) (b} 车9平8 (2... 卒7进1) ) 车９平８!
  ; a comment to the end of the line
  3. 車一平二 $1 3... 馬２進３ 1-0

[Game "Chinese Chess"]
[Format "WXF"]
[Result "*"]
1.C2.5 H8+7 2. H2+3 R9=8 3. R1=2 N2+3
*
[Event "third"]
[Format "ICCS"]
1. H2-E2 H9-G7
2. H0-G2 I9-H9
3. i0h0 b9c7
"""


def test_pgn_as_it_comes() -> None:
    first, second, third = PGN.read(XIANGQI, FILE.encode())
    for record in (first, second, third):
        assert texts(record) == OPENING
        assert Record.parse(record.to_text(), find_game).replay().to_text() == record.final
    assert first.players == ("胡荣华", '柳"大"华')
    assert (first.result, first.date, first.event) == ((1, 2), "1999-12", "")
    assert first.tags == {"Site": "杭州", "Pgn.Rules": "x"}
    assert first.comment == "three games"
    assert first.entries[1].comment == "还架中炮？"
    assert second.result is third.result is None
    assert third.event == "third"
    assert PGN.recognises(FILE[FILE.index("["):].encode("gb18030"))
    assert PGN.read(XIANGQI, FILE.encode("gb18030")) == [first, second, third]


@pytest.mark.parametrize("notation", PGN.notations)
def test_pgn_round_trip_in_every_notation(notation: str) -> None:
    records = [replace(random_record(seed, 120), players=("红", "黑"), event="A \"b\" \\", date="2026-11-15",
                       tags={"Site": "x"}, comment="first") for seed in range(scaled(200))]
    records.append(random_record(3, 30, records[0].replay(51).to_text()))
    records.append(replace(random_record(4, 10), result=(2, 1), reason="resignation", date="2026"))
    records = [replace(record, entries=tuple(
        replace(entry, clock=600.5 - i, took=i / 4, evaluation=i / 8 - 2, comment="good" if i % 3 else "")
        for i, entry in enumerate(record.entries))) if number % 2 else record for number, record in enumerate(records)]
    data = pgn(*records, notation=notation)
    assert max(map(len, data.decode().splitlines())) < 120
    assert PGN.read(XIANGQI, data) == records


def test_pgn_keeps_rule_options() -> None:
    position = XIANGQI.start(rules="axf", quiet_limit=0)
    position.play("h2e2")
    record = Record.from_position(position)
    assert PGN.read(XIANGQI, pgn(record)) == [record]


HEAD = '[Game "Chinese Chess"]\n'


@pytest.mark.parametrize(("text", "message"), [
    ("", "no game"), ("{only a comment}", "no game"), ('[Game "Chess"]\n1. C2=5', "a game of 'Chess'"),
    (HEAD + "1. C2=5 e5", r"record 1: move 2: 'e5' is not a move in ICCS \(H2-E2\), WXF"),
    (HEAD + "1. C2=5 C2=5 2. C2=5", r"move 3: 'C2=5' is not a legal move here; legal are "),
    (HEAD + "1. 炮二平五 炮二平五 2. 炮二平五", "move 3: '炮二平五' is not a legal move here; legal are 帅五进一"),
    (HEAD + "1. H2-E9", "move 1: 'H2-E9' is not a legal move here; legal are E0-E1"),
    (HEAD + "1. C2=5 (2. C2=5", r"\) is missing"), (HEAD + "1. C2=5 ) C2=5", r"\) too many"),
    (HEAD + "1. C2=5 {open", "line 2: .* is neither a tag"), (HEAD + "[x", "neither a tag"),
    (HEAD + "1. C2=5 ]", "neither a tag"),
    (HEAD + '[FEN "nonsense"]\n*', "cannot begin: 'nonsense' is not a xiangqi position"),
    (HEAD + '[BoyiOptions "colour=red"]\n*', "cannot begin: .*option"),
    (HEAD + '[Result "2-0"]\n*', "'2-0' is not a result"),
    (HEAD + '[Result "1-0"]\n1. C2=5 0-1', "result as 1-0 and the moves end with 0-1"),
    (HEAD + "1. C2=5 {[%clk abc]}", "move 1: 'abc' is not a time"), (FILE.replace("b9c7", "b9b8"), "record 3: move 6"),
])
def test_pgn_that_is_refused(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        PGN.read(XIANGQI, text.encode())


def test_pgn_result_that_the_board_contradicts() -> None:
    mated = '[FEN "3k5/R8/9/9/9/9/9/9/9/1R2K4 w"]\n[Result "{}"]\n1. B0-B9 *'
    assert PGN.read(XIANGQI, (HEAD + mated.format("1-0")).encode())[0].reason == "checkmate"
    with pytest.raises(RecordError, match="given as 0-1 but checkmate: Black has lost"):
        PGN.read(XIANGQI, (HEAD + mated.format("0-1")).encode())


# ---------------------------------------------------------------------- XQF

ORDER = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
USUAL = [0, 10, 20, 30, 40, 50, 60, 70, 80, 12, 72, 3, 23, 43, 63, 83,
         9, 19, 29, 39, 49, 59, 69, 79, 89, 17, 77, 6, 26, 46, 66, 86]


def xqf(moves: list[str], *, version: int = 18, comments: dict[int, str] | None = None, places: list[int] | None = None,
        result: int = 0, black_begins: bool = False, variation: bool = False, seed: int = 5) -> bytes:
    """A small encoder of our own: the inverse of what the format's description says."""
    generator = random.Random(seed)
    comments = comments or {}
    header = bytearray(1024)
    header[:3] = b"XQ" + bytes([version])
    pieces_key = origin_key = target_key = comment_key = 0
    stream = bytes(32)
    if version > 10:
        mask, *extra = (generator.randrange(256) for _ in range(5))
        pieces, origin, target = (generator.randrange(256) for _ in range(3))
        total = -(pieces + origin + target) % 256
        header[3] = mask
        header[8:16] = bytes([*extra, total, pieces, origin, target])
        pieces_key = (pieces ** 2 * 54 + 221) * pieces % 256
        origin_key = (origin ** 2 * 54 + 221) * pieces_key % 256
        target_key = (target ** 2 * 54 + 221) * origin_key % 256
        comment_key = (total * 256 + pieces) % 32000 + 767
        four = [(key & mask) | more for key, more in zip((total, pieces, origin, target), extra, strict=True)]
        stream = bytes(byte & four[i % 4] for i, byte in enumerate(b"[(C) Copyright Mr. Dong Shiwei.]"))
    shifted = [(place + pieces_key) % 256 for place in (places or USUAL)]
    for i in range(32):
        header[16 + i] = shifted[(i + pieces_key + 1) % 32] if version >= 12 else shifted[i]
    header[50], header[51] = black_begins, result
    for at, text in ((80, "标题"), (208, "全国赛"), (272, "1999.12"), (304, "胡荣华"), (320, "柳大华")):
        raw = text.encode("gb18030")
        header[at:at + 1 + len(raw)] = bytes([len(raw)]) + raw
    tree = b""
    for i in range(len(moves) + 1):
        text = moves[i - 1] if i else "a0a0"
        origin, target = (10 * (ord(text[j]) - 97) + int(text[j + 1]) for j in (0, 2))
        raw = comments.get(i, "").encode("gb18030")
        last, sibling = i == len(moves), variation and i == 1
        if version <= 10:
            flags = (0 if last else 0xF0) | (0x0F if sibling else 0)
        else:
            flags = (0 if last else 0x80) | (0x40 if sibling else 0) | (0x20 if raw else 0)
        tree += bytes([(origin + 24 + origin_key) % 256, (target + 32 + target_key) % 256, flags, 0])
        if version <= 10 or raw:
            tree += (len(raw) + comment_key).to_bytes(4, "little") + raw
    if variation:
        tree += bytes([24, 32, 0, 0]) + (bytes(4) if version <= 10 else b"")
    return bytes(header) + bytes((byte + stream[i % 32]) % 256 for i, byte in enumerate(tree))


@pytest.mark.parametrize("version", [1, 10, 11, 12, 15, 18])
@pytest.mark.parametrize("seed", range(5))
def test_xqf_of_every_version(version: int, seed: int) -> None:
    record = random_record(seed, 40)
    data = xqf(texts(record), version=version, comments={0: "开局", 3: "好棋！\r\n妙"}, variation=True, result=1,
               seed=seed)
    assert XQF.recognises(data)
    (read,) = XQF.read(XIANGQI, data)
    assert texts(read) == texts(record)
    assert read.start is None
    assert read.comment == "开局"
    assert read.entries[2].comment == "好棋！\n妙"
    assert read.players == ("胡荣华", "柳大华")
    assert (read.result, read.event, read.date, read.tags) == ((1, 2), "全国赛", "1999.12", {"Title": "标题"})
    read.replay()


@pytest.mark.parametrize("version", [10, 18])
@pytest.mark.parametrize("told", [False, True])
def test_xqf_of_an_endgame_in_which_black_begins(version: int, told: bool) -> None:
    places = [255] * 32
    places[4], places[0], places[20], places[31] = 40, 0, 39, 14
    (read,) = XQF.read(XIANGQI, xqf(["b4b3", "a0a9"], version=version, places=places, black_begins=told))
    assert read.start == "3k5/9/9/9/9/1p7/9/9/9/R3K4 b - - 0 1"
    assert texts(read) == ["b4b3", "a0a9"]
    (empty,) = XQF.read(XIANGQI, xqf([], version=version, places=places, black_begins=told))
    assert empty.replay().turn == told


GOOD = xqf(OPENING, version=18, comments={2: "注"})
PLAIN = xqf(OPENING, version=10)


def damaged(data: bytes, at: int, byte: int) -> bytes:
    return data[:at] + bytes([byte]) + data[at + 1:]


@pytest.mark.parametrize(("data", "message"), [
    (b"", "no XQF file"), (b"PK" + GOOD[2:], "no XQF file"),
    (GOOD[:1000], "header of 1024 bytes and this one has 1000"),
    (damaged(GOOD, 2, 19), "version 19 of XQF; Boyi reads it up to version 18"),
    (damaged(GOOD, 13, GOOD[13] ^ 1), "do not add up"),
    (GOOD[:1024], "ends in the middle of move 0"), (GOOD[:-1], "ends in the middle of move 6"),
    (damaged(PLAIN, 1024 + 4 + 3, 255), "ends in the middle"), (PLAIN[:-7], "ends in the middle of move 6"),
    (damaged(PLAIN, 1024 + 8, 24 + 95), "move 1: 95 is not a point"),
    (damaged(PLAIN, 1024 + 9, 32 + 88), "move 1: 'h2i8' is not a legal move here; legal are "),
    (damaged(PLAIN, 16, 10), "two pieces stand on b0"), (damaged(PLAIN, 20, 255), "cannot begin: there is no K"),
    (damaged(PLAIN, 19, 88), "cannot begin: A on i8 is outside"),
    (damaged(PLAIN, 1024 + 7, 255), "ends in the middle"),
    (xqf(["a0a1"], version=18, comments={1: "x"})[:-5], "ends in the middle of move 1"),
])
def test_xqf_that_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        XQF.read(XIANGQI, data)


@given(st.sampled_from([(PGN, FILE.encode()), (XQF, GOOD), (XQF, PLAIN)]),
       st.lists(st.tuples(st.floats(0, 1), st.integers(0, 4), st.binary(max_size=4) | st.sampled_from(
           [b"{", b"}", b"(", b")", b"[", b'"', "炮".encode(), b"C2=5", b"1-0"])), max_size=4), st.binary(max_size=40))
@settings(max_examples=scaled(3000), deadline=None)
def test_readers_refuse_in_words_only(case: tuple[RecordFormat, bytes], edits: list[tuple[float, int, bytes]],
                                      tail: bytes) -> None:
    reader, data = case
    for where, length, new in edits:
        at = int(where * len(data))
        data = data[:at] + new + data[at + length:]
    for one in (data, data + tail, tail):
        try:
            reader.recognises(one)
            records = reader.read(XIANGQI, one)
        except BoyiError:
            continue
        for record in records:
            assert Record.parse(record.to_text(), find_game) == record
            record.replay()
