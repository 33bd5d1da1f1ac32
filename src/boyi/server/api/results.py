"""What was measured: tournaments, the lab, training; and how people do against the levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from boyi.server.api.route import Api, Json, packed_json
from boyi.server.people_scores import PeopleScore
from boyi.server.results import ResultInfo, ResultSummary
from boyi.server.work import in_thread

if TYPE_CHECKING:
    from boyi.server.app import Server


async def _list(server: Server, request: Request) -> Response:
    return Json(await in_thread(server.results.list))


async def _show(server: Server, request: Request) -> Response:
    result = await in_thread(server.results.show, request.path_params["path"])
    if result is None:
        raise HTTPException(404)
    return packed_json(result, request)


async def _picture(server: Server, request: Request) -> Response:
    found = await in_thread(server.results.picture, request.path_params["path"])
    if found is None:
        raise HTTPException(404)
    data, kind = found
    # It is not ours: in a page it is only an image, and alone it may do nothing either.
    return Response(data, media_type=kind, headers={"Content-Security-Policy": "default-src 'none'; sandbox",
                                                    "Cache-Control": "no-cache"})


async def _people(server: Server, request: Request) -> Response:
    return packed_json(await server.people_scores.all(), request)


ROUTES = (
    Api("GET", "/api/results", "what was measured: tournaments, the lab, training; the latest first", _list, None,
        ResultSummary),
    Api("GET", "/api/results/{path:path}", "a result, as tables and curves", _show, None, ResultInfo),
    Api("GET", "/api/result-pictures/{path:path}", "a picture that belongs to a result", _picture),
    Api("GET", "/api/people-scores", "how people do against the levels, by the games of this server", _people, None,
        PeopleScore),
)
