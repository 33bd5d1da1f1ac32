"""boyi analyse: what a search thinks of a position."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import Output, Start, name_turn, print_json
from boyi.cli._groups import with_groups
from boyi.cli._table import print_table
from boyi.cli._terminal import Terminal
from boyi.core.errors import OptionError, TextError, UnknownNameError, shorten
from boyi.core.position import CHANCE, Position
from boyi.core.searcher import Limits
from boyi.core.words import Language, Words
from boyi.games import all_games, find_readers

if TYPE_CHECKING:
    from boyi.agents.analysis import AnalysedLine, Analysis
    from boyi.agents.searching import Algorithm

DEFAULT_SECONDS = 1.0
COIN = 100
"""Values are counted in hundredths of the game's smallest coin: a pawn, a disc, a step."""

BAR_WIDTH = 40
SHOWN_MOVES = 12
"""Moves of a line that are shown."""

HEADERS = (Words("", ""), Words("value", "评分"), Words("odds", "胜率"), Words("line", "变化"))
HEADERS_VISITS = (Words("visits", "访问"),)
TO_ACT = Words("{title}: {name} to act", "{title}：轮到{name}")
WINS = Words("wins in {plies}", "{plies} 步胜")
LOSES = Words("loses in {plies}", "{plies} 步负")
SEARCHED = Words("{name}: depth {depth}, {nodes} nodes, {seconds:.2f} s, {speed} nodes/s",
                 "{name}：深度 {depth}，{nodes} 个节点，{seconds:.2f} 秒，{speed} 节点/秒")
TURNS_UP = Words("{move}, then: {odds}", "{move} 之后：{odds}")
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
    output: Output,
) -> None:
    """Compare the best moves of a position: their values, the odds, what is expected to follow."""
    from boyi.agents.analysis import describe, observe_turn
    from boyi.agents.interruption import search_until_interrupted

    position = observe_turn(find_position(what, place))
    algorithm, values = _find_search(search, position)
    given: dict[str, Any] = {name: value for name, value in (("seconds", seconds), ("nodes", nodes), ("depth", depth))
                             if value is not None}
    given = given or {name: values[name] for name in ("seconds", "nodes", "depth") if name in values}
    if not given or (set(given) == {"depth"} and not algorithm.ends_by_depth):
        given["seconds"] = DEFAULT_SECONDS
    limits = Limits(**given, lines=lines)
    searcher = algorithm.make(position.game, values)
    result, interrupted = search_until_interrupted(searcher, position, limits)
    analysis = describe(searcher, position, result)
    if output.as_json:
        print_json(_to_json(position, analysis, algorithm.name) | {"interrupted": interrupted})
    else:
        _print(position, analysis, algorithm.name, output.speech)
        if interrupted:
            print(INTERRUPTED.say(output.speech))
    if interrupted:
        raise typer.Exit(130)


def _find_search(spec: str | None, position: Position) -> tuple[Algorithm, Mapping[str, Any]]:
    """The algorithm that a spec names, and its settings."""
    from boyi.agents import searching
    from boyi.agents.spec import read_spec

    if spec is None:
        return searching.find_default(position), {}
    chosen, algorithms = read_spec(spec, trusted=True), searching.all_algorithms()
    if chosen.kind.name not in algorithms:
        raise OptionError(f"{chosen.kind.name} is no search that can be asked for lines; "
                          f"there are: {', '.join(algorithms)}")
    chosen.check(position)
    return algorithms[chosen.kind.name], chosen.values


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


# ---------------------------------------------------------------------- what comes out

def _to_json(position: Position, analysis: Analysis, name: str) -> dict[str, Any]:
    """The answer as JSON has it (documented in docs/cli.md)."""
    return {
        "game": position.game.name, "options": dict(position.options), "text": position.to_text(),
        "turn": name_turn(position.turn), "search": name, "depth": analysis.depth, "nodes": analysis.nodes,
        "seconds": round(analysis.seconds, 6), "statistics": dict(analysis.statistics),
        "lines": [{
            "moves": line.texts, "value": line.value, "odds": round(line.odds, 4),
            "wins_in": line.wins_in, "visits": line.visits,
            "turns_up": {text: round(chance, 6) for text, _, chance in turns_up(position, line.texts[0])}}
            for line in analysis.lines],
    }


def _print(position: Position, analysis: Analysis, name: str, language: Language) -> None:
    visits = any(line.visits is not None for line in analysis.lines)
    seat = position.board.seat_names[position.turn].say(language)
    print(texts.say(TO_ACT, language, title=position.game.title.say(language), name=seat))
    print(position.to_text())
    ascii_only = Terminal(sys.stdout).ascii_only
    if analysis.lines:
        print(draw_bar(analysis.lines[0].odds, seat, ascii_only=ascii_only))
    rows = []
    for number, line in enumerate(analysis.lines, 1):
        cells = [str(number), format_value(line, language), f"{100 * line.odds:.0f} %",
                 " ".join(line.texts[:SHOWN_MOVES])]
        rows.append(cells[:3] + ([str(line.visits)] if visits else []) + cells[3:])
    headers = (*HEADERS[:3], *(HEADERS_VISITS if visits else ()), *HEADERS[3:])
    print_table([header.say(language) for header in headers], rows, numbers=range(len(headers) - 1))
    for line in analysis.lines:
        drawn = turns_up(position, line.texts[0])
        if drawn:
            print(texts.say(TURNS_UP, language, move=line.texts[0], odds="  ".join(
                f"{words.say(language)} {100 * chance:.1f} %" for _, words, chance in drawn)))
            break   # what is covered is covered alike: the others would say the same
    print(texts.say(SEARCHED, language, name=name, depth=analysis.depth, nodes=analysis.nodes,
                    seconds=analysis.seconds, speed=analysis.speed))


def format_value(line: AnalysedLine, language: Language) -> str:
    """`+0.35`, or a proven end."""
    if line.wins_in is not None:
        return texts.say(WINS if line.wins_in > 0 else LOSES, language, plies=abs(line.wins_in))
    return f"{line.value / COIN:+.2f}"


def draw_bar(share: float, name: str, *, ascii_only: bool) -> str:
    """A bar that the player to act fills from the left.

    >>> draw_bar(0.75, "Red", ascii_only=True)
    'Red  ##############################----------  75 %'
    """
    full, empty = ("#", "-") if ascii_only else ("█", "░")
    filled = round(BAR_WIDTH * share)
    return f"{name}  {full * filled}{empty * (BAR_WIDTH - filled)}  {100 * share:.0f} %"


def turns_up(position: Position, move: str) -> list[tuple[str, Words, float]]:
    """What chance may bring after a move: as it is written, as it is called, and how likely it is, the likeliest first.

    Empty where chance plays no part.
    """
    after = position.copy()
    after.play(move)
    if after.turn != CHANCE:
        return []
    found = [(after.format_move(result), _name(after, result), chance) for result, chance in after.odds()]
    return sorted(found, key=lambda one: -one[2])


def _name(position: Position, result: int) -> Words:
    """A result of chance in a word: the piece that it reveals, or else as it is written."""
    changes, text = position.changes(result), position.format_move(result)
    return position.board.glyphs[changes[0].glyph].name if changes else Words(text, text)
