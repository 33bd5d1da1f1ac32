"""The games that somebody has played, for that person: as a list, and as a file."""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from typing import TYPE_CHECKING, Literal

from msgspec import structs

from boyi.core import formats
from boyi.core.errors import BoyiError, UnknownNameError
from boyi.core.record import Record
from boyi.games import all_games, find_game
from boyi.server.finished import replay
from boyi.server.protocol.own_games import AskMyFile, AskMyGames, MyGame, MyGames, RunningGame
from boyi.server.protocol.positions import describe_stones
from boyi.server.protocol.refusals import Refusal
from boyi.server.store import Store
from boyi.server.store.own_games import DRAWN, WON, PlayedGame, RunningRoom, Wanted
from boyi.server.work import in_thread

if TYPE_CHECKING:
    from boyi.server.lobby import Lobby

PAGE = 12
"""Games of a page."""

MOST_RUNNING = 20
MOST_EXPORTED = 1000
"""Games that are listed as being played, and games of one file."""


async def identify(lobby: Lobby, tokens: Collection[str]) -> list[str]:
    """The persons that these tokens belong to; those of nobody are passed over."""
    persons: dict[str, None] = {}
    for token in dict.fromkeys(tokens):
        try:
            persons[(await lobby.accounts.identify(token)).id] = None
        except Refusal as refusal:
            if refusal.code != "token":
                raise
    return list(persons)


async def collect(lobby: Lobby, asked: AskMyGames) -> MyGames:
    """A page of one's games."""
    store = lobby.store
    persons = await identify(lobby, asked.tokens)
    if not persons:
        return MyGames([], [], 0, [], None)
    wanted = Wanted(asked.game, asked.result, asked.opponent)
    found = await store.own_games.of(persons, wanted, PAGE + 1, after=asked.after)
    shown, rest = found[:PAGE], found[PAGE:]
    last = shown[-1] if rest else None
    games = [await in_thread(_show, game) for game in shown]   # others have their turn in between
    running = [] if asked.after is not None else [
        _running(lobby, room) for room in await store.own_games.running(persons, MOST_RUNNING)]
    return MyGames(running, games, await store.own_games.count(persons, wanted), await store.own_games.games(persons),
                   None if last is None else (last.ended, last.room, last.number))


def _show(game: PlayedGame) -> MyGame:
    shown = MyGame(game.room, game.number, game.game, {}, game.seat, result_of(game), game.rated, game.names,
                   game.places, None, game.ended, 0, [], [])
    try:
        ending = replay(game.record)
    except BoyiError:   # of a plug-in that is not here any more
        return shown
    return structs.replace(shown, options=dict(ending.record.options), reason=ending.reason,
                           moves=len(ending.record.entries), stones=ending.stones, path=ending.path)


def result_of(game: PlayedGame) -> Literal["won", "drawn", "lost"]:
    """How its player came out."""
    return "won" if game.half_points == WON else "drawn" if game.half_points == DRAWN else "lost"


def _running(lobby: Lobby, room: RunningRoom) -> RunningGame:
    summary = room.summary
    hosted = lobby.present(summary.room)
    position = None if hosted is None else hosted.room.views.observe(room.seat)
    return RunningGame(
        summary.room, summary.game, room.seat, summary.names, summary.moves, summary.rated,
        None if hosted is None else dict(hosted.room.settings.options),
        None if position is None else describe_stones(position),
        None if hosted is None or hosted.room.state.game is None
        else hosted.room.state.game.standing.turn == room.seat)


# ---------------------------------------------------------------------- as a file

async def write_file(store: Store, persons: Collection[str], asked: AskMyFile) -> bytes:
    """One's games as a file, the earliest first; what cannot be read any more is left out."""
    known = formats.all_formats(all_games().values())
    if asked.format not in known:
        raise UnknownNameError.among("format", asked.format, known)
    game = known[asked.format][0]
    if game is not None and asked.game not in ("", game.name):
        raise Refusal("unreadable", f"the format {asked.format} is for {game.name}")
    wanted = Wanted(asked.game if game is None else game.name, asked.result, asked.opponent)
    found = await store.own_games.of(persons, wanted, MOST_EXPORTED) if persons else []
    texts = [one.record for one in reversed(found)]
    if asked.format == formats.OWN:
        return "\n".join(texts).encode()
    records = [record for text in texts if (record := await in_thread(_read, text)) is not None]
    return await in_thread(formats.write, records, asked.format, None, list(all_games().values()))


def _read(text: str) -> Record | None:
    with contextlib.suppress(BoyiError):
        return Record.parse(text, find_game)
    return None
