"""Other servers of the same database: who is taken to be dead."""

from __future__ import annotations

from unittest import mock

import pytest

from boyi.server.peers import SILENT_SECONDS, Peers


def test_who_could_not_be_reached_is_dead_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("boyi.server.peers.time.monotonic", lambda: now)
    known = Peers(mock.Mock())
    known.introduce("http://10.0.0.7:8000")
    assert not known.is_silent("http://10.0.0.8:8000#x")
    known.note_silence("http://10.0.0.8:8000#x")
    assert known.is_silent("http://10.0.0.8:8000#x") and not known.is_silent("http://10.0.0.9:8000#y")
    now += SILENT_SECONDS
    assert not known.is_silent("http://10.0.0.8:8000#x")


def test_an_earlier_process_at_the_same_address_is_dead() -> None:
    known = Peers(mock.Mock())
    known.introduce("http://10.0.0.7:8000")
    assert known.is_silent("http://10.0.0.7:8000#earlier") and not known.is_silent(known.own_name)
