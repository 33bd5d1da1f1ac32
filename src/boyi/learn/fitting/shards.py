"""Shards: the file format of labelled games, from which positions are replayed.

A game is where it began, its moves, and for every position that is worth fitting to what the search said there. That
is some ten bytes a position, in any game, and says nothing about how a network sees positions: other inputs read the
same shards.

    a line of JSON        the header: format, game, version of its rules, settings, digest of the weights, counts
    zlib                  columns, little-endian: per game its number, family, plies, result, length of the start's
                          text; the texts; per ply the move, the value, whether the position before it is kept

A file is written whole or not at all, and is checked whole when it is read.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from boyi.core.errors import BoyiError, shorten
from boyi.learn import files
from boyi.learn.fitting.labels import Array

FORMAT = "boyi positions 1"
PATTERN = "shard-*.games"
LONGEST_HEADER = 1 << 16
"""Bytes."""

GAME_COLUMNS = (("numbers", "<u4"), ("families", "<u4"), ("plies", "<u4"), ("results", "i1"), ("lengths", "<u2"))
PLY_COLUMNS = (("moves", "<u4"), ("values", "<i2"), ("kept", "u1"))


class ShardError(BoyiError, ValueError):
    """A file that is no shard, or not a whole one."""


@dataclass(frozen=True)
class LabelledGame:
    """A game, and what searches said in it."""

    number: int
    family: int
    """The number of the game that it began in, its own if it began as games do. Relatives are held out together."""

    start: str
    """The position it began with, as the referee knows it; empty for the start of the game."""

    result: int
    """For player 0: 1, 0 or -1."""

    moves: tuple[int, ...]
    """All of them: random ones and results of chance, too."""

    values: tuple[int, ...]
    """Per move, of the search before it, for the player to act; 0 where the position is not kept."""

    kept: tuple[bool, ...]
    """Per move, whether the position before it is worth fitting to."""


@dataclass(frozen=True)
class Shard:
    """The games of a file, as columns."""

    header: Mapping[str, Any]
    starts: Sequence[str]
    columns: Mapping[str, Array]

    @property
    def games(self) -> int:
        return len(self.starts)

    def first(self, games: int) -> Shard:
        """The same without the games after the first ones."""
        if games >= self.games:
            return self
        plies = int(self.columns["plies"][:games].sum())
        by_ply = {name for name, _ in PLY_COLUMNS}
        return Shard(self.header, self.starts[:games], {
            name: column[:plies if name in by_ply else games] for name, column in self.columns.items()})

    def __iter__(self) -> Iterator[LabelledGame]:
        ends = np.cumsum(self.columns["plies"], dtype=np.int64)
        for game, start in enumerate(self.starts):
            plies = slice(int(ends[game] - self.columns["plies"][game]), int(ends[game]))
            yield LabelledGame(
                int(self.columns["numbers"][game]), int(self.columns["families"][game]), start,
                int(self.columns["results"][game]), tuple(self.columns["moves"][plies].tolist()),
                tuple(self.columns["values"][plies].tolist()), tuple(self.columns["kept"][plies].astype(bool).tolist()))


def path_of(folder: Path, number: int) -> Path:
    return folder / f"shard-{number:05}.games"


def list_shards(folder: Path) -> list[Path]:
    """The shards of a folder in the order of their numbers."""
    paths = sorted(folder.glob(PATTERN), key=number_of)
    if not paths:
        raise BoyiError(f"there are no positions ({PATTERN}) in {shorten(str(folder))}")
    return paths


def number_of(path: Path) -> int:
    digits = path.name.removeprefix("shard-").removesuffix(".games")
    if not digits.isdecimal():
        raise ShardError(f"{shorten(path.name)} is not named like a shard, as in {path_of(Path(), 7).name}")
    return int(digits)


def write(path: Path, facts: Mapping[str, Any], games: Sequence[LabelledGame]) -> None:
    """Write a shard, atomically; `facts` are what the header says besides counts."""
    starts = [game.start.encode() for game in games]
    by_game: dict[str, list[int]] = {
        "numbers": [game.number for game in games], "families": [game.family for game in games],
        "plies": [len(game.moves) for game in games], "results": [game.result for game in games],
        "lengths": [len(start) for start in starts]}
    by_ply: dict[str, list[int]] = {
        "moves": [move for game in games for move in game.moves],
        "values": [value for game in games for value in game.values],
        "kept": [int(kept) for game in games for kept in game.kept]}
    columns = [np.array(by_game[name], kind).tobytes() for name, kind in GAME_COLUMNS]
    columns.append(b"".join(starts))
    columns += [np.array(by_ply[name], kind).tobytes() for name, kind in PLY_COLUMNS]
    header = {"format": FORMAT, **facts, "games": len(games), "plies": len(by_ply["moves"]),
              "positions": sum(by_ply["kept"])}
    files.write_whole(path, json.dumps(header, sort_keys=True).encode() + b"\n" + zlib.compress(b"".join(columns), 6))


def read_header(path: Path) -> dict[str, Any]:
    """What a shard says of itself."""
    with path.open("rb") as file:
        return _read_header(path, file.readline(LONGEST_HEADER))


def read(path: Path) -> Shard:
    """A shard, refused if it is not whole."""
    line, _, packed = path.read_bytes().partition(b"\n")
    header = _read_header(path, line)
    try:
        data = zlib.decompress(packed)
    except zlib.error as error:
        raise ShardError(f"the shard {shorten(str(path))} is damaged: {error}") from error
    columns: dict[str, Array] = {}
    at = 0
    for names, count in ((GAME_COLUMNS, header["games"]), (PLY_COLUMNS, header["plies"])):
        for name, kind in names:
            size = count * np.dtype(kind).itemsize
            if at + size > len(data):
                raise ShardError(f"the shard {shorten(str(path))} has fewer games or plies than its header says")
            columns[name] = np.frombuffer(data, kind, count, at).astype(np.dtype(kind).newbyteorder("="))
            at += size
        if names is GAME_COLUMNS:
            starts, lengths = [], columns.pop("lengths").tolist()
            for length in lengths:
                starts.append(data[at:at + length])
                at += length
    if at != len(data) or int(columns["plies"].sum()) != header["plies"]:
        raise ShardError(f"the shard {shorten(str(path))} has other numbers of games or plies than its header says")
    try:
        return Shard(header, [start.decode() for start in starts], columns)
    except UnicodeDecodeError as error:
        raise ShardError(f"the shard {shorten(str(path))} is damaged: {error}") from error


def _read_header(path: Path, line: bytes) -> dict[str, Any]:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ShardError(f"{shorten(str(path))} is no shard of the format {FORMAT!r}")
    if not all(isinstance(header.get(name), int) and header[name] >= 0 for name in ("games", "plies", "positions")):
        raise ShardError(f"the header of {shorten(str(path))} does not say how many games, plies and positions it has")
    return header
