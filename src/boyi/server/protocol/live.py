"""What clients and the server say to each other on the socket of live analysis."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from boyi.core.words import Words
from boyi.server.protocol.messages import Answer, Goodbye, Id, Nack, UnreadableError
from boyi.server.protocol.study import Analysis, AskGame

MOST_LINES = 5


# ---------------------------------------------------------------------- from a client

class Greeting(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="hello"):
    """Say who asks, before anything else; without it the address pays."""

    token: Annotated[str, Meta(max_length=200)]


class Analyse(AskGame, frozen=True, tag_field="type", tag="analyse"):
    """Analyse a position from now on, instead of the one before; or go on with it after `exhausted`."""

    id: Id = 1
    """Counted up by the client; answers name it."""

    kept: Annotated[int, Meta(ge=0, le=4000)] = 0
    """How many of the moves that were last asked about come before `moves`, of the same game, options and start. A
    frame is short, a game may be long: it is said in parts."""

    lines: Annotated[int, Meta(ge=1, le=MOST_LINES)] = 1
    """How many of the best moves."""

    notation: Annotated[str, Meta(max_length=60)] = ""
    """In which the moves of lines are written as well; empty for none but the game's own."""

    threat: bool = False
    """What would the opponent do if the player to act passed?"""


class StopAnalysis(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="stop"):
    """Analyse nothing until the next `analyse`."""


ToAnalysis = Greeting | Analyse | StopAnalysis


# ---------------------------------------------------------------------- from the server

class LiveAnalysis(Analysis, frozen=True):
    """How far a live analysis has come."""

    seconds: float = 0.0
    """What an engine has spent on it."""

    speed: int = 0
    """Nodes a second, of an engine's time."""

    by_visits: bool = False
    """A tree search: the nodes are simulations, and the depth is how long the best line is."""

    ended: bool = False
    """There is nothing left to find out."""

    @property
    def effort(self) -> int:
        """The more, the better: the depth, or for a tree search the simulations."""
        return self.nodes if self.by_visits else self.depth


class Update(Answer, frozen=True):
    """What is known of the position now. It comes when a depth is finished, and every two seconds or oftener."""

    id: int
    """Of the `analyse`."""

    analysis: LiveAnalysis


class Exhausted(Answer, frozen=True):
    """Your budget is used up, and the analysis waits; say `analyse` again to go on."""

    id: int
    words: Words
    retry_after_ms: int
    """When that makes sense, in milliseconds from now."""


FromAnalysis = Update | Exhausted | Nack | Goodbye


_from_client: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ToAnalysis)


def decode_from_client(data: str | bytes) -> Any:
    """A message of a client; an `UnreadableError` for anything else."""
    try:
        return _from_client.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise UnreadableError(str(error)[:200]) from error
