"""How much stronger is this checkout than an earlier revision? Matches, game by game, with Elo and its interval.

    python -m benchmarks.against 6692040                                     all games, 200 games each at 0.1 s a move
    python -m benchmarks.against 6692040 --games xiangqi --time 0.2 1        two time controls
    python -m benchmarks.against HEAD~20 --games othello --openings othello=xot.txt
    python -m benchmarks.against main --games xiangqi --sprt elo0=0,elo1=10
    python -m benchmarks.against 6692040 --games chinese_checkers --players 2 3 6

Any commit, tag or branch of this repository is built once in an environment of its own (`--folder`, outside the
repository) and plays through a driver under that environment's Python, for UCI does not speak every game. Both sides
have the same time, openings and seats. Without `--ours` we play by the game's default search, and a revision by the
strongest agent that it has (`benchmarks/revisions/specs.py`).

Games are kept in a journal as they end; the same command goes on with them, and with a higher `--number` plays more.
`--append docs/results/revisions.md` writes the rows into the table of revisions.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.revisions.agent import DRIVER, close_drivers
from benchmarks.revisions.build import build, default_folder, describe_checkout
from benchmarks.revisions.driver import DEFAULT
from benchmarks.revisions.encounter import Time, arrange, has_players, play
from benchmarks.revisions.report import HEADERS, Row, make_row, update_page, write_markdown
from benchmarks.revisions.specs import GAMES, find_strongest
from boyi.arena.adjudication import Adjudication
from boyi.arena.conditions import RANDOM_PLIES
from boyi.arena.sprt import Sprt, parse_sprt
from boyi.cli._table import print_table
from boyi.core.errors import BoyiError, OptionError

NUMBER = 200
MOST_TEST_GAMES = 100_000
"""With --sprt, if the number of games is not given."""

MOST_FAILURES = 5
"""Failures that are shown of an encounter; the journal has them all."""


def read_openings_option(words: Sequence[str], games: Sequence[str]) -> dict[str, Path]:
    """The files of `--openings`, by game: `FILE` for the only game, or `GAME=FILE`."""
    files: dict[str, Path] = {}
    for word in words:
        game, equals, file = word.partition("=")
        if not equals:
            if len(games) != 1:
                raise OptionError(f"--openings {word}: for which game? Write GAME={word}")
            game, file = games[0], word
        if game not in games:
            raise OptionError(f"--openings {word}: {game} is none of the games to play, {' '.join(games)}")
        files[game] = Path(file)
    return files


def run(arguments: argparse.Namespace) -> tuple[list[Row], bool]:
    """Play every match that was asked for: a row for each, and whether all were played to their end."""
    folder: Path = arguments.folder
    test: Sprt | None = None if arguments.sprt is None else parse_sprt(arguments.sprt)
    games: list[str] = arguments.games
    number: int = arguments.number or (NUMBER if test is None else MOST_TEST_GAMES)
    openings = read_openings_option(arguments.openings, games)
    times = [Time.parse(text) for text in arguments.time]
    adjudication = Adjudication(resign_value=arguments.resign_value, draw_value=arguments.draw_value)
    agreement = "".join(f"; {word} agreed at {value:g}" for word, value in (
        ("wins", arguments.resign_value), ("draws", arguments.draw_value)) if value is not None)
    checkout, built = describe_checkout(), build(arguments.revision, folder)
    command = (built.python, str(DRIVER))
    rows: list[Row] = []
    for time in times:
        for game in games:
            for players in arguments.players if has_players(game) else [2]:
                file = openings.get(game)
                encounter = arrange(
                    built, command, checkout, game, players, time, number, ours=arguments.ours or DEFAULT,
                    theirs=arguments.theirs or find_strongest(built.commit, game, players),
                    openings=None if file is None else file.read_text(encoding="utf-8"),
                    random_plies=arguments.random_plies, seed=arguments.seed, adjudication=adjudication)
                if test is not None and players != 2:
                    raise OptionError("--sprt is for two players")
                result = play(encounter, folder, arguments.jobs, test)
                if result.bouts:
                    source = f"{arguments.random_plies} random plies" if file is None else file.name
                    rows.append(make_row(built, checkout, encounter, result, test, source + agreement, folder))
                    failures = [failure.message for bout in result.bouts for failure in bout.failures]
                    for message in failures[:MOST_FAILURES]:
                        print(f"failure: {message}", file=sys.stderr)
                    print("; ".join(rows[-1].cells()), file=sys.stderr, flush=True)
                if result.interrupted:
                    return rows, False
    return rows, True


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("revision", help="a commit, tag or branch of this repository")
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES), help="which games (default: all)")
    parser.add_argument("--time", nargs="+", default=["0.1"], metavar="TIME",
                        help="seconds a move, or a clock of `boyi match`: 3+0.03, 5000nodes (default: 0.1)")
    parser.add_argument("--number", type=int, help=f"games of each match (default: {NUMBER}; with --sprt the most)")
    parser.add_argument("--sprt", metavar="elo0=…,elo1=…", help="play until it is clear which of the two is true")
    parser.add_argument("--ours", metavar="SPEC", help="our agent (default: the game's default search)")
    parser.add_argument("--theirs", metavar="SPEC", help="their agent (default: the strongest of that revision)")
    parser.add_argument("--players", nargs="+", type=int, default=[2], help="in Chinese checkers (default: 2)")
    parser.add_argument("--openings", nargs="+", default=[], metavar="[GAME=]FILE",
                        help="openings as `boyi match` reads them, or XOT; else random moves")
    parser.add_argument("--random-plies", type=int, default=RANDOM_PLIES, help="without --openings (default: 4)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resign-value", type=float, metavar="P",
                        help="end a game as `boyi match` does: a win when both expect it, P of 1 or more")
    parser.add_argument("--draw-value", type=float, metavar="D", help="the same for draws: a half, give or take D")
    parser.add_argument("--jobs", type=int, default=1, help="games at the same time (default: 1)")
    parser.add_argument("--folder", type=Path, default=default_folder(),
                        help=f"where builds and games are kept (default: {default_folder()})")
    parser.add_argument("--append", type=Path, metavar="FILE", help="write the rows into the table of this page")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true")
    form.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args(words)
    if arguments.number is not None and arguments.number < 1:
        parser.error("--number must be at least 1")
    try:
        rows, complete = run(arguments)
    except (BoyiError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    finally:
        close_drivers()
    if arguments.json:
        print(json.dumps([row.to_json() for row in rows], indent=2, ensure_ascii=False))
    elif arguments.markdown:
        print(write_markdown([row.cells() for row in rows]), end="")
    elif rows:
        print_table(HEADERS, [row.cells() for row in rows])
    if not complete:
        return 130
    if arguments.append is not None:
        page = arguments.append.read_text(encoding="utf-8") if arguments.append.exists() else ""
        part = arguments.append.with_name(arguments.append.name + ".part")
        part.write_text(update_page(page, [row.cells() for row in rows]), encoding="utf-8")
        part.replace(arguments.append)
    return 0


if __name__ == "__main__":
    sys.exit(main())
