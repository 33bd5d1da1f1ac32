"""Othello 黑白棋."""

from boyi.core.game import Game
from boyi.core.words import Words
from boyi.games.othello.abstract import AbstractEvaluator
from boyi.games.othello.board import board
from boyi.games.othello.encoder import OthelloEncoder
from boyi.games.othello.evaluator import ClassicEvaluator, LineEvaluator, PatternEvaluator
from boyi.games.othello.finisher import OthelloFinisher
from boyi.games.othello.formats import FORMATS, WRITINGS
from boyi.games.othello.position import OthelloPosition
from boyi.games.othello.protocols import PROTOCOLS
from boyi.games.othello.puzzles import PUZZLES
from boyi.games.othello.scans import LoopEvaluator, ScanEvaluator
from boyi.games.othello.setup import SETUP
from boyi.games.othello.tally import tally

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
    unit=Words("discs", "子"),
    finisher=OthelloFinisher,
    encoder=lambda options: OthelloEncoder(),
    formats=FORMATS,
    writings=WRITINGS,
    setup=SETUP,
    tally=tally,
    protocols=PROTOCOLS,
    order=30,
    finished_is_leaf=True,
    puzzles=PUZZLES,
    learning="boyi.learn.othello",
)
