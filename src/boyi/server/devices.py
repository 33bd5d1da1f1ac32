"""What a client says it is, in a few words: for the list of one's sessions."""

from __future__ import annotations

import re

LONGEST = 60

BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("MicroMessenger", "WeChat"),
            ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"),
            ("Version", "Safari"))
SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
           ("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"))
"""As the header has it, and as people say it. What claims to be others as well comes before them."""


def describe(user_agent: str) -> str:
    """A browser and its system, or the first word of another program.

    >>> describe("Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0")
    'Firefox 131, Linux'
    >>> describe("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/129.0.0.0 Mobile Safari/537.36 Edg/129.0")
    'Edge 129, Android'
    >>> describe("boyi/0.2.0 (python)"), describe("")
    ('boyi/0.2.0', '')
    """
    system = next((name for word, name in SYSTEMS if word in user_agent), "")
    for word, name in BROWSERS:
        found = re.search(rf"{word}/(\d{{1,4}})", user_agent)
        if found is not None:
            return f"{name} {found[1]}, {system}" if system else f"{name} {found[1]}"
    words = "".join(letter for letter in user_agent if letter.isascii() and letter.isprintable()).split()
    return words[0][:LONGEST] if words else ""
