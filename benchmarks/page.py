"""What the page costs: bytes of the first one, time until it can be used, and how busy it is while stones hop.

    python -m benchmarks.page [--loads 9] [--rounds 6] [--markdown]

A server of its own on this machine, and a chromium without a window. Each load is in a context of its own, so nothing
is cached; interactive is the page when every card of the lobby has its board and can be touched. Then a person plays
Chinese checkers with five computers, and the browser's own trace tells the longest task of the page's main thread from
the first move to the end of the last animation; it must have seen a hop of several legs. Needs the built page (`make
page`), playwright and chromium.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tools.browser import MISSING, find_chromium, launch
from tools.serving import ServerProcess

BUDGET_KB, BUDGET_MS, BUDGET_TASK_MS = 150, 1000, 50
LEGS = 3
"""A hop that counts as one."""

READY = """() => { const cards = document.querySelectorAll(".card"), boards = document.querySelectorAll(".card .board");
  return cards.length > 0 && boards.length === cards.length ? performance.now() : 0; }"""

CATEGORIES = ["-*", "toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline",
              "disabled-by-default-lighthouse", "__metadata"]


@dataclass(frozen=True)
class Row:
    """Something measured, and what it may be."""

    work: str
    measured: str
    wanted: str
    met: bool


def load(browser: Browser, address: str) -> tuple[float, dict[str, int]]:
    """Milliseconds until the lobby is interactive, and the bytes of everything it asked for, by address."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, service_workers="block")
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    addresses: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def begun(event: dict[str, Any]) -> None:
        addresses[event["requestId"]] = event["response"]["url"]

    def ended(event: dict[str, Any]) -> None:
        sizes[addresses.get(event["requestId"], "")] = int(event["encodedDataLength"])

    network.on("Network.responseReceived", begun)
    network.on("Network.loadingFinished", ended)
    page.goto(address)
    milliseconds = float(page.wait_for_function(READY, polling="raf").json_value())
    context.close()
    return milliseconds, sizes


def first_page(browser: Browser, address: str, loads: int) -> list[Row]:
    """Bytes over the wire, and milliseconds until it is interactive."""
    load(browser, address)   # warms the server up
    found = [load(browser, address) for _ in range(loads)]
    times, files = [milliseconds for milliseconds, _ in found], found[0][1]
    middle = statistics.median(times)
    page_bytes = sum(size for url, size in files.items() if "/api/" not in url)
    data_bytes = sum(size for url, size in files.items() if "/api/" in url)
    return [
        Row("first page: HTML, script and style, gzip", f"{page_bytes / 1000:.1f} KB", f"{BUDGET_KB} KB",
            page_bytes < 1000 * BUDGET_KB),
        Row("the same with the games and boards it asks for", f"{(page_bytes + data_bytes) / 1000:.1f} KB", "",
            True),
        Row(f"interactive on localhost, median of {loads} (best)", f"{middle:.0f} ms ({min(times):.0f})",
            f"{BUDGET_MS} ms", middle < BUDGET_MS)]


def hops(browser: Browser, address: str, rounds: int) -> list[Row]:
    """The longest task of the main thread at a table of six, where one person plays five computers."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto(address)
    page.locator("[data-game=chinese_checkers]").click()
    dialog = page.locator("dialog")
    dialog.locator("input[type=range]").fill("4")
    dialog.locator("fieldset input[value='6']").check(force=True)
    dialog.locator("button.go").click()
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.json"
        page.wait_for_selector(".room[data-mine] .board")
        page.wait_for_timeout(2000)   # everything has been loaded, compiled and drawn
        browser.start_tracing(page=page, path=str(trace), screenshots=False, categories=CATEGORIES)
        legs = played = 0
        while played < rounds or legs < LEGS:
            page.wait_for_selector(".room[data-mine] .board:not([data-playing])")
            page.locator(".point.start").nth(played % page.locator(".point.start").count()).click()
            page.locator(".point.can").first.click()
            played += 1
            page.wait_for_function("plies => Number(document.querySelector('.room').dataset.plies) >= plies",
                                   arg=6 * played)
            legs = max(text.count("-") for text in page.locator(".moves li bdi").all_inner_texts())
        page.wait_for_selector(".room[data-mine] .board:not([data-playing])")
        browser.stop_tracing()
        events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    context.close()
    work, clock, count = longest_task(events)
    about = f"{6 * played} moves of six players, hops of up to {legs} legs, {count} tasks"
    return [Row(f"longest main-thread task, {about}: CPU time", f"{work:.1f} ms", f"{BUDGET_TASK_MS} ms",
                work < BUDGET_TASK_MS),
            Row("the same in wall time, other load on the machine included", f"{clock:.1f} ms",
                f"{BUDGET_TASK_MS} ms", clock < BUDGET_TASK_MS)]


def longest_task(events: list[dict[str, Any]]) -> tuple[float, float, int]:
    """CPU and wall milliseconds of the longest task on a page's main thread, and the number of tasks."""
    mains = {(event["pid"], event["tid"]) for event in events
             if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"}
    tasks = [event for event in events if event.get("name", "").endswith("RunTask")
             and event.get("ph") == "X" and (event["pid"], event["tid"]) in mains]
    if not tasks:
        raise SystemExit("the trace names no task of a main thread; this chromium calls them otherwise")
    return (max(task.get("tdur", task["dur"]) for task in tasks) / 1000, max(task["dur"] for task in tasks) / 1000,
            len(tasks))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--loads", type=int, default=9)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    if find_chromium() is None:
        print(f"{MISSING}; the page is not measured", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder, ServerProcess(folder) as server, sync_playwright() as playwright:
        browser = launch(playwright)
        address = server.address + "/"
        rows = [*first_page(browser, address, arguments.loads), *hops(browser, address, arguments.rounds)]
        browser.close()
    for row in rows:
        met = "" if not row.wanted else "yes" if row.met else "no"
        if arguments.markdown:
            print(f"| {row.work} | {row.measured} | {row.wanted} | {met} |")
        else:
            print(f"{row.work:80} {row.measured:>16} {row.wanted:>10} {met:>4}")


if __name__ == "__main__":
    main()
