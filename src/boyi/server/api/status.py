"""Health, metrics and descriptions of the interface."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from boyi.server.api.openapi import openapi
from boyi.server.api.route import Api, Json, kept_json
from boyi.server.engines.queue import KINDS, Kind
from boyi.server.metrics import Metric, Values, by, one, process_metrics, write
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
    if not await server.may_read_metrics(request):
        raise HTTPException(404)
    return PlainTextResponse(write([*_rooms(server), *_storage(server), *_engines(server), *_doors(server),
                                    *process_metrics()]), media_type="text/plain; version=0.0.4")


def _rooms(server: Server) -> list[Metric]:
    lobby = server.rooms()
    return [
        Metric("boyi_info", "gauge", "which Boyi this is", [({"version": version("boyi")}, 1)]),
        Metric("boyi_rooms", "gauge", "rooms in memory, by phase", by("phase", lobby.phases())),
        Metric("boyi_connections", "gauge", "connected clients", by("kind", lobby.connections())),
        Metric("boyi_unsent_messages", "gauge", "messages that wait for clients to read", one(lobby.unsent())),
        Metric("boyi_events_total", "counter", "events committed", one(lobby.committed)),
        Metric("boyi_rooms_lost_total", "counter", "rooms that another server took, or that had to be made again",
               one(lobby.lost)),
        Metric("boyi_move_seconds", "histogram", "from a move to its acknowledgement", lobby.measures.move_seconds),
        Metric("boyi_loop_lag_seconds", "histogram", "how late the event loop is", lobby.measures.loop_lag_seconds),
        Metric("boyi_stalled_seconds_total", "counter", "how long the server stood still, in stalls above 100 ms",
               one(lobby.clock.noted_ms / 1000))]


def _storage(server: Server) -> list[Metric]:
    writer = server.store.writer
    return [
        Metric("boyi_commits_total", "counter", "transactions", one(writer.groups)),
        Metric("boyi_writes_total", "counter", "writes that were in them", one(writer.writes)),
        Metric("boyi_commit_failures_total", "counter", "writes that failed", one(server.rooms().failed_commits)),
        Metric("boyi_commit_seconds", "histogram", "how long a transaction takes", writer.seconds),
        Metric("boyi_writes_waiting", "gauge", "writes that wait for the database", one(writer.waiting))]


def _engines(server: Server) -> list[Metric]:
    engines = server.rooms().engines
    return [
        Metric("boyi_live_analyses", "gauge", "clients of live analysis", one(engines.streams)),
        Metric("boyi_engine_answers_total", "counter", "questions that an engine answered", _by_kind(engines.answered)),
        Metric("boyi_engine_waiting", "gauge", "questions that wait for an engine", _by_kind(engines.waiting)),
        Metric("boyi_engine_withdrawn_total", "counter", "questions that were withdrawn", _by_kind(engines.withdrawn)),
        Metric("boyi_engine_late_total", "counter", "questions whose deadline passed", _by_kind(engines.late)),
        Metric("boyi_engine_given_way_total", "counter", "analyses that gave way to a game or a hint",
               one(engines.given_way)),
        Metric("boyi_engine_fallbacks_total", "counter", "moves of the AI that no engine chose",
               one(engines.fallbacks)),
        Metric("boyi_engines_replaced_total", "counter", "engines that had to be replaced", one(engines.replaced)),
        Metric("boyi_engine_busy_seconds_total", "counter", "time that engines worked", one(engines.busy_seconds))]


def _by_kind(counts: Mapping[Kind, int]) -> Values:
    """A value for each kind of question."""
    return [({"kind": kind}, counts.get(kind, 0)) for kind in KINDS]


def _doors(server: Server) -> list[Metric]:
    return [
        Metric("boyi_requests_total", "counter", "HTTP requests, by route and status",
               [({"path": path, "status": str(status)}, count)
                for (path, status), count in sorted(server.requests.items())]),
        Metric("boyi_refusals_total", "counter", "what was refused over HTTP and WebSocket, by code",
               by("code", server.rooms().refusals)),
        Metric("boyi_budget_refusals_total", "counter", "how often which budget was used up",
               by("budget", server.budgets.refused)),
        Metric("boyi_connections_cut_total", "counter", "connections that the server ended, by code",
               by("code", server.rooms().cut))]


async def _schema(server: Server, request: Request) -> Response:
    return await kept_json(server, request, (), schema)


async def _openapi(server: Server, request: Request) -> Response:
    from boyi.server.api import ROUTES  # which this route is one of

    return await kept_json(server, request, (), lambda: openapi(ROUTES))


ROUTES = (
    Api("GET", "/api/health", "whether the server and its database answer", _health, is_open=True),
    Api("GET", "/metrics", "metrics for Prometheus", _metrics, is_open=True),
    Api("GET", "/api/schema", "the messages of the WebSocket protocol, as a JSON schema", _schema),
    Api("GET", "/api/openapi.json", "this list, as OpenAPI", _openapi),
)
