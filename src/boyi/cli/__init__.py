"""The command line: one file per command, found by looking.

A module here whose name does not begin with `_` has `register(app)`, which adds
its command to the `typer` application. `main` is the only place that turns an
error of ours into words and an exit code:

    0  done        1  the answer is no (a check that failed), or nobody reads it any more
    2  bad input   130  interrupted

Results go to standard output, everything else to standard error.
"""

from __future__ import annotations

import functools
import importlib
import io
import os
import pkgutil
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from boyi.cli._terminal import OutputClosedError
from boyi.core.errors import BoyiError, BoyiWarning, BrokenRulesError, TextError

__all__ = ["build", "main"]

COMPLETING = "_BOYI_COMPLETE"
"""The environment variable by which a shell asks what may be typed next."""


def build() -> typer.Typer:
    """The whole application."""
    app = typer.Typer(name="boyi", no_args_is_help=True, add_completion=True, rich_markup_mode=None,
                      pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]})
    app.callback()(_group)
    for found in pkgutil.iter_modules(__path__):
        if not found.name.startswith("_"):
            importlib.import_module(f"{__name__}.{found.name}").register(app)
    return app


@functools.cache
def _command() -> Callable[..., object]:
    """The application as it is run; to put it together takes a tenth of a second, which tests would pay each time."""
    command = typer.main.get_command(build())
    if COMPLETING in os.environ:
        from boyi.cli._completion import complete_values
        complete_values(command)
    return command


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version
        print(f"boyi {version('boyi')}")
        raise typer.Exit


def _group(
    version: Annotated[bool, typer.Option(
        "--version", help="Print the version and leave.", callback=_print_version, is_eager=True)] = False,
) -> None:
    """Boyi 博弈: play, analyse, train and measure traditional board games."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A terminal or a pipe that cannot carry a character gets a substitute, never a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    output = sys.stdout
    try:
        if any("\0" in word for word in arguments or ()):
            raise TextError("an argument holds a NUL character, which no file name or text of ours has")
        try:
            with warnings.catch_warnings():
                _say_warnings()
                _command()(arguments, prog_name="boyi")
        finally:
            output.flush()
    except (BrokenPipeError, OutputClosedError):
        # The reader (head, less) has gone; keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())
        sys.exit(1)
    except (BoyiError, BrokenRulesError) as error:
        print(f"boyi: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


def _say_warnings() -> None:
    """Warnings of ours are a line of words on standard error, without the place in our code."""
    usual = warnings.showwarning

    def say(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if issubclass(category, BoyiWarning):
            print(f"boyi: {message}", file=sys.stderr)
        else:
            usual(message, category, *place, **more)

    warnings.showwarning = say
