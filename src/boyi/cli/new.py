"""boyi new: write the folder of a new game.

The worked example, tic-tac-toe, is the template: it is tested with every other
game, so what a newcomer starts from always works.
"""

from __future__ import annotations

import importlib.util
import keyword
import os
import re
import shlex
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from boyi.cli._common import print_json
from boyi.core.errors import BoyiError, TextError, shorten
from boyi.games import all_games

EXAMPLE = "tic_tac_toe"

TEST = '''\
"""What is known about {title}. Change it together with the rules."""

from __future__ import annotations

import pytest

from boyi import TextError, perft
from {name} import GAME


def test_leaves_are_counted() -> None:
    start = GAME.start()
    assert [perft(start, depth) for depth in range(5)] == [1, 9, 72, 504, 3024]


def test_a_whole_game() -> None:
    position = GAME.start()
    for move in ("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"):
        assert position.outcome() is None
        position.play(move)
        assert GAME.parse(position.to_text()).fingerprint == position.fingerprint
    assert position.outcome().results == (0, 0)
    for _ in range(9):
        position.undo()
    assert position.to_text() == GAME.start().to_text()


@pytest.mark.parametrize("text", ["", "XO", "XXX/OOO/---", "XX-/---/---", "abc/def/ghi"])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(TextError):
        GAME.parse(text)
'''


def register(app: typer.Typer) -> None:
    app.command("new")(command)


def command(
    name: str,
    to: Annotated[Path, typer.Option(help="The directory to put the folder in.")] = Path(),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Write a small working game called NAME, to be changed into yours."""
    folder = write(name, to)
    if as_json:
        print_json({"game": name, "folder": str(folder), "files": sorted(str(path) for path in folder.iterdir())})
        return
    place = str(to.resolve())
    set_games = f"set BOYI_GAMES={place}" if os.name == "nt" else f"export BOYI_GAMES={shlex.quote(place)}"
    print(f"""\
{folder}/ holds a small working game and its test. It plays as it is:

  {set_games}
  boyi show {name} --moves "b2 a1"
  boyi perft {name} 5
  python -m pytest {folder}

Now change {folder / "__init__.py"} into your game: the rules are functions of a state.
To give it to others, name it in your package's pyproject.toml:

  [project.entry-points."boyi.games"]
  {name} = "{name}"
""", end="")


def write(name: str, directory: Path) -> Path:
    """Write the folder of a game, or refuse and write nothing."""
    if not re.fullmatch("[a-z][a-z0-9_]{1,39}", name) or keyword.iskeyword(name):
        raise TextError(f"{shorten(name)} cannot be the name of a game: 2 to 40 small letters, digits and _, "
                        "beginning with a letter, such as connect_four")
    folder = directory / name
    if folder.exists():
        raise TextError(f"{folder} exists already; choose another name or another place with --to")
    if name in all_games():
        raise TextError(f"there is a game called {name} already; choose another name")
    if importlib.util.find_spec(name) is not None:
        raise TextError(f"{name} is the name of a Python module that is installed here, which would hide the game; "
                        "choose another name")
    title = name.replace("_", " ").capitalize()
    source = files(f"boyi.games.{EXAMPLE}").joinpath("__init__.py").read_text(encoding="utf-8")
    opening, rules = source.split('"""\n', 1)
    states = opening.split("\n\n", 1)[1].split(" `boyi new`")[0]
    rules = (rules.replace("TicTacToe", "".join(map(str.capitalize, name.split("_")))).replace(EXAMPLE, name)
             .replace("Tic-tac-toe", title).replace("井字棋", title))
    try:
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(f'"""{title}.\n\n{states}\n"""\n{rules}', encoding="utf-8")
        (folder / f"test_{name}.py").write_text(TEST.format(name=name, title=title), encoding="utf-8")
    except OSError as error:
        raise BoyiError(f"cannot write {folder}: {error.strerror or error}") from None
    return folder
