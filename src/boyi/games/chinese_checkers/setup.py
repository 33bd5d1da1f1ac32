"""Positions of Chinese checkers set up by hand."""

from boyi.core.position import Position
from boyi.core.setup import Field, Setup, sides, write_rows
from boyi.core.words import Words
from boyi.games.chinese_checkers.board import SEATS


def _fields(position: Position) -> tuple[Field, ...]:
    return (sides(position.board, SEATS[position.players]),
            Field("finished", Words("Finished, in order", "已完成（按先后）")))


SETUP = Setup(
    write=lambda position, stones, fields: (
        f"{write_rows(position.board, stones)} {fields['turn']} {SEATS[position.players]} "
        f"{fields['finished'].strip() or '-'} 1"),
    fields=_fields,
    read=lambda position: dict(zip(("turn", "finished"), position.to_text().split()[1:4:2], strict=True)),
)
