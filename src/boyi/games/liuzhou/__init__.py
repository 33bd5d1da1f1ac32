"""Liuzhou qi 六洲棋."""

from boyi.core.game import Game, Option
from boyi.core.words import Words
from boyi.games.liuzhou.board import board
from boyi.games.liuzhou.encoder import LiuzhouEncoder
from boyi.games.liuzhou.evaluator import HandEvaluator
from boyi.games.liuzhou.net import LiuzhouNet
from boyi.games.liuzhou.position import LiuzhouPosition
from boyi.games.liuzhou.puzzles import PUZZLES
from boyi.games.liuzhou.setup import SETUP
from boyi.games.liuzhou.tally import tally

GAME = Game(
    name="liuzhou",
    title=Words("Liuzhou qi", "六洲棋"),
    position=LiuzhouPosition,
    board=lambda options: board(),
    module=__name__,
    options=(
        Option("rules", "document", Words("Which rules are played; it sets the two below.",
                                          "按哪种规则下；决定以下两项。"),
               choices=("document", "reference"), title=Words("Rule set", "规则版本"),
               titles=(Words("Written rules", "成文规则"), Words("Reference program", "参考程序")),
               meanings=(Words("As they stand on the rules page.", "与规则页相同。"),
                         Words("Fewer than four stones lose, and of several shapes only the best counts.",
                               "少于四子即负，同成数形只取最大。"))),
        Option("threshold", 1, Words("From the clearing on, a side with fewer stones than this has lost.",
                                     "自清子起，少于此子数即判负。"), lowest=1, highest=4,
               title=Words("Stones needed", "最少子数")),
        Option("shapes", "sum", Words("What one stone earns that completes several shapes.", "一子同成数形怎么算。"),
               choices=("sum", "maximum"), title=Words("Several shapes at once", "同成数形"),
               titles=(Words("All of them count", "累计"), Words("Only the best counts", "只取最大")),
               meanings=(Words("Two squares earn two stones, a square and a line three.", "双方得二，一方一线得三。"),
                         Words("Two stones if a line is among them, else one.", "有线计二，否则计一。"))),
        Option("action_limit", 144, Words("The game is drawn after this many actions.", "总步数达到此数判和。"),
               lowest=1, highest=100_000, is_limit=True, title=Words("Longest game", "总步数上限")),
        Option("quiet_limit", 36, Words("The game is drawn after this many actions in a row without a stone removed.",
                                        "连续此步数无子被移除判和。"),
               lowest=1, highest=100_000, is_limit=True, title=Words("Draw without captures", "无吃子判和")),
    ),
    evaluators={"hand": HandEvaluator, "net": LiuzhouNet},
    unit=Words("stones", "子"),
    strongest="net",
    encoder=lambda options: LiuzhouEncoder(),
    setup=SETUP,
    tally=tally,
    puzzles=PUZZLES,
    order=40,
    presets={
        "rules": {
            "document": {"threshold": 1, "shapes": "sum"},
            "reference": {"threshold": 4, "shapes": "maximum"},
        },
    },
)
