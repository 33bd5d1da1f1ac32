"""What clients and the server say to each other: JSON over a WebSocket.

A client first says `hello`; from then on every request has an `id`, counted up by the client, and `seen`,
the number of the last event it knows. The server answers each request with `ack` (it is on disk) or
`nack` (nothing happened, and why), and tells everyone what happened as `event`s with consecutive
numbers. After a broken connection the client says `hello` again with what it has seen and is told the
rest; a request that was already done is acknowledged again and not done twice.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from boyi.core.board import Change, Stone
from boyi.core.errors import TextError
from boyi.core.token import Token
from boyi.core.words import Words
from boyi.server.protocol.events import snake
from boyi.server.protocol.parts import Level, MoveSeconds, MoveText, OpponentName, Password, SeatNumber
from boyi.server.protocol.refusals import REFUSALS, Refusal
from boyi.server.protocol.state import RoomState
from boyi.server.protocol.views import PublicBody

PROTOCOL = 1
"""Grows when an older client would misunderstand."""

FRAME_BYTES = 8192
"""The longest frame that a client may send."""

Id = Annotated[int, Meta(ge=1, le=2**53)]
Seq = Annotated[int, Meta(ge=0, le=2**53)]


# ---------------------------------------------------------------------- from a client

class Hello(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="hello"):
    """The first frame: which room, who, and what is known of it already."""

    room: Annotated[str, Meta(min_length=1, max_length=40)]
    token: Annotated[str, Meta(max_length=200)] = ""
    """Who: as `POST /api/session` gave it. Without one: a spectator, who can only watch."""

    password: Password = ""
    """Of a room that is locked, until you have joined it."""

    client: Annotated[str, Meta(max_length=40)] = ""
    """A name that this copy of the client made up for itself and keeps; the `id`s count per client."""

    seen: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    """The last event known; None to be told everything as one `room` message."""

    protocol: int = PROTOCOL


class Request(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=snake):
    """A request of a client."""

    id: Id
    seen: Seq


class Join(Request, frozen=True):
    """Enter the room, to sit or to chat; watching needs no joining. The first person in it is the host."""

    agent: Annotated[str, Meta(max_length=60)] = ""
    """A program says here what it is."""


class Leave(Request, frozen=True):
    """Leave the room; while a game is played: resign and leave."""


class Sit(Request, frozen=True):
    """Take an empty seat."""

    seat: SeatNumber


class Stand(Request, frozen=True):
    """Give up the seat."""


class Ready(Request, frozen=True):
    """Be ready to begin, or not."""

    ready: bool = True


class SetAi(Request, frozen=True):
    """The host: put the AI into an empty seat, or take it out (no level)."""

    seat: SeatNumber
    level: Level | None
    seconds: MoveSeconds | None = None
    """For a move of the highest level without a clock, as far as the server allows; a second if not said."""

    opponent: OpponentName = ""
    """One of the game's `opponents` by its name, to play in place of the level."""


class Kick(Request, frozen=True):
    """The host: remove a person from the room, for good; during a game only those who do not play."""

    person: Annotated[str, Meta(max_length=40)]


class Mute(Request, frozen=True):
    """The host: keep a person from chatting, or let them chat again."""

    person: Annotated[str, Meta(max_length=40)]
    muted: bool = True


class Start(Request, frozen=True):
    """The host: begin, when every seat is taken and everyone in them is ready."""


class Move(Request, frozen=True):
    """Make a move, in any notation of the game."""

    move: MoveText


class OfferDraw(Request, frozen=True):
    """Offer a draw."""


class AnswerDraw(Request, frozen=True):
    """Agree to a draw, or not."""

    accept: bool


class OfferTakeback(Request, frozen=True):
    """Ask to take back one's last move; done at once where only the AI would have to agree."""


class AnswerTakeback(Request, frozen=True):
    """Agree to it, or not."""

    accept: bool


class Resign(Request, frozen=True):
    """Resign."""


class HandOver(Request, frozen=True):
    """托管: let the AI play one's seat, until `resume`. A rated game is lost by it, and goes on unrated."""

    level: Level
    confirm: bool = False
    """In a rated game: that the loss is meant; else the answer is `confirm_loss`."""

    seconds: MoveSeconds | None = None
    opponent: OpponentName = ""
    """As in `set_ai`."""


class Resume(Request, frozen=True):
    """Take one's seat back from the AI."""


class Claim(Request, frozen=True):
    """End a game whose other player stays away: as a win, or a draw."""

    result: Literal["win", "draw"] = "win"


class Rematch(Request, frozen=True):
    """Offer a rematch; it begins when all have offered it, everyone one seat further."""


class Chat(Request, frozen=True):
    """Say something to everyone."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]


class Close(Request, frozen=True):
    """The host, before or after a game: close the room."""


class Check(Request, frozen=True):
    """Ask for the last move of a seat; the answer is `display`. For anyone, at any time."""

    seat: SeatNumber


class AskHistory(Request, frozen=True, tag="history"):
    """Ask for the course of the game; the answer is `history`. For anyone, at any time."""


class Hint(Request, frozen=True):
    """Ask for the strongest move in one's place; the answer is `hint`. Not in rated games."""

    notation: Annotated[str, Meta(max_length=60)] = ""
    """In which the moves are written as well; empty for none but the game's own."""


class Pong(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="pong"):
    """The answer to `ping`, at once: how the server measures the lag."""

    number: Annotated[int, Meta(ge=0, le=2**53)]


Command = (Join | Leave | Sit | Stand | Ready | SetAi | Kick | Mute | Start | Move | OfferDraw | AnswerDraw
           | OfferTakeback | AnswerTakeback | Resign | HandOver | Resume | Claim | Rematch | Chat | Close)
"""What changes a room."""

FromClient = (Hello | Join | Leave | Sit | Stand | Ready | SetAi | Kick | Mute | Start | Move | OfferDraw | AnswerDraw
              | OfferTakeback | AnswerTakeback | Resign | HandOver | Resume | Claim | Rematch | Chat | Close | Check
              | AskHistory | Hint | Pong)


# ---------------------------------------------------------------------- from the server

class Answer(Struct, frozen=True, tag_field="type", tag=snake):
    """What the server says."""


class Welcome(Answer, frozen=True):
    """The answer to `hello`; then comes `room`, or the events that were missed."""

    room: str
    person: str | None
    """Who you are; None for a spectator."""

    seat: int | None
    seq: int
    """The last event there is."""

    now: int
    """The time on the room's clock, in milliseconds."""

    protocol: int = PROTOCOL


class Room(Answer, frozen=True):
    """All that you may know of the room; events go on from `state.seq`."""

    state: RoomState


class EventMessage(Answer, frozen=True, tag="event"):
    """Something happened."""

    seq: int
    at: int
    """When, on the room's clock, in milliseconds."""

    body: PublicBody


class LegalMove(Struct, frozen=True):
    """A move that may be made."""

    text: str
    path: list[str]
    """The points to touch, in order; empty for a move without points, such as a pass."""


class Turn(Answer, frozen=True):
    """It is your turn: all that you may do."""

    seq: int
    """The event that began it."""

    seat: int
    moves: list[LegalMove]


class Ack(Answer, frozen=True):
    """The request is done and on disk."""

    id: int
    seq: int
    """The last event that it caused."""


class Nack(Answer, frozen=True):
    """The request is refused; nothing happened."""

    id: int | None
    """None when the frame could not be read that far."""

    code: str
    """A stable name; see the table."""

    words: Words
    detail: str = ""
    """More, in English: what was legal instead, what could not be read."""

    seq: int = 0
    """The last event there is."""

    retry_after_ms: int = 0
    """When trying again makes sense, in milliseconds from now; 0 when time alone does not help."""


class LastMove(Struct, frozen=True):
    """A move to be shown again: where it began, how it went, what it changed."""

    text: str
    path: list[str]
    changes: list[Change]
    before: str
    """The position it was made in."""

    stones: list[Stone]
    """What stood where before it."""


class Display(Answer, frozen=True):
    """The last move of a seat, in answer to `check`; none if it has made no move."""

    id: int
    seat: int
    move: LastMove | None


class PlayedMove(Struct, frozen=True):
    """A move of the game as it was seen."""

    seat: int | None
    text: str
    path: list[str]
    changes: list[Change]
    drawn: list[Words] = []
    """What chance brought, in words: "Red rolls 4"."""

    tokens: list[Token] | None = None
    """What lay beside the board after it."""

    checked: int | None = None
    """The seat that it left in check, or mated."""


class History(Answer, frozen=True):
    """The course of the game so far, in answer to `history`: its changes, done in order, give every position."""

    id: int
    number: int
    """Which game of the room; 0 when none has begun."""

    stones: list[Stone]
    """What stood where at the start."""

    plies: list[PlayedMove]
    tokens: list[Token] | None = None
    """What lay beside the board at the start."""


class HintGiven(Answer, frozen=True, tag="hint"):
    """The strongest move that an engine found in a second."""

    id: int
    text: str
    path: list[str]
    moves: list[str] = []
    """The move, and what is expected to follow."""

    written: list[str] = []
    """The same in the notation that was asked for; empty if none was."""

    paths: list[list[str]] = []
    odds: float = 0.5
    """Of winning, from 0 to 1."""

    why: Words | None = None
    """What is good about it, where that can be said in a word."""


class Ping(Answer, frozen=True):
    """Say `pong` with the same number, at once."""

    number: int
    now: int | None = None
    """The time on the room's clock, in milliseconds: it stands still while the server does."""


class Goodbye(Answer, frozen=True):
    """The server ends the connection, and why; `resync` and `stopping` ask to come back."""

    code: str
    words: Words


FromServer = (Welcome | Room | EventMessage | Turn | Ack | Nack | Display | History | HintGiven | Ping | Goodbye)


def nack(refusal: Refusal, *, id: int | None = None, seq: int = 0) -> Nack:  # noqa: A002
    return Nack(id, refusal.code, refusal.words, refusal.detail, seq, math.ceil(1000 * refusal.retry_after))


def goodbye(code: str) -> Goodbye:
    return Goodbye(code, REFUSALS[code])


# ---------------------------------------------------------------------- reading and writing

_encoder = msgspec.json.Encoder()
_from_client: msgspec.json.Decoder[Any] = msgspec.json.Decoder(FromClient)
_from_server: msgspec.json.Decoder[Any] = msgspec.json.Decoder(FromServer)


def encode(message: Struct) -> str:
    return _encoder.encode(message).decode()


class UnreadableError(TextError):
    """A frame that is not a message."""


def decode_from_client(data: str | bytes) -> Any:
    """A message of a client; an `UnreadableError` for anything else."""
    try:
        return _from_client.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise UnreadableError(str(error)[:200]) from error


def decode_from_server(data: str | bytes) -> Any:
    return _from_server.decode(data)
