"""How much work the tests do: a tenth normally, all of it under soak (`BOYI_SOAK=1`)."""

from __future__ import annotations

import os

SOAK = os.environ.get("BOYI_SOAK") == "1"


def scaled(full: int) -> int:
    """`full` under soak, a tenth of it otherwise."""
    return full if SOAK else full // 10
