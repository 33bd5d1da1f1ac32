"""boyi verify: was chance honest in a game that was played in a room?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import JsonOption, LanguageOption, print_json, read_language
from boyi.core.errors import RecordError, TextError, shorten
from boyi.core.record import Record, read_records
from boyi.games import find_game


def register(app: typer.Typer) -> None:
    app.command("verify")(command)


def command(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="A file of records, as downloaded from a room.")],
    commitment: Annotated[str | None, typer.Option(
        metavar="HASH", help="What was published before the game; by default what the record says.")] = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Replay games and check that everything drawn came from the seed promised before the game; exit code 1 if not."""
    speech = read_language(language)
    try:
        text = Path(record).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise TextError(f"{shorten(record)} cannot be read: {error}") from error
    rows = [verify(one, commitment) for one in read_records(text, find_game)]
    if as_json:
        print_json(rows)
    else:
        for number, row in enumerate(rows, 1):
            words = texts.VERIFIED if row["draws"] else texts.VERIFIED_NO_CHANCE
            print(texts.say(words if row["honest"] else texts.NOT_VERIFIED, speech, number=number, **row))
    if not all(row["honest"] for row in rows):
        raise typer.Exit(1)


def verify(record: Record, commitment: str | None) -> dict[str, Any]:
    """The facts about a record: whether its draws are honest, how many there are, and what is wrong."""
    from boyi.core.draws import draws_of
    from boyi.core.position import CHANCE

    facts: dict[str, Any] = {"game": record.game.name, "honest": True, "draws": 0, "problem": ""}
    try:
        position = record.replay()
        walk = record.begin()
        for move in position.history():
            facts["draws"] += walk.turn == CHANCE
            walk.play(move)
        published = commitment or record.tags.get("Commitment", "")
        if facts["draws"] or published:
            seed = record.tags.get("Seed", "")
            if not published or not seed:
                raise RecordError("the record names no seed and commitment: it is not of a room, or not over yet")
            draws_of(record.game).verify(position, _read_seed(seed), published)
    except RecordError as error:
        facts |= {"honest": False, "problem": str(error)}
    return facts


def _read_seed(seed: str) -> bytes:
    from boyi.core.draws import SECRET_BYTES

    try:
        value = bytes.fromhex(seed)
    except ValueError as error:
        raise RecordError(f"the seed {shorten(seed)} is not written in hexadecimal") from error
    if len(value) != SECRET_BYTES:
        raise RecordError(f"the seed {shorten(seed)} has {len(value)} bytes and not {SECRET_BYTES}")
    return value
