"""Spec strings that would run something on this machine, and whether one of them has."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from boyi.agents import python as module

CODE = """
from pathlib import Path
Path({marker!r}).touch()

class Agent:
    def choose(self, observation, clock):
        return observation.moves()[0]
"""


@dataclass(frozen=True)
class Trap:
    """A module in this folder, a program and an entry point; whichever is used leaves a file behind."""

    marker: Path
    specs: tuple[str, ...]

    @property
    def sprung(self) -> bool:
        """Has anything been imported or started?"""
        return self.marker.exists() or "trap_agent" in sys.modules


@contextmanager
def set_trap(folder: Path) -> Iterator[Trap]:
    """In this folder, which is the current one and on the path meanwhile."""
    marker, code = folder / "sprung", folder / "trap_agent.py"
    code.write_text(CODE.format(marker=str(marker)))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.syspath_prepend(str(folder))
        patch.setattr("importlib.metadata.entry_points",
                      lambda group: [EntryPoint("trapped", "trap_agent:Agent", group)])
        module.installed_kinds.cache_clear()
        yield Trap(marker, (
            "python:trap_agent:Agent", "python:os:system", "python:os:system,command=touch sprung",
            "python:subprocess:Popen,args=touch", "trapped", "trapped:depth=3", "human", " python:trap_agent:Agent ",
            *(f"{protocol}:{sys.executable} {code}" for protocol in ("uci", "ucci", "xboard", "gtp", "nboard"))))
    module.installed_kinds.cache_clear()
