"""The opening explorer of a server: what its book and its finished games know of a position.

Finished games are counted in the background, some at a time: those that end while the server runs as soon as they have,
and those of a database that was never counted until all are. A question costs one query for the moves of one position.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from hashlib import blake2b

from boyi.agents.book import Book, Tally, View, own_book, view
from boyi.core import formats
from boyi.core.errors import BoyiError, RecordError
from boyi.core.game import Game, Options
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.games import all_games, find_game
from boyi.server.logs import facts
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.study import ExploredMove, ExploredPosition, MoveCounts, NamedOpening, OwnGames, WrittenMove
from boyi.server.store import StorageError, Store
from boyi.server.store.encounters import write_options
from boyi.server.store.played_moves import Counts, UncountedGame
from boyi.server.work import in_thread
from boyi.study.openings import Entered, Named, Opening, explore, name_of

log = logging.getLogger("boyi.openings")

PORTION_GAMES = 20
PAUSE_SECONDS = 0.5
"""How many games are counted in one transaction, and how long others have the database to themselves after it."""

LOOK_SECONDS = 60.0
"""How often to look for games that ended elsewhere, or could not be counted at once."""

MOST_OWN_GAMES = 500
"""Games of a file that a person explores."""

BOOK, GAMES = "book", "games"
"""The sources."""


# ---------------------------------------------------------------------- asking

async def explore_position(store: Store, position: Position, notation: str = "") -> ExploredPosition:
    """What is known of a position, its moves written for people in a notation of the game."""
    if position.turn < 0:
        return ExploredPosition("", _describe(await in_thread(name_of, position)), [], {})
    seen = await in_thread(view, position)
    played = await store.played_moves.find(position_key(position.game, position.options, seen.key))
    return await in_thread(_explore, position, seen, played, notation)


def _explore(position: Position, seen: View, played: dict[str, Tally], notation: str) -> ExploredPosition:
    other = position.game.notation(notation) if notation else None
    book = own_book(position.game)
    known = book.entries.get(seen.key, {}) if book is not None and book.suits(position) else {}
    found = explore(position, seen, {BOOK: known, GAMES: played})
    usual = {name: moves[0] for name, moves in seen.moves.items()} | {
        one.name: one.together.moves[0] for one in found.moves}
    return ExploredPosition(
        position_key(position.game, position.options, seen.key), _describe(name_of(position)),
        [ExploredMove(one.name, [position.format_move(move) for move in one.together.moves],
                      {source: MoveCounts(told.games, told.wins, told.draws, told.losses, told.value)
                       for source, told in one.sources.items()},
                      None if one.opening is None else _opening(one.opening, position.ply + 1))
         for one in found.moves],
        {name: WrittenMove(position.format_move(move), position.format_move(move) if other is None
                           else other.format(position, move)) for name, move in usual.items()})


def _describe(named: Named | None) -> NamedOpening | None:
    return None if named is None else _opening(named.opening, named.ply)


def _opening(opening: Opening, ply: int) -> NamedOpening:
    return NamedOpening(opening.name, opening.code, ply)


def position_key(game: Game, options: Options, key: str) -> str:
    """What a position is called under these rules, by its key in a book."""
    return blake2b(f"{game.name} {write_options(dict(options))} {key}".encode(), digest_size=8).hexdigest()


# ---------------------------------------------------------------------- games of a person's file

def read_own_games(data: bytes, name: str) -> OwnGames:
    """The games of a file, counted; those that cannot be read are left out."""
    source = formats.find_source(data, name[:200], list(all_games().values()))
    if len(source) > MOST_OWN_GAMES:
        raise Refusal("unreadable", f"the file holds {len(source)} games; at most {MOST_OWN_GAMES} are explored")
    books: dict[str, Book] = {}
    entered = Entered()
    for record in source.records():
        if isinstance(record, RecordError):
            entered.wrong += 1
        else:
            rules = f"{record.game.name} {write_options(dict(record.options))}"
            entered.enter(books.setdefault(rules, Book(record.game, record.options)), record)
    positions: dict[str, dict[str, tuple[int, int, int, int]]] = {}
    for book in books.values():
        for (position, move), tally in count_book(book).items():
            positions.setdefault(position, {})[move] = tally.games, tally.wins, tally.draws, tally.losses
    return OwnGames(entered.games, entered.wrong, positions)


def count_book(book: Book) -> Counts:
    """All that a book knows, by the names that positions have under its rules."""
    return {(position_key(book.game, book.options, key), move): tally
            for key, moves in book.entries.items() for move, tally in moves.items()}


# ---------------------------------------------------------------------- games that are over

class OpeningCounts:
    """Counts the games that are over."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ended = asyncio.Event()

    def note_end(self) -> None:
        """A game is over, and on disk."""
        self._ended.set()

    async def run(self) -> None:
        """Count what there is to count, for ever."""
        while True:
            self._ended.clear()
            try:
                counted = await self.count_all()
                if counted:
                    log.info("games were counted for the openings", extra=facts(games=counted))
            except StorageError as error:
                log.error("games could not be counted: %s", type(error).__name__)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._ended.wait()

    async def count_all(self) -> int:
        """Count all games that are not counted yet; how many that were."""
        counted = 0
        while games := await self._store.played_moves.uncounted(PORTION_GAMES):
            counts = await in_thread(lambda portion: [(game, _count(game)) for game in portion], games)
            counted += await self._store.played_moves.count(counts)
            if len(games) < PORTION_GAMES:
                break
            await asyncio.sleep(PAUSE_SECONDS)
        return counted


def _count(game: UncountedGame) -> Counts:
    """What was played in a game; nothing if it cannot be replayed any more, as without the plug-in that it is of."""
    try:
        record = Record.parse(game.record, find_game)
        book = Book(record.game, record.options)
        book.add(record)
    except BoyiError as error:
        log.warning("a game was not counted: %s", type(error).__name__)
        return {}
    return count_book(book)
