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
from typing import IO, Any

from boyi.core.errors import OptionError, UnknownNameError
from boyi.core.game import Game
from boyi.engine.gtp import Gtp
from boyi.engine.nboard import Nboard
from boyi.engine.thinker import Speaker
from boyi.engine.uci import Ucci, Uci
from boyi.engine.xboard import Xboard
from boyi.games import all_games

__all__ = ["PROTOCOLS", "describe", "read_lines", "run"]

PROTOCOLS: dict[str, Callable[[Game, Callable[[str], None]], Speaker]] = {
    "uci": Uci, "ucci": Ucci, "xboard": Xboard, "gtp": Gtp, "nboard": Nboard,
}
"""Every protocol by its name. Which of them a game is played by it says itself: `Game.protocols`."""

LONGEST_LINE = 1 << 20
"""Bytes that are read of a longer line."""


def read_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream, the longest cut."""
    while line := stream.readline(LONGEST_LINE):
        yield line
        while line and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE)


def find_protocol(game: Game, protocol: str | None) -> str:
    """The protocol to speak, or else the game's usual one."""
    if not game.protocols:
        known = [name for name, other in all_games().items() if other.protocols]
        raise OptionError(f"there is no protocol for {game.name} (`Game.protocols` of its record names none); there "
                          f"are engines for: {', '.join(known)}")
    name = protocol or next(iter(game.protocols))
    if name not in game.protocols or name not in PROTOCOLS:
        raise UnknownNameError.among(f"protocol for {game.name}", name, game.protocols)
    return name


def describe(game: Game, protocol: str | None) -> dict[str, Any]:
    """What an engine speaks and what can be set in it, as JSON has it."""
    name = find_protocol(game, protocol)
    settings = PROTOCOLS[name](game, lambda line: None).thinker.settings.values()
    return {"game": game.name, "protocol": name, "protocols": list(game.protocols), "settings": [
        {"name": setting.name, "kind": setting.kind, "default": setting.default}
        | ({"lowest": setting.lowest, "highest": setting.highest} if setting.kind == "spin" else {})
        | ({"choices": list(setting.choices)} if setting.choices else {}) for setting in settings]}


def run(game: Game, protocol: str | None, lines: Iterable[bytes], say: Callable[[str], None]) -> None:
    """Speak until `quit`, or until there are no more lines."""
    speaker = PROTOCOLS[find_protocol(game, protocol)](game, say)
    try:
        for line in lines:
            text = line[:LONGEST_LINE].decode("utf-8", errors="replace").replace("\0", "\ufffd").strip()
            if text and not speaker.hear(text):
                break
    finally:
        speaker.thinker.stop()
