"""What all tests share."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, settings

# No test measures time: a busy machine must not turn a slow example into a failure.
settings.register_profile("boyi", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("boyi")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep addresses out of the names of tests (`<object object at 0x…>`): workers must agree on the names."""
    item._nodeid = re.sub(r" at 0x[0-9a-fA-F]+", "", item._nodeid)
