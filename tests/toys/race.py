"""A race of two or three stones by a loaded die, in plain Python: chance, more players, options, captures, forfeits."""

from __future__ import annotations

from typing import NamedTuple

from boyi.core.board import Board, Change, Glyph, Point, Stone
from boyi.core.errors import TextError, shorten
from boyi.core.game import Game, Option, Options
from boyi.core.outcome import scores_by_place
from boyi.core.position import CHANCE
from boyi.core.python_position import PythonPosition
from boyi.core.words import Words

GOAL = 6
LAST_TURN = 20
ADVANCE, WAIT = 0, 1
LEAVE = 100
"""LEAVE + player: a forfeit."""

LEFT = -2
"""The place of a player who has left."""


class Race(NamedTuple):
    """Where everybody is, and what happens next."""

    places: tuple[int, ...]      # LEFT the race, -1 at home, 0 … GOAL on the track
    mover: int
    rolled: int                  # 0 before the die is cast
    turn: int


class RacePosition(PythonPosition):
    """The die shows 1, 2 or 3; whoever rolled goes on or waits; landing on a stone sends it home."""

    def player_count(self) -> int:
        return int(self.options["players"])

    def initial(self) -> Race:
        return Race((-1,) * self.players, 0, 0, 0)

    def to_act(self, state: Race) -> int:
        return state.mover if state.rolled else CHANCE

    def legal_moves(self, state: Race) -> list[int]:
        return [ADVANCE, WAIT] if state.rolled else [1, 2, 3]

    def likelihoods(self, state: Race) -> list[float]:
        return [0.5, 0.3, 0.2]

    def _target(self, state: Race) -> int:
        return min(state.places[state.mover] + state.rolled, GOAL)

    def _next(self, state: Race, places: tuple[int, ...]) -> Race:
        """The turn of the next player who is still in the race."""
        following = [(state.mover + step) % self.players for step in range(1, self.players + 1)]
        mover = next(player for player in following if places[player] != LEFT)
        return Race(places, mover, 0, min(state.turn + 1, LAST_TURN))

    def may_resign(self, player: int) -> bool:
        return super().may_resign(player) and self.state.places[player] != LEFT

    def forfeit(self, player: int) -> int:
        return LEAVE + player

    def after(self, state: Race, move: int) -> Race:
        if move >= LEAVE:
            places = tuple(LEFT if player == move - LEAVE else place for player, place in enumerate(state.places))
            return self._next(state, places) if state.mover == move - LEAVE else state._replace(places=places)
        if not state.rolled:
            return state._replace(rolled=move)
        places = state.places
        if move == ADVANCE:
            target = self._target(state)
            places = tuple(target if player == state.mover else -1 if place == target else place
                           for player, place in enumerate(places))
        return self._next(state, places)

    def final_scores(self, state: Race) -> list[float] | None:
        if GOAL not in state.places and state.turn < LAST_TURN and state.places.count(LEFT) < self.players - 1:
            return None
        return scores_by_place([1 + sum(other > place for other in state.places) for place in state.places])

    def state_to_text(self, state: Race) -> str:
        return f"{','.join(map(str, state.places))} {state.mover} {state.rolled} {state.turn}"

    def text_to_state(self, text: str) -> Race:
        fields = text.split() if isinstance(text, str) and text.isascii() and len(text) < 50 else []
        numbers = [number for field in fields for number in field.split(",")]
        if len(fields) != 4 or not all(number.removeprefix("-").isdigit() for number in numbers):
            raise TextError(f"{shorten(text)} is not a race: places, mover, die and turn, as -1,2 0 0 5")
        if len(numbers) != self.players + 3:
            raise TextError(f"{shorten(text)} has {len(numbers) - 3} places for {self.players} players")
        mover, rolled, turn = map(int, numbers[-3:])
        race = Race(tuple(map(int, numbers[:-3])), mover, rolled, turn)
        standing = [place for place in race.places if place >= 0]
        if (not all(LEFT <= place <= GOAL for place in race.places)
                or len(set(standing)) != len(standing) or race.mover not in range(self.players)
                or race.places[race.mover] == LEFT
                or race.rolled not in range(4) or race.turn not in range(LAST_TURN + 1)):
            raise TextError(f"{shorten(text)} is not a race of {self.players} on {GOAL + 1} points")
        if self.state_to_text(race) != " ".join(fields):
            raise TextError(f"{shorten(text)} is written oddly; {self.state_to_text(race)} is meant")
        return race

    def format_move(self, move: int) -> str:
        if self.is_forfeit(move):
            return f"leave:{'abc'[move - LEAVE]}"
        return ("go", "wait")[move] if self.state.rolled else f"={move}"

    def path(self, move: int) -> tuple[str, ...]:
        if not self.state.rolled or move == WAIT or self.is_forfeit(move):
            return ()
        place = self.state.places[self.state.mover]
        target = f"t{self._target(self.state)}"
        return (target,) if place < 0 else (f"t{place}", target)

    def stones(self) -> list[Stone]:
        return [Stone(f"t{place}", "abc"[player]) for player, place in enumerate(self.state.places) if place >= 0]

    def changes(self, move: int) -> list[Change]:
        path, standing = self.path(move), {stone.point: stone.glyph for stone in self.stones()}
        if self.is_forfeit(move):
            own = "abc"[move - LEAVE]
            return [Change("captured", point, glyph) for point, glyph in standing.items() if glyph == own]
        if not path:
            return []
        own = "abc"[self.state.mover]
        taken = [Change("captured", path[-1], standing[path[-1]])] if path[-1] in standing else []
        if len(path) == 1:
            return [*taken, Change("placed", path[0], own)]
        return [*taken, Change("moved", path[0], own, to=path[1])]


def _board(options: Options) -> Board:
    players = int(options["players"])
    names = (Words("Ann", "甲"), Words("Bob", "乙"), Words("Cid", "丙"))[:players]
    return Board(
        points=tuple(Point(f"t{i}", i, 0) for i in range(GOAL + 1)),
        lines=(),
        glyphs={"abc"[i]: Glyph("abc"[i], i, name) for i, name in enumerate(names)},
        seat_names=names,
        seat_colours=("red", "green", "blue")[:players],
        rotations=(0, 0, 0)[:players],
    )


GAME = Game(name="race", title=Words("Race", "竞走"), position=RacePosition, board=_board, module=__name__,
            options=(Option("players", 2, Words("how many play", "人数"), lowest=2, highest=3),), has_chance=True)
