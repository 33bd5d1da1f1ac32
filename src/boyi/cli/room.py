"""boyi room: rooms of a server, at the terminal."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import threading
from collections.abc import Coroutine
from typing import Annotated, Any

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import GameArgument, LanguageOption, OptionsOption, print_json_line, read_language, read_options
from boyi.cli._terminal import OutputClosedError
from boyi.core.errors import OptionError, shorten
from boyi.kit.ladder import TAKES, find_ladder, read_number

AddressArgument = Annotated[str, typer.Argument(metavar="URL", help="The room's address, as `create` prints it.")]
NameOption = Annotated[str | None, typer.Option(metavar="NAME", help="Your nickname; the last one if not given.")]
SeatOption = Annotated[int | None, typer.Option(min=0, max=63, help="The seat to take; else the first empty one.")]
PasswordOption = Annotated[str, typer.Option(help="The room's password, if it has one.")]
AgentOption = Annotated[str | None, typer.Option(
    metavar="SPEC", help="Let this agent play your seat, on this machine, e.g. level:5.")]
EventsOption = Annotated[bool, typer.Option("--json", help="Print what happens as lines of JSON.")]


def register(app: typer.Typer) -> None:
    rooms = typer.Typer(no_args_is_help=True, help="Create, join, play and watch rooms of a server (`boyi serve`).")
    rooms.command("create")(create)
    rooms.command("join")(join)
    rooms.command("play")(play)
    rooms.command("watch")(watch)
    app.add_typer(rooms, name="room")


def create(
    game: GameArgument,
    server: Annotated[str, typer.Option(metavar="URL", help="The server.")] = "http://127.0.0.1:8000",
    name: NameOption = None,
    option: OptionsOption = None,
    clock: Annotated[str | None, typer.Option(
        metavar="MINUTES+SECONDS", help="Time for the game and per move, as 5+3; no clock if not given.")] = None,
    ai: Annotated[str | None, typer.Option(
        metavar="LEVEL", help="Fill all other seats with the AI of this level, a number from 1 or easy, medium, "
        "hard, and start.")] = None,
    seat: SeatOption = None,
    private: Annotated[bool, typer.Option("--private", help="Not listed; found by its address only.")] = False,
    password: PasswordOption = "",
    agent: AgentOption = None,
    detach: Annotated[bool, typer.Option(
        "--detach", help="Print the address and leave; come back with `boyi room play` within a minute.")] = False,
    as_json: Annotated[bool, typer.Option(
        "--json", help="Print the address, and then what happens, as lines of JSON.")] = False,
    language: LanguageOption = None,
) -> None:
    """Create a room, take a seat and play; others join by its address."""
    typed = None if ai is None else read_number(ai)
    if ai is not None and typed is None:
        raise OptionError(f"--ai: {shorten(ai)} is not {TAKES}")

    async def run() -> None:
        from boyi.cli._rooms import find_token
        from boyi.server.client import RoomClient, call
        from boyi.server.protocol import messages

        base = server.rstrip("/")
        token = await find_token(base, name)
        wanted: dict[str, Any] = {"game": game, "options": read_options(option or []), "clock": read_clock(clock),
                                "public": not private, "password": password,
                                **({} if agent is None else {"agent": agent[:60]})}
        made = await call(base, "POST", "/api/rooms", wanted, token)
        address = f"{base}/room/{made['room']}"
        if as_json:
            print_json_line({"room": made["room"], "address": address})
        else:
            print(texts.say(texts.ROOM_MADE, read_language(language), address=address), flush=True)
        async with RoomClient(base, made["room"], token, password=password) as client:
            visit = _visit(client, language, as_json)
            await visit.sit(0 if seat is None else seat, agent or "")
            if typed is not None and client.state is not None:
                level = find_ladder(client.game, len(client.state.seats)).number(typed)
                for number, one in enumerate(client.state.seats):
                    if one.person is None:
                        await client.request(messages.SetAi, seat=number, level=level)
                await client.request(messages.Start)
            if not detach:
                await _stay(visit, agent)

    _run(run())


def join(
    address: AddressArgument,
    name: NameOption = None,
    seat: SeatOption = None,
    password: PasswordOption = "",
    agent: AgentOption = None,
    as_json: EventsOption = False,
    language: LanguageOption = None,
) -> None:
    """Take an empty seat and play, or let an agent of this machine play."""
    _run(_enter(address, name, seat, password, agent, as_json, language, sits=True))


def play(
    address: AddressArgument,
    name: NameOption = None,
    agent: AgentOption = None,
    as_json: EventsOption = False,
    language: LanguageOption = None,
) -> None:
    """Go on in a seat that you already have."""
    _run(_enter(address, name, None, "", agent, as_json, language, sits=False))


def watch(address: AddressArgument, password: PasswordOption = "", as_json: EventsOption = False,
          language: LanguageOption = None) -> None:
    """Watch until the game is over."""
    async def run() -> None:
        from boyi.server.client import RoomClient, split_address

        server, room = split_address(address)
        async with RoomClient(server, room, password=password) as client:
            await _visit(client, language, as_json).watch()

    _run(run())


async def _enter(address: str, name: str | None, seat: int | None, password: str, agent: str | None, as_json: bool,
                 language: str | None, *, sits: bool) -> None:
    from boyi.cli._rooms import find_token
    from boyi.server.client import RoomClient, split_address

    server, room = split_address(address)
    token = await find_token(server, name)
    async with RoomClient(server, room, token, password=password) as client:
        visit = _visit(client, language, as_json)
        if sits:
            if agent is not None:
                _check_agent(client, agent)
            await visit.sit(seat, agent or "")
        elif client.seat is None:
            raise OptionError("you have no seat in this room; `boyi room join` takes one")
        await _stay(visit, agent)


def _visit(client: Any, language: str | None, as_json: bool) -> Any:
    from boyi.cli._rooms import Visit
    from boyi.cli._terminal import Terminal

    return Visit(client, Terminal(sys.stdout, echo=not as_json), read_language(language), as_json=as_json)


def _check_agent(client: Any, agent: str) -> None:
    from boyi.agents.spec import read_spec

    spec = read_spec(agent, trusted=True)
    if spec.kind.name == "human":
        raise OptionError("a human plays without --agent")
    spec.check(client.game.start(**client.state.settings.options))


async def _stay(visit: Any, agent: str | None) -> None:
    from boyi.agents.spec import read_spec

    if agent is None:
        await visit.interact()
    else:
        await visit.play_by_agent(read_spec(agent, trusted=True))


def _run(work: Coroutine[Any, Any, None]) -> None:
    from boyi.cli._rooms import TYPING

    try:
        asyncio.run(work)
    except OutputClosedError:
        if any(thread.name == TYPING for thread in threading.enumerate()):
            os._exit(1)      # Python would not end before a line is typed
        raise


def read_clock(text: str | None) -> dict[str, int] | None:
    """
    >>> read_clock("5+3")
    {'main_ms': 300000, 'increment_ms': 3000}
    """
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,4})(?:\+([0-9]{1,3}))?", text)
    if found is None or not int(found[1]):
        raise OptionError(f"{shorten(text)} is not a clock: minutes for the game and seconds per move, as 5+3")
    return {"main_ms": 60_000 * int(found[1]), "increment_ms": 1000 * int(found[2] or 0)}
