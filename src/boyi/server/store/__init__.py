"""What is on disk: nothing is acknowledged that could still be lost.

    tables      the schema (columns: what may be written into it)
    database    an address of a database becomes connections
    writer      one thread that writes, many writes in one transaction
    rooms       events of rooms
    leases      which server owns which room
    people      persons, accounts and tokens
    games       finished games
    own_games   the games of a person, those that are over and those that are being played
    played_moves  what was played in positions
    encounters  how people came out against levels
    puzzles     which puzzles people have tried, and how they are rated
    reports     what people report of others
    reviews     game reviews
    orders      bans, and what administrators did
    backup      all of it as one file, and back
    errors      what can go wrong

SQLite and PostgreSQL are used by the same schema and the same code. What is below is for the rest of the server.
"""

from __future__ import annotations

from boyi.server.store.database import Database, shown
from boyi.server.store.encounters import Encounters
from boyi.server.store.errors import FencedError, HeldError, StorageError, TakenError, UnstorableError
from boyi.server.store.games import FinishedGame, Games
from boyi.server.store.leases import LEASE_MS, Leases
from boyi.server.store.orders import Action, Ban, Orders
from boyi.server.store.own_games import OwnGames
from boyi.server.store.people import DELETED, People, Person, Token
from boyi.server.store.played_moves import PlayedMoves
from boyi.server.store.puzzles import PuzzleAttempts
from boyi.server.store.reports import Report, Reports
from boyi.server.store.reviews import Reviews, StoredReview
from boyi.server.store.rooms import Rooms, append_all
from boyi.server.store.writer import Writer

__all__ = ["DELETED", "LEASE_MS", "Action", "Ban", "FencedError", "FinishedGame", "HeldError", "Person",
           "Report", "StorageError", "Store", "StoredReview", "TakenError", "Token", "UnstorableError", "shown"]


class Store:
    """The database of a server."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.database = Database(url)
        self.writer = Writer(self.database, append_all)
        self.rooms = Rooms(self.database, self.writer)
        self.leases = Leases(self.database, self.writer)
        self.people = People(self.database, self.writer)
        self.games = Games(self.database, self.writer)
        self.own_games = OwnGames(self.database)
        self.played_moves = PlayedMoves(self.database, self.writer)
        self.encounters = Encounters(self.database, self.writer)
        self.orders = Orders(self.database, self.writer)
        self.puzzles = PuzzleAttempts(self.database, self.writer)
        self.reports = Reports(self.database, self.writer)
        self.reviews = Reviews(self.database, self.writer)

    @property
    def is_shared(self) -> bool:
        """Can several servers use it? Then rooms are leased; else the server that came last is the only one."""
        return self.database.is_shared

    def migrate(self) -> None:
        """Bring the schema up to date."""
        self.database.migrate()

    def open(self) -> None:
        """Bring the schema up to date and begin to write."""
        self.database.migrate()
        self.writer.start()

    def close(self) -> None:
        """Write what is waiting, and stop."""
        self.leases.stop_listening()
        self.writer.stop()
        self.database.close()
