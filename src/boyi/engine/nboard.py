"""NBoard's protocol, version 2, for Othello: the viewer keeps the game and says every move, the engine's own too."""

from __future__ import annotations

import re
from collections.abc import Callable

from boyi.agents.analysis import Analysis
from boyi.core.errors import BoyiError, TextError, UnknownNameError, shorten
from boyi.core.game import Game
from boyi.core.position import OVER, Position
from boyi.engine.thinker import REFUSED, OneBoard, Question, Thinker

DEFAULT_DEPTH = 8


class Nboard(OneBoard):
    """Asked, it answers; it never moves by itself."""

    def __init__(self, game: Game, say: Callable[[str], None]) -> None:
        self.thinker = Thinker(game)
        self._say = say
        self._position: Position | None = self.thinker.start()
        """None after a game or a move that was refused: what the viewer has then is not known here."""

        self._depth = DEFAULT_DEPTH

    def hear(self, line: str) -> bool:
        word, rest = (*line.split(maxsplit=1), "")[:2]
        try:
            return self._obey(word, rest.strip())
        except BoyiError as error:
            self._say(f"status error: {' '.join(str(error).split())}")
            return True

    def _obey(self, word: str, rest: str) -> bool:
        if word == "quit":
            return False
        if word == "nboard":
            self._say("set myname Boyi")
        elif word == "ping":
            self.thinker.stop()       # who pings is about to change the board
            self._say(f"pong {_number('ping', rest)}")
        elif word == "learn":
            self._say("learned")
        elif word == "set":
            self._set(*[*rest.split(maxsplit=1), "", ""][:2])
        elif word == "move":
            trial, self._position = self._accepted().copy(), None
            self.thinker.stop(silent=True)
            trial.play("pass" if (move := rest.partition("/")[0].lower()) in ("pa", "pass", "ps") else move)
            self._position = trial
        elif word in ("hint", "go"):
            self._think(1 if word == "go" else max(1, min(_number(word, rest), 64)), decides=word == "go")
        else:
            raise TextError(f"unknown command {shorten(word)}")
        return True

    def _accepted(self) -> Position:
        if self._position is None:
            raise TextError(REFUSED)
        return self._position

    def _set(self, name: str, value: str) -> None:
        if name == "depth":
            self._depth = max(1, min(_number(name, value), 60))
        elif name == "game":
            self._position = None
            self.thinker.stop(silent=True)
            records = self.thinker.game.formats["ggf"].read(self.thinker.game, value.encode(errors="replace"))
            self._position = records[0].replay()
        elif name != "contempt":
            raise UnknownNameError.among("setting", name, ("depth", "game", "contempt"))

    def _think(self, lines: int, *, decides: bool) -> None:
        position = self._accepted().copy()

        def report(found: Analysis) -> None:
            if self.thinker.quiet():
                return
            for line in () if decides else found.lines:
                moves = "".join(map(_write, line.texts))
                self._say(f"search {moves} {line.units:.2f} 0 {found.depth}")
            self._say(f"nodestats {found.nodes} {found.seconds:.3f}")

        def answer(found: Analysis | None) -> None:
            if self.thinker.quiet():
                return
            if decides and found is not None:
                line = found.lines[0]
                self._say(f"=== {_write(line.texts[0])}/{line.units:.2f}/{found.seconds:.2f}")
            self._say("status")
        if position.turn == OVER:
            raise TextError("the game is over")
        self._say("status Boyi is thinking")
        self.thinker.think(Question(position.copy(), depth=self._depth, lines=lines), report, answer)


def _write(move: str) -> str:
    return "PA" if move == "pass" else move.upper()


def _number(name: str, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text, flags=re.ASCII):
        raise TextError(f"{name} is followed by a whole number, not {shorten(text)}")
    return int(text)
