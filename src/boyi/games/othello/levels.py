"""How strong the levels of Othello are (measured with `benchmarks/levels.py`)."""

from boyi.core.level import ladder

LEVELS = ladder(
    nodes=(820, 1_270, 1_900, 2_600, 3_700, 6_000, 9_500, 13_000, 16_000, 20_000),
    lines=(7, 7, 6, 6, 5, 4, 4, 3, 2, 1),
    temperatures=(0.89, 0.73, 0.61, 0.5, 0.39, 0.25, 0.14, 0.08, 0.04, 0.0))
