"""Positions, analysis, openings and notation: for boards where nobody plays. Nothing is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from boyi.core.errors import IllegalMoveError, OptionError, RecordError, TextError
from boyi.server import notation, openings, positions
from boyi.server.api.route import MOST_FILE, MOST_GAME, Api, Json, packed_json
from boyi.server.asked import read_position
from boyi.server.budgets import FILES, POSITIONS
from boyi.server.likeness import Likeness
from boyi.server.peers import PLAYED_PATH, SERVER_HEADER
from boyi.server.played import alike
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.study import (
    Analysis,
    AskAnalysis,
    AskExplorer,
    AskPosition,
    ExploredPosition,
    OwnGames,
    ShownPosition,
)
from boyi.server.work import in_thread

if TYPE_CHECKING:
    from boyi.server.app import Server

T = TypeVar("T")


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
    payer = await server.payer(request)
    return Json(await while_connected(request, server.rooms().analyse(asked, payer)))


async def _played(server: Server, request: Request) -> Response:
    """For other servers only: people would learn what is being played."""
    keys = await server.read(request, list[Likeness])
    if not await server.rooms().peers.is_server(request.headers.get(SERVER_HEADER, "")[:80]):
        raise Refusal("not_allowed", "only other servers of the same database may ask")
    return Json(server.rooms().played.has_any(keys))


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Do what takes a while, and stop when the client that waits for it has gone; its request has been read."""
    working, gone = asyncio.create_task(work), asyncio.create_task(_disconnect(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        working.cancel()
        gone.cancel()
        await asyncio.gather(working, gone, return_exceptions=True)


async def _disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _notation(server: Server, request: Request) -> Response:
    asked = await server.read(request, notation.AskNotation, MOST_GAME)
    return Json(await in_thread(notation.write, asked))


async def _explorer(server: Server, request: Request) -> Response:
    asked = await server.read(request, AskExplorer, MOST_GAME)
    position = await in_thread(read_position, asked)
    await server.rooms().refuse_played(await in_thread(alike, position), (await server.payer(request)).address)
    return packed_json(await openings.explore_position(server.store, position, asked.notation), request)


async def _own_games(server: Server, request: Request) -> Response:
    data = await server.body(request, MOST_FILE)
    try:
        return packed_json(await in_thread(openings.read_own_games, data, request.query_params.get("name", "")),
                           request)
    except RecordError as error:
        raise Refusal("no_record", str(error)) from error


ROUTES = (
    Api("POST", "/api/positions", "a position of any game, given by text, stones or moves: what may be played in it",
        _position, AskPosition, ShownPosition, POSITIONS),
    Api("POST", "/api/analysis", "what the best moves of a position are worth; not of a game that is being played",
        _analysis, AskAnalysis, Analysis),
    Api("POST", "/api/explorer", "the name of an opening, and what was played in a position, how often and how well; "
        "not of a game that is being played", _explorer, AskExplorer, ExploredPosition, POSITIONS),
    Api("POST", "/api/explorer/games", "what was played in the games of a file, for the explorer; nothing is kept",
        _own_games, None, OwnGames, FILES),
    Api("POST", PLAYED_PATH, "for other servers of the same database: is one of these positions being played here?",
        _played),
    Api("POST", "/api/notation", "the moves of a game in another notation", _notation, notation.AskNotation,
        budget=POSITIONS),
)
