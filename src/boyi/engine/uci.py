"""UCI, as engines for xiangqi alone speak it or, once `UCI_Variant` is set, Fairy-Stockfish; and its cousin UCCI."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib.metadata import version

from boyi.agents.analysis import Analysis
from boyi.agents.timing import TINY_SECONDS, TimePlan
from boyi.core.dialect import Dialect
from boyi.core.errors import BoyiError, OptionError, TextError, shorten
from boyi.core.game import Game
from boyi.core.position import OVER, Position
from boyi.engine.settings import Setting
from boyi.engine.thinker import REFUSED, OneBoard, Question, Thinker

NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "nodes", "depth", "perft", "time", "increment",
           "opptime", "oppincrement", "mate")
FLAGS = ("infinite", "ponder", "draw")
LARGEST = 10**15
DEEPEST_PERFT = 64


class Uci(OneBoard):
    """The Universal Chess Interface."""

    hello, new_game = "uci", "ucinewgame"
    milliseconds = 1000.0

    def __init__(self, game: Game, say: Callable[[str], None]) -> None:
        self.thinker = Thinker(game, self._own_settings(game))
        self._say = say
        self._position: Position | None = self.thinker.start()
        """What `go` searches; None after a position that was refused."""

        self._banned: list[int] = []
        """First moves not to search, in this position."""

        self._pondered: TimePlan | None = None
        """How long to think after a ponderhit."""

    def _own_settings(self, game: Game) -> tuple[Setting, ...]:
        """An engine for this game alone counts ranks from 0, one for many games from 1. A front end that names the game
        expects the second; `Ranks` lets it say so without that."""
        dialect = game.protocols["uci"]
        if dialect.first_rank is None:
            return ()
        return (Setting("UCI_Variant", "combo", dialect.variant, choices=(dialect.variant,)),
                Setting("Ranks", "combo", "0", choices=("0", "1")))

    def _dialect(self) -> Dialect:
        """The game's, with ranks as they are counted out there."""
        dialect = self.thinker.game.protocols["uci"]
        if "ranks" not in self.thinker.settings:
            return dialect
        return replace(dialect, first_rank=self.thinker.whole("Ranks"))

    def hear(self, line: str) -> bool:
        word, rest = (*line.split(maxsplit=1), "")[:2]
        try:
            return self._obey(word, rest.strip())
        except BoyiError as error:
            self._complain(error)
            return True

    def _prepare(self) -> None:
        """Have everything at hand that a search needs."""
        try:
            self.thinker.prepare()
        except OptionError as error:
            self._complain(error)
            self.thinker.prepare()

    def _complain(self, error: BoyiError) -> None:
        self._say(f"info string error: {_one_line(error)}")

    def _obey(self, word: str, rest: str) -> bool:
        if word == "quit":
            return False
        if word == self.hello:
            self._introduce()
        elif word == "isready":
            if not self.thinker.busy:
                self._prepare()
            self._say("readyok")
        elif word == self.new_game:
            self.thinker.forget()
        elif word == "setoption":
            self._set_option(rest)
        elif word == "position":
            self._position, self._banned = None, []     # nothing else is searched in place of one that is refused
            self._position = self._read_position(rest)
        elif word == "go":
            self.thinker.stop()        # an earlier `go` gets its answer, too
            self._prepare()
            try:
                self._go(rest.split())
            except BoyiError:
                self._say(self._best([]))
                raise
        elif word == "stop":
            self.thinker.stop()
        elif word == "ponderhit":
            self.thinker.hurry(self._pondered)
        elif word == "d":
            self._say(f"info string {self._accepted().to_text()}")
        elif word not in ("debug", "register"):
            raise TextError(f"unknown command {shorten(word)}")
        return True

    def _introduce(self) -> None:
        self._say(f"id name Boyi {version('boyi')}")
        self._say("id author the Boyi developers")
        for setting in self.thinker.settings.values():
            self._say(self._offer(setting))
        self._say(f"{self.hello}ok")

    def _offer(self, setting: Setting) -> str:
        words = [f"option name {setting.name} type {setting.kind}"]
        if setting.kind != "button":
            words.append(f"default {setting.show(setting.default)}")
        if setting.kind == "spin":
            words.append(f"min {setting.lowest} max {setting.highest}")
        return " ".join([*words, *(f"var {choice}" for choice in setting.choices)])

    def _set_option(self, rest: str) -> None:
        found = re.fullmatch(r"name\s+(.+?)(?:\s+value(?:\s+(.*))?)?", rest)
        if not found:
            raise TextError("an option is set by: setoption name NAME value VALUE")
        self.thinker.set(found[1], found[2] or "")
        if found[1].lower() == "uci_variant":
            self.thinker.set("Ranks", "1")

    def _read_position(self, rest: str) -> Position:
        head, _, tail = (f" {rest} ").partition(" moves ")
        words, moves = head.split(), tail.split()
        if words[:1] == ["startpos"]:
            position = self.thinker.start()
        elif words[:1] == ["fen"] and len(words) > 1:
            position = self.thinker.start(" ".join(words[1:]))
        else:
            raise TextError("a position is: position startpos|fen TEXT [moves ...]")
        if self.thinker.game.has_chance and position.turn != OVER:
            asked = (position.turn + len(moves)) % 2
            try:   # what the side knows that will be asked; a referee's moves tell more than that
                return self._play(position.observe(asked), moves)
            except BoyiError:
                position = self.thinker.start(None if words[0] == "startpos" else " ".join(words[1:]))
        return self._play(position, moves)

    def _play(self, position: Position, moves: list[str]) -> Position:
        dialect = self._dialect()
        for word in moves:
            position = self.thinker.go_on(position)
            read = word if dialect.first_rank is None else dialect.read_move(word[:12])
            for move in position.parse_moves(read):
                position.play(move)
        return self.thinker.go_on(position)

    def _go(self, words: list[str]) -> None:
        """Think, as long as the words say. Words and moves that make no sense are reported and ignored: after
        `go` a `bestmove` is expected."""
        numbers, flags, chosen = {}, set(), list[int]()
        position = None if self._position is None else self._seen()
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if word == "searchmoves":
                while at < len(words) and words[at] not in (*NUMBERS, *FLAGS):
                    chosen += () if position is None else self._read_moves(position, [words[at]])
                    at += 1
            elif word in NUMBERS:
                try:
                    numbers[word] = _number(word, words[at] if at < len(words) else "")
                    at += 1
                except TextError as error:
                    self._complain(error)
            elif word in FLAGS:
                flags.add(word)
            else:
                self._complain(TextError(f"go does not know {shorten(word)}"))
        if position is None:
            if "perft" in numbers:      # no `bestmove` is expected
                self._complain(TextError(REFUSED))
                return
            raise TextError(REFUSED)
        if "perft" in numbers:
            depth = min(numbers["perft"], DEEPEST_PERFT)
            write = self._dialect().write_move
            self.thinker.count(position, depth, lambda move, leaves: self._say(f"{write(move)}: {leaves}"),
                               lambda total: self._say(f"\nNodes searched: {total}"))
            return
        if self._banned:
            chosen = [move for move in chosen or position.moves() if move not in self._banned]
            if not chosen:
                self._say(self._best([]))
                return
        waits = bool(flags & {"infinite", "ponder"})
        self._pondered = self._plan(numbers, position)
        planned = None if waits else self._pondered
        self.thinker.think(
            Question(position, None if planned is None else planned.most_seconds, numbers.get("nodes") or None,
                     numbers.get("depth") or 2 * numbers.get("mate", 0) or None,
                     self.thinker.whole("MultiPV"), tuple(chosen),
                     soft_seconds=None if planned is None else planned.aim_seconds, waits=waits or not numbers),
            self._inform, self._answer)

    def _read_moves(self, position: Position, words: Iterable[str]) -> Iterator[int]:
        """First moves in the dialect; those that cannot be made are named."""
        for word in words:
            try:
                yield position.parse_move(self._dialect().read_move(word[:12]))
            except BoyiError as error:
                self._complain(error)

    def _accepted(self) -> Position:
        if self._position is None:
            raise TextError(REFUSED)
        return self._position

    def _seen(self) -> Position:
        position = self._accepted()
        return position.observe(position.turn) if position.turn in (0, 1) else position.copy()

    def _plan(self, numbers: dict[str, int], position: Position) -> TimePlan | None:
        overhead = self.thinker.whole("Move Overhead") / 1000
        if "movetime" in numbers:
            return TimePlan(max(TINY_SECONDS, numbers["movetime"] / 1000 - overhead))
        time_left, gain = ("wtime", "winc") if position.turn == 0 else ("btime", "binc")
        if "time" in numbers:      # UCCI counts for the side that is asked
            time_left, gain = "time", "increment"
        if time_left not in numbers:
            return None
        return self.thinker.share(numbers[time_left] / self.milliseconds, numbers.get(gain, 0) / self.milliseconds,
                                  numbers.get("movestogo", 0), position.ply // 2)

    def _inform(self, report: Analysis) -> None:
        if self.thinker.quiet():
            return
        for number, line in enumerate(report.lines, 1):
            moves = " ".join(map(self._dialect().write_move, line.texts))
            mate = line.mate_in
            score = f"cp {round(line.value)}" if mate is None else f"mate {mate}"
            self._say(self._info(report, number, score, moves, round(line.value)))

    def _info(self, report: Analysis, number: int, score: str, moves: str, value: int) -> str:
        return (f"info depth {report.depth} multipv {number} score {score} nodes {report.nodes} nps {report.speed} "
                f"time {round(1000 * report.seconds)} pv {moves}")

    def _answer(self, report: Analysis | None) -> None:
        if self.thinker.quiet():
            return
        moves = [] if report is None else list(map(self._dialect().write_move, report.lines[0].texts))
        self._say(self._best(moves))

    def _best(self, moves: list[str]) -> str:
        return " ".join([f"bestmove {moves[0] if moves else '(none)'}", *(f"ponder {move}" for move in moves[1:2])])


class Ucci(Uci):
    """The Universal Chinese Chess Interface: ranks from 0, options without spaces, times in seconds or milliseconds."""

    hello, new_game = "ucci", "newgame"

    def _own_settings(self, game: Game) -> tuple[Setting, ...]:
        return (Setting("usemillisec", "check", True), Setting("newgame", "button"))

    def _dialect(self) -> Dialect:
        return self.thinker.game.protocols["ucci"]

    def _offer(self, setting: Setting) -> str:
        return super()._offer(setting).replace("option name ", "option ", 1).replace(
            setting.name, setting.name.replace(" ", "_"), 1)

    def _set_option(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        self.thinker.set(name if name.lower() in self.thinker.settings else name.replace("_", " "), value.strip())
        self.milliseconds = 1000.0 if self.thinker.get("usemillisec") else 1.0

    def _info(self, report: Analysis, number: int, score: str, moves: str, value: int) -> str:
        return (f"info time {round(1000 * report.seconds)} nodes {report.nodes} depth {report.depth} "
                f"score {value} pv {moves}")

    def _best(self, moves: list[str]) -> str:
        return super()._best(moves) if moves else "nobestmove"

    def _obey(self, word: str, rest: str) -> bool:
        if word == "quit":
            self.thinker.stop()
            self._say("bye")
        elif word == "banmoves":
            self._banned = list(self._read_moves(self._seen(), rest.split()))
            return True
        return super()._obey(word, rest)


def _number(name: str, text: str) -> int:
    if not (text.removeprefix("-").isdigit() and text.isascii() and len(text) < 18):
        raise TextError(f"{name} is followed by a whole number, not {shorten(text)}")
    return max(0, min(int(text), LARGEST))


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
