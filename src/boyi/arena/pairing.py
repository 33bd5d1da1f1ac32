"""Who meets whom in a tournament: everybody, or the Swiss way.

A meeting is a set of agents at one board, named by their numbers. Where agents are fewer than seats, every order of
them is a meeting, and the last of it fills the seats that are left.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from boyi.arena.bout import Bout
from boyi.core.outcome import scores_by_place

__all__ = ["Meeting", "all_meetings", "boards", "count_stages", "pair_swiss"]

Meeting = tuple[int, ...]
"""Numbers of contestants."""

STAGES_MORE = 3
"""A knock-out of n agents takes log2(n) stages; this many more let the table settle below the first, too."""


def count_stages(count: int) -> int:
    """The number of stages of a Swiss tournament, if nobody says otherwise.

    >>> count_stages(80)
    10
    """
    return (count - 1).bit_length() + STAGES_MORE


def all_meetings(count: int, seats: int) -> tuple[Meeting, ...]:
    """Everybody with everybody.

    >>> all_meetings(3, 2)
    ((0, 1), (0, 2), (1, 2))
    """
    everybody = tuple(range(count))
    if count >= seats:
        return tuple(combinations(everybody, seats))
    return tuple(everybody[begin:] + everybody[:begin] for begin in everybody)


def boards(count: int, seats: int) -> list[Meeting]:
    """All agents once, as many at a board as there are seats; the last board is filled up from the first agents.

    >>> boards(5, 2)
    [(0, 1), (2, 3), (4, 0)]
    """
    members, seats = tuple(range(count)), min(seats, count)
    return [(members[begin:] + members[:begin])[:seats] for begin in range(0, count, seats)]


def pair_swiss(stage: int, count: int, seats: int, bouts: Sequence[Bout], met: Mapping[Meeting, int],
               seed: int) -> list[Meeting]:
    """The meetings of a Swiss stage: from the top of the table down, each with the nearest it has met least.

    `bouts` are the games of the stages before, `met` how often agents have met in them; equals are ranked at random.
    """
    if count <= seats:
        meetings = all_meetings(count, seats)
        return [meetings[stage % len(meetings)]]
    points = _points(count, bouts)
    lots = list(range(count))
    random.Random(f"{seed} lots {stage}").shuffle(lots)
    ranking = sorted(range(count), key=lambda agent: (-points[agent], lots[agent]))
    played = Counter(agent for meeting, times in met.items() for agent in meeting for _ in range(times))
    together = Counter(pair for meeting, times in met.items() for pair in combinations(sorted(meeting), 2)
                       for _ in range(times))
    # Those who cannot be seated sit out: those who have played most, of them the last in the table.
    resting = sorted(ranking, key=lambda agent: (-played[agent], -ranking.index(agent)))[:count % seats]
    left = [agent for agent in ranking if agent not in resting]
    paired = []
    while left:
        board = [left.pop(0)]
        while len(board) < seats:
            nearest = min(left, key=lambda agent: sum(
                together[min(agent, other), max(agent, other)] for other in board))
            left.remove(nearest)
            board.append(nearest)
        paired.append(tuple(sorted(board)))
    return paired


def _points(count: int, bouts: Iterable[Bout]) -> list[float]:
    """Per contestant the mean result, from 0 to 1; a half for those who have not played.

    Added up in the order of the games: pairs of a journal that goes on must not hang on how sums are rounded.
    """
    total, seats = [0.0] * count, [0] * count
    for bout in sorted(bouts, key=lambda bout: bout.slot):
        for contestant, score in zip(bout.contestants, scores_by_place(bout.places), strict=True):
            total[contestant] += score / 2 + 0.5
            seats[contestant] += 1
    return [points / played if played else 0.5 for points, played in zip(total, seats, strict=True)]
