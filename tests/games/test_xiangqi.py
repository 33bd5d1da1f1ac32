"""Xiangqi: counted, compared and judged."""

from __future__ import annotations

import csv
import json
import random
import re
from collections import Counter
from typing import Any

import pytest

import boyi
from boyi import IllegalMoveError, Position, TextError
from tests.data import FACTS
from tests.scale import scaled

HERE = FACTS / "xiangqi"


def position(fen: str, **options: object) -> Position:
    return boyi.parse("xiangqi", fen, **options)


def texts(here: Position) -> list[str]:
    return sorted(here.format_move(move) for move in here.moves())


def play_until_over(here: Position, moves: list[str]) -> Position:
    for move in moves:
        if here.outcome() is not None:
            break
        here.play(move)
    return here


# ---------------------------------------------------------------------- moves

def test_perft_table() -> None:
    with (HERE / "perft.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 100
    for row in rows:
        assert boyi.perft(position(row["fen"]), int(row["depth"])) == int(row["nodes"]), row


@pytest.mark.parametrize(("depth", "nodes"), list(enumerate([1, 44, 1920, 79_666, 3_290_240])))
def test_perft_from_the_start(depth: int, nodes: int) -> None:
    assert boyi.perft(boyi.start("xiangqi"), depth) == nodes


def test_own_positions_agree_with_outside_engines() -> None:
    for row in json.loads((HERE / "moves.json").read_text()):
        here = position(row["fen"])
        assert texts(here) == row["moves"], row["fen"]
        assert boyi.perft(here, 3) == row["perft3"], row["fen"]


def test_random_games_agree_with_pyffish() -> None:
    pyffish = pytest.importorskip("pyffish")
    generator = random.Random(90)
    seen, wins = 0, Counter[str]()
    while seen < scaled(100_000, 160):
        here = boyi.start("xiangqi", rules="simple", quiet_limit=0)
        # Most of a random game is dull: look at every position of its end, at few of its beginning.
        boyi.playout(here, generator.randrange(1 << 62), generator.randrange(300))
        while True:
            fen = here.to_text()
            outcome = here.outcome()
            if outcome is not None and outcome.reason == "repetition":
                break
            seen += 1
            theirs = sorted(re.sub(r"\d+", lambda rank: str(int(rank.group()) - 1), move)
                            for move in pyffish.legal_moves("xiangqi", fen, []))
            assert texts(here) == theirs, fen
            if outcome is not None:
                # The value is for the side to move, which has no move and has lost.
                assert pyffish.game_result("xiangqi", fen, []) < 0
                assert outcome.results[0 if fen.split()[1] == "w" else 1] == -1
                wins[outcome.reason] += 1
                break
            here.play(generator.choice(here.moves()))
    assert wins["checkmate"] > 0


def test_flying_generals() -> None:
    here = position("4k4/9/9/9/4R4/9/9/9/9/4K4 b")
    assert texts(here) == ["e9d9", "e9f9"]             # the rook checks along the file, the king may not be faced
    with pytest.raises(TextError, match="in check"):
        position("4k4/9/9/9/9/9/9/9/9/4K4 w")


def test_stalemate_loses() -> None:
    here = position("3k5/9/9/9/9/9/9/9/4R4/4K4 b")
    assert here.outcome() is None
    stuck = position("5k3/4P4/9/9/9/9/9/9/9/4K4 b")
    outcome = stuck.outcome()
    assert outcome is not None and not stuck.checked
    assert (outcome.reason, outcome.results) == ("stalemate", (1, -1))


def test_checkmate() -> None:
    here = position("3k5/R8/1R7/9/9/9/9/9/9/4K4 w")
    here.play("b7b9")
    outcome = here.outcome()
    assert outcome is not None and (outcome.reason, outcome.results) == ("checkmate", (1, -1))


# ---------------------------------------------------------------------- limits

def wander(here: Position, plies: int) -> None:
    """Play quiet moves that neither capture nor check nor repeat."""
    generator = random.Random(4)
    for _ in range(plies):
        for move in generator.sample(here.moves(), len(here.moves())):
            captures = any(change.kind == "captured" for change in here.changes(move))
            here.play(move)
            if not captures and not here.checked and not here.repetitions:
                break
            here.undo()


def test_quiet_limit() -> None:
    here = boyi.start("xiangqi", quiet_limit=20)
    wander(here, 19)
    assert here.outcome() is None
    wander(here, 1)
    outcome = here.outcome()
    assert outcome is not None and (outcome.reason, outcome.results) == ("quiet_limit", (0, 0))
    assert here.to_text().split()[4] == "20"


def test_the_limit_is_120_plies_and_a_capture_starts_it_anew() -> None:
    assert position("3k5/9/9/9/9/9/9/9/4p4/R3K4 w - - 118 60").outcome() is None
    here = position("3k5/9/9/9/9/9/9/9/4p4/R4K3 w - - 119 60")
    here.play("a0a5")
    assert here.outcome() is not None
    here = position("3k5/9/9/9/9/9/9/9/r8/R4K3 w - - 119 60")
    here.play("a0a1")
    assert here.outcome() is None
    assert here.to_text().split()[4] == "0"


def test_mate_by_the_last_counted_move_wins() -> None:
    here = position("3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 119 60")
    here.play("b7b9")
    outcome = here.outcome()
    assert outcome is not None and outcome.reason == "checkmate"


def walk_with_checks(seed: int, counted: int) -> tuple[Position, list[int]]:
    """Wander, checking whenever that goes on; where it ended and how many checks each side gave."""
    generator = random.Random(seed)
    here = position("3k5/4a4/9/9/9/9/9/9/9/R4K3 w", rules="simple", counted_checks=counted)
    checks = [0, 0]
    while max(checks) < 13:
        looks = {move: look(here, move) for move in here.moves() if len(here.changes(move)) == 1}
        on = [move for move, (_, over) in looks.items() if not over]
        if not on:
            break
        mover = here.turn
        here.play(generator.choice([move for move in on if looks[move][0]] or on))
        checks[mover] += here.checked
    return here, checks


def look(here: Position, move: int) -> tuple[bool, bool]:
    """Does the move check, does it end the game?"""
    here.play(move)
    answer = here.checked, here.outcome() is not None
    here.undo()
    return answer


def test_only_ten_checks_of_a_side_count() -> None:
    most = 0
    for seed in range(20):
        for counted in (10, 255):
            here, checks = walk_with_checks(seed, counted)
            most = max(most, *checks)
            assert int(here.to_text().split()[4]) == here.ply - sum(max(0, count - counted) for count in checks)
    assert most > 10


def test_bare_material_is_an_option() -> None:
    bare = "3k5/4a4/9/9/9/9/9/4B4/4A4/4K4 w"
    assert position(bare).outcome() is None
    outcome = position(bare, bare_material_draws=True).outcome()
    assert outcome is not None and (outcome.reason, outcome.results) == ("bare_material", (0, 0))
    here = position("3k5/4a4/9/9/9/9/9/4p4/4K4/9 w", bare_material_draws=True)
    assert here.outcome() is None
    here.play("e1e2")
    outcome = here.outcome()
    assert outcome is not None and outcome.reason == "bare_material"


# ---------------------------------------------------------------------- repetition

REPETITIONS: list[dict[str, Any]] = json.loads((HERE / "repetition.json").read_text())


@pytest.mark.parametrize("case", REPETITIONS, ids=lambda case: case["id"])
def test_repetition(case: dict[str, Any]) -> None:
    here = play_until_over(position(case["fen"], rules="axf"), case["moves"])
    outcome = here.outcome()
    assert outcome is not None
    assert {0: "red_wins", 1: "black_wins", None: "draw"}[outcome.winner] == case["verdict"], here.explain()


OTHER_VERDICTS = {
    41: "the position stands for the third time already after ply 12, and the cycle since its second occurrence, "
        "which rule 3 looks at, chases one cannon only; the book looks back to the first occurrence",
}


def test_rule_book_diagrams() -> None:
    cases = json.loads((HERE / "axf_diagrams.json").read_text(encoding="utf-8"))
    differing = set()
    for number, case in enumerate(cases):
        replay = position(case["fen"], rules="simple", quiet_limit=0)
        seen = [replay.to_text().split()[:2]]
        for move in case["moves"]:
            if replay.outcome() is not None:
                replay = position(" ".join(seen[-1]), rules="simple", quiet_limit=0)
            replay.play(move)
            seen.append(replay.to_text().split()[:2])
        since = max(ply for ply, text in enumerate(seen[:-1]) if text == seen[-1])
        judged = play_until_over(position(case["fen"], rules="axf"), case["moves"] + 3 * case["moves"][since:])
        outcome = judged.outcome()
        assert outcome is not None
        verdict = {1: "win", 0: "draw", -1: "loss"}[outcome.results[seen[-1][1] == "b"]]
        if verdict != case["verdict_stm"]:
            differing.add(number)
    assert differing == set(OTHER_VERDICTS)


def random_cycle(generator: random.Random) -> tuple[str, list[str]]:
    """A position and four quiet moves that lead back to it."""
    while True:
        here = boyi.start("xiangqi", quiet_limit=0)
        boyi.playout(here, generator.randrange(1 << 62), generator.randrange(20, 160))
        if here.outcome() is not None:
            continue
        fen = here.to_text()
        for _ in range(30):
            there = position(fen, rules="simple", quiet_limit=0)
            stones = len(there.stones())
            cycle: list[str] = []
            try:
                for step in range(4):
                    back = cycle[step - 2][2:] + cycle[step - 2][:2] if step >= 2 else None
                    move = back or there.format_move(generator.choice(there.moves() or [0]))
                    there.play(move)
                    cycle.append(move)
            except IllegalMoveError:
                continue
            if len(there.stones()) == stones:
                return fen, cycle


def test_random_cycles_mostly_agree_with_pyffish() -> None:
    """pyffish judges close to axf; where it differs it overlooks pins or counts attacks that stood before."""
    pyffish = pytest.importorskip("pyffish")
    generator = random.Random(14)
    verdicts = Counter[tuple[int, int]]()
    while sum(verdicts.values()) < scaled(2_000):
        fen, cycle = random_cycle(generator)
        here = position(fen, rules="axf", quiet_limit=0)
        moves: list[str] = []
        while here.outcome() is None:
            moves.append(cycle[len(moves) % 4])
            here.play(moves[-1])
        outcome = here.outcome()
        assert outcome is not None
        if outcome.winner is None and generator.random() < 0.9:
            continue
        ranks = [re.sub(r"\d", lambda rank: str(int(rank.group()) + 1), move) for move in moves]
        _, value = pyffish.is_optional_game_end("xiangqi", " ".join([*fen.split()[:4], "0", "1"]), ranks)
        mover = 0 if here.to_text().split()[1] == "w" else 1
        verdicts[outcome.results[mover], (value > 0) - (value < 0)] += 1
    agreed = sum(count for (ours, theirs), count in verdicts.items() if ours == theirs)
    assert agreed >= 0.985 * sum(verdicts.values()), verdicts
    assert verdicts[1, 1] and verdicts[-1, -1]


# Our own cases for cxa, derived from the text of the rules: position, one cycle, and for each rule set Red's result and
# the reason. "cxa+" is cxa with mate_threats.
RULE_SETS = {
    "perpetual check": (
        "4k4/R8/n8/9/9/9/9/9/9/3K5 w", "a8a9 e9e8 a9a8 e8e9",
        {"cxa": (-1, "perpetual_check"), "cxa+": (-1, "perpetual_check"), "axf": (-1, "perpetual_check"),
         "checks": (-1, "perpetual_check"), "simple": (0, "repetition")}),
    "one victim chased": (
        "3k5/9/9/8R/9/7n1/9/9/9/4K4 w", "i6i4 h4g6 i4i6 g6h4",
        {"cxa": (-1, "perpetual_chase"), "axf": (-1, "perpetual_chase"), "checks": (0, "repetition"),
         "simple": (0, "repetition")}),
    "one check, one chase": (
        "9/9/5k3/9/3n2R2/n8/9/3K5/9/9 w", "g5g7 f7f8 g7g5 f8f7",
        {"cxa": (-1, "perpetual_attack"), "axf": (0, "repetition"), "checks": (0, "repetition")}),
    "two victims in turn": (
        "9/4k4/9/9/8R/9/7c1/9/3cn4/3K5 w", "i5i1 h3h5 i1i5 h5h3",
        {"cxa": (-1, "perpetual_chase"), "axf": (0, "repetition")}),
    "both attack, one of them a single victim": (
        "9/3k5/9/9/9/9/1C7/2n6/4R4/4K4 w", "e1e2 c2a1 e2e1 a1c2",
        {"cxa": (0, "mutual_attack"), "axf": (-1, "perpetual_chase")}),
    "one check, one mate threat": (
        "R8/3k5/9/9/9/9/9/9/3n5/4K4 w", "a9a8 d8d7 a8a9 d7d8",
        {"cxa": (0, "repetition"), "cxa+": (-1, "perpetual_attack"), "axf": (0, "repetition")}),
    "mate threats only": (
        "9/5k3/9/nR7/9/9/9/9/4K4/9 w", "b6e6 f8f9 e6b6 f9f8",
        {"cxa": (0, "repetition"), "cxa+": (-1, "perpetual_attack"), "axf": (0, "repetition")}),
    "both threaten mate": (
        "3k5/9/8R/1r7/9/9/9/9/4K4/7n1 w", "i7c7 b6i6 c7i7 i6b6",
        {"cxa": (0, "repetition"), "cxa+": (0, "mutual_attack")}),
    "check and idle": (
        "9/9/5k2n/9/9/8c/3r5/9/3K5/7N1 w", "d1e1 d3c3 e1d1 c3d3",
        {"cxa": (0, "repetition"), "axf": (0, "repetition"), "checks": (0, "repetition")}),
    "Black is judged as Red is": (
        "9/9/3k5/5r3/9/9/9/9/8N/5K3 w", "f0e0 f6e6 e0f0 e6f6",
        {"cxa": (1, "perpetual_check"), "axf": (1, "perpetual_check"), "checks": (1, "perpetual_check")}),
}


@pytest.mark.parametrize("name", RULE_SETS)
def test_rule_sets(name: str) -> None:
    fen, cycle, verdicts = RULE_SETS[name]
    for rules, (result, reason) in verdicts.items():
        here = position(fen, rules=rules.removesuffix("+"), mate_threats=rules.endswith("+"))
        play_until_over(here, 3 * cycle.split())
        outcome = here.outcome()
        assert outcome is not None and here.ply == 8
        assert (outcome.results, outcome.reason) == ((result, -result), reason), rules


def test_the_verdict_is_explained_move_by_move() -> None:
    fen, cycle, _ = RULE_SETS["one check, one chase"]
    here = play_until_over(position(fen), 3 * cycle.split())
    words = here.explain()
    assert [sentence.en for sentence in words[1:]] == [
        "Red g5g7: checks", "Black f7f8: idle", "Red g7g5: threatens black horse on d5", "Black f8f7: idle"]
    assert words[1].zh == "红方 g5g7：将军"
    assert boyi.start("xiangqi").explain() == ()


def test_what_is_repeated_counts_from_the_start_and_ends_with_undo() -> None:
    fen, cycle, _ = RULE_SETS["check and idle"]
    here = position(fen)
    for move in 2 * cycle.split():
        here.play(move)
    assert here.repetitions == 2 and here.turn == boyi.OVER and here.moves() == []
    with pytest.raises(IllegalMoveError, match="over"):
        here.play("d1e1")
    here.undo()
    assert here.turn == 1 and here.repetitions == 1
    here.play("c3c4")
    assert here.outcome() is None and here.repetitions == 0


# ---------------------------------------------------------------------- bad input

@pytest.mark.parametrize(("fen", "complaint"), [
    ("", "is not a xiangqi position"),
    ("9/9 w", "10"),
    ("4k4/9/9/9/9/9/9/9/9/4K4", "is not a xiangqi position"),
    ("4k4/9/9/9/9/9/9/9/9/3K5 x", "side to move"),
    ("4k4/9/9/9/9/9/9/9/9/3K4 w", "has 8 points"),
    ("4k4/9/9/9/9/9/9/9/9/3K51 w", "has 10 points"),
    ("4k4/9/9/9/9/9/9/9/9/9 w", "no K"),
    ("9/9/9/9/9/9/9/9/9/3K5 w", "no k"),
    ("4k4/4k4/9/9/9/9/9/9/9/3K5 w", "2 k"),
    ("4k4/9/9/9/9/9/9/9/9/K8 w", "outside its palace"),
    ("4k4/9/9/9/9/9/9/9/9/A2K5 w", "outside its palace"),
    ("4k4/9/B8/9/9/9/9/9/9/3K5 w", "crosses the river"),
    ("4k4/9/9/9/9/9/9/9/9/RRRK5 w", "3 R"),
    ("4k4/9/9/9/9/9/9/9/9/3K²5 w", "neither a piece"),
    ("4k4/9/9/9/9/9/9/9/9/3Kq4 w", "neither a piece"),
    ("4k4/9/9/9/9/9/9/9/9/3K5 w KQ - 0 1", "castling"),
    ("4k4/9/9/9/9/9/9/9/9/3K5 w - - -1 1", "quiet plies"),
    ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 0", "move number"),
    ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 7", "is not a xiangqi position"),
    ("4k4/9/9/9/9/9/9/9/9/3K5 w 0 0", "move number"),
    ("4k4/9/9/9/9/9/9/9/9/3K5 w 0", "castling"), ("4k4/9/9/9/9/9/9/9/9/3K5 w 0 1 -", "castling"),
    ("4k4/9/9/9/9/9/9/9/9/3K5 w \u0660 1", "castling"),
    ("4k4/9/9/9/9/9/9/4R4/9/4K4 w 0 1", "in check"),
    ("3k5/9/9/9/9/9/9/9/9/3K5 w", "in check"),
    ("4k4/9/9/9/9/9/9/4R4/9/4K4 w", "in check"),
])
def test_bad_positions_are_refused_in_words(fen: str, complaint: str) -> None:
    with pytest.raises(TextError, match=re.escape(complaint)):
        position(fen)


@pytest.mark.parametrize("fen", [
    "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - -",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w 0 1",
])
def test_other_spellings(fen: str) -> None:
    assert position(fen).to_text() == boyi.start("xiangqi").to_text()


def test_counters_may_follow_the_side_to_move() -> None:
    """As XBoard writes it, and the ancestor."""
    assert position("4k4/9/9/9/9/9/9/9/R8/3K5 b 7 42").to_text() == "4k4/9/9/9/9/9/9/9/R8/3K5 b - - 7 42"


@pytest.mark.parametrize(("text", "error"), [
    ("", TextError), ("h2", TextError), ("h2e2e3", TextError), ("j2e2", TextError), ("h²e2", TextError),
    ("h2e3", IllegalMoveError), ("h7e7", IllegalMoveError), ("e2e3", IllegalMoveError), ("a0a0", IllegalMoveError),
])
def test_bad_moves_are_refused_in_words(text: str, error: type[Exception]) -> None:
    here = boyi.start("xiangqi")
    with pytest.raises(error, match=r"legal|expected"):
        here.play(text)
    assert here.ply == 0 and here.to_text() == boyi.start("xiangqi").to_text()
