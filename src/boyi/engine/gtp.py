"""The Go Text Protocol, version 2, for games of two on a square board: as GoGui and Quarry speak it."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.metadata import version

from boyi.agents.analysis import Analysis
from boyi.agents.timing import TimePlan
from boyi.core.errors import BoyiError, IllegalMoveError, TextError, shorten
from boyi.core.game import Game
from boyi.core.position import OVER, Position
from boyi.engine.thinker import REFUSED, OneBoard, Question, Thinker

COMMANDS = ("protocol_version", "name", "version", "list_commands", "known_command", "quit", "boardsize", "clear_board",
            "set_game", "list_games", "play", "genmove", "reg_genmove", "undo", "showboard", "time_settings",
            "time_left", "komi", "final_score")
DEFAULT_SECONDS = 1.0


class Gtp(OneBoard):
    """Commands in order, one answer to each."""

    def __init__(self, game: Game, say: Callable[[str], None]) -> None:
        self.thinker = Thinker(game)
        self._say = say
        self._dialect = game.protocols["gtp"]
        self._board: Position | None = self.thinker.start()
        """None after a board or a game that was refused."""

        self._clock: dict[int, tuple[float, int]] = {}
        """By player: the seconds left and, if not 0, for how many moves."""

        self._byoyomi: tuple[float, float, int] | None = None

    def hear(self, line: str) -> bool:
        if line.split()[-1:] == ["quit"]:
            self.thinker.stop()
        self.thinker.wait()
        line = re.sub(r"[^\S ]", " ", line.partition("#")[0]).strip()
        found = re.fullmatch(r"(?:([0-9]{1,9})\s+)?([^0-9\s]\S*)\s*(.*)", line)
        if not found:
            if line:
                self._say("? unknown command\n")
            return True
        number, word, words = found[1] or "", found[2], found[3].split()
        try:
            answer = self._obey(number, word, words)
        except IllegalMoveError as error:
            self._say(f"?{number} illegal move: {' '.join(str(error).split())}\n")
        except BoyiError as error:
            self._say(f"?{number} {' '.join(str(error).split())}\n")
        else:
            if answer is not None:
                self._say(f"={number} {answer}".rstrip() + "\n")
        return word != "quit"

    def _obey(self, number: str, word: str, words: list[str]) -> str | None:
        """The answer; None if it comes later."""
        facts = {"protocol_version": "2", "name": "Boyi", "version": version("boyi"), "quit": "", "komi": "",
                 "list_commands": "\n".join(COMMANDS), "list_games": self._dialect.variant}
        if word in facts:
            return facts[word]
        if word == "known_command":
            return str(words[:1] != [] and words[0] in COMMANDS).lower()
        if word == "boardsize":
            size, self._board = self._dialect.board_size, None
            if words[:1] != [str(size)]:
                raise TextError(f"unacceptable size: {self._dialect.variant} is played on {size} by {size}")
            self._board = self.thinker.start()
        elif word == "set_game":
            known = [name.lower() for name in (self._dialect.variant, *self._dialect.aliases)]
            if not words or words[0].lower() not in known:
                self._board = None
                raise TextError(f"unsupported game: only {self._dialect.variant}")
            if self._board is None:
                self._board = self.thinker.start()
        elif word == "clear_board":
            self.thinker.forget()
            self._board = self.thinker.start()
        elif word == "play":
            self._play(words)
        elif word == "undo":
            if self._position.ply == 0:
                raise TextError("cannot undo")
            self._position.undo()
        elif word == "final_score":
            return self._score()
        elif word == "showboard":
            return "\n" + self._show()
        elif word == "time_settings":
            main, byoyomi, stones = (_number(text) for text in (*words[:3], "", "", "")[:3])
            self._byoyomi, self._clock = (main, byoyomi, int(stones)), {}
        elif word == "time_left":
            self._clock[self._colour(words)] = (_number((*words, "", "")[1]), int(_number((*words, "0", "0", "0")[2])))
        elif word in ("genmove", "reg_genmove"):
            self._generate(number, words, keep=word == "genmove")
            return None
        else:
            raise TextError("unknown command")
        return ""

    @property
    def _position(self) -> Position:
        if self._board is None:
            raise TextError(REFUSED)
        return self._board

    def _turn_to(self, position: Position, player: int) -> None:
        """Let a player act: if the other one can only pass, that goes without saying."""
        forced = position.forced_move()
        if position.turn == 1 - player and forced is not None:
            position.play(forced)
        if position.turn not in (player, OVER):
            raise IllegalMoveError("it is the other player's turn")

    def _play(self, words: list[str]) -> None:
        player, trial = self._colour(words), self._position.copy()
        self._turn_to(trial, player)
        trial.play((*words, "", "")[1].lower())
        self._board = trial

    def _generate(self, number: str, words: list[str], *, keep: bool) -> None:
        player, trial = self._colour(words), self._position.copy()
        self._turn_to(trial, player)

        def answer(report: Analysis | None) -> None:
            move = "pass" if report is None else report.lines[0].texts[0]
            if keep and report is not None:
                trial.play(move)
                self._board = trial
            self._say(f"={number} {move.upper()}\n")
        planned = self._plan(player, trial.ply // 2)
        self.thinker.think(Question(trial.copy(), planned.most_seconds, soft_seconds=planned.aim_seconds),
                           lambda report: None, answer)

    def _plan(self, player: int, own_moves: int) -> TimePlan:
        if player in self._clock:
            return self.thinker.share(self._clock[player][0], 0.0, self._clock[player][1], own_moves)
        if self._byoyomi is None:
            return TimePlan(DEFAULT_SECONDS)
        main, byoyomi, stones = self._byoyomi
        if stones and byoyomi:
            return self.thinker.share(byoyomi, 0.0, stones, own_moves)
        return self.thinker.share(main, own_moves=own_moves) if main else TimePlan(DEFAULT_SECONDS)

    def _score(self) -> str:
        """The winner and by how many points."""
        lead = self._dialect.lead
        if lead is None:
            raise TextError("cannot score")
        points = lead(self._position)
        first, second = (colour[0].upper() for colour in self._dialect.colours)
        return f"{first}+{points}" if points > 0 else f"{second}+{-points}" if points < 0 else "0"

    def _show(self) -> str:
        """The board with letters for columns and numbers for rows."""
        stones = {stone.point: stone.glyph for stone in self._position.stones()}
        points = sorted(self._position.board.points, key=lambda point: (point.y, point.x))
        rows = {point.name[1:]: list[str]() for point in points}
        for point in points:
            rows[point.name[1:]].append(stones.get(point.name, "-"))
        columns = dict.fromkeys(point.name[0].upper() for point in points)
        return "\n".join([f"  {' '.join(columns)}", *(f"{row} {' '.join(cells)}" for row, cells in rows.items())])

    def _colour(self, words: list[str]) -> int:
        """The player that a command names, in full or by a letter."""
        word = (*words, "")[0].lower()
        for player, colour in enumerate(self._dialect.colours):
            if word in (colour, colour[0]):
                return player
        raise TextError(f"invalid color {shorten(word)}: {' or '.join(self._dialect.colours)}")


def _number(text: str) -> float:
    if not (re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) and text.isascii()):
        raise TextError(f"{shorten(text)} is not a number")
    return float(text)
