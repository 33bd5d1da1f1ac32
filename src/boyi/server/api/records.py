"""Finished games, and games as files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from boyi.core import formats, loose
from boyi.core.errors import RecordError
from boyi.core.record import Record
from boyi.games import all_games, find_game, listed_games
from boyi.server import finished, passwords, positions
from boyi.server.api import rooms
from boyi.server.api.route import MOST_FILE, MOST_GAME, Api, Json, is_set
from boyi.server.budgets import FILES, POSITIONS
from boyi.server.protocol.bodies import FinishedSummary, ImportedGames, ImportProblem, ReadRecord
from boyi.server.protocol.own_games import FinishedInfo, RatingRow
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.study import AskRecord
from boyi.server.store import FinishedGame
from boyi.server.work import in_thread

if TYPE_CHECKING:
    from boyi.server.app import Server

MOST_RECORDS = 50
MOST_UPLOADS = 1000
"""Games of one file, and of one person that are kept."""

MOST_RATED = 200
"""Rows of a table of ratings."""

PICTURE_COST = 4.0
"""Of a picture, in positions worked out."""

PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

HALF_CHARACTER = "a text in it holds half of a character (a lone surrogate, as \\ud800)"


async def _list(server: Server, request: Request) -> Response:
    rows = await server.store.games.latest(request.query_params.get("game"), uploaded=is_set(request, "uploaded"))
    return Json(rows)


async def find_record(server: Server, request: Request, room: str, number: int) -> str:
    """The record of a game that is over and that the client may see."""
    found = await server.store.games.find_record(room, number)
    if found is None:
        raise Refusal("no_room")
    text, is_upload = found
    if not is_upload and await _is_locked(server, room):
        person = await server.who(request)
        is_own = person is not None and await server.store.games.has_played(room, number, person.id)
        if not is_own:
            await rooms.enter(server, request, room)   # of one that is gone nobody can say the password any more
    return text


async def _is_locked(server: Server, room: str) -> bool:
    summary = await server.store.rooms.summary(room)
    return summary is None or summary.locked


def _place(request: Request) -> tuple[str, int]:
    room, number = request.path_params["room"], request.path_params["number"]
    if not (number.isascii() and number.isdigit() and len(number) < 8):
        raise Refusal("no_room")
    return room, int(number)


async def _show(server: Server, request: Request) -> Response:
    return PlainTextResponse(await find_record(server, request, *_place(request)))


async def is_open(server: Server, room: str, number: int) -> bool:
    """May anyone see a game that is over, who knows where it is? Not if its room has a password."""
    found = await server.store.games.find_record(room, number)
    return found is not None and (found[1] or not await _is_locked(server, room))


async def _game(server: Server, request: Request) -> Response:
    room, number = _place(request)
    text = await find_record(server, request, room, number)
    found = await server.store.games.summary(room, number)
    if found is None:
        raise Refusal("no_room")
    try:
        ending = await in_thread(finished.replay, text)
    except RecordError as error:
        raise Refusal("no_record", str(error)) from error
    summary, _ = found
    record = ending.record
    return Json(FinishedInfo(
        room, number, summary.game, dict(record.options), record.start or "",
        [entry.text for entry in record.entries], ending.stones, ending.path, summary.rated, summary.names,
        summary.places, ending.reason, summary.date, await is_open(server, room, number)))


async def _picture(server: Server, request: Request) -> Response:
    (room, number), name = _place(request), request.path_params["picture"]
    if name not in finished.PICTURES:
        raise HTTPException(404)
    text = await find_record(server, request, room, number)
    try:
        data = await server.pictures.find(text, name)
    except RecordError as error:
        raise Refusal("no_record", str(error)) from error
    # Alone in a window a picture may be styled, which is how it moves, and nothing else.
    headers = {"Content-Security-Policy": PICTURE_POLICY,
               "Cache-Control": "public, max-age=3600" if await is_open(server, room, number) else "no-store"}
    return Response(data, media_type=finished.PICTURES[name][0], headers=headers)


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
        answer = Json([_describe(record, final, f"{place}/{number}" if place else "")
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


def _describe(record: Record, final: str, kept: str = "") -> ReadRecord:
    return ReadRecord(
        record.game.name, dict(record.options), record.start or "", list(record.players),
        None if record.result is None else list(record.result), record.reason,
        [entry.text for entry in record.entries], final, kept)


async def _import(server: Server, request: Request) -> Response:
    data = await server.body(request, MOST_FILE)
    asked = request.query_params
    try:
        return Json(await in_thread(_read_any, data, asked.get("name", "")[:200], asked.get("game", "")[:60]))
    except UnicodeEncodeError as error:
        raise Refusal("no_record", HALF_CHARACTER) from error


def _read_any(data: bytes, name: str, game: str) -> ImportedGames:
    """The games of whatever a person pasted, and what is wrong with it."""
    reading = loose.read_file(data, name, listed_games(), game)
    problem = reading.problem
    until = None if reading.until is None else _describe(reading.until, reading.until.final or "")
    return ImportedGames(
        [_describe(record, record.final or "") for record in reading.records[:MOST_RECORDS]],
        None if problem is None else ImportProblem(problem, reading.number, reading.text[:100], until))


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
    return Json((await server.ratings.of(game.name))[:MOST_RATED])


ROUTES = (
    Api("GET", "/api/records", "public games that are over, the latest first; with ?uploaded=1 the uploaded ones",
        _list, None, FinishedSummary),
    Api("POST", "/api/records", "the games of a file in any format that Boyi knows, replayed; with ?keep=1 and a token "
        "they are kept", _upload, None, ReadRecord, FILES),
    Api("POST", "/api/imports", "the games or the position in a text that a person pasted, or in a file: in any "
        "notation or format, of any game; ?game= names the likeliest one. What cannot be read is said in both "
        "languages, with the game up to there", _import, None, ImportedGames, FILES),
    Api("POST", "/api/records/written", "a game as a file, in any format that can be written; nothing is kept",
        _write, AskRecord, budget=FILES),
    Api("GET", "/api/records/{room}/{number}", "a game that is over, as a record", _show),
    Api("GET", "/api/records/{room}/{number}/game", "a game that is over, with all that a page about it shows", _game,
        None, FinishedInfo, POSITIONS),
    Api("GET", "/api/records/{room}/{number}/{picture}", "a game that is over, drawn: `picture.svg` and `picture.png` "
        "show where it ended, `animation.svg` plays it", _picture, budget=POSITIONS, cost=PICTURE_COST),
    Api("GET", "/api/ratings", "ratings of a game's players, by their rated games; the best 200", _ratings, None,
        RatingRow),
)
