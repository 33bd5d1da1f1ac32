"""Positions as arrays: what a network is fitted to, in memory or streamed to disk.

A sample is the position as a row of bytes (`NetEvaluator.codes`), some facts and three numbers: a hundred and some
bytes. `gather_games` replays shards on the compiled side and writes each shard's samples to files, which are then
mapped into memory: ten million samples of xiangqi are 1.3 GB of disk and, as far as there is room, of the system's
cache. `gather` does the same for positions in text, one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from boyi.core.errors import BoyiError
from boyi.core.game import Game
from boyi.kit.board_net import board_net
from boyi.kit.inputs import Inputs
from boyi.kit.nnue import MOST_CODES, Net, NetEvaluator
from boyi.learn.fitting import positions
from boyi.learn.fitting.labels import Array
from boyi.learn.fitting.positions import FURTHEST_GAME, LabelledPosition
from boyi.learn.fitting.replay import Encoder
from boyi.learn.fitting.shards import Shard

FEWEST = 1_000
"""Positions; with fewer nothing is learnt that would be true of others."""

SIDE, FIRST_VIEW, SECOND_VIEW, BUCKET, IMITATED = range(5)
"""Columns of `Samples.facts`."""

HAND, SEARCHED, RESULT = range(3)
"""Columns of `Samples.labels`."""


@dataclass(frozen=True)
class Samples:
    """Positions as arrays."""

    games: Array
    """The family of each: relatives are held out together."""

    codes: Array
    """(n, places): what stands where, as the network's evaluator encodes it."""

    facts: Array
    """(n, 5): the side to act, the views of both seats, the output layer, and whether the position only teaches what
    the hand-written evaluation says: then it was not searched."""

    labels: Array
    """(n, 3): what the hand-written evaluation says and what the search said, in units of the evaluator, and the result
    of the game; for the player to act."""

    def __len__(self) -> int:
        return len(self.games)

    @property
    def hand(self) -> Array:
        return np.asarray(self.labels[:, HAND], np.float32)

    @property
    def searched(self) -> Array:
        return np.asarray(self.labels[:, SEARCHED], np.float32)

    @property
    def results(self) -> Array:
        return np.asarray(self.labels[:, RESULT], np.float32)

    @property
    def imitated(self) -> Array:
        return np.asarray(self.facts[:, IMITATED] != 0)


COLUMNS = (("games", np.int64), ("codes", np.uint8), ("facts", np.uint8), ("labels", np.int16))


# ---------------------------------------------------------------------- evaluators and what they show

def find_class(game: Game) -> type[NetEvaluator]:
    """The evaluator of a game that asks a network: one of its own, or one that sees the stones on the board."""
    for make in game.evaluators.values():
        if isinstance(make, type) and issubclass(make, NetEvaluator):
            return make
    return board_net(game)


def facts(kind: type[NetEvaluator], width: int, base: bool, scale: float, unit: float,
          inputs: str | None = None) -> dict[str, object]:
    """The header of a network's file."""
    shown = kind.find_inputs(inputs)
    return {"inputs": shown.name, "width": width, "rows": shown.rows, "buckets": kind.BUCKETS, "scale": scale,
            "unit": unit, "base": base}


def blank(kind: type[NetEvaluator], *, width: int = 16, base: bool = True, inputs: str | None = None) -> NetEvaluator:
    """An evaluator whose network knows nothing: to be asked how it sees positions, or what its base says."""
    header = facts(kind, width, base, 100.0, 100.0, inputs)
    rows = kind.find_inputs(inputs).rows
    return kind(Net(header, bytes(2 * (rows * width + width + kind.BUCKETS * (2 * width + 2)))))


def row_table(inputs: Inputs) -> Array:
    """Per image of the board, itself first, view, seat, place and code: the row that is; `inputs.rows` for none."""
    places = len(inputs.views[0][0])
    plain = np.full((len(inputs.views), 2, places, MOST_CODES), inputs.rows, np.uint16)
    for view, seats in enumerate(inputs.views):
        for seat, rows in enumerate(seats):
            for place, by_code in enumerate(rows):
                for code, row in enumerate(by_code):
                    if code and row is not None:
                        plain[view, seat, place, code] = row
    images = [plain]
    for number, image in enumerate(inputs.images, 1):
        seen_in = [inputs.view_in_image(number, view) for view in range(len(inputs.views))]
        images.append(plain[seen_in][:, :, list(image)])
    return np.ascontiguousarray(images)


# ---------------------------------------------------------------------- gathering

def gather(game: Game, labelled: Iterable[LabelledPosition], inputs: str | None = None) -> Samples:
    """Positions in text as samples; one that comes again is left out."""
    evaluator = blank(find_class(game), inputs=inputs)
    assert evaluator.base is not None
    position = game.start()
    seen: set[int] = set()
    games, codes, about, labels = [], [], [], []
    for one in labelled:
        position.set_text(one.text)
        if position.turn < 0 or position.fingerprint in seen:
            continue
        seen.add(position.fingerprint)
        games.append(one.game)
        codes.append(evaluator.codes(position))
        about.append((position.turn, *evaluator.views_of(position), evaluator.bucket_of(position), False))
        labels.append((evaluator.base.value(position), one.value, one.result))
    _check_number(len(games))
    return Samples(np.array(games, np.int64), np.frombuffer(b"".join(codes), np.uint8).reshape(len(codes), -1),
                   np.array(about, np.uint8), np.array(labels, np.int16))


def gather_games(game: Game, folders: Sequence[tuple[Path, int | None]], imitated: int = 0,
                 inputs: str | None = None, *, scratch: Path | None = None,
                 on_progress: Callable[[int], object] = lambda positions: None) -> Samples:
    """The samples of folders with shards, of each the first games or all of them; one that comes again is left out.

    For each position, `imitated` more, near it. With `scratch`, a folder, they are kept in files there.
    """
    evaluator = blank(find_class(game), inputs=inputs)
    encoder = Encoder(evaluator, game.start(), imitated)
    parts = (_encode(encoder, shard, number, evaluator, imitated, on_progress)
             for number, shard in _first_games(folders))
    if scratch is None:
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        _check_number(encoder.distinct)
        return Samples(*columns)
    scratch.mkdir(parents=True, exist_ok=True)
    paths = [scratch / f"{name}.array" for name, _ in COLUMNS]
    shapes: list[tuple[int, ...]] = []
    count = 0
    with ExitStack() as stack:
        open_files = [stack.enter_context(path.open("wb")) for path in paths]
        for part in parts:
            for file, column in zip(open_files, part, strict=True):
                column.tofile(file)
            count += len(part[0])
            shapes = [column.shape[1:] for column in part]
    _check_number(encoder.distinct)
    return Samples(*(np.memmap(path, kind, "r", shape=(count, *shape))
                     for path, (_, kind), shape in zip(paths, COLUMNS, shapes, strict=True)))


def _first_games(folders: Sequence[tuple[Path, int | None]]) -> Iterator[tuple[int, Shard]]:
    """The shards of each folder with the folder's number, no further than the games that are wanted."""
    for number, (folder, games) in enumerate(folders):
        for shard in positions.read_shards(folder):
            wanted = shard.games if games is None else int((shard.columns["numbers"] < games).sum())
            if wanted:
                yield number, shard.first(wanted)
            if wanted < shard.games:
                break


def _encode(encoder: Encoder, shard: Shard, number: int, evaluator: NetEvaluator, imitated: int,
            on_progress: Callable[[int], object]) -> tuple[Array, Array, Array, Array]:
    columns = shard.columns
    room = int((columns["kept"] != 0).sum()) * (1 + imitated)
    places = len(evaluator.inputs.views[0][0])
    games, codes = np.empty(room, np.int64), np.empty((room, places), np.uint8)
    about, labels = np.empty((room, 5), np.uint8), np.empty((room, 3), np.int16)
    count = encoder.encode(shard.starts, columns["families"], columns["plies"], columns["results"], columns["moves"],
                           columns["values"], columns["kept"], number * FURTHEST_GAME, codes, about, labels,
                           games) if room else 0
    on_progress(encoder.distinct)
    return games[:count], codes[:count], about[:count], labels[:count]


def _check_number(count: int) -> None:
    if count < FEWEST:
        raise BoyiError(f"{count} positions are too few to learn from; at least {FEWEST} are needed")
