"""XBoard's Chess Engine Communication Protocol, version 2, for xiangqi: ranks from 0."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.metadata import version

from boyi.core.errors import BoyiError, IllegalMoveError, TextError, shorten
from boyi.core.game import Game
from boyi.core.position import OVER
from boyi.engine.thinker import Question, Report, Thinker, mate_in, walk_line

LETTERS = str.maketrans("hHeE", "nNbB")
"""XBoard's letters of horse and elephant, and ours."""

IGNORED = ("accepted", "rejected", "random", "hard", "easy", "computer", "name", "rating", "ics", "hint", "bk", "draw",
           "white", "black", "xboard")
DEFAULT_SECONDS = 1.0
MATE = 100_000


class Xboard:
    """The engine keeps the game, and plays whenever its side is to move."""

    def __init__(self, game: Game, say: Callable[[str], None]) -> None:
        self.thinker = Thinker(game)
        self._say = say
        self._posting = False
        self._reset()

    def _reset(self) -> None:
        self._position = self.thinker.start()
        self._side: int | None = 1
        """The side the engine plays; None in force mode."""

        self._depth: int | None = None
        self._fixed: float | None = DEFAULT_SECONDS
        self._left: float | None = None
        self._level: tuple[int, float, float] = (0, 0.0, 0.0)

    def hear(self, line: str) -> bool:
        word, _, rest = line.partition(" ")
        try:
            return self._obey(word, rest.strip())
        except IllegalMoveError:
            self._say(f"Illegal move: {shorten(rest or word)[1:-1]}")
        except BoyiError as error:
            self._say(f"Error ({' '.join(str(error).split())}): {shorten(word)[1:-1]}")
        return True

    def _obey(self, word: str, rest: str) -> bool:
        if word == "quit":
            self.thinker.stop(silent=True)
            return False
        if word == "?":
            self.thinker.stop()
        elif word == "ping":
            self.thinker.wait()       # what was asked before is answered before
            self._say(f"pong {shorten(rest)[1:-1]}")
        elif word == "protover":
            self._introduce()
        elif word in ("post", "nopost"):
            self._posting = word == "post"
        elif word in ("time", "otim"):
            if word == "time":
                self._left = _number(rest) / 100
        elif word in ("st", "sd"):
            if word == "st":
                self._fixed, self._left = max(0.001, _number(rest)), None
            else:
                self._depth = max(1, int(_number(rest)))
        elif word == "level":
            self._read_level(rest)
        elif word in ("memory", "cores"):
            self.thinker.set("Hash" if word == "memory" else "Threads", rest)
        elif word == "option":
            name, _, value = rest.partition("=")
            self.thinker.set(name, value)
        elif word not in IGNORED:
            self._change(word, rest)
        return True

    def _change(self, word: str, rest: str) -> None:
        """What touches the board ends all thinking about it, without a move."""
        if word == "variant":
            if rest != "xiangqi":
                raise TextError("this engine plays xiangqi")
        elif word == "new":
            self.thinker.forget()
            self._reset()
        elif word in ("force", "result"):
            self.thinker.stop(silent=True)
            self._side = None
        elif word in ("go", "playother"):
            self.thinker.stop(silent=True)
            turn = self._position.turn
            self._side = turn if word == "go" else 1 - turn if turn != OVER else None
            self._move_if_due()
        elif word == "setboard":
            board, _, more = rest.partition(" ")
            position = self.thinker.start(f"{board.translate(LETTERS)} {more}".strip())
            self.thinker.stop(silent=True)
            self._position = position
        elif word in ("undo", "remove"):
            count = 1 if word == "undo" else 2
            if self._position.ply < count:
                raise TextError("there is nothing to take back")
            self.thinker.stop(silent=True)
            for _ in range(count):
                self._position.undo()
        elif word == "usermove" or re.fullmatch(r"[a-i][0-9][a-i][0-9]", word):
            trial = self._position.copy()
            trial.play(trial.parse_move((rest if word == "usermove" else word).lower()))
            self.thinker.stop(silent=True)
            self._position = trial
            self._move_if_due()
        else:
            raise TextError("unknown command")

    def _introduce(self) -> None:
        self._say("feature done=0")
        self._say(f'feature myname="Boyi {version("boyi")}" variants="xiangqi" setboard=1 usermove=1 ping=1 '
                  "playother=1 san=0 time=1 draw=0 sigint=0 sigterm=0 reuse=1 analyze=0 colors=0 memory=1 smp=1")
        for setting in self.thinker.settings.values():
            shown = {"check": str(int(bool(setting.default))), "combo": " /// ".join(
                f"{'*' if choice == setting.default else ''}{choice}" for choice in setting.choices),
                "spin": f"{setting.default} {setting.lowest} {setting.highest}", "button": ""}.get(
                    setting.kind, str(setting.default))
            self._say(f'feature option="{setting.name} -{setting.kind} {shown}"'.replace(' "', '"'))
        self._say("feature done=1")

    def _read_level(self, rest: str) -> None:
        found = re.fullmatch(r"([0-9]{1,5})\s+(?:([0-9]{1,5})(?::([0-9]{1,2}))?)\s+([0-9]{1,6}(?:\.[0-9]{1,6})?)", rest)
        if not found or not rest.isascii():
            raise TextError("level is: MOVES MINUTES[:SECONDS] INCREMENT")
        total = 60.0 * int(found[2]) + int(found[3] or 0)
        self._level, self._left, self._fixed = (int(found[1]), total, float(found[4])), total, None

    def _seconds(self) -> float:
        if self._fixed is not None or self._left is None:
            return self._fixed or DEFAULT_SECONDS
        moves = self._level[0]
        return self.thinker.share(self._left, self._level[2], moves - self._position.ply // 2 % moves if moves else 0)

    def _move_if_due(self) -> None:
        outcome = self._position.outcome()
        if outcome is not None:
            first, second = outcome.places
            result = "1/2-1/2" if first == second else "1-0" if first < second else "0-1"
            self._say(f"{result} {{{outcome.words}}}")
        elif self._position.turn == self._side:
            asked = self._position.copy()
            self.thinker.think(Question(asked, self._seconds(), depth=self._depth),
                               lambda report: self._post(report), lambda report: self._answer(report))

    def _post(self, report: Report) -> None:
        if self._posting and not self.thinker.quiet():
            line, mate = report.lines[0], mate_in(report.lines[0])
            score = round(line.value) if mate is None else MATE + mate if mate > 0 else mate - MATE
            moves = " ".join(walk_line(self._position, line))
            self._say(f"{report.depth} {score} {round(100 * report.seconds)} {report.nodes} {moves}")

    def _answer(self, report: Report | None) -> None:
        if report is not None and not self.thinker.quiet():
            move = walk_line(self._position, report.lines[0])[0]
            self._position.play(move)
            self._say(f"move {move}")
            if self._position.turn == OVER:
                self._move_if_due()


def _number(text: str) -> float:
    if not (re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) and text.isascii()):
        raise TextError(f"{shorten(text)} is not a number")
    return float(text)
