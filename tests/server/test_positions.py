"""Positions for an analysis board: what is shown is what the game says, and what is set up by hand is judged by it."""

from __future__ import annotations

import random

import pytest

from boyi.core.board import Stone
from boyi.core.errors import BoyiError, TextError
from boyi.core.formats import find_source
from boyi.core.position import CHANCE, Position
from boyi.games import all_games, find_game
from boyi.server.positions import show, write_record
from boyi.server.protocol.reducer import changed
from boyi.server.protocol.study import ArrangedStones, AskPosition, AskRecord
from tests.scale import scaled

GAMES = sorted(name for name in all_games() if find_game(name).setup is not None)
SEATS = [{"players": count} for count in range(2, 7)]


def wander(game: str, generator: random.Random, **options: object) -> Position:
    """A position some way into a game of random moves, not in the middle of what chance tells."""
    position = find_game(game).start(**options)
    for _ in range(generator.randrange(80)):
        if not position.moves():
            position.undo()
            break
        position.play(generator.choice(position.moves()))
    while position.turn == CHANCE:
        position.play(generator.choice(position.moves()))
    return position


@pytest.mark.parametrize("game", GAMES)
def test_a_position_set_up_by_hand_plays_like_the_one_it_was_copied_from(game: str) -> None:
    generator = random.Random(4)
    for number in range(scaled(200)):
        options = SEATS[number % 5] if game == "chinese_checkers" else {}
        position = wander(game, generator, **options)
        if position.outcome() is not None:
            continue
        shown = show(AskPosition(game, dict(position.options), position.to_text()))
        assert shown.fields is not None
        fields = {field.name: field.value for field in shown.fields}
        copied = show(AskPosition(game, dict(position.options), arranged=ArrangedStones(shown.stones, fields)))
        assert copied.stones == shown.stones and copied.fields == shown.fields, position.to_text()
        assert copied.standing.turn == position.turn and copied.standing.pools == shown.standing.pools
        assert {move.text for move in copied.moves} == {position.format_move(move) for move in position.moves()}


@pytest.mark.parametrize("game", sorted(all_games()))
def test_moves_are_told_as_they_change_the_board(game: str) -> None:
    """The changes, done in order, give what the game says stands there, however much was known already."""
    generator = random.Random(7)
    texts: list[str] = []
    asked = AskPosition(game)
    for _ in range(30):
        shown = show(asked)
        if shown.chance:
            assert sum(one.odds for one in shown.chance) == pytest.approx(1, abs=0.01) and not shown.moves
            texts[-1] = generator.choice(shown.chance).text
        elif shown.moves:
            texts.append(generator.choice(shown.moves).text)
        else:
            assert shown.places is not None and shown.reason is not None
            break
        asked = AskPosition(game, moves=list(texts))
    whole = show(asked)
    stones = whole.start_stones
    for ply in whole.plies:
        stones = changed(stones, ply.changes)
    assert stones == whole.stones and [ply.text for ply in whole.plies] == texts
    assert show(AskPosition(game, moves=texts, known=len(texts) - 1)).plies == whole.plies[-1:]
    assert show(AskPosition(game, whole.options, whole.standing.position)).stones == whole.stones


def test_a_text_may_decide_options() -> None:
    text = show(AskPosition("chinese_checkers", {"players": 3})).start
    assert show(AskPosition("chinese_checkers", start=text)).options["players"] == 3


def test_pools_follow_the_board() -> None:
    """What lies open is not covered; what was taken unseen makes it a spectator's position."""
    start = show(AskPosition("jieqi"))
    stones = [stone for stone in start.stones if stone.point not in ("a0", "b0")]
    opened = show(AskPosition("jieqi", arranged=ArrangedStones([*stones, Stone("a0", "R"), Stone("b0", "X")])))
    assert opened.start.split()[2].startswith("R1A2") and opened.start.endswith(" -")
    taken = show(AskPosition("jieqi", arranged=ArrangedStones([*stones, Stone("b0", "X")])))
    assert taken.start.split()[2].startswith("R2A2") and taken.start.endswith(" s")
    again = show(AskPosition("jieqi", arranged=ArrangedStones(stones, {"pools": "R2A2C2P5B2r2a2c2p5n2b2"})))
    assert again.start.endswith(" -") and "N0" in again.start
    with pytest.raises(TextError, match="pools"):
        show(AskPosition("jieqi", arranged=ArrangedStones(stones, {"pools": "many"})))


@pytest.mark.parametrize(("game", "stones", "fields"), [
    ("xiangqi", [Stone("e0", "K")], {}), ("xiangqi", [Stone("z9", "K")], {}), ("xiangqi", [Stone("e0", "?")], {}),
    ("xiangqi", [Stone("e0", "K"), Stone("e0", "K")], {}), ("xiangqi", [], {"weather": "fine"}),
    ("xiangqi", [], {"turn": "both"}), ("liuzhou", [], {"phase": "sleep"}),
    ("liuzhou", [], {"phase": "mark", "pending": "\u0663"}),
    ("othello", [Stone("a1", "X" * 50)], {}), ("chinese_checkers", [], {"finished": "A A"}),
    ("jieqi", [], {"pools": "R9"}), ("tic_tac_toe", [Stone("a1", "O")], {}),
])
def test_what_is_no_position_is_refused_in_words(game: str, stones: list[Stone], fields: dict[str, str]) -> None:
    with pytest.raises(BoyiError) as refusal:
        show(AskPosition(game, arranged=ArrangedStones(stones, fields)))
    assert len(str(refusal.value)) > 20


@pytest.mark.parametrize("game", sorted(all_games()))
def test_every_written_format_reads_back(game: str) -> None:
    texts: list[str] = []
    for _ in range(6):
        shown = show(AskPosition(game, moves=texts))
        if shown.chance:
            texts[-1] = shown.chance[0].text
        elif shown.moves:
            texts.append(shown.moves[-1].text)
    while show(AskPosition(game, moves=texts)).chance:
        texts[-1] = show(AskPosition(game, moves=texts)).chance[0].text
    writable = ["boyi", *(name for name, one in find_game(game).formats.items() if one.write is not None)]
    for name in writable:
        data = write_record(AskRecord(game, moves=texts, format=name, players=["<b>Ada</b>", "\u0645\u0631"]))
        (record,) = find_source(data, "", list(all_games().values()), name).read()
        assert [entry.text for entry in record.entries] == texts, name
