"""Troubles for a server of rooms: clients that never read or flood, hanging engines, lost connections, a crash."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import random
import select
import signal
import socket
import time
from collections.abc import AsyncIterator
from dataclasses import asdict
from multiprocessing.connection import Connection
from typing import Any

from benchmarks.load import Load
from benchmarks.sockets import Player, Watcher, home, post


@contextlib.asynccontextmanager
async def silent(load: Load, notes: dict[str, Any], count: int = 500) -> AsyncIterator[None]:
    """Clients that say hello and never read from their sockets. Cut off, they connect again."""
    notes["cut_off"] = 0

    async def never_read(number: int) -> None:
        room = load.rooms[number % len(load.rooms)]
        while True:
            plug = socket.socket()
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            plug.setblocking(False)
            plug.bind((home(40_000 + number), 0))
            loop = asyncio.get_running_loop()
            await loop.sock_connect(plug, ("127.0.0.1", load.server.port))
            deaf = Watcher(load.server.address, room.name)
            # The handshake and hello at once, since the answer to the handshake is not read either.
            await loop.sock_sendall(plug, deaf.greeting())
            # A hang-up can be seen without reading.
            while not has_hung_up(plug):
                await asyncio.sleep(2)
            plug.close()
            notes["cut_off"] += 1

    tasks = [asyncio.create_task(never_read(number)) for number in range(count)]
    await asyncio.sleep(5)
    yield
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
    notes["connections_at_the_end"] = await load.server.metric("boyi_connections")


def has_hung_up(plug: socket.socket) -> bool:
    poll = select.poll()
    poll.register(plug, select.POLLRDHUP)
    return bool(poll.poll(0))


@contextlib.asynccontextmanager
async def flood(load: Load, notes: dict[str, Any], count: int = 20) -> AsyncIterator[None]:
    """Clients that send nonsense and requests as fast as they can; cut off, they connect again.

    They run in a process of lower priority, so that what is measured is the server and not the wait of this process.
    """
    names = [room.name for room in load.rooms]
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=pour_all, args=(load.server.address, names, count, there))
    process.start()
    await asyncio.to_thread(here.recv)
    try:
        yield
        here.send("enough")
        notes |= await asyncio.to_thread(here.recv)
    finally:
        process.kill()
        process.join()


def pour_all(server: str, rooms: list[str], count: int, pipe: Connection) -> None:
    """Run many flooding clients until the pipe says enough."""
    os.nice(19)
    notes = {"frames": 0, "cut_off": 0}

    async def work() -> None:
        tasks = [asyncio.create_task(pour(server, rooms, number, notes)) for number in range(count)]
        pipe.send("begun")
        await asyncio.to_thread(pipe.recv)
        for task in tasks:
            task.cancel()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(result, Exception):
                raise result

    asyncio.run(work())
    pipe.send(notes)


async def pour(server: str, rooms: list[str], number: int, notes: dict[str, int]) -> None:
    """One flooding client."""
    frames = [b"nonsense", b"{" * 3000, b'{"type":"check","id":1,"seen":0,"seat":0}',
              b'{"type":"history","id":2,"seen":0}', b'{"type":"move","id":3,"seen":0,"move":"a1"}',
              b'{"type":"chat","id":4,"seen":0,"text":"' + b"x" * 4000]
    generator = random.Random(number)
    while True:
        loud = Watcher(server, generator.choice(rooms))
        await loud.connect(server, home(50_000 + number))
        await asyncio.wait([loud.here, loud.lost], return_when=asyncio.FIRST_COMPLETED)
        while not loud.lost.done():
            for _ in range(10):
                loud.say(generator.choice(frames))
            notes["frames"] += 10
            await asyncio.sleep(0.002)
        notes["cut_off"] += 1
        await asyncio.sleep(0.1)


@contextlib.asynccontextmanager
async def engines(load: Load, notes: dict[str, Any], count: int = 50) -> AsyncIterator[None]:
    """Rooms of AIs only; after a while their engine is stopped in the middle of a search."""
    server, before = load.server, await load.server.metric('boyi_engine_answers_total{kind="game"}')
    hosts = []
    for number in range(count):
        address = home(60_000 + number)
        token = (await post(server.address, "/api/session", {"name": "host"}, "", address))["token"]
        made = await post(server.address, "/api/rooms", {"game": "xiangqi"}, token, address)
        host = Player(server.address, made["room"], token)
        await host.connect(server.address, address)
        await host.here
        for seat in range(2):
            await host.must("set_ai", seat=seat, level=4)
        await host.must("start")
        hosts.append(host)

    async def hang() -> None:
        await asyncio.sleep(5)
        children = server.children()
        for child in children:
            os.kill(child, signal.SIGSTOP)
        notes["engines_stopped"] = len(children)

    hanging = asyncio.create_task(hang())
    yield
    await hanging
    notes["engines_replaced"] = await server.metric("boyi_engines_replaced_total")
    notes["engine_moves"] = await server.metric('boyi_engine_answers_total{kind="game"}') - before
    for host in hosts:
        host.abort()


@contextlib.asynccontextmanager
async def reconnect(load: Load, notes: dict[str, Any]) -> AsyncIterator[None]:
    """Every connection breaks at once, and all reconnect at once."""
    load.cut()
    await asyncio.sleep(1)
    began = time.perf_counter()
    notes["back_ms"] = asdict(await load.come_back())
    notes["all_back_seconds"] = round(time.perf_counter() - began, 2)
    yield


@contextlib.asynccontextmanager
async def restart(load: Load, notes: dict[str, Any]) -> AsyncIterator[None]:
    """The server is killed and started again."""
    began = time.perf_counter()
    await asyncio.to_thread(load.server.restart)
    notes["listens_after_seconds"] = round(time.perf_counter() - began, 2)
    notes["back_ms"] = asdict(await load.come_back())
    notes["all_back_seconds"] = round(time.perf_counter() - began, 2)
    yield


TROUBLES = {"silent": silent, "flood": flood, "engines": engines, "reconnect": reconnect, "restart": restart}
