"""Game reviews: begun by who has a game, seen by who has the address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from boyi.core import formats
from boyi.core.errors import RecordError
from boyi.core.record import Record
from boyi.games import all_games
from boyi.server.api import records
from boyi.server.api.route import MOST_GAME, Api, packed_json
from boyi.server.budgets import REVIEWS
from boyi.server.played import alike_in
from boyi.server.protocol.refusals import Refusal
from boyi.server.reviews import AskReview, ShownReview
from boyi.server.work import in_thread

if TYPE_CHECKING:
    from boyi.server.app import Server


async def _begin(server: Server, request: Request) -> Response:
    asked = await server.read(request, AskReview, MOST_GAME)
    if bool(asked.room) == bool(asked.record):
        raise Refusal("unreadable", "a review is of a room and number, or of a record")
    text = await records.find_record(server, request, asked.room, asked.number) if asked.room else asked.record
    try:
        record = await in_thread(_read, text)
    except RecordError as error:
        raise Refusal("no_record", str(error)) from error
    payer = await server.payer(request)
    await server.rooms().refuse_played(await in_thread(alike_in, record), payer.address)
    reviews, who = server.rooms().reviews, payer.person or payer.address
    identity = await reviews.begin(record, who, asked.room, asked.number)
    return packed_json(await reviews.show(identity, who), request)


def _read(text: str) -> Record:
    source = formats.find_source(text.encode("utf-8", "replace"), "", list(all_games().values()))
    if len(source) != 1:
        raise RecordError(f"these are {len(source)} games; one at a time is reviewed")
    return source.read()[0]


async def _show(server: Server, request: Request) -> Response:
    payer = await server.payer(request)
    found = await server.rooms().reviews.show(request.path_params["review"], payer.person or payer.address)
    return packed_json(found, request)


ROUTES = (
    Api("POST", "/api/reviews", "review a game in the background: one that is over, or a record; not one that is being "
        "played", _begin, AskReview, ShownReview, REVIEWS),
    Api("GET", "/api/reviews/{review}", "a review: how far it has come, and what it says", _show, None, ShownReview),
)
