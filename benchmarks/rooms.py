"""How much a server of rooms carries: rooms that play, sockets that listen, and how long a move waits for its `ack`.

    python -m benchmarks.rooms                                      1,000 rooms, 3,000 sockets, a move every 3 s, 10 min
    python -m benchmarks.rooms --database postgresql                the same on a PostgreSQL that is started for it
    python -m benchmarks.rooms --rooms 1 --spectators 1000          one room with 1,000 spectators
    python -m benchmarks.rooms --seconds 60 --trouble silent        500 clients that never read
    python -m benchmarks.rooms --seconds 60 --trouble flood         20 clients that send nonsense as fast as they can
    python -m benchmarks.rooms --seconds 60 --trouble engines       50 rooms of AIs only, and an engine that hangs
    python -m benchmarks.rooms --seconds 60 --trouble reconnect     every connection breaks at once
    python -m benchmarks.rooms --seconds 60 --trouble restart       the server is killed and started again

Run it in the repository's folder. The server runs in a process of its own on one core (`--core`), the clients in this
one on the others. In each room two clients play any legal move of Othello, one of them every `--interval` seconds, and
`--spectators` watch; when a game is over the next one begins. With a `--trouble` there are two measurements, without it
and with it.

What is printed: moves that were acknowledged, the time from sending one to its `ack` and until spectators have been
sent it (median, 99 %, longest), the server's CPU time per move and per second, and samples of its memory.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import sys
import tempfile
import time
from dataclasses import asdict
from typing import Any

from benchmarks.load import Load, Server
from benchmarks.troubles import TROUBLES
from tests.server.databases import postgres


async def run(arguments: argparse.Namespace, server: Server) -> dict[str, object]:
    load = Load([server], arguments.interval)
    began = time.perf_counter()
    await load.open(arguments.rooms, arguments.spectators)
    sockets = sum(len(room.players) + len(room.watchers) for room in load.rooms)
    report: dict[str, object] = {
        "rooms": len(load.rooms), "sockets": sockets, "database": server.database.partition(":")[0],
        "opened_in_seconds": round(time.perf_counter() - began, 1)}
    print(f"{len(load.rooms)} rooms, {sockets} sockets", file=sys.stderr)
    if arguments.trouble is None:
        return report | {"figures": asdict(await load.measure(arguments.seconds))}
    report["calm"] = asdict(await load.measure(arguments.seconds))
    print(json.dumps(report), file=sys.stderr)
    notes: dict[str, Any] = {}
    async with TROUBLES[arguments.trouble](load, notes):
        report[arguments.trouble] = asdict(await load.measure(arguments.seconds))
    report["notes"] = notes
    report["load"] = [round(one, 1) for one in os.getloadavg()]
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rooms", type=int, default=1000)
    parser.add_argument("--spectators", type=int, default=1, help="per room")
    parser.add_argument("--interval", type=float, default=3.0, help="seconds between the moves of a room")
    parser.add_argument("--seconds", type=float, default=600.0, help="of each measurement")
    parser.add_argument("--trouble", choices=sorted(TROUBLES), help="what disturbs the second measurement")
    parser.add_argument("--database", help="as of `boyi serve`, or postgresql for a new one; else a new SQLite file")
    parser.add_argument("--core", type=int, default=0, help="of the server; the clients keep off it; -1 for any")
    arguments = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if arguments.core >= 0 and len(os.sched_getaffinity(0)) > 1:
        os.sched_setaffinity(0, os.sched_getaffinity(0) - {arguments.core})
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        database = arguments.database or f"sqlite:///{folder}/boyi.sqlite"
        if database == "postgresql":
            database = stack.enter_context(postgres(durable=True))
        server = Server(arguments.core, database, folder, 1 if arguments.trouble == "engines" else 0)
        try:
            print(json.dumps(asyncio.run(run(arguments, server)), indent=2))
        finally:
            server.end()


if __name__ == "__main__":
    main()
