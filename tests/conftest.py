"""What all tests share."""

from __future__ import annotations

import os
import signal
import threading

import pytest
from hypothesis import HealthCheck, settings

from tests.scale import SLOW, SOAK

# No test measures time: a busy machine must not turn a slow example into a failure.
# The examples are the same in every run: what passes here passes there. A soak run looks for new ones.
settings.register_profile("boyi", deadline=None, derandomize=not SOAK, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("boyi")

# Tables are as wide as they are, whatever the terminal that the tests were started from.
os.environ.pop("COLUMNS", None)

# A shell starts background jobs with Ctrl-C ignored, and children inherit that; then tests that interrupt a
# child would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is too slow for this run, unless `-m` chooses; and refuse names that differ between processes."""
    for item in items:
        if " at 0x" in item.nodeid:
            raise pytest.UsageError(f"{item.nodeid} is called differently in every process; give its parameter an id")
    if config.getoption("markexpr"):
        return
    hidden = {name for name, runs in (("slow", SLOW), ("soak", SOAK)) if not runs}
    left_out = [item for item in items if any(marker.name in hidden for marker in item.iter_markers())]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]
