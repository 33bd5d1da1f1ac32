"""Jieqi 揭棋: xiangqi with covered pieces."""

from boyi.core.dialect import Dialect
from boyi.core.game import Game, Option
from boyi.core.words import Words
from boyi.games.jieqi.board import board
from boyi.games.jieqi.draws import DRAWS
from boyi.games.jieqi.encoder import JieqiEncoder
from boyi.games.jieqi.evaluator import Hand, It2, Iterative
from boyi.games.jieqi.fen import owns_text
from boyi.games.jieqi.levels import LEVELS
from boyi.games.jieqi.net import JieqiNet
from boyi.games.jieqi.position import JieqiPosition
from boyi.games.jieqi.setup import SETUP

OPTIONS = (
    Option("rules", "cxa", Words("how a threefold repetition is judged, as in xiangqi: Chinese rules, Asian rules, "
                                 "perpetual check only, or always a draw",
                                 "三次重复的判法（同象棋）：中国规则、亚洲规则、只禁长将、一律和棋"),
           choices=("cxa", "axf", "checks", "simple")),
    Option("mate_threats", False, Words("under cxa, a threat to mate counts as an attack", "中国规则下要杀是否算打")),
    Option("captures", "captor", Words("who is shown a piece that was taken covered",
                                       "吃掉的暗子给谁看：吃子方、都不看、双方"),
           choices=("captor", "nobody", "both")),
    Option("quiet_limit", 80, Words("plies without a capture or a reveal after which the game is drawn; 0 for no limit",
                                    "连续多少步无吃子、无翻子判和，0 为不限"), highest=10_000, is_limit=True),
)

GAME = Game(
    name="jieqi",
    title=Words("Jieqi", "揭棋"),
    position=JieqiPosition,
    board=lambda options: board(),
    module=__name__,
    has_chance=True,
    draws=DRAWS,
    options=OPTIONS,
    evaluators={"hand": Hand, "net": JieqiNet, "it2": It2, "iterative": Iterative},
    strongest="net",
    encoder=lambda options: JieqiEncoder(),
    setup=SETUP,
    levels=LEVELS,
    protocols={"uci": Dialect("jieqi")},
    quiet_plies_field=3,
    owns_text=owns_text,
    order=20,
)
