"""The games of a match as they end: counted for the line on the terminal, and for a sequential test."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from boyi.cli import _texts as texts
from boyi.cli._progress import Pace, Progress
from boyi.cli._reporting import format_elo
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.arena.bout import Bout, Slot
    from boyi.arena.sprt import Sprt
    from boyi.arena.tournament import Tournament

RUNNING = Words("{games}/{all}  {wins}-{draws}-{losses}  Elo {elo}  LOS {superiority:.1%}",
                "{games}/{all}  {wins}-{draws}-{losses}  等级分差 {elo}  更强概率 {superiority:.1%}")
RUNNING_MANY = Words("{games}/{all}  first places {firsts:.1f}", "{games}/{all}  第一名 {firsts:.1f}")


class Watcher:
    """Counts the games of a match as they end: for the line on the terminal, and for a sequential test.

    Games end in any order on several processes, and some may be in the journal already. A test looks at pairs in
    the order of their numbers, and at nothing behind the pair that decided it: so it ends with the same games
    however they were played.
    """

    def __init__(self, match: Tournament, games: Mapping[Slot, Bout], test: Sprt | None, language: Language) -> None:
        self._match = match
        self._games = games
        self._test = test
        self._language = language
        self._results: Counter[int] = Counter()
        self._firsts = 0.0
        self._pace = Pace(len(games))
        self.progress = Progress("match")
        self.pairs = [0] * 5
        """How many pairs brought the first agent 0, ½, 1, 1½ and 2 points, of those the test has looked at."""

        self.decided = False
        for bout in games.values():
            self._count(bout)
        self._look()

    def see(self, bout: Bout) -> bool:
        """A game has ended: is that enough?"""
        self._count(bout)
        self._look()
        if self.progress.due:
            self.progress.show(self._line())
        return self.decided

    def counted(self) -> list[Bout]:
        """The games that count, in order: with a verdict those that led to it."""
        most = 2 * sum(self.pairs) if self.decided else self._match.games
        return sorted((bout for slot, bout in self._games.items() if slot.number < most), key=lambda bout: bout.slot)

    def _count(self, bout: Bout) -> None:
        last = max(bout.places)
        for contestant, place in zip(bout.contestants, bout.places, strict=True):
            if contestant == 0:
                self._results[(place == 1) - (place == last)] += 1
                self._firsts += (place == 1) / bout.places.count(1)

    def _look(self) -> None:
        from boyi.arena.bout import Slot
        from boyi.arena.tally import count_pairs

        (meeting,) = self._match.meetings
        while self._test is not None and not self.decided:
            number = 2 * sum(self.pairs)
            pair = [self._games.get(Slot(meeting, number + game)) for game in range(2)]
            if pair[0] is None or pair[1] is None or number + 2 > self._match.games:
                return
            self.pairs = [sum(counts) for counts in zip(self.pairs, count_pairs([pair[0], pair[1]]), strict=True)]
            self.decided = self._test.verdict(self.pairs) is not None

    def _line(self) -> str:
        from boyi.arena.score import elo, interval, superiority

        games, most = len(self._games), self._match.games
        wins, draws, losses = (self._results[result] for result in (1, 0, -1))
        if self._match.start.players == 2:
            low, high = interval((wins + draws / 2) / games, games)
            error = (elo(high) - elo(low)) / 2
            value = elo((wins + draws / 2) / games)
            line = texts.say(RUNNING, self._language, games=games, all=most, wins=wins, draws=draws, losses=losses,
                             elo=f"{format_elo(value)} ± {error:.0f}" if math.isfinite(error) else format_elo(value),
                             superiority=superiority(wins, losses))
        else:
            line = texts.say(RUNNING_MANY, self._language, games=games, all=most, firsts=self._firsts)
        if self._test is not None:
            line += f"  LLR {self._test.ratio(self.pairs):+.2f}"
        return f"{line}  {self._pace.say(games, most, self._language)}"
