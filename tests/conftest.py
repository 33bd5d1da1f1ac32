"""What all tests share."""

from __future__ import annotations

import signal
import threading

import pytest
from hypothesis import HealthCheck, settings

from tests.scale import SOAK

# No test measures time: a busy machine must not turn a slow example into a failure.
# The examples are the same in every run: what passes here passes there. A soak run looks for new ones.
settings.register_profile("boyi", deadline=None, derandomize=not SOAK, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("boyi")

# A shell starts background jobs with Ctrl-C ignored, and children inherit that; then tests that interrupt a
# child would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse addresses in the names of tests: they differ between the processes that share the work."""
    for item in items:
        if " at 0x" in item.nodeid:
            raise pytest.UsageError(f"{item.nodeid} is called differently in every process; give its parameter an id")
