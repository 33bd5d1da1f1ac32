"""boyi show: draw a position in the terminal, or as SVG or PNG."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from boyi.cli._common import GameArgument, JsonOption, Start, name_turn, print_json, read_language
from boyi.cli._groups import with_groups
from boyi.cli._openings import opening_facts, say_opening
from boyi.cli._terminal import Terminal
from boyi.core.errors import BoyiError, IllegalMoveError, OptionError, UnknownNameError
from boyi.core.position import Position
from boyi.kit.picture import png, svg, text
from boyi.kit.picture.view import destinations, last_path
from boyi.study.openings import name_of


def register(app: typer.Typer) -> None:
    app.command("show")(with_groups(command))


def command(
    game: GameArgument,
    *,
    place: Start,
    output: Annotated[Path | None, typer.Option(
        "--output", "-o", metavar="FILE", help="Write a .svg, .png or .txt file.")] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")] = False,
    pieces: Annotated[str, typer.Option(
        metavar="characters|letters", help="What stands on the pieces.")] = "characters",
    seat: Annotated[int, typer.Option(help="Who sits at the bottom, counted from 0.")] = 0,
    theme: Annotated[str, typer.Option(metavar="|".join(svg.THEMES), help="Colours of a picture.")] = "wood",
    targets: Annotated[str | None, typer.Option(
        metavar="POINT", help="Mark where the moves that begin at this point end.")] = None,
    width: Annotated[int | None, typer.Option(help="Width of a PNG, in pixels.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw a position of GAME."""
    position = place.position(game)
    marked = _targets(position, targets)
    kind = output.suffix.lower() if output else ".txt"
    if kind not in (".svg", ".png", ".txt"):
        raise OptionError(f"cannot tell what to write into {output}: its name should end in .svg, .png or .txt")
    if kind != ".txt" and ascii_only:
        raise OptionError("--ascii is for text; for a picture with letters on the pieces say --pieces letters")
    if kind != ".png" and width is not None:
        raise OptionError("--width is for PNG files; an SVG has no pixels")
    drawing: str | bytes
    if kind == ".svg":
        drawing = svg.draw(position, seat=seat, pieces=pieces, targets=marked, theme=theme)
    elif kind == ".png":
        drawing = png.draw(position, seat=seat, pieces=pieces, targets=marked, theme=theme, width=width)
    else:
        if theme not in svg.THEMES:
            raise UnknownNameError.among("theme", theme, svg.THEMES)
        terminal = Terminal(sys.stdout) if output is None and not as_json else None
        drawing = text.draw(position, seat=seat, pieces=pieces, targets=marked,
                            ascii_only=ascii_only or (terminal is not None and terminal.ascii_only),
                            colour=terminal is not None and terminal.colour, language=read_language(None))
    if output is not None:
        _write(output, drawing)
    if as_json:
        print_json(describe(position) | ({"file": str(output)} if output else {"drawing": drawing}))
    elif output is None:
        print(drawing)
        if named := name_of(position):
            print(say_opening(named, "en" if ascii_only else read_language(None)))


def describe(position: Position) -> dict[str, Any]:
    """Everything a drawing program needs to know: the geometry, what stands on it, and where it may go."""
    board = dataclasses.asdict(position.board)
    # The glyphs are a mapping of records, the symmetries are nothing to look at.
    board["glyphs"] = {code: dataclasses.asdict(glyph) for code, glyph in position.board.glyphs.items()}
    del board["symmetries"]
    status = position.status()
    return {
        "game": position.game.name,
        "options": dict(position.options),
        "text": position.to_text(),
        "turn": name_turn(position.turn),
        "board": board,
        "stones": [dataclasses.asdict(stone) for stone in position.stones()],
        "tokens": [dataclasses.asdict(token) for token in position.tokens()],
        "status": None if status is None else dataclasses.asdict(status),
        "opening": opening_facts(name_of(position)),
        "last_move": list(last_path(position)),
        "legal_moves": [{"move": position.format_move(move), "path": list(position.path(move))}
                        for move in position.moves()],
    }


def _targets(position: Position, start: str | None) -> tuple[str, ...]:
    if start is None:
        return ()
    if start not in position.board.index:
        raise UnknownNameError.among("point", start, position.board.index)
    ends = destinations(position, start)
    if not ends:
        starts = dict.fromkeys(path[0] for move in position.moves() if (path := position.path(move)))
        raise IllegalMoveError(f"no legal move begins at {start}; moves begin at {', '.join(starts) or 'no point'}")
    return ends


def _write(path: Path, drawing: str | bytes) -> None:
    try:
        if isinstance(drawing, bytes):
            path.write_bytes(drawing)
        else:
            path.write_text(drawing if drawing.endswith("\n") else drawing + "\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise BoyiError(f"cannot write {path}: {error.strerror or error}") from None
