"""Agents against each other: games, matches, and what they tell about strength."""

from boyi.arena.match import Match, Played, Standing, play_game, play_match, standings

__all__ = ["Match", "Played", "Standing", "play_game", "play_match", "standings"]
