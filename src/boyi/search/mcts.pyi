from collections.abc import Callable, Iterable
from typing import ClassVar

from boyi.core.batch import Batch
from boyi.core.evaluator import Evaluator
from boyi.core.position import Position
from boyi.core.predictor import Predictor
from boyi.core.searcher import Limits, Result
from boyi.kit.gate import Gate
from boyi.search.mcts_options import MCTSOptions
from boyi.search.tree.tree_node import TreeNode

class MCTS:
    """The searcher: options, perhaps an evaluator or a predictor, and a tree that outlives a search."""

    ENDS_BY_DEPTH: ClassVar[bool]
    """A depth only keeps the tree from growing deeper; simulations go on."""

    @property
    def options(self) -> MCTSOptions: ...
    @property
    def evaluator(self) -> Evaluator | None: ...
    @property
    def predictor(self) -> Predictor | None: ...
    def __init__(self, evaluator: Evaluator | None = None, options: MCTSOptions | None = None,
                 predictor: Predictor | None = None) -> None: ...
    def search(self, position: Position, limits: Limits, on_depth: Callable[[Result], object] | None = None,
               only: Iterable[int] = ()) -> Result:
        """The best moves of a position in which a player acts; the position is left as it was.

        A node, in the limits and the result, is a simulation. There are no depths here: `on_depth` is called with the
        result so far whenever the number of simulations has doubled, from 64 on. `only`, if not empty, are the moves
        to keep to.
        """
    def stop(self) -> None:
        """End a running search soon; it answers with what it has."""
    def pass_through(self, gate: Gate) -> None:
        """From the next search on, wait at a gate while it is closed."""
    def forget(self) -> None:
        """Give the tree up, and a search in steps that is under way; the next search starts from nothing."""
    def policy(self) -> dict[int, float]:
        """What is to be learned from the last search: a share of 1 per root move."""
    def tree(self) -> list[TreeNode]:
        """The tree as it lies in memory, each node before its children: for tests and for the curious."""

    # ------------------------------------------------------------------ in steps, for a loop over many games

    def begin(self, position: Position, limits: Limits, seed: int | None = None) -> None:
        """Begin a search that the caller drives: `collect`, predict, `absorb`, until `done`; then `finish`.

        The seed, if there is one, takes the place of that in the options: a game to learn from wants other noise for
        every move.
        """
    def collect(self, batch: Batch) -> int:
        """Put leaves into the batch, no more than the option `batch` and the batch have room for; how many."""
    def absorb(self, batch: Batch) -> None:
        """Take in the predictions for the leaves that were collected."""
    @property
    def done(self) -> bool:
        """Has the search met a limit, or is there nothing left to find out?"""
    def finish(self) -> Result:
        """End a search that was begun with `begin`: the best moves."""
