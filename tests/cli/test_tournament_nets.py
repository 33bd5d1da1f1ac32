"""boyi tournament --nets: many models, few meetings."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import boyi
from tests.cli import invoke
from tests.nets.models import write_model

pytestmark = pytest.mark.usefixtures("elsewhere")


def models(count: int, folder: str = "run", game: str = "tic_tac_toe") -> None:
    Path(folder).mkdir(parents=True)
    for number in range(count):
        write_model(Path(folder) / f"{number:03}.onnx", boyi.start(game), seed=number)


FAST = ("--simulations", "2", "--rounds", "1", "--random-plies", "2", "--seed", "1")


def test_eighty_models_meet_the_swiss_way() -> None:
    models(80)
    result = invoke("tournament", "tic_tac_toe", "--nets", "run/*.onnx", *FAST, "--swiss", "1", "--json")
    facts = result.json
    assert len(facts["agents"]) == 80 and len(facts["games"]) == 80
    assert facts["agents"][7] == f"mcts:net={Path('run') / '007.onnx'},simulations=2"
    assert not any(row["failures"] for row in facts["table"])
    assert sorted(agent for game in facts["games"] for agent in game["meeting"]) == sorted(list(range(80)) * 2)


def test_many_agents_are_swiss_unless_told_otherwise() -> None:
    models(12)
    command = ("tournament", "tic_tac_toe", "random:seed=1", "--nets", "run/0*.onnx", *FAST)
    result = invoke(*command, "--json")
    assert "13 agents meet the Swiss way, in 7 stages: 84 games instead of 156" in result.err
    assert "--everybody" in result.err
    facts = result.json
    assert facts["agents"][0] == "random:seed=1" and len(facts["agents"]) == 13
    assert len(facts["games"]) == facts["games_in_all"] == 7 * 6 * 2
    meetings = {tuple(game["meeting"]) for game in facts["games"]}
    assert len(meetings) == 7 * 6      # nobody meets anybody twice while there are others
    assert "瑞士制" in invoke(*command, language="zh").err
    everybody = invoke(*command, "--everybody", "--json")
    assert "Swiss" not in everybody.err and everybody.json["games_in_all"] == 13 * 12
    # Twelve are few: no word of Swiss.
    few = invoke("tournament", "tic_tac_toe", "--nets", "run/00*.onnx", "--nets", "run/000.onnx", *FAST, "--json")
    assert "Swiss" not in few.err and len(few.json["agents"]) == 10


def test_the_printed_command_continues() -> None:
    models(3)
    first = invoke("tournament", "tic_tac_toe", "random:seed=1", "--nets", "run/*.onnx", *FAST, "--json")
    command = shlex.split(first.err.split("this continues: boyi ")[1].splitlines()[0])
    assert "--nets" in command and "run/*.onnx" in command
    again = invoke(*command)
    assert again.json == first.json and "12 games are there already" in again.err
    # Another model of the same name is another agent.
    write_model(Path("run") / "001.onnx", boyi.start("tic_tac_toe"), seed=77)
    result = invoke(*command)
    assert result.code == 2 and "another tournament: its models is" in result.err


def test_models_that_do_not_fit_are_refused_before_the_first_game(tmp_path: Path) -> None:
    models(2)
    write_model(Path("run") / "other.onnx", boyi.start("othello"))
    result = invoke("tournament", "tic_tac_toe", "--nets", "run/*.onnx", *FAST)
    assert result.code == 2 and "trained for 'othello' and not for tic_tac_toe" in result.err
    assert not list(tmp_path.glob("*.jsonl"))
    models(1, "with,comma")
    result = invoke("tournament", "tic_tac_toe", "--nets", "with,comma/*.onnx", "random", *FAST)
    assert result.code == 2 and "the comma in" in result.err
