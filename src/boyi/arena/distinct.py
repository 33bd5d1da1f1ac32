"""Games that tell something new: one that repeats another is counted once.

Agents without random numbers of their own that begin alike play alike. So the same game comes back where equal agents
exchange their seats, where an opening is drawn twice, where a match is longer than its list of openings. To count it
again would be to call one observation two, and every interval too narrow. A game repeats another one when

- the same agents had the same seats; contestants with the same spec are the same agent, in either seat,
- it began with the same position, by whatever moves that was reached, and the same moves and results followed,
- and nothing random was drawn anew. Where an agent is stochastic (`AgentKind.stochastic`), the same game twice is two
  observations. So it is where the game has chance, but for games of one round, which share what chance draws.

A game in which an agent failed always counts: failures are to be seen, all of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from boyi.arena.tally import Finished
from boyi.core.position import Position

__all__ = ["Distinct", "distinct", "identify"]

Ended = TypeVar("Ended", bound=Finished)
Ended_contra = TypeVar("Ended_contra", bound=Finished, contravariant=True)

DIGEST_BYTES = 16


class Meeting(Protocol):
    """What is to be known of a match to tell its games apart; see `match.Match`."""

    @property
    def start(self) -> Position: ...

    @property
    def is_stochastic(self) -> bool:
        """Has it an agent that plays by random numbers of its own, others in every game?"""

    def opening(self, number: int) -> Position:
        """Where a game begins."""


class Event(Protocol[Ended_contra]):
    """What games belong to: a match or a tournament."""

    @property
    def identities(self) -> tuple[str, ...]:
        """See `contestant.Contested`."""

    def match_of(self, game: Ended_contra) -> Meeting:
        """The match that a game is one of."""


class Distinct(Generic[Ended]):
    """The games of a match or a tournament: `add` tells whether one is new, `games` are those that count.

    >>> import boyi
    >>> match = boyi.Match(("level:1", "level:2"), boyi.start("tic_tac_toe"), games=2, seed=1)
    >>> counted = Distinct(match)
    >>> [counted.add(game) for game in boyi.play_match(match)]
    [True, True]
    """

    def __init__(self, event: Event[Ended]) -> None:
        self._event = event
        self._identities = event.identities
        self._groups: dict[object, list[Ended]] = {}
        self._openings: dict[object, tuple[str, int]] = {}
        self.repeated = 0
        """Games that repeat another one."""

    def add(self, game: Ended) -> bool:
        """Put a game to the others; whether it is new."""
        match = self._event.match_of(game)
        key = identify(match, game, [self._identities[contestant] for contestant in game.contestants], self._openings)
        group = self._groups.setdefault(object() if key is None else key, [])
        group.append(game)
        self.repeated += len(group) > 1
        return len(group) == 1

    @property
    def games(self) -> list[Ended]:
        """Of each game and its repetitions one, in the order in which they were added.

        Between equal agents a game and its repetition with the seats exchanged are the same result for either side.
        They take turns in being the one that counts: else one of them had the first move in every game.
        """
        counted = []
        for number, group in enumerate(self._groups.values()):
            seatings = {game.contestants: game for game in reversed(group)}
            choices = [game for game in group if seatings[game.contestants] is game] if len(group) > 1 else group
            counted.append(choices[number % len(choices)])
        return counted


def distinct(event: Event[Ended], games: Iterable[Ended]) -> list[Ended]:
    """The games without those that repeat another one.

    >>> import boyi
    >>> match = boyi.Match(("random", "random"), boyi.start("tic_tac_toe"), games=2, seed=1)
    >>> len(distinct(match, boyi.play_match(match))) <= 2
    True
    """
    seen = Distinct(event)
    for game in games:
        seen.add(game)
    return seen.games


def identify(match: Meeting, game: Finished, agents: Iterable[str],
             openings: dict[object, tuple[str, int]] | None = None) -> bytes | None:
    """What a game shares with those that repeat it, and with no others; None where nothing can repeat it, or its moves
    are not known.

    `agents` are who sat where, `openings` keeps what is asked for again.
    """
    if game.failures or match.is_stochastic or not game.course:
        return None
    turn = game.number // match.start.players
    if match.start.game.has_chance:
        begun, moves = f"round {turn}", game.course
    else:
        known = {} if openings is None else openings
        place = id(match), turn
        if place not in known:
            opening = match.opening(game.number)
            known[place] = opening.to_text(), opening.ply
        begun, moves = known[place][0], game.course[known[place][1]:]
    content = "\n".join((*agents, begun, *map(str, game.places), *moves))
    return hashlib.blake2b(content.encode(errors="surrogatepass"), digest_size=DIGEST_BYTES).digest()
