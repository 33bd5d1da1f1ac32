"""Health, metrics and descriptions of the interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from boyi.server.api.openapi import openapi
from boyi.server.api.route import Api, Json, kept_json
from boyi.server.engines.queue import KINDS, Kind
from boyi.server.protocol.documentation import schema
from boyi.server.protocol.refusals import Refusal

if TYPE_CHECKING:
    from boyi.server.app import Server


async def _health(server: Server, request: Request) -> Response:
    lobby = server.rooms()
    if lobby.stopping:
        raise Refusal("stopping")
    await server.store.rooms.public(1)   # the database answers
    return Json({"status": "ok", "rooms": lobby.rooms, "connections": lobby.listeners})


async def _metrics(server: Server, request: Request) -> Response:
    lobby = server.rooms()
    engines = lobby.engines
    rows: list[tuple[str, str, str, Mapping[str, float]]] = [
        ("boyi_rooms", "gauge", "rooms in memory", {"": lobby.rooms}),
        ("boyi_connections", "gauge", "connected clients", {"": lobby.listeners}),
        ("boyi_events_total", "counter", "events committed", {"": lobby.committed}),
        ("boyi_commits_total", "counter", "transactions", {"": server.store.writer.groups}),
        ("boyi_commit_failures_total", "counter", "writes that failed", {"": lobby.failed_commits}),
        ("boyi_engine_answers_total", "counter", "questions that an engine answered", _by_kind(engines.answered)),
        ("boyi_engine_waiting", "gauge", "questions that wait for an engine", _by_kind(engines.waiting)),
        ("boyi_engine_withdrawn_total", "counter", "questions that were withdrawn", _by_kind(engines.withdrawn)),
        ("boyi_engine_late_total", "counter", "questions whose deadline passed", _by_kind(engines.late)),
        ("boyi_engine_given_way_total", "counter", "analyses that gave way to a game or a hint",
         {"": engines.given_way}),
        ("boyi_engine_fallbacks_total", "counter", "moves of the AI that no engine chose", {"": engines.fallbacks}),
        ("boyi_engines_replaced_total", "counter", "engines that had to be replaced", {"": engines.replaced}),
        ("boyi_engine_busy_seconds_total", "counter", "time that engines worked", {"": engines.busy_seconds}),
        ("boyi_requests_total", "counter", "HTTP requests", {
            f'{{path="{path}",status="{code}"}}': count for (path, code), count in sorted(server.requests.items())}),
    ]
    lines = []
    for name, kind, help_text, values in rows:
        lines += [f"# HELP {name} {help_text}", f"# TYPE {name} {kind}"]
        lines += [f"{name}{labels} {value}" for labels, value in values.items()]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


def _by_kind(counts: Mapping[Kind, int]) -> dict[str, float]:
    """A value for each kind of question, with its label."""
    return {f'{{kind="{kind}"}}': counts.get(kind, 0) for kind in KINDS}


async def _schema(server: Server, request: Request) -> Response:
    return await kept_json(server, request, (), schema)


async def _openapi(server: Server, request: Request) -> Response:
    from boyi.server.api import ROUTES  # which this route is one of

    return await kept_json(server, request, (), lambda: openapi(ROUTES))


ROUTES = (
    Api("GET", "/api/health", "whether the server and its database answer", _health),
    Api("GET", "/metrics", "metrics for Prometheus", _metrics),
    Api("GET", "/api/schema", "the messages of the WebSocket protocol, as a JSON schema", _schema),
    Api("GET", "/api/openapi.json", "this list, as OpenAPI", _openapi),
)
