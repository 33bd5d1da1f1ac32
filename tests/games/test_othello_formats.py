"""GGF, transcripts and WTHOR: round trips, the whole base, and bytes that must be refused in words."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boyi.core.errors import BoyiError, RecordError
from boyi.core.formats import RecordFormat
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.games import find_game
from boyi.games.othello.position import OthelloPosition
from tests.data import collection
from tests.scale import SOAK, scaled
from tests.walks import walk

OTHELLO = find_game("othello")
GGF, TRANSCRIPT, WTHOR = (OTHELLO.formats[name] for name in ("ggf", "transcript", "wthor"))


def random_record(seed: int, plies: int = 200, start: str | None = None) -> Record:
    return Record.from_position(walk(OTHELLO.parse(start) if start else OTHELLO.start(), plies, seed))


def ggf(*records: Record) -> bytes:
    assert GGF.write is not None
    return GGF.write(records, "own")


def transcripts(*records: Record) -> bytes:
    assert TRANSCRIPT.write is not None
    return TRANSCRIPT.write(records, "own")


def margin(position: Position) -> int:
    assert isinstance(position, OthelloPosition)
    return position.margin()


def with_passes() -> Record:
    return next(record for record in map(random_record, range(1000))
                if any(entry.text == "pass" for entry in record.entries))


# ---------------------------------------------------------------------- GGF

START = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
SMALL = ("(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[ada]PW[grace]RB[1800.1]RE[+64.000:r]TI[05:00//02:00]"
         f"TY[8]BO[{START}]B[F5/0.31/1:02.5]W[d6//3]B[c3/-2];)")


def test_ggf_is_read() -> None:
    (record,) = GGF.read(OTHELLO, SMALL.encode())
    assert [(entry.text, entry.evaluation, entry.took) for entry in record.entries] == [
        ("f5", 0.31, 62.5), ("d6", None, 3), ("c3", -2, None)]
    assert record.players == ("ada", "grace")
    assert (record.result, record.reason) == ((1, 2), "resignation")
    assert (record.date, record.event) == ("2003-12-15", "GGS/os")
    assert record.tags == {"BlackRating": "1800.1", "TimeControl": "05:00//02:00"}
    record.replay()


def test_ggf_of_several_games_and_a_count_before_them() -> None:
    small = SMALL.lower().replace("o*", "O*").replace("*o", "*O")
    assert len(GGF.read(OTHELLO, f"2 {SMALL}{SMALL}\n1 {small}\n".encode())) == 3


@given(st.integers(0, 10**6), st.integers(0, 70), st.integers(0, 30), st.text(max_size=10), st.booleans())
@settings(max_examples=scaled(1000), deadline=None)
def test_ggf_round_trip(seed: int, plies: int, before: int, name: str, noted: bool) -> None:
    begun = random_record(seed, before).replay()
    record = random_record(seed, plies, begun.to_text())
    record = replace(record, players=(name.strip(), "x"), event="a]b\\", date="2026-11-15")
    if noted:
        record = replace(record, entries=tuple(replace(entry, evaluation=i / 4, took=i / 8)
                                               for i, entry in enumerate(record.entries)))
    if record.result is None:
        record = replace(record, result=(2, 1), reason="time")
    (again,) = GGF.read(OTHELLO, ggf(record))
    assert again == record


def test_ggf_passes_may_be_left_out_or_added_after_the_end() -> None:
    record = with_passes()
    text = ggf(record).decode()
    assert "[PA]" in text
    assert GGF.read(OTHELLO, text.replace("B[PA]", "").replace("W[PA]", "").encode()) == [record]
    assert GGF.read(OTHELLO, text.replace(";)", "B[PA]W[PA];)").encode()) == [record]


@pytest.mark.parametrize(("text", "message"), [
    ("", "no game"), ("hello", "is not GGF"), ("(;GM[Othello]", "neither a property"),
    ("(;GM[Othello;)", "neither a property"),
    (SMALL + "x", "is not GGF"), (SMALL.replace("GM[Othello]", "GM[Chess]"), "a game of 'Chess'"),
    (SMALL.replace("TY[8]", "TY[10]"), "10 by 10"), (SMALL.replace("TY[8]", "TY[8a]"), "anti"),
    (SMALL.replace("BO[8 ", "BO[10 "), "is not a board"), (SMALL.replace("BO[8 -", "BO[8 x--"), "is not a board"),
    (SMALL.replace("BO[8 -", "BO[8 z"), "not an Othello board"),
    (SMALL.replace("d6", "a1"), r"record 1: move 2: 'a1' is not a legal move here; legal are f4, d6, f6"),
    (SMALL.replace("d6", "i9"), "move 2: 'i9' is not an Othello move"),
    (SMALL.replace("W[d6//3]", ""), "move 2: B.*White is to move"),
    (SMALL.replace("/0.31/", "/abc/"), "move 1: 'abc' is not an evaluation"),
    (SMALL.replace("//3]", "//x]"), "not a time"),
    (SMALL.replace("//3]", "//3/4]"), "nothing else"), (SMALL.replace("+64.000:r", "won"), "is not a result"),
    (ggf(random_record(1)).decode().replace("RE[+", "RE[~").replace("RE[-", "RE[+").replace("RE[~", "RE[-"),
     "RE.*but neither side can move"),
])
def test_ggf_that_is_refused(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        GGF.read(OTHELLO, text.encode())


# ---------------------------------------------------------------------- transcripts

def test_transcripts_leave_out_passes() -> None:
    records = [with_passes(), random_record(7)]
    text = transcripts(*records)
    assert b"pass" not in text
    assert TRANSCRIPT.read(OTHELLO, text) == records
    assert TRANSCRIPT.read(OTHELLO, text.upper().replace(b"F5", b"f5 ")) == records


@pytest.mark.parametrize(("data", "message"), [
    (b"", "empty"), (b"f5d6xx", "move 3: 'xx' does not begin with a point"),
    (b"f5f5", "move 2: 'f5' is not a legal move"),
    (b"f5\xff", "not text"), (b"f5d6\nf5d6a1", "record 2: move 3"), (b"--", "move 1"),
])
def test_transcripts_that_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        TRANSCRIPT.read(OTHELLO, data)


def test_a_transcript_cannot_begin_elsewhere() -> None:
    begun = random_record(1, 5).replay().to_text()
    with pytest.raises(RecordError, match="write GGF"):
        transcripts(random_record(1, 5, begun))


def test_opening_lists_are_transcripts() -> None:
    data = collection("othello/xot_openings.txt").read_bytes()
    if not SOAK:
        data = b"\n".join(data.splitlines()[::10])
    records = TRANSCRIPT.read(OTHELLO, data)
    assert all(len(record.entries) == 8 for record in records)
    assert len(records) > 1000


# ---------------------------------------------------------------------- WTHOR

def wthor(*records: Record, year: int = 1999, size: int = 8, games: int | None = None, kind: int = 0) -> bytes:
    data = struct.pack("<4BIHHBBBx", 20, 26, 11, 15, len(records) if games is None else games, 0, year, size, kind, 24)
    for number, record in enumerate(records):
        points = [entry.text for entry in record.entries if entry.text != "pass"]
        moves = bytes(10 * int(point[1]) + ord(point[0]) - 96 for point in points)
        discs = (margin(record.replay()) + 64) // 2
        data += struct.pack("<HHHBB60s", number, 1, 2, discs, 32, moves)
    return data


def test_wthor_is_read() -> None:
    records = [random_record(1), with_passes(), random_record(2, 20)]
    read = WTHOR.read(OTHELLO, wthor(*records))
    assert [record.entries for record in read] == [record.entries for record in records]
    assert read[0].result == records[0].result
    assert read[0].date == "1999"
    assert read[1].event == "WTHOR tournament 1"
    for record in read:
        assert record.replay().to_text() == record.final


def test_the_whole_base_replays() -> None:
    files = sorted(collection("othello/wthor").glob("*.wtb"))
    if not files:
        pytest.skip("no WTHOR files found; set BOYI_DATA to the folder that holds othello/wthor")
    games = 0
    for path in files:
        pieces = WTHOR.split(path.read_bytes())
        for piece in pieces if SOAK else pieces[::20]:
            WTHOR.read_one(OTHELLO, piece)         # replays, and compares the discs
            games += 1
    assert games == 137_548 if SOAK else games > 6000


GOOD = wthor(random_record(1), random_record(2))


def damaged(at: int, byte: int) -> bytes:
    return GOOD[:at] + bytes([byte]) + GOOD[at + 1:]


@pytest.mark.parametrize(("data", "message"), [
    (b"", "header of 16 bytes and this one has 0"), (GOOD[:15], "header of 16 bytes"),
    (GOOD[:-1], "promises 2 games, which is 152 bytes, and the file has 151"), (GOOD + b"x", "has 153"),
    (damaged(7, 255), "promises"), (damaged(12, 10), "10 by 10"), (damaged(13, 1), "solitaires"),
    (damaged(8, 1), "players"),
    (damaged(24, 11), "record 1: move 1: 'a1' is not a legal move here; legal are d3, c4, f5, e6"),
    (damaged(24, 99), "move 1: the byte 99 is not a point"), (damaged(25, 0), "move 2: the byte 0 is not a point"),
    (damaged(22, 65), "cannot have 65 discs"), (damaged(22, 63), "gives Black 63 discs but neither side can move"),
    (damaged(16 + 68 + 8 + 3, 250), "record 2: move 4: the byte 250"),
])
def test_wthor_that_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        WTHOR.read(OTHELLO, data)


# ---------------------------------------------------------------------- fuzz

GGF_BYTES = SMALL.encode()


@given(st.sampled_from([(GGF, GGF_BYTES), (TRANSCRIPT, b"f5d6c3d3c4f4f6f3"), (WTHOR, GOOD)]),
       st.lists(st.tuples(st.integers(0, 400), st.integers(0, 4), st.binary(max_size=4)), max_size=4),
       st.binary(max_size=40))
@settings(max_examples=scaled(5000), deadline=None)
def test_readers_refuse_in_words_only(case: tuple[RecordFormat, bytes], edits: list[tuple[int, int, bytes]],
                                      tail: bytes) -> None:
    reader, data = case
    for at, length, new in edits:
        data = data[:at] + new + data[at + length:]
    for one in (data, data + tail, tail):
        try:
            reader.recognises(one)
            records = reader.read(OTHELLO, one)
        except BoyiError:
            continue
        for record in records:
            record.replay()
