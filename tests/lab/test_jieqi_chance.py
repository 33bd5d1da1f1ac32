"""jieqi-chance: the ancestor's table of how its two engines differ, and that ours differ in just that."""

from __future__ import annotations

from dataclasses import fields

from boyi.games import find_game
from boyi.lab.experiments.jieqi_chance import DOCUMENT, ENGINES, EXPERIMENT
from boyi.lab.table import number
from boyi.search.expectimax_options import PRESETS


def test_the_table_of_the_document_with_what_was_measured() -> None:
    report = EXPERIMENT.run("quick")
    tables = {table.name: table for table in report.tables}
    comparison, cost = tables["comparison"], tables["cost"]
    written = [tuple(column.write(row) for column in comparison.columns) for row in comparison.rows]
    assert tuple(written[:len(DOCUMENT)]) == DOCUMENT
    assert [aspect.split()[0] for aspect, _, _ in DOCUMENT] == ["search", "value", "reveals", "time"]
    measured = {aspect: cells for aspect, *cells in written[len(DOCUMENT):]}
    sizes = EXPERIMENT.sizes["quick"]
    assert len(measured) == 2 + 2 * len(sizes.depths)
    for depth in sizes.depths:   # of both searches, on the same positions
        for place, name in enumerate(("iterative", "IT2")):
            wanted = f"{number(cost.find(name=name), f'nodes_{depth}'):,.0f}"
            assert measured[f"nodes to depth {depth} 节点"][place] == wanted
    assert all(float(cell.replace(",", "")) > 0 for cells in measured.values() for cell in cells)


def test_the_two_differ_as_the_table_says_and_in_nothing_else() -> None:
    iterative, it2 = PRESETS["iterative"], PRESETS["it2"]
    assert [field.name for field in fields(it2) if getattr(it2, field.name) != getattr(iterative, field.name)] == [
        "outcomes"]
    assert (iterative.outcomes, it2.outcomes) == ("presume", "all")
    assert iterative.time_before_depth and it2.time_before_depth
    game = find_game("jieqi")
    lone = "4k4/9/9/9/9/9/9/9/9/X2K5 w {} 0 1 w"
    for pool, mean in (("P2", 70), ("R1P1", (900 + 70) / 2), ("N2", 280)):
        assert game.evaluators["iterative"]().value(game.parse(lone.format(pool))) == 320
        assert game.evaluators["it2"]().value(game.parse(lone.format(pool))) == mean
    assert set(ENGINES) == {"iterative", "IT2", "IT2, no king", "ours"}
