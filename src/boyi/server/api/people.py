"""Sessions and accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from boyi.server.api.route import Api, Json
from boyi.server.budgets import PASSWORDS, SESSIONS
from boyi.server.protocol.bodies import Credentials, NewSession, Session, Who
from boyi.server.protocol.refusals import Refusal

if TYPE_CHECKING:
    from boyi.server.app import Server


async def _new_session(server: Server, request: Request) -> Response:
    asked = await server.read(request, NewSession)
    return Json(await server.rooms().accounts.new_session(asked.name), 201)


async def _whose(server: Server, request: Request) -> Response:
    person = await server.who(request)
    if person is None:
        raise Refusal("token")
    return Json(Who(person.id, person.name, person.account))


async def _log_out(server: Server, request: Request) -> Response:
    await _whose(server, request)   # only its owner may end it
    await server.rooms().accounts.log_out(server.token(request))
    return Response(status_code=204)


async def _register(server: Server, request: Request) -> Response:
    asked = await server.read(request, Credentials)
    return Json(await server.rooms().accounts.register(asked.name, asked.password), 201)


async def _log_in(server: Server, request: Request) -> Response:
    asked = await server.read(request, Credentials)
    return Json(await server.rooms().accounts.log_in(asked.name, asked.password))


ROUTES = (
    Api("POST", "/api/session", "a session with a nickname", _new_session, NewSession, Session, SESSIONS),
    Api("GET", "/api/session", "whose token it is", _whose, None, Who),
    Api("DELETE", "/api/session", "log out: the token is not valid any more", _log_out),
    Api("POST", "/api/accounts", "create an account", _register, Credentials, Session, PASSWORDS),
    Api("POST", "/api/login", "log in to an account", _log_in, Credentials, Session, PASSWORDS),
)
