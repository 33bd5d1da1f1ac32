"""The command line: one file per command, found by looking.

A module here whose name does not begin with `_` has `register(app)`, which adds
its command to the `typer` application. `main` is the only place that turns an
error of ours into words and an exit code:

    0  done        1  the answer is no (a check that failed)
    2  bad input   130  interrupted
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys

import typer

from boyi.core.errors import BoyiError

__all__ = ["build", "main"]


def build() -> typer.Typer:
    """The whole application."""
    app = typer.Typer(name="boyi", no_args_is_help=True, add_completion=False, rich_markup_mode=None,
                      pretty_exceptions_enable=False)
    app.callback()(_group)
    for found in pkgutil.iter_modules(__path__):
        if not found.name.startswith("_"):
            importlib.import_module(f"{__name__}.{found.name}").register(app)
    return app


def _group() -> None:
    """Boyi 博弈: play, analyse, train and measure traditional board games."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        build()()
    except BoyiError as error:
        print(f"boyi: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader (head, less) has gone; keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
