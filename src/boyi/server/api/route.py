"""What a route is, and how it answers."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from boyi.server import page
from boyi.server.budgets import REQUESTS, Rate
from boyi.server.protocol.refusals import Refusal

if TYPE_CHECKING:
    from boyi.server.app import Server

MOST_BODY = 8192
MOST_GAME = 65_536
MOST_FILE = 262_144
"""Bytes of a request; of one that holds the moves of a game; of one that is a file of games."""

STATUS = {"no_room": 404, "token": 401, "password": 403, "login": 403, "name_taken": 409, "flood": 429, "storage": 503,
          "stopping": 503, "full": 503, "locked_out": 429, "no_account": 403, "no_session": 404, "shut_out": 403,
          "unreadable": 400, "not_playing": 409, "playing": 409, "game_over": 409, "internal": 500, "spectator": 401,
          "no_review": 404, "no_person": 404, "elsewhere": 409}
"""By code of a refusal; 400 for all others."""


@dataclass(frozen=True)
class Api:
    """A route, with what is said about it."""

    method: str
    path: str
    summary: str
    handler: Callable[[Server, Request], Awaitable[Response]]
    takes: type | None = None
    gives: type | None = None
    budget: Rate = REQUESTS
    """What it is paid from, besides the time that its answer takes of the event loop."""

    cost: float = 1.0
    """How much of that budget it takes."""

    is_open: bool = False
    """Answered to anyone, also to those who are banned: it tells how the server is."""


class Json(Response):
    """Any value that msgspec can write."""

    media_type = "application/json"

    def __init__(self, value: Any, status: int = 200) -> None:
        super().__init__(msgspec.json.encode(value), status)


def refuse(refusal: Refusal, status: int | None = None) -> Response:
    """The answer to what cannot be done."""
    answer: dict[str, Any] = {"code": refusal.code, "words": refusal.words, "detail": refusal.detail}
    if refusal.retry_after > 0:
        answer["retry_after"] = round(refusal.retry_after, 3)
    response = Json(answer, STATUS.get(refusal.code, 400) if status is None else status)
    if refusal.retry_after > 0:
        response.headers["Retry-After"] = str(math.ceil(refusal.retry_after))
    return response


def packed_json(value: Any, request: Request) -> Response:
    """A long value, compressed for clients that can unpack it. Only for what is no secret: the length would tell."""
    return page.packable(msgspec.json.encode(value), None, "application/json",
                         request.headers.get("accept-encoding", ""))


async def kept_json(server: Server, request: Request, key: tuple[object, ...], make: Callable[[], Any]) -> Response:
    """A long value that is the same for everyone; `key` says all that it depends on besides the route."""
    plain, packed = await server.kept.find((request.url.path, *key), make)
    return page.packable(plain, packed, "application/json", request.headers.get("accept-encoding", ""))


def is_set(request: Request, name: str) -> bool:
    """Is a query parameter given, and not as a way to say no?"""
    return request.query_params.get(name, "") not in ("", "0", "false")
