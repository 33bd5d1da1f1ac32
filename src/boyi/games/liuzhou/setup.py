"""Liuzhou positions set up by hand."""

from collections.abc import Mapping

from boyi.core.position import Position
from boyi.core.setup import Field, Setup, sides, write_rows
from boyi.core.words import Words

PHASES = (
    ("place", Words("place", "落子")), ("mark", Words("mark", "标记")), ("clear", Words("clear", "清除")),
    ("move", Words("move", "走子")), ("capture", Words("capture", "吃子")),
    ("forced", Words("remove, as nothing can move", "无子可走而拿")), ("counter", Words("remove in return", "回拿")),
)
EARNED = ("mark", "capture")
"""Phases in which a shape has earned a number of stones, which are still to be marked or captured."""


def _fields(position: Position) -> tuple[Field, ...]:
    return (sides(position.board, "bw"), Field("phase", Words("Phase", "阶段"), PHASES),
            Field("pending", Words("Still to mark or capture", "尚待标记或吃掉")))


def _write(position: Position, stones: Mapping[str, str], fields: Mapping[str, str]) -> str:
    phase, pending = fields["phase"], fields["pending"].strip()
    if phase not in EARNED:
        pending = "0"
    elif pending in ("", "0"):
        pending = "1"
    return f"{write_rows(position.board, stones)} {fields['turn']} {phase} {pending} 0 0"


SETUP = Setup(
    write=_write, fields=_fields,
    read=lambda position: dict(zip(("turn", "phase", "pending"), position.to_text().split()[1:4], strict=True)),
)
