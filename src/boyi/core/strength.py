"""Strength as one number: the path from random moves to a full search, on which the levels of every game lie.

    0 to 1      the attentive search looks one turn ahead, from `TWO_TURNS` on two; attention grows, temperature falls
    1 and more  the game's own search; nodes double with every `DOUBLING`, the temperature falls to 0

A larger number plays better, nearly always; `boyi levels fit` finds the numbers between which a step is worth as much
as it should be. A game without an evaluator is searched by random games, which cost and tell more: it has fewer.
"""

from __future__ import annotations

from math import exp

from boyi.core.level import Level

__all__ = ["FULL", "SEARCH", "default_ladder", "level_at"]

SEARCH = 1.0
"""Where the game's own search begins."""

TWO_TURNS = 0.5
DOUBLING = 0.12
FIRST_NODES = 2_000
"""Of the game's own search. With fewer it would not come to value several moves, and so choose the best too often."""

FIRST_SIMULATIONS = 12
LEAST_ATTENTION = 1e-4
"""At strength 0; at 1 nothing is overlooked, and between them the logarithm is even."""

HIGHEST_TEMPERATURE, LAST_TEMPERATURE = 30.0, 0.3
"""Of the attentive search, at strength 0, where all noticed moves are alike, and at 1."""

CALMING = 0.06
"""The strength by which what the temperature has above its last value falls to 1/e. Short, so that most levels err
by what they overlook and not by what they choose."""

SEARCH_TEMPERATURE = 2.5
"""Of the game's own search where it begins. High, so that it is not much stronger there than the attentive search."""

COOLING = 0.5
"""The strength beyond 1 at which the best move is played."""

ATTENTIVE_NODES = 10_000
"""A bound for positions with hundreds of moves; usually a few hundred nodes are searched."""

ALL_LINES = 200
"""All moves that the attentive search notices."""

SEARCH_LINES = 16
"""Moves that the game's own search values where it begins; fewer as the temperature falls, for each costs nodes. With
8 the first search of Chinese checkers won all games against the attentive search, with 16 two of three."""

FULL = Level(0)
"""The highest level of every ladder."""


def level_at(strength: float, *, evaluator: str | None, searches: bool) -> Level:
    """The level at a strength above 0.

    `evaluator` is the one that low levels ask; None without any. `searches`: does the game's own search compare static
    values, and not random games?

    >>> low = level_at(0.5, evaluator="hand", searches=True)
    >>> low.attention, low.depth, low.temperature
    (0.01, 2, 0.307)
    >>> high = level_at(1.6, evaluator="hand", searches=True)
    >>> high.nodes, high.temperature
    (64000, 0.0)
    """
    if strength < SEARCH:
        part = max(strength, 0.0)
        return Level(ATTENTIVE_NODES, ALL_LINES,
                     round(LAST_TEMPERATURE + HIGHEST_TEMPERATURE * exp(-part / CALMING), 3),
                     evaluator=evaluator, attention=float(f"{min(LEAST_ATTENTION ** (1 - part), 0.9999):.3g}"),
                     depth=1 if part < TWO_TURNS else 2)
    beyond = strength - SEARCH
    nodes = (FIRST_NODES if searches else FIRST_SIMULATIONS) * 2 ** (beyond / DOUBLING)
    temperature = round(SEARCH_TEMPERATURE * max(0.0, 1 - beyond / COOLING) ** 2, 3)
    lines = 1 + round((SEARCH_LINES - 1) * (temperature / SEARCH_TEMPERATURE) ** 0.5)
    return Level(round(nodes), lines, temperature if lines > 1 else 0.0)


def default_ladder(*, evaluator: str | None, searches: bool) -> tuple[Level, ...]:
    """Ten levels for a game whose ladder was not fitted."""
    strengths = (0.12, 0.25, 0.5, 0.75, 0.9, 1.0, 1.15, 1.3, 1.45)
    return (*(level_at(strength, evaluator=evaluator, searches=searches) for strength in strengths), FULL)
