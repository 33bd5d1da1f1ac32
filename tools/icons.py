"""The icons of the page in the sizes that phones want: `python -m tools.icons` draws them from web/public/icon.svg.

A *maskable* icon is cut into whatever shape a phone likes: its ground fills the square, and what matters keeps to the
middle four fifths. Needs playwright and a chromium.
"""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import sync_playwright

from tools.browser import launch

PUBLIC = Path(__file__).parents[1] / "web" / "public"
SIZES = {"icon-180.png": (180, True), "icon-192.png": (192, False), "icon-512.png": (512, False),
         "icon-maskable-512.png": (512, True)}
"""By file: pixels, and whether it is maskable (Apple's is cut too)."""

MASKED = 0.78
"""How large the drawing is on a maskable icon."""


def picture(size: int, *, maskable: bool) -> str:
    """The icon as an SVG of that many pixels."""
    source = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    ground = re.search(r'<rect width="64" height="64" rx="12" fill="(#\w+)"/>', source)
    if ground is None:
        raise SystemExit("icon.svg has no ground of 64 × 64 with round corners any more; tell tools/icons.py")
    inside = source[source.index(">") + 1:source.rindex("</svg>")]
    if maskable:
        move = 32 * (1 - MASKED)
        inside = (f'<rect width="64" height="64" fill="{ground[1]}"/>'
                  f'<g transform="translate({move} {move}) scale({MASKED})">{inside.replace(ground[0], "")}</g>')
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 64 64">{inside}</svg>'


def main() -> None:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, (size, maskable) in SIZES.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>*{{margin:0;display:block}}</style>{picture(size, maskable=maskable)}")
            page.screenshot(path=str(PUBLIC / name), omit_background=True)
            print(f"web/public/{name}: {(PUBLIC / name).stat().st_size:,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
