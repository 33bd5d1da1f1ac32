"""A game as a person sees it at a terminal: the board, moves in the chosen notation, words in the chosen language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boyi.cli import _texts as texts
from boyi.cli._replay import LastMove
from boyi.cli._terminal import Terminal
from boyi.core.board import Stone
from boyi.core.position import Position
from boyi.core.words import Language, Words
from boyi.kit.picture.text import draw

FRAME_SECONDS = 0.4
"""How long a stone rests on each point of its path when a move is replayed."""

EXAMPLES = 8
"""Legal moves that are named after one was typed that is not legal."""


@dataclass(frozen=True)
class Preferences:
    """How a game is shown and written."""

    language: Language = "en"
    notation: str | None = None
    """How moves are written; None for the game's own notation."""

    pieces: str = "characters"
    ascii_only: bool = False
    hints: bool = False
    """Show the legal moves at every turn."""

    seed: int = 0
    """Random seed of what chance brings."""


class Screen:
    """A terminal and how things are shown on it. What it is given to show, everybody who looks may see."""

    def __init__(self, terminal: Terminal, preferences: Preferences) -> None:
        self.terminal = terminal
        self.preferences = preferences

    @property
    def language(self) -> Language:
        return self.preferences.language

    def say(self, words: Words, /, **values: object) -> None:
        self.terminal.write(texts.say(words, self.language, **values))

    def ask(self, observation: Position) -> str:
        """A line from the player to act."""
        name, status = self.name(observation, observation.turn), observation.status()
        return self.terminal.ask(texts.say(texts.PROMPT, self.language, name=name) if status is None else
                                 texts.say(texts.PROMPT_TASK, self.language, name=name, task=status.say(self.language)))

    @property
    def ascii_only(self) -> bool:
        return self.preferences.ascii_only or self.terminal.ascii_only

    def show_board(self, position: Position, seat: int) -> None:
        """Draw a position with a seat at the bottom."""
        self.terminal.write(f"\n{self._draw(position, seat)}\n")

    def replay(self, last: LastMove, seat: int) -> None:
        """Show a move once more, with a seat at the bottom: its path, and the board along it."""
        path = (" -> " if self.ascii_only else " → ").join(last.path)
        self.say(texts.LAST_MOVE if len(last.path) > 1 else texts.LAST_POINT,
                 name=self.name(last.before, last.seat), move=self.format(last.before, last.move), path=path)
        if path:
            pictures = [self._draw(position, seat, stones=stones, last_move=passed)
                        for position, stones, passed in last.frames()]
            self.terminal.play([f"\n{picture}\n" for picture in pictures], FRAME_SECONDS)

    def _draw(self, position: Position, seat: int, *, stones: Sequence[Stone] | None = None,
              last_move: Sequence[str] | None = None) -> str:
        return draw(position, seat=seat, pieces=self.preferences.pieces, ascii_only=self.ascii_only,
                    colour=self.terminal.colour, language=self.language, stones=stones, last_move=last_move)

    def list_moves(self, observation: Position) -> None:
        moves = [self.format(observation, move) for move in observation.moves()]
        self.say(texts.HINT, count=len(moves), moves=" ".join(moves))

    def examples(self, observation: Position) -> str:
        """A few legal moves, and how many more there are."""
        legal = observation.moves()
        shown = " ".join(self.format(observation, move) for move in legal[:EXAMPLES])
        more = len(legal) - EXAMPLES
        return shown + (texts.say(texts.AND_MORE, self.language, count=more) if more > 0 else "")

    def name(self, position: Position, seat: int) -> str:
        return position.board.seat_names[seat].say(self.language)

    def format(self, position: Position, move: int) -> str:
        """A move in the chosen notation."""
        return position.game.write_move(position, move, self.preferences.notation)
