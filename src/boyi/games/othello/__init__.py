"""Othello 黑白棋."""

from boyi.core.game import Game
from boyi.core.words import Words
from boyi.games.othello.abstract import AbstractEvaluator
from boyi.games.othello.board import board
from boyi.games.othello.encoder import OthelloEncoder
from boyi.games.othello.evaluator import ClassicEvaluator, LineEvaluator, PatternEvaluator
from boyi.games.othello.finisher import OthelloFinisher
from boyi.games.othello.formats import FORMATS
from boyi.games.othello.levels import LEVELS
from boyi.games.othello.position import OthelloPosition
from boyi.games.othello.protocols import PROTOCOLS
from boyi.games.othello.scans import LoopEvaluator, ScanEvaluator
from boyi.games.othello.setup import SETUP

GAME = Game(
    name="othello",
    title=Words("Othello", "黑白棋"),
    position=OthelloPosition,
    board=lambda options: board(),
    module=__name__,
    evaluators={
        "patterns": PatternEvaluator, "lines": LineEvaluator, "classic": ClassicEvaluator,
        "lines_dfa": ScanEvaluator, "lines_loops": LoopEvaluator,    # as "lines", more slowly: for comparison
        "abstract": AbstractEvaluator,
        "classic+abstract": lambda: AbstractEvaluator(ClassicEvaluator(), weight=25),   # in full: corners twice
        "patterns+abstract": lambda: AbstractEvaluator(PatternEvaluator(), weight=0),   # for cut-offs only
    },
    finisher=OthelloFinisher,
    encoder=lambda options: OthelloEncoder(),
    formats=FORMATS,
    setup=SETUP,
    levels=LEVELS,
    protocols=PROTOCOLS,
    order=40,
    finished_is_leaf=True,
    learning="boyi.learn.othello",
)
