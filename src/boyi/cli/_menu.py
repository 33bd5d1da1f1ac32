"""The menu of `boyi play`: which game, how many players, who sits where."""

from __future__ import annotations

from collections.abc import Sequence

from boyi.agents.opponents import find_opponents
from boyi.cli import _texts as texts
from boyi.cli._table import align
from boyi.cli._terminal import Terminal
from boyi.cli.games import player_range
from boyi.core.errors import OptionError, shorten
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.words import Language
from boyi.games import all_games, listed_games
from boyi.kit.ladder import Ladder, find_ladder


def choose_game(terminal: Terminal, language: Language, level: int) -> tuple[Position, str] | None:
    """Ask for a game and for who plays it; a position and its seats, or None to leave.

    Who does not name a level plays against this one.
    """
    games = listed_games()
    terminal.write("\n" + texts.MENU_TITLE.say(language))
    terminal.write("\n".join(align([(f"  {number}", game.title.say(language), game.name)
                                    for number, game in enumerate(games, 1)])))
    while True:
        line = terminal.ask(texts.MENU_CHOICE.say(language)).strip()
        if not line or line.lower() in ("q", "quit", "exit", "退出"):
            return None
        names = {name: game for game in all_games().values()
                 for name in (game.name, game.title.en.lower(), game.title.zh)}
        names |= {str(number): game for number, game in enumerate(games, 1)}
        if line.lower() in names:
            break
        terminal.write(texts.say(texts.MENU_UNKNOWN, language, line=shorten(line)))
    game = names[line.lower()]
    position = _choose_players(game, terminal, language)
    return position, _choose_seats(position, terminal, language, level)


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


def _choose_seats(position: Position, terminal: Terminal, language: Language, level: int) -> str:
    """Ask who sits where: people, levels or networks."""
    others, names = position.players - 1, [name.say(language) for name in position.board.seat_names]
    networks = [one.timed() for one in find_opponents(position) if one.is_network]
    choices = [(texts.say(texts.MENU_AGAINST, language, name=names[0]), "level", 0),
               (texts.say(texts.MENU_AGAINST_LAST, language, name=names[-1]), "level", others)]
    if networks:
        choices += [(texts.say(texts.MENU_NETWORK, language, name=names[0]), "network", 0),
                    (texts.say(texts.MENU_NETWORK_LAST, language, name=names[-1]), "network", others)]
    choices += [(texts.MENU_TOGETHER.say(language), "human", 0), (texts.MENU_WATCH.say(language), "level", -1)]
    terminal.write(texts.MENU_SEATS.say(language))
    _, kind, own = choices[_choose([words for words, _, _ in choices], terminal, language)]
    if kind == "level":
        opponent = f"level:{_choose_level(find_ladder(position.game, position.players), terminal, language, level)}"
    elif kind == "network":
        terminal.write(texts.MENU_NETWORKS.say(language))
        opponent = networks[_choose(networks, terminal, language)]
    else:
        opponent = "human"
    return ",".join("human" if seat == own else opponent for seat in range(position.players))


def _choose_level(ladder: Ladder, terminal: Terminal, language: Language, level: int) -> int:
    terminal.write(texts.MENU_LEVELS.say(language))
    terminal.write("\n".join(f"  {number}  {ladder.describe(number).say(language)}"
                             for number in range(1, len(ladder) + 1)))
    level = ladder.number(level)
    while True:
        line = terminal.ask(texts.say(texts.MENU_LEVEL, language, highest=len(ladder), default=level)).strip()
        if not line:
            return level
        try:
            return ladder.read(line)
        except OptionError:
            terminal.write(texts.say(texts.NO_LEVEL, language, line=shorten(line), highest=len(ladder)))


def _choose(choices: Sequence[str], terminal: Terminal, language: Language) -> int:
    """Ask for one of a list."""
    for number, words in enumerate(choices, 1):
        terminal.write(f"  {number}  {words}")
    while True:
        line = terminal.ask(texts.MENU_SEATS_CHOICE.say(language)).strip() or "1"
        if line in map(str, range(1, len(choices) + 1)):
            return int(line) - 1
        terminal.write(texts.say(texts.MENU_UNKNOWN, language, line=shorten(line)))
