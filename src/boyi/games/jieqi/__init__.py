"""Jieqi 揭棋: xiangqi with covered pieces."""

from boyi.core.dialect import Dialect
from boyi.core.game import Game, Option
from boyi.core.words import Words
from boyi.games.jieqi.board import board
from boyi.games.jieqi.draws import DRAWS
from boyi.games.jieqi.encoder import JieqiEncoder
from boyi.games.jieqi.evaluator import Hand, It2, Iterative
from boyi.games.jieqi.fen import owns_text
from boyi.games.jieqi.net import JieqiNet
from boyi.games.jieqi.notation import NOTATIONS, WRITINGS
from boyi.games.jieqi.position import JieqiPosition
from boyi.games.jieqi.puzzles import PUZZLES
from boyi.games.jieqi.setup import SETUP
from boyi.games.jieqi.tally import tally
from boyi.games.xiangqi.notation import GUIDE
from boyi.games.xiangqi.plain import plain_text
from boyi.games.xiangqi.repetition_options import REPETITION

OPTIONS = (
    *REPETITION,
    Option("captures", "captor", Words("Who is shown a piece that was taken covered.", "吃掉的暗子给谁看。"),
           choices=("captor", "nobody", "both"), title=Words("Pieces taken covered", "吃掉的暗子"),
           titles=(Words("The captor sees them", "吃子方可看"), Words("Nobody sees them", "都不看"),
                   Words("Both sides see them", "双方都看")),
           meanings=(Words("The owner and the spectators learn what it was when the game is over.",
                           "对方和观众在终局后才知道。"),
                     Words("Everyone learns what it was when the game is over.", "终局后才公开。"),
                     Words("It is turned up before it leaves the board.", "吃掉时当场翻开。"))),
    Option("quiet_limit", 80, Words("The game is drawn after this many moves of both sides together without a capture "
                                    "or a reveal; 0 for never.", "双方合计连续多少步无吃子、无翻子判和；0 为不限。"),
           highest=10_000, is_limit=True, title=Words("Draw without captures", "自然限着")),
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
    unit=Words("pawns", "兵"),
    strongest="net",
    encoder=lambda options: JieqiEncoder(),
    notations=NOTATIONS,
    notation_guide=GUIDE,
    writings=WRITINGS,
    formats={"jieqi-text": plain_text(("chinese", "traditional", "wxf", "own"))},
    setup=SETUP,
    tally=tally,
    puzzles=PUZZLES,
    protocols={"uci": Dialect("jieqi")},
    quiet_plies_field=3,
    owns_text=owns_text,
    order=20,
)
