"""What version 0.1.0 wrote opens and goes on: rooms, journals, training runs, books, records, spec strings.

The files are in `tests/data/v0.1.0`; `make.py` made them with that version, and its README says how. The tests copy
them, open them with the present code and go on, as far as possible by the command line and by the protocol of rooms:
these are what people have, and they do not change when modules do.
"""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

DATA = Path(__file__).parents[1] / "data" / "v0.1.0"


def unpack(archive: str, folder: Path) -> None:
    """Lay out the files of an archive."""
    with tarfile.open(DATA / archive) as tar:
        tar.extractall(folder, filter="data")


def lay_out_results(folder: Path) -> None:
    """A folder of results, as `boyi serve --results` shows it."""
    shutil.copytree(DATA / "journals", folder / "journals")
    shutil.copytree(DATA / "lab", folder / "lab")
    unpack("run.tar.xz", folder)
