"""The journal of a tournament: its settings, then every game as it ends, with its record (`arena.journal`)."""

from __future__ import annotations

import contextlib
from pathlib import Path
from types import TracebackType

from boyi.arena.bout import Bout, Slot
from boyi.arena.journal import JournalFile
from boyi.arena.tournament import Tournament
from boyi.core.errors import RecordError, shorten

__all__ = ["KIND", "LENGTHS", "Journal"]

KIND = "tournament"
"""What the first line of the file says it is."""

LENGTHS = ("rounds", "games")
"""Settings that only say how long it goes on."""


class Journal:
    """The file that a tournament is kept in: `games` are those it holds, `add` adds one.

    Only one process has it open at a time.
    """

    def __init__(self, path: Path, tournament: Tournament) -> None:
        """Open the journal of this tournament, or begin it."""
        # More rounds are no other tournament, unless results decide who meets whom.
        free = LENGTHS if tournament.swiss is None else ()
        self.path = path
        self.games: dict[Slot, Bout] = {}
        with contextlib.ExitStack() as failing:
            self._file = failing.enter_context(JournalFile(path, KIND, tournament.settings(), free))
            for number, entry in enumerate(self._file.entries, 2):
                try:
                    bout = Bout.parse(entry)
                except (ValueError, KeyError, TypeError) as error:
                    raise RecordError(f"line {number} of {shorten(str(path))} is not a game of a tournament: "
                                      f"{shorten(str(error))}") from error
                if not _belongs(bout, tournament):
                    raise RecordError(f"{shorten(str(path))} holds a game that is none of this tournament: "
                                      f"game {bout.slot.number} of meeting {bout.slot.meeting}")
                self.games.setdefault(bout.slot, bout)
            self._file.entries.clear()   # they are games now, and there may be many
            failing.pop_all()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self._file.close()

    @property
    def id(self) -> str:
        """Tells this tournament from all others."""
        return self._file.id

    def add(self, bout: Bout) -> None:
        """Keep a game; from now on a kill cannot lose it, and after a second a power cut cannot."""
        self._file.add(bout.to_entry())


def _belongs(bout: Bout, tournament: Tournament) -> bool:
    agents, players = len(tournament.contestants), tournament.start.players
    return (all(isinstance(agent, int) and 0 <= agent < agents for agent in (*bout.slot.meeting, *bout.contestants))
            and len(bout.contestants) == len(bout.places) == players and set(bout.contestants) == set(bout.slot.meeting)
            and isinstance(bout.slot.number, int) and bout.slot.number >= 0
            and all(isinstance(place, int) and 1 <= place <= players for place in bout.places))
