"""A Chromium without a window, for tests, screenshots and measurements: the machine's own, driven by Playwright."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

MISSING = "no chromium found; Debian, Ubuntu: apt-get install chromium"


def find_chromium() -> str | None:
    """The program, by whichever name it has here."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def launch(playwright: Playwright) -> Browser:
    """Start it; end with `close`."""
    program = find_chromium()
    if program is None:
        raise SystemExit(MISSING)
    return playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
