"""Matches of an experiment, as rows of a table. Agents are limited in nodes or depth, so every row is reproducible.

No opening is drawn twice, and a game that repeats another is counted once (`arena.distinct`): intervals are those of
distinct games.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations

from boyi.arena.distinct import distinct
from boyi.arena.match import Match, Played
from boyi.arena.openings import distinct_openings
from boyi.arena.score import interval
from boyi.arena.standing import standings
from boyi.arena.tally import tally
from boyi.core.position import Position
from boyi.core.words import Words
from boyi.lab.experiment import Session
from boyi.lab.table import Column, Row, Table, number

Contestants = Mapping[str, str]
"""Spec strings by the name that tables show."""

MATCH_COLUMNS = (
    Column("one", Words("A", "甲")), Column("other", Words("B", "乙")),
    Column("games", Words("games", "局数"), "{games}"),
    Column("wins", Words("W-D-L of A", "甲胜-和-负"), "{wins}-{draws}-{losses}"),
    Column("score", Words("score of A", "甲得分率"), "{score:.1%}"),
    Column("low", Words("95 %", "95 %"), "{low:.1%}–{high:.1%}"),
)
SHARE_COLUMNS = (
    Column("players", Words("players", "人数"), "{players}"), Column("name", Words("contestant", "参赛者")),
    Column("seats", Words("seats", "席次"), "{seats}"),
    Column("firsts", Words("first places", "第一名"), "{firsts:.1f}"),
    Column("share", Words("× fair share", "为均分的倍数"), "{share:.2f}"),
    Column("low", Words("95 %", "95 %"), "{low:.2f}–{high:.2f}"),
)


def match_table(rows: Sequence[Row], nodes: int, *before: Column) -> Table:
    """Matches of two at a number of nodes per move; `before` are columns that come first."""
    return Table("match", Words(f"Matches, {nodes:,} nodes per move", f"对抗赛，每步 {nodes:,} 节点"),
                 (*before, *MATCH_COLUMNS), tuple(rows))


def prepare(start: Position, contestants: Sequence[str], games: int, random_plies: int, seed: int) -> Match:
    """A match in which every round has an opening of its own: fewer games where there are not so many openings.

    Without random moves there is one opening, and only chance makes games differ.
    """
    openings: tuple[Position, ...] = ()
    if random_plies or not start.game.has_chance:
        openings = distinct_openings(start, random_plies, math.ceil(games / start.players), seed)
        games = min(games, start.players * len(openings))
    return Match(tuple(contestants), start, games=games, openings=openings, random_plies=random_plies, seed=seed)


def play_alone(start: Position, spec: str, games: int, session: Session, *, random_plies: int = 4) -> list[Played]:
    """Games of an agent against itself, each from an opening of its own; not a step of its own."""
    match = prepare(start, [spec] * start.players, games * start.players, random_plies, session.seed)
    return distinct(match, session.play(match, range(0, match.games, start.players)))


def play_pair(start: Position, one: tuple[str, str], other: tuple[str, str], games: int, session: Session, *,
              random_plies: int = 4, **more: str | int | float) -> Row:
    """Games of two; each is a name and a spec. `more` goes into the row. Games are counted once (`arena.distinct`)."""
    def measure() -> Row:
        match = prepare(start, (one[1], other[1]), games, random_plies, session.seed)
        played = session.play(match)
        mine = standings(match, played)[0]
        counted = len(distinct(match, played))
        return {"one": one[0], "other": other[0], "one_spec": one[1], "other_spec": other[1], "games": counted,
                "repeated": len(played) - counted, "wins": mine.wins, "draws": mine.draws, "losses": mine.losses,
                "score": mine.score, "low": mine.low, "high": mine.high,
                "failures": sum(len(game.failures) for game in played)}

    facts = (*_describe(start), one[1], other[1], games, random_plies)
    return {**more, **session.keep(f"{one[0]} – {other[0]}", facts, measure)}


def play_round_robin(start: Position, contestants: Contestants, games: int, session: Session, *,
                     random_plies: int = 4) -> list[Row]:
    """A round robin."""
    return [play_pair(start, one, other, games, session, random_plies=random_plies)
            for one, other in combinations(contestants.items(), 2)]


def play_together(start: Position, line_ups: Iterable[Sequence[str]], contestants: Contestants, rounds: int,
                  session: Session, *, random_plies: int | None = None) -> list[Row]:
    """Games of more than two; a row for every contestant.

    A line-up names the contestants of a table in order, each as often as it has seats. It plays `rounds` rounds; in
    each they move on from seat to seat until all have had every seat.
    """
    players = start.players
    plies = players if random_plies is None else random_plies
    seats = dict.fromkeys(contestants, 0)
    firsts = dict.fromkeys(contestants, 0.0)
    for table, order in enumerate(line_ups):
        specs = [contestants[name] for name in order]
        seed = random.Random(f"{session.seed} table {table}").randrange(2**31)
        measure = partial(_play_table, start, specs, rounds * players, plies, seed, session)
        row = session.keep(", ".join(order), (*_describe(start), *specs, rounds, plies, seed), measure)
        for contestant, name in enumerate(order):
            seats[name] += int(number(row, f"seats_{contestant}"))
            firsts[name] += number(row, f"firsts_{contestant}")
    rows: list[Row] = []
    for name in contestants:
        low, high = interval(firsts[name] / seats[name], seats[name])
        rows.append({"players": players, "name": name, "spec": contestants[name], "seats": seats[name],
                     "firsts": firsts[name], "share": players * firsts[name] / seats[name], "low": players * low,
                     "high": players * high})
    return rows


def _play_table(start: Position, specs: Sequence[str], games: int, random_plies: int, seed: int,
                session: Session) -> Row:
    """What each of those at one table had: seats, and first places."""
    match = prepare(start, specs, games, random_plies, seed)
    found = tally(distinct(match, session.play(match)), len(specs), start.players)
    return {f"{what}_{contestant}": value for contestant, one in enumerate(found)
            for what, value in (("seats", one.seats), ("firsts", one.firsts))}


def play_field(start: Position, one: tuple[str, str], field: tuple[str, str], games: int, session: Session,
               **more: str | int | float) -> Row:
    """Games of more than two: one contestant against copies of another; how the first one did."""
    def measure() -> Row:
        match = prepare(start, (one[1], field[1]), games, start.players, session.seed)
        played = session.play(match)
        mine = standings(match, played)[0]
        return {"players": start.players, "name": one[0], "field": field[0], "spec": one[1], "field_spec": field[1],
                "seats": mine.seats, "repeated": len(played) - len(distinct(match, played)), "firsts": mine.firsts,
                "share": mine.share, "low": mine.share_low, "high": mine.share_high}

    facts = (*_describe(start), one[1], field[1], games)
    return {**more, **session.keep(f"{one[0]} among {field[0]}", facts, measure)}


def _describe(start: Position) -> tuple[object, ...]:
    """Where games begin, and by which rules."""
    return start.to_text(), dict(start.options)
