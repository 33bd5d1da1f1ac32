"""Matches of an experiment, as rows of a table. Agents are limited in nodes or depth, so every row is reproducible."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from boyi.arena.match import Match
from boyi.arena.score import interval
from boyi.arena.standing import standings
from boyi.core.position import Position
from boyi.core.words import Words
from boyi.lab.experiment import Session
from boyi.lab.table import Column, Row, Table

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


def play_pair(start: Position, one: tuple[str, str], other: tuple[str, str], games: int, session: Session, *,
              random_plies: int = 4, **more: str | int | float) -> Row:
    """Games of two; each is a name and a spec. `more` goes into the row."""
    session.step(f"{one[0]} – {other[0]}")
    match = Match((one[1], other[1]), start, games=games, random_plies=random_plies, seed=session.seed)
    played = [match.play(game_number) for game_number in range(games)]
    mine = standings(match, played)[0]
    return {**more, "one": one[0], "other": other[0], "one_spec": one[1], "other_spec": other[1], "games": games,
            "wins": mine.wins, "draws": mine.draws, "losses": mine.losses, "score": mine.score, "low": mine.low,
            "high": mine.high, "failures": sum(len(game.failures) for game in played)}


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
    seats = dict.fromkeys(contestants, 0)
    firsts = dict.fromkeys(contestants, 0.0)
    for table, order in enumerate(line_ups):
        session.step(", ".join(order))
        match = Match(tuple(contestants[name] for name in order), start, games=rounds * players,
                      random_plies=players if random_plies is None else random_plies,
                      seed=random.Random(f"{session.seed} table {table}").randrange(2**31))
        for game in map(match.play, range(match.games)):
            places = game.outcome.places
            for seat in range(players):
                name = order[game.contestants[seat]]
                seats[name] += 1
                firsts[name] += (places[seat] == 1) / places.count(1)
    rows: list[Row] = []
    for name in contestants:
        low, high = interval(firsts[name] / seats[name], seats[name])
        rows.append({"players": players, "name": name, "spec": contestants[name], "seats": seats[name],
                     "firsts": firsts[name], "share": players * firsts[name] / seats[name], "low": players * low,
                     "high": players * high})
    return rows


def play_field(start: Position, one: tuple[str, str], field: tuple[str, str], games: int, session: Session,
               **more: str | int | float) -> Row:
    """Games of more than two: one contestant against copies of another; how the first one did."""
    session.step(f"{one[0]} among {field[0]}")
    match = Match((one[1], field[1]), start, games=games, random_plies=start.players, seed=session.seed)
    mine = standings(match, [match.play(game_number) for game_number in range(games)])[0]
    return {**more, "players": start.players, "name": one[0], "field": field[0], "spec": one[1], "field_spec": field[1],
            "seats": mine.seats, "firsts": mine.firsts, "share": mine.share, "low": mine.share_low,
            "high": mine.share_high}
