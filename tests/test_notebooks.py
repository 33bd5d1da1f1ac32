"""The notebooks of `examples/notebooks`: every cell runs, and shows what it is said to show."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
CHECK = """
import json, sys
from pathlib import Path
from tools.notebooks import run, said, varies
for cell, outputs in run(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))):
    if not varies(cell) and said(outputs) != said(cell["outputs"]):
        raise SystemExit(f"{''.join(cell['source'])}\\nshows:\\n{said(outputs)}\\nand not:\\n{said(cell['outputs'])}")
"""


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_show_what_stands_below_them(path: Path) -> None:
    if "train" in path.stem:
        pytest.importorskip("torch")
    ran = subprocess.run([sys.executable, "-c", CHECK, str(path)], cwd=ROOT, check=False,
                         capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_all_have_been_run() -> None:
    assert len(NOTEBOOKS) == 5
    for path in NOTEBOOKS:
        cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
        assert all(cell["execution_count"] == number for number, cell in enumerate(cells, 1)), path
