"""A match of the running checkout against a revision: one game, one number of players, one time control.

It is a match of our arena (`boyi.arena`): openings with seats exchanged, one referee who draws what chance adds and
shows each seat what it may know, a journal from which it goes on. With more than two players we have one seat and the
revision all others.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import boyi
from benchmarks.revisions.agent import RevisionAgent, check
from benchmarks.revisions.build import SHORT, Build
from benchmarks.revisions.driver import read_agent
from boyi.arena.adjudication import OFF, Adjudication
from boyi.arena.bout import Bout, Slot
from boyi.arena.conditions import RANDOM_PLIES
from boyi.arena.openings import read_openings
from boyi.arena.pool import Pool
from boyi.arena.sprt import Sprt
from boyi.arena.timecontrol import TimeControl, parse_time
from boyi.arena.tournament import Tournament
from boyi.arena.tournament_journal import LENGTHS, Journal
from boyi.cli._match_watcher import Watcher
from boyi.core.errors import OptionError
from boyi.core.position import Position

NO_LIMITS: Mapping[str, float] = {}


@dataclass(frozen=True)
class Time:
    """How long the players may think."""

    text: str
    control: TimeControl | None
    """A clock of the arena; None where agents have `limits`."""

    limits: Mapping[str, float]
    """What agents are set to that name no limit themselves."""

    @classmethod
    def parse(cls, text: str) -> Time:
        """A number is the seconds of every move, by the agents' own setting; else a clock of `boyi match`.

        >>> Time.parse("0.1").limits, Time.parse("3+0.03").control.increment_seconds
        ({'seconds': 0.1}, 0.03)
        """
        if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text, re.ASCII):
            if not float(text) > 0:
                raise OptionError("a move takes more than 0 seconds")
            return cls(f"{float(text):g} s a move", None, {"seconds": float(text)})
        control = parse_time(text)
        return cls(str(control), control, NO_LIMITS)


@dataclass(frozen=True)
class Opponent:
    """How a match makes an agent of a revision, once for every game."""

    name: str
    command: tuple[str, ...]
    """Starts its driver."""

    spec: str
    limits: Mapping[str, float]

    def __call__(self) -> RevisionAgent:
        return RevisionAgent(self.name, self.command, self.spec, self.limits)


@dataclass(frozen=True)
class SeededOpponent(Opponent):
    """The same for an agent that plays by random numbers."""

    def __call__(self, seed: int = 0) -> RevisionAgent:
        return RevisionAgent(self.name, self.command, self.spec, self.limits, seed)


@dataclass(frozen=True)
class Encounter:
    """All that the games depend on. It can be pickled: every process makes its own tournament of it."""

    start: Position
    ours: str
    """Our spec."""

    opponent: Opponent
    labels: tuple[str, str]
    """Ours and theirs: the revision and the spec."""

    time: Time
    games: int
    openings: tuple[Position, ...] = ()
    random_plies: int = RANDOM_PLIES
    seed: int = 1
    adjudication: Adjudication = OFF

    def tournament(self) -> Tournament:
        return Tournament((self.ours, self.opponent), self.start, match_games=self.games, labels=self.labels,
                          openings=self.openings, random_plies=self.random_plies, seed=self.seed,
                          time=self.time.control, adjudication=self.adjudication)

    def journal(self, folder: Path) -> Path:
        """Where the games are kept; the same for the same settings, however many games are asked for."""
        settings = {name: value for name, value in self.tournament().settings().items() if name not in LENGTHS}
        digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:8]
        return folder / "games" / f"{self.start.game.name}-{self.start.players}-{digest}.jsonl"


def arrange(built: Build, command: tuple[str, ...], checkout: str, game: str, players: int, time: Time, games: int, *,
            ours: str, theirs: str, openings: str | None = None, random_plies: int = RANDOM_PLIES,
            seed: int = 1, adjudication: Adjudication = OFF) -> Encounter:
    """The match of two specs, each read and checked by the side that plays by it; `openings` is the text of a file."""
    start = boyi.start(game, **({"players": players} if has_players(game) else {}))
    if start.players != players:
        raise OptionError(f"{game} has {start.players} players, not {players}")
    own = str(read_agent(ours, start, dict(time.limits)))
    name = built.short
    spec, seeded = check(name, command, theirs, time.limits, start)
    opponent = (SeededOpponent if seeded else Opponent)(name, command, spec, NO_LIMITS)
    return Encounter(start, own, opponent, (f"{checkout} {own}", f"{built.commit[:SHORT]} {spec}"), time, games,
                     () if openings is None else parse_openings(openings, start), random_plies, seed,
                     adjudication)


def has_players(game: str) -> bool:
    """Can the number of players be chosen?"""
    return any(option.name == "players" for option in boyi.find_game(game).options)


def parse_openings(text: str, start: Position) -> tuple[Position, ...]:
    """Openings as `boyi match --openings` reads them, or, a line each, Othello moves without spaces (XOT).

    >>> [opening.ply for opening in parse_openings("f5d6c4d3\\nf5f4", boyi.start("othello"))]
    [4, 2]
    """
    if start.game.name == "othello":
        text = re.sub(r"(?im)^\s*((?:[a-h][1-8])+)\s*$", lambda line: "moves " + " ".join(
            re.findall("..", line[1].lower())), text)
    return read_openings(text, start)


class Worker:
    """Plays games of an encounter, in this process or another."""

    def __init__(self, encounter: Encounter) -> None:
        self._encounter = encounter
        self._tournament: Tournament | None = None

    def __reduce__(self) -> tuple[type[Worker], tuple[Encounter]]:
        return Worker, (self._encounter,)

    def __call__(self, slot: Slot) -> Bout:
        if self._tournament is None:
            self._tournament = self._encounter.tournament()
        return self._tournament.play(slot)


@dataclass(frozen=True)
class Result:
    """What was played, of an encounter that has ended or was interrupted."""

    bouts: Sequence[Bout]
    pairs: Sequence[int]
    """With a test: how many pairs of games brought us 0, ½, 1, 1½ and 2 points."""

    interrupted: bool


def play(encounter: Encounter, folder: Path, jobs: int, test: Sprt | None = None) -> Result:
    """Play what the journal does not have, until all games are played or the test has decided."""
    path, tournament, interrupted = encounter.journal(folder), encounter.tournament(), False
    path.parent.mkdir(parents=True, exist_ok=True)
    with Journal(path, tournament) as kept:
        print(f"{' – '.join(encounter.labels)}: {len(kept.games)} of {encounter.games} games are in {path}",
              file=sys.stderr)
        watcher = Watcher(tournament, kept.games, test, "en")
        with watcher.progress:
            missing = [slot for slots in tournament.stages({}) for slot in slots if slot not in kept.games]
            try:
                with Pool(jobs) as pool, closing(pool.run(Worker(encounter), [] if watcher.over else missing,
                                                          name=lambda slot: f"game {slot.number + 1}")) as games:
                    for bout in games:
                        kept.games[bout.slot] = bout
                        kept.add(bout)
                        if watcher.see(bout):
                            break
            except KeyboardInterrupt:
                interrupted = True
    return Result(watcher.counted(), watcher.pairs, interrupted)
