"""Tournaments: many agents, each against the others, kept in a journal and continued after any interruption.

A *meeting* is a set of agents at one board; it plays rounds as a match does (`arena.match`):
one opening, once per seat. Everybody meets everybody, or, where agents are many, the
*Swiss* way: stage by stage those meet who have done equally well and have met least.
Where agents are fewer than seats, every order of them is a meeting, and the last of it
fills the seats that are left. A *match* is a tournament of one meeting.

A game is known by its meeting and its number there, which decide everything about it
(opening, chance, seeds of agents). So it does not matter when, where and in which order
games are played, and one that was cut short is simply played again.

The *journal* (`arena.journal`) holds the settings of the tournament, then every game as it
ends, its record included.
"""

from __future__ import annotations

import contextlib
import hashlib
import random
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from types import TracebackType
from typing import Any

from boyi.agents.spec import read_spec
from boyi.arena.adjudication import OFF, Adjudication
from boyi.arena.journal import JournalFile
from boyi.arena.match import HIGHEST_SEED, LONGEST, RANDOM_PLIES, Failure, Match
from boyi.arena.pool import Pool
from boyi.arena.rating import Finish, Ratings, rate
from boyi.arena.timecontrol import TimeControl
from boyi.core.errors import OptionError, RecordError, shorten
from boyi.core.outcome import scores_by_place
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.nets import find_model

__all__ = ["Bout", "Journal", "Row", "Slot", "Tournament", "cross_table", "play_tournament", "rate_tournament", "table"]

MOST_GAMES = 10**7
KIND = "tournament"
"""Of its journal."""

LENGTHS = ("rounds", "games")
"""Settings that only say how long it goes on."""


@dataclass(frozen=True, order=True)
class Slot:
    """The place of a game in a tournament."""

    meeting: tuple[int, ...]
    """Numbers of the contestants, in the order in which they take their first seats."""

    number: int
    """Of the game among all games of this meeting, from 0."""


@dataclass(frozen=True)
class Bout:
    """One game of a tournament that has ended, as the journal keeps it."""

    slot: Slot
    contestants: tuple[int, ...]
    """By seat."""

    places: tuple[int, ...]
    """By seat."""

    reason: str
    moves: int
    failures: tuple[Failure, ...]
    record: str
    """The whole game, see `core.record`."""

    def to_entry(self) -> dict[str, Any]:
        return {
            "meeting": self.slot.meeting, "number": self.slot.number, "contestants": self.contestants,
            "places": self.places, "reason": self.reason, "moves": self.moves,
            "failures": [asdict(failure) for failure in self.failures], "record": self.record}

    @classmethod
    def parse(cls, facts: Mapping[str, Any]) -> Bout:
        return cls(Slot(tuple(facts["meeting"]), facts["number"]), tuple(facts["contestants"]), tuple(facts["places"]),
                   facts["reason"], facts["moves"], tuple(Failure(**failure) for failure in facts["failures"]),
                   facts["record"])


@dataclass(frozen=True)
class Tournament:
    """All that a tournament depends on."""

    contestants: tuple[str, ...]
    """Spec strings, each once; only in a match one may play itself."""

    start: Position
    rounds: int = 10
    """How many rounds a meeting plays: one opening each, once per seat."""

    swiss: int | None = None
    """How many stages are paired the Swiss way, each of one meeting per agent; None: everybody meets everybody."""

    openings: tuple[Position, ...] = ()
    random_plies: int = RANDOM_PLIES
    seed: int = 0
    move_seconds: float | None = None
    longest: int = LONGEST
    time: TimeControl | None = None
    adjudication: Adjudication = OFF
    match_games: int | None = None
    """A match: one meeting of all, in the order in which they are named, of so many games; None for a tournament."""

    def __post_init__(self) -> None:
        """Refuse everything that could fail later."""
        if self.match_games is not None:
            self.match(self.meetings[0]).opening(0)
            return
        if len(self.contestants) < 2:
            raise OptionError(f"a tournament has two agents or more, not {len(self.contestants)}")
        for text, times in Counter(self.contestants).items():
            if times > 1:
                raise OptionError(f"agent {shorten(text)} is named {times} times; a tournament has each agent once")
        if self.rounds < 1:
            raise OptionError(f"a meeting has at least one round, not {self.rounds}")
        if self.swiss is not None and self.swiss < 1:
            raise OptionError(f"a Swiss tournament has at least one stage, not {self.swiss}")
        for agents in self._tables(tuple(range(len(self.contestants)))):
            self.match(agents).opening(0)
        if self.games > MOST_GAMES:
            raise OptionError(f"a tournament of {self.games} games is too long; at most {MOST_GAMES}")

    def _tables(self, members: tuple[int, ...]) -> list[tuple[int, ...]]:
        """All agents once, as many at a board as there are seats; the last board is filled up from the first agents."""
        seats = min(self.start.players, len(members))
        return [(members[begin:] + members[:begin])[:seats] for begin in range(0, len(members), seats)]

    # ------------------------------------------------------------------ which games there are

    @property
    def games(self) -> int:
        """How many games there are in all."""
        if self.match_games is not None:
            return self.match_games
        return self._meetings_in_all * self.games_a_meeting

    @property
    def games_a_meeting(self) -> int:
        return self.rounds * self.start.players

    @property
    def _meetings_in_all(self) -> int:
        if self.swiss is None:
            return len(self.meetings)
        return self.swiss * max(1, len(self.contestants) // self.start.players)

    @cached_property
    def meetings(self) -> tuple[tuple[int, ...], ...]:
        """Everybody with everybody."""
        everybody, seats = tuple(range(len(self.contestants))), self.start.players
        if self.match_games is not None:
            return (everybody,)
        if len(everybody) >= seats:
            return tuple(combinations(everybody, seats))
        return tuple(everybody[begin:] + everybody[:begin] for begin in everybody)

    def stages(self, finished: Mapping[Slot, Bout]) -> Iterator[list[Slot]]:
        """The games, in lists of those that may be played at the same time and in any order.

        All of a list must be in `finished` before the next one is asked for: the Swiss way pairs by results.
        """
        if self.match_games is not None:
            yield [Slot(self.meetings[0], number) for number in range(self.match_games)]
            return
        if self.swiss is None:
            # Round by round, so that a tournament that is cut short was fair to all.
            players = self.start.players
            yield [Slot(meeting, turn * players + seat) for turn in range(self.rounds) for meeting in self.meetings
                   for seat in range(players)]
            return
        met: Counter[tuple[int, ...]] = Counter()
        played: list[Slot] = []
        for stage in range(self.swiss):
            meetings = self._pair(stage, [finished[slot] for slot in played], met)
            slots = [Slot(meeting, met[meeting] * self.games_a_meeting + number)
                     for meeting in meetings for number in range(self.games_a_meeting)]
            met.update(meetings)
            played += slots
            yield slots

    def _pair(self, stage: int, bouts: Sequence[Bout], met: Mapping[tuple[int, ...], int]) -> list[tuple[int, ...]]:
        """The meetings of a Swiss stage: from the top of the table down, each with the nearest it has met least."""
        count, seats = len(self.contestants), self.start.players
        if count <= seats:
            return [self.meetings[stage % len(self.meetings)]]
        points = _points(count, bouts)
        lots = list(range(count))
        random.Random(f"{self.seed} lots {stage}").shuffle(lots)
        ranking = sorted(range(count), key=lambda agent: (-points[agent], lots[agent]))
        boards = Counter(agent for meeting, times in met.items() for agent in meeting for _ in range(times))
        together = Counter(pair for meeting, times in met.items() for pair in combinations(sorted(meeting), 2)
                           for _ in range(times))
        # Who cannot be seated sits out: those who have played most, of them the last in the table.
        resting = sorted(ranking, key=lambda agent: (-boards[agent], -ranking.index(agent)))[:count % seats]
        left = [agent for agent in ranking if agent not in resting]
        meetings = []
        while left:
            table = [left.pop(0)]
            while len(table) < seats:
                nearest = min(left, key=lambda agent: sum(
                    together[min(agent, other), max(agent, other)] for other in table))
                left.remove(nearest)
                table.append(nearest)
            meetings.append(tuple(sorted(table)))
        return meetings

    # ------------------------------------------------------------------ one game

    def match(self, meeting: tuple[int, ...]) -> Match:
        """The match that a meeting is. Its seed comes from the names, so that it is the same among other agents."""
        names = tuple(self.contestants[agent] for agent in meeting)
        seed = self.seed
        if self.match_games is None:
            seed = random.Random(f"{self.seed} meeting {names}").randrange(HIGHEST_SEED)
        return Match(
            names, self.start, MOST_GAMES if self.match_games is None else self.match_games, self.openings,
            self.random_plies, seed, self.move_seconds, self.longest, self.time, self.adjudication)

    def play(self, slot: Slot) -> Bout:
        """One game; its slot decides everything about it."""
        if slot.meeting not in self._matches:
            self._matches[slot.meeting] = self.match(slot.meeting)
        played = self._matches[slot.meeting].play(slot.number)
        return Bout(slot, tuple(slot.meeting[contestant] for contestant in played.contestants), played.outcome.places,
                    played.outcome.reason, played.decisions, played.failures, played.record.to_text())

    @cached_property
    def _matches(self) -> dict[tuple[int, ...], Match]:
        """Meetings that have been read and checked already."""
        return {}

    def settings(self) -> dict[str, Any]:
        """What must agree for a journal to be continued."""
        settings: dict[str, Any] = {
            "game": self.start.game.name, "options": dict(self.start.options),
            "start": Record.from_position(self.start).to_text(), "contestants": list(self.contestants),
            "pairing": self.pairing,
            **({"rounds": self.rounds} if self.match_games is None else {"games": self.match_games}),
            "openings": [Record.from_position(opening).to_text() for opening in self.openings],
            "random_plies": self.random_plies, "seed": self.seed, "move_seconds": self.move_seconds,
            "longest": self.longest, **({"models": self.models} if self.models else {}),
        }
        # What is off is not mentioned, so that journals from before there was such a thing go on.
        if self.time is not None:
            settings["time"] = {"clock": str(self.time), "margin": self.time.margin_seconds}
        if self.adjudication.active:
            settings["adjudication"] = asdict(self.adjudication)
        return settings

    @property
    def pairing(self) -> str:
        """Who meets whom: `everybody`, `swiss` or `match`."""
        return "match" if self.match_games is not None else "everybody" if self.swiss is None else "swiss"

    @cached_property
    def models(self) -> dict[str, str]:
        """Of agents that play by networks, a digest per file: nobody goes on with another model of the same name."""
        files = {str(spec.values["net"]) for spec in map(read_spec, self.contestants) if "net" in spec.values}
        return {file: hashlib.sha256(find_model(file).read_bytes()).hexdigest()[:16] for file in sorted(files)}


def _points(count: int, bouts: Iterable[Bout]) -> list[float]:
    """Per contestant the mean result, from 0 to 1; a half for who has not played."""
    total, seats = [0.0] * count, [0] * count
    for bout in sorted(bouts, key=lambda bout: bout.slot):
        for contestant, score in zip(bout.contestants, scores_by_place(bout.places), strict=True):
            total[contestant] += score / 2 + 0.5
            seats[contestant] += 1
    return [points / played if played else 0.5 for points, played in zip(total, seats, strict=True)]


# ---------------------------------------------------------------------- many games

def play_tournament(tournament: Tournament, finished: dict[Slot, Bout], jobs: int = 1,
                    pool: Pool | None = None) -> Generator[Bout]:
    """Play what is missing in `finished`, add every game to it as it ends, and hand it over."""
    def name(slot: Slot) -> str:
        return f"game {slot.number + 1} of {' – '.join(tournament.contestants[agent] for agent in slot.meeting)}"

    with Pool(jobs) if pool is None else contextlib.nullcontext(pool) as players:
        for slots in tournament.stages(finished):
            missing = [slot for slot in slots if slot not in finished]
            with contextlib.closing(players.run(tournament.play, missing, name=name)) as games:
                for bout in games:
                    finished[bout.slot] = bout
                    yield bout


# ---------------------------------------------------------------------- the journal

class Journal:
    """The file that a tournament is kept in: `games` are those it holds, `add` adds one.

    Only one process has it open at a time.
    """

    def __init__(self, path: Path, tournament: Tournament) -> None:
        """Open the journal of this tournament, or begin it."""
        # More rounds are no other tournament, unless results decide who meets whom.
        free = LENGTHS if tournament.swiss is None else ()
        self.path = path
        self.games: dict[Slot, Bout] = {}
        with contextlib.ExitStack() as failing:
            self._file = failing.enter_context(JournalFile(path, KIND, tournament.settings(), free))
            for number, entry in enumerate(self._file.entries, 2):
                try:
                    bout = Bout.parse(entry)
                except (ValueError, KeyError, TypeError) as error:
                    raise RecordError(f"line {number} of {shorten(str(path))} is not a game of a tournament: "
                                      f"{shorten(str(error))}") from error
                if not _belongs(bout, tournament):
                    raise RecordError(f"{shorten(str(path))} holds a game that is none of this tournament: "
                                      f"game {bout.slot.number} of meeting {bout.slot.meeting}")
                self.games.setdefault(bout.slot, bout)
            self._file.entries.clear()   # they are games now, and there may be many
            failing.pop_all()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self._file.close()

    @property
    def id(self) -> str:
        """Tells this tournament from all others."""
        return self._file.id

    def add(self, bout: Bout) -> None:
        """Keep a game; from now on a kill cannot lose it, and after a second a power cut cannot."""
        self._file.add(bout.to_entry())


def _belongs(bout: Bout, tournament: Tournament) -> bool:
    agents, players = len(tournament.contestants), tournament.start.players
    return (all(isinstance(agent, int) and 0 <= agent < agents for agent in (*bout.slot.meeting, *bout.contestants))
            and len(bout.contestants) == len(bout.places) == players and set(bout.contestants) == set(bout.slot.meeting)
            and isinstance(bout.slot.number, int) and bout.slot.number >= 0
            and all(isinstance(place, int) and 1 <= place <= players for place in bout.places))


# ---------------------------------------------------------------------- what the games say

@dataclass(frozen=True)
class Row:
    """How one contestant did."""

    contestant: int
    agent: str
    games: int
    wins: int
    """Alone in the first place."""

    draws: int
    """Neither alone in the first place nor in the last (with more than two players: anything between)."""

    losses: int
    score: float
    """The mean result, from 0 to 1; with more than two players places are spread evenly between."""

    firsts: float
    """First places; one that was shared counts in part."""

    mean_place: float
    failures: int
    elo: float
    elo_low: float
    elo_high: float
    """The rating and its 95 % interval; the mean of all, or the anchor, is 0."""

    superiority: float | None
    """LOS: how likely it is stronger than the next in the table; None for the last."""


def rate_tournament(tournament: Tournament, bouts: Iterable[Bout], anchor: str | None = None) -> Ratings:
    """The ratings of all contestants."""
    names = tournament.contestants
    return rate((Finish(tuple(names[contestant] for contestant in bout.contestants), bout.places)
                 for bout in sorted(bouts, key=lambda bout: bout.slot)), anchor=anchor, players=names)


def table(tournament: Tournament, bouts: Iterable[Bout], ratings: Ratings) -> list[Row]:
    """Everybody, the strongest first. The same games give the same table, in whatever order they ended."""
    bouts = sorted(bouts, key=lambda bout: bout.slot)
    count = len(tournament.contestants)
    points = _points(count, bouts)
    results: list[Counter[int]] = [Counter() for _ in range(count)]
    places: list[list[int]] = [[] for _ in range(count)]
    firsts, failures, games = [0.0] * count, [0] * count, [0] * count
    for bout in bouts:
        last = max(bout.places)
        for contestant in set(bout.contestants):
            games[contestant] += 1
        for contestant, place in zip(bout.contestants, bout.places, strict=True):
            results[contestant][(place == 1) - (place == last)] += 1
            places[contestant].append(place)
            if place == 1:
                firsts[contestant] += 1 / bout.places.count(1)
        for failure in bout.failures:
            failures[bout.contestants[failure.seat]] += 1
    rows = []
    for row, following in zip(ratings.rows, (*ratings.rows[1:], None), strict=True):
        agent = tournament.contestants.index(row.name)
        held = places[agent]
        rows.append(Row(
            agent, row.name, games[agent], results[agent][1], results[agent][0], results[agent][-1], points[agent],
            firsts[agent], sum(held) / len(held) if held else (tournament.start.players + 1) / 2, failures[agent],
            row.elo.value, row.elo.low, row.elo.high,
            None if following is None else ratings.superiority(row.name, following.name)))
    return rows


def cross_table(tournament: Tournament, bouts: Iterable[Bout]) -> dict[tuple[int, int], tuple[float, int]]:
    """For two contestants how often the one came before the other (equal places count half), and of how many times."""
    before: Counter[tuple[int, int]] = Counter()   # in halves, which add up exactly
    times: Counter[tuple[int, int]] = Counter()
    for bout in bouts:
        for seat, other in combinations(range(len(bout.places)), 2):
            if bout.contestants[seat] != bout.contestants[other]:
                for one, two in ((seat, other), (other, seat)):
                    pair = bout.contestants[one], bout.contestants[two]
                    before[pair] += 1 + (bout.places[one] < bout.places[two]) - (bout.places[one] > bout.places[two])
                    times[pair] += 1
    return {pair: (before[pair] / 2, count) for pair, count in times.items()}
