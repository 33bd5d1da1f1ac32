"""The page and the server change a room alike: `web/src/lib/state.ts` against `boyi.server.reducer.apply`.

Streams of events, as viewers are told them, are applied by both, and the states after each event compared. The page's
sources run in node, bundled by the esbuild that builds the page.
"""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from boyi.server.protocol import events, messages, reducer, state, views
from boyi.server.protocol.messages import (
    AnswerDraw,
    AnswerTakeback,
    Chat,
    Close,
    HandOver,
    Join,
    Kick,
    Leave,
    Move,
    Mute,
    OfferDraw,
    OfferTakeback,
    Ready,
    Rematch,
    Resign,
    Resume,
    SetAi,
    Sit,
    Stand,
    Start,
)
from boyi.server.protocol.parts import ClockRule
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import Pause, Tick, asking, telling
from tests.scale import scaled
from tests.server import Table

WEB = Path(__file__).parent.parent.parent / "web"
ESBUILD = WEB / "node_modules" / "esbuild" / "bin" / "esbuild"

PROGRAM = """
import { apply } from "./src/lib/state.ts";
import { readFileSync } from "node:fs";
const streams = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(streams.map(({ first, events }) =>
  events.map(({ seq, at, body }) => { apply(first, seq, at, body); return JSON.stringify(first); }))));
"""


def waiting() -> Table:
    """Everything that can happen before a game, and after one."""
    table = Table("tic_tac_toe", check=False)
    for person in ("ada", "bob", "cyd"):
        table.do(person, Join, agent="robot" if person == "cyd" else "")
    table.do("ada", Sit, seat=0)
    table.do("ada", Ready)
    table.do("ada", Stand)
    table.do("ada", SetAi, seat=1, level=4)
    table.do("ada", SetAi, seat=1, level=None)
    table.do("ada", Kick, person="cyd")
    for muted in (True, False, True):
        table.do("ada", Mute, person="bob", muted=muted)
    table.do("ada", Mute, person="bob", muted=False)
    for number in range(60):
        table.now += 500
        table.do("bob", Chat, text=f"<b>{number}</b> \u0645\u0631\u062d\u0628\u0627 👩‍👩‍👧‍👦")
    table.presence("bob", False)
    table.now += 100
    table.presence("bob", True)
    table.do("ada", Leave)   # bob is the host now
    table.do("ada", Join)
    for person, seat in (("ada", 1), ("bob", 0)):
        table.do(person, Sit, seat=seat)
        table.do(person, Ready)
    table.do("bob", Start)
    table.do("bob", OfferDraw)
    table.do("ada", AnswerDraw, accept=True)
    for person in ("ada", "bob"):
        table.do(person, Rematch)
    table.do("ada", Resign)
    table.do("bob", Close)
    return table


def paused() -> Table:
    """Clocks, a server that stands still, and a player whose time is up while the AI plays on."""
    table = Table("othello", check=False, clock=ClockRule(20_000, 500), ai_on_flag=True).seat("ada", "bob")
    generator = random.Random(2)
    for _ in table.play_out(generator, longest=3):
        table.now += 900
    table.internal(Pause())
    table.now += 5_000
    table.stalled_ms = 4_000
    asking = table.turn or 0
    table.do(table.person(asking), OfferTakeback)
    table.stalled_ms = 0
    table.do(table.person(1 - asking), AnswerTakeback, accept=False)
    table.do(table.person(asking), OfferTakeback)
    table.do(table.person(1 - asking), AnswerTakeback, accept=True)
    table.now += 30_000
    table.internal(Tick())
    for _ in table.play_out(generator, longest=20):
        table.now += 100
    return table


def handed_over() -> Table:
    """A rated game that is lost by handing it over, and goes on."""
    table = Table("tic_tac_toe", check=False, rated=True).seat("ada", "bob", account=True)
    table.do("ada", HandOver, level=3, confirm=True)
    for _ in table.play_out(random.Random(4)):
        table.now += 100
    return table


def anything(seed: int) -> Table:
    """Whatever people try, in whatever order."""
    generator = random.Random(seed)
    kinds: list[tuple[str, dict[str, Any]]] = [
        ("jieqi", {}), ("othello", {}), ("liuzhou", {}), ("chinese_checkers", {"players": 3, "turn_limit": 4}),
        ("xiangqi", {}), ("tic_tac_toe", {})]
    game, options = kinds[seed % len(kinds)]
    table = Table(game, options, check=False, clock=generator.choice([None, ClockRule(30_000, 500)]),
                  ai_on_flag=generator.random() < 0.5, ai_on_disconnect=generator.random() < 0.5)
    people = ("ada", "bob", "cyd")[:len(table.room.state.seats)]
    table.seat(*people)
    for _ in range(60):
        table.now += generator.choice([0, 0, 0, 10, 700])
        person = generator.choice(people)
        turn = telling.turn(table.room, table.room.viewer(person))
        move = generator.choice(turn.moves).text if turn is not None else "pass"
        commands: list[tuple[Any, dict[str, Any]]] = [
            *[(Move, {"move": move})] * 12, (OfferDraw, {}), (AnswerDraw, {"accept": generator.random() < 0.1}),
            (OfferTakeback, {}), (AnswerTakeback, {"accept": generator.random() < 0.5}), (HandOver, {"level": 3}),
            (Resume, {}), (Rematch, {}), *([(Resign, {})] if generator.random() < 0.05 else [])]
        kind, fields = generator.choice(commands)
        with contextlib.suppress(Refusal):
            table.do(person, kind, **fields)
        if asking.engine_request(table.room, table.now) is not None:
            with contextlib.suppress(Refusal):
                table.internal(table.answer(generator))
    return table


def by_the_server(told: list[str]) -> list[Any]:
    """The states after each message."""
    mirror, states = state.RoomState("table"), []
    for text in told:
        heard = messages.decode_from_server(text)
        reducer.apply(mirror, heard.seq, heard.at, heard.body)
        states.append(json.loads(msgspec.json.encode(mirror)))
    return states


def by_the_page(streams: list[list[str]], folder: Path) -> list[list[str]]:
    node = shutil.which("node")
    if node is None or not ESBUILD.is_file():
        pytest.skip("node or the page's packages not found; make page")
    bundle = folder / "apply.mjs"
    subprocess.run([str(ESBUILD), "--bundle", "--format=esm", "--platform=node", f"--outfile={bundle}",
                    "--log-level=warning"], input=PROGRAM, text=True, cwd=WEB, check=True)
    first = json.loads(msgspec.json.encode(state.RoomState("table")))
    told = [{"first": first, "events": [json.loads(text) for text in stream]} for stream in streams]
    answer = subprocess.run([node, str(bundle)], input=json.dumps(told), capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)  # type: ignore[no-any-return]


def test_the_page_changes_a_room_as_the_server_does(tmp_path: Path) -> None:
    tables = [waiting(), paused(), handed_over(), *(anything(seed) for seed in range(max(12, scaled(120))))]
    streams = [table.told[viewer] for table in tables for viewer in (None, 0)]
    seen = {json.loads(text)["body"]["kind"] for stream in streams for text in stream}
    assert seen == {events.kind_of(kind) for kind in get_args(views.PublicBody)}, "some kind of event never happened"
    for stream, states in zip(streams, by_the_page(streams, tmp_path), strict=True):
        for number, (expected, page) in enumerate(zip(by_the_server(stream), states, strict=True)):
            assert json.loads(page) == expected, stream[number]
