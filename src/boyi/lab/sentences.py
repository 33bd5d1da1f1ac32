"""Phrases that follow from numbers, in both languages. Each checks the error bars before it claims anything."""

from __future__ import annotations

import re
from collections.abc import Sequence

from boyi.core.words import Words
from boyi.lab.statistics import Verdict, judge
from boyi.lab.table import Row, number


def result(row: Row, one: Words, other: Words) -> Words:
    """Who wins a match: `one beats other with 63 % (55–71)`."""
    low, high = number(row, "low"), number(row, "high")
    score = f"{100 * number(row, 'score'):.0f} %"
    span = f"{100 * low:.0f}–{100 * high:.0f}"
    return {
        "more": Words(f"{one.en} beats {other.en} with {score} ({span})", f"{one.zh}以 {score}（{span}）胜{other.zh}"),
        "less": Words(f"{one.en} loses to {other.en} with {score} ({span})",
                      f"{one.zh}以 {score}（{span}）负于{other.zh}"),
        "open": Words(f"{one.en} and {other.en} cannot be told apart ({score}, {span})",
                      f"{one.zh}与{other.zh}难分高下（{score}，{span}）"),
    }[judge(low, high, 0.5)]


def share(row: Row, one: Words, field: Words) -> Words:
    """How many first places one takes among others: `one among others takes more than a fair share …`."""
    low, high = number(row, "low"), number(row, "high")
    times, span = f"{number(row, 'share'):.2f}", f"{low:.2f}–{high:.2f}"
    return {
        "more": Words(f"{one.en} among {field.en} takes more than a fair share of first places ({times} times, {span})",
                      f"{one.zh}独对{field.zh}，第一名多于均分（{times} 倍，{span}）"),
        "less": Words(f"{one.en} among {field.en} takes less than a fair share of first places ({times} times, {span})",
                      f"{one.zh}独对{field.zh}，第一名少于均分（{times} 倍，{span}）"),
        "open": Words(f"{one.en} among {field.en} takes about a fair share of first places ({times} times, {span})",
                      f"{one.zh}独对{field.zh}，第一名大致均分（{times} 倍，{span}）"),
    }[judge(low, high, 1.0)]


def ratio(row: Row, what: Words) -> Words:
    """A ratio of counts: `0.40 times the nodes (0.35–0.46)`, or that there is no significant difference."""
    low, high = number(row, "low"), number(row, "high")
    times, span = f"{number(row, 'ratio'):.2f}", f"{low:.2f}–{high:.2f}"
    if judge(low, high, 1.0) == "open":
        return Words(f"about as many {what.en} ({times} times, {span})", f"{what.zh}大致相当（{times} 倍，{span}）")
    return Words(f"{times} times the {what.en} ({span})", f"{times} 倍的{what.zh}（{span}）")


def gain(plies: float) -> Words:
    """A difference in depth."""
    if abs(plies) < 0.05:
        return Words("no deeper", "深度不变")
    return (Words(f"{plies:.1f} plies deeper", f"深 {plies:.1f} 层") if plies > 0 else
            Words(f"{-plies:.1f} plies less deep", f"浅 {-plies:.1f} 层"))


_SEAM = re.compile("(?<=[\u4e00-\u9fff])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9%])(?=[\u4e00-\u9fff])")
"""Where a Chinese character meets a Latin letter or a digit: a space is set there."""


def sentence(*parts: Words | str) -> Words:
    """Parts joined to a sentence; a plain string is the same in both languages."""
    def say(language: str) -> str:
        return "".join(part if isinstance(part, str) else getattr(part, language) for part in parts)
    english, chinese = say("en"), say("zh")
    return Words(english[:1].upper() + english[1:], _SEAM.sub(" ", chinese))


def listed(parts: Sequence[Words]) -> Words:
    """Phrases in a row."""
    return Words("; ".join(part.en for part in parts), "；".join(part.zh for part in parts))


def grouped(groups: Sequence[tuple[Words, Sequence[str]]]) -> Words:
    """Names under headings; a heading without names is left out.

    >>> grouped([(Words("better: ", "更强："), ["A", "B"]), (Words("worse: ", "更弱："), [])]).en
    'better: A, B'
    """
    return listed([Words(heading.en + ", ".join(names), heading.zh + "、".join(names))
                   for heading, names in groups if names])


def verdicts(rows: Sequence[Row], level: float = 0.5) -> dict[Verdict, list[Row]]:
    """Rows by what their error bars say."""
    found: dict[Verdict, list[Row]] = {"more": [], "less": [], "open": []}
    for row in rows:
        found[judge(number(row, "low"), number(row, "high"), level)].append(row)
    return found
