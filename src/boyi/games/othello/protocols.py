"""How outside programs write Othello."""

from boyi.core.dialect import Dialect
from boyi.core.position import OVER, Position


def lead(position: Position) -> int:
    """Discs by which Black leads; after the end, empty points are the winner's."""
    board = position.to_text().split()[0]
    discs = board.count("X") - board.count("O")
    if discs and position.turn == OVER:
        discs += board.count("-") * (1 if discs > 0 else -1)
    return discs


PROTOCOLS = {
    "gtp": Dialect("Othello", aliases=("reversi",), colours=("black", "white"), board_size=8, lead=lead),
    "nboard": Dialect("Othello", letters={"X": "*"}, board_size=8),
}
