"""Openings as commands tell them: their names, and how often and how well a move was played."""

from __future__ import annotations

import dataclasses
from typing import Any

from boyi.agents.book import BookMove
from boyi.core.words import Language, Words
from boyi.study.openings import Named, Opening

OPENING = Words("Opening: {name}", "开局：{name}")


def say_opening(named: Named, language: Language) -> str:
    """A line with the opening of a game."""
    return OPENING.say(language).format(name=title(named.opening, language))


def title(opening: Opening, language: Language) -> str:
    """The code and the name of an opening."""
    return f"{opening.code} {opening.name.say(language)}".lstrip()


def counts(one: BookMove) -> dict[str, Any]:
    """How often and how well a move was played, as JSON has it."""
    return {"games": one.games, "wins": one.wins, "draws": one.draws, "losses": one.losses, "score": one.score,
            "value": one.value}


def opening_facts(named: Named | None) -> dict[str, Any] | None:
    """The opening of a game as JSON has it."""
    if named is None:
        return None
    return {"name": dataclasses.asdict(named.opening.name), "code": named.opening.code, "ply": named.ply}
