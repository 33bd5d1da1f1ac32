"""boyi analyse: what a search thinks of a position."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from boyi.cli._common import Output, Start, print_json
from boyi.cli._groups import with_groups
from boyi.core.errors import TextError, UnknownNameError, shorten
from boyi.core.position import Position
from boyi.core.searcher import Result
from boyi.core.words import Words
from boyi.games import all_games, find_readers

if TYPE_CHECKING:
    from boyi.agents.analysis import Analysis

INTERRUPTED = Words("interrupted", "已中断")


def register(app: typer.Typer) -> None:
    app.command("analyse")(with_groups(command))


def command(
    what: Annotated[str, typer.Argument(metavar="GAME|FEN", help="A game, or a position text by which Boyi can tell "
                                                                 "the game.")],
    *,
    place: Start,
    seconds: Annotated[float | None, typer.Option(min=0.001, max=86_400, help="How long to search; a second if no "
                                                                              "limit is given.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, max=10**15, help="How many positions to look at.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, max=1000, help="How many plies deep.")] = None,
    lines: Annotated[int, typer.Option("--lines", "-l", min=1, max=500, help="How many moves to compare.")] = 3,
    search: Annotated[str | None, typer.Option(
        "--search", metavar="SPEC", help="By which search and options, e.g. mcts or alphabeta:null_move=off; else the "
        "one that suits the game.")] = None,
    notation: Annotated[str | None, typer.Option(
        metavar="NAME", help="How to write moves, e.g. chinese or wxf; else as the game's own positions do.")] = None,
    watch: Annotated[bool, typer.Option(
        "--watch", help="Show every depth as it ends. Without limits the search goes on until Ctrl-C.")] = False,
    output: Output,
) -> None:
    """Compare the best moves of a position: their values, the odds, what is expected to follow."""
    from boyi.agents.analysis import describe, find_search, in_notation, observe_turn, set_limits
    from boyi.agents.interruption import search_until_interrupted
    from boyi.agents.machine import suit_machine
    from boyi.cli._analysis_report import print_report, to_json
    from boyi.cli._analysis_watcher import AnalysisWatcher

    position = observe_turn(find_position(what, place))
    if notation is not None:
        position.game.notation(notation)    # which refuses a name that there is not
    algorithm, values = find_search(search, position, trusted=True)
    limits = set_limits(algorithm, values, lines, seconds=seconds, nodes=nodes, depth=depth, endless=watch)
    # A limit in nodes or depth gives the same answer every time, on one thread.
    alone = limits.nodes is None and (limits.depth is None or watch) and "preset" not in values
    searcher = algorithm.make(position.game, suit_machine(values, algorithm.option_names()) if alone else values)

    def tell(result: Result) -> Analysis:
        return in_notation(describe(searcher, position, result), position, notation)

    if watch:
        with AnalysisWatcher(position, algorithm.name, output.speech, as_json=output.as_json) as watcher:
            result, _ = search_until_interrupted(searcher, position, limits, lambda found: watcher.show(tell(found)))
        watcher.show_final(tell(result))
        return
    result, interrupted = search_until_interrupted(searcher, position, limits)
    if output.as_json:
        print_json(to_json(position, tell(result), algorithm.name) | {"interrupted": interrupted})
    else:
        print_report(position, tell(result), algorithm.name, output.speech)
    if interrupted:
        if not output.as_json:
            print(INTERRUPTED.say(output.speech))
        raise typer.Exit(130)


def find_position(what: str, place: Start) -> Position:
    """The position of a game, or the one that a position text describes in the game that can read it."""
    games = all_games()
    if what in games:
        return place.position(what)
    if place.fen is not None:
        raise UnknownNameError.among("game", what, games)
    chosen = place.options()
    readers = [game.name for game in find_readers(what, **chosen)]
    if not readers:
        raise TextError(f"{shorten(what, 100)} is neither a game nor a position of one; there are: {', '.join(games)}. "
                        f"To see what is wrong with a position, name its game: boyi analyse GAME --fen …")
    if len(readers) > 1:
        raise TextError(f"that could be a position of {' or of '.join(readers)}; say which: "
                        f"boyi analyse {readers[0]} --fen …")
    return replace(place, fen=what).position(readers[0])
