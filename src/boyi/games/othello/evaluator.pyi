from boyi.core.evaluator import Evaluator

class ClassicEvaluator(Evaluator):
    """Places, mobility and, the fuller the board the more, discs."""

class LineEvaluator(Evaluator):
    """The sum of what an automaton finds in all lines; see `automata`."""

class PatternEvaluator(Evaluator):
    """The sum of 46 trained weights, each for what one pattern looks like; see `patterns` and `probcut`."""
