"""Sessions, accounts and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from boyi.server import export, reporting
from boyi.server.api.route import Api, Json
from boyi.server.budgets import FILES, PASSWORDS, SESSIONS
from boyi.server.devices import describe
from boyi.server.protocol.bodies import (
    Credentials,
    Deletion,
    NewReport,
    NewSession,
    OwnData,
    PasswordChange,
    Session,
    SessionInfo,
    Who,
)
from boyi.server.protocol.refusals import Refusal

if TYPE_CHECKING:
    from boyi.server.app import Server

REPORT_COST = 10.0
"""Of a report, in requests: it reads all that was said in a room."""

DONE = 204
"""The status of an answer without a body."""


# ---------------------------------------------------------------------- coming

async def _new_session(server: Server, request: Request) -> Response:
    asked = await server.read(request, NewSession)
    return Json(await server.rooms().accounts.new_session(asked.name, _device(request)), 201)


async def _register(server: Server, request: Request) -> Response:
    asked = await server.read(request, Credentials)
    return Json(await server.rooms().accounts.register(asked.name, asked.password, _device(request)), 201)


async def _log_in(server: Server, request: Request) -> Response:
    asked = await server.read(request, Credentials)
    return Json(await server.rooms().accounts.log_in(asked.name, asked.password, _device(request)))


def _device(request: Request) -> str:
    return describe(request.headers.get("user-agent", "")[:500])


# ---------------------------------------------------------------------- being here

async def _whose(server: Server, request: Request) -> Response:
    person = await server.who(request)
    if person is None:
        raise Refusal("token")
    return Json(Who(person.id, person.name, person.account))


async def _log_out(server: Server, request: Request) -> Response:
    await server.rooms().accounts.end_session(server.token(request))
    return Response(status_code=DONE)


async def _sessions(server: Server, request: Request) -> Response:
    return Json(await server.rooms().accounts.sessions(server.token(request)))


async def _end_others(server: Server, request: Request) -> Response:
    await server.rooms().accounts.end_others(server.token(request))
    return Response(status_code=DONE)


async def _end_session(server: Server, request: Request) -> Response:
    await server.rooms().accounts.end_session(server.token(request), request.path_params["session"])
    return Response(status_code=DONE)


async def _change_password(server: Server, request: Request) -> Response:
    asked = await server.read(request, PasswordChange)
    await server.rooms().accounts.change_password(server.token(request), asked.old, asked.new)
    return Response(status_code=DONE)


async def _export(server: Server, request: Request) -> Response:
    return Json(await export.collect(server.store, server.rooms().accounts, server.token(request)))


async def _delete(server: Server, request: Request) -> Response:
    asked = await server.read(request, Deletion)
    person = await server.rooms().accounts.delete(server.token(request), asked.password)
    await server.rooms().leave_all(person)
    return Response(status_code=DONE)


async def _report(server: Server, request: Request) -> Response:
    person = await server.who(request)
    if person is None:
        raise Refusal("spectator")
    await reporting.report(server.store, person.id, await server.read(request, NewReport))
    return Response(status_code=DONE)


ROUTES = (
    Api("POST", "/api/session", "a session with a nickname", _new_session, NewSession, Session, SESSIONS),
    Api("GET", "/api/session", "whose token it is", _whose, None, Who),
    Api("DELETE", "/api/session", "log out: the token is not valid any more", _log_out),
    Api("GET", "/api/sessions", "all sessions of yours, the latest used first", _sessions, None, SessionInfo),
    Api("DELETE", "/api/sessions", "end all other sessions of yours", _end_others),
    Api("DELETE", "/api/sessions/{session}", "end a session of yours", _end_session),
    Api("POST", "/api/accounts", "create an account", _register, Credentials, Session, PASSWORDS),
    Api("POST", "/api/login", "log in to an account", _log_in, Credentials, Session, PASSWORDS),
    Api("POST", "/api/account/password", "change the password of your account; all other sessions are ended",
        _change_password, PasswordChange, budget=PASSWORDS),
    Api("GET", "/api/account/data", "all that is kept of you", _export, None, OwnData, FILES),
    Api("POST", "/api/account/deletion", "delete your account, for good", _delete, Deletion, budget=PASSWORDS),
    Api("POST", "/api/reports", "report someone in a room to the operator of the server", _report, NewReport,
        cost=REPORT_COST),
)
