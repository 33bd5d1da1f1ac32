"""boyi play: conversations piped in."""

from __future__ import annotations

from pathlib import Path

import pytest

import boyi
from boyi.core.game import Game
from boyi.core.position import CHANCE
from boyi.games import all_games, find_game
from boyi.kit.ladder import find_ladder
from tests.cli import Result, invoke
from tests.cli.test_reports import WIPE_OUT, every_game


def play(*lines: str, game: str = "othello", options: tuple[str, ...] = (), language: str = "en") -> Result:
    return invoke("play", game, "--seed", "3", *options, stdin="".join(f"{line}\n" for line in lines),
                  language=language)


TOGETHER = ("--seats", "human,human")


def test_two_people_play_a_whole_game() -> None:
    result = play(*WIPE_OUT.split(), options=TOGETHER)
    assert result.code == 0
    assert "9. Black: c5" in result.out
    assert "Game over: neither side can move; 13–0, Black wins by 64" in result.out
    assert result.err == ""


def test_the_same_in_chinese() -> None:
    result = play("f5", "zz", "a1", "帮助", "提示", "棋盘", "悔棋", "退出", language="zh")
    for words in ("黑方：人", "看不懂“zz”", "此着不合规则：a1", "列出合法着法", "合法着法（", "已悔：f5", "再见。"):
        assert words in result.out


def test_end_of_input_is_polite() -> None:
    for lines in ([], ["f5"], ["f5", "hint"]):
        result = play(*lines)
        assert result.code == 0
        assert result.out.endswith("Goodbye.\n")


@pytest.mark.parametrize(("level", "language", "shown"), [
    ("medium", "en", "White: level {} ("), ("1", "en", "White: level {} (novice)\n"),
    ("Hard", "zh", "白方：电脑（{} 级·"),
    ("初级", "zh", "白方：电脑（{} 级·"), ("1", "zh", "白方：电脑（{} 级·新手）")])
def test_levels_by_number_and_name(level: str, language: str, shown: str) -> None:
    number = find_ladder(find_game("othello")).read(level)
    assert shown.format(number) in play("quit", options=("--level", level), language=language).out


def test_quit() -> None:
    result = play("quit", "f5")
    assert "1. Black: f5" not in result.out
    assert result.out.endswith("Goodbye.\n")


def test_hints_are_off_until_asked_for() -> None:
    assert "Legal moves" not in play("f5").out
    assert "Legal moves (4): d3 c4 f5 e6" in play("hint").out
    assert "Legal moves (4): d3 c4 f5 e6" in play(options=("--hints",)).out


def test_help_names_every_command() -> None:
    out = play("help").out
    for word in ("help", "hint", "board", "flip", "last [PLAYER]", "ai [LEVEL]", "resume [PLAYER]", "undo", "resign",
                 "save FILE", "quit"):
        assert word in out


def test_a_refused_move_changes_nothing() -> None:
    result = play("zz", "a1", "pass", "f5", options=(*TOGETHER, "--json"))
    assert result.json["moves"] == ["f5"]
    assert "'zz' is not an Othello move" in result.err
    assert "'a1' is not a legal move here; legal are d3" in result.err


def test_undo_against_an_agent_goes_back_to_the_own_decision() -> None:
    result = play("f5", "undo", "c4", options=("--json",))
    moves = result.json["moves"]
    assert moves[0] == "c4"
    assert len(moves) == 2
    assert "Taken back: f5 " in result.err


def test_undo_between_people_goes_back_one_decision() -> None:
    assert play("f5", "d6", "undo", options=(*TOGETHER, "--json")).json["moves"] == ["f5"]
    assert play("f5", "d6", "undo", "undo", options=(*TOGETHER, "--json")).json["moves"] == []


def test_undo_with_nothing_to_take_back() -> None:
    assert "nothing of yours to take back" in play("undo").out
    # White's first decision is the first thing a person decided here; Black's move is not his to take back.
    assert "nothing of yours to take back" in play("undo", options=("--seats", "random,human")).out


def test_undo_after_the_end() -> None:
    result = play(*WIPE_OUT.split(), "undo", "c5", options=(*TOGETHER, "--json"))
    assert result.json["moves"] == WIPE_OUT.split()
    assert result.err.count("Game over") == 2
    result = play(*WIPE_OUT.split(), "undo", "quit", options=(*TOGETHER, "--json"))
    assert result.json["moves"] == WIPE_OUT.split()[:-1]


def test_resign() -> None:
    result = play("f5", "resign", options=("--json",)).json
    assert result["over"] is True
    assert result["result"] == [-1, 1]
    assert result["reason"] == "resignation"
    assert result["legal_moves"] == []
    taken_back = play("f5", "resign", "undo", "quit", options=("--json",)).json
    assert taken_back["over"] is False
    assert len(taken_back["moves"]) == 2


def test_resigning_from_a_game_of_three() -> None:
    seats = ("--option", "players=3", "--seats", "human,human,human")
    result = play("resign", "hint", game="chinese_checkers", options=(*seats, "--json")).json
    assert result["over"] is False
    assert result["turn"] == 1
    result = play("resign", "resign", game="chinese_checkers", options=(*seats, "--json")).json
    assert result["over"] is True
    assert result["places"][2] == 1
    # With nobody left to play for, the agents do not play on among themselves.
    assert play("resign", game="chinese_checkers", options=("--option", "players=3")).out.endswith("Goodbye.\n")


def test_a_forced_pass_is_played_and_announced() -> None:
    text = "--OOO----X-O------XX-------XX------XX-------X------------------- X"
    position = boyi.parse("othello", text)
    assert [position.format_move(move) for move in position.moves()] == ["pass"]
    result = play(options=("--seats", "random,random", "--fen", text))
    assert "1. Black: pass (the only move)" in result.out
    assert "Game over" in result.out


def test_the_same_seed_plays_the_same_game() -> None:
    def run(*options: str) -> str:
        return invoke("play", "othello", "--seats", "random,random", *options).out

    assert run("--seed", "5") == run("--seed", "5")
    assert run("--seed", "5") != run("--seed", "6")
    given = "random:seed=1,random:seed=2"
    assert (invoke("play", "othello", "--seats", given).out == invoke("play", "othello", "--seats", given).out)


def test_save_writes_a_record_that_replays(tmp_path: Path) -> None:
    path = tmp_path / "a game.boyi"
    result = play("f5", f"save {path}", f"save {path}", "save", f"save {tmp_path}/no/such", "save \x00",
                  "save ~nobody/x")
    assert f"Saved to '{path}'" in result.out
    assert "there is such a file already" in result.out
    assert "save FILE" in result.out
    assert result.out.count("Cannot save") == 4
    record = boyi.core.record.Record.parse(path.read_text(encoding="utf-8"), boyi.find_game)
    assert record.replay().ply == 2
    assert record.players == ("human", "level:3") and "Assisted" not in record.tags


def test_save_after_resigning(tmp_path: Path) -> None:
    play("f5", "resign", f"save {tmp_path}/game")
    record = boyi.core.record.Record.parse((tmp_path / "game").read_text(encoding="utf-8"), boyi.find_game)
    assert record.result == (2, 1)
    assert record.reason == "resignation"


def test_flip_turns_the_board() -> None:
    assert play(game="xiangqi").out.count("帥") == 1
    first, second = play("flip", game="xiangqi").out.split("Red> flip")
    assert first.index("將") < first.index("帥")
    assert second.index("帥") < second.index("將")


def test_ascii() -> None:
    assert play(options=("--ascii",), game="xiangqi").out.isascii()


def test_notations() -> None:
    result = play("炮二平五", "undo", "C2=5", "undo", "h2e2", game="xiangqi", options=("--notation", "chinese"))
    assert result.out.count("1. Red: 炮二平五") == 3


def test_liuzhou_says_what_to_do() -> None:
    out = play("d3", game="liuzhou").out
    assert "Black, place a stone> d3" in out
    assert "黑方，落子> " in play("d3", game="liuzhou", language="zh").out
    # Two squares by one stone earn two marks, one action each.
    text = "b1b3/bbb3/6/6/6/wwwww1 b place 0 10 0"
    out = play("b1", "!a6", "!b6", game="liuzhou", options=(*TOGETHER, "--fen", text)).out
    assert "Black, mark a stone of the opponent (2 to go)> !a6" in out
    assert "Black, mark a stone of the opponent> !b6" in out
    assert "White, place a stone> " in out


# ---------------------------------------------------------------------- every game

@every_game
def test_agents_finish_every_game(game: Game) -> None:
    players = game.start().players
    result = invoke("play", game.name, "--seats", ",".join(["random"] * players), "--seed", "1", "--json")
    assert result.code == 0
    assert result.json["over"] is True
    assert result.json["ending"] == "over"
    assert len(result.json["moves"]) == result.json["ply"]
    # What was played is what the judge says of the same moves.
    judged = invoke("judge", game.name, "--moves", " ".join(result.json["moves"]), "--json").json
    assert judged.pop("unplayed") == []
    assert {name: result.json[name] for name in judged} == judged


@every_game
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_person_begins_every_game(game: Game, language: str) -> None:
    position = game.start()
    first = position.format_move(position.moves()[0])
    result = play("hint", first, "undo", "board", game=game.name, language=language)
    assert result.code == 0
    assert result.out.count(first) >= 3
    assert position.board.seat_names[0].say("zh" if language == "zh" else "en") in result.out


# ---------------------------------------------------------------------- chance and secrets

def test_chance_draws_the_same_after_undo() -> None:
    lines = ("h2e2", "undo", "h2e2", "quit")
    out = play(*lines, game="jieqi", options=TOGETHER).out
    drawn = [line for line in out.splitlines() if line.startswith("   Red turns up")]
    assert len(drawn) == 2
    assert drawn[0] == drawn[1]


def test_moves_are_counted_without_what_chance_added() -> None:
    out = play("h2e2", "h7e7", "quit", game="jieqi", options=TOGETHER).out
    assert "1. Red: h2e2" in out
    assert "2. Black: h7e7" in out


def test_a_game_with_secrets_is_saved_as_its_player_knows_it(tmp_path: Path) -> None:
    # The cannon takes a covered horse; only Red learns that it was one.
    play("b2b9", f"save {tmp_path}/red", "quit", game="jieqi", options=("--seats", "human,random"))
    play(f"save {tmp_path}/black", "quit", game="jieqi", options=("--seats", "random,human", "--moves", "b2b9Pn"))
    for name in ("red", "black"):
        record = boyi.core.record.Record.parse((tmp_path / name).read_text(encoding="utf-8"), boyi.find_game)
        assert record.replay().turn in (0, 1)
    assert "b2b9Pn" not in (tmp_path / "black").read_text(encoding="utf-8")


def test_a_player_cannot_choose_what_chance_brings() -> None:
    assert "also says what chance will bring" in play("h2e2R", game="jieqi").out


@pytest.mark.parametrize("seed", range(5))
def test_agents_see_only_their_own_view(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from boyi.agents.random import RandomAgent
    seen: list[str] = []
    choose = RandomAgent.choose

    def spy(self: RandomAgent, observation: boyi.Position, clock: object) -> int:
        assert observation.turn != CHANCE
        seen.append(observation.to_text().split()[-1])
        return choose(self, observation, clock)   # type: ignore[arg-type]

    monkeypatch.setattr(RandomAgent, "choose", spy)
    invoke("play", "jieqi", "--seats", "random,random", "--seed", str(seed))
    assert set(seen) == {"w", "b"}


# ---------------------------------------------------------------------- the menu

def test_menu() -> None:
    number = list(all_games()).index("othello") + 1
    result = invoke("play", "--seed", "1",
                    stdin=f"nonsense\n{number}\n9\n3\nf5\nquit\nothello\n2\n16\n1\nquit\n\n")
    assert result.code == 0
    assert "There is no 'nonsense' in the list." in result.out
    assert "There is no '9' in the list." in result.out
    assert "1. Black: f5" in result.out
    assert result.out.count("Which game?") == 3
    assert "Black: human, White: human" in result.out
    highest = len(find_ladder(find_game("othello")))
    assert f"There is no level '16'; levels go from 1 to {highest}." in result.out
    assert "  1  novice" in result.out and f"  {highest}  master; everything the engine has" in result.out
    assert "Black: level 1 (novice), White: human" in result.out
    assert "network" not in result.out   # none comes with Othello
    assert result.out.endswith("Goodbye.\n")


def test_menu_offers_networks() -> None:
    """A model that comes with Boyi, or an evaluator of the game that is one; each plays a move."""
    result = invoke("play", stdin="liuzhou\n4\n1\nquit\nxiangqi\n3\n\nh2e2\nquit\n\n", language="en")
    assert "2  alphabeta:evaluator=net,seconds=1" in result.out   # the other one of Liuzhou qi
    assert "Black: mcts:net=liuzhou,seconds=1.0, White: human" in result.out
    assert "1. Black: " in result.out
    assert "Red: human, Black: alphabeta:evaluator=net,seconds=1.0" in result.out
    assert "2. Black: " in result.out
    result = invoke("play", stdin="六洲棋\n3\n\n退出\n\n", language="zh")
    assert "哪个网络？" in result.out and "黑方：人，白方：mcts:net=liuzhou,seconds=1.0" in result.out


def test_menu_lets_levels_play() -> None:
    result = invoke("play", "--seed", "1", stdin="tic_tac_toe\n4\n1\n\n")
    assert "Crosses: level 1 (novice), Noughts: level 1 (novice)" in result.out and "Game over" in result.out


def test_a_level_is_the_opponent_of_who_names_none() -> None:
    first = play("quit").out.splitlines()[0]
    ladder = find_ladder(find_game("othello"))
    assert first == (f"Othello. Black: human, White: level {ladder.write(3, 'en')} (other strengths: --level 1 to "
                     f"{len(ladder)}; the menu: boyi play)")
    first = play("quit", language="zh").out.splitlines()[0]
    assert first == (f"黑白棋。黑方：人，白方：电脑（{ladder.write(3, 'zh')}）（换级别：--level 1 至 {len(ladder)}；"
                     "菜单：boyi play）")
    assert "strengths" not in play("quit", options=("--level", "3")).out.splitlines()[0]
    three = play("quit", game="chinese_checkers", options=("--option", "players=3", "--json")).json
    assert three["agents"] == ["human", "level:3", "level:3"]


def test_menu_asks_how_many_play() -> None:
    result = invoke("play", stdin="chinese checkers\n7\n3\n\n2\nquit\n")
    assert "'7' is not a whole number from 2 to 6" in result.out
    assert result.out.count(": level 2 (") == 2


def test_menu_in_chinese() -> None:
    result = invoke("play", stdin="黑白棋\n1\n\n退出\n退出\n", language="zh")
    assert "想下哪种棋？" in result.out and "哪一级？" in result.out
    assert "黑方：人，白方：电脑（3 级·" in result.out and "1  新手" in result.out


def test_menu_ends_with_its_input() -> None:
    for lines in ("", "othello\n", "othello\n1\n", "othello\n1\nf5\n"):
        assert invoke("play", stdin=lines).out.endswith("Goodbye.\n")
