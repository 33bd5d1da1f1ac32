"""Fairy-Stockfish as a process, to compare with."""

from __future__ import annotations

import atexit
import itertools
import os
import shutil
import subprocess
from typing import IO

from benchmarks.peers import MissingError


class FairyStockfish:
    """The engine for xiangqi, on one thread and with a table as large as ours."""

    def __init__(self) -> None:
        path = shutil.which("fairy-stockfish", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")
        if path is None:
            raise MissingError("fairy-stockfish is not installed: apt-get install fairy-stockfish")
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.close)
        self._say("uci")
        self._wait("uciok")
        self._say("setoption name Threads value 1")
        self._say("setoption name Hash value 16")
        self._say("setoption name UCI_Variant value xiangqi")
        self._say("isready")
        self._wait("readyok")

    def perft(self, depth: int) -> int:
        self._say("position startpos")
        self._say(f"go perft {depth}")
        return int(self._wait("Nodes searched").split(":")[1])

    def search(self, text: str, milliseconds: int) -> tuple[int, int, int]:
        """Depth, nodes and milliseconds of a search that begins with an empty table."""
        self._say("ucinewgame")
        self._say(f"position fen {text}")
        self._say(f"go movetime {milliseconds}")
        facts: dict[str, int] = {}
        for line in self._pipe(self.process.stdout):
            words = line.split()
            if words[:1] == ["bestmove"]:
                break
            facts.update({name: int(value) for name, value in itertools.pairwise(words)
                          if name in ("depth", "nodes", "time") and value.isdigit()})
        return facts["depth"], facts["nodes"], facts["time"]

    def close(self) -> None:
        self._say("quit")
        self.process.wait(timeout=10)

    def _say(self, line: str) -> None:
        pipe = self._pipe(self.process.stdin)
        pipe.write(line + "\n")
        pipe.flush()

    def _wait(self, opening: str) -> str:
        for line in self._pipe(self.process.stdout):
            if line.startswith(opening):
                return line
        raise RuntimeError("fairy-stockfish went away")

    @staticmethod
    def _pipe(pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None
        return pipe
