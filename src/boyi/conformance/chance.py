"""What chance brings, and what may be covered."""

from __future__ import annotations

import math
import random
from collections import Counter

from boyi.conformance.case import Case, cases_of
from boyi.conformance.endings import LONGEST_GAME
from boyi.conformance.expect import ensure, same
from boyi.conformance.property import asked_of_a_game, asked_of_walks
from boyi.core.position import CHANCE
from boyi.search.playout import playout

__all__ = ["a_game_knows_whether_it_has_chance", "odds_are_odds", "pools_hold_what_is_covered",
           "what_chance_adds_is_written"]

GAMES = 5
"""So many random games show whether a game has chance; one that has it can hardly be played without."""


@asked_of_a_game()
def a_game_knows_whether_it_has_chance(case: Case) -> None:
    """Whether a game has chance (`has_chance`) is what random games show, under every one of its options."""
    drawn = False
    for variant in cases_of(case.game):
        for seed in range(GAMES):
            position = variant.start()
            playout(position, seed, LONGEST_GAME)
            while position.ply and not drawn:
                drawn = position.turn == CHANCE
                position.undo()
            drawn = drawn or position.turn == CHANCE
    same(case.game.has_chance, drawn, "has_chance")


@asked_of_walks()
def odds_are_odds(case: Case, seed: int, plies: int) -> None:
    """What chance may bring is what may be played, and its odds add up to 1."""
    position = case.walk(seed, plies)
    odds = position.odds()
    if position.turn != CHANCE:
        same(odds, [], "odds where a player acts")
        return
    same(sorted(move for move, _ in odds), sorted(position.moves()), "what has odds")
    ensure(all(0 < chance <= 1 for _, chance in odds), f"not all odds are above 0 and up to 1: {odds}")
    total = math.fsum(chance for _, chance in odds)
    ensure(math.isclose(total, 1, abs_tol=1e-9), f"the odds add up to {total} and not to 1")


@asked_of_walks()
def what_chance_adds_is_written(case: Case, seed: int, plies: int) -> None:
    """A decision, or a forfeit, and what chance adds to it are one text, which is read back as both."""
    before = case.walk(seed, plies)
    rng = random.Random(seed)
    leaving = [before.forfeit(player) for player in range(before.players) if before.may_resign(player)]
    for first in (*rng.sample(before.moves(), min(2, len(before.moves()))), *leaving):
        if first is None:
            continue
        position, made = before.copy(), [first]
        position.play(first)
        while position.turn == CHANCE:
            made.append(rng.choice(position.moves()))
            position.play(made[-1])
        text = before.format_moves(made)
        same(before.parse_moves(text), tuple(made), f"parse_moves({text!r})")
        again = before.copy()
        again.play(text)
        same(again.to_text(), position.to_text(), f"the position after {text!r}")


@asked_of_walks(10)
def pools_hold_what_is_covered(case: Case, seed: int, plies: int) -> None:
    """What covered pieces may be is said of glyphs of their seat, and there is enough of it."""
    position = case.walk(seed, plies)
    pools, glyphs = position.pools(), position.board.glyphs
    ensure(len({(covered.seat, covered.glyph) for covered in pools}) == len(pools), f"a glyph stands twice in {pools}")
    for covered in pools:
        ensure(covered.count >= 0 and covered.glyph in glyphs and glyphs[covered.glyph].seat == covered.seat
               and glyphs[covered.glyph].style == "plain", f"{covered} is no plain glyph of its seat")
    seats = Counter(glyphs[stone.glyph].seat for stone in position.stones() if glyphs[stone.glyph].style == "covered")
    for seat, number in seats.items():
        held = sum(covered.count for covered in pools if covered.seat == seat)
        ensure(held >= number, f"{number} stones of seat {seat} are covered, and the pool holds {held}")
