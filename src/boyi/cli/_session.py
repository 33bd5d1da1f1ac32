"""One game at a terminal: whose turn it is, what a person typed, what everybody may see.

The session holds the true position. A person or an agent is only ever shown
`position.observe(player)`, and what chance adds is drawn here.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from boyi.agents.agent import Agent, AgentError, Clock, close_agent
from boyi.agents.human import HumanAgent
from boyi.agents.spec import AgentSpec
from boyi.cli import _texts as texts
from boyi.cli._table import align
from boyi.cli._terminal import Terminal
from boyi.cli.judge import verdict
from boyi.core.errors import BoyiError, IllegalMoveError, shorten
from boyi.core.outcome import Outcome
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.record import Record
from boyi.core.words import Language, Words
from boyi.kit.picture.text import draw

Ending = Literal["over", "quit", "end of input"]
"""How a session came to its end."""

EXAMPLES = 8
"""So many legal moves are named to somebody who wrote one that is none."""


PATH_LENGTH = 300
"""So much of a file's name is repeated."""


@dataclass(frozen=True)
class Manners:
    """How a session talks."""

    language: Language = "en"
    notation: str | None = None
    """How moves are written; None for the game's own way."""

    pieces: str = "characters"
    ascii_only: bool = False
    hints: bool = False
    """Show the legal moves at every turn."""

    seed: int = 0
    """Decides what chance brings."""


class _TakeBack(Exception):  # noqa: N818  (a wish, not an error)
    """The person at the terminal wants a move back."""


class _Resign(Exception):  # noqa: N818  (a wish, not an error)
    """The person to act resigns."""


class _Quit(Exception):  # noqa: N818  (a wish, not an error)
    """The person at the terminal leaves."""


@dataclass(frozen=True)
class Command:
    """Something to type that is not a move."""

    names: tuple[str, ...]
    help: Words
    action: Callable[[Session, str], None]
    """What it does, given what was typed behind its name."""

    argument: Words | None = None
    afterwards: bool = True
    """Does it make sense when the game is over?"""


class Session:
    """A game in progress, with somebody or something in every seat."""

    def __init__(self, position: Position, seats: Sequence[AgentSpec], terminal: Terminal, manners: Manners) -> None:
        self.position = position
        self.seats = tuple(seats)
        self.terminal = terminal
        self.manners = manners
        self.humans = [seat for seat, spec in enumerate(seats) if spec.kind.name == "human"]
        self.agents: list[Agent] = [
            HumanAgent(self._ask, self._obey, self._refuse) if seat in self.humans
            else spec.fill(seed=manners.seed + seat).make() for seat, spec in enumerate(seats)]
        self.viewer = self.humans[0] if self.humans else None
        """Whose eyes the screen is for; None when only programs play and everything may be seen."""

        self.turned = 0
        """How many seats further somebody has flipped the board."""

        self.decisions = 0
        """Moves that somebody made here; what chance added does not count."""

        self.resigned: int | None = None
        self.left: dict[int, int] = {}
        """Which seats were given up by the rules of the game, and after how many moves."""

        self.asked: list[int] = []
        """After how many moves a person was asked: where undo goes back to."""

    # ------------------------------------------------------------------ the game

    def run(self) -> Ending:
        """Play until the game is over or somebody leaves."""
        language = self.manners.language
        seats = texts.BETWEEN_SEATS.say(language).join(
            texts.say(texts.SEAT, language, name=self.name(seat), agent=name_agent(spec, language))
            for seat, spec in enumerate(self.seats))
        self.say(texts.WELCOME, title=self.position.game.title.say(language), seats=seats)
        if self.humans:
            self.say(texts.TYPE_A_MOVE)
        try:
            while self._play_to_the_end():
                pass
        except (EOFError, _Quit) as leaving:
            if self.outcome() is None:
                return "quit" if isinstance(leaving, _Quit) else "end of input"
        finally:
            for agent in self.agents:
                close_agent(agent)
        return "over"

    def _play_to_the_end(self) -> bool:
        """Play, then let people look back; True when they took a move back and the game goes on."""
        while self.resigned is None and self.position.turn != OVER:
            try:
                self._step()
            except _TakeBack:
                self._take_back()
            except _Resign:
                self._resign(self.position.turn)
        self.show_board()
        self._announce_end()
        return bool(self.humans) and self._look_back()

    def _step(self) -> None:
        """One move, by whoever acts."""
        position, turn = self.position, self.position.turn
        if turn == CHANCE:
            self._draw()
            return
        forced = position.forced_move()
        if forced is not None:
            self._play(forced, texts.FORCED)
            return
        if turn in self.humans:
            self.viewer = turn
            self.asked = [ply for ply in self.asked if ply < position.ply] + [position.ply]
            self.show_board()
            if self.manners.hints:
                self.list_moves()
        try:
            move = self.agents[turn].choose(position.observe(turn), Clock())
        except AgentError as error:
            if error.fault == "resignation":
                raise _Resign from error
            raise
        self._play(move, texts.PLAYS)

    def _play(self, move: int, words: Words) -> None:
        text, name = self.format(self.position, move), self.name(self.position.turn)
        self.position.play(move)
        self.decisions += 1
        self.say(words, number=self.decisions, name=name, move=text)

    def _draw(self) -> None:
        """Let chance decide. The same seed and place in the game draw the same, also after an undo."""
        odds = self.position.odds()
        generator = random.Random(f"{self.manners.seed} {self.position.ply}")
        (move,) = generator.choices([move for move, _ in odds], [chance for _, chance in odds])
        text = self.position.format_move(move)
        glyph = self.position.board.glyphs.get(text)
        seen = self.visible().ply
        self.position.play(move)
        if self.visible().ply > seen:   # else it is somebody else's secret
            self.say(texts.DRAWN, what=text if glyph is None else glyph.name.say(self.manners.language))

    def _resign(self, seat: int) -> None:
        """Give up a seat. Where the rules know what that means the others play on."""
        if self.position.forfeit(seat) is None:
            self.resigned = seat
            return
        self.position.resign(seat)
        self.decisions += 1
        self.say(texts.RESIGNS, name=self.name(seat))
        self.left[seat] = self.position.ply
        if self.left.keys() >= set(self.humans) and self.position.turn != OVER:
            raise _Quit   # nobody is left to play for

    def _earlier(self) -> list[int]:
        """Where undo can go back to, the nearest last."""
        if self.resigned is not None:
            return [*self.asked]   # only the resignation is taken back
        return [ply for ply in self.asked if ply < self.position.ply]

    def _take_back(self) -> None:
        target = self._earlier()[-1]
        if self.resigned is not None:
            self.resigned = None
            self.say(texts.RESIGNATION_BACK)
            return
        taken = []
        while self.position.ply > target:
            move = self.position.undo()
            if self.position.turn != CHANCE:
                taken.append(self.format(self.position, move))
                self.decisions -= 1
        self.left = {seat: ply for seat, ply in self.left.items() if ply <= target}
        self.say(texts.TAKEN_BACK, moves=" ".join(reversed(taken)))

    def _announce_end(self) -> None:
        language, outcome = self.manners.language, self.outcome()
        if outcome is None:
            return
        self.say(texts.GAME_OVER, words=outcome.words.say(language))
        if self.resigned is None:
            for sentence in self.position.explain():
                self.terminal.write("  " + sentence.say(language))

    def _look_back(self) -> bool:
        """After the end: save, undo, look. True when the game goes on."""
        while True:
            line = self.terminal.ask(texts.AFTERWARDS.say(self.manners.language)).strip()
            if not line:
                return False
            command, argument = find_command(line)
            if command is None or not command.afterwards:
                self.say(texts.NOT_AFTERWARDS)
                continue
            try:
                command.action(self, argument)
            except _TakeBack:
                self._take_back()
                return True

    # ------------------------------------------------------------------ what is known

    def outcome(self) -> Outcome | None:
        """How the game ended, on the board or by resignation."""
        return self.position.outcome() if self.resigned is None else self.position.resign(self.resigned)

    def visible(self) -> Position:
        """The position as far as the person at the screen may know it; all of it once the game is over."""
        if self.viewer is None or self.outcome() is not None:
            return self.position
        return self.position.observe(self.viewer)

    def name(self, seat: int) -> str:
        return self.position.board.seat_names[seat].say(self.manners.language)

    def format(self, position: Position, move: int) -> str:
        """A move as this session writes it."""
        if self.manners.notation is None:
            return position.format_move(move)
        return position.game.notation(self.manners.notation).format(position, move)

    # ------------------------------------------------------------------ the conversation

    def say(self, words: Words, /, **values: object) -> None:
        self.terminal.write(texts.say(words, self.manners.language, **values))

    def show_board(self) -> None:
        # Where several people share the screen it does not turn with every move.
        below = self.humans[0] if len(self.humans) == 1 else 0
        picture = draw(self.visible(), seat=(below + self.turned) % self.position.players, pieces=self.manners.pieces,
                       ascii_only=self.manners.ascii_only or self.terminal.ascii_only, colour=self.terminal.colour)
        self.terminal.write(f"\n{picture}\n")

    def list_moves(self) -> None:
        observation = self.visible()
        moves = [self.format(observation, move) for move in observation.moves()]
        self.say(texts.HINT, count=len(moves), moves=" ".join(moves))

    def _ask(self, observation: Position) -> str:
        language, task = self.manners.language, observation.status()
        name = self.name(observation.turn)
        return self.terminal.ask(texts.say(texts.PROMPT, language, name=name) if task is None else
                                 texts.say(texts.PROMPT_TASK, language, name=name, task=task.say(language)))

    def _obey(self, line: str, observation: Position) -> bool:
        """Do what a line asks if it is a command and not a move."""
        command, argument = find_command(line)
        if command is None:
            return False
        command.action(self, argument)
        return True

    def _refuse(self, error: BoyiError, line: str, observation: Position) -> None:
        words = texts.NOT_LEGAL if isinstance(error, IllegalMoveError) else texts.NOT_READ
        self.say(words, error=error, line=shorten(line)[1:-1], moves=self._examples(observation))

    def _examples(self, observation: Position) -> str:
        legal = observation.moves()
        shown = " ".join(self.format(observation, move) for move in legal[:EXAMPLES])
        more = len(legal) - EXAMPLES
        return shown + (texts.say(texts.AND_MORE, self.manners.language, count=more) if more > 0 else "")

    # ------------------------------------------------------------------ what can be typed

    def help(self, argument: str) -> None:
        language, observation, over = self.manners.language, self.visible(), self.outcome() is not None
        if not over:
            self.say(texts.HELP_MOVES, moves=self._examples(observation))
            if observation.game.notations:
                self.say(texts.HELP_NOTATIONS, names=" ".join(observation.game.notations))
        rows = []
        for command in COMMANDS:
            if over and not command.afterwards:
                continue
            argument = f" {command.argument.say(language)}" if command.argument else ""
            rows.append(("  " + ", ".join(name + argument for name in command.names), command.help.say(language)))
        self.terminal.write("\n".join(align(rows)))

    def hint(self, argument: str) -> None:
        self.list_moves()

    def board(self, argument: str) -> None:
        self.show_board()

    def flip(self, argument: str) -> None:
        self.turned += 1
        self.show_board()

    def save(self, argument: str) -> None:
        """Write what may be known of the game to a new file."""
        if not argument:
            self.say(texts.SAVE_WHERE)
            return
        language, outcome = self.manners.language, self.outcome()
        record = Record.from_position(
            self.visible(), players=[str(spec) for spec in self.seats], date=datetime.date.today().isoformat(),
            result=None if outcome is None else outcome.places, reason="" if outcome is None else outcome.reason)
        try:
            with Path(argument).expanduser().open("x", encoding="utf-8") as file:
                file.write(record.to_text())
        except FileExistsError:
            self.say(texts.NOT_SAVED, path=shorten(argument, PATH_LENGTH), problem=texts.EXISTS.say(language))
        except (OSError, ValueError, RuntimeError) as error:   # a name that no file, or no home, can have
            problem = error.strerror if isinstance(error, OSError) else str(error)
            self.say(texts.NOT_SAVED, path=shorten(argument, PATH_LENGTH), problem=problem)
        else:
            self.say(texts.SAVED, path=shorten(argument, PATH_LENGTH))

    def undo(self, argument: str) -> None:
        if self._earlier():
            raise _TakeBack
        self.say(texts.NOTHING_TO_UNDO)

    def resign(self, argument: str) -> None:
        raise _Resign

    def quit(self, argument: str) -> None:
        raise _Quit


COMMANDS = (
    Command(("help", "?", "帮助"), Words("show this", "显示本说明"), Session.help),
    Command(("hint", "moves", "提示"), Words("list the legal moves", "列出合法着法"), Session.hint, afterwards=False),
    Command(("board", "棋盘"), Words("draw the board again", "重画棋盘"), Session.board),
    Command(("flip", "翻转"), Words("turn the board to the next seat", "把棋盘转向下一方"), Session.flip),
    Command(("undo", "悔棋"), Words("take back to your last decision", "退回到您上一次的决定"), Session.undo),
    Command(("resign", "认输"), Words("give the game up", "认输"), Session.resign, afterwards=False),
    Command(("save", "保存"), Words("write the game to a new file", "把对局写入新文件"), Session.save,
            argument=Words("FILE", "文件名")),
    Command(("quit", "exit", "退出"), Words("leave", "离开"), Session.quit),
)


def find_command(line: str) -> tuple[Command | None, str]:
    """The command that a line begins with, and the rest of the line."""
    word, _, argument = line.partition(" ")
    for command in COMMANDS:
        if word.lower() in command.names:
            return command, argument.strip()
    return None, ""


def name_agent(spec: AgentSpec, language: Language) -> str:
    """What to call somebody in a seat: as it was written where there are settings to tell, else in words."""
    return str(spec) if spec.values else spec.kind.title.say(language)


def summary(session: Session, ending: Ending) -> dict[str, Any]:
    """What JSON says of a session: the judgement of its position, and how it got there."""
    position, outcome = session.visible(), session.outcome()
    walk = position.game.parse(position.start_text, **position.options)
    moves = []
    for move in position.history():
        moves.append(walk.format_move(move))
        walk.play(move)
    facts = verdict(position) | {"agents": [str(spec) for spec in session.seats], "moves": moves, "ending": ending}
    if session.resigned is not None and outcome is not None:
        facts |= {"turn": "over", "over": True, "result": list(outcome.results), "reason": outcome.reason,
                  "words": {"en": outcome.words.en, "zh": outcome.words.zh},
                  "places": list(outcome.places) if position.players > 2 else None, "legal_moves": []}
    return facts
