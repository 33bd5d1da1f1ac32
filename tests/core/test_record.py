"""Records: round trips, replays, and everything that must be refused in words."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import boyi
from boyi.core.board import Board
from boyi.core.errors import BoyiError, IllegalMoveError, RecordError, UnknownNameError
from boyi.core.game import Game, Option
from boyi.core.position import CHANCE
from boyi.core.python_position import PythonPosition
from boyi.core.record import Record, read_records, write_records
from boyi.core.record_grammar import Entry, format_time, split_records
from boyi.core.result import format_result, parse_result
from boyi.core.words import Words
from boyi.games import all_games, find_game
from tests.scale import scaled

State = tuple[int, ...]


class DiePosition(PythonPosition):
    """A toy with chance and ugly move texts: call, roll the die, three times over."""

    def initial(self) -> State:
        return ()

    def to_act(self, state: State) -> int:
        return CHANCE if len(state) % 2 else len(state) // 2 % 2

    def legal_moves(self, state: State) -> list[int]:
        return [1, 2, 3] if len(state) % 2 else [0, 1, 2]

    def after(self, state: State, move: int) -> State:
        return (*state, move)

    def final_scores(self, state: State) -> list[float] | None:
        return [1.0, -1.0] if len(state) == 6 else None

    def state_to_text(self, state: State) -> str:
        return "start" + "".join(map(str, state))

    def text_to_state(self, text: str) -> State:
        return tuple(int(digit) for digit in text.removeprefix("start"))

    def format_move(self, move: int) -> str:
        return f"={move}" if self.turn == CHANCE else ("7.", 'a "b" {c}\n', "\\[0]")[move]

    def parse_moves(self, text: str) -> tuple[int, ...]:
        if self.turn == CHANCE:
            return (self.parse_move(text),)
        call, _, roll = text.rpartition("=")
        if not call:
            return (self.parse_move(text),)
        move = self.parse_move(call)
        self.play(move)
        try:
            return move, self.parse_move(f"={roll}")
        finally:
            self.undo()


DIE = Game(name="die", title=Words("Die", "骰子"), position=DiePosition,
           board=lambda options: Board((), (), {}, (), ()), module=__name__,
           options=(Option("bold", False, Words("b", "b")), Option("sides", 3, Words("s", "s")),
                    Option("style", "a", Words("t", "t"), choices=("a", "b"))), has_chance=True)
OTHELLO = find_game("othello")


def find(name: str) -> Game:
    return DIE if name == "die" else find_game(name)


def random_position(seed: int, plies: int = 200, game: Game = OTHELLO) -> boyi.Position:
    generator = random.Random(seed)
    position = game.start()
    for _ in range(plies):
        moves = position.moves()
        if not moves:
            break
        position.play(generator.choice(moves))
    return position


def test_a_whole_game_as_text() -> None:
    position = OTHELLO.start()
    for move in ("f5", "d6", "c3"):
        position.play(move)
    record = Record.from_position(
        position, players=["Ada", 'Grace "Amazing" Hopper'], date="2026-11-15", event="黑白棋 [A]\n{final}",
        tags={"Opening": "Tiger"}, comment="Two friends.",
        notes=[{"clock": 192.5, "evaluation": 0.31}, {"comment": "why not {c4}?"}])
    assert record.to_text() == r'''[Boyi "1"]
[Game "othello"]
[Rules "1"]
[Player.1 "Ada"]
[Player.2 "Grace \"Amazing\" Hopper"]
[Event "黑白棋 [A]\n{final}"]
[Date "2026-11-15"]
[Result "*"]
[Opening "Tiger"]
[Final "------------------X--------XX------OXX-----O-------------------- O"]

{Two friends.}
1. f5 {clk 0:03:12.5 eval +0.31} d6 {why not \{c4\}?} c3
'''
    assert Record.parse(record.to_text(), find) == record


def test_from_any_start_and_with_the_rules_own_result() -> None:
    begun = random_position(1, 20)
    position = OTHELLO.parse(begun.to_text())
    while position.moves():
        position.play(position.moves()[0])
    record = Record.from_position(position)
    assert record.start == begun.to_text()
    outcome = position.outcome()
    assert outcome is not None
    assert record.result == outcome.places
    assert record.reason == "no_moves"
    replayed = Record.parse(record.to_text(), find).replay()
    assert replayed.to_text() == position.to_text()
    assert replayed.history() == position.history()


def test_positions_are_independent_and_complete() -> None:
    position = random_position(2)
    seen = list(Record.from_position(position).positions())
    assert [one.ply for one in seen] == list(range(position.ply + 1))
    assert seen[-1].to_text() == position.to_text()
    assert seen[0].to_text() == OTHELLO.start().to_text()


def test_chance_is_written_with_the_decision() -> None:
    position = DIE.start(bold=True, style="b")
    for move in (1, 3, 0, 1, 2, 2):
        position.play(move)
    record = Record.from_position(position)
    assert [entry.text for entry in record.entries] == ['a "b" {c}\n=3', "7.=1", "\\[0]=2"]
    text = record.to_text()
    assert '[Option.bold "true"]\n[Option.sides "3"]\n[Option.style "b"]' in text
    again = Record.parse(text, find)
    assert again == record
    assert again.replay().history() == position.history()
    assert len(list(again.positions())) == 4
    position.undo()                                            # a record may stop before chance has answered
    stopped = Record.from_position(position)
    assert stopped.entries[-1].text == "\\[0]"
    assert Record.parse(stopped.to_text(), find).replay().turn == CHANCE


def test_format_moves_leaves_no_trace() -> None:
    position = DIE.start()
    assert position.format_moves([1, 3]) == 'a "b" {c}\n=3'
    assert position.ply == 0
    with pytest.raises(IllegalMoveError):
        position.format_moves([1, 99])
    assert position.ply == 0


# ---------------------------------------------------------------------- wrong records

GOOD = Record.from_position(random_position(3)).to_text()
HEAD = '[Boyi "1"]\n[Game "othello"]\n'


def test_a_wrong_move_is_reported_with_its_number_and_what_was_legal() -> None:
    with pytest.raises(RecordError, match=r"move 3: 'a1' is not a legal move here; legal are ") as caught:
        Record.parse(HEAD + "1. f5 d6 a1 c4", find).replay()
    assert caught.value.move_number == 3
    with pytest.raises(RecordError, match=r"move 2: 'z9' is not an Othello move") as caught:
        list(Record.parse(HEAD + "f5 z9", find).positions())
    assert caught.value.move_number == 2


def test_moves_after_the_end_are_reported() -> None:
    words = GOOD.rstrip() + " a1\n"
    with pytest.raises(RecordError, match="the game is over"):
        Record.parse(words, find).replay()


@pytest.mark.parametrize(("change", "message"), [
    (lambda record: replace(record, final=OTHELLO.start().to_text()), "it was changed, or the rules were"),
    (lambda record: replace(record, entries=record.entries[:-1]), "it was changed, or the rules were"),
    (lambda record: replace(record, result=(2, 1) if record.result == (1, 2) else (1, 2)), "but the moves end in"),
    (lambda record: replace(record, reason="checkmate"), "the moves end it by no_moves"),
    (lambda record: replace(record, rules_version=2), "version 2 of the rules of othello.* up to version 1"),
    (lambda record: replace(record, result=(1, 2, 3)), "3 players a result and the game has 2"),
    (lambda record: replace(record, players=("a", "b", "c")), "names 3 players and the game has 2"),
    (lambda record: replace(record, start="nonsense"), "cannot begin: 'nonsense' is not an Othello position"),
])
def test_a_record_that_contradicts_itself(change: Callable[[Record], Record], message: str) -> None:
    record = Record.parse(GOOD, find)
    record.replay()
    with pytest.raises(RecordError, match=message):
        change(record).replay()


@pytest.mark.parametrize(("text", "message"), [
    ("", "is not a Boyi record"),
    ("hello", "is not a Boyi record"),
    ("x\n" + GOOD, "is not a Boyi record"),
    ('[Game "othello"]\n1. f5', "is not a Boyi record"),
    ('[Boyi "2"]\n[Game "othello"]\n', "version 2 of the format.*up to version 1"),
    ('[Boyi "one"]\n[Game "othello"]\n', "whole number and not 'one'"),
    ('[Boyi "١"]\n[Game "othello"]\n', "whole number"),
    ('[Boyi "1"]\n', "header Game is missing"),
    ('[Boyi "1"]\n[Game "othelo"]\n', "no game is called 'othelo'; did you mean 'othello'"),
    (HEAD + '[Rules "9"]\n', "newer Boyi is needed"),
    (HEAD + '[Rules "-1"]\n', "version of the rules is a whole number"),
    (HEAD + '[Game "othello"]\n', "line 3: the header 'Game' is given twice"),
    (HEAD + '[Event "x]\n', r"line 3: .* is not a header: \[Name "),
    (HEAD + '[Event x]\n', "line 3: .* is not a header"),
    (HEAD + '[Event "a\\qb"]\n', r"line 3: .* is no escape"),
    (HEAD + '[Event "\\U00110000"]\n', "is no escape"),
    (HEAD + '[Option.size "9"]\n', "othello has no options"),
    (HEAD + '[Player.0 "x"]\n', "not from 1 to 64"),
    (HEAD + '[Player.999999999 "x"]\n', "not from 1 to 64"),
    (HEAD + '[Player.x "x"]\n', "whole number"),
    (HEAD + '[Result "2-0"]\n', "is not a result"),
    (HEAD + '[Result "1 1 2"]\n', "are not places"),
    (HEAD + "1. f5 3. d6", "line 3: this is move 2 and not 3"),
    (HEAD + "f5 {unclosed", "line 3: .* is neither a move nor a comment"),
    (HEAD + "f5 }", "neither a move nor a comment"),
    (HEAD + 'f5 "d6', "neither a move nor a comment"),
    (HEAD + 'f5 ""', "neither a move nor a comment"),
    (HEAD + "f5 [x]", "neither a move nor a comment"),
    (HEAD + "f5 {clk 12:99}", "not a time as 0:03:12.5"),
    (HEAD + "f5 {eval 1.2.3}", "not an evaluation"),
    (HEAD + "f5 {eval 1e999}", "not an evaluation"),
    (HEAD + "f5 {clk 0:00:01} {clk 0:00:02}", "two marks of one kind"),
    (None, "is not a text"),
    (b"[Boyi", "is not a text"),
])
def test_texts_that_are_refused(text: Any, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        Record.parse(text, find)


anything: Any = replace


@pytest.mark.parametrize("make", [
    lambda: Entry(""), lambda: anything(Entry("f5"), text=5), lambda: Entry("f5", clock=-1),
    lambda: Entry("f5", clock=float("nan")), lambda: Entry("f5", clock=3.6e9), lambda: Entry("f5", clock=True),
    lambda: Entry("f5", evaluation=float("inf")), lambda: anything(Entry("f5"), comment=None),
    lambda: anything(Entry("f5"), evaluation="1"),
    lambda: replace(Record.parse(GOOD, find), tags={"Final": "x"}),
    lambda: replace(Record.parse(GOOD, find), tags={"Option.x": "x"}),
    lambda: replace(Record.parse(GOOD, find), tags={"a b": "x"}),
    lambda: anything(Record.parse(GOOD, find), tags={"A": 5}),
    lambda: anything(Record.parse(GOOD, find), tags={5: "A"}),
    lambda: anything(Record.parse(GOOD, find), players=(None,)),
    lambda: replace(Record.parse(GOOD, find), players=("x",) * 65),
    lambda: replace(Record.parse(GOOD, find), result=(2, 3)),
    lambda: replace(Record.parse(GOOD, find), result=()),
    lambda: anything(Record.parse(GOOD, find), date=2026),
    lambda: Record.from_position(OTHELLO.start(), notes=[{"clock": 1}]),
    lambda: Record.parse(GOOD, find).replay(1000),
    lambda: Record.parse(GOOD, find).replay(-1),
    lambda: Record.parse(GOOD + GOOD, find),
])
def test_values_that_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(RecordError):
        make()


def test_unknown_names_of_games_are_record_errors() -> None:
    with pytest.raises(RecordError) as caught:
        Record.parse(GOOD.replace("othello", "chess"), find)
    assert isinstance(caught.value.__cause__, UnknownNameError)


def test_several_records_in_one_text() -> None:
    records = [Record.from_position(random_position(seed)) for seed in range(3)]
    text = "\ufeff\n" + write_records(records).replace("\n", "\r\n")
    assert len(split_records(text)) == 3
    assert read_records(text, find) == records


def test_a_handwritten_record_may_say_little_and_can_be_completed() -> None:
    record = Record.parse(HEAD + "f5 d6 {hm}\n{two\nlines} c3", find)
    assert record.entries[1].comment == "hm\ntwo\nlines"
    assert record.final is None
    assert record.with_final().final == record.replay().to_text()
    assert record.replay(1).to_text() == list(record.positions())[1].to_text()


# ---------------------------------------------------------------------- properties

names = st.from_regex(r"\A[A-Za-z][A-Za-z0-9_.\-]{0,12}\Z").filter(
    lambda name: not name.startswith(("Option.", "Player."))
    and name not in ("Boyi", "Game", "Rules", "Start", "Date", "Event", "Result", "Reason", "Final"))
hostile = st.text(max_size=30) | st.sampled_from(
    ['"]', "\\", '\\"', "\n[Boyi \"1\"]\n", "{}", "}", "clk 0:00:01", "eval +1", "; x", ";", "clk 1; eval", "\r\n",
     "\0", "\ud800", "\u202e", "😀", "1.", " ", "\u2028", "\u3000x"])
seconds = st.none() | st.floats(0, 3.5e9)
entries = st.builds(Entry, text=hostile.filter(bool), clock=seconds, took=seconds,
                    evaluation=st.none() | st.floats(allow_nan=False, allow_infinity=False), comment=hostile)
records = st.builds(
    Record, game=st.just(DIE), entries=st.lists(entries, max_size=25).map(tuple), start=st.none() | hostile,
    options=st.builds(lambda bold, sides: DIE.resolve({"bold": bold, "sides": sides}), st.booleans(),
                      st.integers(0, 1_000_000)),
    players=st.lists(hostile, max_size=6).map(tuple), date=hostile, event=hostile, reason=hostile,
    result=st.sampled_from([None, (1, 2), (2, 1), (1, 1), (1, 3, 1), (1, 1, 1), (4, 2, 2, 1, 5)]),
    tags=st.dictionaries(names, hostile, max_size=4), comment=hostile, final=st.none() | hostile)


@given(st.lists(records, min_size=1, max_size=3))
@settings(max_examples=scaled(1000, 20), deadline=None)
def test_whatever_is_written_is_read_back(several: list[Record]) -> None:
    text = write_records(several)
    assert text.encode("utf-8").decode("utf-8") == text
    assert read_records(text, find) == several


@given(st.integers(0, 10**9), st.sampled_from([DIE, *all_games().values()]), st.integers(0, 200))
@settings(max_examples=scaled(3000, 20), deadline=None)
def test_every_game_replays(seed: int, game: Game, plies: int) -> None:
    position = random_position(seed, plies, game)
    record = Record.parse(Record.from_position(position).to_text(), find)
    replayed = record.replay()
    assert replayed.history() == position.history()
    assert replayed.to_text() == position.to_text()
    assert Record.from_position(replayed) == record


words = st.sampled_from(['[Boyi "1"]\n', '[Game "othello"]\n', '[Game "die"]\n', '[Result "1-0"]\n', "[", "]", '"',
                         "{", "}", "\\", "\n", " ", "f5", "d6", "c3", "1.", "2.", "{clk 0:00:01 eval 1}", "{eval 1e5}",
                         "=1", '[Start "', '[Final "', '[Option.bold "yes"]\n', "\\u", "\\U0010", "9" * 5000])


@given(st.text() | st.lists(words).map("".join)
       | st.lists(words | st.text(max_size=5)).map(lambda parts: HEAD + "".join(parts)))
@example(GOOD[:-20])
@settings(max_examples=scaled(3000), deadline=None)
def test_the_reader_refuses_in_words_only(text: str) -> None:
    try:
        for record in read_records(text, find):
            record.replay()
    except BoyiError as error:
        said = str(error)
    else:
        said = ""
    assert len(said) < 2000


@given(st.data())
@settings(max_examples=scaled(2000), deadline=None)
def test_a_damaged_record_is_refused_or_still_a_record(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(GOOD)))
    damaged = GOOD[:at] + data.draw(st.text(max_size=3)) + GOOD[at + data.draw(st.integers(0, 5)):]
    try:
        record = Record.parse(damaged, find)
        record.replay()
    except BoyiError:
        return
    assert Record.parse(record.to_text(), find) == record


@given(st.floats(0, 3.5e9))
def test_times_round_trip_to_the_thousandth(value: float) -> None:
    clock = Entry("x", clock=value).clock
    assert clock is not None
    assert clock == pytest.approx(value, abs=0.0006)
    assert format_time(clock).count(":") == 2


@pytest.mark.parametrize("places", [None, (1, 2), (2, 1), (1, 1), (1, 2, 3), (2, 2, 1), (1, 1, 1, 1, 1, 1)])
def test_results_round_trip(places: tuple[int, ...] | None) -> None:
    assert parse_result(format_result(places)) == places


def test_the_game_in_the_documentation_replays() -> None:
    page = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
    text = page.split("```text\n")[1].split("```")[0]
    record = Record.parse(text, find)
    assert record.to_text() == text
    assert record.entries[5] == Entry("d6", clock=281, comment="e7 was better")
    assert record.replay().outcome() is not None
