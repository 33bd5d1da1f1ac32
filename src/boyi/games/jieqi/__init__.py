"""Jieqi 揭棋: xiangqi with covered pieces."""

from boyi.core.game import Game, Option
from boyi.core.words import Words
from boyi.games.jieqi.board import board
from boyi.games.jieqi.position import JieqiPosition
from boyi.games.xiangqi import OPTIONS as XIANGQI_OPTIONS

OPTIONS = (
    *(option for option in XIANGQI_OPTIONS if option.name in ("rules", "mate_threats")),
    Option("captures", "captor", Words("who is shown a piece that was taken covered",
                                       "吃掉的暗子给谁看：吃子方、都不看、双方"),
           choices=("captor", "nobody", "both")),
    Option("quiet_limit", 80, Words("plies without a capture or a reveal after which the game is drawn; 0 for no limit",
                                    "连续多少步无吃子、无翻子判和，0 为不限"), highest=10_000),
)

GAME = Game(
    name="jieqi",
    title=Words("Jieqi", "揭棋"),
    position=JieqiPosition,
    board=lambda options: board(),
    module=__name__,
    options=OPTIONS,
)
