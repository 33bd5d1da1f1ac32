"""A report about someone in a room, with what was said there last."""

from __future__ import annotations

from collections import deque

from boyi.server import passwords
from boyi.server.protocol.bodies import NewReport
from boyi.server.protocol.events import Created, Joined, Said
from boyi.server.protocol.refusals import Refusal
from boyi.server.store import Report, Store

MOST_A_DAY = 10
"""Reports of one person."""

CHAT_LINES = 30
"""The last lines of a room's chat that go with a report."""

DAY_SECONDS = 24 * 3600.0


async def report(store: Store, reporter: str, asked: NewReport) -> None:
    """Keep a report. Only those who were in a room with a password can make one about it."""
    names: dict[str, str] = {}
    chat: deque[list[str]] = deque(maxlen=CHAT_LINES)
    is_locked = False
    # By its events: the room may be another server's, or closed.
    for event in await store.rooms.load_only(asked.room, Created, Joined, Said):
        match event.body:
            case Created(settings):
                is_locked = settings.locked
            case Joined(person, name):
                names[person] = name
            case Said(person, text):
                chat.append([person, names.get(person, ""), text])
    if not names or (is_locked and reporter not in names):
        raise Refusal("no_room")
    if asked.person not in names or asked.person == reporter:
        raise Refusal("unknown_person")
    made = Report(passwords.new_identity(), reporter, asked.room, asked.person, names[asked.person], asked.why,
                  asked.text, list(chat))
    if not await store.reports.add(made, MOST_A_DAY):
        raise Refusal("flood", f"at most {MOST_A_DAY} reports a day", retry_after=DAY_SECONDS)
