"""Metrics: what Prometheus is told is well-formed and true, and not told to everyone."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from boyi.core.errors import OptionError
from boyi.server.client import ServerError, call
from boyi.server.config import Config
from boyi.server.metrics import Histogram, Metric, by, write
from boyi.server.protocol.messages import Move
from tests.server.playing import leave, seated
from tests.server.serving import serving

SAMPLE = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)(\{(?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*\})? (\S+)')


def parse(text: str) -> dict[str, float]:
    """All samples; every line must be one, or say what a metric is."""
    found: dict[str, float] = {}
    kinds: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            assert name not in kinds
            kinds[name] = kind
        elif not line.startswith("# HELP "):
            sample = SAMPLE.fullmatch(line)
            assert sample is not None, line
            name, labels, value = sample.groups()
            base = re.sub(r"_(bucket|sum|count)$", "", name) if name not in kinds else name
            assert base in kinds and (kinds[base] == "counter") == name.endswith("_total")
            found[name + (labels or "")] = float(value)
    return found


def test_the_text_is_well_formed() -> None:
    waits = Histogram((0.1, 1.0))
    for seconds in (0.05, 0.1, 0.5, 7.0):
        waits.observe(seconds)
    found = parse(write([Metric("waits_seconds", "histogram", "a \\ b\nc", waits),
                         Metric("odd_total", "counter", "odd", by("path", {'a"b\\c\nd': 2}))]))
    assert found == {'waits_seconds_bucket{le="0.1"}': 2, 'waits_seconds_bucket{le="1"}': 3,
                     'waits_seconds_bucket{le="+Inf"}': 4, "waits_seconds_sum": 7.65, "waits_seconds_count": 4,
                     'odd_total{path="a\\"b\\\\c\\nd"}': 2}


def test_what_is_measured_is_true(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            clients = await seated(place, "othello", {}, 2)
            mover = clients[0] if clients[0].turn is not None else clients[1]
            await mover.until(lambda: mover.turn is not None)
            assert mover.turn is not None
            await mover.request(Move, move=mover.turn.moves[0].text)
            async with place.raw(clients[0].room, "no token") as stranger:
                await stranger.hear("goodbye")
            async with place.client(clients[0].room):
                await asyncio.sleep(0)
                found = parse(await call(place.address, "GET", "/metrics"))
            assert found['boyi_rooms{phase="playing"}'] == 1
            assert found['boyi_connections{kind="person"}'] == 2 and found['boyi_connections{kind="spectator"}'] == 1
            assert found["boyi_move_seconds_count"] == 1 and found['boyi_move_seconds_bucket{le="+Inf"}'] == 1
            assert found["boyi_commit_seconds_count"] == found["boyi_commits_total"] > 5
            assert found['boyi_refusals_total{code="token"}'] == 1
            assert found['boyi_connections_cut_total{code="token"}'] == 1
            assert found['boyi_requests_total{path="/api/rooms",status="201"}'] == 1
            assert found["process_start_time_seconds"] > 1.7e9
            await leave(clients)
    asyncio.run(run())


@pytest.mark.parametrize(("allowed", "headers", "may"), [
    ("127.0.0.1", {}, True), ("10.0.0.0/8", {}, False), ("", {}, False),
    ("127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}, False)])   # a proxy on this machine that is not trusted
def test_metrics_are_not_for_everyone(allowed: str, headers: dict[str, str], may: bool, tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, metrics_from=allowed) as place:
            try:
                text = await call(place.address, "GET", "/metrics", headers=headers)
                assert may and "boyi_rooms" in text
            except ServerError as error:
                assert not may and "there is nothing here" in str(error)
    asyncio.run(run())


def test_settings_are_checked() -> None:
    for wrong in ({"metrics_from": "example.org"}, {"log_format": "xml"}, {"workers": 0}):
        with pytest.raises((OptionError, ValueError)):
            Config(**wrong)
