from boyi.games.xiangqi.encoder import XiangqiEncoder

class JieqiEncoder(XiangqiEncoder):
    """The pieces of both sides, from the side to act, and what the covered ones may be as far as it knows."""

    def __init__(self) -> None: ...
