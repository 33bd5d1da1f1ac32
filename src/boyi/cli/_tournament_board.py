"""The table of a tournament while it is played, on a terminal."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING

from boyi.cli import _texts as texts
from boyi.cli._progress import Pace
from boyi.cli._table import rich_table
from boyi.cli._tournament_report import columns
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from rich.live import Live

    from boyi.arena.bout import Bout
    from boyi.arena.tournament import Tournament
    from boyi.arena.tournament_journal import Journal

DELAY_SECONDS = 0.5
"""A tournament that is over sooner shows no table on the way."""

REFRESH_SECONDS = 0.5
"""Shortest interval between two drawings."""

RUNNING = Words("{games}/{all} games, {pace}", "{games}/{all} 局，{pace}")


class Board:
    """The table so far on a terminal, drawn anew now and then; on anything else nothing."""

    def __init__(self, tournament: Tournament, kept: Journal, anchor: str | None, language: Language) -> None:
        self._tournament = tournament
        self._kept = kept
        self._anchor = anchor
        self._language = language
        self._shown = monotonic()
        self._pace = Pace(len(kept.games))
        self._live: Live | None = None
        self._pause = DELAY_SECONDS

    def __enter__(self) -> Board:
        return self

    def show(self, bout: Bout) -> bool:
        """A game has ended; a tournament never ends early."""
        if sys.stderr.isatty() and monotonic() - self._shown >= self._pause:
            self._draw()
        return False

    def _draw(self) -> None:
        from rich.console import Console, Group
        from rich.live import Live
        from rich.text import Text

        from boyi.arena.table import rate_tournament, table

        now = monotonic()   # loading the above is paid for once
        bouts = list(self._kept.games.values())
        ratings = rate_tournament(self._tournament, bouts, self._anchor)
        rows = table(self._tournament, bouts, ratings)
        line = texts.say(RUNNING, self._language, games=len(bouts), all=self._tournament.games,
                         pace=self._pace.say(len(bouts), self._tournament.games, self._language))
        picture = Group(rich_table(*columns(self._tournament, rows, self._language)), Text(line))
        if self._live is None:
            self._live = Live(picture, console=Console(stderr=True), auto_refresh=False, transient=True)
            self._live.start()
        self._live.update(picture, refresh=True)
        self._shown = monotonic()
        # With many agents rating takes a while; it must never take more than a twentieth of the time.
        self._pause = max(REFRESH_SECONDS, 20 * (self._shown - now))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()
