"""Contracts for import-linter that also see Cython.

import-linter reads `.py` files only: to it a compiled module does not exist, and an import
of one or by one is invisible. The contracts here add to its graph

    the compiled modules themselves (every `.pyx` and `.pxd`),
    what Cython sources import and cimport,
    the clock of C, as an import of `time`,
    what Python sources import from compiled modules,

and then ask the question that import-linter's own contract asks. pyproject.toml uses them.
Run it as `python -m tools.layers` in the root of the repository.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from importlinter import Contract, ContractCheck
from importlinter.cli import lint_imports
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract

if TYPE_CHECKING:
    from grimp import ImportGraph


@dataclass(frozen=True)
class Import:
    """One name that a source file imports or cimports."""

    name: str
    """Absolute and as long as the source tells: `boyi.core.position.Position`."""

    line: int
    text: str
    """The line of the source, for the report."""


# ------------------------------------------------------------------ reading sources

# In Cython, what is not an import but may look like one: strings (with their docstrings) and comments.
_ASIDE = re.compile(
    r'"""(?:\\.|[^\\])*?"""' r"|'''(?:\\.|[^\\])*?'''"
    r'|"(?:\\.|[^"\\\n])*"' r"|'(?:\\.|[^'\\\n])*'" r"|\#[^\n]*",
    re.DOTALL)
_FROM = re.compile(
    r"^[ \t]*from[ \t]+(?P<source>[.\w]+)[ \t]+c?import[ \t]*(?P<names>\([^)]*\)|[^\n;]*)", re.MULTILINE)
_PLAIN = re.compile(r"^[ \t]*c?import[ \t]+(?P<names>[^\n;]+)", re.MULTILINE)
_EXTERN = re.compile(r"^[ \t]*cdef[ \t]+extern[ \t]+from\b", re.MULTILINE)
# C headers with a clock in them, included in C or declared in Cython, and Cython's own declarations of them.
_CLOCK_HEADER = re.compile(
    r'^[ \t]*(?:#[ \t]*include|cdef[ \t]+extern[ \t]+from)[ \t]*["<]+(?:sys/)?(?:time|windows)\.h\b',
    re.MULTILINE | re.IGNORECASE)
_CLOCK_MODULES = ("libc.time", "posix.time")


def cython_imports(text: str, package: str) -> Iterator[Import]:
    """What a Cython source inside `package` imports and cimports.

    >>> [found.name for found in cython_imports("from .types cimport move_t as m, key_t", "boyi.core")]
    ['boyi.core.types.move_t', 'boyi.core.types.key_t']
    >>> [found.name for found in cython_imports("from libc.time cimport clock", "boyi.core")]
    ['time']
    """
    lines = text.splitlines()
    # Newlines stay where they are, so that a place in the blanked text is the same place in the source.
    blanked = _ASIDE.sub(lambda aside: re.sub(r"[^\n]", " ", aside[0]), text).replace("\\\n", "  ")
    blanked = _EXTERN.sub(lambda extern: " " * len(extern[0]), blanked)
    for pattern in (_FROM, _PLAIN):
        for found in pattern.finditer(blanked):
            line = text.count("\n", 0, found.start() + len(found[0]) - len(found[0].lstrip())) + 1
            source = _absolute(found["source"], package) + "." if pattern is _FROM else ""
            for name in found["names"].strip("() \t").split(","):
                if name.split():
                    imported = source + name.split()[0]
                    clock = imported.startswith(_CLOCK_MODULES)
                    yield Import("time" if clock else imported, line, lines[line - 1].strip())
    for found in _CLOCK_HEADER.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Import("time", line, lines[line - 1].strip())


def python_imports(text: str, package: str) -> Iterator[Import]:
    """What a Python source inside `package` imports, also inside functions."""
    lines = text.splitlines()
    for node in _statements(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = _absolute("." * node.level + (node.module or ""), package)
            names = [f"{source}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            yield Import(name, node.lineno, lines[node.lineno - 1].strip())


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements within one, at any depth. `ast.walk` would go through expressions too, which import nothing."""
    for blocks in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, blocks, ()):
            yield child
            yield from _statements(child)


@functools.cache
def _imports(path: Path, package: str) -> list[Import]:
    """What a file of either language imports; every contract asks."""
    text = path.read_text(encoding="utf-8")
    return list(python_imports(text, package) if path.suffix == ".py" else cython_imports(text, package))


def _absolute(source: str, package: str) -> str:
    """`..core.types` seen from `package`, written out."""
    dots = len(source) - len(source.lstrip("."))
    if dots == 0:
        return source
    parents = package.split(".")[:len(package.split(".")) - dots + 1]
    return ".".join([*parents, source[dots:]]).rstrip(".")


# ------------------------------------------------------------------ the graph

def add_cython(graph: ImportGraph, package: str, folder: Path) -> None:
    """Add the compiled modules of `package`, whose sources are in `folder`, and their imports to the graph."""
    sources = {path: _module_of(path, package, folder)
               for path in sorted(folder.rglob("*")) if path.suffix in {".py", ".pyx", ".pxd"}}
    known = graph.modules   # which takes long to ask for
    compiled = {module for path, module in sources.items() if path.suffix != ".py"} - known
    for module in sorted(compiled):
        graph.add_module(module)
    known |= compiled
    for path, module in sources.items():
        home = module if path.stem == "__init__" else module.rpartition(".")[0]
        # import-linter has read the Python files, but took every import of a compiled module for one of the root.
        python = path.suffix == ".py"
        if python:
            graph.remove_import(importer=module, imported=package)
        for found in _imports(path, home):
            target = _longest(found.name, known)
            if target is None and not found.name.startswith(package + "."):
                target = found.name.partition(".")[0]
                graph.add_module(target, is_squashed=True)
                known.add(target)
            if target is None or target == module or (python and target != package and target not in compiled):
                continue
            graph.add_import(importer=module, imported=target, line_number=found.line, line_contents=found.text)


def _module_of(path: Path, package: str, folder: Path) -> str:
    parts = path.relative_to(folder).with_suffix("").parts
    return ".".join([package, *(part for part in parts if part != "__init__")])


def _longest(name: str, modules: Iterable[str]) -> str | None:
    """The module that a name is, or is in: `boyi.core.position` for `boyi.core.position.Position`."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name or None


# ------------------------------------------------------------------ the contracts

class _SeesCython(Contract):
    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        for package in self.session_options["root_packages"]:
            found = importlib.util.find_spec(package)
            if found is None or not found.origin:
                raise ValueError(f"package {package} is not installed")
            add_cython(graph, package, Path(found.origin).parent)
        return super().check(graph, verbose)  # type: ignore[safe-super]  # the contract mixed in comes next


class CythonLayersContract(_SeesCython, LayersContract):
    """`layers`, with Cython."""


class CythonIndependenceContract(_SeesCython, IndependenceContract):
    """`independence`, with Cython."""


class CythonForbiddenContract(_SeesCython, ForbiddenContract):
    """`forbidden`, with Cython."""


def main() -> int:
    """Check the contracts of pyproject.toml on the sources in `src`; the exit code."""
    # An editable install shows a folder that is not there, where import-linter would find nothing to read.
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "_boyi_editable_loader"]
    sys.path.insert(0, str(Path("src").resolve()))
    return lint_imports(no_cache=True, no_logo=True)


if __name__ == "__main__":
    sys.exit(main())
