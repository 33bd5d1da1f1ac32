"""What a route is, and how it answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from boyi.server import page
from boyi.server.protocol.refusals import REFUSALS

if TYPE_CHECKING:
    from boyi.server.app import Server

MOST_BODY = 8192
MOST_GAME = 65_536
MOST_FILE = 262_144
"""Bytes of a request; of one that holds the moves of a game; of one that is a file of games."""

STATUS = {"no_room": 404, "token": 401, "password": 403, "login": 403, "name_taken": 409, "flood": 429, "storage": 503,
          "stopping": 503, "full": 503, "locked_out": 429, "no_account": 403, "no_session": 404,
          "unreadable": 400, "not_playing": 409, "playing": 409, "game_over": 409, "internal": 500, "spectator": 401}
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
    makes: bool = False
    """Limited more strictly: it makes something, or tries a password."""


class Json(Response):
    """Any value that msgspec can write."""

    media_type = "application/json"

    def __init__(self, value: Any, status: int = 200) -> None:
        super().__init__(msgspec.json.encode(value), status)


def refuse(code: str, detail: str = "", status: int | None = None) -> Response:
    """The answer to what cannot be done."""
    return Json({"code": code, "words": REFUSALS[code], "detail": detail},
                STATUS.get(code, 400) if status is None else status)


def packed_json(value: Any, request: Request) -> Response:
    """A long value, compressed for clients that can unpack it. Only for what is no secret: the length would tell."""
    return page.packable(msgspec.json.encode(value), None, "application/json",
                         request.headers.get("accept-encoding", ""))


def is_set(request: Request, name: str) -> bool:
    """Is a query parameter given, and not as a way to say no?"""
    return request.query_params.get(name, "") not in ("", "0", "false")
