from boyi.core.evaluator import Evaluator

class ScanEvaluator(Evaluator):
    """Runs the automaton along every line, each way and for each colour."""

class LoopEvaluator(Evaluator):
    """Looks for every feature with a loop of its own."""
