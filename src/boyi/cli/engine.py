"""boyi engine: Boyi as an engine for other programs."""

from __future__ import annotations

import io
import os
import sys
import threading
from typing import Annotated

import typer

from boyi.cli._common import GameArgument
from boyi.games import find_game


def register(app: typer.Typer) -> None:
    app.command("engine")(command)


def command(
    game: GameArgument,
    protocol: Annotated[str | None, typer.Option(
        "--protocol", metavar="NAME", help="What to speak: uci, ucci, xboard, gtp or nboard, as far as the game is "
        "played by it; else the game's usual one.")] = None,
) -> None:
    """Speak a protocol on standard input and output, for user interfaces and match managers."""
    from boyi.engine import read_lines, run

    lock = threading.Lock()

    def say(text: str) -> None:
        with lock:
            try:
                print(text, flush=True)
            except BrokenPipeError:
                # Nobody reads any more. The end of the input comes next; what is written until then is dropped.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    # Bytes where there are any: what is not text is then refused by the protocol and not by the stream.
    lines = (read_lines(sys.stdin.buffer) if isinstance(sys.stdin, io.TextIOWrapper) else
             (line.encode(errors="replace") for line in sys.stdin))
    run(find_game(game), protocol, lines, say)
