"""boyi play: a game in the terminal, against agents or other people."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import (
    FenOption,
    LanguageOption,
    MovesOption,
    OptionsOption,
    RulesOption,
    make_position,
    print_json,
    read_language,
)
from boyi.cli._terminal import Terminal
from boyi.core.errors import OptionError, TextError, UnknownNameError, shorten
from boyi.core.position import Position
from boyi.kit.ladder import find_ladder

if TYPE_CHECKING:
    from boyi.cli._screen import Screen
    from boyi.cli._session import Session

OPPONENT_LEVEL = 3
"""Who plays against a person who names nobody: stronger than a beginner, weaker than a club player."""

PIECES = ("characters", "letters")
HIGHEST_SEED = 2**62


def register(app: typer.Typer) -> None:
    app.command("play")(command)


def command(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="The game; without it, a menu.")] = None,
    seats: Annotated[str | None, typer.Option(
        metavar="AGENTS", help="Who sits where, e.g. human,level:5 or random:seed=3,human. "
        f"Else a human begins against level {OPPONENT_LEVEL}.")] = None,
    level: Annotated[str | None, typer.Option(
        metavar="LEVEL", help="Play against this level, a number from 1 or easy, medium, hard (`boyi levels show "
        "GAME` lists them); short for --seats human,level:N.")] = None,
    fen: FenOption = None,
    moves: MovesOption = None,
    rules: RulesOption = None,
    option: OptionsOption = None,
    seed: Annotated[int | None, typer.Option(
        min=0, max=HIGHEST_SEED, help="Decides what chance and the opponents do; else a new one.")] = None,
    notation: Annotated[str | None, typer.Option(help="How moves are written; any notation can be typed.")] = None,
    pieces: Annotated[str, typer.Option(metavar="|".join(PIECES), help="The piece set.")] = PIECES[0],
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with ASCII only.")] = False,
    hints: Annotated[bool, typer.Option("--hints", help="List the legal moves at every turn.")] = False,
    as_json: Annotated[bool, typer.Option(
        "--json", help="Talk on standard error, and print how it went as JSON in the end.")] = False,
    language: LanguageOption = None,
) -> None:
    """Play a game in the terminal; `help` there says what can be typed."""
    from boyi.cli._menu import choose_game
    from boyi.cli._screen import Preferences, Screen
    from boyi.cli._session import summary

    if pieces not in PIECES:
        raise UnknownNameError.among("piece set", pieces, PIECES)
    preferences = Preferences(
        language=read_language(language), notation=notation, pieces=pieces, ascii_only=ascii_only, hints=hints,
        seed=random.SystemRandom().randrange(HIGHEST_SEED) if seed is None else seed)
    terminal = Terminal(sys.stderr if as_json else sys.stdout)
    screen = Screen(terminal, preferences)
    if game is not None:
        position = make_position(game, fen, option or [], moves, rules)
        if level is not None:
            if seats is not None:
                raise OptionError("--level is short for --seats human,level:N; say one of them")
            number = find_ladder(position.game, position.players).read(level, "--level")
            seats = ",".join(["human"] + [f"level:{number}"] * (position.players - 1))
        session = make_session(position, seats, screen)
        ending = session.run()
        if ending != "over":
            terminal.write(texts.GOODBYE.say(screen.language))
        if as_json:
            print_json(summary(session, ending))
        return
    given = {"--fen": fen, "--moves": moves, "--rules": rules, "--option": option, "--seats": seats,
             "--level": level, "--notation": notation, "--json": as_json}
    for name, value in given.items():
        if value:
            raise TextError(f"{name} needs a GAME, as in: boyi play GAME {name} …")
    try:
        while choice := choose_game(terminal, screen.language, OPPONENT_LEVEL):
            if make_session(*choice, screen).run() == "end of input":
                break
    except EOFError:
        pass
    terminal.write(texts.GOODBYE.say(screen.language))


def make_session(position: Position, seats: str | None, screen: Screen) -> Session:
    """Fill every seat; everything is checked before anything is played."""
    from boyi.agents.spec import read_spec, split_specs
    from boyi.cli._session import Session

    names = ["human"] + [f"level:{OPPONENT_LEVEL}"] * (position.players - 1) if seats is None else split_specs(seats)
    if len(names) != position.players:
        raise TextError(f"{position.game.name} has {position.players} seats here, but {shorten(seats)} "
                        f"names {len(names)}")
    if screen.preferences.notation is not None:
        position.game.notation(screen.preferences.notation)
    specs = [read_spec(name, trusted=True) for name in names]
    for spec in specs:
        spec.check(position)
    note = texts.say(texts.OTHER_OPPONENTS, screen.language, highest=len(find_ladder(position.game, position.players)))
    return Session(position, specs, screen, note=note if seats is None else "")
