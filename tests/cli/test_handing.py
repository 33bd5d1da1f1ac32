"""boyi play: seats that are handed over to the AI and taken back, and moves that are replayed."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

import pytest

import boyi
from boyi.cli import _handing
from boyi.cli._handing import Thinking
from boyi.cli._replay import find_last, find_seat
from boyi.core.words import Words
from boyi.games import find_game
from boyi.kit.ladder import find_ladder
from tests.cli import Result
from tests.cli.test_play import TOGETHER, play
from tests.cli.test_terminal import Screen

LEVELS = ("--level", "1")


# ---------------------------------------------------------------------- by a pipe

def test_the_ai_plays_until_the_seat_is_taken_back() -> None:
    """One line is read before each move that it makes for the person; an empty one lets it go on."""
    result = play("f5", "ai 2", "", "", "resume", "hint", "quit", options=(*LEVELS, "--json"))
    assert len(result.json["moves"]) == 6   # f5, two moves of the AI's, and the answer to each
    assert "Level 2 plays for Black from now on." in result.err
    assert result.err.count("Black, level 2 (Enter: go on)> ") == 3
    assert result.err.index("Black is yours again.") < result.err.index("Legal moves (")
    assert result.json["agents"] == ["human", "level:1"]


def test_the_ai_plays_on_when_the_input_ends() -> None:
    result = play("ai 1", options=(*LEVELS, "--json"))
    assert result.code == 0 and result.json["ending"] == "over" and result.json["over"] is True
    assert "Game over" in result.err


def test_the_level_that_was_named_last() -> None:
    out = play("ai", "ai 4", "resume", "ai", "quit", options=LEVELS).out
    assert re.findall(r"Level (\d+) plays", out) == ["5", "4", "4"]
    out = play("ai 0", "ai 16", "ai x", "ai ９", "ai 9999999999999999999", "quit", options=LEVELS).out
    highest = len(find_ladder(find_game("othello")))
    assert out.count(f"levels go from 1 to {highest}") == 5 and "plays for" not in out


def test_what_can_be_typed_meanwhile() -> None:
    result = play("ai 1", "d3", "undo", "resign", "hint", "nonsense", "board", "help", "last", "save", "quit",
                  options=LEVELS)
    assert result.out.count("Level 1 plays for Black; `resume` takes the seat back") == 5
    help_ = result.out.split("(Enter: go on)> help")[1].split("(Enter: go on)>")[0]
    assert "resume [PLAYER]" in help_ and "undo" not in help_ and "save FILE" in help_
    assert "Nobody has moved yet." in result.out and "Say where to: save FILE" in result.out
    assert result.out.endswith("Goodbye.\n")


def test_who_takes_a_seat_back_that_was_not_handed_over() -> None:
    assert "No such seat has been handed over" in play("resume", options=LEVELS).out
    assert "没有托管的座位" in play("取消托管", options=LEVELS, language="zh").out


def test_undo_gives_the_seat_back() -> None:
    """After the game, to where the person last decided; the game goes on with the person."""
    whole = play("ai 1", game="tic_tac_toe", options=LEVELS)
    lines = ["" for _ in range(whole.out.count("Crosses: ") - 1)]   # once in the first line
    result = play("ai 1", *lines, "undo", "quit", game="tic_tac_toe", options=(*LEVELS, "--json"))
    assert "Game over" in result.err and "Crosses is yours again." in result.err
    assert result.json["moves"] == [] and result.json["ending"] == "quit"


def test_people_at_one_terminal_hand_over_one_by_one() -> None:
    result = play("f5", "ai 1", "", "c4", "resume black", "resume white", "quit", options=(*TOGETHER, "--json"))
    assert "Level 1 plays for White" in result.err
    assert "No such seat has been handed over" in result.err and "White is yours again." in result.err
    assert result.json["moves"][0] == "f5" and len(result.json["moves"]) >= 2


def test_the_same_in_chinese() -> None:
    out = play("f5", "托管 2", "d3", "", "取消托管", "上一步 黑", "退出", options=LEVELS, language="zh").out
    for words in ("黑方已托管，由 2 级代走", "黑方正由 2 级托管", "黑方已取消托管。", "黑方走了 ", "再见。"):
        assert words in out


def test_a_game_that_was_handed_over_says_so(tmp_path: Path) -> None:
    play("ai 1", "", "resume", f"save {tmp_path}/game", "quit", options=LEVELS)
    record = boyi.core.record.Record.parse((tmp_path / "game").read_text(encoding="utf-8"), boyi.find_game)
    assert record.tags["Assisted"] == "1"


def test_the_same_seed_hands_over_to_the_same_moves() -> None:
    def moves() -> Result:
        return play("ai 3", *[""] * 8, options=(*LEVELS, "--json"))

    assert moves().json["moves"] == moves().json["moves"]


# ---------------------------------------------------------------------- replaying

def test_the_last_move_of_each_player() -> None:
    out = play("f5", "d6", "c3", "last", "last 1", "last white", "last 白", "last w", "quit", options=TOGETHER).out
    shown = re.findall(r"^(\w+ played \w+)$", out, flags=re.MULTILINE)
    assert shown == ["Black played c3", "Black played c3", "White played d6", "White played d6", "White played d6"]
    # The board as it was after that move: its stone is marked, and what came later is not there.
    board = out.split("White played d6")[1].split("White>")[0]
    assert "[○]" in board and "3  ·  ·  ·" in board
    assert play("last", options=TOGETHER).out.count("Nobody has moved yet.") == 1
    assert "White has not moved yet." in play("f5", "last white", options=TOGETHER).out


def test_a_path_is_shown_point_by_point() -> None:
    position = boyi.start("chinese_checkers")
    long = next(move for move in position.moves() if len(position.path(move)) > 1)
    moves = position.format_move(long)
    path = position.path(long)
    out = play(moves, "last", "quit", game="chinese_checkers", options=TOGETHER).out
    assert f"Red played {moves}: {' → '.join(path)}" in out
    ascii_ = play(moves, "last", "quit", game="chinese_checkers", options=(*TOGETHER, "--ascii")).out
    assert f"Red played {moves}: {' -> '.join(path)}" in ascii_ and ascii_.isascii()


def test_a_replay_tells_no_secrets() -> None:
    """What the other side took covered stays covered: the player is shown the move as they know it."""
    # Red's cannon takes a covered horse, and only Red learns what it was.
    options = ("--seats", "random,human", "--moves", "b2b9Pn")
    shown = play("last red", "quit", game="jieqi", options=options).out.split("last red")[1]
    assert "Red played b2b9: b2 → b9" in shown
    assert "b2b9Pn" not in shown and "b2b9P" not in shown.split("\n")[1]


def test_unknown_players_are_refused_in_words() -> None:
    for name in ("purple", "0", "3", "-1", "x" * 1000, "\x1b[2J"):
        out = play("f5", f"last {name}", "quit", options=TOGETHER).out
        assert "the players are: 1 Black, 2 White." in out and "\x1b" not in out
    assert "棋手有：1 黑方、2 白方。" in play("上一步 紫", options=TOGETHER, language="zh").out


def test_seats_are_found_by_number_name_and_beginning() -> None:
    names = [Words("Red", "红方"), Words("Redder", "更红"), Words("Blue", "蓝方")]
    found = {text: find_seat(text, names) for text in ("1", "3", "red", "REDD", "红", "蓝方", "b", " blue ")}
    assert found == {"1": 0, "3": 2, "red": 0, "REDD": 1, "红": 0, "蓝方": 2, "b": 2, " blue ": 2}
    assert [find_seat(text, names) for text in ("", "r", "0", "4", "999999", "²")] == [None] * 6


def test_pictures_of_a_move() -> None:
    """A stone is on each point of its path in turn, once; in the end the board is the one after the move."""
    position = boyi.start("chinese_checkers")
    position.play(next(move for move in position.moves() if len(position.path(move)) > 1))
    last = find_last(position)
    assert last is not None
    frames = list(last.frames())
    assert [list(path) for _, _, path in frames] == [list(last.path[:count]) for count in range(1, len(last.path) + 1)]
    for _, stones, path in frames[:-1]:
        assert stones is not None
        at = {stone.point for stone in stones}
        assert path[-1] in at and len(stones) == len(last.before.stones())
        assert not at & (set(last.path) - {path[-1]})
    assert frames[-1][0].to_text() == position.to_text()
    placed = boyi.start("othello")
    placed.play("f5")
    found = find_last(placed)
    assert found is not None and [list(path) for _, _, path in found.frames()] == [[], ["f5"]]


def test_the_last_move_with_what_chance_added() -> None:
    position = boyi.start("jieqi")
    position.play("h2e2R")
    last = find_last(position)
    assert last is not None and last.after.to_text() == position.to_text() and last.seat == 0
    assert find_last(position, 1) is None


# ---------------------------------------------------------------------- at a terminal

SLOW_OPPONENT = ("--seats", "human,alphabeta:seconds=30")


def test_a_typed_line_is_heard_while_the_ai_thinks() -> None:
    with Screen("play", "othello", "--seed", "3", "--level", "1") as screen:
        screen.wait_for("Black> ")
        screen.type("ai 1\n")
        screen.wait_for("Level 1 plays for Black")
        screen.wait_for("3. Black: ")   # it plays turn after turn
        screen.type("d9\n")
        screen.wait_for("`resume` takes the seat back")
        screen.type("resume\n")
        screen.wait_for("Black is yours again.")
        screen.wait_for("Black> ")
        screen.type("quit\n")
        assert "Goodbye." in screen.read_all()
        assert screen.process.wait() == 0


def test_the_seat_is_taken_back_while_the_opponent_thinks() -> None:
    """Its thinking goes on, and what is typed after it is for when the person is asked."""
    with Screen("play", "othello", "--seed", "3", "--seats", "human,alphabeta:seconds=3") as screen:
        screen.wait_for("Black> ")
        screen.type("ai 1\n")
        screen.wait_for("1. Black: ")
        screen.type("resume\n")
        assert "2. White: " not in screen.wait_for("Black is yours again.")
        screen.type("hint\n")
        assert "2. White: " in screen.wait_for("Legal moves (")
        screen.type("quit\n")
        assert "Goodbye." in screen.read_all()


def test_ctrl_c_takes_the_seat_back_and_then_leaves() -> None:
    with Screen("play", "othello", *SLOW_OPPONENT) as screen:
        screen.wait_for("Black> ")
        screen.type("ai 1\n")
        screen.wait_for("1. Black: ")
        screen.process.send_signal(signal.SIGINT)
        screen.wait_for("Black is yours again.")   # while White thinks for half a minute
        assert screen.process.poll() is None
        screen.process.send_signal(signal.SIGINT)
        text = screen.read_all()
        assert screen.process.wait() == 130 and "Traceback" not in text


def test_quitting_while_the_ai_thinks() -> None:
    with Screen("play", "othello", *SLOW_OPPONENT) as screen:
        screen.wait_for("Black> ")
        screen.type("ai 1\n")
        screen.wait_for("1. Black: ")
        screen.type("quit\n")
        text = screen.read_all()
        assert "Goodbye." in text and "2. White: " not in text   # what it would have played is nobody's business
        assert screen.process.wait() == 0


def test_a_replay_is_a_film() -> None:
    """Pictures one over the other: the cursor goes up, and each point of the path has its turn."""
    with Screen("play", "xiangqi", *TOGETHER, LINES="40") as screen:
        screen.wait_for("Red> ")
        screen.type("h2e2\n")
        screen.wait_for("Black> ")
        screen.type("last\n")
        shown = screen.wait_for("Black> ")
        assert "h2 → e2" in shown and len(re.findall(r"\x1b\[\d+A\x1b\[J", shown)) == 1
        screen.type("quit\n")
    for environment in ({"TERM": "dumb"}, {"LINES": "10"}):   # where it cannot be, the last picture alone
        with Screen("play", "xiangqi", *TOGETHER, **environment) as screen:
            screen.wait_for("Red> ")
            screen.type("h2e2\nlast\n")
            shown = screen.wait_for("h2 → e2") + screen.wait_for("Black> ")
            assert "\x1b[J" not in shown
            screen.type("quit\n")


class Sleeper:
    """An agent that chooses when it is told to stop."""

    def __init__(self) -> None:
        self.stops = 0

    def choose(self, observation: boyi.Position, clock: object) -> int:
        while self.stops < 3:
            time.sleep(0.001)
        return observation.moves()[0]

    def stop(self) -> None:
        self.stops += 1


def test_thinking_ends_with_what_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_handing, "PAUSE_SECONDS", 0.0)
    agent = Sleeper()

    def leave(_seconds: float) -> None:
        raise EOFError

    with pytest.raises(EOFError):
        Thinking(agent, boyi.start("othello")).wait(leave)
    assert agent.stops >= 3   # it was told until it heard
    position = boyi.start("othello")
    assert Thinking(agent, position).wait(lambda seconds: None) == position.moves()[0]

    class Broken:
        def choose(self, observation: boyi.Position, clock: object) -> int:
            raise boyi.BoyiError("it broke")

    with pytest.raises(boyi.BoyiError, match="it broke"):
        Thinking(Broken(), position).wait(lambda seconds: None)


@pytest.mark.skipif(os.name != "posix", reason="terminals are listened to by select")
def test_the_whole_game_may_be_handed_over_at_a_terminal() -> None:
    with Screen("play", "tic_tac_toe", "--level", "1", "--seed", "1") as screen:
        screen.wait_for("Crosses> ")
        screen.type("ai 1\n")
        screen.wait_for("Press Enter to leave")
        screen.type("\n")
        assert screen.process.wait() == 0
