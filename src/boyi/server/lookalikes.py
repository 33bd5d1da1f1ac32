"""Which names look alike.

Two names that a reader could take for one another have the same `skeleton`: Cyrillic `а` is `a`, a full-width `Ａ` is
`A`, `1` is `l`, the katakana `ニ` is the number `二`, and what cannot be seen is not there. It follows UTS #39 (Unicode
security mechanisms), by the table in `lookalikes.txt`; besides, capitals do not count.

A skeleton is to be compared with others, not to be shown.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

_TABLE = Path(__file__).with_name("lookalikes.txt")

_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800")
"""What is no format character by its category, and cannot be seen all the same: fillers, joiners, an empty braille."""


def folded(name: str) -> str:
    """A name as it is typed to log in: capitals, widths and ligatures do not count.

    >>> folded("Ａda ﬁn")
    'ada fin'
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def skeleton(name: str) -> str:
    """The same for all names that look alike.

    >>> skeleton("Ada") == skeleton("Аdа") == skeleton("Ａ\\u200bDA")   # Cyrillic; full width and a zero-width space
    True
    >>> skeleton("Bill") == skeleton("BiIl"), skeleton("Ada") == skeleton("Adá")
    (True, False)
    """
    seen = "".join(character for character in unicodedata.normalize("NFKC", name) if not is_unseen(character))
    # Capitals first as they look, then as small letters: I looks like l, and M, once small, like rn.
    return _mapped(_mapped(" ".join(seen.split())).casefold())


def is_unseen(character: str) -> bool:
    """Does a character show nothing, wherever it stands?"""
    return (character in _UNSEEN or unicodedata.category(character) in ("Cf", "Cc", "Cs")
            or "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"   # variation selectors
            or "\u180b" <= character <= "\u180f")


def _mapped(text: str) -> str:
    mapped = unicodedata.normalize("NFD", text).translate(_lookalikes())
    return unicodedata.normalize("NFD", mapped)


@cache
def _lookalikes() -> dict[int, str]:
    """By character: what it is taken for."""
    mapping: dict[int, str] = {}
    for line in _TABLE.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            text, characters = ([int(code, 16) for code in codes.split()] for codes in line.split(":"))
            mapping |= dict.fromkeys(characters, "".join(map(chr, text)))
    return mapping
