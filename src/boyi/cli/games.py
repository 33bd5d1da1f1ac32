"""boyi games: what can be played, and by which rules."""

from __future__ import annotations

from typing import Any

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import JsonOption, LanguageOption, print_json, read_language
from boyi.cli._table import print_table
from boyi.core.game import Game, Option
from boyi.core.words import Language
from boyi.games import listed_games
from boyi.kit.ladder import find_ladder


def register(app: typer.Typer) -> None:
    app.command("games")(command)


def command(as_json: JsonOption = False, language: LanguageOption = None) -> None:
    """List the games, how many play them, and their rule options."""
    speech = read_language(language)
    games = listed_games()
    if as_json:
        print_json([describe(game) for game in games])
        return
    rows: list[list[str]] = []
    for game in games:
        least, most = player_range(game)
        facts = [game.name, game.title.say(speech), str(least) if least == most else f"{least}–{most}"]
        for option in game.options or [None]:
            rows.append(facts + _option_cells(option, speech))
            facts = ["", "", ""]
    print_table([header.say(speech) for header in texts.GAMES_HEADERS], rows)


def player_range(game: Game) -> tuple[int, int]:
    """How many players a game takes: from and to."""
    for option in game.options:
        if option.name == "players":
            if option.choices:
                return min(map(int, option.choices)), max(map(int, option.choices))
            return option.lowest, option.highest
    players = game.start().players
    return players, players


def describe(game: Game) -> dict[str, Any]:
    """The facts about a game as JSON has them."""
    least, most = player_range(game)
    return {
        "name": game.name,
        "title": {"en": game.title.en, "zh": game.title.zh},
        "players": {"least": least, "most": most},
        "rules_version": game.rules_version,
        "has_chance": game.has_chance,
        "levels": len(find_ladder(game, game.start().players)),
        "notations": list(game.notations),
        "unit": {"en": game.unit.en, "zh": game.unit.zh},
        "options": [_describe_option(option) for option in game.options],
        "presets": {option: {value: dict(defaults) for value, defaults in values.items()}
                    for option, values in game.presets.items()},
        "start": game.start().to_text(),
    }


def _describe_option(option: Option) -> dict[str, Any]:
    kind = type(option.default)
    facts: dict[str, Any] = {"name": option.name, "default": option.default,
                             "help": {"en": option.help.en, "zh": option.help.zh}}
    if kind is bool:
        return facts | {"type": "boolean"}
    if kind is int:
        return facts | {"type": "number", "lowest": option.lowest, "highest": option.highest}
    return facts | {"type": "choice", "choices": list(option.choices)}


def _option_cells(option: Option | None, language: Language) -> list[str]:
    if option is None:
        return ["", "", "", ""]
    if isinstance(option.default, bool):
        values = "true|false"
    elif isinstance(option.default, int):
        values = f"{option.lowest}–{option.highest}"
    else:
        values = "|".join(option.choices)
    default = str(option.default).lower() if isinstance(option.default, bool) else str(option.default)
    return [option.name, default, values, option.help.say(language)]
