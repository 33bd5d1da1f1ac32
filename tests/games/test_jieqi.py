"""Jieqi against a naive second engine, against itself as other viewers see it, and against nonsense."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boyi import CHANCE, OVER, BoyiError, IllegalMoveError, Position, TextError, perft, playout
from boyi.core.board import Change
from boyi.core.record import Record
from boyi.games import find_game
from boyi.games.jieqi.fen import START
from boyi.games.jieqi.position import JieqiPosition
from tests.games.jieqi_naive import UNDECIDED, NaiveJieqi, letter_of, point_of, standing_letter
from tests.scale import scaled, some_of

GAME = find_game("jieqi")
VIEWERS = {"-": None, "w": 0, "b": 1, "s": None}


def start(**options: object) -> JieqiPosition:
    return cast(JieqiPosition, GAME.start(**options))


def parse(text: str, **options: object) -> JieqiPosition:
    return cast(JieqiPosition, GAME.parse(text, **options))


def texts(position: Position) -> list[str]:
    return sorted(position.format_move(move) for move in position.moves())


def play_all(position: JieqiPosition, moves: str) -> JieqiPosition:
    for move in moves.split():
        position.play(move)
    return position


# ---------------------------------------------------------------------- the naive engine

def restless(rng: random.Random, moves: Sequence[str], played: Sequence[str]) -> str:
    """A random move; now and then back to where the piece came from, so that positions repeat."""
    if len(played) >= 2 and rng.random() < 0.25:
        back = played[-2][2:] + played[-2][:2]
        if back in moves:
            return back
    return rng.choice(moves)


@pytest.mark.parametrize(("captures", "rules", "seed"), some_of([
    ("captor", "checks", 1), ("captor", "cxa", 2), ("nobody", "simple", 3), ("captor", "axf", 5), ("both", "axf", 4),
], 4))
def test_agrees_with_the_naive_engine(captures: str, rules: str, seed: int) -> None:
    """The same games for the referee and for every viewer, move for move, text for text, odds for odds."""
    rng = random.Random(seed)
    wanted = scaled(100_000, 40) // 5
    compared = 0
    endings: Counter[str] = Counter()
    while compared < wanted:
        options = {"captures": captures, "rules": rules, "quiet_limit": rng.choice((80, 80, 12, 0))}
        truth = start(**options)
        views = {viewer: truth.copy() if viewer == "-" else truth.observe(VIEWERS[viewer]) for viewer in VIEWERS}
        naive = {viewer: NaiveJieqi(viewer, captures, int(options["quiet_limit"]), rules) for viewer in VIEWERS}
        played: list[str] = []
        for _ in range(400):
            referee = naive["-"]
            # 1. A decision: all views have the same legal moves, and the naive engine has them too.
            walking = referee.walking_moves()
            verdict = referee.verdict(walking)
            checked = referee.in_check(referee.side)
            for viewer, view in views.items():
                assert view.to_text() == naive[viewer].to_text()
                outcome = view.outcome()
                if verdict == UNDECIDED:
                    assert outcome is not None
                    assert view.moves() == []
                elif verdict is not None:
                    assert outcome is not None
                    assert outcome.scores == verdict
                    assert view.moves() == []
                else:
                    assert outcome is None
                    assert texts(view) == walking
                    assert view.turn == "wb".index(referee.side)
                assert view.checked == checked
                assert view.fingerprint == view.recomputed_fingerprint()
            compared += 1
            if outcome is not None:
                endings[outcome.reason] += 1
                break
            if rng.random() < 0.05:
                check_views(truth, views)
            move = restless(rng, walking, played)
            played.append(move)
            for viewer in VIEWERS:
                views[viewer].play(move)
                naive[viewer].play(move)
            truth.play(move)
            # 2. What chance adds, to those who are told.
            while referee.awaited:
                who = referee.awaited[0][0]
                assert truth.turn == CHANCE
                if rng.random() < 0.05:
                    check_views(truth, views)
                letter = rng.choices(list(referee.odds()), [float(odds) for odds in referee.odds().values()])[0]
                told = [viewer for viewer in VIEWERS if naive[viewer].awaited and naive[viewer].awaited[0][0] == who]
                for viewer in told:
                    view = views[viewer]
                    assert view.to_text() == naive[viewer].to_text()
                    assert texts(view) == naive[viewer].moves()
                    odds = {view.format_move(result): share for result, share in view.odds()}
                    assert odds == pytest.approx({key: float(share) for key, share in naive[viewer].odds().items()})
                    assert sum(odds.values()) == pytest.approx(1)
                    assert view.fingerprint == view.recomputed_fingerprint()
                    view.play(letter)
                    naive[viewer].play(letter)
                truth.play(letter)
            # 3. What stands on the board and the pools go together, for everyone.
            for viewer in VIEWERS:
                for player, side in enumerate("wb"):
                    pool = views[viewer].pool(player)
                    assert pool == naive[viewer].pools[side]
                    counts = naive[viewer].counts()[side]
                    assert sum(pool.values()) >= counts["X"]
                    assert viewer != "-" or sum(pool.values()) == counts["X"]
        else:
            endings["unfinished"] += 1
    assert endings["quiet_limit"] or endings["repetition"]


def check_views(truth: JieqiPosition, views: dict[str, JieqiPosition]) -> None:
    """What the referee lets a viewer observe is what that viewer saw happen."""
    for viewer, player in VIEWERS.items():
        if viewer != "-":
            same(truth.observe(player), views[viewer])


def same(one: JieqiPosition, other: JieqiPosition) -> None:
    assert one.to_text() == other.to_text()
    assert repr(one) == repr(other)
    assert one.start_text == other.start_text
    assert one.history() == other.history()
    assert one.moves() == other.moves()
    assert one.odds() == other.odds()
    assert one.turn == other.turn
    assert one.fingerprint == other.fingerprint
    assert one.repetitions == other.repetitions
    assert one.decisions == other.decisions
    assert one.stones() == other.stones()
    assert pickle.dumps(one) == pickle.dumps(other)


# ---------------------------------------------------------------------- perft

def standing_perft(position: JieqiPosition, depth: int) -> int:
    """Perft in decisions, every covered piece being what it stands for."""
    if depth == 0:
        return 1
    leaves = 0
    for move in position.moves():
        origin, target = position.path(move)
        player = position.turn
        position.play(move)
        played = 1
        while position.turn == CHANCE:
            mine = position.awaited[0] == "Xx"[player]
            side = "wb"[player if mine else 1 - player]
            letter = standing_letter(side, point_of(origin if mine else target))
            assert letter is not None
            position.play(letter_of(side, letter))
            played += 1
        leaves += perft(position, 1) if depth == 2 else standing_perft(position, depth - 1)
        for _ in range(played):
            position.undo()
    return leaves


@pytest.mark.parametrize(("depth", "leaves"), [(1, 44), (2, 1920), (3, 79_666)])
def test_perft_when_all_are_what_they_stand_for(depth: int, leaves: int) -> None:
    """The counts of xiangqi."""
    assert standing_perft(start(), depth) == leaves


def test_perft_with_chance_turns() -> None:
    """Every first move but the king's turns a piece up, six ways, and only then the other side replies."""
    assert perft(start(), 1) == 44
    assert perft(start(), 2) == 43 * 6 + 44
    replies = 0
    position = start()
    for move in position.moves():
        position.play(move)
        for result in position.moves():
            position.play(result)
            replies += len(position.moves())
            position.undo()
        position.undo()
    assert perft(start(), 3) == replies


# ---------------------------------------------------------------------- secrets

def hidden_twins(rng: random.Random, viewer: int, plies: int = 120) -> Iterator[tuple[JieqiPosition, JieqiPosition]]:
    """Two referee games that look the same to a viewer but in which hidden captures differ."""
    one, other = start(), start()
    differ = False
    for _ in range(plies):
        if one.turn == OVER:
            return
        if one.turn != CHANCE:
            # Prefer captures: there the secrets are.
            legal = one.moves()
            taking = [move for move in legal if any(change.kind == "captured" for change in one.changes(move))]
            move = rng.choice(taking if taking and rng.random() < 0.7 else legal)
            one.play(move)
            other.play(move)
        else:
            secret = one.awaited[0] != "Xx"[one.mover] and one.mover != viewer
            results = one.moves()
            if secret:
                first, second = rng.choice(results), rng.choice(other.moves())
                one.play(first)
                other.play(second)
                differ = differ or first != second
            else:
                # The same result must be possible in both games.
                common = [move for move in results if move in other.moves()]
                if not common:
                    return
                move = rng.choice(common)
                one.play(move)
                other.play(move)
        if differ:
            yield one, other


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_hidden_captures_do_not_leak(viewer: int) -> None:
    """Viewer 2 stands for the spectator, to whom both sides' captures are secret."""
    compared = 0
    for seed in range(scaled(400, 40)):
        for one, other in hidden_twins(random.Random(seed), viewer):
            if one.turn == OVER or other.turn == OVER:
                break
            player = None if viewer == 2 else viewer
            assert one.to_text() != other.to_text() or one.history() != other.history()
            same(one.observe(player), other.observe(player))
            compared += 1
    assert compared > scaled(1000, 40)


def test_a_view_can_be_pickled_and_goes_on_by_itself() -> None:
    position = play_all(start(), "b2b9Pn a9b9r")
    view = position.observe(1)
    again = pickle.loads(pickle.dumps(view))
    same(view, again)
    assert view.viewer == "b"
    # Black was not told that Red took a horse.
    assert view.pool(1) == {"R": 1, "A": 2, "C": 2, "P": 5, "N": 2, "B": 2}
    assert position.observe(0).pool(1) == {"R": 1, "A": 2, "C": 2, "P": 5, "N": 1, "B": 2}


@pytest.mark.parametrize(("captures", "told"), [("captor", "w-"), ("nobody", "-"), ("both", "wb-s")])
def test_who_is_told(captures: str, told: str) -> None:
    referee = play_all(start(captures=captures), "b2b9")
    for viewer, player in VIEWERS.items():
        view = referee if viewer == "-" else referee.observe(player)
        assert view.awaited == ("Xx" if viewer in told else "X")
    referee.play("C")
    for viewer, player in VIEWERS.items():
        view = referee if viewer == "-" else referee.observe(player)
        assert view.turn == (CHANCE if viewer in told else 1)
    referee.play("n")
    for viewer, player in VIEWERS.items():
        view = referee if viewer == "-" else referee.observe(player)
        assert view.turn == 1
        assert view.pool(1)["N"] == (1 if viewer in told else 2)
        assert view.decisions == 1


def test_when_the_game_is_over_all_may_know_all() -> None:
    position = parse("1x2k4/R8/9/9/9/9/9/9/1R7/3K5 w n1 0 1 -")
    position.play("b1b9")
    assert position.observe(1).viewer == "b"
    assert position.observe(1).turn == OVER   # nobody tells Black what was taken, and he is mated
    position.play("n")
    assert position.turn == OVER
    assert position.observe(1).pool(1)["N"] == 0
    same(position.observe(1), position)


def test_another_players_view_is_what_both_know() -> None:
    red = play_all(start().observe(0), "b2b9Cn")
    assert red.pool(1)["N"] == 1
    view = red.observe(1)
    assert view.viewer == "s"
    assert view.pool(1)["N"] == 2
    same(view, play_all(start().observe(None), "b2b9C"))
    assert view.observe(0).to_text() == view.to_text()


def test_observing_from_a_start_in_the_middle_of_a_turn() -> None:
    text = play_all(start(), "b2b9").to_text()
    assert text.split()[1] == "w?b9Xx"
    referee = parse(text)
    assert [referee.observe(player).awaited for player in (0, 1, None)] == ["Xx", "X", "X"]
    referee.play("C")
    again = parse(referee.to_text())
    assert again.awaited == "x"
    assert again.observe(1).turn == 1
    again.play("r")
    assert again.observe(1).pool(1)["R"] == 2
    assert again.observe(0).pool(1)["R"] == 1
    with pytest.raises(TextError, match="not a player"):
        again.observe(2)


# ---------------------------------------------------------------------- cases for an arbiter

def moves_from(position: JieqiPosition, point: str) -> set[str]:
    return {text[2:] for text in texts(position) if text.startswith(point)}


@pytest.mark.parametrize(("board", "pools", "point", "targets"), [
    # A covered piece on an advisor's point keeps to the palace, on an elephant's to its side.
    ("3k5/9/9/9/9/9/9/9/9/3XK4", "R1", "d0", "e1"),
    ("4k4/9/9/9/9/9/9/4A4/9/2X1K4", "R1", "c0", "a2"),
    ("3k5/9/9/9/9/9/9/9/9/2X1K4", "P1", "c0", "a2 e2"),
    # Turned up they roam: the advisor anywhere, the elephant too, but its eye can be blocked.
    ("3k5/9/9/9/9/A8/9/9/9/4K4", "-", "a4", "b5 b3"),
    ("3k5/9/9/9/2A6/9/9/9/9/4K4", "-", "c5", "b6 d6 b4 d4"),
    ("3k5/9/9/9/9/2B6/9/9/9/4K4", "-", "c4", "a6 e6 a2 e2"),
    ("3k5/9/9/9/3p5/2B6/1P7/9/9/4K4", "-", "c4", "a6 e2"),
    ("B2k5/9/9/9/9/9/9/9/9/4K4", "-", "a9", "c7"),
    ("3k5/9/9/9/9/9/9/9/9/AB2K4", "-", "a0", "b1"),
    # A pawn that turned up behind its starting rank only goes forward; beyond the river sideways too.
    ("3k5/9/9/9/9/9/9/9/9/P3K4", "-", "a0", "a1"),
    ("3k5/9/9/9/P8/9/9/9/9/4K4", "-", "a5", "a6 b5"),
    ("4P4/9/5k3/9/9/9/9/9/9/3K5", "-", "e9", "d9 f9"),
    # Covered on other points: chariot, horse with a blocked leg, cannon over a screen, soldier.
    ("3k5/9/9/9/9/9/9/p8/9/X3K4", "P1", "a0", "a1 a2 b0 c0 d0"),
    ("3k5/9/9/9/9/9/9/9/1P7/1X2K4", "A1", "b0", "d1"),
    ("1x1k5/9/9/9/9/9/1P7/1X7/9/4K4", "R1n1", "b2", "b9 b1 b0 a2 c2 d2 e2 f2 g2 h2 i2"),
    ("3k5/9/9/9/9/9/2X6/9/9/4K4", "R1", "c3", "c4"),
])
def test_how_pieces_walk(board: str, pools: str, point: str, targets: str) -> None:
    position = parse(f"{board} w {pools} 0 1 w")
    assert moves_from(position, point) == set(targets.split())


def test_what_turns_up_gives_check() -> None:
    position = parse("3k5/9/9/9/9/9/9/1X7/9/4K4 w R1A1B1N1C1P1 0 1 w")
    checking = {}
    for letter in "RABNCP":
        position.play("b2d2" + letter)
        checking[letter] = position.checked
        position.undo()
        position.undo()
    assert checking == {"R": True, "A": False, "B": False, "N": False, "C": False, "P": False}


def test_roaming_pieces_give_check() -> None:
    """An advisor beside and an elephant two away from the king, unless its eye is blocked."""
    assert parse("3k5/2A6/9/9/9/9/9/9/9/4K4 b - 0 1").checked
    assert parse("3k5/9/5B3/9/9/9/9/9/9/4K4 b - 0 1").checked
    assert not parse("3k5/4a4/5B3/9/9/9/9/9/9/4K4 b - 0 1").checked
    # The advisor that blocks the eye may not leave.
    assert moves_from(parse("3k5/4a4/5B3/9/9/9/9/9/9/4K4 b - 0 1"), "e8") == {"f7"}


def test_the_generals_may_not_face_each_other() -> None:
    position = parse("4k4/9/9/9/4N4/9/9/9/9/4K4 w - 0 1")
    assert moves_from(position, "e5") == set()


def test_no_legal_move_loses() -> None:
    position = parse("3k5/9/4R4/9/9/9/9/9/9/4K4 w - 0 1 -")
    position.play("e7e8")
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.winner) == ("stalemate", 0)


def test_eighty_quiet_plies_draw() -> None:
    board = "3k5/9/9/9/9/9/9/9/R8/X3K4"
    position = parse(f"{board} w N1 79 40 -")
    position.play("a1b1")
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.scores) == ("quiet_limit", (0, 0))
    assert "80" in outcome.words.en
    position.undo()
    assert position.outcome() is None
    # A reveal is progress; so is a capture; and a mate on the last ply still wins.
    position.play("a0b0N")
    assert position.outcome() is None
    assert position.to_text().split()[3] == "0"
    assert parse(f"{board} w N1 80 40 -").turn == OVER
    assert parse(f"{board} w N1 80 40 -", quiet_limit=0).turn == 0
    mate = parse("4k4/R8/9/9/9/9/9/9/1R7/3K5 w - 79 40")
    mate.play("b1b9")
    assert mate.outcome().reason == "checkmate"  # type: ignore[union-attr]


def test_perpetual_check_loses() -> None:
    text = "3k5/9/9/9/9/9/9/9/3R5/5K3 b - 0 1 -"
    cycle = "d9e9 d1e1 e9d9 e1d1 "
    for rules in ("cxa", "axf", "checks"):
        outcome = play_all(parse(text, rules=rules), cycle * 2).outcome()
        assert outcome is not None
        assert (outcome.reason, outcome.scores) == ("perpetual_check", (-1, 1))
    assert play_all(parse(text, rules="simple"), cycle * 2).outcome().scores == (0, 0)  # type: ignore[union-attr]
    assert play_all(parse(text), cycle + "d9e9 d1e1 e9d9").outcome() is None


def test_chasing_covered_pieces_in_turn() -> None:
    """One chariot, two covered pieces on cannons' points: an unbroken chase by cxa, none of one piece by axf."""
    text = "3k5/9/1x5x1/9/9/1R7/9/9/9/4K4 w p2 0 1 -"
    cycle = "b4h4 d9d8 h4b4 d8d9 "
    position = play_all(parse(text, rules="cxa"), cycle * 2)
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.scores) == ("perpetual_chase", (-1, 1))
    said = "\n".join(sentence.en for sentence in position.explain())
    assert "covered black piece on h7" in said
    assert "暗子" in "\n".join(sentence.zh for sentence in position.explain())
    outcome = play_all(parse(text, rules="axf"), cycle * 2).outcome()
    assert outcome is not None
    assert outcome.scores == (0, 0)


def test_a_reveal_makes_a_position_new() -> None:
    """Chariot and kings walk in circles; a piece that turns up in between starts the count anew."""
    position = parse("3k5/9/9/9/9/9/9/9/1R7/X3K4 w N1 0 1 -")
    play_all(position, "b1c1 d9d8 c1b1 d8d9 b1c1 d9d8 c1b1")
    assert position.repetitions == 1
    position.play("d8d9")
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.scores) == ("repetition", (0, 0))
    position.undo()
    play_all(position, "d8d7 a0a1N d7d8 b1c1 d8d9 c1b1")
    assert position.outcome() is None
    assert position.repetitions == 0


# ---------------------------------------------------------------------- words

def test_start_is_the_referees() -> None:
    assert start().to_text() == START
    assert START.startswith("xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX w "
                            "R2A2C2P5N2B2r2a2c2p5n2b2 0 1")


def test_text_without_viewer_is_the_side_to_act() -> None:
    text = START.removesuffix(" -")
    assert parse(text).viewer == "w"
    assert parse(text.replace(" w ", " b ")).viewer == "b"
    assert parse(text).to_text() == text + " w"
    assert parse(" ".join(text.split()[:3])).to_text() == text + " w"


@pytest.mark.parametrize(("text", "same_as"), [
    (START.replace(" w ", " r "), START),
    (START.replace("N2B2", "H2E2").replace("n2b2", "h2e2"), START),
    (START.replace("R2A2C2P5N2B2r2a2c2p5n2b2", "p5c2a2r2b2n2P5C2A2R2B2N2"), START),
    ("3k5/9/9/9/9/9/9/9/9/H3K4 w - 0 1 w", "3k5/9/9/9/9/9/9/9/9/N3K4 w R0A0C0P0N0B0r0a0c0p0n0b0 0 1 w"),
    # Without pools: all may be covered that is not open on the board, where anything is covered.
    (f"{START.split()[0]} w 0 1", START.removesuffix("-") + "w"),
    (f"{START.split()[0]} b - - 3 7", START.replace(" w ", " b ").removesuffix("0 1 -") + "3 7 b"),
    ("3k5/9/9/9/9/9/9/9/9/N3K4 w 4 9", "3k5/9/9/9/9/9/9/9/9/N3K4 w R0A0C0P0N0B0r0a0c0p0n0b0 4 9 w"),
    ("r2k5/9/9/p8/9/9/9/9/9/X3K3R b 0 1", "r2k5/9/9/p8/9/9/9/9/9/X3K3R b R1A2C2P5N2B2r0a0c0p0n0b0 0 1 b"),
    ("3k5/9/9/R8/9/9/9/9/9/4K4 w?a6x 0 1", "3k5/9/9/R8/9/9/9/9/9/4K4 w?a6x R0A0C0P0N0B0r2a2c2p5n2b2 0 1 w"),
])
def test_other_ways_to_write_a_position(text: str, same_as: str) -> None:
    assert parse(text).to_text() == same_as


def test_moves_with_what_chance_added() -> None:
    position = start()
    for text, history in (("h0g2", 1), ("h0g2R", 2), ("H0G2R", 2), ("b2e2R", 2), ("b2b9", 1), ("b2b9P", 2),
                          ("b2b9Pn", 3), ("b2b9Ph", 3), (" b2b9Ee ", 3)):
        position.play(text)
        assert position.ply == history
        while position.ply:
            position.undo()
        assert position.to_text() == START
    play_all(position, "b2b9 P n")
    assert position.to_text().split()[2] == "R2A2C2P4N2B2r2a2c2p5n1b2"
    # Black's letters are small, what he takes is a capital.
    play_all(position, "h7h0 pN")
    assert position.turn == 0
    assert position.to_text().split()[2] == "R2A2C2P4N1B2r2a2c2p4n1b2"
    # An open piece that takes a covered one adds one letter.
    play_all(position, "b9a9r")
    assert position.turn == 1


@pytest.mark.parametrize(("text", "error", "words"), [
    ("", TextError, "not a jieqi move"), ("h0", TextError, "not a jieqi move"),
    ("h0g2X", TextError, "not a jieqi move"),
    ("h0g2\u0661", TextError, "not a jieqi move"), ("j0g2", TextError, "not a jieqi move"),
    ("h0g2" * 1000, TextError, "not a jieqi move"), ("R", TextError, "not a jieqi move"),
    ("h0h1", IllegalMoveError, "not a legal move"), ("h0h0", IllegalMoveError, "not a legal move"),
    ("h9g7", IllegalMoveError, "not a legal move"), ("h0g2r", IllegalMoveError, "possible are R, A, C, P, N, B"),
    ("h0g2Rn", IllegalMoveError, "nothing more to tell"), ("b2b9nP", IllegalMoveError, "possible are R"),
    ("b2b9PnP", IllegalMoveError, "nothing more to tell"), ("b2b9PP", IllegalMoveError, "possible are r"),
])
def test_bad_moves_are_refused(text: str, error: type[BoyiError], words: str) -> None:
    position = start()
    with pytest.raises(error, match=words):
        position.play(text)
    assert position.to_text() == START
    assert position.history() == []


def test_bad_results_are_refused() -> None:
    position = play_all(start(), "b2b9")
    for text in ("b9b8", "X", "", "n", "RR", "Rnr", "k"):
        before = position.to_text()
        with pytest.raises((TextError, IllegalMoveError)):
            position.play(text)
        assert position.to_text() == before
    with pytest.raises(TextError, match="more than one move"):
        position.parse_move("Rn")
    for number in (0, 1 << 14 | 6, 1 << 15, 1 << 14 | 1 << 7, 1 << 16, -1, 1 << 40):
        assert not position.is_legal(number)
    assert position.is_legal(1 << 14)


def test_a_viewer_is_not_told_too_much() -> None:
    black = start().observe(1)
    with pytest.raises(IllegalMoveError, match="nothing more to tell"):
        black.play("b2b9Pn")
    play_all(black, "b2b9P h7h0pN")
    with pytest.raises(IllegalMoveError, match="tells the viewer b of no covered"):
        black.play("b9a9r")


@pytest.mark.parametrize(("text", "words"), [
    (None, "not a jieqi position"), (17, "not a jieqi position"), ("", "not a jieqi position"),
    ("x" * 100_000, "not a jieqi position"), (START + " w", "not a jieqi position"),
    (START.replace(" 1 -", " -"), "the move number is '-'"), (f"{START.split()[0]} w 0 0", "the move number is '0'"),
    (f"{START.split()[0]} w 0", "not a pair of pools"), (f"{START.split()[0]} w - 1", "not a jieqi position"),
    ("X2k5/9/9/9/9/9/9/9/9/4K4 w 0 1", "cannot be a covered red piece on a9"),
    ("3k5/9/9/9/9/9/9/9/9/RR2K3R w 0 1", "too many"),
    (START.replace("/9/9/", "/9/"), "has 10"),
    (START.replace("1x5x1", "1x5x"), "has 8 points"), (START.replace("1x5x1", "1x5x11"), "has 10 points"),
    (START.replace("1x5x1", "1x5z1"), "is neither a piece"),
    (START.replace("1x5x1", "1x\u06655x1"), "is neither a piece"),
    (START.replace("1x5x1", "1x0x4x1"), "is neither a piece"),
    (START.replace(" w ", " x "), "not a side to act"), (START.replace(" w ", " w? "), "not a side to act"),
    (START.replace(" w ", " w?e5 "), "not a side to act"),
    (START.replace(" w ", " w?e5xX "), "does not say what chance"),
    (START.replace(" w ", " w?e5XX "), "does not say what chance"),
    (START.replace(" w ", " w?e5X "), "e5 must hold X"), (START.replace(" w ", " w?e5x "), "e5 must hold the open"),
    (START.replace(" w ", " w?e9x "), "e9 must hold the open"),
    (START.replace(" -", " z"), "not a viewer"), (START.replace(" -", " wb"), "not a viewer"),
    (START.replace("XXXXKXXXX", "XXXX1XXXX"), "one king"), (START.replace("XXXXKXXXX", "XXKXKXXXX"), "one king"),
    ("3k5/9/9/9/9/9/9/9/9/1K7 w - 0 1", "never leaves its palace"),
    ("9/9/3k5/3K5/9/9/9/9/9/9 w - 0 1", "never leaves its palace"),
    ("3k5/9/9/9/X8/9/9/9/9/4K4 w R1 0 1", "cannot be a covered red piece on a5"),
    ("x2k5/9/9/9/9/9/9/9/9/X3K4 w R1 0 1", "Black has 1 covered pieces but only 0"),
    ("X2k5/9/9/9/9/9/9/9/9/4K4 w R1 0 1", "cannot be a covered red piece on a9"),
    ("3k5/9/9/9/9/9/9/9/9/9 w - 0 1", "one king"),
    ("4k4/9/9/9/9/9/9/9/3K5/4X4 w R1 0 1", "cannot be a covered red piece on e0"),
    (START.replace("R2A2", "R2R2"), "counted twice"), (START.replace("R2A2", "R3A2"), "too many"),
    (START.replace("P5", "P6"), "too many"), (START.replace("P5", "P4"), "only 14 in the pool"),
    (START.replace("R2A2", "K1A2"), "not a pair of pools"), (START.replace("R2A2", "R2A"), "not a pair of pools"),
    (START.replace("R2A2", "R\u0662A2"), "not a pair of pools"),
    ("3k5/9/9/9/9/9/9/9/9/R3K3R w R1 0 1", "2 R on the board and 1 in the pool are too many"),
    ("3k5/9/9/9/9/9/9/9/RR7/R3K4 w - 0 1", "too many"),
    ("3k5/9/9/9/9/9/9/9/9/R3K3R w r1 0 1 -", "referee"),
    (START.replace(" 0 1", " -1 1"), "plies since a capture or reveal"), (START.replace(" 0 1", " 0 0"), "move number"),
    (START.replace(" 0 1", " \u0660 1"), "whole number"), (START.replace(" 0 1", " 0 9999999"), "whole number"),
    ("3k5/9/9/9/9/9/9/9/9/3RK4 w - 0 1", "could be taken"), ("4k4/9/9/9/9/9/9/9/9/4K4 w - 0 1", "could be taken"),
    ("3k5/9/9/R8/9/9/9/9/9/4K4 w?a6x n1 0 1 b", "not shown what Red takes"),
    ("3k5/9/9/R8/9/9/9/9/9/4K4 w?a6x n1 0 1 s", "not shown what Red takes"),
    ("3k5/9/9/R8/9/9/9/9/9/4K4 w?a6x n1 3 1 w", "chance acts because of one"),
    ("3k5/9/9/R8/9/9/9/9/9/4K4 w?a6x - 0 1 w", "Black has 1 covered pieces but only 0"),
    ("3k5/9/9/9/9/9/9/9/X8/3rK4 w?a1X N1 0 1 w", "could be taken"),
    ("3k5/9/9/9/9/9/9/9/R8/4K4 w?a1x n1 0 1 w", "no covered piece can have been taken on a1"),
    ("4R4/3k5/9/9/9/9/9/9/9/5K3 w?e9x n1 0 1 w", "no covered piece can have been taken on e9"),
])
def test_bad_positions_are_refused(text: object, words: str) -> None:
    position = play_all(start(), "h0g2R h9g7n")
    before, history = position.to_text(), position.history()
    with pytest.raises(TextError, match=words):
        position.set_text(text)  # type: ignore[arg-type]
    assert position.to_text() == before
    assert position.history() == history
    with pytest.raises(TextError, match=words):
        GAME.parse(text)  # type: ignore[arg-type]


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=80),
                 st.text(alphabet="xXkKrRnNbBaAcCpP123456789/ wb?-s0", max_size=120),
                 st.tuples(st.sampled_from(range(len(START))), st.characters()).map(
                     lambda change: START[:change[0]] + change[1] + START[change[0] + 1:])))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    try:
        position = parse(text)
    except TextError:
        pass
    else:
        assert parse(position.to_text()).to_text() == position.to_text()
    for place in (start(), play_all(start(), "b2b9")):
        before = place.to_text()
        try:
            place.play(text)
        except (TextError, IllegalMoveError):
            assert place.to_text() == before


@pytest.mark.parametrize("options", [{"captures": "me"}, {"rules": "chess"}, {"quiet_limit": -1}, {"seed": 1},
                                     {"counted_checks": 3}])
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(BoyiError):
        GAME.start(**options)


# ---------------------------------------------------------------------- pictures

def test_changes_and_paths() -> None:
    position = start()
    move = position.parse_move("b2b9")
    assert position.path(move) == ("b2", "b9")
    assert position.changes(move) == [Change("captured", "b9", "x"), Change("moved", "b2", "X", "b9")]
    position.play(move)
    assert {stone.glyph for stone in position.stones()} == {"X", "x", "K", "k"}
    turned = position.parse_move("C")
    assert position.path(turned) == ("b9",)
    assert position.changes(turned) == [Change("revealed", "b9", "C")]
    position.play(turned)
    shown = position.parse_move("r")
    assert position.path(shown) == ()
    assert position.changes(shown) == []
    assert position.format_move(shown) == "r"


def test_changes_turn_the_stones_before_into_the_stones_after() -> None:
    position = start()
    rng = random.Random(3)
    for _ in range(300):
        if position.turn == OVER:
            break
        board = {stone.point: stone.glyph for stone in position.stones()}
        move = rng.choice(position.moves())
        for change in position.changes(move):
            if change.kind == "captured":
                assert board.pop(change.point) == change.glyph
            elif change.kind == "moved":
                assert change.to is not None
                assert board.pop(change.point) == change.glyph
                board[change.to] = change.glyph
            else:
                assert change.kind == "revealed"
                board[change.point] = change.glyph
        position.play(move)
        assert board == {stone.point: stone.glyph for stone in position.stones()}
        assert set(board.values()) <= set(position.board.glyphs)


def test_stones_never_tell_what_is_covered() -> None:
    position = start()
    playout(position, 7, 30)
    text = position.to_text().split()[0]
    shown = Counter(stone.glyph for stone in position.stones())
    assert shown == Counter(letter for letter in text if letter.isalpha())


# ---------------------------------------------------------------------- the contract

@pytest.mark.parametrize("captures", ["captor", "nobody", "both"])
@pytest.mark.parametrize("viewer", [0, 1, 2, 3])
def test_undo_leaves_no_trace(captures: str, viewer: int) -> None:
    position = start(captures=captures)
    if viewer < 3:
        position = position.observe(None if viewer == 2 else viewer)
    rng = random.Random(viewer)
    trail = []
    while position.turn != OVER and position.ply < 250:
        trail.append((position.to_text(), position.fingerprint, position.symmetric_fingerprint, position.moves(),
                      position.odds(), position.decisions, position.checked, position.repetitions, position.history()))
        again = parse(position.to_text(), captures=captures)
        assert again.to_text() == position.to_text()
        assert again.moves() == position.moves()
        assert again.odds() == position.odds()
        assert again.fingerprint == position.fingerprint
        assert position.fingerprint == position.recomputed_fingerprint()
        position.play(rng.choice(position.moves()))
    copy = position.copy()
    same(copy, position)
    while trail:
        position.undo()
        assert trail.pop() == (position.to_text(), position.fingerprint, position.symmetric_fingerprint,
                               position.moves(), position.odds(), position.decisions, position.checked,
                               position.repetitions, position.history())
    assert position.ply == 0
    assert copy.ply > 0


def mirrored(text: str) -> str:
    """The position with left and right exchanged."""
    board, side, *rest = text.split()
    board = "/".join(row[::-1] for row in board.split("/"))
    if "?" in side:
        side = side[:2] + "ihgfedcba"["abcdefghi".index(side[2])] + side[3:]
    return " ".join((board, side, *rest))


def test_mirror_images_have_mirrored_moves_and_one_symmetric_key() -> None:
    position = start()
    rng = random.Random(11)
    flip = str.maketrans("abcdefghi", "ihgfedcba")
    for _ in range(scaled(2000)):
        if position.turn == OVER:
            position = start()
        image = parse(mirrored(position.to_text()))
        assert image.symmetric_fingerprint == position.symmetric_fingerprint
        if position.turn == CHANCE:
            assert image.odds() == position.odds()
        else:
            assert sorted(text.translate(flip) for text in texts(image)) == texts(position)
        position.play(rng.choice(position.moves()))


def test_keys_tell_apart_what_differs() -> None:
    texts_of_kinds = [
        "3k5/9/9/9/9/9/9/9/9/X3K4 w R1 0 1 w", "3k5/9/9/9/9/9/9/9/9/R3K4 w R1 0 1 w",
        "3k5/9/9/9/9/9/9/9/9/X3K4 w R1 0 1 b", "3k5/9/9/9/9/9/9/9/9/X3K4 b R1 0 1 w",
        "3k5/9/9/9/9/9/9/9/9/X3K4 w P1 0 1 w", "3k5/9/9/9/9/9/9/9/9/X3K4 w P1R1 0 1 w",
        "3k5/9/9/9/9/9/9/9/9/X3K4 w?a0X P1R1 0 1 w", "3k5/9/9/9/9/9/9/9/9/X3K4 w P1r1 0 1 w",
        "3k5/9/9/9/9/9/9/9/9/X3K4 w R1 0 1 s", "3k5/9/9/9/9/9/9/9/9/X3K4 w R1 0 1 -",
    ]
    assert len({parse(text).fingerprint for text in texts_of_kinds}) == len(texts_of_kinds)


def test_decisions_are_counted_alike_by_all() -> None:
    position = start()
    rng = random.Random(5)
    while position.turn != OVER and position.decisions < 60:
        position.play(rng.choice(position.moves()))
        counts = {position.observe(player).decisions for player in (0, 1, None)}
        assert counts == {position.decisions}
    assert position.ply > position.observe(None).ply


def test_records_of_every_view_replay() -> None:
    """A record of the referee's game has all letters, one of a viewer's only those he was told."""
    for seed in range(scaled(300)):
        referee = start(captures=("captor", "nobody", "both")[seed % 3])
        playout(referee, seed, 5 * seed)
        for position in (referee, referee.observe(0), referee.observe(1), referee.observe(None)):
            record = Record.from_position(position)
            again = Record.parse(record.to_text(), find_game).replay()
            assert again.to_text() == position.to_text()
            assert again.history() == position.history()
    referee = play_all(start(), "b2b9Pn")
    assert [entry.text for entry in Record.from_position(referee).entries] == ["b2b9Pn"]
    assert [entry.text for entry in Record.from_position(referee.observe(1)).entries] == ["b2b9P"]
