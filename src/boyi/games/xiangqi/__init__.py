"""Xiangqi 象棋."""

from boyi.core.game import Game, Option
from boyi.core.words import Words
from boyi.games.xiangqi.board import board
from boyi.games.xiangqi.encoder import XiangqiEncoder
from boyi.games.xiangqi.evaluator import HandEvaluator
from boyi.games.xiangqi.formats import FORMATS
from boyi.games.xiangqi.levels import LEVELS
from boyi.games.xiangqi.net import XiangqiNet
from boyi.games.xiangqi.notation import NOTATIONS
from boyi.games.xiangqi.position import XiangqiPosition
from boyi.games.xiangqi.protocols import PROTOCOLS
from boyi.games.xiangqi.setup import SETUP

OPTIONS = (
    Option("rules", "cxa", Words("how a threefold repetition is judged: Chinese rules, Asian rules, perpetual check "
                                 "only, or always a draw", "三次重复的判法：中国规则、亚洲规则、只禁长将、一律和棋"),
           choices=("cxa", "axf", "checks", "simple")),
    Option("mate_threats", False, Words("under cxa, a threat to mate counts as an attack", "中国规则下要杀是否算打")),
    Option("quiet_limit", 120, Words("plies without a capture after which the game is drawn; 0 for no limit",
                                     "自然限着：连续多少步无吃子判和，0 为不限"), highest=10_000, is_limit=True),
    Option("counted_checks", 10, Words("how many checks of each side count towards that limit",
                                       "自然限着中每方将军最多计几步"), highest=255),
    Option("bare_material_draws", False, Words("a draw when neither side has a piece that can cross the river",
                                               "双方均无过河子力时判和")),
)

GAME = Game(
    name="xiangqi",
    title=Words("Xiangqi", "象棋"),
    position=XiangqiPosition,
    board=lambda options: board(),
    module=__name__,
    options=OPTIONS,
    evaluators={"hand": HandEvaluator, "net": XiangqiNet},
    strongest="net",
    encoder=lambda options: XiangqiEncoder(),
    notations=NOTATIONS,
    formats=FORMATS,
    setup=SETUP,
    levels=LEVELS,
    protocols=PROTOCOLS,
    quiet_plies_field=4,
    order=60,
)
