"""boyi puzzles: make puzzles, and verify that their solutions hold."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boyi.cli._common import MOST_JOBS, GameArgument, JsonOption, LanguageOption, print_json, read_language
from boyi.cli._progress import Progress
from boyi.cli._texts import say
from boyi.core.errors import BoyiError, OptionError, RecordError, shorten
from boyi.core.formats import find_source
from boyi.core.record import Record
from boyi.core.words import Language, Words
from boyi.games import all_games, find_game

if TYPE_CHECKING:
    from boyi.core.game import Game
    from boyi.study.puzzles.collection import Puzzles
    from boyi.study.puzzles.making import Made

DONE = Words("{puzzles} puzzles, {composed} of them composed; {kilobytes} KB in {file}",
             "{puzzles} 道题，其中排局 {composed} 道；写入 {file}，{kilobytes} KB")
THEME = Words("{count:>6}  {title}", "{count:>6}  {title}")
VERIFIED = Words("{whole} of {count} puzzles of {title} hold at {nodes} nodes a move ({share:.1f} %), {part} more in "
                 "part", "{title}：每步 {nodes} 个节点复核，{count} 道题中 {whole} 道成立（{share:.1f}%），"
                 "另有 {part} 道部分成立")
FAILED = Words("{id} does not hold: {move} is not the only good move", "{id} 不成立：{move} 不是唯一的好着")
WRITTEN = Words("{held} puzzles written to {file}", "已将 {held} 道题写入 {file}")

JobsOption = Annotated[int, typer.Option("--jobs", "-j", min=1, max=MOST_JOBS, help="Processes that work at the same "
                                                                                   "time.")]


def register(app: typer.Typer) -> None:
    commands = typer.Typer(no_args_is_help=True, help="Make puzzles and verify them.", rich_markup_mode=None)
    commands.command("make")(make)
    commands.command("verify")(verify)
    app.add_typer(commands, name="puzzles")


# ---------------------------------------------------------------------- make

def make(
    game: GameArgument,
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write them, e.g. puzzles.xz; FILE.journal "
                                                                "beside it lets the command go on later.")],
    number: Annotated[int, typer.Option("--number", "-n", min=0, max=10**6, help="How many there are to be; 0 for "
                                        "those of --games alone.")] = 100,
    games: Annotated[list[Path] | None, typer.Option(
        metavar="FILE", help="Look for puzzles in the games of this file, too; may be given several times.")] = None,
    composed: Annotated[float, typer.Option(
        min=0.0, max=100.0, help="Percentage that are endings put together by chance, in games that say how.")] = 0.0,
    nodes: Annotated[int, typer.Option(min=1, max=10**12, help="Of the first look at a position; what stands out is "
                                                               "examined with ten times as many.")] = 5_000,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="The same seed plays the same games.")] = 0,
    jobs: JobsOption = 1,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Make puzzles: positions out of self-play, records and composed endings in which exactly one move is good."""
    from boyi.study.puzzles.maker import COMPOSED, MakerSettings
    from boyi.study.puzzles.making import make as make_puzzles

    speech = read_language(language)
    chosen = find_game(game)
    if not output.parent.is_dir():
        raise BoyiError(f"the puzzles cannot be written to {output}: there is no folder {output.parent}")
    records = [(path.name, record) for path in games or [] for record in _read(path)]
    if not records and number == 0:
        raise OptionError("0 puzzles are made of nothing: say how many (--number), or name games (--games FILE)")
    with Progress("puzzles") as progress:
        pace = _Pace(progress, number)
        puzzles = make_puzzles(output, MakerSettings(game=chosen.name, nodes=nodes, seed=seed), number,
                               composed=composed / 100, records=records, jobs=jobs, on_progress=pace.show)
    made = sum(puzzle.source == COMPOSED for puzzle in puzzles.puzzles)
    size = output.stat().st_size
    if as_json:
        print_json({"game": game, "file": str(output), "bytes": size, "puzzles": len(puzzles), "composed": made,
                    "themes": dict(puzzles.themes), "made": dict(puzzles.made)})
        return
    print(say(DONE, speech, puzzles=len(puzzles), composed=made, kilobytes=(size + 999) // 1000, file=output))
    _print_themes(puzzles, speech)


class _Pace:
    """How many puzzles there are, and how long the rest will take."""

    def __init__(self, progress: Progress, number: int) -> None:
        self._progress, self._number = progress, number
        self._began, self._before = time.monotonic(), -1

    def show(self, made: Made) -> None:
        if self._before < 0:
            self._before = made.puzzles
        text = f"{made.puzzles} of {self._number}, {made.tasks} games and batches of endings"
        new = made.puzzles - self._before
        if new:
            left = round((time.monotonic() - self._began) / new * max(0, self._number - made.puzzles))
            text += f", {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"
        self._progress.show(text)


def _read(path: Path) -> list[Record]:
    """The records of a file that can be read; refused if none can."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BoyiError(f"cannot read {shorten(str(path))}: {error.strerror or error}") from error
    found = list(find_source(data, path.name, list(all_games().values())).records())
    records = [record for record in found if not isinstance(record, RecordError)]
    if found and not records:
        raise BoyiError(f"no game of {shorten(str(path))} can be read; the first: {found[0]}")
    return records


def _print_themes(puzzles: Puzzles, language: Language) -> None:
    from boyi.study.puzzles.themes import themes_of

    titles = themes_of(puzzles.game)
    for name, count in puzzles.themes.items():
        print(say(THEME, language, count=count, title=titles[name].say(language)))


# ---------------------------------------------------------------------- verify

def verify(
    game: GameArgument,
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", show_default=False,
                                                help="A file of puzzles; else those that come with the game.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, max=10**12, help="For every move of a solution; else ten times "
                                              "those with which the puzzles were made.")] = None,
    keep: Annotated[Path | None, typer.Option(metavar="FILE", help="Write those that hold to this file, as far as "
                                 "they do.")] = None,
    jobs: JobsOption = 1,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Verify every solution by a search of ten times the nodes that made it; exit code 1 if one does not hold."""
    from boyi.study.puzzles import making, verifying
    from boyi.study.puzzles.maker import CHECK, MakerSettings

    speech = read_language(language)
    puzzles = find_puzzles(find_game(game), file)
    asked = nodes or verifying.TIMES * int(puzzles.made.get("nodes", CHECK * MakerSettings(game=game).nodes))
    verdicts = []
    with Progress("verify") as progress:
        for verdict in verifying.verify(puzzles, asked, jobs):
            verdicts.append(verdict)
            wrong = sum(not one.holds or bool(one.failed_at) for one in verdicts)
            progress.show(f"{len(verdicts)} of {len(puzzles)}, {wrong} do not hold")
    held = tuple(verdict.puzzle for verdict in verdicts if verdict.holds)
    failed = [verdict for verdict in verdicts if not verdict.holds or verdict.failed_at]
    whole = len(verdicts) - len(failed)
    if keep is not None:
        making.write(keep, replace(puzzles, puzzles=held, made={**puzzles.made, "verified_nodes": asked}))
    share = 100 * whole / max(1, len(verdicts))
    if as_json:
        print_json({"game": game, "puzzles": len(verdicts), "hold": whole, "in_part": len(held) - whole, "nodes": asked,
                    "failed": [{"id": one.puzzle.id, "move": one.failed_at} for one in failed]})
    else:
        for one in failed:
            print(say(FAILED, speech, id=one.puzzle.id, move=one.failed_at))
        print(say(VERIFIED, speech, whole=whole, part=len(held) - whole, count=len(verdicts), nodes=asked, share=share,
                  title=puzzles.game.title.say(speech)))
        if keep is not None:
            print(say(WRITTEN, speech, held=len(held), file=keep))
    if failed and keep is None:
        raise typer.Exit(1)


def find_puzzles(game: Game, file: Path | None) -> Puzzles:
    """The puzzles of a file, or those that come with a game."""
    from boyi.study.puzzles.collection import own_puzzles, read_puzzles

    if file is not None:
        return read_puzzles(file, game)
    own = own_puzzles(game)
    if own is None:
        raise OptionError(f"no puzzles come with {game.name}; `boyi puzzles make {game.name} FILE` makes some")
    return own
