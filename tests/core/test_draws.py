"""Chance from a committed secret, in games without a way of their own: fixed, fair, checked by anyone afterwards."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from boyi.core.draws import Draws, draws_of
from boyi.core.errors import RecordError, TextError
from boyi.core.position import CHANCE, OVER, Position
from boyi.games import find_game
from boyi.games.jieqi.draws import DRAWS as JIEQI
from tests.scale import scaled
from tests.toys.cards import GAME

SECRET = bytes(range(32))
DRAWS = Draws()


def whole_game(secret: bytes) -> Position:
    """Both are dealt a card from the secret, and both stay."""
    position = GAME.start()
    while position.turn != OVER:
        position.play(DRAWS.draw_move(position, secret) if position.turn == CHANCE else "stay")
    return position


def test_games_without_a_way_of_their_own_draw_like_this() -> None:
    assert type(draws_of(GAME)) is Draws
    assert draws_of(find_game("jieqi")) is JIEQI


def test_committed_vectors() -> None:
    """These stand for ever: a record's secret must verify it in years to come."""
    assert DRAWS.commitment(SECRET) == hashlib.sha256(b"boyi seed" + SECRET).hexdigest()
    assert DRAWS.commitment(bytes(32)).startswith("bd9f2b5538b4df24")
    assert [DRAWS.draw_move(GAME.start(), bytes([number]) * 32) for number in range(16)] == [
        2, 1, 4, 4, 4, 4, 2, 4, 2, 1, 2, 2, 3, 1, 1, 2]


def test_the_recipe_in_the_text_is_what_is_done() -> None:
    position = GAME.start()
    for number in range(20):
        secret = bytes([number]) * 32
        share = int.from_bytes(hmac.new(secret, b"boyi draw" + bytes(4), hashlib.sha256).digest()[:8], "big") / 2**64
        assert DRAWS.draw_move(position, secret) == 1 + int(share * 4)


def test_every_result_comes_as_often_as_it_should() -> None:
    total = scaled(20_000)
    seen = Counter(DRAWS.draw_move(GAME.start(), number.to_bytes(32, "big")) for number in range(total))
    # Chi-squared with 3 degrees of freedom: 25.9 has a chance of 1 in 100,000; the draws are fixed.
    assert sum((seen[card] - total / 4) ** 2 / (total / 4) for card in range(1, 5)) < 25.9


def test_an_honest_game_is_verified() -> None:
    for number in range(32):
        secret = bytes([number]) * 32
        DRAWS.verify(whole_game(secret), secret, DRAWS.commitment(secret))


def test_every_draw_that_was_changed_is_found() -> None:
    honest = whole_game(SECRET)
    moves = honest.history()
    changed = 0
    for at in range(2):
        for card in range(1, 5):
            game = GAME.start()
            if card in moves[:2]:
                continue
            for number, move in enumerate(moves):
                game.play(card if number == at else move)
            with pytest.raises(RecordError, match=rf"the seed draws .* as move {at + 1}") as found:
                DRAWS.verify(game, SECRET, DRAWS.commitment(SECRET))
            assert found.value.move_number == at + 1
            changed += 1
    assert changed == 4


def test_another_secret_than_the_promised_one_is_found() -> None:
    game = whole_game(SECRET)
    other = bytes(32)
    for secret, published in ((other, DRAWS.commitment(SECRET)), (SECRET, DRAWS.commitment(other)), (SECRET, "")):
        with pytest.raises(RecordError, match="not the one that was promised"):
            DRAWS.verify(game, secret, published)


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33), "0" * 32, None])
def test_what_is_not_a_secret_is_refused(secret: bytes) -> None:
    with pytest.raises(TextError, match="32 random bytes"):
        DRAWS.commitment(secret)
    with pytest.raises(TextError, match="32 random bytes"):
        DRAWS.draw_move(GAME.start(), secret)


def test_there_is_something_to_draw_at_a_chance_turn_only() -> None:
    position = GAME.parse("12 --")
    with pytest.raises(TextError, match="nothing to draw"):
        DRAWS.draw_move(position, SECRET)
