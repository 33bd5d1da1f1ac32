"""Training on several machines: a lost one costs time and nothing else."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from tests.arena.cluster import TOO_BUSY

pytest.importorskip("torch", reason="PyTorch is not installed; pip install 'boyi[learn]'")
pytest.importorskip("ray", reason="Ray is not installed; pip install 'boyi[cluster]'")


@pytest.mark.slow
def test_a_killed_node_changes_nothing() -> None:
    root = Path(__file__).parents[3]
    environment = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32), "RAY_USAGE_STATS_ENABLED": "0",
                   "PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, "-m", "tests.learn.training.cluster"], cwd=root,
                          env=os.environ | environment, capture_output=True, text=True, timeout=300)
    if done.returncode == TOO_BUSY:
        pytest.skip("Ray did not start in the time that it gives itself, twice; is this machine very busy?")
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert facts["killed"] and facts["killed"][0] in facts["begun_twice"]
    assert facts["most_often"] == 1
    assert facts["numbers"] == facts["expected"]
