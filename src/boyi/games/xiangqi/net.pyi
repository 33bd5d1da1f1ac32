from boyi.core.nnue import NetEvaluator

class XiangqiNet(NetEvaluator):
    """The evaluator `net`."""
