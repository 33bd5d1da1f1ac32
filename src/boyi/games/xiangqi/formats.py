"""How xiangqi players keep games: PGN, DhtmlXQ and plain text, read and written, and XQF, read."""

from __future__ import annotations

from boyi.core.formats import RecordFormat
from boyi.core.words import Words
from boyi.games.xiangqi.dhtmlxq import looks_like_dhtmlxq, read_dhtmlxq, split_dhtmlxq, write_dhtmlxq
from boyi.games.xiangqi.pgn import looks_like_pgn, read_pgn, split_pgn, write_pgn
from boyi.games.xiangqi.plain import plain_text
from boyi.games.xiangqi.xqf import looks_like_xqf, read_xqf, split_xqf

__all__ = ["FORMATS"]

FORMATS = {
    "pgn": RecordFormat(
        title=Words("xiangqi PGN", "象棋 PGN"), suffixes=(".pgn",), recognises=looks_like_pgn, split=split_pgn,
        read_one=read_pgn, write=write_pgn, notations=("iccs", "wxf", "chinese", "traditional")),
    "dhtmlxq": RecordFormat(
        title=Words("DhtmlXQ of dpxq.com", "东萍 DhtmlXQ"), suffixes=(".ubb",), recognises=looks_like_dhtmlxq,
        split=split_dhtmlxq, read_one=read_dhtmlxq, write=write_dhtmlxq),
    "xqf": RecordFormat(
        title=Words("XQF of XQStudio", "象棋演播室 XQF"), suffixes=(".xqf",), recognises=looks_like_xqf,
        split=split_xqf, read_one=read_xqf),
    "text": plain_text(("chinese", "traditional", "wxf", "iccs", "uci", "own")),
}
