"""Labelled positions: what networks are fitted to.

The game's own search plays itself, with a limit of nodes, from random openings. Of every game the *quiet* positions are
kept (nobody is in check, the move found is no capture that a search would look at beyond its horizon, nothing is
proven), each with the value of the search and the result of the game. A game that is decided, or too long, is broken
off.

Games are numbered, and number and settings decide everything about a game. They are kept in *shards* of
`GAMES_PER_SHARD` games each, small compressed text files in one folder; a shard is written whole or not at all. So the
same command, run again after an interruption, goes on after the last whole shard, and asking for more games adds to
those there are. `settings.json` beside the shards says how they were played; other settings need another folder.

*Sets.* Evaluators may be fitted to several folders at once, say many games with few nodes and some with more. Numbers
of games are then kept apart (`read_sets`), and which games of a set are held out does not depend on the others.
"""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from boyi.agents.interruption import search
from boyi.agents.searching import find_default
from boyi.arena.pool import Pool
from boyi.core.draws import sample_chance
from boyi.core.errors import BoyiError, OptionError, UnknownNameError, shorten
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.searcher import Limits
from boyi.games import find_game
from boyi.learn import files
from boyi.learn.fitting.settings import PositionSettings

GAMES_PER_SHARD = 100
SETTINGS_FILE = "settings.json"
FURTHEST_GAME = 1_000_000
"""Games of a set are numbered below this, a multiple of the number of folds: so a set's games are held out or not
whatever other sets there are."""

MOST_OPENINGS = 1_000
"""Openings that are drawn for one game until neither side is far ahead."""

AGREED_PLIES = 4
"""A game is decided when this number of searches in a row, of both sides, said so."""


@dataclass(frozen=True)
class LabelledPosition:
    """A quiet position, and what became of it."""

    game: int
    text: str
    """As the player to act knows the position."""

    value: int
    """Of the search, for that player."""

    result: int
    """Of the game for that player: 1, 0 or -1."""


# ---------------------------------------------------------------------- one game

def play(settings: PositionSettings, number: int) -> list[LabelledPosition]:
    """The quiet positions of one game; the same for the same settings and number."""
    game = find_game(settings.game)
    generator = random.Random(f"{settings.seed} positions {number}")
    values = {} if settings.evaluator is None else {"evaluator": settings.evaluator}
    searcher = find_default(game.start()).make(game, values)   # a fresh one: what it remembers would tie games together
    limits = Limits(nodes=settings.nodes)
    position = _open(game.start(), settings, generator, searcher.search, limits)
    kept: list[tuple[str, int, int]] = []
    agreed, leader, score = 0, -1, 0       # score: for player 0
    while position.turn != OVER and position.ply < settings.longest:
        if position.turn == CHANCE:
            position.play(sample_chance(position, generator))
            continue
        player = position.turn
        seen = position.observe(player)
        result = search(searcher, seen, limits)
        line = result.lines[0]
        if line.wins_in is None and is_quiet(seen, line.moves[0]):
            kept.append((seen.to_text(), player, round(line.value)))
        ahead = player if line.value > 0 else 1 - player
        agreed = 0 if abs(line.value) < settings.decided else agreed + 1 if ahead == leader else 1
        leader = ahead
        if agreed == AGREED_PLIES:
            score = 1 if leader == 0 else -1
            break
        position.play(generator.choice(position.moves()) if 100 * generator.random() < settings.loose
                      else line.moves[0])
    outcome = position.outcome()
    if outcome is not None:
        score = int(outcome.scores[0] > outcome.scores[1]) - int(outcome.scores[0] < outcome.scores[1])
    return [LabelledPosition(number, text, value, score if player == 0 else -score) for text, player, value in kept]


def _open(start: Position, settings: PositionSettings, generator: random.Random,
          ask: Callable[[Position, Limits], object], limits: Limits) -> Position:
    """A position after random moves in which neither side is far ahead."""
    for _ in range(MOST_OPENINGS):
        position = start.copy()
        while position.turn == CHANCE:
            position.play(sample_chance(position, generator))
        for _ in range(generator.randint(settings.fewest_random_plies, settings.most_random_plies)):
            if position.turn == OVER:
                break
            position.play(generator.choice(position.moves()))
            while position.turn == CHANCE:
                position.play(sample_chance(position, generator))
        if position.turn == OVER:
            continue
        line = ask(position.observe(position.turn), limits).lines[0]    # type: ignore[attr-defined]
        if abs(line.value) <= settings.level:
            return position
    raise BoyiError(f"{settings.fewest_random_plies} to {settings.most_random_plies} random moves leave nothing open "
                    f"in {start.game.name}: {MOST_OPENINGS} openings were all decided; say fewer, as in "
                    "--set fewest_random_plies=0,most_random_plies=2")


def is_quiet(position: Position, move: int) -> bool:
    """Is the position one at which a search may stop and ask an evaluator? Else it would go on through checks and
    captures; a game that tells searches of neither is asked about everywhere."""
    return not position.checked and move not in position.captures_now()


# ---------------------------------------------------------------------- many games

def gather(folder: Path, settings: PositionSettings, games: int, jobs: int = 1,
           on_progress: Callable[[int], object] = lambda games: None) -> None:
    """See to it that the folder holds the positions of this number of games, rounded up to whole shards."""
    _claim(folder, settings)
    missing = [shard for shard in range(-(-games // GAMES_PER_SHARD)) if not _path(folder, shard).exists()]
    done = -(-games // GAMES_PER_SHARD) - len(missing)
    on_progress(done * GAMES_PER_SHARD)
    with Pool(jobs) as pool:
        for _ in pool.run(partial(write_shard, folder, settings), missing):
            done += 1
            on_progress(done * GAMES_PER_SHARD)


def write_shard(folder: Path, settings: PositionSettings, shard: int) -> int:
    """Play the games of a shard and write it; its number."""
    first = shard * GAMES_PER_SHARD
    lines = [f"{one.game}\t{one.value}\t{one.result}\t{one.text}\n"
             for number in range(first, first + GAMES_PER_SHARD) for one in play(settings, number)]
    files.write_whole(_path(folder, shard), lzma.compress("".join(lines).encode(), preset=1))
    return shard


def read(folder: Path, games: int | None = None) -> Iterator[LabelledPosition]:
    """All that the folder holds, or its first games, in the order of their numbers."""
    paths = sorted(folder.glob("shard-*.xz"))
    if not paths:
        raise BoyiError(f"there are no positions (shard-*.xz) in {shorten(str(folder))}")
    for path in paths:
        for line in lzma.decompress(path.read_bytes()).decode().splitlines():
            game, value, result, text = line.split("\t", 3)
            if games is not None and int(game) >= games:
                return
            yield LabelledPosition(int(game), text, int(value), int(result))


def read_sets(sets: Sequence[tuple[Path, int]]) -> Iterator[LabelledPosition]:
    """The first games of each folder, one set after the other, in numbers that tell whose they are."""
    for number, (folder, games) in enumerate(sets):
        for one in read(folder, games):
            yield replace(one, game=one.game + number * FURTHEST_GAME)


def parse_set(text: str, settings: PositionSettings, games: int) -> tuple[PositionSettings, int]:
    """Understand `games=2000,nodes=1500,decided=1500`: settings and how many games; the rest is as given."""
    known = ("games", *(field.name for field in fields(PositionSettings) if field.name != "game"))
    chosen: dict[str, Any] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name not in known:
            raise UnknownNameError.among("setting of a set of games", name, known)
        if name in chosen:
            raise OptionError(f"{name} is said twice in {shorten(text)}")
        if name == "evaluator" and value:
            chosen[name] = value
        elif value.isascii() and value.isdigit() and len(value) < 10:
            chosen[name] = int(value)
        else:
            raise OptionError(f"{name} is {shorten(value)} and must be a "
                              f"{'name' if name == 'evaluator' else 'whole number'}, as in {name}="
                              f"{'hand' if name == 'evaluator' else 1_000}")
    games = int(chosen.pop("games", games))
    if not 1 <= games <= FURTHEST_GAME:
        raise OptionError(f"games is {games} and must be from 1 to {FURTHEST_GAME}")
    return replace(settings, **chosen), games


def _path(folder: Path, shard: int) -> Path:
    return folder / f"shard-{shard:05}.xz"


def _claim(folder: Path, settings: PositionSettings) -> None:
    """The folder is for games of these settings, from now on if it is new."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / SETTINGS_FILE
    text = json.dumps(asdict(settings), indent=2) + "\n"
    if not path.exists():
        path.write_text(text, encoding="utf-8")
    # What was not yet a setting when the folder was begun was as it is by default.
    elif asdict(PositionSettings(**json.loads(path.read_text(encoding="utf-8")))) != asdict(settings):
        raise BoyiError(f"the positions in {shorten(str(folder))} are of games with other settings (see {path.name} "
                        "there); name another folder")
