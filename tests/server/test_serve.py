"""Running a server: a client that sends on after goodbye is not read for long."""

from __future__ import annotations

from unittest import mock

from boyi.server.budgets import Budgets
from boyi.server.wire import RECEIVE_BYTES, SOCKET_SLICE_BYTES, Doors, Socket, Waiting


def test_who_talks_on_after_goodbye_is_hung_up_on() -> None:
    wire = Socket.__new__(Socket)
    wire._doors = Doors(Budgets(), mock.Mock(), Waiting(Budgets()), mock.Mock())
    wire._bytes, wire._frames = mock.Mock(take=lambda *_: 0.0), mock.Mock(take=lambda *_: 0.0)
    wire._unread, wire._received_after_close, wire.read_paused = bytearray(), 0, False
    wire.transport, wire.conn, wire.close_sent = mock.Mock(), mock.Mock(parser_exc=None), False
    wire.conn.events_received.return_value = []

    def read(count: int) -> None:
        for first in range(0, count, SOCKET_SLICE_BYTES):
            wire.data_received(bytes(min(SOCKET_SLICE_BYTES, count - first)))

    read(2 * RECEIVE_BYTES)   # before goodbye there are other limits
    wire.close_sent = True
    read(RECEIVE_BYTES)       # its own goodbye may be behind it
    wire.transport.abort.assert_not_called()
    read(1)
    wire.transport.abort.assert_called_once()
    assert wire.conn.receive_data.call_count == 3 * RECEIVE_BYTES // SOCKET_SLICE_BYTES
