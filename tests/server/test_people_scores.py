"""People against levels: which games count, how they are counted on each database, and who is told."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from boyi.core.words import Words
from boyi.games import find_game
from boyi.server.client import Refused, RoomClient, call
from boyi.server.people_scores import score_all
from boyi.server.protocol.events import (
    Body,
    Created,
    Ended,
    Event,
    Handed,
    Joined,
    Moved,
    Resigned,
    Started,
    TakenBack,
    encode_event,
)
from boyi.server.protocol.messages import (
    HandOver,
    Hint,
    Move,
    OfferTakeback,
    Request,
    Resign,
    SetAi,
    Sit,
    Start,
    Turn,
)
from boyi.server.protocol.parts import Player, Settings
from boyi.server.rooms.conduct import Conduct, Encounter
from boyi.server.store import FinishedGame, Store
from boyi.server.store.encounters import Tally
from boyi.server.store.tables import encounters, hints
from tests.cli import Result, invoke, refused
from tests.server.playing import leave, play, seated
from tests.server.serving import Place, serving

NO_WORDS = Words("", "")


# ---------------------------------------------------------------------- which games count

def meet(seats: Sequence[int | str], *course: Body, places: Sequence[int] = (1, 2), reason: str = "line",
         ) -> list[tuple[int, int, int, int]]:
    """The encounters of a game: numbers are levels, names are persons, a name with a `*` is a program's."""
    conduct = Conduct()
    players = []
    for seat in seats:
        if isinstance(seat, str):
            conduct.follow(Joined(seat, seat, agent="a program" if "*" in seat else ""))
            players.append(Player(seat, seat, None))
        else:
            players.append(Player(f"level:{seat}", None, seat))
    conduct.follow(Started(1, players, "", False))
    for body in course:
        conduct.follow(body)   # type: ignore[arg-type]
    found = conduct.encounters(Ended(list(places), reason, NO_WORDS, False))
    return [(one.seat, one.other, one.level, one.half_points) for one in found]


def moves(*seats: int) -> list[Moved]:
    return [Moved(seat, "a1", 1) for seat in seats]


def test_a_game_of_two() -> None:
    assert meet(["ada", 3]) == [(0, 1, 3, 2)]
    assert meet([3, "ada"]) == [(1, 0, 3, 0)]
    assert meet(["ada", 3], places=(1, 1)) == [(0, 1, 3, 1)]
    assert meet(["ada", "bob"]) == [] == meet([1, 2])


def test_who_was_helped_does_not_count() -> None:
    assert meet(["ada", 3], Handed(0, 5, 2, "asked")) == []
    assert meet(["ada", 3], Handed(0, 5, 2, "asked"), Handed(0, None, 3, "asked")) == []   # taken back
    assert meet(["ada", 3], Handed(0, 5, 2, "disconnected")) == []
    assert meet(["ada", 3], *moves(0, 1), TakenBack(0, 2)) == []
    # Another's help is not one's own.
    assert meet(["ada", "bob", 3], Handed(0, 5, 2, "asked"), places=(1, 2, 3)) == [(1, 2, 3, 2)]
    assert meet(["ada", "bob", 3], *moves(0, 1, 2), TakenBack(1, 2), places=(1, 2, 3)) == [(0, 2, 3, 2)]


def test_a_program_is_no_person() -> None:
    assert meet(["ada*", 3]) == []
    assert meet(["ada*", "bob", 3], places=(1, 2, 3)) == [(1, 2, 3, 2)]


def test_giving_up_is_a_loss_unless_nothing_was_played() -> None:
    lost = {"places": (2, 1), "reason": "resignation"}
    assert meet(["ada", 3], *moves(0, 1, 0, 1), Resigned(0), **lost) == [(0, 1, 3, 0)]   # type: ignore[arg-type]
    assert meet(["ada", 3], *moves(0, 1), Resigned(0), **lost) == []   # type: ignore[arg-type]
    forced = [Moved(0, "pass", 1, forced=True)]   # no decision of the person's
    assert meet(["ada", 3], *moves(0, 1), *forced, Resigned(0), **lost) == []   # type: ignore[arg-type]
    on_time = Resigned(0, "time")
    assert meet(["ada", 3], *moves(0, 1, 0, 1), on_time, places=(2, 1), reason="time") == [(0, 1, 3, 0)]
    assert meet(["ada", 3], *moves(0, 1), on_time, places=(2, 1), reason="time") == []
    # Moves of another that were taken back were not played.
    course = [*moves(0, 1, 2, 0, 1, 2), TakenBack(1, 3), Resigned(0, text="leave")]
    assert meet(["ada", "bob", 3], *course, places=(3, 1, 2)) == []


def test_who_stayed_away_does_not_count() -> None:
    assert meet(["ada", 3], *moves(0, 1, 0, 1), places=(1, 1), reason="abandoned") == []
    gone = [*moves(0, 1, 2, 0, 1, 2), Resigned(0, "abandoned", "leave")]
    assert meet(["ada", "bob", 3], *gone, places=(3, 1, 2)) == [(1, 2, 3, 2)]


def test_a_level_that_could_not_play_does_not_count() -> None:
    assert meet(["ada", 3], *moves(0, 1, 0), Resigned(1, "time"), reason="time") == []
    assert meet(["ada", 3], Handed(1, 3, 2, "flag")) == []   # its time was up, and it played on without a clock
    assert meet(["ada", 3], *moves(0), Moved(1, "b1", 1, level=3, fallback=True)) == []
    assert meet(["ada", 3, 4], *moves(0), Moved(1, "b1", 1, level=3, fallback=True), places=(2, 3, 1)) == [(0, 2, 4, 0)]


def test_more_than_two() -> None:
    assert meet(["ada", 3, "bob", 5], places=(2, 1, 4, 3)) == [(0, 1, 3, 0), (0, 3, 5, 2), (2, 1, 3, 0), (2, 3, 5, 0)]
    # Where the others play on, who left has lost and the others are compared.
    left = [*moves(0, 1, 2, 0, 1, 2), Resigned(0, text="leave")]
    assert meet(["ada", "bob", 3], *left, places=(3, 1, 2)) == [(0, 2, 3, 0), (1, 2, 3, 2)]
    # Where giving up ends the game, nothing was decided between the others.
    ended = [*moves(0, 1, 2, 0, 1, 2), Resigned(0)]
    assert meet(["ada", "bob", 3], *ended, places=(3, 1, 1), reason="resignation") == [(0, 2, 3, 0)]


def test_each_game_of_a_room_begins_anew() -> None:
    conduct = Conduct()
    conduct.follow(Joined("ada", "ada"))
    for helped in (True, False):
        conduct.follow(Started(1, [Player("ada", "ada", None), Player("level:3", None, 3)], "", False))
        if helped:
            conduct.follow(Handed(0, 5, 2, "asked"))
        assert len(conduct.encounters(Ended([1, 2], "line", NO_WORDS, False))) == (0 if helped else 1)


# ---------------------------------------------------------------------- on disk

def game(number: int, persons: Sequence[str | None], met: Sequence[Encounter], *, room: str = "r",
         kind: str = "othello", **options: int | str) -> FinishedGame:
    return FinishedGame(room, number, kind, True, False, ["x"] * len(persons), [1] * len(persons), "2026-01-01", "",
                        persons, options=options, encounters=met)


def add(store: Store, *games: FinishedGame) -> None:
    from boyi.server.store.games import add_games
    asyncio.run(store.writer.write(lambda connection: add_games(connection, games)))


def test_games_are_counted(store: Store) -> None:
    won, drawn, lost = (Encounter(0, 1, 3, half_points) for half_points in (2, 1, 0))
    add(store, game(1, ["ada", None], [won]), game(2, ["ada", None], [won]), game(3, ["bob", None], [drawn]),
        game(4, [None, "cy"], [Encounter(1, 0, 3, 0)]), game(5, ["ada", None], [Encounter(0, 1, 4, 0)]),
        game(6, ["ada", "bob"], []), game(1, ["ada", None], [lost], room="s", kind="xiangqi", rules="axf"),
        game(2, ["ada", None], [lost], room="s", kind="xiangqi", rules="cxa"),
        game(1, ["ada", None, "bob", None], [Encounter(0, 1, 2, 2), Encounter(0, 3, 2, 2), Encounter(2, 1, 2, 0),
                                             Encounter(2, 3, 2, 1)], room="t", kind="chinese_checkers", players=4))
    assert asyncio.run(store.encounters.tallies()) == [
        Tally("chinese_checkers", {"players": 4}, 4, 2, 1, 2, 2, 1, 1),
        Tally("othello", {}, 2, 3, 4, 3, 2, 1, 1), Tally("othello", {}, 2, 4, 1, 1, 0, 0, 1),
        Tally("xiangqi", {"rules": "axf"}, 2, 3, 1, 1, 0, 0, 1),
        Tally("xiangqi", {"rules": "cxa"}, 2, 3, 1, 1, 0, 0, 1)]


def test_the_version_tells_of_new_games(store: Store) -> None:
    before = asyncio.run(store.encounters.version())
    add(store, game(1, ["ada", "bob"], []))
    assert asyncio.run(store.encounters.version()) == before
    add(store, game(2, ["ada", None], [Encounter(0, 1, 3, 2)]))
    assert asyncio.run(store.encounters.version()) != before


def test_games_since_a_time(store: Store) -> None:
    add(store, *(game(number, ["ada", None], [Encounter(0, 1, 3, 2)]) for number in range(1, 4)))
    with store.database.engine.begin() as connection:
        for number, ended in ((1, 1000), (2, 2000), (3, 3000)):
            connection.execute(sa.update(encounters).where(encounters.c.number == number).values(ended=ended))
    for since, games in ((0, 3), (2000, 2), (2001, 1), (3001, 0)):
        assert sum(one.games for one in asyncio.run(store.encounters.tallies(since))) == games


def test_who_asked_for_a_hint_is_not_counted(store: Store) -> None:
    asyncio.run(store.encounters.note_hint("r", 1, 0))
    asyncio.run(store.encounters.note_hint("r", 1, 0))
    asyncio.run(store.encounters.note_hint("r", 2, 1))   # not a seat of that game
    add(store, game(1, ["ada", "bob", None], [Encounter(0, 2, 3, 2), Encounter(1, 2, 3, 0)]),
        game(2, ["ada", None], [Encounter(0, 1, 3, 2)]))
    assert [(one.players, one.ahead, one.behind) for one in asyncio.run(store.encounters.tallies())] == [
        (2, 1, 0), (3, 0, 1)]
    assert asyncio.run(store.database.read(sa.select(hints))) == []   # of a game that is over nothing is noted


def test_a_row_that_cannot_be_read_hides_no_other(store: Store) -> None:
    add(store, game(1, ["ada", None], [Encounter(0, 1, 3, 2)]), game(2, ["ada", None], [Encounter(0, 1, 4, 2)]))
    with store.database.engine.begin() as connection:
        connection.execute(sa.update(encounters).where(encounters.c.number == 1).values(options="nonsense"))
    assert [one.level for one in asyncio.run(store.encounters.tallies())] == [4]


def test_games_of_before_are_counted_from_their_events(address: str) -> None:
    """A database of the version before: what its rooms' events tell, and nothing where they are gone."""
    def write(connection: sa.Connection, room: str, *bodies: Body) -> None:
        for seq, body in enumerate(bodies, 1):
            connection.execute(sa.text("INSERT INTO event (room, seq, data) VALUES (:room, :seq, :data)"),
                               {"room": room, "seq": seq, "data": encode_event(Event(seq, seq, body))})   # type: ignore[arg-type]

    def finish(connection: sa.Connection, room: str, number: int, uploader: str | None = None) -> None:
        connection.execute(sa.text(
            "INSERT INTO finished (room, number, game, public, rated, names, places, date, ended, record, uploader) "
            "VALUES (:room, :number, 'othello', :yes, :no, '[]', '[]', '', 77, '', :uploader)"),
            {"room": room, "number": number, "yes": True, "no": False, "uploader": uploader})

    created = Created(Settings("othello", {"size": 8}, 2), "")
    players = [Player("Ada", "ada", None), Player("level:3", None, 3)]
    one_game = [Started(1, players, "", False), *moves(0, 1), Ended([1, 2], "discs", NO_WORDS, False)]
    helped = [Started(2, players, "", False), Handed(0, 5, 2, "asked"), Ended([1, 2], "discs", NO_WORDS, False)]
    third = [Started(3, players[::-1], "", False), Ended([1, 1], "discs", NO_WORDS, False)]
    old = Store(address)
    old.database.migrate("0004")
    with old.database.engine.begin() as connection:
        write(connection, "r", created, Joined("ada", "Ada"), *one_game, *helped, *third)
        write(connection, "bot", created, Joined("ada", "Ada", agent="bot"), *one_game)
        write(connection, "playing", created, Joined("ada", "Ada"), Started(1, players, "", False))
        write(connection, "broken", created, Joined("ada", "Ada"), *one_game)
        connection.execute(sa.text("UPDATE event SET data = :data WHERE room = 'broken' AND seq = 3"),
                           {"data": b"nonsense"})
        for room, number in (("r", 1), ("r", 2), ("r", 3), ("bot", 1), ("broken", 1), ("cleared", 1)):
            finish(connection, room, number)
        finish(connection, "upload", 1, "ada")
    old.migrate()
    found = asyncio.run(old.database.read(sa.select(encounters).order_by(encounters.c.number)))
    assert [tuple(row) for row in found] == [
        ("r", 1, 0, 1, "othello", '{"size":8}', 2, 3, 2, 77), ("r", 3, 1, 0, "othello", '{"size":8}', 2, 3, 1, 77)]
    old.close()


# ---------------------------------------------------------------------- what is told

def test_scores() -> None:
    scores = score_all([
        Tally("xiangqi", {"rules": "axf", "mate_threats": True, "quiet_limit": 120}, 2, 5, 40, 3, 10, 20, 10),
        Tally("gone", {"size": 3}, 2, 1, 1, 1, 1, 0, 0),
        Tally("chinese_checkers", dict(find_game("chinese_checkers").start(players=3).options), 3, 2, 10, 1, 15, 0, 5),
        Tally("othello", {}, 2, 10, 9, 1, 0, 0, 9), Tally("othello", {}, 2, 2, 1, 1, 1, 0, 0)])
    games = [(one.game, one.level) for one in scores]
    assert games.index(("othello", 10)) == games.index(("othello", 2)) + 1 and games[-1] == ("gone", 1)
    by_game = {one.game: one for one in scores}
    axf = by_game["xiangqi"]
    assert axf.rules == "rules=axf mate_threats=true" and axf.title == find_game("xiangqi").title
    assert (axf.score, axf.low, axf.high) == (0.5, 0.352, 0.648)   # Wilson, of 40
    assert by_game["gone"].rules == "size=3" and by_game["gone"].title.en == "gone"
    three = by_game["chinese_checkers"]
    # Twenty pairs in ten games: no narrower than ten results are (0.4322 … 0.9105 at 0.75 of 10).
    assert (three.rules, three.score) == ("", 0.75) and three.low < 0.45 and three.high > 0.9
    never = by_game["othello"]
    assert never.score == 0 and never.low == 0 and never.high > 0.25


async def ask(place: Place) -> list[tuple[object, ...]]:
    """What the server tells."""
    rows = await call(place.address, "GET", "/api/people-scores")
    return [tuple(row[name] for name in ("game", "players", "level", "games", "people", "behind")) for row in rows]


async def begin(place: Place, name: str, **wanted: Any) -> RoomClient:
    """Someone who has made two moves of Othello against level 2 and is to act."""
    token = await place.person(name)
    client = place.client(await place.room(token, "othello", **wanted), token)
    await client.__aenter__()
    await client.request(Sit, seat=0)
    await client.request(SetAi, seat=1, level=2)
    await client.request(Start)
    for _ in range(2):
        turn = await whose_turn(client)
        await client.request(Move, move=turn.moves[0].text)
        await client.until(lambda turn=turn: client.turn is not turn)   # type: ignore[misc]
    await whose_turn(client)
    return client


async def whose_turn(client: RoomClient) -> Turn:
    await client.until(lambda: client.turn is not None)
    assert client.turn is not None
    return client.turn


def test_games_of_a_server(tmp_path: Path) -> None:
    """Played through the protocol by people alone, with help, and by programs; the server may be another meanwhile."""
    helped: list[tuple[type[Request], dict[str, int]]] = [(Hint, {}), (OfferTakeback, {}), (HandOver, {"level": 1})]

    async def run() -> None:
        async with serving(tmp_path) as place:
            assert await ask(place) == []
            client = await begin(place, "ada")
            await client.request(Resign)
            assert await ask(place) == [("othello", 2, 2, 1, 1, 1)]
            await client.__aexit__()
            begun = [await begin(place, "bob") for _ in helped]
            for client, (request, fields) in zip(begun, helped, strict=True):
                await client.request(request, **fields)
            begun += [await begin(place, "cyd", agent="a program"), await begin(place, "cyd")]
            seats = [(client.room, client.token) for client in begun]
            await leave(begun)
        async with serving(tmp_path) as place:   # every room is made again from its events
            for room, token in seats:
                # Where the AI has both seats it may be over by now; such a game does not count anyway.
                async with place.client(room, token) as client:
                    with contextlib.suppress(Refused):
                        await client.request(Resign)
            assert await ask(place) == [("othello", 2, 2, 2, 2, 2)]
            clients = await seated(place, "chinese_checkers", {"players": 3, "turn_limit": 4}, 1)
            await play(clients[0], random.Random(1))
            await leave(clients)
            assert {row[:5] for row in await ask(place)} == {
                ("othello", 2, 2, 2, 2), ("chinese_checkers", 3, 1, 1, 1)}
    asyncio.run(run())


def test_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the server tells, from its database; nothing is made up where there are no games, or no database."""
    def boyi(*arguments: str, language: str = "en") -> Result:
        return invoke("results", "people", *arguments, language=language)

    monkeypatch.chdir(tmp_path)
    assert "there is no database sqlite:///boyi.sqlite" in refused(["results", "people"])
    assert not (tmp_path / "boyi.sqlite").exists()
    url = f"sqlite:///{tmp_path}/boyi.sqlite"
    store = Store(url)
    store.open()
    assert boyi().out == "No person has played a game against a level to its end here.\n"
    assert boyi(language="zh").out == "此处尚无下完的人机对局。\n"
    assert boyi("--json").json == []
    add(store, *(game(number, ["ada", None], [Encounter(0, 1, 3, 2 if number < 3 else 0)]) for number in range(1, 5)))
    store.close()
    alone = subprocess.run([sys.executable, "-m", "boyi", "results", "people", "--database", url], text=True,
                           capture_output=True, check=True, env=os.environ | {"BOYI_LANGUAGE": "en"})
    assert alone.stdout.splitlines()[1].split() == [
        "Othello", "2", "3", "4", "1", "2-0-2", "50.0%", "15.0%–85.0%"]
    assert boyi().out == alone.stdout
    assert "玩家得分率" in boyi(language="zh").out
    (row,) = boyi("--game", "othello", "--since", "2026-01-01", "--json").json
    assert row["score"] == 0.5 and row["games"] == 4 and row["title"]["zh"] == "黑白棋"
    assert "ada" not in repr(row)   # nobody is named
    for nothing in (["--game", "xiangqi"], ["--since", "2999-01-01"]):
        assert boyi(*nothing).out == "No person has played such a game against a level to its end here.\n"
    for wrong, words in ((["--since", "yesterday"], "'yesterday' is not a day, as 2026-01-31"),
                         (["--game", "halma"], "halma")):
        assert words in refused(["results", "people", *wrong])
