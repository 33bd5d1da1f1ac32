"""boyi engine: Boyi as an engine for other programs."""

from __future__ import annotations

import io
import os
import sys
import threading
from typing import Annotated

import typer

from boyi.cli._common import GameArgument, print_json
from boyi.games import find_game


def register(app: typer.Typer) -> None:
    app.command("engine")(command)


def command(
    game: GameArgument,
    protocol: Annotated[str | None, typer.Option(
        "--protocol", metavar="NAME", help="What to speak: uci, ucci, xboard, gtp or nboard, as far as the game is "
        "played by it, or json, which is for every game; else the game's usual one.")] = None,
    as_json: Annotated[bool, typer.Option(
        "--json", help="Print what can be set as JSON, and leave: what is spoken is the protocol's.")] = False,
) -> None:
    """Speak a protocol on standard input and output, for user interfaces, match managers and scripts."""
    from boyi.engine import describe, read_lines, run

    if as_json:
        print_json(describe(find_game(game), protocol))
        return
    lock = threading.Lock()

    def say(text: str) -> None:
        with lock:
            try:
                print(text, flush=True)
            except BrokenPipeError:
                os._exit(1)      # nobody reads any more; the thread that waits for lines may wait for ever

    # Bytes where there are any: what is not text is then refused by the protocol and not by the stream.
    lines = (read_lines(sys.stdin.buffer) if isinstance(sys.stdin, io.TextIOWrapper) else
             (line.encode(errors="replace") for line in sys.stdin))
    run(find_game(game), protocol, lines, say)
