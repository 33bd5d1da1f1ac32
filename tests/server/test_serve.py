"""Running a server: a client that sends on after goodbye is not read for long."""

from __future__ import annotations

from unittest import mock

from boyi.server.serve import RECEIVE_BYTES, Wire


def test_who_talks_on_after_goodbye_is_hung_up_on() -> None:
    wire = Wire.__new__(Wire)
    wire.transport, wire.conn, wire.close_sent = mock.Mock(), mock.Mock(parser_exc=None), False
    wire.conn.events_received.return_value = []
    wire.data_received(bytes(2 * RECEIVE_BYTES))   # before goodbye there are other limits
    wire.close_sent = True
    wire.data_received(bytes(RECEIVE_BYTES))       # its own goodbye may be behind it
    wire.transport.abort.assert_not_called()
    wire.data_received(bytes(1))
    wire.transport.abort.assert_called_once()
    assert wire.conn.receive_data.call_count == 2
