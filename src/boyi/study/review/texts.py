"""What a review says to people, in both languages."""

from __future__ import annotations

from collections.abc import Mapping

from boyi.core.words import Language, Words
from boyi.study.review.findings import ReviewedMove, TurningPoint
from boyi.study.review.judgement import Judgement

JUDGEMENT_WORDS: Mapping[Judgement, Words] = {
    "best": Words("best", "最佳"), "good": Words("good", "好着"), "inaccuracy": Words("inaccuracy", "缓着"),
    "mistake": Words("mistake", "失误"), "blunder": Words("blunder", "漏着"), "forced": Words("forced", "唯一着法"),
}
MARKS: Mapping[Judgement, str] = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}

TITLE = Words("Game review", "复盘报告")
ACCURACY = Words("accuracy", "准确率")
LUCK = Words("luck", "运气")
PLAYER = Words("player", "棋手")
MOVE = Words("move", "着法")
ODDS = Words("odds", "胜率")
BETTER = Words("better", "更好的着法")
FOLLOWS = Words("what follows", "对方应对")
TURNING_POINTS = Words("Turning points", "转折点")
MISTAKES = Words("What was better", "更好的着法")
NO_MISTAKES = Words("No mistakes were found.", "没有发现失误。")
ALL_MOVES = Words("All moves", "全部着法")
ONLY_MOVE = Words("the only good move", "唯一好着")
LEFT_BOOK = Words("left the book at move {number}", "第 {number} 步脱谱")
SEARCHED = Words("each search: {effort}", "每次搜索：{effort}")
PLAYED = Words("Played: {move}", "实战：{move}")
COST = Words("{name} played {move}: winning chances -{percent} %", "{name}走 {move}，胜率损失 {percent}%")
GAVE = Words("{chance}: winning chances of {name} {percent:+d} %", "{chance}：{name}胜率 {percent:+d}%")
CURVE = Words("Odds of {name}", "{name}胜率")
CURVES = Words("Odds of each player", "各方胜率")


def say_turning_point(point: TurningPoint, move: ReviewedMove, name: str, language: Language) -> str:
    """A turning point as a sentence."""
    if point.by_chance and move.chance is not None:
        return GAVE.say(language).format(chance=move.chance.say(language), percent=round(100 * point.swing), name=name)
    return COST.say(language).format(name=name, move=move.text, percent=round(-100 * point.swing))
