"""What happens in a room, as one viewer is told.

A public body is sent as it is stored; these stand for the bodies that hold secrets, under the same names on the wire.
"""

from __future__ import annotations

from msgspec import field

from boyi.core.board import Change, Stone
from boyi.core.words import Words
from boyi.server.protocol.events import Body, Public
from boyi.server.protocol.parts import Player, Settings, Standing


class CreatedView(Body, frozen=True):
    """The room was created."""

    settings: Settings
    date: str


class StartedView(Body, frozen=True):
    """A game began."""

    number: int
    players: list[Player]
    date: str
    rated: bool
    commitment: str
    """Fixes the seed that all draws come from; empty in games without chance."""

    start: str
    stones: list[Stone]
    standing: Standing
    clocks_ms: list[int] | None


class MovedView(Body, frozen=True):
    """A move was made."""

    seat: int | None
    text: str
    path: list[str]
    changes: list[Change]
    standing: Standing
    level: int | None
    forced: bool
    fallback: bool
    spent_ms: int
    credit_ms: int
    clocks_ms: list[int] | None
    drawn: list[Words] = field(default_factory=list)
    """What chance brought, in words: "Red rolls 4"."""

    checked: int | None = None
    """The seat that it left in check, or mated."""


class TakenBackView(Body, frozen=True):
    """Moves were taken back."""

    seat: int
    moves: int
    stones: list[Stone]
    standing: Standing


class ResignedView(Body, frozen=True):
    """A player resigned, or lost on time or by leaving."""

    seat: int
    why: str
    text: str
    standing: Standing


PublicBody = Public | CreatedView | StartedView | MovedView | TakenBackView | ResignedView
