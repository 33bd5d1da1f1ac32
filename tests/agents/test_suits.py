"""Every kind of agent × every kind of game: refused in a sentence before the first move, or it plays."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import boyi
from boyi.agents import AgentSpec, Clock, all_kinds, read_spec
from boyi.agents.searching import all_algorithms, find_default
from boyi.arena.match import Match, play_match
from boyi.core.draws import sample_chance
from boyi.core.errors import BoyiError, OptionError
from boyi.core.evaluator import PythonEvaluator
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.searcher import Limits, check_searcher
from tests.toys import find_game_or_toy


class Flat(PythonEvaluator):
    """Likes nothing and nobody."""

    def guess(self, position: Position) -> int:
        return len(position.moves()) % 3


def start(name: str, evaluator: bool, **options: int) -> Position:
    """The start of a game, with or without an evaluator."""
    game = find_game_or_toy(name)
    return replace(game, evaluators={"flat": Flat} if evaluator else {}).start(**options)


GAMES = {
    "two": start("line", False), "two, evaluator": start("line", True),
    "two, chance": start("race", False), "two, chance, evaluator": start("race", True),
    "three": start("picking", False), "three, evaluator": start("picking", True),
    "three, chance": start("orchard", False), "three, chance, evaluator": start("race", True, players=3),
    "secrets": start("cards", False), "two, own": boyi.start("liuzhou"), "chance, own": boyi.start("jieqi"),
    "three, own": boyi.start("chinese_checkers", players=3),
}

SPECS = (
    "random", "level:1", "level:5", "strength:nodes=40,attention=0.3,depth=1", "strength:nodes=30,evaluator=nobody",
    "attentive:depth=1", "attentive:nodes=30,evaluator=flat",
    "alphabeta:nodes=60", "alphabeta:depth=2,evaluator=flat", "alphabeta:depth=2,evaluator=nobody",
    "alphabeta:depth=2,weights=nowhere.xz", "alphabeta:depth=2,weights.rook.0=3", "alphabeta:depth=2,book=own",
    "expectimax:nodes=60", "expectimax:depth=2,evaluator=flat",
    *(f"multiplayer:nodes=60,algorithm={name}" for name in ("best_reply", "paranoid", "max_n", "own_plan", "average",
                                                             "minimum")),
    "multiplayer:nodes=60,others_move=on",
    "mcts:nodes=30", "mcts:depth=3", "mcts:depth=3,nodes=30", "mcts:nodes=30,priors=evaluator,selection=puct",
    "mcts:nodes=30,rollout_plies=2", "mcts:nodes=30,rollouts=on", "mcts:nodes=30,gumbel=on",
    "race_mcts:nodes=30", "race_mcts:depth=3", "race_mcts:nodes=30,priors=uniform",
    "mcts:net=liuzhou,simulations=10", "mcts:net=nowhere.onnx,simulations=10", "mcts:nodes=30,evaluator=nobody",
    "uci:no-such-program", "ucci:no-such-program", "xboard:no-such-program", "gtp:no-such-program",
    "nboard:no-such-program",
)


def test_every_kind_is_tried() -> None:
    """But people, and code from outside, which is asked nothing before it plays (`tests/agents/test_python.py`)."""
    assert {spec.partition(":")[0] for spec in SPECS} == set(all_kinds()) - {"human", "python"}


def accept(text: str, position: Position) -> AgentSpec | None:
    """The spec, or None if it is refused, which takes a sentence."""
    try:
        spec = read_spec(text)
        spec.check(position)
    except BoyiError as error:
        assert len(str(error)) > 20 and "\n" not in str(error)
        return None
    return spec


@pytest.mark.parametrize("text", SPECS)
@pytest.mark.parametrize("game", GAMES)
def test_it_is_refused_or_it_plays(game: str, text: str) -> None:
    position, generator = GAMES[game].copy(), random.Random(1)
    spec = accept(text, position)
    if spec is None:
        return
    agent = spec.make()
    for _ in range(3):
        while position.turn == CHANCE:
            position.play(sample_chance(position, generator))
        if position.turn == OVER:
            break
        position.play(agent.choose(position.observe(position.turn), Clock(nodes=60)))


@pytest.mark.parametrize(("game", "plays", "refused"), [
    ("two", "alphabeta expectimax multiplayer mcts", ""),
    ("two, chance", "expectimax mcts", "alphabeta multiplayer"),
    ("three", "mcts", "alphabeta expectimax multiplayer"),
    ("three, own", "multiplayer mcts", "alphabeta expectimax"),
    ("three, chance, evaluator", "mcts", "alphabeta expectimax multiplayer"),
])
def test_who_plays_what(game: str, plays: str, refused: str) -> None:
    position = GAMES[game]
    for name in plays.split():
        assert accept(f"{name}:nodes=9", position) is not None
    for name in refused.split():
        with pytest.raises(OptionError, match=f"for {position.game.name} here use {find_default(position).name}"):
            read_spec(f"{name}:nodes=9").check(position)


def test_opponents_who_cannot_sit_out_are_searched_otherwise() -> None:
    for algorithm in ("paranoid", "max_n"):
        assert accept(f"multiplayer:nodes=9,algorithm={algorithm}", GAMES["three"])
    with pytest.raises(OptionError, match="paranoid or max_n"):
        read_spec("multiplayer:algorithm=own_plan").check(GAMES["two"])


@pytest.mark.parametrize(("game", "algorithm"), [
    ("two", "mcts"), ("two, evaluator", "alphabeta"), ("two, chance", "mcts"), ("two, chance, evaluator", "expectimax"),
    ("three", "mcts"), ("three, evaluator", "mcts"), ("three, chance", "mcts"), ("three, chance, evaluator", "mcts"),
    ("secrets", "mcts"), ("two, own", "alphabeta"), ("chance, own", "expectimax"), ("three, own", "race_mcts"),
])
def test_there_is_always_a_search_that_suits(game: str, algorithm: str) -> None:
    position = GAMES[game].copy()
    found = find_default(position)
    searcher = found.make(position.game, {})
    assert found.name == algorithm
    check_searcher(searcher, position)
    while position.turn == CHANCE:
        position.play(sample_chance(position, random.Random(1)))
    result = searcher.search(position.observe(position.turn), Limits(nodes=100, lines=2))
    assert position.is_legal(result.move)


def test_an_unsuitable_match_never_begins() -> None:
    for text in ("alphabeta:nodes=9", "mcts:depth=3", "mcts:net=liuzhou", "expectimax:nodes=9"):
        with pytest.raises(BoyiError):
            Match(("random", text), GAMES["three"], games=2)
    match = Match(("level:2", "mcts:nodes=20"), GAMES["three, chance"], games=3, seed=1)
    assert not [failure for played in play_match(match) for failure in played.failures]


@pytest.mark.parametrize("algorithm", all_algorithms())
def test_all_searches_tell_of_what_they_find_and_keep_to_moves(algorithm: str) -> None:
    """What engines and live analysis ask of any search, whichever suits the game."""
    position = boyi.start("chinese_checkers")
    searcher = all_algorithms()[algorithm].make(position.game, {})
    told: list[int] = []
    only = position.moves()[3:5]
    result = searcher.search(position, Limits(nodes=2_000, lines=5), lambda found: told.append(found.nodes), only)   # type: ignore[call-arg]
    assert {line.moves[0] for line in result.lines} == set(only)
    assert told == sorted(told) and 1 < len(told) < 50
    assert len(searcher.search(position, Limits(nodes=2_000, lines=5)).lines) == 5    # and then of all again
