"""Liuzhou qi 六洲棋."""

from boyi.core.game import Game, Option
from boyi.core.words import Words
from boyi.games.liuzhou.board import board
from boyi.games.liuzhou.encoder import LiuzhouEncoder
from boyi.games.liuzhou.evaluator import HandEvaluator
from boyi.games.liuzhou.levels import LEVELS
from boyi.games.liuzhou.net import LiuzhouNet
from boyi.games.liuzhou.position import LiuzhouPosition
from boyi.games.liuzhou.setup import SETUP

GAME = Game(
    name="liuzhou",
    title=Words("Liuzhou qi", "六洲棋"),
    position=LiuzhouPosition,
    board=lambda options: board(),
    module=__name__,
    options=(
        Option("rules", "document", Words("the written rules, or as the reference program plays",
                                          "按规则文档，或按参考程序"),
               choices=("document", "reference")),
        Option("threshold", 1, Words("a side with fewer stones than this is beaten", "少于此子数即判负"),
               lowest=1, highest=4),
        Option("shapes", "sum", Words("what one stone earns that completes several shapes: all together, or the best",
                                      "一子同成数形：累计，或只取最大"),
               choices=("sum", "maximum")),
        Option("action_limit", 144, Words("a draw after this many actions", "总步数达到此数判和"),
               lowest=1, highest=100_000, is_limit=True),
        Option("quiet_limit", 36, Words("a draw after this many actions in a row without a removal",
                                        "连续此步数无子被移除判和"),
               lowest=1, highest=100_000, is_limit=True),
    ),
    evaluators={"hand": HandEvaluator, "net": LiuzhouNet},
    strongest="net",
    encoder=lambda options: LiuzhouEncoder(),
    setup=SETUP,
    levels=LEVELS,
    order=30,
    presets={
        "rules": {
            "document": {"threshold": 1, "shapes": "sum"},
            "reference": {"threshold": 4, "shapes": "maximum"},
        },
    },
)
