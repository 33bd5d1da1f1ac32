"""Chinese checkers 跳棋."""

from boyi.core.board import Board
from boyi.core.game import Game, Option, Options
from boyi.core.words import Words
from boyi.games.chinese_checkers.board import board
from boyi.games.chinese_checkers.encoder import ChineseCheckersEncoder
from boyi.games.chinese_checkers.evaluator import AncestorEvaluator, RaceEvaluator, TunedEvaluator
from boyi.games.chinese_checkers.finisher import ChineseCheckersFinisher
from boyi.games.chinese_checkers.net import ChineseCheckersNet
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from boyi.games.chinese_checkers.puzzles import PUZZLES
from boyi.games.chinese_checkers.setup import SETUP
from boyi.games.chinese_checkers.tally import tally


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
    unit=Words("steps", "步"),
    strongest="net",
    strongest_for_more="tuned",
    search_for_more="race_mcts",
    finisher=ChineseCheckersFinisher,
    finishes=True,
    encoder=lambda options: ChineseCheckersEncoder(int(options["players"])),
    setup=SETUP,
    tally=tally,
    puzzles=PUZZLES,
    order=50,
    options=(
        Option("players", 2, Words("How many play.", "几人对局。"), lowest=2, highest=6,
               title=Words("Players", "人数")),
        Option("pieces", 10, Words("10, or with two players 15: the corner and the row before it.",
                                   "10 枚；两人对局可用 15 枚，即角再加前面一行。"), lowest=10, highest=15,
               title=Words("Pieces each", "每人棋子")),
        Option("stay_home", False, Words("A piece in its goal corner may only move within it.",
                                         "进入目标角的棋子只能在角内移动。"),
               title=Words("Stay in the goal", "进角不出")),
        Option("long_hops", False, Words("Hop over a piece farther away, and land just as far behind it.",
                                         "可以隔空跳过远处一子，落在它后面同样远的孔。"),
               title=Words("Long hops", "等距跳")),
        Option("strict", False, Words("You finish only when the goal corner is full of your own pieces.",
                                      "目标角须全部由自己的棋子占满才算到达。"),
               title=Words("Own pieces only", "必须全是己方")),
        Option("turn_limit", 300, Words("After this many turns each the game ends as it stands.",
                                        "每人走满此步数，即按当前局面排名。"),
               lowest=1, highest=10_000, is_limit=True, title=Words("Turn limit", "步数上限")),
    ),
)
