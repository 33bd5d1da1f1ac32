"""The build backend: meson-python, and editable installs that type checkers can read.

An editable install of meson-python finds the package by an import hook, and no type checker runs that. A path file
beside it that names `src` is read by all of them, and by Python too, where the hook comes first: it is asked before any
path is looked at, and knows the compiled modules.
"""

from __future__ import annotations

import base64
import hashlib
import zipfile
from pathlib import Path
from typing import Any

import mesonpy

SOURCE = Path(__file__).resolve().parents[1] / "src"
PATH_FILE = "boyi-types.pth"


def __getattr__(name: str) -> Any:
    """All other hooks are meson-python's."""
    return getattr(mesonpy, name)


def build_editable(wheel_directory: str, config_settings: dict[str, Any] | None = None,
                   metadata_directory: str | None = None) -> str:
    """A wheel that installs the import hook, and the path file."""
    name: str = mesonpy.build_editable(wheel_directory, config_settings, metadata_directory)
    add_file(Path(wheel_directory, name), PATH_FILE, f"{SOURCE}\n".encode())
    return name


def add_file(wheel: Path, name: str, data: bytes) -> None:
    """Put a file into a wheel, and into the list of what it holds."""
    with zipfile.ZipFile(wheel) as before:
        files = [(info, before.read(info)) for info in before.infolist()]
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as after:
        after.writestr(name, data)
        for info, content in files:
            if info.filename.endswith(".dist-info/RECORD"):
                content += f"{name},sha256={digest},{len(data)}\n".encode()
            after.writestr(info, content)
