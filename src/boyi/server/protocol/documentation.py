"""docs/protocol.md and the JSON schema, written from the messages themselves.

    python -m boyi.server.protocol.documentation            writes docs/protocol.md
    python -m boyi.server.protocol.documentation --schema   prints the schema
"""

from __future__ import annotations

import ast
import inspect
import sys
import types
import typing
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from boyi.core.board import Change, Covered, Stone
from boyi.core.token import Token
from boyi.core.words import Words
from boyi.server.fair_clock import NOTED_MS
from boyi.server.protocol import events, live, parts, state
from boyi.server.protocol.bodies import OVER_HTTP
from boyi.server.protocol.messages import FRAME_BYTES, PROTOCOL, FromClient, FromServer, LastMove, LegalMove, Request
from boyi.server.protocol.refusals import REFUSALS
from boyi.server.protocol.views import PublicBody
from boyi.server.rooms import clock


def schema() -> dict[str, Any]:
    """Everything that goes over the wire, as one JSON schema."""
    names = [*typing.get_args(FromClient), *typing.get_args(FromServer), *LIVE, *OVER_HTTP]
    (_, definitions) = msgspec.json.schema_components(names, ref_template="#/$defs/{name}")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"Boyi protocol {PROTOCOL}",
            "$defs": dict(sorted(definitions.items()))}


LIVE = (*typing.get_args(live.ToAnalysis), live.Update, live.Exhausted, live.LiveAnalysis)
"""What is said on the socket of live analysis, but for what is said in rooms, too."""

PARTS: tuple[type, ...] = (
    state.RoomState, state.PersonState, state.SeatState, state.GameState, state.PlyState, state.Result, state.Line,
    parts.Settings, parts.ClockRule, parts.Player, parts.Standing, Covered, Token, Stone, Change, parts.Truth, Words,
    LegalMove, LastMove)

_INTRODUCTION = """# The protocol of rooms

*Written by `python -m boyi.server.protocol.documentation` from `src/boyi/server/protocol`; a test compares.*

JSON over a WebSocket at `/ws`, one message a frame, at most {frame} bytes from a client. Version {protocol}.

1. Get a token: `POST /api/session` with `{{"name": "Ada"}}`, or for an account `POST /api/accounts` (a new one) or
   `POST /api/login`, both with `{{"name": …, "password": …}}`. Spectators need none. Over HTTP it goes into the header
   `Authorization: Bearer TOKEN`. `GET /api/session` tells whose it is (or 401), `DELETE` ends it.
2. Connect, and within ten seconds send `{{"type": "hello", "room": …, "token": …, "client": …}}`.
3. The server sends `welcome`, then `room` with all you may know or, if you sent `seen`, the events since.
4. Send requests: each has a `type`, an `id` (counted up by this client) and `seen` (the last event it knows). The
   answer is `ack` (it is on disk) or `nack` (nothing happened, and why). A repeated `id` is acknowledged again and not
   executed twice; one that comes after a later one is refused as `late`, and a move that has not seen its turn as
   `stale`.
5. Everything that happens comes as an `event` with the next `seq`. Applied to the state
   (`boyi.server.protocol.reducer.apply` in Python) it gives what a newcomer is told. The player to act also gets
   `turn`.
6. After a broken connection send `hello` with `seen`; likewise after `goodbye` with `resync`, which a client gets that
   reads too slowly.

Times are milliseconds on the room's own clock, which stops while the server is down or stalls. A turn lasts from when
its player was told of it until their move was received; storing takes none of it. `welcome` and every `ping` tell the
clock; a stall of {stall} ms or more is told as `stalled`. Network time, as the server measures it, is given back: at
most {credit} ms a move out of a store of {bank} ms that refills by {refill} ms with each move.

Fields are written as in TypeScript: `?` marks what may be left out. As a JSON schema: `GET /api/schema`, or
`python -m boyi.server.protocol.documentation --schema`. All HTTP routes: `GET /api/openapi.json`.
"""


_LIVE_ANALYSIS = """A WebSocket of its own at `/ws/analysis`, for a position of any game that is not being played here.

1. Connect, and if you have a token, send `{"type": "hello", "token": …}`. It has no answer.
2. Send `{"type": "analyse", "id": 1, "game": …, "moves": […], "lines": 3}`. What is known of the position comes at once
   as an `update`, then one for each depth that is finished, and at least every two seconds.
3. At any time send `analyse` with the next `id` for another position or other lines; it replaces the one before, whose
   updates may still be on their way. `stop` ends it.
4. `exhausted` means that the budget is used up, and says when to ask again; `nack` with the `id` that the position is
   refused; with another `id`, or none, that the message is.
"""


def documentation() -> str:
    """docs/protocol.md."""
    sections = [_INTRODUCTION.format(frame=FRAME_BYTES, protocol=PROTOCOL, stall=NOTED_MS,
                                     credit=clock.MOST_CREDIT_MS, bank=clock.BANK_MS, refill=clock.REFILL_MS)]
    for title, kinds in (
            ("From a client", typing.get_args(FromClient)), ("From the server", typing.get_args(FromServer)),
            ("Bodies of events", sorted(typing.get_args(PublicBody), key=events.kind_of)),
            ("Parts", PARTS), ("Live analysis", LIVE), ("Over HTTP", OVER_HTTP)):
        sections.append(f"## {title}\n")
        if kinds is LIVE:
            sections.append(_LIVE_ANALYSIS)
        if Request in kinds[1].__mro__:
            sections.append("All but `hello` and `pong` are requests, and also have `id` and `seen`.\n")
        sections += [_describe(kind) for kind in kinds]
    sections.append("## Codes of refusals\n\nA `nack` has the words in Chinese, too.\n\n" + "".join(
        f"- `{code}`: {words.en}\n" for code, words in sorted(REFUSALS.items())))
    return "\n".join(sections)


@cache
def _definitions(module: str) -> dict[str, ast.ClassDef]:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def _describe(kind: type) -> str:
    """A heading, a sentence and the fields of a Struct, or of a dataclass: first those whose names say all."""
    meanings: dict[str, str] = {}
    for base in reversed(kind.__mro__):   # a docstring under a field belongs to it
        if not base.__module__.startswith("boyi."):
            continue
        nodes = _definitions(base.__module__)[base.__name__].body
        for field, after in zip(nodes, [*nodes[1:], None], strict=True):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                said = after.value if isinstance(after, ast.Expr) else None
                meanings[field.target.id] = " ".join(str(said.value).split()) if isinstance(said, ast.Constant) else ""
    hints = typing.get_type_hints(kind, include_extras=False)
    info: Any = msgspec.inspect.type_info(kind)
    tag = getattr(info, "tag", None)
    lines = [f"### {f'`{tag}`' if tag else kind.__name__}\n", (kind.__doc__ or "").strip().split("\n")[0] + "\n"]
    fields = [one for one in info.fields if not (issubclass(kind, Request) and one.name in ("id", "seen"))]
    plain = [_field(one, hints) for one in fields if not meanings.get(one.name)]
    if plain:
        lines.append("- " + ", ".join(plain))
    lines += [f"- {_field(one, hints)} {meanings[one.name]}" for one in fields if meanings.get(one.name)]
    return "\n".join([*lines, ""] if fields else lines)


def _field(field: Any, hints: dict[str, Any]) -> str:
    """A field as TypeScript writes it."""
    return f"`{field.name}{'' if field.required else '?'}: {_type(hints[field.name])}`"


def _type(hint: Any) -> str:
    """A type as a reader of JSON knows it."""
    plain = {int: "integer", str: "string", bool: "boolean", type(None): "null", float: "number"}
    if hint in plain:
        return plain[hint]
    if hint == PublicBody:
        return "body"
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return "|".join(_type(one) for one in inside)
    if origin is Literal:
        return "|".join(f'"{one}"' if isinstance(one, str) else str(one) for one in inside)
    if origin is list:
        item = _type(inside[0])
        return f"({item})[]" if "|" in item else f"{item}[]"
    if origin is dict:
        return "object"
    return str(hint.__struct_config__.tag) if issubclass(hint, events.Body) else str(hint.__name__)


if __name__ == "__main__":
    if "--schema" in sys.argv:
        print(msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode())
    else:
        Path("docs/protocol.md").write_text(documentation(), encoding="utf-8")
