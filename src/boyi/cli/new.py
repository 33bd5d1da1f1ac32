"""boyi new: write the folder of a new game.

The template is a game of ours (`Game.template`): it is tested with every other
game, so what a newcomer starts from always works.
"""

from __future__ import annotations

import importlib.util
import keyword
import os
import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from boyi.cli._common import JsonOption, print_json
from boyi.core.errors import BoyiError, TextError, shorten
from boyi.games import all_games
from boyi.kit.folder import read_text

NOT_COPIED = "# not in a copy\n"
"""How lines of the template end that are its own."""


def register(app: typer.Typer) -> None:
    app.command("new")(command)


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the game is called on the command line.")],
    to: Annotated[Path, typer.Option(metavar="DIR", help="The directory to put the folder in.")] = Path(),
    as_json: JsonOption = False,
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
    example = next(game for game in all_games().values() if game.template)
    opening, rules = read_text(example, "__init__.py").split('"""\n', 1)
    states = opening.split("\n\n", 1)[1].split(" `boyi new`")[0]
    rules = "".join(line for line in rules.splitlines(keepends=True) if not line.endswith(NOT_COPIED))
    for old, new in ((_class_name(example.name), _class_name(name)), (example.name, name),
                     (example.title.en, title), (example.title.zh, title)):
        rules = rules.replace(old, new)
    test = read_text(example, example.template).format(name=name, title=title)
    try:
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(f'"""{title}.\n\n{states}\n"""\n{rules}', encoding="utf-8")
        (folder / f"test_{name}.py").write_text(test, encoding="utf-8")
    except OSError as error:
        raise BoyiError(f"cannot write {folder}: {error.strerror or error}") from None
    return folder


def _class_name(name: str) -> str:
    return "".join(map(str.capitalize, name.split("_")))
