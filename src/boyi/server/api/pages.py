"""The page, for every address that is nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from boyi.server import page
from boyi.server.api.route import Api
from boyi.server.budgets import PAGES

if TYPE_CHECKING:
    from boyi.server.app import Server


async def _show(server: Server, request: Request) -> Response:
    return page.answer(request.path_params["path"], accepted=request.headers.get("accept-encoding", ""),
                       base_path=server.config.base_path)


ROUTE = Api("GET", "/{path:path}", "the page, and the files that belong to it", _show, budget=PAGES)
"""To come after all others; no part of the interface for programs."""
