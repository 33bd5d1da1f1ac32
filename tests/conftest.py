"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# No test measures time: a busy machine must not turn a slow example into a failure.
settings.register_profile("boyi", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("boyi")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse addresses in the names of tests: they differ between the processes that share the work."""
    for item in items:
        if " at 0x" in item.nodeid:
            raise pytest.UsageError(f"{item.nodeid} is called differently in every process; give its parameter an id")
