"""The Python reference as Markdown, read from the type stubs and the sources: nothing is imported.

A name's page has its signature, its docstring, its members, and the examples of the guides that use it. `tools/site.py`
makes the pages when the site is built; `tests/test_reference.py` holds that every public name has an example.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src"
DOCS = Path(__file__).parents[1] / "docs"
GUIDES = (DOCS / "api.md", DOCS / "research" / "training.md")
"""Pages whose examples the tests run, and which show what has no example of its own: above all compiled code."""

PACKAGES = ("boyi.agents", "boyi.arena", "boyi.conformance", "boyi.envs", "boyi.learn")
"""Sub-packages whose `__all__` is documented, a page each."""

AUTHORS = {
    "boyi.core.board": ("Board", "Point", "Zone", "Label", "Glyph", "Stone", "Change", "Covered"),
    "boyi.core.errors": ("UnknownNameError", "BrokenGameError", "BrokenRulesError", "MissingPartError", "shorten"),
    "boyi.core.evaluator": ("PythonEvaluator", "Evaluator"),
    "boyi.core.game": ("Option", "Notation", "NotationGuide"),
    "boyi.core.outcome": ("scores_by_place",),
    "boyi.core.searcher": ("Searcher", "Result", "Line"),
    "boyi.core.setup": ("Setup", "Field", "sides", "write_rows"),
    "boyi.core.token": ("Token",),
}
"""What authors of games, evaluators and agents import besides `boyi`, a page per module."""

WIDTH = 100
"""Characters of a signature that stand on one line."""

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Member:
    """A method, a property or a field of a class."""

    name: str
    signature: str
    doc: str


@dataclass(frozen=True)
class Entry:
    """A public name."""

    name: str
    module: str
    """Where it is defined."""

    signature: str
    doc: str
    members: tuple[Member, ...] = ()
    inherited: dict[str, tuple[Member, ...]] = field(default_factory=dict)
    """The members that come from each parent class of Boyi."""


# ---------------------------------------------------------------------- reading

@cache
def parse(module: str) -> ast.Module:
    """The stub of a module, or else its source."""
    place = SOURCES.joinpath(*module.split("."))
    for path in (place.with_suffix(".pyi"), place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            return ast.parse(path.read_text(encoding="utf-8"))
    raise FileNotFoundError(module)


def exports(package: str) -> dict[str, str]:
    """The documented names of a package, each with the module that defines it."""
    if package in AUTHORS:
        return dict.fromkeys(AUTHORS[package], package)
    tree = parse(package)
    homes = {alias.name: node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
             for alias in node.names}
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return {name: homes.get(name, package) for name in ast.literal_eval(node.value)}
    raise LookupError(f"{package} has no __all__")


def groups() -> dict[str, list[str]]:
    """The names of `boyi.__all__` under the comments that group them."""
    text = (SOURCES / "boyi" / "__init__.py").read_text(encoding="utf-8")
    block = re.search(r"^__all__ = \[\n(.*?)^\]", text, re.DOTALL | re.MULTILINE)
    assert block is not None
    found: dict[str, list[str]] = {}
    for line in block[1].splitlines():
        if comment := re.fullmatch(r"\s*# (.*)", line):
            found[comment[1].capitalize()] = names = []
        else:
            names += re.findall(r'"(\w+)"', line)
    return found


def describe(name: str, module: str) -> Entry:
    """What the stub or the source of a module says about a name."""
    tree = parse(module)
    for place, node in enumerate(tree.body):
        if isinstance(node, Definition) and node.name == name:
            if isinstance(node, ast.ClassDef):
                members = tuple(_members(node))
                return Entry(name, module, _class_signature(node, module), ast.get_docstring(node) or "", members,
                             _inherited(node, module, {member.name for member in members}))
            last = [other for other in tree.body if isinstance(other, Definition) and other.name == name][-1]
            return Entry(name, module, _signature(node), ast.get_docstring(last) or "")
        if isinstance(node, ast.AnnAssign | ast.Assign) and name in _targets(node):
            return Entry(name, module, _constant(node, name), _doc_below(tree.body, place))
    for found in ast.walk(tree):   # defined elsewhere
        if isinstance(found, ast.ImportFrom) and name in [alias.name for alias in found.names]:
            return describe(name, found.module or "")
    raise LookupError(f"{module}.{name}")


def _targets(node: ast.AnnAssign | ast.Assign) -> list[str]:
    targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _constant(node: ast.AnnAssign | ast.Assign, name: str) -> str:
    return f"{name}: {ast.unparse(node.annotation)}" if isinstance(node, ast.AnnAssign) else name


def _doc_below(body: list[ast.stmt], place: int) -> str:
    following = body[place + 1] if place + 1 < len(body) else None
    if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
        text = following.value.value
        return re.sub(r"\n[ \t]+", "\n", text) if isinstance(text, str) else ""
    return ""


def _decorators(node: Definition) -> list[str]:
    return [ast.unparse(decorator) for decorator in node.decorator_list]


def _arguments(arguments: ast.arguments) -> list[str]:
    """Each as it is written, without `self`; `*` and `/` among them."""
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    shown = []
    for place, (argument, default) in enumerate(zip(positional, defaults, strict=True)):
        if argument.arg not in ("self", "cls"):
            shown.append(_argument(argument, default))
        if place + 1 == len(arguments.posonlyargs) and shown:
            shown.append("/")
    if arguments.vararg is not None:
        shown.append("*" + _argument(arguments.vararg, None))
    elif arguments.kwonlyargs:
        shown.append("*")
    shown += [_argument(argument, default)
              for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    if arguments.kwarg is not None:
        shown.append("**" + _argument(arguments.kwarg, None))
    return shown


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    text = argument.arg + (f": {ast.unparse(argument.annotation)}" if argument.annotation else "")
    if default is None:
        return text
    return f"{text} = {ast.unparse(default)}" if argument.annotation else f"{text}={ast.unparse(default)}"


def _wrap(before: str, arguments: list[str], after: str) -> str:
    line = f"{before}({', '.join(arguments)}){after}"
    if len(line) <= WIDTH:
        return line
    return f"{before}(\n" + "".join(f"    {argument},\n" for argument in arguments) + f"){after}"


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    before = ("async " if isinstance(node, ast.AsyncFunctionDef) else "") + node.name
    return _wrap(before, _arguments(node.args), f" -> {ast.unparse(node.returns)}" if node.returns else "")


def _class_signature(node: ast.ClassDef, module: str) -> str:
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            return _wrap(f"class {node.name}", _arguments(part.args), "")
    if any(line.startswith("dataclass") for line in _decorators(node)):
        fields: dict[str, tuple[str, bool]] = {}
        for owner, _ in (*_parents(node, module), (node, module)):
            keyword = any("kw_only=True" in line for line in _decorators(owner))
            fields |= {member.name: (member.signature, keyword) for member in _members(owner)
                       if _is_field(owner, member.name)}
        by_place = [signature for signature, keyword in fields.values() if not keyword]
        by_name = [signature for signature, keyword in fields.values() if keyword]
        return _wrap(f"class {node.name}", by_place + (["*", *by_name] if by_name else []), "")
    bases = [ast.unparse(base) for base in node.bases]
    return f"class {node.name}" + (f"({', '.join(bases)})" if bases else "")


def _is_field(node: ast.ClassDef, name: str) -> bool:
    return any(isinstance(part, ast.AnnAssign) and name in _targets(part) and "ClassVar" not in ast.unparse(part)
               for part in node.body)


def _members(node: ast.ClassDef) -> Iterator[Member]:
    seen = set()
    for place, part in enumerate(node.body):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            decorators = _decorators(part)
            if part.name.startswith("_") or part.name in seen or any(line.endswith(".setter") for line in decorators):
                continue
            seen.add(part.name)
            doc = ast.get_docstring(part) or ""
            if any(line in ("property", "cached_property") for line in decorators):
                yield Member(part.name, part.name + (f": {ast.unparse(part.returns)}" if part.returns else ""), doc)
            else:
                static = "classmethod " if "classmethod" in decorators else ""
                yield Member(part.name, static + _signature(part), doc)
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.target.id[0] != "_":
            default = f" = {ast.unparse(part.value)}" if part.value is not None else ""
            yield Member(part.target.id, f"{part.target.id}: {ast.unparse(part.annotation)}{default}",
                         _doc_below(node.body, place))


def _parents(node: ast.ClassDef, module: str) -> list[tuple[ast.ClassDef, str]]:
    """The parent classes that are Boyi's own, the most distant first, as dataclasses collect fields."""
    homes = {alias.asname or alias.name: other.module or "" for other in ast.walk(parse(module))
             if isinstance(other, ast.ImportFrom) for alias in other.names}
    found: list[tuple[ast.ClassDef, str]] = []
    for base in reversed(node.bases):
        name = ast.unparse(base).split("[")[0]
        home = homes.get(name, module)
        if home.startswith("boyi"):
            for other in parse(home).body:
                if isinstance(other, ast.ClassDef) and other.name == name:
                    found += [*_parents(other, home), (other, home)]
    return found


def _inherited(node: ast.ClassDef, module: str, known: set[str]) -> dict[str, tuple[Member, ...]]:
    found = {}
    known = set(known)
    for parent, _ in reversed(_parents(node, module)):
        members = tuple(member for member in _members(parent) if member.name not in known)
        known |= {member.name for member in members}
        if members:
            found[parent.name] = members
    return found


# ---------------------------------------------------------------------- examples

def guide_examples(name: str) -> list[str]:
    """The examples of the guides that use a name."""
    blocks = re.findall(r"(?<! -->\n)^```python\n(.*?)^```", "".join(
        guide.read_text(encoding="utf-8") for guide in GUIDES), re.DOTALL | re.MULTILINE)
    use = re.compile(rf"(?:\bboyi\.(?:\w+\.)*|\bimport .*)\b{name}\b|^>>> .*\b{name}\(", re.MULTILINE)
    return [block for block in blocks if use.search(block)]


def has_example(entry: Entry) -> bool:
    """Is there a doctest: in the docstring, in one of a member's, or in a guide?"""
    own = [entry.doc, *(member.doc for member in entry.members)]
    return any(">>>" in doc for doc in own) or bool(guide_examples(entry.name))


# ---------------------------------------------------------------------- writing

def _prose(doc: str) -> str:
    """A docstring as Markdown: its doctests fenced, nothing taken for HTML."""
    written, examples = [], False
    for line in [*doc.splitlines(), ""]:
        if line.startswith(">>>") and not examples:
            examples = True
            written += ["", "```pycon"]
        elif examples and not line.strip():
            examples = False
            written.append("```")
        if not examples and not line.startswith("    "):
            line = "".join(part if place % 2 else part.replace("<", "&lt;").replace("[", "\\[").replace("*", "\\*")
                           for place, part in enumerate(re.split(r"(`[^`]*`)", line)))
        elif not examples and written and written[-1].strip() and not written[-1].startswith("    "):
            written.append("")   # indented text is code after an empty line only
        written.append(line)
    return "\n".join(written).strip()


def _write_members(members: tuple[Member, ...], level: int) -> Iterator[str]:
    for member in members:
        yield f"{'#' * level} `{member.name}`\n\n```python\n{member.signature}\n```\n"
        if member.doc:
            yield _prose(member.doc) + "\n"


def write(entry: Entry, level: int, title: str) -> str:
    """The section of a name."""
    parts = [f"{'#' * level} {title}\n", f"```python\n{entry.signature}\n```\n", _prose(entry.doc) + "\n"]
    examples = [] if ">>>" in entry.doc else guide_examples(entry.name)[:2]
    if examples:
        parts.append(f"{'#' * (level + 1)} Example\n")
        parts += [f"```{'pycon' if '>>>' in example else 'python'}\n{example.rstrip()}\n```\n" for example in examples]
    if entry.members:
        parts += [f"{'#' * (level + 1)} Members\n", *_write_members(entry.members, level + 2)]
    for parent, members in entry.inherited.items():
        parts += [f"{'#' * (level + 1)} From {parent}\n", *_write_members(members, level + 2)]
    parts.append(f"Defined in `{entry.module}`.\n")
    return "\n".join(parts)


def pages() -> dict[str, str]:
    """The Markdown of every page by its path below `reference/`."""
    made = {}
    homes = exports("boyi")
    for name, module in homes.items():
        made[f"boyi.{name}.md"] = write(describe(name, module), 1, f"boyi.{name}")
    for package in (*PACKAGES, *AUTHORS):
        parts = [f"# {package}\n", _prose(ast.get_docstring(parse(package)) or "") + "\n"]
        for name, module in exports(package).items():
            if name in homes:
                parts.append(f"## {name}\n\nSee [`boyi.{name}`](boyi.{name}.md).\n")
            else:
                parts.append(write(describe(name, module), 2, name))
        made[f"{package}.md"] = "\n".join(parts)
    return made


def navigation() -> list[dict[str, object]]:
    """The pages as mkdocs lists them."""
    found: list[dict[str, object]] = [
        {title: [{name: f"reference/boyi.{name}.md"} for name in names]} for title, names in groups().items()]
    found.append({"Packages": [{package: f"reference/{package}.md"} for package in PACKAGES]})
    found.append({"The contract": [{module: f"reference/{module}.md"} for module in AUTHORS]})
    return found
