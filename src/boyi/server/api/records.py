"""Finished games, and games as files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from boyi.core import formats
from boyi.core.errors import RecordError
from boyi.core.record import Record
from boyi.games import all_games, find_game
from boyi.server import passwords, positions
from boyi.server.api import rooms
from boyi.server.api.route import MOST_FILE, MOST_GAME, Api, Json, is_set
from boyi.server.budgets import FILES
from boyi.server.protocol.bodies import AskRecord, FinishedSummary, RatingRow, ReadRecord
from boyi.server.protocol.refusals import Refusal
from boyi.server.store import FinishedGame
from boyi.server.work import in_thread

if TYPE_CHECKING:
    from boyi.server.app import Server

MOST_RECORDS = 50
MOST_UPLOADS = 1000
"""Games of one file, and of one person that are kept."""

HALF_CHARACTER = "a text in it holds half of a character (a lone surrogate, as \\ud800)"


async def _list(server: Server, request: Request) -> Response:
    rows = await server.store.games.latest(request.query_params.get("game"), uploaded=is_set(request, "uploaded"))
    return Json(rows)


async def _show(server: Server, request: Request) -> Response:
    room, number = request.path_params["room"], request.path_params["number"]
    is_number = number.isascii() and number.isdigit() and len(number) < 8
    found = await server.store.games.find_record(room, int(number)) if is_number else None
    if found is None:
        raise Refusal("no_room")
    text, is_upload = found
    person = await server.who(request)
    is_own = person is not None and await server.store.games.has_played(room, int(number), person.id)
    if not is_upload and not is_own:
        try:
            await rooms.enter(server, request, room)
        except Refusal as refusal:
            summary = await server.store.rooms.summary(room) if refusal.code == "no_room" else None
            if summary is None or summary.locked:
                raise   # of a room that was locked nobody can say the password any more
    return PlainTextResponse(text)


async def _upload(server: Server, request: Request) -> Response:
    keep = is_set(request, "keep")
    person = await server.who(request)
    if keep and person is None:
        raise Refusal("spectator")
    data = await server.body(request, MOST_FILE)
    try:
        records = await in_thread(_read_file, data, request.query_params.get("name", ""))
    except RecordError as error:
        raise Refusal("no_record", str(error)) from error
    place = passwords.new_identity() if keep else ""
    try:   # what cannot be said is not kept either
        answer = Json([ReadRecord(
            record.game.name, dict(record.options), record.start or "", list(record.players),
            None if record.result is None else list(record.result), record.reason,
            [entry.text for entry in record.entries], final, f"{place}/{number}" if place else "")
            for number, (record, final) in enumerate(records, 1)], 201 if keep else 200)
    except UnicodeEncodeError as error:
        raise Refusal("no_record", HALF_CHARACTER) from error
    if keep and person is not None:
        games = [FinishedGame(place, number, record.game.name, True, False, list(record.players),
                              list(record.result or ()), record.date, record.to_text())
                 for number, (record, _) in enumerate(records, 1)]
        if not await server.store.games.add_uploads(person.id, games, MOST_UPLOADS):
            raise Refusal("full", f"at most {MOST_UPLOADS} records of one person are kept")
    return answer


def _read_file(data: bytes, name: str) -> list[tuple[Record, str]]:
    """The games of a file, in any format that Boyi knows; each is replayed, to the position that it ends in."""
    source = formats.find_source(data, name[:200], list(all_games().values()))
    if len(source) > MOST_RECORDS:
        raise Refusal("unreadable", f"the file holds {len(source)} games; at most {MOST_RECORDS} are read")
    return [(record, record.replay().to_text()) for record in source.read()]


async def _write(server: Server, request: Request) -> Response:
    asked = await server.read(request, AskRecord, MOST_GAME)
    return Response(await in_thread(positions.write_record, asked), media_type="application/octet-stream")


async def _ratings(server: Server, request: Request) -> Response:
    game = find_game(request.query_params.get("game", ""))
    return Json(await server.ratings.of(game.name))


ROUTES = (
    Api("GET", "/api/records", "public games that are over, the latest first; with ?uploaded=1 the uploaded ones",
        _list, None, FinishedSummary),
    Api("POST", "/api/records", "the games of a file in any format that Boyi knows, replayed; with ?keep=1 and a token "
        "they are kept", _upload, None, ReadRecord, FILES),
    Api("POST", "/api/records/written", "a game as a file, in any format that can be written; nothing is kept",
        _write, AskRecord, budget=FILES),
    Api("GET", "/api/records/{room}/{number}", "a game that is over, as a record", _show),
    Api("GET", "/api/ratings", "ratings of a game's players, by their rated games", _ratings, None, RatingRow),
)
