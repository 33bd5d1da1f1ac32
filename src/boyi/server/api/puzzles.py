"""Puzzles: which there are, one of them, whether a move solves it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response

from boyi.core.errors import IllegalMoveError, TextError
from boyi.server import puzzles
from boyi.server.api.route import Api, Json, is_set, kept_json
from boyi.server.api.study import while_connected
from boyi.server.budgets import POSITIONS
from boyi.server.protocol.puzzles import (
    KeptPuzzle,
    PuzzleAnswer,
    PuzzleAttempt,
    PuzzleGame,
    PuzzleHint,
    PuzzleProgress,
    PuzzleRating,
    PuzzleSolution,
    ShownPuzzle,
)
from boyi.server.protocol.refusals import Refusal
from boyi.server.work import in_thread

if TYPE_CHECKING:
    from boyi.server.app import Server

COMPARED_NODES = 60_000
"""For each of two moves, when one is played that is not the solution's."""

MOST_WITHOUT = 200
"""Puzzles that a request may name as not wanted."""


async def _list(server: Server, request: Request) -> Response:
    games, person = await in_thread(puzzles.list_games), await server.who(request)
    if person is not None and person.account:
        own = await server.store.puzzles.ratings(person.id)
        games = [structs.replace(game, own=own.get(game.game)) for game in games]
    return Json(games)


async def _next(server: Server, request: Request) -> Response:
    query, game = request.query_params, request.path_params["game"]
    found = await in_thread(puzzles.find_puzzles, game)
    if "id" in query:
        puzzle = found.find(query["id"])
    elif is_set(request, "day"):
        puzzle = puzzles.of_day(found)
    else:
        without, rating = set(query.get("without", "").split(",")[:MOST_WITHOUT]), query.get("rating")
        person = await server.who(request)
        if person is not None and person.account:
            without |= await server.store.puzzles.tried(person.id, game)
            if rating is None:
                own = (await server.store.puzzles.ratings(person.id)).get(game)
                rating = None if own is None else str(own.rating)
        puzzle = puzzles.choose(found, query.get("theme"), rating, without)
    return Json(await in_thread(puzzles.show, found, puzzle))


async def _bundle(server: Server, request: Request) -> Response:
    game = request.path_params["game"]
    found = await in_thread(puzzles.find_puzzles, game)
    return await kept_json(server, request, (), lambda: puzzles.bundle(found))


async def _answer(server: Server, request: Request) -> Response:
    attempt = await server.read(request, PuzzleAttempt)
    asked = await _asked(request, attempt)
    try:
        move = await in_thread(asked.read, attempt.move)
    except IllegalMoveError as error:
        raise Refusal("illegal_move", str(error)) from error
    except TextError as error:
        raise Refusal("unreadable", str(error)) from error
    if move == asked.step.move:
        answer = await in_thread(asked.go_on)
    else:
        await server.charge_search(request, 2 * COMPARED_NODES)
        payer = await server.payer(request)
        accepted = await while_connected(request, server.rooms().engines.accepts(
            asked.step.position, move, asked.step.move, COMPARED_NODES, payer.person or payer.address))
        answer = await in_thread(asked.accept, move) if accepted else asked.refuse()
    if attempt.rated and (answer.solved or answer.verdict == "wrong"):
        own, change = await _note(server, request, asked, solved=answer.solved)
        answer = structs.replace(answer, own=own, change=change)
    return Json(answer)


async def _hint(server: Server, request: Request) -> Response:
    progress = await server.read(request, PuzzleProgress)
    asked = await _asked(request, progress)
    path = asked.step.position.path(asked.step.move)
    own, change = await _note(server, request, asked, solved=False) if progress.rated else (None, 0)
    return Json(PuzzleHint(path[0] if path else "", own, change))


async def _solution(server: Server, request: Request) -> Response:
    progress = await server.read(request, PuzzleProgress)
    asked = await _asked(request, progress)
    plies = await in_thread(asked.solution)
    own, change = await _note(server, request, asked, solved=False) if progress.rated else (None, 0)
    return Json(PuzzleSolution(plies, own, change))


async def _asked(request: Request, progress: PuzzleProgress) -> puzzles.Asked:
    found = await in_thread(puzzles.find_puzzles, request.path_params["game"])
    asked = puzzles.Asked(found, found.find(request.path_params["puzzle"]), tuple(progress.made))
    await in_thread(lambda: asked.step)
    return asked


async def _note(server: Server, request: Request, asked: puzzles.Asked, *,
                solved: bool) -> tuple[PuzzleRating | None, int]:
    """Count the attempt of a person with an account: the rating, and by how much it changed."""
    person = await server.who(request)
    if person is None or not person.account:
        return None, 0
    return await server.store.puzzles.note(
        person.id, asked.puzzles.game.name, asked.puzzle.id,
        partial(puzzles.next_rating, puzzle=asked.puzzle.rating, solved=solved), solved=solved)


ROUTES = (
    Api("GET", "/api/puzzles", "the games that have puzzles, with their themes and the puzzle of the day", _list, None,
        PuzzleGame),
    Api("GET", "/api/puzzles/{game}", "a puzzle: by `id`, of the day (`day=1`), or the next by `theme`, `rating`, "
        "`without` (ids)", _next, None, ShownPuzzle, POSITIONS),
    Api("GET", "/api/puzzle-bundles/{game}", "some puzzles of a game with their answers, for a browser that will be "
        "offline", _bundle, None, KeptPuzzle, POSITIONS),
    Api("POST", "/api/puzzles/{game}/{puzzle}", "is this move right, and how does it go on?", _answer, PuzzleAttempt,
        PuzzleAnswer, POSITIONS),
    Api("POST", "/api/puzzles/{game}/{puzzle}/hint", "where does the right move begin?", _hint, PuzzleProgress,
        PuzzleHint, POSITIONS),
    Api("POST", "/api/puzzles/{game}/{puzzle}/solution", "the rest of the line", _solution, PuzzleProgress,
        PuzzleSolution, POSITIONS),
)
