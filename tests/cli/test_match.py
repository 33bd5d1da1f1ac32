"""boyi match."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boyi.arena import tournament as module
from boyi.arena.bout import Bout
from boyi.cli import _match_watcher as match_module
from boyi.cli._progress import Progress
from tests.cli import Result, invoke, refused

pytestmark = pytest.mark.usefixtures("elsewhere")


MATCH = ("match", "othello", "alphabeta:nodes=200", "random", "--games", "4", "--seed", "7")


def test_a_match_is_reported() -> None:
    result = invoke(*MATCH)
    assert result.code == 0
    assert "whatever happens, this continues: boyi match" in result.err
    assert len(result.err.splitlines()) == 1   # progress is for terminals
    lines = result.out.splitlines()
    assert lines[1].startswith("alphabeta:nodes=200")
    assert lines[2].startswith("random")
    assert "4 games of Othello (seed 7)" in lines[3]
    assert "局" in invoke(*MATCH, language="zh").out


def test_a_match_as_json_and_records(tmp_path: Path) -> None:
    records = tmp_path / "games.txt"
    result = invoke(*MATCH, "--json", "--records", str(records))
    facts = result.json
    assert invoke(*MATCH, "--json").json == facts   # the same seed, the same match
    assert [row["agent"] for row in facts["standings"]] == ["alphabeta:nodes=200", "random"]
    assert sum(facts["standings"][0][name] for name in ("wins", "draws", "losses")) == 4
    assert [game["agents"] for game in facts["games"]] == [[0, 1], [1, 0]] * 2
    assert facts["games"][0]["opening"] == facts["games"][1]["opening"]
    assert invoke("record", "check", str(records)).code == 0
    assert invoke(*MATCH, "--records", str(records)).code == 2   # nothing is overwritten


def test_openings_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("moves f5 d6\nmoves f5 f6\n", encoding="utf-8")
    facts = invoke(*MATCH, "--openings", str(file), "--json").json
    openings = [game["opening"] for game in facts["games"]]
    assert openings[0] == openings[1] != openings[2] == openings[3]
    file.write_text("moves f5 f5\n", encoding="utf-8")
    assert "line 1" in invoke(*MATCH, "--openings", str(file)).err


def test_a_match_until_it_is_clear() -> None:
    arguments = ("match", "othello", "alphabeta:nodes=100", "random", "--seed", "7", "--sprt", "elo0=0,elo1=200")
    facts = invoke(*arguments, "--json").json
    test = facts["sprt"]
    assert test["verdict"] == "elo1"
    assert test["ratio"] >= test["bounds"][1]
    assert 2 * sum(test["pairs"]) == len(facts["games"]) < 100
    result = invoke(*arguments, "--games", "4")
    assert "not decided yet between 0 and 200 Elo" in result.out
    assert "尚无定论" in invoke(*arguments, "--games", "2", language="zh").out
    assert invoke(*MATCH, "--json").json["sprt"] is None


# ---------------------------------------------------------------------- interrupted and continued

def interrupt(monkeypatch: pytest.MonkeyPatch, games: int, *arguments: str) -> Result:
    """A match that somebody ends after so many games."""
    play = module.play_tournament

    def interrupted(*given: Any, **named: Any) -> Iterator[Bout]:
        for number, bout in enumerate(play(*given, **named), 1):
            yield bout
            if number == games:
                raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module, "play_tournament", interrupted)
        result = invoke(*arguments)
    assert result.code == 130
    return result


def printed_command(result: Result) -> list[str]:
    """What it says to go on with."""
    return shlex.split(result.err.splitlines()[-1].removeprefix("continue with: boyi "))


def test_what_was_interrupted_goes_on_by_the_command_it_prints(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    whole = invoke(*MATCH, "--json").json
    assert not list(tmp_path.iterdir())   # a match that is complete leaves nothing behind
    result = interrupt(monkeypatch, 3, *MATCH, "--records", "games.txt")
    assert "interrupted after 3 of 4 games" in result.out
    assert len(list(tmp_path.glob("match-othello-*.jsonl"))) == 1
    resumed = invoke(*printed_command(result), "--json")
    assert "3 games are there already" in resumed.err
    assert resumed.json == whole
    assert (whole["interrupted"], whole["command"]) == (False, None)
    assert [path.name for path in tmp_path.iterdir()] == ["games.txt"]
    assert invoke("record", "check", "games.txt").code == 0


def test_the_same_command_goes_on_and_a_named_journal_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seedless = MATCH[:-2]
    interrupt(monkeypatch, 2, *seedless)
    assert "2 games are there already" in invoke(*seedless).err
    assert not list(tmp_path.iterdir())
    arguments = (*MATCH, "--journal", "mine.jsonl")
    first = invoke(*arguments, "--json").json
    longer = invoke(*arguments, "--games", "6", "--json").json
    assert longer["games"][:4] == first["games"]
    assert invoke(*arguments, "--json").json == first   # of more games the first ones
    assert [path.name for path in tmp_path.iterdir()] == ["mine.jsonl"]
    assert "another tournament" in refused([*arguments, "--longest", "20"])
    assert "another tournament" in refused([*arguments, "--time", "100nodes"])
    assert "another tournament" in refused([*arguments, "--draw-after", "100"])


def test_a_test_goes_on_to_the_same_end(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("match", "othello", "alphabeta:nodes=100", "random", "--seed", "7", "--sprt", "elo0=0,elo1=200")
    whole = invoke(*arguments, "--json").json
    result = interrupt(monkeypatch, 7, *arguments)
    assert "not decided yet" in result.out
    assert invoke(*printed_command(result), "--json").json == whole
    # Games that were played beyond the end of the test do not count, and a test that is over plays none.
    journal = ("--journal", "mine.jsonl")
    longer = invoke(*arguments[:-2], "--games", str(len(whole["games"]) + 4), *journal)
    assert longer.code == 0
    again = invoke(*arguments, *journal, "--json")
    assert again.json == whole
    assert again.err == ""


def test_games_that_end_in_another_order_do_not_change_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("match", "othello", "alphabeta:nodes=100", "random", "--seed", "7", "--sprt", "elo0=0,elo1=200")
    whole = invoke(*arguments, "--json").json
    play = module.play_tournament

    def swapped(*given: Any, **named: Any) -> Iterator[Bout]:
        games = play(*given, **named)
        for first in games:
            waiting = [first, *(bout for bout, _ in zip(games, range(4), strict=False))]
            for bout in waiting:
                del given[1][bout.slot]
            for bout in reversed(waiting):
                given[1][bout.slot] = bout
                yield bout

    monkeypatch.setattr(module, "play_tournament", swapped)
    assert invoke(*arguments, "--json").json == whole


def test_the_line_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []

    class Shown(Progress):
        @property
        def due(self) -> bool:
            return True

        def show(self, state: str) -> None:
            lines.append(state)

    monkeypatch.setattr(match_module, "Progress", Shown)
    invoke(*MATCH, "--sprt", "elo0=0,elo1=10")
    assert len(lines) == 4
    assert lines[-1].startswith("4/4  4-0-0  Elo +∞  LOS 97.7%  LLR +")
    assert "games/s, 0:00:00 left" in lines[-1]
    invoke("match", "othello", "random", "random:seed=1", "--games", "3", "--seed", "1")
    assert " ± " in lines[-1]
    invoke("match", "chinese_checkers", "random", "random:seed=1", "--option", "players=3", "--games", "1", "--longest",
           "9")
    assert "first places 0.3" in lines[-1]


# ---------------------------------------------------------------------- clocks, ends and openings

def test_clocks_and_early_ends() -> None:
    agents = ("alphabeta", "alphabeta:nodes=20")
    facts = invoke("match", "othello", *agents, "--time", "100nodes", "--games", "2", "--json").json
    assert not any(game["failures"] for game in facts["games"])
    arguments = ("match", "othello", "alphabeta:nodes=2000", "alphabeta:nodes=10", "-n", "2", "--seed", "3", "--json")
    facts = invoke(*arguments, "--resign-value", "0.95", "--resign-moves", "2", "--draw-value", "0.01").json
    assert "agreed_win" in facts["reasons"]
    assert invoke(*arguments, "--longest", "10").json["reasons"] == {"too_long": 2}
    facts = invoke("match", "xiangqi", "random", "random:seed=1", "--games", "2", "--seed", "3", "--draw-after", "6",
                   "--json").json
    assert facts["reasons"] == {"no_progress": 2}


def test_openings_out_of_records(tmp_path: Path) -> None:
    assert invoke(*MATCH, "--records", "games.txt").code == 0
    facts = invoke(*MATCH, "--openings", "games.txt", "--opening-plies", "6", "--json").json
    openings = [game["opening"] for game in facts["games"]]
    assert openings[0] == openings[1]
    assert 60 - openings[0].split()[0].count("-") == 6
    assert "no game of these records goes on" in refused([*MATCH, "--openings", "games.txt", "--opening-plies", "900"])
    assert "liuzhou are wanted" in refused(["match", "liuzhou", "random", "random", "--openings", "games.txt"])


@pytest.mark.parametrize(("options", "words"), [
    (["--time", "soon"], "not a clock"), (["--margin", "1"], "--time, which is not given"),
    (["--draw-moves", "3"], "--draw-value, which is not given"), (["--draw-value", "0.7"], "how far from a half"),
    (["--resign-value", "0.4"], "above 0.5"), (["--resign-moves", "3"], "--resign-value"),
    (["--opening-plies", "3"], "--openings, which is not given"), (["--draw-from", "3"], "--draw-value"),
])
def test_bad_conditions_are_refused(options: list[str], words: str) -> None:
    for command in (["match", "othello", "random", "random"], ["tournament", "othello", "random", "random:seed=1"]):
        assert words in refused([*command, *options])


def test_several_players() -> None:
    result = invoke("match", "chinese_checkers", "random:seed=1", "random", "--option", "players=3", "--games", "3",
                    "--seed", "1")
    assert "× fair share" in result.out
    assert "mean place" in result.out


def test_play_against_a_level() -> None:
    result = invoke("play", "othello", "--level", "1", "--seed", "1", stdin="f5\nquit\n")
    assert result.code == 0
    assert "White: level 1 (novice)\n" in result.out
    assert "2. White: " in result.out


@pytest.mark.filterwarnings("always::boyi.core.errors.BoyiWarning")
def test_networks_under_other_limits() -> None:
    """A refusal that says what to say; then a warning, and games."""
    command = ("match", "liuzhou", "mcts:net=liuzhou,simulations=4", "random", "--games", "2", "--seed", "1",
               "--option", "action_limit=40")
    refused = invoke(*command)
    assert refused.code == 2 and "action_limit=144 (here 40)" in refused.err and "--any-limits" in refused.err
    played = invoke(*command, "--any-limits", "--json")
    assert played.code == 0 and "was trained with other limits of moves" in played.err
    assert played.json["agents"] == ["mcts:any_limits=on,net=liuzhou,simulations=4", "random"]
