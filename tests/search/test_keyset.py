"""The set of positions that a search has met: a Python set, but faster."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from boyi.search.keyset import KeySet
from tests.scale import scaled


@pytest.mark.parametrize("kind", ["scattered", "small", "multiples", "alike"])
def test_it_is_a_set(kind: str) -> None:
    """Whatever the keys are like: many at one slot, in a row, 0 among them; and after it was emptied."""
    chance = random.Random(kind)
    draw = {"scattered": lambda: chance.getrandbits(64), "small": lambda: chance.randrange(30_000),
            "multiples": lambda: chance.randrange(1 << 20) << 44,
            "alike": lambda: chance.choice((0, 1, 2**64 - 1))}[kind]
    keys = KeySet()
    for round_number in range(4):
        twin: set[int] = set()
        for number in range(scaled(400_000, 10) // (1 + 20 * (round_number % 2))):
            key = draw()
            assert keys.insert(key) == (key not in twin)
            twin.add(key)
            if number % 64 == 0:
                other = draw()
                assert (other in keys) == (other in twin)
        assert len(keys) == len(twin)
        assert all(key in keys for key in twin)
        keys.empty()
        assert len(keys) == 0 and not any(key in keys for key in twin)


OUT_OF_MEMORY = """
import resource
from boyi.search.keyset import KeySet

keys = KeySet()
with open("/proc/self/statm", encoding="ascii") as file:
    taken = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + (8 << 20), -1))
number = 0
try:
    while True:
        keys.insert(number)
        number += 1
except MemoryError as error:
    print(error)
# What was there is still there, and nothing else.
assert len(keys) == number and number - 1 in keys and number not in keys
try:
    keys.insert(number)
except MemoryError:
    pass
assert len(keys) == number
keys.empty()
assert keys.insert(7) and 7 in keys
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the memory of a process as Linux does")
def test_out_of_memory_is_said() -> None:
    done = subprocess.run([sys.executable, "-c", OUT_OF_MEMORY], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "no room for more than the" in done.stdout and "search less deep" in done.stdout
