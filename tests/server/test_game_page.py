"""The page of a game that is over: what it tells, what other sites are told of it, and who is told nothing."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import re
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from boyi.server import page
from boyi.server.client import call
from boyi.server.page import About
from boyi.server.protocol.messages import Join, Ready, Resign, Sit, Start
from boyi.server.store import FinishedGame
from boyi.server.store.games import add_games
from tests.server.playing import leave, play, seated
from tests.server.serving import Place, serving
from tests.server.test_my_games import record

built = pytest.mark.skipif(not (page.STATIC / "index.html").is_file(), reason="the page is not built; make page")

EVIL = '<script>"&\'</title>'


@dataclass
class Answer:
    """What a server answers, as a browser is sent it."""

    status_code: int
    headers: http.client.HTTPMessage
    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode()

    def json(self) -> Any:
        return json.loads(self.content)


@dataclass
class Http:
    """A client that looks at headers."""

    place: Place

    async def get(self, path: str, headers: dict[str, str] | None = None) -> Answer:
        def work() -> Answer:
            connection = http.client.HTTPConnection(self.place.address.removeprefix("http://"))
            connection.request("GET", path.removeprefix(self.place.address), headers=headers or {})
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
            connection.close()
            return answer

        return await asyncio.to_thread(work)


class Tags(HTMLParser):
    """The meta tags of a page, its title, and every other tag there is."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.meta: dict[str, str] = {}
        self.scripts = 0
        self.title = ""
        self._in_title = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "meta":
            self.meta[found.get("property") or found.get("name") or ""] = found.get("content") or ""
        self.scripts += tag == "script"
        self._in_title = tag == "title"

    def handle_data(self, data: str) -> None:
        self.title += data if self._in_title else ""

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False


async def ended(place: Place, *, name: str = "Ada", game: str = "othello", **wanted: Any) -> tuple[str, list[str]]:
    """A room whose game is over by a resignation, and the tokens of its players."""
    tokens = [await place.person(name), await place.person("Bob")]
    room = await place.room(tokens[0], game, **wanted)
    password = wanted.get("password", "")
    clients = [place.client(room, token, password=password) for token in tokens]
    for seat, client in enumerate(clients):
        await client.__aenter__()
        if seat:
            await client.request(Join)
        await client.request(Sit, seat=seat)
        await client.request(Ready)
    await clients[0].request(Start)
    await clients[0].until(lambda: clients[0].turn is not None)
    await clients[0].request(Resign)
    await clients[0].until(lambda: clients[0].state is not None and clients[0].state.phase == "finished")
    await leave(clients)
    return room, tokens


def run(work: Any) -> None:
    asyncio.run(work())


# ---------------------------------------------------------------------- what it tells

def test_a_game_with_all_that_a_page_shows(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path) as place:
            clients = await seated(place, "tic_tac_toe", {}, 2)
            await asyncio.gather(*(play(client, random.Random(seat)) for seat, client in enumerate(clients)))
            room = clients[0].room
            await leave(clients)
            told = await call(place.address, "GET", f"/api/records/{room}/1/game")
            assert told["names"] == ["ada", "bob"] and told["open"] and len(told["moves"]) == len(told["stones"])
            assert told["reason"]["zh"] and told["start"] == "" and sorted(told["places"]) in ([1, 1], [1, 2])
            for wrong in ("2/game", "x/game", "1/else", f"{10**9}/game"):
                assert (await Http(place).get(f"/api/records/{room}/{wrong}")).status_code == 404
    run(work)


def test_pictures(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path) as place:
            client = Http(place)
            room, _ = await ended(place, name="Ada & <Eve>")
            still = await client.get(f"/api/records/{room}/1/picture.svg")
            assert still.headers["content-type"].startswith("image/svg+xml") and still.text.startswith("<svg ")
            moving = await client.get(f"/api/records/{room}/1/animation.svg")
            assert "Ada &amp; &lt;Eve&gt; – Bob" in moving.text and "@keyframes" in moving.text
            # Its styles are allowed, and nothing else: one policy, not two.
            assert moving.headers.get_all("content-security-policy") == [
                "default-src 'none'; style-src 'unsafe-inline'; sandbox"]
            assert moving.headers["x-content-type-options"] == "nosniff"
            assert "public" in moving.headers["cache-control"]
            card = await client.get(f"/api/records/{room}/1/picture.png")
            assert card.headers["content-type"] == "image/png" and card.content[:4] == b"\x89PNG"
            assert (await client.get(f"/api/records/{room}/1/picture.png")).content == card.content
    run(work)


def test_who_does_not_know_the_password_sees_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path) as place:
            client = Http(place)
            room, tokens = await ended(place, password="secret word")
            for what in ("game", "picture.svg", "picture.png", "animation.svg"):
                path = f"/api/records/{room}/1/{what}"
                assert (await client.get(path)).status_code == 403, what
                stranger = {"Authorization": f"Bearer {await place.person('Eve')}"}
                assert (await client.get(path, headers=stranger)).status_code == 403, what
                own = await client.get(path, headers={"Authorization": f"Bearer {tokens[1]}"})
                assert own.status_code == 200, what
                if what == "game":
                    assert own.json()["open"] is False
                else:
                    assert own.headers["cache-control"] == "no-store"
            if (page.STATIC / "index.html").is_file():
                tags = Tags((await client.get(f"/game/{room}/1")).text)
                assert "og:title" not in tags.meta and "Ada" not in tags.title
    run(work)


# ---------------------------------------------------------------------- what other sites are told

@built
def test_a_link_is_shown_with_names_result_and_picture(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path) as place:
            client = Http(place)
            room, _ = await ended(place)
            answer = await client.get(f"/game/{room}/1")
            tags = Tags(answer.text)
            assert tags.title == tags.meta["og:title"] == "Ada – Bob · Othello 黑白棋"
            assert tags.meta["og:description"].startswith("Bob wins · Black resigns · 0 moves · ")
            assert tags.meta["og:url"] == f"{place.address}/game/{room}/1" and "robots" not in tags.meta
            picture = tags.meta["og:image"]
            assert picture == f"{place.address}/api/records/{room}/1/picture.png"
            assert (await client.get(picture)).headers["content-type"] == "image/png"
            chinese = Tags((await client.get(f"/game/{room}/1", headers={"Accept-Language": "zh-CN"})).text)
            assert chinese.meta["og:description"].startswith("Bob胜 · 黑方认输 · 0 步 · ")
            plain = Tags((await client.get("/")).text)
            assert "og:title" not in plain.meta and plain.scripts == tags.scripts
            for nothing in (f"/game/{room}/2", "/game/none/1", f"/game/{room}", f"/game/{room}/1/2", "/game/%00/1"):
                answer = await client.get(nothing)
                assert answer.status_code == 200 and "og:title" not in answer.text, nothing
    run(work)


@built
def test_a_room_that_is_not_listed_is_not_for_search_engines(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path) as place:
            client = Http(place)
            room, _ = await ended(place, public=False)
            tags = Tags((await client.get(f"/game/{room}/1")).text)
            assert tags.meta["og:title"].startswith("Ada") and tags.meta["robots"] == "noindex"
    run(work)


@built
def test_behind_a_proxy_links_are_those_of_the_proxy(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path, public_address="https://example.org", base_path="/boyi") as place:
            place = replace(place, address=place.server.address)
            client = Http(place)
            room, _ = await ended(place)
            tags = Tags((await client.get(f"/boyi/game/{room}/1")).text)
            assert tags.meta["og:url"] == f"https://example.org/boyi/game/{room}/1"
            assert tags.meta["og:image"].startswith("https://example.org/boyi/api/records/")
    run(work)


@built
def test_names_are_only_text_in_the_page(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path) as place:
            client = Http(place)
            room, _ = await ended(place, name=EVIL)
            answer = await client.get(f"/game/{room}/1", headers={"Host": 'localhost:1"><script>'})
            tags = Tags(answer.text)
            assert tags.meta["og:title"].startswith(EVIL) and tags.title.startswith(EVIL)
            assert tags.scripts == Tags((await client.get("/")).text).scripts
    run(work)


def test_a_record_that_cannot_be_read_is_no_reason_to_fail(tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(tmp_path) as place:
            client = Http(place)
            games = [FinishedGame("odd", 1, "othello", True, False, ["Ada", "Bob"], [1, 2], "", "[Boyi"),
                     FinishedGame("gone", 1, "gone_game", True, False, ["Ada", "Bob"], [1, 2], "",
                                  record().replace('"othello"', '"gone_game"'))]
            await place.server.store.writer.write(lambda connection: add_games(connection, games, "ada"))
            for room in ("odd", "gone"):
                assert (await client.get(f"/game/{room}/1")).status_code in (200, 503)
                assert (await client.get(f"/api/records/{room}/1/game")).status_code in (400, 404)
                assert (await client.get(f"/api/records/{room}/1/picture.png")).status_code in (400, 404)
    run(work)


def test_tags_are_escaped() -> None:
    tags = About(EVIL, EVIL, 'https://x/"', "https://x/y.png", listed=False).tags()
    assert "<script" not in tags and len(re.findall("<meta ", tags)) == 13
