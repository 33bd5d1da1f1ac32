"""boyi book: build opening books from games or by self-play, and look into them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from boyi.agents.book import PLIES, Book, BookMove, find_book, read_book
from boyi.cli._common import (
    FenOption,
    GameArgument,
    JsonOption,
    LanguageOption,
    MovesOption,
    OptionsOption,
    RulesOption,
    make_position,
    print_json,
    read_language,
    start_position,
)
from boyi.cli._files import read_games
from boyi.cli._openings import counts
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.cli._texts import say
from boyi.core.errors import BoyiError, OptionError
from boyi.core.position import Position
from boyi.core.words import Words
from boyi.learn import selfplay
from boyi.study.openings import Entered, begin_openings

SHOWN_IMAGES = 8
HEADERS = (Words("move", "着法"), Words("games", "局数"), Words("W-D-L", "胜-和-负"), Words("score", "得分率"),
           Words("value", "评分"))
FACTS = Words("{title}: a book of {games} games, {positions} positions",
              "{title}：开局库，{games} 局，{positions} 个局面")
UNKNOWN = Words("the book does not have this position", "开局库中没有这个局面")
DONE = Words("{games} games, {positions} positions, {moves} moves; {kilobytes} KB in {file}",
             "{games} 局，{positions} 个局面，{moves} 种着法；写入 {file}，{kilobytes} KB")
LEFT_OUT = Words("left out: {wrong} wrong records, {other} of other rules or games",
                 "略去：{wrong} 局记录有误，{other} 局规则或棋种不同")
INTERRUPTED = Words("interrupted; what there is was written", "已中断；已完成的部分已写入")


def register(app: typer.Typer) -> None:
    commands = typer.Typer(no_args_is_help=True, help="Build opening books and look into them.", rich_markup_mode=None)
    commands.command("build")(build)
    commands.command("show")(show)
    app.add_typer(commands, name="book")


# ---------------------------------------------------------------------- build

def build(
    game: GameArgument,
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the book, e.g. book.xz.")],
    games: Annotated[list[Path] | None, typer.Option(
        metavar="FILE", help="Enter the games of this file, in any format that Boyi reads; may be given several "
                             "times.")] = None,
    self_play: Annotated[int, typer.Option("--selfplay", metavar="N", min=0, max=10**9,
                                           help="Enter this many games that a search plays against itself.")] = 0,
    nodes: Annotated[int, typer.Option(min=1, max=10**12, help="Self-play: positions looked at for a move.")] = 5_000,
    later_nodes: Annotated[int | None, typer.Option(
        min=1, max=10**12, help="Self-play: the same for moves beyond the book; else as many.")] = None,
    temperature: Annotated[float, typer.Option(
        "--temperature", "--looseness", min=0.0, max=100.0,
        help="Self-play: how far from the best the moves of the opening may be.")] = 0.15,
    lines: Annotated[int, typer.Option(min=1, max=100, help="Self-play: among how many moves.")] = 4,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Self-play: the same seed plays the same games.")] = 0,
    from_openings: Annotated[bool, typer.Option(
        "--from-openings", help="Self-play: begin with the openings that have a name, one after the other; what comes "
                                "after them is entered.")] = False,
    plies: Annotated[int, typer.Option(min=1, max=1000, help="How many moves of a game are entered.")] = PLIES,
    least: Annotated[int, typer.Option(min=1, max=10**9, help="Leave out moves played in fewer games.")] = 1,
    least_played: Annotated[int | None, typer.Option(
        min=1, max=10**9, help="Keep moves of fewer games, but do not play them; 1 if not given.")] = None,
    add: Annotated[bool, typer.Option("--add", help="Add to the book that FILE is; self-play goes on where it "
                                                    "stopped.")] = False,
    option: OptionsOption = None,
    rules: RulesOption = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Build a book from games, from self-play, or both."""
    speech = read_language(language)
    start = start_position(game, None, option or [], rules)
    if not games and not self_play and not (add and (least > 1 or least_played is not None)):
        raise OptionError("a book is made from games: name files (--games FILE), have some played (--selfplay N), "
                          "or both")
    if not output.parent.is_dir():
        raise BoyiError(f"the book cannot be written to {output}: there is no folder {output.parent}")
    if output.exists() != add:
        raise BoyiError(f"{output} is not there yet; leave --add out" if add else
                        f"{output} is there already; add to it with --add, or choose another name")
    book = read_book(output, start.game) if add else Book(start.game, start.options)
    if not book.suits(start):
        raise OptionError(f"{output} is a book for other rules: {_rules(book)}")
    starts = begin_openings(start) if from_openings else [start]
    if not starts:
        raise OptionError(f"no opening of {start.game.name} has a name; leave --from-openings out")
    sources = [(path, read_games(path)) for path in games or []]
    settings = selfplay.Settings(nodes=nodes, later_nodes=later_nodes, temperature=temperature, lines=lines,
                                 loose_plies=plies, seed=seed)
    wrong = other = 0
    interrupted = False
    with Progress("book") as progress:
        try:
            for path, source in sources:
                made: dict[str, Any] = {"source": path.name, "format": source.format, "plies": plies, "games": 0}
                book.made.append(made)
                entered = Entered()
                try:
                    for number, record in enumerate(source.records(), 1):
                        progress.show(f"{path.name}: {number} of {len(source)}")
                        entered.enter(book, record, plies)
                finally:
                    made["games"] = entered.games
                    wrong, other = wrong + entered.wrong, other + entered.other
            if self_play:
                facts = {"plies": plies} | ({"openings": len(starts)} if from_openings else {})
                made = selfplay.source(book.made, settings, **facts)
                for done in range(self_play):
                    progress.show(f"self-play: {done + 1} of {self_play}")
                    begun = starts[made["games"] % len(starts)]
                    book.add(selfplay.play(begun, made["games"], settings), plies)
                    made["games"] += 1
        except KeyboardInterrupt:
            interrupted = True
    if least_played is not None:
        book.least_played = least_played
    if least > 1:
        book.prune(least)
        book.made.append({"pruned": f"moves played in fewer than {least} games"})
    data = book.to_bytes()
    try:
        output.write_bytes(data)
    except OSError as error:
        raise BoyiError(f"cannot write {output}: {error.strerror or error}") from error
    moves = sum(map(len, book.entries.values()))
    if as_json:
        print_json({"game": book.game.name, "options": dict(book.options), "file": str(output), "bytes": len(data),
                    "games": book.games, "positions": len(book), "moves": moves, "wrong": wrong, "other": other,
                    "made": book.made, "interrupted": interrupted})
    else:
        print(say(DONE, speech, games=book.games, positions=len(book), moves=moves, file=output,
                  kilobytes=(len(data) + 999) // 1000))
        if wrong or other:
            print(say(LEFT_OUT, speech, wrong=wrong, other=other))
        if interrupted:
            print(say(INTERRUPTED, speech))
    if interrupted:
        raise typer.Exit(130)


def _rules(book: Book) -> str:
    return ", ".join(f"{name}={value}" for name, value in book.options.items()) or "none"


# ---------------------------------------------------------------------- show

def show(
    game: GameArgument,
    text: Annotated[str | None, typer.Argument(metavar="[POSITION]", show_default=False,
                                               help="A position text; else the start.")] = None,
    fen: FenOption = None,
    moves: MovesOption = None,
    file: Annotated[str, typer.Option("--book", metavar="FILE", help="The book; else the one that comes with the "
                                                                     "game.")] = "own",
    option: OptionsOption = None,
    rules: RulesOption = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Show what a book knows of a position: the moves, how often they were played, how it went, what they were thought
    to be worth."""
    speech = read_language(language)
    if text is not None and fen is not None:
        raise OptionError("the position is given twice, as POSITION and by --fen; say one of them")
    position = make_position(game, text if fen is None else fen, option or [], moves, rules)
    book = find_book(file, position.game)
    if book is None:
        raise OptionError("there is nothing to show of no book; name a file, or leave --book out")
    if not book.suits(position):
        raise OptionError(f"the book is for other rules: {_rules(book)}")
    found = book.look_up(position)
    if as_json:
        print_json({"game": book.game.name, "options": dict(book.options), "games": book.games, "positions": len(book),
                    "made": book.made, "text": position.to_text(), "moves": [_facts(position, one) for one in found]})
        return
    print(say(FACTS, speech, title=book.game.title.say(speech), games=book.games, positions=len(book)))
    print(position.to_text())
    if not found:
        print(UNKNOWN.say(speech))
        return
    rows = [[", ".join(position.format_move(move) for move in one.moves[:SHOWN_IMAGES]), str(one.games),
             f"{one.wins}-{one.draws}-{one.losses}", "" if one.score is None else f"{100 * one.score:.0f} %",
             "" if one.value is None else f"{one.value:+.2f}"] for one in found]
    print_table([header.say(speech) for header in HEADERS], rows, numbers=[1, 2, 3, 4])


def _facts(position: Position, one: BookMove) -> dict[str, Any]:
    return {"moves": [position.format_move(move) for move in one.moves], **counts(one)}
