"""Xiangqi 象棋."""

from boyi.core.game import Game, Option
from boyi.core.words import Words
from boyi.games.xiangqi.board import board
from boyi.games.xiangqi.encoder import XiangqiEncoder
from boyi.games.xiangqi.evaluator import HandEvaluator
from boyi.games.xiangqi.formats import FORMATS
from boyi.games.xiangqi.net import XiangqiNet
from boyi.games.xiangqi.notation import GUIDE, NOTATIONS, WRITINGS
from boyi.games.xiangqi.position import XiangqiPosition
from boyi.games.xiangqi.protocols import PROTOCOLS
from boyi.games.xiangqi.puzzles import PUZZLES
from boyi.games.xiangqi.repetition_options import REPETITION
from boyi.games.xiangqi.setup import SETUP
from boyi.games.xiangqi.tally import tally

OPTIONS = (
    *REPETITION,
    Option("quiet_limit", 120, Words("The game is drawn after this many moves of both sides together without a "
                                     "capture; 0 for never.", "双方合计连续多少步无吃子判和；0 为不限。"),
           highest=10_000, is_limit=True, title=Words("Draw without captures", "自然限着")),
    Option("counted_checks", 10, Words("Of each side's checks, at most this many count towards that limit.",
                                       "自然限着中，每方将军最多计入几步。"), highest=255,
           title=Words("Checks that count", "将军计入步数")),
    Option("bare_material_draws", False, Words("The game is drawn when neither side has a piece that can cross the "
                                               "river.", "双方都没有能过河的子时判和。"),
           title=Words("Draw without attackers", "无进攻子力判和")),
)

GAME = Game(
    name="xiangqi",
    title=Words("Xiangqi", "象棋"),
    position=XiangqiPosition,
    board=lambda options: board(),
    module=__name__,
    options=OPTIONS,
    evaluators={"hand": HandEvaluator, "net": XiangqiNet},
    unit=Words("pawns", "兵"),
    strongest="net",
    encoder=lambda options: XiangqiEncoder(),
    notations=NOTATIONS,
    notation_guide=GUIDE,
    writings=WRITINGS,
    formats=FORMATS,
    setup=SETUP,
    tally=tally,
    puzzles=PUZZLES,
    protocols=PROTOCOLS,
    quiet_plies_field=4,
    order=10,
)
