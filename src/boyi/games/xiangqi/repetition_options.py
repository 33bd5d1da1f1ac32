"""What a table may agree on about repeated positions; jieqi judges them in the same way."""

from __future__ import annotations

from boyi.core.game import Option
from boyi.core.words import Words

REPETITION = (
    Option("rules", "cxa", Words("What happens when a position comes up for the third time.",
                                 "同一局面第三次出现时怎么判。"),
           choices=("cxa", "axf", "checks", "simple"), title=Words("Repetition", "重复局面"),
           titles=(Words("Chinese rules: perpetual attack loses", "中国规则：单方长打判负"),
                   Words("Asian rules: perpetual chase loses", "亚洲规则：长将、长捉判负"),
                   Words("Perpetual check loses", "只禁长将"), Words("Always a draw", "一律判和")),
           meanings=(Words("Checks and chases are attacks. A side that attacks with every move while the other does "
                           "not loses; if both do, it is a draw.",
                           "将军、捉子都算打。一方步步打、另一方不打，打的一方判负；双方都打判和。"),
                     Words("Checking with every move loses, and so does chasing one and the same piece. Mixtures are "
                           "draws.",
                           "长将判负，步步捉同一子也判负；一将一捉、轮捉数子判和。"),
                     Words("Every other repetition is a draw.", "其他重复一律判和。"),
                     Words("Even when one side checks with every move.", "长将也判和。"))),
    Option("mate_threats", False, Words("Under Chinese rules, threatening mate with every move is judged like a chase.",
                                        "中国规则下，步步叫杀与捉子同样看待。"),
           title=Words("Mate threats count as attacks", "叫杀算打")),
)
