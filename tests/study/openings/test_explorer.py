"""The explorer: moves of all sources together, however the games came to the position."""

from __future__ import annotations

import pytest

import boyi
from boyi.agents.book import Book
from boyi.core.errors import RecordError
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.study.openings import Entered, begin_openings, explore_books, find_opening, plies_in_book, read_openings


def game_of(game: str, moves: str, result: tuple[int, int] | None = None, **options: object) -> Record:
    position = boyi.find_game(game).start(**options)
    for move in moves.split():
        position.play(move)
    return Record.from_position(position, result=result)


def after(game: str, moves: str) -> Position:
    return game_of(game, moves).replay()


def book_of(*records: Record) -> Book:
    book = Book(records[0].game, records[0].options)
    for record in records:
        book.add(record)
    return book


def test_sources_are_told_together_and_apart() -> None:
    mine = book_of(game_of("xiangqi", "h2e2 h9g7 h0g2", (1, 2)), game_of("xiangqi", "h2e2 h9g7 b0c2", (1, 1)))
    theirs = book_of(game_of("xiangqi", "h2e2 h9g7 h0g2", (2, 1)), game_of("xiangqi", "b2e2 b9c7 b0c2"))
    books = {"mine": mine, "theirs": theirs}
    position = after("xiangqi", "h2e2 h9g7")
    found = explore_books(position, books)
    told = {position.format_move(one.together.moves[0]): one for one in found.moves}
    assert list(told)[:2] == ["h0g2", "b0c2"]
    both = told["h0g2"].together
    assert (both.games, both.wins, both.draws, both.losses) == (3, 1, 0, 1)
    assert {name: one.games for name, one in told["h0g2"].sources.items()} == {"mine": 1, "theirs": 2}
    assert list(told["b0c2"].sources) == ["mine"]
    assert found.games == 4


def test_transpositions_are_counted_together() -> None:
    book = book_of(game_of("xiangqi", "h2e2 h9g7 h0g2 b9c7 c3c4", (1, 2)),
                   game_of("xiangqi", "h2e2 b9c7 h0g2 h9g7 c3c4", (1, 2)))
    (first,) = [one for one in explore_books(after("xiangqi", "h2e2 h9g7 h0g2 b9c7"), {"book": book}).moves
                if one.together.games]
    assert first.together.games == 2


def test_moves_to_named_openings_are_shown_without_games() -> None:
    position = boyi.start("othello")
    position.play("f5")
    found = explore_books(position, {})
    assert found.games == 0
    assert {one.opening.name.en for one in found.moves if one.opening} == {
        "Parallel Opening (Mouse)", "Diagonal Opening", "Perpendicular Opening"}


def test_a_book_for_other_rules_is_not_looked_into() -> None:
    book = book_of(game_of("xiangqi", "h2e2 h9g7", rules="axf"))
    assert explore_books(boyi.start("xiangqi"), {"book": book}).games == 0
    assert explore_books(boyi.find_game("xiangqi").start(rules="axf"), {"book": book}).games == 1


def test_nobody_moves_when_the_game_is_over_or_chance_acts() -> None:
    over = boyi.find_game("xiangqi").parse("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b")
    assert over.outcome() is not None
    assert explore_books(over, {}).moves == ()


def test_games_that_cannot_be_entered_are_counted() -> None:
    book, entered = Book.empty(boyi.find_game("xiangqi")), Entered()
    for record in (game_of("xiangqi", "h2e2"), game_of("othello", "f5"), game_of("xiangqi", "h2e2", rules="axf"),
                   RecordError("wrong")):
        entered.enter(book, record)
    assert (entered.games, entered.wrong, entered.other, book.games) == (1, 1, 2, 1)


@pytest.mark.parametrize("options", [{}, {"rules": "axf"}])
def test_games_can_begin_with_every_named_opening(options: dict[str, str]) -> None:
    start = boyi.find_game("xiangqi").start(**options)
    begun = begin_openings(start)
    assert len(begun) == len(read_openings(start.game))
    for position, opening in zip(begun, read_openings(start.game).values(), strict=True):
        assert position.ply == 0
        assert position.options == start.options
        assert find_opening(position) is opening


def test_where_a_game_leaves_the_book() -> None:
    book = book_of(game_of("othello", "f5 d6 c3 d3 c4"))
    for line, plies in (("f5 d6 c3 d3 c4 b3", 5), ("d3 c5 f6 f5 e6", 5), ("f5 d6 c4", 2), ("f5 f6", 1), ("", 0)):
        record = game_of("othello", line)
        assert plies_in_book(record, book) == plies_in_book(record.replay(), book) == plies
