"""What there is to play, and what teaches it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from boyi.games import find_game
from boyi.kit.folder import read_text
from boyi.server import boards, catalogue, teaching
from boyi.server.api.route import Api, kept_json

if TYPE_CHECKING:
    from boyi.server.app import Server


async def _list(server: Server, request: Request) -> Response:
    return await kept_json(server, request, (), catalogue.games)


async def _show(server: Server, request: Request) -> Response:
    game, options = find_game(request.path_params["game"]), _options(request)

    def show() -> dict[str, Any]:
        start = game.position(game, game.resolve(options))
        return {"game": catalogue.describe(game), "chosen": dict(start.options), "seats": start.players,
                "start": start.to_text(), "board": boards.board(game.name, start.options),
                "rules": read_text(game, "rules.md"), "pictures": teaching.pictures(game)}

    return await kept_json(server, request, tuple(sorted(options.items())), show)


async def _board(server: Server, request: Request) -> Response:
    name, options = request.path_params["game"], _options(request)
    return await kept_json(server, request, tuple(sorted(options.items())), lambda: boards.board(name, options))


async def _introduction(server: Server, request: Request) -> Response:
    game = find_game(request.path_params["game"])
    return await kept_json(server, request, (), lambda: teaching.introduction(game))


async def _lesson(server: Server, request: Request) -> Response:
    game, name = find_game(request.path_params["game"]), request.path_params["lesson"]
    return await kept_json(server, request, (), lambda: teaching.lesson(game, name))


def _options(request: Request) -> dict[str, str]:
    return dict(request.query_params)


ROUTES = (
    Api("GET", "/api/games", "the games, with their options", _list),
    Api("GET", "/api/games/{game}", "a game with its board; options as query parameters", _show),
    Api("GET", "/api/games/{game}/board", "a game's board alone; options as query parameters", _board, None,
        boards.BoardInfo),
    Api("GET", "/api/games/{game}/introduction", "two minutes with a game, step by step", _introduction, None,
        teaching.IntroductionInfo),
    Api("GET", "/api/games/{game}/lessons/{lesson}", "a lesson of a game, step by step", _lesson, None,
        teaching.IntroductionInfo),
)
