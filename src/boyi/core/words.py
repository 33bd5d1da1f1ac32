"""A text in both languages of the house."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh"]


@dataclass(frozen=True)
class Words:
    """The same thing said in English and in Chinese.

    >>> Words("a draw", "和棋").say("zh")
    '和棋'
    """

    en: str
    zh: str

    def say(self, language: Language) -> str:
        return self.zh if language == "zh" else self.en

    def __str__(self) -> str:
        return self.en
