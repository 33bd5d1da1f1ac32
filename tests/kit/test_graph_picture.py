"""The picture of Othello's first levels: its nodes are those that perft counts, and the file is what is drawn."""

from __future__ import annotations

from itertools import pairwise

import boyi
from boyi.search.distinct import count_distinct
from tools.graph_pictures import DEPTH, TARGET, WAYS, draw, levels


def test_nodes_are_those_that_perft_counts() -> None:
    tree, graph, quotient = (levels(same) for same in WAYS.values())
    start = boyi.start("othello")
    for depth in range(DEPTH + 1):
        found = count_distinct(start, depth, symmetric=True)
        assert (len(tree[depth]), len(graph[depth]), len(quotient[depth])) == (
            found.sequences, found.positions, found.classes)


def test_every_move_is_an_arrow() -> None:
    """Of the positions that are drawn; a node of the tree has one parent, two of the graph have more."""
    for nodes in (levels(same) for same in WAYS.values()):
        for above, level in pairwise(nodes):
            for place, node in enumerate(above):
                assert sum(child.parents.get(place, 0) for child in level) == len(node.position.moves())
    tree, graph, quotient = (levels(same) for same in WAYS.values())
    assert all(sum(node.parents.values()) == 1 for level in tree[1:] for node in level)
    assert sum(len(node.parents) > 1 for node in graph[DEPTH]) == 2
    assert quotient[1][0].parents == {0: 4}


def test_the_picture_is_up_to_date() -> None:
    """If this fails: `python -m tools.graph_pictures`, and look at what it drew."""
    assert TARGET.read_text(encoding="utf-8") == draw()
