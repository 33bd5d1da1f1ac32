"""Openings: what they are called, and what was played in them.

>>> import boyi
>>> position = boyi.start("xiangqi")
>>> for move in "C2=5 H8+7 H2+3 R9=8 R1=2 H2+3 P1+1".split():
...     position.play(move)
>>> named = name_of(position)
>>> named.opening.name.en, named.opening.name.zh, named.opening.code, named.ply
('Central Cannon vs. Screen Horses', '中炮对屏风马', 'C00', 6)
"""

from boyi.study.openings.explorer import Explored, ExploredMove, explore, explore_books, plies_in_book
from boyi.study.openings.games import Entered
from boyi.study.openings.names import Named, Opening, begin_openings, find_opening, name_of, read_openings

__all__ = ["Entered", "Explored", "ExploredMove", "Named", "Opening", "begin_openings", "explore",
           "explore_books", "find_opening", "name_of", "plies_in_book", "read_openings"]
