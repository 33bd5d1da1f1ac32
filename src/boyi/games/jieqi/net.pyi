from boyi.core.nnue import NetEvaluator

class JieqiNet(NetEvaluator):
    """The evaluator `net`."""
