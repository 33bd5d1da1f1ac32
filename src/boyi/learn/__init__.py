"""Learning: players and evaluators made better by games.

`training` trains networks by self-play, `fitting` fits evaluators to games, `tuning` finds better parameters of an
agent. What only one game can learn from lies in a folder of its own (`othello`), which the game names (`learning`).
"""
