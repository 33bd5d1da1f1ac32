"""Groups of options that several commands take: stated once, as a frozen dataclass.

A field is an option, its type says how it is read (`Annotated[…, typer.Option(…)]`). A command that has a parameter of
such a type takes the options of the group as its own and is given them together:

    def command(game: GameArgument, *, place: Start) -> None: ...

    app.command("show")(with_groups(command))     # takes --fen, --moves, --option, --rules
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

from typer.models import OptionInfo

__all__ = ["flags", "with_groups"]


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer is to see it: the options of each group in place of the group."""
    hints = get_type_hints(command, include_extras=True)
    parameters: list[inspect.Parameter] = []
    groups: dict[str, type] = {}
    for name, parameter in inspect.signature(command).parameters.items():
        hint = hints[name]
        if isinstance(hint, type) and is_dataclass(hint):
            groups[name] = hint
            own = get_type_hints(hint, include_extras=True)
            parameters += [inspect.Parameter(part.name, inspect.Parameter.KEYWORD_ONLY, default=part.default,
                                             annotation=own[part.name]) for part in fields(hint)]
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hint))

    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{part.name: given.pop(part.name) for part in fields(group)})
        command(**given)

    run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(run)["__signature__"] = inspect.Signature(parameters)
    return run


def flags(group: Any) -> dict[str, Any]:
    """The options of a group as they are named on the command line, with their values.

    >>> from boyi.cli._common import Output
    >>> flags(Output(as_json=True))
    {'--json': True, '--language': None}
    """
    hints = get_type_hints(type(group), include_extras=True)
    return {_flag(part.name, hints[part.name]): getattr(group, part.name) for part in fields(group)}


def _flag(name: str, hint: Any) -> str:
    for info in get_args(hint)[1:]:
        # In `Annotated`, typer keeps the first name of an option where its default would be.
        if isinstance(info, OptionInfo) and isinstance(info.default, str):
            return info.default
    return f"--{name.replace('_', '-')}"
