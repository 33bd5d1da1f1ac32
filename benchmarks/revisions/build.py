"""A commit of this repository, compiled in an environment of its own outside the repository.

    FOLDER/builds/COMMIT/source        the files of the commit; COMMIT-CPU if a processor was named
    FOLDER/builds/COMMIT/environment   a virtual environment in which it is installed
    FOLDER/builds/COMMIT/built         written last: the build is complete

The environment has no packages but that one. It borrows the rest of the environment that runs this, by a `.pth` file;
`.pth` files in there are not followed, so the Boyi of a checkout that is installed as editable is not found.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from boyi.core.errors import BoyiError

ROOT = Path(__file__).parents[2]
SHORT = 12
"""Digits of a commit that name its folder."""

LAST_LINES = 20
"""Lines that are shown of a command that failed."""


@dataclass(frozen=True)
class Build:
    """A revision that can be played."""

    revision: str
    """As it was asked for: a commit, a tag, a branch."""

    commit: str
    """The full hash."""

    python: str
    """The interpreter that imports this revision's Boyi."""

    @property
    def short(self) -> str:
        return self.commit[:7]


def default_folder() -> Path:
    """Where builds and games are kept if no folder is named."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "boyi" / "revisions"


def find_commit(revision: str) -> str:
    """The full hash of a revision of this repository."""
    try:
        return _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
    except BoyiError:
        raise BoyiError(f"{revision!r} is no commit, tag or branch of the repository in {ROOT}") from None


def is_ancestor(older: str, newer: str) -> bool:
    """Does `newer` contain the commit `older`? False where this repository does not have `older`."""
    return subprocess.run(["git", "merge-base", "--is-ancestor", older, newer], cwd=ROOT, capture_output=True,
                          check=False).returncode == 0


def describe_checkout() -> str:
    """What the running checkout is: its commit, and a digest of what was changed since, if anything was."""
    commit = find_commit("HEAD")[:7]
    changes = _git("diff", "HEAD", "--", "src", "meson.build", "meson.options")
    return f"{commit}+{hashlib.sha256(changes).hexdigest()[:7]}" if changes else commit


def build(revision: str, folder: Path, cpu: str | None = None) -> Build:
    """The revision, compiled in `folder` unless that was done before; for a processor as `-Dcpu` names it."""
    commit = find_commit(revision)
    place = folder.resolve() / "builds" / (commit[:SHORT] if cpu is None else f"{commit[:SHORT]}-{cpu}")
    if place.is_relative_to(ROOT):
        raise BoyiError(f"{place} is inside the repository, whose tools would find its sources; name another --folder")
    place.mkdir(parents=True, exist_ok=True)
    environment = place / "environment"
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    with _alone(place / "lock"):
        if not (place / "built").exists():
            print(f"building {revision} ({commit[:7]}) in {place}; this takes a few minutes", file=sys.stderr)
            _make(commit, place, environment, python, () if cpu is None else (f"-Csetup-args=-Dcpu={cpu}",))
            (place / "built").write_text(f"{commit}\n", encoding="utf-8")
    return Build(revision, commit, str(python))


def _make(commit: str, place: Path, environment: Path, python: Path, settings: Sequence[str]) -> None:
    # 1. The files, as they were.
    source = place / "source"
    for old in (source, environment, place / "meson"):
        shutil.rmtree(old, ignore_errors=True)
    with tarfile.open(fileobj=io.BytesIO(_git("archive", "--format=tar", commit))) as archive:
        archive.extractall(source, filter="data")

    # 2. An environment that borrows the packages of this one, and its programs: cython, meson, ninja.
    _run([sys.executable, "-m", "venv", "--without-pip", str(environment)])
    lent = borrowed()
    found = subprocess.run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True,
                           capture_output=True, check=True).stdout.strip()
    (Path(found) / "borrowed.pth").write_text("".join(f"{path}\n" for path in lent), encoding="utf-8")
    programs = [sysconfig.get_path("scripts"), *(str(path) for path in _script_folders(lent))]
    variables = {name: value for name, value in os.environ.items()
                 if name not in ("PYTHONPATH", "PYTHONHOME", "CYTHON", "PIP_REQUIRE_VIRTUALENV")}
    variables["PATH"] = os.pathsep.join([*programs, variables.get("PATH", "")])
    cython = shutil.which("cython", path=variables["PATH"])
    if cython is not None:
        variables["CYTHON"] = cython

    # 3. Compiling, with the defaults of that revision but for `settings`.
    _run([str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-build-isolation",
          "--no-deps", "--no-index", f"-Cbuild-dir={place / 'meson'}", *settings, str(source)], variables)
    _run([str(python), "-c", "import boyi, sys; boyi.all_games(); "
          "sys.exit(not boyi.__file__.startswith(sys.prefix) and f'{boyi.__file__} is another Boyi')"], cwd=place)
    shutil.rmtree(place / "meson", ignore_errors=True)


def borrowed() -> list[str]:
    """The folders of packages of the running environment, its own and those that it borrows itself."""
    return [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages") and Path(path).is_dir()]


def _script_folders(packages: Sequence[str]) -> list[Path]:
    """Where the programs of these folders of packages are: `lib/python3.x/site-packages` lies beside `bin`."""
    return [folder for path in packages if len(Path(path).parents) > 2
            for folder in [Path(path).parents[2] / "bin"] if folder.is_dir()]


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other processes from building the same, where the system can."""
    with path.open("w") as file:
        with contextlib.suppress(ImportError):
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        yield


def _git(*words: str) -> bytes:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        raise BoyiError(f"git {' '.join(words)} failed: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def _run(words: Sequence[str], variables: dict[str, str] | None = None, cwd: Path | None = None) -> None:
    done = subprocess.run(words, env=variables, cwd=cwd, text=True, capture_output=True, check=False)
    if done.returncode:
        last = "\n".join((done.stdout + done.stderr).splitlines()[-LAST_LINES:])
        raise BoyiError(f"{' '.join(words)} failed:\n{last}")
