"""boyi new: write the folder of a new game.

For two players without dice the template is a game of ours (`Game.template`): it is tested with every other
game, so what a newcomer starts from always works. For more players, for dice and for Cython it is a small race
(`_templates`). Every combination is written, tested and checked by our tests.
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

from boyi.cli._common import JsonOption, print_json
from boyi.core.errors import BoyiError, TextError, shorten
from boyi.games import all_games
from boyi.kit.folder import read_text

NOT_COPIED = "# not in a copy\n"
"""How lines of the template end that are its own."""

FEWEST, MOST = 2, 6
"""Players; a race against nobody is none."""


def register(app: typer.Typer) -> None:
    app.command("new")(command)


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the game is called on the command line.")],
    to: Annotated[Path, typer.Option(metavar="DIR", help="The directory to put the folder in.")] = Path(),
    players: Annotated[int, typer.Option(min=FEWEST, max=MOST, help="How many play.")] = FEWEST,
    dice: Annotated[bool, typer.Option("--dice", help="A game with chance.")] = False,
    cython: Annotated[bool, typer.Option(
        "--cython", help="A package with the rules in Cython, to be compiled: a hundred times as fast.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a small working game called NAME, to be changed into yours."""
    folder = write(name, to, players=players, dice=dice, cython=cython)
    if as_json:
        print_json({"game": name, "folder": str(folder),
                    "files": sorted(str(path) for path in folder.rglob("*") if path.is_file())})
    elif cython:
        print(f"""\
{folder}/ holds a package with a small working game and its test. Install it, and it plays as it is:

  pip install --no-build-isolation {shlex.quote(str(folder))}
  boyi play {name}
  boyi check {name}
  python -m pytest {folder}

Now change {folder / "src" / name / "position.pyx"} into your game, and install it again. The contract that it
writes is boyi/core/rules.pxd.
""", end="")
    else:
        place = str(to.resolve())
        set_games = f"set BOYI_GAMES={place}" if os.name == "nt" else f"export BOYI_GAMES={shlex.quote(place)}"
        print(f"""\
{folder}/ holds a small working game and its test. It plays as it is:

  {set_games}
  boyi show {name}
  boyi play {name}
  boyi check {name}
  python -m pytest {folder}

Now change {folder / "__init__.py"} into your game: the rules are functions of a state.
To give it to others, name it in your package's pyproject.toml:

  [project.entry-points."boyi.games"]
  {name} = "{name}"
""", end="")


def write(name: str, directory: Path, *, players: int = FEWEST, dice: bool = False, cython: bool = False) -> Path:
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
    if players == FEWEST and not dice and not cython:
        contents = _of_our_example(name)
    else:
        contents = _of_the_race(name, players, dice, cython)
    try:
        for path, text in contents.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BoyiError(f"cannot write {folder}: {error.strerror or error}") from None
    return folder


def _of_our_example(name: str) -> dict[str, str]:
    """What is in the folder of a game that begins as our example: a text per file."""
    title = _title(name)
    example = next(game for game in all_games().values() if game.template)
    opening, rules = read_text(example, "__init__.py").split('"""\n', 1)
    states = opening.split("\n\n", 1)[1].split(" `boyi new`")[0]
    rules = "".join(line for line in rules.splitlines(keepends=True) if not line.endswith(NOT_COPIED))
    for old, new in ((_class_name(example.name), _class_name(name)), (example.name, name),
                     (example.title.en, title), (example.title.zh, title)):
        rules = rules.replace(old, new)
    return {"__init__.py": f'"""{title}.\n\n{states}\n"""\n{rules}',
            f"test_{name}.py": read_text(example, example.template).format(name=name, title=title)}


def _of_the_race(name: str, players: int, dice: bool, cython: bool) -> dict[str, str]:
    """What is in the folder of a game that begins as a race."""
    templates = {"__init__.py": "race.py", f"test_{name}.py": "race_test.py"}
    if cython:
        # Under `src`, or a test in this folder would import what is not compiled.
        templates = {"pyproject.toml": "pyproject.toml", "meson.build": "meson.build",
                     f"src/{name}/__init__.py": "race_package.py", f"src/{name}/position.pyx": "race.pyx",
                     f"src/{name}/position.pxd": "race.pxd", f"tests/test_{name}.py": "race_test.py"}
    return {path: _fill(template, name, players, dice) for path, template in templates.items()}


def _fill(template: str, name: str, players: int, dice: bool) -> str:
    """A template with its names filled in. Lines that end in `# +dice` or `# -dice` are for games with or without."""
    kept, dropped = ("  # +dice", "  # -dice") if dice else ("  # -dice", "  # +dice")
    source = files(__package__).joinpath("_templates", f"{template}.txt").read_text(encoding="utf-8")
    text = "\n".join(line.removesuffix(kept) for line in source.split("\n") if not line.endswith(dropped))
    for old, new in (("template_game", name), ("TemplateGame", _class_name(name)), ("Template game", _title(name)),
                     ("PLAYERS = 3", f"PLAYERS = {players}"), ("board(3)", f"board({players})")):
        text = text.replace(old, new)
    return text


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _class_name(name: str) -> str:
    return "".join(map(str.capitalize, name.split("_")))
