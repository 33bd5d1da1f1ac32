"""Game reviews on a server: begun, kept, gone on with, refused."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import boyi
from boyi.core.record import Record
from boyi.games import find_game
from boyi.server import reviews
from boyi.server.budgets import REVIEWS
from boyi.server.client import ServerError, call
from boyi.server.engines.pool import Engines
from boyi.server.engines.questions import Reply, ask_search
from boyi.server.engines.queue import Asker, Queue
from boyi.server.engines.worker import Answering
from boyi.server.protocol.messages import Move, Resign
from boyi.server.protocol.refusals import Refusal
from boyi.server.reviews import GameReviews
from boyi.server.store import Store, StoredReview
from boyi.server.tasks import Tasks
from boyi.study.review.look import Ask
from tests.server.playing import finished, leave, seated
from tests.server.serving import Place, serving

GAME = "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7"
QUICK: dict[str, Any] = {"review_seconds": 0.01}
REAL = [sys.executable, "-m", "boyi.server.engines.worker"]
"""An engine that searches, unlike that of most tests here."""


def record(moves: str = GAME) -> Record:
    position = find_game("othello").start()
    for move in moves.split():
        position.play(move)
    return Record.from_position(position, players=("Ada", "Grace"))


async def finish(place: Place, identity: str) -> dict[str, Any]:
    async with asyncio.timeout(60):
        while True:
            shown: dict[str, Any] = await call(place.address, "GET", f"/api/reviews/{identity}")
            if shown["done"] == shown["total"] and shown["moves"]:
                return shown
            await asyncio.sleep(0.05)


def test_a_record_is_reviewed_once_and_seen_by_its_address(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, engine_command=REAL, **QUICK) as place:
            begun = await call(place.address, "POST", "/api/reviews", {"record": record().to_text()})
            assert begun["total"] == 10 and begun["moves"] == []
            shown = await finish(place, begun["id"])
            assert [move["text"] for move in shown["moves"]] == GAME.split() == shown["texts"]
            assert shown["names"] == ["Ada", "Grace"]
            assert len(shown["curves"][0]) == 11 and {player["luck"] for player in shown["players"]} == {None}
            again = await call(place.address, "POST", "/api/reviews", {"record": record().to_text()})
            assert again["id"] == begun["id"] and again["moves"]
    asyncio.run(run())


def test_a_game_of_a_room_is_reviewed_when_it_is_over(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, engine_command=REAL, **QUICK) as place:
            clients = await seated(place, "othello", {}, 2)
            room = clients[0].room
            await clients[0].request(Move, move="f5")
            with pytest.raises(ServerError) as unfinished:
                await call(place.address, "POST", "/api/reviews", {"room": room, "number": 1})
            assert unfinished.value.code == "no_room"
            await clients[1].request(Resign)
            await clients[0].until(lambda: finished(clients[0]))
            begun = await call(place.address, "POST", "/api/reviews", {"room": room, "number": 1})
            shown = await finish(place, begun["id"])
            assert shown["names"] == ["ada", "bob"] and shown["result"] == [1, 2]
            stored = await place.server.store.reviews.find(begun["id"])
            assert stored is not None and "ada" not in stored.record
            await leave(clients)
    asyncio.run(run())


def test_the_record_of_a_locked_room_is_not_reviewed_for_strangers(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, **QUICK) as place:
            clients = await seated(place, "tic_tac_toe", {}, 1, password="abcdef")
            await clients[0].request(Resign)
            await clients[0].until(lambda: finished(clients[0]))
            with pytest.raises(ServerError) as refused:
                await call(place.address, "POST", "/api/reviews", {"room": clients[0].room, "number": 1})
            assert refused.value.code == "password"
            await leave(clients)
    asyncio.run(run())


def test_a_game_that_is_being_played_is_not_reviewed(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, **QUICK) as place:
            clients = await seated(place, "othello", {}, 2)
            for number, move in enumerate(GAME.split()):
                client = clients[number % 2]
                await client.until(lambda client=client: client.turn is not None)   # type: ignore[misc]
                await client.request(Move, move=move)
            copied = record()
            onwards = copied.replay()
            onwards.play(onwards.moves()[0])
            for wanted in (copied, Record.from_position(onwards)):
                with pytest.raises(ServerError) as refused:
                    await call(place.address, "POST", "/api/reviews", {"record": wanted.to_text()})
                assert refused.value.code == "playing"
            await leave(clients)
    asyncio.run(run())


@pytest.mark.parametrize(("asked", "code"), [
    ({}, "unreadable"), ({"record": "nonsense"}, "no_record"), ({"room": "nowhere", "number": 1}, "no_room"),
    ({"room": "r", "number": 1, "record": "both"}, "unreadable"),
    ({"record": Record.from_position(boyi.start("othello")).to_text()}, "no_record")])
def test_what_is_no_game_is_refused(asked: dict[str, Any], code: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            with pytest.raises(ServerError) as refused:
                await call(place.address, "POST", "/api/reviews", asked)
            assert refused.value.code == code
            with pytest.raises(ServerError) as missing:
                await call(place.address, "GET", "/api/reviews/nothing")
            assert missing.value.code == "no_review"
    asyncio.run(run())


def test_reviews_have_a_budget(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, budget_factor=1 / REVIEWS.size, **QUICK) as place:
            await call(place.address, "POST", "/api/reviews", {"record": record().to_text()})
            with pytest.raises(ServerError) as refused:
                await call(place.address, "POST", "/api/reviews", {"record": record("f5").to_text()})
            assert refused.value.code == "flood"
    asyncio.run(run())


def test_a_review_whose_server_stopped_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        monkeypatch.setattr(reviews, "SAVED_LOOKS", 1)
        async with serving(tmp_path, engine_command=REAL, review_seconds=0.2) as place:
            begun = await call(place.address, "POST", "/api/reviews", {"record": record().to_text()})
            stored = None
            while stored is None or not stored.looks:
                await asyncio.sleep(0.05)
                stored = await place.server.store.reviews.find(begun["id"])
        monkeypatch.setattr(reviews, "ABANDONED_MS", 0)
        async with serving(tmp_path, engine_command=REAL, **QUICK) as place:
            before = await place.server.store.reviews.find(begun["id"])
            assert before is not None and 0 < len(before.looks) < 10
            await finish(place, begun["id"])
            after = await place.server.store.reviews.find(begun["id"])
            assert after is not None and after.looks[:len(before.looks)] == before.looks
    asyncio.run(run())


def test_without_engines_a_review_waits(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, engines=0) as place:
            begun = await call(place.address, "POST", "/api/reviews", {"record": record().to_text()})
            await asyncio.sleep(0.2)
            assert (await call(place.address, "GET", f"/api/reviews/{begun['id']}"))["done"] == 0
    asyncio.run(run())


def test_too_long_a_game_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        monkeypatch.setattr(reviews, "MOST_DECISIONS", 3)
        store = Store(f"sqlite:///{tmp_path}/reviews.sqlite")
        with pytest.raises(Refusal, match="at most 3 are reviewed"):
            await GameReviews(store, Engines(0), Tasks(), 1.0).begin(record(), "ada")
    asyncio.run(run())


def test_no_search_is_longer_than_an_engine_may_think(tmp_path: Path) -> None:
    async def run() -> None:
        asked: list[float] = []

        class Recording(Engines):
            async def search(self, position: Any, lines: int, seconds: float, only: tuple[int, ...], depths: int,
                             payer: str) -> Reply | None:
                asked.append(seconds)
                raise Refusal("not_allowed")

        engines, tasks = Recording(0, seconds=2.0), Tasks()
        store = Store(f"sqlite:///{tmp_path}/reviews.sqlite")
        store.open()
        await GameReviews(store, engines, tasks, 5.0).begin(record(), "ada")
        await asyncio.gather(*tasks.running)
        assert asked == [1.6]
        store.close()
    asyncio.run(run())


def test_an_engine_keeps_to_moves_and_tells_of_the_last_depths() -> None:
    position = boyi.start("othello")
    position.play("f5")
    only = (position.parse_move("d6"), position.parse_move("f4"))
    reply = Answering().answer(msgspec.structs.replace(ask_search(position, 2, 1.0, only, 3), number=1))
    assert reply.analysis is not None and len(reply.earlier) == 2
    assert {line.moves[0] for line in reply.analysis.lines} == {"d6", "f4"}
    found = reviews.read_reply(Ask(position, lines=2, only=only, depths=3), reply.earlier, reply.analysis)
    assert [one.depth for one in found] == sorted(one.depth for one in found) and len(found) == 3
    assert {line.moves[0] for line in found[-1].lines} == set(only)


def test_reviews_come_behind_everything_else() -> None:
    queue = Queue[str]()
    for kind in ("review", "analysis", "hint", "game"):
        queue.add(Asker(kind, "ada"), kind)
    taken = [queue.take() for _ in range(4)]
    assert [one.what for one in taken if one is not None] == ["game", "hint", "analysis", "review"]


def test_names_are_those_of_the_game_now() -> None:
    stored = StoredReview("id", "", "room", 1, replace(record(), players=()).to_text(), "1 s", (), 10)
    assert reviews.describe(stored, ["deleted:x"], 0).names == ["deleted:x"]
