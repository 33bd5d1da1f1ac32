"""One's own games, and the profiles of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from boyi.server import my_games
from boyi.server.api.route import Api, Json
from boyi.server.budgets import FILES, POSITIONS
from boyi.server.protocol.own_games import AskMyFile, AskMyGames, MyGames, Profile
from boyi.server.protocol.refusals import Refusal

if TYPE_CHECKING:
    from boyi.server.app import Server

LONGEST_NAME = 60
"""Characters of a name that is looked up."""

PROFILE_COST = 5.0
"""Of a profile, in positions worked out."""


async def _mine(server: Server, request: Request) -> Response:
    return Json(await my_games.collect(server.rooms(), await server.read(request, AskMyGames)))


async def _file(server: Server, request: Request) -> Response:
    asked = await server.read(request, AskMyFile)
    persons = await my_games.identify(server.rooms(), asked.tokens)
    return Response(await my_games.write_file(server.store, persons, asked), media_type="application/octet-stream")


async def _profile(server: Server, request: Request) -> Response:
    name = request.path_params["name"]
    if len(name) > LONGEST_NAME:
        raise Refusal("no_person")
    return Json(await server.profiles.find(name))


ROUTES = (
    Api("POST", "/api/my-games", "the games that you have played, a page at a time", _mine, AskMyGames, MyGames,
        POSITIONS),
    Api("POST", "/api/my-games/file", "the games that you have played, as one file", _file, AskMyFile, budget=FILES),
    Api("GET", "/api/people/{name}", "the profile of an account", _profile, None, Profile, POSITIONS, PROFILE_COST),
)
