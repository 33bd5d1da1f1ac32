"""Puzzles: what is one, how they are found, kept, chosen and verified."""

from __future__ import annotations

import datetime
import random
from dataclasses import replace
from pathlib import Path

import pytest

from boyi.core.errors import OptionError, UnknownNameError
from boyi.core.game import Game
from boyi.core.position import CHANCE, Position
from boyi.core.puzzles import PuzzleFacts, SolvedLine
from boyi.core.record import Record
from boyi.core.searcher import Limits
from boyi.games import all_games, find_game
from boyi.study.puzzles.answer import accepts
from boyi.study.puzzles.collection import PuzzleError, Puzzles, own_puzzles, read_puzzles
from boyi.study.puzzles.examiner import Examiner
from boyi.study.puzzles.maker import Maker, MakerSettings, find_lead, is_too_easy
from boyi.study.puzzles.making import Made, make
from boyi.study.puzzles.puzzle import Puzzle, make_id
from boyi.study.puzzles.rating import EASIEST, HARDEST, rate_by_levels, rate_by_nodes, rate_by_results
from boyi.study.puzzles.themes import check_theme, find_themes, themes_of
from boyi.study.puzzles.verifying import verify

MATE = "3a5/3P5/2N1ka3/9/2N6/2B6/1c3rn2/3A5/5c3/n2K1A3 w - - 0 1"
"""Red mates by c7d5; else Black is far ahead."""


def xiangqi() -> Game:
    return find_game("xiangqi")


# ---------------------------------------------------------------------- what is a puzzle

def test_only_mate_is_a_puzzle() -> None:
    solved = Examiner(xiangqi(), 3_000).solve(xiangqi().parse(MATE))
    assert solved is not None
    question = solved.line.position
    assert [question.format_move(move) for move in solved.line.moves] == ["c7d5"]
    assert solved.line.wins_in == 1
    assert {"mate_in_1", "horse_mates", "winning", "one_move"} <= set(find_themes(solved.line))
    assert not is_too_easy(solved)


def test_many_good_moves_are_no_puzzle() -> None:
    assert Examiner(xiangqi(), 2_000).solve(xiangqi().start()) is None


def test_line_goes_on_through_replies() -> None:
    game = find_game("tic_tac_toe")
    position = game.start()
    for move in ("a1", "b2", "b1"):
        position.play(move)
    solved = Examiner(game, 300).solve(position)
    assert solved is not None
    assert position.format_move(solved.line.moves[0]) == "c1", "all else loses at once"
    assert len(solved.looks) == 2
    assert len(solved.line.moves) == 3, "the reply is part of the line, and nothing behind the last move"


def test_line_ends_before_chance() -> None:
    game = find_game("jieqi")
    examiner = Examiner(game, 500)
    facts = PuzzleFacts(margin=-1.0, least=0.0)      # every move is good: the line ends by itself
    examiner.facts = facts
    solved = examiner.solve(game.start().observe(0))
    assert solved is not None
    board = solved.line.position.copy()
    for move in solved.line.moves:
        assert board.turn != CHANCE
        board.play(move)


def test_solver_decides_where_it_can() -> None:
    """One disc may decide an Othello ending, which a search without the end does not see."""
    game = find_game("othello")
    examiner = Examiner(game, 50)
    position = random_ending(game, 10)
    proven = examiner.prove(position)
    assert proven is not None
    look = examiner.look(position)
    assert look is not None
    assert look.odds == max(proven.values())
    assert set(proven.values()) <= {0.0, 0.5, 1.0}
    assert set(proven) == set(position.moves())


def random_ending(game: Game, empties: int) -> Position:
    for seed in range(100):
        generator, position = random.Random(seed), game.start()
        while position.turn >= 0 and position.to_text().count("-") > empties:
            position.play(generator.choice(position.moves()))
        if position.turn >= 0 and len(position.moves()) > 2:
            return position
    raise AssertionError("no ending")


def test_proof_agrees_with_the_end_of_games() -> None:
    """The judge against a search of everything."""
    game = find_game("othello")
    position = random_ending(game, 5)
    player, expected = position.turn, {}
    for move in position.moves():
        position.play(move)
        expected[move] = best_result(position, player)
        position.undo()
    assert game.puzzles is not None and game.puzzles.judge is not None
    assert game.puzzles.judge()(position) == expected


def best_result(board: Position, player: int) -> float:
    """What a player gets by best play of both."""
    outcome = board.outcome()
    if outcome is not None:
        return (outcome.scores[player] + 1) / 2
    mine, results = board.turn == player, []
    for move in board.moves():
        board.play(move)
        results.append(best_result(board, player))
        board.undo()
    return max(results) if mine else min(results)


# ---------------------------------------------------------------------- other answers

def test_another_winning_move_is_accepted() -> None:
    position = xiangqi().parse("3k5/9/9/9/9/9/9/9/R8/1R2K4 w - - 0 1")
    assert accepts(position, position.parse_move("e0e1"), position.parse_move("a1a8"), nodes=3_000)


def test_losing_move_is_not_accepted() -> None:
    position = xiangqi().parse(MATE)
    expected = position.parse_move("c7d5")
    assert accepts(position, expected, expected, nodes=1)
    others = [move for move in position.moves() if move != expected]
    assert not any(accepts(position, move, expected, nodes=2_000) for move in others)


# ---------------------------------------------------------------------- where they come from

@pytest.mark.parametrize("name", ["xiangqi", "jieqi", "liuzhou", "othello", "chinese_checkers"])
def test_lead_is_the_opponents_last_turn(name: str) -> None:
    game, generator = find_game(name), random.Random(5)
    position = game.start()
    with_lead = 0
    for _ in range(40):
        if position.turn < 0 and not position.moves():
            break
        position.play(generator.choice(position.moves()))
        if position.turn < 0:
            continue
        start, lead = find_lead(position)
        puzzle = Puzzle(make_id(start, lead), start, lead, ("?",), (), 1000, "test")
        reached = puzzle.position(game, {})
        assert reached.to_text() == position.observe(position.turn).to_text()
        before = puzzle.begin(game, {})
        if lead:
            with_lead += 1
            assert before.turn != position.turn
    assert with_lead > 10


def test_maker_repeats_itself() -> None:
    settings = MakerSettings(game="tic_tac_toe", nodes=100)
    first, again = (Maker(settings).from_play(3) for _ in range(2))
    assert first == again


def test_composed_endings_are_positions() -> None:
    game = xiangqi()
    assert game.puzzles is not None and game.puzzles.compose is not None
    generator, read = random.Random(1), 0
    for _ in range(60):
        try:
            game.parse(game.puzzles.compose(generator))
        except ValueError:
            continue
        read += 1
    assert read > 20


def test_records_are_looked_through() -> None:
    game = find_game("tic_tac_toe")
    position = game.start()
    for move in ("a1", "b1", "a2", "b2", "a3"):
        position.play(move)
    found = Maker(MakerSettings(game="tic_tac_toe", nodes=100)).from_record(Record.from_position(position), "a.boyi")
    assert found
    assert {puzzle.source for puzzle in found} == {"a.boyi"}


def test_making_goes_on_where_it_stopped(tmp_path: Path) -> None:
    settings = MakerSettings(game="tic_tac_toe", nodes=100)
    few = make(tmp_path / "puzzles.xz", settings, 3)
    seen = list[Made]()
    more = make(tmp_path / "puzzles.xz", settings, 6, on_progress=seen.append)
    assert len(few) >= 3
    assert len(more) >= 6
    assert {puzzle.id for puzzle in few.puzzles} <= {puzzle.id for puzzle in more.puzzles}
    assert seen[0].puzzles == len(few), "what the journal holds is not made again"
    at_once = make(tmp_path / "other.xz", settings, 6)
    assert at_once.puzzles == more.puzzles
    with pytest.raises(OptionError, match="journal of another"):
        make(tmp_path / "puzzles.xz", replace(settings, nodes=200), 6)
    with pytest.raises(OptionError, match="put together"):
        make(tmp_path / "third.xz", settings, 1, composed=0.5)


def test_verifying(tmp_path: Path) -> None:
    made = make(tmp_path / "puzzles.xz", MakerSettings(game="tic_tac_toe", nodes=100), 4)
    assert all(verdict.holds for verdict in verify(made, 10_000))
    first = next(made.puzzles[0].steps(made.game, made.options))
    other = next(text for move in first.position.moves()
                 if (text := first.position.format_move(move)) != first.text)
    spoilt = replace(made, puzzles=(replace(made.puzzles[0], solution=(other,)),))
    (verdict,) = verify(spoilt, 10_000)
    assert not verdict.holds
    assert verdict.failed_at == other


def test_the_beginning_of_a_line_is_kept(tmp_path: Path) -> None:
    made = make(tmp_path / "puzzles.xz", MakerSettings(game="tic_tac_toe", nodes=100), 4)
    puzzle = next(one for one in made.puzzles if len(one.solution) == 3)
    last = list(puzzle.steps(made.game, made.options))[-1]
    other = next(text for move in last.position.moves() if (text := last.position.format_move(move)) != last.text)
    (verdict,) = verify(replace(made, puzzles=(replace(puzzle, solution=(*puzzle.solution[:2], other)),)), 10_000)
    assert verdict.holds
    assert verdict.failed_at == other
    assert verdict.puzzle.solution == puzzle.solution[:1], "a line ends with a move of the solver"
    assert "one_move" in verdict.puzzle.themes


# ---------------------------------------------------------------------- files, and which one comes next

def some_puzzles() -> Puzzles:
    game = find_game("othello")
    puzzles = tuple(Puzzle(f"{number:08x}", game.start().to_text(), (), ("f5",), ("corner",) if number % 2 else (),
                           800 + 10 * number, "test") for number in range(60))
    return Puzzles(game, game.resolve(), puzzles, {"nodes": 50})


def test_file_holds_everything(tmp_path: Path) -> None:
    puzzles = some_puzzles()
    path = tmp_path / "puzzles.xz"
    path.write_bytes(puzzles.to_bytes())
    again = read_puzzles(path, puzzles.game)
    assert again == puzzles
    assert again.to_bytes() == puzzles.to_bytes()


@pytest.mark.parametrize(("data", "words"), [
    (b"not packed at all", "no puzzles"), (b"", "cut short"), (some_puzzles().to_bytes()[:-8], "cut short"),
])
def test_wrong_files_are_refused(data: bytes, words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        Puzzles.from_bytes(data, find_game("othello"))


def test_puzzles_of_another_game_are_refused() -> None:
    with pytest.raises(PuzzleError, match="of 'othello' and not of xiangqi"):
        Puzzles.from_bytes(some_puzzles().to_bytes(), xiangqi())


def test_choice() -> None:
    puzzles, generator = some_puzzles(), random.Random(1)
    for _ in range(20):
        chosen = puzzles.choose(generator, theme="corner", rating=1_000)
        assert chosen is not None
        assert "corner" in chosen.themes
        assert abs(chosen.rating - 1_000) <= 210
    every = {puzzle.id for puzzle in puzzles.puzzles}
    assert puzzles.choose(generator, without=every) is None
    last = puzzles.choose(generator, without=every - {"00000007"})
    assert last is not None and last.id == "00000007"
    with pytest.raises(UnknownNameError, match="theme of othello"):
        puzzles.choose(generator, theme="fork")
    with pytest.raises(UnknownNameError, match="no puzzle of othello"):
        puzzles.find("nothing")


def test_every_day_has_its_puzzle() -> None:
    puzzles, first = some_puzzles(), datetime.date(2026, 11, 1)
    days = [puzzles.of_day(first + datetime.timedelta(days=day)).id for day in range(len(puzzles))]
    assert len(set(days)) == len(puzzles)
    assert puzzles.of_day(first).id == days[0]


def test_ratings_grow_with_what_is_needed() -> None:
    numbers = [[1], [100], [100, 100], [100, 10_000], [10**9]]
    ratings = [rate_by_nodes(nodes) for nodes in numbers]
    assert ratings == sorted(set(ratings)) and ratings[0] >= EASIEST and ratings[-1] == HARDEST


def test_ratings_are_those_of_levels_that_solve_every_other_time() -> None:
    assert abs(rate_by_results([(1000, 50, 100)]) - 1000) < 20
    assert abs(rate_by_results([(600, 9, 100), (1000, 50, 100), (1400, 91, 100)]) - 1000) < 10
    assert EASIEST <= rate_by_results([(200, 9, 9), (900, 9, 9)]) < 200
    assert 900 < rate_by_results([(200, 0, 9), (900, 0, 9)]) <= HARDEST


def test_levels_rate_the_beginning_of_a_line_below_the_whole() -> None:
    game = xiangqi()
    puzzles = own_puzzles(game)
    assert puzzles is not None
    whole = max(puzzles.puzzles, key=lambda puzzle: len(puzzle.solution))
    first = replace(whole, solution=whole.solution[:1])
    ratings = [rate_by_levels(puzzle, game, {}) for puzzle in (first, whole, whole)]
    assert ratings[0] is not None and ratings[1] is not None
    assert EASIEST <= ratings[0] < ratings[1] == ratings[2]
    assert rate_by_levels(whole, replace(game), {}) is None     # a variant, whose ladder was not fitted


def test_themes_have_words() -> None:
    for game in all_games().values():
        for title in themes_of(game).values():
            assert title.en and title.zh
    with pytest.raises(UnknownNameError):
        check_theme(xiangqi(), "parity")


@pytest.mark.parametrize(("game", "text", "move", "wanted", "unwanted"), [
    ("xiangqi", "3k5/9/9/9/r3r4/9/9/3N5/9/5K3 w - - 0 1", "d2c4", {"double_attack", "ending"}, {"material"}),
    ("xiangqi", "3k5/9/9/9/r8/9/9/3N5/9/R4K3 w - - 0 1", "a0a5", {"material"}, {"quiet", "sacrifice"}),
    ("xiangqi", "5k3/4r4/9/9/9/9/9/4R4/9/3K5 w - - 0 1", "e2e7", {"sacrifice"}, {"material"}),
    ("othello", f"-OX{'-' * 24}OX------XO{'-' * 27} X", "a1", {"corner", "quiet_flip"}, {"x_square"}),
    ("liuzhou", "bb4/b4w/4ww/6/6/6 b place 0 6 0", "b2", {"square_made", "placing"}, {"preparing"}),
    ("liuzhou", "bb4/b4w/4ww/6/6/6 b place 0 6 0", "e2", {"preparing"}, {"square_made"}),
    ("jieqi", "", "b2e2", {"reveal"}, {"no_luck", "takes_covered"}),
    ("chinese_checkers", "", "n2-m6", {"single_step"}, {"hop_chain", "race"}),
])
def test_themes_are_found(game: str, text: str, move: str, wanted: set[str], unwanted: set[str]) -> None:
    position = find_game(game).parse(text) if text else find_game(game).start().observe(0)
    found = set(find_themes(SolvedLine(position, (position.parse_move(move),), 0.9, 0.1)))
    assert wanted <= found
    assert not unwanted & found


# ---------------------------------------------------------------------- what comes with the games

OWN = [game.name for game in all_games().values() if own_puzzles(game) is not None]


@pytest.mark.parametrize("name", OWN)
def test_shipped_puzzles_replay(name: str) -> None:
    puzzles = own_puzzles(find_game(name))
    assert puzzles is not None
    known = themes_of(puzzles.game)
    assert len(puzzles.by_id) == len(puzzles)
    for puzzle in puzzles.puzzles:
        steps = list(puzzle.steps(puzzles.game, puzzles.options))
        assert steps[0].asked and steps[-1].asked, puzzle
        assert steps[-1].position.turn == steps[0].position.turn, puzzle
        assert steps[-1].position.is_legal(steps[-1].move), puzzle
        assert set(puzzle.themes) <= set(known), puzzle
        assert puzzle.id == make_id(puzzle.start, puzzle.lead)


def test_races_are_counted() -> None:
    """The judge of Chinese checkers against playing on: who is said to win by a move arrives first."""
    game, generator = find_game("chinese_checkers"), random.Random(4)
    assert game.puzzles is not None and game.puzzles.judge is not None and game.puzzles.compose is not None
    judge, judged = game.puzzles.judge(), 0
    while judged < 3:
        position = game.parse(game.puzzles.compose(generator))
        results = judge(position)
        if results is None or len(set(results.values())) < 2:
            continue
        judged += 1
        player = position.turn
        for wanted in (1.0, 0.0):
            board = position.copy()
            board.play(next(move for move in results if results[move] == wanted))
            finisher = [game.finisher(1) for _ in range(2)]  # type: ignore[misc]
            while board.outcome() is None:
                best = finisher[board.turn].finish(board.observe(board.turn), Limits(nodes=100_000))
                assert best is not None
                board.play(best.move)
            outcome = board.outcome()
            assert outcome is not None
            assert (outcome.winner == player) == bool(wanted)
