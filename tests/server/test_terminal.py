"""Rooms at the terminal: agents of other machines, typed words, records that are verified."""

from __future__ import annotations

import asyncio
import contextlib
import io
import random
from pathlib import Path
from typing import Any

import pytest

from boyi.agents.spec import read_spec
from boyi.cli import _texts as texts
from boyi.cli._rooms import Visit, find_token, tokens_file
from boyi.cli._terminal import Terminal
from boyi.games import find_game
from boyi.kit.ladder import find_ladder
from boyi.server.client import RoomClient, call
from boyi.server.protocol import events, views
from boyi.server.protocol.messages import Rematch, Resign, SetAi, Start
from boyi.server.rooms import telling
from tests.cli import invoke
from tests.server import Table
from tests.server.serving import serving


class Typist(Terminal):
    """A terminal at which lines are typed, each when the game is ready for it."""

    def __init__(self, lines: list[str]) -> None:
        self.out = io.StringIO()
        self.lines = lines
        super().__init__(self.out)

    def ask(self, prompt: str) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


async def visit(client: RoomClient, *lines: str, language: Any = "en") -> tuple[Visit, Typist]:
    terminal = Typist(list(lines))
    return Visit(client, terminal, language), terminal


def test_agents_of_two_machines_play_each_other(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place, contextlib.AsyncExitStack() as stack:
            tokens = [await place.person(name) for name in ("ada", "bob")]
            room = await place.room(tokens[0], "jieqi", options={"quiet_limit": 6})
            clients = [await stack.enter_async_context(place.client(room, token)) for token in tokens]
            visits = [(await visit(client))[0] for client in clients]
            for one in visits:
                await one.sit(None, "random")
            assert clients[1].seat == 1
            await clients[0].request(Start)
            await asyncio.gather(*(one.play_by_agent(read_spec("random")) for one in visits))
            assert clients[0].state is not None and clients[0].state.game is not None
            assert clients[0].state.phase == "finished"
            assert [person.agent for person in clients[0].state.persons] == ["", "random"]
            record = await call(place.address, "GET", f"/api/records/{room}/1")
        file = tmp_path / "game.boyi"
        file.write_text(record, encoding="utf-8")
        verified = invoke("verify", str(file))
        assert verified.code == 0 and "honest" in verified.out
        assert invoke("verify", str(file), "--json").json[0]["draws"] > 0
        assert invoke("verify", str(file), "--commitment", "0" * 64).code == 1
        other = record.replace('[Seed "', '[Seed "00')
        file.write_text(other, encoding="utf-8")
        assert invoke("verify", str(file)).code == 1
    asyncio.run(run())


def test_verify_refuses_what_was_changed(tmp_path: Path) -> None:
    table = Table("jieqi", check=False).seat("ada", "bob")
    for _ in table.play_out(random.Random(1), longest=20):
        pass
    table.do("ada", Resign)
    record = telling.record(table.room)
    first = record.entries[0].text
    assert first[-1] in "RACPNB"
    swapped = record.to_text().replace(f"1. {first}", f"1. {first[:-1]}{'C' if first[-1] != 'C' else 'R'}")
    file = tmp_path / "changed.boyi"
    file.write_text("\n".join(line for line in swapped.splitlines() if not line.startswith("[Final")) + "\n",
                    encoding="utf-8")
    refused = invoke("verify", str(file))
    assert refused.code == 1 and "NOT" in refused.out
    plain = Table(check=False).seat("ada", "bob")
    plain.do("ada", Resign)
    file.write_text(telling.record(plain.room).to_text(), encoding="utf-8")
    assert "nothing was drawn" in invoke("verify", str(file)).out
    assert invoke("verify", str(tmp_path / "missing")).code == 2


def test_what_is_typed_is_done(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            ladder = find_ladder(find_game("tic_tac_toe"))
            token = await place.person("ada")
            room = await place.room(token, "tic_tac_toe")
            async with place.client(room, token) as client:
                one, terminal = await visit(
                    client, "help", "seats", "ready", "zzz", "b2", "last 0", "moves", "say hello", "ai 3", "resume",
                    "ai best", "ai medium", "seats", "resume", "undo", "board", "accept", "", "last 7", "resign",
                    "again", "quit", "never")
                await one.sit(0)
                await client.request(SetAi, seat=1, level=1)
                await client.request(Start)
                await one.interact()
                shown = terminal.out.getvalue()
                for piece in ("Type a move", "game 1 begins", "not a legal move", "Crosses: b2", "hello", "plays for",
                              "gives up", "The game is over", "game 2 begins", "no such seat",
                              f"of level {ladder.write(3, 'en')} plays for",
                              f"of level {ladder.write(ladder.read('medium'), 'en')} plays for",
                              f"AI {ladder.write(ladder.read('medium'), 'en')}", "'best' is not a level"):
                    assert piece in shown, piece
                assert terminal.lines == ["never"]
            async with place.client(room) as watcher:
                one, terminal = await visit(watcher, language="zh")
                async with place.client(room, token) as client:
                    watching = asyncio.create_task(one.watch())
                    await client.request(Resign)
                    await watching
                assert "对局结束" in terminal.out.getvalue()
    asyncio.run(run())


def test_who_one_is_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    async def run() -> None:
        async with serving(tmp_path) as place:
            token = await find_token(place.address, "ada")
            assert await find_token(place.address, None) == token == await find_token(place.address, "ada")
            assert await find_token(place.address, "bob") != token
            assert tokens_file().stat().st_mode & 0o077 == 0
            tokens_file().write_text("nonsense")
            assert await find_token(place.address, "ada") != token
    asyncio.run(run())


def test_commands_refuse_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for arguments in (["join", "nonsense"], ["watch", "http://host/"], ["create", "othello", "--server", "http://127.0.0.1:9"],
                      ["create", "othello", "--clock", "soon"], ["create", "othello", "--ai", "best"]):
        result = invoke("room", *arguments)
        assert result.code == 2 and result.err.startswith("boyi: "), result


def test_every_event_has_words() -> None:
    kinds = {events.kind_of(body) for body in views.PublicBody.__args__}
    assert kinds - set(texts.ROOM_EVENTS) == {"created"}
    assert Rematch.__doc__
