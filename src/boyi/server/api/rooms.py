"""Rooms."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from boyi.server.api.route import Api, Json, packed_json
from boyi.server.budgets import PASSWORDS, ROOMS, Payer
from boyi.server.hosted import Hosted
from boyi.server.protocol.bodies import FoundOpponent, LiveGame, NewRoom, OwnRoom, RoomSummary, SeekOpponent, SoughtGame
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


async def _own(server: Server, request: Request) -> Response:
    person = await server.who(request)
    if person is None:
        raise Refusal("spectator")
    return Json(server.rooms().of_person(person.id))


async def _live(server: Server, request: Request) -> Response:
    return packed_json(server.live_games(), request)


async def _seek(server: Server, request: Request) -> Response:
    person = await server.who(request)
    if person is None:
        raise Refusal("spectator")
    asked = await server.read(request, SeekOpponent)
    gone = asyncio.create_task(_until_gone(request))
    try:
        room = await server.rooms().matchmaking.seek(
            asked, Identity(person.id, person.name, person.account), await server.payer(request), gone)
    finally:
        gone.cancel()
    return Json(FoundOpponent(room))


async def _until_gone(request: Request) -> None:
    """Until the client has closed its connection; what it may send besides is not read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _sought(server: Server, request: Request) -> Response:
    return Json(server.rooms().matchmaking.sought())


ROUTES = (
    Api("GET", "/api/rooms", "public rooms, the latest first", _list, None, RoomSummary),
    Api("GET", "/api/rooms/own", "rooms in this server's memory in which you are playing; needs a token", _own, None,
        OwnRoom),
    Api("GET", "/api/live-games", "public games that are being played, with their boards", _live, None, LiveGame),
    Api("GET", "/api/opponents", "games that people look for an opponent for", _sought, None, SoughtGame),
    Api("POST", "/api/opponents", "look for an opponent; answered when one is found, or when the time is over", _seek,
        SeekOpponent, FoundOpponent),
    Api("POST", "/api/rooms", "create a room; needs a token", _create, NewRoom, RoomSummary, ROOMS),
    Api("GET", "/api/rooms/{room}", "a room", _show, None, RoomSummary),
    Api("GET", "/api/rooms/{room}/record", "its present game as a record, as far as you may know it", _record),
)
