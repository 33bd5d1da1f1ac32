"""boyi othello-server: an Othello server that speaks the line protocol."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from boyi.cli._common import JsonOption, LanguageOption, print_json, read_language
from boyi.cli._texts import say
from boyi.core.words import Words
from boyi.games import find_game

HIGHEST_PORT = 65_535
PORT = 25_033
LISTENING = Words("listening at {host}:{port}; Ctrl-C ends it", "正在监听 {host}:{port}；按 Ctrl-C 结束")
PLAYED = Words("{black} (Black) {discs} {white} (White): {reason}", "{black}（黑）{discs} {white}（白）：{reason}")


def register(app: typer.Typer) -> None:
    app.command("othello-server")(command)


def command(
    port: Annotated[int, typer.Option(min=0, max=HIGHEST_PORT, help="Where to listen; 0 for any free port, which is "
                                      "printed.")] = PORT,
    host: Annotated[str, typer.Option(metavar="HOST", help="The address to listen at; only this machine if not "
                                      "given.")] = "127.0.0.1",
    games: Annotated[int | None, typer.Option("--games", "-n", min=1, max=10**7, help="Leave after this many games; "
                                              "never if not given.")] = None,
    agent: Annotated[str | None, typer.Option(metavar="AGENT", help="Play every client yourself; else clients play "
                                              "each other in pairs.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=86_400, help="A client that takes longer for a move "
                                           "loses.")] = 60.0,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Have clients play Othello in lines (NICK, START, BOARD, TURN, PUT, END); the first of a pair is black."""
    from boyi.agents import read_spec
    from boyi.engine.othello_server import Served, Server

    speech = read_language(language)
    game = find_game("othello")
    spec = None if agent is None else read_spec(agent, trusted=True)
    if spec is not None:
        spec.check(game.start())
    server = Server(game, host, port, seconds=seconds, opponent=None if spec is None else (str(spec), spec.make))
    print(say(LISTENING, speech, host=host, port=server.port), file=sys.stderr, flush=True)
    played: list[dict[str, Any]] = []

    def report(served: Served) -> None:
        played.append({"names": list(served.names), "discs": list(served.discs), "winner": served.winner,
                       "reason": served.reason, "moves": list(served.moves)})
        if not as_json:
            print(say(PLAYED, speech, black=served.names[0], white=served.names[1],
                      discs="–".join(map(str, served.discs)), reason=served.reason), flush=True)
    try:
        server.serve(games, report)
    finally:
        server.close()
        if as_json:
            print_json(played)
