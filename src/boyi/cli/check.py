"""boyi check: is what is true of every game true of this one?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from boyi.cli._common import GameArgument, JsonOption, OptionsOption, print_json, read_options
from boyi.games import find_game

if TYPE_CHECKING:
    from boyi.conformance import Finding

MOST_TIMES = 1000


def register(app: typer.Typer) -> None:
    app.command("check")(command)


def command(
    game: GameArgument,
    option: OptionsOption = None,
    times: Annotated[int, typer.Option(
        min=1, max=MOST_TIMES, help="Ask every property this many times as often.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Ask of GAME what is true of every game: one line per property, with the smallest example of what is broken; exit
    code 1 if anything is. It is asked under the default rules and under every other value of each option, or with
    --option under those rules alone."""
    from boyi.conformance import check_game  # it needs the rooms of the server, which no other command should wait for

    def heard(finding: Finding) -> None:
        if not as_json:
            print("\n".join(finding.lines()), flush=True)

    report = check_game(find_game(game), None if option is None else read_options(option), times=times, heard=heard)
    if as_json:
        print_json(report.document())
    else:
        print(report.summary)
    if not report.ok:
        raise typer.Exit(1)
