"""The page behind a proxy, under a path: every link, request and socket keeps to it."""

from __future__ import annotations

from pathlib import Path

from tests.page import Visitor
from tests.page.conftest import ENGINE, Visit
from tests.server.serving import AMPLE, serving_in_thread


def test_a_game_under_a_path(visit: Visit, tmp_path: Path) -> None:
    one = visit()
    with serving_in_thread(tmp_path, engine_command=ENGINE, budget_factor=AMPLE, base_path="/boyi") as served:
        address = served.place.address
        assert address.endswith("/boyi")
        asked: list[str] = []
        one.page.on("request", lambda request: asked.append(request.url))
        one.page.on("websocket", lambda socket: asked.append(socket.url.replace("ws", "http", 1)))
        person = Visitor(one.page, address)
        person.lobby().choose("othello")
        assert one.page.url.startswith(f"{address}/room/")
        one.page.reload()
        one.page.wait_for_selector(".room .board")
        person.lobby()
        one.page.goto(f"{address}/learn/jieqi")   # a part of the page that is loaded when it is needed
        one.page.wait_for_selector(".board")
        one.page.locator("a.brand").click()
        one.page.wait_for_selector(".card .board")
        assert one.page.url == f"{address}/"
        assert any("/boyi/ws" in url for url in asked)
        assert [url for url in asked if not url.startswith((f"{address}/", "data:"))] == []
        one.page.goto("about:blank")
