"""The draws of jieqi: fixed by the seed, fair, and checked by anyone afterwards."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from typing import cast

import pytest

from boyi import CHANCE, OVER, RecordError, TextError, playout
from boyi.games import find_game
from boyi.games.jieqi.draws import DRAWS, ORDER
from boyi.games.jieqi.position import JieqiPosition
from tests.scale import scaled

SEED = bytes(range(32))
FULL = {"R": 2, "A": 2, "C": 2, "P": 5, "N": 2, "B": 2}


def start() -> JieqiPosition:
    return cast(JieqiPosition, find_game("jieqi").start())


def whole_game(seed: bytes) -> JieqiPosition:
    """A game whose draws are the seed's; the players take the move that sorts in the middle."""
    position = start()
    while position.turn != OVER and position.decisions < 80:
        if position.turn == CHANCE:
            position.play(DRAWS.draw_move(position, seed))
        else:
            moves = sorted(position.moves())
            position.play(moves[(7 * position.decisions + 3) % len(moves)])
    return position


def test_committed_vectors() -> None:
    """These stand for ever: a record's seed must verify it in years to come."""
    assert DRAWS.commitment(SEED) == "48fe033897a13c9ae13ee0f4894f09f057a9e67dd48f5cc9607c3b023ab4017c"
    assert "".join(DRAWS.draw(SEED, decision, 0, FULL) for decision in range(30)) == "PNAPPCPBCRRRCNRPBBBCRPPPABACNP"
    assert "".join(DRAWS.draw(SEED, decision, 1, FULL) for decision in range(30)) == "ANAANCPPBBBPBPBCABNRPRNBPRPPPN"


def test_the_recipe_in_the_text_is_what_is_done() -> None:
    for decision in range(50):
        message = b"boyi jieqi draw" + decision.to_bytes(4, "big") + bytes(8)
        number = int.from_bytes(hmac.new(SEED, message, hashlib.sha256).digest()[:8], "big")
        row = "".join(letter * FULL[letter] for letter in ORDER)
        assert DRAWS.draw(SEED, decision, 0, FULL) == row[number % 15]


def test_every_piece_of_the_pool_is_equally_likely() -> None:
    total = scaled(300_000)
    for pool in (FULL, {"R": 1, "P": 3}, {"A": 2, "N": 1, "B": 2}):
        seen = Counter(DRAWS.draw(SEED, decision, decision % 2, pool) for decision in range(total))
        assert set(seen) == {letter for letter, count in pool.items() if count}
        size = sum(pool.values())
        # Chi-squared with at most 5 degrees of freedom: 30.9 has a chance of 1 in 100,000; the draws are fixed.
        assert sum((seen[letter] - total * count / size) ** 2 / (total * count / size)
                   for letter, count in pool.items()) < 30.9


@pytest.mark.parametrize("pool", [{}, {"R": 0}, {"K": 1}, {"R": -1, "P": 2}, {"X": 1, "R": 1}])
def test_what_is_not_a_pool_is_refused(pool: dict[str, int]) -> None:
    with pytest.raises(TextError, match="not a pool"):
        DRAWS.draw(SEED, 0, 0, pool)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), "0" * 32, None])
def test_what_is_not_a_seed_is_refused(seed: bytes) -> None:
    with pytest.raises(TextError, match="32 random bytes"):
        DRAWS.commitment(seed)
    with pytest.raises(TextError, match="32 random bytes"):
        DRAWS.draw(seed, 0, 0, FULL)


def test_a_game_is_drawn_and_verified() -> None:
    games = {seed: whole_game(bytes([seed]) * 32) for seed in range(8)}
    assert len({game.to_text() for game in games.values()}) == len(games)
    shown = 0
    for seed, game in games.items():
        DRAWS.verify(game, bytes([seed]) * 32, DRAWS.commitment(bytes([seed]) * 32))
        shown += sum(move >> 15 & 1 for move in game.history())
    assert shown, "no game had a covered piece taken: choose other moves"


def test_a_wrong_seed_and_a_wrong_draw_are_found() -> None:
    game = whole_game(SEED)
    with pytest.raises(RecordError, match="not the one that was promised"):
        DRAWS.verify(game, bytes(32), DRAWS.commitment(SEED))
    with pytest.raises(RecordError, match="the seed draws") as found:
        DRAWS.verify(game, bytes(32), DRAWS.commitment(bytes(32)))
    assert found.value.move_number is not None
    with pytest.raises(RecordError, match="not the one that was promised"):
        DRAWS.verify(game, SEED, "")


def test_only_the_referee_draws_and_only_at_a_chance_turn() -> None:
    position = start()
    with pytest.raises(TextError, match="nothing to draw"):
        DRAWS.draw_move(position, SEED)
    position.play("b2b9")
    with pytest.raises(TextError, match="only the referee"):
        DRAWS.draw_move(position.observe(0), SEED)
    assert position.format_move(DRAWS.draw_move(position, SEED)) == DRAWS.draw(SEED, 1, 0, FULL)
    position.play(DRAWS.draw_move(position, SEED))
    assert position.format_move(DRAWS.draw_move(position, SEED)) == DRAWS.draw(SEED, 1, 1, FULL).lower()


def test_playouts_stay_within_the_pools() -> None:
    for seed in range(scaled(200)):
        position = start()
        playout(position, seed)
        for player in (0, 1):
            assert all(0 <= count <= FULL[letter] for letter, count in position.pool(player).items())
