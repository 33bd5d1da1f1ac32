"""Type stubs say what the compiled modules are: same names, same signatures, nothing more and nothing less.

A stub is written by hand, so that it can be read; this test is what keeps it true. It compares
the `.pyi` beside each `.pyx` with the compiled module: public functions, classes, methods,
properties and constants, and of each callable the parameters with their kinds and defaults.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import boyi

PACKAGE = Path(boyi.__file__).parent
COMPILED = sorted(PACKAGE.rglob("*.pyx"))

# Special methods that a stub must have when the source defines them. The others say nothing to a type checker, or are
# inherited from `object` in every class (a stub may still repeat those, e.g. to narrow a type).
TELLING = {"__init__", "__len__", "__iter__", "__next__", "__getitem__", "__setitem__", "__delitem__", "__contains__",
           "__call__", "__enter__", "__exit__", "__bool__", "__int__", "__float__", "__index__",
           "__add__", "__sub__", "__mul__", "__and__", "__or__", "__xor__", "__lt__", "__le__", "__gt__", "__ge__"}


OVERLOADS = "several signatures"


def name_of(path: Path) -> str:
    return ".".join(("boyi", *path.relative_to(PACKAGE).with_suffix("").parts))


def public(name: str) -> bool:
    return not name.startswith("_") or name in TELLING


# ------------------------------------------------------------------ what the compiled module is

def described(module: ModuleType) -> dict[str, str]:
    """Every public thing that the module itself defines, with its signature or kind."""
    found = {}
    constants = set(re.findall(r"^([A-Za-z]\w*)\b[^=\n(]*=[^=]", source_of(module.__name__), re.MULTILINE))
    for name, value in vars(module).items():
        if not public(name):
            continue
        if inspect.isclass(value) and value.__module__ == module.__name__:
            found[name] = "class"
            found.update({f"{name}.{member}": text for member, text in members(value).items()})
        elif callable(value) and getattr(value, "__module__", None) == module.__name__ and not inspect.isclass(value):
            found[name] = signature(value)
        elif name in constants and not inspect.ismodule(value):
            found[name] = "value"
    return found


def members(cls: type) -> dict[str, str]:
    """Every public thing that the class itself defines, with its signature or kind."""
    found = {}
    source = class_source(cls)
    for name, value in vars(cls).items():
        if not public(name):
            continue
        if name.startswith("__"):
            # The interpreter keeps no signature of these; the source does. Those not in it are object's or Cython's.
            written = re.search(rf"^    def {name}\((.*?)\)\s*(?:->[^\n]*)?:", source, re.MULTILINE | re.DOTALL)
            if written:
                found[name] = written_signature(written[1])
        elif isinstance(value, staticmethod | classmethod):
            found[name] = signature(value.__func__)
        elif callable(value):
            found[name] = signature(value)
        else:
            found[name] = "value"
    return found


def inherited(cls: type) -> dict[str, str]:
    """What the class has from other compiled classes; where an override looks the same, a stub need not repeat it."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__[1:]):
        if base.__module__.startswith("boyi."):
            found.update(members(base))
    return found


@cache
def source_of(module: str) -> str:
    path = PACKAGE.joinpath(*module.split(".")[1:]).with_suffix(".pyx")
    return path.read_text(encoding="utf-8") if path.exists() else ""


def class_source(cls: type) -> str:
    found = re.search(rf"^(?:cdef )?class {cls.__name__}\b.*?(?=^\S|\Z)", source_of(cls.__module__),
                      re.MULTILINE | re.DOTALL)
    return found[0] if found else ""


def signature(function: Any) -> str:
    """The parameters as text: names, kinds and defaults, without types."""
    shown = []
    star = False
    parameters = list(inspect.signature(function).parameters.values())
    for index, parameter in enumerate(parameters):
        text = parameter.name
        if parameter.kind is parameter.VAR_POSITIONAL:
            text, star = "*" + text, True
        elif parameter.kind is parameter.VAR_KEYWORD:
            text = "**" + text
        elif parameter.kind is parameter.KEYWORD_ONLY and not star:
            text, star = "*, " + text, True
        if parameter.default is not parameter.empty:
            text += f"={default(parameter.default)}"
        shown.append(text)
        last = index + 1 == len(parameters) or parameters[index + 1].kind is not parameter.POSITIONAL_ONLY
        if parameter.kind is parameter.POSITIONAL_ONLY and last:
            shown.append("/")
    return f"({', '.join(shown)})"


def default(value: object) -> str:
    """A default as its literal, where it has one."""
    return repr(value) if value is None or isinstance(value, bool | int | float | str | bytes | tuple) else "..."


def written_signature(text: str) -> str:
    """The parameters of a Cython `def`, without types: `(int depth=3, Position p not None)` is `(depth=3, p)`."""
    shown = []
    for part in re.sub(r"#[^\n]*", "", text).split(","):
        parameter, equals, value = part.strip().partition("=")
        parameter = re.sub(r"\s+(?:not|or) None\s*$", "", re.sub(r":.*", "", parameter))
        words = re.findall(r"\*{0,2}\w+|[*/]", parameter)
        if words:
            shown.append(words[-1] + (f"={literal(ast.parse(value.strip(), mode='eval').body)}" if equals else ""))
    return f"({', '.join(shown).replace('*, *', '*')})"


# ------------------------------------------------------------------ what the stub says

def stated(body: Iterable[ast.stmt], within: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for node in body:
        if isinstance(node, ast.ClassDef) and public(node.name):
            found[within + node.name] = "class"
            found.update(stated(node.body, f"{node.name}."))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and public(node.name):
            decorators = {getattr(part, "id", getattr(part, "attr", "")) for part in node.decorator_list}
            if "overload" in decorators:
                found[within + node.name] = OVERLOADS
                continue
            found[within + node.name] = "value" if decorators & {"property", "setter"} else stated_signature(node.args)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and public(node.target.id):
            if ast.unparse(node.annotation) != "TypeAlias":    # which is for type checkers only
                found[within + node.target.id] = "value"
        elif isinstance(node, ast.If):
            found.update(stated(node.body, within))
    return found


def stated_signature(arguments: ast.arguments) -> str:
    shown = []
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    for index, (argument, value) in enumerate(zip(positional, [*defaults, *arguments.defaults], strict=True)):
        shown.append(argument.arg + (f"={literal(value)}" if value else ""))
        if index + 1 == len(arguments.posonlyargs):
            shown.append("/")
    if arguments.vararg:
        shown.append("*" + arguments.vararg.arg)
    elif arguments.kwonlyargs:
        shown.append("*")
    shown += [argument.arg + (f"={literal(value)}" if value else "")
              for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    if arguments.kwarg:
        shown.append("**" + arguments.kwarg.arg)
    return f"({', '.join(shown)})"


def literal(node: ast.expr) -> str:
    try:
        return default(ast.literal_eval(node))
    except ValueError:
        return "..."


# ------------------------------------------------------------------ the comparison

def differences(module: ModuleType, stub: str) -> list[str]:
    """In words, what the stub of a module gets wrong."""
    real, said = described(module), stated(ast.parse(stub).body)
    repeated = {f"{cls.__name__}.{name}" for cls in vars(module).values() if inspect.isclass(cls)
                for name, text in inherited(cls).items() if real.get(f"{cls.__name__}.{name}") == text}
    wrong = [f"{name}{real[name] if real[name].startswith('(') else ''} is not in the stub"
             for name in real.keys() - said.keys() - repeated]
    wrong += [f"{name} is in the stub only" for name in said.keys() - real.keys()
              if name.rpartition(".")[2] not in TELLING]
    for name in real.keys() & said.keys():
        if said[name] == OVERLOADS and real[name].startswith("("):
            continue    # the implementation has one signature, which overloads need not repeat
        # A stub may leave a default out with `...`; everything else must be as compiled.
        pattern = re.escape(said[name]).replace(re.escape("=..."), "=[^,)]*")
        if not re.fullmatch(pattern, real[name]):
            wrong.append(f"{name} is {real[name]}, but {said[name]} in the stub")
    return sorted(wrong)


@pytest.mark.parametrize("source", COMPILED, ids=name_of)
def test_stub_is_fresh(source: Path) -> None:
    stub = source.with_suffix(".pyi")
    assert stub.exists(), f"{name_of(source)} has no stub; write {stub.name} beside {source.name}"
    module = importlib.import_module(name_of(source))
    assert differences(module, stub.read_text(encoding="utf-8")) == []


def test_no_stub_without_module() -> None:
    orphans = [name_of(stub) for stub in PACKAGE.rglob("*.pyi")
               if not stub.with_suffix(".pyx").exists() and not stub.with_suffix(".py").exists()]
    assert orphans == []


def test_package_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").exists()


@pytest.mark.parametrize(("stub", "complaint"), [
    ("def perft(position: Position, depth: int) -> int: ...", "divide(position, depth) is not in the stub"),
    ("def perft(position: Position) -> int: ...", "perft is (position, depth), but (position) in the stub"),
    ("def perft(position: Position, depth: int = 1) -> int: ...",
     "perft is (position, depth), but (position, depth=1) in the stub"),
    ("def perft(position: Position, *, depth: int) -> int: ...",
     "perft is (position, depth), but (position, *, depth) in the stub"),
    ("def count() -> int: ...", "count is in the stub only"),
    ("LIMIT: int", "LIMIT is in the stub only"),
])
def test_stale_stub_is_noticed(stub: str, complaint: str) -> None:
    module = importlib.import_module("boyi.search.perft")
    assert complaint in differences(module, stub)
