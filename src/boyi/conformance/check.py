"""Asking a game every property, and looking for the smallest example of what is broken."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path

from boyi.conformance import chance, endings, facts, memory, moves, nonsense, taking_back, uses, views
from boyi.conformance.case import Case, cases_of
from boyi.conformance.example import Example, examples, shrink
from boyi.conformance.expect import ConformanceError
from boyi.conformance.property import Property
from boyi.conformance.report import Failure, Finding, Report
from boyi.core.errors import BrokenRulesError
from boyi.core.game import Game
from boyi.games import find_game

__all__ = ["PROPERTIES", "ask", "check_game"]

PROPERTIES: tuple[Property, ...] = tuple(
    value for module in (facts, taking_back, moves, endings, chance, views, nonsense, memory, uses)
    for value in vars(module).values() if isinstance(value, Property))
"""All of them, the simplest first; the first says that there is anything to ask."""

SHARE_OF_OTHER_RULES = 4
"""Rules other than the default ones are asked one such part as often."""

OURS = str(Path(__file__).parents[1])


def check_game(game: Game | str, options: Mapping[str, object] | None = None, *, times: int = 1,
               heard: Callable[[Finding], None] = lambda finding: None) -> Report:
    """Ask a game, or the one of that name, every property.

    It is asked under its default rules, and less often under each other value of each option that changes them in
    kind; or under `options` alone. Every property is asked `times` as often as in a quick look, and `heard` is told at
    once what came of it.

    >>> check_game("tic_tac_toe").ok
    True
    """
    began = time.perf_counter()
    game = find_game(game) if isinstance(game, str) else game
    if options is None:
        cases = tuple(cases_of(game))
    else:
        chosen = game.resolve(options)
        cases = (Case(game, tuple((name, chosen[name]) for name in options)),)
    findings: list[Finding] = []
    for asked in PROPERTIES:
        if findings and findings[0].failure is not None:
            finding = Finding(asked, skipped="the game does not start")
        else:
            finding = _ask_all(asked, cases, times)
        findings.append(finding)
        heard(finding)
    return Report(game, cases, tuple(findings), time.perf_counter() - began)


def _ask_all(asked: Property, cases: tuple[Case, ...], times: int) -> Finding:
    reasons: list[str] = []
    cases = cases if asked.of_options else cases[:1]
    for number, case in enumerate(cases):
        message = _complaint(lambda case=case: reasons.append(asked.skips(case)))  # type: ignore[misc]
        if message is not None:
            return Finding(asked, Failure(case, message))
        if reasons[-1]:
            continue
        walks = asked.walks * times
        failure = ask(asked, case, walks if number == 0 else -(-walks // SHARE_OF_OTHER_RULES))
        if failure is not None:
            return Finding(asked, failure)
    return Finding(asked, skipped=reasons[0] if all(reasons) else "")


def ask(asked: Property, case: Case, walks: int) -> Failure | None:
    """Ask one property of one set of rules; the smallest example if it is broken."""
    if asked.walks == 0:
        message = _complaint(lambda: asked.check(case))
        return None if message is None else Failure(case, message)

    def complaint(example: Example) -> str | None:
        return _complaint(lambda: asked.check(case, example.seed, example.plies))

    for example in examples(walks):
        if complaint(example) is not None:
            smallest = shrink(lambda smaller: complaint(smaller) is not None, example)
            played, position = _describe(case, smallest)
            # A game that answers differently each time may be right again when asked once more.
            message = complaint(smallest) or "it is broken at times, and not every time that it is asked"
            return Failure(case, message, smallest, played, position)
    return None


def _complaint(check: Callable[[], object]) -> str | None:
    """What is wrong, or None."""
    try:
        check()
    except (ConformanceError, BrokenRulesError) as error:
        return str(error)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  (whatever a game raises is what is wrong with it, SystemExit too)
        return f"{type(error).__name__}: {_words(error)} ({_place(error)})"
    return None


def _words(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001  (an error of a game may be broken, too)
        return "it cannot say what"


def _place(error: BaseException) -> str:
    """Where it was raised: in the last line that is not ours, if there is one."""
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if Path(frame.filename).is_absolute() and not frame.filename.startswith(OURS)]
    frame = (theirs or frames)[-1]
    return f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}"


def _describe(case: Case, example: Example) -> tuple[tuple[str, ...], str]:
    """A walk as its moves and the text it leads to, as far as a game that is not in order can tell."""
    try:
        position = case.walk(example.seed, example.plies)
        replay, texts = case.start(), []
        for move in position.history():
            texts.append(str(replay.format_move(move)))
            replay.play(move)
        return tuple(texts), str(position.to_text())
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  (what is wrong is said elsewhere)
        return (), ""
