"""boyi results: what the games of a server have shown."""

from __future__ import annotations

import asyncio
import datetime
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from boyi.cli._common import JsonOption, LanguageOption, print_json, read_language
from boyi.cli._table import print_table
from boyi.cli.admin import ConfigOption, DatabaseOption
from boyi.core.errors import OptionError, TextError, shorten
from boyi.core.words import Words

if TYPE_CHECKING:
    from boyi.server.people_scores import PeopleScore

HEADERS = (Words("game", "棋种"), Words("players", "人数"), Words("rules", "规则"), Words("level", "级别"),
           Words("games", "局数"), Words("people", "玩家数"), Words("W-D-L of people", "玩家胜-和-负"),
           Words("score of people", "玩家得分率"), Words("95 %", "95 %"))
NUMBERS = (1, 3, 4, 5, 6, 7, 8)
MORE_THAN_TWO = Words("With more than two players W-D-L counts who came out ahead, a person or a seat of the level.",
                      "三人及以上时，胜-和-负按玩家与该级别每个座位的名次先后计。")
NO_GAMES = Words("No person has played a game against a level to its end here.", "此处尚无下完的人机对局。")
NONE_OF_THESE = Words("No person has played such a game against a level to its end here.",
                      "此处尚无符合条件且下完的人机对局。")


def register(app: typer.Typer) -> None:
    results = typer.Typer(no_args_is_help=True, help="Show what the games of a server came to.")
    results.command("people")(people)
    app.add_typer(results, name="results")


def people(
    database: DatabaseOption = None, config: ConfigOption = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Games of this kind only.")] = None,
    since: Annotated[str | None, typer.Option(
        metavar="DATE", help="Only games that ended on this day (UTC) or later, as 2026-01-31.")] = None,
    as_json: JsonOption = False, language: LanguageOption = None,
) -> None:
    """How people do against the levels, by a server's own finished games."""
    from boyi.games import find_game
    from boyi.server.config import read_config

    speech = read_language(language)
    wanted = None if game is None else find_game(game).name
    url = read_config({"database": database}, config).database
    scores = [one for one in asyncio.run(_read(url, _milliseconds(since))) if wanted in (None, one.game)]
    if as_json:
        print_json(msgspec.to_builtins(scores))
    elif not scores:
        print((NO_GAMES if game is None and since is None else NONE_OF_THESE).say(speech))
    else:
        print_table([header.say(speech) for header in HEADERS], [
            [one.title.say(speech), str(one.players), one.rules, str(one.level), str(one.games), str(one.people),
             f"{one.ahead}-{one.equal}-{one.behind}", f"{one.score:.1%}", f"{one.low:.1%}–{one.high:.1%}"]
            for one in scores], numbers=NUMBERS)
        if any(one.players > 2 for one in scores):
            print(MORE_THAN_TWO.say(speech))


async def _read(url: str, since_ms: int) -> list[PeopleScore]:
    from boyi.server.people_scores import score_all
    from boyi.server.store import Store, shown

    store = Store(url)
    try:
        if not store.database.exists():
            raise OptionError(f"there is no database {shown(url)}; `boyi serve` makes one, --database names another")
        store.migrate()
        return score_all(await store.encounters.tallies(since_ms))
    finally:
        store.database.close()


def _milliseconds(date: str | None) -> int:
    """When a day begins.

    >>> _milliseconds("1970-01-02")
    86400000
    """
    if date is None:
        return 0
    try:
        day = datetime.date.fromisoformat(date)
    except ValueError as error:
        raise TextError(f"{shorten(date)} is not a day, as 2026-01-31") from error
    return (day - datetime.date(1970, 1, 1)).days * 86_400_000
