"""boyi perft: count the leaves of a game tree, or of the graph that it is when the same positions are one."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import GameArgument, Output, Start, print_json, read_count
from boyi.cli._groups import with_groups
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.core.errors import OptionError
from boyi.core.position import Position
from boyi.search.distinct import MEGABYTES, MOST_MEGABYTES, DistinctPositions, MemoryBoundError
from boyi.search.perft import perft


@dataclass(frozen=True, kw_only=True)
class Merging:
    """The options that say what is counted once."""

    distinct: Annotated[bool, typer.Option(
        "--distinct", help="Per depth, count the sequences and the distinct positions they end in.")] = False
    symmetric: Annotated[bool, typer.Option(
        "--symmetric", help="With --distinct, also count positions that are images of each other as one.")] = False
    memory: Annotated[int | None, typer.Option(
        "--memory", metavar="MB", min=1, max=MOST_MEGABYTES,
        help=f"With --distinct, the memory that may be taken; {MEGABYTES} MB if not given.")] = None

    def check(self, split: bool) -> None:
        """Refuse what would not be used."""
        if not self.distinct:
            for given, flag in ((self.symmetric, "--symmetric"), (self.memory is not None, "--memory")):
                if given:
                    raise OptionError(f"{flag} is about distinct positions; give --distinct as well, or leave it out")
        elif split:
            raise OptionError("--divide and --distinct do not go together: below different first moves may be the "
                              "same positions, which cannot be divided among them")


def register(app: typer.Typer) -> None:
    app.command("perft")(with_groups(command))


def command(
    game: GameArgument,
    depth: Annotated[str, typer.Argument(metavar="DEPTH", help="How many moves deep, 0 to 64.")],
    *,
    place: Start,
    split: Annotated[bool, typer.Option("--divide", help="Show the leaves below each first move.")] = False,
    merging: Merging,
    output: Output,
) -> None:
    """Count the sequences of DEPTH moves: the standard test of a move generator."""
    plies = read_count("DEPTH", depth, 0, 64)
    merging.check(split)
    position = place.position(game)
    facts = {"game": game, "text": position.to_text(), "depth": plies}
    if merging.distinct:
        _tell_levels(position, plies, merging, facts, output)
    else:
        _tell_leaves(position, plies, split, facts, output)


def _tell_leaves(position: Position, plies: int, split: bool, facts: dict[str, Any], output: Output) -> None:
    began = time.perf_counter()
    with Progress("perft") as progress:
        nodes, parts = _count(position, plies, progress)
    seconds = time.perf_counter() - began
    if output.as_json:
        print_json(facts | {"nodes": nodes, "seconds": round(seconds, 6)} | ({"divide": parts} if split else {}))
        return
    if split:
        for text, leaves in sorted(parts.items()):
            print(f"{text}: {leaves}")
    print(texts.say(texts.NODES, output.speech, nodes=nodes, seconds=seconds, speed=nodes / max(seconds, 1e-9) / 1e6))


def _count(position: Position, depth: int, progress: Progress) -> tuple[int, dict[str, int]]:
    """The leaves, in all and by first move; one first move after the other, to have something to show."""
    parts = {}
    first_moves = position.moves() if depth else []
    for number, move in enumerate(first_moves):
        progress.show(f"{number}/{len(first_moves)}")
        text = position.format_move(move)
        position.play(move)
        parts[text] = perft(position, depth - 1)
        position.undo()
    return (sum(parts.values()) if parts else perft(position, depth)), parts


def _tell_levels(position: Position, plies: int, merging: Merging, facts: dict[str, Any], output: Output) -> None:
    """Level by level; where the memory does not suffice, those that could be counted, and then the refusal."""
    began = time.perf_counter()
    levels: list[DistinctPositions] = []
    refusal: MemoryBoundError | None = None
    with Progress("perft") as progress:
        for depth in range(plies + 1):
            level = DistinctPositions(symmetric=merging.symmetric, megabytes=merging.memory or MEGABYTES)
            try:
                _add(level, position, depth, progress)
            except MemoryBoundError as error:
                refusal = MemoryBoundError(f"depth {depth}: {error}")
                break
            levels.append(level)
    seconds = time.perf_counter() - began
    rows = [_row(depth, level) for depth, level in enumerate(levels)]
    if output.as_json:
        print_json(facts | {"seconds": round(seconds, 6), "levels": rows})
    else:
        print_table([texts.LEVEL_HEADERS[name].say(output.speech) for name in rows[0]],
                    [[str(count) for count in row.values()] for row in rows], numbers=range(len(rows[0])))
        if refusal is None:
            print(texts.say(texts.LEVELS, output.speech, sequences=levels[-1].sequences,
                            positions=levels[-1].positions, seconds=seconds))
    if refusal is not None:
        raise refusal


def _row(depth: int, level: DistinctPositions) -> dict[str, int]:
    row = {"depth": depth, "sequences": level.sequences, "positions": level.positions}
    return row if level.classes is None else row | {"classes": level.classes}


def _add(level: DistinctPositions, position: Position, depth: int, progress: Progress) -> None:
    """All sequences of a depth, one first move after the other, to have something to show."""
    first_moves = position.moves() if depth else []
    for number, move in enumerate(first_moves):
        progress.show(f"{depth}: {number}/{len(first_moves)}")
        position.play(move)
        level.add(position, depth - 1)
        position.undo()
    if not first_moves:
        level.add(position, depth)
