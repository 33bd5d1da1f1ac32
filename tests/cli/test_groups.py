"""Groups of options that several commands take."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

from boyi.cli._common import Output, Start
from boyi.cli._conditions import Beginning, Conditions, Workers
from boyi.cli._groups import flags, with_groups
from boyi.cli._keeping import command_line
from tests.cli import invoke

heard: list[object] = []


@dataclass(frozen=True, kw_only=True)
class Drink:
    """What is drunk."""

    kind: Annotated[str, typer.Option(help="Which.")] = "tea"
    cups: Annotated[int | None, typer.Option("--cups", "-c", min=1, help="How many.")] = None
    with_milk: Annotated[bool, typer.Option("--milk", help="With milk.")] = False


def breakfast(who: Annotated[str, typer.Argument()], *, drink: Drink, eggs: int = 1) -> None:
    """Have breakfast."""
    heard.append((who, drink, eggs))


def test_a_group_is_taken_as_options_and_given_together() -> None:
    app, runner = typer.Typer(), CliRunner()
    app.command()(with_groups(breakfast))
    heard.clear()
    assert runner.invoke(app, ["Ada"]).exit_code == 0
    assert runner.invoke(app, ["Ada", "--kind", "coffee", "-c", "2", "--milk", "--eggs", "0"]).exit_code == 0
    assert heard == [("Ada", Drink(), 1), ("Ada", Drink(kind="coffee", cups=2, with_milk=True), 0)]
    assert runner.invoke(app, ["Ada", "--cups", "0"]).exit_code == 2
    shown = runner.invoke(app, ["--help"]).output
    assert "Have breakfast." in shown and shown.index("--kind") < shown.index("--cups") < shown.index("--eggs")


def test_flags_are_those_of_the_command_line() -> None:
    assert flags(Drink(cups=3)) == {"--kind": "tea", "--cups": 3, "--milk": False}
    line = command_line("x", "game", [], flags(Drink(kind="black tea", with_milk=True)))
    assert shlex.split(line) == ["boyi", "x", "game", "--kind", "black tea", "--milk"]


def test_three_commands_take_the_same_options() -> None:
    """And say the same about them."""
    def options(command: str) -> dict[str, str]:
        text = invoke(command, "--help").out.partition("Options:")[2]
        entries = text.replace("\n  -", "\n\0-").split("\0")[1:]
        return {next(word.strip(",") for word in entry.split() if word.startswith("--")): " ".join(entry.split())
                for entry in entries}

    match, tournament, tune = map(options, ("match", "tournament", "tune"))
    for group in (Workers(), Beginning(), Start(), Output()):
        for flag in flags(group):
            assert match[flag] == tournament[flag] == tune[flag], flag
    for flag in flags(Conditions()):
        assert match[flag] == tournament[flag], flag
