"""All that is kept of a person, for that person."""

from __future__ import annotations

from boyi.server.accounts import Accounts
from boyi.server.protocol.bodies import OwnChat, OwnData, OwnReport
from boyi.server.protocol.events import Said
from boyi.server.store import Store


async def collect(store: Store, accounts: Accounts, token: str) -> OwnData:
    """What the server keeps of a token's owner."""
    person = await accounts.identify(token)
    games = await store.games.of_person(person.id)
    uploads = await store.games.uploads_of(person.id)
    chat: list[OwnChat] = []
    for room in dict.fromkeys(game.room for game in games):   # one at a time: nobody else is to wait for it
        chat += [OwnChat(room, event.at, event.body.text) for event in await store.rooms.load_only(room, Said)
                 if isinstance(event.body, Said) and event.body.person == person.id]
    return OwnData(person.id, person.name, person.account, person.created, await accounts.sessions(token),
                   games, uploads, chat,
                   [OwnReport(report.room, report.created, report.name, report.why, report.text)
                    for report in await store.reports.of_reporter(person.id)],
                   await store.puzzles.ratings(person.id))
