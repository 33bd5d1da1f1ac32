"""What a jieqi board looks like: xiangqi's, and pieces that lie face down."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from boyi.core.board import Board, Glyph
from boyi.core.words import Words
from boyi.games.xiangqi.board import SEAT_NAMES
from boyi.games.xiangqi.board import board as xiangqi_board


@cache
def board() -> Board:
    covered = {
        code: Glyph(code, seat, Words(f"covered {SEAT_NAMES[seat].en.lower()} piece", f"{SEAT_NAMES[seat].zh}暗子"),
                    style="covered")
        for seat, code in enumerate("Xx")
    }
    return replace(xiangqi_board(), glyphs={**xiangqi_board().glyphs, **covered})
