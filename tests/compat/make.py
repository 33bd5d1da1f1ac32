"""Make the files in tests/data/v0.1.0, with version 0.1.0.

    cd CLONE_OF_6692040 && make .venv/installed-dev && cd HERE
    CLONE_OF_6692040/.venv/bin/python -m tests.compat.make

Everything is made by that version's command line and by its rooms' protocol; only `wire` and `rooms`, which import
nothing of Boyi, are from here. Part names as arguments make these parts alone.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.compat import DATA, commands, lay_out_results
from tests.compat import rooms as scenes
from tests.compat.rooms import House
from tests.compat.wire import Server


def boyi(*arguments: str, cwd: Path, stdin: str = "") -> str:
    """Run a command of version 0.1.0: what it prints."""
    done = subprocess.run([sys.executable, "-m", "boyi", *arguments], cwd=cwd, input=stdin, text=True,
                          capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"boyi {' '.join(arguments)}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def pack(folder: Path, archive: Path) -> None:
    """A folder as a compressed archive, the same bytes for the same files."""
    def plain(info: tarfile.TarInfo) -> tarfile.TarInfo:
        info.mtime, info.uid, info.gid, info.uname, info.gname = 0, 0, 0, "", ""
        return info

    with tarfile.open(archive, "w:xz", preset=9) as tar:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                tar.add(path, path.relative_to(folder).as_posix(), filter=plain)


# ---------------------------------------------------------------------- rooms

def make_rooms(work: Path) -> None:
    """A database whose server was killed, and what version 0.1.0 says of it when it opens it again."""
    base = work / "base"
    base.mkdir()
    with Server(base, engines=1, pause=0.7) as server:
        house = House(server)
        house.notes["persons"] = {}
        for name in ("ada", "bob", "cy"):
            session = (server.call("POST", "/api/session", {"name": name}) if name == "cy" else
                       server.call("POST", "/api/accounts", {"name": name, "password": f"password of {name}"}))
            house.tokens[name], house.notes["persons"][name] = session["token"], session["person"]
        record = boyi("record", "convert", "-", "--to", "boyi", "--from", "transcript", cwd=work,
                      stdin="e6f4e3f6g5d6e7f5c5\n")
        uploaded = server.call("POST", "/api/records?keep=1&name=game.boyi", record.encode(), house.tokens["cy"])
        house.notes["uploaded"] = uploaded[0]["kept"]
        for scene in scenes.SCENES:
            scene(house)
        server.end(signal.SIGKILL)
    pack(base, DATA / "rooms.tar.xz")

    known = {"tokens": house.tokens, "rooms": house.rooms, "seated": house.seated, "notes": house.notes}
    first, second = (_expect(base, work / name, known) for name in ("first", "second"))
    if first != second:
        raise RuntimeError("what a room tells depends on chance")
    if first["seen"]["jieqi_with_secrets"]["ada"]["state"] == first["seen"]["jieqi_with_secrets"]["bob"]["state"]:
        raise RuntimeError("nobody has a secret; another seed?")
    write_json(work / "rooms.json", {**known, **first})
    pack_one(work / "rooms.json")


def _expect(base: Path, folder: Path, known: dict[str, Any]) -> dict[str, Any]:
    shutil.copytree(base, folder)
    lay_out_results(folder / "results")
    with Server(folder, results=folder / "results") as server:
        house = House(server, **known)
        return scenes.look_at_all(house) | {"told": {scene: scenes.go_on(house, scene) for scene in scenes.PLAYED_ON}}


# ---------------------------------------------------------------------- what is interrupted

def kill(command: Sequence[str], cwd: Path, enough: Callable[[], bool]) -> None:
    """Run a command and `kill -9` it as soon as it has done enough."""
    process = subprocess.Popen([sys.executable, "-m", "boyi", *command], cwd=cwd, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    while not enough():
        if process.poll() is not None:
            raise RuntimeError(f"{command} was done before it could be killed")
        time.sleep(0.002)
    process.kill()
    process.wait()


def make_journals(work: Path) -> None:
    """Journals of matches, tournaments and tuning that were killed, and what they find if they are not."""
    found = {}
    (DATA / "journals").mkdir(exist_ok=True)
    for old in (DATA / "journals").glob("*.jsonl"):
        old.unlink()
    for name, command in commands.JOURNALS.items():
        whole, cut = work / name, work / f"{name}-cut"
        whole.mkdir()
        cut.mkdir()
        facts = json.loads(boyi(*command, "--journal", "whole.jsonl", "--json", cwd=whole))
        entries = journal_entries(whole / "whole.jsonl")

        def is_half_done(cut: Path = cut, most: int = len(entries)) -> bool:
            return any(path.read_bytes().count(b"\n") > 1 + most // 2 for path in cut.glob("*.jsonl"))

        kill(command, cut, is_half_done)
        (journal,) = cut.glob("*.jsonl")
        done = len(journal_entries(journal))
        if not 0 < done < len(entries):
            raise RuntimeError(f"{name}: {done} of {len(entries)} are no half; try again")
        shutil.copy(journal, DATA / "journals")
        found[name] = {"journal": journal.name, "done": done, "report": facts, "entries": entries}
    boyi(*commands.LADDER, "1", cwd=work)
    shutil.copy(work / "ratings.json", DATA / "journals")
    boyi(*commands.LADDER, "2", cwd=work)
    found["ladder"] = json.loads((work / "ratings.json").read_text(encoding="utf-8"))
    write_json(work / "journals.json", found)
    pack_one(work / "journals.json")


def journal_entries(path: Path) -> list[str]:
    """The lines of a journal but the first, which says whose it is."""
    return path.read_text(encoding="utf-8").splitlines()[1:]


def make_run(work: Path) -> None:
    """A training run that was killed in its third iteration, and what it learns if it is not."""
    import torch

    whole, cut = work / "whole", work / "cut"
    whole.mkdir()
    cut.mkdir()
    report = json.loads(boyi(*commands.TRAIN, "--json", cwd=whole))
    metrics = (whole / report["folder"] / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    kill(commands.TRAIN, cut, lambda: any(cut.glob("runs/*/shards/00003-*")))
    for path in [*cut.glob("runs/*/report.html"), *cut.glob("runs/*/events/*")]:
        path.unlink()   # made anew from the rest, and large
    pack(cut, DATA / "run.tar.xz")
    write_json(DATA / "run.json", {
        "folder": report["folder"], "report": report, "metrics": [json.loads(line) for line in metrics],
        "machine": [torch.__version__, torch.backends.cpu.get_cpu_capability()]})


# ---------------------------------------------------------------------- what is learnt

def make_learnt(work: Path) -> None:
    """A book, states, weights and a network, and what comes of them."""
    for command in (commands.ABSTRACT, commands.BOOK, commands.WEIGHTS, commands.EVALUATOR):
        boyi(*command, cwd=work)
    with tarfile.open(DATA / "run.tar.xz") as archive:
        (model,) = (name for name in archive.getnames() if name.endswith("checkpoints/00002.onnx"))
        (work / "model.onnx").write_bytes(archive.extractfile(model).read())  # type: ignore[union-attr]
    pack(work, DATA / "learnt.tar.xz")
    found: dict[str, Any] = {name: analyse(words, work) for name, words in commands.FITTED.items()}
    for name, command in (("states.xz", commands.ABSTRACT), ("book.xz", commands.BOOK)):
        boyi(*command, "--add", cwd=work)
        found[name] = hashlib.sha256((work / name).read_bytes()).hexdigest()
    write_json(DATA / "learnt.json", found)


def analyse(words: Sequence[str], cwd: Path) -> Any:
    facts = json.loads(boyi("analyse", *words, "--nodes", commands.NODES, "--lines", "3", "--json", cwd=cwd))
    return {name: facts[name] for name in ("search", "depth", "nodes", "lines")}


def make_analyses(work: Path) -> None:
    """What searches find by specs in the spelling of 0.1.0."""
    write_json(work / "analyses.json", {name: analyse(words, work) for name, words in commands.ANALYSES.items()})
    pack_one(work / "analyses.json")


# ---------------------------------------------------------------------- records

def make_records(work: Path) -> None:
    """Games of all games in all formats that are written."""
    folder = DATA / "records"
    folder.mkdir(exist_ok=True)
    for number, (game, *_) in enumerate(commands.PLAYERS):
        boyi(*commands.record_command(number), cwd=work)
        (work / "games.boyi").rename(folder / f"{game}-{number}.boyi")
    for target, notations in commands.FORMATS.items():
        (source,) = folder.glob(f"{commands.FORMAT_GAMES[target]}-*.boyi")
        for notation in notations:
            words = ["--notation", notation] if notation else []
            boyi("record", "convert", str(source), "--to", target, *words, "--output",
                 str(folder / f"{source.stem}{'-' + notation if notation else ''}.{target}"), cwd=work)


def make_lab(work: Path) -> None:
    """A report of the lab, as it was committed."""
    root = Path(boyi_file()).parents[2]
    (DATA / "lab").mkdir(exist_ok=True)
    for suffix in (".json", ".md"):
        shutil.copy(root / "docs" / "lab" / f"checkers-average{suffix}", DATA / "lab")


def boyi_file() -> str:
    """Where the Boyi lies that everything is made with."""
    return subprocess.run([sys.executable, "-c", "import boyi; print(boyi.__file__)"], text=True, check=True,
                          capture_output=True).stdout.strip()


# ---------------------------------------------------------------------- all of it

def pack_one(path: Path) -> None:
    (DATA / f"{path.name}.xz").write_bytes(lzma.compress(path.read_bytes(), preset=9))


PARTS: tuple[Callable[[Path], None], ...] = (
    make_journals, make_run, make_learnt, make_analyses, make_records, make_lab, make_rooms)


def main() -> None:
    wanted = set(sys.argv[1:])
    DATA.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        if not wanted or part.__name__.removeprefix("make_") in wanted:
            with tempfile.TemporaryDirectory(prefix="boyi-compat-") as name:
                part(Path(name))
            print(part.__name__.removeprefix("make_"))


if __name__ == "__main__":
    main()
