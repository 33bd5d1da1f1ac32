"""A plan so small that three iterations of any game take less than a minute: to see that everything works."""

from __future__ import annotations

from boyi.learn.training.settings import Design, Evaluation, Learning, Plan, SelfPlay

SMOKE = Plan(
    design=Design(width=64), games=SelfPlay(at_once=16, simulations=4, longest=200),
    learning=Learning(batch=128, reuse=2.0),
    evaluation=Evaluation(every=3, simulations=4, random_games=4, random_simulations=4, random_games_in_full=0, level=1,
                          level_games=2, level_simulations=4, ladder_games=0, promotion_games=4),
    games_per_iteration=16, chunk=16, held_out=8)
