"""The menu of `boyi play`: which game, how many players, who sits where."""

from __future__ import annotations

from boyi.cli import _texts as texts
from boyi.cli._table import align
from boyi.cli._terminal import Terminal
from boyi.cli.games import player_range
from boyi.core.errors import OptionError, shorten
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.words import Language
from boyi.games import listed_games


def choose_game(terminal: Terminal, language: Language) -> tuple[Position, str] | None:
    """Ask for a game and for who plays it; a position and its seats, or None to leave."""
    games = listed_games()
    terminal.write("\n" + texts.MENU_TITLE.say(language))
    terminal.write("\n".join(align([(f"  {number}", game.title.say(language), game.name)
                                    for number, game in enumerate(games, 1)])))
    while True:
        line = terminal.ask(texts.MENU_CHOICE.say(language)).strip()
        if not line or line.lower() in ("q", "quit", "exit", "退出"):
            return None
        names = {name: game for number, game in enumerate(games, 1)
                 for name in (str(number), game.name, game.title.en.lower(), game.title.zh)}
        if line.lower() in names:
            break
        terminal.write(texts.say(texts.MENU_UNKNOWN, language, line=shorten(line)))
    game = names[line.lower()]
    position = _choose_players(game, terminal, language)
    return position, _choose_seats(position, terminal, language)


def _choose_players(game: Game, terminal: Terminal, language: Language) -> Position:
    """Ask how many play, where the game leaves that open."""
    least, most = player_range(game)
    while least != most:
        default = game.start().players
        line = terminal.ask(texts.say(texts.MENU_PLAYERS, language, least=least, most=most, default=default)).strip()
        try:
            return game.start(players=line or str(default))
        except OptionError as error:
            terminal.write(str(error))
    return game.start()


def _choose_seats(position: Position, terminal: Terminal, language: Language) -> str:
    """Ask who sits where."""
    players, names = position.players, [name.say(language) for name in position.board.seat_names]
    choices = [
        (texts.say(texts.MENU_AGAINST, language, name=names[0]), ["human"] + ["random"] * (players - 1)),
        (texts.say(texts.MENU_AGAINST_LAST, language, name=names[-1]), ["random"] * (players - 1) + ["human"]),
        (texts.MENU_TOGETHER.say(language), ["human"] * players),
        (texts.MENU_WATCH.say(language), ["random"] * players),
    ]
    terminal.write(texts.MENU_SEATS.say(language))
    for number, (words, _) in enumerate(choices, 1):
        terminal.write(f"  {number}  {words}")
    while True:
        line = terminal.ask(texts.MENU_SEATS_CHOICE.say(language)).strip() or "1"
        if line in map(str, range(1, len(choices) + 1)):
            return ",".join(choices[int(line) - 1][1])
        terminal.write(texts.say(texts.MENU_UNKNOWN, language, line=shorten(line)))
