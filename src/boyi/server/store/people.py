"""Persons, accounts and tokens.

An account has two keys that are nobody else's: `account`, its name as it is typed to log in (`lookalikes.folded`), and
`skeleton`, which all names share that look like it. Accounts of version 0.1.0 have keys of their own: `account` is the
name without capitals, and where skeletons were the same already, later ones have a number (see `v0003_accounts`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from boyi.server.lockout import FORGOTTEN_MS, wait_ms
from boyi.server.lookalikes import folded, skeleton
from boyi.server.store.database import Database, now_ms
from boyi.server.store.errors import TakenError
from boyi.server.store.games import rename_player
from boyi.server.store.gathering import Gathering
from boyi.server.store.puzzles import forget_puzzles
from boyi.server.store.tables import finished, persons, players, tokens
from boyi.server.store.writer import Writer

DAY_MS = 24 * 3_600_000

ACCOUNT_DAYS = 90
NICKNAME_DAYS = 30
"""How long a token is valid without being used: of accounts and of those who have played a game here; of others."""

NAME_HELD_DAYS = 90
"""How long nobody can take the name of an account that was deleted."""

MOST_SESSIONS = 50
"""Of one account; another log-in ends the one that was not used longest."""

LONGEST_KEY = 60
LONGEST_SKELETON = 200

DELETED = "deleted:"
"""What the name of a deleted account begins with; what follows tells it from others."""

MOST_AT_ONCE = 500
"""Values in one query."""

# Made once: to put a statement together takes longer than to run it.
_FIND_TOKENS = (
    sa.select(persons.c.id, persons.c.name, persons.c.account, persons.c.created.label("since"), tokens,
              sa.exists().where(players.c.person == persons.c.id).label("has_played"))
    .join(tokens, tokens.c.person == persons.c.id).where(tokens.c.hash.in_(sa.bindparam("hashes", expanding=True))))


@dataclass(frozen=True)
class Person:
    """A person the server knows."""

    id: str
    name: str
    account: bool
    password: str = ""
    """Hashed; empty without an account."""

    created: int = 0
    """When, in milliseconds."""


@dataclass(frozen=True)
class Token:
    """What is stored of a token."""

    hash: str
    created: int
    used: int
    """When it was last used, to the day."""

    device: str
    """What the client said it is."""


class People:
    """Who has which name, and whose token it is."""

    def __init__(self, database: Database, writer: Writer[Any]) -> None:
        self._database = database
        self._writer = writer
        self._tokens = Gathering(self._find_tokens, MOST_AT_ONCE)

    # ------------------------------------------------------------------ who there is

    async def add(self, person: Person, token_hash: str, device: str = "") -> None:
        """A new person, with a first token; a `TakenError` if an account has that name, or one that looks like it."""
        account, look = folded(person.name)[:LONGEST_KEY], skeleton(person.name)[:LONGEST_SKELETON]

        def work(connection: sa.Connection) -> None:
            alike = sa.or_(persons.c.account == account, persons.c.skeleton == look)
            held = sa.or_(persons.c.deleted.is_(None), persons.c.deleted > now_ms() - NAME_HELD_DAYS * DAY_MS)
            if connection.execute(sa.select(persons.c.id).where(alike, held)).first() is not None:
                raise TakenError("an account of that name exists, or of one that looks like it")
            if person.account:
                connection.execute(sa.update(persons).where(alike).values(account=None, skeleton=None))
            try:
                connection.execute(sa.insert(persons).values(
                    id=person.id, name=person.name, account=account if person.account else None,
                    skeleton=look if person.account else None, password=person.password, created=now_ms()))
            except sa.exc.IntegrityError as error:
                raise TakenError("another server has added that account just now") from error
            _add_token(connection, person.id, token_hash, device)

        await self._writer.write(work)

    async def find_account(self, name: str) -> Person | None:
        """The account that a name as typed means."""
        # An account of version 0.1.0 may have a key that is not folded; it is meant by who types it exactly so.
        keys = list(dict.fromkeys((name.casefold(), folded(name)[:LONGEST_KEY])))
        rows = await self._database.read(
            sa.select(persons.c.account, persons.c.id, persons.c.name, persons.c.password, persons.c.created)
            .where(persons.c.account.in_(keys), persons.c.deleted.is_(None)))
        found = {row.account: row for row in rows}
        row = next((found[key] for key in keys if key in found), None)
        return None if row is None else Person(row.id, row.name, True, row.password, row.created)

    async def find(self, identity: str) -> Person | None:
        rows = await self._database.read(
            sa.select(persons.c.name, persons.c.account, persons.c.password, persons.c.created)
            .where(persons.c.id == identity, persons.c.deleted.is_(None)))
        return Person(identity, rows[0][0], rows[0][1] is not None, rows[0][2], rows[0][3]) if rows else None

    async def count_deleted(self) -> int:
        """How many accounts have been deleted."""
        rows = await self._database.read(sa.select(sa.func.count()).where(persons.c.deleted.is_not(None)))
        return int(rows[0][0])

    # ------------------------------------------------------------------ tokens

    async def find_token(self, token_hash: str) -> tuple[Person, Token] | None:
        """Whose token it is; None if it was ended or has expired."""
        return await self._tokens.find(token_hash)

    async def _find_tokens(self, hashes: Sequence[str]) -> dict[str, tuple[Person, Token]]:
        found = {}
        for row in await self._database.read(_FIND_TOKENS, hashes=hashes):
            days = ACCOUNT_DAYS if row.account is not None or row.has_played else NICKNAME_DAYS
            if row.used >= now_ms() - days * DAY_MS:
                found[row.hash] = (Person(row.id, row.name, row.account is not None, created=row.since),
                                   Token(row.hash, row.created, row.used, row.device))
        return found

    async def use_token(self, token_hash: str) -> None:
        """It is used today."""
        await self._writer.write(lambda connection: connection.execute(
            sa.update(tokens).where(tokens.c.hash == token_hash).values(used=now_ms())))

    async def tokens_of(self, person: str) -> list[Token]:
        """The latest used first."""
        rows = await self._database.read(sa.select(tokens.c.hash, tokens.c.created, tokens.c.used, tokens.c.device)
                                         .where(tokens.c.person == person)
                                         .order_by(tokens.c.used.desc(), tokens.c.created.desc()))
        return [Token(*row) for row in rows]

    async def existing_tokens(self, hashes: Collection[str]) -> set[str]:
        """Those of them that have not been ended."""
        known, there = list(hashes), set[str]()
        for start in range(0, len(known), MOST_AT_ONCE):
            rows = await self._database.read(
                sa.select(tokens.c.hash).where(tokens.c.hash.in_(known[start:start + MOST_AT_ONCE])))
            there.update(found for (found,) in rows)
        return there

    async def remove_tokens(self, hashes: Collection[str]) -> None:
        await self._writer.write(lambda connection: connection.execute(
            sa.delete(tokens).where(tokens.c.hash.in_(hashes))))

    async def remove_expired(self) -> int:
        """Remove tokens that have expired, and the nicknames that only they could have used; how many tokens."""
        def work(connection: sa.Connection) -> int:
            now = now_ms()
            has_played = sa.exists().where(players.c.person == tokens.c.person)
            has_account = sa.exists().where(persons.c.id == tokens.c.person, persons.c.account.is_not(None))
            removed = connection.execute(sa.delete(tokens).where(sa.or_(
                tokens.c.used < now - ACCOUNT_DAYS * DAY_MS,
                sa.and_(tokens.c.used < now - NICKNAME_DAYS * DAY_MS, ~has_played, ~has_account)))).rowcount
            connection.execute(sa.delete(persons).where(
                persons.c.account.is_(None), persons.c.deleted.is_(None),
                persons.c.created < now - NICKNAME_DAYS * DAY_MS,
                ~sa.exists().where(tokens.c.person == persons.c.id),
                ~sa.exists().where(players.c.person == persons.c.id),
                ~sa.exists().where(finished.c.uploader == persons.c.id)))
            return removed

        return await self._writer.write(work)

    # ------------------------------------------------------------------ passwords

    async def charge_try(self, person: str) -> int:
        """Count a try of an account's password; or the milliseconds until there may be one."""
        def work(connection: sa.Connection) -> int:
            row = connection.execute(sa.select(persons.c.tries, persons.c.locked_until)
                                     .where(persons.c.id == person).with_for_update()).one()
            now = now_ms()
            if now < row.locked_until:
                return int(row.locked_until) - now
            tries = (0 if now - row.locked_until > FORGOTTEN_MS else row.tries) + 1
            connection.execute(sa.update(persons).where(persons.c.id == person)
                               .values(tries=tries, locked_until=now + wait_ms(tries)))
            return 0

        return await self._writer.write(work)

    async def log_in(self, person: str, token_hash: str, device: str, password: str) -> list[str]:
        """The password was right, and is to be stored like this: a new token. The tokens that it ended."""
        def work(connection: sa.Connection) -> list[str]:
            _set_password(connection, person, password)
            kept = sa.select(tokens.c.hash).where(tokens.c.person == person).order_by(
                tokens.c.used.desc(), tokens.c.created.desc()).offset(MOST_SESSIONS - 1)
            ended = list(connection.execute(kept).scalars())
            connection.execute(sa.delete(tokens).where(tokens.c.hash.in_(ended)))
            _add_token(connection, person, token_hash, device)
            return ended

        return await self._writer.write(work)

    async def change_password(self, person: str, password: str, but: str = "") -> list[str]:
        """Another password, hashed; all tokens but one are ended: which."""
        def work(connection: sa.Connection) -> list[str]:
            _set_password(connection, person, password)
            return _remove_tokens_of(connection, person, but)

        return await self._writer.write(work)

    # ------------------------------------------------------------------ the end

    async def delete(self, person: str) -> list[str]:
        """Delete an account: the tokens that it ended. Its games stay, under a name that is nobody's."""
        name = DELETED + person[:6]

        def work(connection: sa.Connection) -> list[str]:
            connection.execute(sa.update(persons).where(persons.c.id == person).values(
                name=name, password="", deleted=now_ms()))
            connection.execute(sa.delete(finished).where(finished.c.uploader == person))
            rename_player(connection, person, name)
            forget_puzzles(connection, person)
            return _remove_tokens_of(connection, person)

        return await self._writer.write(work)


def _add_token(connection: sa.Connection, person: str, token_hash: str, device: str) -> None:
    now = now_ms()
    connection.execute(sa.insert(tokens).values(hash=token_hash, person=person, created=now, used=now, device=device))


def _remove_tokens_of(connection: sa.Connection, person: str, but: str = "") -> list[str]:
    own: Sequence[str] = connection.execute(
        sa.select(tokens.c.hash).where(tokens.c.person == person, tokens.c.hash != but)).scalars().all()
    connection.execute(sa.delete(tokens).where(tokens.c.person == person, tokens.c.hash != but))
    return list(own)


def _set_password(connection: sa.Connection, person: str, password: str) -> None:
    """Store a password, hashed; all wrong tries are forgiven."""
    connection.execute(sa.update(persons).where(persons.c.id == person).values(
        password=password, tries=0, locked_until=0))
