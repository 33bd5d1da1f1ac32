"""Run notebooks and write what their cells show into them.

    python -m tools.notebooks examples/notebooks/*.ipynb

Cells are run one after the other in a process of Python's own, without Jupyter: what a cell prints and what its last
line is are its outputs, a position as a picture. The tests run them in the same way and compare what is printed; cells
whose output depends on the machine are tagged `varies`.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FORMAT = {"nbformat": 4, "nbformat_minor": 5}
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
          "language_info": {"name": "python"}}


def run(notebook: dict[str, Any]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each cell of code with what it shows, in a folder that is thrown away."""
    names: dict[str, Any] = {"__name__": "__main__"}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    yield cell, _run_cell("".join(cell["source"]), names)
        finally:
            os.chdir(before)


def _run_cell(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        value = (eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
                 if isinstance(last, ast.Expr) else None)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())})
    if value is not None:
        data: dict[str, Any] = {"text/plain": _lines(repr(value))}
        picture = getattr(value, "_repr_svg_", None)
        if picture is not None:
            data["image/svg+xml"] = _lines(picture())
        outputs.append({"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data})
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def said(outputs: list[dict[str, Any]]) -> str:
    """What the outputs of a cell are in words; pictures are not compared."""
    return "".join("".join(output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"])
                   for output in outputs)


def varies(cell: dict[str, Any]) -> bool:
    """Does what a cell shows depend on the machine?"""
    return "varies" in cell["metadata"].get("tags", ())


def main() -> None:
    for path in map(Path, sys.argv[1:]):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for number, (cell, outputs) in enumerate(run(notebook), 1):
            cell["outputs"], cell["execution_count"] = outputs, number
            for output in outputs:
                if "execution_count" in output:
                    output["execution_count"] = number
        path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
