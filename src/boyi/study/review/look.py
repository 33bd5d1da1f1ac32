"""One decision of a game, searched: what it was worth, what was better, and what chance then gave.

`look` says what to search and is told what was found, and so needs no searcher: a review asks its own, a server asks
its engines.

    1. The two best moves of the position, as the player to act knew it.
    2. If the move played is another one: that and the best, to the same depth.
    3. If it then lost something: both again, longer. Only what this confirms is called a mistake, at each of the last
       few depths: values of single depths waver, and the least loss is what the move is charged with.
    4. Of a mistake, all moves that are as good as the best: what "find a better move" accepts.
    5. If chance acted: every result it could have had. What it gave is the odds after what came, less the mean over
       what could have come, all searched alike; it has nothing to do with what the move cost.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from boyi.agents.analysis import AnalysedLine, Analysis
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.record import Record
from boyi.core.written import play_written
from boyi.study.review.judgement import ACCEPTED, INACCURACY, ONLY_MOVE

T = TypeVar("T")

VERIFICATION = 3.0
"""How much longer the second look at a mistake is."""

STEADY_DEPTHS = 4
"""Depths that have to agree on a mistake. A guess; with one, a third of those in Othello were none (5,000 nodes)."""

FORCED_EFFORT = 0.25
"""For a position with a single move, of which only the odds are of interest."""

FIRST_ACCEPTED, MOST_ACCEPTED = 4, 16
"""Moves that are compared to find those as good as the best one: at first, and while all of them are, at most."""

MOST_OUTCOMES = 64
"""Where chance has more, as in drawing a whole starting position, its luck is not measured."""


@dataclass(frozen=True)
class Decision:
    """A move that a player chose."""

    number: int
    """Of the written move, from 1 on."""

    player: int
    position: Position
    """What the player knew, before the move."""

    move: int
    drawn: tuple[int, ...] = ()
    """What chance then added, as the player saw it."""


@dataclass(frozen=True)
class Ask:
    """A search that is needed to go on."""

    position: Position
    """In which a player acts."""

    lines: int = 1
    only: tuple[int, ...] = ()
    """The first moves to keep to; empty for all."""

    effort: float = 1.0
    """How many times as much as one search of the review may take."""

    depths: int = 1
    """The answer is what each of the last depths found, this many at most, the deepest last."""


Steps = Generator[Ask, Sequence[Analysis], T]
"""Yields what to search, is sent what was found, and returns something."""


@dataclass(frozen=True)
class LookLine:
    """A move, what is expected to follow, and what it is worth to the player."""

    moves: tuple[str, ...]
    """In the game's own notation, up to where chance acts."""

    path: tuple[str, ...]
    """The points that the first move touches."""

    odds: float
    wins_in: int | None = None
    """Plies to a proven win (positive) or loss (negative)."""

    @classmethod
    def of(cls, line: AnalysedLine) -> LookLine:
        return cls(line.texts, line.paths[0], round(line.odds, 4), line.wins_in)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> LookLine:
        return cls(tuple(data["moves"]), tuple(data["path"]), data["odds"], data["wins_in"])


@dataclass(frozen=True)
class Look:
    """What was found about a decision; odds are the player's."""

    number: int
    """Of the written move."""

    best: LookLine
    played: LookLine
    """The move that was played and what refutes it, searched to the same depth; the best one if it was that."""

    forced: bool = False
    """There was only one move."""

    only_move: bool = False
    """Every move but the best loses at least `ONLY_MOVE`."""

    accepted: tuple[str, ...] = ()
    """Of a mistake: the moves that are as good as the best one, that first."""

    luck: float | None = None
    """What chance then gave the player, in odds; None where it had no say, or more than two play."""

    depth: int = 0
    """Of the last search of the move played."""

    @property
    def before(self) -> float:
        """The odds of the player with the best move."""
        return self.best.odds

    @property
    def after(self) -> float:
        """The odds of the player with the move that was played, before chance acts."""
        return self.played.odds

    @property
    def loss(self) -> float:
        """What the move cost."""
        return max(0.0, self.before - self.after)

    @property
    def is_best(self) -> bool:
        return self.played.moves[0] == self.best.moves[0]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Look:
        return cls(**{**data, "best": LookLine.from_json(data["best"]), "played": LookLine.from_json(data["played"]),
                      "accepted": tuple(data["accepted"])})


def decisions(record: Record) -> Iterator[Decision]:
    """The moves of a game that players chose; not what chance brought without them, nor those who gave up."""
    position = record.begin()
    for number, entry in enumerate(record.entries, 1):
        before = position.copy()
        play_written(position, entry.text, number)
        move, player = position.history()[before.ply], before.turn
        if player < 0 or before.is_forfeit(move):
            continue
        observation = before.observe(player)
        yield Decision(number, player, observation, move,
                       _seen(observation, move, position.history()[before.ply + 1:]))


def _seen(observation: Position, move: int, results: Sequence[int]) -> tuple[int, ...]:
    """What a player saw of the results of chance after a move. Later, when the game is over, they may know more."""
    walk, seen = observation.copy(), list[int]()
    walk.play(move)
    for result in results:
        if walk.turn == CHANCE and walk.is_legal(result):
            walk.play(result)
            seen.append(result)
    return tuple(seen)


def look(decision: Decision) -> Steps[Look]:
    """Search a decision: yields what to search, is sent what was found, and returns the look."""
    position, move = decision.position, decision.move
    if len(position.moves()) == 1:
        *_, first = yield Ask(position, effort=FORCED_EFFORT)
        only = LookLine.of(first.lines[0])
        luck = yield from _luck(decision)
        return Look(decision.number, only, only, forced=True, luck=luck, depth=first.depth)

    # Step 1. The two best moves.
    *_, first = yield Ask(position, lines=2)
    best = played = first.lines[0]
    only_move = len(first.lines) > 1 and best.odds - first.lines[1].odds >= ONLY_MOVE
    accepted: tuple[str, ...] = ()
    depth = first.depth
    if best.moves[0] != move:
        pair = (best.moves[0], move)

        # Step 2. The move that was played beside the best one.
        found: Sequence[Analysis] = (first,)
        if len(first.lines) < 2 or first.lines[1].moves[0] != move:
            found = yield Ask(position, lines=2, only=pair, depths=STEADY_DEPTHS)
        best, played = _compare(found, move)

        # Step 3. A mistake is looked at again.
        if best.odds - played.odds >= INACCURACY:
            found = yield Ask(position, lines=2, only=pair, effort=VERIFICATION, depths=STEADY_DEPTHS)
            best, played = _compare(found, move)
        depth = found[-1].depth

        # Step 4. What else would have been good.
        if best.odds - played.odds >= INACCURACY:
            accepted = yield from _accepted(position, best, move)

    # Step 5. What chance gave.
    luck = yield from _luck(decision)
    return Look(decision.number, LookLine.of(best), LookLine.of(played), only_move=only_move, accepted=accepted,
                luck=luck, depth=depth)


def _compare(found: Sequence[Analysis], move: int) -> tuple[AnalysedLine, AnalysedLine]:
    """The best of two moves, and the one that was played, by the depth at which it lost least; the same if one of
    the depths has nothing against it."""
    pairs = []
    for analysis in found:
        best = analysis.lines[0]
        played = next((line for line in analysis.lines if line.moves[0] == move), best)
        pairs.append((played, played) if played.odds >= best.odds else (best, played))
    return min(reversed(pairs), key=lambda pair: pair[0].odds - pair[1].odds)


def _accepted(position: Position, best: AnalysedLine, move: int) -> Steps[tuple[str, ...]]:
    """The moves that are as good as the best one, that first."""
    lines = FIRST_ACCEPTED
    while True:
        *_, found = yield Ask(position, lines=lines)
        good = [line for line in found.lines if line.odds > found.lines[0].odds - ACCEPTED and line.moves[0] != move]
        if len(good) < len(found.lines) or lines >= min(MOST_ACCEPTED, len(position.moves())):
            break
        lines *= 2
    others = [line.texts[0] for line in good if line.moves[0] != best.moves[0]]
    return (best.texts[0], *others)


def _luck(decision: Decision) -> Steps[float | None]:
    """What chance gave the player who moved."""
    if not decision.drawn or decision.position.players != 2:
        return None
    after = decision.position.copy()
    after.play(decision.move)
    outcomes = _outcomes(after)
    if outcomes is None:
        return None
    expected, came = 0.0, None
    for drawn, chance, position in outcomes:
        if position.turn == OVER:
            outcome = position.outcome()
            assert outcome is not None
            odds = (1 + outcome.scores[decision.player]) / 2
        else:
            *_, found = yield Ask(position, effort=1 / len(outcomes))
            odds = found.lines[0].odds if position.turn == decision.player else 1 - found.lines[0].odds
        expected += chance * odds
        if drawn == decision.drawn:
            came = odds
    return None if came is None else round(came - expected, 4)


def _outcomes(position: Position) -> list[tuple[tuple[int, ...], float, Position]] | None:
    """What chance may bring until a player acts: its results, how likely they are, and where they lead to; None if
    that is too much."""
    open_ends: list[tuple[tuple[int, ...], float, Position]] = [((), 1.0, position)]
    found = []
    while open_ends:
        drawn, chance, at = open_ends.pop()
        if at.turn != CHANCE:
            found.append((drawn, chance, at))
            continue
        for result, likelihood in at.odds():
            following = at.copy()
            following.play(result)
            open_ends.append(((*drawn, result), chance * likelihood, following))
        if len(open_ends) + len(found) > MOST_OUTCOMES:
            return None
    return found
