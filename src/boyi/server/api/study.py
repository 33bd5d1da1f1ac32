"""Positions, analysis and notation: for boards where nobody plays. Nothing is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from boyi.core.errors import IllegalMoveError, OptionError, TextError
from boyi.server import notation, positions
from boyi.server.api.route import MOST_GAME, Api, Json, packed_json
from boyi.server.budgets import POSITIONS
from boyi.server.protocol.bodies import Analysis, AskAnalysis, AskPosition, ShownPosition
from boyi.server.protocol.refusals import Refusal
from boyi.server.work import in_thread

if TYPE_CHECKING:
    from boyi.server.app import Server


async def _position(server: Server, request: Request) -> Response:
    asked = await server.read(request, AskPosition, MOST_GAME)
    try:
        shown = await in_thread(positions.show, asked)
    except IllegalMoveError as error:
        raise Refusal("illegal_move", str(error)) from error
    except OptionError:
        raise
    except TextError as error:
        raise Refusal("no_position", str(error)) from error
    return packed_json(shown, request)


async def _analysis(server: Server, request: Request) -> Response:
    asked = await server.read(request, AskAnalysis, MOST_GAME)
    await server.charge_search(request, asked.nodes)
    return Json(await server.rooms().analyse(asked))


async def _notation(server: Server, request: Request) -> Response:
    asked = await server.read(request, notation.AskNotation, MOST_GAME)
    return Json(await in_thread(notation.write, asked))


ROUTES = (
    Api("POST", "/api/positions", "a position of any game, given by text, stones or moves: what may be played in it",
        _position, AskPosition, ShownPosition, POSITIONS),
    Api("POST", "/api/analysis", "what the best moves of a position are worth; not of a game that is being played",
        _analysis, AskAnalysis, Analysis),
    Api("POST", "/api/notation", "the moves of a game in another notation", _notation, notation.AskNotation,
        budget=POSITIONS),
)
