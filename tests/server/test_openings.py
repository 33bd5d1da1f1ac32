"""The opening explorer of a server: which games are counted, how they are counted on each database, what is told."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

import boyi
from boyi.agents.book import PLIES, own_book, view
from boyi.core.record import Record
from boyi.server.client import ServerError, call
from boyi.server.openings import PORTION_GAMES, OpeningCounts, position_key
from boyi.server.played import OPENING_PLIES
from boyi.server.protocol.messages import Move, Resign
from boyi.server.store import FinishedGame, Store
from boyi.server.store.games import add_games
from boyi.server.store.tables import finished, played_moves
from tests.server.playing import leave, seated
from tests.server.serving import Place, serving


def record_of(game: str, moves: str, places: tuple[int, ...], **options: object) -> Record:
    position = boyi.find_game(game).start(**options)
    for move in moves.split():
        position.play(move)
    return Record.from_position(position, result=places, reason="resignation")


def finished_game(number: int, record: Record | str, *, public: bool = True) -> FinishedGame:
    text = record if isinstance(record, str) else record.to_text()
    return FinishedGame("r", number, "othello", public, False, ["Ada", "Bob"], [1, 2], "", text)


async def add(store: Store, *games: FinishedGame, uploader: str | None = None) -> None:
    await store.writer.write(lambda connection: add_games(connection, games, uploader))


async def found(store: Store, moves: str = "", **options: object) -> dict[str, tuple[int, int, int, int]]:
    """What was played after some moves of Othello."""
    position = boyi.find_game("othello").start(**options)
    for move in moves.split():
        position.play(move)
    tallies = await store.played_moves.find(position_key(position.game, position.options, view(position).key))
    return {position.format_move(view(position).moves[name][0]): (tally.games, tally.wins, tally.draws, tally.losses)
            for name, tally in tallies.items()}


# ---------------------------------------------------------------------- which games count

def test_games_are_counted_once(store: Store) -> None:
    async def run() -> None:
        counts = OpeningCounts(store)
        assert await counts.count_all() == 0
        await add(store, finished_game(1, record_of("othello", "f5 d6 c3", (1, 2))),
                  finished_game(2, record_of("othello", "c4 e3 f6", (2, 1))),                     # an image of it
                  finished_game(3, record_of("othello", "f5 f6", (1, 1))),
                  finished_game(4, record_of("othello", "f5 f4", (1, 2)), public=False))
        await add(store, finished_game(5, record_of("othello", "f5 f4", (1, 2))), uploader="ada")
        assert await counts.count_all() == 3
        assert await found(store, "f5") == {"d6": (2, 1, 0, 1), "f6": (1, 0, 1, 0)}
        assert await counts.count_all() == 0
        await add(store, finished_game(6, record_of("othello", "d3 c5 f6", (1, 2))))
        assert sum(await asyncio.gather(counts.count_all(), OpeningCounts(store).count_all())) == 1
        assert await found(store, "f5 d6") == {"c3": (3, 2, 0, 1)}
        assert await found(store) == {"d3": (4, 2, 1, 1)}
    asyncio.run(run())


def test_a_game_that_cannot_be_read_is_counted_as_nothing(store: Store) -> None:
    async def run() -> None:
        gone = record_of("othello", "f5", (1, 2)).to_text().replace("othello", "halma")
        await add(store, finished_game(1, "nonsense"), finished_game(2, gone),
                  finished_game(3, record_of("othello", "f5", (1, 2)).to_text().replace("1. f5", "1. a1")),
                  finished_game(4, record_of("othello", "f5", (1, 2))))
        assert await OpeningCounts(store).count_all() == 4
        assert await found(store) == {"d3": (1, 1, 0, 0)}
    asyncio.run(run())


def test_games_under_other_rules_are_counted_apart(store: Store) -> None:
    async def run() -> None:
        await add(store, finished_game(1, record_of("xiangqi", "h2e2", (1, 2))),
                  finished_game(2, record_of("xiangqi", "h2e2", (1, 2), rules="axf")))
        assert await OpeningCounts(store).count_all() == 2
        rows = await store.database.read(sa.select(played_moves))
        assert [row.games for row in rows] == [1, 1]
    asyncio.run(run())


def test_many_games_are_counted_in_portions(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boyi.server.openings.PAUSE_SECONDS", 0.0)

    async def run() -> None:
        await add(store, *(finished_game(number, record_of("othello", "f5 d6", (1, 2)))
                           for number in range(2 * PORTION_GAMES + 3)))
        assert await OpeningCounts(store).count_all() == 2 * PORTION_GAMES + 3
        assert await found(store, "f5") == {"d6": (2 * PORTION_GAMES + 3, 0, 0, 2 * PORTION_GAMES + 3)}
    asyncio.run(run())


def test_games_of_an_older_database_are_counted(address: str) -> None:
    old = Store(address)
    old.database.migrate("0005")
    with old.database.engine.begin() as connection:
        for number, (public, uploader) in enumerate([(True, None), (False, None), (True, "ada")]):
            connection.execute(sa.text(
                "INSERT INTO finished (room, number, game, public, rated, names, places, date, ended, record, uploader)"
                " VALUES ('r', :number, 'othello', :public, :rated, '[]', '[]', '', 77, :record, :uploader)"),
                {"number": number, "public": public, "rated": False, "uploader": uploader,
                 "record": record_of("othello", "f5 d6", (1, 2)).to_text()})
    old.open()

    async def run() -> None:
        assert await OpeningCounts(old).count_all() == 1
        assert await found(old, "f5") == {"d6": (1, 0, 0, 1)}
        assert [row.counted for row in await old.database.read(sa.select(finished))] == [True] * 3
    asyncio.run(run())
    old.close()


# ---------------------------------------------------------------------- what is told

async def explored(place: Place, **question: Any) -> Any:
    return await call(place.address, "POST", "/api/explorer", question)


def test_the_book_and_names_are_told(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            told = await explored(place, game="xiangqi", moves=["h2e2", "h9g7"])
            assert told["opening"] == {"name": {"en": "Central Cannon vs. Left Horse", "zh": "中炮对进左马"},
                                       "code": "B05", "ply": 2}
            position = boyi.start("xiangqi")
            for move in ("h2e2", "h9g7"):
                position.play(move)
            book = own_book(position.game)
            assert book is not None
            known = {position.format_move(one.moves[0]): one for one in book.look_up(position)}
            assert {one["moves"][0]: one["sources"]["book"]["games"] for one in told["moves"] if one["sources"]} == {
                text: one.games for text, one in known.items()}
            legal = sorted(map(position.format_move, position.moves()))
            assert sorted(one["text"] for one in told["names"].values()) == legal
            chinese = await explored(place, game="xiangqi", moves=["h2e2", "h9g7"], notation="chinese")
            assert {one["text"]: one["written"] for one in chinese["names"].values()}["h0g2"] == "马二进三"
            text = position.to_text()
            assert (await explored(place, game="xiangqi", start=text))["key"] == told["key"]
            over = await explored(place, game="xiangqi", start="3k5/3R5/3R5/9/9/9/9/9/9/4K4 b")
            assert over == {"key": "", "opening": None, "moves": [], "names": {}}
            for wrong in ({"game": "halma"}, {"game": "othello", "moves": ["a1"]}, {"game": "othello", "start": "?"},
                          {"game": "othello", "options": {"x": 1}}, {"game": "othello", "notation": "morse"}):
                with pytest.raises(ServerError) as refusal:
                    await explored(place, **wrong)
                assert refusal.value.code in ("unreadable", "illegal_move", "no_position")
    asyncio.run(run())


def test_a_game_is_counted_when_it_has_ended(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            clients = await seated(place, "othello", {}, 2)
            line: list[str] = []
            position = boyi.start("othello")
            while len(line) < OPENING_PLIES + 2:
                client = clients[position.turn]
                move = position.format_move(position.moves()[0])
                await client.until(lambda client=client: client.turn is not None)   # type: ignore[misc]
                await client.request(Move, move=move)
                position.play(move)
                line.append(move)
            for asked in (line, line[:-1]):
                with pytest.raises(ServerError) as refusal:
                    await explored(place, game="othello", moves=asked)
                assert refusal.value.code == "playing"
            before = await explored(place, game="othello", moves=line[:4])
            assert not any("games" in one["sources"] for one in before["moves"])
            await clients[0].request(Resign)
            async with asyncio.timeout(60):
                while not any("games" in one["sources"]
                              for one in (await explored(place, game="othello", moves=line[:4]))["moves"]):
                    await asyncio.sleep(0.05)
            told = await explored(place, game="othello", moves=line[:-1])
            (one,) = [one for one in told["moves"] if "games" in one["sources"]]
            assert line[-1] in one["moves"]
            mover = (OPENING_PLIES + 1) % 2   # nobody passes that early; the first player resigned
            counts = one["sources"]["games"]
            assert (counts["games"], counts["wins"], counts["losses"]) == (1, mover, 1 - mover)
            await leave(clients)
    asyncio.run(run())


def test_the_games_of_a_file_are_told(tmp_path: Path) -> None:
    records = [record_of("xiangqi", "h2e2 h9g7 h0g2", (1, 2)), record_of("othello", "f5 d6", (1, 1)),
               record_of("xiangqi", "b2e2 b9c7 b0c2", (2, 1))]
    text = "\n".join(record.to_text() for record in records)

    async def run() -> None:
        async with serving(tmp_path) as place:
            own = await call(place.address, "POST", "/api/explorer/games?name=mine.boyi", msgspec.Raw(text.encode()))
            assert (own["games"], own["wrong"]) == (3, 0)
            told = await explored(place, game="xiangqi", moves=["h2e2", "h9g7"])
            assert {told["names"][name]["text"]: counts for name, counts in own["positions"][told["key"]].items()} == {
                "h0g2": [2, 1, 0, 1]}
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "POST", "/api/explorer/games?name=x.bin", msgspec.Raw(b"nonsense"))
            assert refusal.value.code == "no_record"
    asyncio.run(run())


def test_no_more_than_the_first_moves_are_counted(store: Store) -> None:
    position = boyi.start("othello")
    while position.ply < PLIES + 4:
        position.play(position.moves()[0])

    async def run() -> None:
        await add(store, finished_game(1, Record.from_position(position, result=(1, 2), reason="resignation")))
        await OpeningCounts(store).count_all()
        assert len(await store.database.read(sa.select(played_moves))) <= PLIES
    asyncio.run(run())
