"""How rooms scale past one process: two servers on one PostgreSQL, and what a room more costs.

    python -m benchmarks.scale                          5,000 rooms, 15,000 sockets, a move every 15 s, 10 minutes;
                                                        one server is killed in the middle
    python -m benchmarks.scale --steps 500 1000 2000 5000 --seconds 60 --plot scale.svg
                                                        how cost grows with the number of rooms

Servers, database and clients share the machine's cores. In each room two clients play any legal move of Othello, one of
them every `--interval` seconds, and one watches. When a server is killed its clients connect to the other one, again
and again until that one has taken their room over; a move that was not answered is sent again, and its time counts from
the first sending. The killed server starts again a few seconds later. At the end every client must have seen
whatever was acknowledged to anyone in its room.
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
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.load import Load, Server
from tests.server.databases import postgres

RETRY_SECONDS = 2.0
"""The longest that a client waits before it connects again."""

DOWN_SECONDS = 10.0
"""How long a killed server is away."""


async def measure(servers: Sequence[Server], rooms: int, interval: float, seconds: float, kill: bool) -> dict[str, Any]:
    """Open rooms, let them play, and say what that cost."""
    load, began = Load(servers, interval), time.perf_counter()
    await load.open(rooms, spectators=1)
    report: dict[str, Any] = {"rooms": rooms, "sockets": 3 * rooms, "servers": len(servers),
                              "opened_in_seconds": round(time.perf_counter() - began, 1)}
    print(json.dumps(report), file=sys.stderr)
    disturbing = asyncio.create_task(_kill(load, seconds / 2, report)) if kill else None
    report["figures"] = asdict(await load.measure(seconds))
    if disturbing is not None:
        await disturbing
    await asyncio.sleep(2)   # what is on its way arrives
    report["acknowledged_and_missing"] = sum(
        client.seq < room.acknowledged for room in load.rooms for client in (*room.players, *room.watchers))
    report["load_average"] = [round(one, 1) for one in os.getloadavg()]
    load.cut()
    return report


async def _kill(load: Load, after: float, report: dict[str, Any]) -> None:
    """Kill the second server; its clients go to the first."""
    await asyncio.sleep(after)
    dead, alive = load.servers[1], load.servers[0]
    moved = [room for room in load.rooms if room.server is dead]
    await asyncio.to_thread(dead.kill)
    for room in moved:
        room.server = alive
    began = time.perf_counter()
    back = asyncio.create_task(load.come_back(moved, RETRY_SECONDS))
    await asyncio.sleep(DOWN_SECONDS)
    await asyncio.to_thread(dead.restart)
    report["killed"] = {"rooms": len(moved), "back_ms": asdict(await back),
                        "all_back_seconds": round(time.perf_counter() - began, 1)}


def table(reports: Sequence[dict[str, Any]]) -> str:
    """The reports, one a row, as Markdown."""
    lines = ["| rooms | sockets | moves/s | move → ack, median | p99 | longest | server CPU | a move | memory |",
             "|---|---|---|---|---|---|---|---|---|"]
    for report in reports:
        figures = report["figures"]
        times = figures["ack_ms"]
        lines.append(
            f"| {report['rooms']:,} | {report['sockets']:,} | {figures['moves'] / figures['seconds']:.0f} "
            f"| {times['median']} ms | {times['p99']} ms | {times['longest']} ms | {figures['cpu_share']:.2f} cores "
            f"| {figures['cpu_ms_per_move']} ms | {figures['memory_mb'][-1]:.0f} MB |")
    return "\n".join(lines)


def plot(reports: Sequence[dict[str, Any]], path: Path) -> None:
    """CPU and p99 by the number of rooms."""
    from matplotlib.figure import Figure

    rooms = [report["rooms"] for report in reports]
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    cpu = figure.subplots()
    cpu.plot(rooms, [report["figures"]["cpu_share"] for report in reports], "o-", color="C0")
    cpu.set_xlabel("rooms, a move every 15 s in each")
    cpu.set_ylabel("cores of both servers", color="C0")
    cpu.set_ylim(0)
    wait = cpu.twinx()
    wait.plot(rooms, [report["figures"]["ack_ms"]["p99"] for report in reports], "s--", color="C1")
    wait.set_ylabel("move → ack, p99, ms", color="C1")
    wait.set_ylim(0)
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rooms", type=int, default=5000)
    parser.add_argument("--steps", type=int, nargs="+", help="several numbers of rooms, one after the other; no kill")
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--interval", type=float, default=15.0, help="seconds between the moves of a room")
    parser.add_argument("--seconds", type=float, default=600.0, help="of each measurement")
    parser.add_argument("--no-kill", action="store_true", help="no server is killed in the middle")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw how cost grows")
    arguments = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    reports = []
    for rooms in arguments.steps or [arguments.rooms]:
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            database = stack.enter_context(postgres(durable=True))
            servers = [Server(-1, database, folder, 0) for _ in range(arguments.servers)]
            try:
                reports.append(asyncio.run(measure(
                    servers, rooms, arguments.interval, arguments.seconds,
                    kill=not arguments.steps and not arguments.no_kill and arguments.servers > 1)))
            finally:
                for server in servers:
                    server.end()
        print(json.dumps(reports[-1]), file=sys.stderr)
    print(table(reports))
    if not arguments.steps:
        print(json.dumps(reports[0], indent=2))
    if arguments.plot is not None:
        plot(reports, arguments.plot)


if __name__ == "__main__":
    main()
