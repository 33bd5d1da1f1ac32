"""Labelled positions: what networks are fitted to.

The game's own search plays itself, with a limit of nodes. Of every game the *quiet* positions are kept (nobody is in
check, the move found is no capture that a search would look at beyond its horizon, nothing is proven), each with the
value of the search and the result of the game. A game that is decided, or too long, is broken off.

*Openings.* Games begin after random moves; some of them with moves of the game's opening book; and some late in an
earlier game, a few random moves away, so that endgames are seen too.

*Shards.* Games are numbered and lie in *shards* (`learn.fitting.shards`) in one folder. A shard's number and the
settings decide everything in it: its search begins with an empty table and keeps it from game to game. A shard is
written whole or not at all, so the same command, run again after an interruption, goes on with the shards that are
missing. `settings.json` beside the shards, and the header of each, say how they were played and with which weights;
other settings need another folder.

*Sets.* Evaluators may be fitted to several folders at once, say many games with few nodes and some with more. Numbers
of games are then kept apart (`read_sets`), and which games of a set are held out does not depend on the others.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import multiprocessing
import os
import random
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from boyi.agents.book import own_book
from boyi.agents.interruption import listening, search
from boyi.agents.searching import find_default, read_binary_file
from boyi.arena.pool import Pool
from boyi.core.draws import sample_chance
from boyi.core.errors import BoyiError, OptionError, UnknownNameError, shorten
from boyi.core.game import Game
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.python_position import PythonPosition
from boyi.core.searcher import Limits, Line
from boyi.games import find_game
from boyi.kit.nnue import NetEvaluator
from boyi.learn import files
from boyi.learn.fitting import shards
from boyi.learn.fitting.settings import PositionSettings
from boyi.learn.fitting.shards import LabelledGame

SETTINGS_FILE = "settings.json"
WEIGHTS_DIGEST = "weights_sha256"
"""In settings and headers: of the weights that played, for a file's name says nothing about what is in it."""

FURTHEST_GAME = 20_000_000
"""Games of a set are numbered below this, a multiple of the number of folds: so a set's games are held out or not
whatever other sets there are."""

MOST_SETS = 100
MOST_OPENINGS = 1_000
"""Openings that are drawn for one game until neither side is far ahead."""

AGREED_PLIES = 4
"""A game is decided when this number of searches in a row, of both sides, said so."""

BOOK_PLIES = 2, 16
"""The number of moves from an opening book is drawn between the two."""

RANDOM_AFTER_BOOK = 0, 2
RANDOM_IN_ENDINGS = 1, 4
"""The number of random moves after those, and after a position of an earlier game, is drawn between the two."""

LATE = 2 / 3
"""An ending begins after this share of an earlier game's moves."""

ENDING_TRIES = 8
"""Endings that are drawn until none is decided; then the game begins as others do."""

EARLIER_GAMES = 64
"""Games of a shard in which endings may begin: the last ones."""

LOW_PRIORITY = 10
"""Of processes that do nothing but play: their niceness."""


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

class Player:
    """Plays games of one kind; its search and their table outlive a game."""

    def __init__(self, settings: PositionSettings) -> None:
        self.settings = settings
        self.game = find_game(settings.game)
        start = self.game.start()
        self._start_text = start.to_text()
        algorithm = find_default(start)
        evaluator = settings.evaluator or next(iter(self.game.evaluators), None)
        values = {name: value for name, value in (("evaluator", evaluator), ("weights", settings.weights))
                  if value is not None}
        known = {} if algorithm.options is None else {part.name for part in fields(algorithm.options)}
        self._searcher = algorithm.make(
            self.game, {**values, **({"table_mb": settings.table_mb} if "table_mb" in known else {})})
        self._limits = Limits(nodes=settings.nodes)
        self._secrets = start.has_secrets
        self._follows = start.has_secrets and not isinstance(start, PythonPosition)
        self._book = own_book(self.game) if settings.book else None
        self._booked: dict[int, Sequence[tuple[int, float]]] = {}
        self._earlier: deque[tuple[int, Position]] = deque(maxlen=EARLIER_GAMES)

    def play(self, number: int) -> LabelledGame:
        """The next game, with its quiet positions; earlier ones played here may have a part in it."""
        settings = self.settings
        generator = random.Random(f"{settings.seed} positions {number}")
        position, family = self._open(generator, number)
        begun, start = position.ply, "" if position.start_text == self._start_text else position.start_text
        values, kept = [0] * begun, [False] * begun
        agreed, leader, result = 0, -1, 0      # result: for player 0
        views = [position.observe(0), position.observe(1)] if self._follows else []
        while position.turn != OVER and position.ply < settings.longest:
            value, keep = 0, False
            if position.turn == CHANCE:
                move = sample_chance(position, generator)
            else:
                player = position.turn
                seen = views[player] if views else position.observe(player) if self._secrets else position
                line = self._ask(seen)
                move = line.moves[0]
                if line.wins_in is None and is_quiet(seen, move):
                    value, keep = round(line.value), True
                ahead = player if line.value > 0 else 1 - player
                agreed = 0 if abs(line.value) < settings.decided else agreed + 1 if ahead == leader else 1
                leader = ahead
                if settings.loose and 100 * generator.random() < settings.loose:
                    move = generator.choice(position.moves())
            position.play(move)
            for view in views:
                if view.is_legal(move):        # else the player is not told of it (`learn.fitting.replay`)
                    view.play(move)
            values.append(value)
            kept.append(keep)
            if agreed == AGREED_PLIES:
                result = 1 if leader == 0 else -1
                break
        outcome = position.outcome()
        if outcome is not None:
            result = int(outcome.scores[0] > outcome.scores[1]) - int(outcome.scores[0] < outcome.scores[1])
        if settings.endings:
            self._earlier.append((family, position))
        return LabelledGame(number, family, start, result, tuple(position.history()), tuple(values), tuple(kept))

    def _ask(self, position: Position) -> Line:
        return search(self._searcher, position, self._limits).lines[0]

    def _ask_opening(self, position: Position) -> Line:
        return self._ask(position.observe(position.turn) if self._secrets else position)

    # ------------------------------------------------------------------ where games begin

    def _open(self, generator: random.Random, number: int) -> tuple[Position, int]:
        """A position to play from, and the number of the game that it is of."""
        kind = 100 * generator.random() if self.settings.book or self.settings.endings else 100.0
        if kind < self.settings.endings and self._earlier:
            for _ in range(ENDING_TRIES):
                family, position = self._late(generator)
                if position.turn >= 0 and abs(self._ask_opening(position).value) < self.settings.decided:
                    return position, family
        use_book = self._book is not None and kind >= 100 - self.settings.book
        for _ in range(MOST_OPENINGS):
            position = self.game.start()
            _let_chance_act(position, generator)
            if use_book:
                self._follow_book(position, generator)
                _wander(position, generator, *RANDOM_AFTER_BOOK)
            else:
                _wander(position, generator, self.settings.fewest_random_plies, self.settings.most_random_plies)
            if position.turn >= 0 and abs(self._ask_opening(position).value) <= self.settings.level:
                return position, number
        raise BoyiError(f"{self.settings.fewest_random_plies} to {self.settings.most_random_plies} random moves leave "
                        f"nothing open in {self.game.name}: {MOST_OPENINGS} openings were all decided; say fewer, as "
                        "in --set fewest_random_plies=0,most_random_plies=2")

    def _late(self, generator: random.Random) -> tuple[int, Position]:
        """Something like a position late in an earlier game, as the start of another one."""
        family, earlier = self._earlier[generator.randrange(len(self._earlier))]
        position = earlier.copy()
        ply = generator.randint(int(LATE * position.ply), position.ply)
        while position.ply > ply or (position.turn < 0 and position.ply):
            position.undo()
        if position.turn < 0:
            return family, position
        position = self.game.parse(position.to_text())
        _wander(position, generator, *RANDOM_IN_ENDINGS)
        return family, position

    def _follow_book(self, position: Position, generator: random.Random) -> None:
        for _ in range(generator.randint(*BOOK_PLIES)):
            # Looking up a position takes longer than searching it; the first ones come again and again.
            key = position.fingerprint
            if key not in self._booked:
                found = self._book.look_up(position) if self._book is not None else ()
                self._booked[key] = [(move, one.games / len(one.moves)) for one in found for move in one.moves]
            if position.turn < 0 or not self._booked[key]:
                return
            moves, weights = zip(*self._booked[key], strict=True)
            position.play(generator.choices(moves, weights)[0])
            _let_chance_act(position, generator)


def _wander(position: Position, generator: random.Random, fewest: int, most: int) -> None:
    """Play random moves."""
    for _ in range(generator.randint(fewest, most)):
        if position.turn == OVER:
            return
        position.play(generator.choice(position.moves()))
        _let_chance_act(position, generator)


def _let_chance_act(position: Position, generator: random.Random) -> None:
    while position.turn == CHANCE:
        position.play(sample_chance(position, generator))


def is_quiet(position: Position, move: int) -> bool:
    """Is the position one at which a search may stop and ask an evaluator? Else it would go on through checks and
    captures; a game that tells searches of neither is asked about everywhere."""
    return not position.checked and move not in position.captures_now()


def replay(game: Game, played: LabelledGame) -> Iterator[LabelledPosition]:
    """The positions of a game that are kept, as texts."""
    position = game.parse(played.start) if played.start else game.start()
    for move, value, kept in zip(played.moves, played.values, played.kept, strict=True):
        if kept:
            player = position.turn
            yield LabelledPosition(played.family, position.observe(player).to_text(), value,
                                   played.result if player == 0 else -played.result)
        position.play(move)


# ---------------------------------------------------------------------- many games

@dataclass(frozen=True)
class Done:
    """How far the games of a folder are."""

    shards: int
    games: int
    positions: int
    new_positions: int
    """Since the command was started."""


def gather(folder: Path, settings: PositionSettings, games: int | None = None, jobs: int = 1,
           on_progress: Callable[[Done], object] = lambda done: None, *, seconds: float | None = None) -> Done:
    """See to it that the folder holds the positions of this number of games, rounded up to whole shards; or play for
    a time, and end the shards that were begun. What was there before."""
    began = time.monotonic()
    Player(settings)      # what cannot play must not claim the folder
    identity = _claim(folder, settings)
    headers = [shards.read_header(path) for path in folder.glob(shards.PATTERN)]
    there = {shards.number_of(path) for path in folder.glob(shards.PATTERN)}
    done = Done(len(there), sum(header["games"] for header in headers),
                sum(header["positions"] for header in headers), 0)
    on_progress(done)
    most = FURTHEST_GAME if games is None else games

    def missing() -> Iterator[int]:
        for shard in itertools.count():
            if shard * settings.games_per_shard >= most:
                return
            if shard not in there:
                if seconds is not None and time.monotonic() - began >= seconds:
                    return
                yield shard

    with Pool(jobs) as pool:
        for positions in pool.run(partial(write_shard, folder, settings, identity), missing()):
            done = Done(done.shards + 1, done.games + settings.games_per_shard, done.positions + positions,
                        done.new_positions + positions)
            on_progress(done)
    return done


def write_shard(folder: Path, settings: PositionSettings, identity: dict[str, Any], shard: int) -> int:
    """Play the games of a shard and write it; the number of its positions."""
    if multiprocessing.parent_process() is not None and hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, max(LOW_PRIORITY, os.getpriority(os.PRIO_PROCESS, 0)))
    first = shard * settings.games_per_shard
    player = Player(settings)
    if identify(settings)[WEIGHTS_DIGEST] != identity[WEIGHTS_DIGEST]:
        raise BoyiError("the weights changed while games were played with them")
    with listening():
        played = [player.play(number) for number in range(first, first + settings.games_per_shard)]
    shards.write(shards.path_of(folder, shard), {**identity, "shard": shard, "rules": player.game.rules_version},
                 played)
    return sum(map(sum, (game.kept for game in played)))


def read_games(folder: Path, games: int | None = None) -> Iterator[LabelledGame]:
    """The games that a folder holds, or the first of them, in the order of their numbers."""
    for shard in read_shards(folder):
        for one in shard:
            if games is not None and one.number >= games:
                return
            yield one


def read_shards(folder: Path) -> Iterator[shards.Shard]:
    """The shards of a folder, which must all be of the same settings."""
    first: dict[str, Any] | None = None
    for path in shards.list_shards(folder):
        header = shards.read_header(path)
        made = {name: header.get(name) for name in ("settings", WEIGHTS_DIGEST, "rules")}
        if first is not None and made != first:
            raise BoyiError(f"the shards in {shorten(str(folder))} are of different settings: {path.name} differs from "
                            "those before it")
        first = made
        yield shards.read(path)


def read(folder: Path, games: int | None = None) -> Iterator[LabelledPosition]:
    """The positions of a folder's games, as texts."""
    game: Game | None = None
    for one in read_games(folder, games):
        if game is None:
            game = find_game(read_settings(folder).game)
        yield from replay(game, one)


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
        if name in ("evaluator", "weights") and value:
            chosen[name] = value
        elif name not in ("evaluator", "weights") and value.isascii() and value.isdigit() and len(value) < 10:
            chosen[name] = int(value)
        else:
            wanted, example = {"evaluator": ("name", "hand"), "weights": ("file's name", "net.xz")}.get(
                name, ("whole number", "1000"))
            raise OptionError(f"{name} is {shorten(value)} and must be a {wanted}, as in {name}={example}")
    games = int(chosen.pop("games", games))
    if not 1 <= games <= FURTHEST_GAME:
        raise OptionError(f"games is {games} and must be from 1 to {FURTHEST_GAME}")
    return replace(settings, **chosen), games


# ---------------------------------------------------------------------- what a folder is for

def identify(settings: PositionSettings) -> dict[str, Any]:
    """What games must have in common to lie in one folder: the settings, and the weights by what is in them."""
    if settings.weights is not None:
        digest = hashlib.sha256(read_binary_file(settings.weights)).hexdigest()
    else:
        evaluators = find_game(settings.game).evaluators
        make = evaluators.get(settings.evaluator or next(iter(evaluators), ""))
        digest = make().net.digest if isinstance(make, type) and issubclass(make, NetEvaluator) else ""
    said = asdict(settings)
    del said["weights"]
    return {"settings": said, WEIGHTS_DIGEST: digest}


def read_settings(folder: Path) -> PositionSettings:
    """How the games of a folder were played; of the weights only their digest is known."""
    for path in shards.list_shards(folder):
        try:
            return PositionSettings(**shards.read_header(path)["settings"])
        except (KeyError, TypeError) as error:
            raise BoyiError(f"the header of {shorten(str(path))} has settings that are not known here: "
                            f"{error}") from error
    raise AssertionError("a folder without shards is refused")


def describe(folder: Path, game: Game) -> dict[str, Any]:
    """What the shards of a folder, which must be of this game and its rules, were played with, and how many games
    there are."""
    headers = [shards.read_header(path) for path in shards.list_shards(folder)]
    first = headers[0]
    for header in headers:
        if header.get("settings", {}).get("game") != game.name or header.get("rules") != game.rules_version:
            raise BoyiError(f"the positions in {shorten(str(folder))} are not of {game.name} under version "
                            f"{game.rules_version} of its rules")
    return {**first["settings"], WEIGHTS_DIGEST: first[WEIGHTS_DIGEST],
            "games": sum(header["games"] for header in headers),
            "positions": sum(header["positions"] for header in headers)}


def _claim(folder: Path, settings: PositionSettings) -> dict[str, Any]:
    """The folder is for games of these settings, from now on if it is new. What they are."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / SETTINGS_FILE
    identity = identify(settings)
    if any(folder.glob("shard-*.xz")):
        raise BoyiError(f"the positions in {shorten(str(folder))} are of an earlier version of Boyi, in another "
                        "format; name another folder")
    if not path.exists():
        files.write_whole(path, (json.dumps(identity, indent=2) + "\n").encode())
        return identity
    there = json.loads(path.read_text(encoding="utf-8"))
    # What was not yet a setting when the folder was begun was as it is by default.
    usual = asdict(PositionSettings(game=settings.game))
    del usual["weights"]
    if {**usual, **there.get("settings", {})} != identity["settings"] or there.get(WEIGHTS_DIGEST) != identity[
            WEIGHTS_DIGEST]:
        raise BoyiError(f"the positions in {shorten(str(folder))} are of games with other settings or weights (see "
                        f"{path.name} there); name another folder")
    return dict(there)
