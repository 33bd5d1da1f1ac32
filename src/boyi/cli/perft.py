"""boyi perft: count the leaves of a game tree."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import GameArgument, Output, Start, print_json, read_count
from boyi.cli._groups import with_groups
from boyi.cli._progress import Progress
from boyi.core.position import Position
from boyi.search.perft import perft


def register(app: typer.Typer) -> None:
    app.command("perft")(with_groups(command))


def command(
    game: GameArgument,
    depth: Annotated[str, typer.Argument(metavar="DEPTH", help="How many moves deep, 0 to 64.")],
    *,
    place: Start,
    split: Annotated[bool, typer.Option("--divide", help="Show the leaves below each first move.")] = False,
    output: Output,
) -> None:
    """Count the sequences of DEPTH moves: the standard test of a move generator."""
    plies = read_count("DEPTH", depth, 0, 64)
    position = place.position(game)
    began = time.perf_counter()
    with Progress("perft") as progress:
        nodes, parts = _count(position, plies, progress)
    seconds = time.perf_counter() - began
    if output.as_json:
        print_json({"game": game, "text": position.to_text(), "depth": plies, "nodes": nodes,
                    "seconds": round(seconds, 6)} | ({"divide": parts} if split else {}))
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
