"""What came out of an encounter: a row of a table, as text, JSON or Markdown, and the page of all rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.revisions.build import Build
from benchmarks.revisions.encounter import Encounter, Result
from boyi.arena.distinct import distinct
from boyi.arena.score import elo
from boyi.arena.sprt import Sprt
from boyi.arena.standing import Standing, standings
from boyi.cli._reporting import describe_test, finite, format_elo_interval

HEADERS = ("against", "ours", "game", "players", "time", "openings", "games", "result", "score, 95 %", "Elo, 95 %",
           "our agent", "their agent")
NOT_MEASURED = "not measured yet"
NONE = "–"

TITLE = """# Strength of revisions

This checkout against earlier revisions at equal time ([how](../benchmarks.md#against-earlier-revisions)). With more
than two players it has one seat, and the score is its first places as a multiple of the fair share.
"""


@dataclass(frozen=True)
class Row:
    """One encounter."""

    against: str
    """The commit of the revision."""

    ours: str
    """The commit of the running checkout, with a digest of its changes."""

    game: str
    players: int
    time: str
    openings: str
    our_agent: str
    their_agent: str
    games: int
    """Different ones; see `arena.distinct`."""

    repeated: int
    standing: Standing
    """Ours."""

    failures: dict[str, int]
    """By side, `ours` and `theirs`: games in which it gave no legal move in time."""

    reasons: dict[str, int]
    """How the games ended."""

    sprt: dict[str, Any] | None
    seed: int
    interrupted: bool
    journal: str

    def cells(self) -> tuple[str, ...]:
        """As a table has it, see `HEADERS`."""
        one = self.standing
        if self.players == 2:
            result, rating = f"{one.wins}-{one.draws}-{one.losses}", format_elo_interval(one.score, one.low, one.high)
            score = f"{100 * one.score:.1f} % ({100 * one.low:.1f}–{100 * one.high:.1f})"
        else:
            result, rating = f"{one.firsts:.1f} first places", NONE
            score = f"{one.share:.2f} × ({one.share_low:.2f}–{one.share_high:.2f})"
        if self.sprt is not None:
            verdict = {"elo0": f"{self.sprt['elo0']:g}", "elo1": f"{self.sprt['elo1']:g}"}.get(
                str(self.sprt["verdict"]), "not decided")
            rating += f"; SPRT {self.sprt['elo0']:g}, {self.sprt['elo1']:g}: {verdict}"
        failed = ", ".join(f"{side} failed {count}" for side, count in self.failures.items() if count)
        return (self.against, self.ours, self.game, str(self.players), self.time, self.openings, str(self.games),
                f"{result} ({failed})" if failed else result, score, rating, self.our_agent, self.their_agent)

    def to_json(self) -> dict[str, Any]:
        """All facts as JSON has them."""
        one = self.standing
        return asdict(self) | {"standing": finite(asdict(one) | {
            "elo": elo(one.score), "elo_low": elo(one.low), "elo_high": elo(one.high)})}


def make_row(built: Build, checkout: str, encounter: Encounter, result: Result, test: Sprt | None, openings: str,
             folder: Path) -> Row:
    """What the games say."""
    tournament = encounter.tournament()
    match = tournament.match(tournament.meetings[0])
    failures = Counter("theirs" if bout.contestants[failure.seat] else "ours"
                       for bout in result.bouts for failure in bout.failures)
    counted = len(distinct(match, result.bouts))
    return Row(
        built.short, checkout, encounter.start.game.name, encounter.start.players, encounter.time.text, openings,
        encounter.ours, encounter.opponent.spec, counted, len(result.bouts) - counted,
        standings(match, result.bouts)[0], {side: failures[side] for side in ("ours", "theirs")},
        dict(sorted(Counter(bout.reason for bout in result.bouts).items())),
        None if test is None else describe_test(test, result.pairs) | {"pairs": list(result.pairs)},
        encounter.seed, result.interrupted, str(encounter.journal(folder)))


def write_markdown(rows: Sequence[Sequence[str]]) -> str:
    """Cells as a table of Markdown."""
    return "\n".join([_line(HEADERS), "|---" * len(HEADERS) + "|", *map(_line, rows)]) + "\n"


def update_page(page: str, rows: Sequence[Sequence[str]]) -> str:
    """The page with these rows in its table.

    A row takes the place of the one of the same match, or of one that is not measured yet, for the same revision,
    game, players and time; else it stands behind the last of its revision. A page without a table gets one.
    """
    lines = (page or TITLE).splitlines()
    if _line(HEADERS) not in lines:
        return "\n".join([*lines, "", *write_markdown(rows).splitlines()]) + "\n"
    begin = lines.index(_line(HEADERS)) + 2
    end = begin
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    table = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines[begin:end]]
    for row in map(tuple, rows):
        place = next((number for number, old in enumerate(table) if _same(old, row)), None)
        if place is not None:
            table[place] = row
            continue
        behind = [number for number, old in enumerate(table) if old[0] == row[0]]
        table.insert(behind[-1] + 1 if behind else len(table), row)
    return "\n".join([*lines[:begin], *map(_line, table), *lines[end:]]) + "\n"


def _same(old: Sequence[str], new: Sequence[str]) -> bool:
    """Is the old row of the same match as the new one, or a place kept for it?"""
    what = (0, 2, 3, 4)   # against, game, players, time
    if any(old[column] != new[column] for column in what):
        return False
    return NOT_MEASURED in old or all(old[column] == new[column] for column in (1, 5, 10, 11))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
