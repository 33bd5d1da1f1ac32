"""Chinese checkers move for move against a naive engine of our own, and against OpenSpiel.

OpenSpiel's `chinese_checkers` plays 2, 3, 4 or 6 players hop by hop: an action is a hole and a direction, 726 ends a
chain. Its steps, hops and passes are our rules, and so are its seats once its board is turned by half (its first
player sits at the top). These differ, and are not compared:

- a chain there may not land twice on a hole; that changes the chains but not where they can end;
- it ends with the first player who fills the goal corner with his own pieces (our `strict`, and no play for places);
- there is no end by repetition, and its move limit counts all turns together.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from boyi import OVER, perft
from boyi.games.chinese_checkers import GAME
from boyi.games.chinese_checkers.board import NAMES
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from tests.games.chinese_checkers_naive import PASS, PLACE, Move, NaiveGame
from tests.scale import scaled, some_of


def start(**options: object) -> ChineseCheckersPosition:
    position = GAME.start(**options)
    assert isinstance(position, ChineseCheckersPosition)
    return position


# ---------------------------------------------------------------------- the naive engine


def as_pair(position: ChineseCheckersPosition, move: int) -> Move:
    """A move of ours as the naive engine says it."""
    text = position.format_move(move)
    if text == "pass":
        return PASS
    holes = text.split("-")
    return holes[0], holes[-1]


def agree(position: ChineseCheckersPosition, naive: NaiveGame) -> None:
    """Everything that can be asked of both is answered alike."""
    moves = position.moves()
    legal = naive.moves()
    assert len(moves) == len(set(moves)) == len(legal)
    pairs = {PASS if move == 1 << 14 else (NAMES[move >> 7], NAMES[move & 127]) for move in moves}
    assert pairs == legal
    assert position.to_text() == naive.text()
    assert position.fingerprint == position.recomputed_fingerprint()
    assert position.repetitions == naive.seen[naive.position()] - 1
    assert list(position.distances()) == [naive.distance(seat) for seat in naive.seats]
    ending = naive.ending()
    outcome = position.outcome()
    assert (outcome is None) == (ending is None)
    if outcome is None:
        assert naive.seats[position.turn] == naive.to_act
    else:
        assert position.turn == OVER
        assert outcome.reason == ending
        assert list(outcome.places) == naive.places()


def choose(position: ChineseCheckersPosition, chooser: random.Random, manner: str) -> int:
    """A random move, or mostly the one that gains most, or mostly the one just taken back."""
    moves = position.moves()
    if manner == "wander" or chooser.random() < 0.15:
        return chooser.choice(moves)
    if manner == "shuttle":
        history = position.history()
        if len(history) >= position.players:
            last = history[-position.players]
            back = (last & 127) << 7 | last >> 7
            if back in moves:
                return back
        return chooser.choice(moves)
    player, best = position.turn, []
    for move in moves:
        position.play(move)
        best.append((position.distances()[player], chooser.random(), move))
        position.undo()
    return min(best)[2]


GAMES = [
    *({"players": players} for players in range(2, 7)),
    *({"players": players, "turn_limit": 12} for players in range(2, 7)),
    {"pieces": 15},
    {"stay_home": True}, {"players": 3, "stay_home": True}, {"pieces": 15, "stay_home": True, "strict": True},
    {"long_hops": True}, {"players": 6, "long_hops": True}, {"players": 5, "long_hops": True, "stay_home": True},
    {"strict": True, "turn_limit": 100}, {"players": 4, "strict": True, "turn_limit": 100},
]


# Every third of them is every game once, and every manner with a third of the games.
@pytest.mark.parametrize(("manner", "options"), some_of(itertools.product(("hurry", "wander", "shuttle"), GAMES), 3),
                         ids=lambda value: value if isinstance(value, str) else ",".join(
                             f"{name}={setting}" for name, setting in value.items()))
def test_naive_engine_agrees(manner: str, options: dict[str, Any]) -> None:
    for seed in range(scaled(10)):
        chooser = random.Random(f"{seed} {manner} {options}")
        position = start(**options)
        naive = NaiveGame(**options)
        # Wandering games never end: a few hundred plies of them are enough.
        for _ in range(2000 if manner == "hurry" else 250):
            agree(position, naive)
            if position.turn == OVER:
                break
            if position.players > 2 and chooser.random() < 0.002:
                staying = [player for player in range(position.players)
                           if player not in position.finished + position.left]
                player = chooser.choice(staying)
                position.resign(player)
                naive.resign(naive.seats[player])
                continue
            move = choose(position, chooser, manner)
            pair = as_pair(position, move)
            position.play(move)
            naive.play(pair)
        history = position.history()
        while position.ply:
            position.undo()
        assert position.to_text() == NaiveGame(**options).text()
        assert position.fingerprint == position.recomputed_fingerprint()
        for move in history:
            position.play(move)
        agree(position, naive)


def test_all_endings_are_compared() -> None:
    """The manners above do reach each ending; without this they might agree about nothing."""
    reasons = set()
    manners: dict[str, dict[str, object]] = {"hurry": {"players": 3}, "shuttle": {}, "wander": {"turn_limit": 5}}
    for manner, options in manners.items():
        position = start(**options)
        chooser = random.Random(1)
        while position.turn != OVER:
            position.play(choose(position, chooser, manner))
        reasons.add(position.reason()[0])
    assert reasons == {"finished", "repetition", "turn_limit"}


@pytest.mark.parametrize("options", [{}, {"players": 6}, {"long_hops": True}, {"pieces": 15}])
def test_leaves_counted_by_the_naive_engine(options: dict[str, Any]) -> None:
    naive = NaiveGame(**options)
    leaves = 0
    for first in naive.moves():
        one = NaiveGame(**options)
        one.play(first)
        for second in one.moves():
            two = NaiveGame(**options)
            two.play(first)
            two.play(second)
            leaves += len(two.moves())
    assert perft(start(**options), 3) == leaves


@pytest.mark.parametrize("options", [{}, {"players": 4}, {"long_hops": True}, {"long_hops": True, "players": 6}])
def test_shown_paths_are_the_best_of_all_chains(options: dict[str, Any]) -> None:
    """Against every chain without a hole twice, listed one by one: shortest, then fewest turns, then first by name."""
    position, naive = start(**options), NaiveGame(**options)
    chooser = random.Random(11)
    compared = 0
    for _ in range(scaled(600)):
        if chooser.random() < 0.3:
            start_hole = chooser.choice(sorted(hole for hole, seat in naive.board.items() if seat == naive.to_act))
            others = set(naive.board) - {start_hole}
            best: dict[str, tuple[int, int, tuple[str, ...]]] = {}
            waiting: list[tuple[str, ...]] = [(start_hole,)]
            while waiting:
                chain = waiting.pop()
                for end in naive.landings(chain[-1], others):
                    if end in chain or len(chain) > 6:
                        continue
                    longer = (*chain, end)
                    waiting.append(longer)
                    rank = len(longer), turns(longer), longer
                    best[end] = min(best.get(end, rank), rank)
            for end, (_, _, chain) in best.items():
                if len(chain) <= 6:
                    compared += 1
                    assert position.path(position.parse_move(f"{start_hole}-{end}")) == chain
        move = choose(position, chooser, "wander")
        naive.play(as_pair(position, move))
        position.play(move)
    assert compared > 10


def turns(chain: tuple[str, ...]) -> int:
    """How often a chain changes its direction."""
    def sign(number: int) -> int:
        return (number > 0) - (number < 0)

    headings = []
    for one, other in itertools.pairwise(chain):
        (ax, ay), (bx, by) = PLACE[one], PLACE[other]
        headings.append((sign(bx - ax), sign(by - ay)))
    return sum(one != other for one, other in itertools.pairwise(headings))


# ---------------------------------------------------------------------- OpenSpiel

STOP = 726    # the last of its actions


def half_turn(hole: int) -> int:
    return 120 - hole


def hopping(state: Any) -> bool:
    """Is a chain under way? Then 726 is offered beside the hops; alone it is the pass of a blocked player."""
    actions = state.legal_actions()
    return STOP in actions and len(actions) > 1


def landing(state: Any, action: int) -> int:
    """Where an action leads, in OpenSpiel's numbering."""
    text: str = state.action_to_string(action)
    return int(text.replace("=>", "->").split("->")[1])


def destinations(state: Any) -> set[tuple[int, int]]:
    """Start and end of every whole turn of the player to act, in our numbering; the state comes back unchanged.

    A landing is looked at once, by the first chain that comes to it: what that chain may not land on
    again it has landed on already.
    """
    found: set[tuple[int, int]] = set()
    player = state.current_player()

    def explore(begin: int, actions: list[int]) -> None:
        for action in actions:
            pair = half_turn(begin), half_turn(landing(state, action))
            if pair in found:
                continue
            found.add(pair)
            if "=>" in state.action_to_string(action):
                state.apply_action(action)
                if hopping(state):
                    explore(begin, state.legal_actions()[:-1])
                state.undo_action(player, action)

    for action in state.legal_actions():
        if action != STOP:
            explore(action // 6, [action])
    return found


def apply(state: Any, path: tuple[str, ...]) -> None:
    """Play a move of ours there, hop by hop."""
    if not path:
        state.apply_action(STOP)
        return
    holes = [half_turn(NAMES.index(name)) for name in path]
    for here, there in itertools.pairwise(holes):
        (action,) = [action for action in state.legal_actions()
                     if action // 6 == here and landing(state, action) == there]
        state.apply_action(action)
    if hopping(state) and f"(hopping from {holes[-1]})" in str(state):
        state.apply_action(STOP)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_openspiel_has_the_same_destinations(players: int) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel not found; pip install open_spiel")
    # Its move limit is set out of the way, for games are left after 120 turns each here.
    game = pyspiel.load_game("chinese_checkers", {"players": players, "max_moves": 1_000_000})
    chooser = random.Random(players)
    compared, wanted = 0, scaled(25_000, 30)
    while compared < wanted:
        position, state = start(players=players, turn_limit=120), game.new_initial_state()
        manner = chooser.choice(["wander", "hurry"])
        while position.turn != OVER and not state.is_terminal() and len(position.finished) == 0:
            ours = {(move >> 7, move & 127) for move in position.moves() if move != 1 << 14}
            assert state.current_player() == position.turn
            assert destinations(state) == ours, position.to_text()
            assert (state.legal_actions() == [STOP]) == (not ours)
            compared += 1
            move = choose(position, chooser, manner)
            apply(state, position.path(move))
            position.play(move)
            if compared >= wanted:
                break


def test_openspiel_and_we_start_alike() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel not found; pip install open_spiel")
    for players in (2, 3, 4, 6):
        shown = str(pyspiel.load_game("chinese_checkers", {"players": players}).new_initial_state())
        theirs = [c for c in shown.split("Player")[0] if c in ".123456"]
        stones = {stone.point: stone.glyph for stone in start(players=players).stones()}
        seats = start(players=players).seats
        for hole, name in enumerate(NAMES):
            letter = stones.get(name)
            assert theirs[half_turn(hole)] == ("." if letter is None else str(seats.index(letter) + 1))
