"""Persons, accounts and tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from boyi.server.store.database import Database, now_ms
from boyi.server.store.errors import TakenError
from boyi.server.store.tables import persons, tokens
from boyi.server.store.writer import Writer


@dataclass(frozen=True)
class Person:
    """A person the server knows."""

    id: str
    name: str
    account: bool
    password: str = ""
    """Hashed; empty without an account."""


class People:
    """Who has which name, and whose token it is."""

    def __init__(self, database: Database, writer: Writer[Any]) -> None:
        self._database = database
        self._writer = writer

    async def add(self, person: Person, token_hash: str) -> None:
        """A new person, with a first token; a `TakenError` if there is an account of that name."""
        def work(connection: sa.Connection) -> None:
            account = person.name.casefold() if person.account else None
            if account is not None and connection.execute(
                    sa.select(persons.c.id).where(persons.c.account == account)).first() is not None:
                raise TakenError("an account of that name exists")
            connection.execute(sa.insert(persons).values(
                id=person.id, name=person.name, account=account, password=person.password, created=now_ms()))
            connection.execute(sa.insert(tokens).values(hash=token_hash, person=person.id, created=now_ms()))

        await self._writer.write(work)

    async def add_token(self, person: str, token_hash: str) -> None:
        await self._writer.write(lambda connection: connection.execute(
            sa.insert(tokens).values(hash=token_hash, person=person, created=now_ms())))

    async def remove_token(self, token_hash: str) -> None:
        await self._writer.write(lambda connection: connection.execute(
            sa.delete(tokens).where(tokens.c.hash == token_hash)))

    async def change_password(self, person: str, password: str, but: str = "") -> list[str]:
        """Another password, hashed; all tokens but one are ended: which."""
        def work(connection: sa.Connection) -> list[str]:
            connection.execute(sa.update(persons).where(persons.c.id == person).values(password=password))
            ended = list(connection.execute(sa.select(tokens.c.hash).where(
                tokens.c.person == person, tokens.c.hash != but)).scalars())
            connection.execute(sa.delete(tokens).where(tokens.c.hash.in_(ended)))
            return ended

        return await self._writer.write(work)

    async def delete(self, person: str) -> list[str]:
        """Delete an account: the tokens that it ended."""
        def work(connection: sa.Connection) -> list[str]:
            ended = list(connection.execute(sa.select(tokens.c.hash).where(tokens.c.person == person)).scalars())
            connection.execute(sa.delete(tokens).where(tokens.c.person == person))
            connection.execute(sa.delete(persons).where(persons.c.id == person))
            return ended

        return await self._writer.write(work)

    async def find_token(self, token_hash: str) -> Person | None:
        """Whose token it is."""
        query = (sa.select(persons.c.id, persons.c.name, persons.c.account)
                 .join(tokens, tokens.c.person == persons.c.id).where(tokens.c.hash == token_hash))
        rows = await self._database.read(query)
        return Person(rows[0][0], rows[0][1], rows[0][2] is not None) if rows else None

    async def find_account(self, name: str) -> Person | None:
        query = (sa.select(persons.c.id, persons.c.name, persons.c.password)
                 .where(persons.c.account == name.casefold()))
        rows = await self._database.read(query)
        return Person(rows[0][0], rows[0][1], True, rows[0][2]) if rows else None
