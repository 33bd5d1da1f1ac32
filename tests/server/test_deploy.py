"""What is in `deploy` works: nginx and Caddy before a server, with TLS and WebSockets; the systemd unit is in order."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import ssl
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import websockets.asyncio.client

from boyi.server.engines.process import PROGRAM
from boyi.server.store import Ban
from tests.places import ROOT
from tests.server.fronts import KINDS, Front, front
from tests.server.serving import Served, serving_in_thread


def ask(address: str, path: str, trust: ssl.SSLContext | None = None, body: bytes | None = None,
        headers: dict[str, str] | None = None) -> tuple[int, str]:
    """A request over HTTP: status and text."""
    request = urllib.request.Request(address + path, data=body, headers=headers or {})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trust))
    try:
        with opener.open(request, timeout=30) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


async def hello(front: Front, room: str, token: str = "", source: str = "127.0.0.1", **headers: str) -> dict[str, Any]:
    """The first answer to a hello by way of a proxy, of a client at an address of this machine."""
    url = front.address.replace("https", "wss") + "/ws"
    async with websockets.asyncio.client.connect(url, ssl=front.trust, proxy=None, compression=None,
                                                 origin=front.address, local_addr=(source, 0),  # type: ignore[arg-type]
                                                 additional_headers=headers) as socket:
        await socket.send(json.dumps({"type": "hello", "room": room, "token": token}))
        answer: dict[str, Any] = json.loads(await socket.recv())
        return answer


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server that believes proxies on this machine's first address."""
    with serving_in_thread(tmp_path_factory.mktemp("behind"), trusted_proxies="127.0.0.1") as served:
        yield served


@pytest.mark.parametrize("kind", KINDS)
def test_rooms_are_reached_through_a_proxy(kind: str, behind: Served, tmp_path: Path) -> None:
    place = behind.place
    port = urlsplit(place.address).port
    assert port is not None
    with front(kind, port, tmp_path) as proxy:
        # 1. Over HTTP: the page, the interface, a session; not the metrics.
        assert ask(proxy.address, "/", proxy.trust)[0] == 200
        assert json.loads(ask(proxy.address, "/api/health", proxy.trust)[1])["status"] == "ok"
        assert ask(proxy.address, "/metrics", proxy.trust)[0] == 404
        status, text = ask(proxy.address, "/api/session", proxy.trust, b'{"name": "Ada"}')
        assert status == 201
        token = json.loads(text)["token"]
        room = behind.run(place.room(token))
        # 2. WebSockets, also from a page that came through the proxy.
        assert asyncio.run(hello(proxy, room, token))["type"] == "welcome"

        # 3. Clients have their own addresses, whatever they claim.
        place.server.rooms().bans.replace([Ban("address:127.0.0.2/32", "", "", 0, None)])
        try:
            assert asyncio.run(hello(proxy, room, source="127.0.0.2"))["code"] == "shut_out"
            assert asyncio.run(hello(proxy, room, source="127.0.0.3"))["type"] == "welcome"
            claim = {"X-Forwarded-For": "127.0.0.2"}
            assert asyncio.run(hello(proxy, room, **claim))["type"] == "welcome"
            assert ask(proxy.address, "/api/rooms", proxy.trust, headers=claim)[0] == 200
        finally:
            place.server.rooms().bans.replace([])


@pytest.mark.parametrize("kind", KINDS)
def test_a_proxy_that_is_not_trusted_is_not_believed(kind: str, tmp_path: Path) -> None:
    """Everyone has its address; and what is for this machine only is not for those whom it lets in."""
    with serving_in_thread(tmp_path) as served:
        port = urlsplit(served.place.address).port
        assert port is not None
        with front(kind, port, tmp_path) as proxy:
            served.place.server.rooms().bans.replace([Ban("address:127.0.0.2/32", "", "", 0, None)])
            assert asyncio.run(hello(proxy, "nothing", source="127.0.0.2"))["code"] == "no_room"
            assert ask(served.place.address, "/metrics", headers={"X-Forwarded-For": "127.0.0.1"})[0] == 404
            assert ask(served.place.address, "/metrics")[0] == 200


def test_the_systemd_unit_lets_engines_lower_their_priority() -> None:
    """A system call that the filter takes away ends the process, and `nice` is one of @resources."""
    assert "nice" in PROGRAM
    text = (ROOT / "deploy" / "boyi.service").read_text()
    filters = re.findall(r"^SystemCallFilter=(.*)$", text, re.MULTILINE)
    assert filters.index("setpriority") > next(n for n, one in enumerate(filters) if "@resources" in one)


def test_the_systemd_unit_is_in_order(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze not found; Debian, Ubuntu: apt-get install systemd")
    text = (ROOT / "deploy" / "boyi.service").read_text()
    unit = tmp_path / "boyi.service"
    unit.write_text(text.replace("/opt/boyi/bin/boyi", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True,
                          check=False)
    complaints = [line for line in done.stderr.splitlines() if "boyi.service" in line]
    assert complaints == [], done.stderr
