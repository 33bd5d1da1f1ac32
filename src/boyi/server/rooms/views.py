"""The game of a room as each viewer knows it.

What a viewer may know is built up from what they are allowed, never cut down from the whole: `Position.observe(seat)`.
In a game without secrets, and when the game is over, that is the referee's own position.

Observing takes long where there are secrets, and describing how a game stands takes longer than anything else about a
move. So both are remembered until the position changes.
"""

from __future__ import annotations

from msgspec import structs

from boyi.core.position import Position
from boyi.core.written import written_moves
from boyi.server.protocol.messages import LastMove
from boyi.server.protocol.parts import Standing
from boyi.server.protocol.positions import describe_standing, describe_stones, play_and_describe
from boyi.server.protocol.state import GameState
from boyi.server.rooms.courses import Course, describe_course
from boyi.server.rooms.history import History
from boyi.server.rooms.referee import Referee


class Views:
    """What viewers (a seat, or None for spectators) know of a referee's game; to be told of each change."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._now: dict[int | None, Position] = {}
        self._before: dict[int | None, Position] = {}
        self._standings: dict[int | None, Standing] = {}
        self._histories: dict[int | None, History] = {}

    def moved(self) -> None:
        """A written move was played."""
        self._before, self._now, self._standings = self._now, {}, {}

    def taken_back(self) -> None:
        """Moves were taken back."""
        self._before, self._now, self._standings = {}, {}, {}
        for history in self._histories.values():
            history.take_back()

    # ------------------------------------------------------------------ how it stands

    def observe(self, viewer: int | None) -> Position:
        """What a viewer knows of the position; not to be changed, nor to be kept beyond the next move."""
        if not self._referee.has_secrets:
            return self._referee.position
        if viewer not in self._now:
            self._now[viewer] = self._referee.position.observe(viewer)
        return self._now[viewer]

    def standing(self, viewer: int | None) -> Standing:
        if not self._referee.has_secrets:
            viewer = None
        if viewer not in self._standings:
            self._standings[viewer] = describe_standing(self.observe(viewer), self._referee.position.turn)
        return self._standings[viewer]

    def game(self, game: GameState, viewer: int | None) -> GameState:
        """A game that hides something, as a viewer knows it; `game` is as spectators know it."""
        observation, start = self.observe(viewer), self._referee.start.observe(viewer)
        plies = [structs.replace(ply, text=text) for ply, text in zip(game.plies, self.texts(viewer), strict=True)]
        return structs.replace(game, start=start.to_text(), stones=describe_stones(observation),
                               standing=self.standing(viewer), plies=plies)

    # ------------------------------------------------------------------ how it came about

    def texts(self, viewer: int | None) -> list[str]:
        """All written moves of a game that hides something."""
        observation, start = self.observe(viewer), self._referee.start.observe(viewer)
        if observation.start_text == start.to_text():
            texts = [text for text, _ in written_moves(start, observation.history())]
            if len(texts) == len(self._referee.log):
                return texts
        return [self._seen(index, viewer)[0] for index in range(len(self._referee.log))]

    def last_course(self, viewer: int | None) -> Course:
        """The last written move."""
        referee = self._referee
        index = len(referee.log) - 1
        if not referee.hides:
            return referee.log[index].text, referee.path, referee.changes, referee.drawn
        return self._seen(index, viewer)

    def show(self, index: int, viewer: int | None) -> LastMove:
        """A written move with the position that it was made in."""
        referee = self._referee
        if referee.hides:
            before, after = self._around(index, viewer)
            return LastMove(*describe_course(before, after, self._decision(index))[:3], before.to_text(),
                            describe_stones(before))
        before = referee.before(index)
        text, stones = before.to_text(), describe_stones(before)
        path, changes, _ = play_and_describe(before, referee.moves_of(index)[1])
        return LastMove(referee.log[index].text, path, changes, text, stones)

    def history(self, viewer: int | None) -> str | None:
        """The start of the game and all its written moves, as JSON; None to be asked again, as it takes long."""
        if not self._referee.hides:
            viewer = None
        known = self._histories.get(viewer)
        if known is not None and known.hides != self._referee.hides:
            self._histories, known = {}, None   # what was hidden may be known
        if known is None:
            known = self._histories[viewer] = History(self._referee, viewer)
        return known.to_json()

    def _seen(self, index: int, viewer: int | None) -> Course:
        """A written move of a game that hides something."""
        return describe_course(*self._around(index, viewer), self._decision(index))

    def _decision(self, index: int) -> int | None:
        return self._referee.moves_of(index)[1][0] if self._referee.log[index].seat is not None else None

    def _around(self, index: int, viewer: int | None) -> tuple[Position, Position]:
        """What a viewer knew before a written move and after it."""
        if index == len(self._referee.log) - 1 and viewer in self._before:
            return self._before[viewer], self.observe(viewer)
        before = self._referee.before(index)
        after = before.copy()
        for move in self._referee.moves_of(index)[1]:
            after.play(move)
        return before.observe(viewer), after.observe(viewer)
