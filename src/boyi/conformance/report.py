"""What came of asking a game."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from boyi.conformance.case import Case
from boyi.conformance.example import Example
from boyi.conformance.property import Property
from boyi.core.game import Game

__all__ = ["Failure", "Finding", "Report", "Status"]

Status = Literal["holds", "fails", "skipped"]
MARKS: dict[Status, str] = {"holds": "ok  ", "fails": "FAIL", "skipped": "-   "}


@dataclass(frozen=True)
class Failure:
    """The smallest example found that breaks a property.

    >>> import boyi
    >>> failure = Failure(Case(boyi.find_game("othello")), "the texts differ", Example(4, 1), ("f5",))
    >>> print(*failure.lines(), sep="\\n")
    the texts differ
    after 1 moves of seed 4: boyi show othello --moves f5
    """

    case: Case
    message: str
    """What is wrong; where the game itself raised something: what, and where."""

    example: Example | None = None
    """None for a property that is not about a walk."""

    moves: tuple[str, ...] = ()
    """The walk as moves from the start."""

    position: str = ""
    """The text of the position that it leads to."""

    def lines(self) -> Iterator[str]:
        """What is wrong, and the command that shows where."""
        yield from self.message.splitlines()
        rules = [word for name, value in self.case.options for word in ("--option", f"{name}={value}")]
        if self.example is not None:
            walk = ["--moves", " ".join(self.moves)] if self.moves else []
            yield (f"after {self.example.plies} moves of seed {self.example.seed}: "
                   + shlex.join(["boyi", "show", self.case.game.name, *rules, *walk]))
        elif rules:
            yield f"with {shlex.join(rules)}"

    def document(self) -> dict[str, Any]:
        walk = {} if self.example is None else {
            "seed": self.example.seed, "plies": self.example.plies, "moves": list(self.moves),
            "position": self.position}
        return {"options": dict(self.case.options), "message": self.message} | walk


@dataclass(frozen=True)
class Finding:
    """What came of one property.

    >>> from boyi.conformance import PROPERTIES
    >>> Finding(PROPERTIES[0]).status
    'holds'
    """

    asked: Property
    failure: Failure | None = None
    skipped: str = ""
    """Why it was asked of no rules at all."""

    @property
    def status(self) -> Status:
        return "fails" if self.failure else "skipped" if self.skipped else "holds"

    def lines(self) -> Iterator[str]:
        """A line with the property, and below it what is broken."""
        yield f"{MARKS[self.status]}  {self.asked.sentence}" + (f" ({self.skipped})" if self.skipped else "")
        if self.failure is not None:
            yield from (f"      {line}" for line in self.failure.lines())

    def document(self) -> dict[str, Any]:
        return {"name": self.asked.name, "sentence": self.asked.sentence, "status": self.status} | (
            {"failure": self.failure.document()} if self.failure else {}) | (
            {"skipped": self.skipped} if self.skipped else {})


@dataclass(frozen=True)
class Report:
    """What came of all properties; `ok` if none is broken.

    >>> import boyi
    >>> from boyi.conformance import PROPERTIES
    >>> game = boyi.find_game("othello")
    >>> Report(game, (Case(game),), (Finding(PROPERTIES[0]),), seconds=0.1).ok
    True
    """

    game: Game
    cases: tuple[Case, ...]
    findings: tuple[Finding, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        return not self.failures

    @property
    def failures(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.status == "fails")

    @property
    def summary(self) -> str:
        held = sum(finding.status == "holds" for finding in self.findings)
        return (f"{held} of {len(self.findings)} properties hold, {len(self.failures)} broken; {len(self.cases)} "
                f"set{'s' if len(self.cases) > 1 else ''} of rules, {self.seconds:.1f} s")

    def __str__(self) -> str:
        """What is broken, and the sum of it."""
        return "\n".join([*(line for finding in self.failures for line in finding.lines()), self.summary])

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"game": self.game.name, "ok": self.ok, "rules": [dict(case.options) for case in self.cases],
                "properties": [finding.document() for finding in self.findings], "seconds": round(self.seconds, 3)}
