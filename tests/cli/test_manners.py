"""What is true of every command: JSON for programs, an end when nobody reads, completion, tables that fit."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import typer.main

import boyi.cli
from boyi.cli import build, main
from boyi.cli._table import align, display_width, fit, print_table, stack, wrap
from boyi.games import find_game
from boyi.kit.ladder import find_ladder
from tests.cli import invoke
from tests.server.serving import serving

TREE: Any = typer.main.get_command(build())


def all_commands(command: Any = TREE, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that does something, by the words that call it."""
    below = {} if not hasattr(command, "list_commands") else {
        name: command.get_command(None, name) for name in command.list_commands(None)}
    if not below:
        yield path, command
    for name, one in below.items():
        yield from all_commands(one, (*path, name))


# ---------------------------------------------------------------------- JSON

@pytest.mark.parametrize("path", [path for path, _ in all_commands()], ids=" ".join)
def test_every_command_speaks_json(path: tuple[str, ...]) -> None:
    command = dict(all_commands())[path]
    assert [parameter for parameter in command.params if "--json" in parameter.opts], f"boyi {' '.join(path)}"


def test_what_an_engine_can_be_told_as_json() -> None:
    facts = invoke("engine", "xiangqi", "--protocol", "uci", "--json").json
    assert facts["protocols"] == ["uci", "ucci", "xboard", "json"]
    settings = {setting["name"]: setting for setting in facts["settings"]}
    assert settings["Ranks"]["choices"] == ["0", "1"]
    assert settings["Hash"]["kind"] == "spin" and settings["Hash"]["lowest"] == 0


def test_converted_records_as_json(tmp_path: Path) -> None:
    position = boyi.start("othello")
    position.play("f5")
    file = tmp_path / "game.boyi"
    file.write_bytes(boyi.write_records([boyi.Record.from_position(position)]))
    facts = invoke("record", "convert", str(file), "--to", "boyi", "--json").json
    assert facts["records"] == 1 and "1. f5" in facts["text"]
    facts = invoke("record", "convert", str(file), "--to", "boyi", "-o", str(tmp_path / "out"), "--json").json
    assert facts == {"format": "boyi", "records": 1, "file": str(tmp_path / "out")}


# ---------------------------------------------------------------------- nobody reads any more

PRINTING = [
    "games", "doctor", "--help", "show xiangqi", "show xiangqi --json", "judge othello --moves f5", "perft othello 3 "
    "--divide", "analyse othello --nodes 100", "analyse othello --nodes 100 --watch",
    "analyse othello --watch --json", "engine othello --json", "lab list", "match othello random random -n 2",
    "match othello random random -n 2 --json", "tournament othello random random:seed=1 --rounds 1",
    "bench tic_tac_toe",
    "play othello --seats random,random --seed 1", "learn --help", "new my_own_game", "record convert GAMES --to boyi",
    "record show GAMES", "record check GAMES",
]


@pytest.mark.parametrize("line", PRINTING)
@pytest.mark.usefixtures("elsewhere")
def test_a_command_that_nobody_reads_ends_quietly(line: str) -> None:
    position = boyi.start("othello")
    position.play("f5")
    Path("GAMES").write_bytes(boyi.write_records([boyi.Record.from_position(position)] * 3))
    assert_ends_quietly(line.split())


def assert_ends_quietly(arguments: list[str]) -> None:
    """Run a command whose output is a pipe that has no reader; at the end of Python nothing is left to be written."""
    reading, writing = os.pipe()
    os.close(reading)
    err = io.StringIO()
    with (os.fdopen(writing, "w", encoding="utf-8") as out, contextlib.redirect_stdout(out),
          contextlib.redirect_stderr(err), pytest.raises(SystemExit) as left):
        main(arguments)
    assert left.value.code == 1, err.getvalue()
    assert "Traceback" not in err.getvalue() and "BrokenPipe" not in err.getvalue()


def boyi_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "boyi", *arguments]


def test_at_the_end_of_a_process_nothing_is_said() -> None:
    with subprocess.Popen(boyi_command("games"), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
        assert (process.wait(60), said) == (1, b"")


@pytest.mark.slow
def test_a_server_tells_its_address_as_json_and_ends_when_nobody_hears_it(tmp_path: Path) -> None:
    command = boyi_command("serve", "--port", "0", "--engines", "0", "--database", f"sqlite:///{tmp_path / 'rooms'}")
    with subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["address"].startswith("http://127.0.0.1:")
        process.terminate()
        process.wait(60)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.wait(60) == 1
        assert "Traceback" not in process.stderr.read()


def test_an_engine_that_nobody_reads_ends_although_its_input_is_open() -> None:
    with subprocess.Popen(boyi_command("engine", "othello"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(b"name\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"=")
        process.stdout.close()
        process.stdin.write(b"name\nname\n")
        process.stdin.flush()
        assert process.wait(60) == 1
        assert process.stderr.read() == b""


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["words", "json"])
def test_a_room_that_nobody_reads_ends_although_its_input_is_open(options: list[str], tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            process = await asyncio.create_subprocess_exec(
                *boyi_command("room", "create", "tic_tac_toe", "--ai", "1", "--server", place.address, *options),
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
                env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path)})
            assert process.stdin is not None and process.stdout is not None and process.stderr is not None
            assert b"http" in await process.stdout.readline()
            transport = process._transport.get_pipe_transport(1)  # type: ignore[attr-defined]
            transport.close()
            process.stdin.write(b"b2\n")        # what happens then cannot be told to anyone
            await process.stdin.drain()
            assert await asyncio.wait_for(process.wait(), 60) == 1
            assert await process.stderr.read() == b""
    asyncio.run(run())


def test_a_room_tells_what_happens_in_lines_of_json(tmp_path: Path) -> None:
    async def run() -> bytes:
        async with serving(tmp_path) as place:
            process = await asyncio.create_subprocess_exec(
                *boyi_command("room", "create", "tic_tac_toe", "--ai", "1", "--json", "--server", place.address),
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "USER": "ada"})
            said, _ = await asyncio.wait_for(process.communicate(b"zzz\nmoves\nboard\nseats\nresign\nquit\n"), 60)
            return said
    facts = [json.loads(line) for line in asyncio.run(run()).splitlines()]
    assert set(facts[0]) == {"room", "address"}
    kinds = [fact.get("kind") for fact in facts]
    assert "started" in kinds and "ended" in kinds
    assert any("not a legal move" in fact.get("error", "") for fact in facts)
    assert any("position" in fact for fact in facts) and any("seats" in fact for fact in facts)


# ---------------------------------------------------------------------- completion

def complete(typed: str, shell: str = "bash") -> list[str]:
    """What a shell is offered after these words."""
    environment = {"_BOYI_COMPLETE": f"complete_{shell}"}
    if shell == "bash":
        words = [part for word in typed.split(" ") for part in split_as_bash(word)]
        environment |= {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    else:
        environment["_TYPER_COMPLETE_ARGS"] = typed
    boyi.cli._command.cache_clear()        # so that it is put together for a shell
    try:
        with mock.patch.dict("os.environ", environment):
            result = invoke()
    finally:
        boyi.cli._command.cache_clear()
    assert result.err == ""
    return result.out.splitlines()


def split_as_bash(word: str) -> list[str]:
    """Bash takes : and = for words of their own."""
    return word.replace(":", "\n:\n").replace("=", "\n=\n").removesuffix("\n").split("\n") if word else [""]


HIGHEST = len(find_ladder(find_game("othello")))
"""The levels of Othello."""


@pytest.mark.parametrize(("typed", "wanted"), [
    ("boyi tourn", {"tournament"}), ("boyi play oth", {"othello"}), ("boyi match othello lev", {"level:"}),
    ("boyi match othello level:", {*map(str, range(1, HIGHEST + 1)), "easy", "medium", "hard"}),
    ("boyi match othello level:1", {"1", *map(str, range(10, HIGHEST + 1))}),
    ("boyi play othello --level m", {"medium"}),
    ("boyi match othello alphabeta:nod", {"nodes="}),
    ("boyi match othello level:3 alphabeta:depth=3,nod", {"3,nodes="}),
    ("boyi show xiangqi --rules si", {"simple"}), ("boyi judge xiangqi --language ", {"zh", "en"}),
    ("boyi judge xiangqi --language=z", {"zh"}), ("boyi show othello --theme wo", {"wood"}),
    ("boyi engine xiangqi --protocol u", {"uci", "ucci"}), ("boyi play othello --seats human,lev", {"human,level:"}),
    ("boyi show nonsense --rules ", {""}), ("boyi show --as", {"--ascii"}),
    ("boyi admin ba", {"backup", "ban", "bans"}),
])
def test_completion_in_bash(typed: str, wanted: set[str]) -> None:
    assert set(complete(typed)) == wanted


# ---------------------------------------------------------------------- tables

HEADERS = ["", "agent", "Elo", "games", "what it is"]
ROWS = [["1", "alphabeta:nodes=20000,evaluator=net,null_move=off", "+158", "2000", "象棋 alpha-beta with a network"],
        ["2", "level:5", "-7", "1998", "a level"]]
NUMBERS = [0, 2, 3]


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("width", [20, 40, 60, 61, 80, 200])
def test_a_table_fits_and_loses_nothing(width: int, monkeypatch: pytest.MonkeyPatch,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    print_table(HEADERS, ROWS, numbers=NUMBERS)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(display_width, lines)) <= width
    shown = squeezed("".join(lines))
    for row in ROWS:
        for cell in (row[0], row[2], row[3], *row[1].split(",")[-1:]):
            assert squeezed(cell)[-4:] in shown
    widths = fit([HEADERS, *ROWS], NUMBERS, width)
    for column, cell in enumerate(ROWS[0]):
        room = width - 20 if widths is None else widths[column]
        assert "".join(wrap(cell, max(room, 1))).replace(" ", "") == cell.replace(" ", "")


def test_without_a_width_a_row_is_a_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    print_table(HEADERS, ROWS, numbers=NUMBERS)
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_numbers_are_not_wrapped() -> None:
    widths = fit([HEADERS, *ROWS], NUMBERS, 60)
    assert widths is not None
    lines = align([HEADERS, *ROWS], numbers=NUMBERS, widths=widths)
    assert any("+158" in line and "2000" in line for line in lines)
    assert fit([HEADERS, *ROWS], NUMBERS, 30) is None
    assert stack(HEADERS, ROWS[1], 30) == ["            2", "agent       level:5", "Elo         -7", "games       1998",
                                           "what it is  a level"]


def test_on_a_terminal_a_table_obeys_columns() -> None:
    pty = pytest.importorskip("pty", reason="pseudo-terminals are for POSIX")
    master, terminal = pty.openpty()
    with subprocess.Popen(boyi_command("games"), stdout=terminal, env=os.environ | {"COLUMNS": "60"}) as process:
        os.close(terminal)
        said = b""
        with contextlib.suppress(OSError):       # Linux says so at the end
            while data := os.read(master, 4096):
                said += data
        assert process.wait(60) == 0
    os.close(master)
    text = re.sub(r"\x1b\[[0-9;]*m", "", said.decode())
    assert max(map(display_width, text.splitlines())) <= 60
    for game in boyi.all_games().values():
        if game.listed:
            assert game.name in squeezed(text)
