"""Matches: agents play each other from the same openings, each in every seat.

A match is played in *rounds*. A round takes one opening and plays it once per seat,
every contestant one seat further each time; with two players that is the usual pair
of games with colours changed. Where there are fewer contestants than seats the last
one fills the rest: `A B` among three is A against two of B.

Everything that is not in the agents' own hands comes from one seed: openings, what
chance draws, the seeds of agents that take one. Agents are made anew for every game,
so that no game depends on another: under limits in nodes a match is repeatable game
by game, in any order, on any number of processes.

An agent that fails (its process ends, it plays what the rules forbid, its time runs
out) loses that game, and the game says who failed and how. Clocks are in
`arena.timecontrol`, games that end before the rules end them in `arena.adjudication`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Generator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from boyi.agents.agent import Agent, AgentError, Fault, close_agent, expectation_of, prepare_agent
from boyi.agents.interruption import listening
from boyi.agents.spec import read_spec
from boyi.arena.adjudication import OFF, Adjudication, Arbiter
from boyi.arena.pool import Pool
from boyi.arena.rating import normal_share
from boyi.arena.timecontrol import Clocks, TimeControl
from boyi.core.errors import BoyiError, IllegalMoveError, OptionError, TextError, shorten
from boyi.core.game import Game, Options
from boyi.core.outcome import Outcome, scores_by_place
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.record import Record, split_records, written_moves
from boyi.core.words import Words

LONGEST = 4_000
"""A game of so many moves is broken off as a draw."""

RANDOM_PLIES = 4
OPENING_PLIES = 8
"""Of a game that serves as an opening."""

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
    def places(self) -> tuple[int, ...]:
        """By seat."""
        return self.outcome.places

    @property
    def decisions(self) -> int:
        return len(self.record.entries)


class Finished(Protocol):
    """What counts of a game that has ended: one of a match (`Played`), or of a journal (`tournament.Bout`)."""

    @property
    def contestants(self) -> tuple[int, ...]: ...
    @property
    def places(self) -> tuple[int, ...]: ...
    @property
    def failures(self) -> tuple[Failure, ...]: ...


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
    time: TimeControl | None = None
    """What players may spend; None where nobody counts and agents think as long as they are set to."""

    adjudication: Adjudication = OFF

    def __post_init__(self) -> None:
        """Refuse everything that could fail later."""
        players = self.start.players
        if not 2 <= len(self.contestants) <= players:
            several = "two" if players == 2 else f"two to {players}"
            raise OptionError(f"a match of {self.start.game.name} has {several} agents here, "
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
            if self.time is not None:
                spec.check_clock(Clocks(self.time, players).face(0))
        self.adjudication.check(players)

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
        notes: Notes = {}
        try:
            for seat, spec in enumerate(specs):
                seed = random.Random(f"{self.seed} agent {number} {seat}").randrange(HIGHEST_SEED)
                agents.append(spec.fill(seed=seed).make())
            with listening():
                outcome, failures = play_game(
                    position, agents, seed=f"{self.seed} chance {number // self.start.players}",
                    move_seconds=self.move_seconds, longest=self.longest, time=self.time,
                    adjudication=self.adjudication, notes=notes)
        finally:
            for agent in agents:
                close_agent(agent)
        ended = position.outcome() is None
        record = Record.from_position(
            position, players=[str(spec) for spec in specs], event=f"game {number + 1}",
            result=outcome.places if ended else None, reason=outcome.reason if ended else "",
            comment="; ".join(failure.message for failure in failures), notes=_written_notes(position, notes))
        return Played(number, seating, outcome, record, failures)


def _draw(position: Position, generator: random.Random) -> int:
    odds = position.odds()
    (move,) = generator.choices([move for move, _ in odds], [chance for _, chance in odds])
    return move


# ---------------------------------------------------------------------- one game

Notes = dict[int, dict[str, float]]
"""By ply: how long a move took, and what was left then."""


def play_game(
    position: Position, agents: Sequence[Agent], *, seed: object = 0, move_seconds: float | None = None,
    longest: int = LONGEST, time: TimeControl | None = None, adjudication: Adjudication | None = None,
    notes: Notes | None = None, told: Callable[[Position], None] | None = None,
    now: Callable[[], float] = perf_counter,
) -> tuple[Outcome, tuple[Failure, ...]]:
    """Play on `position` to the end.

    `position` is the referee's: the whole truth. Agents are shown `observe(seat)`, and
    what chance adds is drawn here, from the seed and the place in the game. `notes` is
    filled where somebody counts seconds; `now` is the time and never goes back.
    """
    failures: list[Failure] = []
    clocks = Clocks(time, position.players)
    arbiter = Arbiter(adjudication, position) if adjudication is not None and adjudication.active else None
    ready: set[int] = set()
    for _ in range(longest):
        turn = position.turn
        if turn == OVER:
            break
        if told is not None:
            told(position)
        if turn == CHANCE:
            position.play(_draw(position, random.Random(f"{seed} {position.ply}")))
            continue
        if arbiter is not None and (verdict := arbiter.judge(position)) is not None:
            return verdict, tuple(failures)
        forced = position.forced_move()
        if forced is not None:
            position.play(forced)
            continue
        ply = position.ply
        failure, took = _ask(position, agents[turn], clocks, move_seconds, now, first=turn not in ready)
        ready.add(turn)
        if failure is None:
            if notes is not None and time is not None and time.counts_seconds:
                left = clocks.left(turn)
                notes[ply] = {"took": took} if left is None else {"took": took, "clock": left}
            if arbiter is not None:
                arbiter.hear(turn, expectation_of(agents[turn]))
            continue
        failures.append(failure)
        lost = position.resign(turn, failure.fault)
        if lost is not None:   # else the others play on
            return lost, tuple(failures)
    outcome = position.outcome()
    if outcome is None:
        outcome = Outcome.of([0.0] * position.players, "too_long",
                             Words(f"broken off after {longest} moves", f"满 {longest} 步，判和"))
    return outcome, tuple(failures)


def _ask(position: Position, agent: Agent, clocks: Clocks, move_seconds: float | None, now: Callable[[], float], *,
         first: bool) -> tuple[Failure | None, float]:
    """Have the agent to act make its move: what went wrong or None, and how long it took."""
    turn = position.turn
    observation, face = position.observe(turn), clocks.face(turn)
    took = 0.0
    try:
        if first:
            prepare_agent(agent, observation)
        began = now()
        move = agent.choose(observation, face)
        took = now() - began
    except AgentError as error:
        return _fail(position, error.fault, f": {error}"), took
    except BoyiError as error:   # its program is no longer there, a file it needs has gone
        return _fail(position, "crash", f": {error}"), took
    had = clocks.spend(turn, took)
    if had is None and move_seconds is not None and took > move_seconds:
        had = move_seconds
    if had is not None:
        return _fail(position, "timeout", f" took {took:.3g} s for a move and had {had:.3g} s"), took
    try:
        if position.is_forfeit(move):
            raise IllegalMoveError(f"{position.format_move(move)} gives a game up and is no move to choose")
        position.play(move)
    except BoyiError as error:
        return _fail(position, "illegal_move", f": {error}"), took
    return None, took


def _fail(position: Position, fault: Fault, message: str) -> Failure:
    """A failure of the player to act, who is named in front of the message."""
    return Failure(position.turn, fault, position.board.seat_names[position.turn].en + message)


def _written_notes(position: Position, notes: Notes) -> list[dict[str, float]]:
    """Notes by written move: there a decision and what chance adds to it are one."""
    written, ply = list[dict[str, float]](), 0
    if notes:
        for _, moves in written_moves(position.game.parse(position.start_text, **position.options), position.history()):
            written.append(notes.get(ply, {}))
            ply += moves
    return written


# ---------------------------------------------------------------------- many games

def play_match(match: Match, jobs: int = 1, pool: Pool | None = None) -> Generator[Played]:
    """Every game of a match as it ends, in order; the same games by several processes, or by a pool that is there."""
    with Pool(min(jobs, match.games)) if pool is None else nullcontext(pool) as players:
        yield from players.run(match.play, range(match.games), in_order=True, name=lambda number: f"game {number + 1}")


def count_pairs(games: Sequence[Finished]) -> list[int]:
    """How many pairs of games brought the first of two contestants 0, ½, 1, 1½ and 2 points, for `arena.sprt`.

    The games are in order, as `play_match` hands them over; one without its second is left out.
    """
    counts = [0] * 5
    for first, second in zip(games[::2], games[1::2], strict=False):
        counts[sum(1 + _result(game, game.contestants.index(0)) for game in (first, second))] += 1
    return counts


def _result(game: Finished, seat: int) -> int:
    """1 for the first place, -1 for the last, else 0."""
    return (game.places[seat] == 1) - (game.places[seat] == max(game.places))


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
    """The mean result, from 0 to 1: with two players wins and half the draws, with more places spread evenly."""

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

    @property
    def superiority(self) -> float:
        """How likely it is the stronger of two."""
        return superiority(self.wins, self.losses)


def standings(match: Match, games: Sequence[Finished]) -> list[Standing]:
    """What the games say about each contestant."""
    players = match.start.players
    rows = []
    for contestant in range(len(match.contestants)):
        held = [(game, seat) for game in games for seat in range(players) if game.contestants[seat] == contestant]
        results = [_result(game, seat) for game, seat in held]
        score = _mean([scores_by_place(game.places)[seat] / 2 + 0.5 for game, seat in held], 0.5)
        firsts = math.fsum(1 / game.places.count(1) for game, seat in held if game.places[seat] == 1)
        seats = len(held)
        # Who sits in several seats of a game has one observation of it, not several: they hang together.
        low, high = interval(score, len(games))
        first_low, first_high = interval(firsts / len(games) if games else 0.0, len(games))
        fair = seats / len(games) / players if games else 1 / players   # first places in a game among equals
        rows.append(Standing(
            contestant, seats, results.count(1), results.count(0), results.count(-1), score, low, high, firsts,
            _mean([game.places[seat] for game, seat in held], (players + 1) / 2),
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


def superiority(wins: int, losses: int) -> float:
    """LOS: how likely the one with these wins and losses is the stronger of two; draws say nothing about that.

    >>> round(superiority(60, 40), 3)
    0.977
    """
    return normal_share((wins - losses) / math.sqrt(wins + losses)) if wins + losses else 0.5


# ---------------------------------------------------------------------- openings from a file

def read_openings(text: str, start: Position, plies: int = OPENING_PLIES) -> tuple[Position, ...]:
    """Openings, one a line: a position text, `moves m1 m2 …`, or both; `#` begins a comment.

    Or games as `boyi` records them, each cut off after so many written moves; those that
    reach a position that another one has, or end sooner, are left out.

    >>> import boyi
    >>> [opening.ply for opening in read_openings("moves f5 d6\\nmoves f5 f6 # diagonal", boyi.start("othello"))]
    [2, 2]
    """
    if text.lstrip("\ufeff \r\n").startswith("[Boyi "):
        return _cut_records(text, start, plies)
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


def _cut_records(text: str, start: Position, plies: int) -> tuple[Position, ...]:
    def find_game(name: str) -> Game:
        if name != start.game.name:
            raise TextError(f"it is a game of {shorten(name)}, and openings of {start.game.name} are wanted")
        return start.game

    openings: dict[str, Position] = {}
    for number, piece in enumerate(split_records(text), 1):
        try:
            record = Record.parse(piece, find_game)
            if dict(record.options) != dict(start.options):
                raise TextError(f"its rules are {_rules(record.options)}, here they are {_rules(start.options)}")
            if len(record.entries) < plies:
                continue
            position = record.replay(plies)
        except BoyiError as error:
            raise TextError(f"opening in record {number}: {error}") from error
        if position.turn != OVER:
            openings.setdefault(position.to_text(), position)
    if not openings:
        raise TextError(f"no game of these records goes on after {plies} moves")
    return tuple(openings.values())


def _rules(options: Options) -> str:
    return ", ".join(f"{name}={value}" for name, value in options.items()) or "without options"
