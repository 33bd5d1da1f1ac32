"""Xiangqi positions set up by hand."""

from boyi.core.setup import Setup, sides, write_rows

SETUP = Setup(
    write=lambda position, stones, fields: f"{write_rows(position.board, stones)} {fields['turn']} - - 0 1",
    fields=lambda position: (sides(position.board, "wb"),),
    read=lambda position: {"turn": position.to_text().split()[1]},
)
