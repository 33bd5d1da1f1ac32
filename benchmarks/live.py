"""Live analysis for many: how often each is told of progress, how deep it comes, and what rooms notice of it.

    python -m benchmarks.live                                 50 people analyse for a minute, beside 200 rooms that play
    python -m benchmarks.live --people 1 --rooms 0 --seconds 4    one person alone: the first line, the depth after 3 s
    python -m benchmarks.live --tabs 20                       the same as the first, and one more person with 20 tabs

Run it in the repository's folder. The server runs with two engines in processes of its own, everyone comes from an
address of their own and looks at another position of xiangqi with three lines, one in five goes on to another position
every five seconds. Rooms play as in `benchmarks.rooms`; their figures are taken before anyone analyses, and then.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import tempfile
import time
from dataclasses import asdict, dataclass, field
from typing import Any

import websockets.asyncio.client

import boyi
from benchmarks.load import Load, Server, Times
from benchmarks.sockets import home

FIRST_ADDRESS = 30_000
"""From this number on, addresses are those of people who analyse."""

DEPTH_SECONDS = 3.0
MOVING_SECONDS = 5.0
OPENING_PLIES = 8
LINES = 3


@dataclass
class Person:
    """Someone who analyses, in one tab or several."""

    number: int
    tabs: int = 1
    moves_on: bool = False
    """Goes on to another position now and then."""

    told: list[float] = field(default_factory=list)
    """When updates came, in any tab."""

    firsts: list[float] = field(default_factory=list)
    """Seconds from asking about a position to the first line."""

    depth: int = 0
    """After `DEPTH_SECONDS`, in the first tab."""

    spent: dict[tuple[int, int], float] = field(default_factory=dict)
    """Seconds of an engine, by tab and question."""

    @property
    def longest_gap(self) -> float:
        return max((late - early for early, late in zip(self.told, self.told[1:], strict=False)), default=float("inf"))

    async def analyse(self, address: str, until: float, lines: int) -> None:
        await asyncio.gather(*(self._watch(address, tab, until, lines) for tab in range(self.tabs)))

    async def _watch(self, address: str, tab: int, until: float, lines: int) -> None:
        url = address.replace("http", "ws") + "/ws/analysis"
        async with websockets.asyncio.client.connect(
                url, compression=None, max_queue=None, proxy=None,
                local_addr=(home(FIRST_ADDRESS + self.number), 0)) as socket:
            number, asked, is_first = 0, -MOVING_SECONDS, False
            while (now := time.perf_counter()) < until:
                if number == 0 or (self.moves_on and now >= asked + MOVING_SECONDS):
                    number, asked, is_first = number + 1, now, True
                    moves = opening(1000 * self.number + 100 * tab + number)
                    await socket.send(json.dumps(
                        {"type": "analyse", "id": number, "game": "xiangqi", "moves": moves, "lines": lines}))
                try:
                    async with asyncio.timeout(min(until - now, 1.0)):
                        message = json.loads(await socket.recv())
                except TimeoutError:
                    continue
                if message.get("id") != number:
                    continue
                if message["type"] != "update":
                    raise RuntimeError(f"refused: {message}")
                now = time.perf_counter()
                self.told.append(now)
                if is_first:
                    self.firsts.append(now - asked)
                    is_first = False
                if tab == 0 and number == 1 and now - asked <= DEPTH_SECONDS:
                    self.depth = message["analysis"]["depth"]
                self.spent[tab, number] = message["analysis"]["seconds"]


def opening(number: int) -> list[str]:
    """Some legal moves from the start."""
    position, generator, texts = boyi.start("xiangqi"), random.Random(number), list[str]()
    for _ in range(OPENING_PLIES if number else 0):
        move = generator.choice(position.moves())
        texts.append(position.format_move(move))
        position.play(move)
    return texts


async def run(arguments: argparse.Namespace, server: Server) -> dict[str, Any]:
    report: dict[str, Any] = {"people": arguments.people, "rooms": arguments.rooms, "tabs": arguments.tabs}
    load = Load([server], arguments.interval)
    await load.open(arguments.rooms, 1)
    if arguments.rooms:
        report["rooms_before"] = asdict(await load.measure(arguments.seconds / 2))
    await Person(9_000).analyse(server.address, time.perf_counter() + 15.0, 1)   # the engine has started
    people = [Person(number, moves_on=number % 5 == 4) for number in range(arguments.people)]
    many = Person(8_000, arguments.tabs) if arguments.tabs else None
    everyone = people if many is None else [*people, many]
    until = time.perf_counter() + arguments.seconds
    playing = asyncio.create_task(load.measure(arguments.seconds))
    await asyncio.gather(*(person.analyse(server.address, until, arguments.lines) for person in everyone))
    if arguments.rooms:
        report["rooms_meanwhile"] = asdict(await playing)
    playing.cancel()
    spent = [sum(person.spent.values()) for person in people]
    report |= {
        "first_line_ms": asdict(Times.of([one for person in people for one in person.firsts])),
        "gap_ms": asdict(Times.of([late - early for person in people
                                   for early, late in zip(person.told, person.told[1:], strict=False)])),
        "longest_gap_seconds": round(max(person.longest_gap for person in people), 2),
        "depth_after_3_seconds": {"median": statistics.median(person.depth for person in people),
                                  "least": min(person.depth for person in people)},
        "engine_seconds": {"median": round(statistics.median(spent), 2), "least": round(min(spent), 2),
                           "most": round(max(spent), 2)},
        "load": [round(one, 1) for one in os.getloadavg()]}
    if many is not None:
        report["engine_seconds_of_tabs"] = round(sum(many.spent.values()), 2)
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--people", type=int, default=50, help="who analyse")
    parser.add_argument("--tabs", type=int, default=0, help="of one person more")
    parser.add_argument("--lines", type=int, default=LINES)
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--interval", type=float, default=3.0, help="seconds between the moves of a room")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--engines", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(-1, f"sqlite:///{folder}/boyi.sqlite", folder, arguments.engines)
        try:
            print(json.dumps(asyncio.run(run(arguments, server)), indent=2))
        finally:
            server.end()


if __name__ == "__main__":
    main()
