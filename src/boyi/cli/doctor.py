"""boyi doctor: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import sys
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import typer

import boyi
from boyi.cli import _texts as texts
from boyi.cli._common import JsonOption, LanguageOption, print_json, read_language
from boyi.cli._table import print_table
from boyi.core.errors import BoyiWarning
from boyi.core.words import Language
from boyi.games import broken_games

PEERS = {
    "fairy-stockfish": "fairy-stockfish",
    "sjaakii": "sjaakii",
    "hoixiangqi": "hoichess",
    "gtp-rhino": "grhino",
}
"""Programs that Boyi is measured against, and the Debian package each is in."""


@dataclass(frozen=True)
class Extra:
    """A group of optional packages."""

    name: str
    installed: bool
    missing: tuple[str, ...]
    """The packages that are not there."""

    install: str
    """The command that installs them."""


@dataclass(frozen=True)
class Peer:
    """Another program that tests and benchmarks can use."""

    name: str
    path: str | None
    install: str


@dataclass(frozen=True)
class Module:
    """A compiled module of ours."""

    name: str
    problem: str | None
    """Why it does not load; None when it does."""


def register(app: typer.Typer) -> None:
    app.command("doctor")(command)


def command(as_json: JsonOption = False, language: LanguageOption = None) -> None:
    """Say what is installed, what is missing, and how to get it."""
    speech = read_language(language)
    findings = examine(speech)
    if as_json:
        print_json(findings)
    else:
        print_table([header.say(speech) for header in texts.DOCTOR_HEADERS], _rows(findings, speech))


def examine(language: Language) -> dict[str, Any]:
    """Everything the doctor looks at, as JSON has it."""
    import importlib.metadata
    import platform  # both are slow to load, and every command loads this file

    modules = find_modules()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoyiWarning)    # what they say has a row each
        games = boyi.all_games()
    data = Path(os.environ.get("BOYI_DATA") or Path(boyi.__file__).resolve().parents[3] / "shared" / "data")
    return {
        "version": importlib.metadata.version("boyi"),
        "location": str(Path(boyi.__file__).resolve().parent),
        "python": {"version": platform.python_version(), "implementation": platform.python_implementation(),
                   "executable": sys.executable},
        "platform": platform.platform(),
        "cpu": {"model": _processor(), "cores": os.cpu_count()},
        "build": _build(),
        "modules": [asdict(module) for module in modules],
        "games": list(games),
        "broken_games": [asdict(broken) for broken in broken_games()],
        "extras": [asdict(extra) for extra in find_extras(importlib.metadata.requires("boyi") or [])],
        "peers": [asdict(Peer(name, shutil.which(name) or shutil.which(name, path="/usr/games"),
                              f"apt-get install {package}")) for name, package in PEERS.items()],
        "data": {"path": str(data), "found": data.is_dir(), "from_environment": bool(os.environ.get("BOYI_DATA"))},
        "server": _server(),
        "terminal": {"encoding": sys.stdout.encoding, "is_terminal": sys.stdout.isatty(),
                     "columns": shutil.get_terminal_size().columns, "no_color": bool(os.environ.get("NO_COLOR")),
                     "language": language},
    }


def find_modules() -> list[Module]:
    """Every compiled module there should be, tried.

    One that needs a package of an extra is left out while that is missing: the extra has a row of its own.
    """
    top = Path(boyi.__file__).resolve().parent
    modules = []
    for source in sorted(top.rglob("*.pyx")):
        name = ".".join(("boyi", *source.relative_to(top).with_suffix("").parts))
        try:
            importlib.import_module(name)
            modules.append(Module(name, None))
        except ImportError as error:
            outside = isinstance(error, ModuleNotFoundError) and (error.name or "boyi").partition(".")[0] != "boyi"
            if not outside:
                modules.append(Module(name, str(error)))
    return modules


def find_extras(requirements: list[str]) -> list[Extra]:
    """The extras that a distribution's requirements name.

    >>> find_extras(["rich>=13", "rich>=13; extra == 'nice'", "no-such-thing; extra == 'odd'"])[1].missing
    ('no-such-thing',)
    """
    groups: dict[str, list[str]] = {}
    for requirement in requirements:
        extra = re.search(r"""extra\s*==\s*["']([^"']+)["']""", requirement)
        package = re.match(r"[A-Za-z0-9._-]+", requirement)
        if extra and package:
            groups.setdefault(extra[1], []).append(package[0])
    extras = []
    for name, packages in groups.items():
        missing = tuple(package for package in packages if not _is_installed(package))
        extras.append(Extra(name, not missing, missing, f"pip install 'boyi[{name}]'"))
    return extras


def _is_installed(package: str) -> bool:
    import importlib.metadata

    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _build() -> dict[str, Any]:
    from boyi.core import build
    return {"kind": "checked" if build.CHECKED else "release", "compiler": build.COMPILER,
            "features": list(build.FEATURES)}


def _server() -> dict[str, Any]:
    """The settings of `boyi serve` as they are here, or why they cannot be read."""
    from boyi.core.errors import BoyiError
    from boyi.server.config import read_config
    from boyi.server.store import shown

    try:
        settings = asdict(read_config({}))
    except BoyiError as error:
        return {"problem": str(error)}
    return settings | {"database": shown(settings["database"])}


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass   # not Linux; the platform module knows what can be known
    import platform
    return platform.processor() or platform.machine()


def _rows(findings: dict[str, Any], language: Language) -> list[tuple[str, str, str]]:
    """The findings for people."""
    def heading(name: str) -> str:
        return texts.DOCTOR_SECTIONS[name].say(language)

    build, data, terminal = findings["build"], findings["data"], findings["terminal"]
    broken = [module["name"] for module in findings["modules"] if module["problem"]]
    if build["kind"] == "checked":
        built = texts.say(texts.BUILD_CHECKED, language, compiler=build["compiler"])
    else:
        built = texts.say(texts.BUILD_RELEASE, language, compiler=build["compiler"],
                          features=" ".join(build["features"]) or texts.PLAIN_FEATURES.say(language))
    if broken:
        loaded = texts.say(texts.MODULES_BROKEN, language, broken=len(broken), count=len(findings["modules"]),
                           names=" ".join(broken))
    else:
        loaded = texts.say(texts.MODULES_FINE, language, count=len(findings["modules"]))
    colours = texts.OFF_BY_NO_COLOR if terminal["no_color"] else texts.ON if terminal["is_terminal"] else texts.OFF
    rows = [
        (heading("version"), f"{findings['version']}, {findings['location']}", ""),
        (heading("python"), f"{findings['python']['version']}, {findings['python']['executable']}", ""),
        (heading("platform"), findings["platform"], ""),
        (heading("cpu"), texts.say(texts.CORES, language, **findings["cpu"]), ""),
        (heading("build"), built, ""),
        (heading("modules"), loaded, texts.REBUILD.say(language) if broken else ""),
        (heading("games"), " ".join(findings["games"]), ""),
        *((texts.say(texts.BROKEN_GAME, language, name=broken["name"]), broken["reason"], broken["place"])
          for broken in findings["broken_games"]),
    ]
    for extra in findings["extras"]:
        state = texts.INSTALLED.say(language) if extra["installed"] else texts.say(
            texts.MISSING_PARTS, language, names=" ".join(extra["missing"]))
        rows.append((texts.say(texts.EXTRA, language, name=extra["name"]), state,
                     "" if extra["installed"] else extra["install"]))
    for peer in findings["peers"]:
        rows.append((texts.say(texts.PEER, language, name=peer["name"]), peer["path"] or texts.MISSING.say(language),
                     "" if peer["path"] else peer["install"]))
    rows += [
        (heading("data"), data["path"] if data["found"] else texts.say(texts.DATA_MISSING, language, path=data["path"]),
         "" if data["found"] else texts.DATA_HINT.say(language)),
        (heading("server"), findings["server"].get("problem") or " ".join(
            f"{name}={value}" for name, value in findings["server"].items() if value != ""), ""),
        (heading("terminal"), texts.say(texts.TERMINAL, language, encoding=terminal["encoding"],
                                        width=terminal["columns"], colours=colours.say(language),
                                        language=terminal["language"]), ""),
    ]
    return rows
