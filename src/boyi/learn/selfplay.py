"""Games that a search plays against itself, to learn from.

A game begins with a few random moves, if wanted, goes on with moves sampled by their value for some plies (one of the
best, the better the likelier, as levels choose) and is then played out with the best move found. Its record says what
the search thought of each move. Games are numbered, and a number and the settings decide
everything about a game: a thousand games can be played in one go or in ten.
"""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from typing import Any

from boyi.agents.interruption import search
from boyi.agents.level import choose_line
from boyi.agents.searching import DEFAULT_SCALE, find_default, find_evaluator
from boyi.core.draws import sample_chance
from boyi.core.errors import OptionError
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.record import Record
from boyi.core.searcher import HUNDREDTHS, Limits

NAMES_IN_FILES = {"temperature": "looseness"}
"""Settings that books and statistics of version 0.1.0 call otherwise."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How games are played."""

    nodes: int = 5_000
    """Of the search for a move."""

    later_nodes: int | None = None
    """The same for moves after those that are sampled, which are played for the result only; None for as many."""

    random_plies: int = 0
    """The number of random moves that begin a game."""

    loose_plies: int = 16
    """The number of moves after them that are sampled."""

    temperature: float = 0.15
    """How much worse a move must be to be played e times less often: 1 is what turns even odds into 73 %."""

    lines: int = 4
    """Among how many moves one is sampled."""

    seed: int = 0
    evaluator: str | None = None
    """By its name in the game; None for the one that plays."""

    longest: int = 400
    """A game is broken off as a draw after this number of moves."""

    def __post_init__(self) -> None:
        for name, lowest in (("nodes", 1), ("later_nodes", 1), ("random_plies", 0), ("loose_plies", 0),
                             ("temperature", 0), ("lines", 1), ("longest", 1)):
            value = getattr(self, name)
            if value is not None and not value >= lowest:
                raise OptionError(f"{name} is {value} and must be at least {lowest}")


def play(start: Position, number: int, settings: Settings) -> Record:
    """One game from `start` to its end, as a record with evaluations."""
    position = start.copy()
    generator = random.Random(f"{settings.seed} game {number}")
    values = {} if settings.evaluator is None else {"evaluator": settings.evaluator}
    evaluator = find_evaluator(start.game, values)
    scale = DEFAULT_SCALE if evaluator is None else evaluator.scale
    searcher = find_default(start).make(start.game, values)   # a fresh one: what it remembers would tie games together
    notes: list[dict[str, object]] = []
    while position.turn != OVER and len(notes) < settings.longest:
        if position.turn == CHANCE:
            position.play(sample_chance(position, generator))
            continue
        legal = position.moves()
        if len(legal) == 1 or len(notes) < settings.random_plies:
            position.play(generator.choice(legal))
            notes.append({})
            continue
        sampled = len(notes) < settings.random_plies + settings.loose_plies
        limits = (Limits(nodes=settings.nodes, lines=settings.lines) if sampled else
                  Limits(nodes=settings.later_nodes or settings.nodes))
        result = search(searcher, position.observe(position.turn), limits)
        line = choose_line(result.lines, settings.temperature * scale if sampled else 0, generator)
        position.play(line.moves[0])
        notes.append({"evaluation": round(line.value / HUNDREDTHS, 2)})
    unfinished = position.outcome() is None
    return Record.from_position(
        position, event=f"self-play {settings.seed}/{number}", notes=notes,
        result=[1] * position.players if unfinished else None, reason="too_long" if unfinished else "")


def source(made: list[dict[str, Any]], settings: Settings, **facts: object) -> dict[str, Any]:
    """The entry for these games in a list of sources: an earlier one of the same settings, to go on with, or a new one.

    Its "games" is the number of games played, and so the number of the next one.
    """
    settings_in_file = {NAMES_IN_FILES.get(name, name): value for name, value in asdict(settings).items()}
    entry = {"source": "self-play", **facts, **settings_in_file}
    for known in made:
        if {name: value for name, value in known.items() if name != "games"} == entry:
            return known
    made.append({**entry, "games": 0})
    return made[-1]
