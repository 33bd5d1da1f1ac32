"""boyi record: look at records of games, convert them between formats, check them, draw them as pictures that play."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from boyi.cli._common import JsonOption, LanguageOption, name_turn, print_json, read_language
from boyi.cli._openings import opening_facts, say_opening
from boyi.cli._progress import Progress
from boyi.core.errors import BoyiError, OptionError, RecordError, UnknownNameError, shorten
from boyi.core.formats import Source, all_formats, find_source, write
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.core.result import format_result
from boyi.core.words import Language, Words
from boyi.games import all_games
from boyi.kit.picture import animation, svg
from boyi.kit.picture.text import draw
from boyi.study.openings import name_of

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A file of records; - for standard input.")]
FormatOption = Annotated[str | None, typer.Option(
    "--from", metavar="FORMAT", help="The format of the file, where Boyi does not recognise it.")]

AFTER = Words("after move {number} of {all}", "第 {number} 步之后（共 {all} 步）")
RIGHT = Words("{file}: {format}, {count} checked, all right", "{file}：{format}，共 {count} 局，全部无误")
WRONG = Words("{file}: {format}, {count} checked, {wrong} wrong", "{file}：{format}，共 {count} 局，{wrong} 局有误")
WHERE = Words("{file}: record {number}: {error}", "{file}：第 {number} 局：{error}")
SUMMARY = Words("{number}. {players}  {result}  {moves} moves  {event} {date}",
                "{number}. {players}  {result}  {moves} 步  {event} {date}")
MANY = Words("{count} records; see one with --record NUMBER", "共 {count} 局；用 --record 编号 查看其中一局")


def register(app: typer.Typer) -> None:
    commands = typer.Typer(no_args_is_help=True, help="Look at records of games, convert, check and animate them.",
                           rich_markup_mode=None)
    commands.command("show")(show)
    commands.command("convert")(convert)
    commands.command("check")(check)
    commands.command("animate")(animate)
    app.add_typer(commands, name="record")


# ---------------------------------------------------------------------- show

def show(
    file: FileArgument,
    move: Annotated[int | None, typer.Option(metavar="N", help="The position after N moves; else after all.")] = None,
    number: Annotated[int | None, typer.Option("--record", metavar="NUMBER", help="Which record of the file.")] = None,
    source_format: FormatOption = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Show a record and the position it leads to; of several records, a list."""
    speech = read_language(language)
    source = open_records(file, source_format)
    if number is not None and not 1 <= number <= len(source):
        raise RecordError(f"there is no record {number}: {shorten(str(file))} has {len(source)}")
    if number is None and len(source) > 1 and move is None:
        records = list(_read(source, file))
        if as_json:
            print_json({"format": source.format, "records": [_facts(record) for record in records]})
            return
        for one, record in enumerate(records, 1):
            print(_summary(one, record, speech))
        print(MANY.say(speech).format(count=len(records)))
        return
    record = source.read_piece(source.pieces[(number or 1) - 1])
    shown = len(record.entries) if move is None else move
    position = record.replay(shown)
    if as_json:
        print_json({"format": source.format, "records": [_facts(record)], "move": shown} | _standing(position))
        return
    print(record.to_text())
    print(AFTER.say(speech).format(number=shown, all=len(record.entries)))
    print(draw(position, language=speech))
    if named := name_of(position):
        print(say_opening(named, speech))
    outcome = position.outcome()
    if outcome is not None:
        print(outcome.words.say(speech))


def _summary(number: int, record: Record, language: Language) -> str:
    return SUMMARY.say(language).format(
        number=number, players=" – ".join(name or "?" for name in record.players) or "?", event=record.event,
        result=format_result(record.result), moves=len(record.entries), date=record.date).rstrip()


def _facts(record: Record) -> dict[str, Any]:
    """A record as JSON has it."""
    return {
        "game": record.game.name,
        "rules_version": record.rules_version,
        "options": dict(record.options),
        "start": record.start,
        "players": list(record.players),
        "event": record.event,
        "date": record.date,
        "result": format_result(record.result),
        "places": None if record.result is None else list(record.result),
        "reason": record.reason,
        "tags": dict(record.tags),
        "comment": record.comment,
        "moves": [{name: value for name, value in (
            ("text", entry.text), ("clock", entry.clock), ("took", entry.took), ("evaluation", entry.evaluation),
            ("comment", entry.comment or None)) if value is not None} for entry in record.entries],
        "final": record.final,
    }


def _standing(position: Position) -> dict[str, Any]:
    outcome = position.outcome()
    return {
        "text": position.to_text(),
        "turn": name_turn(position.turn),
        "over": outcome is not None,
        "opening": opening_facts(name_of(position)),
        "words": None if outcome is None else {"en": outcome.words.en, "zh": outcome.words.zh},
    }


# ---------------------------------------------------------------------- convert

def convert(
    file: FileArgument,
    target: Annotated[str, typer.Option("--to", metavar="FORMAT", help="The format to write; boyi is our own.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="OUT", help="Write here and not to standard "
                                                                                     "output.")] = None,
    notation: Annotated[str | None, typer.Option(metavar="NAME", help="How to write the moves, where the format "
                                                                      "leaves a choice.")] = None,
    source_format: FormatOption = None,
    as_json: Annotated[bool, typer.Option(
        "--json", help="Print how many were written and where, or the records as a JSON string.")] = False,
) -> None:
    """Write the records of FILE in another format. Nothing is written when one of them is wrong."""
    games = list(all_games().values())
    if target not in all_formats(games):
        raise UnknownNameError.among("format", target, all_formats(games))
    records = list(_read(open_records(file, source_format), file))
    data = write(records, target, notation, games)
    if output is not None:
        try:
            output.write_bytes(data)
        except (OSError, ValueError) as error:
            raise RecordError(f"cannot write {shorten(str(output))}: {_problem(error)}") from error
    if as_json:
        print_json({"format": target, "records": len(records)}
                   | ({"text": data.decode()} if output is None else {"file": str(output)}))
    elif output is None:
        sys.stdout.write(data.decode())


# ---------------------------------------------------------------------- check

def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of records; - for standard input.")],
    source_format: FormatOption = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Replay every record. Exit code 1 when one of them is wrong; it says which move, and what was legal."""
    speech = read_language(language)
    reports = []
    for file in files:
        report = _check_file(file, source_format)
        reports.append(report)
        if as_json:
            continue
        for wrong in report["wrong"]:
            if wrong["record"] is None:
                print(f"{file}: {wrong['error']}")
            else:
                print(WHERE.say(speech).format(file=file, number=wrong["record"], error=wrong["error"]))
        words = WRONG if report["wrong"] else RIGHT
        print(words.say(speech).format(file=file, count=report["records"], wrong=len(report["wrong"]),
                                       format=report["format"] or "?"))
    if as_json:
        print_json(reports)
    if any(report["wrong"] for report in reports):
        raise typer.Exit(1)


def _check_file(file: Path, source_format: str | None) -> dict[str, Any]:
    try:
        source = open_records(file, source_format)
    except RecordError as error:
        return {"file": str(file), "format": source_format, "records": 0,
                "wrong": [{"record": None, "move": None, "error": str(error)}]}
    wrong = [{"record": number, "move": record.move_number, "error": str(record)}
             for number, record in _each(source, file) if isinstance(record, RecordError)]
    return {"file": str(file), "format": source.format, "records": len(source), "wrong": wrong}


# ---------------------------------------------------------------------- animate

def animate(
    file: FileArgument,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="OUT.svg", help="Write here.")],
    number: Annotated[int, typer.Option("--record", metavar="NUMBER", help="Which record of the file.")] = 1,
    pieces: Annotated[str, typer.Option(
        metavar="characters|letters", help="What stands on the pieces.")] = "characters",
    seat: Annotated[int, typer.Option(help="Who sits at the bottom, counted from 0.")] = 0,
    theme: Annotated[str, typer.Option(metavar="|".join(svg.THEMES), help="Colours of the picture.")] = "wood",
    source_format: FormatOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a record as an SVG that plays the game: in browsers, and wherever SVG is shown."""
    source = open_records(file, source_format)
    if not 1 <= number <= len(source):
        raise RecordError(f"there is no record {number}: {shorten(str(file))} has {len(source)}")
    if output.suffix.lower() != ".svg":
        raise OptionError(f"an animation is an SVG: the name of {output} should end in .svg")
    record = source.read_piece(source.pieces[number - 1])
    drawing = animation.draw(record.replay(), title=" – ".join(name for name in record.players if name), seat=seat,
                             pieces=pieces, theme=theme)
    try:
        output.write_text(drawing, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise RecordError(f"cannot write {shorten(str(output))}: {_problem(error)}") from error
    if as_json:
        print_json({"file": str(output), "moves": len(record.entries)})


# ---------------------------------------------------------------------- files

class FileError(BoyiError):
    """A file that cannot be read at all."""


def open_records(file: Path, source_format: str | None) -> Source:
    """The records of a file, or of standard input, in a format that is named or recognised."""
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {shorten(str(file))}: {_problem(error)}") from error
    return find_source(data, file.name, list(all_games().values()), source_format)


def _problem(error: OSError | ValueError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def _each(source: Source, file: Path) -> Iterator[tuple[int, Record | RecordError]]:
    """Every record or what is wrong with it, with its number."""
    with Progress(file.name) as progress:
        for number, record in enumerate(source.records(), 1):
            if number % 100 == 0:
                progress.show(f"{number} of {len(source)}")
            yield number, record


def _read(source: Source, file: Path) -> Iterator[Record]:
    """Every record; the first wrong one ends it."""
    for number, record in _each(source, file):
        if isinstance(record, RecordError):
            raise RecordError(f"{file.name}: record {number}: {record}", move_number=record.move_number)
        yield record
