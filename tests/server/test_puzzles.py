"""Puzzles over HTTP: which one comes, what is right, what is as good, and ratings."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from boyi.games import all_games, find_game
from boyi.server.client import ServerError, call
from boyi.server.engines.process import PROGRAM
from boyi.server.protocol.puzzles import BEGINNER, PuzzleRating
from boyi.server.puzzles import EARLY, next_rating
from boyi.study.puzzles.answer import accepts
from boyi.study.puzzles.collection import CLOSEST, Puzzles, games_with_puzzles, own_puzzles
from boyi.study.puzzles.puzzle import Puzzle
from tests.server.serving import AMPLE, Served, serving_in_thread

GAME = "othello"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a real engine."""
    folder = tmp_path_factory.mktemp("puzzles")
    with serving_in_thread(folder, engine_command=[sys.executable, "-c", PROGRAM], budget_factor=AMPLE) as one:
        yield one


def puzzles() -> Puzzles:
    found = own_puzzles(find_game(GAME))
    assert found is not None
    return found


def ask(served: Served, method: str, path: str, body: Any = None, token: str = "") -> Any:
    return served.run(call(served.place.address, method, path, body, token))


def refused(served: Served, method: str, path: str, body: Any = None) -> str:
    with pytest.raises(ServerError) as caught:
        ask(served, method, path, body)
    return caught.value.code


def of_length(least: int) -> Puzzle:
    """A puzzle with at least that many moves to find."""
    return next(one for one in puzzles().puzzles
                if sum(step.asked for step in one.steps(puzzles().game, puzzles().options)) >= least)


def find_wrong(puzzle: Puzzle) -> str:
    """A first move that is not good."""
    step = next(puzzle.steps(puzzles().game, puzzles().options))
    return next(step.position.format_move(move) for move in step.position.moves()
                if not accepts(step.position, move, step.move, 1_000))


def test_games_are_listed(served: Served) -> None:
    listed = {row["game"]: row for row in ask(served, "GET", "/api/puzzles")}
    assert listed[GAME]["puzzles"] == len(puzzles())
    assert listed[GAME]["day"] in puzzles().by_id
    assert {theme["name"]: theme["puzzles"] for theme in listed[GAME]["themes"]} == dict(puzzles().themes)
    assert "tic_tac_toe" not in listed
    assert refused(served, "GET", "/api/puzzles/tic_tac_toe") == "unreadable"


def test_one_is_chosen(served: Served) -> None:
    today = next(row for row in ask(served, "GET", "/api/puzzles") if row["game"] == GAME)["day"]
    assert ask(served, "GET", f"/api/puzzles/{GAME}?day=1")["id"] == today
    assert ask(served, "GET", f"/api/puzzles/{GAME}?id={today}")["id"] == today
    theme = next(iter(puzzles().themes))
    assert theme in ask(served, "GET", f"/api/puzzles/{GAME}?theme={theme}")["themes"]
    near = ask(served, "GET", f"/api/puzzles/{GAME}?rating=9999")
    hardest = sorted(puzzles().puzzles, key=lambda puzzle: puzzle.rating)[-CLOSEST:]
    assert near["id"] in {puzzle.id for puzzle in hardest}
    without = ",".join(puzzle.id for puzzle in hardest[1:])
    assert ask(served, "GET", f"/api/puzzles/{GAME}?rating=9999&without={without}")["id"] not in without
    for path in (f"{GAME}?theme=nothing", f"{GAME}?id=nothing", f"{GAME}?rating=high"):
        assert refused(served, "GET", f"/api/puzzles/{path}") == "unreadable"


def test_solution_is_not_told(served: Served) -> None:
    puzzle = of_length(2)
    shown = ask(served, "GET", f"/api/puzzles/{GAME}?id={puzzle.id}")
    assert "solution" not in shown
    assert [ply["text"] for ply in shown["lead"]] == list(puzzle.lead)
    position = puzzle.position(puzzles().game, puzzles().options)
    assert shown["standing"]["position"] == position.to_text()
    assert shown["solver"] == position.turn
    assert {move["text"] for move in shown["moves"]} == {position.format_move(move) for move in position.moves()}


def test_solved_move_by_move(served: Served) -> None:
    for puzzle in puzzles().puzzles[:10]:
        made = solve(served, puzzle)
        assert made == list(puzzle.solution)


def solve(served: Served, puzzle: Puzzle, token: str = "", game: str = GAME) -> list[str]:
    """Play the solution; the moves that were told."""
    made: list[str] = []
    while True:
        answer = ask(served, "POST", f"/api/puzzles/{game}/{puzzle.id}",
                     {"made": made, "move": puzzle.solution[len(made)]}, token)
        assert answer["verdict"] == "right"
        made += [ply["text"] for ply in answer["plies"]]
        if answer["solved"]:
            return made
        assert puzzle.solution[len(made)] in {move["text"] for move in answer["moves"]}


def test_wrong_moves(served: Served) -> None:
    puzzle = of_length(2)
    path = f"/api/puzzles/{GAME}/{puzzle.id}"
    answer = ask(served, "POST", path, {"move": find_wrong(puzzle)})
    assert answer["verdict"] == "wrong"
    assert not answer["solved"] and answer["plies"] == [] and answer["own"] is None
    assert refused(served, "POST", path, {"move": "z9"}) == "unreadable"
    assert refused(served, "POST", path, {"made": ["a1", "a2"], "move": puzzle.solution[0]}) == "unreadable"
    assert refused(served, "POST", path, {"made": list(puzzle.solution), "move": puzzle.solution[0]}) == "unreadable"
    assert refused(served, "POST", f"/api/puzzles/{GAME}/nothing", {"move": "a1"}) == "unreadable"


def test_as_good_a_move_is_accepted(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puzzles have one solution, so the engine's answer is replaced; that it is asked is what is tested."""
    puzzle = of_length(2)
    engines = served.place.server.rooms().engines

    async def accept(*question: object) -> bool:
        return True

    monkeypatch.setattr(engines, "accepts", accept)
    answer = ask(served, "POST", f"/api/puzzles/{GAME}/{puzzle.id}", {"move": find_wrong(puzzle)})
    assert answer["verdict"] == "as_good"
    assert answer["solved"]
    assert len(answer["plies"]) == 1


def test_hint_and_solution(served: Served) -> None:
    puzzle = of_length(2)
    first = next(puzzle.steps(puzzles().game, puzzles().options))
    path = f"/api/puzzles/{GAME}/{puzzle.id}"
    assert ask(served, "POST", f"{path}/hint", {})["point"] == first.position.path(first.move)[0]
    told = [ply["text"] for ply in ask(served, "POST", f"{path}/solution", {})["plies"]]
    assert told == list(puzzle.solution)


def test_rating_of_an_account(served: Served) -> None:
    token = served.run(served.place.person("Puzzler", "correct horse"))
    solved, failed, hinted = sorted(puzzles().puzzles, key=lambda one: abs(one.rating - BEGINNER.rating))[:3]
    wrong, path = find_wrong(failed), f"/api/puzzles/{GAME}/{failed.id}"
    answer = ask(served, "POST", path, {"move": wrong, "rated": False}, token)
    assert answer["own"] is None, "nothing counts that is not to be rated"
    answer = ask(served, "POST", path, {"move": wrong}, token)
    assert answer["change"] < 0
    before = answer["own"]
    assert before == {"rating": BEGINNER.rating + answer["change"], "tried": 1, "solved": 0}
    solve(served, failed, token)     # too late: only the first attempt counts
    assert own(served, token) == before
    solve(served, solved, token)
    assert own(served, token)["rating"] > before["rating"]
    assert ask(served, "POST", f"/api/puzzles/{GAME}/{hinted.id}/hint", {}, token)["change"] < 0
    assert own(served, token)["tried"] == 3
    data = ask(served, "GET", "/api/account/data", None, token)
    assert data["puzzles"][GAME] == own(served, token)
    ask(served, "POST", "/api/account/deletion", {"password": "correct horse"}, token)
    store = served.place.server.store
    assert served.run(store.puzzles.ratings(data["person"])) == {}
    assert served.run(store.puzzles.tried(data["person"], GAME)) == set()


def own(served: Served, token: str) -> Any:
    return next(row for row in ask(served, "GET", "/api/puzzles", None, token) if row["game"] == GAME)["own"]


def test_tried_puzzles_come_last(served: Served) -> None:
    token = served.run(served.place.person("Repeater", "correct horse"))
    theme, count = min(puzzles().themes.items(), key=lambda item: item[1])
    seen = set()
    for _ in range(min(count, 6)):
        puzzle = puzzles().find(ask(served, "GET", f"/api/puzzles/{GAME}?theme={theme}", None, token)["id"])
        assert puzzle.id not in seen
        seen.add(puzzle.id)
        ask(served, "POST", f"/api/puzzles/{GAME}/{puzzle.id}/hint", {}, token)


def test_ratings_move_towards_what_is_solved() -> None:
    person = BEGINNER
    for _ in range(EARLY):
        person = next_rating(person, 1_800, solved=True)
    assert 1_400 < person.rating < 2_400
    late = PuzzleRating(1_000, EARLY, 0)
    assert 1_000 < next_rating(late, 1_000, solved=True).rating < next_rating(BEGINNER, 1_000, solved=True).rating
    assert next_rating(late, 1_000, solved=False).rating < 1_000


def test_engine_compares() -> None:
    """The worker's answer to a comparison, without a server."""
    from boyi.server.engines.questions import ask_comparison
    from boyi.server.engines.worker import Answering

    puzzle = of_length(1)
    step = next(puzzle.steps(puzzles().game, puzzles().options))
    wrong = step.position.parse_move(find_wrong(puzzle))
    answering = Answering()
    assert answering.answer(ask_comparison(step.position, step.move, step.move, 500)).accepted is True
    assert answering.answer(ask_comparison(step.position, wrong, step.move, 500)).accepted is False


@pytest.mark.slow
@pytest.mark.parametrize("game", [game.name for game in games_with_puzzles(all_games().values())])
def test_a_hundred_of_each_game_are_solved(served: Served, game: str) -> None:
    found = own_puzzles(find_game(game))
    assert found is not None
    for puzzle in found.puzzles[::max(1, len(found) // 100)][:100]:
        shown = ask(served, "GET", f"/api/puzzles/{game}?id={puzzle.id}")
        assert shown["moves"] and shown["asked"] >= 1
        assert solve(served, puzzle, game=game) == list(puzzle.solution)
