"""Newcomers share the event loop: however many come at once, others have their rounds between a few of them."""

from __future__ import annotations

import asyncio
import time
from unittest import mock

from boyi.server.budgets import Budgets
from boyi.server.config import Config
from boyi.server.lobby import Lobby
from boyi.server.protocol.refusals import Refusal
from boyi.server.store import HeldError
from boyi.server.turnstile import ARRIVING_AT_ONCE, SLICE_SECONDS, Turnstile
from boyi.server.wire import Doors, Http, Waiting


def most_in_a_round(turnstile: Turnstile, come: mock.Mock, wanted: int) -> int:
    """How many newcomers were served, at the most, between two rounds of somebody who plays."""
    async def play() -> int:
        most = before = 0
        while come.call_count < wanted:
            await asyncio.sleep(0)
            most, before = max(most, come.call_count - before), come.call_count
        return most

    async def arrive() -> None:
        await turnstile.pass_through()
        come()

    async def run(arriving: bool) -> int:
        if arriving:
            playing = asyncio.create_task(play())
            await asyncio.gather(*(arrive() for _ in range(wanted)))
            return await playing
        for _ in range(wanted):
            turnstile.call(come)
        return await play()

    most = asyncio.run(run(arriving=False))
    come.reset_mock()
    return max(most, asyncio.run(run(arriving=True)))


def test_newcomers_are_served_in_slices() -> None:
    come = mock.Mock(side_effect=lambda: time.sleep(SLICE_SECONDS / 2))
    assert most_in_a_round(Turnstile(), come, 30) <= 1 + max(2, ARRIVING_AT_ONCE)


def test_who_arrives_goes_before_who_connects() -> None:
    async def run() -> list[str]:
        turnstile, order = Turnstile(), []
        for _ in range(3):
            turnstile.call(lambda: order.append("connects"))
        await turnstile.pass_through()
        order.append("arrives")
        while len(order) < 4:
            await asyncio.sleep(0)
        return order

    assert asyncio.run(run()) == ["arrives", "connects", "connects", "connects"]


def test_the_first_words_of_a_connection_wait_for_their_turn() -> None:
    async def run() -> None:
        budgets, turnstile = Budgets(), mock.Mock()
        wire = Http.__new__(Http)
        wire._doors = Doors(budgets, mock.Mock(), Waiting(budgets), turnstile)
        wire._unread, wire._is_heard, wire._phase, wire._timer, wire._address = bytearray(), False, "head", None, "a"
        wire.loop, wire.transport = asyncio.get_running_loop(), mock.Mock()
        with mock.patch.object(Http, "_take") as take:
            wire.data_received(b"GET / ")
            wire.data_received(b"HTTP/1.1\r\n")
            take.assert_not_called()
            turnstile.call.assert_called_once()
            wire.transport.is_closing.return_value = True    # it has gone meanwhile: nothing is done for it
            turnstile.call.call_args.args[0]()
            take.assert_not_called()

    asyncio.run(run())


def test_those_who_wait_for_a_dead_servers_room_are_woken_when_something_has_become_of_it() -> None:
    async def run() -> None:
        lobby = Lobby(Config(), mock.Mock(), mock.Mock())
        lobby.peers.introduce("http://127.0.0.1:1")
        lobby.peers.note_silence("http://127.0.0.1:2#dead")
        for outcome in (mock.Mock(), Refusal("no_room"), HeldError("http://127.0.0.1:3#alive")):
            waiting = [asyncio.create_task(lobby.until_taken_over("room")) for _ in range(3)]
            await asyncio.sleep(0)
            lobby._note_loaded("room", HeldError("http://127.0.0.1:2#dead"))
            await asyncio.sleep(0)
            assert not any(task.done() for task in waiting)
            lobby._note_loaded("room", outcome)
            await asyncio.gather(*waiting)

    asyncio.run(run())
