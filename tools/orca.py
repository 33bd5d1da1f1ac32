"""A whole game as the screen reader Orca says it: what a blind person at a keyboard hears.

    python -m tools.orca

Plays tic-tac-toe against the first level by keys alone, in a Chromium with a window on a screen of its own (Xvfb), and
prints what Orca said and what it wrote for braille. Ends with status 1 if a move, an answer or the result was not said.
Debian, Ubuntu: apt-get install orca xvfb at-spi2-core dbus-x11 chromium.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tools.browser import MISSING, find_chromium
from tools.serving import ServerProcess

DISPLAY = ":77"
LAUNCHER = Path("/usr/libexec/at-spi-bus-launcher")
PROGRAMS = ("Xvfb", "orca", "dbus-run-session", "gsettings")
WITHIN = "--within"
"""Said by the program to itself: the session of D-Bus is there."""

HEARD = re.compile(r"SPEECH OUTPUT: '(.*?)'\s*\{|BRAILLE LINE:\s+'(.*)'")
WINDOW = ["--no-sandbox", "--test-type", "--disable-gpu", "--force-renderer-accessibility",
          "--disable-background-networking"]
POINT = re.compile(r"^[a-z]\d+, ")
WANTED = (r"[abc][123], empty, can go here", r"Computer.*: [abc][123]", r"Game over: (You won|You lost|Draw)")
MOST_TABS = 100
PATIENCE = 1.5
"""Seconds that Orca gets to say what is new, also under load."""


def main() -> None:
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if find_chromium() is None:
        raise SystemExit(MISSING)
    if missing or not LAUNCHER.exists():
        raise SystemExit(f"not found: {', '.join(missing) or LAUNCHER}; Debian, Ubuntu: apt-get install orca xvfb "
                         "at-spi2-core dbus-x11")
    with tempfile.TemporaryDirectory() as folder:
        if WITHIN not in sys.argv:
            own = {"HOME": folder, "XDG_RUNTIME_DIR": folder, "DISPLAY": DISPLAY, "LANG": "C.UTF-8"}
            raise SystemExit(subprocess.run(["dbus-run-session", "--", sys.executable, "-m", "tools.orca", WITHIN],
                                            env={**os.environ, **own}, check=False).returncode)
        heard = listen(Path(folder))
    text = "\n".join(heard)
    print(text)
    lost = [what for what in WANTED if re.search(what, text) is None]
    if lost:
        raise SystemExit(f"Orca did not say {' or '.join(lost)}")


def listen(folder: Path) -> list[str]:
    """Play the game; all that Orca said, in order."""
    said = folder / "orca.log"
    with ExitStack() as stack:
        def start(*command: str) -> None:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.terminate)

        start("Xvfb", DISPLAY, "-screen", "0", "1280x900x24")
        time.sleep(1)
        subprocess.run(["gsettings", "set", "org.gnome.desktop.interface", "toolkit-accessibility", "true"], check=True)
        start(str(LAUNCHER), "--launch-immediately")
        time.sleep(1)
        start("orca", "--replace", "--disable=speech", f"--debug-file={said}")
        server = stack.enter_context(ServerProcess(folder, settings={"BUDGET_FACTOR": "1000"}))
        playwright = stack.enter_context(sync_playwright())
        time.sleep(3)    # Orca hears only what begins after it
        browser = playwright.chromium.launch(executable_path=find_chromium(), headless=False, args=WINDOW)
        page = browser.new_page(locale="en-GB")
        page.goto(f"{server.address}/play/tic_tac_toe")
        play(page)
        browser.close()
    found = HEARD.finditer(said.read_text(encoding="utf-8", errors="replace"))
    lines = [(match[1] or match[2] or "").strip() for match in found]
    return [line for line, before in zip(lines, ["", *lines], strict=False) if line not in ("", before, "tab")]


def play(page: Page) -> None:
    """A game to its end, by Tab, N and Enter."""
    page.get_by_role("slider", name="Level").press("Home")
    page.get_by_role("button", name="Start").press("Enter")
    page.get_by_role("dialog").wait_for(state="detached")
    over = page.get_by_role("button", name="Rematch")
    free = page.get_by_role("button", name="can go here").first
    while True:
        free.or_(over).first.wait_for()
        time.sleep(PATIENCE)
        if over.count():
            return
        for _ in range(MOST_TABS):
            if POINT.match(str(page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''"))):
                break
            page.keyboard.press("Tab")
        page.keyboard.press("n")
        time.sleep(PATIENCE)
        page.keyboard.press("Enter")


if __name__ == "__main__":
    main()
