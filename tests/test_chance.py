"""Chance, asked of every game: what is written is read back, also what was drawn; who says nothing of it need not.

Toys in plain Python see to it that the first turn is chance, that several results come in a row, that one ends the
game, and that moves and results have the same names. As plug-ins they are played in rooms and at the command line.
"""

from __future__ import annotations

import contextlib
import dataclasses
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import boyi
from boyi.core.chance import find_chance
from boyi.core.draws import draws_of, sample_chance
from boyi.core.errors import BoyiError, BrokenRulesError, IllegalMoveError, RecordError
from boyi.core.game import Game, Option
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.record import Record
from boyi.core.record_grammar import Entry
from boyi.core.token import Token
from boyi.core.words import Words
from boyi.core.written import written_moves
from boyi.games import all_games
from boyi.games.tic_tac_toe import TicTacToe
from boyi.kit.picture.text import draw
from boyi.server.positions import show
from boyi.server.protocol import messages
from boyi.server.protocol.events import Started, TakenBack
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.study import AskPosition
from boyi.server.protocol.views import MovedView, TakenBackView
from boyi.server.rooms import Room, telling
from tests.cli import invoke
from tests.server import Table, history_of
from tests.toys import cards, einstein, line, pig, race

TOYS = (cards.GAME, einstein.GAME, line.GAME, pig.GAME, race.GAME)
CASES = [*((game, {}) for game in (*boyi.all_games().values(), *TOYS)),
         (race.GAME, {"players": 3}), (pig.GAME, {"players": 3})]
GAMES = pytest.mark.parametrize(("game", "options"), CASES,
                                ids=["-".join([game.name, *map(str, options.values())]) for game, options in CASES])
LONGEST = 300
"""Plies of a random game; some of ours take thousands."""

PLUGINS = ("einstein", "pig", "race")


def random_game(game: Game, options: dict[str, Any], seed: int = 1, plies: int = LONGEST) -> Position:
    """A game in which players and chance do anything."""
    generator, position = random.Random(seed), game.start(**options)
    while position.ply < plies and position.turn != OVER:
        position.play(sample_chance(position, generator) if position.turn == CHANCE
                      else generator.choice(position.moves()))
    return position


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of games from outside that says nothing of chance."""
    for name in PLUGINS:
        (tmp_path / name).mkdir()
        shutil.copy(Path(__file__).parent / "toys" / f"{name}.py", tmp_path / name / "__init__.py")
    monkeypatch.setenv("BOYI_GAMES", str(tmp_path))
    monkeypatch.setattr(sys, "path", [*sys.path])
    all_games.cache_clear()
    yield tmp_path
    all_games.cache_clear()
    for name in PLUGINS:
        sys.modules.pop(name, None)


# ---------------------------------------------------------------------- written and read

@GAMES
def test_what_is_written_is_read_back(game: Game, options: dict[str, Any]) -> None:
    position = random_game(game, options)
    walk, moves = game.start(**options), position.history()
    for text, count in written_moves(game.start(**options), moves):
        following, moves = tuple(moves[:count]), moves[count:]
        assert walk.format_moves(following) == text
        assert walk.parse_moves(text) == following
        walk.play(text)
    assert not moves
    assert walk.history() == position.history()


@GAMES
def test_records_of_every_game_replay(game: Game, options: dict[str, Any]) -> None:
    """Also of one that stopped anywhere, before chance had answered too."""
    position = random_game(game, options)
    for _ in range(4):
        record = Record.parse(Record.from_position(position).to_text(), lambda name: game)
        assert record.replay().history() == position.history()
        if position.ply:
            position.undo()


@pytest.mark.parametrize(("texts", "history"), [
    (["2", "2~3~4"], [2, 2, 3, 4]),
    (["2", "2~1"], [2, 2, 1]),
    (["2", "234"], [2, 2, 3, 4]),              # as version 0.1.0 wrote them
])
def test_results_in_a_row(texts: list[str], history: list[int]) -> None:
    position = pig.GAME.start()
    for text in texts:
        position.play(text)
    assert position.history() == history


def test_names_that_could_be_cut_elsewhere() -> None:
    class Cuts(pig.PigPosition):
        """Moves are called 1 and 11, rolls 1 to 111111."""

        def format_move(self, move: int) -> str:
            return "1" * move

    game = dataclasses.replace(pig.GAME, position=Cuts, has_chance=None)
    position = game.parse("0,0 0 0 0")
    for moves in ([2, 1], [2, 2, 3], [2, 3, 2], [1]):
        assert position.parse_moves(position.format_moves(moves)) == tuple(moves)


def test_a_result_that_cannot_come_is_refused_in_words() -> None:
    position = pig.GAME.parse("0,0 0 0 0")
    for text, complaint in (("2~7", "'7' is not a legal move here; legal are 1, 2, 3, 4, 5, 6"),
                            ("2~3~4~5", "chance has nothing to add; leave out ~5"),
                            ("1~3", "chance has nothing to add; leave out ~3"),
                            ("3~3", "'3~3' is not a legal move here; legal are 1, 2")):
        with pytest.raises(IllegalMoveError, match=complaint):
            position.play(text)
        assert position.ply == 0
    with pytest.raises(RecordError, match=r"move 2: .*legal are 1, 2, 3, 4, 5, 6"):
        Record(pig.GAME, position.options, entries=(Entry("1"), Entry("2~7"))).replay()


# ---------------------------------------------------------------------- found out

@GAMES
def test_whether_there_is_chance_is_found_out(game: Game, options: dict[str, Any]) -> None:
    position = random_game(game, options)
    walk, drawn = game.start(**options), False
    for move in position.history():
        drawn |= walk.turn == CHANCE
        walk.play(move)
    assert game.has_chance == find_chance(game) == drawn
    assert isinstance(game.has_chance, bool)


def test_chance_under_one_option_only() -> None:
    class Optional(line.LinePosition):
        """With the option, chance begins."""

        def to_act(self, state: str) -> int:
            return CHANCE if self.options["dice"] and state.count(".") == 9 else super().to_act(state)

    game = dataclasses.replace(line.GAME, position=Optional, has_chance=None,
                               options=(Option("dice", False, Words("dice", "骰子")),))
    assert game.has_chance


def test_what_no_walk_finds_is_met_in_play() -> None:
    class Late(line.LinePosition):
        """Chance decides after one opening of many."""

        def to_act(self, state: str) -> int:
            return CHANCE if state == "xoxox...." else super().to_act(state)

    game = dataclasses.replace(line.GAME, position=Late, has_chance=None)
    assert not game.has_chance
    position = game.start()
    for point in range(5):
        position.play(point)
    assert position.turn == CHANCE
    assert game.has_chance
    assert Record.parse(Record.from_position(position).to_text(), lambda name: game).replay().turn == CHANCE


def test_a_game_that_denies_its_chance_is_told_so_at_once() -> None:
    game = dataclasses.replace(einstein.GAME, has_chance=False)
    with pytest.raises(BrokenRulesError, match="the GAME of einstein says has_chance=False: leave that out"):
        game.start()
    assert not game.has_chance


def test_a_broken_game_can_be_asked() -> None:
    def fail(self: object, state: object, move: int) -> str:
        raise ZeroDivisionError("a bug")

    game = dataclasses.replace(line.GAME, position=type("Broken", (line.LinePosition,), {"after": fail}),
                               has_chance=None)
    assert not game.has_chance


# ---------------------------------------------------------------------- beside the board

@GAMES
def test_tokens_and_results_have_words(game: Game, options: dict[str, Any]) -> None:
    position = random_game(game, options, plies=30)
    assert draw(position, language="zh") and draw(game.start(**options), ascii_only=True).isascii()
    while True:
        for viewer in (None, *range(position.players)):
            for token in position.observe(viewer).tokens():
                assert isinstance(token, Token) and token.label.en and token.label.zh and token.value
                assert token.seat is None or token.seat in range(position.players)
        if position.turn == CHANCE:
            odds = position.odds()
            assert [move for move, _ in odds] == position.moves()
            assert abs(sum(chance for _, chance in odds) - 1) < 1e-6
            for move, _ in odds:
                words = position.chance_words(move)
                assert words.en and words.zh and position.format_move(move)
        if not position.ply:
            break
        position.undo()


def test_a_die_and_scores_below_the_board() -> None:
    position = einstein.GAME.start()
    assert position.chance_words(4) == Words("Red rolls 4", "红方掷出 4")
    position.play("4")
    assert draw(position).splitlines()[-2:] == ["Red: Die ⚃ 4   Stones 6", "Blue: Stones 6"]
    assert draw(position, language="zh").splitlines()[-2:] == ["红方: 骰子 ⚃ 4   棋子 6", "蓝方: 棋子 6"]
    assert draw(position, ascii_only=True, language="zh").splitlines()[-2] == "Red: Die [4]   Stones 6"
    assert race.GAME.start().chance_words(2) == Words("Chance brings =2", "随机结果：=2")


def test_words_of_jieqi() -> None:
    position = boyi.start("jieqi")
    position.play("b2e2")
    assert position.turn == CHANCE
    assert "Red turns up a red soldier" in {position.chance_words(move).en for move in position.moves()}
    assert "红方翻出兵" in {position.chance_words(move).zh for move in position.moves()}


# ---------------------------------------------------------------------- answers that break the contract

@pytest.mark.parametrize(("method", "answer", "complaint"), [
    ("final_scores", [1], "1 scores for 2 players"),
    ("final_scores", [1, -1, 0], "3 scores for 2 players"),
    ("final_scores", (1, "x"), "'x' is not a number from -1 to 1"),
    ("final_scores", (1, None), "None is not a number from -1 to 1"),
    ("final_scores", (2, -2), "2 is not a number from -1 to 1"),
    ("final_scores", (float("nan"), 0), "nan is not a number from -1 to 1"),
    ("final_scores", {0: 1, 1: -1}, "{0: 1, 1: -1} is not a list of numbers"),
    ("final_scores", 1, "1 is not a list of numbers"),
    ("final_scores", "ab", "'a' is not a number from -1 to 1"),
    ("to_act", 2, "2 is neither a player, 0 to 1, nor CHANCE"),
    ("to_act", OVER, "-2 is neither a player"),
    ("to_act", 1.0, "1.0 is neither a player"),
    ("to_act", "0", "'0' is neither a player"),
    ("legal_moves", None, "the game goes on but nobody can move"),
    ("legal_moves", 7, "7 is not a list of numbers"),
    ("legal_moves", [1.5], "1.5 is not a number from 0 to 4294967295"),
    ("likelihoods", [1.0], "1 of them for 3 moves"),
    ("likelihoods", [0.5, 0.7, -0.2], "-0.2 is not a number from 0 to 1"),
    ("likelihoods", [0.5, 0.2, 0.2], "they add up to 0.9 and not to 1"),
    ("likelihoods", ["a", "b", "c"], "'a' is not a number from 0 to 1"),
    ("likelihoods", [float("inf"), 0, 0], "inf is not a number from 0 to 1"),
    ("state_to_text", 5, "5 is not a text"),
])
def test_an_answer_that_breaks_the_contract_is_a_sentence(method: str, answer: object, complaint: str) -> None:
    broken = type("Broken", (race.RacePosition,), {method: lambda self, *asked: answer})
    with pytest.raises(BrokenRulesError) as raised:
        dataclasses.replace(race.GAME, position=broken).start().odds()
    assert str(raised.value).startswith(f"Broken.{method}: {complaint}")


@pytest.mark.parametrize("method", ["player_count", "initial", "to_act", "legal_moves", "after", "final_scores",
                                    "likelihoods", "state_to_text", "text_to_state"])
def test_a_method_that_raises_is_named_with_its_line(method: str) -> None:
    def fail(self: object, *asked: object) -> None:
        raise ZeroDivisionError("a bug")

    def use(game: Game) -> None:
        position = game.start()
        position.odds()
        position.set_text("-1,-1 0 0 0")
        position.play(1)

    broken = type("Broken", (race.RacePosition,), {method: fail})
    with pytest.raises(BrokenRulesError, match=rf"Broken\.{method}: ZeroDivisionError: a bug \(.*test_chance.py, line"):
        use(dataclasses.replace(race.GAME, position=broken))


def test_scores_are_asked_for_once() -> None:
    """A game that changed its mind about them could write where it must not."""
    class Fickle(line.LinePosition):
        asked = 0

        def final_scores(self, state: str) -> Any:
            if "." in state:
                return None
            Fickle.asked += 1
            return (1, -1) if Fickle.asked == 1 else [0] * 10_000

    position = dataclasses.replace(line.GAME, position=Fickle).parse("xoxxoxo..")
    position.play(7)
    position.play(8)
    outcome = position.outcome()
    assert outcome is not None and outcome.scores == (1, -1)


def test_generators_and_numpy_are_numbers_too() -> None:
    numpy = pytest.importorskip("numpy")

    class Odd(race.RacePosition):
        def legal_moves(self, state: race.Race) -> Any:
            yield from super().legal_moves(state)

        def likelihoods(self, state: race.Race) -> Any:
            return numpy.array([0.5, 0.3, 0.2], dtype=numpy.float64)

        def to_act(self, state: race.Race) -> Any:
            return numpy.int64(super().to_act(state))

    position = random_game(dataclasses.replace(race.GAME, position=Odd), {})
    assert position.outcome() is not None


# ---------------------------------------------------------------------- rooms and commands

@pytest.mark.parametrize(("name", "options"), [("einstein", {}), ("pig", {}), ("pig", {"players": 3}), ("race", {})])
def test_a_room_of_a_dice_game(name: str, options: dict[str, Any], plugins: Path) -> None:
    """Played to its end, drawn by the committed seed, replayed from its events; everyone is told what was rolled."""
    generator = random.Random(5)
    people = ("ada", "bob", "cyd")[:boyi.start(name, **options).players]
    table = Table(name, options).seat(*people)
    started = next(event.body for event in table.events if isinstance(event.body, Started))
    assert started.commitment
    for _ in table.play_out(generator):
        if table.turn is not None and generator.random() < 0.2:
            with contextlib.suppress(Refusal):   # what chance has brought since is not taken back
                table.do("ada", messages.OfferTakeback)
                for other in people[1:]:
                    table.do(other, messages.AnswerTakeback, accept=True)
    assert table.room.state.phase == "finished"
    again = Room.replay("table", table.events)
    assert msgspec.to_builtins(again.state) == msgspec.to_builtins(table.room.state)
    record = Record.parse(telling.record(table.room).to_text(), boyi.find_game)
    position = record.replay()
    draws_of(position.game).verify(position, bytes.fromhex(record.tags["Seed"]), record.tags["Commitment"])
    assert [text for text, _ in written_moves(position.game.start(**options), position.history())] == [
        ply.text for ply in table.room.refereed.log]

    _, plies = history_of(table.room, None)
    moved: list[MovedView] = []
    for body in (messages.decode_from_server(text).body for text in table.told[None]):
        if isinstance(body, MovedView):
            moved.append(body)
        elif isinstance(body, TakenBackView):
            del moved[len(moved) - body.moves:]
    assert [body.drawn for body in moved] == [ply.drawn for ply in plies]
    assert [body.standing.tokens for body in moved] == [ply.tokens for ply in plies]
    assert moved[0].seat is None and moved[0].drawn
    if name == "einstein":
        assert moved[0].drawn[0].en == f"Red rolls {moved[0].text}"
        die = (moved[0].standing.tokens or [])[0]
        assert (die.kind, die.value, die.seat) == ("die", moved[0].text, 0)
    assert any(isinstance(event.body, TakenBack) for event in table.events) == (name == "pig")
    game = table.room.state.game
    assert game is not None and (game.standing.tokens is not None) == (name != "race")


def test_rooms_of_a_game_whose_chance_comes_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody knew of when the room began is drawn all the same."""
    class Late(TicTacToe):
        """Chance makes the third move after one opening of many."""

        def to_act(self, state: str) -> int:
            return CHANCE if state == "X---O----" else super().to_act(state)

    monkeypatch.setattr("boyi.server.rooms.referee.find_game", lambda name: dataclasses.replace(
        boyi.find_game(name), position=Late, has_chance=None))
    table = Table("tic_tac_toe").seat("ada", "bob")
    assert table.room.state.game is not None and table.room.state.game.commitment == ""
    table.play("a1")
    table.play("b2")
    assert table.room.refereed.position.ply == 3
    assert Room.replay("table", table.events).refereed.position.ply == 3


def test_an_analysis_board_that_begins_with_chance(plugins: Path) -> None:
    shown = show(AskPosition("einstein"))
    assert [one.told.en for one in shown.chance] == [f"Red rolls {number}" for number in range(1, 7)]
    shown = show(AskPosition("einstein", moves=["3", "c5d5"]))
    assert [one.text for one in shown.chance] == [f"c5d5~{number}" for number in range(1, 7)]
    assert shown.chance[1].told.zh == "蓝方掷出 2"
    shown = show(AskPosition("einstein", moves=["3", "c5d5~2"]))
    assert [ply.drawn for ply in shown.plies] == [[Words("Red rolls 3", "红方掷出 3")],
                                                   [Words("Blue rolls 2", "蓝方掷出 2")]]
    assert shown.standing.tokens is not None and shown.standing.tokens[0].value == "2"


@pytest.mark.parametrize("name", PLUGINS)
def test_commands_of_a_dice_game(name: str, plugins: Path) -> None:
    played = invoke("play", name, "--seats", "random,random", "--seed", "1", "--json")
    assert played.code == 0 and played.json["over"], played.err
    records = plugins / "games.boyi"
    match = invoke("match", name, "random", "random", "--games", "4", "--records", str(records), "--json")
    assert match.code == 0, match.err
    checked = invoke("record", "check", str(records))
    assert checked.code == 0, checked.err + checked.out


def test_show_rolls_and_tokens(plugins: Path) -> None:
    for moves in ("3 c5d5~2", "3 c5d5 2"):
        shown = invoke("show", "einstein", "--moves", moves)
        assert shown.out.rstrip().endswith("Blue: Die ⚁ 2   Stones 6")
    facts = invoke("show", "einstein", "--moves", "3", "--json").json
    assert facts["tokens"][0] == {"label": {"en": "Die", "zh": "骰子"}, "value": "3", "seat": 0, "kind": "die"}
    assert facts["status"] is None
    assert invoke("show", "pig", "--moves", "1 2 3 4", "--json").json["status"]["en"] == "7 to bank or to lose"


def test_a_broken_game_is_a_sentence_at_the_command_line(plugins: Path) -> None:
    path = plugins / "race" / "__init__.py"
    path.write_text(path.read_text("utf-8").replace("return [0.5, 0.3, 0.2]", "return [0.5, 0.3, 0.3]"), "utf-8")
    shown = invoke("play", "race", "--seats", "random,random")
    assert (shown.code, shown.err) == (
        2, "boyi: RacePosition.likelihoods: they add up to 1.1 and not to 1\n")


def test_no_player_chooses_the_die(plugins: Path) -> None:
    table = Table("einstein").seat("ada", "bob")
    turn = telling.turn(table.room, 0)
    assert turn is not None
    assert table.refused("ada", messages.Move, move=f"{turn.moves[0].text}~6") == "illegal_move"
    with pytest.raises(BoyiError):
        boyi.start("einstein").play("7")
