"""The games of a match as they end: counted for the line on the terminal, and for a sequential test."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from boyi.cli import _texts as texts
from boyi.cli._progress import Pace, Progress
from boyi.cli._reporting import format_elo
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.arena.bout import Bout, Slot
    from boyi.arena.distinct import Distinct
    from boyi.arena.sprt import Sprt
    from boyi.arena.tournament import Tournament

RUNNING = Words("{games}/{all}  {wins}-{draws}-{losses}  Elo {elo}  LOS {superiority:.1%}",
                "{games}/{all}  {wins}-{draws}-{losses}  等级分差 {elo}  更强概率 {superiority:.1%}")
RUNNING_MANY = Words("{games}/{all}  first places {firsts:.1f}", "{games}/{all}  第一名 {firsts:.1f}")

MOST_REPEATS = 200
"""A test ends when this many pairs in a row repeated earlier ones: then few openings are left, or none."""


class Watcher:
    """Counts the games of a match as they end: for the line on the terminal, and for a sequential test.

    Games end in any order on several processes, and some may be in the journal already. A test looks at pairs in
    the order of their numbers, and at nothing behind the pair that decided it: so it ends with the same games
    however they were played. A pair that repeats earlier games is no observation (`arena.distinct`).
    """

    def __init__(self, match: Tournament, games: Mapping[Slot, Bout], test: Sprt | None, language: Language) -> None:
        from boyi.arena.distinct import Distinct

        self._match = match
        self._games = games
        self._test = test
        self._language = language
        self._ended: Distinct[Bout] = Distinct(match)
        self._looked_at: Distinct[Bout] = Distinct(match)
        """The same in the order of their numbers, for the test."""

        self._pairs_looked_at = 0
        self._repeats_in_a_row = 0
        self._pace = Pace(len(games))
        self.progress = Progress("match")
        self.pairs = [0] * 5
        """How many pairs brought the first agent 0, ½, 1, 1½ and 2 points, of those the test has looked at."""

        self.decided = False
        self.exhausted = False
        """Does the test see nothing new any more?"""

        for bout in games.values():
            self._ended.add(bout)
        self._look()

    def see(self, bout: Bout) -> bool:
        """A game has ended: is that enough?"""
        self._ended.add(bout)
        self._look()
        if self.progress.due:
            self.progress.show(self._line())
        return self.over

    @property
    def over(self) -> bool:
        """Is there nothing more to play for?"""
        return self.decided or self.exhausted

    def counted(self) -> list[Bout]:
        """The games that the match has, in order: of a test that is over those that it looked at."""
        most = 2 * self._pairs_looked_at if self.over else self._match.games
        return sorted((bout for slot, bout in self._games.items() if slot.number < most), key=lambda bout: bout.slot)

    def _look(self) -> None:
        from boyi.arena.bout import Slot
        from boyi.arena.tally import count_pairs

        (meeting,) = self._match.meetings
        while self._test is not None and not self.over:
            number = 2 * self._pairs_looked_at
            first, second = (self._games.get(Slot(meeting, number + game)) for game in range(2))
            if first is None or second is None or number + 2 > self._match.games:
                return
            self._pairs_looked_at += 1
            new = [self._looked_at.add(game) for game in (first, second)]
            if not any(new):
                self._repeats_in_a_row += 1
                self.exhausted = self._repeats_in_a_row == MOST_REPEATS
                continue
            self._repeats_in_a_row = 0
            self.pairs = [sum(counts) for counts in zip(self.pairs, count_pairs([first, second]), strict=True)]
            self.decided = self._test.verdict(self.pairs) is not None

    def _line(self) -> str:
        from boyi.arena.score import elo, interval, superiority
        from boyi.arena.tally import tally

        games, most, counted = len(self._games), self._match.games, self._ended.games
        players = self._match.start.players
        mine = tally(counted, len(self._match.contestants), players)[0]
        if players == 2:
            low, high = interval(mine.score, len(counted))
            error = (elo(high) - elo(low)) / 2
            value = elo(mine.score)
            line = texts.say(RUNNING, self._language, games=games, all=most, wins=mine.wins, draws=mine.draws,
                             losses=mine.losses, superiority=superiority(mine.wins, mine.losses),
                             elo=f"{format_elo(value)} ± {error:.0f}" if math.isfinite(error) else format_elo(value))
        else:
            line = texts.say(RUNNING_MANY, self._language, games=games, all=most, firsts=mine.firsts)
        if self._test is not None:
            line += f"  LLR {self._test.ratio(self.pairs):+.2f}"
        return f"{line}  {self._pace.say(games, most, self._language)}"
