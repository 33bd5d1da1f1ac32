"""games, perft, judge, bench, doctor: what they print."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from boyi.cli import bench
from boyi.cli.doctor import find_extras, find_modules
from boyi.core.game import Game, load
from boyi.games import all_games, find_game, listed_games
from tests.cli import invoke

# The shortest game there is: nine moves, and White has no disc left.
WIPE_OUT = "e6 f4 e3 f6 g5 d6 e7 f5 c5"
GAMES = sorted(listed_games(), key=lambda game: game.name)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def test_version() -> None:
    result = invoke("--version")
    assert result.code == 0
    assert result.out.startswith("boyi ")


def test_module_runs_as_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "boyi", "perft", "othello", "3", "--json"],
                          capture_output=True, text=True, check=True)
    assert '"nodes": 56' in done.stdout


# ---------------------------------------------------------------------- games

def test_games_lists_every_game_and_option() -> None:
    for language in ("en", "zh"):
        text = invoke("games", language=language).out
        for game in GAMES:
            assert game.name in text
            assert game.title.say("zh" if language == "zh" else "en") in text
            assert all(option.name in text for option in game.options)


def test_games_json_has_the_facts() -> None:
    facts = {game["name"]: game for game in invoke("games", "--json").json}
    assert set(facts) == {game.name for game in listed_games()}
    assert facts["othello"]["players"] == {"least": 2, "most": 2}
    for game in GAMES:
        described = {option["name"]: option for option in facts[game.name]["options"]}
        assert {option.name: option.default for option in game.options} == {
            name: option["default"] for name, option in described.items()}
        assert facts[game.name]["start"] == game.start().to_text()


# ---------------------------------------------------------------------- perft

def test_perft_counts_distinct_positions() -> None:
    levels = invoke("perft", "othello", "4", "--distinct", "--symmetric", "--json").json["levels"]
    assert [list(level.values()) for level in levels] == [
        [0, 1, 1, 1], [1, 4, 4, 1], [2, 12, 12, 3], [3, 56, 54, 14], [4, 244, 236, 60]]
    assert "classes" not in invoke("perft", "othello", "1", "--distinct", "--json").json["levels"][0]
    table = invoke("perft", "othello", "3", "--distinct").out.splitlines()
    assert table[0].split() == ["depth", "sequences", "positions"] and table[4].split() == ["3", "56", "54"]
    assert table[5].startswith("56 sequences end in 54 positions, ")
    chinese = invoke("perft", "othello", "1", "--distinct", "--symmetric", language="zh").out
    assert "对称等价类" in chinese and "4 个着法序列到达 4 个不同局面" in chinese


def test_perft_tells_the_levels_that_fit_into_memory() -> None:
    for as_json in ([], ["--json"]):
        result = invoke("perft", "othello", "8", "--distinct", "--memory", "1", *as_json)
        assert result.code == 2 and "42614" in result.out and "269352" not in result.out
        assert "depth 8: more than 1 MB would be needed" in result.err and "allow more memory" in result.err


def test_perft_of_a_finished_game_has_one_position() -> None:
    levels = invoke("perft", "othello", "2", "--distinct", "--moves", WIPE_OUT, "--json").json["levels"]
    assert [(level["sequences"], level["positions"]) for level in levels] == [(1, 1)] * 3


@pytest.mark.parametrize(("depth", "nodes"), [(0, 1), (1, 4), (2, 12), (3, 56), (6, 8200)])
def test_perft_counts(depth: int, nodes: int) -> None:
    assert invoke("perft", "othello", str(depth), "--json").json["nodes"] == nodes
    assert invoke("perft", "othello", str(depth)).out.startswith(f"{nodes} nodes")


def test_perft_divides() -> None:
    parts = invoke("perft", "othello", "4", "--divide", "--json").json["divide"]
    assert parts == {"d3": 61, "c4": 61, "f5": 61, "e6": 61}
    assert "f5: 61\n" in invoke("perft", "othello", "4", "--divide").out


@pytest.mark.parametrize("split", [[], ["--divide"]])
def test_perft_of_a_finished_game(split: list[str]) -> None:
    result = invoke("perft", "othello", "3", "--moves", WIPE_OUT, "--json", *split)
    assert result.json["nodes"] == 1   # by the custom of Othello players


# ---------------------------------------------------------------------- judge

@every_game
def test_judge_of_every_start(game: Game) -> None:
    start = game.start()
    verdict = invoke("judge", game.name, "--json").json
    assert verdict["turn"] == start.turn
    assert verdict["over"] is False
    assert verdict["result"] is verdict["places"] is verdict["reason"] is verdict["words"] is None
    assert verdict["legal_moves"] == [start.format_move(move) for move in start.moves()]
    assert verdict["text"] == start.to_text()
    for language in ("en", "zh"):
        assert start.to_text() in invoke("judge", game.name, language=language).out


def test_judge_of_a_finished_game() -> None:
    verdict = invoke("judge", "othello", "--moves", WIPE_OUT, "--json").json
    assert verdict["turn"] == "over"
    assert verdict["over"] is True
    assert verdict["result"] == [1, -1]
    assert verdict["places"] is None
    assert verdict["reason"] == "no_moves"
    assert verdict["legal_moves"] == []
    assert "Black wins" in verdict["words"]["en"]
    text = invoke("judge", "othello", "--moves", WIPE_OUT).out
    assert "Game over" in text
    assert "Black +1  White -1" in text
    assert "对局结束" in invoke("judge", "othello", "--moves", WIPE_OUT, language="zh").out


@pytest.mark.parametrize("moves", ["f5 d6 c3", "f5,d6,c3", " f5 ,  d6\nc3 ", "1. f5 d6 2. c3", "f5，d6、c3"])
def test_judge_takes_moves_in_many_ways(moves: str) -> None:
    assert invoke("judge", "othello", "--moves", moves, "--json").json["ply"] == 3


def test_judge_names_the_wrong_move() -> None:
    result = invoke("judge", "othello", "--moves", "f5 d6 a1 c3")
    assert result.code == 2
    assert "move 3" in result.err
    assert "'a1' is not a legal move here; legal are c3" in result.err


def test_judge_places_more_than_two() -> None:
    arguments = ["judge", "chinese_checkers", "--option", "players=3", "--json"]
    assert invoke(*arguments).json["players"] == 3
    moves = invoke(*arguments, "--option", "turn_limit=1", "--moves", "n1-m5 h1-i1 e10-e9").json
    assert moves["over"] is True
    assert moves["places"] == [1, 1, 1]
    assert moves["result"] == [0, 0, 0]


def test_rules_is_short_for_an_option() -> None:
    for arguments in (["--rules", "reference"], ["--option", "rules=reference"]):
        options = invoke("judge", "liuzhou", "--json", *arguments).json["options"]
        assert options["rules"] == "reference"
        assert options["threshold"] == 4


def test_judge_explains_a_repetition() -> None:
    moves = "a2a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9 a8a9"
    verdict = invoke("judge", "xiangqi", "--fen", "4k4/9/9/9/9/9/9/R8/9/3K5 w - - 0 1", "--moves", moves, "--json").json
    assert verdict["result"] == [-1, 1]
    assert len(verdict["explanation"]) > 1
    text = invoke("judge", "xiangqi", "--fen", "4k4/9/9/9/9/9/9/R8/9/3K5 w - - 0 1", "--moves", moves).out
    assert all(sentence["en"] in text for sentence in verdict["explanation"])


# ---------------------------------------------------------------------- bench and doctor

def test_bench_searches_the_same_every_time() -> None:
    first, second = (invoke("bench", "--json").json for _ in range(2))
    assert {row["game"] for row in first["searches"]} == set(all_games())
    assert {row["algorithm"] for row in first["searches"]} >= {"alphabeta", "expectimax", "race_mcts"}
    assert all(row["positions"] > 1 and row["nodes"] > row["positions"] for row in first["searches"])
    assert [row["nodes"] for row in first["searches"]] == [row["nodes"] for row in second["searches"]]
    assert first["signature"] == second["signature"] == sum(row["nodes"] for row in first["searches"])
    alone = invoke("bench", "othello", "--json").json
    assert alone["searches"][0]["nodes"] in [row["nodes"] for row in first["searches"] if row["game"] == "othello"]
    assert f"signature: {alone['signature']} nodes" in invoke("bench", "othello").out


def test_bench_has_a_search_for_every_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chance among three players, and no evaluator; they count only where they are named."""
    own = {"othello": find_game("othello")}
    toys = {name: load(f"tests.toys.{name}") for name in ("connect_four", "orchard")}
    monkeypatch.setattr(bench, "all_games", lambda: own | toys)
    rows = invoke("bench", "--json").json
    assert [(row["game"], row["algorithm"], row["depth"]) for row in rows["searches"]] == [
        ("othello", "alphabeta", bench.DEPTHS["alphabeta"]), ("connect_four", "mcts", None), ("orchard", "mcts", None)]
    assert rows["signature"] == rows["searches"][0]["nodes"]
    monkeypatch.setattr(bench, "find_game", toys.__getitem__)
    named = invoke("bench", "orchard", "--json").json
    assert named["signature"] == named["searches"][0]["nodes"] == rows["searches"][2]["nodes"]


def test_bench_sees_another_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number must move when a search changes: here its depth, which is the least of changes."""
    before = invoke("bench", "othello", "--json").json["signature"]
    monkeypatch.setitem(bench.DEPTHS, "alphabeta", bench.DEPTHS["alphabeta"] - 1)
    assert invoke("bench", "othello", "--json").json["signature"] != before


def test_bench_counts_the_rules_the_same_every_time() -> None:
    first, second = (invoke("bench", "othello", "--rules", "--json").json for _ in range(2))
    assert first["signature"] == second["signature"]
    assert first["games"][0]["leaves"] == 390_216   # perft 8 of Othello, a published number
    assert all(speed > 0 for name, speed in first["games"][0].items() if name.endswith("per_second"))
    assert str(first["signature"]) in invoke("bench", "othello", "--rules").out


def test_doctor_looks_everywhere() -> None:
    findings = invoke("doctor", "--json").json
    assert {"version", "python", "cpu", "build", "modules", "games", "extras", "peers", "data", "terminal"} <= set(
        findings)
    assert findings["games"] == list(all_games())
    assert findings["build"]["kind"] in ("release", "checked")
    assert "boyi.core.position" in [module["name"] for module in findings["modules"]]
    assert not [module for module in findings["modules"] if module["problem"]]
    for language in ("en", "zh"):
        result = invoke("doctor", language=language)
        assert result.code == 0
        for extra in findings["extras"]:
            assert (extra["install"] in result.out) == (not extra["installed"])


def test_doctor_blames_no_module_for_an_extra_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without NumPy `boyi.envs.vector` does not load; to install Boyi again would not help."""
    real = importlib.import_module
    missing = {"boyi.envs.vector": ModuleNotFoundError("No module named 'numpy'", name="numpy"),
               "boyi.core.position": ModuleNotFoundError("No module named 'boyi.core.board'", name="boyi.core.board"),
               "boyi.kit.gate": ImportError("undefined symbol")}

    def load_module(name: str) -> object:
        if name in missing:
            raise missing[name]
        return real(name)

    monkeypatch.setattr("importlib.import_module", load_module)
    modules = {module.name: module.problem for module in find_modules()}
    assert "boyi.envs.vector" not in modules
    assert modules["boyi.core.position"] and modules["boyi.kit.gate"] == "undefined symbol"
    assert modules["boyi.games.othello.position"] is None


def test_doctor_finds_missing_extras() -> None:
    extras = {extra.name: extra for extra in find_extras([
        "typer>=0.15", "pytest>=8; extra == 'here'", "no-such-thing>=1 ; python_version < '4' and extra == \"gone\"",
        "pytest; extra == 'gone'"])}
    assert extras["here"].installed
    assert not extras["gone"].installed
    assert extras["gone"].missing == ("no-such-thing",)
    assert extras["gone"].install == "pip install 'boyi[gone]'"


def test_doctor_finds_the_data(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("BOYI_DATA", str(tmp_path))
    assert invoke("doctor", "--json").json["data"] == {"path": str(tmp_path), "found": True, "from_environment": True}
    monkeypatch.setenv("BOYI_DATA", f"{tmp_path}/gone")
    assert invoke("doctor", "--json").json["data"]["found"] is False
    assert "BOYI_DATA" in invoke("doctor").out
