"""What a person at a terminal can type that is not a move."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boyi.cli import _texts as texts
from boyi.cli._table import align
from boyi.core.errors import shorten
from boyi.core.record import Record
from boyi.core.words import Words

if TYPE_CHECKING:
    from boyi.cli._session import Session

PATH_LENGTH = 300
"""Characters of a file's name that are repeated in an answer."""


class Request(Exception):  # noqa: N818  (a request of the person, not an error)
    """The parent of what a person asks of the session."""


class TakeBack(Request):
    """Take a move back."""


class Resign(Request):
    """Resign for the player to act."""


class SeatChanged(Request):
    """The seat of the player to act was handed over, or taken back."""


class Quit(Request):
    """Leave."""


@dataclass(frozen=True)
class Command:
    """Something to type that is not a move."""

    names: tuple[str, ...]
    help: Words
    action: Callable[[Session, str], None]
    """What it does, given what was typed after its name."""

    argument: Words | None = None
    afterwards: bool = True
    """Does it make sense when the game is over?"""

    while_handed: bool = True
    """Does it make sense while the AI plays for the person?"""


def find_command(line: str) -> tuple[Command | None, str]:
    """The command that a line begins with, and the rest of the line."""
    word, _, argument = line.partition(" ")
    for command in COMMANDS:
        if word.lower() in command.names:
            return command, argument.strip()
    return None, ""


def _help(session: Session, argument: str) -> None:
    screen, observation, over = session.screen, session.visible(), session.outcome() is not None
    if not over:
        screen.say(texts.HELP_MOVES, moves=screen.examples(observation))
        if observation.game.notations:
            screen.say(texts.HELP_NOTATIONS, names=" ".join(observation.game.notations))
    rows = []
    for command in COMMANDS:
        if (over and not command.afterwards) or (session.handed.agents and not command.while_handed):
            continue
        argument = f" {command.argument.say(screen.language)}" if command.argument else ""
        rows.append(("  " + ", ".join(name + argument for name in command.names), command.help.say(screen.language)))
    screen.terminal.write("\n".join(align(rows)))


def _hint(session: Session, argument: str) -> None:
    session.screen.list_moves(session.visible())


def _board(session: Session, argument: str) -> None:
    session.show_board()


def _flip(session: Session, argument: str) -> None:
    session.turned += 1
    session.show_board()


def _save(session: Session, argument: str) -> None:
    """Write what may be known of the game to a new file."""
    say, outcome = session.screen.say, session.outcome()
    if not argument:
        say(texts.SAVE_WHERE)
        return
    assisted = {"Assisted": " ".join(str(seat + 1) for seat in sorted(session.handed.assisted))}
    record = Record.from_position(
        session.visible(), players=[str(spec) for spec in session.seats], date=datetime.date.today().isoformat(),
        tags=assisted if session.handed.assisted else {}, result=None if outcome is None else outcome.places,
        reason="" if outcome is None else outcome.reason)
    shown = shorten(argument, PATH_LENGTH)
    try:
        with Path(argument).expanduser().open("x", encoding="utf-8") as file:
            file.write(record.to_text())
    except FileExistsError:
        say(texts.NOT_SAVED, path=shown, problem=texts.EXISTS.say(session.screen.language))
    except (OSError, ValueError, RuntimeError) as error:   # a name that no file, or no home, can have
        say(texts.NOT_SAVED, path=shown, problem=error.strerror if isinstance(error, OSError) else str(error))
    else:
        say(texts.SAVED, path=shown)


def _ai(session: Session, argument: str) -> None:
    session.hand_over(argument)


def _resume(session: Session, argument: str) -> None:
    session.resume(argument)


def _last(session: Session, argument: str) -> None:
    session.replay(argument)


def _undo(session: Session, argument: str) -> None:
    if session.earlier():
        raise TakeBack
    session.screen.say(texts.NOTHING_TO_UNDO)


def _resign(session: Session, argument: str) -> None:
    raise Resign


def _quit(session: Session, argument: str) -> None:
    raise Quit


COMMANDS = (
    Command(("help", "?", "帮助"), Words("show this", "显示本说明"), _help),
    Command(("hint", "moves", "提示"), Words("list the legal moves", "列出合法着法"), _hint, afterwards=False,
            while_handed=False),
    Command(("board", "棋盘"), Words("draw the board again", "重画棋盘"), _board),
    Command(("flip", "翻转"), Words("turn the board to the next seat", "把棋盘转向下一方"), _flip),
    Command(("last", "上一步"), Words("replay the last move, or that of a player (a name or a number)",
                                     "回放上一步，或某一方的上一步（名称或编号）"), _last,
            argument=Words("[PLAYER]", "[棋手]")),
    Command(("ai", "托管"), Words("let the computer play for you, turn after turn", "由电脑代您走棋，直到取消"), _ai,
            argument=Words("[LEVEL]", "[级别]"), afterwards=False),
    Command(("resume", "取消托管"), Words("take your seat back from the computer, at any time", "随时收回自己走"),
            _resume, argument=Words("[PLAYER]", "[棋手]"), afterwards=False),
    Command(("undo", "悔棋"), Words("take back to your last decision", "退回到您上一次的决定"), _undo,
            while_handed=False),
    Command(("resign", "认输"), Words("give the game up", "认输"), _resign, afterwards=False, while_handed=False),
    Command(("save", "保存"), Words("write the game to a new file", "把对局写入新文件"), _save,
            argument=Words("FILE", "文件名")),
    Command(("quit", "exit", "退出"), Words("leave", "离开"), _quit),
)
