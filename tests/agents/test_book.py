"""Opening books: images are one entry, counts are exact, files that are none are refused, agents play from them."""

from __future__ import annotations

import lzma
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boyi
from boyi.agents import Clock, make_agent, read_spec
from boyi.agents.agent import expectation_of
from boyi.agents.book import LARGEST_BYTES, Book, BookError, BookMove, own_book, read_book, view
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.record import Record
from boyi.games import all_games, find_game
from tests.data import packed
from tests.scale import scaled

OTHELLO = find_game("othello")
ALL = sorted(all_games())


def othello(moves: str, result: tuple[int, int] | None = None, **notes: Any) -> Record:
    position = boyi.start("othello")
    for move in moves.split():
        position.play(move)
    return Record.from_position(position, result=result, **notes)


def texts(position: Position, found: BookMove) -> set[str]:
    return {position.format_move(move) for move in found.moves}


# ---------------------------------------------------------------------- images

def image_of(position: Position, goes_to: dict[str, str], image: Position, move: int) -> int:
    """The move of `image` that does there what `move` does here: by its ends, and by what then stands on the board."""
    trial = position.copy()
    trial.play(move)
    wanted = {(goes_to[stone.point], stone.glyph) for stone in trial.stones()}
    path = position.path(move)
    for candidate in image.moves():
        other = image.path(candidate)
        if len(other) != len(path) and not (len(other) > 1 and len(path) > 1):
            continue
        if path and (goes_to[path[0]], goes_to[path[-1]]) != (other[0], other[-1]):
            continue
        trial = image.copy()
        trial.play(candidate)
        if {(stone.point, stone.glyph) for stone in trial.stones()} == wanted:
            return candidate
    raise AssertionError("no image of the move")


@pytest.mark.parametrize("name", ALL)
def test_a_line_and_its_image_are_one(name: str) -> None:
    """A random game and each of its images run side by side: same key, same names, and the names lead back to the move
    itself and to its image."""
    board = boyi.start(name).board
    points = [point.name for point in board.points]
    for seed, symmetry in enumerate(board.symmetries):
        goes_to = {point: points[symmetry[number]] for number, point in enumerate(points)}
        rng = random.Random(seed)
        position, image = boyi.start(name), boyi.start(name)
        for _ in range(scaled(200)):
            if position.turn == OVER:
                break
            move = rng.choice(position.moves())
            twin = image_of(position, goes_to, image, move)
            if position.turn != CHANCE:
                one, other = view(position), view(image)
                assert one.key == other.key and set(one.moves) == set(other.moves)
                (called,) = (word for word, moves in one.moves.items() if move in moves)
                assert twin in other.moves[called]
            position.play(move)
            image.play(twin)


@pytest.mark.parametrize("name", ALL)
def test_every_legal_move_has_one_name(name: str) -> None:
    rng = random.Random(5)
    position = boyi.start(name)
    for _ in range(scaled(200)):
        if position.turn == OVER:
            break
        if position.turn != CHANCE:
            named = [move for moves in view(position).moves.values() for move in moves]
            assert sorted(named) == sorted(position.moves())
        position.play(rng.choice(position.moves()))


def test_positions_that_differ_have_different_keys() -> None:
    """Transpositions meet, nothing else does: as many keys as symmetric fingerprints of the game itself."""
    rng = random.Random(7)
    keys: dict[str, int] = {}
    for _ in range(scaled(300)):
        position = boyi.start("liuzhou")
        for _ in range(rng.randrange(40)):
            if position.turn == OVER:
                break
            position.play(rng.choice(position.moves()))
        if position.turn != OVER:
            assert keys.setdefault(view(position).key, position.symmetric_fingerprint) == position.symmetric_fingerprint
    assert len(keys) > scaled(300) // 3


def test_moves_that_are_images_of_each_other_are_one_in_a_symmetric_position() -> None:
    assert len(view(boyi.start("othello")).moves) == 1
    assert len(view(boyi.start("tic_tac_toe")).moves) == 3
    position = boyi.start("xiangqi")
    book = Book.empty(position.game)
    position.play("b2e2")
    book.add(Record.from_position(position))
    (found,) = book.look_up(boyi.start("xiangqi"))
    assert texts(boyi.start("xiangqi"), found) == {"b2e2", "h2e2"}


# ---------------------------------------------------------------------- counts

def three_games() -> Book:
    """f5 d6 c3; the same turned by half, c4 e3 f6; and f5 f6 e6 with what was thought of it."""
    book = Book.empty(OTHELLO)
    book.add(othello("f5 d6 c3", (1, 2)))
    book.add(othello("c4 e3 f6", (2, 1)))
    book.add(othello("f5 f6 e6", (1, 1), notes=[{"evaluation": 0.5}, {"evaluation": -1.25}]))
    return book


def test_three_games_are_counted_exactly() -> None:
    book = three_games()
    start = boyi.start("othello")
    assert book.games == 3 and len(book) == 4
    (first,) = book.look_up(start)
    assert first == BookMove(first.moves, games=3, wins=1, draws=1, losses=1, value=0.5)
    assert texts(start, first) == {"f5", "c4", "d3", "e6"} and first.score == 0.5
    for opening, answers in (("f5", ("d6", "f6")), ("c4", ("e3", "c3")), ("d3", ("c5", "c3")), ("e6", ("f4", "f6"))):
        position = boyi.start("othello")
        position.play(opening)
        perpendicular, diagonal = book.look_up(position)
        assert (texts(position, perpendicular), texts(position, diagonal)) == ({answers[0]}, {answers[1]})
        assert perpendicular == BookMove(perpendicular.moves, 2, 1, 0, 1, None)
        assert diagonal == BookMove(diagonal.moves, 1, 0, 1, 0, -1.25)
        position.play(answers[0])
        (third,) = book.look_up(position)
        assert third == BookMove(third.moves, 2, 1, 0, 1, None)
        assert texts(position, third) == {{"f5": "c3", "c4": "f6", "d3": "f6", "e6": "c3"}[opening]}
    assert book.look_up(boyi.parse("othello", "8/8/8/3wb3/3bw3/8/8/b7 b")) == ()


def test_a_game_without_a_result_counts_as_played() -> None:
    book = Book.empty(OTHELLO)
    book.add(othello("f5"))
    (found,) = book.look_up(boyi.start("othello"))
    assert (found.games, found.wins, found.draws, found.losses, found.score) == (1, 0, 0, 0, None)


def test_only_so_many_plies_are_entered_and_forced_moves_are_not() -> None:
    book = Book.empty(OTHELLO)
    book.add(othello("f5 d6 c3"), plies=2)
    assert len(book) == 2
    forced = boyi.parse("othello", "XO" + "-" * 62 + " X")
    forced.play("c1")
    book = Book.empty(OTHELLO)
    book.add(Record.from_position(forced))
    assert len(book) == 0 and book.games == 1


def test_more_than_two_players() -> None:
    position = boyi.start("chinese_checkers", players=3)
    for _ in range(3):
        position.play(position.moves()[0])
    book = Book.empty(position.game, {"players": 3})
    book.add(Record.from_position(position, result=(2, 1, 3)))
    assert [(one.wins, one.draws, one.losses) for one in book.look_up(position.game.start(players=3))] == [(0, 1, 0)]
    assert book.look_up(boyi.start("chinese_checkers")) == ()


def test_merge_and_prune() -> None:
    book, twice = three_games(), three_games()
    twice.merge(book)
    assert twice.games == 6 and {key: {name: tally.games for name, tally in moves.items()}
                                 for key, moves in twice.entries.items()} == {
        key: {name: 2 * tally.games for name, tally in moves.items()} for key, moves in book.entries.items()}
    twice.prune(4)
    assert [one.games for one in twice.look_up(boyi.start("othello"))] == [6] and len(twice) == 3
    with pytest.raises(BookError, match="cannot be added"):
        book.merge(Book.empty(find_game("xiangqi")))
    with pytest.raises(BookError, match="this is a book of othello, and the record is of tic_tac_toe"):
        book.add(Record.from_position(boyi.start("tic_tac_toe")))


# ---------------------------------------------------------------------- files

def test_the_file_gives_the_book_back() -> None:
    book = three_games()
    book.made.append({"source": "a test"})
    assert b"least_played" not in lzma.decompress(book.to_bytes())   # it is as before where nothing is said
    book.least_played = 2
    again = Book.from_bytes(book.to_bytes(), OTHELLO)
    assert again == book and again.to_bytes() == book.to_bytes()


HEADER = {"format": "boyi book", "version": 1, "game": "othello", "rules": 1, "options": {}, "games": 1, "made": []}
KEY = "0123456789abcdef"


@pytest.mark.parametrize(("data", "message"), [
    (b"", "not packed by xz"),
    (b"nonsense", "not packed by xz"),
    (packed(HEADER)[:-4], "cut short"),
    (packed(HEADER) + b"x", "behind its end"),
    (packed(HEADER, "[" * 100_000), "line 2 of the book is not JSON"),
    (packed(HEADER, "1" * 10_000), "line 2 of the book is not JSON"),
    (packed("null"), "this is no book"),
    (packed(HEADER | {"format": "cook book"}), "this is no book"),
    (packed(HEADER | {"version": 2}), "of version 2"),
    (packed(HEADER | {"game": "xiangqi"}), "a book of 'xiangqi'"),
    (packed(HEADER | {"game": ["x"] * 1000}), "a book of"),
    (packed(HEADER | {"rules": 99}), "build it anew"),
    (packed(HEADER | {"options": {"size": 10}}), "rules that do not exist"),
    (packed(HEADER | {"options": []}), "lacks"),
    (packed(HEADER | {"made": [1]}), "lacks"),
    (packed(HEADER | {"games": -1}), "not a number of games"),
    (packed(HEADER | {"games": True}), "not a number of games"),
    (packed(HEADER | {"least_played": 0}), "least_played"),
    (packed(HEADER | {"least_played": "2"}), "least_played"),
    (packed(HEADER, []), "line 2 of the book is not"),
    (packed(HEADER, [KEY, {}]), "line 2 of the book is not"),
    (packed(HEADER, ["x", {"f5": [1, 1, 0, 0, 0, 0]}]), "line 2 of the book is not"),
    (packed(HEADER, [KEY, {"f5": [1, 1, 0, 0, 0]}]), "line 2 of the book is not"),
    (packed(HEADER, [KEY, {"f5": [1, 1, 1, 0, 0, 0]}]), "line 2 of the book is not"),
    (packed(HEADER, [KEY, {"f5": [0, 0, 0, 0, 0, 0]}]), "line 2 of the book is not"),
    (packed(HEADER, [KEY, {"f5": [1, 1, 0, 0, 2, 0]}]), "line 2 of the book is not"),
    (packed(HEADER, [KEY, {"f5": [1.0, 1, 0, 0, 0, 0]}]), "line 2 of the book is not"),
    (packed(HEADER, [KEY, {"f5": [1, 1, 0, 0, 0, 10**30]}]), "line 2 of the book is not"),
    (packed(HEADER, [KEY, {"f5": [1, 1, 0, 0, 0, "x"]}]), "line 2 of the book is not"),
    (packed(HEADER, *[[KEY, {"f5": [1, 1, 0, 0, 0, 0]}]] * 2), "was there before"),
])
def test_what_is_no_book_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(BookError, match=message) as refused:
        Book.from_bytes(data, OTHELLO)
    assert len(str(refused.value)) < 300


def test_a_file_that_unpacks_to_too_much_is_refused() -> None:
    with pytest.raises(BookError, match="more than 64 MB"):
        Book.from_bytes(lzma.compress(bytes(LARGEST_BYTES + 1), preset=0), OTHELLO)


UNPACKED = lzma.decompress(three_games().to_bytes())


@settings(max_examples=scaled(1000))
@given(st.data())
def test_damaged_files_are_read_or_refused(data: st.DataObject) -> None:
    """Bytes changed inside the packing, where no checksum guards them."""
    text = bytearray(UNPACKED)
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    try:
        book = Book.from_bytes(lzma.compress(bytes(text), preset=0), OTHELLO)
    except BookError:
        return
    position = boyi.start("othello")
    for found in book.look_up(position):
        assert all(position.is_legal(move) for move in found.moves)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="No such file"):
        read_book(tmp_path / "none", OTHELLO)
    with pytest.raises(BookError, match="cannot read the book"):
        read_book(tmp_path, OTHELLO)
    (tmp_path / "book").write_bytes(b"nonsense")
    with pytest.raises(BookError, match="this is no book"):
        read_book(tmp_path / "book", OTHELLO)


# ---------------------------------------------------------------------- agents

@pytest.fixture
def saved(tmp_path: Path) -> Path:
    book = three_games()
    book.add(othello("f5 d6 c3", (1, 2)))
    path = tmp_path / "book.xz"
    path.write_bytes(book.to_bytes())
    return path


def test_an_agent_plays_from_the_book_and_leaves_it(saved: Path) -> None:
    agent: Any = make_agent(f"alphabeta:nodes=300,book={saved}")
    position = boyi.start("othello")
    for played in range(6):
        move = agent.choose(position.observe(position.turn), Clock())
        assert position.is_legal(move)
        assert (agent.result is None) == (played < 3)
        position.play(move)
    assert [position.format_move(move) for move in position.history()[1:3]] in (
        [["c5", "f6"], ["e3", "f6"], ["d6", "c3"], ["f4", "c3"]])


def test_the_book_of_an_agent_is_checked_before_the_game(tmp_path: Path, saved: Path) -> None:
    for book, position, message in (
            (tmp_path / "none", boyi.start("othello"), "No such file"),
            (saved, boyi.start("xiangqi"), "a book of 'othello'"),
            ("own", boyi.start("tic_tac_toe"), "no book comes with tic_tac_toe")):
        with pytest.raises(BookError, match=message):
            read_spec(f"alphabeta:book={book}").check(position)
    read_spec("alphabeta:book=none").check(boyi.start("tic_tac_toe"))


def test_other_rules_have_no_book(tmp_path: Path) -> None:
    position = boyi.start("xiangqi")
    position.play("h2e2")
    book = Book.empty(position.game)
    book.add(Record.from_position(position))
    assert book.best(boyi.start("xiangqi")) is not None
    assert book.best(boyi.start("xiangqi", rules="axf")) is None


def test_seldom_played_moves_are_not_played() -> None:
    book = Book.empty(OTHELLO)
    for _ in range(19):
        book.add(othello("f5 d6", (1, 2)))
    book.add(othello("f5 f6", (2, 1)))
    position = boyi.start("othello")
    position.play("f5")
    chosen = {book.choose(position, random.Random(seed)) for seed in range(200)}
    assert {position.format_move(move) for move in chosen if move is not None} == {"d6"}
    assert len(book.look_up(position)) == 2


def test_moves_of_too_few_games_are_not_played() -> None:
    book = Book.empty(OTHELLO)
    for _ in range(2):
        book.add(othello("f5 d6", (2, 1)))
    book.add(othello("f5 f6", (2, 1)))
    position = boyi.start("othello")
    position.play("f5")
    book.least_played = 2
    assert {book.choose(position, random.Random(seed)) for seed in range(50)} == {position.parse_move("d6")}
    book.least_played = 3
    assert book.best(position) is book.choose(position, random.Random(1)) is None
    assert len(book.look_up(position)) == 2


def test_choice_follows_games_and_results() -> None:
    book = Book.empty(OTHELLO)
    for _ in range(10):
        book.add(othello("f5 d6", (2, 1)))
        book.add(othello("f5 f6", (1, 2)))
    position = boyi.start("othello")
    position.play("f5")
    generator = random.Random(1)
    chosen = [book.choose(position, generator) for _ in range(100)]
    assert chosen.count(position.parse_move("d6")) > 90
    assert book.best(position) == position.parse_move("d6")
    again = random.Random(1)
    assert chosen == [book.choose(position, again) for _ in range(100)]


OWN = [name for name in ALL if own_book(find_game(name)) is not None]


@pytest.mark.parametrize("name", OWN)
def test_own_books_play_legal_moves_and_end(name: str) -> None:
    """Walk through the book that comes with the game, as levels do."""
    book = own_book(find_game(name))
    assert book is not None and book.made and book.options == find_game(name).resolve()
    plies = []
    for seed in range(scaled(100)):
        position, generator = boyi.start(name), random.Random(seed)
        move = book.choose(position, generator)
        while move is not None:
            position.play(move)      # refuses what is illegal
            move = book.choose(position, generator)
        plies.append(position.ply)
    assert min(plies) >= 2 and max(plies) >= 5
    assert len(book.to_bytes()) < 300_000


@pytest.mark.parametrize("name", OWN)
def test_levels_use_the_book_unless_told_not_to(name: str) -> None:
    book = own_book(find_game(name))
    assert book is not None
    start = boyi.start(name)
    for seed in range(3):
        (bookish,) = {make_agent(f"strength:nodes=50,seed={seed}").choose(start.copy(), Clock()) for _ in range(2)}
        assert bookish in {move for one in book.look_up(start) for move in one.moves}
    with_book, without = (make_agent(f"strength:nodes=50,seed=1,book={book}") for book in ("on", "off"))
    without.choose(start.copy(), Clock())
    with_book.choose(start.copy(), Clock())
    assert expectation_of(with_book) is None and expectation_of(without) is not None
    beginner = make_agent("level:1,seed=1")          # who overlooks moves knows no book
    beginner.choose(start.copy(), Clock())
    assert expectation_of(beginner) is not None
