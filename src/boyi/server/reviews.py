"""Game reviews in the background: each search is a question to the engines, behind all that a person waits for.

What is found is kept as it comes. A review whose server has stopped goes on, where it was, when anyone looks at it.
A game is reviewed once, and who has the address of a review may see it.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from boyi.agents.analysis import AnalysedLine, Analysis
from boyi.core.record import Record
from boyi.games import find_game
from boyi.server import passwords
from boyi.server.engines.pool import Engines
from boyi.server.protocol import study
from boyi.server.protocol.parts import OptionValue
from boyi.server.protocol.refusals import Refusal
from boyi.server.store import StorageError, Store, StoredReview
from boyi.server.store.database import now_ms
from boyi.server.tasks import Tasks
from boyi.server.work import in_thread
from boyi.study.review.findings import ReviewedMove, ReviewedPlayer, TurningPoint, assemble
from boyi.study.review.look import Ask, Decision, Look, decisions, look
from boyi.study.review.opening import Opening, find_opening

log = logging.getLogger("boyi.reviews")

MOST_DECISIONS = 600
"""Of a game that is reviewed; the longest takes an engine about half an hour."""

MOST_AT_ONCE = 8
"""Reviews that ask engines at the same time; others wait."""

SAVED_LOOKS = 5
"""How many looks are kept together."""

ABANDONED_MS = 120_000
"""A review at which nobody has been for this long is gone on with by who is asked for it."""

PAUSE_SECONDS = 1.0
"""Before a search is asked for again that had to give way, or for which there was no room."""

LONGEST_PAUSE_SECONDS = 60.0
"""It grows up to this."""

ENGINE_SHARE = 0.8
"""The longest search, as a share of what an engine may think: one that has to be stopped would be asked for again."""

MOST_FAILURES = 3
"""So often engines may fail at one search before the review is left unfinished."""


class AskReview(Struct, frozen=True, forbid_unknown_fields=True):
    """Review a game: one that is over, by its room and number, or a record."""

    room: Annotated[str, Meta(max_length=40)] = ""
    number: Annotated[int, Meta(ge=0, le=10_000_000)] = 0
    record: Annotated[str, Meta(max_length=60_000)] = ""
    """In any format that Boyi reads."""


class ShownReview(Struct, frozen=True):
    """A review: how far it has come, and what it says when it is finished."""

    id: str
    done: int
    """Moves that have been looked at."""

    total: int
    game: str
    options: dict[str, OptionValue]
    start: str
    """The position text that the game begins with; empty for the start of the game."""

    texts: list[str]
    """The moves of the game, in its own writing."""

    names: list[str]
    result: list[int] | None
    """Places by seat; None if it is not known."""

    effort: str
    moves: list[ReviewedMove] = []
    """What follows is empty until all moves have been looked at."""

    players: list[ReviewedPlayer] = []
    curves: list[list[float | None]] = []
    turning_points: list[TurningPoint] = []
    opening: Opening | None = None


class GameReviews:
    """The reviews that this server is at, and those that are kept."""

    def __init__(self, store: Store, engines: Engines, tasks: Tasks, seconds: float) -> None:
        self._store = store
        self._engines = engines
        self._tasks = tasks
        self._seconds = seconds
        self._places = asyncio.Semaphore(MOST_AT_ONCE)
        self._found: dict[str, list[Look]] = {}
        """Of the reviews that this server is at: what was found."""

    async def begin(self, record: Record, payer: str, room: str = "", number: int = 0) -> str:
        """Review a game, unless that was done already or is being done; the identifier of the review."""
        if room:
            record = replace(record, players=(), tags={}, event="")
        total = await in_thread(count_decisions, record)
        if not total:
            raise Refusal("no_record", "nobody has moved in this game")
        if total > MOST_DECISIONS:
            raise Refusal("no_record", f"the game has {total} moves, and at most {MOST_DECISIONS} are reviewed")
        text = record.to_text()
        digest = hashlib.sha256(f"{room} {number}\n{text}".encode()).hexdigest()
        wanted = StoredReview(passwords.new_identity(), digest, room, number, text, f"{self._seconds:g} s", (), total)
        identity = await self._store.reviews.add(wanted)
        if identity == wanted.id:
            self._start(wanted, payer)
        return identity

    async def show(self, identity: str, payer: str) -> ShownReview:
        """A review; one that was left unfinished is gone on with."""
        stored = await self._store.reviews.find(identity) if passwords.is_identity(identity) else None
        if stored is None:
            raise Refusal("no_review")
        if not stored.is_finished and identity not in self._found and await self._store.reviews.claim(
                identity, now_ms() - ABANDONED_MS):
            self._start(stored, payer)
        names = await self._store.games.names(stored.room, stored.number) if stored.room else None
        return await in_thread(describe, stored, names, len(self._found.get(identity, stored.looks)))

    def _start(self, stored: StoredReview, payer: str) -> None:
        self._found[stored.id] = list(stored.looks)
        self._tasks.spawn(self._run(stored, f"review {payer}"))

    async def _run(self, stored: StoredReview, payer: str) -> None:
        """Look at all that is left to look at, the last move first."""
        found = self._found[stored.id]
        try:
            async with self._places:
                known = {one.number for one in found}
                left = [one for one in await in_thread(read_decisions, stored.record) if one.number not in known]
                for decision in reversed(left):
                    found.append(await self._look(decision, payer))
                    if len(found) % SAVED_LOOKS == 0 or len(found) == stored.total:
                        await self._store.reviews.save(stored.id, found)
        except (Refusal, StorageError) as error:   # goes on when anyone looks at it later
            log.warning("a review was left unfinished: %s", error)
        finally:
            del self._found[stored.id]

    async def _look(self, decision: Decision, payer: str) -> Look:
        steps = look(decision)
        ask = next(steps)
        while True:
            found = await self._search(ask, payer)
            try:
                ask = steps.send(found)
            except StopIteration as end:
                done: Look = end.value
                return done

    async def _search(self, ask: Ask, payer: str) -> list[Analysis]:
        """What an engine finds, however long it takes until one has the time."""
        pause, failures = PAUSE_SECONDS, 0
        while True:
            try:
                seconds = min(self._seconds * ask.effort, ENGINE_SHARE * self._engines.seconds)
                reply = await self._engines.search(ask.position, ask.lines, seconds, ask.only, ask.depths, payer)
            except Refusal as refusal:
                if refusal.code != "flood":
                    raise
                reply = None
            if reply is not None and reply.analysis is not None and reply.analysis.lines:
                return read_reply(ask, reply.earlier, reply.analysis)
            if reply is not None:   # the engine failed, and another one takes its place
                failures += 1
                if failures == MOST_FAILURES:
                    raise Refusal("internal", f"no engine could look at a move: {reply.error}")
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


def read_reply(ask: Ask, earlier: Sequence[study.Analysis], last: study.Analysis) -> list[Analysis]:
    """What an engine found at its last depths, as a look wants it."""
    found = []
    for analysis in (*earlier, last):
        lines = tuple(AnalysedLine((ask.position.parse_move(line.moves[0]),), tuple(line.moves),
                                   tuple(map(tuple, line.paths)), line.value, line.odds, line.wins_in)
                      for line in analysis.lines)
        found.append(Analysis(lines, analysis.depth, analysis.nodes, 0.0))
    return found


def count_decisions(record: Record) -> int:
    return sum(1 for _ in decisions(record))


def read_decisions(text: str) -> list[Decision]:
    return list(decisions(Record.parse(text, find_game)))


def describe(stored: StoredReview, names: Sequence[str] | None, done: int) -> ShownReview:
    """A review as it is sent."""
    record = Record.parse(stored.record, find_game)
    shown = ShownReview(
        stored.id, done, stored.total, record.game.name, dict(record.options), record.start or "",
        [entry.text for entry in record.entries], list(record.players if names is None else names),
        None if record.result is None else list(record.result), stored.effort)
    if not stored.is_finished:
        return shown
    found = assemble(record, stored.looks, find_opening(record), stored.effort)
    return msgspec.structs.replace(
        shown, moves=list(found.moves), players=list(found.players), curves=[list(curve) for curve in found.curves],
        turning_points=list(found.turning_points), opening=found.opening)
