"""How much of a big comparison to do: all of it in a soak run (`BOYI_SOAK=1`), else a tenth."""

from __future__ import annotations

import os


def scaled(full: int) -> int:
    return full if os.environ.get("BOYI_SOAK") == "1" else full // 10
