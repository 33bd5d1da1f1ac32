"""The ladder: a file of ratings, `ratings.json`, that grows with every tournament.

It keeps the results themselves, by the tournament they come from, and rates everybody anew
whenever some are added. So a tournament that is added twice, or first half and then whole,
counts once, and the order in which tournaments came does not matter. Ratings are kept apart
by game and rule options; agents are known by their spec strings.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from boyi.arena.bout import Bout
from boyi.arena.distinct import distinct
from boyi.arena.rating import Finish, Ratings, rate
from boyi.arena.tournament import Tournament
from boyi.core.errors import BoyiError, RecordError, explain, shorten

__all__ = ["add_to_ladder"]

FORMAT_VERSION = 1


def add_to_ladder(path: Path, tournament: Tournament, source: str, bouts: Iterable[Bout],
                  anchor: str | None = None) -> Ratings:
    """Put the results of a tournament (`source` is its journal's id) into the file, and rate all that is there."""
    ladder = _read(path)
    names = tournament.names
    finishes = Counter(Finish(tuple(names[agent] for agent in bout.contestants), bout.places)
                       for bout in distinct(tournament, sorted(bouts, key=lambda bout: bout.slot)))
    game, options = tournament.start.game.name, json.loads(json.dumps(dict(tournament.start.options)))
    try:
        pool = next((pool for pool in ladder["pools"] if pool["game"] == game and pool["options"] == options), None)
        if pool is None:
            pool = {"game": game, "options": options, "results": {}}
            ladder["pools"].append(pool)
        pool["results"][source] = [
            {"agents": finish.players, "places": finish.places, "times": times}
            for finish, times in sorted(finishes.items(), key=lambda item: (item[0].players, item[0].places))]
        ratings = rate((Finish(tuple(result["agents"]), tuple(result["places"])) for results in pool["results"].values()
                        for result in results for _ in range(result["times"])), anchor=anchor)
    except (KeyError, TypeError, AttributeError) as error:
        raise _damaged(path, error) from error
    pool["anchor"] = anchor
    pool["ratings"] = [{"agent": row.name, "games": row.games, "elo": round(row.elo.value, 2),
                        "low": round(row.elo.low, 2), "high": round(row.elo.high, 2)} for row in ratings.rows]
    pool["groups"] = ratings.groups
    _write(path, json.dumps(ladder, ensure_ascii=False, indent=1) + "\n")
    return ratings


def _read(path: Path) -> dict[str, Any]:
    try:
        ladder = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {"boyi": "ratings", "version": FORMAT_VERSION, "pools": []}
    except OSError as error:
        raise BoyiError(f"cannot read {shorten(str(path))}: {explain(error)}") from error
    except ValueError as error:
        raise _damaged(path, error) from error
    if not isinstance(ladder, dict) or ladder.get("boyi") != "ratings" or not isinstance(ladder.get("pools"), list):
        raise RecordError(f"{shorten(str(path))} is not a file of ratings; name a new one")
    if ladder.get("version") != FORMAT_VERSION:
        raise RecordError(f"{shorten(str(path))} is of version {shorten(ladder.get('version'))}, and this Boyi reads "
                          f"version {FORMAT_VERSION}")
    return ladder


def _damaged(path: Path, error: Exception) -> RecordError:
    return RecordError(f"{shorten(str(path))} is not a file of ratings, or a damaged one: {shorten(str(error))}")


def _write(path: Path, text: str) -> None:
    """All or nothing: a ladder of a year must not end because a disk is full."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except (OSError, ValueError) as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise BoyiError(f"cannot write {shorten(str(path))}: {explain(error)}") from error
