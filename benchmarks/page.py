"""What the page costs: bytes of the first one, time until it can be used, how busy it is while stones hop, and how soon
the analysis board knows something.

    python -m benchmarks.page [--loads 9] [--rounds 6] [--markdown]

A server of its own on this machine, and a chromium without a window. Each load is in a context of its own, so nothing
is cached; interactive is the page when every card of the lobby has its board and can be touched. It is loaded again on
a phone, whose processor is four times slower, and traced until everything below the games has come; and once more while
six public games are played, which the lobby shows on small boards; what the browser takes for a page with nothing on it
stands beside that. Then a person plays
Chinese checkers with five computers, and the browser's own trace tells the longest task of the page's main thread from
the first move to the end of the last animation; it must have seen a hop of several legs. On the analysis board, the
first line is timed from the key that goes to a position nobody has looked at yet. Needs the built page (`make page`),
playwright and chromium.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

import boyi
from boyi.core.record import Record
from tools.browser import MISSING, find_chromium, launch
from tools.devtools import DevTools
from tools.serving import ServerProcess

BUDGET_KB, BUDGET_MS, BUDGET_TASK_MS, BUDGET_LINE_MS = 150, 1000, 50, 300
LEGS = 3
"""A hop that counts as one."""

READY = """() => { const cards = document.querySelectorAll(".card"),
    boards = document.querySelectorAll(".card .board .ground");
  return document.querySelector(".panels") && boards.length === cards.length ? performance.now() : 0; }"""

WATCH = f"""const look = () => {{
  window.interactive = ({READY})();
  if (!window.interactive) requestAnimationFrame(look); }};
look();"""
"""Notes when that was, and does not ask any more then."""

NEXT_POSITION = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const lines = () => document.querySelectorAll(".analysis ol li").length;
  const began = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
  do await frame(); while (!lines());
  return performance.now() - began; }"""
"""Goes one move on: milliseconds until a line of the new position is shown. Those of the old one go at once."""

LIVE = ("xiangqi", "jieqi", "othello", "liuzhou", "chinese_checkers", "othello")
PLAY_LIVE = """async games => {
  const post = (path, body, token) => fetch(path, {method: "POST", body: JSON.stringify(body), headers: {
    "Content-Type": "application/json", ...(token ? {Authorization: `Bearer ${token}`} : {})}}).then(one => one.json());
  for (const game of games) {
    const tokens = [];
    for (const name of ["Ada", "Grace"]) tokens.push((await post("/api/session", {name})).token);
    const [{room}] = await Promise.all(tokens.map(token => post("/api/opponents", {game}, token)));
    for (const token of tokens) {
      const socket = new WebSocket(`ws://${location.host}/ws`);
      let id = 0;
      socket.onopen = () => socket.send(JSON.stringify({type: "hello", room, token, client: "live"}));
      socket.onmessage = ({data}) => {
        const {type, number, seq, moves} = JSON.parse(data);
        if (type === "ping") socket.send(JSON.stringify({type: "pong", number}));
        if (type === "turn") setTimeout(() => socket.send(JSON.stringify(
          {type: "move", id: ++id, seen: seq, move: moves[(7 * id) % moves.length].text})), 1000);
      };
    }
  }
}"""
"""People of their own find each other in these games, and move once a second."""

PHONE_SLOWER = 4
"""The processor of a phone, against this one."""

PLIES = 20
"""Of the game that is stepped through on the analysis board."""

CATEGORIES = ["-*", "toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline",
              "disabled-by-default-lighthouse", "__metadata"]


SCRIPT = ("EvaluateScript", "v8.evaluateModule", "v8.compileModule", "FunctionCall", "RunMicrotasks")
"""Events that are work of scripts, and not of the browser: it lays out, paints, loads fonts."""


@dataclass(frozen=True)
class Task:
    """A task of a page's main thread, in milliseconds."""

    processor: float
    clock: float
    script: float = 0.0
    """What scripts took of the processor's time."""


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


def phone_lobby(address: str, live: int) -> list[Row]:
    """The first page on a phone, until all that comes late has come: the longest task of its main thread."""
    with DevTools(width=390, height=844, slower=PHONE_SLOWER) as phone:
        phone.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        phone.start_tracing(CATEGORIES)
        phone.call("Page.navigate", url=address)
        milliseconds = float(phone.wait_for("window.interactive"))
        phone.wait_for("document.querySelector('.puzzle .board') && "
                       f"document.querySelectorAll('[data-live] .board').length >= {live}")
        time.sleep(4)   # moves are followed
        events = phone.stop_tracing()
    tasks = main_tasks(events)
    work = max(task.processor for task in tasks)
    script = max(task.script for task in tasks)
    where = f"first page on a phone ({PHONE_SLOWER} × slower), {f'{live} live games' if live else 'nobody playing'}"
    return [Row(f"{where}: interactive", f"{milliseconds:.0f} ms", f"{BUDGET_MS} ms", milliseconds < BUDGET_MS),
            Row(f"the same: longest main-thread task of {len(tasks)}, CPU time", f"{work:.1f} ms",
                f"{BUDGET_TASK_MS} ms", work < BUDGET_TASK_MS),
            Row("the same: most that scripts take of a task", f"{script:.1f} ms", f"{BUDGET_TASK_MS} ms",
                script < BUDGET_TASK_MS)]


def bare_page(address: str) -> list[Row]:
    """What the browser itself takes on a phone for a page of ten lines without a script: no page can be below it."""
    with DevTools(width=390, height=844, slower=PHONE_SLOWER) as phone:
        phone.start_tracing(CATEGORIES)
        phone.call("Page.navigate", url=f"{address}offline.html")
        time.sleep(3)
        tasks = main_tasks(phone.stop_tracing())
    return [Row("for comparison, a page of ten lines without a script: longest main-thread task, CPU time",
                f"{max(task.processor for task in tasks):.1f} ms", "", True)]


def lobby(browser: Browser, address: str, loads: int) -> list[Row]:
    """The first page, and whether games that are played change it."""
    rows = [*first_page(browser, address, loads), *phone_lobby(address, 0)]
    players = browser.new_page()
    players.goto(f"{address}offline.html")
    players.evaluate(PLAY_LIVE, list(LIVE))
    rows += [Row(f"with {len(LIVE)} live games — {row.work}", row.measured, row.wanted, row.met)
             for row in first_page(browser, address, loads)]
    rows += phone_lobby(address, len(LIVE))
    players.close()
    return rows + bare_page(address)


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
    tasks = main_tasks(events)
    work, clock = max(task.processor for task in tasks), max(task.clock for task in tasks)
    about = f"{6 * played} moves of six players, hops of up to {legs} legs, {len(tasks)} tasks"
    return [Row(f"longest main-thread task, {about}: CPU time", f"{work:.1f} ms", f"{BUDGET_TASK_MS} ms",
                work < BUDGET_TASK_MS),
            Row("the same in wall time, other load on the machine included", f"{clock:.1f} ms",
                f"{BUDGET_TASK_MS} ms", clock < BUDGET_TASK_MS)]


def some_game() -> str:
    """A game of xiangqi as text."""
    position = boyi.start("xiangqi")
    for ply in range(PLIES):
        moves = position.moves()
        position.play(moves[17 * ply % len(moves)])
    return Record.from_position(position).to_text()


def first_lines(browser: Browser, address: str) -> list[Row]:
    """How soon the best move of a position is shown on the analysis board."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto(f"{address}analysis/xiangqi")
    page.wait_for_selector(".analysis ol li")   # the engine has started
    page.locator(".tools button").nth(1).click()
    page.locator("dialog textarea").first.fill(some_game())
    page.locator("dialog form button.main").click()
    page.wait_for_selector("dialog", state="detached")
    page.wait_for_selector(".study[data-ready][data-plies='0'] .analysis ol li")
    times = []
    for _ in range(PLIES):
        times.append(float(page.evaluate(NEXT_POSITION)))
        page.wait_for_timeout(500)
    page.wait_for_selector(f".study[data-plies='{PLIES}']")   # it has gone through the game
    context.close()
    middle = statistics.median(times)
    return [Row(f"analysis board: first line of a position, median of {len(times)} (longest)",
                f"{middle:.0f} ms ({max(times):.0f})", f"{BUDGET_LINE_MS} ms", middle < BUDGET_LINE_MS)]


def main_tasks(events: list[dict[str, Any]]) -> list[Task]:
    """The tasks of the main threads of pages."""
    mains = {(event["pid"], event["tid"]) for event in events
             if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"}
    timed = sorted((event for event in events if event.get("ph") == "X" and (event["pid"], event["tid"]) in mains),
                   key=lambda event: (event["ts"], -event["dur"]))
    tasks: list[Task] = []
    scripts: list[float] = []
    task_end = script_end = 0.0
    for event in timed:
        work, end = event.get("tdur", event["dur"]) / 1000, event["ts"] + event["dur"]
        if event["name"].endswith("RunTask") and event["ts"] >= task_end:   # a task has others inside
            tasks.append(Task(work, event["dur"] / 1000))
            scripts.append(0.0)
            task_end = end
        elif event["name"] in SCRIPT and scripts and script_end <= event["ts"] < task_end:
            scripts[-1] += work
            script_end = end
    if not tasks:
        raise SystemExit("the trace names no task of a main thread; this chromium calls them otherwise")
    return [replace(task, script=script) for task, script in zip(tasks, scripts, strict=True)]


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
        rows = [*lobby(browser, address, arguments.loads), *first_lines(browser, address),
                *hops(browser, address, arguments.rounds)]
        browser.close()
    for row in rows:
        met = "" if not row.wanted else "yes" if row.met else "no"
        if arguments.markdown:
            print(f"| {row.work} | {row.measured} | {row.wanted} | {met} |")
        else:
            print(f"{row.work:80} {row.measured:>16} {row.wanted:>10} {met:>4}")


if __name__ == "__main__":
    main()
