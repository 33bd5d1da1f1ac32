"""Rooms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from boyi.server.api.route import Api, Json
from boyi.server.budgets import PASSWORDS, ROOMS, Payer
from boyi.server.hosted import Hosted
from boyi.server.protocol.bodies import NewRoom, RoomSummary
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import Identity

if TYPE_CHECKING:
    from boyi.server.app import Server


async def enter(server: Server, request: Request, room: str) -> tuple[Hosted, str | None]:
    """A room that the client may see, and who the client is."""
    person = await server.who(request)
    hosted = await server.rooms().find(room)
    payer = await server.payer(request)
    identity = None if person is None else person.id
    await server.rooms().admit(hosted, Payer(payer.address, identity or ""))
    return hosted, identity


async def _list(server: Server, request: Request) -> Response:
    return Json(await server.store.rooms.public())


async def _create(server: Server, request: Request) -> Response:
    person = await server.who(request)
    if person is None:
        raise Refusal("spectator")
    asked = await server.read(request, NewRoom)
    payer = await server.payer(request)
    if asked.password:
        server.budgets.charge(PASSWORDS, payer)
    hosted = await server.rooms().create(asked, Identity(person.id, person.name, person.account), payer.address)
    return Json(hosted.summary(), 201)


async def _show(server: Server, request: Request) -> Response:
    hosted, _ = await enter(server, request, request.path_params["room"])
    return Json(hosted.summary())


async def _record(server: Server, request: Request) -> Response:
    hosted, person = await enter(server, request, request.path_params["room"])
    return PlainTextResponse(await hosted.record(person))


ROUTES = (
    Api("GET", "/api/rooms", "public rooms, the latest first", _list, None, RoomSummary),
    Api("POST", "/api/rooms", "create a room; needs a token", _create, NewRoom, RoomSummary, ROOMS),
    Api("GET", "/api/rooms/{room}", "a room", _show, None, RoomSummary),
    Api("GET", "/api/rooms/{room}/record", "its present game as a record, as far as you may know it", _record),
)
