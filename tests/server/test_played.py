"""Positions that are being played are not analysed: not their images either, nor at another server."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from boyi.core.board import Stone
from boyi.core.position import Position
from boyi.games import find_game, listed_games
from boyi.server.client import ServerError, call
from boyi.server.likeness import likeness, shape_of
from boyi.server.played import KEPT, OPENING_PLIES, Played, alike
from boyi.server.protocol.messages import AnswerTakeback, OfferTakeback, Resign
from tests.server import Table
from tests.server.databases import postgres
from tests.server.playing import leave, seated
from tests.server.serving import Place, serving
from tests.server.test_cluster import play

REAL = [sys.executable, "-m", "boyi.server.engines.worker"]


def walk(name: str, plies: int, seed: int = 1, **options: Any) -> Position:
    """A game of random moves in which a player is to act."""
    position, generator = find_game(name).start(**options), random.Random(seed)
    while position.ply < plies or position.turn < 0:
        moves = position.moves()
        if not moves:
            return walk(name, plies, seed + 1, **options)
        position.play(generator.choice(moves))
    return position


# ---------------------------------------------------------------------- likeness

def turned(text: str, game: str) -> list[str]:
    """Images of a position's text, made by hand: what somebody would try."""
    if game == "othello":
        board, turn = text.split()
        rows = [board[8 * row:8 * row + 8] for row in range(8)]
        swap = str.maketrans("XO", "OX")
        flipped = [row[::-1] for row in rows]                        # keeps no start, but is a position all the same
        transposed = ["".join(column) for column in zip(*rows, strict=True)]
        quarter = [row[::-1] for row in transposed]
        return [*(f"{''.join(image)} {turn}" for image in (flipped, rows[::-1], transposed, quarter)),
                f"{''.join(rows).translate(swap)} {turn.translate(swap)}",
                f"{''.join(flipped).translate(swap)} {turn.translate(swap)}"]
    placed, turn, *rest = text.split()
    ranks = placed.split("/")
    other = {"w": "b", "b": "w"}[turn]
    mirrored = "/".join(rank[::-1] for rank in ranks)
    exchanged = "/".join(rank[::-1].swapcase() for rank in reversed(ranks))
    return [" ".join((mirrored, turn, *rest)), " ".join((exchanged, other, *rest)),
            " ".join(("/".join(rank.swapcase() for rank in reversed(ranks)), other, *rest))]


@pytest.mark.parametrize("game", ["othello", "xiangqi"])
@pytest.mark.parametrize("seed", range(5))
def test_images_are_alike(game: str, seed: int) -> None:
    position = walk(game, 21, seed)
    for text in turned(position.to_text(), game):
        image = position.game.parse(text)
        assert image.to_text() != position.to_text() and likeness(image) == likeness(position)


@pytest.mark.parametrize("game", [game.name for game in listed_games()])
def test_what_the_board_says_is_a_symmetry_is_one(game: str) -> None:
    position = walk(game, 6)
    board, shape = position.board, shape_of(position.board)
    points = [point.name for point in board.points]
    for symmetry in board.symmetries:
        image = [Stone(points[symmetry[board.index[stone.point]]], stone.glyph) for stone in position.stones()]
        assert shape.total(image, position.turn) == shape.total(position.stones(), position.turn)
        assert shape.digest(image, position.turn) == shape.digest(position.stones(), position.turn)


@pytest.mark.parametrize("game", [game.name for game in listed_games() if game.name != "tic_tac_toe"])
def test_other_positions_are_not_alike(game: str) -> None:
    """Positions of random games differ, and hardly any share the total with another."""
    keys = [likeness(walk(game, 12, seed)) for seed in range(40)]
    assert len({key.digest for key in keys}) > 35 and len({key.total for key in keys}) > 30


# ---------------------------------------------------------------------- what is followed

def test_a_game_is_followed_move_by_move() -> None:
    played, table = Played(), Table("othello", check=False).seat("ada", "bob")
    line = [table.room.refereed.position.copy()]
    generator = random.Random(2)
    while table.turn is not None and len(line) < 30:
        table.play(table.room.refereed.position.format_move(generator.choice(table.room.refereed.position.moves())))
        line.append(table.room.refereed.position.copy())
        played.follow(table.room)
        recent = {len(line) - 1 - back for back in range(KEPT + 1)}
        for number, position in enumerate(line):
            bare = position.game.parse(position.to_text())           # without the moves that led there
            assert played.has_any(alike(bare)) == (number in recent and number >= OPENING_PLIES), (number, len(line))
    thought_of = line[-1].copy()
    for _ in range(2):
        thought_of.play(thought_of.moves()[0])
        assert played.has_any(alike(thought_of)), "what comes after a move that a player thinks of"
    thought_of.play(thought_of.moves()[0])
    assert not played.has_any(alike(thought_of))

    mover = table.person(1 - (table.turn or 0))
    table.do(mover, OfferTakeback)
    table.do("bob" if mover == "ada" else "ada", AnswerTakeback, accept=True)
    played.follow(table.room)
    assert not played.has_any(alike(line[-1].game.parse(line[-1].to_text())))
    assert played.has_any(alike(line[-2]))

    table.do("ada", Resign)
    played.follow(table.room)
    assert not any(played.has_any(alike(position)) for position in line)
    assert not played._rooms and not played._games, "nothing is left behind"


def test_covered_pieces_are_no_way_around() -> None:
    played, table = Played(), Table("jieqi", check=False).seat("ada", "bob")
    generator = random.Random(3)
    while len(table.room.refereed.log) < OPENING_PLIES + 2:
        view = table.room.views.observe(table.turn)
        table.play(view.format_move(generator.choice(view.moves())))
        played.follow(table.room)
    for viewer in (None, 0, 1):
        assert played.has_any(alike(table.room.refereed.position.observe(viewer)))


# ---------------------------------------------------------------------- served

async def asked(place: Place, **question: Any) -> str:
    """The code with which an analysis is refused, or nothing."""
    try:
        await call(place.address, "POST", "/api/analysis", {"nodes": 100, **question})
    except ServerError as error:
        return error.code
    return ""


def test_the_mirror_image_of_a_running_game_is_refused(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, engine_command=REAL) as place:
            clients = await seated(place, "xiangqi", {}, 2)
            await play(clients, OPENING_PLIES + 2)
            await clients[0].until(lambda: len(clients[0].state.game.plies) == OPENING_PLIES + 2)  # type: ignore[union-attr]
            position = clients[0].position()
            for text in (position.to_text(), *turned(position.to_text(), "xiangqi")):
                assert await asked(place, game="xiangqi", start=text) == "playing"
            moves = [ply.text for ply in clients[0].state.game.plies]  # type: ignore[union-attr]
            assert await asked(place, game="xiangqi", moves=moves[:-1]) == "playing"
            assert await asked(place, game="xiangqi", moves=[*moves, position.format_move(position.moves()[0])]) \
                == "playing"
            assert await asked(place, game="xiangqi", moves=moves[:4]) == ""
            await clients[0].request(Resign)
            assert await asked(place, game="xiangqi", moves=moves) == ""
            await leave(clients)
    asyncio.run(run())


def test_the_other_server_refuses_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boyi.server.peers.ANSWER_SECONDS", 60.0)   # a busy machine is not a silent server

    async def run(database: str) -> None:
        async with (serving(tmp_path, database=database, engine_command=REAL) as first,
                    serving(tmp_path, database=database, engine_command=REAL) as second):
            clients = await seated(first, "othello", {}, 2)
            await play(clients, OPENING_PLIES + 2)
            await clients[0].until(lambda: len(clients[0].state.game.plies) == OPENING_PLIES + 2)  # type: ignore[union-attr]
            text = clients[0].position().to_text()
            assert await asked(second, game="othello", start=text) == "playing"
            assert await asked(second, game="othello", start=turned(text, "othello")[0]) == "playing"
            assert await asked(second, game="othello") == ""
            with pytest.raises(ServerError) as refusal:   # people are not told what is being played
                await call(first.address, "POST", "/api/played", [])
            assert refusal.value.code == "not_allowed"
            await leave(clients)
            # A server that keeps silent may own the game; one that has stopped has said so.
            monkeypatch.setattr("boyi.server.peers.PLAYED_PATH", "/api/nothing")
            assert await asked(second, game="othello") == "flood"
            await first.server.stop()
            assert await asked(second, game="othello") == ""
    with postgres() as database:
        asyncio.run(run(database))
