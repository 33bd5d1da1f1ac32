"""Boyi as an engine: the other end of the protocols that user interfaces and match managers speak.

    thinker    the search in its thread: deepening, telling, stopping, pondering
    settings   what can be set, read off the search's and the game's own options
    uci        UCI (xiangqi, jieqi) and UCCI (xiangqi)
    xboard     XBoard's protocol (xiangqi)
    gtp        the Go Text Protocol (Othello)
    nboard     NBoard's protocol (Othello)

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

__all__ = ["PROTOCOLS", "read_lines", "run"]

PROTOCOLS: dict[str, dict[str, Callable[[Game, Callable[[str], None]], Speaker]]] = {
    "xiangqi": {"uci": Uci, "ucci": Ucci, "xboard": Xboard},
    "othello": {"gtp": Gtp, "nboard": Nboard},
    "jieqi": {"uci": Uci},
}
"""Who speaks for a game, by the name of the protocol; the first is the usual one."""

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
    if game.name not in PROTOCOLS:
        raise OptionError(f"there is no protocol for {game.name}; there are engines for: {', '.join(PROTOCOLS)}")
    speakers = PROTOCOLS[game.name]
    name = protocol or next(iter(speakers))
    if name not in speakers:
        raise UnknownNameError.among(f"protocol for {game.name}", name, speakers)
    speaker = speakers[name](game, say)
    try:
        for line in lines:
            text = line[:LONGEST_LINE].decode("utf-8", errors="replace").replace("\0", "\ufffd").strip()
            if text and not speaker.hear(text):
                break
    finally:
        speaker.thinker.stop()
