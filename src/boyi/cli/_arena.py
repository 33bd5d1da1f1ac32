"""What `boyi match`, `boyi tournament` and `boyi tune` share: options, the journal, how games are watched and kept.

A match is a tournament of one meeting (`arena.tournament`), so both are played, kept and continued in the same way.
"""

from __future__ import annotations

import hashlib
import json
import random
import shlex
import sys
import time as clock
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boyi.cli import _texts as texts
from boyi.core.errors import BoyiError, OptionError, shorten
from boyi.core.position import Position
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.arena.bout import Bout
    from boyi.arena.tournament import Tournament
    from boyi.arena.tournament_journal import Journal

HIGHEST_SEED = 2**62
MOST_MOVES = 10**6

KEPT = Words("games are kept in {path}; whatever happens, this continues: {command}",
             "对局存于 {path}；如遇中断，可用此命令继续：{command}")
CONTINUED = Words("{games} games are there already", "其中已有 {games} 局")
INTERRUPTED = Words("interrupted after {games} of {all} games", "已中断：完成 {games}/{all} 局")
CONTINUE = Words("continue with: {command}", "继续请用：{command}")
SUMMARY = Words("{games} games of {title} (seed {seed}), {moves:.0f} moves each on average; ended by {reasons}",
                "{title}，共 {games} 局（种子 {seed}），平均每局 {moves:.0f} 步；终局原因：{reasons}")
PACE = Words("{speed:.2f} games/s, {left} left", "每秒 {speed:.2f} 局，还需 {left}")

# ---------------------------------------------------------------------- options

OpeningsOption = Annotated[Path | None, typer.Option(
    metavar="FILE", help="Openings, one a line: a position text, `moves m1 m2 …`, or both; or records of games.")]
OpeningPliesOption = Annotated[int | None, typer.Option(
    min=0, max=1000, help="Of games in --openings so many moves are an opening; 8 if not given.")]
RandomPliesOption = Annotated[int | None, typer.Option(
    min=0, max=1000, help="Without --openings: so many random moves begin each round; 4 if not given.")]
SeedOption = Annotated[int | None, typer.Option(
    min=0, max=HIGHEST_SEED, help="Decides openings, chance and random agents; else that of the journal, or a new "
    "one, which is told.")]
TimeOption = Annotated[str | None, typer.Option(
    metavar="CLOCK", help="The clock: 0.5/move, 60+0.6 (seconds for the game + for every move) or 5000nodes (a "
    "move); else agents think as long as they are set to.")]
MarginOption = Annotated[float | None, typer.Option(
    min=0.0, max=3600.0, help="With --time: so many seconds an answer may be late, for the way to an outside process "
    "and back; 0.1 if not given.")]
TimeoutOption = Annotated[float | None, typer.Option(
    min=0.001, max=86_400, help="Whoever takes longer for a move, in seconds, loses; agents are not told.")]
LongestOption = Annotated[int | None, typer.Option(
    metavar="MOVES", min=1, max=MOST_MOVES, help="A game of so many moves is broken off as a draw; 4000 if not "
    "given.")]
DrawAfterOption = Annotated[int | None, typer.Option(
    metavar="MOVES", min=1, max=MOST_MOVES, help="A draw after so many moves in which no piece came or went.")]
DrawValueOption = Annotated[float | None, typer.Option(
    metavar="D", help="A draw when both agents expect a half, give or take D (of 1 for a win).")]
DrawMovesOption = Annotated[int | None, typer.Option(
    min=1, max=MOST_MOVES, help="With --draw-value: for so many moves of each in a row; 8 if not given.")]
DrawFromOption = Annotated[int | None, typer.Option(
    min=0, max=MOST_MOVES, help="With --draw-value: only after so many moves of the game; 40 if not given.")]
ResignValueOption = Annotated[float | None, typer.Option(
    metavar="P", help="A win when the winner expects P or more (of 1 for a win) and the loser no more than the rest.")]
ResignMovesOption = Annotated[int | None, typer.Option(
    min=1, max=MOST_MOVES, help="With --resign-value: for so many moves of each in a row; 4 if not given.")]
JournalOption = Annotated[Path | None, typer.Option(
    metavar="FILE", help="Where games are kept as they end, and continued from; else a name made of the settings.")]
RecordsOption = Annotated[Path | None, typer.Option(
    metavar="FILE", help="Write all games here in the end, as records.")]


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """How games are played, in the words of the command line; a field is the option of its name."""

    openings: Path | None
    opening_plies: int | None
    random_plies: int | None
    seed: int | None
    time: str | None
    margin: float | None
    timeout: float | None
    longest: int | None
    draw_after: int | None
    draw_value: float | None
    draw_moves: int | None
    draw_from: int | None
    resign_value: float | None
    resign_moves: int | None

    def words(self) -> dict[str, Any]:
        """The options by name, for the command that continues."""
        return {f"--{part.name.replace('_', '-')}": getattr(self, part.name) for part in fields(self)}

    def tournament(self, agents: Sequence[str], start: Position, **more: Any) -> Tournament:
        """The tournament, or the match, of these agents under these conditions."""
        from boyi.arena.adjudication import Adjudication
        from boyi.arena.game import LONGEST
        from boyi.arena.match import RANDOM_PLIES
        from boyi.arena.openings import OPENING_PLIES, read_openings
        from boyi.arena.timecontrol import MARGIN_SECONDS, parse_time
        from boyi.arena.tournament import Tournament

        for name, needed in (("opening_plies", "openings"), ("margin", "time"), ("draw_moves", "draw_value"),
                             ("draw_from", "draw_value"), ("resign_moves", "resign_value")):
            if getattr(self, name) is not None and getattr(self, needed) is None:
                raise OptionError(f"--{name.replace('_', '-')} says more about --{needed.replace('_', '-')}, which is "
                                  f"not given")
        if self.openings is not None and self.random_plies is not None:
            raise OptionError("--random-plies is for games without --openings")
        plies = OPENING_PLIES if self.opening_plies is None else self.opening_plies
        given = {name: value for name in ("draw_after", "draw_value", "draw_moves", "draw_from", "resign_value",
                                          "resign_moves") if (value := getattr(self, name)) is not None}
        return Tournament(
            contestants=tuple(agents), start=start,
            openings=() if self.openings is None else read_openings(read_file(self.openings), start, plies),
            random_plies=RANDOM_PLIES if self.random_plies is None else self.random_plies, seed=self.seed or 0,
            move_seconds=self.timeout, longest=LONGEST if self.longest is None else self.longest,
            time=None if self.time is None else parse_time(
                self.time, MARGIN_SECONDS if self.margin is None else self.margin),
            adjudication=Adjudication(**given), **more)


# ---------------------------------------------------------------------- the journal

def default_journal(what: str, tournament: Tournament, seed: int | None) -> Path:
    """A name that is the same for the same command, also for one that only plays longer."""
    from boyi.arena.tournament_journal import LENGTHS

    return name_journal(what, {name: value for name, value in tournament.settings().items()
                               if name not in LENGTHS or tournament.swiss is not None}, seed)


def name_journal(what: str, settings: Mapping[str, Any], seed: int | None) -> Path:
    """A name that is the same for the same settings and the same `--seed`, or none, also after values were renamed."""
    from boyi.agents.spelling import spell_as_before

    spelled = {name: spell_as_before(value) if isinstance(value, str) else value for name, value in settings.items()}
    digest = hashlib.sha256(json.dumps({**spelled, "seed": seed}, sort_keys=True).encode()).hexdigest()
    return Path(f"{what}-{settings['game']}-{digest[:8]}.jsonl")


def choose_seed(seed: int | None, kept: Callable[[], int | None]) -> int:
    """The seed that was given, else that of the journal, else a new one."""
    if seed is None:
        seed = kept()
    return random.SystemRandom().randrange(10**9) if seed is None else seed


def find_journal(what: str, tournament: Tournament, journal: Path | None,
                 seed: int | None) -> tuple[Path, Tournament]:
    """Where games are kept, and the tournament with its seed: the one given, that of the journal, or a new one."""
    from boyi.arena.journal import read_seed
    from boyi.arena.tournament_journal import KIND

    path = default_journal(what, tournament, seed) if journal is None else journal
    return path, replace(tournament, seed=choose_seed(seed, lambda: read_seed(path, KIND)))


def command_line(what: str, game: str, agents: Sequence[str], options: dict[str, Any]) -> str:
    """The command that continues, ready for a shell."""
    words = ["boyi", what, game, *agents]
    for name, value in options.items():
        if value is True:
            words.append(name)
        elif value is not None and value is not False:
            for one in value if isinstance(value, list) else [value]:
                words += [name, str(one)]
    return shlex.join(words)


def refuse_old_files(journal: Path, outputs: Sequence[Path | None]) -> None:
    """Nothing is overwritten, but by the command that wrote it."""
    for output in outputs:
        if output is not None and output.exists() and not journal.exists():
            raise BoyiError(f"cannot write {shorten(str(output))}: there is such a file already")


def announce(journal: Path, games: int, command: str, language: Language) -> None:
    """Where games are kept, how many are there already, and the command that continues."""
    print(texts.say(KEPT, language, path=journal, command=command), file=sys.stderr)
    if games:
        print(texts.say(CONTINUED, language, games=games), file=sys.stderr)


def play_and_keep(tournament: Tournament, kept: Journal, jobs: int | None, cluster: str | None, command: str,
                  language: Language, watch: Callable[[Bout], bool]) -> bool:
    """Play what the journal does not have until `watch`, which sees every game, says that it is enough.

    Whether it was interrupted.
    """
    from boyi.arena.pool import Pool
    from boyi.arena.tournament import play_tournament

    announce(kept.path, len(kept.games), command, language)
    try:
        with Pool(jobs, cluster) as pool, closing(play_tournament(tournament, kept.games, pool=pool)) as games:
            for bout in games:
                kept.add(bout)
                if watch(bout):
                    break
    except KeyboardInterrupt:
        return True
    return False


class Pace:
    """How fast games come, and how long the rest will take."""

    def __init__(self, before: int) -> None:
        self._before = before
        self._began = clock.monotonic()

    def say(self, games: int, most: int, language: Language) -> str:
        """With so many of all games ended."""
        speed = max(1, games - self._before) / max(1e-6, clock.monotonic() - self._began)
        left = round(max(0, most - games) / speed)
        return texts.say(PACE, language, speed=speed, left=f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}")


def summary(tournament: Tournament, bouts: Sequence[Bout], language: Language) -> str:
    """A sentence about all games."""
    reasons = Counter(bout.reason for bout in bouts)
    return texts.say(
        SUMMARY, language, games=len(bouts), title=tournament.start.game.title.say(language), seed=tournament.seed,
        moves=sum(bout.moves for bout in bouts) / len(bouts),
        reasons=", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items())))


# ---------------------------------------------------------------------- files

def read_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BoyiError(f"cannot read {shorten(str(path))}: {_problem(error)}") from error


def write_file(path: Path, content: str | bytes) -> None:
    try:
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    except (OSError, ValueError) as error:
        raise BoyiError(f"cannot write {shorten(str(path))}: {_problem(error)}") from error


def _problem(error: OSError | ValueError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
