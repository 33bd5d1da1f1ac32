"""Matches: agents play each other from the same openings, each in every seat.

A match is played in *rounds*. A round takes one opening and plays it once per seat,
every contestant one seat further each time; with two players that is the usual pair
of games with colours changed. Where there are fewer contestants than seats the last
one fills the rest: `A B` among three is A against two of B.

Everything that is not in the agents' own hands comes from one seed: openings, what
chance draws, the seeds of agents that take one. Agents are made anew for every game,
so that no game depends on another: under limits in nodes a match is repeatable game
by game, in any order, on any number of processes.

An agent that fails (its process ends, it plays what the rules forbid, it does not
answer in time) loses that game, and the game says who failed and how.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from boyi.agents.agent import Agent, AgentError, Clock, Fault, close_agent
from boyi.agents.spec import read_spec
from boyi.arena.pool import Pool
from boyi.core.errors import BoyiError, OptionError, TextError, shorten
from boyi.core.outcome import Outcome
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.record import Record
from boyi.core.words import Words

LONGEST = 4_000
"""A game of so many moves is broken off as a draw."""

RANDOM_PLIES = 4
HIGHEST_SEED = 2**62


@dataclass(frozen=True)
class Failure:
    """What an agent did instead of a move."""

    seat: int
    fault: Fault
    message: str


@dataclass(frozen=True)
class Played:
    """One game of a match."""

    number: int
    """From 0."""

    contestants: tuple[int, ...]
    """Per seat, which contestant sat there."""

    outcome: Outcome
    record: Record
    failures: tuple[Failure, ...] = ()
    """Agents that failed; more than one only where the others play on."""

    @property
    def decisions(self) -> int:
        return len(self.record.entries)


@dataclass(frozen=True)
class Match:
    """All that a match depends on."""

    contestants: tuple[str, ...]
    """Spec strings."""

    start: Position
    """Where games begin, before the random opening moves."""

    games: int = 100
    openings: tuple[Position, ...] = ()
    """Where rounds begin, one after the other and again from the first; none for random ones."""

    random_plies: int = RANDOM_PLIES
    """Without openings: so many random moves begin a round."""

    seed: int = 0
    move_seconds: float | None = None
    """A move that took longer has lost, whoever made it; None for no such limit."""

    longest: int = LONGEST

    def __post_init__(self) -> None:
        """Refuse everything that could fail later."""
        players = self.start.players
        if not 2 <= len(self.contestants) <= players:
            raise OptionError(f"a match of {self.start.game.name} has two to {players} agents here, "
                              f"not {len(self.contestants)}")
        if self.games < 1:
            raise OptionError(f"a match has at least one game, not {self.games}")
        for opening in (self.start, *self.openings):
            if opening.turn == OVER:
                raise OptionError(f"a match cannot begin where the game is over: {opening.to_text()}")
            if opening.players != players:
                raise OptionError("all openings of a match must have the same number of players")
        for text in self.contestants:
            spec = read_spec(text)
            if spec.kind.name == "human":
                raise OptionError("a human cannot sit in a match; `boyi play` has a seat")
            spec.check(self.start)

    def seating(self, number: int) -> tuple[int, ...]:
        """Per seat, the contestant of a game."""
        players = self.start.players
        return tuple(min((seat + number) % players, len(self.contestants) - 1) for seat in range(players))

    def opening(self, number: int) -> Position:
        """The position a game begins with, the same for all games of its round."""
        turn = number // self.start.players
        if self.openings:
            return self.openings[turn % len(self.openings)].copy()
        for attempt in range(1_000):
            position = self.start.copy()
            generator = random.Random(f"{self.seed} opening {turn} {attempt}")
            for _ in range(self.random_plies):
                if position.turn != OVER:
                    position.play(_draw(position, generator) if position.turn == CHANCE else
                                  generator.choice(position.moves()))
            while position.turn == CHANCE:
                position.play(_draw(position, generator))
            if position.turn != OVER:
                return position
        raise OptionError(f"{self.random_plies} random moves end the game; begin with fewer")

    def play(self, number: int) -> Played:
        """One game; its number decides everything about it."""
        position, seating = self.opening(number), self.seating(number)
        specs = [read_spec(self.contestants[contestant]) for contestant in seating]
        agents: list[Agent] = []
        try:
            for seat, spec in enumerate(specs):
                seed = random.Random(f"{self.seed} agent {number} {seat}").randrange(HIGHEST_SEED)
                agents.append(spec.fill(seed=seed).make())
            outcome, failures = play_game(
                position, agents, seed=f"{self.seed} chance {number // self.start.players}",
                move_seconds=self.move_seconds, longest=self.longest)
        finally:
            for agent in agents:
                close_agent(agent)
        ended = position.outcome() is None
        record = Record.from_position(
            position, players=[str(spec) for spec in specs], event=f"game {number + 1}",
            result=outcome.places if ended else None, reason=outcome.reason if ended else "",
            comment="; ".join(failure.message for failure in failures))
        return Played(number, seating, outcome, record, failures)


def _draw(position: Position, generator: random.Random) -> int:
    odds = position.odds()
    (move,) = generator.choices([move for move, _ in odds], [chance for _, chance in odds])
    return move


# ---------------------------------------------------------------------- one game

def play_game(
    position: Position, agents: Sequence[Agent], *, seed: object = 0, move_seconds: float | None = None,
    longest: int = LONGEST, told: Callable[[Position], None] | None = None,
) -> tuple[Outcome, tuple[Failure, ...]]:
    """Play on `position` to the end.

    `position` is the referee's: the whole truth. Agents are shown `observe(seat)`, and
    what chance adds is drawn here, from the seed and the place in the game.
    """
    failures: list[Failure] = []
    for _ in range(longest):
        turn = position.turn
        if turn == OVER:
            break
        if told is not None:
            told(position)
        if turn == CHANCE:
            position.play(_draw(position, random.Random(f"{seed} {position.ply}")))
            continue
        legal = position.moves()
        if len(legal) == 1 and not position.path(legal[0]):
            position.play(legal[0])   # a pass and its like are no decision
            continue
        failure = _ask(position, agents[turn], move_seconds)
        if failure is None:
            continue
        failures.append(failure)
        try:
            position.play("resign")   # where the rules know what that means, the others play on
        except BoyiError:
            return _lost(position, failure), tuple(failures)
    outcome = position.outcome()
    if outcome is None:
        outcome = Outcome.of([0.0] * position.players, "too_long",
                             Words(f"broken off after {longest} moves", f"满 {longest} 步，判和"))
    return outcome, tuple(failures)


def _ask(position: Position, agent: Agent, move_seconds: float | None) -> Failure | None:
    """Have the agent to act make its move; what went wrong, or None."""
    turn = position.turn
    name = position.board.seat_names[turn].en
    began = time.perf_counter()
    try:
        move = agent.choose(position.observe(turn), Clock())
    except AgentError as error:
        return Failure(turn, error.fault, f"{name}: {error}")
    except BoyiError as error:   # its program is no longer there, a file it needs has gone
        return Failure(turn, "crash", f"{name}: {error}")
    took = time.perf_counter() - began
    if move_seconds is not None and took > move_seconds:
        return Failure(turn, "timeout", f"{name} took {took:.1f} s for a move and had {move_seconds:g} s")
    try:
        position.play(move)
    except BoyiError as error:
        return Failure(turn, "illegal_move", f"{name}: {error}")
    return None


def _lost(position: Position, failure: Failure) -> Outcome:
    """A game that one player lost off the board; the others share the win."""
    name = position.board.seat_names[failure.seat]
    why = FAULTS[failure.fault]
    return Outcome.of([-1.0 if seat == failure.seat else 1.0 for seat in range(position.players)], failure.fault,
                      Words(f"{name.en} {why.en}", f"{name.zh}{why.zh}"))


FAULTS: dict[Fault, Words] = {
    "crash": Words("has broken down", "程序崩溃"),
    "illegal_move": Words("plays an illegal move", "走出违规着法"),
    "refusal": Words("refuses to go on", "拒绝继续"),
    "resignation": Words("resigns", "认输"),
    "timeout": Words("does not answer in time", "超时"),
}


# ---------------------------------------------------------------------- many games

def play_match(match: Match, jobs: int = 1, pool: Pool | None = None) -> Generator[Played]:
    """Every game of a match as it ends, in order; the same games by several processes, or by a pool that is there."""
    with Pool(min(jobs, match.games)) if pool is None else nullcontext(pool) as players:
        yield from players.run(match.play, range(match.games), in_order=True, name=lambda number: f"game {number + 1}")


def count_pairs(games: Sequence[Played]) -> list[int]:
    """How many pairs of games brought the first of two contestants 0, ½, 1, 1½ and 2 points, for `arena.sprt`.

    The games are in order, as `play_match` hands them over; one without its second is left out.
    """
    counts = [0] * 5
    for first, second in zip(games[::2], games[1::2], strict=False):
        counts[sum(1 + game.outcome.results[game.contestants.index(0)] for game in (first, second))] += 1
    return counts


@dataclass(frozen=True)
class Standing:
    """How one contestant did."""

    contestant: int
    seats: int
    """How many seats it had in all games together; with two players: how many games it played."""

    wins: int
    """Alone in the first place."""

    draws: int
    """Neither alone in the first place nor in the last (with more than two players: anything between)."""

    losses: int
    score: float
    """The mean result, from 0 to 1: with two players wins and half the draws."""

    low: float
    high: float
    """The 95 % interval of the score."""

    firsts: float
    """First places; one that was shared counts in part."""

    mean_place: float
    failures: int

    share: float
    """First places over seats, as a multiple of the fair share; 1 is as good as the others."""

    share_low: float
    share_high: float
    """The 95 % interval of the share."""

    @property
    def elo(self) -> float:
        """The difference in rating that the score stands for; infinite when every game had the same end."""
        return elo(self.score)


def standings(match: Match, games: Sequence[Played]) -> list[Standing]:
    """What the games say about each contestant."""
    players = match.start.players
    rows = []
    for contestant in range(len(match.contestants)):
        held = [(game, seat) for game in games for seat in range(players) if game.contestants[seat] == contestant]
        results = [game.outcome.results[seat] for game, seat in held]
        places = [game.outcome.places[seat] for game, seat in held]
        score = _mean([(game.outcome.results[seat] if players == 2 else game.outcome.scores[seat] + 0.0) / 2 + 0.5
                       for game, seat in held], 0.5)
        firsts = math.fsum(1 / game.outcome.places.count(1) for game, seat in held if game.outcome.places[seat] == 1)
        seats = len(held)
        # Who sits in several seats of a game has one observation of it, not several: they hang together.
        low, high = interval(score, len(games))
        first_low, first_high = interval(firsts / len(games) if games else 0.0, len(games))
        fair = seats / len(games) / players if games else 1 / players   # first places in a game among equals
        rows.append(Standing(
            contestant, seats, results.count(1), results.count(0), results.count(-1), score, low, high, firsts,
            _mean(places, (players + 1) / 2),
            sum(failure.seat == seat for game, seat in held for failure in game.failures),
            firsts / len(games) / fair if games else 1.0, first_low / fair, first_high / fair))
    return rows


def _mean(values: Sequence[float], default: float) -> float:
    return math.fsum(values) / len(values) if values else default


def interval(score: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a mean of `count` results between 0 and 1 (Wilson 1927).

    It never claims certainty, also when all results are equal. A draw counts as half a
    win with the spread of a whole one, so with many draws it is wider than it must be.

    >>> [round(bound, 3) for bound in interval(0.5, 100)]
    [0.404, 0.596]
    """
    if not count:
        return 0.0, 1.0
    z = 1.959964
    middle = (score + z * z / (2 * count)) / (1 + z * z / count)
    reach = z / (1 + z * z / count) * math.sqrt(score * (1 - score) / count + z * z / (4 * count * count))
    # At the ends rounding would leave a trace of doubt, and a difference in rating of thousands.
    return 0.0 if score == 0 else middle - reach, 1.0 if score == 1 else middle + reach


def elo(score: float) -> float:
    """The difference in rating at which a score is expected.

    >>> round(elo(0.75))
    191
    """
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


# ---------------------------------------------------------------------- openings from a file

def read_openings(text: str, start: Position) -> tuple[Position, ...]:
    """Openings, one a line: a position text, `moves m1 m2 …`, or both; `#` begins a comment.

    >>> import boyi
    >>> [opening.ply for opening in read_openings("moves f5 d6\\nmoves f5 f6 # diagonal", boyi.start("othello"))]
    [2, 2]
    """
    openings = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        at = words.index("moves") if "moves" in words else len(words)
        try:
            position = (start.game.parse(" ".join(words[:at]), **start.options) if at else start.copy())
            for move in words[at + 1:]:
                position.play(move)
            if position.turn == OVER:
                raise TextError("the game is over there")
        except BoyiError as error:
            raise TextError(f"opening in line {number}: {error}") from error
        openings.append(position)
    if not openings:
        raise TextError(f"there is no opening in {shorten(text)}")
    return tuple(openings)
