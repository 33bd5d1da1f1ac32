"""The page itself: files of `server/static`, which `make page` builds from `web/`.

Every address that is not a file is the page's own business and gets `index.html`. A server without a
built page says so in words and serves everything else.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

STATIC = Path(__file__).parent / "static"

KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
         ".webmanifest": "application/manifest+json", ".png": "image/png"}
"""Of the files there are; what a machine's own list says of them may differ."""

SHORT = 800
"""Bytes below which compressing is not worth it."""

NOT_BUILT = """\
Boyi is running, but this copy has no page to show: it was installed without building it.
Build it with `make page` in the source folder, or install Boyi from a wheel.
The rooms work without it: `boyi room --help`, and the API under /api/.

博弈正在运行，但此副本没有网页：安装时未构建。
请在源码目录执行 `make page`，或安装发布的 wheel。
没有网页也可以使用房间：`boyi room --help`，接口在 /api/ 之下。
"""


@dataclass(frozen=True)
class About:
    """What other sites show of an address of the page, where somebody posts a link to it (Open Graph)."""

    title: str
    description: str
    address: str
    """Whole, as https://example.org/game/ROOM/1."""

    picture: str
    """The address of a picture of 1200 × 630 pixels."""

    listed: bool = True
    """Search engines may list it."""

    def tags(self) -> str:
        """As HTML; whatever names people have, they are only text in it."""
        properties = {"og:site_name": "Boyi 博弈", "og:type": "article", "og:title": self.title,
                      "og:description": self.description, "og:url": self.address, "og:image": self.picture,
                      "og:image:type": "image/png", "og:image:width": "1200", "og:image:height": "630",
                      "og:image:alt": self.title}
        names = {"description": self.description, "twitter:card": "summary_large_image"}
        names |= {} if self.listed else {"robots": "noindex"}
        return "".join([*(f'<meta property="{name}" content="{escape(value)}" />\n' for name, value in
                          properties.items()),
                        *(f'<meta name="{name}" content="{escape(value)}" />\n' for name, value in names.items())])

    def put_into(self, text: str) -> str:
        """The page with these tags instead of its own title and description."""
        text = re.sub(r'\s*<meta name="description"[^>]*>', "", text, count=1)
        text = re.sub("<title>.*?</title>", lambda _: f"<title>{escape(self.title)}</title>", text, count=1)
        return text.replace("</head>", f"{self.tags()}</head>", 1)


def answer(path: str, static: Path = STATIC, accepted: str = "", base_path: str = "",
           about: About | None = None) -> Response:
    """A file of the page, or the page; `about` says what other sites may show of it."""
    if path.startswith("api/"):
        raise HTTPException(404)
    index = static / "index.html"
    if not index.is_file():
        return PlainTextResponse(NOT_BUILT, 503)
    wanted = (static / path).resolve() if "\0" not in path and len(path) < 200 else index
    if not (path and wanted.is_relative_to(static.resolve()) and wanted.is_file()):
        if path.startswith("assets/"):
            raise HTTPException(404)
        wanted = index
    # The names of assets hold a hash of what is in them.
    lasting = "public, max-age=31536000, immutable" if wanted.parent.name == "assets" else "no-cache"
    plain, packed = _file(wanted, wanted.stat().st_mtime_ns, base_path)
    if about is not None and wanted == index:
        return packable(about.put_into(plain.decode()).encode(), None, KINDS[".html"], accepted,
                        {"Cache-Control": lasting})
    kind = KINDS.get(wanted.suffix, "application/octet-stream")
    # A picture is compressed already.
    return packable(plain, packed, kind, "" if kind == "image/png" else accepted, {"Cache-Control": lasting})


def warm(static: Path = STATIC, base_path: str = "") -> None:
    """Read and compress all files, before anyone waits for it."""
    for file in static.rglob("*"):
        if file.is_file():
            _file(file.resolve(), file.stat().st_mtime_ns, base_path)


@lru_cache(maxsize=256)
def _file(path: Path, _changed: int, base_path: str) -> tuple[bytes, bytes]:
    """What is in a file, plain and compressed; read again when it has changed."""
    data = path.read_bytes()
    if path.suffix == ".html":
        data = _placed(data.decode(), base_path).encode()
    return data, gzip.compress(data, mtime=0)


def _placed(text: str, base_path: str) -> str:
    """HTML that is right at every address of the page, under a base path.

    >>> _placed('<html data-base=""><a href="/x"><script src="./y.js"><a href="">', "/boyi")
    '<html data-base="/boyi"><a href="/boyi/x"><script src="/boyi/y.js"><a href="">'
    """
    text = re.sub(r'((?:href|src)=")\.?/(?!/)', rf"\1{base_path}/", text)
    return text.replace('data-base=""', f'data-base="{base_path}"')


def packable(plain: bytes, packed: bytes | None, kind: str, accepted: str,
             headers: Mapping[str, str] | None = None) -> Response:
    """An answer that is compressed for clients that accept it. Only for what is no secret: the length would tell."""
    fields = {**(headers or {}), "Vary": "Accept-Encoding"}
    if "gzip" in accepted and len(plain) > SHORT:
        return Response(gzip.compress(plain, 5, mtime=0) if packed is None else packed, media_type=kind,
                        headers={**fields, "Content-Encoding": "gzip"})
    return Response(plain, media_type=kind, headers=fields)
