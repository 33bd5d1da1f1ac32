"""Behind a proxy: whose address counts, which hosts are answered, where the page is. Without a real proxy."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import websockets.asyncio.client
from websockets.exceptions import InvalidStatus

from boyi.core.errors import OptionError
from boyi.server import page, serve
from boyi.server.budgets import CONNECTIONS, REQUESTS, SOCKETS, Payer
from boyi.server.config import Config
from boyi.server.proxies import Proxies, Source
from tests.cli import invoke
from tests.server.serving import Place, serving


def source(proxies: Proxies, peer: str, **headers: str) -> Source:
    return proxies.source(peer, [(name.replace("_", "-").encode(), value.encode("latin-1"))
                                 for name, value in headers.items()])


@pytest.mark.parametrize(("peer", "forwarded", "client"), [
    ("10.0.0.1", "198.51.100.7", "198.51.100.7"),
    ("10.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),   # the left one is what the client made up
    ("10.0.0.1", "203.0.113.9, 198.51.100.7, 10.0.0.2", "198.51.100.7"),   # two proxies
    ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),              # none but proxies
    ("10.0.0.1", "203.0.113.9, rubbish", "10.0.0.1"),
    ("10.0.0.1", "203.0.113.9, rubbish, 10.0.0.2", "10.0.0.2"),
    ("10.0.0.1", "", "10.0.0.1"),
    ("10.0.0.1", "198.51.100.7:4711", "198.51.100.7"),
    ("10.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"),
    ("::ffff:10.0.0.1", "2001:db8::7", "2001:db8::7"),
    ("192.0.2.1", "198.51.100.7", "192.0.2.1"),                  # no proxy of ours
    ("rubbish", "198.51.100.7", "rubbish"),
])
def test_only_trusted_proxies_are_believed(peer: str, forwarded: str, client: str) -> None:
    proxies = Proxies("10.0.0.0/8, ::1")
    assert source(proxies, peer, x_forwarded_for=forwarded).address == client


def test_proxies_say_what_they_were_asked_for() -> None:
    said = {"host": "backend:8000", "x_forwarded_host": "evil.example, example.org", "x_forwarded_proto": "https"}
    assert source(Proxies("::1"), "::1", **said) == Source("::1", "example.org", "https")
    assert source(Proxies(), "::1", **said) == Source("::1", "backend:8000", "")
    assert source(Proxies("::1"), "::1", **{**said, "x_forwarded_proto": "gopher"}).scheme == ""


def test_hosts_that_are_answered() -> None:
    proxies = Proxies("", "friend.example", "https://Example.org/boyi", "http://boyi-1:8000")
    for host in ("", "localhost", "LOCALHOST:8000", "boyi.localhost", "127.0.0.1:8000", "192.168.0.7", "[::1]:80",
                 "::1", "friend.example:1", "example.org", "example.org.", "boyi-1:8000"):
        assert proxies.has_host(host), host
    for host in ("evil.example", "example.org.evil.example", "127.0.0.1.evil.example", "[", "localhost@evil.example"):
        assert not proxies.has_host(host), host
    assert Proxies("", "*").has_host("evil.example")


@pytest.mark.parametrize(("origin", "scheme", "is_own"), [
    ("http://example.org", "", True), ("https://example.org", "https", True), ("http://example.org", "https", False),
    ("https://public.example", "http", True), ("http://public.example", "http", False),
    ("https://evil.example", "", False), ("null", "", False), ("http://[", "", False), ("", "", False),
    ("file://example.org", "", False)])
def test_pages_that_are_the_servers_own(origin: str, scheme: str, is_own: bool) -> None:
    proxies = Proxies(public_address="https://public.example/")
    assert proxies.is_own_page(origin, Source("192.0.2.1", "example.org", scheme)) == is_own


def ask(place: Place, path: str, **headers: str) -> tuple[int, Any]:
    request = urllib.request.Request(place.address + path, headers={
        name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def test_budgets_are_those_of_the_client_behind_the_proxy(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, trusted_proxies="127.0.0.1") as place:
            token = await place.person("ada")
            room = await place.room(token)
            url = place.address.replace("http", "ws") + "/ws"
            async with websockets.asyncio.client.connect(url, proxy=None, additional_headers={
                    "X-Forwarded-For": "203.0.113.9, 2001:db8::7"}) as socket:
                await socket.send(json.dumps({"type": "hello", "room": room}))
                await socket.recv()
                assert place.server.budgets.holders(SOCKETS) == {"2001:db8::/64"}
            place.server.budgets.owe(REQUESTS, Payer("192.0.2.1"), 2 * REQUESTS.size)
            for client, status in (("192.0.2.1", 429), ("192.0.2.2", 200)):
                assert (await asyncio.to_thread(ask, place, "/api/rooms", X_Forwarded_For=client))[0] == status
            place.server.budgets.owe(CONNECTIONS, Payer("127.0.0.1"), 2 * CONNECTIONS.size)
            assert (await asyncio.to_thread(ask, place, "/api/rooms", X_Forwarded_For="192.0.2.2"))[0] == 200
    asyncio.run(run())


def test_names_of_others_that_point_here_are_not_answered(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, hosts="friend.example") as place:
            url = place.address.replace("http", "ws") + "/ws"
            for host, status in (("friend.example", 200), ("localhost:1", 200), ("evil.example", 421)):
                found, body = await asyncio.to_thread(ask, place, "/api/health", Host=host)
                assert found == status and (status == 200 or b'"code":"host"' in body)
            # A page of evil.example, whose name has come to point here, is its own page: its host says so.
            port = url.rpartition(":")[2].partition("/")[0]
            with pytest.raises(InvalidStatus) as refused:
                async with websockets.asyncio.client.connect(
                        f"ws://evil.example:{port}/ws", host="127.0.0.1", proxy=None,
                        origin=f"http://evil.example:{port}"):  # type: ignore[arg-type]
                    pass
            assert refused.value.response.status_code == 403
    asyncio.run(run())


def test_everything_under_a_base_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text('<html data-base=""><script src="./assets/a.js"></script><a href="/x"></a>')
    (static / "assets" / "a.js").write_text("1")
    answer = page.answer
    monkeypatch.setattr(page, "answer", lambda path, **rest: answer(path, static, **rest))

    async def run() -> None:
        async with serving(tmp_path, base_path="/boyi", public_address="https://example.org/boyi") as place:
            assert place.address == "https://example.org/boyi"   # which is what people are told
            place.address = place.server.address
            for prefix in ("", "/boyi"):   # whether or not the proxy removes it
                assert (await asyncio.to_thread(ask, place, prefix + "/api/health"))[0] == 200
                status, text = await asyncio.to_thread(ask, place, prefix + "/room/x")
                assert status == 200
                assert text == (b'<html data-base="/boyi"><script src="/boyi/assets/a.js"></script>'
                                b'<a href="/boyi/x"></a>')
                assert (await asyncio.to_thread(ask, place, prefix + "/assets/a.js")) == (200, b"1")
            assert (await asyncio.to_thread(ask, place, "/boyihoo/api/health"))[0] != 404   # the page's own business
            token = await place.person("ada")
            room = await place.room(token)
            place.address += "/boyi"
            async with place.client(room, token) as ada:
                assert ada.state is not None and ada.state.room == room
    asyncio.run(run())


@pytest.mark.parametrize(("wrong", "complaint"), [
    ({"trusted_proxies": "localhost"}, "no address or network"), ({"base_path": "boyi"}, "as /boyi"),
    ({"base_path": "/boyi/"}, "as /boyi"), ({"public_address": "example.org"}, "as https://example.org"),
    ({"budget_factor": 0.0}, "budget_factor is from")])
def test_what_cannot_be_is_refused(wrong: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        Config(**wrong)


@pytest.fixture
def served_with(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Config]:
    """What `boyi serve` would have served."""
    configs: list[Config] = []

    def start(config: Config, started: Any) -> None:
        configs.append(config)
        started("http://192.168.0.7:8000/")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(serve, "serve", start)
    return configs


def test_only_this_machine_unless_it_is_said(served_with: list[Config]) -> None:
    assert "--lan" in invoke("serve").out and served_with[-1].host == "127.0.0.1"
    assert "--lan" not in invoke("serve", "--lan").out and served_with[-1].host == "0.0.0.0"
    assert invoke("serve", "--lan", "--host", "::").code == 2
    flags = ["--trusted-proxies", "10.0.0.1", "--hosts", "a b", "--public-address", "https://example.org",
             "--base-path", "/boyi"]
    assert "--lan" not in invoke("serve", *flags).out
    assert served_with[-1] == Config(trusted_proxies="10.0.0.1", hosts="a b", public_address="https://example.org",
                                     base_path="/boyi")


def test_the_network_is_shown_a_code(served_with: list[Config], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "█" not in invoke("serve", "--lan").out   # into a file
    monkeypatch.setattr("boyi.cli.serve.is_terminal", lambda: True)
    assert "█▀" in invoke("serve", "--lan").out and "█" not in invoke("serve").out
