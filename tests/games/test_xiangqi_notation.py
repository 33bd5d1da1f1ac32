"""Xiangqi notations: hard cases by hand, round trips of every legal move, and pyffish as a second opinion on WXF."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boyi.core.errors import BoyiError, IllegalMoveError, TextError
from boyi.core.game import Notation
from boyi.core.position import Position
from boyi.games import find_game
from tests.scale import scaled

XIANGQI = find_game("xiangqi")
UCI, ICCS, WXF, CHINESE, TRADITIONAL = (
    XIANGQI.notations[name] for name in ("uci", "iccs", "wxf", "chinese", "traditional"))
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"

RED_3 = "4k4/9/4P4/4P4/4P4/9/9/9/9/3K5 w"
RED_4 = "3k5/9/4P4/4P4/4P4/4P4/9/9/9/5K3 w"
RED_5 = "2P2k3/2P6/2P6/2P6/2P6/9/9/9/9/3K5 w"
RED_22 = "3k5/9/2P1P4/2P1P4/9/9/9/9/9/5K3 w"
RED_23 = "3k5/9/2P1P4/2P1P4/4P4/9/9/9/9/5K3 w"
BLACK_22 = "5k3/9/9/9/9/9/2p1p4/2p1p4/9/3K5 b"
ADVISORS = "5k3/9/9/9/9/2B6/9/3A5/9/2BAK4 w"
ROOKS = "3k5/9/9/9/9/2R6/9/2R6/9/4K4 w"
HORSES = "3k5/9/9/9/9/2N6/9/2N6/9/4K4 w"

# position, our move, and how it is written: WXF, Chinese, Chinese with the old characters
WRITTEN = [
    (START + " w", "h2e2", "C2=5", "炮二平五", "炮二平五"),
    (START + " w", "b0c2", "H8+7", "马八进七", "傌八進七"),
    (START + " w", "a0a2", "R9+2", "车九进二", "俥九進二"),
    (START + " w", "g0e2", "E3+5", "相三进五", "相三進五"),
    (START + " w", "d0e1", "A6+5", "仕六进五", "仕六進五"),
    (START + " w", "e0e1", "K5+1", "帅五进一", "帥五進一"),
    (START + " w", "c3c4", "P7+1", "兵七进一", "兵七進一"),
    (START + " w", "b2b9", "C8+7", "炮八进七", "炮八進七"),
    (START + " b", "h7e7", "C8=5", "炮８平５", "砲８平５"),
    (START + " b", "b9c7", "H2+3", "马２进３", "馬２進３"),
    (START + " b", "c9e7", "E3+5", "象３进５", "象３進５"),
    (START + " b", "f9e8", "A6+5", "士６进５", "士６進５"),
    (START + " b", "i9i8", "R9+1", "车９进１", "車９進１"),
    (START + " b", "e9e8", "K5+1", "将５进１", "將５進１"),
    (START + " b", "a6a5", "P1+1", "卒１进１", "卒１進１"),
    # two of a kind on one file
    (ROOKS, "c4d4", "R+=6", "前车平六", "前俥平六"),
    (ROOKS, "c2d2", "R-=6", "后车平六", "後俥平六"),
    (ROOKS, "c4c9", "R++5", "前车进五", "前俥進五"),
    (ROOKS, "c4c3", "R+-1", "前车退一", "前俥退一"),
    (ROOKS, "c2c0", "R--2", "后车退二", "後俥退二"),
    (HORSES, "c4e5", "H++5", "前马进五", "前傌進五"),
    (HORSES, "c2e3", "H-+5", "后马进五", "後傌進五"),
    # advisors and elephants go by the file
    (ADVISORS, "d2e1", "A6-5", "仕六退五", "仕六退五"),
    (ADVISORS, "d0e1", "A6+5", "仕六进五", "仕六進五"),
    (ADVISORS, "c4e2", "E7-5", "相七退五", "相七退五"),
    (ADVISORS, "c0e2", "E7+5", "相七进五", "相七進五"),
    # two pawns on a file
    ("3k5/9/4P4/4P4/9/9/9/9/9/5K3 w", "e7d7", "P+=6", "前兵平六", "前兵平六"),
    ("3k5/9/4P4/4P4/9/9/9/9/9/5K3 w", "e6d6", "P-=6", "后兵平六", "後兵平六"),
    # three
    (RED_3, "e7e8", "15+1", "前兵进一", "前兵進一"),
    (RED_3, "e6d6", "25=6", "中兵平六", "中兵平六"),
    (RED_3, "e5f5", "35=4", "后兵平四", "後兵平四"),
    # four and five
    (RED_4, "e7d7", "15=6", "一兵平六", "一兵平六"),
    (RED_4, "e5d5", "35=6", "三兵平六", "三兵平六"),
    (RED_5, "c9d9", "17=6", "一兵平六", "一兵平六"),
    (RED_5, "c6b6", "47=8", "四兵平八", "四兵平八"),
    # two files with two pawns each: from the right, and from the front
    (RED_22, "e7f7", "15=4", "一兵平四", "一兵平四"),
    (RED_22, "e6f6", "25=4", "二兵平四", "二兵平四"),
    (RED_22, "c7b7", "17=8", "三兵平八", "三兵平八"),
    (RED_22, "c6b6", "27=8", "四兵平八", "四兵平八"),
    (RED_23, "e5f5", "35=4", "三兵平四", "三兵平四"),
    (RED_23, "c6b6", "27=8", "五兵平八", "五兵平八"),
    (BLACK_22, "c2b2", "13=2", "一卒平２", "一卒平２"),
    (BLACK_22, "c3b3", "23=2", "二卒平２", "二卒平２"),
    (BLACK_22, "e2f2", "15=6", "三卒平６", "三卒平６"),
    (BLACK_22, "e3f3", "25=6", "四卒平６", "四卒平６"),
]

# position, other spellings, our move
READ = [
    (START + " w", ["C2.5", "c2=5", "C2＝5", "炮2平5", "砲二平五", "包２平５", "H2E2", "h2-e2", " h2-e2 "], "h2e2"),
    (START + " w", ["N8+7", "n8+7"], "b0c2"), (START + " w", ["B3+5", "e3+5", "象三进五", "象3進5"], "g0e2"),
    (START + " w", ["士六进五", "仕6进5"], "d0e1"), (START + " w", ["将五进一", "將5進1", "帥五進一"], "e0e1"),
    (START + " w", ["俥九进二", "車9進2"], "a0a2"), (START + " w", ["卒七进一"], "c3c4"),
    (START + " b", ["炮8平5", "包八平五", "砲８平5"], "h7e7"), (START + " b", ["傌2进3", "馬二進三", "n2+3"], "b9c7"),
    (ROOKS, ["R+.6", "+R=6", "前車平6"], "c4d4"), (ROOKS, ["R7+5"], "c4c9"), (ROOKS, ["後车平六", "r-.6"], "c2d2"),
    (ADVISORS, ["A+-5", "A6-5", "前仕退五", "前士退5"], "d2e1"), (ADVISORS, ["A-+5", "后仕进五", "後士進五"], "d0e1"),
    (ADVISORS, ["E+-5", "前相退五"], "c4e2"), (ADVISORS, ["E-+5", "后象进5"], "c0e2"),
    # the federation's signs for three, four and five pawns on a file
    (RED_3, ["P+=4", "5+=4", "一兵平四", "前五平四"], "e7f7"),
    (RED_3, ["P5.4", "55.4", "二兵平四", "中五平四", "兵五平四"], "e6f6"),
    (RED_3, ["P-.4", "5-.4", "三兵平四", "后五平四", "後5平4"], "e5f5"),
    (RED_4, ["++.6", "前兵平六"], "e7d7"), (RED_4, ["P+.6"], "e6d6"), (RED_4, ["P-.6"], "e5d5"),
    (RED_5, ["++.6", "前兵平六"], "c9d9"), (RED_5, ["P+.6", "二兵平6"], "c8d8"), (RED_5, ["P7.6", "中兵平六"], "c7d7"),
    (RED_5, ["P-.6"], "c6d6"), (RED_5, ["--.6", "后兵平六"], "c5d5"),
    (RED_23, ["5+.4", "前五平四"], "e7f7"), (RED_23, ["5-.4", "后五平四"], "e5f5"), (RED_23, ["中五平四"], "e6f6"),
    (RED_23, ["7+.8", "前七平八", "前兵平八"], "c7b7"),
    ("3k5/9/4P4/4P4/9/9/9/9/9/5K3 w", ["15=6", "5+=6", "一兵平六", "P+.6"], "e7d7"),
]


@pytest.mark.parametrize(("text", "move", "wxf", "chinese", "traditional"), WRITTEN)
def test_moves_as_they_are_written(text: str, move: str, wxf: str, chinese: str, traditional: str) -> None:
    position = XIANGQI.parse(text)
    number = position.parse_move(move)
    assert WXF.format(position, number) == wxf
    assert CHINESE.format(position, number) == chinese
    assert TRADITIONAL.format(position, number) == traditional
    assert UCI.format(position, number) == f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"
    assert ICCS.format(position, number) == f"{move[:2]}-{move[2:]}".upper()
    for notation, written in ((WXF, wxf), (CHINESE, chinese), (CHINESE, traditional), (TRADITIONAL, chinese)):
        assert notation.parse(position, written) == number


@pytest.mark.parametrize(("text", "spellings", "move"), READ)
def test_other_spellings_are_read(text: str, spellings: list[str], move: str) -> None:
    position = XIANGQI.parse(text)
    for spelling in spellings:
        meant = []
        for notation in (WXF, CHINESE, ICCS):
            try:
                meant.append(position.format_move(notation.parse(position, spelling)))
            except TextError:
                continue
        assert meant == [move], spelling


@pytest.mark.parametrize(("notation", "text", "spelling", "message"), [
    (WXF, ROOKS, "R7=6", r"could be any of R\+=6, R-=6|could be any of R-=6, R\+=6"),
    (CHINESE, RED_22, "前兵平六", "could be any of 一兵平六, 三兵平六|could be any of 三兵平六, 一兵平六"),
    (WXF, RED_22, "P+=6", "could be any of"), (WXF, RED_4, "P5=6", "could be any of"),
    (WXF, START + " w", "C2+5", "not a legal move here; legal are K5\\+1, "),
    (CHINESE, START + " w", "炮二进五", "legal are 帅五进一, "), (WXF, START + " w", "C+=5", "not a legal"),
    (CHINESE, START + " w", "前炮平五", "not a legal"), (WXF, RED_3, "45=6", "not a legal"),
    (ICCS, START + " w", "A0-A9", "legal are E0-E1"), (UCI, START + " w", "a1a10", "legal are e1e2"),
    (WXF, START + " w", "P5=4", "not a legal move"), (CHINESE, START + " b", "炮二退二", "legal are 将５进１, "),
    (WXF, "3aka3/9/9/9/9/9/9/4p4/3p1p3/4K4 w", "K5+1", "the game is over"),
])
def test_well_formed_but_not_legal(notation: Notation, text: str, spelling: str, message: str) -> None:
    position = XIANGQI.parse(text)
    with pytest.raises(IllegalMoveError, match=message):
        notation.parse(position, spelling)


@pytest.mark.parametrize("notation", [UCI, ICCS, WXF, CHINESE, TRADITIONAL])
@pytest.mark.parametrize("text", [
    "", " ", "C", "C2=", "C2=55", "C0=5", "C2=0", "X2=5", "=C25", "炮", "炮二平", "炮二平五五", "炮十平五", "前前平五",
    "炮二二五", "龙二平五", "前", "h", "h2", "h2e", "h2e22", "j1a1", "a11a1", "a0a10", "٣٣", "\ud800", "\0\0\0\0",
    None, 5, b"C2=5", "C²=5", "炮②平⑤", "六兵平五"])
def test_malformed(notation: Notation, text: Any) -> None:
    with pytest.raises(TextError, match="is not a move written as"):
        notation.parse(XIANGQI.start(), text)


@given(st.text(alphabet="CRHNPEABK123456789+-=.炮车马兵卒相仕帅前中后一二三五平进退abcdefghi0", max_size=6))
@settings(max_examples=scaled(5000), deadline=None)
def test_readers_refuse_in_words_only(text: str) -> None:
    position = XIANGQI.start()
    for notation in XIANGQI.notations.values():
        try:
            assert position.is_legal(notation.parse(position, text))
        except BoyiError:
            continue


# ---------------------------------------------------------------------- every legal move

def crowded_position(generator: random.Random) -> Position | None:
    """Few files and many pawns: where notations get into trouble."""
    cells = {(4, 0): "K", (generator.choice([3, 5]), 9): "k"}
    files = generator.sample(range(9), generator.choice([1, 2, 2, 3]))
    for letter, most, ranks in (("P", 5, range(3, 10)), ("R", 2, range(10)), ("N", 2, range(10)), ("C", 2, range(10))):
        for colour in (letter, letter.lower()):
            for _ in range(generator.randint(most // 2, most)):
                rank = generator.choice(ranks)
                point = (generator.choice(files), rank if colour.isupper() else 9 - rank)
                cells.setdefault(point, colour)
    if generator.random() < 0.3:                      # where no game brings them, but a composer may
        advisors, elephants = [(3, 0), (3, 1), (3, 2)], [(2, rank) for rank in range(5)]
    else:
        advisors, elephants = [(3, 0), (3, 2), (5, 0), (5, 2), (4, 1)], [(2, 0), (2, 4), (6, 0), (6, 4), (4, 2)]
    for letter, points in (("A", advisors), ("B", elephants)):
        for file, rank in generator.sample(points, 2):
            cells.setdefault((file, rank), letter)
            cells.setdefault((file, 9 - rank), letter.lower())
    rows = ["".join(cells.get((file, rank), "1") for file in range(9)) for rank in range(9, -1, -1)]
    try:
        return XIANGQI.parse(f"{'/'.join(rows)} {generator.choice('wb')}")
    except TextError:
        return None                                   # the other side is in check


def positions(seed: int, count: int) -> Iterator[Position]:
    """Half from random games, half crowded."""
    generator = random.Random(seed)
    while count > 0:
        position = XIANGQI.start()
        for _ in range(150):
            moves = position.moves()
            if not moves:
                break
            position.play(generator.choice(moves))
            if generator.random() < 0.1:
                crowded = crowded_position(generator)
                yield position
                if crowded is not None and crowded.moves():
                    yield crowded
                count -= 2


@pytest.mark.parametrize("name", list(XIANGQI.notations))
def test_every_legal_move_has_a_text_of_its_own(name: str) -> None:
    notation = XIANGQI.notations[name]
    for position in positions(1, scaled(3000 if name in ("wxf", "chinese") else 1000)):
        moves = position.moves()
        texts = [notation.format(position, move) for move in moves]
        assert len(set(texts)) == len(moves), position.to_text()
        for move, text in zip(moves, texts, strict=True):
            assert notation.parse(position, text) == move, (position.to_text(), text)


def test_wxf_agrees_with_pyffish() -> None:
    """It does but for one custom: of two horses, rooks or cannons on a file pyffish leaves out the sign when only
    one of them can go there. The federation writes it all the same; we read both."""
    pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed; pip install 'boyi[dev]'")
    compared = differing = 0
    for position in positions(2, scaled(1000)):
        fen = position.to_text()
        for move in position.moves()[::5]:
            ours = WXF.format(position, move)
            theirs = pyffish.get_san("xiangqi", fen, UCI.format(position, move), False, pyffish.NOTATION_XIANGQI_WXF)
            assert WXF.parse(position, theirs) == move, (fen, ours, theirs)
            compared += 1
            if ours != theirs:
                differing += 1
                assert (ours[0], ours[2:]) == (theirs[0], theirs[2:]), (fen, ours, theirs)
                assert ours[0] in "RHCP", (fen, ours, theirs)
                assert ours[1] in "+-", (fen, ours, theirs)
                assert theirs[1].isdigit(), (fen, ours, theirs)
    assert compared > 500
    assert differing < compared / 5
