"""boyi levels: the ladder of a game, and how it is fitted."""

from __future__ import annotations

import datetime
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from boyi.cli._common import GameArgument, JsonOption, LanguageOption, print_json, read_language
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.core.errors import BoyiError, OptionError, explain, shorten
from boyi.core.position import Position
from boyi.core.words import Words
from boyi.games import find_game
from boyi.kit.ladder import Ladder, find_ladder, ladder_file, read_ladders, write_ladders

HEADERS = (Words("level", "级别"), Words("name", "称号"), Words("rating", "等级分"),
           Words("beats the one below", "胜下一级"), Words("games", "局数"), Words("what it means", "说明"))
NOT_FITTED = Words("This ladder was not fitted; `boyi levels fit {game}` measures it.",
                   "此阶梯尚未测定；用 `boyi levels fit {game}` 测定。")
FITTED = Words("Fitted on {date}: {command}. Random moves have rating 0; a rating of a few games is rough.",
               "测定于 {date}：{command}。随机着法为 0 分；局数少的等级分较粗略。")
WRITTEN = Words("The ladder is in {file}.", "阶梯已写入 {file}。")

PlayersOption = Annotated[int | None, typer.Option(min=2, max=6, help="How many play, where a game allows it.")]


def register(app: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True, help="The levels of a game: list them, or measure them anew.")
    group.command("show")(show)
    group.command("fit")(fit)
    app.add_typer(group, name="levels")


def _start(game: str, players: int | None) -> Position:
    found = find_game(game)
    return found.start() if players is None or players == found.start().players else found.start(players=players)


def show(game: GameArgument, players: PlayersOption = None, as_json: JsonOption = False,
         language: LanguageOption = None) -> None:
    """List the levels of a game: number, name, rating, what it means."""
    start, speech = _start(game, players), read_language(language)
    ladder = find_ladder(start.game, start.players)
    if as_json:
        print_json(facts(start, ladder))
        return
    rows = []
    for number, level in enumerate(ladder.levels, 1):
        meaning = ladder.meaning(number)
        rows.append([str(number), ladder.title(number).say(speech),
                     "" if level.rating is None else f"{level.rating:.0f}",
                     "" if level.score is None else f"{100 * level.score:.0f} %", str(level.games or ""),
                     "" if meaning is None else meaning.say(speech)])
    print_table([header.say(speech) for header in HEADERS], rows, numbers=[0, 2, 3, 4])
    print(FITTED.say(speech).format(date=ladder.date, command=ladder.command) if ladder.command
          else NOT_FITTED.say(speech).format(game=start.game.name))


def facts(start: Position, ladder: Ladder) -> dict[str, Any]:
    """A ladder as JSON has it."""
    return {"game": start.game.name, "players": start.players, "command": ladder.command, "date": ladder.date,
            "levels": [describe(ladder, number) for number in range(1, len(ladder) + 1)]}


def describe(ladder: Ladder, number: int) -> dict[str, Any]:
    """A level as JSON has it."""
    title, meaning, level = ladder.title(number), ladder.meaning(number), ladder.find(number)
    return {"level": number, "title": {"en": title.en, "zh": title.zh},
            "meaning": None if meaning is None else {"en": meaning.en, "zh": meaning.zh}, "rating": level.rating,
            "score": level.score, "games": level.games}


def fit(
    game: GameArgument,
    players: PlayersOption = None,
    games: Annotated[int, typer.Option(
        min=0, max=10_000, help="Games for each step of the ladder; 0 for a first one by the curve alone.")] = 200,
    probes: Annotated[int, typer.Option(min=2, max=1_000, help="Games for each step of the first, coarse curve.")] = 24,
    minutes: Annotated[float | None, typer.Option(
        min=0.01, help="A step that takes longer has fewer games, but six at least.")] = None,
    seconds: Annotated[float, typer.Option(
        min=0.01, max=60, help="For a move of the highest level; counted in nodes, so that a busy machine does not "
        "matter.")] = 1.0,
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Games at the same time.")] = 1,
    seed: Annotated[int, typer.Option(min=0, max=2**62, help="The same seed plays the same games.")] = 1,
    journal: Annotated[Path | None, typer.Option(
        metavar="FILE", help="Where every game is kept, so that a fit can go on; else "
        "levels-GAME-PLAYERS.jsonl.")] = None,
    output: Annotated[Path | None, typer.Option(
        "--output", metavar="FILE", help="Where to write the ladder; else where the game looks for it.")] = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """Measure the levels of a game, from random moves to full strength, and write its ladder.

    It can be interrupted and begun again; all games are kept in the journal.
    """
    from boyi.learn.levels.fit import Fit, Settings

    start, speech = _start(game, players), read_language(language)
    name = start.game.name
    words = ["boyi", "levels", "fit", name, *(["--players", str(start.players)] if players else []), "--games",
             str(games), "--probes", str(probes), *(["--minutes", f"{minutes:g}"] if minutes else []),
             *(["--seconds", f"{seconds:g}"] if seconds != 1 else [])]
    file = output or ladder_file(start.game)
    known = read_ladders(start.game)
    if file is None or not file.parent.is_dir():
        raise OptionError("there is no folder for the ladder; name a file in one with --output")
    with Progress(f"levels of {name}") as progress:
        def tell(step: str) -> None:
            progress.clear()
            print(step, file=sys.stderr, flush=True)

        settings = Settings(start, games=games, probes=probes, minutes=minutes, seconds=seconds, seed=seed,
                            command=shlex.join(words))
        fitted = Fit(settings, journal or Path(f"levels-{name}-{start.players}.jsonl"), jobs, tell, progress.show,
                     ).run(datetime.datetime.now(tz=datetime.UTC).date().isoformat())
    kind = "for_two" if start.players == 2 else "for_more"
    try:
        file.write_text(write_ladders({**known, kind: fitted}), encoding="utf-8")
    except OSError as error:
        raise BoyiError(f"cannot write {shorten(str(file))}: {explain(error)}") from error
    if as_json:
        print_json(facts(start, fitted) | {"file": str(file)})
    else:
        print(WRITTEN.say(speech).format(file=file))
