"""The page, for every address that is nothing else; that of a game says what the game was to sites that link to it."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from boyi.core.errors import BoyiError
from boyi.core.words import Language, Words
from boyi.games import all_games
from boyi.server import finished, page
from boyi.server.api import records
from boyi.server.api.route import Api
from boyi.server.budgets import PAGES, POSITIONS
from boyi.server.protocol.refusals import Refusal
from boyi.server.proxies import origin_of
from boyi.server.store import DELETED
from boyi.server.work import in_thread

if TYPE_CHECKING:
    from boyi.server.app import Server

GAME = re.compile(r"game/([\w-]{1,40})/([0-9]{1,7})/?")
"""The address of a game that is over."""

GONE = Words("deleted player", "已注销玩家")
COMPUTER = Words("Computer", "电脑")
WINS = Words("{} wins", "{}胜")
DRAW = Words("Draw", "和棋")
MOVES = Words("{} moves", "{} 步")


async def _show(server: Server, request: Request) -> Response:
    path = request.path_params["path"]
    place = GAME.fullmatch(path)
    about = None
    if place is not None:
        with contextlib.suppress(Refusal):   # who asks for too many gets the page, and nothing about the games
            server.budgets.charge(POSITIONS, await server.payer(request))
            about = await describe(server, request, place[1], int(place[2]))
    return page.answer(path, accepted=request.headers.get("accept-encoding", ""), base_path=server.config.base_path,
                       about=about)


async def describe(server: Server, request: Request, room: str, number: int) -> page.About | None:
    """What is said of a game that is over; nothing of one that not everyone may see."""
    found = await server.store.games.summary(room, number)
    record = await server.store.games.find_record(room, number)
    if found is None or record is None or not await records.is_open(server, room, number):
        return None
    summary, is_public = found
    try:
        ending = await in_thread(finished.replay, record[0])
    except BoyiError:
        return None
    speech: Language = "zh" if request.headers.get("accept-language", "").lower().startswith("zh") else "en"
    game = all_games()[summary.game]
    names = [_name(name).say(speech) for name in summary.names]
    winners = [name for name, place in zip(names, summary.places, strict=False) if place == 1]
    result = DRAW.say(speech) if len(winners) == len(names) else WINS.say(speech).format(", ".join(winners))
    parts = [result, "" if ending.reason is None else ending.reason.say(speech),
             MOVES.say(speech).format(len(ending.record.entries)), summary.date]
    parts = list(dict.fromkeys(part for part in parts if part))
    address = f"{_origin(server, request)}{server.config.base_path}"
    place = f"{quote(room)}/{number}"
    return page.About(f"{' – '.join(names)} · {game.title.en} {game.title.zh}", " · ".join(parts),
                      f"{address}/game/{place}", f"{address}/api/records/{place}/picture.png", is_public)


def _name(name: str) -> Words:
    if name.startswith(DELETED):
        return GONE
    kind, colon, which = name.partition(":")
    if colon and kind in ("level", "net", "evaluator"):
        return Words(f"{COMPUTER.en} ({which})", f"{COMPUTER.zh}（{which}）")
    return Words(name, name)


def _origin(server: Server, request: Request) -> str:
    """Where people reach this server, as https://example.org."""
    source = request.scope["boyi.source"]
    return origin_of(server.config.public_address) or f"{source.scheme or 'http'}://{source.host}"


ROUTE = Api("GET", "/{path:path}", "the page, and the files that belong to it", _show, budget=PAGES)
"""To come after all others; no part of the interface for programs."""
