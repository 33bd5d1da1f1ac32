"""Small Ludo 小飞行棋: three players race two stones each around a ring, by a die.

A stone waits at home (0 steps), runs over the 18 points of the ring (1 to 18 steps) and is in the goal after 19. In
each turn a die is cast and the player moves one of their stones by as many steps; what goes beyond 19 counts as 19. A
stone that lands on another player's sends it home, but not from a shelter: there it blocks the point. One's own stone
blocks a point, too. Who cannot move passes. The game ends when both stones of a player are in the goal; the others are
placed by the steps that theirs have made.

A state is the steps of everybody's stones, who acts and the die, 0 before it is cast. Who has left has no stones.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from boyi.core.board import Board, Change, Glyph, Point, Stone
from boyi.core.errors import TextError, shorten
from boyi.core.game import Game
from boyi.core.outcome import scores_by_place
from boyi.core.position import CHANCE
from boyi.core.python_position import PythonPosition
from boyi.core.token import Token
from boyi.core.words import Words

PLAYERS, RING, GOAL = 3, 18, 19
CODES = "rgb"
SHELTERS = (3, 9, 15)
PASS, LEAVE = 50, 60
"""Two moves besides the steps of the stone that moves: passing, and (plus the player) leaving the game."""


class State(NamedTuple):
    """What decides the future."""

    steps: tuple[tuple[int, ...], ...]
    player: int
    die: int


def point(player: int, steps: int, twin: int = 0) -> str:
    """Where a stone stands; `twin` tells two in one home or goal apart."""
    if steps == 0:
        return f"{CODES[player]}{twin + 1}"
    return f"{CODES[player]}{twin + 3}" if steps == GOAL else f"p{(6 * player + steps - 1) % RING + 1}"


class SmallLudo(PythonPosition):
    """A move is the steps that its stone has made before; a roll of the die is its number."""

    def player_count(self) -> int:
        return PLAYERS

    def initial(self) -> State:
        return State(((0, 0),) * PLAYERS, 0, 0)

    def to_act(self, state: State) -> int:
        return state.player if state.die else CHANCE

    def legal_moves(self, state: State) -> list[int]:
        if not state.die:
            return [1, 2, 3, 4, 5, 6]
        own = state.steps[state.player]
        return [steps for steps in sorted(set(own)) if steps < GOAL and not self._blocked(state, steps)] or [PASS]

    def _target(self, state: State, steps: int) -> int:
        return min(steps + state.die, GOAL)

    def _blocked(self, state: State, steps: int) -> bool:
        target = self._target(state, steps)
        there = point(state.player, target)
        return target < GOAL and (target in state.steps[state.player] or (
            int(there[1:]) in SHELTERS and there in self._standing(state)))

    def _standing(self, state: State) -> dict[str, int]:
        """Whose stone stands on each point, homes and goals too."""
        return {point(player, steps, twin=own.index(steps) != i): player
                for player, own in enumerate(state.steps) for i, steps in enumerate(own)}

    def after(self, state: State, move: int) -> State:
        everybody = list(state.steps)
        if move >= LEAVE:
            everybody[move - LEAVE] = ()
            if move - LEAVE != state.player:
                return state._replace(steps=tuple(everybody))
        elif not state.die:
            return state._replace(die=move)
        elif move != PASS:
            target = self._target(state, move)
            there = point(state.player, target)
            for player, own in enumerate(everybody):
                everybody[player] = tuple(0 if 0 < steps < GOAL and point(player, steps) == there else steps
                                          for steps in own)
            moved = list(everybody[state.player])
            moved[moved.index(move)] = target
            everybody[state.player] = tuple(sorted(moved))
        following = [(state.player + turn) % PLAYERS for turn in (1, 2, 3)]
        return State(tuple(map(tuple, map(sorted, everybody))),
                     next((player for player in following if everybody[player]), state.player), 0)

    def final_scores(self, state: State) -> list[float] | None:
        if (GOAL, GOAL) not in state.steps and state.steps.count(()) < PLAYERS - 1:
            return None
        made = [sum(own) if own else -1 for own in state.steps]
        return scores_by_place([1 + sum(other > mine for other in made) for mine in made])

    def reason(self) -> tuple[str, Words]:
        if (GOAL, GOAL) in self.state.steps:
            return "all_in_goal", Words("both stones are in the goal", "两子均已到达终点")
        return "all_left", Words("the others have left", "其他玩家均已离开")

    def may_resign(self, player: int) -> bool:
        return super().may_resign(player) and self.state.steps[player] != ()

    def forfeit(self, player: int) -> int:
        return LEAVE + player

    def tokens(self) -> list[Token]:
        state = self.state
        return [Token(Words("Die", "骰子"), str(state.die), state.player, "die")] if state.die else []

    def chance_words(self, move: int) -> Words:
        name = self.board.seat_names[self.state.player]
        return Words(f"{name.en} rolls {move}", f"{name.zh}掷出{move}点")

    def state_to_text(self, state: State) -> str:
        return f"{' '.join(','.join(map(str, own)) or '-' for own in state.steps)} {CODES[state.player]} {state.die}"

    def text_to_state(self, text: object) -> State:
        fields = text.split(" ") if isinstance(text, str) else []
        try:
            steps = tuple(tuple(map(int, field.split(","))) if field != "-" else () for field in fields[:PLAYERS])
            state = State(steps, CODES.index(fields[PLAYERS]), int(fields[PLAYERS + 1]))
        except (ValueError, IndexError):
            state = self.initial()
        if self.state_to_text(state) != text:
            raise TextError(f"{shorten(text)} is not a position: the steps of each player's stones (or -), who acts "
                            f"(r, g or b) and the die, as {self.state_to_text(self.initial())}")
        running = [point(player, one) for player, own in enumerate(steps) for one in own if 0 < one < GOAL]
        if (any(own and (len(own) != 2 or not 0 <= own[0] <= own[1] <= GOAL) for own in steps)
                or len(set(running)) != len(running) or steps.count((GOAL, GOAL)) > 1
                or not steps[state.player] or state.die not in range(7)):
            raise TextError(f"{shorten(text)}: who plays has two stones of 0 to {GOAL} steps, the smaller number "
                            "first; no two share a point of the ring; who acts still plays; only one has won")
        return state

    def format_move(self, move: int) -> str:
        if self.is_forfeit(move):
            return f"leave:{CODES[move - LEAVE]}"
        return "-".join(self.path(move)) or ("pass" if self.state.die else f"={move}")

    def path(self, move: int) -> tuple[str, ...]:
        if move >= PASS or not self.state.die:
            return ()
        player, own = self.state.player, self.state.steps[self.state.player]
        target = self._target(self.state, move)
        return point(player, move, twin=own.count(move) - 1), point(player, target, twin=own.count(target))

    def stones(self) -> list[Stone]:
        return [Stone(name, CODES[player]) for name, player in self._standing(self.state).items()]

    def changes(self, move: int) -> list[Change]:
        standing = self._standing(self.state)
        if self.is_forfeit(move):
            return [Change("captured", name, CODES[seat]) for name, seat in standing.items() if seat == move - LEAVE]
        if not (path := self.path(move)):
            return []
        change = Change("moved", path[0], CODES[self.state.player], to=path[1])
        if (taken := standing.get(path[1])) is None:
            return [change]
        home = point(taken, 0, twin=self.state.steps[taken].count(0))
        return [Change("moved", path[1], CODES[taken], to=home), change]


@cache
def board() -> Board:
    # Rows are √3/2 apart and y grows downwards. This is the third of seat 0, who sits at the bottom; the other two are
    # the same, turned clockwise by 120 and 240 degrees.
    ring = [(0.5, 3), (-0.5, 3), (-1.5, 3), (-2, 2), (-2.5, 1), (-3, 0)]
    home_and_goal = [(0, 4), (1, 4), (0, 2), (0.5, 1)]

    def place(name: str, x: float, row: float, seat: int) -> Point:
        turned = complex(x, row * 3**0.5 / 2) * complex(-1, 3**0.5)**seat / 2**seat
        return Point(name, round(turned.real, 6), round(turned.imag, 6))

    track = [place(f"p{6 * seat + i + 1}", *at, seat) for seat in range(PLAYERS) for i, at in enumerate(ring)]
    others = [place(f"{code}{i + 1}", *at, seat)
              for seat, code in enumerate(CODES) for i, at in enumerate(home_and_goal)]
    names = (Words("Red", "红方"), Words("Green", "绿方"), Words("Blue", "蓝方"))
    return Board(
        points=(*track, *others),
        lines=tuple(((a.x, a.y), (b.x, b.y)) for a, b in zip(track, [*track[1:], track[0]], strict=True)),
        dots=tuple((track[shelter - 1].x, track[shelter - 1].y) for shelter in SHELTERS),
        glyphs={code: Glyph(code, seat, Words(f"{name.en.lower()} stone", f"{name.zh[0]}子"))
                for seat, (code, name) in enumerate(zip(CODES, names, strict=True))},
        seat_names=names, seat_colours=("#c0392b", "#2e8b57", "#2f6db5"), rotations=(0, 240, 120))


GAME = Game(name="small_ludo", title=Words("Small Ludo", "小飞行棋"), position=SmallLudo, board=lambda options: board(),
            module=__name__)
