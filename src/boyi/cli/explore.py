"""boyi explore: what was played in a position, how often and how well, and what the opening is called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from boyi.agents.book import PLIES, Book, BookMove, own_book, read_book
from boyi.cli._common import (
    GameArgument,
    JsonOption,
    LanguageOption,
    OptionsOption,
    RulesOption,
    make_position,
    print_json,
    read_language,
)
from boyi.cli._files import read_games
from boyi.cli._openings import counts, opening_facts, say_opening, title
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.cli._texts import say
from boyi.core.errors import OptionError
from boyi.core.position import Position
from boyi.core.words import Language, Words
from boyi.study.openings import Entered, Explored, ExploredMove, Named, explore_books, name_of

OWN = "book"
"""What the book is called that comes with the game."""

OWN_TITLE = Words("book", "开局库")
HEADERS = (Words("move", "着法"), Words("games", "局数"), Words("share", "占比"), Words("W-D-L", "胜-和-负"),
           Words("score", "得分率"), Words("value", "评分"), Words("opening", "开局"))
UNKNOWN = Words("nobody played on from here", "没有从这里走下去的对局")
SOURCES = Words("{games} games went on from here: {sources}", "从这里走下去的有 {games} 局：{sources}")
READ = Words("{file}: {games} games; left out: {wrong} wrong records, {other} of other rules or games",
             "{file}：{games} 局；略去：{wrong} 局记录有误，{other} 局规则或棋种不同")


def register(app: typer.Typer) -> None:
    app.command("explore")(command)


def command(
    game: GameArgument,
    moves: Annotated[list[str] | None, typer.Argument(
        metavar="[MOVE]...", show_default=False, help="The moves that led to the position.")] = None,
    text: Annotated[str | None, typer.Option(
        "--position", "--fen", metavar="TEXT", help="Begin with this position text.")] = None,
    games: Annotated[list[Path] | None, typer.Option(
        metavar="FILE", help="Look into the games of this file, too, in any format that Boyi reads; may be given "
                             "several times.")] = None,
    plies: Annotated[int, typer.Option(min=1, max=1000, help="How many moves of each of these games are looked "
                                                              "at.")] = PLIES,
    book: Annotated[list[str] | None, typer.Option(
        "--book", metavar="FILE", help="Look into this book; none for no book. If not given, the one that comes with "
                                       "the game.")] = None,
    notation: Annotated[str | None, typer.Option(metavar="NAME", help="How to write the moves; the game's own way if "
                                                                      "not given.")] = None,
    option: OptionsOption = None,
    rules: RulesOption = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Explore an opening of GAME: the moves that were played in a position, how often, how well."""
    speech = read_language(language)
    position = make_position(game, text, option or [], " ".join(moves or []), rules)
    write = position.format_move if notation is None else _writer(position, notation)
    books = _books(position, book)
    counted = {}
    for path in games or []:
        books[str(path)], counted[str(path)] = _read(path, position, max(plies, position.ply + 1))
    found, named = explore_books(position, books), name_of(position)
    if as_json:
        print_json({
            "game": position.game.name, "options": dict(position.options), "text": position.to_text(),
            "opening": opening_facts(named), "games": found.games,
            "files": {name: vars(entered) for name, entered in counted.items()},
            "moves": [_facts(position, one) for one in found.moves]})
        return
    for name, entered in counted.items():
        print(say(READ, speech, file=name, games=entered.games, wrong=entered.wrong, other=entered.other))
    print(position.to_text())
    if named is not None:
        print(say_opening(named, speech))
    if not found.moves:
        print(UNKNOWN.say(speech))
        return
    print(say(SOURCES, speech, games=found.games, sources=", ".join(
        f"{OWN_TITLE.say(speech) if name == OWN else name} "
        f"{sum(one.sources[name].games for one in found.moves if name in one.sources)}" for name in books)))
    print_table([header.say(speech) for header in HEADERS],
                [[", ".join(map(write, one.together.moves)), *_numbers(one.together, found), _name(one, speech)]
                 for one in found.moves], numbers=[1, 2, 3, 4, 5])


def _writer(position: Position, name: str) -> Callable[[int], str]:
    notation = position.game.notation(name)
    return lambda move: notation.format(position, move)


def _books(position: Position, names: list[str] | None) -> dict[str, Book]:
    """The books that are looked into, by what they are called."""
    if names is None:
        own = own_book(position.game)
        return {} if own is None else {OWN: own}
    if "none" in names and len(names) > 1:
        raise OptionError("--book none is for no book; leave it out, or the others")
    return {name: read_book(Path(name), position.game) for name in names if name != "none"}


def _read(path: Path, position: Position, plies: int) -> tuple[Book, Entered]:
    """The games of a file as a book."""
    book, entered, source = Book(position.game, position.options), Entered(), read_games(path)
    with Progress(path.name) as progress:
        for number, record in enumerate(source.records(), 1):
            progress.show(f"{number} of {len(source)}")
            entered.enter(book, record, plies)
    return book, entered


def _numbers(one: BookMove, found: Explored) -> list[str]:
    if not one.games:
        return [""] * 5
    return [str(one.games), f"{100 * one.games / found.games:.0f} %", f"{one.wins}-{one.draws}-{one.losses}",
            "" if one.score is None else f"{100 * one.score:.0f} %", "" if one.value is None else f"{one.value:+.2f}"]


def _name(one: ExploredMove, language: Language) -> str:
    return "" if one.opening is None else title(one.opening, language)


def _facts(position: Position, one: ExploredMove) -> dict[str, Any]:
    return {"moves": [position.format_move(move) for move in one.together.moves], **counts(one.together),
            "opening": opening_facts(None if one.opening is None else Named(one.opening, position.ply + 1)),
            "sources": {name: counts(told) for name, told in one.sources.items()}}
