from boyi.games.chinese_checkers.position import ChineseCheckersPosition

class SoloSolver:
    """Plans for one player at a time. All memory is taken when it is made."""

    @property
    def seconds(self) -> float: ...
    def __init__(self, width: int = 300) -> None: ...
    def plan(self, position: ChineseCheckersPosition, player: int, most: int = 99, *, alone: bool = False,
             width: int = 0) -> tuple[int, ...] | None:
        """Moves that take a player to the goal while nobody else moves; None if none were found within `most` turns.

        `alone`: as if the board had no other pieces. `width`: of the beam, if narrower than the solver's.
        """
    def plan_across(self, most: int = 99) -> tuple[int, ...] | None:
        """The same for the ten pieces of corner A on an empty star."""
    def least(self, position: ChineseCheckersPosition, player: int, most: int, nodes: int = 1_000_000, *,
              alone: bool = False) -> int:
        """How many turns the player needs at least while nobody else moves: exact below `most`, where the search ends.
        Boards are searched up to a number of `nodes`; what is proven by then is the answer."""
    def passed(self, position: ChineseCheckersPosition) -> bool:
        """Of two players: has every piece passed all of the opponent's?"""
    def stop(self) -> None:
        """End what is under way, from another thread."""
