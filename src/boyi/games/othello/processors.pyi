from types import ModuleType
from typing import Final

PROCESSORS: Final[tuple[str, ...]]
"""What the search is compiled for, the fastest first; "any" is what the rest of the package is compiled for."""

def usable_processors() -> tuple[str, ...]:
    """Those of PROCESSORS that this machine can run and this package was built with."""

def compiled_for(name: str) -> ModuleType | None:
    """The compiled search for a processor; None where it was not built. To import one that cannot run would crash."""
