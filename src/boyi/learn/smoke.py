"""A plan so small that three iterations of any game take less than a minute: to see that everything works."""

from __future__ import annotations

from boyi.learn import lockstep, trainer
from boyi.learn.networks import Design
from boyi.learn.run import Exam, Plan

SMOKE = Plan(
    design=Design(width=64), games=lockstep.Settings(at_once=16, simulations=4, longest=200),
    learning=trainer.Settings(batch=128, reuse=2.0),
    exam=Exam(every=3, simulations=4, random_games=4, random_simulations=4, random_games_in_full=0, level=1,
              level_games=2, level_simulations=4, ladder_games=0, promotion_games=4),
    games_per_iteration=16, chunk=16, held_out=8)
