"""boyi perft: count the leaves of a game tree."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import (
    FenOption,
    GameArgument,
    JsonOption,
    LanguageOption,
    MovesOption,
    OptionsOption,
    RulesOption,
    make_position,
    print_json,
    read_count,
    read_language,
)
from boyi.cli._progress import Progress
from boyi.core.position import Position
from boyi.search.perft import perft


def register(app: typer.Typer) -> None:
    app.command("perft")(command)


def command(
    game: GameArgument,
    depth: Annotated[str, typer.Argument(metavar="DEPTH", help="How many moves deep, 0 to 64.")],
    fen: FenOption = None,
    moves: MovesOption = None,
    option: OptionsOption = None,
    rules: RulesOption = None,
    split: Annotated[bool, typer.Option("--divide", help="Show the leaves below each first move.")] = False,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Count the sequences of DEPTH moves: the standard test of a move generator."""
    speech = read_language(language)
    plies = read_count("DEPTH", depth, 0, 64)
    position = make_position(game, fen, option or [], moves, rules)
    began = time.perf_counter()
    with Progress("perft") as progress:
        nodes, parts = _count(position, plies, progress)
    seconds = time.perf_counter() - began
    if as_json:
        print_json({"game": game, "text": position.to_text(), "depth": plies, "nodes": nodes,
                    "seconds": round(seconds, 6)} | ({"divide": parts} if split else {}))
        return
    if split:
        for text, leaves in sorted(parts.items()):
            print(f"{text}: {leaves}")
    print(texts.say(texts.NODES, speech, nodes=nodes, seconds=seconds, speed=nodes / max(seconds, 1e-9) / 1e6))


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
