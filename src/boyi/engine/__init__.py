"""Boyi as an engine: the other end of the protocols that user interfaces and match managers speak.

    thinker    the search in its thread: deepening, telling, stopping, pondering
    settings   what can be set, read off the search's and the game's own options
    uci        UCI and UCCI
    xboard     XBoard's protocol
    gtp        the Go Text Protocol
    nboard     NBoard's protocol

A protocol reads lines and writes lines. What it cannot read it refuses in its own words, and nothing has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO

from boyi.core.errors import OptionError, UnknownNameError
from boyi.core.game import Game
from boyi.engine.gtp import Gtp
from boyi.engine.nboard import Nboard
from boyi.engine.thinker import Speaker
from boyi.engine.uci import Ucci, Uci
from boyi.engine.xboard import Xboard
from boyi.games import all_games

__all__ = ["PROTOCOLS", "read_lines", "run"]

PROTOCOLS: dict[str, Callable[[Game, Callable[[str], None]], Speaker]] = {
    "uci": Uci, "ucci": Ucci, "xboard": Xboard, "gtp": Gtp, "nboard": Nboard,
}
"""Every protocol by its name. Which of them a game is played by it says itself: `Game.protocols`."""

LONGEST_LINE = 1 << 20
"""Of a longer line only so much is read."""


def read_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream, the longest cut."""
    while line := stream.readline(LONGEST_LINE):
        yield line
        while line and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE)


def run(game: Game, protocol: str | None, lines: Iterable[bytes], say: Callable[[str], None]) -> None:
    """Speak until told to leave, or until there are no more lines."""
    if not game.protocols:
        known = [name for name, other in all_games().items() if other.protocols]
        raise OptionError(f"there is no protocol for {game.name}; there are engines for: {', '.join(known)}")
    name = protocol or next(iter(game.protocols))
    if name not in game.protocols or name not in PROTOCOLS:
        raise UnknownNameError.among(f"protocol for {game.name}", name, game.protocols)
    speaker = PROTOCOLS[name](game, say)
    try:
        for line in lines:
            text = line[:LONGEST_LINE].decode("utf-8", errors="replace").replace("\0", "\ufffd").strip()
            if text and not speaker.hear(text):
                break
    finally:
        speaker.thinker.stop()
