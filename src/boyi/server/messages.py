"""The protocol: what clients and the server say to each other, JSON over WebSocket.

A client first says `hello`; from then on every request has an `id`, counted up by the client, and `seen`,
the number of the last event it knows. The server answers each request with `ack` (it is on disk) or
`nack` (nothing happened, and why), and tells everybody what happened as `event`s with consecutive
numbers. After a broken connection the client says `hello` again with what it has seen and is told the
rest; a request that was already done is acknowledged again and not done twice.

`python -m boyi.server.messages` writes docs/protocol.md from what stands here.
"""

from __future__ import annotations

import ast
import inspect
import sys
import types
import typing
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from boyi.core.errors import TextError
from boyi.core.words import Words
from boyi.server import events, state
from boyi.server.events import (
    Body,
    Change,
    ClockRule,
    Level,
    Name,
    OptionValue,
    PublicBody,
    SeatNumber,
    Standing,
    Stone,
    Text,
    snake,
)
from boyi.server.state import RoomState

PROTOCOL = 1
"""Grows when an older client would misunderstand."""

FRAME_BYTES = 8192
"""The longest frame that a client may send."""

Id = Annotated[int, Meta(ge=1, le=2**53)]
Seq = Annotated[int, Meta(ge=0, le=2**53)]
MoveText = Annotated[str, Meta(min_length=1, max_length=1000)]
Password = Annotated[str, Meta(max_length=200)]


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
    """A wish of a client."""

    id: Id
    seen: Seq


class Join(Request, frozen=True):
    """Come in, to sit or to talk; watching needs no joining. The first one in is the host."""

    agent: Annotated[str, Meta(max_length=60)] = ""
    """A program says here what it is."""


class Leave(Request, frozen=True):
    """Go; from a game that is played: resign and go."""


class Sit(Request, frozen=True):
    """Take an empty seat."""

    seat: SeatNumber


class Stand(Request, frozen=True):
    """Give the seat free."""


class Ready(Request, frozen=True):
    """Be ready to begin, or not."""

    ready: bool = True


class SetAi(Request, frozen=True):
    """The host: put the AI into an empty seat, or take it out (no level)."""

    seat: SeatNumber
    level: Level | None


class Kick(Request, frozen=True):
    """The host, before a game: put somebody out of the room, for good."""

    person: Annotated[str, Meta(max_length=40)]


class Start(Request, frozen=True):
    """The host: begin, when every seat is taken and everybody in them is ready."""


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
    """Give up."""


class HandOver(Request, frozen=True):
    """托管: let the AI play one's seat, until `resume`."""

    level: Level


class Resume(Request, frozen=True):
    """Take one's seat back from the AI."""


class Claim(Request, frozen=True):
    """End a game whose other player stays away: won, or a draw."""

    result: Literal["win", "draw"] = "win"


class Rematch(Request, frozen=True):
    """Wish another game; it begins when all wish it, everybody one seat further."""


class Chat(Request, frozen=True):
    """Say something to everybody."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]


class Close(Request, frozen=True):
    """The host, before or after a game: close the room."""


class Check(Request, frozen=True):
    """Ask for the last move of a seat; the answer is `display`. For anybody, at any time."""

    seat: SeatNumber


class AskHistory(Request, frozen=True, tag="history"):
    """Ask for the course of the game; the answer is `history`. For anybody, at any time."""


class Hint(Request, frozen=True):
    """Ask what the AI would play in one's place; the answer is `hint`. Not in rated games."""


class Pong(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="pong"):
    """The answer to `ping`, at once: how the server measures the way."""

    number: Annotated[int, Meta(ge=0, le=2**53)]


Command = (Join | Leave | Sit | Stand | Ready | SetAi | Kick | Start | Move | OfferDraw | AnswerDraw | OfferTakeback
           | AnswerTakeback | Resign | HandOver | Resume | Claim | Rematch | Chat | Close)
"""What changes a room."""

FromClient = (Hello | Join | Leave | Sit | Stand | Ready | SetAi | Kick | Start | Move | OfferDraw | AnswerDraw
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
    """None when the frame could not be read so far."""

    code: str
    """A stable name; see the table."""

    words: Text
    detail: str = ""
    """More, in English: what was legal instead, what could not be read."""

    seq: int = 0
    """The last event there is."""


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


class History(Answer, frozen=True):
    """The course of the game so far, in answer to `history`: whoever does the changes in order sees every position."""

    id: int
    number: int
    """Which game of the room; 0 when none has begun."""

    stones: list[Stone]
    """What stood where at the start."""

    plies: list[PlayedMove]


class HintGiven(Answer, frozen=True, tag="hint"):
    """What the AI would play."""

    id: int
    text: str
    path: list[str]


class Ping(Answer, frozen=True):
    """Say `pong` with the same number, at once."""

    number: int


class Goodbye(Answer, frozen=True):
    """The server ends the connection, and why; `resync` and `stopping` ask to come back."""

    code: str
    words: Text


FromServer = (Welcome | Room | EventMessage | Turn | Ack | Nack | Display | History | HintGiven | Ping | Goodbye)


# ---------------------------------------------------------------------- over HTTP

class NewSession(Struct, frozen=True, forbid_unknown_fields=True):
    """A nickname."""

    name: Name


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """An account."""

    name: Name
    password: Annotated[str, Meta(min_length=8, max_length=200)]


class Session(Struct, frozen=True):
    """Who somebody is from now on. The token is told once; the server keeps a hash of it."""

    person: str
    name: str
    account: bool
    token: str


class Who(Struct, frozen=True):
    """Whose token it is."""

    person: str
    name: str
    account: bool
    """With an account: rated games are open to him."""


class NewRoom(Struct, frozen=True, forbid_unknown_fields=True):
    """The wish for a room."""

    game: Annotated[str, Meta(max_length=60)]
    options: dict[str, OptionValue] = {}
    clock: ClockRule | None = None
    rated: bool = False
    public: bool = True
    password: Password = ""
    ai_on_disconnect: bool = False
    ai_on_flag: bool = False
    ai_level: Level = 5


class RoomSummary(Struct, frozen=True):
    """A room as the lobby lists it."""

    room: str
    game: str
    phase: str
    players: int
    taken: int
    """Seats that somebody, or the AI, sits in."""

    names: list[str]
    rated: bool
    locked: bool
    clock: ClockRule | None
    moves: int


class FinishedSummary(Struct, frozen=True):
    """A game that is over, as it is listed."""

    room: str
    number: int
    """Which game of the room."""

    game: str
    rated: bool
    names: list[str]
    places: list[int]
    """Per seat, 1 for the best; equal ones share a place."""

    date: str


class RatingRow(Struct, frozen=True):
    """How strong somebody is at a game, by his rated games."""

    name: str
    elo: int
    error: int
    """Half the 95 % interval."""

    games: int


class ReadRecord(Struct, frozen=True):
    """A game that was read from a file, replayed and found right."""

    game: str
    options: dict[str, OptionValue]
    start: str
    """The position text it begins with; empty for the start of the game."""

    players: list[str]
    result: list[int] | None
    """Places by seat; None if it is not known."""

    reason: str
    moves: list[str]
    """In the game's own writing."""

    final: str
    kept: str = ""
    """Where it can be had again: `GET /api/records/` and this; empty if it was not to be kept."""


class AskAnalysis(Struct, frozen=True, forbid_unknown_fields=True):
    """The wish to know what the best moves of a position are worth. Not for a game that is being played here."""

    game: Annotated[str, Meta(max_length=60)]
    options: dict[str, OptionValue] = {}
    start: Annotated[str, Meta(max_length=2000)] = ""
    """A position text; empty for the start of the game."""

    moves: Annotated[list[MoveText], Meta(max_length=4000)] = []
    """In the game's own writing, as `state.game.plies` has them."""

    lines: Annotated[int, Meta(ge=1, le=5)] = 1
    """How many of the best moves."""

    nodes: Annotated[int, Meta(ge=100, le=500_000)] = 50_000
    """How much to search."""


class ArrangedStones(Struct, frozen=True, forbid_unknown_fields=True):
    """A position set up by hand."""

    stones: Annotated[list[Stone], Meta(max_length=500)]
    fields: dict[str, Annotated[str, Meta(max_length=100)]] = {}
    """What else there is to say, as `ShownPosition.fields` names it; what is not said stays as at the start."""


class AskPosition(Struct, frozen=True, forbid_unknown_fields=True):
    """The wish to see a position of any game: where stones stand, and what may be done. It is not kept anywhere."""

    game: Annotated[str, Meta(max_length=60)]
    options: dict[str, OptionValue] = {}
    start: Annotated[str, Meta(max_length=2000)] = ""
    """A position text; empty for the start of the game."""

    arranged: ArrangedStones | None = None
    """The start as stones, instead of a text."""

    moves: Annotated[list[MoveText], Meta(max_length=4000)] = []
    """In any notation of the game. A decision and what chance then adds are one text."""

    known: Annotated[int, Meta(ge=0)] = 0
    """So many of the moves need not be told of."""


class FieldChoice(Struct, frozen=True):
    """One of the values of a field."""

    value: str
    words: Text


class FieldInfo(Struct, frozen=True):
    """Something about a position that its stones do not show, and how it stands."""

    name: str
    title: Text
    choices: list[FieldChoice]
    """None for a field that is written freely."""

    value: str


class ChanceResult(Struct, frozen=True):
    """What may come where chance is to act."""

    text: str
    """The last move with this added, to be put in its place; where nothing was moved yet, a move of its own."""

    changes: list[Change]
    odds: float


class ShownPosition(Struct, frozen=True):
    """A position: as its text tells, and so without any secret."""

    options: dict[str, OptionValue]
    """All of them; a text may have decided some."""

    start: str
    start_stones: list[Stone]
    plies: list[PlayedMove]
    """The moves, from `known` on."""

    stones: list[Stone]
    standing: Standing
    moves: list[LegalMove]
    chance: list[ChanceResult]
    """Where chance is to act, all that may come."""

    places: list[int] | None
    """Of a game that is over: per seat, 1 for the best."""

    reason: Text | None
    fields: list[FieldInfo] | None
    """For setting it up by hand; None for a game whose positions are only written."""


class AskRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """The wish for a game as a file."""

    game: Annotated[str, Meta(max_length=60)]
    options: dict[str, OptionValue] = {}
    start: Annotated[str, Meta(max_length=2000)] = ""
    moves: Annotated[list[MoveText], Meta(max_length=4000)] = []
    players: Annotated[list[Annotated[str, Meta(max_length=100)]], Meta(max_length=16)] = []
    result: Annotated[list[int], Meta(max_length=16)] | None = None
    """Places by seat, of a game that ended off the board."""

    reason: Annotated[str, Meta(max_length=100)] = ""
    format: Annotated[str, Meta(max_length=60)] = "boyi"
    notation: Annotated[str, Meta(max_length=60)] = ""
    """How to write moves; empty for the format's usual way."""


class AnalysedLine(Struct, frozen=True):
    """A move, what is expected to follow, and what it is worth to the player to act."""

    moves: list[str]
    paths: list[list[str]]
    value: float
    """In the game's own unit."""

    odds: float
    """Of winning, from 0 to 1."""

    wins_in: int | None = None
    """Plies to a proven win (positive) or loss (negative)."""


class Analysis(Struct, frozen=True):
    """The best moves of a position, the best first."""

    lines: list[AnalysedLine]
    turn: int
    """Who is to act, and so whose chances they are."""

    depth: int
    nodes: int


# ---------------------------------------------------------------------- refusals

REFUSALS: dict[str, Words] = {
    "away": Words("this needs a person who is here", "需要在场的人"),
    "banned": Words("you were put out of this room", "您已被请出此房间"),
    "closed": Words("the room is closed", "房间已关闭"),
    "different_seats": Words("a rated game needs an account in every seat, and no AI or program",
                             "计分对局要求每个座位都是注册账号，且没有 AI 或程序"),
    "flag": Words("your time is up", "您的时间已用完"),
    "flood": Words("too many requests; wait a little", "请求过多，请稍候"),
    "full": Words("the room is full", "房间已满"),
    "game_over": Words("the game is over", "对局已结束"),
    "handed_over": Words("the AI is playing for you; resume your seat first", "正由 AI 托管，请先取消托管"),
    "illegal_move": Words("this is not a legal move here", "此处不能这样走"),
    "internal": Words("something went wrong here; nothing was changed", "服务器出错，未作任何更改"),
    "joined": Words("you are in the room already", "您已在房间内"),
    "late": Words("this request came after a later one of yours", "此请求晚于您后来的请求到达"),
    "login": Words("there is no such account, or its password is another one", "没有这个账号，或密码不正确"),
    "name_taken": Words("there is an account of that name already", "此名字已被注册"),
    "no_position": Words("this is no position of the game", "这不是此棋的局面"),
    "no_record": Words("this cannot be read as a game", "无法读作一局棋"),
    "no_room": Words("there is no such room", "没有这个房间"),
    "not_allowed": Words("that cannot be done in this game", "此对局不允许这样做"),
    "not_away": Words("nobody has been away long enough for that", "没有人离开足够久"),
    "not_handed_over": Words("your seat is in your own hands already", "您并未托管"),
    "not_host": Words("only the host may do that", "只有房主可以这样做"),
    "not_joined": Words("join the room first", "请先加入房间"),
    "not_playing": Words("no game is being played", "当前没有进行中的对局"),
    "not_ready": Words("not everybody is ready, or a seat is empty", "有人未准备，或有空座位"),
    "not_seated": Words("take a seat first", "请先入座"),
    "not_your_turn": Words("it is not your turn", "还没有轮到您"),
    "nothing_offered": Words("nobody has offered that", "没有人提出"),
    "nothing_to_take_back": Words("there is no move of yours to take back", "没有可以悔的棋"),
    "offered": Words("you have offered that already", "您已经提出过"),
    "password": Words("the room needs a password, and this is not it", "房间需要密码，密码不正确"),
    "playing": Words("a game is being played", "对局正在进行"),
    "protocol": Words("this client speaks another version of the protocol; load it again",
                      "客户端版本不符，请重新载入"),
    "resync": Words("you read too slowly; connect again and go on from there", "接收过慢，请重新连接"),
    "revealed": Words("a piece was turned up or something drawn since; that cannot be taken back",
                      "其间已有翻子或抽取，不能悔棋"),
    "seat_taken": Words("somebody sits there", "座位已有人"),
    "seated": Words("you have a seat already", "您已有座位"),
    "spectator": Words("a spectator can only watch; get a token first", "观众只能观看；请先取得身份"),
    "stale": Words("the game has gone on since", "局面已经变化"),
    "stopping": Words("the server is being stopped; everything is saved", "服务器即将停止，一切已保存"),
    "storage": Words("it could not be saved, so it was not done", "未能保存，因此未执行"),
    "token": Words("this token is not known; begin a new session", "身份凭证无效，请重新开始"),
    "unknown_person": Words("nobody of that name is here", "没有这个人"),
    "unknown_seat": Words("there is no such seat", "没有这个座位"),
    "unreadable": Words("the message could not be read", "无法读取此消息"),
}
"""Every code of a `nack`, in words."""


def text_of(words: Words) -> Text:
    return Text(words.en, words.zh)


def nack(code: str, *, id: int | None = None, detail: str = "", seq: int = 0) -> Nack:  # noqa: A002
    return Nack(id, code, text_of(REFUSALS[code]), detail, seq)


OVER_HTTP: tuple[type[Struct], ...] = (NewSession, Credentials, Session, Who, NewRoom, RoomSummary, FinishedSummary,
                                       RatingRow, AskAnalysis, Analysis, AnalysedLine, ReadRecord, AskPosition,
                                       ArrangedStones, ShownPosition, FieldInfo, FieldChoice, ChanceResult, AskRecord)


# ---------------------------------------------------------------------- reading and writing

_encoder = msgspec.json.Encoder()
_from_client: msgspec.json.Decoder[Any] = msgspec.json.Decoder(FromClient)
_from_server: msgspec.json.Decoder[Any] = msgspec.json.Decoder(FromServer)


def encode(message: Struct) -> str:
    return _encoder.encode(message).decode()


class UnreadableError(TextError):
    """A message that is none."""


def decode_from_client(data: str | bytes) -> Any:
    """A message of a client; an `UnreadableError` for anything else."""
    try:
        return _from_client.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise UnreadableError(str(error)[:200]) from error


def decode_from_server(data: str | bytes) -> Any:
    return _from_server.decode(data)


def schema() -> dict[str, Any]:
    """Everything that goes over the wire, as one JSON schema."""
    names = [*typing.get_args(FromClient), *typing.get_args(FromServer), *OVER_HTTP]
    (_, definitions) = msgspec.json.schema_components(names, ref_template="#/$defs/{name}")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"Boyi protocol {PROTOCOL}",
            "$defs": dict(sorted(definitions.items()))}


# ---------------------------------------------------------------------- documentation

_INTRODUCTION = """# The protocol of rooms

*Written by `python -m boyi.server.messages` from `src/boyi/server/messages.py`; a test compares.*

JSON over a WebSocket at `/ws`, one message a frame, at most {frame} bytes from a client. Version {protocol}.

1. Get a token: `POST /api/session` with `{{"name": "Ada"}}`, or for the owner of an account `POST /api/accounts` (a new
   one) or `POST /api/login`, both with `{{"name": …, "password": …}}`. Spectators need none. Over HTTP it goes into the
   header `Authorization: Bearer TOKEN`. `GET /api/session` says whose it is (401: nobody's), `DELETE` ends it.
2. Connect, and within ten seconds say `{{"type": "hello", "room": …, "token": …, "client": …}}`.
3. `welcome` comes, then `room` with all you may know, or, if you said what you have `seen`, the events since.
4. Say requests: each has a `type`, an `id` (counted up by this client) and `seen` (the last event it knows). Each is
   answered by `ack` (it is on disk) or `nack` (nothing happened, and why). An `id` that was acknowledged already is
   acknowledged again and not done twice; one that comes after a later one is refused as `late`. A move that has
   not seen the beginning of the turn is refused as `stale`.
5. Everything that happens comes as an `event` with the next `seq`. Whoever applies each event to the state he has
   (`boyi.server.state.apply` does it in Python) knows what a newcomer is told. Who is to act also gets `turn`.
6. After a broken connection: `hello` with `seen`. Whoever reads too slowly is sent `goodbye` with `resync`, and does
   the same.

The verbs of the program that rooms grew from: join → `join`/`joined`, leave → `leave`/`left`, close room →
`close`/`closed`, ready → `ready`/`readied`, start game → `start`/`started`, start turn → `turn`, move → `move`, end
turn → `moved`, end game → `ended`, error → `nack`, check → `check`, display → `display`.

Times are milliseconds on the room's own clock, which stands still while the server is down. Of a move's time, what
the network took is not counted: the server's own measure of it, at most {credit} ms a move out of a store of
{bank} ms that refills by {refill} ms with each move. What a client claims about time is not asked.

The whole as a JSON schema: `GET /api/schema`, or `python -m boyi.server.messages --schema`.
"""


def documentation() -> str:
    """docs/protocol.md."""
    from boyi.server import clock

    parts = [_INTRODUCTION.format(frame=FRAME_BYTES, protocol=PROTOCOL, credit=clock.MOST_CREDIT_MS,
                                  bank=clock.BANK_MS, refill=clock.REFILL_MS)]
    parts.append("## From a client\n")
    parts += [_table(one) for one in typing.get_args(FromClient)]
    parts.append("## From the server\n")
    parts += [_table(one) for one in typing.get_args(FromServer)]
    parts.append("## Bodies of events\n")
    parts += [_table(one) for one in sorted(typing.get_args(PublicBody), key=events.kind_of)]
    parts.append("## Parts\n")
    parts += [_table(one) for one in (
        state.RoomState, state.PersonState, state.SeatState, state.GameState, state.PlyState, state.Result, state.Line,
        events.Settings, ClockRule, events.Player, events.Standing, events.Covered, Stone, Change, events.Truth, Text,
        LegalMove, LastMove)]
    parts.append("## Over HTTP\n")
    parts += [_table(one) for one in OVER_HTTP]
    parts.append("## Codes of refusals\n\n| code | English | 中文 |\n|---|---|---|\n" + "".join(
        f"| `{code}` | {words.en} | {words.zh} |\n" for code, words in sorted(REFUSALS.items())))
    return "\n".join(parts)


@cache
def _definitions(module: str) -> dict[str, ast.ClassDef]:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def _table(kind: type[Struct]) -> str:
    config = kind.__struct_config__
    heading = f"`{config.tag}`" if config.tag else kind.__name__
    own: dict[str, str] = {}
    for base in reversed(kind.__mro__):   # a docstring under a field belongs to it
        if base in (Struct, object) or not issubclass(base, Struct):
            continue
        nodes = _definitions(base.__module__)[base.__name__].body
        for field, after in zip(nodes, [*nodes[1:], None], strict=True):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                said = after.value if isinstance(after, ast.Expr) else None
                own[field.target.id] = " ".join(str(said.value).split()) if isinstance(said, ast.Constant) else ""
    hints = typing.get_type_hints(kind, include_extras=False)
    lines = [f"### {heading}\n", (kind.__doc__ or "").strip().split("\n")[0] + "\n"]
    fields = msgspec.structs.fields(kind)
    if fields:
        lines.append("| field | type | meaning |\n|---|---|---|")
        lines += [f"| `{one.name}`{'' if one.required else ' *(optional)*'} | {_type(hints[one.name])} "
                  f"| {own.get(one.name, '')} |" for one in fields]
        lines.append("")
    return "\n".join(lines)


def _type(hint: Any) -> str:
    """A type as a reader of JSON knows it."""
    plain = {int: "integer", str: "text", bool: "boolean", type(None): "null", float: "number"}
    if hint in plain:
        return plain[hint]
    if hint == PublicBody:
        return "a body"
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_type(one) for one in inside)
    if origin is Literal:
        return " or ".join(f"`{one}`" for one in inside)
    if origin is list:
        return f"list of {_type(inside[0])}"
    if origin is dict:
        return "object"
    return f"`{hint.__struct_config__.tag}`" if issubclass(hint, Body) else hint.__name__


if __name__ == "__main__":
    if "--schema" in sys.argv:
        print(msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode())
    else:
        Path("docs/protocol.md").write_text(documentation(), encoding="utf-8")
