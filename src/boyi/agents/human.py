"""A person at a terminal."""

from __future__ import annotations

from collections.abc import Callable

from boyi.agents.agent import Clock
from boyi.agents.spec import AgentKind
from boyi.core.errors import BoyiError, IllegalMoveError, shorten
from boyi.core.position import Position
from boyi.core.words import Words


def _ask(observation: Position) -> str:
    return input(f"{observation.board.seat_names[observation.turn]}: ")


def _no_command(line: str, observation: Position) -> bool:
    return False


def _tell(error: BoyiError, line: str, observation: Position) -> None:
    print(error)


class HumanAgent:
    """Asks until the answer is a legal move.

    What the terminal looks like is not its business: `ask` shows the prompt and
    returns a line, `command` is given each line first and says whether it was
    something else than a move (help, undo, ...), and `tell` shows a refusal.
    """

    def __init__(
        self,
        ask: Callable[[Position], str] = _ask,
        command: Callable[[str, Position], bool] = _no_command,
        tell: Callable[[BoyiError, str, Position], None] = _tell,
    ) -> None:
        self._ask = ask
        self._command = command
        self._tell = tell

    def choose(self, observation: Position, clock: Clock) -> int:
        while True:
            line = self._ask(observation).strip()
            if not line or self._command(line, observation):
                continue
            try:
                return read_decision(observation, line)
            except BoyiError as error:
                self._tell(error, line, observation)


def read_decision(observation: Position, text: str) -> int:
    """The one move that a player may choose with `text`, in any notation of the game.

    A record may also write what chance added to a move; a player may not.
    """
    moves = observation.game.read_move(observation, text)
    if len(moves) != 1:
        raise IllegalMoveError(f"{shorten(text)} also says what chance will bring; choose only the move, "
                               f"{observation.format_move(moves[0])}")
    if observation.is_forfeit(moves[0]):
        raise IllegalMoveError(f"{shorten(text)} gives the game up, which is no move to choose: resign instead")
    return moves[0]


KIND = AgentKind(
    name="human",
    title=Words("human", "人"),
    help=Words("a person at this terminal", "本终端前的棋手"),
    make=lambda values: HumanAgent(),
    runs_code=True,
)
