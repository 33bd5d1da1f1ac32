"""Networks for plug-ins: an evaluator fitted to what stands on a board that nobody described."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import boyi
from boyi.agents import Clock, make_agent, read_spec
from boyi.agents.searching import find_default, find_evaluator
from boyi.core.errors import BoyiError
from boyi.core.game import Game
from boyi.kit.board_net import BoardNet, board_net, open_board_net
from boyi.kit.nnue import Net, NetError, pack
from tests.toys import find_game_or_toy

np = pytest.importorskip("numpy", reason="training needs numpy: pip install 'boyi[learn]'")

from boyi.learn.fitting.labels import Array  # noqa: E402
from boyi.learn.fitting.net import fit  # noqa: E402
from boyi.learn.fitting.positions import LabelledPosition  # noqa: E402
from boyi.learn.fitting.samples import FEWEST, facts, find_class, gather, row_table  # noqa: E402
from boyi.learn.fitting.settings import BOARD_BATCH, NetSettings  # noqa: E402

TOYS = Path(__file__).parents[2] / "toys"


@pytest.fixture
def game() -> Game:
    return find_game_or_toy("connect_four")


def walk(game: Game, dice: random.Random, plies: int) -> boyi.Position:
    position = game.start()
    for _ in range(plies):
        if position.turn == boyi.OVER:
            break
        position.play(dice.choice(position.moves()))
    return position


def scribbled(game: Game, width: int = 16) -> BoardNet:
    """A network of random numbers."""
    kind, dice = board_net(game), np.random.default_rng(1)
    numbers: list[Array] = [dice.integers(-90, 91, (kind.ROWS, width)), dice.integers(-90, 91, width),
                            dice.integers(-127, 128, (1, 2 * width)), np.zeros(2)]
    data = b"".join(part.astype("<i2").tobytes() for part in numbers)
    return kind(Net(facts(kind, width, False, 300.0, 300.0), data))


def test_sums_kept_up_to_date_equal_sums_computed_anew(game: Game) -> None:
    evaluator, dice, values = scribbled(game), random.Random(2), set()
    for _ in range(40):
        position = walk(game, dice, dice.randrange(20))
        for _ in range(10):
            if position.turn >= 0:
                values.add(evaluator.value(position))
                assert evaluator.value(position) == evaluator.fresh_value(position)
                position.play(dice.choice(position.moves()))
            elif position.ply:
                position.undo()
    assert len(values) > 50


def test_the_image_of_a_row_is_the_row_of_the_image(game: Game) -> None:
    plain, mirrored = row_table(board_net(game).find_inputs())
    assert np.array_equal(np.unique(mirrored), np.arange(board_net(game).ROWS + 1))
    (points,) = board_net(game).IMAGES
    assert np.array_equal(mirrored, plain[:, :, list(points)]) and not np.array_equal(mirrored, plain)


def count_middle(position: boyi.Position) -> int:
    """Something to learn: who has more discs in the middle column."""
    own, other = "xo"[position.turn], "ox"[position.turn]
    middle = str(position.state[0][3::7])                      # type: ignore[attr-defined]
    return 200 * (middle.count(own) - middle.count(other))


def test_a_fit_learns_what_stands_where(game: Game, tmp_path: Path) -> None:
    dice = random.Random(3)
    positions = [walk(game, dice, dice.randrange(4, 30)) for _ in range(3 * FEWEST)]
    labelled = [LabelledPosition(number, position.to_text(), value := count_middle(position), (value > 0) - (value < 0))
                for number, position in enumerate(positions) if position.turn >= 0]
    samples = gather(game, labelled)
    assert find_class(game) is board_net(game)
    data, report = fit(board_net(game), samples, NetSettings(width=16, rounds=20, batch=BOARD_BATCH, imitated=0))
    assert report.loss_rounded < 0.3 * report.loss_by_hand       # which says that everything is level
    path = tmp_path / "net.xz"
    path.write_bytes(data)
    evaluator = open_board_net(game, path)
    asked = [walk(game, dice, dice.randrange(4, 30)) for _ in range(200)]
    asked = [position for position in asked if position.turn >= 0]
    said, true = [evaluator.value(position) for position in asked], [count_middle(position) for position in asked]
    assert np.corrcoef(said, true)[0, 1] > 0.9
    # An agent takes it from the file, a game names it, and then its levels use it.
    spec = read_spec(f"alphabeta:depth=2,weights={path}")
    spec.check(game.start())
    assert game.start().is_legal(spec.make().choose(game.start(), Clock()))
    assert isinstance(find_evaluator(game, spec.values), BoardNet)
    shipped = replace(game, evaluators={"net": lambda: open_board_net(shipped, path)})
    assert find_default(shipped.start()).name == "alphabeta"
    assert shipped.start().is_legal(make_agent("level:2").choose(shipped.start(), Clock()))
    assert isinstance(find_evaluator(shipped, {"evaluator": "board", "weights": str(path)}), BoardNet)


def test_what_does_not_fit_is_refused(game: Game, tmp_path: Path) -> None:
    with pytest.raises(BoyiError, match="`boyi train picking` trains a network for any number"):
        find_class(find_game_or_toy("picking"))
    (tmp_path / "other.xz").write_bytes(pack(facts(board_net(boyi.find_game("tic_tac_toe")), 16, False, 300.0, 300.0),
                                             b""))
    with pytest.raises(NetError):
        find_evaluator(game, {"weights": str(tmp_path / "other.xz")})
    with pytest.raises(BoyiError, match="cannot be read"):
        find_evaluator(game, {"weights": str(tmp_path / "nowhere.xz")})
    with pytest.raises(BoyiError, match="no evaluator of connect_four is called 'net'"):
        find_evaluator(game, {"evaluator": "net", "weights": "net.xz"})
    with pytest.raises(BoyiError, match="fitted to connect_four"):
        scribbled(game).value(boyi.start("tic_tac_toe"))


@pytest.mark.slow
def test_the_command_works_for_a_plug_in(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    source = (TOYS / "connect_four.py").read_text(encoding="utf-8")
    (tmp_path / "games" / "connect_four.py").write_text(source, encoding="utf-8")
    shutil.copy(TOYS / "orchard.py", tmp_path / "games")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "boyi", *words], capture_output=True, text=True, check=False,
                              cwd=tmp_path, env=os.environ | {"BOYI_GAMES": str(tmp_path / "games")})

    done = run("learn", "evaluator", "connect_four", "net.xz", "-n", "100", "--nodes", "20", "--rounds", "4", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["positions"] >= FEWEST
    match = run("match", "connect_four", "alphabeta:nodes=50,weights=net.xz", "random", "-n", "4", "--json")
    assert match.returncode == 0 and not json.loads(match.stdout)["standings"][0]["failures"]
    refused = run("learn", "evaluator", "orchard", "net.xz")
    assert refused.returncode == 2 and "`boyi train orchard`" in refused.stderr
