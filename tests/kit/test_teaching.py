"""What teaches a game keeps to its rules: introductions, and the pictures of the rules."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from boyi.agents.analysis import analyse
from boyi.agents.searching import find_default
from boyi.core.errors import TextError, UnknownNameError
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.searcher import Limits
from boyi.games import all_games, find_game
from boyi.games.othello.position import OthelloPosition
from boyi.games.othello.solution import SolverOptions
from boyi.games.othello.solver import Solver
from boyi.kit.folder import read_text
from boyi.kit.illustration import read_illustrations
from boyi.kit.introduction import Step, read_headings, read_introduction, read_lesson
from tools.pictures import folder

INTRODUCED = ("chinese_checkers", "jieqi", "liuzhou", "othello", "xiangqi")
TAUGHT = {"xiangqi": ["basic_mates", "cannon_and_screen", "horse_and_rook", "opening_principles", "winning_endings"],
          "othello": ["corners", "mobility", "edges", "parity", "counting"]}
"""Games with lessons, in their order."""

MATE_NODES = 100_000
"""For a proof; some wins are stalemates, which no quiescence search sees."""

SOLVED_EMPTIES = 20
"""Othello's positions up to here are solved."""

LESSONS = [(game, name) for game, names in TAUGHT.items() for name in names]

Make = Callable[..., Game]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Othello with an introduction or pictures of one's own, in a folder of its own."""
    def made(text: str, file: str = "introduction.toml") -> Game:
        package = tmp_path / "borrowed_othello"
        shutil.rmtree(package, ignore_errors=True)
        package.mkdir()
        (package / "__init__.py").touch()
        (package / file).write_text(text, encoding="utf-8")
        sys.modules.pop("borrowed_othello", None)
        return replace(find_game("othello"), module="borrowed_othello")
    monkeypatch.syspath_prepend(str(tmp_path))
    return made


@pytest.mark.parametrize("name", sorted(all_games()))
def test_introductions_are_true(name: str) -> None:
    """Reading one checks every position, move and promise."""
    introduction = read_introduction(find_game(name))
    assert (introduction is not None) == (name in INTRODUCED)
    if introduction is None:
        return
    assert len(introduction.steps) >= 5
    asking = [step for step in introduction.steps if step.tasks or step.touch]
    assert len(asking) > len(introduction.steps) / 2, "who only reads learns little"
    length = sum(len(words.zh) for step in introduction.steps for words in (step.words, step.done) if words)
    assert length < 900, "two minutes are some 800 characters, and the moves"
    last = introduction.steps[-1]
    walk = last.position.copy()
    for played in last.tasks[0].played:
        walk.play(played.text)
    outcome = walk.outcome()
    assert outcome is not None and outcome.winner == introduction.seat, "the reader wins in the end"


def test_the_numbers_that_an_introduction_names() -> None:
    """Jieqi's tells odds and where horses belong: neither is a move."""
    introduction = read_introduction(find_game("jieqi"))
    assert introduction is not None
    told = next(step for step in introduction.steps if "two in eleven" in step.words.en)
    pool = told.position.pool(1)  # type: ignore[attr-defined]
    assert pool["R"] == 2 and sum(pool.values()) == 11 and "十一分之二" in told.words.zh
    asked = next(step for step in introduction.steps if step.touch)
    horses = {stone.point for stone in find_game("xiangqi").start().stones() if stone.glyph in "Nn"}
    assert asked.touch == horses & {stone.point for stone in asked.stones if stone.glyph in "Xx"}


@pytest.mark.parametrize("name", sorted(all_games()))
def test_the_lessons_of_each_game(name: str) -> None:
    assert [heading.name for heading in read_headings(find_game(name))] == TAUGHT.get(name, [])
    with pytest.raises(UnknownNameError):
        read_lesson(find_game(name), "nothing")


@pytest.mark.parametrize(("game", "name"), LESSONS)
def test_lessons_keep_to_the_rules(game: str, name: str) -> None:
    """Reading one checks every position, move and promise; a lesson asks more than it tells."""
    lesson = read_lesson(find_game(game), name)
    steps = lesson.introduction.steps
    assert len(steps) == lesson.heading.steps >= 5
    assert all(step.tasks or step.touch for step in steps)
    for step in steps:
        for words in (step.words, step.done):
            assert words is not None and len(words.en) < 330 and len(words.zh) < 110, "it is read on a phone"
            if game == "xiangqi":   # the board of a Chinese reader has no letters and digits
                assert not re.search(r"[a-i][0-9]", words.zh), words.zh


@pytest.mark.parametrize(("game", "name"), [*LESSONS, *((game, "") for game in TAUGHT)])
def test_what_lessons_claim_of_best_play(game: str, name: str) -> None:
    """Mates and best moves by the engine, margins by the solver: see `claims` in boyi.kit.introduction."""
    read = read_lesson(find_game(game), name).introduction if name else read_introduction(find_game(game))
    assert read is not None
    for step in read.steps:
        for claim in step.claims:
            kind, _, number = claim.partition(" ")
            {"mate": _check_mate, "margin": _check_margin, "best": _check_best}[kind](step, int(number or 0))


def _asked(step: Step) -> list[Position]:
    """Where each of the moves that are asked for leads."""
    ends = []
    for task in step.tasks:
        end = step.position.copy()
        end.play(task.played[0].text)
        ends.append(end)
    return ends


def _check_mate(step: Step, plies: int) -> None:
    searcher = find_default(step.position).make(step.position.game, {})
    best = analyse(searcher, step.position, Limits(nodes=MATE_NODES)).lines[0]
    assert best.wins_in == plies, step.words.en
    for end in _asked(step):
        assert analyse(searcher, end, Limits(nodes=MATE_NODES)).lines[0].wins_in == 1 - plies, step.words.en


def _margins(position: OthelloPosition) -> dict[str, int]:
    """What the player to act wins by with each move and best play."""
    solver, margins = Solver(SolverOptions(megabytes=16)), {}
    for move in position.moves():
        end = position.copy()
        end.play(move)
        solution = solver.solve(end)
        assert solution is not None
        margins[position.format_move(move)] = solution.margin if end.turn == position.turn else -solution.margin
    return margins


def _check_margin(step: Step, margin: int) -> None:
    asked = {task.text for task in step.tasks}
    assert isinstance(step.position, OthelloPosition)
    for text, result in _margins(step.position).items():
        assert result == margin if text in asked else result < margin, (step.words.en, text, result)


def _check_best(step: Step, _: int) -> None:
    """No move is better, if that can be solved; else within three hundredths of the odds of the best one."""
    if isinstance(step.position, OthelloPosition) and step.position.to_text().count("-") <= SOLVED_EMPTIES:
        margins = _margins(step.position)
        assert all(margins[task.text] == max(margins.values()) for task in step.tasks), (step.words.en, margins)
        return
    searcher = find_default(step.position).make(step.position.game, {})
    lines = analyse(searcher, step.position, Limits(nodes=60_000, lines=40)).lines
    worth = {line.texts[0]: line.odds for line in lines}
    asked = max(worth[task.text] for task in step.tasks)
    assert asked >= max(worth.values()) - 0.03, (step.words.en, sorted(worth.items(), key=lambda one: -one[1])[:4])


GOOD = """
[[step]]
en = "Put a disc."
zh = "落子。"
moves = ["d3"]
shows = ["placed d3", "flipped 1", "turn 1"]
done = { en = "Well.", zh = "好。" }
"""


def test_a_good_introduction_is_read(make: Make) -> None:
    introduction = read_introduction(make(GOOD))
    assert introduction is not None
    task, = introduction.steps[0].tasks
    assert [change.kind for change in task.played[0].changes] == ["placed", "flipped"]


@pytest.mark.parametrize(("old", "new", "why"), [
    ('moves = ["d3"]', 'moves = ["a1"]', "a1"),
    ('"flipped 1"', '"flipped 2"', "flipped 2"),
    ('"turn 1"', '"won 0"', "won 0"),
    ('"placed d3"', '"placed d4"', "placed d4"),
    ('"turn 1"', '"hops 3"', "hops 3"),
    ('zh = "落子。"', 'zh = ""', "zh"),
    ('zh = "落子。"', "", "zh"),
    ("done =", "# done =", "done"),
    ("moves =", "move =", "did you mean 'moves'"),
    ('moves = ["d3"]', 'position = "nonsense"\nmoves = ["d3"]', "nonsense"),
    ('moves = ["d3"]', 'moves = ["d3"]\nreply = ["d3"]', "d3"),
    ('moves = ["d3"]', 'moves = ["d3"]\nmarks = ["z9"]', "z9"),
    ('moves = ["d3"]', 'moves = ["d3"]\ntouch = ["d4"]', "not for both"),
    ('moves = ["d3"]', 'touch = ["a1"]', "some of the stones"),
    ("[[step]]", "seat = 2\n[[step]]", "no seat"),
    ("[[step]]", "[[stop]]", "did you mean 'step'"),
    ("[[step]]", "[[step", "not TOML"),
])
def test_a_bad_introduction_is_refused(make: Make, old: str, new: str, why: str) -> None:
    assert old in GOOD
    with pytest.raises(TextError, match=re.escape(why)) as refused:
        read_introduction(make(GOOD.replace(old, new)))
    assert "introduction.toml of othello" in str(refused.value)


def test_questions_about_legal_moves_are_checked(make: Make) -> None:
    asked = GOOD.replace('moves = ["d3"]', 'touch = ["d4"]').replace('"placed d3", "flipped 1", "turn 1"', '"legal"')
    with pytest.raises(TextError, match="legal moves begin on other points"):
        read_introduction(make(asked))


# ---------------------------------------------------------------------- pictures

@pytest.mark.parametrize("name", sorted(all_games()))
def test_every_picture_is_shown_in_both_languages(name: str) -> None:
    game = find_game(name)
    shown = re.findall(r"!\[([^\]]+)\]\(pictures/(\w+)\.svg\)", read_text(game, "rules.md"))
    described = read_illustrations(game)
    for language in (True, False):
        here = [picture for words, picture in shown if bool(re.search("[\u4e00-\u9fff]", words)) == language]
        assert sorted(here) == sorted(described)


@pytest.mark.parametrize("name", sorted(all_games()))
def test_pictures_are_fresh(name: str) -> None:
    described = read_illustrations(find_game(name))
    drawn = {f"{picture}.svg": illustration.draw() for picture, illustration in described.items()}
    files = {path.name: path.read_text(encoding="utf-8") for path in folder(name).glob("*")}
    assert files == drawn, "run python -m tools.pictures"


@pytest.mark.parametrize("name", ["xiangqi", "jieqi", "othello", "chinese_checkers", "liuzhou"])
def test_points_that_a_picture_points_out_can_be_reached(name: str) -> None:
    """What is marked is where pieces may go, or what may be taken."""
    for illustration in read_illustrations(find_game(name)).values():
        position = illustration.position
        reached = {position.path(move)[-1] for move in position.moves()}
        assert set(illustration.marks) <= reached


def test_a_bad_picture_is_refused(make: Make) -> None:
    for text, why in (('[one]\nplay = ["a1"]', "a1"), ('[one]\nmarks = ["z9"]', "z9"), ("[one]\nplays = []", "'play'")):
        with pytest.raises(TextError, match=re.escape(why)):
            read_illustrations(make(text, "pictures.toml"))
