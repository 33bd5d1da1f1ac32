"""How much the tests do.

`make test` asks every property on a sample. `make test-all` (`BOYI_SLOW=1`) adds the tests that are marked `slow`:
needed before a merge, too long for every day. `make soak` (`BOYI_SOAK=1`) takes the samples in full.
"""

from __future__ import annotations

import os

SOAK = os.environ.get("BOYI_SOAK") == "1"
SLOW = SOAK or os.environ.get("BOYI_SLOW") == "1"


def scaled(full: int, part: int = 10) -> int:
    """`full` under soak, a tenth of it before a merge, one `part`-th of it otherwise."""
    return full if SOAK else full // (10 if SLOW else part)
