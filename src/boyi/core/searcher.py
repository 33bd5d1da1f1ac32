"""What a search is asked and what it answers, whatever its algorithm."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from boyi.core.errors import IllegalMoveError, OptionError
from boyi.core.position import Position

HUNDREDTHS = 100
"""Values are in hundredths of the game's unit, `Game.unit`: of a pawn, a disc, a step."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """When to stop; what comes first decides. At least one must be given.

    >>> Limits(nodes=5000, lines=3).lines
    3
    >>> Limits()
    Traceback (most recent call last):
    boyi.core.errors.OptionError: a search needs a limit: seconds, nodes or depth
    """

    seconds: float | None = None
    soft_seconds: float | None = None
    """The aim within `seconds`, and no limit by itself: about then no new depth is begun, sooner if the best move is
    clear, later if the search is unsure of it (`agents.patience`). None for no aim: `seconds` are used up."""

    nodes: int | None = None
    """Positions visited. The only limit under which an answer can be repeated bit for bit."""

    depth: int | None = None
    """Plies; follow-up actions of the same turn may be free (see the searcher)."""

    lines: int = 1
    """How many best moves to value (MultiPV)."""

    def __post_init__(self) -> None:
        if self.seconds is None and self.nodes is None and self.depth is None:
            raise OptionError("a search needs a limit: seconds, nodes or depth")
        for name in ("seconds", "soft_seconds", "nodes", "depth", "lines"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise OptionError(f"the limit {name}={value} must be more than 0")


@dataclass(frozen=True)
class Line:
    """One root move, what it is worth and what is expected to follow.

    >>> Line(moves=(37,), value=150.0).value    # 1.5 units of the game
    150.0
    """

    moves: tuple[int, ...]
    """The move and its continuation, as numbers."""

    value: float
    """For the player to act at the root, in hundredths of the game's unit."""

    wins_in: int | None = None
    """Plies to a proven win (positive) or loss (negative) of the player to act."""

    visits: int | None = None
    """How often a tree search went there."""


@dataclass(frozen=True)
class Result:
    """The answer of a search.

    >>> result = Result((Line((37,), 150.0), Line((19,), -20.0)), depth=6, nodes=4000, seconds=0.1)
    >>> result.move, result.value
    (37, 150.0)
    """

    lines: tuple[Line, ...]
    """The best move first; as many as were asked for and exist, fewer only if there was no time for them.
    Where there are several, all were searched to the same depth."""

    depth: int
    """The last depth searched to its end."""

    nodes: int
    seconds: float
    statistics: Mapping[str, int] = field(default_factory=dict)
    """Counters of the algorithm: table hits, cut-offs, repetitions, ... One has a meaning for all of them:
    `best_move_nodes`, the part of `nodes` that was spent on the best root move."""

    @property
    def move(self) -> int:
        """The best move."""
        return self.lines[0].moves[0]

    @property
    def value(self) -> float:
        """Its value for the player to act."""
        return self.lines[0].value


class Searcher(Protocol):
    """Anything that looks for the best move.

    Searchers may have more to them, and are asked by `check_searcher`:

        check(position)    refuse, in words, a game in which the search would fail

    >>> import boyi
    >>> searcher: Searcher = boyi.MCTS(options=boyi.MCTSOptions(seed=1))
    >>> position = boyi.start("tic_tac_toe")
    >>> position.is_legal(searcher.search(position, Limits(nodes=50)).move)
    True
    """

    def search(self, position: Position, limits: Limits) -> Result:
        """Look for the best moves of a position in which a player acts; the position is left as it was."""
        ...

    def stop(self) -> None:
        """End a running search soon, from another thread; it answers with what it has."""
        ...


class DeepeningSearcher(Searcher, Protocol):
    """A searcher that goes depth by depth: it can tell of each, and keep to some of the first moves."""

    def search(self, position: Position, limits: Limits, on_depth: Callable[[Result], object] | None = None,
               only: Iterable[int] = ()) -> Result:
        """As ever; `on_depth` is called, in the thread that searches, with the result of every depth as it ends. It may
        call `stop`: then no other depth is begun.

        `only`, if not empty, are the moves to keep to.
        """
        ...


class Finisher(Protocol):
    """Plays the end of a game, which it can solve, in place of a search; a game makes it (`Game.finisher`)."""

    def finish(self, position: Position, limits: Limits) -> Result | None:
        """The best move, if it can be proven within a part of the limits; None where a search has to look."""
        ...

    def stop(self) -> None:
        """End a running finish() soon, from another thread."""
        ...


def check_searcher(searcher: Searcher, position: Position) -> None:
    """Refuse, with a `TextError`, a position of a game in which this searcher would fail."""
    check = getattr(searcher, "check", None)
    if check is not None:
        check(position)


def check_legal(position: Position, moves: Iterable[int]) -> None:
    """Refuse first moves that cannot be made."""
    for move in moves:
        if not position.is_legal(move):
            raise IllegalMoveError(f"{move} is the number of no legal move here")
