"""boyi review: where a game was won and lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import MOST_JOBS, Output, print_json
from boyi.cli._files import write_file
from boyi.cli._groups import with_groups
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.cli.record import FileArgument, FormatOption, open_records
from boyi.core.errors import RecordError, shorten
from boyi.core.record import Record
from boyi.core.searcher import Limits
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.arena.pool import Pool
    from boyi.study.review.findings import Review, ReviewedMove

SHOWN_MOVES = 6
"""Moves of a line that are shown."""

WRITTEN = Words("written to {path}", "已写入 {path}")
PROGRESS = Words("{done} of {total} moves", "{done} / {total} 步")


def register(app: typer.Typer) -> None:
    app.command("review")(with_groups(command))


def command(
    file: FileArgument,
    *,
    number: Annotated[int | None, typer.Option("--game", metavar="N", min=1, help="Which game of the file.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.001, max=3600, help="For each search; a second if no limit is "
                                                                            "given.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, max=10**12, help="Positions to look at in each search.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=MOST_JOBS, help="Processes that search at the same "
                                                                                 "time.")] = 1,
    html: Annotated[Path | None, typer.Option("--html", metavar="OUT", help="Write an HTML file with boards.")] = None,
    source_format: FormatOption = None,
    output: Output,
) -> None:
    """Review a game: how well each side played, where the game turned, and what was better."""
    from boyi.study.review.run import DEFAULT_SECONDS, review

    record = find_record(file, source_format, number)
    limits = Limits(seconds=DEFAULT_SECONDS) if seconds is None and nodes is None else Limits(
        seconds=seconds, nodes=nodes)
    with Progress("review") as progress, _pool(jobs) as pool:
        found = review(record, limits, pool=pool, on_look=lambda _, done, total: progress.show(
            texts.say(PROGRESS, output.speech, done=done, total=total)))
    if html is not None:
        from boyi.study.review.page import write_page

        write_file(html, write_page(found, output.speech))
    if output.as_json:
        print_json(found.to_json())
    elif html is not None:
        print(texts.say(WRITTEN, output.speech, path=html))
    else:
        _print(found, output.speech)


@contextmanager
def _pool(jobs: int) -> Iterator[Pool | None]:
    if jobs == 1:
        yield None
        return
    from boyi.arena.pool import Pool

    with Pool(jobs) as pool:
        yield pool


def find_record(file: Path, source_format: str | None, number: int | None) -> Record:
    """The game of a file that is meant; with several, one must be named."""
    source = open_records(file, source_format)
    if number is None and len(source) != 1:
        raise RecordError(f"{shorten(str(file))} has {len(source)} games; choose one with --game N")
    if number is not None and number > len(source):
        raise RecordError(f"there is no game {number}: {shorten(str(file))} has {len(source)}")
    return source.read_piece(source.pieces[(number or 1) - 1])


# ---------------------------------------------------------------------- what comes out

def _print(review: Review, language: Language) -> None:
    from boyi.study.review import texts as words
    from boyi.study.review.judgement import JUDGEMENTS

    record = review.record
    names = [seat.say(language) for seat in record.begin().board.seat_names]
    print(f"{record.game.title.say(language)} · {words.TITLE.say(language)}")
    opening = [] if review.opening.name is None else [review.opening.name.say(language)]
    if review.opening.left_book is not None:
        opening.append(texts.say(words.LEFT_BOOK, language, number=review.opening.left_book))
    if opening:
        print(" · ".join(opening))
    print()

    shown = [judgement for judgement in JUDGEMENTS if judgement != "forced"]
    lucky = any(player.luck is not None for player in review.players)
    heads = [words.PLAYER, words.ACCURACY, *(words.JUDGEMENT_WORDS[one] for one in shown),
             *((words.LUCK,) if lucky else ())]
    rows = []
    for seat, player in enumerate(review.players):
        name = record.players[seat] if seat < len(record.players) else ""
        rows.append([f"{names[seat]} {name}".rstrip(), _percent(player.accuracy),
                     *(str(player.counts[one]) for one in shown),
                     *((_percent(None if player.luck is None else 100 * player.luck, "+"),) if lucky else ())])
    print_table([head.say(language) for head in heads], rows, numbers=range(1, len(heads)))
    if review.turning_points:
        print(f"\n{words.TURNING_POINTS.say(language)}")
        for point in review.turning_points:
            move = review.moves[point.number - 1]
            name = "" if move.player is None else names[move.player]
            print(f"{point.number:>4}. {words.say_turning_point(point, move, name, language)}")
    print()
    if review.wrong:
        heads = [Words("", ""), words.PLAYER, words.MOVE, Words("", ""), words.ODDS, words.BETTER, words.FOLLOWS]
        print_table([head.say(language) for head in heads],
                    [_mistake(move, names, language) for move in review.wrong], numbers=(0, 4))
    else:
        print(words.NO_MISTAKES.say(language))
    print(f"\n{texts.say(words.SEARCHED, language, effort=review.effort)}")


def _mistake(move: ReviewedMove, names: list[str], language: Language) -> list[str]:
    from boyi.study.review.texts import JUDGEMENT_WORDS

    look = move.look
    assert look is not None and move.player is not None
    return [f"{move.number}.", names[move.player], move.text, JUDGEMENT_WORDS[move.judgement].say(language),
            f"{100 * look.before:.0f} → {100 * look.after:.0f} %", " ".join(look.best.moves[:SHOWN_MOVES]),
            " ".join(move.refutation[:SHOWN_MOVES])]


def _percent(value: float | None, sign: str = "") -> str:
    return "–" if value is None else f"{value:{sign}.1f} %"
