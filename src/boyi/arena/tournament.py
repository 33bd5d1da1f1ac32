"""Tournaments: many agents, each against the others.

A *meeting* is a set of agents at one board; it plays rounds as a match does (`arena.match`):
one opening, once per seat. Everybody meets everybody, or, where agents are many, the
*Swiss* way: stage by stage those meet who have done equally well and have met least
(`arena.pairing`). A *match* is a tournament of one meeting.

A game is known by its meeting and its number there, which decide everything about it
(opening, chance, seeds of agents). So it does not matter when, where and in which order
games are played, and one that was cut short is simply played again: a tournament is kept
in a journal (`arena.tournament_journal`) and goes on after any interruption.
"""

from __future__ import annotations

import contextlib
import hashlib
import random
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

from boyi.arena.bout import Bout, Slot
from boyi.arena.conditions import Conditions
from boyi.arena.contestant import Contestant, Contested, enter, read_contestant
from boyi.arena.match import HIGHEST_SEED, Match
from boyi.arena.pairing import Meeting, all_meetings, boards, pair_swiss
from boyi.arena.pool import Pool
from boyi.core.errors import OptionError, shorten
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.nets import find_model

__all__ = ["Tournament", "play_tournament"]

MOST_GAMES = 10**7


@dataclass(frozen=True)
class Tournament(Contested, Conditions):
    """All that a tournament depends on.

    >>> import boyi
    >>> Tournament(("random", "level:1", "level:2"), boyi.start("othello"), rounds=2).games
    12
    """

    contestants: Sequence[Contestant]
    """As those of a match, each name once; only in a match one may play itself."""

    start: Position
    rounds: int = 10
    """How many rounds a meeting plays: one opening each, once per seat."""

    swiss: int | None = None
    """How many stages are paired the Swiss way, each of one meeting per agent; None: everybody meets everybody."""

    match_games: int | None = None
    """A match: one meeting of all, in the order in which they are named, of this many games; None for a tournament."""

    labels: Sequence[str] = ()
    """What the contestants are called, in order, where their specs would say less, such as names of files; empty for
    the specs. Openings follow from the names: with labels they do not depend on where files are."""

    def __post_init__(self) -> None:
        """Refuse everything that could fail later."""
        object.__setattr__(self, "contestants", tuple(map(enter, self.contestants)))
        if self.labels and len(self.labels) != len(self.contestants):
            raise OptionError(f"{len(self.labels)} labels are no names for {len(self.contestants)} agents")
        if self.match_games is not None:
            self.match(self.meetings[0]).opening(0)
            return
        if len(self.contestants) < 2:
            raise OptionError(f"a tournament has two agents or more, not {len(self.contestants)}")
        for text, times in Counter(self.names).items():
            if times > 1:
                raise OptionError(f"agent {shorten(text)} is named {times} times; a tournament has each agent once")
        if self.rounds < 1:
            raise OptionError(f"a meeting has at least one round, not {self.rounds}")
        if self.swiss is not None and self.swiss < 1:
            raise OptionError(f"a Swiss tournament has at least one stage, not {self.swiss}")
        for agents in boards(len(self.contestants), self.start.players):
            self.match(agents).opening(0)
        if self.games > MOST_GAMES:
            raise OptionError(f"a tournament of {self.games} games is too long; at most {MOST_GAMES}")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.labels) or super().names

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
    def meetings(self) -> tuple[Meeting, ...]:
        """Everybody with everybody."""
        if self.match_games is not None:
            return (tuple(range(len(self.contestants))),)
        return all_meetings(len(self.contestants), self.start.players)

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
        met: Counter[Meeting] = Counter()
        played: list[Slot] = []
        for stage in range(self.swiss):
            meetings = pair_swiss(stage, len(self.contestants), self.start.players,
                                  [finished[slot] for slot in played], met, self.seed)
            slots = [Slot(meeting, met[meeting] * self.games_a_meeting + number)
                     for meeting in meetings for number in range(self.games_a_meeting)]
            met.update(meetings)
            played += slots
            yield slots

    # ------------------------------------------------------------------ one game

    def match(self, meeting: Meeting) -> Match:
        """The match that a meeting is. Its seed comes from the names, so that it is the same among other agents."""
        names = tuple(self.names[agent] for agent in meeting)
        seed = self.seed
        if self.match_games is None:
            seed = random.Random(f"{self.seed} meeting {names}").randrange(HIGHEST_SEED)
        conditions = {one.name: getattr(self, one.name) for one in fields(Conditions)} | {"seed": seed}
        entries = tuple(self.entries[agent] for agent in meeting)
        return Match(entries, self.start, MOST_GAMES if self.match_games is None else self.match_games, **conditions)

    def play(self, slot: Slot) -> Bout:
        """One game; its slot decides everything about it."""
        played = self._match_of(slot.meeting).play(slot.number)
        return Bout(slot, tuple(slot.meeting[contestant] for contestant in played.contestants), played.outcome.places,
                    played.outcome.reason, played.decisions, played.failures, played.record.to_text())

    def match_of(self, game: Bout) -> Match:
        """The match that the meeting of a game is."""
        return self._match_of(game.slot.meeting)

    def _match_of(self, meeting: Meeting) -> Match:
        if meeting not in self._matches:
            self._matches[meeting] = self.match(meeting)
        return self._matches[meeting]

    @cached_property
    def _matches(self) -> dict[Meeting, Match]:
        """Meetings that have been read and checked already."""
        return {}

    def settings(self) -> dict[str, Any]:
        """What must agree for a journal to be continued."""
        settings: dict[str, Any] = {
            "game": self.start.game.name, "options": dict(self.start.options),
            "start": Record.from_position(self.start).to_text(), "contestants": list(self.names),
            "pairing": self.pairing,
            **({"rounds": self.rounds} if self.match_games is None else {"games": self.match_games}),
            "openings": [Record.from_position(opening).to_text() for opening in self.openings],
            "random_plies": self.random_plies, "seed": self.seed, "move_seconds": self.move_seconds,
            "longest": self.longest, **({"agents": list(super().names)} if self.labels else {}),
            **({"models": self.models} if self.models else {}),
            **({"code": self.code} if self.code else {}),
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
        files = {str(spec.values["net"]) for spec in map(read_contestant, self.entries)
                 if "net" in spec.values and not spec.kind.runs_code}
        return {file: hashlib.sha256(find_model(file).read_bytes()).hexdigest()[:16] for file in sorted(files)}

    @cached_property
    def code(self) -> dict[str, str]:
        """Of agents that somebody else wrote in Python, a digest per name: nobody goes on with other code, either."""
        digests = {str(entry): read_contestant(entry).fingerprint() for entry in self.entries}
        return {name: digest for name, digest in sorted(digests.items()) if digest}


def play_tournament(tournament: Tournament, finished: dict[Slot, Bout], jobs: int = 1,
                    pool: Pool | None = None) -> Generator[Bout]:
    """Play what is missing in `finished`, add every game to it as it ends, and hand it over.

    >>> import boyi
    >>> agents = ("random", "mcts:nodes=20", "mcts:nodes=40")
    >>> tournament = Tournament(agents, boyi.start("tic_tac_toe"), rounds=1, seed=1)
    >>> len(list(play_tournament(tournament, {})))
    6
    """
    def name(slot: Slot) -> str:
        return f"game {slot.number + 1} of {' – '.join(tournament.names[agent] for agent in slot.meeting)}"

    with Pool(jobs) if pool is None else contextlib.nullcontext(pool) as players:
        for slots in tournament.stages(finished):
            missing = [slot for slot in slots if slot not in finished]
            with contextlib.closing(players.run(tournament.play, missing, name=name)) as games:
                for bout in games:
                    finished[bout.slot] = bout
                    yield bout
