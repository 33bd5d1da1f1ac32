"""From Python code of others to an agent: an object with `choose`, or a class or function that makes one.

    find      what `module:Class` names
    make      an agent of it, with its options
    digest    tells its code from other code of the same name

What cannot be used is an `OptionError`, what the code itself raises an `AgentError`. This runs the code: only
`agents.guest`, which is a process of its own, and `arena.contestant`, for what a program was given as objects, do that.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from boyi.agents.agent import Agent, AgentError
from boyi.core.errors import OptionError, UnknownNameError, shorten

__all__ = ["digest", "find", "is_agent", "make", "takes_seed"]


def find(target: str) -> Any:
    """What `module:Class` names, imported."""
    module_name, _, path = target.partition(":")
    try:
        found: Any = importlib.import_module(module_name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if isinstance(error, ModuleNotFoundError) and error.name and f"{module_name}.".startswith(f"{error.name}."):
            raise OptionError(f"there is no module {module_name}; it is found where Python looks for modules and in "
                              f"the folder in which Boyi was started") from None
        raise OptionError(f"the module {module_name} cannot be imported: {AgentError.raised(error)}") from error
    for name in path.split("."):
        if not hasattr(found, name):
            known = [each for each in dir(found) if not each.startswith("_")]
            raise OptionError(str(UnknownNameError.among(f"class or function of {module_name}", name, known[:20])))
        found = getattr(found, name)
    return found


def is_agent(entry: object) -> bool:
    """Is this an agent itself, and not what makes one?"""
    return not isinstance(entry, type) and callable(getattr(entry, "choose", None))


def takes_seed(entry: Any) -> bool:
    """Is it given another seed for every game?"""
    if is_agent(entry) or not callable(entry):
        return False
    try:
        return "seed" in inspect.signature(entry).parameters
    except (TypeError, ValueError):
        return False


def make(entry: Any, name: str, options: Mapping[str, object], seed: int | None = None) -> Agent:
    """An agent: `entry` itself if it is one, else what it makes with these options.

    The seed is for those who have a parameter `seed` and were not given one.
    """
    if is_agent(entry):
        agent: Agent = entry
        return agent
    if not callable(entry):
        raise OptionError(f"{name} is no agent, which has choose(observation, clock), and no class or function that "
                          f"makes one")
    given = _fill(entry, name, options, seed)
    try:
        made = entry(**given)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise AgentError.raised(error) from error
    if not is_agent(made):
        raise OptionError(f"{name} makes {shorten(type(made).__name__)[1:-1]} objects, which have no "
                          f"choose(observation, clock)")
    return made  # type: ignore[no-any-return]


def _fill(entry: Callable[..., Any], name: str, options: Mapping[str, object], seed: int | None) -> dict[str, object]:
    """The keyword arguments, checked against the signature where there is one."""
    given = dict(options)
    try:
        signature = inspect.signature(entry)
    except (TypeError, ValueError):
        return given
    parameters = signature.parameters
    if seed is not None and "seed" in parameters:
        given.setdefault("seed", seed)
    if all(one.kind is not inspect.Parameter.VAR_KEYWORD for one in parameters.values()):
        for option in given:
            if option not in parameters:
                raise OptionError(str(UnknownNameError.among(f"option of {name}", option, parameters)))
    try:
        signature.bind(**given)
    except TypeError as error:
        raise OptionError(f"{name} cannot be made: {error}") from None
    return given


def digest(entry: object) -> str:
    """Of the file in which the class or function is written; empty where there is none, as in a notebook."""
    try:
        file = inspect.getsourcefile(type(entry) if is_agent(entry) else entry)  # type: ignore[arg-type]
        return "" if file is None else hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]
    except (OSError, TypeError):
        return ""
