"""Chinese checkers 跳棋."""

from boyi.core.board import Board
from boyi.core.game import Game, Option, Options
from boyi.core.words import Words
from boyi.games.chinese_checkers.board import board
from boyi.games.chinese_checkers.encoder import ChineseCheckersEncoder
from boyi.games.chinese_checkers.evaluator import AncestorEvaluator, RaceEvaluator, TunedEvaluator
from boyi.games.chinese_checkers.finisher import ChineseCheckersFinisher
from boyi.games.chinese_checkers.levels import LEVELS, LEVELS_FOR_MORE
from boyi.games.chinese_checkers.net import ChineseCheckersNet
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from boyi.games.chinese_checkers.setup import SETUP


def _board(options: Options) -> Board:
    return board(int(options["players"]), int(options["pieces"]))


GAME = Game(
    name="chinese_checkers",
    title=Words("Chinese checkers", "跳棋"),
    position=ChineseCheckersPosition,
    board=_board,
    module=__name__,
    evaluators={
        "race": RaceEvaluator, "ancestor": AncestorEvaluator, "tuned": TunedEvaluator,
        "ancestor_for_more": AncestorEvaluator,    # for the preset of that name
        "net": ChineseCheckersNet,
    },
    strongest="net",
    strongest_for_more="tuned",
    finisher=ChineseCheckersFinisher,
    finishes=True,
    encoder=lambda options: ChineseCheckersEncoder(int(options["players"])),
    setup=SETUP,
    levels=LEVELS,
    levels_for_more=LEVELS_FOR_MORE,
    order=10,
    options=(
        Option("players", 2, Words("how many play", "人数"), lowest=2, highest=6),
        Option("pieces", 10, Words("pieces per player: 10, or with two players 15",
                                   "每人棋子数：10枚，两人对局可用15枚"), lowest=10, highest=15),
        Option("stay_home", False, Words("a piece in its goal corner may only move within it",
                                         "进入目标角的棋子只能在角内移动")),
        Option("long_hops", False, Words("hop over a piece at any distance, into the mirror hole", "等距跳")),
        Option("strict", False, Words("the goal corner must be full of one's own pieces only",
                                      "目标角须全部由自己的棋子占满")),
        Option("turn_limit", 300, Words("turns per player after which the game ends as it stands",
                                        "每人的步数上限，走满即按当前局面排名"),
               lowest=1, highest=10_000, is_limit=True),
    ),
)
