"""boyi othello-client: play on an Othello server that speaks the line protocol."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from boyi.cli._common import JsonOption, LanguageOption, print_json, read_language
from boyi.cli._texts import say
from boyi.core.words import Words
from boyi.games import find_game

HIGHEST_PORT = 65_535
PLAYED = Words("{name} played {colour}: {black}–{white}, {result} ({moves} moves)",
               "{name} 执{colour}：{black}–{white}，{result}（{moves} 着）")
COLOURS = (Words("Black", "黑"), Words("White", "白"))
RESULTS = {1: Words("won", "胜"), 0: Words("a draw", "和"), -1: Words("lost", "负")}


def register(app: typer.Typer) -> None:
    app.command("othello-client")(command)


def command(
    host: Annotated[str, typer.Argument(metavar="HOST", help="Where the server is.")],
    port: Annotated[int, typer.Argument(metavar="PORT", min=1, max=HIGHEST_PORT, help="Its port.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to be called there.")],
    agent: Annotated[str, typer.Option(metavar="AGENT", help="Who plays, e.g. alphabeta:seconds=0.5 or "
                                       "level:5.")] = "alphabeta",
    patience: Annotated[float, typer.Option(min=0.1, max=86_400, help="Leave after this many seconds in which the "
                                            "server says nothing.")] = 600.0,
    log: Annotated[bool, typer.Option("--log", help="Show what the server says, on standard error.")] = False,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Play one game of Othello on a server that speaks lines (NICK, START, BOARD, TURN, PUT, END)."""
    from boyi.agents import close_agent, read_spec
    from boyi.engine.othello_client import connect, play_on_server

    speech = read_language(language)
    game, spec = find_game("othello"), read_spec(agent, trusted=True)
    spec.check(game.start())

    def hear(line: str) -> None:
        if log or line.startswith(("ERROR", "SAY")):
            print(line, file=sys.stderr, flush=True)
    player = spec.make()
    try:
        finished = play_on_server(connect(host, port), name, game, player, timeout=patience, hear=hear)
    finally:
        close_agent(player)
    black, white = finished.discs
    if as_json:
        print_json({"name": name, "agent": str(spec), "player": finished.colour, "discs": [black, white],
                    "result": finished.result, "moves": finished.moves, "words": finished.words})
    else:
        print(say(PLAYED, speech, name=name, colour=COLOURS[finished.colour].say(speech), black=black, white=white,
                  result=RESULTS[finished.result].say(speech), moves=finished.moves))
