"""Agents against each other: games, matches, and what they tell about strength."""

from boyi.arena.distinct import Distinct, distinct
from boyi.arena.game import play_game
from boyi.arena.match import Match, Played, play_match
from boyi.arena.pool import Pool
from boyi.arena.rating import Finish, Rating, Ratings, rate
from boyi.arena.sprt import Sprt, parse_sprt
from boyi.arena.standing import Standing, standings

__all__ = ["Match", "Played", "Standing", "play_game", "play_match", "standings", "Pool", "Distinct", "distinct",
           "Finish", "Rating", "Ratings", "rate", "Sprt", "parse_sprt"]
