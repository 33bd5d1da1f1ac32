"""How games of `boyi match`, `boyi tournament` and `boyi tune` are played: the options that they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boyi.cli._common import ClusterOption, JobsOption
from boyi.cli._files import read_file
from boyi.core.errors import OptionError
from boyi.core.position import Position

if TYPE_CHECKING:
    from boyi.arena.tournament import Tournament

__all__ = ["Beginning", "Conditions", "JournalOption", "RecordsOption", "Workers"]

HIGHEST_SEED = 2**62
MOST_MOVES = 10**6

JournalOption = Annotated[Path | None, typer.Option(
    metavar="FILE", help="Where games are kept as they end, and continued from; else a name made of the settings.")]
RecordsOption = Annotated[Path | None, typer.Option(
    metavar="FILE", help="Write all games here in the end, as records.")]


@dataclass(frozen=True, kw_only=True)
class Workers:
    """Who plays the games."""

    jobs: JobsOption = None
    cluster: ClusterOption = None


@dataclass(frozen=True, kw_only=True)
class Beginning:
    """How games begin."""

    openings: Annotated[Path | None, typer.Option(
        metavar="FILE", help="Openings, one per line: a position text, `moves m1 m2 …`, or both; or records of "
        "games.")] = None
    random_plies: Annotated[int | None, typer.Option(
        min=0, max=1000, help="Without --openings: the number of random moves at the beginning of each round; 4 if not "
        "given.")] = None
    seed: Annotated[int | None, typer.Option(
        min=0, max=HIGHEST_SEED, help="Random seed of openings, chance and random agents; else that of the journal, or "
        "a new one, which is printed.")] = None

    def openings_of(self, start: Position, plies: int | None = None) -> tuple[Position, ...]:
        """The openings of the file; of games in it, the first moves."""
        from boyi.arena.openings import OPENING_PLIES, read_openings

        if self.openings is None:
            return ()
        if self.random_plies is not None:
            raise OptionError("--random-plies is for games without --openings")
        return read_openings(read_file(self.openings), start, OPENING_PLIES if plies is None else plies)

    def random_plies_or_default(self) -> int:
        from boyi.arena.conditions import RANDOM_PLIES

        return RANDOM_PLIES if self.random_plies is None else self.random_plies


@dataclass(frozen=True, kw_only=True)
class Conditions(Beginning):
    """How games begin, are timed and end."""

    opening_plies: Annotated[int | None, typer.Option(
        min=0, max=1000, help="With --openings: the number of moves of a recorded game that are the opening; 8 if not "
        "given.")] = None
    time: Annotated[str | None, typer.Option(
        metavar="CLOCK", help="The clock: 0.5/move, 60+0.6 (seconds for the game + for every move) or 5000nodes (per "
        "move); else agents think as long as they are set to.")] = None
    margin: Annotated[float | None, typer.Option(
        min=0.0, max=3600.0, help="With --time: by how many seconds an answer may be late, for the way to an outside "
        "process and back; 0.1 if not given.")] = None
    timeout: Annotated[float | None, typer.Option(
        min=0.001, max=86_400, help="An agent that takes longer for a move, in seconds, loses; agents are not told.",
    )] = None
    longest: Annotated[int | None, typer.Option(
        metavar="MOVES", min=1, max=MOST_MOVES, help="A game of this many moves is broken off as a draw; 4000 if not "
        "given.")] = None
    draw_after: Annotated[int | None, typer.Option(
        metavar="MOVES", min=1, max=MOST_MOVES, help="A draw after this many moves in which no piece came or went.",
    )] = None
    draw_value: Annotated[float | None, typer.Option(
        metavar="D", help="A draw when both agents expect a half, give or take D (of 1 for a win).")] = None
    draw_moves: Annotated[int | None, typer.Option(
        min=1, max=MOST_MOVES, help="With --draw-value: for this many moves of each in a row; 8 if not given.")] = None
    draw_from: Annotated[int | None, typer.Option(
        min=0, max=MOST_MOVES, help="With --draw-value: only after this many moves of the game; 40 if not given.",
    )] = None
    resign_value: Annotated[float | None, typer.Option(
        metavar="P", help="A win when the winner expects P or more (of 1 for a win) and the loser no more than the "
        "rest.")] = None
    resign_moves: Annotated[int | None, typer.Option(
        min=1, max=MOST_MOVES, help="With --resign-value: for this many moves of each in a row; 4 if not given.",
    )] = None

    any_limits: Annotated[bool, typer.Option(
        "--any-limits", help="Networks may play under limits of moves that they were not trained with; a warning says "
        "which.")] = False

    def tournament(self, agents: Sequence[str], start: Position, **more: Any) -> Tournament:
        """The tournament, or the match, of these agents under these conditions."""
        from boyi.arena.adjudication import Adjudication
        from boyi.arena.game import LONGEST
        from boyi.arena.timecontrol import MARGIN_SECONDS, parse_time
        from boyi.arena.tournament import Tournament

        for name, needed in (("opening_plies", "openings"), ("margin", "time"), ("draw_moves", "draw_value"),
                             ("draw_from", "draw_value"), ("resign_moves", "resign_value")):
            if getattr(self, name) is not None and getattr(self, needed) is None:
                raise OptionError(f"--{name.replace('_', '-')} says more about --{needed.replace('_', '-')}, which is "
                                  f"not given")
        given = {name: value for name in ("draw_after", "draw_value", "draw_moves", "draw_from", "resign_value",
                                          "resign_moves") if (value := getattr(self, name)) is not None}
        return Tournament(
            contestants=tuple(_allow_any_limits(agents) if self.any_limits else agents), start=start,
            openings=self.openings_of(start, self.opening_plies),
            random_plies=self.random_plies_or_default(), seed=self.seed or 0,
            move_seconds=self.timeout, longest=LONGEST if self.longest is None else self.longest,
            time=None if self.time is None else parse_time(
                self.time, MARGIN_SECONDS if self.margin is None else self.margin),
            adjudication=Adjudication(**given), **more)


def _allow_any_limits(agents: Sequence[str]) -> list[str]:
    """The agents, each that asks a network with the leave to play under any limits."""
    from boyi.agents.spec import read_spec

    specs = [read_spec(agent, trusted=True) for agent in agents]
    return [str(spec.fill(any_limits=True)) if "net" in spec.values else agent
            for agent, spec in zip(agents, specs, strict=True)]
