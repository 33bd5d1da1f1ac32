"""A GTP controller in the manner of GoGui's twogtp: it asks what an engine can, plays two against each other, and
checks every answer against the rules."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from types import TracebackType

import pytest

import boyi
from boyi.agents.external import GAMES_FOLDERS

OURS = [sys.executable, "-m", "boyi", "engine", "othello", "--protocol", "gtp"]
NEEDED = ["protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board",
          "komi", "play", "genmove", "undo", "showboard", "time_settings", "time_left", "final_score"]


class GtpError(Exception):
    """An answer that begins with a question mark."""


class Controller:
    """One engine, asked with numbers, which its answers must repeat."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._number = 0

    def __enter__(self) -> Controller:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._process.poll() is None:
            self.ask("quit")
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        assert self._process.wait(60) == 0

    def ask(self, command: str) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._number += 1
        self._process.stdin.write(f"{self._number} {command}\n")
        self._process.stdin.flush()
        lines: list[str] = []
        while not lines or lines[-1] != "":
            line = self._process.stdout.readline()
            assert line, f"no answer to {command}"
            lines.append(line.rstrip("\r\n"))
            if lines == [""]:
                lines.clear()       # an empty line before an answer
        head, _, rest = "\n".join(lines[:-1]).partition(" ")
        assert head in (f"={self._number}", f"?{self._number}"), lines
        if head.startswith("?"):
            raise GtpError(rest)
        return rest


@pytest.fixture(scope="module")
def peer() -> list[str]:
    found = shutil.which("gtp-rhino", path=os.pathsep.join([os.environ.get("PATH", ""), *GAMES_FOLDERS]))
    if found is None:
        pytest.skip("gtp-rhino is not installed; on Debian: apt-get install grhino")
    return [found, "-l", "1"]


def test_what_an_engine_can() -> None:
    with Controller(OURS) as engine:
        listed = engine.ask("list_commands").split()
        assert engine.ask("protocol_version") == "2"
        for command in (*NEEDED, *listed):
            assert command in listed
            assert engine.ask(f"known_command {command}") == "true"
        assert engine.ask("known_command loadsgf") == "false"
        with pytest.raises(GtpError, match="unknown command"):
            engine.ask("loadsgf x.sgf")
        with pytest.raises(GtpError, match="unacceptable size"):
            engine.ask("boardsize 19")
        engine.ask("boardsize 8")
        engine.ask("clear_board")
        engine.ask("komi 0")
        with pytest.raises(GtpError, match="cannot undo"):
            engine.ask("undo")


def test_both_letters_and_cases_are_understood() -> None:
    with Controller(OURS) as engine:
        for colour, point in (("b", "F5"), ("White", "d6"), ("BLACK", "C3"), ("w", "d3")):
            engine.ask(f"play {colour} {point}")
        shown = engine.ask("showboard")
        position = boyi.start("othello")
        for move in ("f5", "d6", "c3", "d3"):
            position.play(move)
        assert "".join(letter for letter in shown if letter in "XO-") == position.to_text()[:64]
        before = engine.ask("showboard")
        engine.ask("play b C4")
        engine.ask("undo")
        assert engine.ask("showboard") == before


def play(black: Controller, white: Controller) -> str:
    """A whole game; every move must be legal, and both must agree in the end on the score."""
    engines, colours, position = (black, white), ("b", "w"), boyi.start("othello")
    for engine in engines:
        engine.ask("boardsize 8")
        engine.ask("clear_board")
    while position.turn >= 0:
        turn = position.turn
        forced = [position.format_move(move) for move in position.moves()] == ["pass"]
        move = engines[turn].ask(f"genmove {colours[turn]}").lower()
        assert move == "pass" if forced else position.is_legal(position.parse_move(move)), position.to_text()
        try:
            engines[1 - turn].ask(f"play {colours[turn]} {move}")
        except GtpError:
            assert forced           # GRhino takes passes for granted
        position.play(move)
    return position.to_text()[:64]


@pytest.mark.slow
def test_two_of_ours() -> None:
    with Controller(OURS) as black, Controller(OURS) as white:
        for engine in (black, white):
            engine.ask("time_settings 0 0.01 1")
        board = play(black, white)
        lead = board.count("X") - board.count("O")
        lead += (1 if lead > 0 else -1 if lead < 0 else 0) * board.count("-")
        score = f"B+{lead}" if lead > 0 else f"W+{-lead}" if lead < 0 else "0"
        assert black.ask("final_score") == white.ask("final_score") == score


def test_with_another(peer: list[str]) -> None:
    with Controller(OURS) as ours, Controller(peer) as other:
        ours.ask("time_settings 0 0.01 1")
        play(ours, other)
        play(other, ours)
