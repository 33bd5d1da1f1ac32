"""The games of a person: listed, filtered, exported; what others are told of them; and the tables behind it."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import boyi
from boyi.core.record import Record, read_records
from boyi.games import find_game
from boyi.server import my_games, profiles
from boyi.server.client import ServerError, call
from boyi.server.protocol.messages import Leave, Move, Ready, Resign, SetAi, Sit, Start
from boyi.server.protocol.own_games import RatingRow
from boyi.server.store import FinishedGame, Person, Store
from boyi.server.store.games import add_games
from boyi.server.store.own_games import PlayedGame, Wanted
from boyi.server.store.tables import players, running
from tests.server.playing import leave, seated
from tests.server.serving import Place, serving


def record(game: str = "othello", moves: str = "f5 d6", places: tuple[int, ...] = (1, 2), reason: str = "resignation",
           names: tuple[str, ...] = ("Ada", "Bob")) -> str:
    position = boyi.find_game(game).start()
    for move in moves.split():
        position.play(move)
    return Record.from_position(position, players=names, result=places, reason=reason).to_text()


def finished(room: str, places: list[int], persons: tuple[str | None, ...] = ("ada", "bob"), *, game: str = "othello",
             public: bool = True, rated: bool = False, names: tuple[str, ...] = ("Ada", "Bob"), moves: str = "f5 d6",
             number: int = 1) -> FinishedGame:
    return FinishedGame(room, number, game, public, rated, list(names), places, "2026-11-18",
                        record(game, moves, (places[0], places[1]), "agreement" if places == [1, 1] else "resignation",
                               names), persons)


async def add(store: Store, *games: FinishedGame) -> None:
    for game in games:
        await store.writer.write(lambda connection, game=game: add_games(connection, [game]))  # type: ignore[misc]
        await asyncio.sleep(0.002)   # so that each ends at a time of its own


async def mine(place: Place, tokens: list[str], **wanted: Any) -> Any:
    return await call(place.address, "POST", "/api/my-games", {"tokens": tokens, **wanted})


# ---------------------------------------------------------------------- the list

def test_games_are_filtered_and_come_in_pages(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            token = await place.person("ada")
            person = (await call(place.address, "GET", "/api/session", token=token))["person"]
            many = [finished(f"r{number:02}", [1, 2], (person, "bob")) for number in range(my_games.PAGE + 3)]
            await add(place.server.store, *many,
                      finished("drawn", [1, 1], ("bob", person)),
                      finished("lost", [1, 2], (None, person), names=("level:3", "Ada")),
                      finished("xiangqi", [2, 1], ("cyd", person), game="xiangqi", moves="h2e2"),
                      finished("theirs", [1, 2], ("bob", "cyd")))
            first = await mine(place, [token])
            assert first["total"] == my_games.PAGE + 6 and len(first["games"]) == my_games.PAGE
            assert first["kinds"] == ["othello", "xiangqi"] and first["running"] == []
            assert [one["room"] for one in first["games"][:3]] == ["xiangqi", "lost", "drawn"]
            assert [one["result"] for one in first["games"][:4]] == ["won", "lost", "drawn", "won"]
            second = await mine(place, [token], after=first["next"])
            rooms = [one["room"] for one in first["games"] + second["games"]]
            assert len(set(rooms)) == len(rooms) == first["total"] and "theirs" not in rooms
            assert second["next"] is None
            assert [one["room"] for one in (await mine(place, [token], game="xiangqi"))["games"]] == ["xiangqi"]
            assert [one["room"] for one in (await mine(place, [token], result="drawn"))["games"]] == ["drawn"]
            computer = await mine(place, [token], opponent="computer")
            assert [one["room"] for one in computer["games"]] == ["lost"] and computer["total"] == 1
            people = await mine(place, [token], opponent="people", result="won", game="xiangqi")
            assert [one["room"] for one in people["games"]] == ["xiangqi"]
            shown = people["games"][0]
            assert shown["seat"] == 1 and shown["moves"] == 1 and shown["path"] == ["h2", "e2"]
            assert {"point": "e2", "glyph": "C"} in shown["stones"] and shown["reason"]["en"] == "Red resigns"
            assert shown["reason"]["zh"] == "红方认输"
    asyncio.run(run())


def test_all_tokens_of_a_browser_count_and_others_are_passed_over(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            tokens = [await place.person("ada"), await place.person("Ada again")]
            persons = [(await call(place.address, "GET", "/api/session", token=token))["person"] for token in tokens]
            await add(place.server.store, finished("one", [1, 2], (persons[0], "x")),
                      finished("two", [1, 2], ("x", persons[1])))
            found = await mine(place, [*tokens, "of-nobody", tokens[0]])
            assert [one["room"] for one in found["games"]] == ["two", "one"]
            assert (await mine(place, ["of-nobody"]))["total"] == 0 and (await mine(place, []))["games"] == []
            with pytest.raises(ServerError) as refused:
                await mine(place, ["token"] * 17)
            assert refused.value.code == "unreadable"
    asyncio.run(run())


def test_a_running_game_is_listed_until_it_is_over(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            clients = await seated(place, "othello", {}, 2)
            tokens = [client.token for client in clients]
            room = clients[0].room
            turn = clients[0].turn
            assert turn is not None
            await clients[0].request(Move, move=turn.moves[0].text)
            await clients[1].until(lambda: clients[1].turn is not None)
            for seat, token in enumerate(tokens):
                (game,) = (await mine(place, [token]))["running"]
                assert (game["room"], game["seat"], game["my_turn"], game["moves"]) == (room, seat, seat == 1, 1)
                assert len(game["stones"]) == 5
            assert (await mine(place, [await place.person("eve")]))["running"] == []
            await clients[1].request(Resign)
            await clients[0].until(lambda: clients[0].state is not None and clients[0].state.phase == "finished")
            found = await mine(place, tokens[:1])
            assert found["running"] == [] and found["games"][0]["result"] == "won"
            assert await place.server.store.database.read(sa.select(running)) == []
            await leave(clients)
    asyncio.run(run())


def test_a_covered_piece_stays_covered_in_ones_own_list(tmp_path: Path) -> None:
    """While it is played, each sees what they may; afterwards what nobody turned up is still covered."""
    async def run() -> None:
        async with serving(tmp_path) as place:
            clients = await seated(place, "jieqi", {}, 2)
            generator = random.Random(5)
            for _ in range(6):
                actor = next(client for client in clients if client.turn is not None)
                turn = actor.turn
                assert turn is not None
                await actor.request(Move, move=generator.choice(turn.moves).text)
                for client in clients:
                    await client.until(lambda client=client, actor=actor: (client.turn is None) == (client is actor))  # type: ignore[misc]
            seen = (await mine(place, [clients[0].token]))["running"][0]["stones"]
            hosted = place.server.rooms().present(clients[0].room)
            assert hosted is not None
            wanted = hosted.room.views.observe(0).stones()
            assert {(one["point"], one["glyph"]) for one in seen} == {(one.point, one.glyph) for one in wanted}
            await clients[0].request(Resign)
            await clients[0].until(lambda: clients[0].state is not None and clients[0].state.phase == "finished")
            covered = {code for code, glyph in find_game("jieqi").start().board.glyphs.items()
                       if glyph.style == "covered"}
            shown = (await mine(place, [clients[1].token]))["games"][0]["stones"]
            assert sum(one["glyph"] in covered for one in shown) >= 30 - 6 - 6
            await leave(clients)
    asyncio.run(run())


# ---------------------------------------------------------------------- the file

def test_all_games_in_one_file(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            token = await place.person("ada")
            person = (await call(place.address, "GET", "/api/session", token=token))["person"]
            await add(place.server.store, finished("a", [1, 2], (person, "bob")),
                      finished("b", [2, 1], (person, None), game="xiangqi", moves="h2e2 h9g7"))

            async def file(**wanted: Any) -> str:
                return str(await call(place.address, "POST", "/api/my-games/file", {"tokens": [token], **wanted}))

            assert [one.game.name for one in read_records(await file(), find_game)] == ["othello", "xiangqi"]
            assert [one.game.name for one in read_records(await file(opponent="computer"), find_game)] == ["xiangqi"]
            assert "[Game" in await file(game="xiangqi", format="pgn") or "1." in await file(format="pgn")
            for wrong in ({"format": "nothing"}, {"game": "othello", "format": "pgn"}):
                with pytest.raises(ServerError):
                    await file(**wrong)
    asyncio.run(run())


# ---------------------------------------------------------------------- profiles

def test_a_profile_tells_what_is_public(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            token = await place.person("Ada", "password one")
            await place.person("Bob", "password two")
            person = (await call(place.address, "GET", "/api/session", token=token))["person"]
            central = "h2e2 h9g7 h0g2 i9h9"
            await add(place.server.store,
                      *(finished(f"r{number}", [1, 2] if number < 3 else [2, 1], (person, "bob"), rated=True,
                                 game="xiangqi", moves=central) for number in range(4)),
                      finished("level", [1, 1], (person, None), names=("Ada", "level:2")),
                      finished("hidden", [1, 2], (person, "eve"), names=("Ada", "Eve"), public=False))
            told = await call(place.address, "GET", "/api/people/ada")
            by_game = {one["game"]: one for one in told["games"]}
            assert told["name"] == "Ada" and set(by_game) == {"xiangqi", "othello"}
            xiangqi, othello = by_game["xiangqi"], by_game["othello"]
            assert (xiangqi["won"], xiangqi["drawn"], xiangqi["lost"], xiangqi["rank"]) == (3, 0, 1, 1)
            assert xiangqi["rating"]["games"] == 4 and len(xiangqi["curve"]) == 4
            assert xiangqi["curve"][-1]["elo"] == xiangqi["rating"]["elo"] < xiangqi["curve"][-2]["elo"]
            assert othello["rating"] is None and othello["curve"] == []
            assert {one["name"]: one["won"] for one in told["opponents"]} == {"Bob": 3, "level:2": 0}
            opening = next(one for one in told["openings"] if one["game"] == "xiangqi")
            assert "Central Cannon" in opening["name"]["en"] and (opening["won"], opening["lost"]) == (3, 1)
            assert "Eve" not in str(told) and "hidden" not in str(told)
            for name in ("nobody", "x" * 100, "deleted:abc"):
                with pytest.raises(ServerError) as refused:
                    await call(place.address, "GET", f"/api/people/{name}")
                assert refused.value.code == "no_person"
            await call(place.address, "POST", "/api/account/deletion", {"password": "password one"}, token)
            with pytest.raises(ServerError):
                await call(place.address, "GET", "/api/people/Ada")
    asyncio.run(run())


def test_a_guest_has_no_profile(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            await place.person("Ada")
            with pytest.raises(ServerError):
                await call(place.address, "GET", "/api/people/Ada")
    asyncio.run(run())


def played(result: int, at: int, other: str = "Bob") -> PlayedGame:
    return PlayedGame("r", at, 0, "othello", at, result, True, True, ["Ada", other],
                      [[2, 1], [1, 1], [1, 2]][result], "")


def test_a_rating_curve_rises_with_wins_and_ends_at_the_rating() -> None:
    own, table = RatingRow("Ada", 150, 90, 5), [RatingRow("Ada", 150, 90, 5), RatingRow("Bob", -150, 90, 5)]
    games = [played(2, at) for at in (5, 4, 3, 2, 1)]
    points = profiles.curve(own, table, games)
    values = [point.elo for point in points]
    assert [point.at for point in points] == [1, 2, 3, 4, 5] and values == sorted(values) and values[-1] == 150
    falling = profiles.curve(own, table, [played(0, 2), played(2, 1)])
    assert falling[0].elo > falling[1].elo == 150
    assert profiles.curve(own, table, []) == []
    many = profiles.curve(own, table, [played(at % 3, at) for at in range(1000, 0, -1)])
    assert len(many) <= profiles.MOST_POINTS and many[-1].at == 1000


def test_ratings_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from boyi.server.api import records

    async def run() -> None:
        async with serving(tmp_path) as place:
            await add(place.server.store, *(finished(f"r{number}", [1, 2], rated=True, names=("Ada", f"Bob {number}"))
                                            for number in range(4)))
            assert len(await call(place.address, "GET", "/api/ratings?game=othello")) == 5
            monkeypatch.setattr(records, "MOST_RATED", 2)
            rows = await call(place.address, "GET", "/api/ratings?game=othello")
            assert len(rows) == 2 and rows[0]["name"] == "Ada"
    asyncio.run(run())


# ---------------------------------------------------------------------- the tables

def test_an_older_database_learns_who_played_what(address: str) -> None:
    old = Store(address)
    old.database.migrate("0008")
    with old.database.engine.begin() as connection:
        for room, places in (("won", "[1, 2]"), ("lost", "[2, 1]"), ("drawn", "[1, 1]")):
            connection.execute(sa.text(
                "INSERT INTO finished (room, number, game, public, rated, names, places, date, ended, record, counted)"
                " VALUES (:room, 1, 'othello', :yes, :no, '[\"Ada\", \"level:1\"]', :places, '', 77, '', :yes)"),
                {"room": room, "places": places, "yes": True, "no": False})
            connection.execute(sa.text("INSERT INTO player (room, number, seat, person) VALUES (:room, 1, 0, 'ada')"),
                               {"room": room})
        connection.execute(sa.text(
            "INSERT INTO room (id, game, phase, public, summary, updated, epoch, owner, lease_until) VALUES "
            "('now', 'othello', 'playing', :yes, :data, 1, 1, '', 0)"), {"yes": True, "data": b"{}"})
        for seq, data in enumerate((b'{"body":{"kind":"started","number":1,"players":[{"person":"ada"},'
                                    b'{"person":null}]}}', b"broken"), 1):
            connection.execute(sa.text("INSERT INTO event (room, seq, data) VALUES ('now', :seq, :data)"),
                               {"seq": seq, "data": data})
    old.open()

    async def run() -> None:
        rows = await old.database.read(sa.select(players.c.room, players.c.half_points, players.c.game,
                                                 players.c.ended, players.c.computer).order_by(players.c.room))
        assert [tuple(row) for row in rows] == [("drawn", 1, "othello", 77, True), ("lost", 0, "othello", 77, True),
                                                ("won", 2, "othello", 77, True)]
        assert [tuple(row) for row in await old.database.read(sa.select(running))] == [("now", 0, "ada")]
        assert await old.own_games.count(["ada"], Wanted(result="won")) == 1
    asyncio.run(run())
    old.close()


def test_pages_go_on_where_games_ended_at_the_same_time(store: Store) -> None:
    async def run() -> None:
        await store.people.add(Person("ada", "Ada", False), "hash")
        await store.writer.write(lambda connection: add_games(connection, [
            finished(room, [1, 2]) for room in ("a", "b", "c", "d", "e")]))
        seen: list[str] = []
        after = None
        while page := await store.own_games.of(["ada"], Wanted(), 2, after=after):
            seen += [one.room for one in page]
            after = page[-1].ended, page[-1].room, page[-1].number
        assert seen == ["e", "d", "c", "b", "a"]
    asyncio.run(run())


def test_leaving_a_room_and_a_second_game(tmp_path: Path) -> None:
    """Who plays is noted anew with each game of a room."""
    async def run() -> None:
        async with serving(tmp_path) as place:
            token = await place.person("ada")
            room = await place.room(token, "tic_tac_toe")
            async with place.client(room, token) as client:
                await client.request(Sit, seat=0)
                await client.request(Ready)
                await client.request(SetAi, seat=1, level=1)
                await client.request(Start)
                await client.until(lambda: client.turn is not None)
                (game,) = (await mine(place, [token]))["running"]
                assert game["names"] == ["ada", "level:1"]
                await client.request(Leave)   # and so resigns
            found = await mine(place, [token])
            assert found["running"] == [] and [one["result"] for one in found["games"]] == ["lost"]
    asyncio.run(run())


