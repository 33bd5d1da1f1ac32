"""The Python reference: every public name has a page, a docstring, and an example that the tests run."""

from __future__ import annotations

import ast
import inspect
import re

import pytest

import boyi
from tools import reference

NAMES = [(package, name, module) for package in ("boyi", *reference.PACKAGES, *reference.AUTHORS)
         for name, module in reference.exports(package).items()]


def test_what_is_documented_is_what_is_public() -> None:
    assert sorted(reference.exports("boyi")) == sorted(boyi.__all__)
    assert sorted(name for names in reference.groups().values() for name in names) == sorted(boyi.__all__)


@pytest.mark.parametrize(("package", "name", "module"), NAMES, ids=[f"{package}.{name}" for package, name, _ in NAMES])
def test_a_name_has_a_docstring_and_an_example(package: str, name: str, module: str) -> None:
    entry = reference.describe(name, module)
    assert entry.doc.strip(), f"{package}.{name} has no docstring"
    assert reference.has_example(entry), f"{package}.{name}: neither its docstring nor docs/api.md has an example"


def test_a_name_without_an_example_is_noticed() -> None:
    assert not reference.has_example(reference.Entry("never_used_anywhere", "boyi", "", "Says nothing."))


@pytest.mark.parametrize("name", ["Engine", "Limits", "Match", "analyse", "play_match", "start", "train"])
def test_a_signature_is_the_real_one(name: str) -> None:
    entry = reference.describe(name, reference.exports("boyi")[name])
    written = ast.parse("def " + entry.signature.removeprefix("class ") + ": ...").body[0]
    assert isinstance(written, ast.FunctionDef)
    shown = [argument.arg for argument in (*written.args.args, *written.args.kwonlyargs)]
    real = inspect.signature(getattr(boyi, name)).parameters.values()
    assert shown == [parameter.name for parameter in real if parameter.kind is not parameter.VAR_KEYWORD]


def test_pages_are_written() -> None:
    pages = reference.pages()
    assert len(pages) == len(boyi.__all__) + len(reference.PACKAGES) + len(reference.AUTHORS)
    limits = pages["boyi.Limits.md"]
    assert "seconds: float | None = None" in limits
    assert "## Members" in limits and "How many best moves to value (MultiPV)." in limits
    position = pages["boyi.Position.md"]
    assert "### `moves`" in position and "## From Rules" in position


def test_the_navigation_has_every_page() -> None:
    listed = re.findall(r"reference/([\w.]+\.md)", str(reference.navigation()))
    assert sorted(listed) == sorted(reference.pages())
