"""boyi perft: count the leaves of a game tree."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from boyi.cli._common import make_position, print_json
from boyi.search.perft import divide, perft


def register(app: typer.Typer) -> None:
    app.command("perft")(command)


def command(
    game: str,
    depth: int,
    fen: Annotated[str | None, typer.Option(help="Start from this position text.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="A rule option, NAME=VALUE.")] = None,
    split: Annotated[bool, typer.Option("--divide", help="Show the leaves below each first move.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Count the sequences of DEPTH moves: the standard test of a move generator."""
    position = make_position(game, fen, option or [])
    began = time.perf_counter()
    parts = divide(position, depth) if split else {}
    nodes = sum(parts.values()) if split and depth else perft(position, depth)
    seconds = time.perf_counter() - began
    if as_json:
        print_json({"game": game, "text": position.to_text(), "depth": depth, "nodes": nodes,
                    "seconds": round(seconds, 6)} | ({"divide": parts} if split else {}))
        return
    for text, leaves in sorted(parts.items()):
        print(f"{text}: {leaves}")
    print(f"{nodes} nodes, {seconds:.3f} s, {nodes / max(seconds, 1e-9) / 1e6:.1f} M/s")
