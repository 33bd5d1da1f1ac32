"""The page itself: files of `server/static`, which `make page` builds from `web/`.

Every address that is not a file is the page's own business and gets `index.html`. A server without a
built page says so in words and serves everything else.
"""

from __future__ import annotations

import mimetypes
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

STATIC = Path(__file__).parent / "static"

NOT_BUILT = """\
Boyi is running, but this copy has no page to show: it was installed without building it.
Build it with `make page` in the source folder, or install Boyi from a wheel.
The rooms work without it: `boyi room --help`, and the API under /api/.

博弈正在运行，但此副本没有网页：安装时未构建。
请在源码目录执行 `make page`，或安装发布的 wheel。
没有网页也可以使用房间：`boyi room --help`，接口在 /api/ 之下。
"""


def routes(static: Path = STATIC) -> list[Route]:
    """To come after all other routes of a server."""

    async def page(request: Request) -> Response:
        return answer(request.path_params["path"], static)

    return [Route("/{path:path}", page, methods=["GET"])]


def answer(path: str, static: Path = STATIC) -> Response:
    """A file of the page, or the page."""
    if path.startswith("api/"):
        raise HTTPException(404)
    index = static / "index.html"
    if not index.is_file():
        return PlainTextResponse(NOT_BUILT, 503)
    wanted = (static / path).resolve() if "\0" not in path and len(path) < 200 else index
    if path and wanted.is_relative_to(static.resolve()) and wanted.is_file():
        # The names of assets hold a hash of what is in them.
        lasting = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
        kind = "application/manifest+json" if wanted.suffix == ".webmanifest" else mimetypes.guess_type(wanted.name)[0]
        return FileResponse(wanted, media_type=kind, headers={"Cache-Control": lasting})
    if path.startswith("assets/"):
        raise HTTPException(404)
    return FileResponse(index, media_type="text/html", headers={"Cache-Control": "no-cache"})
