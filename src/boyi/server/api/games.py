"""What there is to play, and what teaches it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from boyi.games import find_game
from boyi.kit.folder import read_text
from boyi.server import boards, catalogue, teaching
from boyi.server.api.route import Api, Json, packed_json

if TYPE_CHECKING:
    from boyi.server.app import Server


async def _list(server: Server, request: Request) -> Response:
    return Json(catalogue.games())


async def _show(server: Server, request: Request) -> Response:
    game = find_game(request.path_params["game"])
    start = game.position(game, game.resolve(dict(request.query_params)))
    return Json({
        "game": catalogue.describe(game), "chosen": dict(start.options), "seats": start.players,
        "start": start.to_text(), "board": boards.board(game.name, start.options),
        "rules": read_text(game, "rules.md"), "pictures": teaching.pictures(game)})


async def _board(server: Server, request: Request) -> Response:
    return packed_json(boards.board(request.path_params["game"], dict(request.query_params)), request)


async def _introduction(server: Server, request: Request) -> Response:
    return packed_json(teaching.introduction(find_game(request.path_params["game"])), request)


ROUTES = (
    Api("GET", "/api/games", "the games, with their options", _list),
    Api("GET", "/api/games/{game}", "a game with its board; options as query parameters", _show),
    Api("GET", "/api/games/{game}/board", "a game's board alone; options as query parameters", _board, None,
        boards.BoardInfo),
    Api("GET", "/api/games/{game}/introduction", "two minutes with a game, step by step", _introduction, None,
        teaching.IntroductionInfo),
)
