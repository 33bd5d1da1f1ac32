"""What only shows on a terminal: colours, tables, line editing, Ctrl-C. A pseudo-terminal plays its part."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests.scale import some_of

pty = pytest.importorskip("pty", reason="pseudo-terminals are for POSIX")


def hear_interrupts() -> None:
    """Whoever runs the tests in the background makes their children deaf to Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Screen:
    """`boyi` with a terminal in front of it."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.master, terminal = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "boyi", *arguments], stdin=terminal, stdout=terminal, stderr=terminal,
            preexec_fn=hear_interrupts,
            env=os.environ | {"BOYI_LANGUAGE": "en", "TERM": "xterm-256color", "COLUMNS": "120"} | environment)
        os.close(terminal)
        self.seen = ""
        self.told = 0   # how much of it earlier waits gave back

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *failure: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)

    def wait_for(self, text: str) -> str:
        """Read until `text` has come; what was shown since the last wait, up to and including it."""
        while (found := self.seen.find(text, self.told)) < 0:
            try:
                data = os.read(self.master, 4096)
            except OSError:   # Linux says so at the end
                data = b""
            assert data, f"the program ended without {text!r}: {self.seen}"
            self.seen += data.decode(errors="replace")
        fresh = self.seen[self.told : found + len(text)]
        self.told = found + len(text)
        return fresh

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def read_all(self) -> str:
        while True:
            try:
                data = os.read(self.master, 4096)
            except OSError:
                return self.seen
            if not data:
                return self.seen
            self.seen += data.decode(errors="replace")


@pytest.mark.parametrize("command", some_of(["games", "doctor"], 2))
def test_tables(command: str) -> None:
    with Screen(command) as screen:
        text = screen.read_all()
    assert "──" in text
    assert "\x1b[1m" in text   # the headings


@pytest.mark.parametrize("arguments", some_of([
    ["play", "chinese_checkers", "--seats", "human,human"], ["games"], ["doctor"]], 3))
def test_no_color(arguments: list[str]) -> None:
    with Screen(*arguments, NO_COLOR="1") as screen:
        if arguments[0] == "play":
            screen.wait_for("Red> ")
            screen.type("quit\n")
        text = screen.read_all()
    assert "\x1b[3" not in text
    assert "\x1b[9" not in text


def test_a_person_plays() -> None:
    with Screen("play", "othello", "--seed", "3") as screen:
        screen.wait_for("Black> ")
        screen.type("f5\n")
        assert "1. Black: f5" in screen.wait_for("Black> ")
        screen.type("undo\n")
        assert "Taken back: f5" in screen.wait_for("Black> ")
        screen.type("\x04")   # Ctrl-D
        assert "Goodbye." in screen.read_all()
        assert screen.process.wait() == 0


def test_ctrl_c_leaves_at_once() -> None:
    with Screen("play", "othello") as screen:
        screen.wait_for("Black> ")
        # Between the prompt and the wait for keys the C library can miss one: people press again, too.
        for _ in range(30):
            screen.process.send_signal(signal.SIGINT)
            try:
                screen.process.wait(2)
                break
            except subprocess.TimeoutExpired:
                continue
        text = screen.read_all()
        assert screen.process.wait(0) == 130
        assert "Traceback" not in text


def test_a_closed_pipe_is_no_accident() -> None:
    done = subprocess.run(f"{sys.executable} -m boyi games --json | head -1", shell=True, capture_output=True,
                          text=True, check=False)
    assert done.stdout == "[\n"
    assert done.stderr == ""


def test_long_counts_can_be_interrupted() -> None:
    with Screen("perft", "xiangqi", "6") as screen:   # minutes
        screen.wait_for("1/44")   # the count goes on with the second first move
        screen.process.send_signal(signal.SIGINT)
        text = screen.read_all()
        assert screen.process.wait() == 130
    assert "Traceback" not in text


def test_a_watched_analysis_is_drawn_over() -> None:
    with Screen("analyse", "othello", "--watch", "--lines", "2") as screen:
        screen.wait_for("depth 4")
        screen.wait_for("\x1b[1A")     # up, to draw over it
        screen.process.send_signal(signal.SIGINT)
        text = screen.read_all()
        assert screen.process.wait(60) == 0
    end = text.rpartition("\x1b[2K")[2]     # what stays on the screen
    assert "value (discs)" in end and "nodes/s" in end and "Ctrl-C" not in end
