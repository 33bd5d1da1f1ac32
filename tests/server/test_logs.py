"""Logs: one line per event, and no secret in any of them."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from boyi.server.client import Refused, ServerError, call
from boyi.server.logs import JsonLines, TextLines, facts
from boyi.server.protocol.events import Created, Started
from boyi.server.protocol.messages import Join, Ready, Sit, Start
from boyi.server.store import Store
from tests.server.playing import play
from tests.server.serving import Place
from tests.server.test_kill import free_port


def record(message: str, error: BaseException | None = None, **about: str | int) -> logging.LogRecord:
    made = logging.LogRecord("boyi.test", logging.INFO, "", 0, message, None, None)
    vars(made).update(facts(**about))
    if error is not None:
        try:
            raise error
        except type(error):
            made.exc_info = sys.exc_info()
    return made


def test_an_event_is_a_line_in_both_forms() -> None:
    odd = record("cut\nhere", code="flood", address="\u2028\x1b[2J")
    text = TextLines().format(odd)
    assert len(text.splitlines()) == 1 and "code=flood" in text and "\x1b" not in text
    line = json.loads(JsonLines().format(odd))
    assert line["message"] == "cut\nhere" and line["code"] == "flood" and line["level"] == "info"
    assert len(JsonLines().format(odd).splitlines()) == 1
    with pytest.raises(ValueError):
        facts(message="mine")


@pytest.mark.parametrize("formatter", [JsonLines(), TextLines()], ids=["json", "text"])
def test_what_an_error_says_is_not_logged(formatter: logging.Formatter) -> None:
    """A stranger may have written it, and a secret may be in it; where it came from is enough."""
    text = formatter.format(record("it failed", ValueError("secret-token")))
    assert "secret-token" not in text and "ValueError" in text and "test_logs.py" in text


@pytest.mark.parametrize("form", ["json", "text"])
def test_no_secret_is_logged(form: str, tmp_path: Path) -> None:
    """A game of jieqi in a locked room, with clients that do everything wrong."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "boyi", "serve", "--port", str(port), "--database", f"sqlite:///{tmp_path}/boyi.sqlite",
         "--engines", "0", "--log-format", form], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env={**os.environ, "BOYI_LANGUAGE": "en", "BOYI_SERVER_HOST": "127.0.0.1"})
    assert process.stdout is not None and process.stderr is not None
    assert "http" in process.stdout.readline()
    address = f"http://127.0.0.1:{port}"
    secrets = ["open-sesame-room", "my-account-password", "wrong-room-password", "not-a-token-at-all"]

    async def run() -> str:
        tokens = [(await call(address, "POST", "/api/accounts", {"name": name, "password": secrets[1]}))["token"]
                  for name in ("ada", "bob")]
        secrets.extend(tokens)
        made = await call(address, "POST", "/api/rooms", {"game": "jieqi", "password": secrets[0],
                                                          "options": {"quiet_limit": 4}}, tokens[0])
        place = Place(None, address, None)  # type: ignore[arg-type]  # only its address is used
        clients = [place.client(made["room"], token, password=secrets[0]) for token in tokens]
        for seat, client in enumerate(clients):
            await client.__aenter__()
            if seat:
                await client.request(Join)
            await client.request(Sit, seat=seat)
            await client.request(Ready)
        await clients[0].request(Start)
        generator = random.Random(2)
        await asyncio.gather(*(play(client, generator) for client in clients))
        for token, password in (("", secrets[2]), (secrets[3], "")):
            async with place.raw(made["room"], token, password=password) as raw:
                assert (await raw.hear("nack"))["code"] in ("password", "token")
        async with place.raw(made["room"], tokens[0]) as raw:
            await raw.hear("room")
            await raw.say(f'{{"type": "hello", "token": "{tokens[0]}"')
            await raw.hear("nack")
            try:
                await raw.say(tokens[0].encode())
                await raw.hear("goodbye")
            except ConnectionClosed:
                pass
        for path, body in (("/api/login", {"name": "ada", "password": secrets[2]}),
                           ("/api/rooms", {"game": tokens[0]})):
            with pytest.raises((ServerError, Refused)):
                await call(address, "POST", path, body, tokens[0])
        for client in clients:
            await client.__aexit__()
        return str(made["room"])
    try:
        room = asyncio.run(run())
    finally:
        process.send_signal(signal.SIGTERM)
        _, logged = process.communicate(timeout=60)
    store = Store(f"sqlite:///{tmp_path}/boyi.sqlite")
    for event in asyncio.run(store.rooms.load(room)):
        if isinstance(event.body, Started):
            assert event.body.seed
            secrets.append(event.body.seed)
        if isinstance(event.body, Created):
            assert event.body.password
            secrets.append(event.body.password)
    store.database.close()
    assert "a connection was cut" in logged and "127.0.0.1" in logged
    for secret in secrets:
        assert secret not in logged
    if form == "json":
        lines = [json.loads(line) for line in logged.splitlines()]
        assert {"time", "level", "logger", "message", "process"} <= set(lines[0])
        assert {line.get("code") for line in lines} >= {"password", "token"}
