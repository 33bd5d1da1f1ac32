"""Boyi as an engine: the other end of the protocols that user interfaces and match managers speak.

    thinker    the search in its thread: deepening, telling, stopping, pondering
    settings   what can be set, read off the search's and the game's own options
    pool       many searches at once
    request    what the JSON protocol is asked
    json_lines the JSON protocol: an analysis engine for scripts
    uci        UCI and UCCI
    xboard     XBoard's protocol
    gtp        the Go Text Protocol
    nboard     NBoard's protocol

A protocol reads lines and writes lines. What it cannot read it refuses in its own words, and nothing has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

from boyi.core.errors import UnknownNameError
from boyi.core.game import Game
from boyi.engine.gtp import Gtp
from boyi.engine.json_lines import JsonLines
from boyi.engine.nboard import Nboard
from boyi.engine.thinker import Speaker
from boyi.engine.uci import Ucci, Uci
from boyi.engine.xboard import Xboard

__all__ = ["PROTOCOLS", "describe", "list_protocols", "read_lines", "run"]

PROTOCOLS: dict[str, Callable[[Game, Callable[[str], None]], Speaker]] = {
    "uci": Uci, "ucci": Ucci, "xboard": Xboard, "gtp": Gtp, "nboard": Nboard,
    "json": JsonLines,
}
"""Every protocol by its name. Which of them a game is played by it says itself: `Game.protocols`."""

FOR_EVERY_GAME = ("json",)
"""Protocols that need nothing of a game."""

LONGEST_LINE = 1 << 20
"""Bytes that are read of a longer line."""


def read_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream, the longest cut."""
    while line := stream.readline(LONGEST_LINE):
        yield line
        while line and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE)


def list_protocols(game: Game) -> list[str]:
    """What can be spoken about a game, the usual first."""
    return [*game.protocols, *FOR_EVERY_GAME]


def find_protocol(game: Game, protocol: str | None) -> str:
    """The protocol to speak, or else the game's usual one."""
    known = [name for name in list_protocols(game) if name in PROTOCOLS]
    name = protocol or known[0]
    if name not in known:
        raise UnknownNameError.among(f"protocol for {game.name}", name, known)
    return name


def describe(game: Game, protocol: str | None) -> dict[str, Any]:
    """What an engine speaks and what can be set in it, as JSON has it."""
    name = find_protocol(game, protocol)
    settings = PROTOCOLS[name](game, lambda line: None).settings()
    return {"game": game.name, "protocol": name, "protocols": list_protocols(game), "settings": [
        {"name": setting.name, "kind": setting.kind, "default": setting.default}
        | ({"lowest": setting.lowest, "highest": setting.highest} if setting.kind == "spin" else {})
        | ({"choices": list(setting.choices)} if setting.choices else {}) for setting in settings]}


def run(game: Game, protocol: str | None, lines: Iterable[bytes], say: Callable[[str], None]) -> None:
    """Speak until `quit`, or until there are no more lines."""
    speaker, at_once = PROTOCOLS[find_protocol(game, protocol)](game, say), True
    try:
        for line in lines:
            text = line[:LONGEST_LINE].decode("utf-8", errors="replace").replace("\0", "\ufffd").strip()
            if text and not speaker.hear(text):
                break
        else:
            at_once = False
    finally:
        speaker.end(at_once=at_once)
