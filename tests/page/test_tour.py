"""The tour of everything (`benchmarks.tour`) sees what it looks for."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.tour import Tour, session_window


def test_shifts_are_summed_by_session_windows() -> None:
    """Less than a second apart, and no longer than five; the worst one counts."""
    def shift(at: float, value: float) -> dict[str, Any]:
        return {"at": at, "value": value, "what": [f"at {at}"]}

    assert session_window([]) == (0.0, [])
    worst, moved = session_window([shift(0, 0.02), shift(900, 0.02), shift(2000, 0.03)])
    assert worst == pytest.approx(0.04) and len(moved) == 2
    worst, moved = session_window([shift(900 * number, 0.01) for number in range(8)])
    assert worst == pytest.approx(0.06) and len(moved) == 6


def test_what_goes_wrong_is_found_in_its_view(browser: Any, address: str) -> None:
    tour = Tour(browser, address, ("othello",))
    person = tour.person("en", "light", "desk")
    with tour.view("lobby"):
        person.lobby()
    assert tour.findings == []
    with tour.view("broken lobby"):
        person.page.wait_for_timeout(600)   # what follows a touch at once is not held against the page
        person.page.evaluate("""() => { document.querySelector("main").style.paddingTop = "20rem";
            console.warn("a word of warning"); setTimeout(() => { throw new Error("uncaught"); });
            void fetch("/api/nothing"); void fetch("http://127.0.0.1:9/").catch(() => 0); }""")
    assert {one.view for one in tour.findings} == {"broken lobby"}
    found = {one.kind for one in tour.findings}
    assert {"console warning", "exception", "refused", "layout shift"} <= found
    assert tour.shift["broken lobby"] > 0.05 > tour.shift["lobby"]
    person.page.context.close()
