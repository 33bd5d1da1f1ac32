"""A room at the terminal: what happens is printed, what is typed is done."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from boyi.agents.agent import AgentError, Clock, close_agent
from boyi.agents.spec import AgentSpec
from boyi.cli import _texts as texts
from boyi.cli._common import name_turn
from boyi.cli._terminal import OutputClosedError, Terminal
from boyi.core.errors import BoyiError
from boyi.core.words import Language, Words
from boyi.kit.ladder import Ladder, find_ladder
from boyi.kit.picture.text import draw
from boyi.server.client import Refused, RoomClient, call
from boyi.server.protocol import messages
from boyi.server.protocol.events import kind_of

TYPING = "typing"
"""The name of the thread that waits for a line."""


def tokens_file() -> Path:
    """Where tokens are kept between commands."""
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "boyi" / "rooms.json"


async def find_token(server: str, name: str | None) -> str:
    """The token for a server: that of last time, unless another name is given."""
    file = tokens_file()
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = {}
    entry = known.get(server) if isinstance(known, dict) else None
    if isinstance(entry, dict) and name in (None, entry.get("name")) and entry.get("token"):
        return str(entry["token"])
    wanted = name or os.environ.get("USER") or "guest"
    session = await call(server, "POST", "/api/session", {"name": wanted[:24]})
    known = (known if isinstance(known, dict) else {}) | {server: {"name": wanted, "token": session["token"]}}
    file.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
        json.dump(known, out)
    return str(session["token"])


class Visit:
    """A person in a room, at a terminal or with an agent that plays for them.

    With `as_json` everything is told in lines of JSON: each event as the protocol has it, and what is asked for.
    """

    def __init__(self, client: RoomClient, terminal: Terminal, language: Language, *, as_json: bool = False) -> None:
        self.client = client
        self.terminal = terminal
        self.language = language
        self.as_json = as_json
        client.on_message = self.on_message

    # ------------------------------------------------------------------ what is shown

    def say(self, words: Words, /, **values: object) -> None:
        if not self.as_json:
            self.terminal.write(texts.say(words, self.language, **values))

    def complain(self, error: BoyiError) -> None:
        words = error.words.zh if isinstance(error, Refused) and self.language == "zh" else str(error)
        if self.as_json:
            self.tell({"error": words})
        else:
            self.terminal.write(words)

    def tell(self, facts: object) -> None:
        """A line of JSON."""
        self.terminal.write(json.dumps(facts, ensure_ascii=False))

    def seat_name(self, seat: int | None) -> str:
        state = self.client.state
        if seat is None or state is None or state.settings is None:
            return ""
        names = self.client.game.start(**state.settings.options).board.seat_names
        return names[seat].say(self.language)

    def ladder(self) -> Ladder:
        """The levels of the room's game."""
        return find_ladder(self.client.game, len(self.client.state.seats) if self.client.state is not None else 2)

    def on_message(self, message: Any) -> None:
        if isinstance(message, messages.EventMessage):
            if self.as_json:
                self.tell(msgspec.to_builtins(message.body))
            else:
                self._describe(message.body)

    def _describe(self, body: Any) -> None:
        state = self.client.state
        kind = kind_of(body)
        if state is None or (kind == "readied" and not body.ready):
            return
        person = state.person(getattr(body, "person", None))
        values = {name: getattr(body, name) for name in body.__struct_fields__}
        values["name"] = values.get("name") or (person.name if person else values.get("person", ""))
        values["seat"] = self.seat_name(values.get("seat"))
        if kind in ("handed", "ai_seated") and body.level is None:
            kind = "resumed" if kind == "handed" else "ai_removed"
        if values.get("level") is not None:
            values["level"] = self.ladder().write(values["level"], self.language)
        if kind == "moved" and body.fallback:
            kind = "fallback"
        if kind == "muted" and not body.muted:
            kind = "unmuted"
        if kind in ("ended", "forfeited"):
            values["words"] = body.words.zh if self.language == "zh" else body.words.en
        alone = kind == "moved" and body.seat is None   # it is chance that acts, and its words say so
        if kind in texts.ROOM_EVENTS and not alone:
            self.say(texts.ROOM_EVENTS[kind], **values)
        if kind in ("moved", "fallback"):
            for words in body.drawn:
                self.say(texts.DRAWN, what=words.say(self.language))
        if kind in ("started", "moved", "fallback", "taken_back", "ended"):
            self.show_board()

    def show_board(self) -> None:
        state = self.client.state
        if state is None or state.game is None:
            return
        try:
            position = self.client.position()
        except BoyiError:   # between the last move of a game with secrets and the word that it is over
            return
        if self.as_json:
            self.tell({"position": position.to_text(), "turn": name_turn(position.turn)})
            return
        picture = draw(position, seat=self.client.seat or 0, ascii_only=self.terminal.ascii_only,
                       colour=self.terminal.colour, language=self.language)
        self.terminal.write(f"\n{picture}\n")

    def show_seats(self) -> None:
        state = self.client.state
        if state is None:
            return
        if self.as_json:
            self.tell({"seats": msgspec.to_builtins(state.seats)})
            return
        for number, seat in enumerate(state.seats):
            person = state.person(seat.person)
            level = f"AI {self.ladder().write(seat.level, self.language)}" if seat.level else ""
            who = " ".join(filter(None, [person.name if person else "", level]))
            ready = " ✓" if person is not None and person.ready and not self.terminal.ascii_only else ""
            self.terminal.write(f"  {number}  {self.seat_name(number)}  {who or '-'}{ready}")

    # ------------------------------------------------------------------ watching and playing

    async def watch(self) -> None:
        """Watch until the game is over."""
        self.show_seats()
        self.show_board()
        await self.client.until(lambda: self.client.state is not None
                                and self.client.state.phase in ("finished", "closed"))

    async def sit(self, seat: int | None, agent: str = "") -> None:
        """Join the room and take a seat, the first empty one if none is named."""
        client = self.client
        if client.state is not None and client.state.person(client.person) is None:
            await client.request(messages.Join, agent=agent)
        await client.until(lambda: client.state is not None and client.state.person(client.person) is not None)
        if client.seat is not None or client.state is None:
            return
        empty = [number for number, one in enumerate(client.state.seats) if one.person is None and one.level is None]
        if seat is None and not empty:
            raise BoyiError("every seat of the room is taken; `boyi room watch` lets you watch")
        await client.request(messages.Sit, seat=empty[0] if seat is None else seat)
        await client.request(messages.Ready)

    async def play_by_agent(self, spec: AgentSpec) -> None:
        """Let an agent of this machine play the seat, until the game is over."""
        client = self.client
        agent = spec.make()
        try:
            while True:
                await client.until(lambda: client.turn is not None or self._over())
                turn = client.turn
                if turn is None:
                    return
                position = client.position()
                try:
                    move = await asyncio.to_thread(agent.choose, position.copy(), Clock())
                except AgentError as error:
                    self.complain(error)
                    await client.request(messages.Resign)
                    return
                try:
                    await client.request(messages.Move, move=position.format_move(move))
                except Refused as refusal:
                    if refusal.code not in ("stale", "not_your_turn", "game_over", "handed_over", "flag"):
                        raise
                await client.until(lambda turn=turn: client.turn is not turn)  # type: ignore[misc]
        finally:
            close_agent(agent)

    def _over(self) -> bool:
        return self.client.state is not None and self.client.state.phase in ("finished", "closed")

    async def interact(self) -> None:
        """Carry out what is typed, until the end of the input or `quit`."""
        self.say(texts.ROOM_HELP)
        self.show_seats()
        self.show_board()
        while self.client.ended is None:
            try:
                line = (await self._ask()).strip()
            except EOFError:
                return
            word, _, rest = line.partition(" ")
            if word in ("quit", "exit", "退出"):
                return
            try:
                if word in SHOWS:
                    SHOWS[word](self)
                elif word:
                    await self._carry_out(word.lower(), rest.strip(), line)
            except BoyiError as error:
                self.complain(error)

    async def _ask(self) -> str:
        """A line that is typed; an `OutputClosedError` as soon as nobody reads what happens meanwhile.

        Its thread is none that Python waits for in the end: a line may never come.
        """
        loop = asyncio.get_running_loop()
        typed: asyncio.Future[str | None] = loop.create_future()

        def settle(line: str | None) -> None:
            if not typed.done():
                typed.set_result(line)

        def read() -> None:
            try:
                line: str | None = self.terminal.ask("")
            except (EOFError, OutputClosedError):
                line = None
            with contextlib.suppress(RuntimeError):      # the loop has ended
                loop.call_soon_threadsafe(settle, line)

        threading.Thread(target=read, name=TYPING, daemon=True).start()
        ended = asyncio.create_task(self.client.until(lambda: False))
        waited: list[asyncio.Future[Any]] = [typed, ended]
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        await asyncio.gather(ended, return_exceptions=True)
        if isinstance(self.client.ended, OutputClosedError):
            raise self.client.ended
        line = await typed
        if line is None:
            raise EOFError
        return line

    async def _carry_out(self, word: str, rest: str, line: str) -> None:
        client = self.client
        game = client.state.game if client.state is not None else None
        if word in REQUESTS:
            await client.request(REQUESTS[word])
        elif word == "ai":
            await client.request(messages.HandOver, level=self.ladder().read(rest or "medium"))
        elif word in ("accept", "decline") and game is not None:
            kind = messages.AnswerTakeback if game.takeback else messages.AnswerDraw
            await client.request(kind, accept=word == "accept")
        elif word == "say":
            await client.request(messages.Chat, text=rest[:300] or "…")
        elif word == "last":
            shown = await client.request(messages.Check, seat=int(rest) if rest.isdigit() and len(rest) < 3 else 0)
            if self.as_json:
                self.tell(msgspec.to_builtins(shown))
                return
            self.terminal.write("-" if shown.move is None else
                                f"{shown.move.text}  ({' '.join(shown.move.path)})\n{shown.move.before}")
        else:
            await client.request(messages.Move, move=line)

    def show_moves(self) -> None:
        turn = self.client.turn
        if self.as_json:
            self.tell({"moves": [] if turn is None else [move.text for move in turn.moves]})
            return
        self.terminal.write("-" if turn is None else " ".join(move.text for move in turn.moves))

    def show_help(self) -> None:
        self.say(texts.ROOM_HELP)


REQUESTS: dict[str, type[messages.Request]] = {
    "ready": messages.Ready, "start": messages.Start, "resume": messages.Resume, "draw": messages.OfferDraw,
    "undo": messages.OfferTakeback, "resign": messages.Resign, "claim": messages.Claim, "again": messages.Rematch,
}

SHOWS: dict[str, Callable[[Visit], None]] = {
    "board": Visit.show_board, "seats": Visit.show_seats, "moves": Visit.show_moves, "help": Visit.show_help,
    "?": Visit.show_help,
}
